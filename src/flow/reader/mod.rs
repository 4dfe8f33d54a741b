//! Reader of workflows and registries; reports every error with its JSON pointer.

mod actions;
mod batch;
mod edges;
mod failures;
mod inputs;
mod mappings;
mod node;
mod params;
mod registry;
mod scope;
mod unknown;

use super::codes;
use super::outline::WorkflowOutline;
use super::workflow::{DEFAULT_ACTION, Node, ParamDeclaration, Port, Workflow, WorkflowEdge};
use crate::base::diagnostic::quote;
use crate::base::map::{NameMap, OrderedMap};
use crate::base::value::Map;
use crate::base::{Code, Diagnostic, DiagnosticSink, Value, names};
use std::cell::OnceCell;
use std::fmt::Display;
use std::rc::Rc;

/// Reads a workflow with a registry of node types; returns `None` with the diagnostics if there is an error.
pub fn read(workflow: &Value, registry: &Value) -> (Option<Workflow>, Vec<Diagnostic>) {
    read_outline(&WorkflowOutline::from_value(workflow), registry)
}

/// Reads a workflow from its outline.
pub fn read_outline(
    outline: &Rc<WorkflowOutline>,
    registry: &Value,
) -> (Option<Workflow>, Vec<Diagnostic>) {
    let mut reader = WorkflowReader {
        diagnostics: Vec::new(),
        registry,
        types: OrderedMap::default(),
        empty: "".into(),
        default_action: DEFAULT_ACTION.into(),
        no_params: Value::from(Map::default()),
        store_keys: Vec::new(),
    };
    let workflow = reader.read_workflow(outline);
    let is_valid = !reader.diagnostics.iter().any(Diagnostic::is_error);
    (workflow.filter(|_| is_valid), reader.diagnostics)
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

/// JSON pointer, formatted only for a diagnostic.
type LazyPointer<'a> = &'a dyn Display;

struct WorkflowReader<'a> {
    diagnostics: Vec<Diagnostic>,
    registry: &'a Value,
    types: OrderedMap<TypeDeclaration>,
    /// Shared empty string.
    empty: Rc<str>,
    /// Shared default action.
    default_action: Rc<str>,
    no_params: Value,
    /// Store keys of the last types in a scope.
    store_keys: Vec<ScopedPorts>,
}

/// Ports of a type in a scope, with the names of their keys in the store.
struct ScopedPorts {
    scope: Rc<str>,
    ports: [Rc<Vec<Port>>; 2],
    store_keys: Rc<OrderedMap<Rc<str>>>,
}

/// Declaration of a node type in the registry.
#[derive(Clone, Default)]
struct TypeDeclaration {
    description: Rc<str>,
    inputs: Rc<Vec<Port>>,
    outputs: Rc<Vec<Port>>,
    params: Rc<Vec<ParamDeclaration>>,
    actions: Rc<Vec<String>>,
    effects: bool,
}

