//! Numbers in imported texts: those of JSON and XML Schema, and the forms of C, Python, Java and R.

use crate::base::json::parse_number_text;

/// Result of reading a text as a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NumberText {
    /// A finite number.
    Finite(f64),
    /// An integer with more digits than a double represents; such numbers are mostly ids.
    TooLong(f64),
    /// Infinity, not a number, or a number outside the range of doubles. JSON has none of them.
    NotFinite,
    /// Any other text.
    NotNumber,
}

/// Reads a number whose type is not declared: `2.5`, `+2.5`, `.5`, `1e3`, `0x1.8p+1`, `INF`, `NaN`.
/// `007` and `0x1F` are not numbers, because they are mostly codes.
pub fn read_number(text: &str) -> NumberText {
    match exact_number(text) {
        Some(number) => NumberText::Finite(number),
        None => match read_other_form(text) {
            (number, NumberForm::Number) => number,
            (_, NumberForm::Code) => NumberText::NotNumber,
        },
    }
}

/// Reads a number whose type is declared: also `007` and `0x1F`.
pub fn read_declared_number(text: &str) -> NumberText {
    match exact_number(text) {
        Some(number) => NumberText::Finite(number),
        None => read_other_form(text).0,
    }
}

/// Maximum number of digits of integers that a double represents exactly.
const EXACT_DIGITS: usize = 15;

/// Parses a JSON number; returns `None` if a double would lose digits, because long numbers are ids.
pub fn exact_number(text: &str) -> Option<f64> {
    let is_integer = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    if is_integer && text.len() > EXACT_DIGITS + usize::from(text.starts_with('-')) {
        return None;
    }
    parse_number_text(text)
}

/// Whether a number could be a code instead.
#[derive(Clone, Copy, PartialEq, Eq)]
enum NumberForm {
    Number,
    /// With leading zeros, or a hexadecimal integer.
    Code,
}

/// Reads the forms that JSON does not have.
fn read_other_form(text: &str) -> (NumberText, NumberForm) {
    let not_number = (NumberText::NotNumber, NumberForm::Number);
    let text = text.trim_ascii();
    let (sign, digits) = match text.split_at_checked(1) {
        Some(("-", digits)) => (-1.0, digits),
        Some(("+", digits)) => (1.0, digits),
        _ => (1.0, text),
    };
    if ["inf", "infinity", "nan"].iter().any(|name| digits.eq_ignore_ascii_case(name)) {
        return (NumberText::NotFinite, NumberForm::Number);
    }
    if let Some(hexadecimal) = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        let form = match hexadecimal.contains(['p', 'P', '.']) {
            true => NumberForm::Number,
            false => NumberForm::Code,
        };
        return match hexadecimal_number(hexadecimal) {
            Some(number) => (finite_or_not(sign * number), form),
            None => not_number,
        };
    }
    let Some((json, form)) = to_json_number(digits) else { return not_number };
    let is_integer = json.bytes().all(|byte| byte.is_ascii_digit());
    let number = match parse_number_text(&json) {
        Some(number) if is_integer && json.len() > EXACT_DIGITS => {
            NumberText::TooLong(sign * number)
        }
        Some(number) => NumberText::Finite(sign * number),
        // Out of range.
        None => NumberText::NotFinite,
    };
    (number, form)
}

/// Returns an unsigned decimal number as JSON writes it: `.5` as `0.5`, `007` as `7`.
fn to_json_number(text: &str) -> Option<(String, NumberForm)> {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (text, None),
    };
    let (integer, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if !is_digits(integer) || !is_digits(fraction) || integer.is_empty() && fraction.is_empty() {
        return None;
    }
    let significant = integer.trim_start_matches('0');
    let form = match integer.len() > 1 && significant.len() < integer.len() {
        true => NumberForm::Code,
        false => NumberForm::Number,
    };
    let mut json = String::from(if significant.is_empty() { "0" } else { significant });
    if !fraction.is_empty() {
        json.push('.');
        json.push_str(fraction);
    }
    if let Some(exponent) = exponent {
        let digits = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        if digits.is_empty() || !is_digits(digits) {
            return None;
        }
        json.push('e');
        json.push_str(exponent);
    }
    Some((json, form))
}

fn finite_or_not(number: f64) -> NumberText {
    match number.is_finite() {
        true => NumberText::Finite(number),
        false => NumberText::NotFinite,
    }
}

