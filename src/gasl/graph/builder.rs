//! Graphs as they grow.

use super::column::{AttributeValue, CapacityHint};
use super::dictionary::{Dictionary, TextLookup};
use super::edge_ids::EdgeIds;
use super::quotes::strip_quotes;
use super::table::AttributeTable;
use super::{Graph, RawTables};
use crate::base::Value;
use std::cell::OnceCell;

/// Whether quotes that an export put around its texts are taken off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuoteHandling {
    /// Texts are as they are meant.
    Keep,
    /// Each text, and each part of a `<SEP>` list, loses its quotes; the original stays in `raw`.
    Strip,
}

/// Takes nodes and edges in any order. An end that is not listed as a node becomes a bare one.
pub struct GraphBuilder {
    quotes: QuoteHandling,
    /// Whether edges lead from their source to their target only.
    pub directed: bool,
    /// What the file says of the graph as a whole.
    pub metadata: Value,
    /// The texts that `source_id` names.
    pub source_texts: Value,
    ids: Dictionary,
    listed: Vec<bool>,
    sources: Vec<u32>,
    targets: Vec<u32>,
    edge_ids: EdgeIds,
    nodes: AttributeTable,
    edges: AttributeTable,
    raw: RawTables,
}

/// A node or an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Element {
    /// A row of the nodes.
    Node(u32),
    /// A row of the edges.
    Edge(u32),
}

impl GraphBuilder {
    /// A graph without nodes.
    pub fn new(quotes: QuoteHandling) -> GraphBuilder {
        GraphBuilder {
            quotes,
            directed: false,
            metadata: Value::Null,
            source_texts: Value::Null,
            ids: Dictionary::default(),
            listed: Vec::new(),
            sources: Vec::new(),
            targets: Vec::new(),
            edge_ids: EdgeIds::default(),
            nodes: AttributeTable::default(),
            edges: AttributeTable::default(),
            raw: RawTables::default(),
        }
    }

    /// Makes room for so many nodes.
    pub fn reserve_nodes(&mut self, count: usize) {
        self.ids.reserve_texts(count);
    }

    /// Makes room for so many edges.
    pub fn reserve_edges(&mut self, count: usize) {
        self.sources.reserve_exact(count);
        self.targets.reserve_exact(count);
    }

    /// Lists a node: its row, and whether it had been listed before.
    pub fn add_node(&mut self, id: &str) -> (u32, bool) {
        let row = self.endpoint(id);
        let listed = self.listed.get_mut(row as usize);
        (row, listed.is_some_and(|listed| std::mem::replace(listed, true)))
    }

    /// The row of a node that an edge names.
    pub fn endpoint(&mut self, id: &str) -> u32 {
        let row = self.ids.intern(id);
        if row as usize == self.listed.len() {
            self.listed.push(false);
        }
        row
    }

    /// The row of a node, if there is one of that id.
    pub fn find_node(&self, id: &str) -> Option<u32> {
        self.ids.find(id)
    }

    /// The rows of many nodes; see [`Dictionary::find_all`].
    pub fn find_nodes(&self, ids: &[&str], found: &mut Vec<Option<u32>>) {
        self.ids.find_all(ids, found);
    }

    /// Adds an edge: its row, and whether it got the id that was given.
    pub fn add_edge(&mut self, id: Option<&str>, source: u32, target: u32) -> (u32, bool) {
        let row = self.sources.len() as u32;
        self.sources.push(source);
        self.targets.push(target);
        (row, id.is_none_or(|id| self.edge_ids.give(row, id)))
    }

    /// The number of an attribute of nodes or of edges, as `row` is one, to set it many times. A
    /// name that all rows have anyway (`id`, `source`, `target`) gets a `_`.
    pub fn attribute_index(&mut self, row: Element, name: &str) -> usize {
        match row {
            Element::Node(_) => self.nodes.column_avoiding(name, &["id"]),
            Element::Edge(_) => self.edges.column_avoiding(name, &["id", "source", "target"]),
        }
    }

    /// The name under which rows keep an attribute.
    pub fn attribute_name(&self, row: Element, field: usize) -> Option<&str> {
        let table = if let Element::Node(_) = row { &self.nodes } else { &self.edges };
        table.columns.get(field).map(|column| &*column.name)
    }

    /// Makes room in an attribute that no row has yet.
    pub fn reserve_attribute(&mut self, row: Element, field: usize, expected: CapacityHint) {
        let table = if let Element::Node(_) = row { &mut self.nodes } else { &mut self.edges };
        if let Some(column) = table.columns.get_mut(field) {
            column.reserve(expected);
        }
    }

