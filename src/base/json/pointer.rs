//! From a byte of the text to the value that is there.

use super::escape::pointer_step;
use super::reader::{Limits, Reader, Sink, Text};
use crate::base::Span;

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
