//! A graph from two tables: nodes with `id`, and edges with `source` and `target`.
//!
//! Each text is read twice: a column holds numbers only where all of its cells are numbers, and to
//! know that before the first cell is stored saves storing it anew. The texts are given one after
//! the other, so that a host may free the first before it hands over the second.

mod header;
mod rows;

use self::header::{ColumnRole, ColumnType, CsvTable, roles, same_column};
use self::rows::{CsvCell, CsvReader, RowBlock, UnclosedQuote, delimiter_of};
use super::import_builder::ImportBuilder;
use super::{ImportLimits, ImportResult, codes, exact_number, text_of};
use crate::base::{Diagnostic, Span};
use crate::gasl::graph::{AttributeValue, CapacityHint, Element, QuoteHandling};

/// A row of a table as it is written.
struct CsvRow<'a> {
    columns: &'a [ColumnTarget],
    cells: &'a [CsvCell<'a>],
    /// The nodes that it joins, where they were found.
    ends: [Option<u32>; 2],
    at: Span,
}

/// A graph whose tables are read one after the other.
pub struct CsvImporter {
    graph: ImportBuilder,
    limits: ImportLimits,
}

/// A graph from the two tables at once.
pub fn csv(nodes: &[u8], edges: &[u8], directed: bool, limits: ImportLimits) -> ImportResult {
    let mut csv = CsvImporter::new(directed, limits);
    let mut warnings = csv.nodes(nodes)?;
    warnings.extend(csv.edges(edges)?);
    let (graph, more) = csv.finish()?;
    warnings.extend(more);
    Ok((graph, warnings))
}

impl CsvImporter {
    /// A graph without nodes.
    pub fn new(directed: bool, limits: ImportLimits) -> CsvImporter {
        let mut graph = ImportBuilder::new(QuoteHandling::Strip, limits);
        graph.builder.directed = directed;
        CsvImporter { graph, limits }
    }

