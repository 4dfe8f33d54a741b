//! Layout of a table: its delimiter, the names and roles of its columns, and its first row.

use super::header::{
    ColumnRole, CsvTable, column_roles, id_column, id_spaces, missing_column, missing_ends,
};
use super::matrix::{is_matrix, matrix_error};
use super::number_notation::{NumberFormat, parse_cell_number};
use super::other_lists::unsupported_list;
use super::preamble::{KonectFormat, Preamble, SpaceMeaning, delimiter_of, read_preamble};
use super::rows::{CsvCell, CsvReader, SPACES, UnclosedQuote};
use super::unnamed::{EndGuess, UnnamedColumns, unnamed_columns};
use crate::base::{Diagnostic, Span};
use crate::gasl::import::codes;
use crate::gasl::import::end_names::find_ends;
use crate::gasl::import::import_builder::ImportBuilder;
use crate::gasl::import::node_ids::IdOrigin;
use crate::gasl::import::options::{ImportOptions, POSITION_ID};

/// Layout of a table.
pub struct TableLayout<'a> {
    pub roles: Vec<ColumnRole>,
    pub delimiter: u8,
    /// Reader of the rows after the header.
    pub rows: CsvReader<'a>,
    /// Span of the header, or of the first row.
    pub at: Span,
    /// Origin of the ids of nodes.
    pub ids: IdOrigin,
    /// Direction that a comment declares.
    pub directed: Option<bool>,
    /// Id spaces of Neo4j.
    pub id_spaces: Vec<String>,
    /// Whether both ends count the nodes of their own side.
    pub is_bipartite: bool,
}

/// Columns of a table.
struct Columns<'a> {
    names: Vec<String>,
    ends: Option<(usize, usize)>,
    /// Column of Python dictionaries with attributes.
    dictionary: Option<usize>,
    rows: CsvReader<'a>,
}

/// Returns the layout of a table; `None` if it has no rows.
pub fn table_layout<'a>(
    table: CsvTable,
    text: &'a str,
    offset: usize,
    options: &ImportOptions,
    graph: &mut ImportBuilder,
) -> Result<Option<TableLayout<'a>>, Diagnostic> {
    let preamble = read_preamble(text);
    let spaces =
        if table == CsvTable::Edges { SpaceMeaning::Delimiters } else { SpaceMeaning::Text };
    let rest = text.get(preamble.start..).unwrap_or_default();
    let delimiter = preamble.delimiter.unwrap_or_else(|| delimiter_of(rest, spaces));
    let rows =
        CsvReader::new(text, delimiter).with_comments(preamble.comment).starting_at(preamble.start);
    let rows = rows.with_escapes();
    let mut after = rows.clone();
    let mut cells = Vec::new();
    let unclosed = |quote: UnclosedQuote| quote.diagnostic(offset);
    let Some(first) = after.next(&mut cells).map_err(unclosed)? else {
        return match preamble.comments {
            0 => Ok(None),
            count => Err(only_comments_error(count, offset)),
        };
    };
    let at = Span::new(first.start + offset, first.end + offset);
    graph.check_attribute_count(cells.len(), at)?;
    let named = Columns { names: cell_texts(&cells), ends: None, dictionary: None, rows: after };
    let columns = match table {
        CsvTable::Nodes => {
            let columns = node_columns(&preamble, delimiter, named, rows);
            if columns
                .names
                .iter()
                .all(|name| parse_cell_number(name, NumberFormat::Comma).is_some())
            {
                return Err(no_node_header_error(at));
            }
            columns
        }
        CsvTable::Edges => {
            let part = EdgeTable { preamble: &preamble, delimiter, cells: &cells, at, options };
            part.columns(named, rows, graph).map_err(|error| match error {
                LayoutError::Quote(quote) => unclosed(quote),
                LayoutError::Diagnostic(diagnostic) => diagnostic,
            })?
        }
    };
    let names: Vec<&str> = columns.names.iter().map(String::as_str).collect();
    let (id, ids) = find_id_column(table, &names, options, at)?;
    let mut roles = column_roles(&names, id, columns.ends);
    if let Some(role) = columns.dictionary.and_then(|column| roles.get_mut(column)) {
        *role = ColumnRole::Dictionary;
    }
    let directed = preamble.directed;
    let id_spaces = id_spaces(&names);
    let is_bipartite = preamble.konect == Some(KonectFormat::Bipartite);
    let rows = columns.rows;
    Ok(Some(TableLayout { roles, delimiter, rows, at, ids, directed, id_spaces, is_bipartite }))
}

