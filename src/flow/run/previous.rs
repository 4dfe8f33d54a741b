//! Steps of an earlier run, as its trace contains them.

use super::call::{NodeResult, missing_output};
use super::failure::{NodeFailure, errors_key};
use crate::base::Value;
use crate::base::map::{IntMap, OrderedMap, pack_pair};
use crate::base::value::Map;
use crate::flow::workflow::{DEFAULT_ACTION, Node};
use std::collections::VecDeque;
use std::rc::Rc;

/// Steps of an earlier run, by node and iteration.
#[derive(Debug, Default)]
pub struct PreviousRun {
    /// Index of the step of each node and iteration.
    pub indices: IntMap,
    /// Steps with their secrets restored.
    pub steps: Vec<Value>,
    /// Steps as in the trace, with markers for secrets.
    pub steps_with_markers: Vec<Value>,
    /// Names of the inputs from the trace, which hides secrets in them.
    pub inputs: Vec<Rc<str>>,
    /// Names of the secret inputs that this run has not got.
    pub withheld: Vec<Rc<str>>,
    /// Whether the run cannot resume from the trace.
    pub is_rejected: bool,
    /// Whether the trace has no fingerprints (version 1).
    pub is_legacy: bool,
}

/// Step of an earlier run.
#[derive(Clone, Debug)]
pub struct PreviousStep {
    value: Value,
    /// Its entry in the trace.
    pub value_with_markers: Value,
}

impl PreviousRun {
    /// Returns a step, or `None` if it did not run.
    pub fn find(&self, node_index: usize, iteration: usize) -> Option<PreviousStep> {
        let index = *self.indices.get(&pack_pair(node_index as u32, iteration as u32))? as usize;
        let (value, marked) = (self.steps.get(index)?, self.steps_with_markers.get(index)?);
        Some(PreviousStep { value: value.clone(), value_with_markers: marked.clone() })
    }

    /// Iterates over the nodes that wait for an answer.
    pub fn waiting(&self) -> impl Iterator<Item = &str> {
        let lists = self.steps.iter().filter_map(|step| step.get("waiting")?.as_list());
        lists.flatten().filter_map(|entry| entry.get("node")?.as_text())
    }
}

impl PreviousStep {
    pub fn text(&self, key: &str) -> &str {
        self.value.get(key).and_then(Value::as_text).unwrap_or_default()
    }

    pub fn attempts(&self) -> usize {
        self.value.get("attempts").and_then(Value::as_number).unwrap_or(1.0) as usize
    }

    /// Iterates over the hashes of the parts of its call.
    pub fn parts(&self) -> impl Iterator<Item = (&str, &str)> {
        let parts = self.value.get("parts").unwrap_or(&Value::Null).entries();
        parts.filter_map(|(name, hash)| Some((&**name, hash.as_text()?)))
    }

    /// Returns the nodes that wait for an answer: `[{node, payload}]`.
    pub fn waiting(&self) -> &[Value] {
        list_of(&self.value, "waiting")
    }

    /// Returns the trace of the workflow that the node ran.
    pub fn child(&self) -> Option<Value> {
        self.value.get("child").filter(|child| !child.is_null()).cloned()
    }

    pub fn failure(&self) -> Option<NodeFailure> {
        failure_of(&self.value)
    }

    /// Returns the result of a finished step.
    pub fn result(&self, node: &Node) -> Option<NodeResult> {
        let outputs = self.value.get("outputs")?.as_map()?.clone();
        let action = self.value.get("action")?.as_text()?.to_owned();
        let failure = self.failure();
        let is_complete = match failure {
            // The workflow may have lost its error edge.
            Some(_) => node.failure_key.is_some(),
            None => missing_output(node, &outputs).is_none(),
        };
        is_complete.then_some(NodeResult { outputs, action, failure })
    }

    /// Returns its entry with the secrets restored.
    pub fn value(&self) -> &Value {
        &self.value
    }

    /// Returns the items of a batch by the hashes of their calls.
    pub fn items(&self, node: &Node) -> ItemPool {
        let mut pool = ItemPool { attempts: self.attempts(), ..ItemPool::default() };
        let lists = self.value.get("outputs").and_then(Value::as_map);
        for (index, item) in list_of(&self.value, "items").iter().enumerate() {
            let Some(hash) = item.get("fingerprint").and_then(Value::as_shared) else { continue };
            let result = match lists {
                Some(lists) => finished_item(node, lists, item, index),
                None => item_result(item),
            };
            let child = item.get("child").cloned();
            let queue = pool.by_hash.entry(hash.clone()).or_default();
            queue.push_back(PreviousItem { result, child });
        }
        pool
    }
}

/// Returns a list of a trace, or an empty one.
pub fn list_of<'v>(entry: &'v Value, key: &str) -> &'v [Value] {
    entry.get(key).and_then(Value::as_list).unwrap_or_default()
}

/// Returns the failure of a step or an item.
pub fn failure_of(entry: &Value) -> Option<NodeFailure> {
    entry.get("error").and_then(NodeFailure::read)
}

/// Returns the result of an item of a step that has not finished.
fn item_result(item: &Value) -> Option<NodeResult> {
    let outputs = item.get("outputs")?.as_map()?.clone();
    let action = action_of(item);
    Some(NodeResult { outputs, action, failure: failure_of(item) })
}

/// Returns the result of an item from the lists of a finished batch.
fn finished_item(node: &Node, lists: &Map, item: &Value, index: usize) -> Option<NodeResult> {
    let failure = failure_of(item);
    let omitted = item.get("omitted").and_then(Value::as_list).unwrap_or_default();
    let mut outputs = Map::default();
    for port in node.outputs.iter().filter(|port| Some(&port.key) != errors_key(node)) {
        let is_omitted = omitted.iter().any(|key| key.as_text() == Some(&*port.key));
        if is_omitted || failure.is_some() {
            continue;
        }
        let value = lists.get(&port.key)?.as_list()?.get(index)?;
        outputs.insert(port.key.clone(), value.clone());
    }
    Some(NodeResult { outputs, action: action_of(item), failure })
}

fn action_of(item: &Value) -> String {
    item.get("action").and_then(Value::as_text).unwrap_or(DEFAULT_ACTION).to_owned()
}

/// Batch items of an earlier run. Equal calls are in the order of their items.
#[derive(Debug, Default)]
pub struct ItemPool {
    /// Attempts of the step.
    pub attempts: usize,
    by_hash: OrderedMap<VecDeque<PreviousItem>>,
}

/// Batch item of an earlier run.
#[derive(Debug, Default)]
pub struct PreviousItem {
    /// `None` if it has not finished.
    pub result: Option<NodeResult>,
    /// Trace of the workflow that the node ran.
    pub child: Option<Value>,
}

impl ItemPool {
    /// Removes and returns the next item with a hash.
    pub fn take(&mut self, hash: &str) -> Option<PreviousItem> {
        self.by_hash.get_mut(hash)?.pop_front()
    }
}
