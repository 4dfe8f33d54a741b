//! A graph from two tables: nodes with `id`, and edges with `source` and `target`.
//!
//! Each text is read twice: a column holds numbers only where all of its cells are numbers, and to
//! know that before the first cell is stored saves storing it anew. The texts are given one after
//! the other, so that a host may free the first before it hands over the second.

mod header;
mod rows;

use self::header::{Kind, Role, Table, roles, same_column};
use self::rows::{Block, Cell, OpenQuote, Rows, delimiter_of};
use super::draft::Draft;
use super::{Imported, Limits, codes, exact_number, text_of};
use crate::base::{Diagnostic, Span};
use crate::gasl::graph::{Expected, Given, Quotes, Row};

/// A row of a table as it is written.
struct Line<'a> {
    columns: &'a [Column],
    cells: &'a [Cell<'a>],
    /// The nodes that it joins, where they were found.
    ends: [Option<u32>; 2],
    at: Span,
}

/// A graph whose tables are read one after the other.
pub struct Csv {
    draft: Draft,
    limits: Limits,
}

/// A graph from the two tables at once.
pub fn csv(nodes: &[u8], edges: &[u8], directed: bool, limits: Limits) -> Imported {
    let mut csv = Csv::new(directed, limits);
    let mut warnings = csv.nodes(nodes)?;
    warnings.extend(csv.edges(edges)?);
    let (graph, more) = csv.finish()?;
    warnings.extend(more);
    Ok((graph, warnings))
}

impl Csv {
    /// A graph without nodes.
    pub fn new(directed: bool, limits: Limits) -> Csv {
        let mut draft = Draft::new(Quotes::Stripped, limits);
        draft.builder.directed = directed;
        Csv { draft, limits }
    }

    /// Reads the nodes; a text without rows lists none. Answers warnings.
    pub fn nodes(&mut self, text: &[u8]) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
        self.read(Table::Nodes, text)
    }

    /// Reads the edges. Answers warnings.
    pub fn edges(&mut self, text: &[u8]) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
        self.read(Table::Edges, text)
    }

    /// The graph, with what can be said only now.
    pub fn finish(self) -> Imported {
        self.draft.finish()
    }

    fn read(&mut self, table: Table, bytes: &[u8]) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
        match self.read_rows(table, bytes) {
            Ok(()) => Ok(self.draft.take_notes()),
            Err(error) => Err(vec![error]),
        }
    }

    fn read_rows(&mut self, table: Table, bytes: &[u8]) -> Result<(), Diagnostic> {
        let (text, offset) = text_of(bytes, self.limits)?;
        let delimiter = delimiter_of(text);
        let mut rows = Rows::new(text, delimiter);
        let mut cells = Vec::new();
        let open_quote = |OpenQuote(at): OpenQuote| open_quote(at + offset);
        let Some(start) = rows.next(&mut cells).map_err(open_quote)? else { return Ok(()) };
        let start = Span::new(start.start + offset, start.end + offset);
        self.draft.check_fields(cells.len(), start)?;
        let roles = roles(table, &cells, start)?;
        if let Some(warning) = same_column(&roles, start) {
            self.draft.note(codes::SAME_COLUMN, || warning);
        }
        let (count, surveyed) = survey(&roles, text, delimiter).map_err(open_quote)?;
        match table {
            Table::Nodes => self.draft.builder.reserve_nodes(count.min(self.limits.nodes)),
            Table::Edges => self.draft.builder.reserve_edges(count.min(self.limits.edges)),
        }
        let columns = self.columns(table, &roles, &surveyed, count, start)?;
        let mut block = Block::default();
        let mut ends = Vec::new();
        while block.read(&mut rows).map_err(open_quote)? {
            self.find_ends(&columns, &block, &mut ends);
            let mut ends = ends.iter();
            for (at, cells) in block.rows() {
                let at = Span::new(at.start + offset, at.end + offset);
                let mut end = || ends.next().copied().flatten();
                let ends = [end(), end()];
                self.read_row(table, &Line { columns: &columns, cells, ends, at })?;
            }
        }
        Ok(())
    }

    /// The nodes at both ends of each edge of a block, as far as there are any by now: to look for one
    /// after the other takes much longer in a graph that fits into no cache.
    fn find_ends<'t>(&self, columns: &[Column], block: &Block<'t>, found: &mut Vec<Option<u32>>) {
        let place = |wanted| columns.iter().position(|column| *column == wanted);
        let (Some(source), Some(target)) = (place(Column::Source), place(Column::Target)) else {
            return;
        };
        let id = |cells: &[Cell<'t>], at: usize| cells.get(at)?.plain();
        // No node has the empty id, so where there is none, or it has to be put together, none is found.
        let mut ids = Vec::new();
        for (_, cells) in block.rows() {
            ids.push(id(cells, source).unwrap_or_default());
            ids.push(id(cells, target).unwrap_or_default());
        }
        self.draft.builder.find_all(&ids, found);
    }

    /// Takes in a row.
    fn read_row(&mut self, table: Table, line: &Line<'_>) -> Result<(), Diagnostic> {
        let Line { columns, cells, at, .. } = *line;
        if cells.len() > columns.len() {
            self.draft.note(codes::RAGGED, || {
                let (found, wanted) = (cells.len(), columns.len());
                let message = format!("a row with {found} cells under {wanted} columns");
                Diagnostic::new(codes::RAGGED, message)
                    .help("put a cell with a separator in it between double quotes")
                    .at(at)
            });
        }
        let Some(row) = self.row(table, line)? else { return Ok(()) };
        for (cell, column) in cells.iter().zip(columns) {
            let Column::Attribute(field, numeric) = column else { continue };
            if cell.is_empty() {
                continue;
            }
            let text = cell.text();
            let number = if *numeric { exact_number(&text) } else { None };
            let given = number.map_or(Given::Text(&text), Given::Number);
            self.draft.builder.set_at(row, *field, given);
        }
        Ok(())
    }

    fn columns(
        &mut self,
        table: Table,
        roles: &[Role],
        surveyed: &[Surveyed],
        count: usize,
        at: Span,
    ) -> Result<Vec<Column>, Diagnostic> {
        let row = if table == Table::Nodes { Row::Node(0) } else { Row::Edge(0) };
        let column = |(role, found): (&Role, &Surveyed)| {
            Ok(match role {
                Role::Id => Column::Id,
                Role::Source => Column::Source,
                Role::Target => Column::Target,
                Role::Unnamed => Column::Ignored,
                Role::Attribute(name, _) => {
                    let field = self.draft.field(row, name, at)?;
                    if found.present > count / 2 {
                        self.draft.builder.reserve(row, field, found.expected());
                    }
                    Column::Attribute(field, found.numeric)
                }
            })
        };
        roles.iter().zip(surveyed).map(column).collect()
    }

    /// The row of the graph that these cells describe.
    fn row(&mut self, table: Table, line: &Line<'_>) -> Result<Option<Row>, Diagnostic> {
        let Line { columns, cells, ends, at } = *line;
        let of = |wanted: Column| {
            let place = columns.iter().position(|column| *column == wanted)?;
            cells.get(place).filter(|cell| !cell.is_empty()).map(|cell| cell.text())
        };
        if table == Table::Nodes {
            let Some(id) = of(Column::Id) else {
                self.draft.incomplete("a node without an id", "give it one; it was left out", at);
                return Ok(None);
            };
            return Ok(Some(Row::Node(self.draft.node(&id, at)?.0)));
        }
        let (Some(source), Some(target)) = (of(Column::Source), of(Column::Target)) else {
            self.draft.incomplete("an edge without both ends", "give it both; it was left out", at);
            return Ok(None);
        };
        let mut end = |found: Option<u32>, id: &str| match found {
            Some(row) => Ok(row),
            None => self.draft.end(id, at),
        };
        let [found_source, found_target] = ends;
        let (source, target) = (end(found_source, &source)?, end(found_target, &target)?);
        let edge = self.draft.edge(of(Column::Id).as_deref(), source, target, at)?;
        Ok(Some(Row::Edge(edge)))
    }
}

