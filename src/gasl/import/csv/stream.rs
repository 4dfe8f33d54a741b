//! Reads a table that arrives in chunks, so that its length is not limited by memory for its text.
//!
//! The types of columns are known at the end only. So cells are stored as texts, and numeric columns are
//! converted at the end. A table that fits into one block is read like a complete text.

use super::column_reports::report_columns;
use super::column_stats::ColumnStats;
use super::header::{ColumnRole, CsvTable, duplicate_column};
use super::layout::{TableLayout, table_layout};
use super::number_notation::{NumberFormat, parse_cell_number};
use super::rows::{CsvReader, RowBlock, UnclosedQuote};
use super::{ColumnTarget, CsvImporter, CsvRow};
use crate::base::{Diagnostic, Location, Span};
use crate::gasl::graph::AttributeValue;
use crate::gasl::import::any::check_format;
use crate::gasl::import::format::GraphFormat;
use crate::gasl::import::{codes, decode};

/// Length of a block in bytes.
const BLOCK_BYTES: usize = 1 << 20;

/// Table whose chunks are passed one by one.
pub struct CsvStream {
    table: CsvTable,
    /// Bytes after the last complete row.
    pending_bytes: Vec<u8>,
    /// Number of bytes before `pending`.
    offset: usize,
    /// Length of `pending` from which rows are read.
    block: usize,
    /// Length at which rows are read next; larger than `block` after a block without a complete row.
    next_length: usize,
    layout: Option<StreamLayout>,
}

/// Layout of a table whose first block was read.
struct StreamLayout {
    roles: Vec<ColumnRole>,
    delimiter: u8,
    /// Reader with the settings of the table and without a text.
    reader: CsvReader<'static>,
    columns: Vec<ColumnTarget>,
    stats: Vec<ColumnStats>,
    /// Number of columns up to the last one with a name.
    expected: usize,
    /// Number of rows so far.
    count: usize,
    at: Span,
    directed: Option<bool>,
}

impl CsvStream {
    /// Returns a table without chunks.
    pub fn new(table: CsvTable) -> CsvStream {
        CsvStream::with_block(table, BLOCK_BYTES)
    }

    fn with_block(table: CsvTable, block: usize) -> CsvStream {
        CsvStream {
            table,
            pending_bytes: Vec::new(),
            offset: 0,
            block,
            next_length: block,
            layout: None,
        }
    }

    /// Adds a chunk of bytes.
    pub fn push(&mut self, csv: &mut CsvImporter, chunk: &[u8]) -> Result<(), Vec<Diagnostic>> {
        self.pending_bytes.extend_from_slice(chunk);
        if self.pending_bytes.len() < self.next_length {
            return Ok(());
        }
        let end = self.pending_bytes.iter().rposition(|byte| matches!(byte, b'\n' | b'\r'));
        let read = self.read(csv, end.map_or(0, |end| end + 1), false);
        let consumed = read.map_err(|error| vec![with_position(error)])?;
        self.pending_bytes.drain(..consumed);
        self.offset += consumed;
        // Doubles, because a row may be longer than a block.
        self.next_length = self.block.max(self.pending_bytes.len() * 2);
        Ok(())
    }

