//! Translation of statements in other languages into commands, for the help of a diagnostic.
//!
//! A statement is translated only after the parser has rejected it. Each translator returns the
//! commands, separated by `; `, or `None` if it does not know the form.

mod clauses;
mod cypher;
mod find_phrases;
mod gremlin;
mod networkx;
mod pandas;
mod phrases;
mod scanner;
mod sql;
mod statement;
mod steps;

use self::statement::Statement;
use super::fix_suggestions::corrected;
use super::parser::Parser;
use crate::base::{Diagnostic, Location, Span};
use crate::gasl::codes;

/// Maximum length of a translated statement, in bytes.
const MAX_STATEMENT_BYTES: usize = 400;

/// Maximum length of a text whose statements are translated, in bytes. Each translation scans its
/// diagnostics.
const MAX_TEXT_BYTES: usize = 4_000;

/// Translator of one language: its name in messages, and its function.
type Translator = (&'static str, fn(&Statement<'_>) -> Option<String>);

const TRANSLATORS: [Translator; 8] = [
    ("an assignment", assignment),
    ("Cypher", cypher::translate),
    ("Gremlin", gremlin::translate),
    ("NetworkX code", networkx::translate),
    ("pandas code", pandas::translate),
    ("SQL", sql::translate),
    ("a phrase of another language", phrases::translate),
    ("clauses of another language", clauses::translate),
];

impl Parser<'_> {
    /// Replaces the diagnostics of a rejected command by its translation, if there is one, and if their
    /// own fixes do not correct the command. `first` is the
    /// index of its first token, and `count` the number of diagnostics before it.
    pub(in crate::gasl::language) fn translate(&mut self, first: usize, count: usize) {
        let Some((span, tokens)) = self.rejected_command(first) else { return };
        let is_long =
            span.end - span.start > MAX_STATEMENT_BYTES || self.text.len() > MAX_TEXT_BYTES;
        if is_long || self.is_fixed(span) {
            return;
        }
        let within = |diagnostic: &Diagnostic| match &diagnostic.location {
            Some(Location::Span(at)) => span.start <= at.start && at.end <= span.end,
            _ => false,
        };
        let is_unclosed = |diagnostic: &Diagnostic| diagnostic.code == codes::UNCLOSED;
        if self.diagnostics.iter().any(|one| within(one) && is_unclosed(one)) {
            return;
        }
        let statement = Statement::new(self.text, span, tokens);
        let Some((what, command)) = translate(&statement) else { return };
        let retained: Vec<bool> = self
            .diagnostics
            .iter()
            .enumerate()
            .map(|(index, one)| index < count && !within(one))
            .collect();
        self.retain_diagnostics(&retained);
        let message = format!("expected a command of GASL, found {what}");
        let help = format!("write `{command}`");
        self.report(Diagnostic::new(codes::FOREIGN_STATEMENT, message).help(help), span);
        self.fix(span, command);
    }
}

/// Translates a statement. Returns the name of its language and the commands.
fn translate(statement: &Statement<'_>) -> Option<(&'static str, String)> {
    let mut translations = TRANSLATORS.iter().filter_map(|(what, translator)| {
        let command = translator(statement)?;
        Some((*what, corrected(&command)?))
    });
    translations.next()
}

fn assignment(statement: &Statement<'_>) -> Option<String> {
    phrases::translate_assignment(statement, translate_text)
}

/// Translates a part of a statement, such as the right side of an assignment.
fn translate_text(text: &str) -> Option<String> {
    let lexed = super::lexer::lex(text);
    let statement = Statement::new(text, Span::new(0, text.len()), &lexed.tokens);
    translate(&statement).map(|(_, command)| command)
}
