//! Attribute columns by name.

use super::column::{AttributeValue, Cell, Column};
use crate::base::Value;
use crate::base::json::write_text;
use crate::base::map::NameMap;
use crate::base::value::Map;

/// Columns in order of first occurrence.
#[derive(Default)]
pub struct AttributeTable {
    pub columns: Vec<Column>,
    by_name: NameMap,
    /// Columns of names that were in use, by the original name.
    renamed: NameMap,
}

impl AttributeTable {
    /// Returns the index of a column, adding it if it is new.
    pub fn column_index(&mut self, name: &str) -> usize {
        self.column_index_avoiding(name, &[])
    }

    /// Returns the index of a column. A new column whose name is reserved or in use gets `_` appended
    /// until its name is unique.
    pub fn column_index_avoiding(&mut self, name: &str, reserved: &[&str]) -> usize {
        if let Some(index) = self.renamed.get(name) {
            return *index as usize;
        }
        let existing = self.by_name.get(name).copied();
        if let Some(index) = existing.filter(|index| !self.is_renamed(*index)) {
            return index as usize;
        }
        let index = self.columns.len() as u32;
        let mut unique = name.to_owned();
        while reserved.contains(&&*unique) || self.by_name.contains_key(&unique) {
            unique.push('_');
        }
        if unique != name {
            self.renamed.insert(name.to_owned(), index);
        }
        self.columns.push(Column::new(&unique));
        self.by_name.insert(unique, index);
        index as usize
    }

    fn is_renamed(&self, index: u32) -> bool {
        self.renamed.values().any(|renamed| *renamed == index)
    }

    /// Sets the cell of a row in the column at an index.
    pub fn set(&mut self, row: u32, column: usize, value: AttributeValue<'_>) {
        if let Some(column) = self.columns.get_mut(column) {
            column.set(row, value);
        }
    }

    /// Returns the column of a name.
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.columns.get(*self.by_name.get(name)? as usize)
    }

    /// Returns the column whose name is the longest prefix of `a.b.c`, and the rest of the path.
    pub fn longest_prefix_column<'a>(&self, name: &'a str) -> Option<(&Column, &'a str)> {
        let mut end = name.len();
        loop {
            let (before, _) = name.get(..end)?.rsplit_once('.')?;
            end = before.len();
            if let Some(column) = self.column(before) {
                return Some((column, name.get(end + 1..)?));
            }
        }
    }

    /// Adds the attributes of a row to a map.
    pub fn write(&self, row: u32, into: &mut Map) {
        for column in &self.columns {
            let cell = column.cell(row);
            if cell != Cell::Missing {
                into.extend(column.value_of(cell).map(|value| (column.name.clone(), value)));
            }
        }
    }

    /// Appends the attributes of a row as JSON members, each after a comma.
    pub fn write_json(&self, row: u32, out: &mut String) {
        for column in &self.columns {
            let cell = column.cell(row);
            if cell != Cell::Missing {
                out.push(',');
                write_text(&column.name, out);
                out.push(':');
                column.write(cell, out);
            }
        }
    }

    /// Finishes building all columns.
    pub fn finish(&mut self, row_count: usize) {
        self.columns.iter_mut().for_each(|column| column.finish(row_count));
    }
}

/// Returns a field of a row: the attribute with the full name, else the value at the dotted path
/// through maps and lists.
pub fn nested_field<'a>(row: &'a Value, name: &str) -> Option<&'a Value> {
    let member = |of: &'a Value, key: &str| match of {
        Value::List(items) => items.get(key.parse::<usize>().ok()?),
        other => other.get(key),
    };
    let (mut value, mut rest) = (row, name);
    loop {
        if let Some(found) = member(value, rest) {
            return Some(found);
        }
        let (key, after) = rest.split_once('.')?;
        (value, rest) = (member(value, key)?, after);
    }
}
