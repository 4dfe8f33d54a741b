//! Notations of numbers in the cells of a table.

use crate::gasl::import::number::exact_number;

/// Notation of the numbers of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberFormat {
    /// The column has texts.
    None,
    /// Numbers of JSON.
    Point,
    /// Numbers with a decimal comma.
    Comma,
}

/// Parses a cell of a numeric column; `None` if it is not a number.
pub fn parse_cell_number(text: &str, format: NumberFormat) -> Option<f64> {
    let text = text.trim_ascii();
    match format {
        NumberFormat::None => None,
        NumberFormat::Point => exact_number(text),
        NumberFormat::Comma => exact_number(text).or_else(|| parse_comma_number(text)),
    }
}

/// Returns whether a cell is blank or has a common name of a missing value.
pub fn is_missing(text: &str) -> bool {
    let text = text.trim_ascii();
    let names = ["", "na", "n/a", "#n/a", "<na>", "nan", "null", "none"];
    // Most texts are longer.
    text.len() <= 4 && names.iter().any(|name| text.eq_ignore_ascii_case(name))
}

pub fn allows_commas(delimiter: u8) -> bool {
    matches!(delimiter, b';' | b'\t')
}

/// Returns whether a number has one separator before three digits, such as `12.000`.
pub fn is_grouped(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let Some((before, after)) = digits.split_once([',', '.']) else { return false };
    let all_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    matches!(before.len(), 1..=3)
        && !before.starts_with('0')
        && after.len() == 3
        && all_digits(before)
        && all_digits(after)
}

/// Returns the last separator of a number: `,` or `.`.
fn last_separator(number: &str) -> char {
    if number.rfind(',') > number.rfind('.') { ',' } else { '.' }
}

/// Maximum number of digits of a number that begins with `+`. More are a telephone number.
const MAX_SIGNED_DIGITS: usize = 6;

/// Returns whether a text is a number with separators of thousands, a sign, a unit or no integer part.
pub fn is_formatted_number(text: &str) -> bool {
    let (signed, plain) = match text.strip_prefix('+') {
        Some(plain) => (true, plain),
        None => (false, text.strip_prefix('-').unwrap_or(text)),
    };
    if matches!(plain.to_ascii_lowercase().as_str(), "inf" | "infinity") {
        return true;
    }
    let unit = ['$', '€', '£', '%', ' ', '\u{a0}', '\u{202f}'];
    let number = plain.trim_matches(unit);
    let has_unit = number.len() < plain.len();
    // Of two kinds of separators the last is the decimal one.
    let separators = |text: &str| text.matches([',', '.']).count();
    let (integer, fraction) = match number.rsplit_once([',', '.']) {
        _ if separators(number) == 1 && is_grouped(number) && number.contains(',') => (number, "0"),
        Some((before, after)) if number.matches(last_separator(number)).count() == 1 => {
            (before, after)
        }
        _ => (number, "0"),
    };
    let all_digits =
        |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let groups: Vec<&str> = integer.split([',', '.', '\'', ' ', '\u{a0}', '\u{202f}']).collect();
    let is_integer = match groups.as_slice() {
        [""] => !fraction.is_empty(),
        [one] => all_digits(one) && (!signed || one.len() <= MAX_SIGNED_DIGITS),
        // Four groups with points are an address of a network.
        [first, rest @ ..] => {
            matches!(first.len(), 1..=3)
                && all_digits(first)
                && rest.iter().all(|group| group.len() == 3 && all_digits(group))
                && !(rest.len() == 3 && integer.contains('.'))
        }
        [] => false,
    };
    let is_other =
        has_unit || signed || groups.len() > 1 || integer.is_empty() || number.contains(',');
    let has_digit = number.bytes().any(|byte| byte.is_ascii_digit());
    has_digit && is_other && is_integer && all_digits(fraction)
}

/// Parses a number with a decimal comma.
pub fn parse_comma_number(text: &str) -> Option<f64> {
    let (integer, fraction) = text.split_once(',')?;
    let is_fraction = !fraction.is_empty() && fraction.bytes().all(|byte| byte.is_ascii_digit());
    let digits = integer.strip_prefix('-').unwrap_or(integer);
    let is_integer = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    if !is_fraction || !is_integer {
        return None;
    }
    exact_number(&format!("{integer}.{fraction}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_other_notations_are_recognised() {
        for text in [
            "1,234",
            "1,234.5",
            "1.234.567",
            "1 234,5",
            "1'234.5",
            ".5",
            "-.5",
            "+10",
            "inf",
            "-Infinity",
        ] {
            assert!(is_formatted_number(text), "{text}");
        }
        for text in ["50%", "$1,234.50", "9 €", "1,5"] {
            assert!(is_formatted_number(text), "{text}");
        }
        for text in [
            "192.168.100.200",
            "+4712345678",
            "1.2.3",
            "2020-01-05",
            "12:30",
            "a,5",
            "%",
            ".",
            "+",
            "info",
            "1,2,3",
        ] {
            assert!(!is_formatted_number(text), "{text}");
        }
        assert!(is_grouped("12.000") && is_grouped("1,234"));
        assert!(!is_grouped("0.125") && !is_grouped("1.5") && !is_grouped("1234.567"));
    }

    #[test]
    fn decimal_commas_are_parsed() {
        assert_eq!(parse_cell_number("-1,25", NumberFormat::Comma), Some(-1.25));
        assert_eq!(parse_cell_number("2", NumberFormat::Comma), Some(2.0));
        for text in ["1,", ",5", "1,2,3", "a,5", "1,5e3", "007,5"] {
            assert_eq!(parse_cell_number(text, NumberFormat::Comma), None, "{text}");
        }
    }
}
