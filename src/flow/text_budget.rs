//! Limit of the length of a text for a model.

use super::codes;
use crate::base::{Diagnostic, Value};

/// Maximum length of the context text for a model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TextBudget {
    #[default]
    None,
    /// UTF-16 code units.
    Characters(usize),
    /// Tokens of a model, by an estimate that is rather too high.
    Tokens(usize),
}

impl TextBudget {
    /// Reads `{characters}` or `{tokens}`.
    pub fn read(value: Option<&Value>) -> Result<TextBudget, Diagnostic> {
        let Some(value) = value.filter(|value| !value.is_null()) else {
            return Ok(TextBudget::None);
        };
        let count = |key: &str| {
            value.get(key)?.as_number().filter(|count| *count >= 0.0).map(|count| count as usize)
        };
        match (count("characters"), count("tokens")) {
            (Some(characters), None) => Ok(TextBudget::Characters(characters)),
            (None, Some(tokens)) => Ok(TextBudget::Tokens(tokens)),
            _ => Err(Diagnostic::new(codes::INVALID_OPTION, "invalid budget")
                .help("write `{\"characters\": 8000}` or `{\"tokens\": 2000}`")
                .at_pointer("/budget")),
        }
    }

    pub fn fits(self, text: &str) -> bool {
        match self {
            TextBudget::None => true,
            TextBudget::Characters(limit) => text.encode_utf16().count() <= limit,
            TextBudget::Tokens(limit) => estimate_tokens(text) <= limit,
        }
    }
}

/// Estimates the number of tokens: one for four ASCII letters of a word, one for each other character.
fn estimate_tokens(text: &str) -> usize {
    let mut count = 0;
    let mut letters = 0;
    for character in text.chars() {
        if character.is_ascii_alphabetic() {
            count += usize::from(letters % 4 == 0);
            letters += 1;
        } else {
            letters = 0;
            count += usize::from(character != ' ');
        }
    }
    count
}
