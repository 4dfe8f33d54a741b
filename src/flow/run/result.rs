//! What a run comes to.

use super::call::Scope;
use super::store::Steps;
use super::{End, Run};
use crate::base::Gather;
use crate::base::json::pointer_step;
use crate::base::map::Keyed;
use crate::base::value::Map;
use crate::base::{Diagnostic, Value};

impl Run {
    /// `{status, outputs, store, trace, diagnostics}`
    pub(super) fn result(&mut self) -> Value {
        let mut outputs = Map::default();
        if self.end.is_none() {
            outputs = self.outputs();
            if self.told.iter().any(Diagnostic::is_error) {
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
        let all = Steps { steps: &self.steps, last: self.last };
        let told = std::mem::take(&mut self.told);
        let told = crate::base::diagnostic::first_of(told).into_iter();
        let told = told.map(|fault| self.without_secrets(fault).to_value());
        Value::map([
            ("status", status.into()),
            ("outputs", outputs.into()),
            ("store", self.store.all(all, is_shown).into()),
            ("trace", self.trace()),
            ("diagnostics", Value::list(told.gather())),
        ])
    }

    /// What the templates of the outputs come to. A plain name is that of one flat store, whatever
    /// the way was that the run took.
    fn outputs(&mut self) -> Map {
        let flow = self.flow.clone();
        let all = Steps { steps: &self.steps, last: self.last };
        let mut outputs = Map::default();
        let mut told = Vec::new();
        for (output, template) in &flow.workflow.outputs {
            let stored = flow.wiring.outputs.get(output);
            let names = stored.into_iter().flat_map(Keyed::keys);
            let templates = names.map(|name| (name.clone(), name.clone())).collect();
            let values = |name: &str| {
                let found = if flow.is_output_name(name) {
                    self.flat.get(name, all)
                } else {
                    self.store.get(stored?.get(name)?, all)
                };
                found.cloned()
            };
            let scope = Scope { templates: &templates, values: &values, item: None };
            let at = format!("/outputs/{}", pointer_step(output));
            if let Some(value) = scope.resolve(template, &at, &mut told) {
                outputs.insert(output.clone(), value);
            }
        }
        self.told.extend(told);
        outputs
    }

    pub(super) fn without_secrets(&self, fault: Diagnostic) -> Diagnostic {
        let hide = |text: String| self.secrets.redact(&text);
        Diagnostic { message: hide(fault.message), help: fault.help.map(hide), ..fault }
    }
}
