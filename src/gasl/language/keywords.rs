//! Keywords of the language.

use crate::base::names;

/// The words that begin a command.
pub const COMMANDS: [&str; 24] = [
    "DECLARE",
    "FIND",
    "PROCESS",
    "UPDATE",
    "ANALYZE",
    "SELECT",
    "COUNT",
    "AGGREGATE",
    "RANK",
    "JOIN",
    "WALK",
    "SHOW",
    "REQUIRE",
    "ASSERT",
    "ON",
    "BRANCH",
    "SET",
    "CANCEL",
    "COMPLETE",
    "TRY",
    "CATCH",
    "FINALLY",
    "END",
    "ANALYSE",
];

/// The words that no value and no name can be without quotes.
const RESERVED: [&str; 16] = [
    "AS",
    "WHERE",
    "LIMIT",
    "WITH",
    "USING",
    "FIELDS",
    "RETURNING",
    "THEN",
    "ELSE",
    "AND",
    "OR",
    "NOT",
    "IN",
    "IS",
    "BY",
    "FOLLOW",
];

/// Whether a word cannot stand for itself.
pub fn is_reserved(word: &str) -> bool {
    RESERVED.iter().any(|reserved| reserved.eq_ignore_ascii_case(word))
}

/// The word that was probably meant. Short words are near to many others: of them one letter may be wrong.
pub fn closest_keyword<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let upper = word.to_ascii_uppercase();
    let is_near = |near: &&str| {
        let near = near.to_ascii_uppercase();
        let begins_alike = upper.chars().next() == near.chars().next();
        upper == near || names::is_slip(&upper, &near) || upper.len() > 4 && begins_alike
    };
    names::nearest(word, known).filter(is_near)
}
