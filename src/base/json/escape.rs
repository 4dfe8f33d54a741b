//! The escapes of strings, and of steps in JSON pointers.

use super::fault::{ESCAPE, SURROGATE, character};
use crate::base::{Diagnostic, Span};

/// A key as a step of a JSON pointer (RFC 6901).
pub fn pointer_step(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

/// Resolves the escapes of a string's raw bytes, which start at byte `at` of the text.
pub fn unescape(raw: &[u8], at: usize, out: &mut Vec<u8>) -> Result<(), Diagnostic> {
    let mut from = 0;
    while let Some(found) = memchr::memchr(b'\\', raw.get(from..).unwrap_or_default()) {
        let backslash = from + found;
        out.extend_from_slice(raw.get(from..backslash).unwrap_or_default());
        let (character, length) = escape(raw.get(backslash..).unwrap_or_default(), at + backslash)?;
        out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
        from = backslash + length;
    }
    out.extend_from_slice(raw.get(from..).unwrap_or_default());
    Ok(())
}

/// The character that the escape at the start of `raw` means, and the escape's length.
fn escape(raw: &[u8], at: usize) -> Result<(char, usize), Diagnostic> {
    let character = match raw.get(1) {
        Some(b'"') => '"',
        Some(b'\\') => '\\',
        Some(b'/') => '/',
        Some(b'b') => '\u{8}',
        Some(b'f') => '\u{c}',
        Some(b'n') => '\n',
        Some(b'r') => '\r',
        Some(b't') => '\t',
        Some(b'u') => return unicode_escape(raw, at),
        _ => {
            let (shown, length) = character(raw, 1);
            let message = match shown {
                Some(shown) => format!("unknown escape of {shown}"),
                None => "unknown escape".to_owned(),
            };
            return Err(Diagnostic::new(ESCAPE, message)
                .help("escape a backslash as `\\\\`; only `\" \\ / b f n r t u` may follow one")
                .at(Span::new(at, at + 1 + length)));
        }
    };
    Ok((character, 2))
}

fn unicode_escape(raw: &[u8], at: usize) -> Result<(char, usize), Diagnostic> {
    let Some(unit) = hex(raw.get(2..6)) else {
        return Err(Diagnostic::new(ESCAPE, "`\\u` without four hexadecimal digits")
            .help("write four hexadecimal digits, as in `\\u00e9`, or the character itself")
            .at(Span::new(at, at + raw.len().min(6))));
    };
    let low = match raw.get(6..8) {
        Some(b"\\u") => hex(raw.get(8..12)),
        _ => None,
    };
    match (unit, low) {
        (0xd800..=0xdbff, Some(low @ 0xdc00..=0xdfff)) => {
            let scalar = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
            Ok((char::from_u32(scalar).unwrap_or(char::REPLACEMENT_CHARACTER), 12))
        }
        _ => match char::from_u32(unit) {
            Some(character) => Ok((character, 6)),
            None => Err(Diagnostic::new(SURROGATE, format!("lone surrogate `\\u{unit:04x}`"))
                .help("write both halves of the pair, or the character itself")
                .at(Span::new(at, at + 6))),
        },
    }
}

fn hex(digits: Option<&[u8]>) -> Option<u32> {
    digits?.iter().try_fold(0, |value, digit| Some(value * 16 + char::from(*digit).to_digit(16)?))
}
