//! Where in a text the value stands that a JSON pointer names.

use super::pointer_step;
use super::reader::{Limits, Reader, Sink, Text};
use crate::base::Span;

/// The bytes of the value that a pointer (RFC 6901) names; of the nearest one around it where
/// there is none.
pub fn span_at(text: &[u8], pointer: &str) -> Option<Span> {
    let steps: Vec<&str> = pointer.split('/').skip(1).collect();
    let mut locate = Locate { steps: &steps, open: Vec::new(), key: String::new(), found: None };
    let mut reader = Reader::new(Limits { bytes: usize::MAX, ..Limits::default() });
    reader.read_all(text, &mut locate).ok()?;
    locate.found.map(|(_, span)| span)
}

struct Locate<'a> {
    steps: &'a [&'a str],
    open: Vec<Open>,
    /// The step to the next value of a map.
    key: String,
    /// How many steps lead to the nearest value so far, and where that is.
    found: Option<(usize, Span)>,
}

struct Open {
    start: usize,
    /// Whether all steps to it are those of the pointer.
    fits: bool,
    /// In a list, the place of the next item.
    next: Option<usize>,
}

impl Locate<'_> {
    /// Whether the value that begins now lies on the way.
    fn fits(&self) -> bool {
        let Some(parent) = self.open.last() else { return true };
        let step = self.steps.get(self.open.len() - 1);
        parent.fits
            && step.is_some_and(|step| match parent.next {
                Some(place) => step.parse() == Ok(place),
                None => *step == self.key,
            })
    }

    fn begin(&mut self, start: usize, next: Option<usize>) {
        let fits = self.fits();
        self.open.push(Open { start, fits, next });
    }

    fn end(&mut self, at: usize) {
        if let Some(ended) = self.open.pop() {
            self.leave(ended.fits, Span::new(ended.start, at + 1));
        }
    }

    /// A value is over. Those inside come first, so the first one is the nearest.
    fn leave(&mut self, fits: bool, span: Span) {
        let depth = self.open.len();
        if fits && depth <= self.steps.len() && self.found.is_none_or(|(most, _)| most < depth) {
            self.found = Some((depth, span));
        }
        if let Some(place) = self.open.last_mut().and_then(|open| open.next.as_mut()) {
            *place += 1;
        }
    }

    fn leaf(&mut self, span: Span) {
        self.leave(self.fits(), span);
    }
}

impl Sink for Locate<'_> {
    fn open_map(&mut self, at: usize) {
        self.begin(at, None);
    }

    fn close_map(&mut self, at: usize) {
        self.end(at);
    }

    fn open_list(&mut self, at: usize) {
        self.begin(at, Some(0));
    }

    fn close_list(&mut self, at: usize) {
        self.end(at);
    }

    fn key(&mut self, text: Text<'_>) {
        self.key = pointer_step(text.as_str());
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

#[cfg(test)]
mod tests {
    use super::*;

    fn check(pointer: &str, found: &str) {
        let text = r#"{"nodes": [{"id": "a"}, {"id": "b", "a/b": [1, {}]}], "edges": []}"#;
        let span = span_at(text.as_bytes(), pointer).unwrap();
        assert_eq!(text.get(span.start..span.end), Some(found), "{pointer}");
    }

    #[test]
    fn finds_values_and_what_is_around_them() {
        check("/nodes/0/id", "\"a\"");
        check("/nodes/1/a~1b/0", "1");
        check("/nodes/1/a~1b/1", "{}");
        check("/edges", "[]");
        check("/nodes/0/type", r#"{"id": "a"}"#);
        check(
            "/mappings/x",
            r#"{"nodes": [{"id": "a"}, {"id": "b", "a/b": [1, {}]}], "edges": []}"#,
        );
        assert_eq!(span_at(b"{", "/a"), None);
    }
}
