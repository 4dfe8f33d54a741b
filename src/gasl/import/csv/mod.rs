//! Imports a graph from two CSV tables: nodes with `id`, and edges with `source` and `target`. The
//! edges may be a list without a header.
//!
//! Each text is read twice, because a column is numeric only if nearly all of its cells are
//! numbers. If that is known before the first cell is stored, the column need not be converted. The
//! tables are passed one by one, so that a host can free the first before it allocates the second.

mod column_reports;
mod column_stats;
mod combined;
mod header;
mod layout;
mod matrix;
mod number_notation;
mod other_lists;
mod preamble;
mod python;
mod rows;
mod stream;
mod unnamed;

pub use self::combined::split_combined;
pub use self::header::CsvTable;
pub use self::stream::CsvStream;

use self::column_reports::report_columns;
use self::column_stats::{ColumnStats, scan_columns};
use self::header::{ColumnRole, ColumnType, duplicate_column};
use self::layout::{TableLayout, table_layout};
use self::number_notation::{NumberFormat, parse_cell_number};
use self::python::parse_dictionary;
use self::rows::{CsvCell, RowBlock, UnclosedQuote};
use super::direction::DirectionCount;
use super::import_builder::ImportBuilder;
use super::node_ids::{IdOrigin, finish_ids, placeholder_id};
use super::options::ImportOptions;
use super::{ImportLimits, ImportResult, codes, decode};
use crate::base::diagnostic::quote;
use crate::base::names;
use crate::base::{Diagnostic, Span, Value};
use crate::gasl::graph::{AttributeValue, Element, QuoteHandling};
use std::borrow::Cow;

/// Parsed row of a table.
struct CsvRow<'a> {
    columns: &'a [ColumnTarget],
    cells: &'a [CsvCell<'a>],
    /// Rows of the source and the target node, if they exist.
    ends: [Option<u32>; 2],
    /// Number of columns up to the last one with a name.
    expected: usize,
    /// Number of the row, counted from 1 after the header.
    number: usize,
    at: Span,
}

impl<'a> CsvRow<'a> {
    /// Returns the text of the first column with a role; `None` if it is empty.
    fn text_in(&self, target: ColumnTarget) -> Option<Cow<'a, str>> {
        let index = self.columns.iter().position(|column| *column == target)?;
        self.cells.get(index).filter(|cell| !cell.is_empty()).map(|cell| cell.text())
    }
}

/// Import of a graph whose tables are passed one by one.
pub struct CsvImporter {
    graph: ImportBuilder,
    options: ImportOptions,
    limits: ImportLimits,
    /// Origin of the ids, if there is a table of nodes.
    ids: Option<IdOrigin>,
    /// Id spaces of Neo4j in both tables, without duplicates.
    id_spaces: Vec<String>,
    /// Whether both ends count the nodes of their own side.
    is_bipartite: bool,
}

/// Imports a graph from both tables.
pub fn import_csv(
    nodes: &[u8],
    edges: &[u8],
    directed: bool,
    limits: ImportLimits,
) -> ImportResult {
    let options = ImportOptions::with_direction(directed.then_some(true));
    let mut csv = CsvImporter::new(options, limits);
    let mut warnings = csv.read_nodes(nodes)?;
    warnings.extend(csv.read_edges(edges)?);
    let (graph, more) = csv.finish()?;
    warnings.extend(more);
    Ok((graph, warnings))
}

impl CsvImporter {
    /// Returns an import without nodes.
    pub fn new(options: ImportOptions, limits: ImportLimits) -> CsvImporter {
        let mut graph = ImportBuilder::new(QuoteHandling::Strip, limits);
        graph.builder.directed = options.directed == Some(true);
        let id_spaces = Vec::new();
        CsvImporter { graph, options, limits, ids: None, id_spaces, is_bipartite: false }
    }

