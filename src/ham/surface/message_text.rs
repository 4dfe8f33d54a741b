//! Texts that the host can slice from its copy of the message.

use crate::ham::arena::{Arena, TextRef};
use crate::ham::chunk_target::StoredChunk;
use std::ops::Range;

/// Encoding of the host's copy of a message.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum HostEncoding {
    /// Bytes, which cannot be sliced as text.
    Bytes,
    /// A string in which every character is one byte.
    Ascii,
    /// Another string.
    Text,
}

/// Mapping from arena offsets to UTF-16 offsets in the host's message.
#[derive(Default)]
pub struct MessageText {
    /// Arena range of the stored part of the message.
    arena_range: Range<u32>,
    /// UTF-16 offset of that part in the message.
    prefix_units: u32,
    /// Length of the message in bytes.
    length: usize,
    /// Whether UTF-16 offsets differ from byte offsets.
    needs_unit_count: bool,
    /// UTF-16 offset of each block, computed on first use.
    block_units: Vec<u32>,
}

const BLOCK_BYTES: usize = 64;

impl MessageText {
    /// Sets the current message.
    #[inline(always)]
    pub fn set_message(
        &mut self,
        encoding: HostEncoding,
        message: &[u8],
        StoredChunk { chunk_range, arena_start }: StoredChunk,
    ) {
        if encoding == HostEncoding::Bytes || chunk_range.is_empty() {
            return self.clear();
        }
        self.length = message.len();
        self.needs_unit_count = encoding == HostEncoding::Text;
        self.block_units.clear();
        self.arena_range = arena_start..arena_start + chunk_range.end - chunk_range.start;
        self.prefix_units = match self.needs_unit_count {
            true => utf16_len(message.get(..chunk_range.start as usize).unwrap_or_default()),
            false => chunk_range.start,
        };
    }

    /// Drops a long message with few changed nodes. Otherwise a short slice that the host stores
    /// would keep the complete string alive in the JavaScript engine.
    pub fn drop_if_sparse(&mut self, changed: usize) {
        const SHORT: usize = 1 << 10;
        const EACH: usize = 1 << 9;
        if self.length > SHORT && self.length > changed * EACH {
            self.clear();
        }
    }

    pub fn clear(&mut self) {
        self.arena_range = 0..0;
    }

    /// Returns the UTF-16 offset and length of a text in the message, or `None` if it is not part
    /// of it.
    #[inline]
    pub fn locate(&mut self, arena: &Arena, text: TextRef) -> Option<(u32, u32)> {
        if !self.arena_range.contains(&text.start) {
            return None;
        }
        let at = text.start - self.arena_range.start;
        if !self.needs_unit_count {
            return Some((self.prefix_units + at, text.len));
        }
        Some((
            self.prefix_units + self.units_before(arena, at as usize),
            text_utf16_len(arena, text),
        ))
    }

    fn units_before(&mut self, arena: &Arena, at: usize) -> u32 {
        let Range { start, end } = self.arena_range;
        let all = arena.bytes(TextRef { start, len: end - start, ascii: false, verbatim: false });
        if self.block_units.is_empty() {
            let mut sum = 0;
            self.block_units.extend(all.chunks(BLOCK_BYTES).map(|block| {
                let prefix_units = sum;
                sum += utf16_len(block);
                prefix_units
            }));
        }
        let block = at / BLOCK_BYTES;
        let prefix_units = self.block_units.get(block).copied().unwrap_or_default();
        prefix_units + utf16_len(all.get(block * BLOCK_BYTES..at).unwrap_or_default())
    }
}

/// Returns the UTF-16 length of a text.
pub fn text_utf16_len(arena: &Arena, text: TextRef) -> u32 {
    if text.ascii { text.len } else { utf16_len(arena.bytes(text)) }
}

/// Returns the UTF-16 length of UTF-8 bytes: one per character, two per character of four bytes.
pub fn utf16_len(bytes: &[u8]) -> u32 {
    let add_units =
        |sum: u8, byte: &u8| sum + u8::from(*byte & 0xc0 != 0x80) + u8::from(*byte >= 0xf0);
    // The sum of a block fits into a byte, so the compiler adds 16 bytes at once.
    bytes.chunks(BLOCK_BYTES).map(|block| u32::from(block.iter().fold(0, add_units))).sum()
}

#[cfg(test)]
mod tests {
    use super::utf16_len;

    #[test]
    fn utf16_len_equals_encode_utf16() {
        let characters = ['a', 'é', '€', '😀', '\u{10ffff}', '\u{7ff}', '\u{800}', 'b'];
        for (start, length) in
            (0..characters.len()).flat_map(|start| (0..99).map(move |n| (start, n)))
        {
            let text: String = characters.iter().cycle().skip(start).take(length).collect();
            assert_eq!(utf16_len(text.as_bytes()) as usize, text.encode_utf16().count());
        }
    }
}
