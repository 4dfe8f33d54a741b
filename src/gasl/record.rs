//! Step records: status, metrics and diagnostics.

use super::codes;
use super::language::ast::Command;
use super::summary::MAX_EXCERPT_CHARS;
use crate::base::hash::sha256;
use crate::base::value::{Map, excerpt_of, put};
use crate::base::{Diagnostic, Location, Value};
use std::rc::Rc;

/// Outcome of a step, most severe first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum StepStatus {
    BindingFailure,
    Error,
    SchemaMismatch,
    Partial,
    Empty,
    Success,
}

impl StepStatus {
    /// Returns the word that records contain.
    pub fn word(self) -> &'static str {
        match self {
            StepStatus::BindingFailure => "binding_failure",
            StepStatus::Error => "error",
            StepStatus::SchemaMismatch => "schema_mismatch",
            StepStatus::Partial => "partial",
            StepStatus::Empty => "empty",
            StepStatus::Success => "success",
        }
    }

    /// Parses the [word](StepStatus::word) of a status.
    pub fn parse(word: &str) -> Option<StepStatus> {
        let all = [
            StepStatus::BindingFailure,
            StepStatus::Error,
            StepStatus::SchemaMismatch,
            StepStatus::Partial,
            StepStatus::Empty,
            StepStatus::Success,
        ];
        all.into_iter().find(|status| status.word() == word)
    }

    /// Whether the command had no effect.
    pub fn is_failure(self) -> bool {
        self < StepStatus::Partial
    }
}

/// Failure of a command, which then has no effect.
#[derive(Clone, Debug)]
pub struct CommandFailure {
    pub status: StepStatus,
    pub diagnostics: Vec<Diagnostic>,
}

impl CommandFailure {
    /// Creates a failure; the code of the diagnostic decides the status.
    pub fn from_diagnostic(diagnostic: Diagnostic) -> CommandFailure {
        let status = match diagnostic.code {
            codes::UNDEFINED => StepStatus::BindingFailure,
            codes::WRONG_VALUE | codes::NOT_JSON | codes::SCHEMA_MISMATCH | codes::BAD_CITATION => {
                StepStatus::SchemaMismatch
            }
            _ => StepStatus::Error,
        };
        CommandFailure { status, diagnostics: vec![diagnostic] }
    }
}

impl From<Diagnostic> for CommandFailure {
    fn from(diagnostic: Diagnostic) -> CommandFailure {
        CommandFailure::from_diagnostic(diagnostic)
    }
}

/// Key of the first rows of the result in a record for a prompt.
pub const FIRST_ROWS_KEY: &str = "first_rows";

/// Key of the variable that the command wrote, in a record for a prompt.
pub const OUTPUT_KEY: &str = "output";

/// Key of the lines of a `SHOW` in a record for a prompt.
pub const SHOWN_KEY: &str = "shown";

/// Record of a step.
#[derive(Clone, Debug)]
pub struct Record {
    /// Number of the step, unique in the session.
    pub step: usize,
    /// Command as written.
    pub command: String,
    /// Reason given in the plan.
    pub why: String,
    pub status: StepStatus,
    /// Metrics: `count`, `completeness` and those of the command.
    pub metrics: Map,
    /// Excerpt of the result and hash of the complete result.
    pub summary: super::summary::Summary,
    /// Executed command: of an `ON` or `BRANCH` the chosen one.
    pub executed: Rc<Command>,
    /// Lines of a `SHOW` for the next prompt, or null.
    pub shown_lines: Value,
    /// Start time by the clock of the host.
    pub started_at: String,
    /// End time by the clock of the host.
    pub finished_at: String,
    /// Diagnostics of any severity.
    pub errors: Vec<Diagnostic>,
}

impl Record {
    /// Returns the record with one more diagnostic.
    pub fn with_diagnostic(&self, diagnostic: Diagnostic) -> Record {
        let mut record = self.clone();
        record.errors.push(diagnostic);
        record
    }

    /// Returns the record without summaries, for the host.
    pub fn to_event_value(&self) -> Value {
        self.to_map_with(|_| {}).into()
    }

    /// Returns the record with its first rows, for a prompt; with the lines of a `SHOW` if
    /// `is_of_last_plan`.
    pub fn to_prompt_value(&self, is_of_last_plan: bool) -> Value {
        let detail = |map: &mut Map| {
            put(map, FIRST_ROWS_KEY, self.summary.first_rows());
            put(map, OUTPUT_KEY, self.executed.output().map(str::to_owned));
            if is_of_last_plan && !self.shown_lines.is_null() {
                put(map, SHOWN_KEY, self.shown_lines.clone());
            }
        };
        self.to_map_with(detail).into()
    }

    /// Returns the record with summaries, for the history. A long command or reason is an excerpt.
    pub fn to_value(&self) -> Value {
        let detail = |map: &mut Map| {
            put_excerpt(map, "command", &self.command);
            put_excerpt(map, "why", &self.why);
            put(map, "summary", self.summary.to_value());
            put(map, "provenance_summary", self.summary.provenance());
        };
        self.to_map_with(detail).into()
    }

    fn to_map_with(&self, detail: impl FnOnce(&mut Map)) -> Map {
        let mut map = Map::default();
        put(&mut map, "step", self.step);
        put(&mut map, "command", self.command.as_str());
        put(&mut map, "why", self.why.as_str());
        put(&mut map, "status", self.status.word());
        put(&mut map, "metrics", self.metrics.clone());
        detail(&mut map);
        put(&mut map, "started_at", self.started_at.as_str());
        put(&mut map, "finished_at", self.finished_at.as_str());
        if !self.errors.is_empty() {
            let errors = self.errors.iter().map(Diagnostic::to_value).collect::<Vec<_>>();
            put(&mut map, "errors", errors);
        }
        map
    }
}

/// Replaces a text of more than [`MAX_EXCERPT_CHARS`] by its start, and adds the SHA-256 of the whole.
fn put_excerpt(map: &mut Map, key: &str, text: &str) {
    let excerpt = excerpt_of(text, MAX_EXCERPT_CHARS);
    if excerpt.len() < text.len() {
        put(map, key, excerpt);
        put(map, format!("{key}_sha256").as_str(), sha256(text));
    }
}

/// Returns the first diagnostics, with spans in UTF-16 code units of `text`.
pub fn in_utf16(text: &str, diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    // Each conversion scans from the start, so only the returned diagnostics are converted.
    let diagnostics = crate::base::diagnostic::limit_diagnostics(diagnostics);
    let convert = |diagnostic: Diagnostic| match diagnostic.location {
        Some(Location::Span(span)) => {
            let span = crate::base::span::utf16_span(text.as_bytes(), span);
            diagnostic.at(span)
        }
        _ => diagnostic,
    };
    diagnostics.into_iter().map(convert).collect::<Vec<_>>()
}
