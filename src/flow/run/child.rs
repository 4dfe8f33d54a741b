//! Workflows that nodes run: their traces, suspended nodes and diagnostics.

use super::Run;
use super::secret::Secrets;
use super::step::{ChildState, InvocationState};
use crate::base::Value;
use crate::base::value::{Map, put};
use std::rc::Rc;

/// Maximum number of diagnostics of the workflows that nodes run.
const MAX_CHILD_DIAGNOSTICS: usize = 200;

impl Run {
    /// Stores the trace so far of the workflow that a running invocation runs.
    pub fn set_child_trace(&mut self, invocation: usize, trace: Value) {
        let called = self.invocations.get(invocation);
        let Some(called) = called.filter(|one| one.state == InvocationState::Called) else {
            return;
        };
        let (step_index, item) = (called.step, called.item.unwrap_or_default());
        let step = self.steps.get_mut(step_index);
        if let Some(slot) = step.and_then(|step| step.slots.get_mut(item)) {
            let before = slot.child.as_ref().map_or(0, Value::memory);
            self.memory.replace(before, trace.memory());
            slot.child = Some(trace);
        }
    }

    /// Stores the state of the workflow that an invocation ran. Returns its waiting nodes with their
    /// paths.
    pub(super) fn add_child(&mut self, invocation: usize, child: ChildState) -> Vec<Value> {
        self.set_child_trace(invocation, child.trace);
        let Some(step_index) = self.invocations.get(invocation).map(|one| one.step) else {
            return Vec::new();
        };
        let Some(node_index) = self.steps.get(step_index).map(|step| step.node) else {
            return Vec::new();
        };
        let at = Value::map([
            ("kind", "pointer".into()),
            ("pointer", format!("/nodes/{node_index}").into()),
        ]);
        for diagnostic in child.diagnostics {
            let entry = (step_index, self.located_here(&diagnostic, &at));
            if self.child_diagnostics.len() < MAX_CHILD_DIAGNOSTICS
                && !self.child_diagnostics.contains(&entry)
            {
                self.child_diagnostics.push(entry);
            }
        }
        let id = self.flow.workflow.nodes.get(node_index).map_or("", |node| &*node.id);
        let path = |entry: &Value| {
            let mut entry = entry.as_map().cloned().unwrap_or_default();
            let node = entry.get("node").and_then(Value::as_text).unwrap_or_default();
            let node = format!("{id}/{node}");
            put(&mut entry, "node", node);
            Value::from(entry)
        };
        child.waiting.iter().map(path).collect()
    }

    /// Drops the errors of a workflow whose node continues: after a retry, an error edge, or a failed item.
    pub(super) fn drop_child_errors(&mut self, step_index: usize) {
        let is_error =
            |value: &Value| value.get("severity").and_then(Value::as_text) == Some("error");
        self.child_diagnostics
            .retain(|(step, diagnostic)| *step != step_index || !is_error(diagnostic));
    }

    /// Returns the secrets of the run, for runs that are a part of it.
    pub fn secrets(&self) -> Rc<Secrets> {
        self.secrets.clone()
    }

    /// Returns an event of another workflow, or a result, with markers for secrets.
    pub fn without_secrets_in(&self, value: &Value) -> Value {
        let mut parts = Map::default();
        for (key, value) in value.entries() {
            let value = match &**key {
                // Texts for people have markers already.
                "error" | "item" => self.secrets.redact_value(value),
                _ => self.secrets.hide(value),
            };
            parts.insert(key.clone(), value);
        }
        parts.into()
    }

    /// Returns a diagnostic of another workflow at a location of this one, without secrets.
    fn located_here(&self, diagnostic: &Value, at: &Value) -> Value {
        let mut parts = Map::default();
        for (key, value) in diagnostic.entries() {
            let value = match value.as_text() {
                Some(text) => self.secrets.redact(text).into(),
                None => value.clone(),
            };
            parts.insert(key.clone(), value);
        }
        put(&mut parts, "location", at.clone());
        parts.into()
    }
}
