//! Rows by the value of one field.

use crate::base::Value;
use crate::base::map::Numbers;
use crate::gasl::graph::Cells;
use crate::gasl::variable::{Rows, Values};

/// Answers a number for the value that a row has in a field. Where rows lie in a graph, what is the same is
/// looked up once.
pub struct Alike<'a> {
    values: Values<'a>,
    cells: Option<Cells<'a>>,
    known: Numbers,
}

impl<'a> Alike<'a> {
    /// For the rows of a field.
    pub fn new(rows: &'a dyn Rows, field: &'a str) -> Alike<'a> {
        Alike { values: rows.values(field), cells: rows.cells(field), known: Numbers::default() }
    }

    /// The value of a row.
    pub fn value(&self, index: usize) -> Option<Value> {
        (self.values)(index)
    }

    /// The number of a row's value, as `number_of` has it for that.
    pub fn number(
        &mut self,
        index: usize,
        number_of: &mut dyn FnMut(Option<Value>) -> usize,
    ) -> usize {
        let Some(cells) = &self.cells else { return number_of((self.values)(index)) };
        let cell = cells.cell(index);
        let new = || number_of(cells.value_of(cell)) as u64;
        *self.known.entry(cell.mark()).or_insert_with(new) as usize
    }
}
