//! Keywords of the language.

use crate::base::names;

/// Keywords that begin a command.
pub const COMMANDS: [&str; 27] = [
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
    "LEFT",
    "UNION",
    "WALK",
    "MEASURE",
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

/// Keywords that cannot be a value or a name without quotes.
pub const RESERVED_KEYWORDS: [&str; 16] = [
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

/// Returns whether a word is a [reserved keyword](RESERVED_KEYWORDS), in any case.
pub fn is_reserved(word: &str) -> bool {
    RESERVED_KEYWORDS.iter().any(|reserved| reserved.eq_ignore_ascii_case(word))
}

/// Returns the keyword that a word probably misspells. A short word is close to many others, so only
/// one character may differ.
pub fn closest_keyword<'a>(word: &str, keywords: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let upper = word.to_ascii_uppercase();
    let is_near = |closest: &&str| {
        let closest = closest.to_ascii_uppercase();
        let begins_alike = upper.chars().next() == closest.chars().next();
        upper == closest || names::is_typo(&upper, &closest) || upper.len() > 4 && begins_alike
    };
    names::closest(word, keywords).filter(is_near)
}