    /// Reads the last rows. Returns warnings about the table.
    pub fn finish(mut self, csv: &mut CsvImporter) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
        let finished = if self.layout.is_none() {
            self.check_format(csv).and_then(|()| csv.read_rows(self.table, &self.pending_bytes))
        } else {
            let length = self.pending_bytes.len();
            self.read(csv, length, true).and_then(|_| self.finish_columns(csv))
        };
        let warnings = csv.graph.take_warnings();
        match finished {
            Ok(()) => Ok(warnings.into_iter().map(with_position).collect()),
            Err(error) => Err(vec![with_position(error)]),
        }
    }

    fn check_format(&self, csv: &CsvImporter) -> Result<(), Diagnostic> {
        match csv.options.format {
            Some(_) => Ok(()),
            None => check_format(&self.pending_bytes, GraphFormat::Csv),
        }
    }

    /// Reads the complete rows in the first bytes of `pending`. Returns the number of bytes that are not
    /// needed any more.
    fn read(
        &mut self,
        csv: &mut CsvImporter,
        length: usize,
        is_last: bool,
    ) -> Result<usize, Diagnostic> {
        let bytes = self.pending_bytes.get(..length).unwrap_or_default();
        let (text, mark) =
            decode(bytes, csv.limits).map_err(|error| shift_location(error, self.offset))?;
        let offset = self.offset + mark;
        let (layout, rows) = match self.layout.take() {
            Some(layout) => {
                let rows = layout.reader.continue_with(text);
                (layout, rows)
            }
            None => {
                self.check_format(csv)?;
                let found =
                    match table_layout(self.table, text, offset, &csv.options, &mut csv.graph) {
                        // The first row may be longer than the block.
                        Err(error) if error.code == codes::UNCLOSED_QUOTE => return Ok(0),
                        found => found?,
                    };
                let Some(found) = found else { return Ok(length) };
                begin_table(csv, self.table, found)?
            }
        };
        let layout = self.layout.insert(layout);
        let consumed = read_rows(csv, self.table, layout, rows, offset, is_last)?;
        Ok(consumed + mark)
    }

    /// Converts numeric columns, and reports what is known at the end only.
    fn finish_columns(&mut self, csv: &mut CsvImporter) -> Result<(), Diagnostic> {
        let Some(layout) = &self.layout else { return Ok(()) };
        report_columns(&layout.roles, &layout.stats, layout.at, &mut csv.graph);
        if self.table == CsvTable::Edges {
            csv.decide_direction(&layout.stats, layout.directed, layout.at);
        }
        for (column, stats) in layout.columns.iter().zip(&layout.stats) {
            let ColumnTarget::Attribute(attribute, _) = column else { continue };
            let convert: fn(&str) -> AttributeValue<'static> = match stats.number_format() {
                NumberFormat::None => continue,
                NumberFormat::Point => |text| number_or_null(text, NumberFormat::Point),
                NumberFormat::Comma => |text| number_or_null(text, NumberFormat::Comma),
            };
            csv.graph.builder.convert_texts(self.table.element(), *attribute, convert);
        }
        Ok(())
    }
}

fn number_or_null(text: &str, format: NumberFormat) -> AttributeValue<'static> {
    parse_cell_number(text, format).map_or(AttributeValue::Null, AttributeValue::Number)
}

/// Begins a table with its layout, whose columns have texts at first.
fn begin_table<'a>(
    csv: &mut CsvImporter,
    table: CsvTable,
    found: TableLayout<'a>,
) -> Result<(StreamLayout, CsvReader<'a>), Diagnostic> {
    let TableLayout { roles, delimiter, rows, at, ids, directed, id_spaces, is_bipartite } = found;
    csv.add_id_spaces(id_spaces, at);
    if is_bipartite {
        csv.separate_sides(at);
    }
    if let Some(warning) = duplicate_column(&roles, at) {
        csv.graph.warn(codes::DUPLICATE_COLUMN, || warning);
    }
    if table == CsvTable::Nodes {
        csv.ids = Some(ids);
    }
    let stats: Vec<ColumnStats> = roles.iter().map(ColumnStats::new).collect();
    let columns = csv.assign_columns(table, &roles, &stats, usize::MAX, at)?;
    // A column without cells counts as numeric.
    let as_text = |column| match column {
        ColumnTarget::Attribute(attribute, _) => {
            ColumnTarget::Attribute(attribute, NumberFormat::None)
        }
        column => column,
    };
    let columns: Vec<ColumnTarget> = columns.into_iter().map(as_text).collect();
    let last = columns.iter().rposition(|column| *column != ColumnTarget::Ignored);
    let expected = last.map_or(0, |last| last + 1);
    let reader = rows.continue_with("");
    let layout =
        StreamLayout { roles, delimiter, reader, columns, stats, expected, count: 0, at, directed };
    Ok((layout, rows))
}

/// Adds the complete rows. Returns the number of bytes before the first incomplete one.
fn read_rows<'a>(
    csv: &mut CsvImporter,
    table: CsvTable,
    layout: &mut StreamLayout,
    mut rows: CsvReader<'a>,
    offset: usize,
    is_last: bool,
) -> Result<usize, Diagnostic> {
    let mut block = RowBlock::default();
    let mut ends = Vec::new();
    loop {
        let start = rows.position();
        let read = block.read(&mut rows);
        let mut consumed = rows.position();
        if let Err(UnclosedQuote(at)) = &read {
            if is_last {
                return Err(UnclosedQuote(*at).diagnostic(offset));
            }
            consumed = block.rows().last().map_or(start, |(at, _)| at.end);
        }
        csv.find_endpoints(&layout.columns, &block, &mut ends);
        let mut ends = ends.iter();
        for (at, cells) in block.rows() {
            layout.count += 1;
            let number = layout.count;
            for (stats, cell) in layout.stats.iter_mut().zip(cells) {
                stats.add(*cell, number, layout.delimiter);
            }
            let at = Span::new(at.start + offset, at.end + offset);
            let mut end = || ends.next().copied().flatten();
            let ends = [end(), end()];
            let (columns, expected) = (&*layout.columns, layout.expected);
            csv.add_row(table, &CsvRow { columns, cells, ends, expected, number, at })?;
        }
        if !matches!(read, Ok(true)) {
            return Ok(consumed);
        }
    }
}

