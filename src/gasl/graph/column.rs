//! A column: one attribute of all nodes, or of all edges.

use super::dictionary::{Dictionary, TextLookup};
use crate::base::Value;
use crate::base::json::write_text;
use std::rc::Rc;

/// Values of one attribute. A dense column has a cell per row; a sparse one lists its rows.
pub struct Column {
    /// Name of the attribute.
    pub name: Rc<str>,
    /// Rows of the cells of a sparse column, ascending after [`Column::finish`].
    rows: Option<Vec<u32>>,
    cells: CellStorage,
    /// Distinct texts of the column.
    pub texts: Dictionary,
    /// Lists and maps.
    values: Vec<Value>,
}

/// Cells in the narrowest representation of their values.
enum CellStorage {
    /// Text codes, or [`NO_TEXT`].
    Codes(Vec<u32>),
    /// Text codes of at most 254 distinct texts, or [`NO_CODE`].
    ByteCodes(Vec<u8>),
    /// Number of cells whose code equals their index, because all texts differ.
    Identity(u32),
    /// Finite numbers; NaN is a missing value.
    Numbers(Vec<f64>),
    Mixed(Vec<Cell>),
}

/// Code of a missing text.
const NO_TEXT: u32 = u32::MAX;

/// Byte code of a missing text.
pub const NO_CODE: u8 = u8::MAX;

/// Number of cells that a column may have below half of the rows and still be dense.
const DENSE_SLACK: usize = 16;

/// Value of a cell; texts, lists and maps by their index in the column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cell {
    /// Missing value.
    Missing,
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A finite number.
    Number(f64),
    /// Code of a text.
    Text(u32),
    /// Index of a list or a map.
    Value(u32),
}

impl Cell {
    /// Returns a key that equal cells of one column share.
    pub fn key(self) -> u64 {
        // Exponent bits of infinity and NaN, which no cell contains.
        const OTHER: u64 = 0x7ff << 52;
        match self {
            Cell::Number(number) => number.to_bits(),
            Cell::Text(code) => OTHER | u64::from(code),
            Cell::Value(index) => OTHER | 1 << 32 | u64::from(index),
            Cell::Bool(flag) => OTHER | 2 << 32 | u64::from(flag),
            Cell::Null => OTHER | 3 << 32,
            Cell::Missing => OTHER | 4 << 32,
        }
    }
}

