//! What a run leaves behind, so that another one can go on where it stopped.

use super::call::Answered;
use super::secret::{Secrets, marker_of};
use super::{Run, State, Step};
use crate::base::diagnostic::quote;
use crate::base::map::OrderedMap;
use crate::base::map::{IntMap, pair};
use crate::base::value::Map;
use crate::base::{Diagnostic, Value};
use crate::flow::codes;
use crate::flow::compile::Flow;
use std::rc::Rc;

const VERSION: usize = 1;

/// What an earlier run has done, by node and pass.
#[derive(Debug, Default)]
pub struct Past {
    places: IntMap,
    steps: Vec<Value>,
    /// The same as its trace has them, with markers for secrets.
    marked: Vec<Value>,
    /// Inputs that are taken from its trace, which hides secrets in them.
    inputs: Vec<Rc<str>>,
    /// Secrets that it was given and this run was not.
    withheld: Vec<Rc<str>>,
}

/// A step of an earlier run.
pub struct Earlier {
    pub answered: Answered,
    pub attempts: usize,
    pub started: String,
    pub ended: String,
}

impl Past {
    fn find(&self, flow: &Flow, place: usize, pass: usize) -> Option<&Value> {
        let step = self.steps.get(*self.places.get(&pair(place as u32, pass as u32))? as usize)?;
        // A node that has become another one is run anew.
        let kind = step.get("type").and_then(Value::as_text)?;
        flow.workflow.nodes.get(place).filter(|node| *node.kind == *kind).map(|_| step)
    }

    /// A step that has finished.
    pub fn take(&self, flow: &Flow, place: usize, pass: usize) -> Option<Earlier> {
        let step = self.find(flow, place, pass)?;
        let text =
            |key: &str| step.get(key).and_then(Value::as_text).unwrap_or_default().to_owned();
        if text("status") != "finished" {
            return None;
        }
        Some(Earlier {
            answered: answered(step)?,
            attempts: step.get("attempts").and_then(Value::as_number).unwrap_or(1.0) as usize,
            started: text("started_at"),
            ended: text("finished_at"),
        })
    }

    /// The answer for one item of a step that has not finished.
    pub fn item(&self, flow: &Flow, place: usize, pass: usize, item: usize) -> Option<Answered> {
        let items = self.find(flow, place, pass)?.get("items")?.as_list()?;
        answered(items.get(item)?)
    }
}

fn answered(value: &Value) -> Option<Answered> {
    let outputs = value.get("outputs")?.as_map()?.clone();
    Some(Answered { outputs, action: value.get("action")?.as_text()?.to_owned() })
}

impl Run {
    /// Checks a trace; the inputs of its run, under those that are given now.
    pub(super) fn read_trace(&mut self, trace: &Value, given: Map) -> Map {
        let version = trace.get("version").and_then(Value::as_number);
        let steps = trace.get("steps").and_then(Value::as_list);
        let inputs = trace.get("inputs").and_then(Value::as_map);
        let (Some(_), Some(inputs)) = (steps.filter(|_| version == Some(VERSION as f64)), inputs)
        else {
            self.tell_fault(
                Diagnostic::new(codes::BAD_TRACE, "what is to be resumed is no trace")
                    .help("give the `trace` that an earlier run answered, as it is")
                    .at_pointer("/resume"),
            );
            return given;
        };
        if trace.get("flow").and_then(Value::as_text) != Some(&self.flow.fingerprint()) {
            self.tell_fault(
                Diagnostic::new(codes::OTHER_FLOW, "the trace is of another workflow")
                    .help("nodes that have kept their ids and types are taken as they ended then; run without `resume` to begin anew")
                    .at_pointer("/resume"),
            );
        }
        let declared = &self.flow.workflow.inputs;
        let mut all = Map::default();
        for (name, value) in inputs {
            if declared.get(name).is_some_and(|input| !input.secret) && !given.contains_key(name) {
                self.past.inputs.push(name.clone());
                all.insert(name.clone(), value.clone());
            }
        }
        all.extend(given);
        all
    }

