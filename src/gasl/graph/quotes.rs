//! Strips the quotes that exports such as GraphRAG put around texts: `"\"PERSON\""`.

use std::borrow::Cow;

/// Separator of a list that is written as one text.
pub const LIST_SEPARATOR: &str = "<SEP>";

/// Returns the text without one pair of quotes around it, or around each part of a list.
pub fn strip_quotes(text: &str) -> Cow<'_, str> {
    if !text.contains('"') {
        return text.into();
    }
    if !text.contains(LIST_SEPARATOR) {
        return strip_pair(text).into();
    }
    let parts: Vec<&str> = text.split(LIST_SEPARATOR).map(strip_pair).collect();
    parts.join(LIST_SEPARATOR).into()
}

fn strip_pair(text: &str) -> &str {
    let inside = text.trim().strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    inside.unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strips_one_pair_of_quotes_per_part() {
        assert_eq!(strip_quotes(r#""PERSON""#), "PERSON");
        assert_eq!(strip_quotes(r#"""A"""#), r#""A""#);
        assert_eq!(strip_quotes(r#""a"<SEP>b<SEP>"c d""#), "a<SEP>b<SEP>c d");
        assert_eq!(strip_quotes(r#""a" and b"#), r#""a" and b"#);
        assert_eq!(strip_quotes(r#"""#), r#"""#);
        assert_eq!(strip_quotes("a<SEP>b"), "a<SEP>b");
    }
}
