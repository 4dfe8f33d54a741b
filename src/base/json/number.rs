//! Numbers: the grammar of RFC 8259, and the nearest double.

/// What is wrong with a number.
pub enum NumberFault {
    /// It is not written as JSON wants it.
    Malformed,
    /// No finite double is near it.
    OutOfRange,
}

/// Powers of ten that a double holds exactly.
const EXACT: [f64; 16] =
    [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15];

/// The double nearest to the number written in `token`, which holds nothing else.
pub fn parse_number(token: &[u8]) -> Result<f64, NumberFault> {
    let Shape { digits, fraction, exponent } = shape(token).ok_or(NumberFault::Malformed)?;
    if !exponent && digits <= 15 {
        // At most fifteen digits and a power of ten that is exact: one rounding, so it is right.
        let mut mantissa = 0u64;
        for byte in token {
            if byte.is_ascii_digit() {
                mantissa = mantissa * 10 + u64::from(byte - b'0');
            }
        }
        let scale = EXACT.get(fraction).ok_or(NumberFault::Malformed)?;
        let value = mantissa as f64 / scale;
        return Ok(if token.first() == Some(&b'-') { -value } else { value });
    }
    let text = std::str::from_utf8(token).map_err(|_| NumberFault::Malformed)?;
    match text.parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(value),
        Ok(_) => Err(NumberFault::OutOfRange),
        Err(_) => Err(NumberFault::Malformed),
    }
}

struct Shape {
    digits: usize,
    fraction: usize,
    exponent: bool,
}

/// `-? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)?`, and nothing behind it.
fn shape(token: &[u8]) -> Option<Shape> {
    let unsigned = token.strip_prefix(b"-").unwrap_or(token);
    let (whole, rest) = digits(unsigned);
    if whole == 0 || (whole > 1 && unsigned.first() == Some(&b'0')) {
        return None;
    }
    let (fraction, rest) = match rest.strip_prefix(b".") {
        None => (0, rest),
        Some(rest) => match digits(rest) {
            (0, _) => return None,
            found => found,
        },
    };
    let (exponent, rest) = match rest.split_first() {
        Some((b'e' | b'E', rest)) => {
            let unsigned = match rest.split_first() {
                Some((b'+' | b'-', unsigned)) => unsigned,
                _ => rest,
            };
            match digits(unsigned) {
                (0, _) => return None,
                (_, rest) => (true, rest),
            }
        }
        _ => (false, rest),
    };
    rest.is_empty().then_some(Shape { digits: whole + fraction, fraction, exponent })
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
    fn refuses_what_is_no_number() {
        for text in
            ["", "-", "01", "1.", ".5", "1e", "1e+", "+1", "1.e1", "--1", "1-2", "-01", "1.2.3"]
        {
            assert!(matches!(parse_number(text.as_bytes()), Err(NumberFault::Malformed)), "{text}");
        }
        assert!(matches!(parse_number(b"1e999"), Err(NumberFault::OutOfRange)));
        assert!(matches!(parse_number(b"-1e999"), Err(NumberFault::OutOfRange)));
    }
}
