//! One attribute of all nodes, or of all edges.

use super::dictionary::{Dictionary, Index};
use crate::base::Value;
use crate::base::json::write_text;
use std::rc::Rc;

/// The values of one attribute, row by row. A column that few rows have names those rows.
pub struct Column {
    /// The name of the attribute.
    pub name: Rc<str>,
    /// The rows that the cells belong to, where those are not simply the first ones.
    rows: Option<Vec<u32>>,
    cells: Cells,
    /// The distinct texts of the column.
    pub texts: Dictionary,
    /// Lists and maps.
    values: Vec<Value>,
}

/// As narrow as the values allow.
enum Cells {
    /// Numbers of texts, or [`NO_TEXT`].
    Texts(Vec<u32>),
    /// The same where there are few texts, once the column is full; or [`NO_CODE`].
    Codes(Vec<u8>),
    /// So many texts, each in the place of its own number, once the column is full: where no two
    /// are the same, as with descriptions.
    Own(u32),
    /// Finite numbers; what is not a number is missing.
    Numbers(Vec<f64>),
    Mixed(Vec<Cell>),
}

/// Stands where a row has no text.
const NO_TEXT: u32 = u32::MAX;

/// Stands where a row has no text, where there are few.
pub const NO_CODE: u8 = u8::MAX;

/// A column is dense as long as at least half of its cells are there, but for this many.
const SLACK: usize = 16;

/// One value; texts, lists and maps by their number in the column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cell {
    /// The row has no such attribute.
    Missing,
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A finite number.
    Number(f64),
    /// A text of the dictionary.
    Text(u32),
    /// A list or a map.
    Value(u32),
}

impl Cell {
    /// A number that cells of one column have in common where they are the same.
    pub fn mark(self) -> u64 {
        // No finite number has these bits.
        const OTHER: u64 = 0x7ff << 52;
        match self {
            Cell::Number(number) => number.to_bits(),
            Cell::Text(number) => OTHER | u64::from(number),
            Cell::Value(number) => OTHER | 1 << 32 | u64::from(number),
            Cell::Bool(flag) => OTHER | 2 << 32 | u64::from(flag),
            Cell::Null => OTHER | 3 << 32,
            Cell::Missing => OTHER | 4 << 32,
        }
    }
}

