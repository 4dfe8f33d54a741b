//! Where the texts of a message will stand once it is kept.

use super::arena::{Arena, Text, Value};
use super::document::Document;
use crate::base::bytes::same;
use crate::base::json;
use std::ops::Range;

/// The document, and where in its arena the piece at hand will be.
pub struct Site<'a> {
    pub document: &'a mut Document,
    /// Where the arena's texts ended before.
    start: u32,
    /// Where the first text of the piece begins in it: what stands before that is not kept.
    first: Option<u32>,
    /// Where the last text of the piece ends in it.
    end: u32,
    /// How long the piece is.
    length: u32,
}

/// More bytes than these are given back.
const SPARE: usize = 1 << 16;

/// Where a piece was put.
pub struct Kept {
    /// Which bytes of the piece were kept.
    pub piece: Range<u32>,
    /// Where the arena holds the first of them.
    pub start: u32,
}

impl<'a> Site<'a> {
    /// A site for a piece that will be appended to the document's texts.
    pub fn new(document: &'a mut Document, piece: &[u8]) -> Site<'a> {
        let start = document.arena.text_end();
        let length = piece.len() as u32;
        document.extra.clear();
        Site { document, start, first: None, end: 0, length }
    }

    /// Appends what is needed of the piece, so that the values built from it have their texts.
    #[inline]
    pub fn keep(self, piece: &[u8]) -> Kept {
        let Document { arena, extra, .. } = self.document;
        let first = self.first.unwrap_or(self.length);
        // Other texts stand where they would if the piece were kept to its end.
        let end = if extra.is_empty() { self.end.max(first) } else { self.length };
        let kept = piece.get(first as usize..end as usize).unwrap_or_default();
        arena.push_bytes(kept);
        if !extra.is_empty() {
            arena.push_bytes(extra);
        }
        if extra.capacity() > SPARE {
            *extra = Vec::new();
        }
        Kept { piece: first..end, start: self.start }
    }

    /// A text of the piece.
    pub fn text(&mut self, text: json::Text<'_>) -> Value {
        let len = text.bytes.len() as u32;
        let start = match text.verbatim {
            Some(at) => self.place(at as u32, len),
            None => {
                let start = self.extra_end();
                self.document.extra.extend_from_slice(text.bytes);
                start
            }
        };
        Value::Text(Text { start, len, ascii: text.ascii, plain: false })
    }

    /// The text at `at` of the piece, with escapes in it, and where it ends: nothing in place of the text
    /// where it is `old`, and nothing at all where it may have to be told of.
    #[inline(never)]
    pub fn escaped_text(
        &mut self,
        piece: &[u8],
        at: usize,
        old: Value,
    ) -> Option<(Option<Value>, usize)> {
        let (raw, end) = json::raw_string(piece, at)?;
        let Document { arena, extra, settings, .. } = &mut *self.document;
        let before = extra.len();
        let is_right = json::unescape(raw, 0, extra).is_ok();
        let text = extra.get(before..).unwrap_or_default();
        let is_literal = is_right && text.first() != settings.sigil.as_bytes().first();
        let is_old = matches!(old, Value::Text(old) if same(arena.bytes(old), text));
        if is_literal && !is_old {
            let (len, ascii) = (text.len() as u32, text.is_ascii());
            let start = self.extra_end() - len;
            return Some((Some(Value::Text(Text { start, len, ascii, plain: false })), end));
        }
        extra.truncate(before);
        is_literal.then_some((None, end))
    }

    /// How much there is of texts that do not stand in the piece.
    pub fn extra(&self) -> usize {
        self.document.extra.len()
    }

    /// Forgets texts that do not stand in the piece, down to so much of them.
    pub fn forget_extra(&mut self, length: usize) {
        self.document.extra.truncate(length);
    }

    /// Where in the arena the next text will be that does not stand in the piece.
    fn extra_end(&mut self) -> u32 {
        // What comes before the first text of the piece itself needs all of it.
        let first = *self.first.get_or_insert(0);
        self.start + self.length - first + self.document.extra.len() as u32
    }

    /// A text that stands in the piece without escapes, and is no pointer.
    #[inline(always)]
    pub fn plain_text(&mut self, at: usize, length: usize, ascii: bool) -> Value {
        let len = length as u32;
        Value::Text(Text { start: self.place(at as u32, len), len, ascii, plain: true })
    }

    /// Where in the arena a text will be that stands in the piece.
    #[inline(always)]
    fn place(&mut self, at: u32, len: u32) -> u32 {
        self.end = at + len;
        self.start + at - *self.first.get_or_insert(at)
    }

    /// The id of a node, if it is as plain as most: then a key or a pointer may be guessed to be it.
    #[inline(always)]
    pub fn guess(&self, node: u32) -> &[u8] {
        if self.document.between.is_some() { self.document.ids.usual(node) } else { b"" }
    }

    /// The values' arena.
    pub fn arena(&mut self) -> &mut Arena {
        &mut self.document.arena
    }
}
