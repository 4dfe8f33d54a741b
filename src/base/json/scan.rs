//! Finding the ends of tokens, a block of bytes a step.

use crate::base::bytes::ascii_run;
#[cfg(target_arch = "wasm32")]
use core::arch::wasm32::{
    i8x16_bitmask, i8x16_eq, i8x16_lt, i8x16_splat, u8x16_lt, u8x16_splat, u64x2, v128, v128_or,
};

/// What the end of a string looks like.
pub enum StringEnd {
    /// The closing quote is at this index.
    Closed(usize),
    /// The piece ended first; `escaping` when it ended right behind a backslash.
    Open { escaping: bool },
    /// A control character at this index.
    Control(usize),
}

/// What was seen on the way to the end of a string.
pub struct StringScan {
    pub end: StringEnd,
    pub escaped: bool,
    pub ascii: bool,
}

/// Walks from `from`, special a string, to its closing quote.
pub fn scan_text(bytes: &[u8], from: usize) -> StringScan {
    let mut at = from;
    let mut escaped = false;
    let end = loop {
        at = next_special(bytes, at);
        match bytes.get(at) {
            None => break StringEnd::Open { escaping: false },
            Some(b'"') => break StringEnd::Closed(at),
            Some(b'\\') => {
                escaped = true;
                at += 2;
                if at > bytes.len() {
                    break StringEnd::Open { escaping: true };
                }
            }
            Some(_) => break StringEnd::Control(at),
        }
    };
    let text = bytes.get(from..at).unwrap_or_default();
    StringScan { end, escaped, ascii: ascii_run(text) == text.len() }
}

/// Where the string that `from` is special of ends, if nothing but plain ASCII comes before that.
#[inline]
pub fn ascii_string_end(bytes: &[u8], from: usize) -> Option<usize> {
    let end = next_special_or_non_ascii(bytes, from);
    (bytes.get(end) == Some(&b'"')).then_some(end)
}

/// The same, whatever letters it has: they are not looked at.
#[inline]
pub fn unescaped_string_end(bytes: &[u8], from: usize) -> Option<usize> {
    let end = next_special(bytes, from);
    (bytes.get(end) == Some(&b'"')).then_some(end)
}

/// Where white space ends that stands at `at`, if any does.
#[inline(always)]
pub fn skip_space(bytes: &[u8], at: usize) -> usize {
    let mut at = at;
    while bytes.get(at).is_some_and(|byte| is_space(*byte)) {
        at += 1;
    }
    at
}

/// Whether a byte is white space of JSON.
#[inline(always)]
pub fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\r' | b'\t')
}

/// Where that begins which stands behind a mark, if that is next: mostly at once, else with white space around
/// the mark.
#[inline(always)]
pub fn skip_punctuation(bytes: &[u8], at: usize, mark: u8) -> Option<usize> {
    match bytes.get(at..at + 2)? {
        [found, next] if *found == mark && *next > b' ' => Some(at + 1),
        _ => skip_spaced_punctuation(bytes, at, mark),
    }
}

#[inline(never)]
fn skip_spaced_punctuation(bytes: &[u8], at: usize, mark: u8) -> Option<usize> {
    let at = skip_space(bytes, at);
    (bytes.get(at) == Some(&mark)).then(|| skip_space(bytes, at + 1))
}

/// Where the first byte at or after `from` is that is a quote, a backslash, a control character or no ASCII;
/// where there is none, the length, or `from` if that is more. A copy wherever it is called would be slower.
#[inline(never)]
pub fn next_special_or_non_ascii(bytes: &[u8], from: usize) -> usize {
    next(bytes, from, StopMask::special_or_non_ascii)
}

/// The same for a quote, a backslash and a control character.
#[inline(never)]
pub fn next_special(bytes: &[u8], from: usize) -> usize {
    next(bytes, from, StopMask::special)
}

/// The index of the first byte at or after `from` at which there is something to stop for; where there
/// is none, the length, or `from` if that is more.
#[inline(always)]
fn next(bytes: &[u8], from: usize, stop: impl Fn(&[u8; BLOCK]) -> StopMask) -> usize {
    let rest = bytes.get(from..).unwrap_or_default();
    let (blocks, tail) = rest.as_chunks();
    let mut at = from;
    for block in blocks {
        let StopMask(found) = stop(block);
        if found != 0 {
            return at + found.trailing_zeros() as usize / STRIDE;
        }
        at += BLOCK;
    }
    at + next_in_tail(bytes, tail, stop)
}

