//! Numbers: the grammar of RFC 8259, and the nearest double.

use super::decimal;

/// What is wrong with a number.
pub enum NumberFault {
    /// It is not written as JSON wants it.
    Malformed,
    /// No finite double is near it.
    OutOfRange,
}

/// The number that a text spells, if it is nothing but a number of JSON.
pub fn number_of(text: &str) -> Option<f64> {
    parse_number(text.as_bytes()).ok()
}

/// Powers of ten that a double holds exactly.
const EXACT: [f64; 16] =
    [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15];

/// The number that `bytes` begin with, and its length, where it has no exponent and at most nineteen
/// digits and something follows it. Whatever else it is, the whole grammar has to tell.
#[inline]
pub fn short_number(bytes: &[u8]) -> Option<(f64, usize)> {
    /// So many digits fit into 64 bits.
    const MOST: usize = 19;
    /// A double holds so many.
    const HELD: usize = 15;
    /// A sign, the digits, a point and what follows.
    const LONGEST: usize = MOST + 3;
    let bytes = bytes.get(..LONGEST).unwrap_or(bytes);
    let negative = bytes.first() == Some(&b'-');
    let start = usize::from(negative);
    let mut mantissa = 0u64;
    let mut at = start;
    let mut point = None;
    let stop = loop {
        let (digits, count) = digits_of(bytes.get(at..)?);
        let scale = TENS.get(count).copied().unwrap_or(1);
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
        && whole + fraction <= MOST
        && !matches!(stop, b'e' | b'E' | b'+' | b'-' | b'.');
    if !is_plain {
        return None;
    }
    let value = match EXACT.get(fraction) {
        // A division takes as long as reading five digits.
        _ if fraction == 0 && whole <= HELD => mantissa as f64,
        Some(scale) if whole + fraction <= HELD => mantissa as f64 / scale,
        _ => decimal::quick(mantissa, -(fraction as i32))?,
    };
    Some((if negative { -value } else { value }, at))
}

/// Powers of ten up to that of as many digits as are read at once.
const TENS: [u64; 9] = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000];

/// The number that the digits at the start of `bytes` are, up to eight of them, and how many those are; at
/// the very end of a text one at a time.
#[inline(always)]
fn digits_of(bytes: &[u8]) -> (u64, usize) {
    const HIGH: u64 = 0xf0f0_f0f0_f0f0_f0f0;
    const THREES: u64 = 0x3030_3030_3030_3030;
    const SIXES: u64 = 0x0606_0606_0606_0606;
    let Some(eight) = bytes.first_chunk() else {
        let digit = bytes.first().map_or(u8::MAX, |byte| byte.wrapping_sub(b'0'));
        return if digit < 10 { (digit.into(), 1) } else { (0, 0) };
    };
    let word = u64::from_le_bytes(*eight);
    // A digit begins with a three, and with a three when six is added. What a sum carries goes to bytes
    // behind one that is none.
    let others = (word & HIGH ^ THREES) | (word.wrapping_add(SIXES) & HIGH ^ THREES);
    let count = others.trailing_zeros() / 8;
    if count == 0 {
        return (0, 0);
    }
    // The digits go to the end, with zeros before them; then pairs are added up, fours, and all eight.
    let digits = word << (64 - 8 * count) & !HIGH;
    let pairs = digits.wrapping_mul(10 << 8 | 1) >> 8 & 0x00ff_00ff_00ff_00ff;
    let fours = pairs.wrapping_mul(100 << 16 | 1) >> 16 & 0x0000_ffff_0000_ffff;
    (fours.wrapping_mul(10_000 << 32 | 1) >> 32, count as usize)
}

/// The double nearest to the number written in `token`, which holds nothing else.
pub fn parse_number(token: &[u8]) -> Result<f64, NumberFault> {
    let Shape { fraction, exponent } = shape(token).ok_or(NumberFault::Malformed)?;
    let written = token.get(..token.len() - exponent.len()).unwrap_or_default();
    let exponent = whole(exponent) - fraction as i64;
    // With a digit behind it, this still fits. (A checked product would take 128 bits here.)
    const MOST: u64 = u64::MAX / 10 - 1;
    let mut mantissa = Some(0u64);
    for byte in written {
        if byte.is_ascii_digit() {
            let digit = u64::from(byte - b'0');
            mantissa = mantissa.filter(|sum| *sum <= MOST).map(|sum| sum * 10 + digit);
        }
    }
    let usual = mantissa.zip(i32::try_from(exponent).ok());
    let value = usual.and_then(|(mantissa, exponent)| decimal::quick(mantissa, exponent));
    let value = value.unwrap_or_else(|| {
        let digits = written.iter().filter(|byte| byte.is_ascii_digit());
        decimal::nearest(digits.map(|byte| byte - b'0'), exponent)
    });
    if value.is_infinite() {
        return Err(NumberFault::OutOfRange);
    }
    Ok(if token.first() == Some(&b'-') { -value } else { value })
}

