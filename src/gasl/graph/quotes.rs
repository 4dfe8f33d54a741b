//! Quotes that an export put around its texts, as GraphRAG's do: `"\"PERSON\""`.

use std::borrow::Cow;

/// Stands between the parts of a list that is written as one text.
pub const SEPARATOR: &str = "<SEP>";

/// The text without the quotes around it, or around each part of a list, once.
pub fn stripped(text: &str) -> Cow<'_, str> {
    if !text.contains('"') {
        return text.into();
    }
    if !text.contains(SEPARATOR) {
        return part(text).into();
    }
    let parts: Vec<&str> = text.split(SEPARATOR).map(part).collect();
    parts.join(SEPARATOR).into()
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
        assert_eq!(stripped(r#""PERSON""#), "PERSON");
        assert_eq!(stripped(r#"""A"""#), r#""A""#);
        assert_eq!(stripped(r#""a"<SEP>b<SEP>"c d""#), "a<SEP>b<SEP>c d");
        assert_eq!(stripped(r#""a" and b"#), r#""a" and b"#);
        assert_eq!(stripped(r#"""#), r#"""#);
        assert_eq!(stripped("a<SEP>b"), "a<SEP>b");
    }
}
