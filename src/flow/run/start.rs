//! Starts of steps: resolves their inputs, and adds their invocations.

use super::Run;
use super::call::{self, Call, CallScope};
use super::failure::errors_key;
use super::fingerprint::{CallFingerprint, batch_fingerprint, call_fingerprint};
use super::previous::ItemPool;
use super::resume::StepStart;
use super::step::{
    CallSlot, Continuation, HostTime, Invocation, InvocationState, StepFailure, StepInputs,
    StepState,
};
use crate::base::value::Map;
use crate::base::{Diagnostic, Value, template};
use crate::flow::workflow::Node;
use std::cell::Cell;

impl Run {
    /// Begins a step whose reads are complete: resolves its inputs, and reuses its earlier result or adds its
    /// invocations.
    pub(super) fn start_invocations(&mut self, step_index: usize, now: HostTime<'_>) {
        let flow = self.flow.clone();
        if self.failures_ahead.first().is_some_and(|first| first.step < step_index) {
            return;
        }
        let Some(inputs) = self.read_inputs(step_index, now) else { return };
        let Some(step) = self.steps.get(step_index) else { return };
        let (node_index, iteration) = (step.node, step.iteration);
        let Some(node) = flow.workflow.nodes.get(node_index) else { return };
        let previous = self.previous.find(node_index, iteration);
        let mut diagnostics = Vec::new();
        let items = match &node.batch {
            None => Vec::new(),
            Some(batch) => {
                let Some(wiring) = flow.wiring.nodes.get(node_index) else { return };
                let find = |name: &str| inputs.values.get(name).cloned();
                let (templates, budget) =
                    (&wiring.templates, &Cell::new(template::MAX_INSERTED_BYTES));
                let inputs = &flow.wiring.read_inputs;
                let scope =
                    CallScope { templates, values: &find, batch_names: &[], inputs, budget };
                let items =
                    call::resolve_batch_items(node_index, &batch.items, &scope, &mut diagnostics);
                items.unwrap_or_default()
            }
        };
        let inputs = StepInputs { items, ..inputs };
        let mut calls: Vec<(Option<usize>, Option<Call>)> = Vec::new();
        let mut fingerprints = Vec::new();
        if node.batch.is_none() {
            let call = inputs.call(&flow, node_index, None, &mut diagnostics);
            fingerprints.extend(call.as_ref().map(|call| self.fingerprint_of(node, call)));
            calls.extend(call.map(|call| (None, Some(call))));
        }
        for item in 0..inputs.items.len() {
            let call = inputs.call(&flow, node_index, Some(item), &mut diagnostics);
            if let Some(call) = call.as_ref().filter(|_| previous.is_some()) {
                fingerprints.push(self.fingerprint_of(node, call));
            }
            calls.extend(call.map(|_| (Some(item), None)));
        }
        if diagnostics.iter().any(Diagnostic::is_error) {
            // No retry: the next attempt would have the same errors.
            let failure = StepFailure {
                step: step_index,
                invocation: None,
                errors: diagnostics,
                duration_ms: 0.0,
                failure: None,
            };
            return self.fail_step(failure, now);
        }
        self.report_once(step_index, diagnostics);
        let Some(step) = self.steps.get_mut(step_index) else { return };
        step.inputs = inputs;
        step.remaining_calls = calls.len();
        let hashes = fingerprints.iter().map(|one| Some(one.hash.clone()));
        let hashes = hashes.chain(std::iter::repeat(None));
        let slots =
            calls.iter().zip(hashes).map(|(_, hash)| CallSlot { hash, ..CallSlot::default() });
        step.slots = slots.collect();
        step.fingerprint = match &node.batch {
            None => fingerprints.pop(),
            Some(_) if previous.is_some() => Some(batch_fingerprint(node, hashes_of(step))),
            Some(_) => None,
        };
        if let StepStart::Calls(continued, items) =
            self.resume_step(step_index, node, previous, now)
        {
            self.add_invocations(step_index, node, calls, continued, items);
            self.end_if_complete(step_index, now);
        }
    }

