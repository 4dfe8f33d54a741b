//! Invocations of the host: calls, responses and retries.

use super::call::{self, Call, CallScope, NodeResult};
use super::step::{
    HostRequest, HostResponse, HostTime, Invocation, InvocationState, RunEnd, StepFailure,
    StepInputs, StepState, set,
};
use super::{Run, event};
use crate::base::diagnostic::quote;
use crate::base::value::Map;
use crate::base::{Diagnostic, Value, template};
use crate::flow::codes;
use crate::flow::workflow::Node;
use std::cell::Cell;
use std::cmp::Reverse;

/// Maximum delay between two attempts in milliseconds, unless the backoff itself is longer.
const MAX_BACKOFF_MS: usize = 60_000;

impl Run {
    /// Begins a step whose reads are complete: resolves its inputs, and adds its invocations.
    pub(super) fn start_invocations(&mut self, step_index: usize, now: HostTime<'_>) {
        let flow = self.flow.clone();
        if self.failures_ahead.first().is_some_and(|first| first.step < step_index) {
            return;
        }
        let Some(step) = self.steps.get_mut(step_index) else { return };
        let (node_index, iteration) = (step.node, step.iteration);
        step.state = StepState::Begun;
        now.time.clone_into(&mut step.started);
        let reads = std::mem::take(&mut step.reads);
        let (Some(node), Some(wiring)) =
            (flow.workflow.nodes.get(node_index), flow.wiring.nodes.get(node_index))
        else {
            return;
        };
        let steps = self.step_view();
        let mut values = Map::default();
        for read in &reads {
            if let Some(value) = self.flat.value(&read.name, &read.writes, steps) {
                values.insert(read.name.clone(), value.clone());
            }
        }
        let inputs = StepInputs { values, items: Vec::new() };
        let mut diagnostics = Vec::new();
        let mut calls = Vec::new();
        let items = match &node.batch {
            None => {
                let call = inputs.call(&flow, node_index, None, &mut diagnostics);
                calls.extend(call.map(|call| (None, Some(call))));
                Vec::new()
            }
            Some(batch) => {
                let find = |name: &str| inputs.values.get(name).cloned();
                let (templates, budget) = (&wiring.templates, &Cell::new(template::MAX_BYTES));
                let scope = CallScope { templates, values: &find, item: None, budget };
                let items = call::items(node_index, &batch.items, &scope, &mut diagnostics);
                items.unwrap_or_default()
            }
        };
        let inputs = StepInputs { items, ..inputs };
        for item in 0..inputs.items.len() {
            let call = inputs.call(&flow, node_index, Some(item), &mut diagnostics);
            calls.extend(call.map(|_| (Some(item), None)));
        }
        if diagnostics.iter().any(Diagnostic::is_error) {
            // No retry: the next attempt would have the same errors.
            let failure = StepFailure {
                step: step_index,
                invocation: None,
                errors: diagnostics,
                duration_ms: 0.0,
            };
            return self.fail_step(failure, now);
        }
        self.report_once(step_index, diagnostics);
        let Some(step) = self.steps.get_mut(step_index) else { return };
        step.inputs = inputs;
        step.results = vec![None; calls.len()];
        step.remaining_calls = calls.len();
        for (item, call) in calls {
            let result =
                item.and_then(|item| self.previous.item_result(&flow, node_index, iteration, item));
            if let Some(result) = result {
                let Some(step) = self.steps.get_mut(step_index) else { return };
                set(&mut step.results, item.unwrap_or_default(), Some(result));
                step.remaining_calls = step.remaining_calls.saturating_sub(1);
                continue;
            }
            // Items with effects run one after the other.
            let has_predecessor =
                self.invocations.last().is_some_and(|last| last.step == step_index);
            if !(node.effects && has_predecessor) {
                self.ready.push(Reverse(self.invocations.len() as u64));
            }
            self.invocations.push(Invocation {
                step: step_index,
                item,
                call,
                attempt: 1,
                state: InvocationState::Ready,
                started: 0.0,
            });
        }
        self.end_if_complete(step_index, now);
    }

    /// Calls ready invocations up to the concurrency limit.
    pub(super) fn call_ready(&mut self, now: HostTime<'_>) {
        while self.end.is_none() && self.running_count < self.concurrency {
            let Some(Reverse(index)) = self.ready.pop() else { return };
            let index = index as usize;
            let flow = self.flow.clone();
            let Some(invocation) = self.invocations.get_mut(index) else { continue };
            let Some(step) = self.steps.get_mut(invocation.step) else { continue };
            let Some(node) = flow.workflow.nodes.get(step.node) else { continue };
            let failure = self.failures_ahead.first();
            let is_after_failure = failure.is_some_and(|first| first.step <= invocation.step);
            if is_after_failure || invocation.state == InvocationState::Ended {
                continue;
            }
            // The diagnostics were reported when the step began.
            let item = invocation.item;
            let make_call = || step.inputs.call(&flow, step.node, item, &mut Vec::new());
            let Some(call) = invocation.call.clone().or_else(make_call) else { continue };
            invocation.state = InvocationState::Called;
            invocation.started = now.clock;
            step.attempts = step.attempts.max(invocation.attempt);
            self.running_count += 1;
            self.effects.push(HostRequest::Call {
                invocation: index,
                node: node.id.clone(),
                kind: node.kind.clone(),
                call: call.clone(),
                iteration: step.iteration,
                item,
                attempt: invocation.attempt,
                timeout_ms: node.timeout_ms,
            });
            let Call { params, inputs } = call;
            self.emit(index, "started", now, || {
                vec![("params", params.into()), ("inputs", inputs.into())]
            });
        }
    }

