//! A workflow as it was meant: its nodes with what they read and write, its edges, its mappings.

use super::outline::Outline;
use crate::base::Value;
use crate::base::map::OrderedMap;
use std::rc::Rc;

/// A workflow that can be mapped.
#[derive(Clone, Debug, Default)]
pub struct Workflow {
    /// In the order in which they are written.
    pub nodes: Vec<Node>,
    /// Control flow. A chain of all nodes where none is written.
    pub edges: Vec<Edge>,
    /// Whether no edges are written, so that nothing but data says what has to wait for what.
    pub chained: bool,
    /// Where it begins: one node, or all that nothing leads to.
    pub starts: Vec<usize>,
    /// What the host gives.
    pub inputs: OrderedMap<Input>,
    /// What the host gets: each name with its template.
    pub outputs: OrderedMap<Value>,
    /// What an earlier mapping called outputs whose readers find them under their keys too.
    pub named: Vec<Named>,
    /// As it was given, if it was.
    pub outline: Option<Rc<Outline>>,
}

/// The name that an earlier mapping gave to an output.
#[derive(Clone, Debug, PartialEq)]
pub struct Named {
    /// The place of the node.
    pub node: usize,
    pub key: Rc<str>,
    pub name: Rc<str>,
}

/// The params of a node.
#[derive(Clone, Debug)]
pub enum Params {
    Read(Value),
    /// A map without templates, which is read when it is wanted: a part of an outline.
    Plain(Rc<Outline>, u32),
}

impl Default for Params {
    fn default() -> Params {
        Params::Read(Value::Null)
    }
}

impl From<Value> for Params {
    fn from(value: Value) -> Params {
        Params::Read(value)
    }
}

impl Params {
    /// All of them.
    pub fn value(&self) -> Value {
        match self {
            Params::Read(value) => value.clone(),
            Params::Plain(outline, part) => outline.part(*part),
        }
    }

    /// What may hold templates.
    pub fn templates(&self) -> Option<&Value> {
        match self {
            Params::Read(value) => Some(value),
            Params::Plain(..) => None,
        }
    }

    /// One of the keys, by its place.
    pub fn key(&self, nth: usize) -> Option<&str> {
        match self {
            Params::Read(value) => value.as_map()?.get_index(nth).map(|(key, _)| &**key),
            Params::Plain(outline, part) => outline.key(*part, nth),
        }
    }

    fn has(&self, key: &str) -> bool {
        match self {
            Params::Read(value) => value.get(key).is_some(),
            Params::Plain(outline, part) => outline.has_key(*part, key),
        }
    }
}

/// A node.
#[derive(Clone, Debug, Default)]
pub struct Node {
    pub id: Rc<str>,
    /// The name of its type in the registry.
    pub kind: Rc<str>,
    pub description: Rc<str>,
    pub purpose: Rc<str>,
    /// A map; its texts are templates.
    pub params: Params,
    pub retry: Retry,
    pub timeout_ms: Option<usize>,
    pub batch: Option<Batch>,
    /// What it reads, and what it writes; nodes of one type share both.
    pub inputs: Rc<Vec<Port>>,
    pub outputs: Rc<Vec<Port>>,
    /// The actions that it may answer, where that is known.
    pub actions: Rc<Vec<String>>,
    /// Whether it does something that the store does not show, so that it keeps its place.
    pub effects: bool,
    /// What the author renamed: output keys to the names that they are stored under.
    pub output_mappings: OrderedMap<Rc<str>>,
    /// And input keys to the names that they are read from.
    pub input_mappings: OrderedMap<Rc<str>>,
}

/// Something that a node reads or writes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Port {
    pub key: Rc<str>,
    /// Of an output: whether the node may leave it out.
    pub optional: bool,
    /// What it is, in words.
    pub kind: String,
    pub description: String,
}

/// The keys of ports, for whoever asks after many.
pub fn keys_of(ports: &[Port]) -> OrderedMap<()> {
    let mut keys = OrderedMap::default();
    for port in ports {
        keys.insert(port.key.clone(), ());
    }
    keys
}

/// How often a node is tried, and how long is waited before it is tried again.
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

/// A node that runs once for each item of a list.
#[derive(Clone, Debug, PartialEq)]
pub struct Batch {
    /// A template of the list.
    pub items: Value,
    /// The name of the item at hand.
    pub name: Rc<str>,
}

/// After `from` has answered `action`, `to` is next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    pub from: usize,
    pub to: usize,
    pub action: Rc<str>,
}

/// For each edge the number of its action among `actions`, where new ones are put.
pub(super) fn numbered(edges: &[Edge], actions: &mut OrderedMap<()>) -> Vec<u32> {
    let mut numbers = Vec::with_capacity(edges.len());
    let mut last: Option<(&Rc<str>, u32)> = None;
    for edge in edges {
        // Edges that name no action share one text.
        let known = last.filter(|(name, _)| Rc::ptr_eq(name, &edge.action));
        let number = known.map(|(_, number)| number).unwrap_or_else(|| {
            let known = actions.get_index_of(&edge.action);
            known.unwrap_or_else(|| actions.insert_full(edge.action.clone(), ()).0) as u32
        });
        last = Some((&edge.action, number));
        numbers.push(number);
    }
    numbers
}

/// The action of a node that answers none.
pub const DEFAULT_ACTION: &str = "default";

/// Something that the host gives.
#[derive(Clone, Debug, Default)]
pub struct Input {
    pub required: bool,
    pub default: Option<Value>,
    /// Whether it must not be shown.
    pub secret: bool,
}

/// What a key is mapped to. Mostly nothing is mapped.
#[inline(always)]
fn mapped<'a>(mappings: &'a OrderedMap<Rc<str>>, key: &'a Rc<str>) -> &'a Rc<str> {
    if mappings.is_empty() {
        return key;
    }
    mappings.get(key).unwrap_or(key)
}

impl Node {
    /// The name in one flat store that the node writes an output to.
    #[inline(always)]
    pub fn writes<'a>(&'a self, key: &'a Rc<str>) -> &'a Rc<str> {
        mapped(&self.output_mappings, key)
    }

    /// The name in one flat store that the node reads an input from.
    #[inline(always)]
    pub fn reads<'a>(&'a self, key: &'a Rc<str>) -> &'a Rc<str> {
        mapped(&self.input_mappings, key)
    }

    /// Whether a param supplies an input, or the item of a batch does.
    pub fn supplies(&self, key: &str) -> bool {
        self.params.has(key) || self.batch.as_ref().is_some_and(|batch| *batch.name == *key)
    }
}
