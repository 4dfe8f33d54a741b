//! Searches all texts of a dictionary for a needle.
//!
//! The case of ASCII letters is one bit. Other texts are converted to lower case one by one. So are
//! texts with the Kelvin sign or the dotted capital I, whose lower case contains an ASCII letter.

use super::bit_mask::BitMask;
use super::dictionary::Dictionary;
use super::substring_search::SubstringSearcher;
use crate::base::Value;
use crate::gasl::predicate::{Case, TextTest, to_search_case};

/// Text to search for.
pub struct Needle {
    case: Case,
    /// Needle, in lower case unless the search is case-sensitive.
    text: String,
}

const KELVIN: &str = "\u{212a}";
const DOTTED_I: &str = "\u{130}";

impl Needle {
    /// Returns the needle of an operand; `None` for lists, maps and null, which no text contains.
    pub fn new(operand: &Value, case: Case) -> Option<Needle> {
        let text = match operand {
            Value::Text(text) => text.to_string(),
            Value::Number(_) | Value::Bool(_) => operand.to_text(),
            _ => return None,
        };
        let text = if case == Case::Ignored { to_search_case(&text) } else { text };
        Some(Needle { case, text })
    }

    /// Returns whether a text satisfies the test.
    pub fn matches(&self, test: TextTest, text: &str) -> bool {
        let needle = self.text.as_bytes();
        if self.case == Case::Sensitive {
            return match test {
                TextTest::Contains => self.is_in(text.as_bytes()),
                TextTest::StartsWith => text.starts_with(&self.text),
                TextTest::EndsWith => text.ends_with(&self.text),
            };
        }
        let bytes = text.as_bytes();
        let length = needle.len().min(bytes.len());
        let part = match test {
            TextTest::Contains => bytes,
            TextTest::StartsWith => bytes.get(..length).unwrap_or_default(),
            TextTest::EndsWith => bytes.get(bytes.len() - length..).unwrap_or_default(),
        };
        // The lower case of ASCII is ASCII of the same length in any context.
        if part.is_ascii() {
            return match test {
                TextTest::Contains => self.is_in(part),
                _ => part.eq_ignore_ascii_case(needle),
            };
        }
        let text = to_search_case(text);
        match test {
            TextTest::Contains => text.contains(&self.text),
            TextTest::StartsWith => text.starts_with(&self.text),
            TextTest::EndsWith => text.ends_with(&self.text),
        }
    }

    /// Returns whether the bytes contain the needle.
    fn is_in(&self, text: &[u8]) -> bool {
        let searcher = SubstringSearcher::new(self.text.as_bytes(), self.case);
        self.text.is_empty() || searcher.is_in(text, 0..text.len())
    }

    /// Returns whether a text must be converted to lower case to be tested.
    fn needs_lowering(&self, text: &str) -> bool {
        self.case == Case::Ignored
            && !text.is_ascii()
            && (!self.text.is_ascii() || text.contains(KELVIN) || text.contains(DOTTED_I))
    }
}

/// Returns the texts that contain the needle.
pub fn texts_containing(texts: &Dictionary, needle: &Needle) -> BitMask {
    if needle.text.is_empty() {
        return BitMask::constant(texts.len(), true);
    }
    let mut found = BitMask::constant(texts.len(), false);
    if needle.case == Case::Sensitive || needle.text.is_ascii() {
        let searcher = SubstringSearcher::new(needle.text.as_bytes(), needle.case);
        let bytes = texts.bytes();
        match texts.bigrams().candidates(needle.text.as_bytes()) {
            Some(candidates) => {
                found = candidates.filter(|code| searcher.is_in(bytes, texts.range(code as u32)));
            }
            None => searcher.search(bytes, texts.ends(), &mut found),
        }
    }
    if !texts.is_ascii() {
        for (code, text) in texts.texts().enumerate() {
            if needle.needs_lowering(text) {
                found.set(code, needle.matches(TextTest::Contains, text));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gasl::graph::dictionary::TextLookup;

    #[test]
    fn only_two_characters_have_ascii_lower_case() {
        let odd: Vec<char> = ('\u{80}'..=char::MAX)
            .filter(|character| character.to_lowercase().any(|lower| lower.is_ascii()))
            .collect();
        assert_eq!(odd, ['\u{130}', '\u{212a}']);
    }

    #[test]
    fn matches_search_in_lower_case() {
        let all = [
            "",
            "Kelvin",
            "\u{212a}elvin",
            "İstanbul",
            "ÉCOLE",
            "an école",
            "ab",
            "cab",
            "ABC",
            "zzz",
        ];
        let mut texts = Dictionary::default();
        let padding = "-".repeat(40);
        let mut long = Dictionary::default();
        for text in all {
            texts.intern(text);
            long.intern(&format!("{padding}{text}{padding}"));
        }
        long.finish(TextLookup::Drop);
        let mut filtered = 0;
        for operand in
            ["", "k", "kel", "i", "i\u{307}", "École", "bc", "AB", "z", "zz", "b", "zzzz", "nan"]
        {
            for case in [Case::Ignored, Case::Sensitive] {
                let needle = Needle::new(&operand.into(), case).unwrap();
                let found = texts_containing(&texts, &needle);
                for (text, number) in all.iter().zip(0..) {
                    let expected = match case {
                        Case::Ignored => to_search_case(text).contains(&to_search_case(operand)),
                        Case::Sensitive => text.contains(operand),
                    };
                    assert_eq!(found.get(number), expected, "{operand} in {text}");
                    assert_eq!(needle.matches(TextTest::Contains, text), expected);
                }
                let candidates = long.bigrams().candidates(needle.text.as_bytes());
                filtered += usize::from(candidates.is_some());
                assert_eq!(texts_containing(&long, &needle), found, "{operand} in long texts");
            }
        }
        assert!(filtered > 4, "{filtered}");
    }
}
