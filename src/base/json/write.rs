//! Writing JSON text.

/// Appends a string in double quotes.
pub fn write_text(text: &str, out: &mut String) {
    out.push('"');
    let mut from = 0;
    for (at, byte) in text.bytes().enumerate() {
        let escape = match byte {
            b'"' => "\\\"",
            b'\\' => "\\\\",
            b'\n' => "\\n",
            b'\r' => "\\r",
            b'\t' => "\\t",
            0..=0x1f => "",
            _ => continue,
        };
        out.push_str(text.get(from..at).unwrap_or_default());
        if escape.is_empty() {
            out.push_str(&format!("\\u{byte:04x}"));
        } else {
            out.push_str(escape);
        }
        from = at + 1;
    }
    out.push_str(text.get(from..).unwrap_or_default());
    out.push('"');
}

/// Appends a finite number in the fewest digits that read back as the same double.
pub fn write_number(value: f64, out: &mut String) {
    use std::fmt::Write;
    let size = value.abs();
    // Writing to a string cannot fail.
    let _ = if size == 0.0 || (1e-7..1e21).contains(&size) {
        write!(out, "{value}")
    } else {
        write!(out, "{value:e}")
    };
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
        write_text("a\"\\\n\u{1}é", &mut text);
        assert_eq!(text, r#""a\"\\\n\u0001é""#);
    }
}
