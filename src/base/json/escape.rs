//! The escapes of strings, and of steps in JSON pointers.

use super::syntax_error::{ESCAPE, SURROGATE, character_at, character_len, display_character};
use crate::base::bytes::append;
use crate::base::{Diagnostic, Span};

/// Escapes a key as a reference token of a JSON pointer (RFC 6901).
pub fn escape_pointer_step(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

/// Appends a string's raw bytes with escapes resolved. They begin at byte offset `at` of the text.
#[inline]
pub fn unescape(raw: &[u8], at: usize, out: &mut Vec<u8>) -> Result<(), Diagnostic> {
    out.reserve(raw.len());
    let mut from = 0;
    while let Some(rest) = raw.get(from..).filter(|rest| !rest.is_empty()) {
        let Some(escaped) = rest.strip_prefix(b"\\") else {
            let length = memchr::memchr(b'\\', rest).unwrap_or(rest.len());
            let plain = rest.get(..length).unwrap_or_default();
            append(out, plain);
            from += length;
            continue;
        };
        let byte = match escaped.first() {
            Some(byte @ (b'"' | b'\\' | b'/')) => *byte,
            Some(b'b') => 8,
            Some(b'f') => 12,
            Some(b'n') => b'\n',
            Some(b'r') => b'\r',
            Some(b't') => b'\t',
            Some(b'u') => {
                let (character, length) =
                    unicode_escape(rest).ok_or_else(|| unicode_error(rest, at + from))?;
                append(out, character.encode_utf8(&mut [0; 4]).as_bytes());
                from += length;
                continue;
            }
            _ => return Err(unknown_escape(rest, at + from)),
        };
        out.push(byte);
        from += 2;
    }
    Ok(())
}

/// Returns the length of the start of a string's raw bytes that is complete: without an escape or a
/// UTF-8 character that ends later.
pub fn complete_prefix_len(raw: &[u8]) -> usize {
    let mut at = 0;
    while let Some(found) = memchr::memchr(b'\\', raw.get(at..).unwrap_or_default()) {
        let start = at + found;
        let rest = raw.get(start..).unwrap_or_default();
        let is_unicode = rest.get(1) == Some(&b'u');
        let unit = rest.get(2..).filter(|_| is_unicode).and_then(parse_four_hex_digits);
        let length = match unit {
            // A pair of surrogates.
            Some(0xd800..=0xdbff) => 12,
            _ if is_unicode => 6,
            _ => 2,
        };
        if rest.len() < length {
            return start;
        }
        at = start + length;
    }
    match std::str::from_utf8(raw.get(at..).unwrap_or_default()) {
        Err(error) if error.error_len().is_none() => at + error.valid_up_to(),
        _ => raw.len(),
    }
}

/// Decodes the `\u` escape at the start of `raw`, or a surrogate pair of two. Returns the character and the length
/// of the escapes in bytes.
#[inline]
fn unicode_escape(raw: &[u8]) -> Option<(char, usize)> {
    let unit = parse_four_hex_digits(raw.get(2..)?)?;
    if let Some(character) = char::from_u32(unit) {
        return Some((character, 6));
    }
    let low = parse_four_hex_digits(raw.get(6..)?.strip_prefix(b"\\u")?)?;
    match (unit, low) {
        (0xd800..=0xdbff, 0xdc00..=0xdfff) => {
            let scalar = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
            Some((char::from_u32(scalar)?, 12))
        }
        _ => None,
    }
}

/// Parses four hexadecimal digits at the start.
#[inline]
fn parse_four_hex_digits(digits: &[u8]) -> Option<u32> {
    let [a, b, c, d] = digits.first_chunk::<4>()?.map(|byte| {
        let digit = byte.wrapping_sub(b'0');
        let letter = (byte | 0x20).wrapping_sub(b'a').saturating_add(10);
        u32::from(if digit < 10 { digit } else { letter })
    });
    (a | b | c | d < 16).then_some(a << 12 | b << 8 | c << 4 | d)
}

/// Returns the error for an invalid `\u` at the start of `raw`.
#[cold]
fn unicode_error(raw: &[u8], at: usize) -> Diagnostic {
    let Some(unit) = parse_four_hex_digits(raw.get(2..).unwrap_or_default()) else {
        return Diagnostic::new(ESCAPE, "`\\u` without four hexadecimal digits")
            .help("write four hexadecimal digits, as in `\\u00e9`, or the character itself")
            .at(Span::new(at, at + raw.len().min(6)));
    };
    Diagnostic::new(SURROGATE, format!("lone surrogate `\\u{unit:04x}`"))
        .help("write both halves of the pair, or the character itself")
        .at(Span::new(at, at + 6))
}

/// Returns the error for an unknown escape at the start of `raw`.
#[cold]
fn unknown_escape(raw: &[u8], at: usize) -> Diagnostic {
    let message = match character_at(raw, 1) {
        Some(character) => format!("unknown escape of {}", display_character(character)),
        None => "unknown escape".to_owned(),
    };
    Diagnostic::new(ESCAPE, message)
        .help("escape a backslash as `\\\\`; only `\" \\ / b f n r t u` may follow one")
        .at(Span::new(at, at + 1 + character_len(raw, 1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_four_hexadecimal_digits() {
        for byte in 0..=255u8 {
            let expected = char::from(byte).to_digit(16);
            assert_eq!(parse_four_hex_digits(&[b'0', b'0', b'0', byte]), expected, "{byte}");
            assert_eq!(
                parse_four_hex_digits(&[byte, b'0', b'0', b'0']),
                expected.map(|digit| digit << 12),
                "{byte}"
            );
        }
        assert_eq!(parse_four_hex_digits(b"12aF?"), Some(0x12af));
        assert_eq!(parse_four_hex_digits(b"12a"), None);
    }

    #[test]
    fn decodes_escapes_of_all_characters() {
        for scalar in (0..0x11_0000).step_by(61) {
            let Some(character) = char::from_u32(scalar) else { continue };
            let mut units = [0; 2];
            let units = character.encode_utf16(&mut units).iter();
            let raw: String = units.map(|unit| format!("\\u{unit:04X}")).collect();
            let mut out = Vec::new();
            assert!(unescape(raw.as_bytes(), 0, &mut out).is_ok());
            assert_eq!(out, character.to_string().as_bytes());
        }
        for wrong in
            ["\\ud800", "\\ud800x", "\\udc00\\ud800", "\\ud800\\u00e9", "\\u12", "\\x", "\\"]
        {
            assert!(unescape(wrong.as_bytes(), 0, &mut Vec::new()).is_err(), "{wrong}");
        }
    }

    #[test]
    fn complete_len_excludes_what_ends_later() {
        let text = r"aé€😀\n\u00e9\ud83d\ude00\\z".as_bytes();
        let complete: Vec<usize> =
            (0..=text.len()).map(|end| complete_prefix_len(&text[..end])).collect();
        for (end, length) in (0..).zip(&complete) {
            assert!(*length <= end);
            let mut decoded = Vec::new();
            assert!(unescape(&text[..*length], 0, &mut decoded).is_ok(), "{end}");
            assert!(std::str::from_utf8(&decoded).is_ok(), "{end}");
        }
        assert_eq!(complete.last(), Some(&text.len()));
        let lengths: std::collections::BTreeSet<_> = complete.into_iter().collect();
        assert_eq!(lengths.len(), 10, "each character and escape is complete once");
    }
}
