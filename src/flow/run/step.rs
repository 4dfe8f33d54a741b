//! State of the steps of a run.

use super::call::{self, Call, CallScope, NodeResult};
use super::failure::NodeFailure;
use super::fingerprint::CallFingerprint;
use crate::base::value::Map;
use crate::base::{Diagnostic, Value, template};
use crate::flow::compile::Flow;
use std::cell::Cell;
use std::ops::Range;
use std::rc::Rc;

/// Time, as the host passes it.
#[derive(Clone, Copy, Debug)]
pub struct HostTime<'a> {
    /// Timestamp in ISO 8601.
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
        call: Box<Call>,
        iteration: usize,
        /// Index of the batch item, and the item.
        index: Option<usize>,
        item: Option<Value>,
        attempt: usize,
        timeout_ms: Option<usize>,
        /// State that the call continues from.
        continued: Box<Continuation>,
        /// Fingerprint of the call.
        hash: Rc<str>,
        /// Whether the node has side effects that the store does not show.
        effects: bool,
        /// Time in milliseconds until the call may be made; 0 unless the run is remote.
        delay_ms: f64,
    },
    /// Delay before the next attempt.
    Wait { invocation: usize, milliseconds: usize },
}

/// State of an earlier call that a call continues.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Continuation {
    /// Answer to a call that was suspended.
    pub resumed: Option<Value>,
    /// Trace of the workflow that the node runs.
    pub child: Option<Value>,
    /// Answers to suspended nodes of that workflow, by id.
    pub answers: Option<Value>,
}

/// Response of the host to a [`HostRequest`].
#[derive(Clone, Debug, PartialEq)]
pub enum HostResponse {
    Value(Value),
    /// Error message.
    Failed(String),
    /// Error message of a call that exceeded its time limit.
    TimedOut(String),
    /// The call was aborted, because the run had failed.
    Aborted,
    /// Payload of a call that waits for an answer.
    Suspended(Value),
    /// State of a workflow that the node ran, and the response of the node.
    Child(ChildState, Box<HostResponse>),
}

/// State of the workflow that a node runs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ChildState {
    pub trace: Value,
    /// Nodes that wait for an answer: `[{node, payload}]`.
    pub waiting: Vec<Value>,
    pub diagnostics: Vec<Value>,
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
    /// Each of its invocations.
    pub slots: Vec<CallSlot>,
    /// Number of invocations without a result.
    pub remaining_calls: usize,
    /// Indices of its invocations.
    pub invocations: Range<usize>,
    /// Invocations that are not queued yet, because of the concurrency limit of the batch.
    pub unqueued: Range<usize>,
    pub attempts: usize,
    /// Whether this run called the node, and not only the run of the trace.
    pub is_called: bool,
    pub started: String,
    pub ended: String,
    /// Fingerprint of its call, once it is known.
    pub fingerprint: Option<CallFingerprint>,
    /// Failure that the run continued after.
    pub failure: Option<NodeFailure>,
    /// Whether it runs again although an earlier run finished it, or reads a value of such a step.
    pub is_changed: bool,
    /// Nodes that wait for an answer: `[{node, payload}]`.
    pub waiting: Vec<Value>,
    /// Its entry in the trace, once it has ended.
    pub record: Option<Value>,
}

/// State of one invocation of a step.
#[derive(Debug, Default)]
pub struct CallSlot {
    pub result: Option<NodeResult>,
    /// Hash of the call, once it is known.
    pub hash: Option<Rc<str>>,
    /// Trace of the workflow that the node runs.
    pub child: Option<Value>,
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
    /// It waits for an answer to its suspended call.
    Waiting,
    Finished,
    /// It failed, but an earlier step may still end the chain before it.
    FailedAhead,
    Failed,
    /// It was called, but an earlier step failed or ended the chain before it.
    Withdrawn,
}

impl RunStep {
    pub fn has_ended(&self) -> bool {
        !matches!(self.state, StepState::Pending | StepState::Begun | StepState::Waiting)
    }

    /// Returns whether an invocation has a result or the trace of a workflow.
    pub fn has_results(&self) -> bool {
        self.slots.iter().any(|slot| slot.result.is_some() || slot.child.is_some())
    }
}

/// Premature end of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunEnd {
    Failed,
    Cancelled,
    /// Nodes wait for an answer.
    Paused,
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
    pub continued: Continuation,
    /// Number of the attempt, from 1 on.
    pub attempt: usize,
    pub state: InvocationState,
    /// Estimated memory of its arguments in bytes, while it is called.
    pub memory: usize,
    /// Clock from which on the next attempt may be made.
    pub ready_at: f64,
    /// Clock at the start of the last attempt.
    pub started: f64,
    /// Response that waits for those of earlier calls.
    pub held_response: Option<Box<HeldResponse>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InvocationState {
    Ready,
    Called,
    /// Its response waits for those of earlier calls.
    Answered,
    /// It waits before the next attempt.
    Backoff,
    Ended,
}

/// Response that waits for those of earlier calls, with the time of its arrival.
#[derive(Debug)]
pub struct HeldResponse {
    pub response: HostResponse,
    pub time: String,
    pub clock: f64,
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
        let mut own = Vec::new();
        if let (Some(batch), Some(index)) = (&node.batch, item)
            && let Some(item) = self.items.get(index)
        {
            own.push((&*batch.name, item.clone()));
            own.extend(batch.index.as_ref().map(|name| (&**name, Value::from(index))));
        }
        let budget = Cell::new(template::MAX_INSERTED_BYTES);
        let (templates, inputs) = (&wiring.templates, &flow.wiring.read_inputs);
        let scope =
            CallScope { templates, values: &find, batch_names: &own, inputs, budget: &budget };
        call::prepare_call(flow, node_index, &scope, diagnostics)
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
    /// Failure for the error edge of the node; `None` if the node was not called.
    pub failure: Option<NodeFailure>,
}

/// Sets the item at an index; does nothing outside of the slice.
pub fn set_item<T>(slots: &mut [T], index: usize, value: T) {
    if let Some(slot) = slots.get_mut(index) {
        *slot = value;
    }
}
