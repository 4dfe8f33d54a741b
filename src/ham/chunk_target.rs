//! Where the texts of a message will stand once it is kept.

use super::arena::{Arena, TextRef, Value};
use super::document::Document;
use crate::base::bytes::same;
use crate::base::json;
use std::ops::Range;

/// The document, and where in its arena the piece at hand will be.
pub struct ChunkTarget<'a> {
    pub document: &'a mut Document,
    /// Where the arena's texts ended before.
    start: u32,
    /// Where the first text of the piece begins in it: what stands before that is not kept.
    first_offset: Option<u32>,
    /// Where the last text of the piece ends in it.
    end: u32,
    /// How long the piece is.
    len: u32,
}

/// More bytes than these are given back.
const MAX_SPARE_BYTES: usize = 1 << 16;

/// Where a piece was put.
pub struct StoredChunk {
    /// Which bytes of the piece were kept.
    pub chunk_range: Range<u32>,
    /// Where the arena holds the first of them.
    pub arena_start: u32,
}

impl<'a> ChunkTarget<'a> {
    /// A site for a piece that will be appended to the document's texts.
    pub fn new(document: &'a mut Document, chunk: &[u8]) -> ChunkTarget<'a> {
        let start = document.arena.next_text_start();
        let len = chunk.len() as u32;
        document.decoded.clear();
        ChunkTarget { document, start, first_offset: None, end: 0, len }
    }

    /// Appends what is needed of the piece, so that the values built from it have their texts.
    #[inline]
    pub fn store(self, chunk: &[u8]) -> StoredChunk {
        let Document { arena, decoded, .. } = self.document;
        let first_offset = self.first_offset.unwrap_or(self.len);
        // Other texts stand where they would if the piece were kept to its end.
        let end = if decoded.is_empty() { self.end.max(first_offset) } else { self.len };
        let stored = chunk.get(first_offset as usize..end as usize).unwrap_or_default();
        arena.push_bytes(stored);
        if !decoded.is_empty() {
            arena.push_bytes(decoded);
        }
        if decoded.capacity() > MAX_SPARE_BYTES {
            *decoded = Vec::new();
        }
        StoredChunk { chunk_range: first_offset..end, arena_start: self.start }
    }

    /// A text of the piece.
    pub fn text(&mut self, text: json::Text<'_>) -> Value {
        let len = text.bytes.len() as u32;
        let start = match text.verbatim {
            Some(at) => self.arena_offset(at as u32, len),
            None => {
                let start = self.next_decoded_offset();
                self.document.decoded.extend_from_slice(text.bytes);
                start
            }
        };
        Value::Text(TextRef { start, len, ascii: text.ascii, verbatim: false })
    }

    /// The text at `at` of the piece, with escapes in it, and where it ends: nothing in place of the text
    /// where it is `old`, and nothing at all where it may have to be told of.
    #[inline(never)]
    pub fn escaped_text(
        &mut self,
        chunk: &[u8],
        at: usize,
        old: Value,
    ) -> Option<(Option<Value>, usize)> {
        let (raw, end) = json::raw_text(chunk, at)?;
        let Document { arena, decoded, settings, .. } = &mut *self.document;
        let decoded_start = decoded.len();
        let is_valid = json::unescape(raw, 0, decoded).is_ok();
        let text = decoded.get(decoded_start..).unwrap_or_default();
        let is_literal = is_valid && text.first() != settings.sigil.as_bytes().first();
        let is_old = matches!(old, Value::Text(old) if same(arena.bytes(old), text));
        if is_literal && !is_old {
            let (len, ascii) = (text.len() as u32, text.is_ascii());
            let start = self.next_decoded_offset() - len;
            return Some((Some(Value::Text(TextRef { start, len, ascii, verbatim: false })), end));
        }
        decoded.truncate(decoded_start);
        is_literal.then_some((None, end))
    }

    /// How much there is of texts that do not stand in the piece.
    pub fn decoded_len(&self) -> usize {
        self.document.decoded.len()
    }

    /// Forgets texts that do not stand in the piece, down to so much of them.
    pub fn truncate_decoded(&mut self, len: usize) {
        self.document.decoded.truncate(len);
    }

    /// Where in the arena the next text will be that does not stand in the piece.
    fn next_decoded_offset(&mut self) -> u32 {
        // What comes before the first text of the piece itself needs all of it.
        let first_offset = *self.first_offset.get_or_insert(0);
        self.start + self.len - first_offset + self.document.decoded.len() as u32
    }

    /// A text that stands in the piece without escapes, and is no pointer.
    #[inline(always)]
    pub fn verbatim_text(&mut self, at: usize, len: usize, ascii: bool) -> Value {
        let len = len as u32;
        Value::Text(TextRef {
            start: self.arena_offset(at as u32, len),
            len,
            ascii,
            verbatim: true,
        })
    }

    /// Where in the arena a text will be that stands in the piece.
    #[inline(always)]
    fn arena_offset(&mut self, at: u32, len: u32) -> u32 {
        self.end = at + len;
        self.start + at - *self.first_offset.get_or_insert(at)
    }

    /// The id of a node, if it is as plain as most: then a key or a pointer may be guessed to be it.
    #[inline(always)]
    pub fn simple_id(&self, node: u32) -> &[u8] {
        if self.document.pointer_separator.is_some() { self.document.ids.simple(node) } else { b"" }
    }

    /// The values' arena.
    pub fn arena(&mut self) -> &mut Arena {
        &mut self.document.arena
    }
}
