//! Diagnostics of JSON text, with help that a language model can follow.

use super::number::NumberError;
use crate::base::diagnostic::quote;
use crate::base::{Code, Diagnostic, Span};

/// `{"a" 1}`: a character that JSON does not allow here.
pub const UNEXPECTED: Code = Code::error("JSON001");
/// `{"a": [1`: the text ended early.
pub const ENDED_EARLY: Code = Code::error("JSON002");
/// `{} {}`: text after the end of the document.
pub const TRAILING: Code = Code::error("JSON003");
/// A control character inside a string, such as a line break.
pub const CONTROL: Code = Code::error("JSON004");
/// `"\x41"`: an unknown escape.
pub const ESCAPE: Code = Code::error("JSON005");
/// `"\ud800"`: a lone surrogate.
pub const SURROGATE: Code = Code::error("JSON006");
/// `01`: a malformed number.
pub const NUMBER: Code = Code::error("JSON007");
/// `1e999`: a number out of the range of doubles.
pub const RANGE: Code = Code::error("JSON008");
/// Exceeded nesting depth.
pub const DEPTH: Code = Code::error("JSON009");
/// Exceeded size of the text.
pub const SIZE: Code = Code::error("JSON010");
/// Invalid UTF-8.
pub const UTF8: Code = Code::error("JSON011");
/// `{"a": 1, "a": 2}`: a duplicate key.
pub const DUPLICATE_KEY: Code = Code::warning("JSON012");

/// Returns the warning for a duplicate key of a map.
pub fn duplicate_key(key: &str, span: Span) -> Diagnostic {
    Diagnostic::new(DUPLICATE_KEY, format!("duplicate key {}: the last value is used", quote(key)))
        .help("write each key once")
        .at(span)
}

/// Token that the grammar allows next.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum ExpectedToken {
    Document,
    Value,
    Item,
    FirstItem,
    Key,
    FirstKey,
    Colon,
    AfterProperty,
    AfterItem,
    End,
}

impl ExpectedToken {
    fn name(self) -> &'static str {
        match self {
            ExpectedToken::Document | ExpectedToken::Value | ExpectedToken::Item => "a value",
            ExpectedToken::FirstItem => "a value or `]`",
            ExpectedToken::Key => "a key in double quotes",
            ExpectedToken::FirstKey => "a key in double quotes or `}`",
            ExpectedToken::Colon => "`:`",
            ExpectedToken::AfterProperty => "`,` or `}`",
            ExpectedToken::AfterItem => "`,` or `]`",
            ExpectedToken::End => "the end of the text",
        }
    }

    fn is_value(self) -> bool {
        matches!(
            self,
            ExpectedToken::Document
                | ExpectedToken::Value
                | ExpectedToken::Item
                | ExpectedToken::FirstItem
        )
    }

    fn is_key(self) -> bool {
        matches!(self, ExpectedToken::Key | ExpectedToken::FirstKey)
    }
}

/// Returns the error for an unexpected character.
pub fn unexpected(chunk: &[u8], at: usize, offset: usize, expected: ExpectedToken) -> Diagnostic {
    let Some(found) = character_at(chunk, at) else { return not_utf8(offset + at) };
    let span = Span::new(offset + at, offset + at + found.len_utf8());
    let shown = display_character(found);
    if expected == ExpectedToken::End {
        return Diagnostic::new(TRAILING, format!("unexpected {shown} after the end"))
            .help("remove the text after the document, or send it separately")
            .at(span);
    }
    let message = format!("unexpected {shown}, expected {}", expected.name());
    let help = look_alike(found).unwrap_or_else(|| hint(chunk, at, expected).to_owned());
    Diagnostic::new(UNEXPECTED, message).help(help).at(span)
}

/// Returns the character at a byte offset; `None` if it is not UTF-8.
pub fn character_at(chunk: &[u8], at: usize) -> Option<char> {
    let rest = chunk.get(at..).unwrap_or_default();
    let rest = rest.get(..4.min(rest.len())).unwrap_or_default();
    rest.utf8_chunks().next()?.valid().chars().next()
}