    /// Reads the table of nodes, which may be empty. Returns warnings.
    pub fn read_nodes(&mut self, text: &[u8]) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
        self.read_table(CsvTable::Nodes, text)
    }

    /// Reads the table of edges. Returns warnings.
    pub fn read_edges(&mut self, text: &[u8]) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
        self.read_table(CsvTable::Edges, text)
    }

    /// Returns the graph with warnings about both tables.
    pub fn finish(mut self) -> ImportResult {
        if let Some(origin) = &self.ids {
            finish_ids(&mut self.graph, origin, None).map_err(|error| vec![error])?;
        }
        self.graph.finish()
    }

    fn read_table(
        &mut self,
        table: CsvTable,
        bytes: &[u8],
    ) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
        match self.read_rows(table, bytes) {
            Ok(()) => Ok(self.graph.take_warnings()),
            Err(error) => Err(vec![error]),
        }
    }

    fn read_rows(&mut self, table: CsvTable, bytes: &[u8]) -> Result<(), Diagnostic> {
        let (text, offset) = decode(bytes, self.limits)?;
        let layout = table_layout(table, text, offset, &self.options, &mut self.graph)?;
        let Some(layout) = layout else { return Ok(()) };
        let TableLayout { roles, delimiter, mut rows, at: start, .. } = layout;
        let TableLayout { ids, directed, id_spaces, is_bipartite, .. } = layout;
        self.add_id_spaces(id_spaces, start);
        if is_bipartite {
            self.separate_sides(start);
        }
        let unclosed_quote = |quote: UnclosedQuote| quote.diagnostic(offset);
        if let Some(warning) = duplicate_column(&roles, start) {
            self.graph.warn(codes::DUPLICATE_COLUMN, || warning);
        }
        let (row_count, stats) =
            scan_columns(&roles, rows.clone(), delimiter).map_err(unclosed_quote)?;
        report_columns(&roles, &stats, start, &mut self.graph);
        match table {
            CsvTable::Nodes => {
                self.ids = Some(ids);
                self.graph.builder.reserve_nodes(row_count.min(self.limits.nodes));
            }
            CsvTable::Edges => {
                self.decide_direction(&stats, directed, start);
                self.graph.builder.reserve_edges(row_count.min(self.limits.edges));
            }
        }
        let columns = self.assign_columns(table, &roles, &stats, row_count, start)?;
        let last = columns.iter().rposition(|column| *column != ColumnTarget::Ignored);
        let expected = last.map_or(0, |last| last + 1);
        let mut block = RowBlock::default();
        let mut ends = Vec::new();
        let mut number = 0;
        while block.read(&mut rows).map_err(unclosed_quote)? {
            if rows.has_malformed {
                self.report_backslashes(&block, offset);
            }
            self.find_endpoints(&columns, &block, &mut ends);
            let mut ends = ends.iter();
            for (at, cells) in block.rows() {
                number += 1;
                let at = Span::new(at.start + offset, at.end + offset);
                let mut end = || ends.next().copied().flatten();
                let ends = [end(), end()];
                self.add_row(
                    table,
                    &CsvRow { columns: &columns, cells, ends, expected, number, at },
                )?;
            }
        }
        Ok(())
    }

    /// Adds the id spaces of a header, and reports several of them.
    fn add_id_spaces(&mut self, found: Vec<String>, at: Span) {
        let count = self.id_spaces.len();
        for space in found {
            if !self.id_spaces.contains(&space) {
                self.id_spaces.push(space);
            }
        }
        if self.id_spaces.len() > count.max(1) {
            let listed = names::format_names(self.id_spaces.iter().map(String::as_str));
            self.graph.warn(codes::SEVERAL_ID_SPACES, || {
                let message = format!("the id spaces {listed} were read as one");
                Diagnostic::new(codes::SEVERAL_ID_SPACES, message)
                    .help("if nodes of two spaces have the same id, write the space before the id: `movie-1`")
                    .at(at)
            });
        }
    }

    /// Reads the ids of both ends of a list of KONECT as two id spaces, unless there is a table of
    /// nodes, whose side is unknown.
    fn separate_sides(&mut self, at: Span) {
        self.is_bipartite = self.ids.is_none();
        let (message, help) = match self.is_bipartite {
            true => (
                "a bipartite list: its sources were read as `left-1` and its targets as `right-1`",
                "write `left-` and `right-` before the ids of other tables",
            ),
            false => (
                "a bipartite list: its sources and targets were read as one id space",
                "write `left-` and `right-` before the ids, also in the table of nodes",
            ),
        };
        let code =
            if self.is_bipartite { codes::BIPARTITE_SIDES } else { codes::SEVERAL_ID_SPACES };
        self.graph.warn(code, || Diagnostic::new(code, message).help(help).at(at));
    }

    /// Decides the direction by the options, a comment, or a column `Type`.
    fn decide_direction(&mut self, stats: &[ColumnStats], declared: Option<bool>, at: Span) {
        if self.options.directed.is_some() {
            return;
        }
        let rows = stats.iter().find_map(|stats| stats.directions);
        let rows = rows.unwrap_or_else(DirectionCount::default);
        let (directed, warning) = rows.decide(declared, at);
        self.graph.builder.directed = directed;
        if let Some(warning) = warning {
            self.graph.warn(codes::MIXED_DIRECTION, || warning);
        }
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

    /// Reports cells whose quotes are escaped with backslashes, which are part of the text.
    fn report_backslashes(&mut self, block: &RowBlock<'_>, offset: usize) {
        for (at, cells) in block.rows() {
            if !cells.iter().any(|cell| cell.has_backslashes()) {
                continue;
            }
            self.graph.warn(codes::BACKSLASHES_KEPT, || {
                let message = "expected `\"\"` for a quote in a quoted cell, found `\\\"`";
                Diagnostic::new(codes::BACKSLASHES_KEPT, message)
                    .help("write `\"\"` in all rows; the backslashes are part of the text")
                    .at(Span::new(at.start + offset, at.end + offset))
            });
        }
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
        if cells.len() < line.expected && !self.accepts_short_row(table, line) {
            return Ok(());
        }
        let Some(element) = self.add_element(table, line)? else { return Ok(()) };
        for (cell, column) in cells.iter().zip(columns) {
            if cell.is_empty() {
                continue;
            }
            let text = cell.text();
            if let ColumnTarget::List(attribute, format) = column {
                let item = |text: &str| match parse_cell_number(text, *format) {
                    Some(number) => Value::Number(number),
                    None => text.into(),
                };
                let items: Vec<Value> = text.split(';').map(item).collect();
                let list = AttributeValue::Value(Value::List(items.into()));
                self.graph.builder.set_at(element, *attribute, list);
            }
            if *column == ColumnTarget::Dictionary {
                self.set_dictionary(element, &text, at)?;
            }
            let ColumnTarget::Attribute(attribute, format) = column else { continue };
            let value = match format {
                NumberFormat::None => AttributeValue::Text(&text),
                format => {
                    let number = parse_cell_number(&text, *format);
                    number.map_or(AttributeValue::Null, AttributeValue::Number)
                }
            };
            self.graph.builder.set_at(element, *attribute, value);
        }
        Ok(())
    }

    /// Sets the attributes of a Python dictionary; one that cannot be read is the attribute `data`.
    fn set_dictionary(&mut self, element: Element, text: &str, at: Span) -> Result<(), Diagnostic> {
        let Some(dictionary) = parse_dictionary(text) else {
            self.graph.warn(codes::NOT_DICTIONARY, || {
                let message =
                    format!("expected a Python dictionary of literals, found {}", quote(text));
                Diagnostic::new(codes::NOT_DICTIONARY, message)
                    .help("write it as in `{'weight': 3}`; the text was read as `data`")
                    .at(at)
            });
            return self.graph.set(element, "data", AttributeValue::Text(text), at);
        };
        for (name, value) in dictionary.entries() {
            self.graph.set(element, name, AttributeValue::from(value), at)?;
        }
        Ok(())
    }

    /// Reports a row with missing cells. Returns whether it can be read: the cells of an edge may
    /// have moved to the left, so both ends must be nodes already.
    fn accepts_short_row(&mut self, table: CsvTable, line: &CsvRow<'_>) -> bool {
        let CsvRow { cells, expected, number, at, .. } = *line;
        let end = |target| line.text_in(target).unwrap_or_default();
        let ends = [end(ColumnTarget::Source), end(ColumnTarget::Target)];
        let unknown = ends.iter().find(|id| self.graph.builder.find_node(id).is_none());
        let unknown = unknown.filter(|_| table == CsvTable::Edges);
        let message = format!("expected {expected} cells, found {} in row {number}", cells.len());
        let (code, help) = match unknown {
            None => (codes::MISSING_CELLS, "write a delimiter for each empty cell".to_owned()),
            Some(id) => (
                codes::SKIPPED_ROW,
                format!(
                    "add the missing cell; the row was skipped, because {} is not a node so far",
                    quote(id)
                ),
            ),
        };
        let is_accepted = unknown.is_none();
        self.graph.warn(code, || Diagnostic::new(code, message).help(help).at(at));
        is_accepted
    }

    fn assign_columns(
        &mut self,
        table: CsvTable,
        roles: &[ColumnRole],
        stats: &[ColumnStats],
        row_count: usize,
        at: Span,
    ) -> Result<Vec<ColumnTarget>, Diagnostic> {
        let element = table.element();
        let column = |(role, stats): (&ColumnRole, &ColumnStats)| {
            Ok(match role {
                ColumnRole::Id => ColumnTarget::Id,
                ColumnRole::Source => ColumnTarget::Source,
                ColumnRole::Target => ColumnTarget::Target,
                ColumnRole::Dictionary => ColumnTarget::Dictionary,
                ColumnRole::Unnamed => ColumnTarget::Ignored,
                ColumnRole::Attribute(name, kind) => {
                    let attribute = self.graph.attribute_index(element, name, at)?;
                    if stats.present > row_count / 2 {
                        self.graph.builder.reserve_attribute(
                            element,
                            attribute,
                            stats.capacity_hint(),
                        );
                    }
                    match kind {
                        ColumnType::TextList => ColumnTarget::List(attribute, NumberFormat::None),
                        ColumnType::NumberList => {
                            ColumnTarget::List(attribute, NumberFormat::Point)
                        }
                        _ => ColumnTarget::Attribute(attribute, stats.number_format()),
                    }
                }
            })
        };
        roles.iter().zip(stats).map(column).collect()
    }

    /// Adds the node or edge of a row without its attributes; `None` if it is incomplete.
    fn add_element(
        &mut self,
        table: CsvTable,
        line: &CsvRow<'_>,
    ) -> Result<Option<Element>, Diagnostic> {
        let CsvRow { ends, at, number, .. } = *line;
        let text_in = |target: ColumnTarget| line.text_in(target);
        if table == CsvTable::Nodes {
            let is_declared = line.columns.contains(&ColumnTarget::Id);
            let id = if is_declared {
                text_in(ColumnTarget::Id)
            } else {
                Some(placeholder_id(number - 1))
            };
            let Some(id) = id else {
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
        let [mut found_source, mut found_target] = ends;
        let (mut source, mut target) = (source, target);
        if self.is_bipartite {
            (found_source, found_target) = (None, None);
            source = format!("left-{source}").into();
            target = format!("right-{target}").into();
        }
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
    /// Python dictionaries with attributes.
    Dictionary,
    /// Index of an attribute whose cells are lists with semicolons, and the notation of the items.
    List(usize, NumberFormat),
    /// Index of an attribute, and the notation of its numbers.
    Attribute(usize, NumberFormat),
}
