//! CommandResult of a command.

use crate::base::value::{Map, put};
use crate::base::{Diagnostic, Value};
use crate::gasl::record::{CommandFailure, StepStatus};
use crate::gasl::variable::Variable;

/// What a command did.
#[derive(Debug, Default)]
pub struct Output {
    /// What its name gets.
    pub value: Option<Variable>,
    /// If it is not what the value makes it: empty or a success.
    pub status: Option<StepStatus>,
    /// Figures for the record.
    pub metrics: Map,
    /// Warnings and notes.
    pub diagnostics: Vec<Diagnostic>,
}

impl Output {
    /// The output that is these rows or this value.
    pub fn of(value: Variable) -> Output {
        let mut output = Output::default();
        if let Some(count) = value.row_count() {
            put(&mut output.metrics, "count", count);
        }
        output.value = Some(value);
        output
    }

    /// One more figure.
    pub fn with_metric(mut self, name: &str, value: impl Into<Value>) -> Output {
        put(&mut self.metrics, name, value);
        self
    }

    /// With what the lookups had to say.
    pub fn with_diagnostics(mut self, diagnostics: Vec<Diagnostic>) -> Output {
        self.diagnostics.extend(diagnostics);
        self
    }

    /// How the step ended.
    pub fn final_status(&self) -> StepStatus {
        let empty = self.value.as_ref().is_some_and(|value| value.row_count() == Some(0));
        self.status.unwrap_or(if empty { StepStatus::Empty } else { StepStatus::Success })
    }
}

/// What came of a command that needs nobody.
pub type CommandResult = std::result::Result<Output, CommandFailure>;

/// `completeness` of a result that a cap cut.
pub fn completeness(returned: usize, bound: usize, kind: &str) -> Value {
    Value::map([
        ("complete", Value::Bool(false)),
        ("returned", returned.into()),
        ("bound", bound.into()),
        ("bound_kind", kind.into()),
    ])
}
