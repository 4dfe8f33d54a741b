//! Columns of a list of edges without a header.

use super::number_notation::{NumberFormat, parse_cell_number};
use super::rows::{CsvCell, CsvReader, UnclosedQuote};
use crate::gasl::import::import_builder::ImportBuilder;
use std::collections::BTreeSet;

/// Names of the columns, and the indices of the ends.
pub struct UnnamedColumns {
    pub names: Vec<String>,
    pub ends: (usize, usize),
    /// Whether the ends are a guess: no two of three columns of texts share values.
    pub is_guess: bool,
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
    let filled = |index: usize| column(index).filter(|text| !text.is_empty());
    let distinct = |index: usize| filled(index).collect::<BTreeSet<&str>>();
    // The relation of a triple is not an end: fewer of its texts are in the other columns.
    let shared = |(left, right): (usize, usize)| {
        let (lefts, rights) = (distinct(left), distinct(right));
        let in_left = filled(right).filter(|text| lefts.contains(text) || is_listed(text)).count();
        in_left + filled(left).filter(|text| rights.contains(text) || is_listed(text)).count()
    };
    let last = first.len() - 1;
    let mut attributes = column(last).peekable();
    let is_dictionary = attributes.peek().is_some() && attributes.all(|cell| cell.starts_with('{'));
    let dictionary = Some(last).filter(|last| *last >= 2 && is_dictionary);
    let has_texts = !is_numeric(2) && filled(2).next().is_some();
    let is_triple =
        dictionary.is_none() && first.len() == 3 && has_texts && !(is_numeric(0) && is_numeric(1));
    let (mut ends, mut is_guess) = ((0, 1), false);
    if is_triple {
        let mut most = shared(ends);
        for pair in [(0, 2), (1, 2)] {
            let count = shared(pair);
            if count > most {
                (ends, most) = (pair, count);
            }
        }
        let [sources, relations, targets] = [0, 1, 2].map(|index| distinct(index).len());
        is_guess = most == 0;
        let is_relation = relations <= targets && relations < sources.max(targets);
        if is_guess && is_relation && relations < sample.len() {
            ends = (0, 2);
        }
    }
    let (source, target) = ends;
    let has_numbers = is_numeric(source) && is_numeric(target);
    let has_relation = is_guess && recurs(1, [1, 1]);
    let pair = [source, target];
    if !has_numbers && !has_relation && !recurs(source, pair) && !recurs(target, pair) {
        return Ok(None);
    }
    let name = |index: usize| match index {
        _ if index == source => "source".to_owned(),
        _ if index == target => "target".to_owned(),
        _ if Some(index) == dictionary => "data".to_owned(),
        0 | 1 => "type".to_owned(),
        2 if is_numeric(2) => "weight".to_owned(),
        2 => "type".to_owned(),
        _ => format!("column{}", index + 1),
    };
    let names = (0..first.len()).map(name).collect();
    Ok(Some(UnnamedColumns { names, ends, is_guess, dictionary }))
}

fn sample_rows(rows: &CsvReader<'_>) -> Result<Vec<Vec<String>>, UnclosedQuote> {
    let mut rows = rows.clone();
    let (mut sample, mut cells) = (Vec::new(), Vec::new());
    while sample.len() < MAX_INSPECTED_ROWS && rows.next(&mut cells)?.is_some() {
        sample.push(cells.iter().map(|cell| cell.text().into_owned()).collect());
    }
    Ok(sample)
}
