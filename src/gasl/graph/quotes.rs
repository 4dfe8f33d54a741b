//! QuoteHandling that an export put around its texts, as GraphRAG's do: `"\"PERSON\""`.

use std::borrow::Cow;

/// Stands between the parts of a list that is written as one text.
pub const LIST_SEPARATOR: &str = "<SEP>";

/// The text without the quotes around it, or around each part of a list, once.
pub fn strip_quotes(text: &str) -> Cow<'_, str> {
    if !text.contains('"') {
        return text.into();
    }
    if !text.contains(LIST_SEPARATOR) {
        return part(text).into();
    }
    let parts: Vec<&str> = text.split(LIST_SEPARATOR).map(part).collect();
    parts.join(LIST_SEPARATOR).into()
}

fn part(text: &str) -> &str {
    let inside = text.trim().strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    inside.unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_part_loses_its_quotes_once() {
        assert_eq!(strip_quotes(r#""PERSON""#), "PERSON");
        assert_eq!(strip_quotes(r#"""A"""#), r#""A""#);
        assert_eq!(strip_quotes(r#""a"<SEP>b<SEP>"c d""#), "a<SEP>b<SEP>c d");
        assert_eq!(strip_quotes(r#""a" and b"#), r#""a" and b"#);
        assert_eq!(strip_quotes(r#"""#), r#"""#);
        assert_eq!(strip_quotes("a<SEP>b"), "a<SEP>b");
    }
}