/// Borrowed cells of a column, for scans.
pub enum ColumnView<'a> {
    /// Text codes; a code outside the dictionary is a missing value.
    Codes(&'a [u32]),
    /// Byte codes of texts; [`NO_CODE`] is a missing value.
    ByteCodes(&'a [u8]),
    /// The code of each cell equals its index.
    Identity,
    /// Finite numbers; NaN is a missing value.
    Numbers(&'a [f64]),
    /// Cells of several types.
    Mixed(&'a [Cell]),
}

/// Value to be stored in a column.
#[derive(Clone, Debug)]
pub enum AttributeValue<'a> {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A finite number.
    Number(f64),
    /// A string.
    Text(&'a str),
    /// A list or a map.
    Value(Value),
}

impl<'a> From<&'a Value> for AttributeValue<'a> {
    fn from(value: &'a Value) -> AttributeValue<'a> {
        match value {
            Value::Null => AttributeValue::Null,
            Value::Bool(value) => AttributeValue::Bool(*value),
            Value::Number(number) => AttributeValue::Number(*number),
            Value::Text(text) => AttributeValue::Text(text),
            Value::List(_) | Value::Map(_) => AttributeValue::Value(value.clone()),
        }
    }
}

/// Expected contents of a column, to reserve memory.
#[derive(Clone, Copy, Debug)]
pub enum CapacityHint {
    /// Number of rows with numbers.
    Numbers(usize),
    /// Number of rows with texts, and their total length in bytes.
    Texts(usize, usize),
}

/// Average length in bytes from which texts are assumed to be distinct.
const MIN_DISTINCT_TEXT_BYTES: usize = 16;

impl Column {
    /// Returns an empty column.
    pub fn new(name: &str) -> Column {
        Column {
            name: name.into(),
            rows: None,
            cells: CellStorage::Codes(Vec::new()),
            texts: Dictionary::default(),
            values: Vec::new(),
        }
    }

    /// Reserves memory in an empty column, because growing needs three times the memory at its peak.
    pub fn reserve(&mut self, expected: CapacityHint) {
        if self.cells.len() > 0 {
            return;
        }
        match expected {
            CapacityHint::Numbers(rows) => {
                self.cells = CellStorage::Numbers(Vec::with_capacity(rows))
            }
            CapacityHint::Texts(rows, bytes) => {
                self.cells = CellStorage::Codes(Vec::with_capacity(rows));
                if bytes / MIN_DISTINCT_TEXT_BYTES >= rows {
                    self.texts.reserve(bytes);
                }
            }
        }
    }

    /// Sets the cell of a row, replacing an earlier value.
    pub fn set(&mut self, row: u32, value: AttributeValue<'_>) {
        let cell = match value {
            AttributeValue::Null => Cell::Null,
            AttributeValue::Bool(value) => Cell::Bool(value),
            AttributeValue::Number(number) => Cell::Number(number),
            AttributeValue::Text(text) => Cell::Text(self.texts.intern(text)),
            AttributeValue::Value(value) => {
                self.values.push(value);
                Cell::Value(self.values.len() as u32 - 1)
            }
        };
        let len = self.cells.len();
        if self.rows.is_none() && row as usize > 2 * len + DENSE_SLACK {
            let present = (0..len as u32).filter(|row| self.cells.get(*row) != Cell::Missing);
            let rows: Vec<u32> = present.collect();
            self.cells = self.cells.pick_cells(&rows);
            self.rows = Some(rows);
        }
        match &mut self.rows {
            Some(rows) => {
                self.cells.put_cell(rows.len() as u32, cell);
                rows.push(row);
            }
            None => self.cells.put_cell(row, cell),
        }
    }

    /// Returns a column of texts with each text replaced by the value that `convert` returns.
    pub fn converted(&self, convert: fn(&str) -> AttributeValue<'static>) -> Column {
        let mut converted = Column::new(&self.name);
        for (row, cell) in self.present_cells() {
            if let Cell::Text(code) = cell {
                converted.set(row, convert(self.texts.text(code)));
            }
        }
        converted
    }

    /// Finishes building. A column with at least half of the rows becomes dense.
    pub fn finish(&mut self, row_count: usize) {
        self.texts.finish(TextLookup::Drop);
        self.values.shrink_to_fit();
        if let Some(rows) = self.rows.take() {
            let mut order: Vec<(u32, u32)> = rows.into_iter().zip(0..).collect();
            order.sort_by_key(|&(row, _)| row);
            // The stable sort keeps the latest cell of a row last.
            let next = order.iter().skip(1).map(|(row, _)| Some(*row)).chain([None]);
            let latest = order.iter().zip(next).filter(|((row, _), next)| *next != Some(*row));
            let (rows, indices): (Vec<u32>, Vec<u32>) = latest.map(|(pair, _)| *pair).unzip();
            let cells = self.cells.pick_cells(&indices);
            if rows.len() * 2 >= row_count {
                self.cells = CellStorage::Codes(Vec::new());
                for (row, index) in rows.iter().zip(0..) {
                    self.cells.put_cell(*row, cells.get(index));
                }
            } else {
                (self.cells, self.rows) = (cells, Some(rows));
            }
        }
        self.cells.shrink(self.texts.len());
    }

    /// Returns the number of cells of a column that has a cell per row; `None` for a sparse one.
    pub fn dense_len(&self) -> Option<usize> {
        self.rows.is_none().then(|| self.cells.len())
    }

    /// Returns the cell of a row.
    #[inline]
    pub fn cell(&self, row: u32) -> Cell {
        match &self.rows {
            None => self.cells.get(row),
            Some(rows) => {
                rows.binary_search(&row).map_or(Cell::Missing, |index| self.cells.get(index as u32))
            }
        }
    }

    /// Returns the value of a row; `None` if it is missing.
    pub fn value(&self, row: u32) -> Option<Value> {
        self.value_of(self.cell(row))
    }

    /// Returns the value of a cell of this column; `None` if it is missing.
    pub fn value_of(&self, cell: Cell) -> Option<Value> {
        match cell {
            Cell::Missing => None,
            Cell::Null => Some(Value::Null),
            Cell::Bool(value) => Some(Value::Bool(value)),
            Cell::Number(number) => Some(Value::Number(number)),
            Cell::Text(code) => Some(self.texts.text(code).into()),
            Cell::Value(index) => self.values.get(index as usize).cloned(),
        }
    }

    /// Appends a cell of this column as JSON text.
    pub fn write(&self, cell: Cell, out: &mut String) {
        match cell {
            Cell::Text(code) => write_text(self.texts.text(code), out),
            other => self.value_of(other).unwrap_or_default().write(out),
        }
    }

    /// Returns the list or map of a cell; `None` for other cells.
    pub fn list_or_map(&self, cell: Cell) -> Option<&Value> {
        match cell {
            Cell::Value(index) => self.values.get(index as usize),
            _ => None,
        }
    }

    /// Returns the lists of the column.
    pub fn lists(&self) -> impl Iterator<Item = &[Value]> {
        self.values.iter().filter_map(Value::as_list)
    }

    /// Returns all cells, and their rows if the column is sparse.
    pub fn view(&self) -> (ColumnView<'_>, Option<&[u32]>) {
        let view = match &self.cells {
            CellStorage::Codes(cells) => ColumnView::Codes(cells),
            CellStorage::ByteCodes(cells) => ColumnView::ByteCodes(cells),
            CellStorage::Identity(_) => ColumnView::Identity,
            CellStorage::Numbers(cells) => ColumnView::Numbers(cells),
            CellStorage::Mixed(cells) => ColumnView::Mixed(cells),
        };
        (view, self.rows.as_deref())
    }

    /// Returns the cells that are not missing, with their rows.
    pub fn present_cells(&self) -> impl Iterator<Item = (u32, Cell)> {
        let row = |index: u32| match &self.rows {
            None => index,
            Some(rows) => rows.get(index as usize).copied().unwrap_or_default(),
        };
        (0..self.cells.len() as u32)
            .map(move |index| (row(index), self.cells.get(index)))
            .filter(|(_, cell)| *cell != Cell::Missing)
    }
}

impl CellStorage {
    fn len(&self) -> usize {
        match self {
            CellStorage::Codes(cells) => cells.len(),
            CellStorage::ByteCodes(cells) => cells.len(),
            CellStorage::Identity(count) => *count as usize,
            CellStorage::Numbers(cells) => cells.len(),
            CellStorage::Mixed(cells) => cells.len(),
        }
    }

    #[inline]
    fn get(&self, index: u32) -> Cell {
        let at = index as usize;
        match self {
            CellStorage::Identity(count) if index < *count => Cell::Text(index),
            CellStorage::Identity(_) => Cell::Missing,
            CellStorage::Codes(cells) => match cells.get(at) {
                None | Some(&NO_TEXT) => Cell::Missing,
                Some(code) => Cell::Text(*code),
            },
            CellStorage::ByteCodes(cells) => match cells.get(at) {
                None | Some(&NO_CODE) => Cell::Missing,
                Some(code) => Cell::Text(u32::from(*code)),
            },
            CellStorage::Numbers(cells) => match cells.get(at) {
                Some(number) if !number.is_nan() => Cell::Number(*number),
                _ => Cell::Missing,
            },
            CellStorage::Mixed(cells) => cells.get(at).copied().unwrap_or(Cell::Missing),
        }
    }

    /// Sets a cell, filling the gap before it with missing values.
    fn put_cell(&mut self, index: u32, cell: Cell) {
        let at = index as usize;
        match (&mut *self, cell) {
            (CellStorage::Codes(cells), Cell::Text(code)) => put_or_grow(cells, at, code, NO_TEXT),
            (CellStorage::Codes(cells), Cell::Missing) => put_or_grow(cells, at, NO_TEXT, NO_TEXT),
            (CellStorage::Codes(cells), Cell::Number(_))
                if cells.iter().all(|cell| *cell == NO_TEXT) =>
            {
                *self = CellStorage::Numbers(vec![f64::NAN; cells.len()]);
                self.put_cell(index, cell);
            }
            (CellStorage::Numbers(cells), Cell::Number(number)) => {
                put_or_grow(cells, at, number, f64::NAN)
            }
            (CellStorage::Numbers(cells), Cell::Missing) => {
                put_or_grow(cells, at, f64::NAN, f64::NAN)
            }
            (CellStorage::Mixed(cells), cell) => put_or_grow(cells, at, cell, Cell::Missing),
            _ => {
                let mixed = (0..self.len() as u32).map(|index| self.get(index)).collect();
                *self = CellStorage::Mixed(mixed);
                self.put_cell(index, cell);
            }
        }
    }

    /// Returns the cells at these indices, in this order.
    fn pick_cells(&self, indices: &[u32]) -> CellStorage {
        let mut picked = CellStorage::Codes(Vec::new());
        for (index, to) in indices.iter().zip(0..) {
            picked.put_cell(to, self.get(*index));
        }
        picked
    }

    /// Releases spare capacity and narrows the codes of `text_count` distinct texts.
    fn shrink(&mut self, text_count: usize) {
        match self {
            CellStorage::Codes(cells) if text_count < usize::from(NO_CODE) => {
                let code = |text: &u32| u8::try_from(*text).unwrap_or(NO_CODE);
                *self = CellStorage::ByteCodes(cells.iter().map(code).collect());
            }
            CellStorage::Codes(cells)
                if cells.len() == text_count && cells.iter().copied().eq(0..text_count as u32) =>
            {
                *self = CellStorage::Identity(text_count as u32);
            }
            CellStorage::Codes(cells) => cells.shrink_to_fit(),
            CellStorage::Identity(_) => {}
            CellStorage::ByteCodes(cells) => cells.shrink_to_fit(),
            CellStorage::Numbers(cells) => cells.shrink_to_fit(),
            CellStorage::Mixed(cells) => cells.shrink_to_fit(),
        }
    }
}

fn put_or_grow<T: Copy>(cells: &mut Vec<T>, index: usize, cell: T, missing: T) {
    match cells.get_mut(index) {
        Some(slot) => *slot = cell,
        None => {
            cells.resize(index, missing);
            cells.push(cell);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stores_any_value_at_any_row() {
        for gap in [1, 100] {
            let mut column = Column::new("a");
            column.set(5 * gap, AttributeValue::Number(1.5));
            column.set(2 * gap, AttributeValue::Text("x"));
            column.set(3 * gap, AttributeValue::Null);
            column.set(90 * gap, AttributeValue::Value(Value::list(vec![])));
            column.set(2 * gap, AttributeValue::Text("y"));
            column.finish(91 * gap as usize);
            assert_eq!(column.value(2 * gap), Some("y".into()));
            assert_eq!(column.value(5 * gap), Some(1.5.into()));
            assert_eq!(column.value(3 * gap), Some(Value::Null));
            assert_eq!(column.value(90 * gap), Some(Value::list(vec![])));
            assert_eq!((column.value(4 * gap), column.value(1000 * gap)), (None, None));
            assert_eq!(column.present_cells().count(), 4);
        }
    }

    #[test]
    fn distinct_texts_need_no_codes() {
        let mut column = Column::new("description");
        (0..1000).for_each(|row| column.set(row, AttributeValue::Text(&format!("text {row}"))));
        column.finish(1000);
        assert!(matches!(column.view(), (ColumnView::Identity, None)));
        assert_eq!(column.value(999), Some("text 999".into()));
        assert_eq!(column.value(1000), None);
        assert_eq!(column.present_cells().count(), 1000);
    }

    #[test]
    fn numeric_column_stays_numeric() {
        let mut column = Column::new("weight");
        (0..100).for_each(|row| column.set(row * 2, AttributeValue::Number(row.into())));
        column.finish(200);
        assert!(matches!(column.view(), (ColumnView::Numbers(_), None)));
        assert_eq!((column.cell(4), column.cell(5)), (Cell::Number(2.0), Cell::Missing));
    }
}
