//! Imports a graph from two CSV tables: nodes with `id`, and edges with `source` and `target`.
//!
//! Each text is read twice: a column is numeric only if all of its cells are numbers, and knowing
//! that before the first cell is stored avoids converting the column. The tables are passed one by
//! one, so that a host can free the first before it allocates the second.

mod header;
mod rows;

use self::header::{ColumnRole, ColumnType, CsvTable, duplicate_column, roles};
use self::rows::{CsvCell, CsvReader, RowBlock, UnclosedQuote, delimiter_of};
use super::import_builder::ImportBuilder;
use super::number::exact_number;
use super::{ImportLimits, ImportResult, codes, decode};
use crate::base::{Diagnostic, Span};
use crate::gasl::graph::{AttributeValue, CapacityHint, Element, QuoteHandling};

/// Parsed row of a table.
struct CsvRow<'a> {
    columns: &'a [ColumnTarget],
    cells: &'a [CsvCell<'a>],
    /// Rows of the source and the target node, if they exist.
    ends: [Option<u32>; 2],
    at: Span,
}

/// Import of a graph whose tables are passed one by one.
pub struct CsvImporter {
    graph: ImportBuilder,
    limits: ImportLimits,
}

/// Imports a graph from both tables.
pub fn csv(nodes: &[u8], edges: &[u8], directed: bool, limits: ImportLimits) -> ImportResult {
    let mut csv = CsvImporter::new(directed, limits);
    let mut warnings = csv.nodes(nodes)?;
    warnings.extend(csv.edges(edges)?);
    let (graph, more) = csv.finish()?;
    warnings.extend(more);
    Ok((graph, warnings))
}

impl CsvImporter {
    /// Returns an import without nodes.
    pub fn new(directed: bool, limits: ImportLimits) -> CsvImporter {
        let mut graph = ImportBuilder::new(QuoteHandling::Strip, limits);
        graph.builder.directed = directed;
        CsvImporter { graph, limits }
    }

