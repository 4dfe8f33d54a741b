//! Reading workflows and registries: everything that is wrong is told, at its place.

mod mappings;
mod node;
mod registry;
mod unknown;

pub(super) use self::node::{Entry, NODE_KEYS, PARAMS, TYPE};
use self::registry::Declared;
use super::codes;
use super::outline::Outline;
use super::workflow::{DEFAULT_ACTION, Edge, Input, Node, Workflow};
use crate::base::diagnostic::quote;
use crate::base::json::pointer_step;
use crate::base::map::{IntMap, NameMap, OrderedMap, pair};
use crate::base::value::Map;
use crate::base::{Code, Diagnostic, DiagnosticSink, Value, names};
use std::cell::OnceCell;
use std::fmt::Display;
use std::rc::Rc;

/// Reads a workflow over a registry of node types. There is none where there is an error.
pub fn read(workflow: &Value, registry: &Value) -> (Option<Workflow>, Vec<Diagnostic>) {
    read_outline(&Outline::of(workflow), registry)
}

/// The same for a workflow whose text was looked over.
pub fn read_outline(
    outline: &Rc<Outline>,
    registry: &Value,
) -> (Option<Workflow>, Vec<Diagnostic>) {
    let mut reading = Reading {
        told: Vec::new(),
        registry,
        types: OrderedMap::default(),
        empty: "".into(),
        usual: DEFAULT_ACTION.into(),
        no_params: Value::from(Map::default()),
    };
    let read = reading.workflow(outline);
    let fine = !reading.told.iter().any(Diagnostic::is_error);
    (read.filter(|_| fine), reading.told)
}

const WORKFLOW_KEYS: [&str; 11] = [
    "ir_version",
    "nodes",
    "edges",
    "start_node",
    "inputs",
    "outputs",
    "mappings",
    "name",
    "description",
    "version",
    "metadata",
];
const INPUT_KEYS: [&str; 5] = ["type", "description", "required", "default", "secret"];

/// Where something stands, which is written only where something is told.
type At<'a> = &'a dyn Display;

struct Reading<'a> {
    told: Vec<Diagnostic>,
    registry: &'a Value,
    types: OrderedMap<Declared>,
    /// What is not written.
    empty: Rc<str>,
    /// The action of an edge that names none.
    usual: Rc<str>,
    no_params: Value,
}

