//! Result of a run.

use super::Run;
use super::call::CallScope;
use super::step::{RunEnd, StepState};
use crate::base::json::escape_pointer_step;
use crate::base::template::{self, UNKNOWN_PATH};
use crate::base::value::Map;
use crate::base::{Diagnostic, Value};
use std::cell::Cell;

impl Run {
    /// Returns `{status, outputs, store, trace, waiting, diagnostics}`.
    pub(super) fn result(&mut self) -> Value {
        let mut outputs = Map::default();
        if self.end.is_none() {
            outputs = self.outputs();
            self.is_completed = !self.has_errors();
            if !self.is_completed {
                self.end = Some(RunEnd::Failed);
                outputs = Map::default();
            }
        }
        self.mark_withdrawn();
        let status = match self.end {
            None => "completed",
            Some(RunEnd::Failed) => "failed",
            Some(RunEnd::Cancelled) => "cancelled",
            Some(RunEnd::Paused) => "paused",
        };
        let inputs = &self.flow.workflow.inputs;
        let is_shown = |name: &str| inputs.get(name).is_none_or(|input| !input.secret);
        // Diagnostics of speculative steps after a failed one are dropped.
        let failed = self.steps.iter().position(|step| step.state == StepState::Failed);
        let last = failed.filter(|_| self.flow.workflow.chained).unwrap_or(usize::MAX);
        let all = std::mem::take(&mut self.diagnostics).into_iter();
        let kept = all.filter(|(step, _)| *step <= last).map(|(_, diagnostic)| diagnostic);
        let kept = crate::base::diagnostic::limit_diagnostics(kept.collect::<Vec<_>>()).into_iter();
        let own = kept.map(|diagnostic| self.without_secrets(diagnostic).to_value());
        let of_children = self.child_diagnostics.iter().filter(|(step, _)| *step <= last);
        let diagnostics: Vec<Value> =
            own.chain(of_children.map(|(_, diagnostic)| diagnostic.clone())).collect();
        Value::map([
            ("status", status.into()),
            ("outputs", outputs.into()),
            ("store", self.store.all(self.step_view(), is_shown).into()),
            ("waiting", self.waiting()),
            ("trace", self.trace()),
            ("diagnostics", Value::list(diagnostics)),
        ])
    }

    /// Resolves the outputs of the workflow.
    fn outputs(&mut self) -> Map {
        let flow = self.flow.clone();
        let steps = self.step_view();
        let mut outputs = Map::default();
        let mut diagnostics = Vec::new();
        let budget = Cell::new(template::MAX_INSERTED_BYTES);
        for (output, template) in &flow.workflow.outputs {
            let Some(templates) = flow.wiring.outputs.get(output) else { continue };
            let values = |name: &str| {
                let read = self.read_visible_writes(name.into(), templates.get(name)?);
                self.flat.value(name, &read.writes, steps).cloned()
            };
            let inputs = &flow.wiring.read_inputs;
            let scope =
                CallScope { templates, values: &values, batch_names: &[], inputs, budget: &budget };
            let at = format!("/outputs/{}", escape_pointer_step(output));
            if let Some(value) = scope.resolve(template, &at, &mut diagnostics) {
                outputs.insert(output.clone(), value);
            }
        }
        diagnostics.into_iter().for_each(|diagnostic| self.report(diagnostic));
        outputs
    }

    /// Redacts a diagnostic; replaces help that lists keys of a secret.
    pub(super) fn without_secrets(&self, mut diagnostic: Diagnostic) -> Diagnostic {
        let revealing = diagnostic.help.as_mut().filter(|help| self.secrets.contains_key_of(help));
        if let Some(help) = revealing.filter(|_| diagnostic.code == UNKNOWN_PATH) {
            "name an existing key; the keys of a secret are not listed".clone_into(help);
        }
        let redact = |text: String| self.secrets.redact(&text);
        Diagnostic {
            message: redact(diagnostic.message),
            help: diagnostic.help.map(redact),
            ..diagnostic
        }
    }
}
