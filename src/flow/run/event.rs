//! Events for the listeners of a run.

use super::Run;
use super::step::HostTime;
use crate::base::Value;
use crate::base::diagnostic::quote;
use crate::base::value::excerpt;

/// Maximum number of characters of a batch item in messages and events.
const MAX_EXCERPT_CHARS: usize = 40;

impl Run {
    /// Emits an event of an invocation.
    pub(super) fn emit(
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

    /// Emits `{kind, node, type, pass, index, item, attempt, at, …}` without secrets; makes no parts if there is
    /// no listener.
    pub(super) fn emit_step_event(
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
        let mut event = vec![
            ("kind", Value::from(kind)),
            ("node", format!("{}{}", self.path, node.id).into()),
            ("type", (&node.kind).into()),
            ("pass", step.iteration.into()),
            ("index", item.into()),
            ("item", item.and_then(|item| self.item_excerpt(step_index, item)).into()),
            ("attempt", attempt.into()),
            ("at", now.time.into()),
        ];
        event.extend(parts().into_iter().map(|(name, value)| match name {
            "action" | "payload" => (name, self.secrets.hide(&value)),
            _ => (
                name,
                value.as_map().map_or(value.clone(), |map| self.secrets.hide_each(map).into()),
            ),
        }));
        self.events.push(Value::map_of(event));
    }

    /// Returns the id of the node of a step, after those of the nodes that run this workflow.
    pub(super) fn node_path(&self, step_index: usize) -> String {
        let node = self.steps.get(step_index).map(|step| step.node);
        let node = node.and_then(|node| self.flow.workflow.nodes.get(node));
        format!("{}{}", self.path, node.map_or("", |node| &*node.id))
    }

    /// Returns the label of a step in messages: its node, and its batch item.
    pub(super) fn label(&self, step_index: usize, item: Option<usize>) -> String {
        let label = quote(&self.node_path(step_index));
        let Some(item) = item else { return label };
        let excerpt = self.item_excerpt(step_index, item).unwrap_or_default();
        format!("{label} (item {item}: {})", quote(&excerpt))
    }

    /// Returns the start of the text of a batch item, without secrets.
    fn item_excerpt(&self, step_index: usize, item: usize) -> Option<String> {
        let hidden = self.secrets.hide(self.steps.get(step_index)?.inputs.items.get(item)?);
        let item = self.secrets.redact_value(&hidden);
        Some(match item.as_text() {
            Some(text) => crate::base::value::excerpt_of(text, MAX_EXCERPT_CHARS),
            None => excerpt(&item, MAX_EXCERPT_CHARS),
        })
    }
}
