//! Equality and order of values in conditions.

use crate::base::Value;
use std::cmp::Ordering;

/// Checks equality: a number and a numeric string as numbers, a boolean and its name in any case,
/// all else exactly.
pub fn equal(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Text(a), Value::Text(b)) => a == b,
        (Value::Bool(value), Value::Text(text)) | (Value::Text(text), Value::Bool(value)) => {
            spells_bool(text, *value)
        }
        (Value::Number(_), Value::Text(_)) | (Value::Text(_), Value::Number(_)) => {
            to_number(a).zip(to_number(b)).is_some_and(|(a, b)| a == b)
        }
        _ => a == b,
    }
}

/// Orders two strings, or numbers and numeric strings; returns `None` for other values.
pub fn compare(a: &Value, b: &Value) -> Option<Ordering> {
    match (a, b) {
        (Value::Text(a), Value::Text(b)) => Some(a.cmp(b)),
        _ => to_number(a)?.partial_cmp(&to_number(b)?),
    }
}

/// Returns a number, or the value of a [numeric string](parse_numeric_text).
pub fn to_number(value: &Value) -> Option<f64> {
    match value {
        Value::Number(number) => Some(*number),
        Value::Text(text) => parse_numeric_text(text),
        _ => None,
    }
}

/// Parses a string as a JSON number with optional white space around it.
pub fn parse_numeric_text(text: &str) -> Option<f64> {
    let text = text.trim();
    let first = text.bytes().next()?;
    if text.len() > 40 || !(first.is_ascii_digit() || first == b'-') {
        return None;
    }
    crate::base::json::parse_number_text(text)
}

/// Returns whether a string spells a boolean, in any case.
pub fn spells_bool(text: &str, value: bool) -> bool {
    text.eq_ignore_ascii_case(if value { "true" } else { "false" })
}
