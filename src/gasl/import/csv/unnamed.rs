//! Columns of a list of edges without a header.

use super::number_notation::{NumberFormat, is_missing, parse_cell_number};
use super::rows::{CsvCell, CsvReader, UnclosedQuote};
use crate::gasl::import::import_builder::ImportBuilder;
use std::collections::BTreeSet;

/// Names of the columns, and the indices of the ends.
pub struct UnnamedColumns {
    pub names: Vec<String>,
    pub ends: (usize, usize),
    /// Reason why the ends are a guess.
    pub guess: Option<EndGuess>,
    /// Column of Python dictionaries with attributes, which is the last one.
    pub dictionary: Option<usize>,
}

/// Reason why the ends of a list may be others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndGuess {
    /// No two columns of texts share values.
    NoSharedValues,
    /// Several pairs of columns share values.
    SeveralPairs,
}

/// Number of rows that are inspected.
const MAX_INSPECTED_ROWS: usize = 1_000;

/// Maximum number of columns that are compared in pairs.
const MAX_INSPECTED_COLUMNS: usize = 16;

/// Returns the columns of a table whose first row is an edge. Returns `None` if the first row may
/// be a header with unknown names. It is an edge if its ends are numbers, or are ends of other
/// rows, or if a comment has the names of the columns.
pub fn unnamed_columns(
    first: &[CsvCell<'_>],
    rows: &CsvReader<'_>,
    comment_names: Option<Vec<String>>,
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
        cells.peek().is_some() && cells.all(is_number)
    };
    let is_listed = |id: &str| graph.builder.find_node(id).is_some();
    let recurs = |index: usize, others: [usize; 2]| {
        let Some(cell) = sample.first().and_then(|row| row.get(index)) else { return false };
        let others = others.map(|other| column(other).skip(1).any(|text| text == cell));
        !cell.is_empty() && (is_listed(cell) || others.contains(&true))
    };
    let filled = |index: usize| column(index).filter(|text| !text.is_empty());
    let distinct = |index: usize| filled(index).collect::<BTreeSet<&str>>();
    let last = first.len() - 1;
    let mut attributes = column(last).peekable();
    let is_dictionary = attributes.peek().is_some() && attributes.all(|cell| cell.starts_with('{'));
    let dictionary = Some(last).filter(|last| *last >= 2 && is_dictionary);
    let has_texts = |index: usize| !is_numeric(index) && filled(index).next().is_some();
    let has_numbers = is_numeric(0) && is_numeric(1);
    let is_triple = dictionary.is_none() && !has_numbers && has_texts(2);
    let (mut ends, mut guess) = ((0, 1), None);
    let mut most = 0;
    if is_triple || first.len() > 3 && dictionary.is_none() {
        // Two columns of numbers are ends, unless a comment has names and the first one counts the rows.
        let (firsts, seconds) = (distinct(0), distinct(1));
        let count = seconds.iter().filter(|text| firsts.contains(*text)).count();
        let is_counted = firsts.len() == sample.len() && count * 10 < seconds.len();
        // Three columns are compared even if most of the cells are numbers.
        let is_inspected = |index: &usize| match has_numbers {
            true => comment_names.is_some() && is_counted && *index > 0,
            false => first.len() == 3 || is_mostly_texts(filled(*index)),
        };
        let inspected = (0..first.len()).filter(is_inspected).take(MAX_INSPECTED_COLUMNS);
        let inspected: Vec<(usize, BTreeSet<&str>)> =
            inspected.map(|index| (index, distinct(index))).collect();
        let share = if first.len() == 3 { usize::MAX } else { 10 };
        let best = best_pair(&inspected, share, &is_listed);
        guess = best.guess;
        (ends, most) = (best.ends.unwrap_or(ends), best.shared);
    }
    if is_triple && most == 0 && (first.len() == 3 || (0..3).all(has_texts)) {
        guess = Some(EndGuess::NoSharedValues);
        let [sources, relations, targets] = [0, 1, 2].map(|index| distinct(index).len());
        let is_relation = relations <= targets && relations < sources.max(targets);
        if is_relation && relations < sample.len() {
            ends = (0, 2);
        }
    }
    let (source, target) = ends;
    let has_numbers = is_numeric(source) && is_numeric(target);
    let has_relation = guess == Some(EndGuess::NoSharedValues) && recurs(1, [1, 1]);
    let pair = [source, target];
    let is_edge = has_numbers || has_relation || recurs(source, pair) || recurs(target, pair);
    if !is_edge && comment_names.is_none() {
        return Ok(None);
    }
    // The third of the first three columns, unless the ends are others.
    let third = Some(3).filter(|_| source < 3 && target < 3).map(|sum| sum - source - target);
    let is_typed = third.is_some_and(|third| !is_numeric(third) || third < 2);
    let comment_name = |index: usize| comment_names.as_ref()?.get(index).cloned();
    let name = |index: usize| match index {
        _ if index == source => "source".to_owned(),
        _ if index == target => "target".to_owned(),
        _ if Some(index) == dictionary => "data".to_owned(),
        _ if let Some(name) = comment_name(index) => name,
        _ if Some(index) == third && is_typed => "type".to_owned(),
        _ if Some(index) == third => "weight".to_owned(),
        3 if is_typed && first.len() > 3 && is_numeric(3) && ends != (0, 1) => "weight".to_owned(),
        _ => format!("column{}", index + 1),
    };
    let names = (0..first.len()).map(name).collect();
    Ok(Some(UnnamedColumns { names, ends, guess, dictionary }))
}

