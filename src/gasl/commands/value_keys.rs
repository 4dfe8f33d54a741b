//! Keys of the values of a field, for grouping and joins.

use crate::base::Value;
use crate::base::map::IntMap;
use crate::gasl::graph::{Cell, FieldCells};
use crate::gasl::variable::{Rows, Values};

/// Memoized keys of the values of a field. For rows of a graph, equal cells are computed once.
pub struct ValueKeys<'a> {
    values: Values<'a>,
    cells: Option<FieldCells<'a>>,
    /// Keys by text id, for ids below `max_text_id`: a few rows of a large graph need no large table.
    text_keys: Vec<Option<usize>>,
    max_text_id: usize,
    /// Keys by the bits of other cells.
    other_keys: IntMap,
}

/// Maximum number of table entries per row.
const ENTRIES_PER_ROW: usize = 4;

impl<'a> ValueKeys<'a> {
    pub fn new(rows: &'a dyn Rows, field: &'a str) -> ValueKeys<'a> {
        let (values, cells) = (rows.values(field), rows.cells(field));
        let max_text_id = ENTRIES_PER_ROW * rows.len();
        let (text_keys, other_keys) = (Vec::new(), IntMap::default());
        ValueKeys { values, cells, text_keys, max_text_id, other_keys }
    }

    pub fn value(&self, index: usize) -> Option<Value> {
        (self.values)(index)
    }

    /// Returns the key of a row's value; `compute` is called once per distinct cell.
    pub fn key(&mut self, index: usize, compute: &mut dyn FnMut(Option<Value>) -> usize) -> usize {
        let Some(cells) = &self.cells else { return compute((self.values)(index)) };
        let cell = cells.cell(index);
        if let Cell::Text(text) = cell
            && (text as usize) < self.max_text_id
        {
            let text = text as usize;
            if let Some(Some(key)) = self.text_keys.get(text) {
                return *key;
            }
            let key = compute(cells.value_of(cell));
            self.text_keys.resize(self.text_keys.len().max(text + 1), None);
            if let Some(slot) = self.text_keys.get_mut(text) {
                *slot = Some(key);
            }
            return key;
        }
        let compute = || compute(cells.value_of(cell)) as u64;
        *self.other_keys.entry(cell.key()).or_insert_with(compute) as usize
    }
}
