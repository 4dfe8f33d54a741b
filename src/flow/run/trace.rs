//! Trace of a run, from which another run can resume. `docs/flow.md` describes its format.

use super::Run;
use super::call::{self, NodeResult};
use super::fingerprint::checksum;
use super::secret::{Secrets, marker_of};
use super::step::{CallSlot, RunStep, StepState};
use crate::base::Value;
use crate::base::hash::Hash;
use crate::base::map::pack_pair;
use crate::base::value::{Map, put};
use crate::flow::compile::Flow;
use crate::flow::workflow::{DEFAULT_ACTION, Node};

/// Version of the format.
pub const TRACE_VERSION: usize = 2;

impl Run {
    /// Returns the trace of the run so far.
    pub fn trace(&mut self) -> Value {
        let flow = self.flow.clone();
        let mut previous = self.previous.indices.clone();
        let mut steps = Vec::new();
        for (index, step) in self.steps.iter_mut().enumerate() {
            let has_begun = match step.state {
                StepState::Pending => false,
                // Items of a batch may have results.
                StepState::FailedAhead => step.has_results(),
                StepState::Withdrawn => step.is_called,
                _ => true,
            };
            if has_begun && (index <= self.last || step.state == StepState::Withdrawn) {
                previous.remove(&pack_pair(step.node as u32, step.iteration as u32));
                steps.push(step_record(&flow, step, &self.secrets));
            }
        }
        let is_completed = self.is_completed;
        if !is_completed {
            // Keeps the steps of the earlier run that this run has not reached.
            let mut rest: Vec<u64> = previous.values().copied().collect();
            rest.sort_unstable();
            let marked = &self.previous.steps_with_markers;
            steps.extend(rest.iter().filter_map(|index| marked.get(*index as usize).cloned()));
        }
        let fingerprint = self.fingerprint.get_or_insert_with(|| flow.fingerprint()).clone();
        let inputs = self.inputs_without_secrets();
        let inputs_fingerprint = checksum(&inputs);
        let total = trace_checksum(&fingerprint, &inputs_fingerprint, &steps);
        Value::map([
            ("version", TRACE_VERSION.into()),
            ("flow", fingerprint.as_str().into()),
            ("inputs", inputs),
            ("inputs_fingerprint", inputs_fingerprint.into()),
            ("steps", Value::list(steps)),
            ("checksum", total.into()),
        ])
    }