impl Reading<'_> {
    fn tell(&mut self, code: Code, at: At<'_>, message: String, help: impl Into<String>) {
        let help: String = help.into();
        self.told.report(Diagnostic::new(code, message).help(help).at_pointer(at.to_string()));
    }

    fn bad(&mut self, at: At<'_>, message: &str, help: &str) {
        self.tell(codes::BAD_FORM, at, message.to_owned(), help);
    }

    /// For what stands under a key in another form.
    fn bad_part(&mut self, at: At<'_>, key: &str, form: &str, help: &str) {
        self.bad(&format_args!("{at}/{key}"), &format!("`{key}` is {form}"), help);
    }

    /// An object, where there is anything; `form` is how it is written.
    fn object(&mut self, value: Option<&Value>, at: At<'_>, form: &str) -> Option<Value> {
        let value = value.filter(|value| !value.is_null())?;
        if value.as_map().is_none() {
            let message = format!("an object is due, and here is a {}", value.kind());
            self.bad(at, &message, &format!("write it as in `{form}`"));
            return None;
        }
        Some(value.clone())
    }

    fn workflow(&mut self, outline: &Rc<Outline>) -> Option<Workflow> {
        let value = &outline.rest;
        if self.registry.as_map().is_none() {
            self.bad(
                &"/registry",
                "the registry is an object of node types",
                "give `{type: {inputs, outputs}}`",
            );
            return None;
        }
        if value.as_map().is_none() {
            self.bad(&"", "a workflow is an object", "write `{\"nodes\": […]}`");
            return None;
        }
        self.unknown_keys(value, &"", &WORKFLOW_KEYS);
        let Some(count) = outline.count() else {
            let help = "write `\"nodes\": [{\"id\": …, \"type\": …}]`";
            self.bad_part(&"", "nodes", "a list", help);
            return None;
        };
        let mut nodes: Vec<Node> = Vec::with_capacity(count);
        let mut places = OrderedMap::default();
        places.reserve(count);
        let mut ports = 0;
        for index in 0..count {
            let at = format_args!("/nodes/{index}");
            let node = self.node(outline.entry(index), &at);
            ports += node.inputs.len() + node.outputs.len();
            if ports > PORTS {
                let message = format!("the nodes have over {PORTS} inputs and outputs together");
                self.bad(&at, &message, "give each node the inputs and outputs that it uses");
                return None;
            }
            let before = places.get(&node.id).copied();
            if before.is_none() {
                places.insert(node.id.clone(), index);
            }
            if let Some(first) = before.filter(|_| !node.id.is_empty()) {
                let message =
                    format!("two nodes are called {}: /nodes/{first} and {at}", quote(&node.id));
                self.tell(
                    codes::DUPLICATE_ID,
                    &format_args!("{at}/id"),
                    message,
                    "give each node an id of its own",
                );
            }
            nodes.push(node);
        }
        let known = Known { places: &places, listed: OnceCell::new() };
        let named = self.mappings(value.get("mappings"), &mut nodes, &known);
        let written = value.get("edges").and_then(Value::as_list);
        let chained = written.is_none_or(<[Value]>::is_empty);
        let edges = self.edges(value.get("edges"), &nodes, &known);
        self.unfollowed(&edges, &nodes, chained);
        let start = match value.get("start_node") {
            None | Some(Value::Null) => None,
            Some(Value::Text(id)) => self.place(id, &"/start_node", &known),
            Some(_) => {
                self.bad_part(&"", "start_node", "the id of a node", "write its id");
                None
            }
        };
        let starts = starts(start, nodes.len(), &edges);
        let inputs = self.inputs(value.get("inputs"));
        let outputs = self.outputs(value.get("outputs"));
        self.params(&nodes, &inputs);
        let outline = Some(outline.clone());
        Some(Workflow { nodes, edges, chained, starts, inputs, outputs, named, outline })
    }

    /// With how many names an unknown one is compared: nobody is told of more than the first faults.
    fn compared(&self) -> usize {
        if self.told.len() < SUGGESTED { usize::MAX } else { 1 }
    }

    fn place(&mut self, id: &str, at: At<'_>, known: &Known<'_>) -> Option<usize> {
        let place = known.places.get(id).copied();
        if place.is_none() {
            let ids = known.ids();
            let most = self.compared().min(ids.len());
            let help = names::instead(id, ids.get(..most).unwrap_or_default());
            self.tell(codes::UNKNOWN_NODE, at, format!("there is no node {}", quote(id)), help);
        }
        place
    }

    fn edges(&mut self, value: Option<&Value>, nodes: &[Node], known: &Known<'_>) -> Vec<Edge> {
        let entries = match value {
            None | Some(Value::Null) => &[][..],
            Some(value) => match value.as_list() {
                Some(entries) => entries,
                None => {
                    let help = "write `[{\"from\": …, \"to\": …}]`";
                    self.bad_part(&"", "edges", "a list", help);
                    &[][..]
                }
            },
        };
        if entries.is_empty() {
            let usual = || self.usual.clone();
            return (1..nodes.len())
                .map(|to| Edge { from: to - 1, to, action: usual() })
                .collect::<Vec<_>>();
        }
        let mut edges: Vec<Edge> = Vec::new();
        for (index, entry) in entries.iter().enumerate() {
            let at = format_args!("/edges/{index}");
            self.unknown_keys(entry, &at, &["from", "to", "action"]);
            let mut end = |key: &str| match entry.get(key).and_then(Value::as_text) {
                Some(id) => self.place(id, &format_args!("{at}/{key}"), known),
                None => {
                    self.bad(
                        &format_args!("{at}/{key}"),
                        "an edge leads `from` a node `to` a node",
                        "write both ids",
                    );
                    None
                }
            };
            let (from, to) = (end("from"), end("to"));
            let action = entry.get("action").filter(|action| !action.is_null());
            let named = action.map(Value::as_shared);
            if named == Some(None) {
                let help = "write a text, or leave it out";
                self.bad_part(&at, "action", "what the node answers", help);
            }
            let action = named.flatten().unwrap_or(&self.usual).clone();
            if let Some(node) = from.and_then(|from| nodes.get(from))
                && *action != *DEFAULT_ACTION
                && !node.actions.is_empty()
                && !node.actions.iter().any(|own| **own == *action)
            {
                let message =
                    format!("{} does not answer the action {}", quote(&node.id), quote(&action));
                let declared: Vec<&str> = node.actions.iter().map(|own| &**own).collect();
                let help = names::instead(&action, &declared);
                self.tell(codes::UNKNOWN_ACTION, &format_args!("{at}/action"), message, help);
            }
            if let (Some(from), Some(to)) = (from, to) {
                edges.push(Edge { from, to, action });
            }
        }
        // The same edge twice is one edge.
        let (mut ends, mut actions, mut seen) =
            (IntMap::default(), OrderedMap::default(), IntMap::default());
        edges.retain(|edge| {
            let fresh = ends.len() as u64;
            let ends = *ends.entry(pair(edge.from as u32, edge.to as u32)).or_insert(fresh);
            let fresh = actions.len() as u32;
            let action = *actions.entry(edge.action.clone()).or_insert(fresh);
            seen.insert(pair(ends as u32, action), 0).is_none()
        });
        edges
    }

    /// Tells of nodes that say what they answer, where every edge of theirs waits for the usual
    /// action, which is not among it.
    fn unfollowed(&mut self, edges: &[Edge], nodes: &[Node], chained: bool) {
        if !nodes.iter().any(is_decision) {
            return;
        }
        let mut waiting = vec![None; nodes.len()];
        for Edge { from, action, .. } in edges {
            let (Some(node), Some(waits)) = (nodes.get(*from), waiting.get_mut(*from)) else {
                continue;
            };
            let is_answered = node.actions.iter().any(|own| **own == **action);
            let only_this = *action == self.usual && is_decision(node) && !is_answered;
            *waits = Some(waits.unwrap_or(true) && only_this);
        }
        for (place, node) in nodes.iter().enumerate() {
            if waiting.get(place) != Some(&Some(true)) {
                continue;
            }
            let actions = names::list(node.actions.iter().map(String::as_str));
            let message =
                format!("{} answers {actions}, and no edge of it waits for that", quote(&node.id));
            let help = match chained {
                true => format!("write `edges`, each of its own with an `action`: {actions}"),
                false => format!("give its edges an `action`: {actions}"),
            };
            self.tell(codes::UNKNOWN_ACTION, &format_args!("/nodes/{place}"), message, help);
        }
    }

    fn inputs(&mut self, value: Option<&Value>) -> OrderedMap<Input> {
        let all = self.object(value, &"/inputs", "{\"topic\": {}}").unwrap_or_default();
        let mut inputs = OrderedMap::default();
        for (name, value) in all.entries() {
            let at = format!("/inputs/{}", pointer_step(name));
            let value = self.object(Some(value), &at, "{\"type\": \"text\"}").unwrap_or_default();
            self.unknown_keys(&value, &at, &INPUT_KEYS);
            let input = Input {
                required: self.flag(&value, "required", &at),
                secret: self.flag(&value, "secret", &at),
                default: value.get("default").cloned(),
            };
            inputs.insert(name.clone(), input);
        }
        inputs
    }

    /// What is said wrong must not count as unsaid: a secret would be shown.
    fn flag(&mut self, value: &Value, key: &str, at: At<'_>) -> bool {
        value.get(key).is_some_and(|value| self.is_flag(value, key, at))
    }

    fn is_flag(&mut self, value: &Value, key: &str, at: At<'_>) -> bool {
        match value {
            Value::Null => false,
            Value::Bool(flag) => *flag,
            _ => {
                let quoted = value.as_text().is_some();
                let help = if quoted { "write it without quotes" } else { "write one of them" };
                self.bad_part(at, key, "`true` or `false`", help);
                false
            }
        }
    }

    /// Templates by name: in an object, or by themselves.
    fn outputs(&mut self, value: Option<&Value>) -> OrderedMap<Value> {
        let all = self.object(value, &"/outputs", "{\"text\": {}}").unwrap_or_default();
        let mut outputs = OrderedMap::default();
        for (name, value) in all.entries() {
            let at = format!("/outputs/{}", pointer_step(name));
            let source = match value {
                Value::Text(_) => Some(value.clone()),
                _ => {
                    let form = "{\"source\": \"${text}\"}";
                    let value = self.object(Some(value), &at, form).unwrap_or_default();
                    self.unknown_keys(&value, &at, &["source", "description", "type"]);
                    value.get("source").filter(|source| !source.is_null()).cloned()
                }
            };
            // Without a source it is what has its own name.
            let source = source.unwrap_or_else(|| format!("${{{name}}}").into());
            outputs.insert(name.clone(), source);
        }
        outputs
    }
}

