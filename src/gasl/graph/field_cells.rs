//! Direct access to one field of many rows, without building a map per row.

use super::Graph;
use super::column::{Cell, Column};
use super::fields::{EdgeEnd, ElementKind};
use super::orientation::ReversedEdges;
use crate::base::Value;

/// Cells of one field for a list of rows.
pub struct FieldCells<'a> {
    rows: &'a [u32],
    source: CellSource<'a>,
    /// Edges with exchanged ends.
    reversed: &'a ReversedEdges,
}

enum CellSource<'a> {
    /// Column of an attribute.
    Column(&'a Column),
    /// Ids of nodes; a cell is the row of the node.
    NodeId(&'a Graph),
    /// Ids of endpoints; a cell is the row of the node.
    EndpointId(&'a Graph, EdgeEnd),
}

impl Graph {
    /// Returns the cells of a field for rows; `None` for edge ids and for paths into maps.
    pub fn cells<'a>(
        &'a self,
        kind: ElementKind,
        field: &str,
        rows: &'a [u32],
        reversed: &'a ReversedEdges,
    ) -> Option<FieldCells<'a>> {
        let source = match (kind, field) {
            (ElementKind::Node, "id") => CellSource::NodeId(self),
            (ElementKind::Edge, "source") => CellSource::EndpointId(self, EdgeEnd::Source),
            (ElementKind::Edge, "target") => CellSource::EndpointId(self, EdgeEnd::Target),
            // A dotted name may be a path into a map of some rows.
            (_, field) if field.contains('.') => return None,
            (ElementKind::Node, field) => CellSource::Column(self.nodes.column(field)?),
            (ElementKind::Edge, field) => CellSource::Column(self.edges.column(field)?),
        };
        Some(FieldCells { rows, source, reversed })
    }
}

impl FieldCells<'_> {
    /// Returns the cell of the row at an index.
    pub fn cell(&self, index: usize) -> Cell {
        let Some(row) = self.rows.get(index).copied() else { return Cell::Missing };
        match &self.source {
            CellSource::Column(column) => column.cell(row),
            CellSource::NodeId(_) => Cell::Text(row),
            CellSource::EndpointId(graph, end) => {
                let Some((source, target)) = graph.ends(row) else { return Cell::Missing };
                let is_source = (*end == EdgeEnd::Source) != self.reversed.contains(row);
                Cell::Text(if is_source { source } else { target })
            }
        }
    }

    /// Returns the value of a cell; `None` if it is missing.
    pub fn value_of(&self, cell: Cell) -> Option<Value> {
        match (&self.source, cell) {
            (CellSource::Column(column), cell) => column.value_of(cell),
            (CellSource::NodeId(graph) | CellSource::EndpointId(graph, _), Cell::Text(node)) => {
                Some(graph.node_id(node).into())
            }
            _ => None,
        }
    }

    /// Returns the value of the row at an index; `None` if it is missing.
    pub fn value(&self, index: usize) -> Option<Value> {
        self.value_of(self.cell(index))
    }
}
