//! Workflow as the reader understands it: nodes with their inputs and outputs, edges, and mappings.

use super::outline::{Params, WorkflowOutline};
use crate::base::Value;
use crate::base::map::OrderedMap;
use std::rc::Rc;

/// Valid workflow.
#[derive(Clone, Debug, Default)]
pub struct Workflow {
    /// Nodes in the order of the text.
    pub nodes: Vec<Node>,
    /// Control flow; a chain of all nodes if the text has no edges.
    pub edges: Vec<WorkflowEdge>,
    /// Whether the text has no edges, so that only data dependencies order the nodes.
    pub chained: bool,
    /// Indices of the first nodes: one node, or all without incoming edges.
    pub starts: Vec<usize>,
    /// Inputs by name.
    pub inputs: OrderedMap<WorkflowInput>,
    /// Templates of the outputs by name.
    pub outputs: OrderedMap<Value>,
    /// Names of outputs from an earlier mapping; readers also find these outputs by their keys.
    pub generated_names: Vec<GeneratedName>,
    /// Index of the text, if there is one.
    pub outline: Option<Rc<WorkflowOutline>>,
}

/// Name of an output from an earlier mapping.
#[derive(Clone, Debug, PartialEq)]
pub struct GeneratedName {
    /// Node index.
    pub node: usize,
    pub key: Rc<str>,
    pub name: Rc<str>,
}

/// Node of a workflow.
#[derive(Clone, Debug, Default)]
pub struct Node {
    pub id: Rc<str>,
    /// Name of its type in the registry.
    pub kind: Rc<str>,
    pub description: Rc<str>,
    pub purpose: Rc<str>,
    /// Map whose texts are templates.
    pub params: Params,
    /// Params that the type declares.
    pub declared_params: Rc<Vec<ParamDeclaration>>,
    pub retry: Retry,
    pub timeout_ms: Option<usize>,
    pub batch: Option<Batch>,
    /// Inputs; nodes of one type share the allocation, as for the outputs.
    pub inputs: Rc<Vec<Port>>,
    pub outputs: Rc<Vec<Port>>,
    /// Declared actions; empty if unknown.
    pub actions: Rc<Vec<String>>,
    /// Whether it has side effects outside of the store, so that it keeps its order.
    pub effects: bool,
    /// Names of the keys in the flat store, if the node has a scope; else a key is its own name.
    pub store_keys: Option<Rc<OrderedMap<Rc<str>>>>,
    /// Output keys with the names that the author stores them under.
    pub output_mappings: OrderedMap<Rc<str>>,
    /// Input keys with the names that the author reads them from.
    pub input_mappings: OrderedMap<Rc<str>>,
    /// Key of the output that contains the failure of the node, if it has an edge with the action `error`.
    pub failure_key: Option<Rc<str>>,
    /// Whether it declares no actions and all of its edges have one, so that the default action is suspicious.
    pub needs_action: bool,
}

/// Input or output of a node.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Port {
    pub key: Rc<str>,
    /// Whether the node may omit this output.
    pub optional: bool,
    /// Type as a free text.
    pub kind: String,
    pub description: String,
}

/// Param that a node type declares.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ParamDeclaration {
    pub key: Rc<str>,
    /// Type as a free text.
    pub kind: String,
    pub description: String,
    /// Whether it must be written; `None` if the type does not say.
    pub required: Option<bool>,
    pub default: Option<Value>,
}

/// Returns the keys of ports as a set.
pub fn keys_of(ports: &[Port]) -> OrderedMap<()> {
    let mut keys = OrderedMap::default();
    for port in ports {
        keys.insert(port.key.clone(), ());
    }
    keys
}

/// Retry policy: maximum number of attempts, and the delay before the second one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retry {
    pub max_attempts: usize,
    pub backoff_ms: usize,
}

impl Default for Retry {
    fn default() -> Retry {
        Retry { max_attempts: 1, backoff_ms: 0 }
    }
}

/// Batch of a node that runs once for each item of a list.
#[derive(Clone, Debug, PartialEq)]
pub struct Batch {
    /// Template of the list.
    pub items: Value,
    /// Name of the current item.
    pub name: Rc<str>,
    /// Name of the index of the current item.
    pub index: Option<Rc<str>>,
    /// Maximum number of concurrent items, besides the limit of the run.
    pub concurrency: Option<usize>,
    /// Key of the output that lists the failed items, if a failed item does not fail the node.
    pub errors_key: Option<Rc<str>>,
}

impl Batch {
    /// Iterates over the names that a batch defines in the templates of its node.
    pub fn names(&self) -> impl Iterator<Item = &Rc<str>> {
        std::iter::once(&self.name).chain(&self.index)
    }
}

/// Target of an edge after which nothing follows.
pub const END_NODE: usize = usize::MAX;

