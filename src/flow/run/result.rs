//! What a run comes to.

use super::call::Scope;
use super::{End, Run, State};
use crate::base::json::pointer_step;
use crate::base::template::{self, UNKNOWN_PATH};
use crate::base::value::Map;
use crate::base::{Diagnostic, Value};
use std::cell::Cell;

impl Run {
    /// `{status, outputs, store, trace, diagnostics}`
    pub(super) fn result(&mut self) -> Value {
        let mut outputs = Map::default();
        if self.end.is_none() {
            outputs = self.outputs();
            if self.has_errors() {
                self.end = Some(End::Failed);
                outputs = Map::default();
            }
        }
        let status = match self.end {
            None => "completed",
            Some(End::Failed) => "failed",
            Some(End::Cancelled) => "cancelled",
        };
        let inputs = &self.flow.workflow.inputs;
        let is_shown = |name: &str| inputs.get(name).is_none_or(|input| !input.secret);
        // What a chain ran ahead of a step that failed was not due.
        let failed = self.steps.iter().position(|step| step.state == State::Failed);
        let due = failed.filter(|_| self.flow.workflow.chained).unwrap_or(usize::MAX);
        let told = std::mem::take(&mut self.told).into_iter().filter(|(step, _)| *step <= due);
        let told = told.map(|(_, fault)| fault).collect::<Vec<_>>();
        let told = crate::base::diagnostic::first_of(told).into_iter();
        let told = told.map(|fault| self.without_secrets(fault).to_value());
        Value::map([
            ("status", status.into()),
            ("outputs", outputs.into()),
            ("store", self.store.all(self.all(), is_shown).into()),
            ("trace", self.trace()),
            ("diagnostics", Value::list(told.collect::<Vec<_>>())),
        ])
    }

    /// What the templates of the outputs come to.
    fn outputs(&mut self) -> Map {
        let flow = self.flow.clone();
        let all = self.all();
        let mut outputs = Map::default();
        let mut told = Vec::new();
        let room = Cell::new(template::MAX_BYTES);
        for (output, template) in &flow.workflow.outputs {
            let Some(templates) = flow.wiring.outputs.get(output) else { continue };
            let values = |name: &str| {
                let read = self.read(name.into(), templates.get(name)?);
                self.flat.value(name, &read.seen, all).cloned()
            };
            let scope = Scope { templates, values: &values, item: None, room: &room };
            let at = format!("/outputs/{}", pointer_step(output));
            if let Some(value) = scope.resolve(template, &at, &mut told) {
                outputs.insert(output.clone(), value);
            }
        }
        told.into_iter().for_each(|fault| self.tell_fault(fault));
        outputs
    }

    pub(super) fn without_secrets(&self, fault: Diagnostic) -> Diagnostic {
        let mut fault = fault;
        let told = fault.help.as_mut().filter(|help| self.secrets.tells_key(help));
        if let Some(help) = told.filter(|_| fault.code == UNKNOWN_PATH) {
            "what a secret holds is not told: name what it has".clone_into(help);
        }
        let hide = |text: String| self.secrets.redact(&text);
        Diagnostic { message: hide(fault.message), help: fault.help.map(hide), ..fault }
    }
}
