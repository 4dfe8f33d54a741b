//! Looking for a text in all texts of a dictionary at once.
//!
//! Upper and lower case are mostly a matter of ASCII, where they are one bit. The rest is lowered
//! properly, text by text. Two characters have a lower case that holds an ASCII letter, the Kelvin
//! sign and the dotted capital I: a text with one of them is lowered too.

use super::bit_mask::BitMask;
use super::dictionary::Dictionary;
use super::substring_search::SubstringSearcher;
use crate::base::Value;
use crate::gasl::predicate::{Case, TextTest, lower};

/// What is looked for.
pub struct Needle {
    case: Case,
    /// In lower case, unless the case counts.
    text: String,
}

const KELVIN: &str = "\u{212a}";
const DOTTED_I: &str = "\u{130}";

impl Needle {
    /// What a test looks for; lists, maps and null are in no text.
    pub fn new(wanted: &Value, case: Case) -> Option<Needle> {
        let text = match wanted {
            Value::Text(text) => text.to_string(),
            Value::Number(_) | Value::Bool(_) => wanted.to_text(),
            _ => return None,
        };
        let text = if case == Case::Ignored { lower(&text) } else { text };
        Some(Needle { case, text })
    }

    /// Whether a text fulfils the test.
    pub fn holds(&self, test: TextTest, text: &str) -> bool {
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
        // The lower case of ASCII is ASCII of the same length, whatever stands around it.
        if part.is_ascii() {
            return match test {
                TextTest::Contains => self.is_in(part),
                _ => part.eq_ignore_ascii_case(needle),
            };
        }
        let text = lower(text);
        match test {
            TextTest::Contains => text.contains(&self.text),
            TextTest::StartsWith => text.starts_with(&self.text),
            TextTest::EndsWith => text.ends_with(&self.text),
        }
    }

    /// Whether the bytes hold those that are looked for.
    fn is_in(&self, text: &[u8]) -> bool {
        let finder = SubstringSearcher::new(self.text.as_bytes(), self.case);
        self.text.is_empty() || finder.is_in(text, 0..text.len())
    }

    /// Whether only lowering a text tells whether it is in there.
    fn needs_lowering(&self, text: &str) -> bool {
        self.case == Case::Ignored
            && !text.is_ascii()
            && (!self.text.is_ascii() || text.contains(KELVIN) || text.contains(DOTTED_I))
    }
}

/// The texts that contain what is looked for.
pub fn texts_containing(texts: &Dictionary, needle: &Needle) -> BitMask {
    if needle.text.is_empty() {
        return BitMask::constant(texts.len(), true);
    }
    let mut found = BitMask::constant(texts.len(), false);
    if needle.case == Case::Sensitive || needle.text.is_ascii() {
        let finder = SubstringSearcher::new(needle.text.as_bytes(), needle.case);
        let bytes = texts.bytes();
        match texts.pairs().candidates(needle.text.as_bytes()) {
            Some(likely) => {
                found = likely.only(|number| finder.is_in(bytes, texts.range(number as u32)));
            }
            None => finder.search(bytes, texts.ends(), &mut found),
        }
    }
    if !texts.is_ascii() {
        for (number, text) in texts.texts().enumerate() {
            if needle.needs_lowering(text) {
                found.set(number, needle.holds(TextTest::Contains, text));
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
    fn only_two_characters_become_ascii() {
        let odd: Vec<char> = ('\u{80}'..=char::MAX)
            .filter(|character| character.to_lowercase().any(|lower| lower.is_ascii()))
            .collect();
        assert_eq!(odd, ['\u{130}', '\u{212a}']);
    }

    #[test]
    fn finds_what_lowering_finds() {
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
        long.close(TextLookup::Drop);
        let mut answered_by_pairs = 0;
        for wanted in
            ["", "k", "kel", "i", "i\u{307}", "École", "bc", "AB", "z", "zz", "b", "zzzz", "nan"]
        {
            for case in [Case::Ignored, Case::Sensitive] {
                let needle = Needle::new(&wanted.into(), case).unwrap();
                let found = texts_containing(&texts, &needle);
                for (text, number) in all.iter().zip(0..) {
                    let expected = match case {
                        Case::Ignored => lower(text).contains(&lower(wanted)),
                        Case::Sensitive => text.contains(wanted),
                    };
                    assert_eq!(found.get(number), expected, "{wanted} in {text}");
                    assert_eq!(needle.holds(TextTest::Contains, text), expected);
                }
                let pairs = long.pairs().candidates(needle.text.as_bytes());
                answered_by_pairs += usize::from(pairs.is_some());
                assert_eq!(texts_containing(&long, &needle), found, "{wanted} in long texts");
            }
        }
        assert!(answered_by_pairs > 4, "{answered_by_pairs}");
    }
}
