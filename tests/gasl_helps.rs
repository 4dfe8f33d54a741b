//! Commands suggested in the help of a diagnostic are valid.

#![cfg(feature = "gasl")]
#![allow(clippy::unwrap_used)] // A failed test panics.

use byname::gasl::language::parse;
use serde_json::Value as Json;
use std::fs;
use std::path::Path;

#[test]
fn suggested_commands_are_valid() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/gasl");
    let files = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
    let mut texts = Vec::new();
    for path in files.filter(|path| path.extension().is_some_and(|end| end == "json")) {
        collect_strings(
            &serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap(),
            &mut texts,
        );
    }
    let mut count = 0;
    let mut invalid = Vec::new();
    for text in &texts {
        for diagnostic in parse(text).diagnostics {
            let Some(line) = diagnostic.help.as_deref().and_then(suggested) else { continue };
            count += 1;
            let remaining = parse(line).diagnostics;
            if remaining.iter().any(|one| one.is_error()) {
                invalid.push(format!("{text}\n    {line}\n    {remaining:?}"));
            }
        }
    }
    assert!(count > 50, "{count} lines");
    assert!(invalid.is_empty(), "{} of {count}:\n{}", invalid.len(), invalid.join("\n"));
}

/// Statements of other languages with the commands that the help suggests.
fn foreign_statements() -> Vec<(String, String)> {
    let file =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/gasl/statements/foreign.json");
    let lists: Json = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
    serde_json::from_value(lists.get("statements").unwrap().clone()).unwrap()
}

/// Returns the help of the first diagnostic.
fn help_of(text: &str) -> String {
    let first = parse(text).diagnostics.into_iter().next();
    first.and_then(|diagnostic| diagnostic.help).unwrap_or_default()
}

#[test]
fn statements_of_other_languages_get_commands_that_parse() {
    let statements = foreign_statements();
    assert!(statements.len() >= 60, "{} statements", statements.len());
    for (statement, command) in statements {
        assert_eq!(help_of(&statement), format!("write `{command}`"), "{statement}");
        assert_eq!(parse(&command).diagnostics, [], "{command}");
    }
}

#[test]
fn translations_never_fail() {
    for (statement, _) in foreign_statements() {
        for end in (0..statement.len()).filter(|end| statement.is_char_boundary(*end)) {
            let start = parse(statement.get(..end).unwrap());
            let rest = parse(statement.get(end..).unwrap());
            for diagnostic in start.diagnostics.iter().chain(&rest.diagnostics) {
                let Some(line) = diagnostic.help.as_deref().and_then(suggested) else { continue };
                let is_valid = parse(line).diagnostics.iter().all(|one| !one.is_error());
                assert!(is_valid, "{statement} at {end}: {line}");
            }
        }
    }
}

/// Collects all strings of a JSON value. Those that are not commands get no suggestion.
fn collect_strings(json: &Json, texts: &mut Vec<String>) {
    match json {
        Json::String(text) => texts.push(text.clone()),
        Json::Array(items) => items.iter().for_each(|item| collect_strings(item, texts)),
        Json::Object(map) => map.values().for_each(|value| collect_strings(value, texts)),
        _ => {}
    }
}

/// Returns the complete command that a help suggests, instead of the command or after it.
fn suggested(help: &str) -> Option<&str> {
    let after = help.split_once("after the command: `").map(|(_, line)| line);
    let line = after.or_else(|| help.strip_prefix("write `"))?.strip_suffix('`')?;
    let is_command = line.contains(' ') && line.starts_with(char::is_uppercase);
    (is_command && !line.contains('…')).then_some(line)
}
