//! Productions of strings and JSON schemas.

use super::ast::TextTemplate;
use super::parser::Parser;
use super::template;
use super::token::TokenKind;
use crate::base::diagnostic::quote;
use crate::base::json::Limits;
use crate::base::{Diagnostic, Location, Span, Value};
use crate::gasl::codes;
use crate::gasl::model::schema;

impl Parser<'_> {
    /// `"USING" text`
    pub(super) fn expect_instruction(&mut self, next: &[&str]) -> Option<TextTemplate> {
        let is_text = matches!(self.peek(), Some(TokenKind::Text(_)));
        if self.expect_keyword_before("USING", is_text).is_none() {
            self.recover(next);
            return None;
        }
        self.expect_text("an instruction in quotes", next)
    }

    /// Parses a string in quotes.
    pub(super) fn expect_text(&mut self, what: &str, next: &[&str]) -> Option<TextTemplate> {
        if let Some(TokenKind::Text(text)) = self.peek() {
            let text = text.clone();
            self.advance();
            return Some(text);
        }
        self.add_expected(what);
        self.report_unexpected();
        self.recover(next);
        None
    }

    /// Parses a string or an unquoted word. Bindings are not resolved.
    pub(super) fn expect_literal(&mut self, what: &str) -> Option<String> {
        if let Some(word) = self.peek_word().map(str::to_owned) {
            self.advance();
            return Some(word);
        }
        let text = self.expect_text(what, &[])?;
        let mut literal = String::new();
        template::write_template(&text, &mut literal);
        Some(text.as_literal().map_or(literal, str::to_owned))
    }

    /// Parses a JSON schema.
    pub(super) fn expect_json(&mut self) -> Option<Value> {
        let start = self.next_span().start;
        let mut open = 0usize;
        while let Some(kind) = self.peek() {
            match kind {
                TokenKind::Punctuation('{' | '[') => open += 1,
                TokenKind::Punctuation('}' | ']') => open = open.saturating_sub(1),
                TokenKind::End => break,
                // `true` and `false` are schemas.
                TokenKind::Word(word) if open == 0 && matches!(word.as_str(), "true" | "false") => {
                }
                _ if open == 0 => break,
                _ => {}
            }
            self.advance();
            if open == 0 {
                break;
            }
        }
        let span = Span::new(start, self.previous_end().max(start));
        let text = self.text.get(span.start..span.end).unwrap_or_default();
        let (value, diagnostics) = Value::parse(text.as_bytes(), Limits::default());
        if let Some(value @ (Value::Map(_) | Value::Bool(_))) = value {
            let Some(error) = schema::invalid_schema(&value) else { return Some(value) };
            let at = match &error.location {
                Some(Location::Pointer(at)) => at.as_str(),
                _ => "",
            };
            let message = format!("{} at {} of the schema", error.message, quote(at));
            let help = error.help.unwrap_or_default();
            self.report(Diagnostic::new(codes::BAD_SCHEMA, message).help(help), span);
            return None;
        }
        let reason = diagnostics.first();
        let reason = reason.map_or("expected an object".to_owned(), |first| first.message.clone());
        let message = format!("invalid schema after `RETURNING`: {reason}");
        let help = r#"write a JSON schema, as in `RETURNING {"type": "array", "items": {"type": "object"}}`"#;
        self.report(Diagnostic::new(codes::BAD_SCHEMA, message).help(help), span);
        None
    }
}
