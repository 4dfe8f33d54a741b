//! What the name of a field means.

use super::Graph;
use super::column::Column;
use super::table::{AttributeTable, nested_field};
use crate::base::Value;

/// A field of nodes.
pub enum NodeField<'a> {
    /// `id`
    Id,
    /// A field that its column or its table knows.
    Attribute(AttributeSource<'a>),
}

/// A field of edges.
pub enum EdgeField<'a> {
    /// `id`
    Id,
    /// A field of the node at one end: `source`, `source.x`.
    Endpoint(EdgeEnd, &'a str),
    /// A field that its column or its table knows.
    Attribute(AttributeSource<'a>),
}

/// Where an attribute is kept.
pub enum AttributeSource<'a> {
    /// In a column of that name.
    Column(&'a Column),
    /// In the maps of a column.
    Within(&'a Column, &'a str),
    /// As the file had it: a column of originals, and where a row has none there, the attribute.
    Raw(Option<&'a Column>, &'a str),
    /// Nowhere.
    Unknown,
}

/// What there are rows of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ElementKind {
    /// Nodes.
    Node,
    /// Edges.
    Edge,
}

impl ElementKind {
    /// As diagnostics have it.
    pub fn word(self) -> &'static str {
        match self {
            ElementKind::Node => "node",
            ElementKind::Edge => "edge",
        }
    }
}

/// One end of an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EdgeEnd {
    /// Where the edge begins.
    Source,
    /// Where it leads.
    Target,
}

/// The node at an end that a field begins with: `source.name` is the `name` of the source.
fn end_of(field: &str) -> Option<(EdgeEnd, &str)> {
    let (prefix, rest) = field.split_once('.')?;
    match prefix {
        "source" | "start" => Some((EdgeEnd::Source, rest)),
        "target" | "end" => Some((EdgeEnd::Target, rest)),
        _ => None,
    }
}

fn attribute<'a>(
    table: &'a AttributeTable,
    raw: &'a AttributeTable,
    field: &'a str,
) -> AttributeSource<'a> {
    if let Some(column) = table.column(field) {
        return AttributeSource::Column(column);
    }
    if let Some((column, rest)) = table.longest_prefix_column(field) {
        return AttributeSource::Within(column, rest);
    }
    match field.strip_prefix("raw.") {
        Some(name) => AttributeSource::Raw(raw.column(name), name),
        None => AttributeSource::Unknown,
    }
}

impl Graph {
    /// What a field of nodes means.
    pub(super) fn resolve_node_field<'a>(&'a self, field: &'a str) -> NodeField<'a> {
        match field {
            "id" => NodeField::Id,
            _ => NodeField::Attribute(attribute(&self.nodes, &self.raw.nodes, field)),
        }
    }

    /// What a field of edges means.
    pub(super) fn resolve_edge_field<'a>(&'a self, field: &'a str) -> EdgeField<'a> {
        match (field, end_of(field)) {
            ("id", _) => EdgeField::Id,
            ("source", _) => EdgeField::Endpoint(EdgeEnd::Source, "id"),
            ("target", _) => EdgeField::Endpoint(EdgeEnd::Target, "id"),
            (_, Some((end, rest))) if self.edges.column(field).is_none() => {
                EdgeField::Endpoint(end, rest)
            }
            _ => EdgeField::Attribute(attribute(&self.edges, &self.raw.edges, field)),
        }
    }

    /// The attribute of a node: by its whole name, else what a map of it holds under `a.b`, else
    /// under `raw.a` what the file had.
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

    /// The attribute of an edge; `source.x` and `target.x` (`start.x`, `end.x`) are attributes of
    /// the nodes at its ends.
    pub fn edge_value(&self, edge: u32, field: &str) -> Option<Value> {
        let ends = self.ends(edge)?;
        match self.resolve_edge_field(field) {
            EdgeField::Id => Some(self.edge_id(edge).into()),
            EdgeField::Endpoint(EdgeEnd::Source, field) => self.node_value(ends.0, field),
            EdgeField::Endpoint(EdgeEnd::Target, field) => self.node_value(ends.1, field),
            EdgeField::Attribute(AttributeSource::Raw(column, name)) => {
                let original = column.and_then(|column| column.value(edge));
                original.or_else(|| self.edge_value(edge, name))
            }
            EdgeField::Attribute(attribute) => attribute.value(edge),
        }
    }

    /// The distinct texts of an attribute that has a column of its own, as they first came.
    pub fn distinct_texts(&self, of: ElementKind, field: &str) -> impl Iterator<Item = &str> {
        let table = match of {
            ElementKind::Node => &self.nodes,
            ElementKind::Edge => &self.edges,
        };
        table.column(field).into_iter().flat_map(|column| column.texts.texts())
    }

    /// Whether some node has such an attribute.
    pub fn has_node_field(&self, field: &str) -> bool {
        match self.resolve_node_field(field) {
            NodeField::Id => true,
            NodeField::Attribute(AttributeSource::Raw(_, name)) => self.has_node_field(name),
            NodeField::Attribute(attribute) => attribute.exists(),
        }
    }

    /// Whether some edge has such an attribute, or some node where it is one of an end.
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
            AttributeSource::Within(column, path) => {
                nested_field(column.container(column.cell(row))?, path).cloned()
            }
            AttributeSource::Raw(..) | AttributeSource::Unknown => None,
        }
    }

    fn exists(&self) -> bool {
        match self {
            AttributeSource::Column(_) => true,
            AttributeSource::Within(column, path) => {
                let mut maps = column.present().filter_map(|(_, cell)| column.container(cell));
                maps.any(|map| nested_field(map, path).is_some())
            }
            AttributeSource::Raw(..) | AttributeSource::Unknown => false,
        }
    }
}
