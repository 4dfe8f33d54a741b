//! Arena offsets of texts in a chunk that is still being parsed.

use super::arena::{Arena, TextRef, Value};
use super::document::Document;
use crate::base::bytes::same;
use crate::base::json;
use std::ops::Range;

/// Document and arena offset that a chunk will have after it is stored.
pub struct ChunkTarget<'a> {
    pub document: &'a mut Document,
    /// Length of the arena's bytes before the chunk.
    start: u32,
    /// Chunk offset of the first text; earlier bytes are not stored.
    first_offset: Option<u32>,
    /// Chunk offset after the last text.
    end: u32,
    len: u32,
}

/// Capacity in bytes above which the decoded texts are freed.
const MAX_SPARE_BYTES: usize = 1 << 16;

/// Position of a stored chunk.
pub struct StoredChunk {
    /// Stored bytes of the chunk.
    pub chunk_range: Range<u32>,
    /// Arena offset of the first stored byte.
    pub arena_start: u32,
}

impl<'a> ChunkTarget<'a> {
    /// Creates the target of a chunk that will be appended to the document's texts.
    pub fn new(document: &'a mut Document, chunk: &[u8]) -> ChunkTarget<'a> {
        let start = document.arena.next_text_start();
        let len = chunk.len() as u32;
        document.decoded.clear();
        ChunkTarget { document, start, first_offset: None, end: 0, len }
    }

    /// Appends the used part of the chunk and the decoded texts to the arena.
    #[inline]
    pub fn store(self, chunk: &[u8]) -> StoredChunk {
        let Document { arena, decoded, .. } = self.document;
        let first_offset = self.first_offset.unwrap_or(self.len);
        // The offsets of decoded texts assume that the chunk is stored to its end.
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

    /// Returns the value of a string of the chunk.
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

    /// Decodes the string with escapes at `at` of the chunk. Returns the text, or `None` if it
    /// equals `old`, and the offset after it. Returns `None` if the string may need a diagnostic or
    /// be a pointer.
    #[inline(never)]
    pub fn escaped_text(
        &mut self,
        chunk: &[u8],
        at: usize,
        old: Value,
    ) -> Option<(Option<Value>, usize)> {
        let (raw, end) = json::raw_string(chunk, at)?;
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

    /// Returns the number of bytes of decoded texts.
    pub fn decoded_len(&self) -> usize {
        self.document.decoded.len()
    }

    pub fn truncate_decoded(&mut self, len: usize) {
        self.document.decoded.truncate(len);
    }

    /// Returns the arena offset of the next decoded text.
    fn next_decoded_offset(&mut self) -> u32 {
        // A decoded text before the first text of the chunk requires that all of the chunk is
        // stored.
        let first_offset = *self.first_offset.get_or_insert(0);
        self.start + self.len - first_offset + self.document.decoded.len() as u32
    }

    /// Returns a text of the chunk that is written without escapes and is not a pointer.
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

    #[inline(always)]
    fn arena_offset(&mut self, at: u32, len: u32) -> u32 {
        self.end = at + len;
        self.start + at - *self.first_offset.get_or_insert(at)
    }

    /// Returns the id of a node if it can be compared with the chunk's bytes, else an empty slice.
    #[inline(always)]
    pub fn simple_id(&self, node: u32) -> &[u8] {
        if self.document.pointer_separator.is_some() {
            self.document.ids.simple_name(node)
        } else {
            b""
        }
    }

    pub fn arena(&mut self) -> &mut Arena {
        &mut self.document.arena
    }
}
