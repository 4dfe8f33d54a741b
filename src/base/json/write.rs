//! Formats JSON text.

use super::scan::next_special;

/// Appends a string in double quotes, escaped as by `JSON.stringify` and RFC 8785.
pub fn write_text(text: &str, out: &mut String) {
    out.reserve(text.len() + 2);
    out.push('"');
    let mut from = 0;
    loop {
        let at = next_escaped(text.as_bytes(), from);
        out.push_str(text.get(from..at).unwrap_or_default());
        let Some(byte) = text.as_bytes().get(at) else { break };
        match byte {
            b'"' => out.push_str("\\\""),
            b'\\' => out.push_str("\\\\"),
            b'\n' => out.push_str("\\n"),
            b'\r' => out.push_str("\\r"),
            b'\t' => out.push_str("\\t"),
            0x08 => out.push_str("\\b"),
            0x0c => out.push_str("\\f"),
            control => out.push_str(&format!("\\u{control:04x}")),
        }
        from = at + 1;
    }
    out.push('"');
}

/// Returns the index of the next byte that needs an escape; the length if there is none.
fn next_escaped(text: &[u8], from: usize) -> usize {
    /// Shorter texts are scanned byte by byte.
    const SHORT: usize = 16;
    if text.len() >= SHORT {
        return next_special(text, from);
    }
    let is_stop = |byte: &u8| matches!(byte, b'"' | b'\\' | 0..=0x1f);
    let rest = text.get(from..).unwrap_or_default();
    from + rest.iter().position(is_stop).unwrap_or(rest.len())
}

/// Appends a finite number in the fewest digits that parse to the same double, formatted as in ECMAScript
/// (`Number::toString`); -0 keeps its sign.
pub fn write_number(value: f64, out: &mut String) {
    if value == 0.0 && value.is_sign_negative() {
        out.push('-');
    }
    out.push_str(ryu_js::Buffer::new().format_finite(value));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_as_ecmascript() {
        for value in [0.0, -0.0, 1.0, -1.5, 1e21, 1e300, 5e-324, 0.1, 123456789.125, 1e-7] {
            let mut text = String::new();
            write_number(value, &mut text);
            assert_eq!(text.parse::<f64>().map(f64::to_bits), Ok(value.to_bits()), "{text}");
        }
        // Output of `JSON.stringify`, except for the sign of -0.
        for (value, expected) in [
            (-0.0, "-0"),
            (-1.5e21, "-1.5e+21"),
            (1e21, "1e+21"),
            (999_999_999_999_999_900_000.0, "999999999999999900000"),
            (123_456_789_012_345_680_000.0, "123456789012345680000"),
            (9_007_199_254_740_993.0, "9007199254740992"),
            (1e-6, "0.000001"),
            (9.5e-7, "9.5e-7"),
            (1e-7, "1e-7"),
            (0.1 + 0.2, "0.30000000000000004"),
            (f64::MAX, "1.7976931348623157e+308"),
        ] {
            let mut text = String::new();
            write_number(value, &mut text);
            assert_eq!(text, expected);
        }
        let mut text = String::new();
        write_text("a\"\\\n\u{1}é\u{8}\u{c}\r\t\u{1f}", &mut text);
        assert_eq!(text, r#""a\"\\\n\u0001é\b\f\r\t\u001f""#);
    }
}
