//! Trace of a run, from which another run can resume.

use super::Run;
use super::secret::{Secrets, marker_of};
use super::step::{RunStep, StepState};
use crate::base::diagnostic::quote;
use crate::base::map::{OrderedMap, pair};
use crate::base::value::Map;
use crate::base::{Diagnostic, Value};
use crate::flow::codes;
use crate::flow::compile::Flow;

const VERSION: usize = 1;

impl Run {
    /// Checks a trace, and adds its inputs to those of this run.
    pub(super) fn inputs_with_trace(&mut self, trace: &Value, inputs: Map) -> Map {
        let version = trace.get("version").and_then(Value::as_number);
        let steps = trace.get("steps").and_then(Value::as_list);
        let traced = trace.get("inputs").and_then(Value::as_map);
        let (Some(_), Some(traced)) = (steps.filter(|_| version == Some(VERSION as f64)), traced)
        else {
            self.report(
                Diagnostic::new(codes::INVALID_TRACE, "invalid trace")
                    .help("pass the `trace` of an earlier run unchanged")
                    .at_pointer("/resume"),
            );
            return inputs;
        };
        if trace.get("flow").and_then(Value::as_text) != Some(&self.flow.fingerprint()) {
            self.report(
                Diagnostic::new(codes::OTHER_WORKFLOW, "the trace belongs to another workflow")
                    .help(
                        "run without `resume` to start over; results of nodes with unchanged ids and types are \
                         reused",
                    )
                    .at_pointer("/resume"),
            );
        }
        let declared = &self.flow.workflow.inputs;
        let mut all = Map::default();
        for (name, value) in traced {
            if declared.get(name).is_some_and(|input| !input.secret) && !inputs.contains_key(name) {
                self.previous.inputs.push(name.clone());
                all.insert(name.clone(), value.clone());
            }
        }
        all.extend(inputs);
        all
    }

    /// Reads the steps of an earlier run; the caller must add the secrets before.
    pub(super) fn read_previous_run(&mut self, trace: &Value) {
        let mut node_indices: OrderedMap<u32> = OrderedMap::default();
        for (node_index, node) in (0u32..).zip(&self.flow.workflow.nodes) {
            node_indices.insert(node.id.clone(), node_index);
        }
        for step in trace.get("steps").and_then(Value::as_list).unwrap_or_default() {
            let id = step.get("node").and_then(Value::as_text);
            let node_index = id.and_then(|id| node_indices.get(id));
            let iteration = step.get("pass").and_then(Value::as_number);
            if let (Some(node_index), Some(iteration)) = (node_index, iteration) {
                let index = self.previous.marked.len() as u64;
                self.previous.indices.insert(pair(*node_index, iteration as u32), index);
                self.previous.marked.push(step.clone());
            }
        }
        for (name, _) in trace.get("inputs").unwrap_or(&Value::Null).entries() {
            let is_secret = self.flow.workflow.inputs.get(name).is_some_and(|input| input.secret);
            if is_secret && !self.inputs.contains_key(name) {
                self.previous.withheld.push(name.clone());
            }
        }
        if let Some(name) = self.secrets.first_missing_secret(&trace.to_text()) {
            let message = format!("missing secret {} of the trace", quote(name));
            self.report(
                Diagnostic::new(codes::MISSING_INPUT, message)
                    .help("pass it again in `inputs`")
                    .at_pointer("/inputs"),
            );
            return;
        }
        // Inputs of this run may contain texts like markers and stay as they are.
        for name in &self.previous.inputs {
            if let Some(value) = self.inputs.get_mut(name) {
                *value = self.secrets.restore(value);
            }
        }
        let marked = self.previous.marked.iter();
        self.previous.steps = marked.map(|step| restored(step, &self.secrets)).collect::<Vec<_>>();
    }

    /// Returns `{version, flow, inputs, steps: [{node, type, pass, status, attempts, started_at,
    /// finished_at?, action?, outputs?, items?}]}`.
    pub(super) fn trace(&self) -> Value {
        let mut previous = self.previous.indices.clone();
        let mut steps = Vec::new();
        for (index, step) in self.steps.iter().enumerate() {
            let has_begun = match step.state {
                StepState::Pending => false,
                // Items of a batch may have results.
                StepState::FailedAhead => step.has_results(),
                _ => true,
            };
            let is_withdrawn = step.state == StepState::Withdrawn;
            if index <= self.last && has_begun || is_withdrawn {
                previous.remove(&pair(step.node as u32, step.iteration as u32));
                steps.push(step_value(&self.flow, step, &self.secrets));
            }
        }
        if self.end.is_some() {
            // Keeps the steps of the earlier run that this run has not reached.
            let mut rest: Vec<u64> = previous.values().copied().collect();
            rest.sort_unstable();
            let marked = &self.previous.marked;
            steps.extend(rest.iter().filter_map(|index| marked.get(*index as usize).cloned()));
        }
        let steps = Value::list(steps);
        Value::map([
            ("version", VERSION.into()),
            ("flow", self.flow.fingerprint().into()),
            ("inputs", self.inputs_without_secrets()),
            ("steps", steps),
        ])
    }

    fn inputs_without_secrets(&self) -> Value {
        let mut shown = Map::default();
        for (name, value) in &self.inputs {
            let input = self.flow.workflow.inputs.get(name);
            let value = match input.is_some_and(|input| input.secret) {
                true => marker_of(name).into(),
                false => self.secrets.hide(value),
            };
            shown.insert(name.clone(), value);
        }
        for name in &self.previous.withheld {
            shown.insert(name.clone(), marker_of(name).into());
        }
        shown.into()
    }
}

/// Restores the secrets in the results of a step.
fn restored(step: &Value, secrets: &Secrets) -> Value {
    let mut step = step.clone();
    for key in ["outputs", "action"] {
        if let Some(part) = step.get_mut(key) {
            *part = secrets.restore(part);
        }
    }
    for item in step.get_mut("items").and_then(Value::as_list_mut).into_iter().flatten() {
        *item = restored(item, secrets);
    }
    step
}

fn step_value(flow: &Flow, step: &RunStep, secrets: &Secrets) -> Value {
    let Some(node) = flow.workflow.nodes.get(step.node) else { return Value::Null };
    let status = match step.state {
        StepState::Finished => "finished",
        StepState::Failed => "failed",
        StepState::Withdrawn => "withdrawn",
        StepState::Pending | StepState::Begun | StepState::FailedAhead => "interrupted",
    };
    let mut parts = vec![
        ("node", Value::from(&node.id)),
        ("type", (&node.kind).into()),
        ("pass", step.iteration.into()),
        ("status", status.into()),
        ("attempts", step.attempts.into()),
        ("started_at", step.started.as_str().into()),
    ];
    if step.has_ended() {
        parts.push(("finished_at", step.ended.as_str().into()));
    }
    if step.state == StepState::Finished {
        let mut outputs = Map::default();
        for (port, value) in node.outputs.iter().zip(&step.outputs) {
            outputs.extend(value.clone().map(|value| (port.key.clone(), value)));
        }
        parts.push(("action", secrets.hide(&step.action.as_str().into())));
        parts.push(("outputs", secrets.hide_each(&outputs)));
    } else if step.has_results() && node.batch.is_some() {
        let items = step.results.iter().map(|result| match result {
            Some(result) => Value::map([
                ("action", secrets.hide(&result.action.as_str().into())),
                ("outputs", secrets.hide_each(&result.outputs)),
            ]),
            None => Value::Null,
        });
        parts.push(("items", Value::list(items.collect::<Vec<_>>())));
    }
    Value::map_of(parts)
}
