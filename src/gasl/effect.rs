//! Requests of a session to the host, and the responses of the host.

use super::codes;
use super::model::exchange::Question;
use crate::base::{Diagnostic, Value};

/// Request to the host.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// No request: gives the host the chance to notify listeners and to stop the task.
    Continue,
    /// No request: a long computation lets the host handle other events before it continues.
    Yield,
    /// Ask the model.
    Ask(Box<Question>),
    /// Query the host's graph for `nodes`, `edges`, `paths`, `shortest` or `degree`.
    Query(&'static str, Value),
    /// Store the state.
    Save,
}

/// Response of the host.
#[derive(Clone, Debug, PartialEq)]
pub enum HostResponse {
    Value(Value),
    Failed(HostFailure),
    /// Failure that a later attempt may not repeat: it interrupts a plan.
    Interrupted(HostFailure),
}

/// Reason of a failed request.
#[derive(Clone, Debug, PartialEq)]
pub struct HostFailure {
    pub why: String,
    /// Instruction that the host gives for this reason.
    pub help: Option<String>,
}

impl From<String> for HostFailure {
    fn from(why: String) -> HostFailure {
        HostFailure { why, help: None }
    }
}

/// Progress of a task that may depend on the host.
#[derive(Debug)]
pub enum Progress<T> {
    /// The task continues with the response to this effect.
    Need(Effect),
    Done(T),
}

/// Event for the host's listeners.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// Record of a finished step.
    Step(Value),
    /// Plan that the solve loop starts.
    Plan(Value),
    /// Progress of `PROCESS` in batches, or of a long computation in its parts.
    Batch { done: usize, total: usize },
}

/// Context of a step: its number, the time of the host, and the events for its listeners.
pub struct StepContext<'a> {
    pub step: usize,
    pub now: &'a str,
    pub events: &'a mut Vec<Event>,
}

/// Returns a warning if the host could not store the state.
pub fn storage_warning(answer: &HostResponse) -> Option<Diagnostic> {
    let (HostResponse::Failed(failure) | HostResponse::Interrupted(failure)) = answer else {
        return None;
    };
    Some(not_stored(&failure.why))
}

/// Returns the warning about a save that was aborted, so it may not be complete.
pub fn aborted_save_warning() -> Diagnostic {
    not_stored("the call was aborted during the save")
}

fn not_stored(why: &str) -> Diagnostic {
    Diagnostic::new(codes::NOT_STORED, format!("the state could not be stored: {why}")).help(
        "the next change stores this one too; if another session has stored its state, open a new session",
    )
}