impl WorkflowReader<'_> {
    fn report(
        &mut self,
        code: Code,
        at: LazyPointer<'_>,
        message: String,
        help: impl Into<String>,
    ) {
        let help: String = help.into();
        self.diagnostics
            .report(Diagnostic::new(code, message).help(help).at_pointer(at.to_string()));
    }

    fn report_invalid(&mut self, at: LazyPointer<'_>, message: &str, help: &str) {
        self.report(codes::INVALID_STRUCTURE, at, message.to_owned(), help);
    }

    /// Reports a value of the wrong type.
    fn report_invalid_part(&mut self, at: LazyPointer<'_>, key: &str, expected: &str, help: &str) {
        let message = format!("expected {expected} for `{key}`");
        self.report_invalid(&format_args!("{at}/{key}"), &message, help);
    }

    /// Returns an object, or `None` if there is no value or another one; `example` is for the help.
    fn read_object(
        &mut self,
        value: Option<&Value>,
        at: LazyPointer<'_>,
        example: &str,
    ) -> Option<Value> {
        let value = value.filter(|value| !value.is_null())?;
        if value.as_map().is_none() {
            let message = format!("expected an object, found a {}", value.kind());
            self.report_invalid(at, &message, &format!("write it as in `{example}`"));
            return None;
        }
        Some(value.clone())
    }

    fn read_workflow(&mut self, outline: &Rc<WorkflowOutline>) -> Option<Workflow> {
        let value = &outline.other_keys;
        if self.registry.as_map().is_none() {
            self.report_invalid(
                &"/registry",
                "expected an object of node types for the registry",
                "pass `{type: {inputs, outputs}}`",
            );
            return None;
        }
        if value.as_map().is_none() {
            self.report_invalid(
                &"",
                "expected an object for the workflow",
                "write `{\"nodes\": […]}`",
            );
            return None;
        }
        self.warn_unknown_keys(value, &"", &WORKFLOW_KEYS);
        let Some(count) = outline.node_count() else {
            let help = "write `\"nodes\": [{\"id\": …, \"type\": …}]`";
            self.report_invalid_part(&"", "nodes", "a list", help);
            return None;
        };
        let mut nodes: Vec<Node> = Vec::with_capacity(count);
        let mut node_indices = OrderedMap::default();
        node_indices.reserve(count);
        let mut port_count = 0;
        for index in 0..count {
            let at = format_args!("/nodes/{index}");
            let node = self.read_node(outline.node_entry(index), &at);
            port_count += node.inputs.len() + node.outputs.len();
            if port_count > MAX_PORTS {
                let message =
                    format!("the nodes have more than {MAX_PORTS} inputs and outputs in total");
                self.report_invalid(
                    &at,
                    &message,
                    "declare only the inputs and outputs that a node uses",
                );
                return None;
            }
            let duplicate = node_indices.get(&node.id).copied();
            if duplicate.is_none() {
                node_indices.insert(node.id.clone(), index);
            }
            if let Some(first) = duplicate.filter(|_| !node.id.is_empty()) {
                let message =
                    format!("duplicate node id {}: /nodes/{first} and {at}", quote(&node.id));
                self.report(
                    codes::DUPLICATE_ID,
                    &format_args!("{at}/id"),
                    message,
                    "give each node a unique id",
                );
            }
            nodes.push(node);
        }
        let ids = NodeIds { indices: &node_indices, sorted: OnceCell::new() };
        let generated_names = self.read_mappings(value.get("mappings"), &mut nodes, &ids);
        let written = value.get("edges").and_then(Value::as_list);
        let chained = written.is_none_or(<[Value]>::is_empty);
        let edges = self.read_edges(value.get("edges"), &nodes, &ids);
        self.warn_unused_actions(&edges, &nodes, chained);
        self.check_undeclared_actions(&edges, &mut nodes);
        if !chained {
            failures::add_failure_outputs(&mut nodes, &edges);
        }
        let start = match value.get("start_node") {
            None | Some(Value::Null) => None,
            Some(Value::Text(id)) => {
                Some(self.node_index(id, &"/start_node", &ids).into_iter().collect())
            }
            Some(Value::List(list)) => Some(self.read_starts(list, &ids)),
            Some(_) => {
                self.report_invalid_part(&"", "start_node", "a node id", "write the id of a node");
                None
            }
        };
        let starts = start_nodes(start, nodes.len(), &edges);
        if !chained && !self.diagnostics.iter().any(Diagnostic::is_error) {
            self.warn_unconnected(&edges, &nodes, &starts);
        }
        let inputs = self.read_inputs(value.get("inputs"));
        let outputs = self.read_outputs(value.get("outputs"));
        self.warn_misspelled_params(&nodes, &inputs);
        let outline = Some(outline.clone());
        Some(Workflow { nodes, edges, chained, starts, inputs, outputs, generated_names, outline })
    }

    /// Returns the maximum number of candidates for a suggestion.
    fn candidate_limit(&self) -> usize {
        if self.diagnostics.len() < MAX_SUGGESTIONS { usize::MAX } else { 1 }
    }

    /// Returns the index of a node; reports an unknown id and returns `None`.
    fn node_index(&mut self, id: &str, at: LazyPointer<'_>, ids: &NodeIds<'_>) -> Option<usize> {
        let node_index = ids.indices.get(id).copied();
        if node_index.is_none() {
            let sorted = ids.sorted();
            let count = self.candidate_limit().min(sorted.len());
            let help = names::suggestion_help(id, sorted.get(..count).unwrap_or_default());
            self.report(codes::UNKNOWN_NODE, at, format!("unknown node {}", quote(id)), help);
        }
        node_index
    }

    /// Returns a boolean, `false` by default. Another value is an error, because `false` would show a secret.
    fn read_flag(&mut self, value: &Value, key: &str, at: LazyPointer<'_>) -> bool {
        value.get(key).is_some_and(|value| self.flag_value(value, key, at))
    }

    fn flag_value(&mut self, value: &Value, key: &str, at: LazyPointer<'_>) -> bool {
        match value {
            Value::Null => false,
            Value::Bool(flag) => *flag,
            _ => {
                let quoted = value.as_text().is_some();
                let help =
                    if quoted { "write it without quotes" } else { "write `true` or `false`" };
                self.report_invalid_part(at, key, "`true` or `false`", help);
                false
            }
        }
    }
}

