//! The text of a message, from which the host takes texts that it holds already.

use crate::ham::arena::{Arena, Text};
use crate::ham::site::Kept;
use std::ops::Range;

/// What the host holds of a message.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Held {
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
pub struct HeldText {
    /// Where the arena has it: as much as was kept of it.
    place: Range<u32>,
    /// How many code units stand in front of that.
    before: u32,
    /// How many bytes it has.
    length: usize,
    /// Whether there are other letters than those of ASCII, so that code units have to be counted.
    counted: bool,
    /// How many of them stand in front of each block, once one is asked for.
    blocks: Vec<u32>,
}

const BLOCK: usize = 64;

impl HeldText {
    /// Turns to a message and what was kept of it.
    #[inline(always)]
    pub fn turn(&mut self, held: Held, message: &[u8], Kept { piece, start }: Kept) {
        if held == Held::Bytes || piece.is_empty() {
            return self.leave();
        }
        self.length = message.len();
        self.counted = held == Held::Text;
        self.blocks.clear();
        self.place = start..start + piece.end - piece.start;
        self.before = match self.counted {
            true => units(message.get(..piece.start as usize).unwrap_or_default()),
            false => piece.start,
        };
    }

    /// Turns away from a long message of which so few nodes are told that it is not worth keeping: while
    /// somebody keeps a text that was taken from it, an engine keeps all of it.
    pub fn fit(&mut self, changed: usize) {
        const SHORT: usize = 1 << 10;
        const EACH: usize = 1 << 9;
        if self.length > SHORT && self.length > changed * EACH {
            self.leave();
        }
    }

    /// Turns away from the message.
    pub fn leave(&mut self) {
        self.place = 0..0;
    }

    /// Where in it a text begins, and how long it is, in code units; nothing for one from elsewhere.
    #[inline]
    pub fn find(&mut self, arena: &Arena, text: Text) -> Option<(u32, u32)> {
        if !self.place.contains(&text.start) {
            return None;
        }
        let at = text.start - self.place.start;
        if !self.counted {
            return Some((self.before + at, text.len));
        }
        Some((self.before + self.units_before(arena, at as usize), count(arena, text)))
    }

    fn units_before(&mut self, arena: &Arena, at: usize) -> u32 {
        let Range { start, end } = self.place;
        let all = arena.bytes(Text { start, len: end - start, ascii: false, plain: false });
        if self.blocks.is_empty() {
            let mut sum = 0;
            self.blocks.extend(all.chunks(BLOCK).map(|block| {
                let before = sum;
                sum += units(block);
                before
            }));
        }
        let block = at / BLOCK;
        let before = self.blocks.get(block).copied().unwrap_or_default();
        before + units(all.get(block * BLOCK..at).unwrap_or_default())
    }
}

/// How many code units a text has.
pub fn count(arena: &Arena, text: Text) -> u32 {
    if text.ascii { text.len } else { units(arena.bytes(text)) }
}

/// How many code units bytes of UTF-8 have: one for each character, two for those of four bytes.
pub fn units(bytes: &[u8]) -> u32 {
    let begun = |sum: u8, byte: &u8| sum + u8::from(*byte & 0xc0 != 0x80) + u8::from(*byte >= 0xf0);
    // Sums of so few fit into a byte, and sixteen are added at once.
    bytes.chunks(BLOCK).map(|block| u32::from(block.iter().fold(0, begun))).sum()
}

#[cfg(test)]
mod tests {
    use super::units;

    #[test]
    fn counts_what_utf16_has() {
        let letters = ['a', 'é', '€', '😀', '\u{10ffff}', '\u{7ff}', '\u{800}', 'b'];
        for (start, length) in (0..letters.len()).flat_map(|start| (0..99).map(move |n| (start, n)))
        {
            let text: String = letters.iter().cycle().skip(start).take(length).collect();
            assert_eq!(units(text.as_bytes()) as usize, text.encode_utf16().count());
        }
    }
}
