//! Scanner of text that is not tokenized as GASL, such as `(a)-[:KNOWS]->(b)` and `df[df.x > 3]`.

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
        let inner = self.rest().strip_prefix(open)?;
        let end = matching_end(inner, close)?;
        let (inside, after) = inner.split_at_checked(end)?;
        self.rest = after.strip_prefix(close)?;
        Some(inside.trim())
    }

    /// Consumes text up to one of some keywords outside brackets and quotes.
    pub fn take_until(&mut self, keywords: &[&str]) -> &'a str {
        let rest = self.rest();
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
            at += skipped_length(here).unwrap_or(character.len_utf8());
            previous = character;
        }
        let (taken, after) = rest.split_at_checked(at).unwrap_or((rest, ""));
        self.rest = after;
        taken.trim()
    }
}

/// Returns the byte offset of the closing bracket of a text.
fn matching_end(text: &str, close: char) -> Option<usize> {
    let mut at = 0;
    loop {
        let rest = text.get(at..)?;
        let character = rest.chars().next()?;
        if character == close {
            return Some(at);
        }
        at += skipped_length(rest).unwrap_or(character.len_utf8());
    }
}

/// Returns the length of a string or of brackets at the start of a text, with their ends.
fn skipped_length(text: &str) -> Option<usize> {
    let open = text.chars().next()?;
    let inner = text.get(open.len_utf8()..)?;
    let close = match open {
        '\'' | '"' | '`' => {
            return inner.find(open).map(|end| end + 2 * open.len_utf8());
        }
        '(' => ')',
        '[' => ']',
        '{' => '}',
        _ => return None,
    };
    matching_end(inner, close).map(|end| end + 2)
}

/// Splits a text at a separator outside brackets and quotes. Empty parts are left out.
pub fn split<'a>(text: &'a str, separator: &str) -> Vec<&'a str> {
    let (mut parts, mut start, mut at) = (Vec::new(), 0, 0);
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        if rest.get(..separator.len()).is_some_and(|part| part.eq_ignore_ascii_case(separator)) {
            parts.push(text.get(start..at).unwrap_or_default());
            at += separator.len();
            start = at;
            continue;
        }
        let length = rest.chars().next().map_or(1, char::len_utf8);
        at += skipped_length(rest).unwrap_or(length);
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