/// Returns the length in bytes of the character at a byte offset; 1 if it is not UTF-8.
pub fn character_len(chunk: &[u8], at: usize) -> usize {
    character_at(chunk, at).map_or(1, char::len_utf8)
}

/// Formats a character for a message.
pub fn display_character(character: char) -> String {
    match character.is_control() || is_blank(character) {
        true => format!("U+{:04X}", character as u32),
        false => quote(character.encode_utf8(&mut [0; 4])),
    }
}

/// Returns whether a non-ASCII character is rendered as a space, or not at all.
fn is_blank(character: char) -> bool {
    matches!(
        character,
        '\u{a0}' | '\u{ad}' | '\u{1680}' | '\u{180e}' | '\u{3000}' | '\u{feff}'
        // Spaces of all widths, joiners, marks of direction.
        | '\u{2000}'..='\u{200f}' | '\u{2028}'..='\u{202f}' | '\u{205f}'..='\u{206f}'
    )
}

/// Returns the help for a character that resembles one of JSON, or is invisible.
fn look_alike(character: char) -> Option<String> {
    match character {
        // Typographic quotes of word processors and some models.
        '“' | '”' | '„' | '‟' | '‘' | '’' => {
            Some("write strings and keys in double quotes: `\"`, not typographic ones".to_owned())
        }
        '\u{feff}' => Some("remove the byte order mark".to_owned()),
        // Fullwidth forms, as in Chinese text.
        '\u{ff01}'..='\u{ff5e}' => {
            let narrow = char::from_u32(character as u32 - 0xfee0)?;
            Some(format!("write it as {}", quote(narrow.encode_utf8(&mut [0; 4]))))
        }
        _ if is_blank(character) => Some("remove it, or write a space".to_owned()),
        _ => None,
    }
}

fn hint(chunk: &[u8], at: usize, expected: ExpectedToken) -> &'static str {
    match chunk.get(at) {
        Some(b'\'') => "write strings and keys in double quotes",
        Some(b'/' | b'#') => {
            "remove it, or write a string: JSON has no comments, patterns or expressions"
        }
        Some(b'`') if expected == ExpectedToken::Document => {
            "send the JSON alone, without a Markdown fence"
        }
        Some(b'`') => "write strings and keys in double quotes",
        Some(b'\\') => "send the JSON as it is, without backslashes before its quotes",
        Some(b'}' | b']') if matches!(expected, ExpectedToken::Key | ExpectedToken::Item) => {
            "remove the comma before it"
        }
        Some(b'}' | b']') if expected.is_value() => "write the missing value, or `null`",
        _ if expected == ExpectedToken::Colon => "put `:` between the key and its value",
        Some(b'}') => "close the list with `]` first",
        Some(b']') => "close the map with `}` first",
        Some(b',') if expected.is_value() || expected.is_key() => "remove this comma",
        Some(b'.') if expected.is_value() || expected.is_key() => {
            "write the content of `...`; begin a number with a digit"
        }
        Some(b'+') if expected.is_value() => "begin a number with a digit, or with `-` and a digit",
        _ if expected.is_key() => "put the key in double quotes",
        _ if expected.is_value() => "write a string in double quotes",
        _ if chunk.get(..at).is_some_and(|before| before.ends_with(b"\"")) => {
            "write a quote inside a string as `\\\"`, or write a comma between two items"
        }
        Some(b'0'..=b'9' | b'"' | b'{' | b'[') | None => {
            "put a comma between two items, or close the map or list before it"
        }
        _ => "put a comma between two items, or write the string in double quotes",
    }
}

const NOT_A_JSON_NUMBER: &str = "write `null` or a string, because JSON has no such number";

