//! Compares the JSON reader with JSONTestSuite, with `serde_json`, and with itself on chunked input.

#![allow(clippy::expect_used, clippy::panic, clippy::indexing_slicing)] // A failed test panics.

use byname::base::json::{Limits, Reader, Sink, Text, pointers_at};
use byname::base::{Diagnostic, Location, Span, Value};
use std::path::Path;

fn read(text: &[u8]) -> Result<serde_json::Value, Diagnostic> {
    let (value, diagnostics) = Value::parse(text, Limits::default());
    let error = || diagnostics.into_iter().next_back().expect("rejected without a diagnostic");
    value.as_ref().map(to_serde).ok_or_else(error)
}

fn to_serde(value: &Value) -> serde_json::Value {
    match value {
        Value::Null => serde_json::Value::Null,
        Value::Bool(value) => (*value).into(),
        Value::Number(number) => (*number).into(),
        Value::Text(text) => text.to_string().into(),
        Value::List(items) => items.iter().map(to_serde).collect(),
        Value::Map(map) => {
            map.iter().map(|(key, value)| (key.to_string(), to_serde(value))).collect()
        }
    }
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

/// Linear congruential generator, so that the cases are the same on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % limit
    }
}

/// Parses randomly edited documents: both readers must accept the same texts and return the same values.
#[test]
fn agrees_with_serde_json() {
    const SEEDS: [&str; 6] = [
        r#"{"a": [1, -2.5e3, 0.1], "b": {"c": null, "d": true}, "é": "ü\n\u00e9\ud83d\ude00"}"#,
        r#"[[], {}, "", 0, -0, 1e-7, 123456789012345678, false, [[["x"]]]]"#,
        r#"{"row_1": {"name": "Jürgen", "score": 12.25, "active": false}, "items": ["*row_1"]}"#,
        "\t[ 1 ,\r\n 2 ]  ",
        r#""plain""#,
        "17",
    ];
    const BYTES: &[u8] = b"{}[]\":,\\/u0123456789eE+-.tfn *\n\x00\x1f\x7f\xc3\xa9\xed\xa0\x80\xff";
    let mut random = Random(7);
    let (mut valid, mut rejected) = (0, 0);
    for round in 0..200_000 {
        let mut text = SEEDS[random.below(SEEDS.len())].as_bytes().to_vec();
        for _ in 0..random.below(4) {
            let at = random.below(text.len().max(1)).min(text.len());
            match random.below(3) {
                0 if at < text.len() => drop(text.remove(at)),
                1 => text.insert(at, BYTES[random.below(BYTES.len())]),
                _ if at < text.len() => text[at] = BYTES[random.below(BYTES.len())],
                _ => {}
            }
        }
        let shown = || format!("round {round}: {}", String::from_utf8_lossy(&text));
        match (serde_json::from_slice::<serde_json::Value>(&text), read(&text)) {
            (Ok(a), Ok(b)) => {
                valid += 1;
                assert_eq!(as_doubles(&a), as_doubles(&b), "{}", shown());
            }
            (Err(_), Err(_)) => rejected += 1,
            (a, b) => panic!("{}: {a:?} and {b:?}", shown()),
        }
    }
    assert!(valid > 10_000 && rejected > 10_000, "{valid} valid, {rejected} rejected");
}

/// The chunks of a text do not affect the events and the error.
#[test]
fn chunks_do_not_affect_the_result() {
    let texts = [
        r#"{"a": [1, -2.5e3, "x\n\u00e9"], "bé": {"c": null, "d": true}} "#,
        r#"{"a": "\ud83d\ude00", "b": [tru]}"#,
        "[\"ab\ncd\"]",
        "[12, 0.5, 1e999]",
        r#"{"a": 1} x"#,
        r#"{“a”: 1}"#,
        r#"{"a": 1}é"#,
        r#"{"a": 1😀€}"#,
        "\u{feff}[]",
        "[\u{a0}1]",
    ];
    let broken: [&[u8]; 4] = [b"[\xc3", b"[\xe2\x80]", b"[\xe2\x80\xff]", b"[\x80\x80]"];
    for text in texts.map(str::as_bytes).into_iter().chain(broken) {
        let whole = Trace::of([text]);
        for first in 0..=text.len() {
            for second in first..=text.len() {
                let chunks = [&text[..first], &text[first..second], &text[second..]];
                assert_eq!(Trace::of(chunks), whole, "{first}, {second}");
            }
        }
    }
}

/// Events of a reader, one line each.
#[derive(Debug, Default, PartialEq)]
struct Trace(Vec<String>);

impl Trace {
    fn of<'a>(chunks: impl IntoIterator<Item = &'a [u8]>) -> Trace {
        let mut trace = Trace::default();
        let mut reader = Reader::new(Limits::default());
        let result = chunks
            .into_iter()
            .try_for_each(|chunk| reader.feed(chunk, &mut trace))
            .and_then(|()| reader.finish(&mut trace));
        trace.0.push(format!("{result:?}"));
        trace
    }

    fn push(&mut self, what: String) {
        self.0.push(what);
    }
}

impl Sink for Trace {
    fn open_map(&mut self, at: usize) {
        self.push(format!("{{ {at}"));
    }