    /// Handles the response to an invocation, or the end of its backoff.
    pub(super) fn receive(&mut self, index: usize, response: HostResponse, now: HostTime<'_>) {
        let flow = self.flow.clone();
        let Some(invocation) = self.invocations.get_mut(index) else { return };
        let (step_index, item, started) = (invocation.step, invocation.item, invocation.started);
        match invocation.state {
            InvocationState::Called => {}
            InvocationState::Backoff => {
                invocation.state = InvocationState::Ready;
                return self.ready.push(Reverse(index as u64));
            }
            InvocationState::Ready | InvocationState::Ended => return,
        }
        invocation.state = InvocationState::Ended;
        self.running_count = self.running_count.saturating_sub(1);
        let Some(node_index) = self.steps.get(step_index).map(|step| step.node) else { return };
        let Some(node) = flow.workflow.nodes.get(node_index) else { return };
        let duration_ms = now.clock - started;
        let mut diagnostics = Vec::new();
        let result = match response {
            HostResponse::Value(value) => {
                call::read_response(node, node_index, flow.strict, &value, &mut diagnostics)
            }
            // Secrets are hidden before the text is truncated, because a part of a secret is not found.
            HostResponse::Failed(error) => {
                Err(node_failed(node, node_index, &self.secrets.hide_in(&error)))
            }
        };
        self.report_once(step_index, diagnostics);
        match result {
            Ok(result) => {
                if let Some(invocation) = self.invocations.get_mut(index) {
                    // Frees memory, because a loop makes thousands of calls.
                    invocation.call = None;
                }
                let (outputs, action) = (result.outputs.clone(), result.action.clone());
                self.emit(index, "finished", now, || {
                    vec![
                        ("duration_ms", duration_ms.into()),
                        ("action", action.into()),
                        ("outputs", outputs.into()),
                    ]
                });
                let next = index + 1;
                let has_next =
                    self.invocations.get(next).is_some_and(|next| next.step == step_index);
                if node.effects && has_next {
                    self.ready.push(Reverse(next as u64));
                }
                self.store_invocation_result(step_index, item, result, now);
            }
            Err(error) => self.retry_or_fail(index, error, now, duration_ms),
        }
    }

    fn retry_or_fail(
        &mut self,
        index: usize,
        error: Diagnostic,
        now: HostTime<'_>,
        duration_ms: f64,
    ) {
        let flow = self.flow.clone();
        let Some(invocation) = self.invocations.get_mut(index) else { return };
        let Some(step) = self.steps.get(invocation.step) else { return };
        let Some(node) = flow.workflow.nodes.get(step.node) else { return };
        let step_index = invocation.step;
        let is_lost = step.state == StepState::FailedAhead || self.end.is_some();
        if invocation.attempt >= node.retry.max_attempts || is_lost {
            let failure = StepFailure {
                step: step_index,
                invocation: Some(index),
                errors: vec![error],
                duration_ms,
            };
            return self.fail_step(failure, now);
        }
        let base = node.retry.backoff_ms;
        let doubled = base.saturating_mul(1 << (invocation.attempt - 1).min(16));
        let wait = doubled.min(MAX_BACKOFF_MS.max(base));
        let error = Value::list(vec![self.without_secrets(error).to_value()]);
        self.emit(index, "retried", now, || {
            vec![("duration_ms", duration_ms.into()), ("error", error), ("wait_ms", wait.into())]
        });
        let Some(invocation) = self.invocations.get_mut(index) else { return };
        invocation.attempt += 1;
        if wait == 0 {
            invocation.state = InvocationState::Ready;
            self.ready.push(Reverse(index as u64));
        } else {
            invocation.state = InvocationState::Backoff;
            self.effects.push(HostRequest::Wait { invocation: index, milliseconds: wait });
        }
    }