/// Maximum number of inputs and outputs. Nodes of one type share them, so a short text could otherwise
/// exceed the memory for their names.
const MAX_PORTS: usize = 1_000_000;

struct NodeIds<'a> {
    indices: &'a OrderedMap<usize>,
    /// Computed on first use.
    sorted: OnceCell<Vec<&'a str>>,
}

/// Maximum number of diagnostics with suggestions; more are not displayed.
const MAX_SUGGESTIONS: usize = 100;

impl<'a> NodeIds<'a> {
    fn sorted(&self) -> &[&'a str] {
        self.sorted.get_or_init(|| {
            let mut ids: Vec<&str> = self.indices.keys().map(|id| &**id).collect();
            ids.sort_unstable();
            ids
        })
    }
}

/// Returns the first nodes: the given ones, else all without incoming edges, else node 0.
fn start_nodes(given: Option<Vec<usize>>, count: usize, edges: &[WorkflowEdge]) -> Vec<usize> {
    if let Some(starts) = given.filter(|starts| !starts.is_empty()) {
        return starts;
    }
    let mut has_incoming = vec![false; count];
    for edge in edges {
        if let Some(slot) = has_incoming.get_mut(edge.to) {
            *slot = true;
        }
    }
    let free: Vec<usize> =
        (0..count).filter(|node| has_incoming.get(*node) == Some(&false)).collect();
    match free.is_empty() {
        true => (0..count.min(1)).collect::<Vec<_>>(),
        false => free,
    }
}

/// Adds ids to nodes without one: `api-1`, `api-2`, … for each type.
pub fn assign_ids(workflow: &Value) -> Value {
    let mut workflow = workflow.clone();
    let Some(nodes) = workflow.get_mut("nodes").and_then(Value::as_list_mut) else {
        return workflow;
    };
    let id = |node: &Value| {
        node.get("id").and_then(Value::as_text).filter(|id| !id.is_empty()).map(str::to_owned)
    };
    let (mut in_use, mut counts) = (NameMap::default(), NameMap::default());
    for id in nodes.iter().filter_map(id) {
        in_use.insert(id, 0);
    }
    for node in nodes {
        let kind = node.get("type").and_then(Value::as_text).unwrap_or("node").to_owned();
        if id(node).is_some() {
            continue;
        }
        let count = counts.entry(kind.clone()).or_insert(0);
        let new_id = loop {
            *count += 1;
            let id = format!("{kind}-{count}");
            if in_use.insert(id.clone(), 0).is_none() {
                break id;
            }
        };
        if let Value::Map(map) = node {
            let mut result = Map::default();
            result.insert("id".into(), new_id.into());
            result.extend(
                map.iter()
                    .filter(|(key, _)| &***key != "id")
                    .map(|(key, value)| (key.clone(), value.clone())),
            );
            *node = result.into();
        }
    }
    workflow
}