/// `([eE] [+-]? [0-9]+)?`, as far from zero as matters.
fn whole(exponent: &[u8]) -> i64 {
    const ENOUGH: i64 = 1 << 40;
    let digits = exponent.iter().filter(|byte| byte.is_ascii_digit());
    let size = digits.fold(0, |size, digit| (size * 10 + i64::from(digit - b'0')).min(ENOUGH));
    if exponent.get(1) == Some(&b'-') { -size } else { size }
}

struct Shape<'t> {
    /// How many digits stand behind the point.
    fraction: usize,
    /// From the `e` on.
    exponent: &'t [u8],
}

/// `-? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)?`, and nothing behind it.
fn shape(token: &[u8]) -> Option<Shape<'_>> {
    let unsigned = token.strip_prefix(b"-").unwrap_or(token);
    let (whole, rest) = digits(unsigned);
    if whole == 0 || (whole > 1 && unsigned.first() == Some(&b'0')) {
        return None;
    }
    let (fraction, exponent) = match rest.strip_prefix(b".") {
        None => (0, rest),
        Some(rest) => match digits(rest) {
            (0, _) => return None,
            found => found,
        },
    };
    let is_exponent = match exponent {
        [] => true,
        [b'e' | b'E', b'+' | b'-', size @ ..] | [b'e' | b'E', size @ ..] => {
            matches!(digits(size), (1.., []))
        }
        _ => false,
    };
    is_exponent.then_some(Shape { fraction, exponent })
}

