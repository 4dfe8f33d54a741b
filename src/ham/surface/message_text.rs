//! The text of a message, from which the host takes texts that it holds already.

use crate::ham::arena::{Arena, TextRef};
use crate::ham::chunk_target::StoredChunk;
use std::ops::Range;

/// What the host holds of a message.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum HostEncoding {
    /// Bytes, of which it cannot take texts.
    Bytes,
    /// A text in which every character is one byte.
    Ascii,
    /// Another text.
    Text,
}

/// Where the text of the message at hand is, in the arena and at the host, which counts in UTF-16 code
/// units.
#[derive(Default)]
pub struct MessageText {
    /// Where the arena has it: as much as was kept of it.
    arena_range: Range<u32>,
    /// How many code units stand in front of that.
    prefix_units: u32,
    /// How many bytes it has.
    length: usize,
    /// Whether there are other letters than those of ASCII, so that code units have to be counted.
    needs_unit_count: bool,
    /// How many of them stand in front of each block, once one is asked for.
    block_units: Vec<u32>,
}

const BLOCK: usize = 64;

impl MessageText {
    /// Turns to a message and what was kept of it.
    #[inline(always)]
    pub fn set(
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

    /// Turns away from a long message of which so few nodes are told that it is not worth keeping: while
    /// somebody keeps a text that was taken from it, an engine keeps all of it.
    pub fn drop_if_sparse(&mut self, changed: usize) {
        const SHORT: usize = 1 << 10;
        const EACH: usize = 1 << 9;
        if self.length > SHORT && self.length > changed * EACH {
            self.clear();
        }
    }

    /// Turns away from the message.
    pub fn clear(&mut self) {
        self.arena_range = 0..0;
    }

    /// Where in it a text begins, and how long it is, in code units; nothing for one from elsewhere.
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
            self.block_units.extend(all.chunks(BLOCK).map(|block| {
                let prefix_units = sum;
                sum += utf16_len(block);
                prefix_units
            }));
        }
        let block = at / BLOCK;
        let prefix_units = self.block_units.get(block).copied().unwrap_or_default();
        prefix_units + utf16_len(all.get(block * BLOCK..at).unwrap_or_default())
    }
}

/// How many code units a text has.
pub fn text_utf16_len(arena: &Arena, text: TextRef) -> u32 {
    if text.ascii { text.len } else { utf16_len(arena.bytes(text)) }
}

/// How many code units bytes of UTF-8 have: one for each character, two for those of four bytes.
pub fn utf16_len(bytes: &[u8]) -> u32 {
    let add_units =
        |sum: u8, byte: &u8| sum + u8::from(*byte & 0xc0 != 0x80) + u8::from(*byte >= 0xf0);
    // Sums of so few fit into a byte, and sixteen are added at once.
    bytes.chunks(BLOCK).map(|block| u32::from(block.iter().fold(0, add_units))).sum()
}

#[cfg(test)]
mod tests {
    use super::utf16_len;

    #[test]
    fn counts_what_utf16_has() {
        let letters = ['a', 'é', '€', '😀', '\u{10ffff}', '\u{7ff}', '\u{800}', 'b'];
        for (start, length) in (0..letters.len()).flat_map(|start| (0..99).map(move |n| (start, n)))
        {
            let text: String = letters.iter().cycle().skip(start).take(length).collect();
            assert_eq!(utf16_len(text.as_bytes()) as usize, text.encode_utf16().count());
        }
    }
}