    /// Fails a step. Concurrent steps may end, but no other begins. The failure of a speculative step is
    /// kept until no earlier step can withdraw it.
    pub(super) fn fail_step(&mut self, failure: StepFailure, now: HostTime<'_>) {
        let step_index = failure.step;
        let is_certain = self.is_certain(step_index);
        let Some(step) = self.steps.get_mut(step_index) else { return };
        let (node_index, is_open) = (step.node, !step.has_ended());
        step.state = if is_certain { StepState::Failed } else { StepState::FailedAhead };
        if is_open {
            now.time.clone_into(&mut step.ended);
            self.close(node_index);
        }
        if !is_certain {
            self.failures_ahead.retain(|other| other.step <= step_index);
            if self.failures_ahead.first().is_none_or(|first| first.step == step_index) {
                self.failures_ahead.push(failure);
            }
            return;
        }
        self.end.get_or_insert(RunEnd::Failed);
        let errors = failure.errors.into_iter();
        let errors: Vec<Diagnostic> = errors.map(|error| self.without_secrets(error)).collect();
        let value = Value::list(errors.iter().map(Diagnostic::to_value).collect::<Vec<_>>());
        let invocation = failure.invocation.and_then(|index| self.invocations.get(index));
        let (item, attempt) = invocation.map_or((None, 1), |one| (one.item, one.attempt));
        self.emit_step_event(step_index, item, attempt, "failed", now, || {
            vec![("duration_ms", failure.duration_ms.into()), ("error", value)]
        });
        self.diagnostics.extend(errors.into_iter().map(|error| (step_index, error)));
    }

    /// Ends the invocations of all steps after one; their responses are ignored.
    pub(super) fn abandon_invocations_after(&mut self, step_index: usize) {
        for invocation in self.invocations.iter_mut().filter(|one| one.step > step_index) {
            if invocation.state == InvocationState::Called {
                self.running_count = self.running_count.saturating_sub(1);
            }
            invocation.state = InvocationState::Ended;
        }
    }

    /// Stores the result of one invocation of a step, and ends the step if it was the last one.
    fn store_invocation_result(
        &mut self,
        step_index: usize,
        item: Option<usize>,
        result: NodeResult,
        now: HostTime<'_>,
    ) {
        let Some(step) = self.steps.get_mut(step_index) else { return };
        set(&mut step.results, item.unwrap_or_default(), Some(result));
        step.remaining_calls = step.remaining_calls.saturating_sub(1);
        self.end_if_complete(step_index, now);
    }

    /// Ends a step when all its invocations have results, and begins the steps that waited for it.
    fn end_if_complete(&mut self, step_index: usize, now: HostTime<'_>) {
        let flow = self.flow.clone();
        let Some(step) = self.steps.get_mut(step_index) else { return };
        if step.state != StepState::Begun || step.remaining_calls > 0 {
            return;
        }
        let Some(node) = flow.workflow.nodes.get(step.node) else { return };
        let mut results: Vec<NodeResult> =
            std::mem::take(&mut step.results).into_iter().flatten().collect();
        let result = match node.batch {
            Some(_) => call::batch_result(node, &results),
            None => match results.pop() {
                Some(result) => result,
                None => return,
            },
        };
        now.time.clone_into(&mut step.ended);
        step.inputs = StepInputs::default();
        let dependents = std::mem::take(&mut step.dependents);
        self.finish(step_index, result);
        for dependent in dependents {
            let Some(step) = self.steps.get_mut(dependent) else { continue };
            step.pending_count = step.pending_count.saturating_sub(1);
            if step.pending_count == 0 && step.state == StepState::Pending && self.end.is_none() {
                self.start_invocations(dependent, now);
            }
        }
    }

    /// Emits an event of an invocation.
    fn emit(
        &mut self,
        index: usize,
        kind: &str,
        now: HostTime<'_>,
        parts: impl FnOnce() -> Vec<(&'static str, Value)>,
    ) {
        let Some(invocation) = self.invocations.get(index) else { return };
        let (step, item, attempt) = (invocation.step, invocation.item, invocation.attempt);
        self.emit_step_event(step, item, attempt, kind, now, parts);
    }

    /// Emits an event of a step without secrets; makes no parts if there is no listener.
    fn emit_step_event(
        &mut self,
        step_index: usize,
        item: Option<usize>,
        attempt: usize,
        kind: &str,
        now: HostTime<'_>,
        parts: impl FnOnce() -> Vec<(&'static str, Value)>,
    ) {
        if !self.has_listener {
            return;
        }
        let Some(step) = self.steps.get(step_index) else { return };
        let Some(node) = self.flow.workflow.nodes.get(step.node) else { return };
        let parts = parts().into_iter().map(|(name, value)| match name {
            "action" => (name, self.secrets.hide(&value)),
            _ => (name, value.as_map().map_or(value.clone(), |map| self.secrets.hide_each(map))),
        });
        let parts = parts.collect::<Vec<_>>();
        self.events.push(event::event(kind, node, step, item, attempt, now, parts));
    }
}

fn node_failed(node: &Node, node_index: usize, error: &str) -> Diagnostic {
    let message = format!("{} failed: {}", quote(&node.id), one_line(error));
    Diagnostic::new(codes::NODE_FAILED, message)
        .help("fix the cause, then resume the run with its trace")
        .at_pointer(format!("/nodes/{node_index}"))
}

/// Returns an error message in one line, truncated.
fn one_line(text: &str) -> String {
    const MAX_CHARACTERS: usize = 500;
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(MAX_CHARACTERS) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()),
        None => line,
    }
}