/// Nodes of one type share its inputs and outputs, so a short text can have more of them than there is memory
/// for their names.
const PORTS: usize = 1_000_000;

struct Known<'a> {
    places: &'a OrderedMap<usize>,
    /// All ids in order, once somebody has asked for them.
    listed: OnceCell<Vec<&'a str>>,
}

/// After so many faults no more ids are suggested.
const SUGGESTED: usize = 100;

impl<'a> Known<'a> {
    fn ids(&self) -> &[&'a str] {
        self.listed.get_or_init(|| {
            let ids: Vec<&str> = self.places.keys().map(|id| &**id).collect();
            let id = |place: usize| ids.get(place).copied().unwrap_or_default();
            let mut order: Vec<usize> = (0..ids.len()).collect();
            order.sort_by(|&a, &b| id(a).cmp(id(b)));
            order.into_iter().map(id).collect::<Vec<_>>()
        })
    }
}

/// Where it begins: where it says, else at every node that nothing leads to, else at the first.
fn starts(start: Option<usize>, count: usize, edges: &[Edge]) -> Vec<usize> {
    if let Some(start) = start {
        return vec![start];
    }
    let mut led_to = vec![false; count];
    for edge in edges {
        if let Some(place) = led_to.get_mut(edge.to) {
            *place = true;
        }
    }
    let free: Vec<usize> = (0..count).filter(|node| led_to.get(*node) == Some(&false)).collect();
    match free.is_empty() {
        true => (0..count.min(1)).collect::<Vec<_>>(),
        false => free,
    }
}

