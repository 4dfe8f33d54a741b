//! Offsets in text: in bytes inside the crate, in UTF-16 code units at the boundary.

use super::bytes::ascii_prefix_len;
use std::collections::VecDeque;

/// A half-open range of byte offsets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// Offset of the first byte.
    pub start: usize,
    /// Offset after the last byte.
    pub end: usize,
}

impl Span {
    /// Returns the range `start..end`.
    pub fn new(start: usize, end: usize) -> Span {
        Span { start, end }
    }
}

/// Returns the length of a text in UTF-16 code units. Invalid UTF-8 counts as a decoder replaces it.
fn utf16_len(bytes: &[u8]) -> usize {
    let (mut rest, mut units) = (bytes, 0);
    while !rest.is_empty() {
        // Fast path for ASCII, which is never part of another character.
        let (ascii, after) = rest.split_at(ascii_prefix_len(rest));
        let end = after.iter().position(u8::is_ascii).unwrap_or(after.len());
        let (other, after) = after.split_at(end);
        units += ascii.len() + count_utf16_units(other);
        rest = after;
    }
    units
}

fn count_utf16_units(bytes: &[u8]) -> usize {
    bytes
        .utf8_chunks()
        .map(|chunk| {
            let replaced = usize::from(!chunk.invalid().is_empty());
            chunk.valid().encode_utf16().count() + replaced
        })
        .sum()
}

/// Converts a span of `text` from byte offsets to UTF-16 offsets. Offsets after the end become the end.
pub fn utf16_span(text: &[u8], span: Span) -> Span {
    let start = span.start.min(text.len());
    let end = span.end.clamp(start, text.len());
    let before = utf16_len(text.get(..start).unwrap_or_default());
    let within = utf16_len(text.get(start..end).unwrap_or_default());
    Span::new(before, before + within)
}

/// Converts ascending UTF-16 offsets in a text to byte offsets.
pub fn utf16_to_byte_offsets(text: &[u8], places: &[u32]) -> Vec<u32> {
    let (mut byte, mut units) = (0, 0);
    let mut at = |place: u32| {
        while units < place as usize {
            let rest = text.get(byte..).unwrap_or_default();
            let run = ascii_prefix_len(rest.get(..place as usize - units).unwrap_or(rest));
            (byte, units) = (byte + run, units + run);
            if units == place as usize {
                break;
            }
            let (bytes, both) = match rest.get(run) {
                None => break,
                Some(..0xe0) => (2, 1),
                Some(0xe0..0xf0) => (3, 1),
                Some(0xf0..) => (4, 2),
            };
            (byte, units) = (byte + bytes, units + both);
        }
        byte as u32
    };
    places.iter().map(|place| at(*place)).collect()
}

/// Conversion of byte offsets to UTF-16 offsets in a text that arrives in chunks, which may split a character.
#[derive(Default)]
pub struct Utf16Counter {
    /// Length of all chunks in bytes.
    bytes: usize,
    /// Number of bytes minus number of code units so far; -1 inside a first character.
    byte_excess: isize,
    /// Last byte offsets at which the lag changed, with the lag after each.
    steps: VecDeque<(usize, isize)>,
}

/// Maximum number of stored steps. Offsets before the first are converted as if the text were ASCII.
const MAX_STORED_STEPS: usize = 10_000;

impl Utf16Counter {
    /// Advances over a chunk of ASCII of this length in bytes.
    pub fn advance_ascii(&mut self, length: usize) {
        self.bytes += length;
    }

    /// Advances over the next chunk.
    pub fn push(&mut self, chunk: &[u8]) {
        let mut rest = chunk;
        loop {
            let run = ascii_prefix_len(rest);
            self.bytes += run;
            let Some((byte, after)) = rest.get(run..).and_then(<[u8]>::split_first) else {
                return;
            };
            rest = after;
            self.bytes += 1;
            // A continuation byte adds no code unit; a character of four bytes is two code units.
            if byte & 0xc0 == 0x80 {
                self.byte_excess += 1;
                self.steps.push_back((self.bytes, self.byte_excess));
            } else if *byte >= 0xf0 {
                self.byte_excess -= 1;
                self.steps.push_back((self.bytes, self.byte_excess));
            }
            if self.steps.len() > MAX_STORED_STEPS {
                self.steps.pop_front();
            }
        }
    }

    /// Returns the UTF-16 offset of a byte offset.
    pub fn utf16_offset(&self, byte: usize) -> usize {
        let after = self.steps.partition_point(|(end, _)| *end <= byte);
        let lag = after.checked_sub(1).and_then(|step| self.steps.get(step));
        byte.saturating_add_signed(-lag.map_or(0, |(_, lag)| *lag))
    }

    /// Returns the UTF-16 offset of the end of the last chunk.
    pub fn utf16_end(&self) -> usize {
        self.utf16_offset(self.bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_across_pieces() {
        for text in ["aé€😀x😀é", "😀a😀", "a😀"] {
            for size in 1..text.len() {
                let mut chunks = Utf16Counter::default();
                text.as_bytes().chunks(size).for_each(|chunk| chunks.push(chunk));
                for (byte, _) in text.char_indices() {
                    let units = utf16_len(&text.as_bytes()[..byte]);
                    assert_eq!(chunks.utf16_offset(byte), units, "byte {byte} in chunks of {size}");
                }
                assert_eq!(chunks.utf16_end(), utf16_len(text.as_bytes()));
            }
        }
    }

    #[test]
    fn converts_utf16_offsets_to_byte_offsets() {
        let text = "aé€😀x😀é";
        let places: Vec<u32> = vec![0, 1, 2, 3, 5, 6, 6, 8, 9];
        let byte = |place: &u32| {
            let units: Vec<u16> = text.encode_utf16().take(*place as usize).collect();
            String::from_utf16(&units).unwrap().len() as u32
        };
        let bytes: Vec<u32> = places.iter().map(byte).collect();
        assert_eq!(utf16_to_byte_offsets(text.as_bytes(), &places), bytes);
        assert_eq!(utf16_to_byte_offsets(b"ab", &[1, 2, 9]), [1, 2, 2]);
        let long = "a text with é in it, which is longer than a block ".repeat(9);
        let (places, bytes): (Vec<u32>, Vec<u32>) =
            (0..).zip(long.char_indices().map(|(byte, _)| byte as u32)).unzip();
        assert_eq!(utf16_to_byte_offsets(long.as_bytes(), &places), bytes);
    }

    #[test]
    fn counts_code_units() {
        assert_eq!(utf16_len("aé€😀".as_bytes()), 5);
        assert_eq!(utf16_len(b"a\xffb"), 3);
        // Split anywhere, also with invalid UTF-8.
        let text = [b"a \xe2\x82 b\xf0\x9f\x98c\xff\xfe".as_slice(), "é€😀 x".as_bytes()].concat();
        for end in 0..text.len() {
            let shown = String::from_utf8_lossy(&text[..end]);
            assert_eq!(utf16_len(&text[..end]), shown.encode_utf16().count(), "{end}");
        }
        assert_eq!(utf16_span("é😀x".as_bytes(), Span::new(6, 7)), Span::new(3, 4));
        assert_eq!(utf16_span(b"ab", Span::new(7, 9)), Span::new(2, 2));
    }
}
