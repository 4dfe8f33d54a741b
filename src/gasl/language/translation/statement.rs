//! Tokens of a statement.

use crate::base::Span;
use crate::gasl::language::keywords::is_reserved;
use crate::gasl::language::token::{Token, TokenKind};

/// Cursor over the tokens of a statement.
#[derive(Clone)]
pub struct Statement<'a> {
    /// Text to which the spans refer.
    source: &'a str,
    span: Span,
    tokens: &'a [Token],
    /// Index of the next token.
    next: usize,
}

impl<'a> Statement<'a> {
    pub fn new(source: &'a str, span: Span, tokens: &'a [Token]) -> Statement<'a> {
        Statement { source, span, tokens, next: 0 }
    }

    /// Returns the complete text, including parts that are comments in GASL.
    pub fn text(&self) -> &'a str {
        self.source.get(self.span.start..self.span.end).unwrap_or_default()
    }

    pub fn is_done(&self) -> bool {
        self.token_at(0).is_none()
    }

    fn token_at(&self, ahead: usize) -> Option<&'a Token> {
        self.tokens.get(self.next + ahead).filter(|token| token.kind != TokenKind::End)
    }

    /// Returns the text of a token.
    fn text_of(&self, token: &Token) -> &'a str {
        self.source.get(token.span.start..token.span.end).unwrap_or_default()
    }

    /// Returns the text of the next token, or an empty string at the end.
    pub fn peek(&self) -> &'a str {
        self.token_at(0).map_or("", |token| self.text_of(token))
    }

    /// Returns whether the word `ahead` tokens after the next one is a keyword.
    pub fn is_keyword_at(&self, ahead: usize, keyword: &str) -> bool {
        let token = self.token_at(ahead);
        token.is_some_and(|token| match &token.kind {
            TokenKind::Word(word) => word.eq_ignore_ascii_case(keyword),
            _ => false,
        })
    }

    /// Returns whether the next word is one of some keywords.
    pub fn is_any_keyword(&self, keywords: &[&str]) -> bool {
        keywords.iter().any(|keyword| self.is_keyword_at(0, keyword))
    }

    /// Returns whether one of the words is a keyword.
    pub fn has_keyword(&self, keyword: &str) -> bool {
        self.words().any(|word| word.eq_ignore_ascii_case(keyword))
    }

    /// Returns the unquoted words of the complete statement.
    pub fn words(&self) -> impl Iterator<Item = &'a str> {
        self.tokens.iter().filter_map(|token| match &token.kind {
            TokenKind::Word(word) => Some(word.as_str()),
            _ => None,
        })
    }

    /// Consumes a keyword.
    pub fn accept(&mut self, keyword: &str) -> bool {
        let found = self.is_keyword_at(0, keyword);
        self.next += usize::from(found);
        found
    }

    /// Consumes two keywords.
    pub fn accept_both(&mut self, first: &str, second: &str) -> bool {
        let found = self.is_keyword_at(0, first) && self.is_keyword_at(1, second);
        self.next += if found { 2 } else { 0 };
        found
    }

    /// Consumes one of some keywords.
    pub fn accept_any(&mut self, keywords: &[&str]) -> bool {
        keywords.iter().any(|keyword| self.accept(keyword))
    }

    /// Consumes a sign or an operator.
    pub fn accept_sign(&mut self, sign: &str) -> bool {
        let is_sign = |token: &Token| {
            matches!(token.kind, TokenKind::Punctuation(_) | TokenKind::Operator(_))
                && self.text_of(token) == sign
        };
        let found = self.token_at(0).is_some_and(is_sign);
        self.next += usize::from(found);
        found
    }

    /// Consumes the next token and returns its text.
    pub fn take(&mut self) -> Option<&'a str> {
        let token = self.token_at(0)?;
        self.next += 1;
        Some(self.text_of(token))
    }

    /// Consumes an unquoted word that is not a reserved keyword.
    pub fn take_word(&mut self) -> Option<&'a str> {
        let token = self.token_at(0)?;
        let TokenKind::Word(word) = &token.kind else { return None };
        if is_reserved(word) {
            return None;
        }
        self.take()
    }

    /// Returns whether one word in lower case, which is not a part of the graph, is left.
    pub fn is_single_variable_name(&self) -> bool {
        let is_graph =
            self.is_any_keyword(&["NODES", "EDGES", "PATHS", "VERTICES", "RELATIONSHIPS"]);
        let is_lower = self.peek().starts_with(char::is_lowercase);
        is_lower && !is_graph && self.token_at(1).is_none()
    }

    /// Consumes the name of a field or a variable. Returns it without quotes.
    pub fn take_name(&mut self) -> Option<String> {
        let name = match &self.token_at(0)?.kind {
            TokenKind::Quoted(name) => name.clone(),
            TokenKind::Text(text) => text.as_literal()?.to_owned(),
            _ => return self.take_word().map(str::to_owned),
        };
        self.next += 1;
        Some(name)
    }

    /// Consumes a word, a string or a binding as a value. Returns it as written.
    pub fn take_value(&mut self) -> Option<&'a str> {
        match self.token_at(0)?.kind {
            TokenKind::Text(_) | TokenKind::Quoted(_) | TokenKind::Binding(_) => self.take(),
            _ => self.take_word(),
        }
    }

    /// Consumes a positive number.
    pub fn take_count(&mut self) -> Option<usize> {
        let count = self.peek().parse().ok().filter(|count| *count > 0)?;
        self.next += 1;
        Some(count)
    }

    /// Consumes the tokens up to one of some keywords outside brackets. Returns their text with the
    /// words that `rename` replaces, or `None` if there are none.
    pub fn take_until(
        &mut self,
        keywords: &[&str],
        rename: impl Fn(&str) -> Option<String>,
    ) -> Option<String> {
        let (mut out, mut depth) = (String::new(), 0usize);
        let mut last: Option<Span> = None;
        while let Some(token) = self.token_at(0) {
            if depth == 0 && self.is_any_keyword(keywords) {
                break;
            }
            match token.kind {
                TokenKind::Punctuation('(' | '[' | '{') => depth += 1,
                TokenKind::Punctuation(')' | ']' | '}') => depth = depth.checked_sub(1)?,
                _ => {}
            }
            if last.is_some_and(|last| last.end < token.span.start) {
                out.push(' ');
            }
            let text = self.text_of(token);
            let renamed = match token.kind {
                TokenKind::Word(_) => rename(text),
                _ => None,
            };
            out.push_str(renamed.as_deref().unwrap_or(text));
            last = Some(token.span);
            self.next += 1;
        }
        last.map(|_| out)
    }

    /// Returns the text from the next token to the end.
    pub fn rest(&self) -> &'a str {
        let start = self.token_at(0).map_or(self.span.end, |token| token.span.start);
        self.source.get(start..self.span.end).unwrap_or_default().trim().trim_end_matches(';')
    }
}

/// Keeps all words as written.
pub fn keep_word(_: &str) -> Option<String> {
    None
}
