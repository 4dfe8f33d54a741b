//! State of the steps of a run.

use super::call::{self, Call, CallScope, NodeResult};
use crate::base::value::Map;
use crate::base::{Diagnostic, Value, template};
use crate::flow::compile::Flow;
use std::cell::Cell;
use std::rc::Rc;

/// Time, as the host passes it.
#[derive(Clone, Copy, Debug)]
pub struct HostTime<'a> {
    /// ISO 8601.
    pub time: &'a str,
    /// Monotonic clock in milliseconds.
    pub clock: f64,
}

/// Request to the host. The host resumes the run with the invocation.
#[derive(Clone, Debug, PartialEq)]
pub enum HostRequest {
    /// Call of a node.
    Call {
        invocation: usize,
        node: Rc<str>,
        kind: Rc<str>,
        call: Call,
        iteration: usize,
        item: Option<usize>,
        attempt: usize,
        timeout_ms: Option<usize>,
    },
    /// Delay before the next attempt.
    Wait { invocation: usize, milliseconds: usize },
}

/// Response of the host to a [`HostRequest`].
#[derive(Clone, Debug, PartialEq)]
pub enum HostResponse {
    Value(Value),
    /// Error message.
    Failed(String),
}

/// Execution of a node; a node in a loop has one step for each iteration.
#[derive(Debug, Default)]
pub struct RunStep {
    /// Node index.
    pub node: usize,
    /// Number of the execution of this node, from 1 on.
    pub iteration: usize,
    /// Names to read; empty once the step has begun.
    pub reads: Vec<StepRead>,
    /// Read values, until the step ends.
    pub inputs: StepInputs,
    /// Number of steps that have to end before this one begins.
    pub pending_count: usize,
    /// Indices of the steps that wait for this one.
    pub dependents: Vec<usize>,
    /// Whether its successors were scheduled before it ended.
    pub released: bool,
    pub state: StepState,
    /// Value of each output of the node.
    pub outputs: Vec<Option<Value>>,
    pub action: String,
    /// Result of each of its invocations.
    pub results: Vec<Option<NodeResult>>,
    /// Number of invocations without a result.
    pub remaining_calls: usize,
    pub attempts: usize,
    pub started: String,
    pub ended: String,
}

/// Name that a step reads.
#[derive(Debug)]
pub struct StepRead {
    /// Flat name, or name of one node's output in a template.
    pub name: Rc<str>,
    /// Writes that it may see, the latest first.
    pub writes: Vec<StepWrite>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StepState {
    /// It waits for other steps.
    #[default]
    Pending,
    Begun,
    Finished,
    /// It failed, but an earlier step may still end the chain before it.
    FailedAhead,
    Failed,
    /// It was called, but an earlier step failed or ended the chain before it.
    Withdrawn,
}

impl RunStep {
    pub fn has_ended(&self) -> bool {
        !matches!(self.state, StepState::Pending | StepState::Begun)
    }

    pub fn has_results(&self) -> bool {
        self.results.iter().any(Option::is_some)
    }
}

/// Premature end of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunEnd {
    Failed,
    Cancelled,
}

/// Announced write of an output by a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StepWrite {
    pub step: usize,
    /// Index of the output in its node.
    pub output: usize,
    /// Whether the step may omit the output.
    pub optional: bool,
}

/// Call of a step: the only one, or that of one batch item.
#[derive(Debug)]
pub struct Invocation {
    pub step: usize,
    /// Index of the batch item.
    pub item: Option<usize>,
    /// `None` for batch items: their calls are made on demand, because there may be thousands.
    pub call: Option<Call>,
    /// Number of the attempt, from 1 on.
    pub attempt: usize,
    pub state: InvocationState,
    /// Clock at the start of the last attempt.
    pub started: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InvocationState {
    Ready,
    Called,
    /// It waits before the next attempt.
    Backoff,
    Ended,
}

/// Resolved inputs of a step.
#[derive(Debug, Default)]
pub struct StepInputs {
    /// Values by the names that the step reads.
    pub values: Map,
    /// Batch items.
    pub items: Vec<Value>,
}

impl StepInputs {
    /// Makes a call; returns `None` with errors in `diagnostics` if it cannot be made.
    pub fn call(
        &self,
        flow: &Flow,
        node_index: usize,
        item: Option<usize>,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<Call> {
        let (node, wiring) =
            (flow.workflow.nodes.get(node_index)?, flow.wiring.nodes.get(node_index)?);
        let find = |name: &str| self.values.get(name).cloned();
        let name = node.batch.as_ref().map_or("", |batch| &*batch.name);
        let item = item.and_then(|index| self.items.get(index)).map(|item| (name, item));
        let budget = Cell::new(template::MAX_BYTES);
        let scope =
            CallScope { templates: &wiring.templates, values: &find, item, budget: &budget };
        call::prepare(flow, node_index, &scope, diagnostics)
    }
}

/// Failure of a step.
#[derive(Debug)]
pub struct StepFailure {
    pub step: usize,
    /// Index of the failed invocation; `None` if nothing was called.
    pub invocation: Option<usize>,
    pub errors: Vec<Diagnostic>,
    /// Duration of the last attempt in milliseconds.
    pub duration_ms: f64,
}

/// Sets the item at an index; does nothing outside of the slice.
pub fn set<T>(slots: &mut [T], index: usize, value: T) {
    if let Some(slot) = slots.get_mut(index) {
        *slot = value;
    }
}
