//! Resolves field names of nodes and edges.

use super::Graph;
use super::column::{Cell, Column};
use super::table::{AttributeTable, nested_field};
use crate::base::Value;
use std::mem;

/// Resolved field of nodes.
pub enum NodeField<'a> {
    /// `id`
    Id,
    /// An attribute.
    Attribute(AttributeSource<'a>),
}

/// Resolved field of edges.
pub enum EdgeField<'a> {
    /// `id`
    Id,
    /// A field of an endpoint: `source`, `source.x`.
    Endpoint(EdgeEnd, &'a str),
    /// An attribute.
    Attribute(AttributeSource<'a>),
}

/// Storage of an attribute.
pub enum AttributeSource<'a> {
    /// Column of this name.
    Column(&'a Column),
    /// Path inside the maps and lists of a column.
    Nested(&'a Column, &'a str),
    /// Column of original values; a row without one uses the attribute of this name.
    Raw(Option<&'a Column>, &'a str),
    /// No such attribute.
    Unknown,
}

/// Type of the values of an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellType {
    /// Numbers.
    Number,
    /// Texts.
    Text,
    /// Lists.
    List,
}

/// Kind of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ElementKind {
    /// Node.
    Node,
    /// Edge.
    Edge,
}

impl ElementKind {
    /// Returns the name for diagnostics.
    pub fn as_str(self) -> &'static str {
        match self {
            ElementKind::Node => "node",
            ElementKind::Edge => "edge",
        }
    }
}

/// End of an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EdgeEnd {
    /// First node of the edge.
    Source,
    /// Second node of the edge.
    Target,
}

/// Splits the prefix of an endpoint from a field: `source.name` is the `name` of the source.
fn split_endpoint(field: &str) -> Option<(EdgeEnd, &str)> {
    let (prefix, rest) = field.split_once('.')?;
    match prefix {
        "source" | "start" => Some((EdgeEnd::Source, rest)),
        "target" | "end" => Some((EdgeEnd::Target, rest)),
        _ => None,
    }
}

fn resolve_attribute<'a>(
    table: &'a AttributeTable,
    raw: &'a AttributeTable,
    field: &'a str,
) -> AttributeSource<'a> {
    if let Some(column) = table.column(field) {
        return AttributeSource::Column(column);
    }
    if let Some((column, rest)) = table.longest_prefix_column(field) {
        return AttributeSource::Nested(column, rest);
    }
    match field.strip_prefix("raw.") {
        Some(name) => AttributeSource::Raw(raw.column(name), name),
        None => AttributeSource::Unknown,
    }
}

impl Graph {
    /// Resolves a field of nodes.
    pub(super) fn resolve_node_field<'a>(&'a self, field: &'a str) -> NodeField<'a> {
        match field {
            "id" => NodeField::Id,
            _ => NodeField::Attribute(resolve_attribute(&self.nodes, &self.raw.nodes, field)),
        }
    }

    /// Resolves a field of edges.
    pub(super) fn resolve_edge_field<'a>(&'a self, field: &'a str) -> EdgeField<'a> {
        match (field, split_endpoint(field)) {
            ("id", _) => EdgeField::Id,
            ("source", _) => EdgeField::Endpoint(EdgeEnd::Source, "id"),
            ("target", _) => EdgeField::Endpoint(EdgeEnd::Target, "id"),
            (_, Some((end, rest))) if self.edges.column(field).is_none() => {
                EdgeField::Endpoint(end, rest)
            }
            _ => EdgeField::Attribute(resolve_attribute(&self.edges, &self.raw.edges, field)),
        }
    }

    /// Returns a field of a node: the attribute with the full name, else the member at the path
    /// `a.b`, else for `raw.a` the original value. Returns `None` if it is missing.
    pub fn node_value(&self, node: u32, field: &str) -> Option<Value> {
        match self.resolve_node_field(field) {
            NodeField::Id if (node as usize) < self.node_count() => Some(self.node_id(node).into()),
            NodeField::Id => None,
            NodeField::Attribute(AttributeSource::Raw(column, name)) => {
                let original = column.and_then(|column| column.value(node));
                original.or_else(|| self.node_value(node, name))
            }
            NodeField::Attribute(attribute) => attribute.value(node),
        }
    }

