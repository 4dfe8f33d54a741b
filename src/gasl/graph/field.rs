//! What the name of a field means.

use super::Graph;
use super::column::Column;
use super::table::{Table, within};
use crate::base::Value;

/// A field of nodes.
pub enum NodeField<'a> {
    /// `id`
    Id,
    /// A field that its column or its table knows.
    Attribute(Attribute<'a>),
}

/// A field of edges.
pub enum EdgeField<'a> {
    /// `id`
    Id,
    /// A field of the node at one end: `source`, `source.x`.
    OfEnd(End, &'a str),
    /// A field that its column or its table knows.
    Attribute(Attribute<'a>),
}

/// Where an attribute is kept.
pub enum Attribute<'a> {
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
pub enum Kind {
    /// Nodes.
    Node,
    /// Edges.
    Edge,
}

impl Kind {
    /// As diagnostics have it.
    pub fn word(self) -> &'static str {
        match self {
            Kind::Node => "node",
            Kind::Edge => "edge",
        }
    }
}

/// One end of an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Where the edge begins.
    Source,
    /// Where it leads.
    Target,
}

/// The node at an end that a field begins with: `source.name` is the `name` of the source.
fn end_of(field: &str) -> Option<(End, &str)> {
    let (prefix, rest) = field.split_once('.')?;
    match prefix {
        "source" | "start" => Some((End::Source, rest)),
        "target" | "end" => Some((End::Target, rest)),
        _ => None,
    }
}

fn attribute<'a>(table: &'a Table, raw: &'a Table, field: &'a str) -> Attribute<'a> {
    if let Some(column) = table.column(field) {
        return Attribute::Column(column);
    }
    if let Some((column, rest)) = table.reached(field) {
        return Attribute::Within(column, rest);
    }
    match field.strip_prefix("raw.") {
        Some(name) => Attribute::Raw(raw.column(name), name),
        None => Attribute::Unknown,
    }
}

impl Graph {
    /// What a field of nodes means.
    pub(super) fn node_field<'a>(&'a self, field: &'a str) -> NodeField<'a> {
        match field {
            "id" => NodeField::Id,
            _ => NodeField::Attribute(attribute(&self.nodes, &self.raw.nodes, field)),
        }
    }

    /// What a field of edges means.
    pub(super) fn edge_field<'a>(&'a self, field: &'a str) -> EdgeField<'a> {
        match (field, end_of(field)) {
            ("id", _) => EdgeField::Id,
            ("source", _) => EdgeField::OfEnd(End::Source, "id"),
            ("target", _) => EdgeField::OfEnd(End::Target, "id"),
            (_, Some((end, rest))) if self.edges.column(field).is_none() => {
                EdgeField::OfEnd(end, rest)
            }
            _ => EdgeField::Attribute(attribute(&self.edges, &self.raw.edges, field)),
        }
    }

    /// The attribute of a node: by its whole name, else what a map of it holds under `a.b`, else
    /// under `raw.a` what the file had.
    pub fn node_value(&self, node: u32, field: &str) -> Option<Value> {
        match self.node_field(field) {
            NodeField::Id if (node as usize) < self.node_count() => Some(self.node_id(node).into()),
            NodeField::Id => None,
            NodeField::Attribute(Attribute::Raw(column, name)) => {
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
        match self.edge_field(field) {
            EdgeField::Id => Some(self.edge_id(edge).into()),
            EdgeField::OfEnd(End::Source, field) => self.node_value(ends.0, field),
            EdgeField::OfEnd(End::Target, field) => self.node_value(ends.1, field),
            EdgeField::Attribute(Attribute::Raw(column, name)) => {
                let original = column.and_then(|column| column.value(edge));
                original.or_else(|| self.edge_value(edge, name))
            }
            EdgeField::Attribute(attribute) => attribute.value(edge),
        }
    }

    /// The distinct texts of an attribute that has a column of its own, as they first came.
    pub fn texts_of(&self, of: Kind, field: &str) -> impl Iterator<Item = &str> {
        let table = match of {
            Kind::Node => &self.nodes,
            Kind::Edge => &self.edges,
        };
        table.column(field).into_iter().flat_map(|column| column.texts.texts())
    }

    /// Whether some node has such an attribute.
    pub fn has_node_field(&self, field: &str) -> bool {
        match self.node_field(field) {
            NodeField::Id => true,
            NodeField::Attribute(Attribute::Raw(_, name)) => self.has_node_field(name),
            NodeField::Attribute(attribute) => attribute.exists(),
        }
    }

    /// Whether some edge has such an attribute, or some node where it is one of an end.
    pub fn has_edge_field(&self, field: &str) -> bool {
        match self.edge_field(field) {
            EdgeField::Id => true,
            EdgeField::OfEnd(_, field) => self.has_node_field(field),
            EdgeField::Attribute(Attribute::Raw(_, name)) => self.has_edge_field(name),
            EdgeField::Attribute(attribute) => attribute.exists(),
        }
    }
}

impl Attribute<'_> {
    fn value(&self, row: u32) -> Option<Value> {
        match self {
            Attribute::Column(column) => column.value(row),
            Attribute::Within(column, path) => {
                within(column.container(column.cell(row))?, path).cloned()
            }
            Attribute::Raw(..) | Attribute::Unknown => None,
        }
    }

    fn exists(&self) -> bool {
        match self {
            Attribute::Column(_) => true,
            Attribute::Within(column, path) => {
                let mut maps = column.present().filter_map(|(_, cell)| column.container(cell));
                maps.any(|map| within(map, path).is_some())
            }
            Attribute::Raw(..) | Attribute::Unknown => false,
        }
    }
}
