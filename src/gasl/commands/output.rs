//! CommandResult of a command.

use crate::base::value::{Map, put};
use crate::base::{Diagnostic, Value};
use crate::gasl::record::{CommandFailure, StepStatus};
use crate::gasl::variable::Variable;

/// Output of a command.
#[derive(Debug, Default)]
pub struct Output {
    /// Value of the output variable.
    pub value: Option<Variable>,
    /// Overrides the status that follows from the value: empty or success.
    pub status: Option<StepStatus>,
    pub metrics: Map,
    pub diagnostics: Vec<Diagnostic>,
    /// Lines of [`RowSelection::to_value`](crate::gasl::shown::RowSelection::to_value) for the next prompt.
    pub shown_lines: Value,
}

impl Output {
    /// Creates the output of a value, with the metric `count` for rows.
    pub fn from_value(value: Variable) -> Output {
        let mut output = Output::default();
        if let Some(count) = value.row_count() {
            put(&mut output.metrics, "count", count);
        }
        output.value = Some(value);
        output
    }

    pub fn with_metric(mut self, name: &str, value: impl Into<Value>) -> Output {
        put(&mut self.metrics, name, value);
        self
    }

    pub fn with_diagnostics(mut self, diagnostics: Vec<Diagnostic>) -> Output {
        self.diagnostics.extend(diagnostics);
        self
    }

    pub fn final_status(&self) -> StepStatus {
        let empty = self.value.as_ref().is_some_and(|value| value.row_count() == Some(0));
        self.status.unwrap_or(if empty { StepStatus::Empty } else { StepStatus::Success })
    }
}

pub type CommandResult = std::result::Result<Output, CommandFailure>;

/// Returns the metric `completeness` of a truncated result.
pub fn completeness(returned: usize, bound: usize, kind: &str) -> Value {
    Value::map([
        ("complete", Value::Bool(false)),
        ("returned", returned.into()),
        ("bound", bound.into()),
        ("bound_kind", kind.into()),
    ])
}