fn is_number(text: &str) -> bool {
    parse_cell_number(text, NumberFormat::Comma).is_some()
}

/// Returns whether most cells of a column are not numbers.
fn is_mostly_texts<'c>(cells: impl Iterator<Item = &'c str>) -> bool {
    let (mut texts, mut numbers) = (0, 0);
    for cell in cells {
        let count = if is_number(cell) { &mut numbers } else { &mut texts };
        *count += 1;
    }
    texts > numbers
}

/// Pair of columns that share most values.
#[derive(Default)]
struct EndPair {
    ends: Option<(usize, usize)>,
    /// Number of distinct values that are in both.
    shared: usize,
    guess: Option<EndGuess>,
}

/// Returns the first pair of columns that share most distinct values. The relation of a triple shares
/// fewer. The columns share at least one of `share` values, because categories of wide tables share some
/// too.
fn best_pair(
    columns: &[(usize, BTreeSet<&str>)],
    share: usize,
    is_listed: &dyn Fn(&str) -> bool,
) -> EndPair {
    let mut pairs = Vec::new();
    for (at, (left, lefts)) in columns.iter().enumerate() {
        for (right, rights) in columns.iter().skip(at + 1) {
            let is_value = |text: &&&str| !is_missing(text) && !matches!(**text, "-" | "\\N");
            let count = |one: &BTreeSet<&str>, other: &BTreeSet<&str>| {
                let values = one.iter().filter(is_value);
                values.filter(|text| other.contains(*text) || is_listed(text)).count()
            };
            let shared = count(lefts, rights) + count(rights, lefts);
            if shared.saturating_mul(share) >= lefts.len() + rights.len() {
                pairs.push((shared, *left, *right));
            }
        }
    }
    let mut best = EndPair::default();
    for (shared, left, right) in &pairs {
        if *shared > best.shared {
            best = EndPair { ends: Some((*left, *right)), shared: *shared, guess: None };
        }
    }
    let Some((source, target)) = best.ends else { return best };
    let is_other = |end: &usize| *end != source && *end != target;
    let is_rival = |(shared, left, right): &(usize, usize, usize)| {
        is_other(left) && is_other(right) && *shared * 2 > best.shared
    };
    best.guess = pairs.iter().any(is_rival).then_some(EndGuess::SeveralPairs);
    best
}

fn sample_rows(rows: &CsvReader<'_>) -> Result<Vec<Vec<String>>, UnclosedQuote> {
    let mut rows = rows.clone();
    let (mut sample, mut cells) = (Vec::new(), Vec::new());
    while sample.len() < MAX_INSPECTED_ROWS && rows.next(&mut cells)?.is_some() {
        sample.push(cells.iter().map(|cell| cell.text().into_owned()).collect());
    }
    Ok(sample)
}
