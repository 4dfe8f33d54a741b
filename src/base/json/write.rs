//! Writing JSON text.

use super::decimal;
use super::scan::next_inside;

/// Appends a string in double quotes, as ECMAScript does and RFC 8785 wants it.
pub fn write_text(text: &str, out: &mut String) {
    out.reserve(text.len() + 2);
    out.push('"');
    let mut from = 0;
    loop {
        let at = stop(text.as_bytes(), from);
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

/// Where the next byte is that stands as an escape; the length where there is none.
fn stop(text: &[u8], from: usize) -> usize {
    /// In what is shorter, bytes are looked at one by one.
    const SHORT: usize = 16;
    if text.len() >= SHORT {
        return next_inside(text, from);
    }
    let is_stop = |byte: &u8| matches!(byte, b'"' | b'\\' | 0..=0x1f);
    let rest = text.get(from..).unwrap_or_default();
    from + rest.iter().position(is_stop).unwrap_or(rest.len())
}

/// Appends a finite number in the fewest digits that read back as the same double, as ECMAScript does.
pub fn write_number(value: f64, out: &mut String) {
    if value.is_sign_negative() {
        out.push('-');
    }
    if value == 0.0 {
        out.push('0');
        return;
    }
    let (digits, exponent) = decimal::shortest(value.abs());
    let digits = digits.to_string();
    let zeros = |count: i32, out: &mut String| out.extend((0..count).map(|_| '0'));
    // How many digits stand before the point.
    let point = digits.len() as i32 + exponent;
    if exponent >= 0 && point <= 21 {
        out.push_str(&digits);
        zeros(exponent, out);
    } else if (-5..=0).contains(&point) {
        out.push_str("0.");
        zeros(-point, out);
        out.push_str(&digits);
    } else {
        let small = (1..=21).contains(&point);
        let (before, after) =
            digits.split_at_checked(if small { point as usize } else { 1 }).unwrap_or_default();
        out.push_str(before);
        if !after.is_empty() {
            out.push('.');
            out.push_str(after);
        }
        if !small {
            out.push_str(if point > 0 { "e+" } else { "e" });
            out.push_str(&(point - 1).to_string());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_reads_back() {
        for value in [0.0, -0.0, 1.0, -1.5, 1e21, 1e300, 5e-324, 0.1, 123456789.125, 1e-7] {
            let mut text = String::new();
            write_number(value, &mut text);
            assert_eq!(text.parse::<f64>().map(f64::to_bits), Ok(value.to_bits()), "{text}");
        }
        let mut text = String::new();
        write_number(-1.5e21, &mut text);
        write_number(1e-7, &mut text);
        assert_eq!(text, "-1.5e+211e-7");
        let mut text = String::new();
        write_text("a\"\\\n\u{1}é\u{8}\u{c}\r\t\u{1f}", &mut text);
        assert_eq!(text, r#""a\"\\\n\u0001é\b\f\r\t\u001f""#);
    }
}
