//! Responses of the host: results, failures, suspensions and retries.

use super::Run;
use super::call::{self, NodeResult, Responder};
use super::failure::{FailureKind, NodeFailure, errors_key, one_line};
use super::step::{
    HostRequest, HostResponse, HostTime, InvocationState, RunEnd, StepFailure, StepState,
};
use crate::base::diagnostic::quote;
use crate::base::value::memory_of;
use crate::base::{Code, Diagnostic, Value};
use crate::flow::codes;
use crate::flow::workflow::{DEFAULT_ACTION, ERROR_ACTION};

/// Maximum delay between two attempts in milliseconds, unless the backoff itself is longer.
const MAX_BACKOFF_MS: usize = 60_000;

/// Failed attempt of an invocation.
struct FailedAttempt {
    kind: FailureKind,
    /// Error message for the nodes that follow.
    message: String,
    error: Diagnostic,
    duration_ms: f64,
}

impl Run {
    /// Handles the response to an invocation, or the end of its backoff.
    pub(super) fn receive(&mut self, index: usize, response: HostResponse, now: HostTime<'_>) {
        let Some(invocation) = self.invocations.get_mut(index) else { return };
        match invocation.state {
            InvocationState::Called => {}
            InvocationState::Backoff => {
                invocation.state = InvocationState::Ready;
                self.backoff_count = self.backoff_count.saturating_sub(1);
                return self.queue_invocation(index);
            }
            InvocationState::Ready | InvocationState::Answered | InvocationState::Ended => return,
        }
        let duration_ms = now.clock - invocation.started;
        // The child run has redacted its messages.
        let is_child = matches!(response, HostResponse::Child(..));
        let (response, waiting) = match response {
            HostResponse::Child(child, response) => (*response, self.add_child(index, child)),
            response => (response, Vec::new()),
        };
        self.running_count = self.running_count.saturating_sub(1);
        let Some(invocation) = self.invocations.get_mut(index) else { return };
        self.memory.end_call(invocation);
        invocation.state = InvocationState::Ended;
        let (step_index, item) = (invocation.step, invocation.item);
        let (kind, error) = match response {
            HostResponse::Value(value) => {
                return self.receive_value(index, &value, duration_ms, now);
            }
            HostResponse::Suspended(payload) => {
                return self.suspend(index, payload, waiting, now);
            }
            HostResponse::Failed(error) => (FailureKind::Throw, error),
            HostResponse::TimedOut(error) => (FailureKind::Timeout, error),
            // The step stays interrupted.
            HostResponse::Aborted if self.end.is_some() => return,
            HostResponse::Aborted => (FailureKind::Throw, "aborted".to_owned()),
            HostResponse::Child(..) => (FailureKind::Throw, "invalid response".to_owned()),
        };
        let label = self.label(step_index, item);
        // Secrets are redacted before the text is truncated, because the start of a secret may not be found.
        let message = one_line(&match is_child {
            true => self.secrets.redact(&error),
            false => self.secrets.redact_foreign(&error),
        });
        let text = format!("{label} failed: {message}");
        let error = self.node_failure(step_index, text);
        let attempt = FailedAttempt { kind, message, error, duration_ms };
        self.retry_or_fail(index, attempt, now);
    }

    fn node_failure(&self, step_index: usize, text: String) -> Diagnostic {
        let error = self.diagnostic(step_index, codes::NODE_FAILED, text);
        error.help(self.failure_help(step_index))
    }

    pub(super) fn diagnostic(&self, step_index: usize, code: Code, message: String) -> Diagnostic {
        let node_index = self.steps.get(step_index).map_or(0, |step| step.node);
        Diagnostic::new(code, message).at_pointer(format!("/nodes/{node_index}"))
    }

    /// Returns what can be done about a failed node.
    fn failure_help(&self, step_index: usize) -> String {
        let node_index = self.steps.get(step_index).map_or(0, |step| step.node);
        let node = self.flow.workflow.nodes.get(node_index);
        let fix = "fix the cause, then resume the run with its trace";
        match node.filter(|node| node.failure_key.is_none()) {
            None => fix.to_owned(),
            Some(node) => {
                let id = quote(&node.id);
                format!(
                    "{fix}; to go on after a failure, add an edge from {id} with the action `error`"
                )
            }
        }
    }