/// Where the first byte of interest is in the tail of a text; its length where there is none.
#[inline(always)]
fn next_in_tail(bytes: &[u8], tail: &[u8], stop: impl Fn(&[u8; BLOCK]) -> StopMask) -> usize {
    // Every bit is right here, so that those of what comes before the tail can be left out.
    if cfg!(target_arch = "wasm32")
        && let Some(last) = bytes.last_chunk()
    {
        let found = stop(last).0 >> (BLOCK - 1 - tail.len()) >> 1;
        return tail.len().min(found.trailing_zeros() as usize);
    }
    // A space is nothing to stop for.
    let mut block = [b' '; BLOCK];
    block.iter_mut().zip(tail).for_each(|(slot, byte)| *slot = *byte);
    match stop(&block).0 {
        0 => tail.len(),
        found => found.trailing_zeros() as usize / STRIDE,
    }
}

/// So many bytes are looked at together.
const BLOCK: usize = if cfg!(target_arch = "wasm32") { 16 } else { 8 };

/// So many bits stand for a byte.
const STRIDE: usize = if cfg!(target_arch = "wasm32") { 1 } else { 8 };

/// Where in a block there is something to stop for.
#[cfg(target_arch = "wasm32")]
struct StopMask(u16);

/// The high bit of each byte that there is to stop for. Bits above the first one found may be wrong (a
/// borrow runs upwards), so only the lowest one counts.
#[cfg(not(target_arch = "wasm32"))]
struct StopMask(u64);

#[cfg(target_arch = "wasm32")]
impl StopMask {
    /// For a quote, a backslash, a control character and all that is no ASCII.
    #[inline(always)]
    fn special_or_non_ascii(block: &[u8; BLOCK]) -> StopMask {
        // What is no ASCII is negative.
        let block = vector(block);
        StopMask::at(block, i8x16_lt(block, i8x16_splat(0x20)))
    }

    /// For a quote, a backslash and a control character.
    #[inline(always)]
    fn special(block: &[u8; BLOCK]) -> StopMask {
        let block = vector(block);
        StopMask::at(block, u8x16_lt(block, u8x16_splat(0x20)))
    }

    #[inline(always)]
    fn at(block: v128, others: v128) -> StopMask {
        let is = |byte: u8| i8x16_eq(block, i8x16_splat(byte as i8));
        StopMask(i8x16_bitmask(v128_or(others, v128_or(is(b'"'), is(b'\\')))))
    }
}

/// Two halves compile to one load, and need no pointer.
#[cfg(target_arch = "wasm32")]
#[inline(always)]
fn vector(block: &[u8; BLOCK]) -> v128 {
    let block = u128::from_le_bytes(*block);
    u64x2(block as u64, (block >> 64) as u64)
}

#[cfg(not(target_arch = "wasm32"))]
impl StopMask {
    /// For a quote, a backslash, a control character and all that is no ASCII.
    fn special_or_non_ascii(block: &[u8; BLOCK]) -> StopMask {
        let StopMask(special) = StopMask::special(block);
        StopMask(special | u64::from_le_bytes(*block) & HIGH)
    }

    /// For a quote, a backslash and a control character.
    fn special(block: &[u8; BLOCK]) -> StopMask {
        let word = u64::from_le_bytes(*block);
        let zero = |x: u64| x.wrapping_sub(LOW) & !x;
        let quote = zero(word ^ (LOW * b'"' as u64));
        let backslash = zero(word ^ (LOW * b'\\' as u64));
        let control = word.wrapping_sub(LOW * 0x20) & !word;
        StopMask((quote | backslash | control) & HIGH)
    }
}

#[cfg(not(target_arch = "wasm32"))]
const LOW: u64 = 0x0101_0101_0101_0101;
#[cfg(not(target_arch = "wasm32"))]
const HIGH: u64 = 0x8080_8080_8080_8080;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_every_byte_to_stop_for_at_every_place() {
        for length in 0..40 {
            for at in 0..length {
                for byte in 0..=255u8 {
                    let mut text = vec![b'a'; length];
                    text[at] = byte;
                    let special = matches!(byte, b'"' | b'\\' | 0..=0x1f);
                    let special_or_non_ascii = special || byte >= 0x80;
                    let expected = |stops| if stops { at } else { length };
                    assert_eq!(
                        next(&text, 0, StopMask::special),
                        expected(special),
                        "{byte} at {at}"
                    );
                    assert_eq!(
                        next(&text, 0, StopMask::special_or_non_ascii),
                        expected(special_or_non_ascii),
                        "{byte} at {at}"
                    );
                }
            }
        }
    }
}
