//! Tokens that are whole, short and written as most are: what can be told of them at a glance.
//! Whatever else they may be, [`Reader::step`](super::Reader) has to tell.

use super::number::{parse_number, short_number};
use super::scan::{
    StringEnd, ascii_string_end, is_space, next_special_or_non_ascii, scan_text, skip_punctuation,
};
use crate::base::bytes::same;

/// A value without parts.
pub enum Scalar<'p> {
    /// The bytes between the quotes, without escapes; whether all of them are ASCII.
    Text {
        bytes: &'p [u8],
        ascii: bool,
    },
    Number(f64),
    Bool(bool),
    Null,
}

/// The value at `at`, if it is plain, and where it ends.
#[inline(always)]
pub fn parse_scalar(piece: &[u8], at: usize) -> Option<(Scalar<'_>, usize)> {
    match piece.get(at)? {
        b'"' => {
            let stop = next_special_or_non_ascii(piece, at + 1);
            let (end, ascii) = match piece.get(stop)? {
                b'"' => (stop, true),
                0x80.. => (utf8_string_end(piece, at + 1)?, false),
                _ => return None,
            };
            Some((Scalar::Text { bytes: piece.get(at + 1..end)?, ascii }, end + 1))
        }
        byte => parse_unquoted_scalar(piece, at, *byte),
    }
}

/// The same, compiled once, for those who read less.
#[inline(never)]
pub fn parse_scalar_outlined(piece: &[u8], at: usize) -> Option<(Scalar<'_>, usize)> {
    parse_scalar(piece, at)
}

/// Where the string that `from` is special of ends, if it is UTF-8 without escapes.
#[inline(never)]
fn utf8_string_end(piece: &[u8], from: usize) -> Option<usize> {
    let scan = scan_text(piece, from);
    let StringEnd::Closed(end) = scan.end else { return None };
    let is_text = !scan.escaped && std::str::from_utf8(piece.get(from..end)?).is_ok();
    is_text.then_some(end)
}

/// What stands between the quotes of the string at `at`, which may have escapes, and where it ends, if it is
/// UTF-8.
pub fn raw_string(piece: &[u8], at: usize) -> Option<(&[u8], usize)> {
    if piece.get(at) != Some(&b'"') {
        return None;
    }
    let scan = scan_text(piece, at + 1);
    let StringEnd::Closed(end) = scan.end else { return None };
    let raw = piece.get(at + 1..end)?;
    (scan.ascii || std::str::from_utf8(raw).is_ok()).then_some((raw, end + 1))
}

/// The number, boolean or null at `at`, which begins with `byte`, and where it ends, if something
/// follows it.
#[inline(always)]
pub fn parse_unquoted_scalar(piece: &[u8], at: usize, byte: u8) -> Option<(Scalar<'_>, usize)> {
    let rest = piece.get(at..)?;
    // Four bytes are compared as one number, without a call.
    let four = rest.first_chunk();
    let (value, length) = match byte {
        b'-' | b'0'..=b'9' => {
            let (value, length) = short_number(rest).or_else(|| long_number(rest))?;
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

/// The number that `bytes` begin with, if it is one and something follows it: one with more digits, or
/// with an exponent.
#[cold]
#[inline(never)]
fn long_number(bytes: &[u8]) -> Option<(f64, usize)> {
    let is_inside =
        |byte: &u8| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'a'..=b'z' | b'A'..=b'Z');
    let length = bytes.iter().position(|byte| !is_inside(byte))?;
    Some((parse_number(bytes.get(..length)?).ok()?, length))
}

/// Entries of a map, one after the other, as long as their keys and values are plain.
pub struct ScalarEntries<'p> {
    piece: &'p [u8],
    /// Where the next key opens; nothing where there is none.
    next: Option<usize>,
    /// Where the last entry that was taken ends.
    pub end: usize,
}

impl<'p> ScalarEntries<'p> {
    /// The entries from the one whose key opens at `at`.
    pub fn new(piece: &'p [u8], at: usize) -> ScalarEntries<'p> {
        ScalarEntries { piece, next: Some(at), end: at }
    }
}

impl<'p> Iterator for ScalarEntries<'p> {
    type Item = (&'p [u8], Scalar<'p>);

    fn next(&mut self) -> Option<(&'p [u8], Scalar<'p>)> {
        let piece = self.piece;
        let at = self.next.take().filter(|at| piece.get(*at) == Some(&b'"'))?;
        let end = ascii_string_end(piece, at + 1)?;
        let (value, behind) =
            parse_scalar_outlined(piece, skip_punctuation(piece, end + 1, b':')?)?;
        self.next = skip_punctuation(piece, behind, b',');
        self.end = behind;
        Some((piece.get(at + 1..end)?, value))
    }
}

/// Where the string whose quote opens at `at` ends, if it is what was guessed.
#[inline(always)]
pub fn match_key(piece: &[u8], at: usize, guess: &[u8]) -> Option<usize> {
    let end = at + 1 + guess.len();
    let right =
        end > at + 1 && piece.get(end) == Some(&b'"') && same(piece.get(at + 1..end)?, guess);
    right.then_some(end + 1)
}