    /// Returns the inputs as a trace contains them.
    pub(super) fn inputs_without_secrets(&self) -> Value {
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

    /// Returns the nodes that wait for an answer: `[{node, payload}]`.
    pub(super) fn waiting(&self) -> Value {
        let waiting = self
            .steps
            .iter()
            .enumerate()
            .filter(|(index, step)| *index <= self.last && step.state == StepState::Waiting);
        Value::list(waiting.flat_map(|(_, step)| step.waiting.clone()).collect::<Vec<_>>())
    }
}

/// Returns the checksum of a trace from those of its parts.
pub(super) fn trace_checksum(flow: &str, inputs: &str, steps: &[Value]) -> String {
    let mut hash = Hash::default();
    hash.add(&format!("{TRACE_VERSION};{flow};{inputs}"));
    for step in steps {
        hash.add(";");
        hash.add(step.get("checksum").and_then(Value::as_text).unwrap_or_default());
    }
    let hash = hash.finish();
    hash.get(..32).unwrap_or(&hash).to_owned()
}

/// Returns the checksum of a step: of all its parts but the checksum.
pub(super) fn step_checksum(step: &Value) -> String {
    let mut parts = step.as_map().cloned().unwrap_or_default();
    parts.shift_remove("checksum");
    checksum(&parts.into())
}

/// Returns the entry of a step in the trace; stores it if the step has ended.
fn step_record(flow: &Flow, step: &mut RunStep, secrets: &Secrets) -> Value {
    if let Some(record) = &step.record {
        return record.clone();
    }
    let Some(node) = flow.workflow.nodes.get(step.node) else { return Value::Null };
    let mut record = step_value(node, step, secrets);
    let checksum = checksum(&Value::from(record.clone()));
    put(&mut record, "checksum", checksum);
    let record = Value::from(record);
    if matches!(step.state, StepState::Finished | StepState::Failed) {
        step.record = Some(record.clone());
    }
    record
}

fn step_value(node: &Node, step: &RunStep, secrets: &Secrets) -> Map {
    let held = held_result(node, step);
    let status = match step.state {
        StepState::Begun if held.is_some() => "finished",
        StepState::Finished => "finished",
        StepState::Failed => "failed",
        StepState::Waiting => "waiting",
        StepState::Begun if !step.waiting.is_empty() => "waiting",
        StepState::Withdrawn => "withdrawn",
        StepState::Pending | StepState::Begun | StepState::FailedAhead => "interrupted",
    };
    let mut parts = Map::default();
    put(&mut parts, "node", &node.id);
    put(&mut parts, "type", &node.kind);
    put(&mut parts, "pass", step.iteration);
    put(&mut parts, "status", status);
    put(&mut parts, "attempts", step.attempts);
    put(&mut parts, "started_at", step.started.as_str());
    if step.has_ended() || held.is_some() {
        put(&mut parts, "finished_at", step.ended.as_str());
    }
    if let Some(fingerprint) = &step.fingerprint {
        put(&mut parts, "fingerprint", &fingerprint.hash);
        let each =
            fingerprint.parts.iter().map(|(name, hash)| (name.as_str(), hash.as_str().into()));
        put(&mut parts, "parts", Value::map_of(each.collect()));
    }
    let is_finished = step.state == StepState::Finished;
    let failure = held.as_ref().map_or(&step.failure, |held| &held.failure);
    if let Some(held) = &held {
        put(&mut parts, "action", secrets.hide(&held.action.as_str().into()));
        put(&mut parts, "outputs", secrets.hide_each(&held.outputs));
    } else if is_finished {
        let mut outputs = Map::default();
        for (port, value) in node.outputs.iter().zip(&step.outputs) {
            outputs.extend(value.clone().map(|value| (port.key.clone(), value)));
        }
        put(&mut parts, "action", secrets.hide(&step.action.as_str().into()));
        put(&mut parts, "outputs", secrets.hide_each(&outputs));
    }
    if let Some(failure) = failure {
        put(&mut parts, "error", secrets.hide(&failure.to_map().into()));
    }
    if !step.waiting.is_empty() && !is_finished {
        let hidden = step.waiting.iter().map(|entry| secrets.hide(entry));
        put(&mut parts, "waiting", Value::list(hidden.collect()));
    }
    if node.batch.is_none() {
        let child = step.slots.first().and_then(|slot| slot.child.as_ref());
        parts.extend(child.map(|child| ("child".into(), secrets.hide(child))));
    } else if is_finished || step.has_results() {
        let items = step.slots.iter().map(|slot| item_value(node, slot, is_finished, secrets));
        put(&mut parts, "items", Value::list(items.collect()));
    }
    parts
}

/// Returns the result of a step whose response waits for those of earlier calls.
fn held_result(node: &Node, step: &RunStep) -> Option<NodeResult> {
    if step.state != StepState::Begun || node.batch.is_some() {
        return None;
    }
    let mut result = step.slots.first()?.result.clone()?;
    call::add_failure(node, &mut result);
    Some(result)
}

/// Returns the entry of a batch item. The outputs of a finished step have those of its items.
fn item_value(node: &Node, slot: &CallSlot, is_finished: bool, secrets: &Secrets) -> Value {
    let Some(hash) = &slot.hash else { return Value::Null };
    let mut item = Map::default();
    put(&mut item, "fingerprint", hash);
    if let Some(result) = &slot.result {
        if result.action != DEFAULT_ACTION {
            put(&mut item, "action", secrets.hide(&result.action.as_str().into()));
        }
        if let Some(failure) = &result.failure {
            put(&mut item, "error", secrets.hide(&failure.to_map().into()));
        }
        if !is_finished {
            put(&mut item, "outputs", secrets.hide_each(&result.outputs));
        } else if result.failure.is_none() {
            let is_omitted = |key: &&str| !result.outputs.contains_key(*key);
            let keys = node.outputs.iter().filter(|port| port.optional).map(|port| &*port.key);
            let omitted: Vec<Value> = keys.filter(is_omitted).map(Value::from).collect();
            if !omitted.is_empty() {
                put(&mut item, "omitted", Value::list(omitted));
            }
        }
    }
    if let Some(child) = &slot.child {
        put(&mut item, "child", secrets.hide(child));
    }
    item.into()
}