    /// Handles the value that an invocation returned.
    fn receive_value(&mut self, index: usize, value: &Value, duration_ms: f64, now: HostTime<'_>) {
        let flow = self.flow.clone();
        let Some(invocation) = self.invocations.get(index) else { return };
        let (step_index, item, attempt) = (invocation.step, invocation.item, invocation.attempt);
        let Some(node_index) = self.steps.get(step_index).map(|step| step.node) else { return };
        let Some(node) = flow.workflow.nodes.get(node_index) else { return };
        let label = self.label(step_index, item);
        let responder = Responder { node, node_index, label: &label, strict: flow.strict };
        let mut diagnostics = Vec::new();
        let result = call::read_response(responder, value, &mut diagnostics);
        self.report_once(step_index, diagnostics);
        let mut result = match result {
            Ok(result) => result,
            Err(error) => {
                let message = one_line(&self.secrets.redact(&error.message));
                let kind = FailureKind::Throw;
                let attempt = FailedAttempt { kind, message, error, duration_ms };
                return self.retry_or_fail(index, attempt, now);
            }
        };
        let returned = result.failure.clone().filter(|_| errors_key(node).is_none());
        if let Some(failure) = returned {
            return self.fail_returned(index, failure, duration_ms, now);
        }
        if !self.memory.try_hold(memory_of(&result.outputs)) {
            return self.fail_result(index, duration_ms, now);
        }
        self.complete_failure(&mut result, attempt);
        if let Some(invocation) = self.invocations.get_mut(index) {
            // Frees memory, because a loop makes thousands of calls.
            invocation.call = None;
            invocation.continued = Default::default();
        }
        let (outputs, action) = (result.outputs.clone(), result.action.clone());
        self.emit(index, "finished", now, || {
            vec![
                ("duration_ms", duration_ms.into()),
                ("action", action.into()),
                ("outputs", outputs.into()),
            ]
        });
        if errors_key(node).is_some()
            && let Some(failure) = result.failure.take()
        {
            result = self.failed_item(step_index, item, failure);
        }
        self.queue_next(step_index);
        self.store_invocation_result(step_index, item, result, now);
    }

    /// Fails the step of a node that returned the action `error`. The node decided so: it is not
    /// called again.
    fn fail_returned(
        &mut self,
        index: usize,
        failure: NodeFailure,
        duration_ms: f64,
        now: HostTime<'_>,
    ) {
        let Some(invocation) = self.invocations.get(index) else { return };
        let (step, item, attempts) = (invocation.step, invocation.item, invocation.attempt);
        let label = self.label(step, item);
        let message = one_line(&self.secrets.redact_foreign(&failure.message));
        let error = self.node_failure(step, format!("{label} failed: {message}"));
        let failure = Some(NodeFailure { message, attempts, ..failure });
        let failure = StepFailure {
            step,
            invocation: Some(index),
            errors: vec![error],
            duration_ms,
            failure,
        };
        self.fail_step(failure, now);
    }

    /// Completes the failure that a batch item returned.
    pub(super) fn complete_failure(&self, result: &mut NodeResult, attempt: usize) {
        if let Some(failure) = &mut result.failure {
            failure.attempts = attempt;
            failure.message = one_line(&self.secrets.redact_foreign(&failure.message));
        }
    }

