//! What a step did: its status, its figures, what was wrong.

use super::codes;
use crate::base::value::{Map, put};
use crate::base::{Diagnostic, Location, Value};

/// How a step ended, the strongest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    BindingFailure,
    Error,
    SchemaMismatch,
    Partial,
    Empty,
    Success,
}

impl Status {
    /// As records have it.
    pub fn word(self) -> &'static str {
        match self {
            Status::BindingFailure => "binding_failure",
            Status::Error => "error",
            Status::SchemaMismatch => "schema_mismatch",
            Status::Partial => "partial",
            Status::Empty => "empty",
            Status::Success => "success",
        }
    }

    /// The status of a word.
    pub fn of_word(word: &str) -> Option<Status> {
        let all = [
            Status::BindingFailure,
            Status::Error,
            Status::SchemaMismatch,
            Status::Partial,
            Status::Empty,
            Status::Success,
        ];
        all.into_iter().find(|status| status.word() == word)
    }

    /// Whether nothing was done.
    pub fn is_failure(self) -> bool {
        self < Status::Partial
    }
}

/// Why a command did nothing.
#[derive(Clone, Debug)]
pub struct Failure {
    /// One of the failures.
    pub status: Status,
    /// What was wrong.
    pub diagnostics: Vec<Diagnostic>,
}

impl Failure {
    /// A failure for one reason; its code decides what kind of failure it is.
    pub fn of(diagnostic: Diagnostic) -> Failure {
        let status = match diagnostic.code {
            codes::UNBOUND => Status::BindingFailure,
            codes::WRONG_VALUE | codes::NOT_JSON | codes::MISMATCH | codes::BAD_CITATION => {
                Status::SchemaMismatch
            }
            _ => Status::Error,
        };
        Failure { status, diagnostics: vec![diagnostic] }
    }
}

impl From<Diagnostic> for Failure {
    fn from(diagnostic: Diagnostic) -> Failure {
        Failure::of(diagnostic)
    }
}

/// One line of the history.
#[derive(Clone, Debug)]
pub struct Record {
    /// Counts up over the whole life of the session.
    pub step: usize,
    /// As it was written.
    pub command: String,
    /// Why it was run, in the words of the plan.
    pub why: String,
    /// How it ended.
    pub status: Status,
    /// Figures: `count`, `completeness`, what the command has to tell.
    pub metrics: Map,
    /// An excerpt of the result and the hash of the whole.
    pub summary: super::summary::Summary,
    /// When it began; the host's clock.
    pub started_at: String,
    /// When it was over.
    pub finished_at: String,
    /// Of every severity.
    pub errors: Vec<Diagnostic>,
}

impl Record {
    /// The record with one more thing to tell.
    pub fn with(&self, diagnostic: Diagnostic) -> Record {
        let mut record = self.clone();
        record.errors.push(diagnostic);
        record
    }

    /// The record as the host gets it when the step is over.
    pub fn told(&self) -> Value {
        self.map(|_| {}).into()
    }

    /// The record as the history holds it, with an excerpt of the result.
    pub fn to_value(&self) -> Value {
        let detail = |map: &mut Map| {
            put(map, "summary", self.summary.to_value());
            put(map, "provenance_summary", self.summary.provenance());
        };
        self.map(detail).into()
    }

    fn map(&self, detail: impl FnOnce(&mut Map)) -> Map {
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

/// The first of the diagnostics, with places in UTF-16 code units of the text that they are about.
pub fn in_utf16(text: &str, diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    // Each place is counted from the beginning, so only those that are told are counted.
    let diagnostics = crate::base::diagnostic::first_of(diagnostics);
    let outside = |diagnostic: Diagnostic| match diagnostic.location {
        Some(Location::Span(span)) => {
            let span = crate::base::span::utf16_span(text.as_bytes(), span);
            diagnostic.at(span)
        }
        _ => diagnostic,
    };
    diagnostics.into_iter().map(outside).collect::<Vec<_>>()
}