/// Edge between nodes: `to` runs after `from` returned `action`; [`END_NODE`] if nothing follows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkflowEdge {
    pub from: usize,
    pub to: usize,
    pub action: Rc<str>,
}

/// Returns the index of each edge's action in `actions`; adds new actions.
pub(super) fn intern_actions(edges: &[WorkflowEdge], actions: &mut OrderedMap<()>) -> Vec<u32> {
    let mut indices = Vec::with_capacity(edges.len());
    let mut last: Option<(&Rc<str>, u32)> = None;
    for edge in edges {
        // Edges without a written action share one text.
        let cached = last.filter(|(name, _)| Rc::ptr_eq(name, &edge.action));
        let index = cached.map(|(_, index)| index).unwrap_or_else(|| {
            let known = actions.get_index_of(&edge.action);
            known.unwrap_or_else(|| actions.insert_full(edge.action.clone(), ()).0) as u32
        });
        last = Some((&edge.action, index));
        indices.push(index);
    }
    indices
}

/// Action of edges and nodes without a written one.
pub const DEFAULT_ACTION: &str = "default";

/// Action that a node takes when it fails, if it has an edge for it.
pub const ERROR_ACTION: &str = "error";

/// Input of a workflow.
#[derive(Clone, Debug, Default)]
pub struct WorkflowInput {
    /// Type as a free text; those of JSON Schema are checked when a run starts.
    pub kind: Rc<str>,
    pub description: Rc<str>,
    pub required: bool,
    pub default: Option<Value>,
    /// Whether it is hidden from traces, events and diagnostics.
    pub secret: bool,
}

/// Returns the name of a key in the store of a scope.
pub fn scoped_name(scope: &str, key: &str) -> String {
    format!("{scope}_{key}")
}

impl Node {
    /// Returns the name in the flat store that an output is written to.
    #[inline(always)]
    pub fn written_name<'a>(&'a self, key: &'a Rc<str>) -> &'a Rc<str> {
        self.mapped_name(&self.output_mappings, key)
    }

    /// Returns the name in the flat store that an input is read from.
    #[inline(always)]
    pub fn read_name<'a>(&'a self, key: &'a Rc<str>) -> &'a Rc<str> {
        self.mapped_name(&self.input_mappings, key)
    }

    #[inline(always)]
    fn mapped_name<'a>(
        &'a self,
        mappings: &'a OrderedMap<Rc<str>>,
        key: &'a Rc<str>,
    ) -> &'a Rc<str> {
        // Fast path: most nodes have no mappings.
        let target = if mappings.is_empty() { None } else { mappings.get(key) };
        target.unwrap_or_else(|| self.store_key(key))
    }

    /// Returns the name of a key in the flat store, without mappings.
    #[inline(always)]
    pub fn store_key<'a>(&'a self, key: &'a Rc<str>) -> &'a Rc<str> {
        store_key(&self.store_keys, key)
    }

    /// Returns whether the node keeps its position in a workflow without edges: it has effects, or
    /// may end the chain by an action.
    pub fn is_barrier(&self) -> bool {
        self.effects || self.actions.iter().any(|action| action != DEFAULT_ACTION)
    }

    /// Returns whether a step may omit an output: an optional one, or any of a node that may fail.
    pub fn may_omit(&self, output: &Port) -> bool {
        output.optional || self.failure_key.is_some()
    }

    /// Returns whether a param or the batch item supplies an input.
    pub fn has_value_for(&self, key: &str) -> bool {
        let mut names = self.batch.iter().flat_map(Batch::names);
        self.params.has_key(key) || names.any(|name| **name == *key)
    }
}

/// Returns the name of a key in the flat store.
#[inline(always)]
pub(super) fn store_key<'a>(
    store_keys: &'a Option<Rc<OrderedMap<Rc<str>>>>,
    key: &'a Rc<str>,
) -> &'a Rc<str> {
    match store_keys {
        None => key,
        Some(store_keys) => store_keys.get(key).unwrap_or(key),
    }
}

/// Returns generated names with the names in the flat store that they were generated for.
pub(super) fn keys_by_name(workflow: &Workflow) -> OrderedMap<Rc<str>> {
    let name = |one: &GeneratedName| {
        let node = workflow.nodes.get(one.node);
        let key = node.map_or(&one.key, |node| node.store_key(&one.key));
        (one.name.clone(), key.clone())
    };
    workflow.generated_names.iter().map(name).collect()
}

/// Returns the names that a node reads, and the keys of the generated names among them.
pub(super) fn read_names(node: &Node, keys_by_name: &OrderedMap<Rc<str>>) -> OrderedMap<()> {
    let sources = node.inputs.iter().map(|input| node.read_name(&input.key));
    let each = sources.flat_map(|name| [Some(name), keys_by_name.get(name)].into_iter().flatten());
    each.map(|name| (name.clone(), ())).collect()
}
