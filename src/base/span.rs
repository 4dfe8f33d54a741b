//! Places in text: bytes inside, UTF-16 code units outside.

use super::bytes::ascii_run;
use std::collections::VecDeque;

/// A half-open range of bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Span {
    /// The bytes from `start` up to `end`.
    pub fn new(start: usize, end: usize) -> Span {
        Span { start, end }
    }
}

/// How many UTF-16 code units the bytes make. Bytes that are no UTF-8 count as a decoder would
/// show them: one replacement character for each byte that starts nothing.
fn utf16_len(bytes: &[u8]) -> usize {
    let (mut rest, mut units) = (bytes, 0);
    while !rest.is_empty() {
        // Most bytes are ASCII, and none of these is a part of anything else.
        let (ascii, behind) = rest.split_at(ascii_run(rest));
        let end = behind.iter().position(u8::is_ascii).unwrap_or(behind.len());
        let (other, behind) = behind.split_at(end);
        units += ascii.len() + units_of(other);
        rest = behind;
    }
    units
}

fn units_of(bytes: &[u8]) -> usize {
    bytes
        .utf8_chunks()
        .map(|chunk| {
            let replaced = usize::from(!chunk.invalid().is_empty());
            chunk.valid().encode_utf16().count() + replaced
        })
        .sum()
}

/// The span in UTF-16 code units of a span in bytes of `text`; a span past the end is cut there.
pub fn utf16_span(text: &[u8], span: Span) -> Span {
    let start = span.start.min(text.len());
    let end = span.end.clamp(start, text.len());
    let before = utf16_len(text.get(..start).unwrap_or_default());
    let within = utf16_len(text.get(start..end).unwrap_or_default());
    Span::new(before, before + within)
}

/// The bytes at which places of a text in UTF-8 stand that are counted in UTF-16 code units, from the
/// first to the last.
pub fn bytes_at(text: &[u8], places: &[u32]) -> Vec<u32> {
    let (mut byte, mut units) = (0, 0);
    let mut at = |place: u32| {
        while units < place as usize {
            let rest = text.get(byte..).unwrap_or_default();
            let run = ascii_run(rest.get(..place as usize - units).unwrap_or(rest));
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

/// Places in a text that comes in pieces, which may be cut anywhere, in a character too.
#[derive(Default)]
pub struct Utf16Counter {
    /// Bytes of all pieces.
    bytes: usize,
    /// By how much code units are fewer than bytes, at the last byte; -1 within a first character.
    lag: isize,
    /// The last bytes that changed the lag, each with the lag behind it.
    steps: VecDeque<(usize, isize)>,
}

/// So many steps are remembered. Places before the first of them are told as if all were ASCII.
const STEPS: usize = 10_000;

impl Utf16Counter {
    /// Passes over a piece of ASCII.
    pub fn pass(&mut self, length: usize) {
        self.bytes += length;
    }

    /// Reads the next piece.
    pub fn push(&mut self, piece: &[u8]) {
        let mut rest = piece;
        loop {
            let run = ascii_run(rest);
            self.bytes += run;
            let Some((byte, behind)) = rest.get(run..).and_then(<[u8]>::split_first) else {
                return;
            };
            rest = behind;
            self.bytes += 1;
            // A byte that starts no character makes no code unit; a fourth byte makes two together.
            if byte & 0xc0 == 0x80 {
                self.lag += 1;
                self.steps.push_back((self.bytes, self.lag));
            } else if *byte >= 0xf0 {
                self.lag -= 1;
                self.steps.push_back((self.bytes, self.lag));
            }
            if self.steps.len() > STEPS {
                self.steps.pop_front();
            }
        }
    }

    /// The code unit at a byte.
    pub fn at(&self, byte: usize) -> usize {
        let after = self.steps.partition_point(|(end, _)| *end <= byte);
        let lag = after.checked_sub(1).and_then(|step| self.steps.get(step));
        byte.saturating_add_signed(-lag.map_or(0, |(_, lag)| *lag))
    }

    /// The code unit behind the last piece.
    pub fn end(&self) -> usize {
        self.at(self.bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_across_pieces() {
        for text in ["aé€😀x😀é", "😀a😀", "a😀"] {
            for size in 1..text.len() {
                let mut pieces = Utf16Counter::default();
                text.as_bytes().chunks(size).for_each(|piece| pieces.push(piece));
                for (byte, _) in text.char_indices() {
                    let units = utf16_len(&text.as_bytes()[..byte]);
                    assert_eq!(pieces.at(byte), units, "byte {byte} in pieces of {size}");
                }
                assert_eq!(pieces.end(), utf16_len(text.as_bytes()));
            }
        }
    }

    #[test]
    fn finds_the_bytes_of_places() {
        let text = "aé€😀x😀é";
        let places: Vec<u32> = vec![0, 1, 2, 3, 5, 6, 6, 8, 9];
        let byte = |place: &u32| {
            let units: Vec<u16> = text.encode_utf16().take(*place as usize).collect();
            String::from_utf16(&units).unwrap().len() as u32
        };
        let bytes: Vec<u32> = places.iter().map(byte).collect();
        assert_eq!(bytes_at(text.as_bytes(), &places), bytes);
        assert_eq!(bytes_at(b"ab", &[1, 2, 9]), [1, 2, 2]);
        let long = "a text with é in it, which is longer than a block ".repeat(9);
        let (places, bytes): (Vec<u32>, Vec<u32>) =
            (0..).zip(long.char_indices().map(|(byte, _)| byte as u32)).unzip();
        assert_eq!(bytes_at(long.as_bytes(), &places), bytes);
    }

    #[test]
    fn counts_code_units() {
        assert_eq!(utf16_len("aé€😀".as_bytes()), 5);
        assert_eq!(utf16_len(b"a\xffb"), 3);
        // Cut anywhere, and with what is no UTF-8 in it.
        let text = [b"a \xe2\x82 b\xf0\x9f\x98c\xff\xfe".as_slice(), "é€😀 x".as_bytes()].concat();
        for end in 0..text.len() {
            let shown = String::from_utf8_lossy(&text[..end]);
            assert_eq!(utf16_len(&text[..end]), shown.encode_utf16().count(), "{end}");
        }
        assert_eq!(utf16_span("é😀x".as_bytes(), Span::new(6, 7)), Span::new(3, 4));
        assert_eq!(utf16_span(b"ab", Span::new(7, 9)), Span::new(2, 2));
    }
}
