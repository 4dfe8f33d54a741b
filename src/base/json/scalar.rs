//! Fast paths for scalars that are complete in the chunk and have no escapes. They return `None` for anything
//! else, which [`Reader`](super::Reader) parses or reports.

use super::number::{parse_number, parse_short_number};
use super::scan::{
    StringEnd, ascii_string_end, is_space, next_special_or_non_ascii, scan_text, skip_punctuation,
};
use crate::base::bytes::same;

/// A string, number, boolean or null.
pub enum Scalar<'p> {
    /// Content without quotes, which has no escapes; whether it is ASCII.
    Text {
        bytes: &'p [u8],
        ascii: bool,
    },
    Number(f64),
    Bool(bool),
    Null,
}

/// Parses the scalar at byte offset `at`. Returns it with the byte offset after it.
#[inline(always)]
pub fn parse_scalar(chunk: &[u8], at: usize) -> Option<(Scalar<'_>, usize)> {
    match chunk.get(at)? {
        b'"' => {
            let stop = next_special_or_non_ascii(chunk, at + 1);
            let (end, ascii) = match chunk.get(stop)? {
                b'"' => (stop, true),
                0x80.. => (utf8_string_end(chunk, at + 1)?, false),
                _ => return None,
            };
            Some((Scalar::Text { bytes: chunk.get(at + 1..end)?, ascii }, end + 1))
        }
        byte => parse_unquoted_scalar(chunk, at, *byte),
    }
}

/// [`parse_scalar`] for cold callers: one copy of the code instead of an inlined one each.
#[inline(never)]
pub fn parse_scalar_outlined(chunk: &[u8], at: usize) -> Option<(Scalar<'_>, usize)> {
    parse_scalar(chunk, at)
}

/// Returns the index of the closing quote of the string whose content begins at `from`, if the content is UTF-8
/// without escapes.
#[inline(never)]
fn utf8_string_end(chunk: &[u8], from: usize) -> Option<usize> {
    let scan = scan_text(chunk, from);
    let StringEnd::Closed(end) = scan.end else { return None };
    let is_text = !scan.escaped && std::str::from_utf8(chunk.get(from..end)?).is_ok();
    is_text.then_some(end)
}

/// Returns the content of the string at byte offset `at` with its escapes, and the byte offset
/// after it; `None` if it is not UTF-8.
pub fn raw_string(chunk: &[u8], at: usize) -> Option<(&[u8], usize)> {
    if chunk.get(at) != Some(&b'"') {
        return None;
    }
    let scan = scan_text(chunk, at + 1);
    let StringEnd::Closed(end) = scan.end else { return None };
    let raw = chunk.get(at + 1..end)?;
    (scan.ascii || std::str::from_utf8(raw).is_ok()).then_some((raw, end + 1))
}

/// Parses the number, boolean or null at byte offset `at`, which begins with `byte`. Returns it with the byte
/// offset after it; `None` if the chunk ends there, because more of the token may follow.
#[inline(always)]
pub fn parse_unquoted_scalar(chunk: &[u8], at: usize, byte: u8) -> Option<(Scalar<'_>, usize)> {
    let rest = chunk.get(at..)?;
    // Compares four bytes as one integer.
    let four = rest.first_chunk();
    let (value, length) = match byte {
        b'-' | b'0'..=b'9' => {
            let (value, length) = parse_short_number(rest).or_else(|| parse_long_number(rest))?;
            return Some((Scalar::Number(value), at + length));
        }
        b't' if four == Some(b"true") => (Scalar::Bool(true), 4),
        b'n' if four == Some(b"null") => (Scalar::Null, 4),
        b'f' if four == Some(b"fals") && rest.get(4) == Some(&b'e') => (Scalar::Bool(false), 5),
        _ => return None,
    };
    let next = *rest.get(length)?;
    let is_whole = matches!(next, b',' | b'}' | b']') || is_space(next);
    is_whole.then_some((value, at + length))
}

/// Parses a number with many digits or an exponent at the start of `bytes`. Returns it with its length in bytes;
/// `None` if the chunk ends there.
#[cold]
#[inline(never)]
fn parse_long_number(bytes: &[u8]) -> Option<(f64, usize)> {
    let is_inside =
        |byte: &u8| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'a'..=b'z' | b'A'..=b'Z');
    let length = bytes.iter().position(|byte| !is_inside(byte))?;
    Some((parse_number(bytes.get(..length)?).ok()?, length))
}

/// Iterator over the entries of a map, up to the first whose key has escapes or whose value is not a scalar.
pub struct ScalarEntries<'p> {
    chunk: &'p [u8],
    /// Byte offset of the quote of the next key.
    next: Option<usize>,
    /// Byte offset after the last entry that was returned.
    pub end: usize,
}

impl<'p> ScalarEntries<'p> {
    /// Returns the entries from the one whose key begins at byte offset `at`.
    pub fn new(chunk: &'p [u8], at: usize) -> ScalarEntries<'p> {
        ScalarEntries { chunk, next: Some(at), end: at }
    }
}

impl<'p> Iterator for ScalarEntries<'p> {
    type Item = (&'p [u8], Scalar<'p>);

    fn next(&mut self) -> Option<(&'p [u8], Scalar<'p>)> {
        let chunk = self.chunk;
        let at = self.next.take().filter(|at| chunk.get(*at) == Some(&b'"'))?;
        let end = ascii_string_end(chunk, at + 1)?;
        let (value, after) = parse_scalar_outlined(chunk, skip_punctuation(chunk, end + 1, b':')?)?;
        self.next = skip_punctuation(chunk, after, b',');
        self.end = after;
        Some((chunk.get(at + 1..end)?, value))
    }
}

/// Returns the byte offset after the string at byte offset `at`, if its raw content equals `guess`.
#[inline(always)]
pub fn match_key(chunk: &[u8], at: usize, guess: &[u8]) -> Option<usize> {
    let end = at + 1 + guess.len();
    let right =
        end > at + 1 && chunk.get(end) == Some(&b'"') && same(chunk.get(at + 1..end)?, guess);
    right.then_some(end + 1)
}
