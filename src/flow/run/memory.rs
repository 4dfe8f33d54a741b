//! Limit of the memory of a run: a workflow of a few lines could double a text in a loop.

use super::Run;
use super::step::{HostTime, Invocation, StepFailure};
use crate::base::Diagnostic;
use crate::base::diagnostic::quote;
use crate::base::value::memory_of;
use crate::flow::codes;

/// Default of the maximum memory in bytes.
const DEFAULT_LIMIT: usize = 64 << 20;

/// Estimated memory of the values of a run in bytes.
#[derive(Debug)]
pub struct RunMemory {
    limit: usize,
    /// Inputs of the workflow, outputs of its nodes, and traces of the workflows that nodes run.
    held: usize,
    /// Arguments of running calls.
    pub running: usize,
}

impl RunMemory {
    pub fn new(limit: Option<usize>) -> RunMemory {
        RunMemory { limit: limit.unwrap_or(DEFAULT_LIMIT), held: 0, running: 0 }
    }

    /// Adds the memory of values if the limit allows it; returns `false` otherwise.
    pub fn hold(&mut self, memory: usize) -> bool {
        let held = self.held.saturating_add(memory);
        let is_within = held <= self.limit;
        if is_within {
            self.held = held;
        }
        is_within
    }

    /// Adds the memory of values that the run has to hold.
    pub fn add(&mut self, memory: usize) {
        self.held = self.held.saturating_add(memory);
    }

    /// Replaces the memory of a value that the run has to hold.
    pub fn replace(&mut self, before: usize, after: usize) {
        self.held = self.held.saturating_sub(before).saturating_add(after);
    }

    /// Returns whether a call can begin whose arguments need this memory.
    pub fn has_room_for_call(&self, memory: usize) -> bool {
        self.running.saturating_add(memory) <= self.limit
    }

    /// Subtracts the arguments of a call that ends.
    pub fn end_call(&mut self, invocation: &mut Invocation) {
        let memory = std::mem::take(&mut invocation.memory);
        self.running = self.running.saturating_sub(memory);
    }
}

impl Run {
    /// Adds the memory of the inputs, or reports that they need too much.
    pub(super) fn hold_inputs(&mut self) {
        if self.memory.hold(memory_of(&self.inputs)) {
            return;
        }
        let message = format!("the inputs need more than {} bytes of memory", self.memory.limit);
        let error = Diagnostic::new(codes::VALUES_LIMIT, message)
            .help("pass shorter inputs, or raise `maxBytes`");
        self.report(error.at_pointer("/inputs"));
    }

    /// Fails a step whose result needs more memory than the run may hold.
    pub(super) fn fail_result(&mut self, index: usize, duration_ms: f64, now: HostTime<'_>) {
        let Some(invocation) = self.invocations.get(index) else { return };
        let (step_index, item) = (invocation.step, invocation.item);
        let label = self.label(step_index, item);
        let limit = self.memory.limit;
        let message = format!(
            "the run would hold more than {limit} bytes of values with the result of {label}"
        );
        let error = self.diagnostic(step_index, codes::VALUES_LIMIT, message);
        let error = error.help("return shorter outputs, or their addresses; or raise `maxBytes`");
        self.fail_without_retry(index, error, duration_ms, now);
    }

    /// Fails a step whose call has arguments that need more memory than the limit.
    pub(super) fn fail_call(&mut self, index: usize, memory: usize, now: HostTime<'_>) {
        let Some(invocation) = self.invocations.get(index) else { return };
        let (step_index, item) = (invocation.step, invocation.item);
        let label = self.label(step_index, item);
        let limit = self.memory.limit;
        let message =
            format!("the arguments of {label} need {memory} bytes of memory, more than {limit}");
        let error = self.diagnostic(step_index, codes::CALL_LIMIT, message);
        let name = self.steps.get(step_index).map_or(0, |step| step.node);
        let name = self.flow.workflow.nodes.get(name).map_or("", |node| &*node.id);
        let help = format!("pass less to {}, or raise `maxBytes`", quote(name));
        self.fail_without_retry(index, error.help(help), 0.0, now);
    }

    fn fail_without_retry(
        &mut self,
        index: usize,
        error: Diagnostic,
        duration_ms: f64,
        now: HostTime<'_>,
    ) {
        let Some(step) = self.invocations.get(index).map(|invocation| invocation.step) else {
            return;
        };
        let failure = StepFailure {
            step,
            invocation: Some(index),
            errors: vec![error],
            duration_ms,
            failure: None,
        };
        self.fail_step(failure, now);
    }
}