    /// Returns a field of an edge; `source.x` and `target.x` (or `start.x` and `end.x`) are fields of
    /// its endpoints. Returns `None` if it is missing.
    pub fn edge_value(&self, edge: u32, field: &str) -> Option<Value> {
        let (source, target) = self.ends(edge)?;
        match self.resolve_edge_field(field) {
            EdgeField::Id => Some(self.edge_id(edge).into()),
            EdgeField::Endpoint(EdgeEnd::Source, field) => self.node_value(source, field),
            EdgeField::Endpoint(EdgeEnd::Target, field) => self.node_value(target, field),
            EdgeField::Attribute(AttributeSource::Raw(column, name)) => {
                let original = column.and_then(|column| column.value(edge));
                original.or_else(|| self.edge_value(edge, name))
            }
            EdgeField::Attribute(attribute) => attribute.value(edge),
        }
    }

    /// Returns the distinct texts of an attribute in order of first occurrence; none without a column.
    pub fn distinct_texts(&self, kind: ElementKind, field: &str) -> impl Iterator<Item = &str> {
        let table = match kind {
            ElementKind::Node => &self.nodes,
            ElementKind::Edge => &self.edges,
        };
        table.column(field).into_iter().flat_map(|column| column.texts.texts())
    }

    /// Returns the lists of an attribute; none without a column.
    pub fn lists_of(&self, kind: ElementKind, field: &str) -> impl Iterator<Item = &[Value]> {
        let table = match kind {
            ElementKind::Node => &self.nodes,
            ElementKind::Edge => &self.edges,
        };
        table.column(field).into_iter().flat_map(|column| column.lists())
    }

    /// Returns whether an attribute has values, and all of them have a type.
    pub fn has_only(&self, kind: ElementKind, field: &str, expected: CellType) -> bool {
        let table = match kind {
            ElementKind::Node => &self.nodes,
            ElementKind::Edge => &self.edges,
        };
        let Some(column) = table.column(field) else { return false };
        let mut cells = column.present_cells().filter(|(_, cell)| !matches!(cell, Cell::Null));
        let Some((row, first)) = cells.next() else { return false };
        let is_list = || column.value(row).is_some_and(|value| value.as_list().is_some());
        let is_expected = match expected {
            CellType::Number => matches!(first, Cell::Number(_)),
            CellType::Text => matches!(first, Cell::Text(_)),
            CellType::List => matches!(first, Cell::Value(_)) && is_list(),
        };
        is_expected && cells.all(|(_, cell)| mem::discriminant(&cell) == mem::discriminant(&first))
    }

    /// Returns whether any node has this field.
    pub fn has_node_field(&self, field: &str) -> bool {
        match self.resolve_node_field(field) {
            NodeField::Id => true,
            NodeField::Attribute(AttributeSource::Raw(_, name)) => self.has_node_field(name),
            NodeField::Attribute(attribute) => attribute.exists(),
        }
    }

    /// Returns whether the edges have an attribute of exactly this name.
    pub fn has_edge_attribute(&self, name: &str) -> bool {
        self.edges.column(name).is_some()
    }

    /// Returns whether any edge has this field; a field of an endpoint is looked up in the nodes.
    pub fn has_edge_field(&self, field: &str) -> bool {
        match self.resolve_edge_field(field) {
            EdgeField::Id => true,
            EdgeField::Endpoint(_, field) => self.has_node_field(field),
            EdgeField::Attribute(AttributeSource::Raw(_, name)) => self.has_edge_field(name),
            EdgeField::Attribute(attribute) => attribute.exists(),
        }
    }
}

impl AttributeSource<'_> {
    fn value(&self, row: u32) -> Option<Value> {
        match self {
            AttributeSource::Column(column) => column.value(row),
            AttributeSource::Nested(column, path) => {
                nested_field(column.list_or_map(column.cell(row))?, path).cloned()
            }
            AttributeSource::Raw(..) | AttributeSource::Unknown => None,
        }
    }

    fn exists(&self) -> bool {
        match self {
            AttributeSource::Column(_) => true,
            AttributeSource::Nested(column, path) => {
                let mut maps =
                    column.present_cells().filter_map(|(_, cell)| column.list_or_map(cell));
                maps.any(|map| nested_field(map, path).is_some())
            }
            AttributeSource::Raw(..) | AttributeSource::Unknown => false,
        }
    }
}
