//! Productions of variable names and state keys.

use super::ast::VariablePath;
use super::keywords::is_reserved;
use super::lexer::is_combining;
use super::parser::Parser;
use super::printer::print_new_key;
use super::template;
use super::token::{Token, TokenKind};
use crate::base::diagnostic::quote;
use crate::base::json::parse_number_text;
use crate::base::{Diagnostic, Span};
use crate::gasl::codes;

/// Maximum length of a name, in bytes.
const MAX_NAME_BYTES: usize = 128;

/// Keywords that models write after the output name although they belong to the command.
const MISPLACED_CLAUSES: [&str; 11] = [
    "DEPTH",
    "DIRECTION",
    "ASC",
    "DESC",
    "OF",
    "ORDER",
    "SORT",
    "GROUP",
    "FROM",
    "WEIGHT",
    "WEIGHTED",
];

impl Parser<'_> {
    /// `path = name { "." name }`
    pub(super) fn expect_path(&mut self, what: &str) -> Option<VariablePath> {
        let span = self.next_span();
        let steps = match self.peek() {
            Some(TokenKind::Binding(steps)) => Some(steps.clone()),
            Some(TokenKind::Quoted(name)) => Some(vec![name.clone()]),
            Some(TokenKind::Text(text)) => text.as_literal().and_then(template::parse_steps),
            Some(TokenKind::Word(word)) if !is_reserved(word) => template::parse_steps(word),
            _ => None,
        };
        let Some(steps) = steps else {
            self.add_expected(what);
            let reserved = self.peek_word().filter(|word| is_reserved(word)).map(str::to_owned);
            self.report_unexpected();
            if let (Some(word), Some(last)) = (reserved, self.diagnostics.last_mut()) {
                let help = format!("write {what} here, because `{word}` is a keyword");
                last.help = Some(help);
            }
            return None;
        };
        self.advance();
        if let Some(name) = self.text_at(span).strip_suffix(':').map(str::to_owned) {
            let message = "unexpected `:` after a name";
            self.report(Diagnostic::new(codes::BAD_NAME, message).help("leave it out"), span);
            self.fix(span, name);
        }
        // Later steps may be list indices, but the first is a name.
        let number = steps.first().filter(|first| parse_number_text(first).is_some());
        if let Some(invalid) = steps.iter().find(|step| !is_name(step)).or(number) {
            self.report(invalid_name(invalid), span);
        }
        Some(VariablePath { steps, span })
    }

    /// `name`, as after `AS`
    pub(super) fn expect_name(&mut self, what: &str) -> Option<String> {
        let is_binding = self.at_binding();
        let path = self.expect_path(what)?;
        if is_binding {
            let name = path.text().replace('.', "_");
            self.report_bound_name(&path, &name);
            return Some(name);
        }
        if let [name] = path.steps.as_slice() {
            return Some(name.clone());
        }
        let text = path.text();
        let name = text.replace('.', "_");
        let message = format!("expected a variable name, found the path {}", quote(&text));
        let help = format!("write `{name}` here, and `UPDATE {text} WITH {name}` to store it");
        self.report(Diagnostic::new(codes::BAD_NAME, message).help(help), path.span);
        self.fix(path.span, name);
        None
    }

    /// Parses a new key of the state, as after `DECLARE`.
    pub(super) fn expect_new_key(&mut self) -> Option<VariablePath> {
        let is_binding = self.at_binding();
        let path = self.expect_path("a key of the state")?;
        if is_binding {
            self.report_bound_name(&path, &path.text());
        }
        Some(path)
    }

    fn at_binding(&self) -> bool {
        matches!(self.peek(), Some(TokenKind::Binding(_)))
    }

    /// Reports a binding in place of a new name.
    fn report_bound_name(&mut self, path: &VariablePath, name: &str) {
        let binding = quote(&format!("${{{}}}", path.text()));
        let message = format!("expected a new name, found the binding {binding}");
        let name = print_new_key(name);
        let help = format!("write `{name}`");
        self.report(Diagnostic::new(codes::BINDING_AS_NEW_NAME, message).help(help), path.span);
        self.fix(path.span, name);
    }

    /// `"AS" name`
    pub(super) fn expect_output(&mut self, likely: &str) -> Option<String> {
        let count = self.diagnostics.len();
        if !self.at_keyword("AS") && self.report_before_output() {
            return None;
        }
        if self.expect_keyword("AS").is_none() {
            // At the end of the command only the output can be missing.
            if self.diagnostics.len() == count + 1 && self.next_token_text().is_none() {
                let end = self.previous_end();
                self.fix(Span::new(end, end), format!(" AS {likely}"));
            }
            return None;
        }
        let name = self.expect_name("the name of a variable")?;
        self.report_name_of_several_words();
        Some(name)
    }

    /// Reports an output name of several words: `AS my people`.
    fn report_name_of_several_words(&mut self) {
        let first = self.previous_span();
        while let Some(Token { kind: TokenKind::Word(word), first: false, .. }) = self.token()
            && !is_reserved(word)
            && !MISPLACED_CLAUSES.iter().any(|part| part.eq_ignore_ascii_case(word))
            && self.command_word().is_none()
            && !self.at_foreign_clause(0)
        {
            self.advance();
        }
        let span = Span::new(first.start, self.previous_end());
        if span == first {
            return;
        }
        let text = self.text_at(span).to_owned();
        // The invalid name was reported, and the words are a comment.
        if self.text_at(first).contains('#') {
            return;
        }
        let message = format!("expected one word, found {}", quote(&text));
        let help = "write the variable name as one word";
        self.report(Diagnostic::new(codes::BAD_NAME, message).help(help), span);
        self.fix(span, text.split_whitespace().collect::<Vec<_>>().join("_"));
    }
}

fn is_name(name: &str) -> bool {
    let is_valid =
        name.chars().all(|c| c.is_alphanumeric() || is_combining(c) || "_-:/ ".contains(c));
    is_valid && !name.starts_with('_') && !name.is_empty() && name.len() <= MAX_NAME_BYTES
}

fn invalid_name(name: &str) -> Diagnostic {
    let message = format!("invalid name {}", quote(name));
    let help = match name.contains('#') {
        true => "write a space before `#`, which does not begin a comment inside a word",
        false => {
            "use letters, digits, `_` and `-`, at most 128 bytes; a name is not a number and does not begin with `_`"
        }
    };
    Diagnostic::new(codes::BAD_NAME, message).help(help)
}
