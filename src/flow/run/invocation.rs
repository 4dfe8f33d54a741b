//! Invocations of the host: calls in parallel up to a limit, and the ends of steps.

use super::Run;
use super::call::{self, Call, NodeResult};
use super::call_order::CallOrder;
use super::fingerprint::{batch_fingerprint, checksum};
use super::start::hashes_of;
use super::step::{
    CallSlot, Continuation, HostRequest, HostTime, InvocationState, StepInputs, StepState,
};
use crate::base::Value;
use crate::base::map::{pack_pair, unpack_pair};
use crate::base::value::memory_of;
use std::cmp::Reverse;
use std::ops::Range;
use std::rc::Rc;

/// Number of checkpoints of one batch.
const CHECKPOINTS_PER_BATCH: usize = 64;

impl Run {
    /// Calls ready invocations up to the concurrency limit.
    pub(super) fn call_ready(&mut self, now: HostTime<'_>) {
        while self.end.is_none()
            && self.running_count < self.concurrency.saturating_add(self.calls.held_count)
        {
            let Some(Reverse(entry)) = self.ready.pop() else { return };
            if !self.call(unpack_pair(entry).1 as usize, now) {
                // It is called when a running one has ended.
                return self.ready.push(Reverse(entry));
            }
        }
    }

    /// Queues an invocation. Without a fixed order, those of earlier steps are called first.
    pub(super) fn queue_invocation(&mut self, index: usize) {
        let priority = match self.order {
            CallOrder::Arrival => 0,
            CallOrder::Fixed => self.calls.next_priority(),
        };
        self.ready.push(Reverse(pack_pair(priority, index as u32)));
    }

    /// Calls an invocation. Returns `false` if its arguments need more memory than the running ones
    /// leave.
    fn call(&mut self, index: usize, now: HostTime<'_>) -> bool {
        let flow = self.flow.clone();
        let Some(invocation) = self.invocations.get(index) else { return true };
        let (step_index, item) = (invocation.step, invocation.item);
        let Some(step) = self.steps.get(step_index) else { return true };
        let Some(node) = flow.workflow.nodes.get(step.node) else { return true };
        let failure = self.failures_ahead.first();
        let is_after_failure = failure.is_some_and(|first| first.step <= step_index);
        if is_after_failure || invocation.state == InvocationState::Ended {
            return true;
        }
        // The diagnostics were reported when the step began.
        let make_call = || step.inputs.call(&flow, step.node, item, &mut Vec::new());
        let Some(call) = invocation.call.clone().or_else(make_call) else { return true };
        let memory = memory_of(&call.params) + memory_of(&call.inputs);
        if !self.memory.has_room_for_call(memory) {
            if self.running_count > 0 {
                return false;
            }
            self.fail_call(index, memory, now);
            return true;
        }
        let slot = step.slots.get(item.unwrap_or_default());
        let is_unhashed = slot.is_some_and(|slot| slot.hash.is_none());
        let hash = is_unhashed.then(|| self.fingerprint_of(node, &call).hash);
        let item_value = item.and_then(|item| step.inputs.items.get(item)).cloned();
        let child = slot.and_then(|slot| slot.child.clone());
        let continued = Continuation { child, ..invocation.continued.clone() };
        let (attempt, iteration) = (invocation.attempt, step.iteration);
        let delay_ms = (invocation.ready_at - now.clock).max(0.0);
        let Some(invocation) = self.invocations.get_mut(index) else { return true };
        invocation.state = InvocationState::Called;
        invocation.started = now.clock;
        invocation.memory = memory;
        self.memory.running += memory;
        let Some(step) = self.steps.get_mut(step_index) else { return true };
        step.attempts = step.attempts.max(attempt);
        step.is_called = true;
        let mut hash_text = Rc::default();
        if let Some(slot) = step.slots.get_mut(item.unwrap_or_default()) {
            slot.hash = slot.hash.take().or(hash);
            hash_text = slot.hash.clone().unwrap_or_default();
        }
        if let Some(answer) = &continued.resumed {
            // Another answer is another call.
            let answer = self.secrets.hide(answer);
            let parts = Value::map([("call", (&hash_text).into()), ("answer", answer)]);
            hash_text = checksum(&parts).into();
        }
        self.running_count += 1;
        if self.order == CallOrder::Fixed {
            self.calls.push(index);
        }
        let request = HostRequest::Call {
            invocation: index,
            node: node.id.clone(),
            kind: node.kind.clone(),
            call: Box::new(call.clone()),
            iteration,
            index: item,
            item: item_value,
            attempt,
            timeout_ms: node.timeout_ms,
            continued: Box::new(continued),
            hash: hash_text,
            effects: node.effects,
            delay_ms,
        };
        let request = if self.is_remote { self.with_markers(request) } else { request };
        self.effects.push(request);
        let Call { params, inputs } = call;
        self.emit(index, "started", now, || {
            vec![("params", params.into()), ("inputs", inputs.into())]
        });
        true
    }

