//! Rows by the value of one field.

use crate::base::Value;
use crate::base::map::IntMap;
use crate::gasl::graph::{Cell, FieldCells};
use crate::gasl::variable::{Rows, Values};

/// Answers a number for the value that a row has in a field. Where rows lie in a graph, what is the same is
/// looked up once.
pub struct Alike<'a> {
    values: Values<'a>,
    cells: Option<FieldCells<'a>>,
    /// By the number of a text, of those below `most`: ten rows of a graph of millions need no table of millions.
    texts: Vec<Option<usize>>,
    most: usize,
    /// By the marks of other cells.
    others: IntMap,
}

/// Texts have so many numbers a row at most in a table.
const ROOM: usize = 4;

impl<'a> Alike<'a> {
    /// For the rows of a field.
    pub fn new(rows: &'a dyn Rows, field: &'a str) -> Alike<'a> {
        let (values, cells) = (rows.values(field), rows.cells(field));
        let most = ROOM * rows.len();
        Alike { values, cells, texts: Vec::new(), most, others: IntMap::default() }
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
        if let Cell::Text(text) = cell
            && (text as usize) < self.most
        {
            let text = text as usize;
            if let Some(Some(known)) = self.texts.get(text) {
                return *known;
            }
            let number = number_of(cells.value_of(cell));
            self.texts.resize(self.texts.len().max(text + 1), None);
            if let Some(slot) = self.texts.get_mut(text) {
                *slot = Some(number);
            }
            return number;
        }
        let new = || number_of(cells.value_of(cell)) as u64;
        *self.others.entry(cell.key()).or_insert_with(new) as usize
    }
}
