//! Responses in a fixed order of calls. A response that arrives before those of earlier calls is held until they
//! arrive. The trace contains it at once.

use super::Run;
use super::call::{self, NodeResult, Responder};
use super::failure::errors_key;
use super::step::{HeldResponse, HostRequest, HostResponse, HostTime, InvocationState, StepState};
use crate::base::Value;
use crate::flow::workflow::DEFAULT_ACTION;

impl Run {
    /// Handles a response after those of all earlier calls.
    pub(super) fn receive_in_order(
        &mut self,
        index: usize,
        response: HostResponse,
        now: HostTime<'_>,
    ) {
        let invocation = self.invocations.get_mut(index);
        let Some(invocation) = invocation.filter(|one| one.state == InvocationState::Called) else {
            return;
        };
        invocation.state = InvocationState::Answered;
        self.calls.held_count += 1;
        self.store_held_result(index, &response, now);
        let time = now.time.to_owned();
        let held = HeldResponse { response, time, clock: now.clock };
        if let Some(invocation) = self.invocations.get_mut(index) {
            invocation.held_response = Some(Box::new(held));
        }
        while let Some(first) = self.calls.called.front().copied() {
            let state = self.invocations.get(first).map(|invocation| invocation.state);
            if state == Some(InvocationState::Called) {
                return;
            }
            self.calls.called.pop_front();
            self.handle_held(first);
        }
    }

    /// Handles all responses that have arrived, because the run makes no further calls.
    pub(super) fn receive_held(&mut self) {
        for index in std::mem::take(&mut self.calls.called) {
            match self.invocations.get(index).map(|invocation| invocation.state) {
                Some(InvocationState::Called) => self.calls.push(index),
                _ => self.handle_held(index),
            }
        }
    }

    fn handle_held(&mut self, index: usize) {
        let Some(invocation) = self.invocations.get_mut(index) else { return };
        let Some(held) = invocation.held_response.take() else { return };
        if invocation.state != InvocationState::Answered {
            return;
        }
        invocation.state = InvocationState::Called;
        self.calls.held_count = self.calls.held_count.saturating_sub(1);
        let HeldResponse { response, time, clock } = *held;
        let now = HostTime { time: &time, clock };
        self.receive(index, response, now);
        // The next response must find the steps that this one starts.
        self.start_steps(now);
    }

    /// Stores the result of a held response for the trace.
    fn store_held_result(&mut self, index: usize, response: &HostResponse, now: HostTime<'_>) {
        let flow = self.flow.clone();
        let Some(invocation) = self.invocations.get(index) else { return };
        let (step_index, item, attempt) = (invocation.step, invocation.item, invocation.attempt);
        let Some(node_index) = self.steps.get(step_index).map(|step| step.node) else { return };
        let Some(node) = flow.workflow.nodes.get(node_index) else { return };
        match response {
            HostResponse::Value(value) => {
                let responder = Responder { node, node_index, label: "", strict: flow.strict };
                // The diagnostics are reported when the response is handled.
                let result = call::read_response(responder, value, &mut Vec::new());
                let Ok(mut result) = result else { return };
                self.complete_failure(&mut result, attempt);
                if result.failure.is_some() {
                    // The step fails when its response is handled.
                    if errors_key(node).is_none() {
                        return;
                    }
                    let action = DEFAULT_ACTION.to_owned();
                    result = NodeResult { action, failure: result.failure, ..Default::default() };
                }
                let Some(step) = self.steps.get_mut(step_index) else { return };
                if step.state != StepState::Begun {
                    return;
                }
                if let Some(slot) = step.slots.get_mut(item.unwrap_or_default()) {
                    slot.result = Some(result);
                }
                now.time.clone_into(&mut step.ended);
            }
            HostResponse::Suspended(payload) if item.is_none() => {
                let Some(step) = self.steps.get_mut(step_index) else { return };
                let entry = [("node", (&node.id).into()), ("payload", payload.clone())];
                step.waiting = vec![Value::map(entry)];
            }
            _ => {}
        }
    }

    /// Returns a call with markers for secrets.
    pub(super) fn with_markers(&self, mut request: HostRequest) -> HostRequest {
        if let HostRequest::Call { call, item, continued, .. } = &mut request {
            call.params = self.secrets.hide_each(&call.params);
            call.inputs = self.secrets.hide_each(&call.inputs);
            for value in [item, &mut continued.resumed].into_iter().flatten() {
                *value = self.secrets.hide(value);
            }
        }
        request
    }
}
