//! Scanner of text that is not tokenized as GASL, such as `(a)-[:KNOWS]->(b)` and `df[df.x > 3]`.

use std::ops::Range;

/// Cursor over characters.
#[derive(Clone)]
pub struct Scanner<'a> {
    rest: &'a str,
}

impl<'a> Scanner<'a> {
    pub fn new(text: &'a str) -> Scanner<'a> {
        Scanner { rest: text.trim() }
    }

    /// Returns the text from the next character that is not white space.
    pub fn rest(&self) -> &'a str {
        self.rest.trim_start()
    }

    pub fn is_done(&self) -> bool {
        self.rest().is_empty()
    }

    /// Consumes a text.
    pub fn accept(&mut self, text: &str) -> bool {
        let rest = self.rest().strip_prefix(text);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    /// Consumes a keyword in any case.
    pub fn accept_word(&mut self, keyword: &str) -> bool {
        let mut after = self.clone();
        let found = after.take_name().is_some_and(|word| word.eq_ignore_ascii_case(keyword));
        if found {
            *self = after;
        }
        found
    }

    /// Consumes letters, digits and `_`. Returns `None` if there are none.
    pub fn take_name(&mut self) -> Option<&'a str> {
        let rest = self.rest();
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let (name, after) =
            rest.split_at_checked(rest.find(|c| !is_part(c)).unwrap_or(rest.len()))?;
        if name.is_empty() {
            return None;
        }
        self.rest = after;
        Some(name)
    }

    /// Consumes text in brackets. Returns the text between them.
    pub fn take_brackets(&mut self, open: char, close: char) -> Option<&'a str> {
        let rest = self.rest();
        let (group, after) = rest.split_at_checked(group_length(rest)?)?;
        let inside = group.strip_prefix(open)?.strip_suffix(close)?;
        self.rest = after;
        Some(inside.trim())
    }

    /// Consumes text up to one of some keywords outside brackets and quotes.
    pub fn take_until(&mut self, keywords: &[&str]) -> &'a str {
        let rest = self.rest();
        let mut groups = outer_groups(rest).into_iter().peekable();
        let mut at = 0;
        let mut previous = ' ';
        while let Some(character) = rest.get(at..).and_then(|rest| rest.chars().next()) {
            let here = rest.get(at..).unwrap_or_default();
            let is_start = !previous.is_alphanumeric() && previous != '_' && previous != '.';
            if is_start
                && keywords.iter().any(|keyword| Scanner { rest: here }.accept_word(keyword))
            {
                break;
            }
            let group = groups.next_if(|group| group.start == at);
            at = group.map_or(at + character.len_utf8(), |group| group.end);
            previous = character;
        }
        let (taken, after) = rest.split_at_checked(at).unwrap_or((rest, ""));
        self.rest = after;
        taken.trim()
    }
}

/// Returns the length of the string or the brackets at the start of a text, with their ends.
fn group_length(text: &str) -> Option<usize> {
    let mut end = None;
    visit_groups(text, |group| {
        end = (group.start == 0).then_some(group.end);
        end.is_none()
    });
    end
}

/// Returns the byte ranges of all strings and brackets that are not inside of others.
fn outer_groups(text: &str) -> Vec<Range<usize>> {
    let mut groups: Vec<Range<usize>> = Vec::new();
    visit_groups(text, |group| {
        while groups.last().is_some_and(|inner| inner.start > group.start) {
            groups.pop();
        }
        groups.push(group);
        true
    });
    groups
}