    /// Reads the nodes; a text without rows lists none. Answers warnings.
    pub fn nodes(&mut self, text: &[u8]) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
        self.read(CsvTable::Nodes, text)
    }

    /// Reads the edges. Answers warnings.
    pub fn edges(&mut self, text: &[u8]) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
        self.read(CsvTable::Edges, text)
    }

    /// The graph, with what can be said only now.
    pub fn finish(self) -> ImportResult {
        self.graph.finish()
    }

    fn read(&mut self, table: CsvTable, bytes: &[u8]) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
        match self.read_rows(table, bytes) {
            Ok(()) => Ok(self.graph.take_notes()),
            Err(error) => Err(vec![error]),
        }
    }

    fn read_rows(&mut self, table: CsvTable, bytes: &[u8]) -> Result<(), Diagnostic> {
        let (text, offset) = text_of(bytes, self.limits)?;
        let delimiter = delimiter_of(text);
        let mut rows = CsvReader::new(text, delimiter);
        let mut cells = Vec::new();
        let unclosed_quote = |UnclosedQuote(at): UnclosedQuote| unclosed_quote(at + offset);
        let Some(start) = rows.next(&mut cells).map_err(unclosed_quote)? else { return Ok(()) };
        let start = Span::new(start.start + offset, start.end + offset);
        self.graph.check_fields(cells.len(), start)?;
        let roles = roles(table, &cells, start)?;
        if let Some(warning) = same_column(&roles, start) {
            self.graph.note(codes::DUPLICATE_COLUMN, || warning);
        }
        let (count, surveyed) = scan_columns(&roles, text, delimiter).map_err(unclosed_quote)?;
        match table {
            CsvTable::Nodes => self.graph.builder.reserve_nodes(count.min(self.limits.nodes)),
            CsvTable::Edges => self.graph.builder.reserve_edges(count.min(self.limits.edges)),
        }
        let columns = self.columns(table, &roles, &surveyed, count, start)?;
        let mut block = RowBlock::default();
        let mut ends = Vec::new();
        while block.read(&mut rows).map_err(unclosed_quote)? {
            self.find_ends(&columns, &block, &mut ends);
            let mut ends = ends.iter();
            for (at, cells) in block.rows() {
                let at = Span::new(at.start + offset, at.end + offset);
                let mut end = || ends.next().copied().flatten();
                let ends = [end(), end()];
                self.read_row(table, &CsvRow { columns: &columns, cells, ends, at })?;
            }
        }
        Ok(())
    }

    /// The nodes at both ends of each edge of a block, as far as there are any by now: to look for one
    /// after the other takes much longer in a graph that fits into no cache.
    fn find_ends<'t>(
        &self,
        columns: &[ColumnTarget],
        block: &RowBlock<'t>,
        found: &mut Vec<Option<u32>>,
    ) {
        let place = |wanted| columns.iter().position(|column| *column == wanted);
        let (Some(source), Some(target)) =
            (place(ColumnTarget::Source), place(ColumnTarget::Target))
        else {
            return;
        };
        let id = |cells: &[CsvCell<'t>], at: usize| cells.get(at)?.plain();
        // No node has the empty id, so where there is none, or it has to be put together, none is found.
        let mut ids = Vec::new();
        for (_, cells) in block.rows() {
            ids.push(id(cells, source).unwrap_or_default());
            ids.push(id(cells, target).unwrap_or_default());
        }
        self.graph.builder.find_nodes(&ids, found);
    }

    /// Takes in a row.
    fn read_row(&mut self, table: CsvTable, line: &CsvRow<'_>) -> Result<(), Diagnostic> {
        let CsvRow { columns, cells, at, .. } = *line;
        if cells.len() > columns.len() {
            self.graph.note(codes::EXTRA_CELLS, || {
                let (found, wanted) = (cells.len(), columns.len());
                let message = format!("a row with {found} cells under {wanted} columns");
                Diagnostic::new(codes::EXTRA_CELLS, message)
                    .help("put a cell with a separator in it between double quotes")
                    .at(at)
            });
        }
        let Some(row) = self.row(table, line)? else { return Ok(()) };
        for (cell, column) in cells.iter().zip(columns) {
            let ColumnTarget::Attribute(field, numeric) = column else { continue };
            if cell.is_empty() {
                continue;
            }
            let text = cell.text();
            let number = if *numeric { exact_number(&text) } else { None };
            let given = number.map_or(AttributeValue::Text(&text), AttributeValue::Number);
            self.graph.builder.set_at(row, *field, given);
        }
        Ok(())
    }

    fn columns(
        &mut self,
        table: CsvTable,
        roles: &[ColumnRole],
        surveyed: &[ColumnStats],
        count: usize,
        at: Span,
    ) -> Result<Vec<ColumnTarget>, Diagnostic> {
        let row = if table == CsvTable::Nodes { Element::Node(0) } else { Element::Edge(0) };
        let column = |(role, found): (&ColumnRole, &ColumnStats)| {
            Ok(match role {
                ColumnRole::Id => ColumnTarget::Id,
                ColumnRole::Source => ColumnTarget::Source,
                ColumnRole::Target => ColumnTarget::Target,
                ColumnRole::Unnamed => ColumnTarget::Ignored,
                ColumnRole::Attribute(name, _) => {
                    let field = self.graph.field(row, name, at)?;
                    if found.present > count / 2 {
                        self.graph.builder.reserve_attribute(row, field, found.expected());
                    }
                    ColumnTarget::Attribute(field, found.numeric)
                }
            })
        };
        roles.iter().zip(surveyed).map(column).collect()
    }

    /// The row of the graph that these cells describe.
    fn row(&mut self, table: CsvTable, line: &CsvRow<'_>) -> Result<Option<Element>, Diagnostic> {
        let CsvRow { columns, cells, ends, at } = *line;
        let of = |wanted: ColumnTarget| {
            let place = columns.iter().position(|column| *column == wanted)?;
            cells.get(place).filter(|cell| !cell.is_empty()).map(|cell| cell.text())
        };
        if table == CsvTable::Nodes {
            let Some(id) = of(ColumnTarget::Id) else {
                self.graph.incomplete("a node without an id", "give it one; it was left out", at);
                return Ok(None);
            };
            return Ok(Some(Element::Node(self.graph.node(&id, at)?.0)));
        }
        let (Some(source), Some(target)) = (of(ColumnTarget::Source), of(ColumnTarget::Target))
        else {
            self.graph.incomplete("an edge without both ends", "give it both; it was left out", at);
            return Ok(None);
        };
        let mut end = |found: Option<u32>, id: &str| match found {
            Some(row) => Ok(row),
            None => self.graph.end(id, at),
        };
        let [found_source, found_target] = ends;
        let (source, target) = (end(found_source, &source)?, end(found_target, &target)?);
        let edge = self.graph.edge(of(ColumnTarget::Id).as_deref(), source, target, at)?;
        Ok(Some(Element::Edge(edge)))
    }
}

/// Where the cells of a column go.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ColumnTarget {
    Id,
    Source,
    Target,
    Ignored,
    /// To a field, as numbers or as texts.
    Attribute(usize, bool),
}

/// What the cells of a column hold.
struct ColumnStats {
    /// Numbers only.
    numeric: bool,
    /// How many say something.
    present: usize,
    /// How many bytes they take together.
    bytes: usize,
}

impl ColumnStats {
    fn expected(&self) -> CapacityHint {
        match self.numeric {
            true => CapacityHint::Numbers(self.present),
            false => CapacityHint::Texts(self.present, self.bytes),
        }
    }
}

/// How many rows there are, and what is in each column.
fn scan_columns(
    roles: &[ColumnRole],
    text: &str,
    delimiter: u8,
) -> Result<(usize, Vec<ColumnStats>), UnclosedQuote> {
    let found = |role: &ColumnRole| {
        let numeric = matches!(role, ColumnRole::Attribute(_, ColumnType::Found));
        ColumnStats { numeric, present: 0, bytes: 0 }
    };
    let mut columns: Vec<ColumnStats> = roles.iter().map(found).collect();
    let mut rows = CsvReader::new(text, delimiter);
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

fn unclosed_quote(at: usize) -> Diagnostic {
    Diagnostic::new(codes::UNCLOSED_QUOTE, "a quoted cell is never closed")
        .help("close it with `\"`, and write a quote inside it twice")
        .at(Span::new(at, at + 1))
}
