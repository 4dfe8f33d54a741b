//! Attributes at the end of a line of a NetworkX edge list, as a Python dictionary:
//! `a b {'weight': 3}`.

use crate::base::Value;
use crate::base::json::parse_number_text;
use crate::base::value::{Map, put};

/// Maximum nesting depth of a dictionary, because its parser is recursive.
const MAX_DEPTH: usize = 32;

/// Parses a Python dictionary of literals; `None` for any other text.
pub fn parse_dictionary(text: &str) -> Option<Value> {
    let mut reader = LiteralReader { rest: text.trim() };
    let value = reader.parse_literal(0)?;
    (reader.rest.is_empty() && value.as_map().is_some()).then_some(value)
}

/// Reader of Python literals.
struct LiteralReader<'t> {
    rest: &'t str,
}

impl LiteralReader<'_> {
    fn accept(&mut self, sign: char) -> bool {
        self.rest = self.rest.trim_start();
        let rest = self.rest.strip_prefix(sign);
        self.rest = rest.unwrap_or(self.rest).trim_start();
        rest.is_some()
    }

    fn parse_literal(&mut self, depth: usize) -> Option<Value> {
        if depth > MAX_DEPTH {
            return None;
        }
        if self.accept('{') {
            return self.parse_braces(depth + 1);
        }
        if self.accept('[') {
            return self.parse_items(']', depth + 1);
        }
        if self.accept('(') {
            return self.parse_items(')', depth + 1);
        }
        if self.rest.starts_with(['\'', '"']) {
            return self.parse_string().map(Value::from);
        }
        self.parse_word()
    }

    fn parse_braces(&mut self, depth: usize) -> Option<Value> {
        let mut map = Map::default();
        while !self.accept('}') {
            let key = match self.parse_literal(depth)? {
                Value::Text(text) => text.to_string(),
                number @ Value::Number(_) => number.to_text(),
                _ => return None,
            };
            if !self.accept(':') {
                return None;
            }
            put(&mut map, &key, self.parse_literal(depth)?);
            if !self.accept(',') && !self.rest.starts_with('}') {
                return None;
            }
        }
        Some(map.into())
    }

    /// Reads the items of a list or a tuple.
    fn parse_items(&mut self, close: char, depth: usize) -> Option<Value> {
        let mut items = Vec::new();
        while !self.accept(close) {
            items.push(self.parse_literal(depth)?);
            if !self.accept(',') && !self.rest.starts_with(close) {
                return None;
            }
        }
        Some(Value::List(items.into()))
    }

    fn parse_string(&mut self) -> Option<String> {
        let quote = self.rest.chars().next()?;
        let mut text = String::new();
        let mut letters = self.rest.char_indices().skip(1);
        while let Some((at, letter)) = letters.next() {
            match letter {
                '\\' => text.push(parse_escape(&mut letters)?),
                _ if letter == quote => {
                    self.rest = self.rest.get(at + 1..)?.trim_start();
                    return Some(text);
                }
                _ => text.push(letter),
            }
        }
        None
    }

    /// Reads a number, `True`, `False`, `None`, `nan` or `inf`.
    fn parse_word(&mut self) -> Option<Value> {
        let is_end = |letter: char| ",:}])".contains(letter) || letter.is_whitespace();
        let (word, rest) = self.rest.split_at_checked(self.rest.find(is_end)?)?;
        self.rest = rest.trim_start();
        Some(match word {
            "True" => Value::Bool(true),
            "False" => Value::Bool(false),
            "None" | "nan" | "inf" | "-inf" => Value::Null,
            number => Value::Number(parse_number_text(number.strip_suffix('.').unwrap_or(number))?),
        })
    }
}

/// Reads the rest of an escape after its backslash.
fn parse_escape(letters: &mut impl Iterator<Item = (usize, char)>) -> Option<char> {
    let length = match letters.next()?.1 {
        'n' => return Some('\n'),
        't' => return Some('\t'),
        'r' => return Some('\r'),
        letter @ ('\\' | '\'' | '"') => return Some(letter),
        'x' => 2,
        'u' => 4,
        'U' => 8,
        _ => return None,
    };
    let mut code = 0;
    for _ in 0..length {
        code = code << 4 | letters.next()?.1.to_digit(16)?;
    }
    char::from_u32(code)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Option<&str>) {
        assert_eq!(
            parse_dictionary(text).map(|value| value.to_text()).as_deref(),
            expected,
            "{text}"
        );
    }

    #[test]
    fn parses_python_literals() {
        check("{}", Some("{}"));
        check("{'weight': 3}", Some(r#"{"weight":3}"#));
        check(
            r#"{"it's": 'a\'b\n', 'x': -1.5e-3, 1: None}"#,
            Some(r#"{"it's":"a'b\n","x":-0.0015,"1":null}"#),
        );
        check("{'a': [1, (2, 3),], 'b': {'c': True,},}", Some(r#"{"a":[1,[2,3]],"b":{"c":true}}"#));
        check(r"{'a': '\xe9\u00e9\U0001f600'}", Some(r#"{"a":"éé😀"}"#));
        check("{'a': nan, 'b': 2.}", Some(r#"{"a":null,"b":2}"#));
        for text in [
            "",
            "{",
            "{'a'}",
            "{'a': }",
            "{'a': 1} x",
            "[1]",
            "{'a': datetime(1)}",
            "{'a': 1 'b': 2}",
            "{'a': 'x}",
            "{[1]: 2}",
        ] {
            check(text, None);
        }
        check(&"{'a': ".repeat(100), None);
        check(&format!("{}1{}", "{'a': ".repeat(100), "}".repeat(100)), None);
    }
}
