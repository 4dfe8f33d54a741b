//! Adjacency matrices, which are recognised and not read.

use super::number_notation::{NumberFormat, parse_cell_number};
use super::rows::{CsvReader, UnclosedQuote};
use crate::base::json::parse_number_text;
use crate::base::{Diagnostic, Span};
use crate::gasl::import::codes;

/// Largest size of a matrix whose values are inspected. No list of edges has as many columns of numbers
/// as rows beyond it.
const MAX_INSPECTED_SIZE: usize = 8;

/// Returns whether a table is an adjacency matrix. `all` starts at the first row, whose cells are
/// `names`, and `after` at the second one.
pub fn is_matrix(
    names: &[&str],
    all: &CsvReader<'_>,
    after: &CsvReader<'_>,
) -> Result<bool, UnclosedQuote> {
    if names.len() < 3 {
        return Ok(false);
    }
    if has_named_rows(names, after)? {
        return Ok(true);
    }
    let first = names.first().and_then(|name| number_of(name));
    let count = names.iter().filter(|name| number_of(name).is_some()).count();
    let is_header = match first {
        Some(first) => (0..).zip(names).all(|(index, name)| {
            let expected = first + f64::from(index);
            number_of(name) == Some(expected) && first <= 1.0
        }),
        None => count == 0,
    };
    Ok(is_header && has_square(names.len(), after)?
        || count == names.len() && has_square(names.len(), all)?)
}

/// Returns the error for an adjacency matrix.
pub fn matrix_error(at: Span) -> Diagnostic {
    Diagnostic::new(codes::WRONG_FORMAT, "an adjacency matrix is not a supported format")
        .help("write one row for each edge, below the header `source,target,weight`")
        .at(at)
}

/// Returns the number in a cell. Unlike in attributes, NumPy writes 19 digits.
fn number_of(text: &str) -> Option<f64> {
    parse_number_text(text.trim())
}

/// Returns whether the names of the columns are also the first cells of the rows, in this order,
/// and all other cells are numbers.
fn has_named_rows(names: &[&str], rows: &CsvReader<'_>) -> Result<bool, UnclosedQuote> {
    let is_number = |text: &str| parse_cell_number(text.trim(), NumberFormat::Comma).is_some();
    if names.first().is_none_or(|corner| is_number(corner)) {
        return Ok(false);
    }
    let (mut rows, mut cells) = (rows.clone(), Vec::new());
    for name in names.iter().skip(1) {
        let row = rows.next(&mut cells)?;
        let has_name = cells.first().is_some_and(|cell| cell.text().trim() == *name);
        let mut values = cells.iter().skip(1).filter(|cell| !cell.is_empty());
        if row.is_none() || !has_name || !values.all(|cell| is_number(&cell.text())) {
            return Ok(false);
        }
    }
    Ok(rows.next(&mut cells)?.is_none())
}

/// Returns whether a table has as many rows as columns, and only numbers, in a form that is rare in lists
/// of edges. These forms are zeros and ones, a diagonal of zeros, and equal triangles.
fn has_square(size: usize, rows: &CsvReader<'_>) -> Result<bool, UnclosedQuote> {
    let (mut rows, mut cells) = (rows.clone(), Vec::new());
    let mut values = Vec::new();
    for _ in 0..size {
        if rows.next(&mut cells)?.is_none() || cells.len() != size {
            return Ok(false);
        }
        for cell in &cells {
            match number_of(&cell.text()) {
                Some(number) if size <= MAX_INSPECTED_SIZE => values.push(number),
                Some(_) => {}
                None => return Ok(false),
            }
        }
    }
    if rows.next(&mut cells)?.is_some() {
        return Ok(false);
    }
    let (mut is_binary, mut is_symmetric, mut is_hollow) = (true, true, true);
    for (index, value) in values.iter().enumerate() {
        let (row, column) = (index / size, index % size);
        is_binary &= *value == 0.0 || *value == 1.0;
        is_symmetric &= values.get(column * size + row) == Some(value);
        is_hollow &= row != column || *value == 0.0;
    }
    // Three weighted edges are common.
    let is_other = if size == 3 { is_symmetric && is_hollow } else { is_symmetric || is_hollow };
    Ok(size > MAX_INSPECTED_SIZE || is_binary || is_other)
}
