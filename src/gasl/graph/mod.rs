//! An immutable property graph with column-oriented attributes.
//!
//! Nodes and edges are identified by their row index. Each attribute is a dictionary-encoded column:
//! a condition is tested once for each distinct text, and then only codes are compared. Adjacency
//! lists are built on first use.
//!
//! ```
//! use byname::gasl::graph::{GraphBuilder, AttributeValue, QuoteHandling, Element, SearchLimits};
//! use byname::gasl::predicate::{Case, Comparison, Predicate, Test};
//!
//! let mut builder = GraphBuilder::new(QuoteHandling::Keep);
//! let (anna, _) = builder.add_node("anna");
//! let (ben, _) = builder.add_node("ben");
//! builder.set(Element::Node(anna), "age", AttributeValue::Number(41.0));
//! builder.add_edge(None, anna, ben);
//! let (graph, _) = builder.finish();
//!
//! let older = Test::Compare(Comparison::Greater, 40.0.into());
//! let found = graph.find_nodes(&Predicate::Field("age".into(), older), Case::Ignored, SearchLimits::UNLIMITED);
//! assert_eq!(graph.node_row(found.rows[0]).to_text(), r#"{"id":"anna","age":41}"#);
//! assert_eq!(graph.edge_row(0).to_text(), r#"{"id":"e0","source":"anna","target":"ben"}"#);
//! ```

mod adjacency;
mod bigram_filter;
mod bit_mask;
mod builder;
mod column;
mod compiled_test;
mod decimal_ids;
mod dictionary;
mod edge_ids;
mod element;
mod export;
mod field_cells;
mod field_pair;
mod fields;
mod mask;
mod measure;
mod node_keys;
mod orientation;
mod outline;
mod path;
mod path_predicate;
mod path_query;
mod paths;
mod provenance;
mod quotes;
mod relation;
mod search;
mod shortest;
mod substring_search;
mod summary;
mod table;
mod text_search;
mod walk;

pub use adjacency::Direction;
pub use builder::{GraphBuilder, QuoteHandling};
pub use column::{AttributeValue, CapacityHint, Cell};
pub use decimal_ids::DecimalIds;
pub use element::Element;
pub use export::FORMAT;
pub use field_cells::FieldCells;
pub use fields::{CellType, ElementKind};
pub use measure::{
    EdgeWeights, InvalidWeight, Measure, MeasureQuery, MeasureRun, Measured, SourceSample,
    TooManyExpansions,
};
pub use node_keys::{EndCount, NodeKeys, OldIds, OtherEnds};
pub use orientation::ReversedEdges;
pub use path::Path;
pub use path_query::PathQuery;
pub use paths::Paths;
pub use provenance::{SOURCE_FIELDS, SourceRef, extract_sources};
pub use quotes::LIST_SEPARATOR;
pub use search::{FoundRows, SearchLimits, Truncation};
pub use shortest::{ShortestQuery, ShortestRun};
pub use table::nested_field;
pub use walk::FollowedEdges;

use self::adjacency::{Adjacency, Neighbor};
use self::dictionary::Dictionary;
use self::edge_ids::EdgeIds;
use self::table::AttributeTable;
use crate::base::Value;
use crate::base::json::write_text;
use crate::base::value::{Map, put};
use std::cell::OnceCell;
use std::rc::Rc;

/// Nodes and edges with their attributes.
pub struct Graph {
    directed: bool,
    metadata: Value,
    source_texts: Value,
    /// Ids of the nodes; the code of an id is the row of its node.
    ids: Dictionary,
    sources: Vec<u32>,
    targets: Vec<u32>,
    edge_ids: EdgeIds,
    nodes: AttributeTable,
    edges: AttributeTable,
    raw: RawTables,
    /// Adjacency lists of edges followed forwards, backwards and in both directions.
    adjacencies: [OnceCell<Adjacency>; 3],
}

/// Attribute values before their quotes were stripped.
#[derive(Default)]
struct RawTables {
    nodes: AttributeTable,
    edges: AttributeTable,
}

impl Graph {
    /// Returns the number of nodes.
    pub fn node_count(&self) -> usize {
        self.ids.len()
    }

    /// Returns the number of edges.
    pub fn edge_count(&self) -> usize {
        self.sources.len()
    }

    /// Changes whether edges lead from their source to their target only.
    pub fn set_directed(&mut self, directed: bool) {
        self.directed = directed;
    }

    /// Returns whether edges lead from source to target only.
    pub fn is_directed(&self) -> bool {
        self.directed
    }

    /// Returns the attributes of the graph itself: a map, or null.
    pub fn metadata(&self) -> &Value {
        &self.metadata
    }

    /// Returns the texts of sources by `source_id`: a map, or null.
    pub fn source_texts(&self) -> &Value {
        &self.source_texts
    }

    /// Returns the row of a node by its id.
    pub fn node(&self, id: &str) -> Option<u32> {
        self.ids.find(id)
    }

    /// Returns the id of a node; empty for an unknown row.
    pub fn node_id(&self, node: u32) -> &str {
        self.ids.text(node)
    }

    /// Returns the row of an edge by its id.
    pub fn edge(&self, id: &str) -> Option<u32> {
        self.edge_ids.find(id, self.edge_count())
    }