    /// Reads what an earlier run has done. The secrets are known by now.
    pub(super) fn read_past(&mut self, trace: &Value) {
        let mut places: OrderedMap<u32> = OrderedMap::default();
        for (place, node) in (0u32..).zip(&self.flow.workflow.nodes) {
            places.insert(node.id.clone(), place);
        }
        for step in trace.get("steps").and_then(Value::as_list).unwrap_or_default() {
            let place = step.get("node").and_then(Value::as_text).and_then(|id| places.get(id));
            let pass = step.get("pass").and_then(Value::as_number);
            if let (Some(place), Some(pass)) = (place, pass) {
                let number = self.past.marked.len() as u64;
                self.past.places.insert(pair(*place, pass as u32), number);
                self.past.marked.push(step.clone());
            }
        }
        for (name, _) in trace.get("inputs").unwrap_or(&Value::Null).entries() {
            let is_secret = self.flow.workflow.inputs.get(name).is_some_and(|input| input.secret);
            if is_secret && !self.inputs.contains_key(name) {
                self.past.withheld.push(name.clone());
            }
        }
        if let Some(name) = self.secrets.missing(&trace.to_text()) {
            let message = format!("the trace needs the secret {}", quote(name));
            self.tell_fault(
                Diagnostic::new(codes::MISSING_INPUT, message)
                    .help("give it again under `inputs`")
                    .at_pointer("/inputs"),
            );
            return;
        }
        // What is given now may look like a marker and is none.
        for name in &self.past.inputs {
            if let Some(value) = self.inputs.get_mut(name) {
                *value = self.secrets.restore(value);
            }
        }
        let marked = self.past.marked.iter();
        self.past.steps = marked.map(|step| restored(step, &self.secrets)).collect::<Vec<_>>();
    }

    /// `{version, flow, inputs, steps: [{node, type, pass, status, attempts, started_at,
    /// finished_at?, action?, outputs?, items?}]}`
    pub(super) fn trace(&self) -> Value {
        let mut places = self.past.places.clone();
        let mut steps = Vec::new();
        for (at, step) in self.steps.iter().enumerate() {
            let began = match step.state {
                State::Taken => false,
                // Of a batch, items may have been done.
                State::Ahead => step.has_answers(),
                _ => true,
            };
            if at <= self.last && began {
                places.remove(&pair(step.node as u32, step.pass as u32));
                steps.push(step_value(&self.flow, step, &self.secrets));
            }
        }
        if self.end.is_some() {
            // What an earlier run has done, and this one did not come to, is still done.
            let mut left: Vec<u64> = places.values().copied().collect();
            left.sort_by_key(|&number| number as u32);
            steps.extend(left.iter().filter_map(|at| self.past.marked.get(*at as usize).cloned()));
        }
        let steps = Value::list(steps);
        Value::map([
            ("version", VERSION.into()),
            ("flow", self.flow.fingerprint().into()),
            ("inputs", self.hidden_inputs()),
            ("steps", steps),
        ])
    }

    fn hidden_inputs(&self) -> Value {
        let mut shown = Map::default();
        for (name, value) in &self.inputs {
            let input = self.flow.workflow.inputs.get(name);
            let value = match input.is_some_and(|input| input.secret) {
                true => marker_of(name).into(),
                false => self.secrets.hide(value),
            };
            shown.insert(name.clone(), value);
        }
        for name in &self.past.withheld {
            shown.insert(name.clone(), marker_of(name).into());
        }
        shown.into()
    }
}

/// A step with secrets in what its node answered.
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

fn step_value(flow: &Flow, step: &Step, secrets: &Secrets) -> Value {
    let Some(node) = flow.workflow.nodes.get(step.node) else { return Value::Null };
    let status = match step.state {
        State::Finished => "finished",
        State::Failed => "failed",
        State::Taken | State::Begun | State::Ahead => "interrupted",
    };
    let mut parts = vec![
        ("node", Value::from(&node.id)),
        ("type", (&node.kind).into()),
        ("pass", step.pass.into()),
        ("status", status.into()),
        ("attempts", step.attempts.into()),
        ("started_at", step.started.as_str().into()),
    ];
    if step.has_ended() {
        parts.push(("finished_at", step.ended.as_str().into()));
    }
    if step.state == State::Finished {
        let mut outputs = Map::default();
        for (port, value) in node.outputs.iter().zip(&step.outputs) {
            outputs.extend(value.clone().map(|value| (port.key.clone(), value)));
        }
        parts.push(("action", secrets.hide(&step.action.as_str().into())));
        parts.push(("outputs", secrets.hide_each(&outputs)));
    } else if step.has_answers() && node.batch.is_some() {
        let items = step.answers.iter().map(|answer| match answer {
            Some(answer) => Value::map([
                ("action", secrets.hide(&answer.action.as_str().into())),
                ("outputs", secrets.hide_each(&answer.outputs)),
            ]),
            None => Value::Null,
        });
        parts.push(("items", Value::list(items.collect::<Vec<_>>())));
    }
    Value::map_of(parts)
}