fn cell_texts(cells: &[CsvCell<'_>]) -> Vec<String> {
    cells.iter().map(|cell| cell.text().trim().to_owned()).collect()
}

fn no_node_header_error(at: Span) -> Diagnostic {
    Diagnostic::new(codes::MISSING_COLUMN, "expected a header of the nodes, found numbers")
        .help("write the names of the columns, such as `id`, above the first row")
        .at(at)
}

fn only_comments_error(count: usize, offset: usize) -> Diagnostic {
    let message = format!("expected rows, found {count} comment lines that start with `#` or `%`");
    Diagnostic::new(codes::MISSING_COLUMN, message)
        .help("write the header `source,target` as the first line if these lines are rows")
        .at(Span::new(offset, offset))
}

/// Returns the column of the ids and their origin.
fn find_id_column(
    table: CsvTable,
    names: &[&str],
    options: &ImportOptions,
    at: Span,
) -> Result<(Option<usize>, IdOrigin), Diagnostic> {
    let index_of = |column: &str| names.iter().position(|name| *name == column);
    if let Some(column) = options.id.as_deref().filter(|_| table == CsvTable::Nodes) {
        return match index_of(column) {
            _ if column == POSITION_ID => Ok((None, IdOrigin::Positions)),
            Some(index) => Ok((Some(index), IdOrigin::Chosen)),
            None => Err(missing_column(column, names, at)),
        };
    }
    let id = id_column(table, names);
    let name = id.and_then(|id| names.get(id));
    let origin = name.map_or(IdOrigin::Missing, |name| IdOrigin::Declared((*name).to_owned()));
    Ok((id, origin))
}

/// Returns the columns of a table of nodes: those of the first row, or of a comment with an id.
fn node_columns<'a>(
    preamble: &Preamble<'_>,
    delimiter: u8,
    named: Columns<'a>,
    rows: CsvReader<'a>,
) -> Columns<'a> {
    let has_id = |names: &[String]| {
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        id_column(CsvTable::Nodes, &names).is_some()
    };
    match comment_names(preamble, delimiter, named.names.len()) {
        Some(names) if has_id(&names) && !has_id(&named.names) => {
            Columns { names, ends: None, dictionary: None, rows }
        }
        _ => named,
    }
}

/// Returns the names in the last comment, if it has `count` cells.
fn comment_names(preamble: &Preamble<'_>, delimiter: u8, count: usize) -> Option<Vec<String>> {
    let mut cells = Vec::new();
    CsvReader::new(preamble.header?, delimiter).next(&mut cells).ok()??;
    (cells.len() == count).then(|| cell_texts(&cells))
}

/// Error of a table, or its unclosed quote.
pub enum LayoutError {
    Quote(UnclosedQuote),
    Diagnostic(Diagnostic),
}

impl From<UnclosedQuote> for LayoutError {
    fn from(error: UnclosedQuote) -> LayoutError {
        LayoutError::Quote(error)
    }
}

/// First row of a table of edges.
struct EdgeTable<'t> {
    preamble: &'t Preamble<'t>,
    delimiter: u8,
    cells: &'t [CsvCell<'t>],
    at: Span,
    options: &'t ImportOptions,
}

