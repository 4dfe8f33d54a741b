//! Numbers: the grammar of RFC 8259.

use lexical_parse_float::FromLexical;

/// Reason why a token is not a JSON number.
pub enum NumberError {
    /// The token does not match the grammar.
    Malformed,
    /// The number is too large for a finite double.
    OutOfRange,
}

/// Parses a text that is a JSON number and nothing else.
pub fn parse_number_text(text: &str) -> Option<f64> {
    parse_number(text.as_bytes()).ok()
}

/// Largest integer below which doubles represent all integers.
pub const MAX_EXACT_INTEGER: f64 = 9_007_199_254_740_991.0;

/// Returns whether a text is the literal of an integer of any size.
pub fn is_integer_literal(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// Maximum number of digits of integers that a double represents exactly.
const EXACT_DIGITS: usize = 15;

/// Powers of ten that a double represents exactly, up to [`EXACT_DIGITS`].
const EXACT_POWERS: [f64; EXACT_DIGITS + 1] =
    [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15];

/// Fast path for a number without exponent and with at most [`EXACT_DIGITS`] digits, at the start of `bytes`
/// and before another byte. Returns its value and length in bytes; `None` for anything else, also for a
/// longer number.
#[inline]
pub fn parse_short_number(bytes: &[u8]) -> Option<(f64, usize)> {
    /// A sign, the digits, a point, and the byte after the number.
    const LONGEST: usize = EXACT_DIGITS + 3;
    let bytes = bytes.get(..LONGEST).unwrap_or(bytes);
    let negative = bytes.first() == Some(&b'-');
    let start = usize::from(negative);
    let mut mantissa = 0u64;
    let mut at = start;
    let mut point = None;
    let stop = loop {
        let (digits, count) = parse_digits(bytes.get(at..)?);
        let scale = POWERS_OF_TEN.get(count).copied().unwrap_or(1);
        mantissa = mantissa.wrapping_mul(scale).wrapping_add(digits);
        at += count;
        match *bytes.get(at)? {
            b'0'..=b'9' => {}
            b'.' if point.is_none() => {
                point = Some(at);
                at += 1;
            }
            other => break other,
        }
    };
    let whole = point.unwrap_or(at) - start;
    let fraction = point.map_or(0, |point| at - point - 1);
    let is_plain = whole > 0
        && (whole == 1 || bytes.get(start) != Some(&b'0'))
        && (point.is_none() || fraction > 0)
        && whole + fraction <= EXACT_DIGITS
        && !matches!(stop, b'e' | b'E' | b'+' | b'-' | b'.');
    if !is_plain {
        return None;
    }
    // Both are exact, so the division rounds correctly. It takes as long as reading five digits.
    let value = if fraction == 0 {
        mantissa as f64
    } else {
        mantissa as f64 / EXACT_POWERS.get(fraction)?
    };
    Some((if negative { -value } else { value }, at))
}

/// Powers of ten for up to eight digits, the most that are parsed at once.
const POWERS_OF_TEN: [u64; 9] =
    [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000];

/// Parses up to eight digits at the start of `bytes` at once (SWAR). Returns their value and count. In the last
/// seven bytes it parses one digit at a time.
#[inline(always)]
fn parse_digits(bytes: &[u8]) -> (u64, usize) {
    const HIGH: u64 = 0xf0f0_f0f0_f0f0_f0f0;
    const THREES: u64 = 0x3030_3030_3030_3030;
    const SIXES: u64 = 0x0606_0606_0606_0606;
    let Some(eight) = bytes.first_chunk() else {
        let digit = bytes.first().map_or(u8::MAX, |byte| byte.wrapping_sub(b'0'));
        return if digit < 10 { (digit.into(), 1) } else { (0, 0) };
    };
    let word = u64::from_le_bytes(*eight);
    // A digit has the high nibble 3, also after 6 is added. A carry only reaches bytes after a non-digit.
    let others = (word & HIGH ^ THREES) | (word.wrapping_add(SIXES) & HIGH ^ THREES);
    let count = others.trailing_zeros() / 8;
    if count == 0 {
        return (0, 0);
    }
    // Shifts the digits to the end, after zeros; then combines pairs, fours and all eight.
    let digits = word << (64 - 8 * count) & !HIGH;
    let pairs = digits.wrapping_mul(10 << 8 | 1) >> 8 & 0x00ff_00ff_00ff_00ff;
    let fours = pairs.wrapping_mul(100 << 16 | 1) >> 16 & 0x0000_ffff_0000_ffff;
    (fours.wrapping_mul(10_000 << 32 | 1) >> 32, count as usize)
}

/// Parses a token that is one JSON number: `-? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)?`.
pub fn parse_number(token: &[u8]) -> Result<f64, NumberError> {
    if !is_number(token) {
        return Err(NumberError::Malformed);
    }
    // `str::parse` adds 9 kB to the 195 kB of `byname/ham`, because of its tables.
    let value = f64::from_lexical(token).map_err(|_| NumberError::Malformed)?;
    if value.is_finite() { Ok(value) } else { Err(NumberError::OutOfRange) }
}

fn is_number(token: &[u8]) -> bool {
    let unsigned = token.strip_prefix(b"-").unwrap_or(token);
    let (whole, mut rest) = split_digits(unsigned);
    if whole == 0 || (whole > 1 && unsigned.first() == Some(&b'0')) {
        return false;
    }
    if let Some(after) = rest.strip_prefix(b".") {
        let (fraction, after) = split_digits(after);
        if fraction == 0 {
            return false;
        }
        rest = after;
    }
    match rest {
        [] => true,
        [b'e' | b'E', b'+' | b'-', exponent @ ..] | [b'e' | b'E', exponent @ ..] => {
            matches!(split_digits(exponent), (1.., []))
        }
        _ => false,
    }
}

/// Returns the number of digits at the start, and the bytes after them.
fn split_digits(bytes: &[u8]) -> (usize, &[u8]) {
    let count = bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
    (count, bytes.get(count..).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Deterministic pseudo-random numbers (a linear congruential generator).
    fn random(mut state: u64) -> impl FnMut(u64) -> u64 {
        move |below| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) % below
        }
    }

    #[test]
    fn written_numbers_read_back() {
        let mut next = random(1);
        for nth in 0..20_000 {
            // Doubles of any size, and doubles near one.
            let bits = next(1 << 53) << 11 | next(1 << 11);
            let value =
                f64::from_bits(if nth % 2 == 0 { bits } else { bits >> 12 | 0x3ff << 52 }).abs();
            if !value.is_finite() {
                continue;
            }
            let mut written = String::new();
            crate::base::json::write_number(value, &mut written);
            assert!(written.len() <= value.to_string().len(), "{written}");
            for text in [written, format!("{value:e}"), format!("{value:.19e}")] {
                assert_eq!(parse_number(text.as_bytes()).ok(), Some(value), "{text}");
            }
        }
    }

    #[test]
    fn fast_path_agrees_with_the_standard_library() {
        let mut next = random(2);
        for _ in 0..20_000 {
            // Fractions and measurements, halves between two doubles, and random digits.
            let value = next(1 << 53) as f64 / (1u64 << 53) as f64 * 10f64.powi(next(16) as i32);
            let half_way = (1u64 << 53) + next(1 << 53) / 2 * 2 + 1;
            let digits = next(1 << 53) * 1000 + next(1000);
            for text in [
                value.to_string(),
                format!("{half_way}"),
                format!("{}.5", half_way >> 1),
                format!("{digits}e{}", next(680) as i32 - 350),
                format!("-{}.{digits}", next(10)),
                format!("{}.{}", next(100_000), next(100_000)),
            ] {
                let expected: f64 = text.parse().unwrap();
                let finite = Some(expected.to_bits()).filter(|_| expected.is_finite());
                assert_eq!(parse_number_text(&text).map(f64::to_bits), finite, "{text}");
                if let Some((value, length)) = parse_short_number(format!("{text}}}").as_bytes()) {
                    assert_eq!((value.to_bits(), length), (expected.to_bits(), text.len()));
                }
            }
        }
    }

    #[test]
    fn reads_short_numbers_as_all_others() {
        for text in [
            "0",
            "-0",
            "7",
            "-1.5",
            "123456789012345",
            "0.000001",
            "12345678901234.5",
            "-0.5",
            "10",
            "01",
            "1.",
            ".5",
            "1e3",
            "1.5e3",
            "-",
            "--1",
            "1-2",
            "1.2.3",
            "1234567890123456",
            "-12345678901234.5",
            "-1234567890123456",
            "+1",
        ] {
            let followed = [text.as_bytes(), b","].concat();
            let whole = parse_number(text.as_bytes()).ok();
            match parse_short_number(&followed) {
                Some((value, length)) => {
                    assert_eq!(length, text.len());
                    assert_eq!(Some(value.to_bits()), whole.map(f64::to_bits), "{text}");
                }
                None => assert!(whole.is_none() || text.contains('e') || text.len() > 15, "{text}"),
            }
            assert_eq!(parse_short_number(text.as_bytes()), None, "{text} may go on");
        }
    }

    #[test]
    fn refuses_what_is_no_number() {
        for text in
            ["", "-", "01", "1.", ".5", "1e", "1e+", "+1", "1.e1", "--1", "1-2", "-01", "1.2.3"]
        {
            assert!(matches!(parse_number(text.as_bytes()), Err(NumberError::Malformed)), "{text}");
        }
        assert!(matches!(parse_number(b"1e999"), Err(NumberError::OutOfRange)));
        assert!(matches!(parse_number(b"-1e999"), Err(NumberError::OutOfRange)));
    }

    #[test]
    fn digits_end_at_another_byte() {
        for length in 0..12 {
            for at in 0..=length {
                for byte in (0..=255u8).filter(|byte| !byte.is_ascii_digit()) {
                    let mut text = *b"987654321098";
                    text.iter_mut().skip(at).take(1).for_each(|slot| *slot = byte);
                    let text = &text[..length];
                    // Eight digits are read at once, or one if fewer than eight bytes are left.
                    let found = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
                    let count = if length < 8 { found.min(1) } else { found.min(8) };
                    let digits = std::str::from_utf8(&text[..count]).unwrap();
                    let expected = (digits.parse().unwrap_or(0), count);
                    assert_eq!(parse_digits(text), expected, "{byte} at {at} of {length}");
                }
            }
        }
    }

    #[test]
    fn short_numbers_agree_with_the_standard_library() {
        for whole in
            ["0", "7", "42", "123", "98765", "12345678", "123456789", "1234567890123456789"]
        {
            for fraction in ["", ".5", ".25", ".000001", ".12345678", ".123456789"] {
                for sign in ["", "-"] {
                    let number = format!("{sign}{whole}{fraction}");
                    let expected: f64 = number.parse().unwrap();
                    let digits = whole.len() + fraction.len().saturating_sub(1);
                    for suffix in [",", "}", " ", ",\"longer\":1", "e", "."] {
                        let text = format!("{number}{suffix}");
                        let found = parse_short_number(text.as_bytes());
                        let is_short = digits <= EXACT_DIGITS && !matches!(suffix, "e" | ".");
                        let expected = is_short.then_some((expected.to_bits(), number.len()));
                        let found = found.map(|(value, length)| (value.to_bits(), length));
                        assert_eq!(found, expected, "{text}");
                    }
                    assert!(parse_short_number(number.as_bytes()).is_none(), "{number}");
                }
            }
        }
        for wrong in ["01,", "-,", ".5,", "1.,", "-01,", "1.2.3,", "+1,", "1-,"] {
            assert!(parse_short_number(wrong.as_bytes()).is_none(), "{wrong}");
        }
    }
}