/// The cells of a column as they lie in memory, for what looks at all of them.
pub enum View<'a> {
    /// Numbers of texts; a number that the dictionary does not have stands for a missing one.
    Texts(&'a [u32]),
    /// Numbers of texts, where there are few; [`NO_CODE`] stands for a missing one.
    Codes(&'a [u8]),
    /// Each place has the text of its own number.
    Own,
    /// Finite numbers; NaN stands for a missing one.
    Numbers(&'a [f64]),
    /// Anything.
    Mixed(&'a [Cell]),
}

/// A value on its way into a column.
#[derive(Clone, Debug)]
pub enum Given<'a> {
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

impl<'a> From<&'a Value> for Given<'a> {
    fn from(value: &'a Value) -> Given<'a> {
        match value {
            Value::Null => Given::Null,
            Value::Bool(value) => Given::Bool(*value),
            Value::Number(number) => Given::Number(*number),
            Value::Text(text) => Given::Text(text),
            Value::List(_) | Value::Map(_) => Given::Value(value.clone()),
        }
    }
}

/// What will come into a column.
#[derive(Clone, Copy, Debug)]
pub enum Expected {
    /// Numbers in so many rows.
    Numbers(usize),
    /// Texts in so many rows, with so many bytes together.
    Texts(usize, usize),
}

/// Texts of this average length are seldom the same.
const LONG: usize = 16;

impl Column {
    /// A column without cells.
    pub fn new(name: &str) -> Column {
        Column {
            name: name.into(),
            rows: None,
            cells: Cells::Texts(Vec::new()),
            texts: Dictionary::default(),
            values: Vec::new(),
        }
    }

    /// Makes room in a column without cells: one that grows needs thrice its memory for a moment.
    pub fn reserve(&mut self, expected: Expected) {
        if self.cells.len() > 0 {
            return;
        }
        match expected {
            Expected::Numbers(rows) => self.cells = Cells::Numbers(Vec::with_capacity(rows)),
            Expected::Texts(rows, bytes) => {
                self.cells = Cells::Texts(Vec::with_capacity(rows));
                if bytes / LONG >= rows {
                    self.texts.reserve(bytes);
                }
            }
        }
    }

    /// Sets the cell of a row; the last one counts.
    pub fn set(&mut self, row: u32, given: Given<'_>) {
        let cell = match given {
            Given::Null => Cell::Null,
            Given::Bool(value) => Cell::Bool(value),
            Given::Number(number) => Cell::Number(number),
            Given::Text(text) => Cell::Text(self.texts.intern(text)),
            Given::Value(value) => {
                self.values.push(value);
                Cell::Value(self.values.len() as u32 - 1)
            }
        };
        let len = self.cells.len();
        if self.rows.is_none() && row as usize > 2 * len + SLACK {
            let present = (0..len as u32).filter(|row| self.cells.get(*row) != Cell::Missing);
            let rows: Vec<u32> = present.collect();
            self.cells = self.cells.picked(&rows);
            self.rows = Some(rows);
        }
        match &mut self.rows {
            Some(rows) => {
                rows.push(row);
                self.cells.put(len_of(rows) - 1, cell);
            }
            None => self.cells.put(row, cell),
        }
    }

    /// Ends the growing. A column that at least half of the rows have is dense from now on.
    pub fn close(&mut self, row_count: usize) {
        self.texts.close(Index::Dropped);
        self.values.shrink_to_fit();
        if let Some(rows) = self.rows.take() {
            let mut order: Vec<(u32, u32)> = rows.into_iter().zip(0..).collect();
            order.sort_by_key(|&(row, _)| row);
            // Where a row was set twice, the later cell stands behind the earlier one.
            let next = order.iter().skip(1).map(|(row, _)| Some(*row)).chain([None]);
            let last = order.iter().zip(next).filter(|((row, _), next)| *next != Some(*row));
            let (rows, places): (Vec<u32>, Vec<u32>) = last.map(|(pair, _)| *pair).unzip();
            let cells = self.cells.picked(&places);
            if rows.len() * 2 >= row_count {
                self.cells = Cells::Texts(Vec::new());
                for (row, place) in rows.iter().zip(0..) {
                    self.cells.put(*row, cells.get(place));
                }
            } else {
                (self.cells, self.rows) = (cells, Some(rows));
            }
        }
        self.cells.shrink(self.texts.len());
    }

    /// The cell of a row.
    #[inline]
    pub fn cell(&self, row: u32) -> Cell {
        match &self.rows {
            None => self.cells.get(row),
            Some(rows) => {
                rows.binary_search(&row).map_or(Cell::Missing, |place| self.cells.get(place as u32))
            }
        }
    }

    /// The value of a row.
    pub fn value(&self, row: u32) -> Option<Value> {
        self.value_of(self.cell(row))
    }

    /// The value of a cell of this column.
    pub fn value_of(&self, cell: Cell) -> Option<Value> {
        match cell {
            Cell::Missing => None,
            Cell::Null => Some(Value::Null),
            Cell::Bool(value) => Some(Value::Bool(value)),
            Cell::Number(number) => Some(Value::Number(number)),
            Cell::Text(number) => Some(self.texts.text(number).into()),
            Cell::Value(number) => self.values.get(number as usize).cloned(),
        }
    }

    /// Appends a cell of this column as JSON text.
    pub fn write(&self, cell: Cell, out: &mut String) {
        match cell {
            Cell::Text(number) => write_text(self.texts.text(number), out),
            other => self.value_of(other).unwrap_or_default().write(out),
        }
    }

    /// A list or a map of this column.
    pub fn container(&self, cell: Cell) -> Option<&Value> {
        match cell {
            Cell::Value(number) => self.values.get(number as usize),
            _ => None,
        }
    }

    /// The cells as they lie in memory, and the rows that they belong to where those are not the
    /// first ones.
    pub fn view(&self) -> (View<'_>, Option<&[u32]>) {
        let view = match &self.cells {
            Cells::Texts(cells) => View::Texts(cells),
            Cells::Codes(cells) => View::Codes(cells),
            Cells::Own(_) => View::Own,
            Cells::Numbers(cells) => View::Numbers(cells),
            Cells::Mixed(cells) => View::Mixed(cells),
        };
        (view, self.rows.as_deref())
    }

    /// The cells that are there, with their rows.
    pub fn present(&self) -> impl Iterator<Item = (u32, Cell)> {
        let places = 0..self.cells.len() as u32;
        let row = |place: u32| match &self.rows {
            None => place,
            Some(rows) => rows.get(place as usize).copied().unwrap_or_default(),
        };
        places
            .map(move |place| (row(place), self.cells.get(place)))
            .filter(|(_, cell)| *cell != Cell::Missing)
    }
}

fn len_of(rows: &[u32]) -> u32 {
    rows.len() as u32
}

impl Cells {
    fn len(&self) -> usize {
        match self {
            Cells::Texts(cells) => cells.len(),
            Cells::Codes(cells) => cells.len(),
            Cells::Own(count) => *count as usize,
            Cells::Numbers(cells) => cells.len(),
            Cells::Mixed(cells) => cells.len(),
        }
    }

    #[inline]
    fn get(&self, place: u32) -> Cell {
        let number = place;
        let place = place as usize;
        match self {
            Cells::Own(count) if number < *count => Cell::Text(number),
            Cells::Own(_) => Cell::Missing,
            Cells::Texts(cells) => match cells.get(place) {
                None | Some(&NO_TEXT) => Cell::Missing,
                Some(number) => Cell::Text(*number),
            },
            Cells::Codes(cells) => match cells.get(place) {
                None | Some(&NO_CODE) => Cell::Missing,
                Some(number) => Cell::Text(u32::from(*number)),
            },
            Cells::Numbers(cells) => match cells.get(place) {
                Some(number) if !number.is_nan() => Cell::Number(*number),
                _ => Cell::Missing,
            },
            Cells::Mixed(cells) => cells.get(place).copied().unwrap_or(Cell::Missing),
        }
    }

    /// Sets a cell; those before it that are not there become missing ones.
    fn put(&mut self, place: u32, cell: Cell) {
        let place = place as usize;
        match (&mut *self, cell) {
            (Cells::Texts(cells), Cell::Text(number)) => put(cells, place, number, NO_TEXT),
            (Cells::Texts(cells), Cell::Missing) => put(cells, place, NO_TEXT, NO_TEXT),
            (Cells::Texts(cells), Cell::Number(_)) if cells.iter().all(|cell| *cell == NO_TEXT) => {
                *self = Cells::Numbers(vec![f64::NAN; cells.len()]);
                self.put(place as u32, cell);
            }
            (Cells::Numbers(cells), Cell::Number(number)) => put(cells, place, number, f64::NAN),
            (Cells::Numbers(cells), Cell::Missing) => put(cells, place, f64::NAN, f64::NAN),
            (Cells::Mixed(cells), cell) => put(cells, place, cell, Cell::Missing),
            _ => {
                let mixed = (0..self.len() as u32).map(|place| self.get(place)).collect();
                *self = Cells::Mixed(mixed);
                self.put(place as u32, cell);
            }
        }
    }

    /// The cells at these places, in this order.
    fn picked(&self, places: &[u32]) -> Cells {
        let mut picked = Cells::Texts(Vec::new());
        for (place, to) in places.iter().zip(0..) {
            picked.put(to, self.get(*place));
        }
        picked
    }

    /// Gives back the memory that only growing needs; there are so many texts.
    fn shrink(&mut self, texts: usize) {
        match self {
            Cells::Texts(cells) if texts < usize::from(NO_CODE) => {
                let code = |text: &u32| u8::try_from(*text).unwrap_or(NO_CODE);
                *self = Cells::Codes(cells.iter().map(code).collect());
            }
            Cells::Texts(cells)
                if cells.len() == texts && cells.iter().copied().eq(0..texts as u32) =>
            {
                *self = Cells::Own(texts as u32);
            }
            Cells::Texts(cells) => cells.shrink_to_fit(),
            Cells::Own(_) => {}
            Cells::Codes(cells) => cells.shrink_to_fit(),
            Cells::Numbers(cells) => cells.shrink_to_fit(),
            Cells::Mixed(cells) => cells.shrink_to_fit(),
        }
    }
}

fn put<T: Copy>(cells: &mut Vec<T>, place: usize, cell: T, missing: T) {
    match cells.get_mut(place) {
        Some(slot) => *slot = cell,
        None => {
            cells.resize(place, missing);
            cells.push(cell);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_takes_any_value_at_any_row() {
        for gap in [1, 100] {
            let mut column = Column::new("a");
            column.set(5 * gap, Given::Number(1.5));
            column.set(2 * gap, Given::Text("x"));
            column.set(3 * gap, Given::Null);
            column.set(90 * gap, Given::Value(Value::list(vec![])));
            column.set(2 * gap, Given::Text("y"));
            column.close(91 * gap as usize);
            assert_eq!(column.value(2 * gap), Some("y".into()));
            assert_eq!(column.value(5 * gap), Some(1.5.into()));
            assert_eq!(column.value(3 * gap), Some(Value::Null));
            assert_eq!(column.value(90 * gap), Some(Value::list(vec![])));
            assert_eq!((column.value(4 * gap), column.value(1000 * gap)), (None, None));
            assert_eq!(column.present().count(), 4);
        }
    }

    #[test]
    fn texts_of_their_own_need_no_numbers() {
        let mut column = Column::new("description");
        (0..1000).for_each(|row| column.set(row, Given::Text(&format!("text {row}"))));
        column.close(1000);
        assert!(matches!(column.view(), (View::Own, None)));
        assert_eq!(column.value(999), Some("text 999".into()));
        assert_eq!(column.value(1000), None);
        assert_eq!(column.present().count(), 1000);
    }

    #[test]
    fn numbers_stay_narrow() {
        let mut column = Column::new("weight");
        (0..100).for_each(|row| column.set(row * 2, Given::Number(row.into())));
        column.close(200);
        assert!(matches!(column.view(), (View::Numbers(_), None)));
        assert_eq!((column.cell(4), column.cell(5)), (Cell::Number(2.0), Cell::Missing));
    }
}