    fn close_map(&mut self, at: usize) {
        self.push(format!("}} {at}"));
    }

    fn open_list(&mut self, at: usize) {
        self.push(format!("[ {at}"));
    }

    fn close_list(&mut self, at: usize) {
        self.push(format!("] {at}"));
    }

    fn key(&mut self, text: Text<'_>) {
        self.push(format!("key {} {:?}", text.as_str(), text.span));
    }

    fn text(&mut self, text: Text<'_>) {
        self.push(format!("text {} {:?}", text.as_str(), text.span));
    }

    fn number(&mut self, value: f64, span: Span) {
        self.push(format!("{value} {span:?}"));
    }

    fn bool(&mut self, value: bool, span: Span) {
        self.push(format!("{value} {span:?}"));
    }

    fn null(&mut self, span: Span) {
        self.push(format!("null {span:?}"));
    }
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
fn reports_errors_with_help() {
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
            "{“a”: 1}",
            "JSON001 1..4 unexpected `“`, expected a key in double quotes or `}` | write strings and keys in double quotes: `\"`, not typographic ones",
        ),
        (
            "[’a’]",
            "JSON001 1..4 unexpected `’`, expected a value or `]` | write strings and keys in double quotes: `\"`, not typographic ones",
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
            "{\"a\"}",
            "JSON001 4..5 unexpected `}`, expected `:` | put `:` between the key and its value",
        ),
        (
            "[1 2]",
            "JSON001 3..4 unexpected `2`, expected `,` or `]` | put a comma between two items, or close the map or list before it",
        ),
        ("[1}", "JSON001 2..3 unexpected `}`, expected `,` or `]` | close the list with `]` first"),
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
            "JSON002 8..8 the text ended early, expected `,` or `]` | complete the text and close it with `]}`",
        ),
        (
            "{\"a\": tru",
            "JSON002 9..9 the text ended early, expected a value | complete the text and close it with `}`",
        ),
        (
            "[1.",
            "JSON002 3..3 the text ended early, expected a value or `]` | complete the text and close it with `]`",
        ),
        (
            "[-Infinity]",
            "JSON007 1..2 `-` is not a number | write `null` or a string, because JSON has no such number",
        ),
        (
            "\u{feff}{}",
            "JSON001 0..3 unexpected U+FEFF, expected a value | remove the byte order mark",
        ),
        ("｛}", "JSON001 0..3 unexpected `｛`, expected a value | write it as `{`"),
        (
            "{\"a\": \u{200b}1}",
            "JSON001 6..9 unexpected U+200B, expected a value | remove it, or write a space",
        ),
        (
            "{\"a\": 1_000}",
            "JSON001 7..8 unexpected `_`, expected `,` or `}` | put a comma between two items, or write the string in double quotes",
        ),
        (
            "{\"a\": `x`}",
            "JSON001 6..7 unexpected ```, expected a value | write strings and keys in double quotes",
        ),
        (
            "[1, ...]",
            "JSON001 4..5 unexpected `.`, expected a value | write the content of `...`; begin a number with a digit",
        ),
        (
            "{\\\"a\\\": 1}",
            "JSON001 1..2 unexpected `\\`, expected a key in double quotes or `}` | send the JSON as it is, without backslashes before its quotes",
        ),
        (
            "[f\"a\"]",
            "JSON001 1..2 unexpected `f`, expected a value or `]` | remove it before a string, or write it as one",
        ),
        (
            "{\"a\": \"x",
            "JSON002 6..8 the text ended inside a string | close the string with `\"`, and what is open around it",
        ),
        (
            "{} {}",
            "JSON003 3..4 unexpected `{` after the end | remove the text after the document, or send it separately",
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
            "JSON007 1..3 `01` is not a number | write digits without a leading zero, then `.` and digits, then `e` and digits",
        ),
        (
            "[1e999]",
            "JSON008 1..6 `1e999` is out of range | write a number below 1.8e308, or a string",
        ),
        ("", "JSON002 0..0 the text ended early, expected a value | send one JSON document"),
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
fn rejects_depth_and_size() {
    let deep = "[".repeat(100_000);
    assert_eq!(read(deep.as_bytes()).expect_err("deep").code.id, "JSON009");
    let (value, diagnostics) = Value::parse(b"[1,2,3]", Limits { depth: 9, bytes: 6 });
    assert_eq!((value, diagnostics[0].code.id), (None, "JSON010"));
}

#[test]
fn finds_pointers() {
    let text = br#"{"a": [1, {"b/c": "x"}], "d": null}"#;
    let found = ["/a/0", "/a/1/b~1c", "/d", "", "/a/0"];
    assert_eq!(pointers_at(text, &[7, 19, 30, 0, 7]), found);
    assert_eq!(pointers_at(b" 1", &[0, 9]), ["", ""]);
    assert_eq!(pointers_at(b"", &[0]), [""]);
    assert_eq!(pointers_at(text, &[]), [""; 0]);
    // In an invalid text, offsets up to the error have pointers; later ones have that of the error.
    assert_eq!(pointers_at(br#"{"a": [1, 2, x]}"#, &[7, 99]), ["/a/0", "/a/2"]);
}
