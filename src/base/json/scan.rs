//! Finding the ends of tokens, a block of bytes a step.

/// What the end of a string looks like.
pub enum End {
    /// The closing quote is at this index.
    Closed(usize),
    /// The piece ended first; `escaping` when it ended right behind a backslash.
    Open { escaping: bool },
    /// A control character at this index.
    Control(usize),
}

/// What was seen on the way to the end of a string.
pub struct Scan {
    pub end: End,
    pub escaped: bool,
    pub ascii: bool,
}

/// Walks from `from`, inside a string, to its closing quote.
pub fn scan_text(bytes: &[u8], from: usize) -> Scan {
    let mut at = from;
    let mut escaped = false;
    let mut ascii = true;
    let end = loop {
        at = next_special(bytes, at);
        match bytes.get(at) {
            None => break End::Open { escaping: false },
            Some(b'"') => break End::Closed(at),
            Some(b'\\') => {
                escaped = true;
                at += 2;
                if at > bytes.len() {
                    break End::Open { escaping: true };
                }
            }
            Some(0x80..) => {
                ascii = false;
                at += 1;
            }
            Some(_) => break End::Control(at),
        }
    };
    Scan { end, escaped, ascii }
}

/// Where the string that `from` is inside of ends, if nothing but plain ASCII comes before that.
#[inline]
pub fn plain_end(bytes: &[u8], from: usize) -> Option<usize> {
    let end = next_special(bytes, from);
    (bytes.get(end) == Some(&b'"')).then_some(end)
}

/// The index of the first byte at or after `from` that is a quote, a backslash, a control
/// character or no ASCII; where there is none, the length, or `from` if that is more.
fn next_special(bytes: &[u8], from: usize) -> usize {
    let rest = bytes.get(from..).unwrap_or_default();
    let (blocks, tail) = rest.as_chunks();
    let mut at = from;
    for block in blocks {
        let found = special(block);
        if found != 0 {
            return at + found.trailing_zeros() as usize / STRIDE;
        }
        at += BLOCK;
    }
    at + in_tail(bytes, tail)
}

/// Where the first byte of interest is in the tail of a text; its length where there is none.
#[inline(always)]
fn in_tail(bytes: &[u8], tail: &[u8]) -> usize {
    // Every bit is right here, so that those of what comes before the tail can be left out.
    if cfg!(target_arch = "wasm32")
        && let Some(last) = bytes.last_chunk()
    {
        let found = special(last) >> (BLOCK - 1 - tail.len()) >> 1;
        return tail.len().min(found.trailing_zeros() as usize);
    }
    let inside = |byte: &u8| matches!(byte, b'"' | b'\\' | ..=0x1f | 0x80..);
    tail.iter().position(inside).unwrap_or(tail.len())
}

/// So many bytes are looked at together.
const BLOCK: usize = if cfg!(target_arch = "wasm32") { 16 } else { 8 };

/// So many bits stand for a byte.
const STRIDE: usize = if cfg!(target_arch = "wasm32") { 1 } else { 8 };

/// A bit for each byte of interest.
#[cfg(target_arch = "wasm32")]
#[inline(always)]
fn special(block: &[u8; BLOCK]) -> u16 {
    use core::arch::wasm32::{i8x16_bitmask, i8x16_eq, i8x16_lt, i8x16_splat, u64x2, v128_or};
    // Two halves compile to one load, and need no pointer.
    let block = u128::from_le_bytes(*block);
    let block = u64x2(block as u64, (block >> 64) as u64);
    let is = |byte: u8| i8x16_eq(block, i8x16_splat(byte as i8));
    // What is no ASCII is negative.
    let control = i8x16_lt(block, i8x16_splat(0x20));
    i8x16_bitmask(v128_or(control, v128_or(is(b'"'), is(b'\\'))))
}

/// The high bit of each byte of interest. Bits above the first one found may be wrong (a borrow
/// runs upwards), so only the lowest one counts.
#[cfg(not(target_arch = "wasm32"))]
fn special(block: &[u8; BLOCK]) -> u64 {
    const LOW: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x8080_8080_8080_8080;
    let word = u64::from_le_bytes(*block);
    let zero = |x: u64| x.wrapping_sub(LOW) & !x;
    let quote = zero(word ^ (LOW * b'"' as u64));
    let backslash = zero(word ^ (LOW * b'\\' as u64));
    let control = word.wrapping_sub(LOW * 0x20) & !word;
    (quote | backslash | control | word) & HIGH
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_every_special_byte_at_every_place() {
        for length in 0..40 {
            for at in 0..length {
                for byte in 0..=255u8 {
                    let mut text = vec![b'a'; length];
                    text[at] = byte;
                    let special = matches!(byte, b'"' | b'\\' | 0..=0x1f | 0x80..);
                    let expected = if special { at } else { length };
                    assert_eq!(next_special(&text, 0), expected, "{byte} at {at} of {length}");
                }
            }
        }
    }
}
