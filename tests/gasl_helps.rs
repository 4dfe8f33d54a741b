//! Commands suggested in the help of a diagnostic are valid, and those for another language have its result.

#![cfg(feature = "gasl")]
#![allow(clippy::unwrap_used, clippy::panic)] // A failed test panics.

use byname::gasl::effect::Progress;
use byname::gasl::graph_access::GraphAccess;
use byname::gasl::import;
use byname::gasl::language::parse;
use byname::gasl::session::{Session, SessionOptions};
use serde_json::Value as Json;
use std::fs;
use std::path::Path;
use std::rc::Rc;

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

/// Statements of other languages, each with what is expected of it.
fn foreign(list: &str) -> Vec<(String, Json)> {
    serde_json::from_value(foreign_file().get(list).unwrap().clone()).unwrap()
}

fn foreign_file() -> Json {
    let file =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/gasl/statements/foreign.json");
    serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap()
}

/// Returns the help of the first diagnostic.
fn help_of(text: &str) -> String {
    let first = parse(text).diagnostics.into_iter().next();
    first.and_then(|diagnostic| diagnostic.help).unwrap_or_default()
}

#[test]
fn statements_of_other_languages_get_commands_that_parse() {
    let statements = foreign("statements");
    assert!(statements.len() >= 60, "{} statements", statements.len());
    for (statement, expected) in statements {
        // Commands, or commands and how their result differs.
        let help = match &expected {
            Json::String(commands) => format!("write `{commands}`"),
            both => format!("write `{}`, {}", text_at(both, 0), text_at(both, 1)),
        };
        assert_eq!(help_of(&statement), help, "{statement}");
        let commands = expected.as_str().unwrap_or_else(|| text_at(&expected, 0));
        assert_eq!(parse(commands).diagnostics, [], "{commands}");
    }
}

#[test]
fn parts_without_an_equivalent_get_words() {
    for (statement, words) in foreign("refused") {
        let help = help_of(&statement);
        assert!(help.contains(words.as_str().unwrap()), "{statement}: {help}");
        assert_eq!(suggested(&help), None, "{statement}");
        assert_eq!(parse(&statement).diagnostics.len(), 1, "{statement}");
    }
}

/// Runs the commands of the help, and compares the last variable: its value, or the ids of its rows.
#[test]
fn translations_have_the_result_of_the_statement() {
    let file = foreign_file();
    let graph = file.get("graph").unwrap().to_string();
    let (graph, _) =
        import::read_node_link(graph.as_bytes(), import::ImportLimits::default()).unwrap();
    let graph = Rc::new(graph);
    for (statement, expected) in foreign("results") {
        let access = GraphAccess::Memory(graph.clone());
        let mut session = Session::open(access, SessionOptions::default(), None, "now").unwrap();
        let help = help_of(&statement);
        let (commands, _) = help.strip_prefix("write `").unwrap().rsplit_once('`').unwrap();
        let setup = file.get("setup").unwrap().as_array().unwrap();
        let mut output = "";
        for command in setup.iter().filter_map(Json::as_str).chain(commands.split("; ")) {
            let update = session.execute(command, "", "now");
            let Progress::Done(record) = update.next else { panic!("{command}") };
            let status = record.get("status").unwrap().to_text();
            assert_eq!(status, "\"success\"", "{statement}: {command}: {}", record.to_text());
            output = command.rsplit_once(" AS ").unwrap().1;
        }
        let text = session.variable_text(output).unwrap();
        let found: Json = serde_json::from_str(&text).unwrap();
        let is_ids = expected.get(0).is_some_and(Json::is_string);
        let found = match found.as_array().filter(|_| is_ids) {
            Some(rows) => rows.iter().map(|row| row.get("id").unwrap().clone()).collect(),
            None => found,
        };
        assert_eq!(found, expected, "{statement}: {commands}");
    }
}

fn text_at(json: &Json, index: usize) -> &str {
    json.get(index).and_then(Json::as_str).unwrap()
}

#[test]
fn translations_never_fail() {
    for (statement, _) in foreign("statements").into_iter().chain(foreign("refused")) {
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
