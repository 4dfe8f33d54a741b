//! One field of some rows, cell by cell: what commands over many rows look at, who would else make each
//! of them as a map.

use super::Graph;
use super::column::{Cell, Column};
use super::field::{End, Kind};
use crate::base::Value;

/// One field of some rows.
pub struct Cells<'a> {
    rows: &'a [u32],
    of: Of<'a>,
}

enum Of<'a> {
    /// An attribute with a column of its own.
    Column(&'a Column),
    /// The ids of nodes: a cell is the number of the node.
    NodeId(&'a Graph),
    /// The ids of the nodes at one end of edges, by their numbers.
    EndId(&'a Graph, End),
}

impl Graph {
    /// A field of rows; nothing where it has no cells of its own, as the id of an edge and what lies within
    /// maps.
    pub fn cells<'a>(&'a self, kind: Kind, field: &str, rows: &'a [u32]) -> Option<Cells<'a>> {
        let of = match (kind, field) {
            (Kind::Node, "id") => Of::NodeId(self),
            (Kind::Edge, "source") => Of::EndId(self, End::Source),
            (Kind::Edge, "target") => Of::EndId(self, End::Target),
            // A row that has no such attribute may have a map that the dots lead into.
            (_, field) if field.contains('.') => return None,
            (Kind::Node, field) => Of::Column(self.nodes.column(field)?),
            (Kind::Edge, field) => Of::Column(self.edges.column(field)?),
        };
        Some(Cells { rows, of })
    }
}

impl Cells<'_> {
    /// The cell of the row at an index.
    pub fn cell(&self, index: usize) -> Cell {
        let Some(row) = self.rows.get(index).copied() else { return Cell::Missing };
        match &self.of {
            Of::Column(column) => column.cell(row),
            Of::NodeId(_) => Cell::Text(row),
            Of::EndId(graph, end) => match (graph.ends(row), end) {
                (Some((source, _)), End::Source) => Cell::Text(source),
                (Some((_, target)), End::Target) => Cell::Text(target),
                (None, _) => Cell::Missing,
            },
        }
    }

    /// The value of a cell.
    pub fn value_of(&self, cell: Cell) -> Option<Value> {
        match (&self.of, cell) {
            (Of::Column(column), cell) => column.value_of(cell),
            (Of::NodeId(graph) | Of::EndId(graph, _), Cell::Text(node)) => {
                Some(graph.node_id(node).into())
            }
            _ => None,
        }
    }

    /// The value of the row at an index.
    pub fn value(&self, index: usize) -> Option<Value> {
        self.value_of(self.cell(index))
    }
}
