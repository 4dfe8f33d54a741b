//! Translation of statements in other languages into commands, for the help of a diagnostic.
//!
//! A statement is translated only after the parser has rejected it. Each translator returns commands
//! with the same result, words on a part without an equivalent, or `None` if it does not know the form.

mod aggregates;
mod assignments;
mod clauses;
mod cypher;
mod cypher_conditions;
mod cypher_results;
mod find_phrases;
mod gremlin;
mod networkx;
mod null_tests;
mod pandas;
mod phrases;
mod python_call;
mod scanner;
mod sql;
mod sql_items;
mod statement;
mod steps;

use self::statement::Statement;
use self::steps::Translation;
use super::fix_suggestions::{IGNORES_CASE, corrected};
use super::parser::Parser;
use crate::base::{Diagnostic, Location, Span};
use crate::gasl::codes;

/// Maximum length of a translated statement, in bytes.
const MAX_STATEMENT_BYTES: usize = 400;

/// Maximum length of a text whose statements are translated, in bytes. Each translation scans its
/// diagnostics.
const MAX_TEXT_BYTES: usize = 4_000;

/// Translator of one language: its name in messages, and its function.
type Translator = (&'static str, fn(&Statement<'_>) -> Option<Translation>);

const TRANSLATORS: [Translator; 9] = [
    ("the operator `XOR`", exclusive_or),
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
        let Some((what, translation)) = translate(&statement) else { return };
        let case = match &translation {
            Translation::Commands(commands, _) if ignores_case(what, &statement, commands) => {
                Some(IGNORES_CASE)
            }
            _ => None,
        };
        let retained: Vec<bool> = self
            .diagnostics
            .iter()
            .enumerate()
            .map(|(index, one)| index < count && !within(one))
            .collect();
        self.retain_diagnostics(&retained);
        let message = format!("expected a command of GASL, found {what}");
        let (help, fix) = match translation {
            Translation::Commands(commands, note) => {
                let notes = note.into_iter().chain(case).collect::<Vec<_>>();
                let help = [&[&*format!("write `{commands}`")], &*notes].concat().join(", ");
                (help, Some(commands).filter(|_| notes.is_empty()))
            }
            Translation::Words(words) => (words, None),
        };
        self.report(Diagnostic::new(codes::FOREIGN_STATEMENT, message).help(help), span);
        if let Some(commands) = fix {
            self.fix(span, commands);
        }
    }
}

/// Translates a statement. Returns the name of its language and the translation.
fn translate(statement: &Statement<'_>) -> Option<(&'static str, Translation)> {
    let mut translations = TRANSLATORS.iter().filter_map(|(what, translator)| {
        let translation = match translator(statement)? {
            Translation::Commands(commands, note) => {
                Translation::Commands(corrected(&commands)?, note)
            }
            words => words,
        };
        Some((*what, translation))
    });
    translations.next()
}

/// Returns whether the commands have text operators that ignore case, and those of the statement do not.
/// In SQL it depends on the database.
fn ignores_case(language: &str, statement: &Statement<'_>, commands: &str) -> bool {
    const OPERATORS: [&str; 3] = [" CONTAINS ", " STARTS_WITH ", " ENDS_WITH "];
    const IGNORED: [&str; 4] = ["lower(", "upper(", "(?i)", "case=false"];
    let text = statement.text().to_ascii_lowercase();
    ["Cypher", "Gremlin", "pandas code"].contains(&language)
        && OPERATORS.iter().any(|operator| commands.contains(operator))
        && !IGNORED.iter().any(|mark| text.contains(mark))
}

fn exclusive_or(statement: &Statement<'_>) -> Option<Translation> {
    let words = "write `(a = 1 AND NOT b = 2) OR (NOT a = 1 AND b = 2)` for `a = 1 XOR b = 2`";
    statement.has_keyword("XOR").then(|| Translation::Words(words.to_owned()))
}

fn assignment(statement: &Statement<'_>) -> Option<Translation> {
    assignments::translate(statement, translate_text)
}

/// Translates a part of a statement, such as the right side of an assignment.
fn translate_text(text: &str) -> Option<Translation> {
    let lexed = super::lexer::lex(text);
    let statement = Statement::new(text, Span::new(0, text.len()), &lexed.tokens);
    translate(&statement).map(|(_, translation)| translation)
}
