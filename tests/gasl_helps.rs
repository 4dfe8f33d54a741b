//! Whoever writes the line that a help suggests has a line without mistakes.

#![cfg(feature = "gasl")]
#![allow(clippy::unwrap_used)] // A failed test panics.

use byname::gasl::language::parse;
use serde_json::Value as Json;
use std::fs;
use std::path::Path;

#[test]
fn suggested_lines_are_without_mistakes() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/gasl");
    let files = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
    let mut texts = Vec::new();
    for path in files.filter(|path| path.extension().is_some_and(|end| end == "json")) {
        texts_of(&serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap(), &mut texts);
    }
    let mut followed = 0;
    let mut wrong = Vec::new();
    for text in &texts {
        for told in parse(text).diagnostics {
            let Some(line) = told.help.as_deref().and_then(suggested) else { continue };
            followed += 1;
            let left = parse(line).diagnostics;
            if left.iter().any(|told| told.is_error()) {
                wrong.push(format!("{text}\n    {line}\n    {left:?}"));
            }
        }
    }
    assert!(followed > 50, "{followed} lines");
    assert!(wrong.is_empty(), "{} of {followed}:\n{}", wrong.len(), wrong.join("\n"));
}

/// Every text of a file; what is no command is told to begin with one.
fn texts_of(json: &Json, texts: &mut Vec<String>) {
    match json {
        Json::String(text) => texts.push(text.clone()),
        Json::Array(items) => items.iter().for_each(|item| texts_of(item, texts)),
        Json::Object(map) => map.values().for_each(|value| texts_of(value, texts)),
        _ => {}
    }
}

/// The whole line that a help says to write, in place of the command or behind it: no single word, and no form
/// with something to fill in.
fn suggested(help: &str) -> Option<&str> {
    let behind = help.split_once("behind the command: `").map(|(_, line)| line);
    let line = behind.or_else(|| help.strip_prefix("write `"))?.strip_suffix('`')?;
    let is_command = line.contains(' ') && line.starts_with(char::is_uppercase);
    (is_command && !line.contains('…')).then_some(line)
}
