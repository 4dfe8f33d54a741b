//! Results of the nodes of random workflows: they depend on the seed, the node and its execution alone.

use super::{KEYS, SplitMix64};
use byname::base::Value;
use byname::flow::workflow::{Batch, Retry, Workflow};
use std::collections::BTreeSet;
use std::rc::Rc;

/// Items of each batch.
pub const ITEMS: [&str; 3] = ["u", "v", "u"];

/// Type of the nodes that run a workflow.
pub const SUB_WORKFLOW: &str = "sub";

/// Result of an execution of a node.
pub struct ScriptedResult {
    pub outputs: Vec<(Rc<str>, Value)>,
    pub action: String,
    /// Message of its failure; the action is `error` then.
    pub failure: Option<String>,
}

/// Returns the result of an execution of a node, counted from 0.
pub fn script(workflow: &Workflow, node: usize, execution: usize, seed: u64) -> ScriptedResult {
    let mut random = SplitMix64(seed ^ (node as u64) << 32 ^ (execution as u64) << 48);
    let node = &workflow.nodes[node];
    let failed_item = failed_item(workflow, seed, execution, &node.id);
    let mut outputs = Vec::new();
    for output in node.outputs.iter() {
        if output.optional && random.one_in(2) {
            continue;
        }
        let text = format!("{} {} {execution}", node.id, output.key);
        let item = |(index, item): (usize, &&str)| match Some(index) == failed_item {
            true => Value::Null,
            false => format!("{text} {item}{index}").into(),
        };
        let value = match node.batch {
            Some(_) => Value::list(ITEMS.iter().enumerate().map(item).collect()),
            None => text.into(),
        };
        outputs.push((output.key.clone(), value));
    }
    // Most loops end.
    let mut action = &node.actions[random.below(node.actions.len())];
    if action == "back" && execution > 1 {
        action = &node.actions[0];
    }
    let failure = (action == "error").then(|| format!("{} broke {execution}", node.id));
    if failure.is_some() {
        outputs.clear();
    }
    ScriptedResult { outputs, action: action.clone(), failure }
}

/// Returns the item that fails in a batch that continues.
fn failed_item(workflow: &Workflow, seed: u64, execution: usize, id: &str) -> Option<usize> {
    let node = workflow.nodes.iter().find(|node| *node.id == *id)?;
    node.batch.as_ref()?.errors_key.as_ref()?;
    let index = (seed as usize + execution + id.len()) % (ITEMS.len() + 1);
    (index < ITEMS.len()).then_some(index)
}

/// Adds error edges, reads of failures, batches, retries and nodes that run a workflow.
pub fn add_run_features(random: &mut SplitMix64, workflow: &mut Workflow) {
    for node in 0..workflow.nodes.len() {
        let skips = |action: &str| action == "skip";
        if random.one_in(2) {
            let own = workflow.edges.iter_mut().filter(|edge| edge.from == node);
            own.filter(|edge| skips(&edge.action)).for_each(|edge| edge.action = "error".into());
            let actions = Rc::make_mut(&mut workflow.nodes[node].actions);
            actions
                .iter_mut()
                .filter(|action| skips(action))
                .for_each(|action| *action = "error".to_owned());
        }
        let node = &mut workflow.nodes[node];
        let is_failing = node.actions.iter().any(|action| action == "error");
        match random.below(5) {
            0 => {
                let errors_key = (!is_failing).then(|| format!("{}.errors", node.id).into());
                let items = Value::list(ITEMS.iter().map(|item| Value::from(*item)).collect());
                let (name, index, concurrency) = ("each".into(), None, None);
                node.batch = Some(Batch { items, name, index, concurrency, errors_key });
            }
            // The outputs of a workflow come with the default action.
            1 if node.actions.iter().all(|action| ["default", "error"].contains(&&**action)) => {
                node.kind = SUB_WORKFLOW.into();
            }
            2 => node.retry = Retry { max_attempts: 2, backoff_ms: 0 },
            _ => {}
        }
    }
    let failing: BTreeSet<usize> = workflow
        .edges
        .iter()
        .filter(|edge| &*edge.action == "error")
        .map(|edge| edge.from)
        .collect();
    let failing: Vec<usize> = failing.into_iter().collect();
    for node in 0..workflow.nodes.len() {
        if failing.is_empty() || !random.one_in(3) {
            continue;
        }
        let read = format!(
            "${{{}.error.message}}",
            workflow.nodes[failing[random.below(failing.len())]].id
        );
        let mut params = workflow.nodes[node].params.value().as_map().cloned().unwrap_or_default();
        params.insert("fault".into(), read.into());
        workflow.nodes[node].params = Value::from(params).into();
    }
}

/// Returns a workflow as an author writes it.
pub fn to_json(workflow: &Workflow) -> Value {
    let texts =
        |list: &mut dyn Iterator<Item = String>| Value::list(list.map(Value::from).collect());
    let mut mappings = Vec::new();
    let mut nodes = Vec::new();
    for node in &workflow.nodes {
        let outputs = node.outputs.iter().map(|port| {
            Value::map([("key", (&port.key).into()), ("optional", port.optional.into())])
        });
        let mut parts = vec![
            ("id", (&node.id).into()),
            ("type", (&node.kind).into()),
            ("inputs", texts(&mut node.inputs.iter().map(|port| port.key.to_string()))),
            ("outputs", Value::list(outputs.collect())),
            ("actions", texts(&mut node.actions.iter().cloned())),
            ("params", node.params.value().clone()),
        ];
        if let Some(batch) = &node.batch {
            let policy = if batch.errors_key.is_some() { "continue" } else { "fail" };
            let batch = [
                ("items", batch.items.clone()),
                ("as", (&batch.name).into()),
                ("on_error", policy.into()),
            ];
            parts.push(("batch", Value::map(batch)));
        }
        if node.retry.max_attempts > 1 {
            parts.push(("retry", Value::map([("max_attempts", node.retry.max_attempts.into())])));
        }
        nodes.push(Value::map_of(parts));
        let names = |map: &byname::base::map::OrderedMap<Rc<str>>| {
            Value::map_of(map.iter().map(|(key, name)| (&**key, name.into())).collect())
        };
        let own = [
            ("input_mappings", names(&node.input_mappings)),
            ("output_mappings", names(&node.output_mappings)),
        ];
        mappings.push((&*node.id, Value::map(own)));
    }
    let edges = workflow.edges.iter().map(|edge| {
        let id = |node: usize| Value::from(&workflow.nodes[node].id);
        let parts =
            [("from", id(edge.from)), ("to", id(edge.to)), ("action", (&edge.action).into())];
        Value::map(parts)
    });
    let none = || Value::map_of(Vec::new());
    let inputs = KEYS.iter().filter(|key| workflow.inputs.contains_key(**key));
    let outputs = workflow
        .outputs
        .iter()
        .map(|(key, template)| (&**key, Value::map([("source", template.clone())])));
    Value::map([
        ("nodes", Value::list(nodes)),
        ("edges", Value::list(edges.collect())),
        ("start_node", "n0".into()),
        ("inputs", Value::map_of(inputs.map(|key| (*key, none())).collect())),
        ("outputs", Value::map_of(outputs.collect())),
        ("mappings", Value::map_of(mappings)),
    ])
}
