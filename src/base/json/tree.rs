//! Plain values, for whatever is not in a hurry.

use super::escape::pointer_step;
use super::fault::DUPLICATE_KEY;
use super::reader::{Limits, Reader, Sink, Text};
use crate::base::diagnostic::quote;
use crate::base::{Diagnostic, Span};
use serde_json::{Map, Number, Value};

/// Reads one document. The value is missing where the text is no JSON; the diagnostics then hold
/// the error, and in any case a warning for each key that stands twice.
pub fn parse(text: &[u8], limits: Limits) -> (Option<Value>, Vec<Diagnostic>) {
    let mut tree = Tree::default();
    let mut reader = Reader::new(limits);
    match reader.read_all(text, &mut tree) {
        Ok(()) => (tree.root, tree.diagnostics),
        Err(error) => {
            tree.diagnostics.push(error);
            (None, tree.diagnostics)
        }
    }
}

#[derive(Default)]
struct Tree {
    open: Vec<Open>,
    root: Option<Value>,
    diagnostics: Vec<Diagnostic>,
}

enum Open {
    List(Vec<Value>),
    Map(Map<String, Value>, String),
}

impl Tree {
    fn put(&mut self, value: Value) {
        match self.open.last_mut() {
            None => self.root = Some(value),
            Some(Open::List(items)) => items.push(value),
            Some(Open::Map(map, key)) => {
                map.insert(std::mem::take(key), value);
            }
        }
    }
}

impl Sink for Tree {
    fn open_map(&mut self, _: usize) {
        self.open.push(Open::Map(Map::new(), String::new()));
    }

    fn close_map(&mut self, _: usize) {
        if let Some(Open::Map(map, _)) = self.open.pop() {
            self.put(Value::Object(map));
        }
    }

    fn open_list(&mut self, _: usize) {
        self.open.push(Open::List(Vec::new()));
    }

    fn close_list(&mut self, _: usize) {
        if let Some(Open::List(items)) = self.open.pop() {
            self.put(Value::Array(items));
        }
    }

    fn key(&mut self, text: Text<'_>) {
        let Some(Open::Map(map, key)) = self.open.last_mut() else { return };
        text.as_str().clone_into(key);
        if map.contains_key(key) {
            self.diagnostics.push(duplicate_key(key, text.span));
        }
    }

    fn text(&mut self, text: Text<'_>) {
        self.put(Value::String(text.as_str().to_owned()));
    }

    fn number(&mut self, value: f64, _: Span) {
        self.put(number(value));
    }

    fn bool(&mut self, value: bool, _: Span) {
        self.put(Value::Bool(value));
    }

    fn null(&mut self, _: Span) {
        self.put(Value::Null);
    }
}

/// The warning for a key that stands twice in one map.
pub fn duplicate_key(key: &str, span: Span) -> Diagnostic {
    Diagnostic::new(DUPLICATE_KEY, format!("duplicate key {}: the last one wins", quote(key)))
        .help("write each key once")
        .at(span)
}

/// A whole number stays one where a double holds it exactly, so that it prints without `.0`.
fn number(value: f64) -> Value {
    const WHOLE: f64 = 9_007_199_254_740_992.0;
    if value.fract() == 0.0 && value.abs() < WHOLE && !(value == 0.0 && value.is_sign_negative()) {
        return Value::from(value as i64);
    }
    Number::from_f64(value).map_or(Value::Null, Value::Number)
}

/// The JSON pointer (RFC 6901) of the innermost value or key of `text` that starts at or before
/// the byte `at`.
pub fn pointer_at(text: &[u8], at: usize) -> String {
    let mut path = Path { at, steps: Vec::new(), keyed: false, found: String::new() };
    let mut reader = Reader::new(Limits { bytes: usize::MAX, ..Limits::default() });
    if reader.read_all(text, &mut path).is_err() {
        // The fault is in the value that comes next, or in a key of the innermost map.
        if !path.keyed && matches!(path.steps.last(), Some(Step::Key(_))) {
            path.steps.pop();
        }
        path.enter(0);
    }
    path.found
}

struct Path {
    at: usize,
    steps: Vec<Step>,
    /// The key of the next value has been read.
    keyed: bool,
    found: String,
}

enum Step {
    Key(String),
    Index(usize),
}

impl Path {
    fn enter(&mut self, start: usize) {
        if start > self.at {
            return;
        }
        self.found.clear();
        for step in &self.steps {
            self.found.push('/');
            match step {
                Step::Key(key) => self.found.push_str(&pointer_step(key)),
                Step::Index(index) => self.found.push_str(&index.to_string()),
            }
        }
    }

    fn leave(&mut self) {
        self.keyed = false;
        if let Some(Step::Index(index)) = self.steps.last_mut() {
            *index += 1;
        }
    }

    fn leaf(&mut self, span: Span) {
        self.enter(span.start);
        self.leave();
    }
}

impl Sink for Path {
    fn open_map(&mut self, at: usize) {
        self.enter(at);
        self.keyed = false;
        self.steps.push(Step::Key(String::new()));
    }

    fn close_map(&mut self, _: usize) {
        self.steps.pop();
        self.leave();
    }

    fn open_list(&mut self, at: usize) {
        self.enter(at);
        self.keyed = false;
        self.steps.push(Step::Index(0));
    }

    fn close_list(&mut self, _: usize) {
        self.steps.pop();
        self.leave();
    }

    fn key(&mut self, text: Text<'_>) {
        if let Some(Step::Key(key)) = self.steps.last_mut() {
            text.as_str().clone_into(key);
        }
        self.keyed = true;
        self.enter(text.span.start);
    }

    fn text(&mut self, text: Text<'_>) {
        self.leaf(text.span);
    }

    fn number(&mut self, _: f64, span: Span) {
        self.leaf(span);
    }

    fn bool(&mut self, _: bool, span: Span) {
        self.leaf(span);
    }

    fn null(&mut self, span: Span) {
        self.leaf(span);
    }
}
