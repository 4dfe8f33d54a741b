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
    /// Failure with its reason.
    Failed(String),
    /// Failure that a later attempt may not repeat, with its reason: it interrupts a plan.
    Interrupted(String),
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
    let (HostResponse::Failed(why) | HostResponse::Interrupted(why)) = answer else { return None };
    let message = format!("the state could not be stored: {why}");
    Some(Diagnostic::new(codes::NOT_STORED, message).help(
        "the next change stores this one too; if another session has stored its state, open a new session",
    ))
}