    /// Suspends a step until it gets an answer. `below` has the waiting nodes of the workflow that the node runs.
    fn suspend(&mut self, index: usize, payload: Value, below: Vec<Value>, now: HostTime<'_>) {
        let flow = self.flow.clone();
        let Some(invocation) = self.invocations.get(index) else { return };
        let (step_index, item) = (invocation.step, invocation.item);
        if item.is_some() {
            let message = format!(
                "{} is suspended, but an item of a batch cannot wait",
                self.label(step_index, item)
            );
            let error = self.diagnostic(step_index, codes::SUSPENDED_ITEM, message);
            let error =
                error.help("suspend in a node before the batch, which asks for all items at once");
            let failure = StepFailure {
                step: step_index,
                invocation: Some(index),
                errors: vec![error],
                duration_ms: 0.0,
                failure: None,
            };
            return self.fail_step(failure, now);
        }
        let Some(step) = self.steps.get_mut(step_index) else { return };
        let Some(node) = flow.workflow.nodes.get(step.node) else { return };
        if step.has_ended() {
            return;
        }
        step.waiting = match below.is_empty() {
            true => {
                vec![Value::map([("node", (&node.id).into()), ("payload", payload.clone())])]
            }
            false => below,
        };
        step.state = StepState::Waiting;
        self.waiting_count += 1;
        self.is_checkpoint = true;
        self.emit(index, "waiting", now, || vec![("payload", payload)]);
    }

    fn retry_or_fail(&mut self, index: usize, failed: FailedAttempt, now: HostTime<'_>) {
        let flow = self.flow.clone();
        let Some(invocation) = self.invocations.get_mut(index) else { return };
        let Some(step) = self.steps.get(invocation.step) else { return };
        let Some(node) = flow.workflow.nodes.get(step.node) else { return };
        let (step_index, item, attempts) = (invocation.step, invocation.item, invocation.attempt);
        let is_lost = step.state == StepState::FailedAhead || self.end.is_some();
        let FailedAttempt { kind, message, error, duration_ms } = failed;
        if attempts >= node.retry.max_attempts || is_lost {
            let failure = NodeFailure { message, kind, attempts };
            if errors_key(node).is_some() && !is_lost {
                let error = Value::list(vec![self.without_secrets(error).to_value()]);
                self.emit(index, "failed", now, || {
                    vec![("duration_ms", duration_ms.into()), ("error", error)]
                });
                let result = self.failed_item(step_index, item, failure);
                self.queue_next(step_index);
                return self.store_invocation_result(step_index, item, result, now);
            }
            let failure = StepFailure {
                step: step_index,
                invocation: Some(index),
                errors: vec![error],
                duration_ms,
                failure: Some(failure),
            };
            return self.fail_step(failure, now);
        }
        let base = node.retry.backoff_ms;
        let doubled = base.saturating_mul(1 << (attempts - 1).min(16));
        let wait = doubled.min(MAX_BACKOFF_MS.max(base));
        let error = Value::list(vec![self.without_secrets(error).to_value()]);
        self.emit(index, "retried", now, || {
            vec![("duration_ms", duration_ms.into()), ("error", error), ("wait_ms", wait.into())]
        });
        let Some(invocation) = self.invocations.get_mut(index) else { return };
        invocation.attempt += 1;
        if wait == 0 || self.is_remote {
            invocation.state = InvocationState::Ready;
            invocation.ready_at = now.clock + wait as f64;
            self.queue_invocation(index);
        } else {
            invocation.state = InvocationState::Backoff;
            self.backoff_count += 1;
            self.effects.push(HostRequest::Wait { invocation: index, milliseconds: wait });
        }
    }

    /// Returns the result of a batch item that failed; the batch continues. Reports the item.
    fn failed_item(
        &mut self,
        step_index: usize,
        item: Option<usize>,
        failure: NodeFailure,
    ) -> NodeResult {
        let label = self.label(step_index, item);
        self.report_failed_item(step_index, &label, &failure.message);
        let action = DEFAULT_ACTION.to_owned();
        NodeResult { action, failure: Some(failure), ..NodeResult::default() }
    }

    /// Warns about a batch item that failed in this run or in the run of the trace.
    pub(super) fn report_failed_item(&mut self, step_index: usize, label: &str, cause: &str) {
        let message = format!("{label} failed: {cause}");
        let warning = self.diagnostic(step_index, codes::FAILED_ITEM, message);
        let help = "its outputs are null; the output `errors` of the node lists the failed items";
        let warning = self.without_secrets(warning.help(help));
        self.report_once(step_index, vec![warning]);
    }

