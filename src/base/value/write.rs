//! Formats values as JSON text, complete or truncated.

use super::Value;
use crate::base::json::{write_number, write_text};

impl Value {
    /// Returns the value as JSON text.
    pub fn to_text(&self) -> String {
        let mut out = String::new();
        self.write(&mut out);
        out
    }

    /// Appends the value as JSON text. Its depth is bounded, because parsers bound that of texts.
    pub fn write(&self, out: &mut String) {
        write_up_to(self, usize::MAX, out);
    }
}

/// Returns the JSON text of a value, truncated with `…` after `most` characters.
pub fn excerpt(value: &Value, most: usize) -> String {
    let mut out = String::new();
    // A character has at most four bytes, so enough has been written by then.
    write_up_to(value, most.saturating_mul(4), &mut out);
    excerpt_of(&out, most)
}

/// Returns a text, truncated with `…` after `most` characters.
pub fn excerpt_of(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some(_) => {
            let end = text.char_indices().nth(most.saturating_sub(1)).map_or(0, |(end, _)| end);
            format!("{}…", text.get(..end).unwrap_or_default())
        }
    }
}

/// Appends JSON text until `out` is longer than `most` bytes.
fn write_up_to(value: &Value, most: usize, out: &mut String) {
    match value {
        _ if out.len() > most => {}
        Value::Null => out.push_str("null"),
        Value::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        Value::Number(number) => write_number(*number, out),
        Value::Text(text) => write_text(text, out),
        Value::List(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                write_up_to(item, most, out);
                if out.len() > most {
                    return;
                }
            }
            out.push(']');
        }
        Value::Map(map) => {
            out.push('{');
            for (index, (key, value)) in map.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                write_text(key, out);
                out.push(':');
                write_up_to(value, most, out);
                if out.len() > most {
                    return;
                }
            }
            out.push('}');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::value;
    use super::*;

    #[test]
    fn cuts_between_characters() {
        assert_eq!(excerpt(&value(r#"["é€", 1]"#), 4), "[\"é…");
        assert_eq!(excerpt(&value("[1]"), 3), "[1]");
        assert_eq!(excerpt_of("abc", 3), "abc");
        assert_eq!(excerpt_of("abcd", 3), "ab…");
    }
}