fn digits(bytes: &[u8]) -> (usize, &[u8]) {
    let count = bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
    (count, bytes.get(count..).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_the_standard_library() {
        for text in [
            "0",
            "-0",
            "1",
            "-1.5",
            "123456789012345",
            "0.000001",
            "1e3",
            "1E-3",
            "1.7976931348623157e308",
            "5e-324",
            "9007199254740993",
            "0.1",
            "1234567890123456789",
            "100000000000000.5",
        ] {
            let value = parse_number(text.as_bytes()).ok();
            assert_eq!(value.map(f64::to_bits), text.parse().ok().map(f64::to_bits), "{text}");
        }
    }

    #[test]
    fn agrees_with_the_standard_library_on_any_double() {
        let mut bits = 1u64;
        for nth in 0..20_000 {
            bits = bits
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            // Doubles of any size, and near one.
            let value =
                f64::from_bits(if nth % 2 == 0 { bits } else { bits >> 12 | 0x3ff << 52 }).abs();
            if !value.is_finite() {
                continue;
            }
            let mut written = String::new();
            crate::base::json::write_number(value, &mut written);
            assert_eq!(written.parse(), Ok(value), "{written}");
            assert!(written.len() <= value.to_string().len(), "{written}");
            for text in
                [written, format!("{value:e}"), format!("{value:.19e}"), format!("{value}7e-3")]
            {
                let read = parse_number(text.as_bytes()).ok();
                assert_eq!(read.map(f64::to_bits), text.parse().ok().map(f64::to_bits), "{text}");
            }
        }
    }

    #[test]
    fn agrees_with_the_standard_library_on_what_is_written_in_full() {
        let mut bits = 1u64;
        let mut next = |below: u64| {
            bits = bits
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (bits >> 11) % below
        };
        for _ in 0..20_000 {
            // Fractions and measurements, what is half-way between two doubles, and digits by chance.
            let value = next(1 << 53) as f64 / (1u64 << 53) as f64 * 10f64.powi(next(16) as i32);
            let half_way = (1u64 << 53) + next(1 << 53) / 2 * 2 + 1;
            let digits = next(1 << 53) * 1000 + next(1000);
            for text in [
                value.to_string(),
                format!("{half_way}"),
                format!("{}.5", half_way >> 1),
                format!("{digits}e{}", next(80) as i32 - 40),
                format!("{digits}e{}", next(680) as i32 - 350),
                format!("{digits}{digits}e{}", next(680) as i32 - 360),
                format!("{}e{}", next(100), next(680) as i32 - 350),
                format!("-{}.{digits}", next(10)),
            ] {
                let expected: f64 = text.parse().unwrap();
                let read = parse_number(text.as_bytes()).ok();
                let finite = Some(expected.to_bits()).filter(|_| expected.is_finite());
                assert_eq!(read.map(f64::to_bits), finite, "{text}");
                if let Some((value, length)) = short_number(format!("{text}}}").as_bytes()) {
                    assert_eq!((value.to_bits(), length), (expected.to_bits(), text.len()));
                }
                if expected.is_infinite() {
                    continue;
                }
                let mut written = String::new();
                crate::base::json::write_number(expected, &mut written);
                assert_eq!(written.parse(), Ok(expected), "{text}");
                assert!(written.len() <= expected.to_string().len(), "{written}");
            }
        }
    }

    #[test]
    fn rounds_as_the_standard_library() {
        let half = "0.500000000000000166533453693773481063544750213623046875";
        let least = format!("{:.1075}", f64::from_bits(1) / 2.0 * 1.5);
        for text in [
            half,
            &format!("{half}1"),
            &format!("{half}{}1", "0".repeat(900)),
            &least,
            "2.4703282292062327e-324",
            "2.4703282292062328e-324",
            "2.2250738585072011e-308",
            "2.2250738585072014e-308",
            "1.7976931348623158e308",
            "9007199254740993e0",
            "9007199254740993.00000000000000000000000000000001",
            "1e-400",
            "1e23",
            "0e999",
            "8.41e-30",
            "1e-99999999999999999999",
        ] {
            let value = parse_number(text.as_bytes()).ok();
            assert_eq!(value.map(f64::to_bits), text.parse().ok().map(f64::to_bits), "{text}");
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
            match short_number(&followed) {
                Some((value, length)) => {
                    assert_eq!(length, text.len());
                    assert_eq!(Some(value.to_bits()), whole.map(f64::to_bits), "{text}");
                }
                None => assert!(whole.is_none() || text.contains('e') || text.len() > 15, "{text}"),
            }
            assert_eq!(short_number(text.as_bytes()), None, "{text} may go on");
        }
    }

    #[test]
    fn refuses_what_is_no_number() {
        for text in
            ["", "-", "01", "1.", ".5", "1e", "1e+", "+1", "1.e1", "--1", "1-2", "-01", "1.2.3"]
        {
            assert!(matches!(parse_number(text.as_bytes()), Err(NumberFault::Malformed)), "{text}");
        }
        assert!(matches!(parse_number(b"1e999"), Err(NumberFault::OutOfRange)));
        assert!(matches!(parse_number(b"-1e999"), Err(NumberFault::OutOfRange)));
    }

    #[test]
    fn digits_end_where_another_byte_stands() {
        for length in 0..12 {
            for at in 0..=length {
                for byte in (0..=255u8).filter(|byte| !byte.is_ascii_digit()) {
                    let mut text = *b"987654321098";
                    text.iter_mut().skip(at).take(1).for_each(|slot| *slot = byte);
                    let text = &text[..length];
                    // So many are read at once, and one by one where fewer bytes are left.
                    let found = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
                    let count = if length < 8 { found.min(1) } else { found.min(8) };
                    let digits = std::str::from_utf8(&text[..count]).unwrap();
                    let expected = (digits.parse().unwrap_or(0), count);
                    assert_eq!(digits_of(text), expected, "{byte} at {at} of {length}");
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
                    for behind in [",", "}", " ", ",\"longer\":1", "e", "."] {
                        let text = format!("{number}{behind}");
                        let found = short_number(text.as_bytes());
                        let is_short = digits <= 19 && !matches!(behind, "e" | ".");
                        let expected = is_short.then_some((expected.to_bits(), number.len()));
                        let found = found.map(|(value, length)| (value.to_bits(), length));
                        assert_eq!(found, expected, "{text}");
                    }
                    assert!(short_number(number.as_bytes()).is_none(), "{number}");
                }
            }
        }
        for wrong in ["01,", "-,", ".5,", "1.,", "-01,", "1.2.3,", "+1,", "1-,"] {
            assert!(short_number(wrong.as_bytes()).is_none(), "{wrong}");
        }
    }
}
