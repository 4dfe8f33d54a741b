//! The JSON reader against JSONTestSuite, against `serde_json`, and against itself in pieces.

#![allow(clippy::expect_used, clippy::panic, clippy::indexing_slicing)] // A failed test panics.

use byname::base::json::{Limits, parse, pointer_at};
use byname::base::{Diagnostic, Location};
use std::path::Path;

fn read(text: &[u8]) -> Result<serde_json::Value, Diagnostic> {
    let (value, diagnostics) = parse(text, Limits::default());
    value.ok_or_else(|| diagnostics.into_iter().next_back().expect("a refusal has a reason"))
}

#[test]
fn json_test_suite() {
    let folder =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data/json-test-suite/test_parsing");
    let Ok(files) = std::fs::read_dir(&folder) else {
        println!("skipped: JSONTestSuite is not there");
        return;
    };
    let mut count = 0;
    for file in files {
        let path = file.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        let bytes = std::fs::read(&path).expect("a readable file");
        let result = read(&bytes);
        match name.as_bytes()[0] {
            b'y' => {
                let expected: serde_json::Value = serde_json::from_slice(&bytes).expect("valid");
                let value = result.unwrap_or_else(|error| panic!("{name}: {error:?}"));
                assert_eq!(as_doubles(&value), as_doubles(&expected), "{name}");
            }
            b'n' => {
                let error = result.expect_err(&name);
                assert!(error.help.is_some(), "{name}: {error:?}");
                let Some(Location::Span(span)) = error.location else { panic!("{name}: no place") };
                assert!(span.start <= span.end && span.end <= bytes.len(), "{name}: {span:?}");
            }
            _ => drop(result),
        }
        count += 1;
    }
    assert_eq!(count, 318);
}

fn as_doubles(value: &serde_json::Value) -> serde_json::Value {
    use serde_json::Value;
    match value {
        Value::Number(number) => Value::from(number.as_f64()),
        Value::Array(items) => items.iter().map(as_doubles).collect(),
        Value::Object(map) => map.iter().map(|(k, v)| (k.clone(), as_doubles(v))).collect(),
        other => other.clone(),
    }
}

#[test]
fn says_what_is_wrong_and_how_to_mend_it() {
    let cases = [
        (
            "{\"a\": 1,}",
            "JSON001 8..9 unexpected `}`, expected a key in double quotes | remove the comma before it",
        ),
        (
            "{'a': 1}",
            "JSON001 1..2 unexpected `'`, expected a key in double quotes or `}` | write strings and keys in double quotes",
        ),
        (
            "{a: 1}",
            "JSON001 1..2 unexpected `a`, expected a key in double quotes or `}` | put the key in double quotes",
        ),
        (
            "{\"a\" 1}",
            "JSON001 5..6 unexpected `1`, expected `:` | put `:` between the key and its value",
        ),
        (
            "[1 2]",
            "JSON001 3..4 unexpected `2`, expected `,` or `]` | put a comma between two items, or close the map or list before it",
        ),
        (
            "[1}",
            "JSON001 2..3 unexpected `}`, expected `,` or `]` | a list is open here: close it with `]` first",
        ),
        ("[True]", "JSON001 1..5 unexpected `True`, expected a value or `]` | write `true`"),
        (
            "```json",
            "JSON001 0..1 unexpected ```, expected a value | send the JSON alone, without a Markdown fence",
        ),
        (
            "Here is it",
            "JSON001 0..4 unexpected `Here`, expected a value | send the JSON alone, without text before it",
        ),
        (
            "{\"a\": [1",
            "JSON002 8..8 the text ended early, expected `,` or `]` | the text was cut: finish it and close it with `]}`",
        ),
        (
            "{\"a\": \"x",
            "JSON002 6..8 the text ended inside a string | close the string with `\"`, and what is open around it",
        ),
        (
            "{} {}",
            "JSON003 3..4 unexpected `{` after the end | one text holds one document: remove what follows it, or send it by itself",
        ),
        (
            "[\"a\nb\"]",
            "JSON004 3..4 control character U+000A inside a string | write it as `\\n`, or close the string with `\"` before it",
        ),
        (
            "[\"\\x\"]",
            "JSON005 2..4 unknown escape of `x` | escape a backslash as `\\\\`; only `\" \\ / b f n r t u` may follow one",
        ),
        (
            "[\"\\ud800\"]",
            "JSON006 2..8 lone surrogate `\\ud800` | write both halves of the pair, or the character itself",
        ),
        (
            "[01]",
            "JSON007 1..3 `01` is not a number | digits without a leading zero, then `.` and digits, then `e` and digits",
        ),
        (
            "[1e999]",
            "JSON008 1..6 `1e999` is out of range | write a number below 1.8e308, or a string",
        ),
        (
            "",
            "JSON002 0..0 the text ended early, expected a value | the text holds no value: send one JSON document",
        ),
    ];
    for (text, expected) in cases {
        let error = read(text.as_bytes()).expect_err(text);
        let Some(Location::Span(span)) = error.location else { panic!("{text}: no place") };
        let help = error.help.unwrap_or_default();
        let shown =
            format!("{} {}..{} {} | {help}", error.code.id, span.start, span.end, error.message);
        assert_eq!(shown, expected, "{text}");
    }
}

#[test]
fn refuses_depth_and_size() {
    let deep = "[".repeat(100_000);
    assert_eq!(read(deep.as_bytes()).expect_err("deep").code.id, "JSON009");
    let (value, diagnostics) = parse(b"[1,2,3]", Limits { depth: 9, bytes: 6 });
    assert_eq!((value, diagnostics[0].code.id), (None, "JSON010"));
}

#[test]
fn finds_pointers() {
    let text = br#"{"a": [1, {"b/c": "x"}], "d": null}"#;
    assert_eq!(pointer_at(text, 7), "/a/0");
    assert_eq!(pointer_at(text, 19), "/a/1/b~1c");
    assert_eq!(pointer_at(text, 30), "/d");
    assert_eq!(pointer_at(text, 0), "");
}