/// Calls a function with the byte range of each string and each pair of brackets, inner ones first, while it returns
/// `true`. Brackets and quotes without a partner are ordinary characters. Takes linear time.
fn visit_groups(text: &str, mut visit: impl FnMut(Range<usize>) -> bool) {
    // Offset of each open bracket, and its closing one.
    let mut open: Vec<(usize, char)> = Vec::new();
    let mut counts = OpenCounts::default();
    let mut at = 0;
    while let Some(character) = text.get(at..).and_then(|rest| rest.chars().next()) {
        let start = at;
        at += character.len_utf8();
        let mut group = None;
        match character {
            '\'' | '"' | '`' => {
                let length = text.get(at..).and_then(|inner| inner.find(character));
                if let Some(length) = length {
                    at += length + character.len_utf8();
                    group = Some(start..at);
                }
            }
            '(' | '[' | '{' => {
                let closing = match character {
                    '(' => ')',
                    '[' => ']',
                    _ => '}',
                };
                open.push((start, closing));
                *counts.count_of(closing) += 1;
            }
            ')' | ']' | '}' if *counts.count_of(character) > 0 => {
                // Brackets inside of it that are still open have no partner.
                while group.is_none() {
                    let Some((start, closing)) = open.pop() else { break };
                    *counts.count_of(closing) -= 1;
                    group = (closing == character).then_some(start..at);
                }
            }
            _ => {}
        }
        if group.is_some_and(|group| !visit(group)) {
            return;
        }
    }
}

/// Numbers of open brackets.
#[derive(Default)]
struct OpenCounts {
    round: usize,
    square: usize,
    curly: usize,
}

impl OpenCounts {
    /// Returns the number of brackets with this closing bracket.
    fn count_of(&mut self, closing: char) -> &mut usize {
        match closing {
            ')' => &mut self.round,
            ']' => &mut self.square,
            _ => &mut self.curly,
        }
    }
}

/// Splits a text at a separator outside brackets and quotes. Empty parts are left out.
pub fn split<'a>(text: &'a str, separator: &str) -> Vec<&'a str> {
    let (mut parts, mut start, mut at) = (Vec::new(), 0, 0);
    let mut groups = outer_groups(text).into_iter().peekable();
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        if rest.get(..separator.len()).is_some_and(|part| part.eq_ignore_ascii_case(separator)) {
            parts.push(text.get(start..at).unwrap_or_default());
            at += separator.len();
            start = at;
            continue;
        }
        let length = rest.chars().next().map_or(1, char::len_utf8);
        let group = groups.next_if(|group| group.start == at);
        at = group.map_or(at + length, |group| group.end);
    }
    parts.push(text.get(start..).unwrap_or_default());
    parts.into_iter().map(str::trim).filter(|part| !part.is_empty()).collect()
}

/// Returns a text without quotes around it.
pub fn unquoted(text: &str) -> &str {
    let text = text.trim();
    let inner =
        ['\'', '"', '`'].iter().find_map(|quote| text.strip_prefix(*quote)?.strip_suffix(*quote));
    inner.unwrap_or(text)
}

/// Returns the names in `'a'` or `['a', 'b']`.
pub fn names_of(text: &str) -> Vec<String> {
    let text = text.trim();
    let inner = text.strip_prefix('[').and_then(|inner| inner.strip_suffix(']')).unwrap_or(text);
    split(inner, ",").into_iter().map(|name| unquoted(name).to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&str]) {
        let groups: Vec<&str> =
            outer_groups(text).into_iter().map(|group| text.get(group).unwrap()).collect();
        assert_eq!(groups, expected, "{text}");
        assert_eq!(
            group_length(text),
            expected.first().filter(|one| text.starts_with(**one)).map(|one| one.len())
        );
    }

    #[test]
    fn finds_strings_and_brackets() {
        check("(a [b] 'c)') {d}", &["(a [b] 'c)')", "{d}"]);
        check("a (b) ((c", &["(b)"]);
        check("((a) [b]", &["(a)", "[b]"]);
        check("(a [b) c]", &["(a [b)"]);
        check("it's (ä)", &["(ä)"]);
        check("a] `b` 'c", &["`b`"]);
        check("", &[]);
    }

    #[test]
    fn unclosed_brackets_take_linear_time() {
        let count = 200_000;
        for text in ["(", "([", "(]", "'(", "((a)", "{'}"] {
            outer_groups(&text.repeat(count));
        }
        assert_eq!(group_length(&"(".repeat(count)), None);
        assert_eq!(group_length(&["(".repeat(count), ")".repeat(count)].concat()), Some(2 * count));
    }
}