    /// Returns the id of an edge: the one in the file or a generated one.
    pub fn edge_id(&self, edge: u32) -> String {
        let mut id = String::new();
        self.edge_ids.write(edge, &mut id);
        id
    }

    /// Returns the id that the file defines for an edge.
    pub fn explicit_edge_id(&self, edge: u32) -> Option<&str> {
        self.edge_ids.explicit(edge)
    }

    /// Returns the rows of the source and the target of an edge.
    pub fn ends(&self, edge: u32) -> Option<(u32, u32)> {
        let edge = edge as usize;
        self.sources.get(edge).copied().zip(self.targets.get(edge).copied())
    }

    /// Returns the adjacency lists for a direction, building them on the first call.
    fn adjacency(&self, direction: Direction) -> &Adjacency {
        let direction = if self.directed { direction } else { Direction::Any };
        let [forwards, backwards, both] = &self.adjacencies;
        let (out, into, adjacency) = match direction {
            Direction::Own | Direction::Out => (true, false, forwards),
            Direction::In => (false, true, backwards),
            Direction::Any => (true, true, both),
        };
        adjacency.get_or_init(|| {
            Adjacency::new(self.node_count(), |add| {
                for (edge, (source, target)) in (0..).zip(self.sources.iter().zip(&self.targets)) {
                    if out {
                        add(*source, Neighbor { edge, node: *target });
                    }
                    // A self-loop is listed once.
                    if into && !(out && source == target) {
                        add(*target, Neighbor { edge, node: *source });
                    }
                }
            })
        })
    }

    /// Returns a node as `{id, …attributes}`.
    pub fn node_row(&self, node: u32) -> Value {
        let mut row = Map::default();
        put(&mut row, "id", self.node_id(node));
        self.nodes.write(node, &mut row);
        row.into()
    }

    /// Returns an edge as `{id, source, target, …attributes}`.
    pub fn edge_row(&self, edge: u32) -> Value {
        self.edge_row_between(edge, self.ends(edge))
    }

    /// Returns an edge with these ends.
    fn edge_row_between(&self, edge: u32, ends: Option<(u32, u32)>) -> Value {
        let mut row = Map::default();
        put(&mut row, "id", self.edge_id(edge));
        if let Some((source, target)) = ends {
            put(&mut row, "source", self.node_id(source));
            put(&mut row, "target", self.node_id(target));
        }
        self.edges.write(edge, &mut row);
        row.into()
    }

    /// Appends the JSON text of [`Graph::node_row`] or [`Graph::edge_row`].
    pub fn write_row(&self, row: Element, out: &mut String) {
        match row {
            Element::Node(node) => {
                write_ids(&[("id", self.node_id(node))], out);
                self.nodes.write_json(node, out);
                out.push('}');
            }
            Element::Edge(edge) => self.write_edge(edge, Some(&self.edge_id(edge)), out),
        }
    }

    /// Appends an edge as JSON text, without the key `id` if `id` is `None`.
    fn write_edge(&self, edge: u32, id: Option<&str>, out: &mut String) {
        self.write_edge_between(edge, self.ends(edge).unwrap_or_default(), id, out);
    }

    /// Appends an edge as JSON text with these ends.
    fn write_edge_between(
        &self,
        edge: u32,
        (source, target): (u32, u32),
        id: Option<&str>,
        out: &mut String,
    ) {
        let ends = [("source", self.node_id(source)), ("target", self.node_id(target))];
        match id {
            None => write_ids(&ends, out),
            Some(id) => write_ids(&[("id", id), ends[0], ends[1]], out),
        }
        self.edges.write_json(edge, out);
        out.push('}');
    }

    /// Returns the original values whose quotes were stripped: `{id?, …attributes}`.
    pub fn raw_row(&self, row: Element) -> Value {
        let mut raw = Map::default();
        match row {
            Element::Node(node) => self.raw.nodes.write(node, &mut raw),
            Element::Edge(edge) => {
                let id = |node: u32| self.raw.nodes.column("id")?.value(node);
                let (source, target) = self.ends(edge).unzip();
                raw.extend(source.and_then(id).map(|id| (Rc::from("source"), id)));
                raw.extend(target.and_then(id).map(|id| (Rc::from("target"), id)));
                self.raw.edges.write(edge, &mut raw);
            }
        }
        raw.into()
    }

    /// Returns the field names of nodes: `id`, then the attributes in order of first occurrence.
    pub fn node_fields(&self) -> Vec<Rc<str>> {
        let attributes = self.nodes.columns.iter().map(|column| column.name.clone());
        std::iter::once(Rc::from("id")).chain(attributes).collect()
    }

    /// Returns the field names of edges: `id`, `source`, `target`, then the attributes in order of
    /// first occurrence.
    pub fn edge_fields(&self) -> Vec<Rc<str>> {
        let attributes = self.edges.columns.iter().map(|column| column.name.clone());
        ["id", "source", "target"].map(Rc::from).into_iter().chain(attributes).collect()
    }
}

/// Appends `{` and the ids as members.
fn write_ids(ids: &[(&str, &str)], out: &mut String) {
    for (nth, (name, id)) in ids.iter().enumerate() {
        out.push(if nth == 0 { '{' } else { ',' });
        write_text(name, out);
        out.push(':');
        write_text(id, out);
    }
}

#[cfg(test)]
mod tests;
