//! Equality and order of values in conditions.

use crate::base::Value;
use std::cmp::Ordering;

/// Whether two values are equal: two numbers, or a number and a numeric text, as numbers; a
/// boolean and its name as one; all else exactly.
pub fn equal(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Text(a), Value::Text(b)) => a == b,
        (Value::Bool(value), Value::Text(text)) | (Value::Text(text), Value::Bool(value)) => {
            is_bool(text, *value)
        }
        (Value::Number(_), Value::Text(_)) | (Value::Text(_), Value::Number(_)) => {
            numeric(a).zip(numeric(b)).is_some_and(|(a, b)| a == b)
        }
        _ => a == b,
    }
}

/// Which of two values comes first: numbers and numeric texts as numbers, two texts as text,
/// nothing else.
pub fn compare(a: &Value, b: &Value) -> Option<Ordering> {
    match (a, b) {
        (Value::Text(a), Value::Text(b)) => Some(a.cmp(b)),
        _ => numeric(a)?.partial_cmp(&numeric(b)?),
    }
}

/// A number, or the number that a text spells. Neither hexadecimal nor `inf` is a number here.
pub fn numeric(value: &Value) -> Option<f64> {
    match value {
        Value::Number(number) => Some(*number),
        Value::Text(text) => numeric_text(text),
        _ => None,
    }
}

/// The number that a text spells as JSON would, white space around it aside.
pub fn numeric_text(text: &str) -> Option<f64> {
    let text = text.trim();
    let first = text.bytes().next()?;
    if text.len() > 40 || !(first.is_ascii_digit() || first == b'-') {
        return None;
    }
    crate::base::json::number_of(text)
}

/// Whether a text is the name of a boolean.
pub fn is_bool(text: &str, value: bool) -> bool {
    text.eq_ignore_ascii_case(if value { "true" } else { "false" })
}
