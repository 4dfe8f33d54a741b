//! One field of some rows, cell by cell: what commands over many rows look at, who would else make each
//! of them as a map.

use super::Graph;
use super::column::{Cell, Column};
use super::fields::{EdgeEnd, ElementKind};
use crate::base::Value;

/// One field of some rows.
pub struct FieldCells<'a> {
    rows: &'a [u32],
    of: CellSource<'a>,
}

enum CellSource<'a> {
    /// An attribute with a column of its own.
    Column(&'a Column),
    /// The ids of nodes: a cell is the number of the node.
    NodeId(&'a Graph),
    /// The ids of the nodes at one end of edges, by their numbers.
    EndId(&'a Graph, EdgeEnd),
}

impl Graph {
    /// A field of rows; nothing where it has no cells of its own, as the id of an edge and what lies within
    /// maps.
    pub fn cells<'a>(
        &'a self,
        kind: ElementKind,
        field: &str,
        rows: &'a [u32],
    ) -> Option<FieldCells<'a>> {
        let of = match (kind, field) {
            (ElementKind::Node, "id") => CellSource::NodeId(self),
            (ElementKind::Edge, "source") => CellSource::EndId(self, EdgeEnd::Source),
            (ElementKind::Edge, "target") => CellSource::EndId(self, EdgeEnd::Target),
            // A row that has no such attribute may have a map that the dots lead into.
            (_, field) if field.contains('.') => return None,
            (ElementKind::Node, field) => CellSource::Column(self.nodes.column(field)?),
            (ElementKind::Edge, field) => CellSource::Column(self.edges.column(field)?),
        };
        Some(FieldCells { rows, of })
    }
}

impl FieldCells<'_> {
    /// The cell of the row at an index.
    pub fn cell(&self, index: usize) -> Cell {
        let Some(row) = self.rows.get(index).copied() else { return Cell::Missing };
        match &self.of {
            CellSource::Column(column) => column.cell(row),
            CellSource::NodeId(_) => Cell::Text(row),
            CellSource::EndId(graph, end) => match (graph.ends(row), end) {
                (Some((source, _)), EdgeEnd::Source) => Cell::Text(source),
                (Some((_, target)), EdgeEnd::Target) => Cell::Text(target),
                (None, _) => Cell::Missing,
            },
        }
    }

    /// The value of a cell.
    pub fn value_of(&self, cell: Cell) -> Option<Value> {
        match (&self.of, cell) {
            (CellSource::Column(column), cell) => column.value_of(cell),
            (CellSource::NodeId(graph) | CellSource::EndId(graph, _), Cell::Text(node)) => {
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
