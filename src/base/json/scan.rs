//! Search for the ends of tokens, one block of bytes at a time (SIMD in WebAssembly, SWAR elsewhere).

use crate::base::bytes::ascii_prefix_len;
#[cfg(target_arch = "wasm32")]
use core::arch::wasm32::{
    i8x16_bitmask, i8x16_eq, i8x16_lt, i8x16_splat, u8x16_lt, u8x16_splat, u64x2, v128, v128_or,
};

/// End of a string.
pub enum StringEnd {
    /// Index of the closing quote.
    Closed(usize),
    /// The chunk ended first; `escaping` if its last byte is a backslash that escapes the next byte.
    Open { escaping: bool },
    /// Index of a control character.
    Control(usize),
}

/// Result of the search for the end of a string.
pub struct StringScan {
    pub end: StringEnd,
    pub escaped: bool,
    pub ascii: bool,
}

/// Searches the end of the string whose content begins at `from`.
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
    StringScan { end, escaped, ascii: ascii_prefix_len(text) == text.len() }
}

/// Returns the index of the closing quote of the string whose content begins at `from`, if the content is ASCII
/// without escapes.
#[inline]
pub fn ascii_string_end(bytes: &[u8], from: usize) -> Option<usize> {
    let end = next_special_or_non_ascii(bytes, from);
    (bytes.get(end) == Some(&b'"')).then_some(end)
}

/// Returns the index of the closing quote, if the content has no escapes; does not check its encoding.
#[inline]
pub fn unescaped_string_end(bytes: &[u8], from: usize) -> Option<usize> {
    let end = next_special(bytes, from);
    (bytes.get(end) == Some(&b'"')).then_some(end)
}

/// Returns the index of the first byte at or after `at` that is not white space.
#[inline(always)]
pub fn skip_space(bytes: &[u8], at: usize) -> usize {
    let mut at = at;
    while bytes.get(at).is_some_and(|byte| is_space(*byte)) {
        at += 1;
    }
    at
}

/// Returns whether a byte is JSON white space.
#[inline(always)]
pub fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\r' | b'\t')
}

/// Returns the index after the punctuation `mark` and white space around it; `None` if the next token is another.
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

/// Returns the index of the first quote, backslash, control character or non-ASCII byte at or after
/// `from`. If there is none, returns the length, or `from` if that is greater. Not inlined, because
/// copies are slower.
#[inline(never)]
pub fn next_special_or_non_ascii(bytes: &[u8], from: usize) -> usize {
    next(bytes, from, StopMask::special_or_non_ascii)
}

/// Returns the same for a quote, a backslash or a control character.
#[inline(never)]
pub fn next_special(bytes: &[u8], from: usize) -> usize {
    next(bytes, from, StopMask::special)
}

/// Returns the index of the first byte at or after `from` that `stop` selects. If there is none,
/// returns the length, or `from` if that is greater.
#[inline(always)]
fn next(bytes: &[u8], from: usize, stop: impl Fn(&[u8; BLOCK_BYTES]) -> StopMask) -> usize {
    let rest = bytes.get(from..).unwrap_or_default();
    let (blocks, tail) = rest.as_chunks();
    let mut at = from;
    for block in blocks {
        let StopMask(found) = stop(block);
        if found != 0 {
            return at + found.trailing_zeros() as usize / MASK_BITS_PER_BYTE;
        }
        at += BLOCK_BYTES;
    }
    at + next_in_tail(bytes, tail, stop)
}

/// Returns the index of the first selected byte in the tail of a text; the length of the tail if there is none.
#[inline(always)]
fn next_in_tail(bytes: &[u8], tail: &[u8], stop: impl Fn(&[u8; BLOCK_BYTES]) -> StopMask) -> usize {
    // All bits of the mask are exact here, so that bits of bytes before the tail can be shifted out.
    if cfg!(target_arch = "wasm32")
        && let Some(last) = bytes.last_chunk()
    {
        let found = stop(last).0 >> (BLOCK_BYTES - 1 - tail.len()) >> 1;
        return tail.len().min(found.trailing_zeros() as usize);
    }
    // A space is never selected.
    let mut block = [b' '; BLOCK_BYTES];
    block.iter_mut().zip(tail).for_each(|(slot, byte)| *slot = *byte);
    match stop(&block).0 {
        0 => tail.len(),
        found => found.trailing_zeros() as usize / MASK_BITS_PER_BYTE,
    }
}

/// Bytes per block.
const BLOCK_BYTES: usize = if cfg!(target_arch = "wasm32") { 16 } else { 8 };

/// Bits per byte in a mask.
const MASK_BITS_PER_BYTE: usize = if cfg!(target_arch = "wasm32") { 1 } else { 8 };

/// Mask of the selected bytes of a block.
#[cfg(target_arch = "wasm32")]
struct StopMask(u16);

/// Mask of the selected bytes of a block, in the high bit of each byte. Only the lowest bit is exact, because a
/// borrow runs upwards.
#[cfg(not(target_arch = "wasm32"))]
struct StopMask(u64);

#[cfg(target_arch = "wasm32")]
impl StopMask {
    /// Selects quotes, backslashes, control characters and non-ASCII bytes.
    #[inline(always)]
    fn special_or_non_ascii(block: &[u8; BLOCK_BYTES]) -> StopMask {
        // Non-ASCII bytes are negative.
        let block = load_vector(block);
        StopMask::at(block, i8x16_lt(block, i8x16_splat(0x20)))
    }

    /// Selects quotes, backslashes and control characters.
    #[inline(always)]
    fn special(block: &[u8; BLOCK_BYTES]) -> StopMask {
        let block = load_vector(block);
        StopMask::at(block, u8x16_lt(block, u8x16_splat(0x20)))
    }

    #[inline(always)]
    fn at(block: v128, others: v128) -> StopMask {
        let is = |byte: u8| i8x16_eq(block, i8x16_splat(byte as i8));
        StopMask(i8x16_bitmask(v128_or(others, v128_or(is(b'"'), is(b'\\')))))
    }
}

/// Loads a block. The two halves compile to one load.
#[cfg(target_arch = "wasm32")]
#[inline(always)]
fn load_vector(block: &[u8; BLOCK_BYTES]) -> v128 {
    let block = u128::from_le_bytes(*block);
    u64x2(block as u64, (block >> 64) as u64)
}

#[cfg(not(target_arch = "wasm32"))]
impl StopMask {
    /// Selects quotes, backslashes, control characters and non-ASCII bytes.
    fn special_or_non_ascii(block: &[u8; BLOCK_BYTES]) -> StopMask {
        let StopMask(special) = StopMask::special(block);
        StopMask(special | u64::from_le_bytes(*block) & HIGH)
    }

    /// Selects quotes, backslashes and control characters.
    fn special(block: &[u8; BLOCK_BYTES]) -> StopMask {
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
    fn finds_each_selected_byte_at_each_index() {
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
