//! Tables of nodes and edges in one text, as APOC exports a database.

use super::preamble::{SpaceMeaning, delimiter_of, read_preamble};
use super::rows::CsvReader;
use crate::gasl::import::end_names::find_ends;

/// Columns of APOC that only nodes have.
const NODE_COLUMNS: [&str; 2] = ["_id", "_labels"];

/// Returns the rows of nodes and the rows of edges, each with the header; `None` for any other text. All
/// rows keep their offsets, because the others become blank lines.
pub fn split_combined(bytes: &[u8]) -> Option<(Vec<u8>, Vec<u8>)> {
    let text = std::str::from_utf8(bytes).ok()?;
    let preamble = read_preamble(text);
    let rest = text.get(preamble.start..)?;
    let delimiter = preamble.delimiter.unwrap_or_else(|| delimiter_of(rest, SpaceMeaning::Text));
    let mut rows = CsvReader::new(text, delimiter).starting_at(preamble.start);
    let mut cells = Vec::new();
    rows.next(&mut cells).ok()??;
    let names: Vec<String> = cells.iter().map(|cell| cell.text().trim().to_owned()).collect();
    let names: Vec<&str> = names.iter().map(|name| name.trim_start_matches('\u{feff}')).collect();
    if !NODE_COLUMNS.iter().all(|column| names.contains(column)) {
        return None;
    }
    let (source, target) = find_ends(&names)?;
    let (mut nodes, mut edges) = (bytes.to_vec(), bytes.to_vec());
    while let Some(row) = rows.next(&mut cells).ok()? {
        let is_filled = |column: usize| cells.get(column).is_some_and(|cell| !cell.is_empty());
        let is_edge = is_filled(source) || is_filled(target);
        let others = if is_edge { &mut nodes } else { &mut edges };
        others.get_mut(row.start..row.end)?.fill(b'\n');
    }
    Some((nodes, edges))
}
