//! Failures of a run whose values need more memory than the limit.

use super::Run;
use super::step::{HostTime, StepFailure};
use crate::base::Diagnostic;
use crate::base::diagnostic::quote;
use crate::base::value::memory_of;
use crate::flow::codes;

impl Run {
    /// Adds the memory of the inputs, or reports that they need too much.
    pub(super) fn hold_inputs(&mut self) {
        if self.memory.try_hold(memory_of(&self.inputs)) {
            return;
        }
        let message = format!("the inputs need more than {} bytes of memory", self.memory.limit());
        let error = Diagnostic::new(codes::VALUES_LIMIT, message)
            .help("pass shorter inputs, or raise `maxBytes`");
        self.report(error.at_pointer("/inputs"));
    }

    /// Fails a step whose result needs more memory than the run may hold.
    pub(super) fn fail_result(&mut self, index: usize, duration_ms: f64, now: HostTime<'_>) {
        let Some(invocation) = self.invocations.get(index) else { return };
        let (step_index, item) = (invocation.step, invocation.item);
        let label = self.label(step_index, item);
        let limit = self.memory.limit();
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
        let limit = self.memory.limit();
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
