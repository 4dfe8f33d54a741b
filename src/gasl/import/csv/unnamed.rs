//! Columns of a list of edges without a header.

use super::columns::{NumberFormat, parse_cell_number};
use super::rows::{CsvCell, CsvReader, UnclosedQuote};
use crate::gasl::import::import_builder::ImportBuilder;

/// Names of the columns, and the indices of the ends.
pub struct UnnamedColumns {
    pub names: Vec<String>,
    pub ends: (usize, usize),
    /// Column of Python dictionaries with attributes, which is the last one.
    pub dictionary: Option<usize>,
}

/// Number of rows that are inspected.
const MAX_INSPECTED_ROWS: usize = 1_000;

/// Returns the columns of a table whose first row is an edge. Returns `None` if the first row may
/// be a header with unknown names. It is an edge if its ends are numbers, or are ends of other
/// rows.
pub fn unnamed_columns(
    first: &[CsvCell<'_>],
    rows: &CsvReader<'_>,
    graph: &ImportBuilder,
) -> Result<Option<UnnamedColumns>, UnclosedQuote> {
    if first.len() < 2 {
        return Ok(None);
    }
    let sample = sample_rows(rows)?;
    let column =
        |index: usize| sample.iter().filter_map(move |row| row.get(index)).map(String::as_str);
    let is_numeric = |index: usize| {
        let mut cells = column(index).filter(|cell| !cell.is_empty()).peekable();
        cells.peek().is_some()
            && cells.all(|cell| parse_cell_number(cell, NumberFormat::Comma).is_some())
    };
    let is_listed = |id: &str| graph.builder.find_node(id).is_some();
    let recurs = |index: usize, others: [usize; 2]| {
        let Some(cell) = sample.first().and_then(|row| row.get(index)) else { return false };
        let others = others.map(|other| column(other).skip(1).any(|text| text == cell));
        !cell.is_empty() && (is_listed(cell) || others.contains(&true))
    };
    // The relation of a triple is not an end: fewer of its texts are ends of other rows.
    let mut sources: Vec<&str> = column(0).collect();
    sources.sort_unstable();
    let shared = |index: usize| {
        let is_source = |text: &str| sources.binary_search(&text).is_ok();
        column(index).filter(|text| is_source(text) || is_listed(text)).count()
    };
    let last = first.len() - 1;
    let mut attributes = column(last).peekable();
    let is_dictionary = attributes.peek().is_some() && attributes.all(|cell| cell.starts_with('{'));
    let dictionary = Some(last).filter(|last| *last >= 2 && is_dictionary);
    let is_triple =
        dictionary.is_none() && first.len() == 3 && !is_numeric(2) && shared(2) > shared(1);
    let target = if is_triple { 2 } else { 1 };
    let has_numbers = is_numeric(0) && is_numeric(target);
    if !has_numbers && !recurs(0, [0, target]) && !recurs(target, [0, target]) {
        return Ok(None);
    }
    let name = |index: usize| match index {
        0 => "source".to_owned(),
        _ if index == target => "target".to_owned(),
        _ if Some(index) == dictionary => "data".to_owned(),
        1 => "type".to_owned(),
        2 if is_numeric(2) => "weight".to_owned(),
        2 => "type".to_owned(),
        _ => format!("column{}", index + 1),
    };
    let names = (0..first.len()).map(name).collect();
    Ok(Some(UnnamedColumns { names, ends: (0, target), dictionary }))
}

fn sample_rows(rows: &CsvReader<'_>) -> Result<Vec<Vec<String>>, UnclosedQuote> {
    let mut rows = rows.clone();
    let (mut sample, mut cells) = (Vec::new(), Vec::new());
    while sample.len() < MAX_INSPECTED_ROWS && rows.next(&mut cells)?.is_some() {
        sample.push(cells.iter().map(|cell| cell.text().into_owned()).collect());
    }
    Ok(sample)
}
