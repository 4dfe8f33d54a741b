//! Where in a text the values stand that JSON pointers name.

use super::limits::Limits;
use super::pointer_step;
use super::reader::Reader;
use super::sink::{Sink, Text};
use crate::base::Span;
use crate::base::map::NameMap;
use std::fmt::Write;

/// The bytes of the values that pointers (RFC 6901) name; of the nearest one around it where there is
/// none. Nothing where the text cannot be read, which is read once, however many they are.
pub fn spans_at(text: &[u8], pointers: &[&str]) -> Vec<Option<Span>> {
    if pointers.is_empty() {
        return Vec::new();
    }
    let mut wanted = NameMap::default();
    for pointer in pointers.iter().flat_map(|pointer| around(pointer)) {
        let number = wanted.len() as u32;
        wanted.entry(pointer.to_owned()).or_insert(number);
    }
    let found = vec![None; wanted.len()];
    let (path, key) = (String::new(), String::new());
    let mut finder = SpanFinder { wanted, found, path, open: Vec::new(), key };
    let mut reader = Reader::new(Limits { bytes: usize::MAX, ..Limits::default() });
    let read = reader.read_all(text, &mut finder);
    let known = |pointer: &str| *finder.found.get(*finder.wanted.get(pointer)? as usize)?;
    let found = |pointer: &&str| around(pointer).find_map(known).filter(|_| read.is_ok());
    pointers.iter().map(found).collect::<Vec<_>>()
}

/// A pointer, and those of what is around it, from inside out.
fn around(pointer: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(pointer), |inner| Some(inner.rsplit_once('/')?.0))
}

struct SpanFinder {
    /// The pointers of all that is looked for, and of what is around it, as numbers.
    wanted: NameMap,
    /// Where each of these stands.
    found: Vec<Option<Span>>,
    /// The pointer of the innermost value that is open and wanted.
    path: String,
    open: Vec<OpenContainer>,
    /// The step to the next value of a map.
    key: String,
}

struct OpenContainer {
    start: usize,
    /// The number of its pointer, if that is wanted.
    wanted: Option<u32>,
    /// In a list, the place of the next item.
    next: Option<usize>,
    /// How long the pointer was before.
    outer: usize,
}

impl SpanFinder {
    /// The number of the value that begins now, if it is wanted; its pointer is the path then.
    fn enter(&mut self) -> Option<u32> {
        let Some(parent) = self.open.last() else { return self.wanted.get("").copied() };
        parent.wanted?;
        let outer = self.path.len();
        let _ = match parent.next {
            Some(place) => write!(self.path, "/{place}"),
            None => write!(self.path, "/{}", self.key),
        };
        let wanted = self.wanted.get(&self.path).copied();
        if wanted.is_none() {
            self.path.truncate(outer);
        }
        wanted
    }

    fn begin(&mut self, start: usize, next: Option<usize>) {
        let outer = self.path.len();
        let wanted = self.enter();
        self.open.push(OpenContainer { start, wanted, next, outer });
    }

    fn end(&mut self, at: usize) {
        if let Some(OpenContainer { start, wanted, outer, .. }) = self.open.pop() {
            self.leave(wanted, outer, Span::new(start, at + 1));
        }
    }

    /// A value is over. Of several under one pointer the last counts, as everywhere.
    fn leave(&mut self, wanted: Option<u32>, outer: usize, span: Span) {
        self.path.truncate(outer);
        if let Some(slot) = wanted.and_then(|number| self.found.get_mut(number as usize)) {
            *slot = Some(span);
        }
        if let Some(place) = self.open.last_mut().and_then(|open| open.next.as_mut()) {
            *place += 1;
        }
    }

    fn leaf(&mut self, span: Span) {
        let outer = self.path.len();
        let wanted = self.enter();
        self.leave(wanted, outer, span);
    }
}

impl Sink for SpanFinder {
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
        // Whatever else is looked for makes no difference.
        for pointers in [&[pointer][..], &["/nodes/1", pointer, "/x/y", "/nodes/1/id"]] {
            let spans = spans_at(text.as_bytes(), pointers);
            let which = pointers.iter().position(|one| *one == pointer).unwrap();
            let span = spans[which].unwrap();
            assert_eq!(text.get(span.start..span.end), Some(found), "{pointer}");
        }
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
        assert_eq!(spans_at(b"{", &["/a"]), [None]);
        // Of two keys the last counts.
        assert_eq!(spans_at(br#"{"a": 1, "a": 22}"#, &["/a"]), [Some(Span::new(14, 16))]);
    }
}