impl EdgeTable<'_> {
    /// Returns the columns: those of the first row or of a comment, or unnamed ones.
    fn columns<'a>(
        &self,
        named: Columns<'a>,
        rows: CsvReader<'a>,
        graph: &mut ImportBuilder,
    ) -> Result<Columns<'a>, LayoutError> {
        let names: Vec<&str> = named.names.iter().map(String::as_str).collect();
        let comment_names = comment_names(self.preamble, self.delimiter, names.len());
        let find = |names: &[&str]| match self.options.ends() {
            Some(ends) => {
                let [source, target] = ends.map(|end| names.iter().position(|name| *name == end));
                source.zip(target)
            }
            None => find_ends(names),
        };
        if let Some(ends) = find(&names) {
            return Ok(Columns { ends: Some(ends), ..named });
        }
        if let Some(names) = &comment_names {
            let refs: Vec<&str> = names.iter().map(String::as_str).collect();
            if let Some(ends) = find(&refs) {
                let names = names.clone();
                return Ok(Columns { names, ends: Some(ends), dictionary: None, rows });
            }
        }
        if let Some(ends) = self.options.ends() {
            let missing = ends.into_iter().find(|end| !names.contains(end)).unwrap_or_default();
            return Err(LayoutError::Diagnostic(missing_column(missing, &names, self.at)));
        }
        let comment_names = comment_names.filter(|names| self.is_header(names));
        if is_matrix(&names, &rows, &named.rows)? {
            return Err(LayoutError::Diagnostic(matrix_error(self.at)));
        }
        if self.preamble.konect.is_none()
            && let Some(error) = unsupported_list(self.cells, &rows, self.delimiter, self.at)?
        {
            return Err(LayoutError::Diagnostic(error));
        }
        let Some(mut found) = unnamed_columns(self.cells, &rows, comment_names, graph)? else {
            return Err(LayoutError::Diagnostic(missing_ends(&names, self.at)));
        };
        if let Some(time) = found.names.get_mut(3).filter(|_| self.preamble.konect.is_some()) {
            *time = "timestamp".to_owned();
        }
        self.report_missing_header(&found.names, graph);
        if let Some(guess) = found.guess {
            self.report_guessed_ends(guess, found.ends, graph);
        }
        let UnnamedColumns { names, ends, dictionary, .. } = found;
        Ok(Columns { names, ends: Some(ends), dictionary, rows })
    }

    /// Returns whether the cells of a comment are names of columns, such as those of BioGRID. Words
    /// between spaces may be a sentence.
    fn is_header(&self, names: &[String]) -> bool {
        let is_number = |name: &String| parse_cell_number(name, NumberFormat::Comma).is_some();
        self.delimiter != SPACES && names.len() > 3 && !names.iter().any(is_number)
    }

    fn report_guessed_ends(
        &self,
        guess: EndGuess,
        (source, target): (usize, usize),
        graph: &mut ImportBuilder,
    ) {
        let reason = match guess {
            EndGuess::NoSharedValues => "no two columns share values",
            EndGuess::SeveralPairs => "several pairs of columns share values",
        };
        graph.warn(codes::GUESSED_ENDS, || {
            let message = format!(
                "{reason}; the ends were read from columns {} and {}",
                source + 1,
                target + 1
            );
            Diagnostic::new(codes::GUESSED_ENDS, message)
                .help("write a header such as `source,type,target` above the first row")
                .at(self.at)
        });
    }

    fn report_missing_header(&self, names: &[String], graph: &mut ImportBuilder) {
        let listed = crate::base::names::format_names(names.iter().map(String::as_str));
        let comments = match self.preamble.comments {
            0 => String::new(),
            1 => ", and 1 comment line was skipped".to_owned(),
            count => format!(", and {count} comment lines were skipped"),
        };
        graph.warn(codes::NO_HEADER, || {
            let message = format!("no header; the columns were read as {listed}{comments}");
            Diagnostic::new(codes::NO_HEADER, message)
                .help("write a header such as `source,target` above the first row")
                .at(self.at)
        });
    }
}
