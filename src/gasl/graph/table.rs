//! Attributes by name.

use super::column::{Cell, Column, Given};
use crate::base::Value;
use crate::base::json::write_text;
use crate::base::map::NameMap;
use crate::base::value::Map;

/// Columns in the order in which their names were first seen.
#[derive(Default)]
pub struct Table {
    pub columns: Vec<Column>,
    by_name: NameMap,
    /// The columns of names that are taken, and have others.
    renamed: NameMap,
}

impl Table {
    /// The column of a name, a new one where there is none.
    pub fn field(&mut self, name: &str) -> usize {
        self.field_beside(name, &[])
    }

    /// The same where some names are `taken`: what is called so, or as something that was called so,
    /// gets a `_` until it has a name of its own.
    pub fn field_beside(&mut self, name: &str, taken: &[&str]) -> usize {
        if let Some(number) = self.renamed.get(name) {
            return *number as usize;
        }
        let known = self.by_name.get(name).copied();
        if let Some(number) = known.filter(|known| !self.is_renamed(*known)) {
            return number as usize;
        }
        let number = self.columns.len() as u32;
        let mut own = name.to_owned();
        while taken.contains(&&*own) || self.by_name.contains_key(&own) {
            own.push('_');
        }
        if own != name {
            self.renamed.insert(name.to_owned(), number);
        }
        self.columns.push(Column::new(&own));
        self.by_name.insert(own, number);
        number as usize
    }

    fn is_renamed(&self, number: u32) -> bool {
        self.renamed.values().any(|renamed| *renamed == number)
    }

    /// Sets one cell.
    pub fn set(&mut self, row: u32, field: usize, given: Given<'_>) {
        if let Some(column) = self.columns.get_mut(field) {
            column.set(row, given);
        }
    }

    /// The column of a name.
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.columns.get(*self.by_name.get(name)? as usize)
    }

    /// The column that `a.b.c` reaches into: the longest beginning that names one, and the rest.
    pub fn reached<'a>(&self, name: &'a str) -> Option<(&Column, &'a str)> {
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

    /// Appends the attributes of a row as JSON text, each behind a comma.
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

    /// Ends the growing.
    pub fn close(&mut self, row_count: usize) {
        self.columns.iter_mut().for_each(|column| column.close(row_count));
    }
}

/// A field of a row: the attribute of that whole name, else the way through maps and lists that its
/// dots describe.
pub fn within<'a>(row: &'a Value, name: &str) -> Option<&'a Value> {
    let one = |of: &'a Value, key: &str| match of {
        Value::List(items) => items.get(key.parse::<usize>().ok()?),
        other => other.get(key),
    };
    let (mut value, mut rest) = (row, name);
    loop {
        if let Some(found) = one(value, rest) {
            return Some(found);
        }
        let (step, behind) = rest.split_once('.')?;
        (value, rest) = (one(value, step)?, behind);
    }
}
