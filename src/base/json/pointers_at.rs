//! JSON pointers of the values at byte offsets.

use super::escape::escape_pointer_step;
use super::limits::Limits;
use super::reader::Reader;
use super::sink::{Sink, Text};
use crate::base::Span;

/// Returns the JSON pointers (RFC 6901) of the innermost values or keys of `text` that start at or
/// before these byte offsets. Where none does, returns that of the first value. A syntax error
/// counts as one more value. Parses the text twice, whatever the number of offsets is.
pub fn pointers_at(text: &[u8], offsets: &[usize]) -> Vec<String> {
    if offsets.is_empty() {
        return Vec::new();
    }
    let mut order: Vec<usize> = (0..offsets.len()).collect();
    order.sort_unstable_by_key(|&which| (offsets.get(which).copied(), which));
    let offset = |nth: usize| order.get(nth).and_then(|which| offsets.get(*which)).copied();
    // Number of values and keys that start at or before each offset, in order.
    let mut counts = Vec::new();
    let mut count = 0;
    walk(text, &mut |start, _| {
        while offset(counts.len()).is_some_and(|offset| start.is_some_and(|start| offset < start)) {
            counts.push(count);
        }
        count += 1;
    });
    counts.resize(offsets.len(), count);
    let mut found = vec![String::new(); offsets.len()];
    let (mut count, mut next) = (0, 0);
    walk(text, &mut |_, steps| {
        count += 1;
        while counts.get(next).is_some_and(|target| *target <= count) {
            let slot = order.get(next).and_then(|which| found.get_mut(*which));
            slot.into_iter().for_each(|slot| *slot = format_pointer(steps));
            next += 1;
        }
    });
    found
}

/// Calls `visit` with the byte offset and path of each value and key. At a syntax error it passes
/// `None` and the path of the value that contains the error.
fn walk(text: &[u8], visit: &mut Visit<'_>) {
    let mut path = PointerTracker { visit, steps: Vec::new(), has_key: false };
    let mut reader = Reader::new(Limits { bytes: usize::MAX, ..Limits::default() });
    if reader.read_all(text, &mut path).is_err() {
        // The error is in the next value, or in a key of the innermost map.
        if !path.has_key && matches!(path.steps.last(), Some(PointerStep::Key(_))) {
            path.steps.pop();
        }
        (path.visit)(None, &path.steps);
    }
}

fn format_pointer(steps: &[PointerStep]) -> String {
    let mut pointer = String::new();
    for step in steps {
        pointer.push('/');
        match step {
            PointerStep::Key(key) => pointer.push_str(&escape_pointer_step(key)),
            PointerStep::Index(index) => pointer.push_str(&index.to_string()),
        }
    }
    pointer
}

type Visit<'a> = dyn FnMut(Option<usize>, &[PointerStep]) + 'a;

struct PointerTracker<'a, 'v> {
    visit: &'a mut Visit<'v>,
    steps: Vec<PointerStep>,
    /// Whether the key of the next value has been parsed.
    has_key: bool,
}

enum PointerStep {
    Key(String),
    Index(usize),
}

impl PointerTracker<'_, '_> {
    fn enter_value(&mut self, start: usize) {
        (self.visit)(Some(start), &self.steps);
    }

    fn leave_value(&mut self) {
        self.has_key = false;
        if let Some(PointerStep::Index(index)) = self.steps.last_mut() {
            *index += 1;
        }
    }

    fn visit_scalar(&mut self, span: Span) {
        self.enter_value(span.start);
        self.leave_value();
    }
}

impl Sink for PointerTracker<'_, '_> {
    fn open_map(&mut self, at: usize) {
        self.enter_value(at);
        self.has_key = false;
        self.steps.push(PointerStep::Key(String::new()));
    }

    fn close_map(&mut self, _: usize) {
        self.steps.pop();
        self.leave_value();
    }

    fn open_list(&mut self, at: usize) {
        self.enter_value(at);
        self.has_key = false;
        self.steps.push(PointerStep::Index(0));
    }

    fn close_list(&mut self, _: usize) {
        self.steps.pop();
        self.leave_value();
    }

    fn key(&mut self, text: Text<'_>) {
        if let Some(PointerStep::Key(key)) = self.steps.last_mut() {
            text.as_str().clone_into(key);
        }
        self.has_key = true;
        self.enter_value(text.span.start);
    }

    fn text(&mut self, text: Text<'_>) {
        self.visit_scalar(text.span);
    }

    fn number(&mut self, _: f64, span: Span) {
        self.visit_scalar(span);
    }

    fn bool(&mut self, _: bool, span: Span) {
        self.visit_scalar(span);
    }

    fn null(&mut self, span: Span) {
        self.visit_scalar(span);
    }
}
