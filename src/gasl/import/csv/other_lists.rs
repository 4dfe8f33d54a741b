//! Lists of numbers and names that are not lists of edges: adjacency lists, METIS, and lists of edges
//! below a line with counts.

use super::rows::{CsvCell, CsvReader, SPACES, UnclosedQuote};
use crate::base::{Diagnostic, Span};
use crate::gasl::import::codes;
use std::collections::BTreeSet;

/// Signs between the ends of an edge, which state its direction.
const ARROWS: [&str; 7] = ["->", "-->", "=>", "<-", "<->", "--", "-"];

/// Number of rows of an adjacency list that are inspected.
const MAX_INSPECTED_ROWS: usize = 1_000;

/// Returns the error for a text without a header that is recognised and not read. `rows` starts at the
/// first row, whose cells are `first`.
pub fn unsupported_list(
    first: &[CsvCell<'_>],
    rows: &CsvReader<'_>,
    delimiter: u8,
    at: Span,
) -> Result<Option<Diagnostic>, UnclosedQuote> {
    if let [_, arrow, _] = first
        && ARROWS.contains(&&*arrow.text())
    {
        let help =
            "write one edge in each line, such as `a,b`, and pass `directed: true` to `Graph.from`";
        return Ok(Some(unsupported_list_error("a list of edges with arrows", help, at)));
    }
    if let Some(counts) = parse_integers(first) {
        let (nodes, edges) = match *counts.as_slice() {
            [nodes, edges] | [nodes, _, edges] => (nodes, edges),
            _ => (0, 0),
        };
        if let [nodes, edges, ..] = *counts.as_slice()
            && is_metis(nodes, edges, counts.get(2).copied(), rows)
        {
            return Ok(Some(unsupported_list_error(
                "METIS",
                "write one line for each edge, such as `1 2`",
                at,
            )));
        }
        if edges > 0 && is_counted(nodes, edges, rows)? {
            return Ok(Some(counts_in_first_line(at)));
        }
    }
    if is_multiline_adjacency(rows)? {
        let help = "write one line for each edge, such as `a b {'weight': 3}`; in NetworkX, call \
                    `write_edgelist`";
        return Ok(Some(unsupported_list_error("a multiline adjacency list", help, at)));
    }
    if matches!(delimiter, SPACES | b'\t') && is_adjacency_list(rows)? {
        let help = "write one line for each edge: `a b` and `a c` instead of `a b c`";
        return Ok(Some(unsupported_list_error("an adjacency list", help, at)));
    }
    Ok(None)
}

fn unsupported_list_error(name: &str, help: &str, at: Span) -> Diagnostic {
    let message = format!("{name} is not a supported format");
    Diagnostic::new(codes::WRONG_FORMAT, message).help(help).at(at)
}

fn counts_in_first_line(at: Span) -> Diagnostic {
    let message = "expected an edge in the first line, found the numbers of nodes and edges";
    Diagnostic::new(codes::COUNT_LINE, message)
        .help("remove this line; if it is an edge, write the header `source target` above it")
        .at(at)
}

fn parse_integers(cells: &[CsvCell<'_>]) -> Option<Vec<u64>> {
    cells.iter().map(|cell| cell.text().trim().parse().ok()).collect()
}

/// Returns whether the other lines are those of METIS: one for each node, with two mentions of each
/// edge. A node without neighbours has a blank line.
fn is_metis(nodes: u64, edges: u64, weights: Option<u64>, rows: &CsvReader<'_>) -> bool {
    let mut lines = rows.rest().lines().filter(|line| !line.trim_start().starts_with('%')).skip(1);
    if nodes == 0 || edges == 0 || weights.is_some_and(|weights| weights > 111) {
        return false;
    }
    let is_weighted = weights.is_some_and(|weights| weights > 0);
    let mut mentions = 0u64;
    for node in 1..=nodes {
        let Some(line) = lines.next() else { return false };
        for cell in line.split_whitespace() {
            let Ok(neighbor) = cell.parse::<u64>() else { return false };
            if !is_weighted && (neighbor == node || !(1..=nodes).contains(&neighbor)) {
                return false;
            }
            mentions += 1;
        }
    }
    let is_complete = lines.all(|line| line.trim().is_empty());
    let expected = edges.saturating_mul(2);
    is_complete
        && match weights {
            None | Some(0) => mentions == expected,
            Some(1) => mentions == expected.saturating_mul(2),
            Some(_) => mentions >= expected + nodes,
        }
}

/// Returns whether the first row counts the nodes and the other rows.
fn is_counted(nodes: u64, edges: u64, rows: &CsvReader<'_>) -> Result<bool, UnclosedQuote> {
    let (mut rows, mut cells) = (rows.clone(), Vec::new());
    rows.next(&mut cells)?;
    for _ in 0..edges {
        let row = rows.next(&mut cells)?;
        let mut ends = cells.iter().take(2).map(|cell| cell.text().trim().parse::<u64>());
        let has_ends = cells.len() >= 2 && ends.all(|end| end.is_ok_and(|end| end <= nodes));
        if row.is_none() || !has_ends {
            return Ok(false);
        }
    }
    Ok(rows.next(&mut cells)?.is_none())
}

/// Returns whether each row with a node and a number is above so many neighbours with dictionaries, as
/// NetworkX writes them.
fn is_multiline_adjacency(rows: &CsvReader<'_>) -> Result<bool, UnclosedQuote> {
    let (mut rows, mut cells) = (rows.clone(), Vec::new());
    let (mut pending, mut neighbors) = (0u64, 0);
    for _ in 0..MAX_INSPECTED_ROWS {
        if rows.next(&mut cells)?.is_none() {
            return Ok(pending == 0 && neighbors > 0);
        }
        let [_, second] = cells.as_slice() else { return Ok(false) };
        let second = second.text();
        if pending == 0 {
            let Ok(count) = second.parse() else { return Ok(false) };
            pending = count;
        } else if second.starts_with('{') {
            pending -= 1;
            neighbors += 1;
        } else {
            return Ok(false);
        }
    }
    Ok(neighbors > 0)
}

/// Returns whether each row begins with another node, the rows differ in length, and cells after the
/// second one are nodes with a row.
fn is_adjacency_list(rows: &CsvReader<'_>) -> Result<bool, UnclosedQuote> {
    let (mut rows, mut cells) = (rows.clone(), Vec::new());
    let mut lengths = BTreeSet::new();
    let mut nodes = BTreeSet::new();
    let mut neighbors = BTreeSet::new();
    for _ in 0..MAX_INSPECTED_ROWS {
        if rows.next(&mut cells)?.is_none() {
            break;
        }
        let mut texts = cells.iter().filter(|cell| !cell.is_empty()).map(|cell| cell.text());
        let Some(node) = texts.next() else { continue };
        if !nodes.insert(node) {
            return Ok(false);
        }
        // Attributes of NetworkX are the last cell.
        if cells.last().is_some_and(|cell| cell.text().starts_with('{')) {
            return Ok(false);
        }
        neighbors.extend(texts.skip(1));
        lengths.insert(cells.len());
    }
    Ok(lengths.len() > 1 && neighbors.iter().any(|cell| nodes.contains(cell)))
}
