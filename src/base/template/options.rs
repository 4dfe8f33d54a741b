//! Options in braces, separated by `??`.

use super::steps::{parse_braced_path, parse_known_path, parse_quoted};
use super::{ChoiceOption, Reference};
use crate::base::Value;
use crate::base::json::Limits;

/// Texts between braces and `??`.
pub(super) struct OptionTexts<'a> {
    pub texts: Vec<&'a str>,
    /// Number of bytes before the closing brace.
    pub length: usize,
}

/// Splits a text after `${` at `??`, up to the closing brace; `None` if there is none. A quote at the start of an
/// option or after `[` hides both.
pub(super) fn split_options(inside: &str) -> Option<OptionTexts<'_>> {
    let mut texts = Vec::new();
    let mut start = 0;
    let mut open: Option<char> = None;
    let (mut is_escaped, mut may_quote) = (false, true);
    for (at, character) in inside.char_indices() {
        if let Some(quote) = open {
            if !is_escaped && character == quote {
                open = None;
                may_quote = false;
            }
            is_escaped = character == '\\' && !is_escaped;
            continue;
        }
        match character {
            '}' => {
                texts.push(inside.get(start..at)?);
                return Some(OptionTexts { texts, length: at });
            }
            '?' if at >= start && inside.get(at..)?.starts_with("??") => {
                texts.push(inside.get(start..at)?);
                start = at + 2;
                may_quote = true;
            }
            '"' | '\'' if may_quote => open = Some(character),
            '[' => may_quote = true,
            _ if character.is_whitespace() || at < start => {}
            _ => may_quote = false,
        }
    }
    None
}

/// Parses a reference without `${`, or a literal.
pub(super) fn parse_option(text: &str, is_known: &dyn Fn(&str) -> bool) -> Option<ChoiceOption> {
    let text = text.trim();
    if text.starts_with(['"', '\'']) {
        let (literal, rest) = parse_quoted(text)?;
        return rest.is_empty().then(|| ChoiceOption::Literal(literal.into()));
    }
    let reference = |(name, path)| {
        ChoiceOption::Reference(Reference { name, path, text: format!("${{{text}}}") })
    };
    if let Some(known) = parse_known_path(text, is_known) {
        return Some(reference(known));
    }
    let (value, errors) = Value::parse(text.as_bytes(), Limits::default());
    let is_scalar = |value: &Value| value.as_list().is_none() && value.as_map().is_none();
    match value.filter(|value| errors.is_empty() && is_scalar(value)) {
        Some(value) => Some(ChoiceOption::Literal(value)),
        None => parse_braced_path(text).map(reference),
    }
}
