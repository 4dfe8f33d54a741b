//! Byte spans of the values that JSON pointers refer to.

use super::escape_pointer_step;
use super::limits::Limits;
use super::reader::Reader;
use super::sink::{Sink, Text};
use crate::base::Span;
use crate::base::map::NameMap;
use std::fmt::Write;

/// Returns the byte spans of the values that JSON pointers (RFC 6901) refer to. For a missing value it is the span
/// of its innermost ancestor; `None` if the text is malformed. Parses the text once for all pointers.
pub fn spans_at(text: &[u8], pointers: &[&str]) -> Vec<Option<Span>> {
    if pointers.is_empty() {
        return Vec::new();
    }
    let mut requested = NameMap::default();
    for pointer in pointers.iter().flat_map(|pointer| ancestors(pointer)) {
        let number = requested.len() as u32;
        requested.entry(pointer.to_owned()).or_insert(number);
    }
    let found = vec![None; requested.len()];
    let (path, key) = (String::new(), String::new());
    let mut finder = SpanFinder { requested, found, path, open: Vec::new(), key };
    let mut reader = Reader::new(Limits { bytes: usize::MAX, ..Limits::default() });
    let read = reader.read_all(text, &mut finder);
    let known = |pointer: &str| *finder.found.get(*finder.requested.get(pointer)? as usize)?;
    let found = |pointer: &&str| ancestors(pointer).find_map(known).filter(|_| read.is_ok());
    pointers.iter().map(found).collect::<Vec<_>>()
}

/// Returns a pointer and its ancestors, innermost first.
fn ancestors(pointer: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(pointer), |inner| Some(inner.rsplit_once('/')?.0))
}

struct SpanFinder {
    /// Indices in `found` of the requested pointers and of their ancestors.
    requested: NameMap,
    /// Spans of these.
    found: Vec<Option<Span>>,
    /// Pointer of the innermost open value that is requested.
    path: String,
    open: Vec<ContainerPosition>,
    /// Reference token of the next value of a map.
    key: String,
}

struct ContainerPosition {
    start: usize,
    /// Index of its pointer, if that is requested.
    requested: Option<u32>,
    /// Index of the next item, in a list.
    next: Option<usize>,
    /// Length of the parent's pointer in bytes.
    outer: usize,
}

impl SpanFinder {
    /// Returns the index of the value that begins now, if it is requested, and sets `path` to its pointer.
    fn enter_value(&mut self) -> Option<u32> {
        let Some(parent) = self.open.last() else { return self.requested.get("").copied() };
        parent.requested?;
        let outer = self.path.len();
        let _ = match parent.next {
            Some(place) => write!(self.path, "/{place}"),
            None => write!(self.path, "/{}", self.key),
        };
        let requested = self.requested.get(&self.path).copied();
        if requested.is_none() {
            self.path.truncate(outer);
        }
        requested
    }

    fn open_container(&mut self, start: usize, next: Option<usize>) {
        let outer = self.path.len();
        let requested = self.enter_value();
        self.open.push(ContainerPosition { start, requested, next, outer });
    }

    fn close_container(&mut self, at: usize) {
        if let Some(ContainerPosition { start, requested, outer, .. }) = self.open.pop() {
            self.record_span(requested, outer, Span::new(start, at + 1));
        }
    }

    /// Records the span at the end of a value. Of several with one pointer the last counts.
    fn record_span(&mut self, requested: Option<u32>, outer: usize, span: Span) {
        self.path.truncate(outer);
        if let Some(slot) = requested.and_then(|number| self.found.get_mut(number as usize)) {
            *slot = Some(span);
        }
        if let Some(place) = self.open.last_mut().and_then(|open| open.next.as_mut()) {
            *place += 1;
        }
    }

    fn record_scalar(&mut self, span: Span) {
        let outer = self.path.len();
        let requested = self.enter_value();
        self.record_span(requested, outer, span);
    }
}

impl Sink for SpanFinder {
    fn open_map(&mut self, at: usize) {
        self.open_container(at, None);
    }

    fn close_map(&mut self, at: usize) {
        self.close_container(at);
    }

    fn open_list(&mut self, at: usize) {
        self.open_container(at, Some(0));
    }

    fn close_list(&mut self, at: usize) {
        self.close_container(at);
    }

    fn key(&mut self, text: Text<'_>) {
        self.key = escape_pointer_step(text.as_str());
    }

    fn text(&mut self, text: Text<'_>) {
        self.record_scalar(text.span);
    }

    fn number(&mut self, _: f64, span: Span) {
        self.record_scalar(span);
    }

    fn bool(&mut self, _: bool, span: Span) {
        self.record_scalar(span);
    }

    fn null(&mut self, span: Span) {
        self.record_scalar(span);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(pointer: &str, found: &str) {
        let text = r#"{"nodes": [{"id": "a"}, {"id": "b", "a/b": [1, {}]}], "edges": []}"#;
        // Other requested pointers make no difference.
        for pointers in [&[pointer][..], &["/nodes/1", pointer, "/x/y", "/nodes/1/id"]] {
            let spans = spans_at(text.as_bytes(), pointers);
            let which = pointers.iter().position(|one| *one == pointer).unwrap();
            let span = spans[which].unwrap();
            assert_eq!(text.get(span.start..span.end), Some(found), "{pointer}");
        }
    }

    #[test]
    fn finds_values_and_ancestors() {
        check("/nodes/0/id", "\"a\"");
        check("/nodes/1/a~1b/0", "1");
        check("/nodes/1/a~1b/1", "{}");
        check("/edges", "[]");
        check("/nodes/0/type", r#"{"id": "a"}"#);
        check(
            "/mappings/x",
            r#"{"nodes": [{"id": "a"}, {"id": "b", "a/b": [1, {}]}], "edges": []}"#,
        );
        assert_eq!(spans_at(b"{", &["/a"]), [None]);
        // Of two keys the last counts.
        assert_eq!(spans_at(br#"{"a": 1, "a": 22}"#, &["/a"]), [Some(Span::new(14, 16))]);
    }
}