/// Gives ids to nodes that have none: `api-1`, `api-2`, … for each type.
pub fn assign_ids(workflow: &Value) -> Value {
    let mut workflow = workflow.clone();
    let Some(nodes) = workflow.get_mut("nodes").and_then(Value::as_list_mut) else {
        return workflow;
    };
    let id = |node: &Value| {
        node.get("id").and_then(Value::as_text).filter(|id| !id.is_empty()).map(str::to_owned)
    };
    let (mut taken, mut counts) = (NameMap::default(), NameMap::default());
    for id in nodes.iter().filter_map(id) {
        taken.insert(id, 0);
    }
    for node in nodes {
        let kind = node.get("type").and_then(Value::as_text).unwrap_or("node").to_owned();
        if id(node).is_some() {
            continue;
        }
        let count = counts.entry(kind.clone()).or_insert(0);
        let fresh = loop {
            *count += 1;
            let id = format!("{kind}-{count}");
            if taken.insert(id.clone(), 0).is_none() {
                break id;
            }
        };
        if let Value::Map(map) = node {
            // The id comes first, as one writes it.
            let mut with = Map::default();
            with.insert("id".into(), fresh.into());
            with.extend(
                map.iter()
                    .filter(|(key, _)| &***key != "id")
                    .map(|(key, value)| (key.clone(), value.clone())),
            );
            *node = with.into();
        }
    }
    workflow
}

/// Whether a node answers one of several actions. What it answers when something is wrong it does not
/// answer else, and then the usual edge is followed.
fn is_decision(node: &Node) -> bool {
    const WRONG: [&str; 6] = ["error", "fail", "timeout", "retry", "cancel", "abort"];
    let is_wrong = |action: &String| {
        let action = action.to_ascii_lowercase();
        WRONG.iter().any(|wrong| action.starts_with(wrong))
    };
    node.actions.len() > 1 && !node.actions.iter().any(is_wrong)
}
