//! The line that a help suggests must be free of errors.

#![cfg(feature = "gasl")]
#![allow(clippy::unwrap_used)] // A failed test panics.

use byname::gasl::language::parse;
use serde_json::Value as Json;
use std::fs;
use std::path::Path;

#[test]
fn suggested_lines_have_no_errors() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/gasl");
    let files = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
    let mut texts = Vec::new();
    for path in files.filter(|path| path.extension().is_some_and(|end| end == "json")) {
        texts_of(&serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap(), &mut texts);
    }
    let mut suggestions = 0;
    let mut wrong = Vec::new();
    for text in &texts {
        for diagnostic in parse(text).diagnostics {
            let Some(line) = diagnostic.help.as_deref().and_then(suggested) else { continue };
            suggestions += 1;
            let diagnostics = parse(line).diagnostics;
            if diagnostics.iter().any(|one| one.is_error()) {
                wrong.push(format!("{text}\n    {line}\n    {diagnostics:?}"));
            }
        }
    }
    assert!(suggestions > 50, "{suggestions} lines");
    assert!(wrong.is_empty(), "{} of {suggestions}:\n{}", wrong.len(), wrong.join("\n"));
}

/// Adds every string of a file. Strings that are not commands result in help too.
fn texts_of(json: &Json, texts: &mut Vec<String>) {
    match json {
        Json::String(text) => texts.push(text.clone()),
        Json::Array(items) => items.iter().for_each(|item| texts_of(item, texts)),
        Json::Object(map) => map.values().for_each(|value| texts_of(value, texts)),
        _ => {}
    }
}

/// Returns the complete line that a help suggests, in place of the command or after it; `None` for single words
/// and for lines with placeholders.
fn suggested(help: &str) -> Option<&str> {
    let after = help.split_once("behind the command: `").map(|(_, line)| line);
    let line = after.or_else(|| help.strip_prefix("write `"))?.strip_suffix('`')?;
    let is_command = line.contains(' ') && line.starts_with(char::is_uppercase);
    (is_command && !line.contains('…')).then_some(line)
}
