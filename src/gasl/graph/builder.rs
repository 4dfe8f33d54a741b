//! Builds graphs.

use super::column::{AttributeValue, CapacityHint};
use super::dictionary::{Dictionary, TextLookup};
use super::edge_ids::EdgeIds;
use super::element::Element;
use super::quotes::strip_quotes;
use super::table::AttributeTable;
use super::{Graph, RawTables};
use crate::base::Value;
use std::cell::OnceCell;

/// Whether quotes that an export put around texts are stripped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuoteHandling {
    /// Texts are stored unchanged.
    Keep,
    /// Each text, and each part of a `<SEP>` list, loses its quotes; the original is kept in `raw`.
    Strip,
}

/// Collects nodes and edges in any order. An unlisted endpoint becomes a node without attributes.
pub struct GraphBuilder {
    quotes: QuoteHandling,
    /// Whether edges lead from their source to their target only.
    pub directed: bool,
    /// Attributes of the graph itself: a map, or null.
    pub metadata: Value,
    /// Texts of sources by `source_id`: a map, or null.
    pub source_texts: Value,
    pub(super) ids: Dictionary,
    pub(super) listed: Vec<bool>,
    pub(super) sources: Vec<u32>,
    pub(super) targets: Vec<u32>,
    edge_ids: EdgeIds,
    pub(super) nodes: AttributeTable,
    edges: AttributeTable,
    pub(super) raw: RawTables,
}

impl GraphBuilder {
    /// Returns a builder of an empty graph.
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

    /// Reserves memory for this number of nodes.
    pub fn reserve_nodes(&mut self, count: usize) {
        self.ids.reserve_texts(count);
    }

    /// Reserves memory for this number of edges.
    pub fn reserve_edges(&mut self, count: usize) {
        self.sources.reserve_exact(count);
        self.targets.reserve_exact(count);
    }

    /// Adds a node. Returns its row, and whether it was already listed.
    pub fn add_node(&mut self, id: &str) -> (u32, bool) {
        let row = self.endpoint(id);
        let listed = self.listed.get_mut(row as usize);
        (row, listed.is_some_and(|listed| std::mem::replace(listed, true)))
    }

    /// Returns the row of an endpoint of an edge, adding the node if it is new.
    pub fn endpoint(&mut self, id: &str) -> u32 {
        let row = self.ids.intern(id);
        if row as usize == self.listed.len() {
            self.listed.push(false);
        }
        row
    }

    /// Returns the row of a node by its id.
    pub fn find_node(&self, id: &str) -> Option<u32> {
        self.ids.find(id)
    }

    /// Returns the id of a node by its row; empty for an unknown row.
    pub fn node_id(&self, row: u32) -> &str {
        self.ids.text(row)
    }

    /// Returns the ids of all nodes, including endpoints that are not listed.
    pub fn node_ids(&self) -> impl Iterator<Item = &str> {
        self.ids.texts()
    }

    /// Returns the concatenated ids of all nodes.
    pub fn id_bytes(&self) -> &[u8] {
        self.ids.bytes()
    }

    /// Replaces `found` with the rows of nodes; see [`Dictionary::find_all`].
    pub fn find_nodes(&self, ids: &[&str], found: &mut Vec<Option<u32>>) {
        self.ids.find_all(ids, found);
    }

    /// Adds an edge. Returns its row, and whether it has the given id.
    pub fn add_edge(&mut self, id: Option<&str>, source: u32, target: u32) -> (u32, bool) {
        let row = self.sources.len() as u32;
        self.sources.push(source);
        self.targets.push(target);
        (row, id.is_none_or(|id| self.edge_ids.assign(row, id)))
    }

    /// Returns the index of an attribute of nodes or edges, adding it if it is new. A reserved name
    /// (`id`, `source`, `target`) gets `_` appended.
    pub fn attribute_index(&mut self, element: Element, name: &str) -> usize {
        match element {
            Element::Node(_) => self.nodes.column_index_avoiding(name, &["id"]),
            Element::Edge(_) => self.edges.column_index_avoiding(name, &["id", "source", "target"]),
        }
    }

    /// Returns the name of an attribute by its index.
    pub fn attribute_name(&self, element: Element, attribute: usize) -> Option<&str> {
        let table = if let Element::Node(_) = element { &self.nodes } else { &self.edges };
        table.columns.get(attribute).map(|column| &*column.name)
    }

    /// Returns whether nodes or edges have an attribute.
    pub fn has_attribute(&self, element: Element, name: &str) -> bool {
        let table = if let Element::Node(_) = element { &self.nodes } else { &self.edges };
        table.column(name).is_some()
    }

    /// Returns the distinct texts of an attribute, also replaced ones.
    pub fn attribute_texts(
        &self,
        element: Element,
        attribute: usize,
    ) -> impl Iterator<Item = &str> {
        let table = if let Element::Node(_) = element { &self.nodes } else { &self.edges };
        table.columns.get(attribute).into_iter().flat_map(|column| column.texts.texts())
    }