    /// Sets an attribute by its name.
    pub fn set(&mut self, row: Element, name: &str, given: AttributeValue<'_>) {
        let field = self.attribute_index(row, name);
        self.set_at(row, field, given);
    }

    /// Sets an attribute by its number.
    pub fn set_at(&mut self, row: Element, field: usize, given: AttributeValue<'_>) {
        let (number, table, raw) = match row {
            Element::Node(row) => (row, &mut self.nodes, &mut self.raw.nodes),
            Element::Edge(row) => (row, &mut self.edges, &mut self.raw.edges),
        };
        let AttributeValue::Text(text) = given else { return table.set(number, field, given) };
        let short = match self.quotes {
            QuoteHandling::Strip => strip_quotes(text),
            QuoteHandling::Keep => text.into(),
        };
        if let Some(column) = table.columns.get(field).filter(|_| short != text) {
            let original = raw.field(&column.name);
            raw.set(number, original, AttributeValue::Text(text));
        }
        table.set(number, field, AttributeValue::Text(&short));
    }

    /// Keeps the original of an attribute whose quotes have been taken off before.
    pub fn set_raw(&mut self, row: Element, field: &str, given: AttributeValue<'_>) {
        let (number, raw) = match row {
            Element::Node(row) => (row, &mut self.raw.nodes),
            Element::Edge(row) => (row, &mut self.raw.edges),
        };
        let field = raw.field(field);
        raw.set(number, field, given);
    }

    /// How many nodes there are.
    pub fn node_count(&self) -> usize {
        self.listed.len()
    }

    /// How many edges there are.
    pub fn edge_count(&self) -> usize {
        self.sources.len()
    }

    /// The ids of nodes that only edges have named so far.
    pub fn unlisted_ids(&self) -> impl Iterator<Item = &str> {
        let nodes = (0..).zip(&self.listed);
        nodes.filter(|(_, listed)| !**listed).map(|(node, _)| self.ids.text(node))
    }

    /// How many attributes there are, of nodes and of edges.
    pub fn attribute_count(&self) -> usize {
        self.nodes.columns.len() + self.edges.columns.len()
    }

    /// The graph, and how many ids kept their quotes because they would have met another.
    pub fn finish(mut self) -> (Graph, usize) {
        let kept = match self.quotes {
            QuoteHandling::Strip => self.strip_ids(),
            QuoteHandling::Keep => 0,
        };
        let (node_count, edge_count) = (self.listed.len(), self.sources.len());
        self.listed = Vec::new();
        self.ids.close(TextLookup::Keep);
        self.edge_ids.close();
        self.sources.shrink_to_fit();
        self.targets.shrink_to_fit();
        self.nodes.close(node_count);
        self.edges.close(edge_count);
        self.raw.nodes.close(node_count);
        self.raw.edges.close(edge_count);
        let graph = Graph {
            directed: self.directed,
            metadata: self.metadata,
            source_texts: self.source_texts,
            ids: self.ids,
            sources: self.sources,
            targets: self.targets,
            edge_ids: self.edge_ids,
            nodes: self.nodes,
            edges: self.edges,
            raw: self.raw,
            adjacencies: [const { OnceCell::new() }; 3],
        };
        (graph, kept)
    }

    /// Takes the quotes off the ids, but off none that would then be another's.
    fn strip_ids(&mut self) -> usize {
        if !self.ids.bytes().contains(&b'"') {
            return 0;
        }
        let count = self.ids.len();
        let mut short = Dictionary::default();
        let numbers: Vec<u32> =
            self.ids.texts().map(|id| short.intern(&strip_quotes(id))).collect();
        let mut owners = vec![0u32; short.len()];
        for number in &numbers {
            if let Some(owners) = owners.get_mut(*number as usize) {
                *owners += 1;
            }
        }
        let alone = |number: &u32| owners.get(*number as usize) == Some(&1);
        let mut ids = Dictionary::default();
        for (id, number) in self.ids.texts().zip(&numbers) {
            ids.intern(if alone(number) { short.text(*number) } else { id });
        }
        if ids.len() < count {
            // One that kept its quotes is what another became: then all keep theirs.
            return self.ids.texts().filter(|id| strip_quotes(id) != **id).count();
        }
        let mut kept = 0;
        for ((row, id), number) in (0..).zip(self.ids.texts()).zip(&numbers) {
            if short.text(*number) == id {
                continue;
            }
            if alone(number) {
                let field = self.raw.nodes.field("id");
                self.raw.nodes.set(row, field, AttributeValue::Text(id));
            } else {
                kept += 1;
            }
        }
        self.ids = ids;
        kept
    }
}