    /// Reads the values of a step, and marks it as begun.
    fn read_inputs(&mut self, step_index: usize, now: HostTime<'_>) -> Option<StepInputs> {
        let step = self.steps.get_mut(step_index)?;
        step.state = StepState::Begun;
        now.time.clone_into(&mut step.started);
        let reads = std::mem::take(&mut step.reads);
        let steps = self.step_view();
        let mut values = Map::default();
        let mut is_changed = false;
        for read in &reads {
            let mut writers = read.writes.iter().filter_map(|write| steps.steps.get(write.step));
            is_changed = is_changed || writers.any(|writer| writer.is_changed);
            if let Some(value) = self.flat.value(&read.name, &read.writes, steps) {
                values.insert(read.name.clone(), value.clone());
            }
        }
        let step = self.steps.get_mut(step_index)?;
        step.is_changed = step.is_changed || is_changed;
        Some(StepInputs { values, items: Vec::new() })
    }

    /// Returns the fingerprint of a call of a node.
    pub(super) fn fingerprint_of(&self, node: &Node, call: &Call) -> CallFingerprint {
        let child = self.children.get(&node.kind).and_then(Value::as_text);
        call_fingerprint(node, call, child, &self.secrets)
    }

    /// Adds the invocations of a step that have no result in the earlier run.
    fn add_invocations(
        &mut self,
        step_index: usize,
        node: &Node,
        calls: Vec<(Option<usize>, Option<Call>)>,
        continued: Continuation,
        mut pool: ItemPool,
    ) {
        let first = self.invocations.len();
        let mut continued = Some(continued);
        for (item, call) in calls {
            let Some(step) = self.steps.get_mut(step_index) else { return };
            let Some(slot) = step.slots.get_mut(item.unwrap_or_default()) else { return };
            let previous = slot.hash.as_deref().filter(|_| item.is_some());
            let previous = previous.and_then(|hash| pool.take(hash)).unwrap_or_default();
            let own = continued.as_ref().and_then(|one| one.child.clone());
            let own = own.filter(|_| item.is_none());
            slot.child = slot.child.take().or(own).or(previous.child);
            if let Some(result) = previous.result {
                let failure = result.failure.as_ref().filter(|_| errors_key(node).is_some());
                let cause = failure.map(|failure| failure.message.clone());
                let child = slot.child.clone();
                slot.result = Some(result);
                step.remaining_calls = step.remaining_calls.saturating_sub(1);
                step.attempts = step.attempts.max(pool.attempts);
                if let Some(cause) = cause {
                    let label = self.label(step_index, item);
                    self.report_failed_item(step_index, &label, &cause);
                }
                let path = self.node_path(step_index);
                self.repeat_child_reports(step_index, child.as_ref(), &path, 1);
                continue;
            }
            let continued = continued.take().filter(|_| item.is_none()).unwrap_or_default();
            self.invocations.push(Invocation {
                step: step_index,
                item,
                call,
                continued,
                attempt: 1,
                state: InvocationState::Ready,
                memory: 0,
                ready_at: 0.0,
                started: 0.0,
                held_response: None,
            });
        }
        let end = self.invocations.len();
        // The others are queued as earlier ones end. Items with effects run one after the other.
        let limit = node.batch.as_ref().and_then(|batch| batch.concurrency).unwrap_or(usize::MAX);
        let limit = if node.effects { 1 } else { limit };
        let queued = first..end.min(first.saturating_add(limit));
        let rest = queued.end..end;
        queued.for_each(|index| self.queue_invocation(index));
        if let Some(step) = self.steps.get_mut(step_index) {
            step.invocations = first..end;
            step.unqueued = rest;
        }
    }

    /// Queues the next invocation of a step, when another one has ended.
    pub(super) fn queue_next(&mut self, step_index: usize) {
        let Some(step) = self.steps.get_mut(step_index) else { return };
        if let Some(index) = step.unqueued.next() {
            self.queue_invocation(index);
        }
    }
}

/// Iterates over the hashes of the calls of a batch.
pub(super) fn hashes_of(step: &super::step::RunStep) -> impl Iterator<Item = &str> {
    step.slots.iter().map(|slot| slot.hash.as_deref().unwrap_or_default())
}