/// Parses the hexadecimal float of C99 after its `0x`: `1.8p+1` is 3. The exponent is optional.
fn hexadecimal_number(text: &str) -> Option<f64> {
    let (digits, exponent) = match text.split_once(['p', 'P']) {
        Some((digits, exponent)) => (digits, binary_exponent(exponent)?),
        None => (text, 0),
    };
    let (integer, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    if integer.is_empty() && fraction.is_empty() {
        return None;
    }
    let (mut mantissa, mut shift) = (0u64, exponent);
    for (nth, digit) in integer.chars().chain(fraction.chars()).enumerate() {
        let digit = u64::from(digit.to_digit(16)?);
        let is_fraction = nth >= integer.len();
        if mantissa >> 58 == 0 {
            mantissa = mantissa << 4 | digit;
            shift -= 4 * i64::from(is_fraction);
        } else {
            // Further digits decide only how the number is rounded.
            mantissa |= u64::from(digit > 0);
            shift += 4 * i64::from(!is_fraction);
        }
    }
    Some(scale_by_power_of_two(mantissa as f64, shift))
}

/// Parses a decimal exponent of two, limited to ±100,000, beyond which every number is 0 or infinite
/// unless its text has more zeros than that.
fn binary_exponent(text: &str) -> Option<i64> {
    const MAX_EXPONENT: i64 = 100_000;
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let exponent = digits.parse::<i64>().unwrap_or(MAX_EXPONENT).min(MAX_EXPONENT);
    Some(if text.starts_with('-') { -exponent } else { exponent })
}

/// Returns `number * 2^exponent`. Only the last multiplication can round.
fn scale_by_power_of_two(mut number: f64, mut exponent: i64) -> f64 {
    const STEP: i64 = 1000;
    while exponent > STEP && number.is_finite() && number != 0.0 {
        number *= power_of_two(STEP);
        exponent -= STEP;
    }
    while exponent < -STEP && number != 0.0 {
        number *= power_of_two(-STEP);
        exponent += STEP;
    }
    number * power_of_two(exponent.clamp(-STEP, STEP))
}

/// Returns a power of two with an exponent from -1022 to 1023.
fn power_of_two(exponent: i64) -> f64 {
    f64::from_bits(((1023 + exponent) as u64) << 52)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_numbers_of_several_languages() {
        let finite = |text: &str, expected: f64| {
            assert_eq!(read_number(text), NumberText::Finite(expected), "{text}");
            assert_eq!(read_declared_number(text), NumberText::Finite(expected), "{text}");
        };
        finite("2.5", 2.5);
        finite("+2.5", 2.5);
        finite(" -7 ", -7.0);
        finite(".5", 0.5);
        finite("-.5e1", -5.0);
        finite("5.", 5.0);
        finite("1E+3", 1000.0);
        finite("123456789012345", 123_456_789_012_345.0);
        finite("0", 0.0);
        finite("0.25", 0.25);
        finite("0x1.8p+1", 3.0);
        finite("-0x1p-1", -0.5);
        finite("0X.8P4", 8.0);
        finite("0x1.999999999999ap-4", 0.1);
        finite("0x1.fffffffffffffp+1023", f64::MAX);
        finite("0x0.0000000000001p-1022", f64::from_bits(1));
        finite("0x1p-1074", f64::from_bits(1));
        finite("0x0p+0", 0.0);
        // 2^53 + 1 lies between two doubles and is rounded to the even one; a further bit rounds up.
        finite("0x20000000000001p0", 9_007_199_254_740_992.0);
        finite("0x20000000000001.0000000000001p0", 9_007_199_254_740_994.0);
    }

    #[test]
    fn separates_other_texts() {
        for text in ["INF", "-INF", "NaN", "inf", "+Infinity", "nan", "1e999", "-1e999", "0x1p9999"]
        {
            assert_eq!(read_number(text), NumberText::NotFinite, "{text}");
        }
        for text in [
            "", " ", "-", "+", ".", "e5", "1e", "0x", "0x.p1", "0x1p", "0xg", "1 2", "1,5", "in",
            "--1", "0x1p+-1", "٣",
        ] {
            assert_eq!(read_number(text), NumberText::NotNumber, "{text}");
            assert_eq!(read_declared_number(text), NumberText::NotNumber, "{text}");
        }
        for (text, number) in [("007", 7.0), ("-00.5", -0.5), ("0x1F", 31.0), ("+08", 8.0)] {
            assert_eq!(read_number(text), NumberText::NotNumber, "{text}");
            assert_eq!(read_declared_number(text), NumberText::Finite(number), "{text}");
        }
        assert_eq!(read_number("1234567890123456"), NumberText::TooLong(1_234_567_890_123_456.0));
        let long = "1".repeat(400);
        assert_eq!(read_number(&long), NumberText::NotFinite);
        let zeros = format!("0x{}1p-4", "0".repeat(100_000));
        assert_eq!(read_number(&zeros), NumberText::Finite(0.0625));
    }
}