/// Where the cells of a column go.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Column {
    Id,
    Source,
    Target,
    Ignored,
    /// To a field, as numbers or as texts.
    Attribute(usize, bool),
}

/// What the cells of a column hold.
struct Surveyed {
    /// Numbers only.
    numeric: bool,
    /// How many say something.
    present: usize,
    /// How many bytes they take together.
    bytes: usize,
}

impl Surveyed {
    fn expected(&self) -> Expected {
        match self.numeric {
            true => Expected::Numbers(self.present),
            false => Expected::Texts(self.present, self.bytes),
        }
    }
}

/// How many rows there are, and what is in each column.
fn survey(roles: &[Role], text: &str, delimiter: u8) -> Result<(usize, Vec<Surveyed>), OpenQuote> {
    let found = |role: &Role| {
        let numeric = matches!(role, Role::Attribute(_, Kind::Found));
        Surveyed { numeric, present: 0, bytes: 0 }
    };
    let mut columns: Vec<Surveyed> = roles.iter().map(found).collect();
    let mut rows = Rows::new(text, delimiter);
    let mut cells = Vec::new();
    let mut count = 0;
    rows.next(&mut cells)?;
    while rows.next(&mut cells)?.is_some() {
        count += 1;
        for (column, cell) in columns.iter_mut().zip(&cells) {
            if cell.is_empty() {
                continue;
            }
            column.present += 1;
            column.bytes += cell.len();
            if column.numeric {
                column.numeric = exact_number(&cell.text()).is_some();
            }
        }
    }
    Ok((count, columns))
}

fn open_quote(at: usize) -> Diagnostic {
    Diagnostic::new(codes::OPEN_QUOTE, "a quoted cell is never closed")
        .help("close it with `\"`, and write a quote inside it twice")
        .at(Span::new(at, at + 1))
}
