//! The JSON reader accepts the texts that `serde_json` accepts, with equal values, and returns the same
//! events for any chunks.

use byname::base::json::{DEPTH, Limits, Reader, Sink, Text};
use byname::base::{Diagnostic, Location, Span, Value};
use serde_json::Value as Json;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Below the depth limit of `serde_json`.
const LIMITS: Limits = Limits { depth: 100, bytes: 1 << 20 };

pub fn check(data: &[u8]) {
    let (value, diagnostics) = Value::parse(data, LIMITS);
    for diagnostic in &diagnostics {
        check_location(data, diagnostic);
    }
    if diagnostics.iter().any(|diagnostic| diagnostic.code == DEPTH) {
        return;
    }
    match (value, serde_json::from_slice::<Json>(data)) {
        (Some(value), Ok(expected)) => {
            assert_equal(&value, &expected);
            let text = value.to_text();
            let (again, _) = Value::parse(text.as_bytes(), LIMITS);
            assert!(
                again.is_some_and(|again| again.to_text() == text),
                "not written as JSON: {text}"
            );
        }
        (None, Err(_)) => assert!(diagnostics.iter().any(Diagnostic::is_error), "no diagnostic"),
        (value, expected) => panic!("{value:?}, expected {expected:?}"),
    }
    let whole = EventHash::of([data]);
    let (start, end) = data.split_at(data.len() / 2);
    assert_eq!(EventHash::of([start, end]), whole, "in halves");
    if data.len() <= 64 {
        assert_eq!(EventHash::of(data.chunks(1)), whole, "byte by byte");
    }
}

fn check_location(data: &[u8], diagnostic: &Diagnostic) {
    assert!(!diagnostic.message.contains('\n'), "{diagnostic:?}");
    let Some(Location::Span(span)) = diagnostic.location else { panic!("no span: {diagnostic:?}") };
    assert!(
        span.start <= span.end && span.end <= data.len(),
        "outside of the text: {diagnostic:?}"
    );
    assert!(!diagnostic.is_error() || diagnostic.help.is_some(), "no help: {diagnostic:?}");
}

fn assert_equal(value: &Value, expected: &Json) {
    let is_equal = match (value, expected) {
        (Value::Null, Json::Null) => true,
        (Value::Bool(a), Json::Bool(b)) => a == b,
        (Value::Number(a), Json::Number(b)) => {
            b.as_f64().is_some_and(|b| a.to_bits() == b.to_bits() || *a == 0.0 && b == 0.0)
        }
        (Value::Text(a), Json::String(b)) => **a == **b,
        (Value::List(a), Json::Array(b)) => {
            a.iter().zip(b).for_each(|(a, b)| assert_equal(a, b));
            a.len() == b.len()
        }
        (Value::Map(a), Json::Object(b)) => {
            for (key, value) in b {
                assert_equal(a.get(key.as_str()).unwrap_or(&Value::Null), value);
            }
            a.len() == b.len()
        }
        _ => false,
    };
    assert!(is_equal, "{value:?}, expected {expected:?}");
}

/// Hash of the events of a reader.
struct EventHash(DefaultHasher);

impl EventHash {
    fn of<'a>(chunks: impl IntoIterator<Item = &'a [u8]>) -> (u64, Option<String>) {
        let mut events = EventHash(DefaultHasher::new());
        let mut reader = Reader::new(LIMITS);
        let result = chunks
            .into_iter()
            .try_for_each(|chunk| reader.feed(chunk, &mut events))
            .and_then(|()| reader.finish(&mut events));
        // The help may refer to the text after a chunk.
        let error = result.err().map(|error| format!("{:?}", Diagnostic { help: None, ..error }));
        (events.0.finish(), error)
    }

    fn add(&mut self, event: impl Hash) {
        event.hash(&mut self.0);
    }

    fn add_text(&mut self, kind: &str, text: Text<'_>) {
        self.add((kind, text.as_str(), text.span.start, text.span.end));
    }
}

impl Sink for EventHash {
    fn open_map(&mut self, at: usize) {
        self.add(("{", at));
    }

    fn close_map(&mut self, at: usize) {
        self.add(("}", at));
    }

    fn open_list(&mut self, at: usize) {
        self.add(("[", at));
    }

    fn close_list(&mut self, at: usize) {
        self.add(("]", at));
    }

    fn key(&mut self, text: Text<'_>) {
        self.add_text("key", text);
    }

    fn text(&mut self, text: Text<'_>) {
        self.add_text("text", text);
    }

    fn number(&mut self, value: f64, span: Span) {
        self.add((value.to_bits(), span.start, span.end));
    }

    fn bool(&mut self, value: bool, span: Span) {
        self.add((value, span.start, span.end));
    }

    fn null(&mut self, span: Span) {
        self.add(("null", span.start, span.end));
    }
}