/// Adds an offset in bytes to the location of a diagnostic.
fn shift_location(mut diagnostic: Diagnostic, offset: usize) -> Diagnostic {
    if let Some(Location::Span(span)) = &mut diagnostic.location {
        *span = Span::new(span.start + offset, span.end + offset);
    }
    diagnostic
}

/// Replaces the location by a position in the message, because the host has no text of the stream.
fn with_position(mut diagnostic: Diagnostic) -> Diagnostic {
    if let Some(Location::Span(span)) = diagnostic.location.take() {
        diagnostic.message = format!("{}, at byte {}", diagnostic.message, span.start);
    }
    diagnostic
}

#[cfg(test)]
mod tests {
    use super::super::super::{ImportLimits, ImportOptions};
    use super::*;

    /// Returns the graph as JSON and the sorted codes, with both tables in chunks of each length.
    fn read(tables: [&str; 2], block: usize, chunk: usize) -> (String, Vec<String>) {
        let mut csv = CsvImporter::new(ImportOptions::default(), ImportLimits::default());
        let mut found = Vec::new();
        for (table, text) in [CsvTable::Nodes, CsvTable::Edges].into_iter().zip(tables) {
            let mut stream = CsvStream::with_block(table, block);
            let pushed =
                text.as_bytes().chunks(chunk).try_for_each(|chunk| stream.push(&mut csv, chunk));
            match pushed.and_then(|()| stream.finish(&mut csv)) {
                Ok(warnings) => found.extend(warnings),
                Err(errors) => return (String::new(), codes_of(errors)),
            }
        }
        match csv.finish() {
            Ok((graph, warnings)) => {
                found.extend(warnings);
                (graph.to_json(), codes_of(found))
            }
            Err(errors) => (String::new(), codes_of(errors)),
        }
    }

    fn codes_of(diagnostics: Vec<Diagnostic>) -> Vec<String> {
        let mut codes: Vec<String> = diagnostics.iter().map(|one| one.code.id.to_owned()).collect();
        codes.sort();
        codes
    }

    #[test]
    fn chunks_make_the_graph_of_the_complete_text() {
        let tables = [
            [
                "id,kind,n,code,mixed,tags:string[]\na,X,1.10,007,1,p;q\r\n\r\nb,\"Y, \"\"z\"\"\n2\",2,1,x,r\nc,é,-3e2,2,,\nc,X,4,3,5,\n",
                "source,target,type,w\na,b,T,1\nb,\"c\",U,\nb,new,\"V\nW\",2.5",
            ],
            ["", "source;target;w\na;b;1,5\nb;c;2,25\na;c;0,5\n"],
            ["\u{feff}id\nä\nö", "source\ttarget\tType\nä\tö\tdirected\nö\tä\tdirected\n"],
            ["id,a\n1,2,3\n4\n,5\n", "source,target,x\n1,4,1\n1\n1,,2\n"],
            ["id\na", "source,target\na,\"b\nc,d\n"],
            ["id,a,a\nx,1,2\n", "source,target\n"],
        ];
        for pair in tables {
            let complete = read(pair, usize::MAX, usize::MAX);
            for block in [40, 64, 100] {
                for chunk in [1, 2, 3, 7, 1000] {
                    assert_eq!(read(pair, block, chunk), complete, "{pair:?} {block} {chunk}");
                }
            }
        }
    }

    #[test]
    fn numeric_columns_depend_on_all_rows() {
        let rows: String = (0..200).map(|n| format!("n{n},{n},{n}\n")).collect();
        let text = format!("id,a,b\n{rows}x,1,text\ny,?,2\n");
        let nodes: String = (0..8).map(|n| format!("z{n},1,text\n")).collect();
        let tables = [&*format!("{text}{nodes}"), "source,target\n"];
        let complete = read(tables, usize::MAX, usize::MAX);
        assert_eq!(read(tables, 100, 64), complete);
        assert!(complete.0.contains(r#"{"id":"n7","a":7,"b":"7"}"#), "{}", complete.0);
    }

    #[test]
    fn errors_name_a_position() {
        let mut csv = CsvImporter::new(ImportOptions::default(), ImportLimits::default());
        let mut stream = CsvStream::with_block(CsvTable::Nodes, 8);
        let bytes = b"id,name\na,b\nc,d\ne,\xff\n";
        let error = stream.push(&mut csv, bytes.as_slice());
        let messages = error.map_err(|errors| errors.into_iter().map(|one| one.message).collect());
        assert_eq!(messages, Err(vec!["this byte is not UTF-8, at byte 18".to_owned()]));
    }
}