    /// Fails a step, unless its node has an error edge. Concurrent steps may end, but no other begins. The
    /// failure of a speculative step is kept until no earlier step can withdraw it.
    pub(super) fn fail_step(&mut self, failure: StepFailure, now: HostTime<'_>) {
        let flow = self.flow.clone();
        let step_index = failure.step;
        let is_certain = self.is_certain(step_index);
        let Some(step) = self.steps.get_mut(step_index) else { return };
        let node_index = step.node;
        if step.state == StepState::Finished {
            return;
        }
        let node = flow.workflow.nodes.get(node_index);
        let has_edge = node.is_some_and(|node| node.failure_key.is_some());
        if has_edge && failure.failure.is_some() && self.end.is_none() {
            return self.follow_error_edge(failure, now);
        }
        let is_open = !step.has_ended();
        step.state = if is_certain { StepState::Failed } else { StepState::FailedAhead };
        if is_open {
            now.time.clone_into(&mut step.ended);
            self.end_execution(node_index);
        }
        if !is_certain {
            self.failures_ahead.retain(|other| other.step <= step_index);
            if self.failures_ahead.first().is_none_or(|first| first.step == step_index) {
                self.failures_ahead.push(failure);
            }
            return;
        }
        self.end.get_or_insert(RunEnd::Failed);
        self.is_checkpoint = true;
        let errors = self.emit_failure(&failure, now);
        self.diagnostics.extend(errors.into_iter().map(|error| (step_index, error)));
    }

    /// Emits the event of a failed step; returns its errors without secrets.
    fn emit_failure(&mut self, failure: &StepFailure, now: HostTime<'_>) -> Vec<Diagnostic> {
        let errors = failure.errors.iter().cloned();
        let errors: Vec<Diagnostic> = errors.map(|error| self.without_secrets(error)).collect();
        let value = Value::list(errors.iter().map(Diagnostic::to_value).collect::<Vec<_>>());
        let invocation = failure.invocation.and_then(|index| self.invocations.get(index));
        let (item, attempt) = invocation.map_or((None, 1), |one| (one.item, one.attempt));
        self.emit_step_event(failure.step, item, attempt, "failed", now, || {
            vec![("duration_ms", failure.duration_ms.into()), ("error", value)]
        });
        errors
    }

    /// Reports a step that failed in this run or in the run of the trace, and continued by its error edge.
    /// `path` leads to its node `id`.
    pub(super) fn report_error_edge(
        &mut self,
        step_index: usize,
        path: &str,
        id: &str,
        cause: &str,
    ) {
        let message = format!("{cause}: the `error` edge of {} is followed", quote(path));
        let info = self.diagnostic(step_index, codes::ERROR_EDGE_FOLLOWED, message);
        let read = format!("${{{id}.error.message}}");
        let help = format!("read {} in the nodes after it", quote(&read));
        self.report_once(step_index, vec![info.help(help)]);
    }

    /// Finishes a failed step with the action `error`.
    fn follow_error_edge(&mut self, failure: StepFailure, now: HostTime<'_>) {
        let step_index = failure.step;
        let errors = self.emit_failure(&failure, now);
        let cause = errors.first().map(|error| error.message.as_str()).unwrap_or_default();
        let path = self.node_path(step_index);
        let id = path.get(self.path.len()..).unwrap_or_default();
        self.report_error_edge(step_index, &path, id, cause);
        let own = self.steps.get(step_index).map(|step| step.invocations.clone());
        self.abandon_invocations(own.unwrap_or_default());
        self.complete_fingerprint(step_index);
        let Some(step) = self.steps.get_mut(step_index) else { return };
        now.time.clone_into(&mut step.ended);
        step.slots.iter_mut().for_each(|slot| slot.result = None);
        let action = ERROR_ACTION.to_owned();
        let result = NodeResult { action, failure: failure.failure, ..NodeResult::default() };
        self.finish_step(step_index, result, now);
    }
}