    /// Ends invocations; their responses are ignored.
    pub(super) fn abandon_invocations(&mut self, range: Range<usize>) {
        let start = range.start;
        let abandoned = self.invocations.get_mut(range).unwrap_or_default();
        for (index, invocation) in (start..).zip(abandoned) {
            match invocation.state {
                InvocationState::Called => {
                    self.running_count = self.running_count.saturating_sub(1);
                    self.memory.end_call(invocation);
                    self.aborted.push(index);
                }
                InvocationState::Answered => {
                    self.memory.end_call(invocation);
                    self.running_count = self.running_count.saturating_sub(1);
                    self.calls.held_count = self.calls.held_count.saturating_sub(1);
                }
                InvocationState::Backoff => {
                    self.backoff_count = self.backoff_count.saturating_sub(1);
                }
                InvocationState::Ready | InvocationState::Ended => {}
            }
            invocation.state = InvocationState::Ended;
        }
    }

    /// Stores the result of one invocation of a step, and ends the step if it was the last one.
    pub(super) fn store_invocation_result(
        &mut self,
        step_index: usize,
        item: Option<usize>,
        result: NodeResult,
        now: HostTime<'_>,
    ) {
        let Some(step) = self.steps.get_mut(step_index) else { return };
        let group = self.concurrency.max(step.slots.len().div_ceil(CHECKPOINTS_PER_BATCH));
        if let Some(slot) = step.slots.get_mut(item.unwrap_or_default()) {
            slot.result = Some(result);
        }
        step.remaining_calls = step.remaining_calls.saturating_sub(1);
        self.item_count += 1;
        if self.item_count >= group {
            self.item_count = 0;
            self.is_checkpoint = true;
        }
        self.end_if_complete(step_index, now);
    }

    /// Ends a step when all its invocations have results.
    pub(super) fn end_if_complete(&mut self, step_index: usize, now: HostTime<'_>) {
        let flow = self.flow.clone();
        let Some(step) = self.steps.get_mut(step_index) else { return };
        if step.state != StepState::Begun || step.remaining_calls > 0 {
            return;
        }
        let Some(node) = flow.workflow.nodes.get(step.node) else { return };
        let result = match node.batch {
            Some(_) => {
                let results = step.slots.iter().filter_map(|slot| slot.result.clone());
                let results: Vec<NodeResult> = results.collect();
                call::batch_result(node, &results, &step.inputs.items)
            }
            None => match step.slots.first_mut().and_then(|slot| slot.result.take()) {
                Some(result) => result,
                None => return,
            },
        };
        now.time.clone_into(&mut step.ended);
        self.complete_fingerprint(step_index);
        self.finish_step(step_index, result, now);
    }

    /// Computes the fingerprint of a batch whose step ends.
    pub(super) fn complete_fingerprint(&mut self, step_index: usize) {
        let flow = self.flow.clone();
        let Some(step) = self.steps.get(step_index) else { return };
        let Some(node) = flow.workflow.nodes.get(step.node) else { return };
        if step.fingerprint.is_some() || node.batch.is_none() {
            return;
        }
        // Items after a failed one have not been called.
        let hash = |(item, slot): (usize, &CallSlot)| {
            let call = || step.inputs.call(&flow, step.node, Some(item), &mut Vec::new());
            let new = || Some(self.fingerprint_of(node, &call()?).hash);
            slot.hash.clone().or_else(new)
        };
        let hashes: Vec<_> = step.slots.iter().enumerate().map(hash).collect();
        let Some(step) = self.steps.get_mut(step_index) else { return };
        for (slot, hash) in step.slots.iter_mut().zip(hashes) {
            slot.hash = hash;
        }
        step.fingerprint = Some(batch_fingerprint(node, hashes_of(step)));
    }

    /// Finishes a step, and begins the steps that waited for it.
    pub(super) fn finish_step(
        &mut self,
        step_index: usize,
        mut result: NodeResult,
        now: HostTime<'_>,
    ) {
        let flow = self.flow.clone();
        let Some(step) = self.steps.get_mut(step_index) else { return };
        let Some(node) = flow.workflow.nodes.get(step.node) else { return };
        call::add_failure(node, &mut result);
        step.failure = result.failure.clone();
        step.inputs = StepInputs::default();
        let has_child = step.slots.iter().any(|slot| slot.child.is_some());
        let dependents = std::mem::take(&mut step.dependents);
        if has_child {
            self.drop_child_errors(step_index);
        }
        self.finish(step_index, result);
        for dependent in dependents {
            let Some(step) = self.steps.get_mut(dependent) else { continue };
            step.pending_count = step.pending_count.saturating_sub(1);
            if step.pending_count == 0 && step.state == StepState::Pending && self.end.is_none() {
                self.start_invocations(dependent, now);
            }
        }
    }
}
