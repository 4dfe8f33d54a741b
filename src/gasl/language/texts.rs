//! Texts and schemas in a command.

use super::ast::Template;
use super::parser::Parser;
use super::template;
use super::token::Kind;
use crate::base::diagnostic::quote;
use crate::base::json::Limits;
use crate::base::{Diagnostic, Location, Span, Value};
use crate::gasl::codes;
use crate::gasl::model::schema;

impl Parser<'_> {
    /// `"USING" text`
    pub(super) fn instruction(&mut self, next: &[&str]) -> Option<Template> {
        let is_text = matches!(self.peek(), Some(Kind::Text(_)));
        if self.expect_keyword_before("USING", is_text).is_none() {
            self.recover(next);
            return None;
        }
        self.expect_text("an instruction in quotes", next)
    }

    /// A text in quotes.
    pub(super) fn expect_text(&mut self, what: &str, next: &[&str]) -> Option<Template> {
        if let Some(Kind::Text(text)) = self.peek() {
            let text = text.clone();
            self.advance();
            return Some(text);
        }
        self.expecting(what);
        self.unexpected();
        self.recover(next);
        None
    }

    /// A text in quotes, or a bare word; without bindings.
    pub(super) fn expect_plain(&mut self, what: &str) -> Option<String> {
        if let Some(word) = self.peek_word().map(str::to_owned) {
            self.advance();
            return Some(word);
        }
        let text = self.expect_text(what, &[])?;
        let mut plain = String::new();
        template::write(&text, &mut plain);
        Some(text.as_plain().map_or(plain, str::to_owned))
    }

    /// A JSON value as it stands in the text.
    pub(super) fn expect_json(&mut self) -> Option<Value> {
        let start = self.here().start;
        let mut open = 0usize;
        while let Some(kind) = self.peek() {
            match kind {
                Kind::Sign('{' | '[') => open += 1,
                Kind::Sign('}' | ']') => open = open.saturating_sub(1),
                Kind::End => break,
                // `true` is a schema too.
                Kind::Word(word) if open == 0 && matches!(word.as_str(), "true" | "false") => {}
                _ if open == 0 => break,
                _ => {}
            }
            self.advance();
            if open == 0 {
                break;
            }
        }
        let span = Span::new(start, self.last_end().max(start));
        let text = self.text.get(span.start..span.end).unwrap_or_default();
        let (value, told) = Value::parse(text.as_bytes(), Limits::default());
        if let Some(value @ (Value::Map(_) | Value::Bool(_))) = value {
            let Some(wrong) = schema::invalid_schema(&value) else { return Some(value) };
            let at = match &wrong.location {
                Some(Location::Pointer(at)) => at.as_str(),
                _ => "",
            };
            let message = format!("{} at {} of the schema", wrong.message, quote(at));
            let help = wrong.help.unwrap_or_default();
            self.tell(Diagnostic::new(codes::BAD_SCHEMA, message).help(help), span);
            return None;
        }
        let why = told.first().map_or("it is no object".to_owned(), |first| first.message.clone());
        let message = format!("the schema behind `RETURNING` cannot be read: {why}");
        let help = r#"write a JSON schema, as in `RETURNING {"type": "array", "items": {"type": "object"}}`"#;
        self.tell(Diagnostic::new(codes::BAD_SCHEMA, message).help(help), span);
        None
    }
}