    /// Reads the table of nodes, which may be empty. Returns warnings.
    pub fn nodes(&mut self, text: &[u8]) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
        self.read(CsvTable::Nodes, text)
    }

    /// Reads the table of edges. Returns warnings.
    pub fn edges(&mut self, text: &[u8]) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
        self.read(CsvTable::Edges, text)
    }

    /// Returns the graph with warnings about both tables.
    pub fn finish(self) -> ImportResult {
        self.graph.finish()
    }

    fn read(&mut self, table: CsvTable, bytes: &[u8]) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
        match self.read_rows(table, bytes) {
            Ok(()) => Ok(self.graph.take_warnings()),
            Err(error) => Err(vec![error]),
        }
    }

    fn read_rows(&mut self, table: CsvTable, bytes: &[u8]) -> Result<(), Diagnostic> {
        let (text, offset) = decode(bytes, self.limits)?;
        let delimiter = delimiter_of(text);
        let mut rows = CsvReader::new(text, delimiter);
        let mut cells = Vec::new();
        let unclosed_quote = |UnclosedQuote(at): UnclosedQuote| unclosed_quote(at + offset);
        let Some(start) = rows.next(&mut cells).map_err(unclosed_quote)? else { return Ok(()) };
        let start = Span::new(start.start + offset, start.end + offset);
        self.graph.check_attribute_count(cells.len(), start)?;
        let roles = roles(table, &cells, start)?;
        if let Some(warning) = duplicate_column(&roles, start) {
            self.graph.warn(codes::DUPLICATE_COLUMN, || warning);
        }
        let (row_count, stats) = scan_columns(&roles, text, delimiter).map_err(unclosed_quote)?;
        match table {
            CsvTable::Nodes => self.graph.builder.reserve_nodes(row_count.min(self.limits.nodes)),
            CsvTable::Edges => self.graph.builder.reserve_edges(row_count.min(self.limits.edges)),
        }
        let columns = self.columns(table, &roles, &stats, row_count, start)?;
        let mut block = RowBlock::default();
        let mut ends = Vec::new();
        while block.read(&mut rows).map_err(unclosed_quote)? {
            self.find_endpoints(&columns, &block, &mut ends);
            let mut ends = ends.iter();
            for (at, cells) in block.rows() {
                let at = Span::new(at.start + offset, at.end + offset);
                let mut end = || ends.next().copied().flatten();
                let ends = [end(), end()];
                self.add_row(table, &CsvRow { columns: &columns, cells, ends, at })?;
            }
        }
        Ok(())
    }

    /// Replaces `found` with the existing endpoints of each edge of a block. Batched lookups overlap
    /// their cache misses.
    fn find_endpoints<'t>(
        &self,
        columns: &[ColumnTarget],
        block: &RowBlock<'t>,
        found: &mut Vec<Option<u32>>,
    ) {
        let index_of = |target| columns.iter().position(|column| *column == target);
        let (Some(source), Some(target)) =
            (index_of(ColumnTarget::Source), index_of(ColumnTarget::Target))
        else {
            return;
        };
        let id = |cells: &[CsvCell<'t>], at: usize| cells.get(at)?.unescaped();
        // Missing and escaped ids are looked up as the empty id, which no node has.
        let mut ids = Vec::new();
        for (_, cells) in block.rows() {
            ids.push(id(cells, source).unwrap_or_default());
            ids.push(id(cells, target).unwrap_or_default());
        }
        self.graph.builder.find_nodes(&ids, found);
    }

    /// Adds the node or edge of a row.
    fn add_row(&mut self, table: CsvTable, line: &CsvRow<'_>) -> Result<(), Diagnostic> {
        let CsvRow { columns, cells, at, .. } = *line;
        if cells.len() > columns.len() {
            self.graph.warn(codes::EXTRA_CELLS, || {
                let message = format!("expected {} cells, found {}", columns.len(), cells.len());
                Diagnostic::new(codes::EXTRA_CELLS, message)
                    .help("enclose a cell that contains the delimiter in double quotes")
                    .at(at)
            });
        }
        let Some(element) = self.element(table, line)? else { return Ok(()) };
        for (cell, column) in cells.iter().zip(columns) {
            let ColumnTarget::Attribute(attribute, numeric) = column else { continue };
            if cell.is_empty() {
                continue;
            }
            let text = cell.text();
            let number = if *numeric { exact_number(&text) } else { None };
            let value = number.map_or(AttributeValue::Text(&text), AttributeValue::Number);
            self.graph.builder.set_at(element, *attribute, value);
        }
        Ok(())
    }

    fn columns(
        &mut self,
        table: CsvTable,
        roles: &[ColumnRole],
        stats: &[ColumnStats],
        row_count: usize,
        at: Span,
    ) -> Result<Vec<ColumnTarget>, Diagnostic> {
        let element = if table == CsvTable::Nodes { Element::Node(0) } else { Element::Edge(0) };
        let column = |(role, stats): (&ColumnRole, &ColumnStats)| {
            Ok(match role {
                ColumnRole::Id => ColumnTarget::Id,
                ColumnRole::Source => ColumnTarget::Source,
                ColumnRole::Target => ColumnTarget::Target,
                ColumnRole::Unnamed => ColumnTarget::Ignored,
                ColumnRole::Attribute(name, _) => {
                    let attribute = self.graph.attribute_index(element, name, at)?;
                    if stats.present > row_count / 2 {
                        self.graph.builder.reserve_attribute(element, attribute, stats.hint());
                    }
                    ColumnTarget::Attribute(attribute, stats.numeric)
                }
            })
        };
        roles.iter().zip(stats).map(column).collect()
    }

    /// Adds the node or edge of a row without its attributes; `None` if it is incomplete.
    fn element(
        &mut self,
        table: CsvTable,
        line: &CsvRow<'_>,
    ) -> Result<Option<Element>, Diagnostic> {
        let CsvRow { columns, cells, ends, at } = *line;
        let text_in = |target: ColumnTarget| {
            let index = columns.iter().position(|column| *column == target)?;
            cells.get(index).filter(|cell| !cell.is_empty()).map(|cell| cell.text())
        };
        if table == CsvTable::Nodes {
            let Some(id) = text_in(ColumnTarget::Id) else {
                self.graph.warn_incomplete(
                    "missing id of a node",
                    "add an `id`; the node was skipped",
                    at,
                );
                return Ok(None);
            };
            return Ok(Some(Element::Node(self.graph.add_node(&id, at)?.0)));
        }
        let (Some(source), Some(target)) =
            (text_in(ColumnTarget::Source), text_in(ColumnTarget::Target))
        else {
            self.graph.warn_incomplete(
                "missing endpoint of an edge",
                "add `source` and `target`; the edge was skipped",
                at,
            );
            return Ok(None);
        };
        let mut endpoint = |found: Option<u32>, id: &str| match found {
            Some(row) => Ok(row),
            None => self.graph.endpoint(id, at),
        };
        let [found_source, found_target] = ends;
        let (source, target) = (endpoint(found_source, &source)?, endpoint(found_target, &target)?);
        let edge = self.graph.add_edge(text_in(ColumnTarget::Id).as_deref(), source, target, at)?;
        Ok(Some(Element::Edge(edge)))
    }
}

/// Destination of the cells of a column.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ColumnTarget {
    Id,
    Source,
    Target,
    Ignored,
    /// Index of an attribute, and whether it is numeric.
    Attribute(usize, bool),
}

/// Statistics of a column.
struct ColumnStats {
    /// Whether all non-empty cells are numbers.
    numeric: bool,
    /// Number of non-empty cells.
    present: usize,
    /// Total length of the cells in bytes.
    bytes: usize,
}

impl ColumnStats {
    fn hint(&self) -> CapacityHint {
        match self.numeric {
            true => CapacityHint::Numbers(self.present),
            false => CapacityHint::Texts(self.present, self.bytes),
        }
    }
}

/// Returns the number of rows and the statistics of each column.
fn scan_columns(
    roles: &[ColumnRole],
    text: &str,
    delimiter: u8,
) -> Result<(usize, Vec<ColumnStats>), UnclosedQuote> {
    let initial = |role: &ColumnRole| {
        let numeric = matches!(role, ColumnRole::Attribute(_, ColumnType::Inferred));
        ColumnStats { numeric, present: 0, bytes: 0 }
    };
    let mut columns: Vec<ColumnStats> = roles.iter().map(initial).collect();
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
    Diagnostic::new(codes::UNCLOSED_QUOTE, "unclosed quoted cell")
        .help("close it with `\"`, and write `\"\"` for a quote inside")
        .at(Span::new(at, at + 1))
}
