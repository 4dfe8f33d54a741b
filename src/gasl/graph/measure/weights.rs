//! Weights of edges, read from a field.

use crate::gasl::compare::to_number;
use crate::gasl::graph::Graph;
use crate::gasl::graph::column::Cell;

/// Numbers of a field of all edges.
#[derive(Clone, Debug, PartialEq)]
pub struct EdgeWeights {
    /// Weight of each edge; 1 where the field is missing.
    pub weights: Vec<f64>,
    /// Number of edges without the field.
    pub missing: usize,
}

/// Value that is not a weight.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InvalidWeight {
    /// No edge has the field.
    UnknownField,
    /// The value of an edge is not a number: its row and the JSON text.
    NotNumeric(u32, String),
}

impl Graph {
    /// Returns the weights of all edges. Numeric strings are numbers; null counts as missing.
    pub fn edge_weights(&self, field: &str) -> Result<EdgeWeights, InvalidWeight> {
        let column = self.edges.column(field).ok_or(InvalidWeight::UnknownField)?;
        let mut read = EdgeWeights { weights: Vec::with_capacity(self.edge_count()), missing: 0 };
        for edge in 0..self.edge_count() as u32 {
            let cell = column.cell(edge);
            let weight = match cell {
                Cell::Number(number) => number,
                Cell::Missing | Cell::Null => {
                    read.missing += 1;
                    1.0
                }
                cell => {
                    let value = column.value_of(cell).unwrap_or_default();
                    let number = to_number(&value).filter(|number| number.is_finite());
                    number.ok_or_else(|| InvalidWeight::NotNumeric(edge, value.to_text()))?
                }
            };
            read.weights.push(weight);
        }
        Ok(read)
    }

    /// Returns the names of the fields of edges with numbers, for messages.
    pub fn numeric_edge_fields(&self) -> Vec<&str> {
        let has_number = |cell: (u32, Cell)| matches!(cell.1, Cell::Number(_));
        let columns = self.edges.columns.iter();
        columns.filter(|one| one.present_cells().any(has_number)).map(|one| &*one.name).collect()
    }
}