    /// Replaces each text of an attribute with the value that `convert` returns.
    pub fn convert_texts(
        &mut self,
        element: Element,
        attribute: usize,
        convert: fn(&str) -> AttributeValue<'static>,
    ) {
        let table = if let Element::Node(_) = element { &mut self.nodes } else { &mut self.edges };
        if let Some(column) = table.columns.get_mut(attribute) {
            *column = column.converted(convert);
        }
    }

    /// Reserves memory for an attribute without values.
    pub fn reserve_attribute(&mut self, element: Element, attribute: usize, hint: CapacityHint) {
        let table = if let Element::Node(_) = element { &mut self.nodes } else { &mut self.edges };
        if let Some(column) = table.columns.get_mut(attribute) {
            column.reserve(hint);
        }
    }

    /// Sets an attribute by its name.
    pub fn set(&mut self, element: Element, name: &str, value: AttributeValue<'_>) {
        let attribute = self.attribute_index(element, name);
        self.set_at(element, attribute, value);
    }

    /// Sets an attribute by its index.
    pub fn set_at(&mut self, element: Element, attribute: usize, value: AttributeValue<'_>) {
        let (row, table, raw) = match element {
            Element::Node(row) => (row, &mut self.nodes, &mut self.raw.nodes),
            Element::Edge(row) => (row, &mut self.edges, &mut self.raw.edges),
        };
        let AttributeValue::Text(text) = value else { return table.set(row, attribute, value) };
        let stripped = match self.quotes {
            QuoteHandling::Strip => strip_quotes(text),
            QuoteHandling::Keep => text.into(),
        };
        if let Some(column) = table.columns.get(attribute).filter(|_| stripped != text) {
            let original = raw.column_index(&column.name);
            raw.set(row, original, AttributeValue::Text(text));
        }
        table.set(row, attribute, AttributeValue::Text(&stripped));
    }

    /// Sets the original value of an attribute whose quotes were stripped earlier.
    pub fn set_raw(&mut self, element: Element, name: &str, value: AttributeValue<'_>) {
        let (row, raw) = match element {
            Element::Node(row) => (row, &mut self.raw.nodes),
            Element::Edge(row) => (row, &mut self.raw.edges),
        };
        let column = raw.column_index(name);
        raw.set(row, column, value);
    }

    /// Returns the number of nodes, including endpoints that are not listed.
    pub fn node_count(&self) -> usize {
        self.listed.len()
    }

    /// Returns the number of edges.
    pub fn edge_count(&self) -> usize {
        self.sources.len()
    }

    /// Returns the ids of endpoints that are not listed as nodes.
    pub fn unlisted_ids(&self) -> impl Iterator<Item = &str> {
        let nodes = (0..).zip(&self.listed);
        nodes.filter(|(_, listed)| !**listed).map(|(node, _)| self.ids.text(node))
    }

    /// Returns the number of attributes of nodes and of edges together.
    pub fn attribute_count(&self) -> usize {
        self.nodes.columns.len() + self.edges.columns.len()
    }

    /// Returns the graph, and the number of ids that kept their quotes to stay unique.
    pub fn finish(mut self) -> (Graph, usize) {
        let quoted_count = match self.quotes {
            QuoteHandling::Strip => self.strip_ids(),
            QuoteHandling::Keep => 0,
        };
        let (node_count, edge_count) = (self.listed.len(), self.sources.len());
        self.listed = Vec::new();
        self.ids.finish(TextLookup::Keep);
        self.edge_ids.finish();
        self.sources.shrink_to_fit();
        self.targets.shrink_to_fit();
        self.nodes.finish(node_count);
        self.edges.finish(edge_count);
        self.raw.nodes.finish(node_count);
        self.raw.edges.finish(edge_count);
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
        (graph, quoted_count)
    }

    /// Strips the quotes of ids unless that makes two ids equal. Returns how many kept theirs.
    fn strip_ids(&mut self) -> usize {
        if !self.ids.bytes().contains(&b'"') {
            return 0;
        }
        let count = self.ids.len();
        let mut stripped = Dictionary::default();
        let codes: Vec<u32> =
            self.ids.texts().map(|id| stripped.intern(&strip_quotes(id))).collect();
        let mut owners = vec![0u32; stripped.len()];
        for code in &codes {
            if let Some(count) = owners.get_mut(*code as usize) {
                *count += 1;
            }
        }
        let is_unique = |code: &u32| owners.get(*code as usize) == Some(&1);
        let mut ids = Dictionary::default();
        for (id, code) in self.ids.texts().zip(&codes) {
            ids.intern(if is_unique(code) { stripped.text(*code) } else { id });
        }
        if ids.len() < count {
            // A stripped id equals one that kept its quotes, so all keep theirs.
            return self.ids.texts().filter(|id| strip_quotes(id) != **id).count();
        }
        let mut quoted_count = 0;
        for ((row, id), code) in (0..).zip(self.ids.texts()).zip(&codes) {
            if stripped.text(*code) == id {
                continue;
            }
            if is_unique(code) {
                let column = self.raw.nodes.column_index("id");
                self.raw.nodes.set(row, column, AttributeValue::Text(id));
            } else {
                quoted_count += 1;
            }
        }
        self.ids = ids;
        quoted_count
    }
}
