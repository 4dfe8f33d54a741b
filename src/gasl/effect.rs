//! What a session asks the host for, and what the host answers.

use super::codes;
use super::model::exchange::Question;
use crate::base::{Diagnostic, Value};

/// What the core cannot do itself.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// Nothing: the host may tell its listeners, and stop the task.
    Continue,
    /// A reply of the model.
    Ask(Box<Question>),
    /// Rows of a graph that is the host's: `nodes`, `edges` or `paths`, and the query.
    Query(&'static str, Value),
    /// The state is to be stored.
    Save,
}

/// What the host answered.
#[derive(Clone, Debug, PartialEq)]
pub enum HostResponse {
    /// What was asked for.
    Value(Value),
    /// It could not be done, and why.
    Failed(String),
}

/// Something that goes on when the host has answered.
#[derive(Debug)]
pub enum Progress<T> {
    /// This first.
    Need(Effect),
    /// It is over.
    Done(T),
}

/// What the host's listeners are told.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// A step is over: its record.
    Step(Value),
    /// The loop begins a plan: the plan.
    Plan(Value),
    /// A batch of `PROCESS` is over: how many there are, and how many are done.
    Batch { done: usize, total: usize },
}

/// Context of a step: its number, the time of the host, and the events for its listeners.
pub struct StepContext<'a> {
    pub step: usize,
    pub now: &'a str,
    pub events: &'a mut Vec<Event>,
}

/// Returns a warning if the host could not store the state.
pub fn not_stored(answer: &HostResponse) -> Option<Diagnostic> {
    let HostResponse::Failed(why) = answer else { return None };
    let message = format!("the state could not be stored: {why}");
    Some(Diagnostic::new(codes::NOT_STORED, message).help(
        "the next change stores this one too; where somebody else has stored, open a new session",
    ))
}