/// Returns the error for a word other than `true`, `false` and `null`.
pub fn unexpected_word(token: &[u8], span: Span, expected: ExpectedToken) -> Diagnostic {
    let text = String::from_utf8_lossy(token);
    let help = match text.as_ref() {
        "True" | "TRUE" => "write `true`".to_owned(),
        "False" | "FALSE" => "write `false`".to_owned(),
        "None" | "NULL" | "Null" | "nil" | "undefined" => "write `null`".to_owned(),
        "NaN" | "Infinity" | "inf" | "nan" => NOT_A_JSON_NUMBER.to_owned(),
        "f" | "r" | "u" | "b" => "remove it before a string, or write it as one".to_owned(),
        _ if expected == ExpectedToken::Document => {
            "send the JSON alone, without text before it".to_owned()
        }
        _ => format!("write `\"{}\"` if it is a string", text.chars().take(40).collect::<String>()),
    };
    let message = format!("unexpected {}, expected {}", quote(&text), expected.name());
    Diagnostic::new(UNEXPECTED, message).help(help).at(span)
}

/// Returns the error for a text that ends inside a string.
pub fn ended_in_text(start: usize, end: usize) -> Diagnostic {
    Diagnostic::new(ENDED_EARLY, "the text ended inside a string")
        .help("close the string with `\"`, and what is open around it")
        .at(Span::new(start, end))
}

/// Returns the error for a text that ends with open maps or lists.
pub fn ended_early(
    closers: impl Iterator<Item = char>,
    expected: ExpectedToken,
    end: usize,
) -> Diagnostic {
    let closers: Vec<char> = closers.collect();
    let shown: String = closers.iter().take(40).collect();
    let help = match (expected, closers.len()) {
        (ExpectedToken::Document, 0) => "send one JSON document".to_owned(),
        (_, 0..=40) => {
            format!("complete the text and close it with `{shown}`")
        }
        (_, more) => {
            format!("complete the text and close the {more} open maps and lists")
        }
    };
    let message = format!("the text ended early, expected {}", expected.name());
    Diagnostic::new(ENDED_EARLY, message).help(help).at(Span::new(end, end))
}

/// Returns the error for a control character inside a string.
pub fn control_character(chunk: &[u8], at: usize, offset: usize) -> Diagnostic {
    let byte = chunk.get(at).copied().unwrap_or_default();
    let escape = match byte {
        b'\n' => "`\\n`".to_owned(),
        b'\r' => "`\\r`".to_owned(),
        b'\t' => "`\\t`".to_owned(),
        _ => format!("`\\u{byte:04x}`"),
    };
    Diagnostic::new(CONTROL, format!("control character U+{byte:04X} inside a string"))
        .help(format!("write it as {escape}, or close the string with `\"` before it"))
        .at(Span::new(offset + at, offset + at + 1))
}

/// Returns the error for invalid UTF-8.
pub fn not_utf8(at: usize) -> Diagnostic {
    Diagnostic::new(UTF8, "this byte is not UTF-8")
        .help("encode the text as UTF-8")
        .at(Span::new(at, at + 1))
}

/// Returns the error for an invalid number.
pub fn invalid_number(reason: NumberError, token: &[u8], span: Span) -> Diagnostic {
    let text = quote(&String::from_utf8_lossy(token));
    match reason {
        NumberError::OutOfRange => Diagnostic::new(RANGE, format!("{text} is out of range"))
            .help("write a number below 1.8e308, or a string")
            .at(span),
        NumberError::Malformed if token == b"-" => {
            Diagnostic::new(NUMBER, "`-` is not a number").help(NOT_A_JSON_NUMBER).at(span)
        }
        NumberError::Malformed => Diagnostic::new(NUMBER, format!("{text} is not a number"))
            .help("write digits without a leading zero, then `.` and digits, then `e` and digits")
            .at(span),
    }
}

/// Returns the error for an exceeded nesting depth.
pub fn too_deep(limit: usize, at: usize) -> Diagnostic {
    Diagnostic::new(DEPTH, format!("more than {limit} levels of nesting"))
        .help("put inner values into nodes of their own")
        .at(Span::new(at, at + 1))
}

/// Returns the error for an exceeded size of the text.
pub fn too_large(limit: usize, at: usize) -> Diagnostic {
    Diagnostic::new(SIZE, format!("the text is larger than {limit} bytes"))
        .help("send it in several messages")
        .at(Span::new(at, at))
}
