//! Graphs, imported from the text that the host writes to [`Graph::input`].

use super::{Store, to_js};
use crate::base::json::Limits;
use crate::base::{Diagnostic, Value};
use crate::gasl::graph;
use crate::gasl::import::{
    CsvImporter, CsvStream, CsvTable, GraphFormat, ImportLimits, ImportOptions, ImportResult,
    check_format, import_node_link, import_text, import_xml_format,
};
use crate::link::graph::graph_of;
use crate::wire::{self, Source};
use js_sys::JsString;
use std::mem;
use std::rc::Rc;
use wasm_bindgen::prelude::*;

/// Maximum length in bytes of a text that arrives in chunks and is imported at its end.
const MAX_PUSHED_BYTES: usize = 1 << 30;

/// A graph, empty until it is imported.
#[wasm_bindgen]
pub struct Graph {
    pub(super) graph: Rc<graph::Graph>,
    /// Options of the import.
    options: ImportOptions,
    /// Name of the format.
    format: &'static str,
    /// Tables that have been imported so far.
    csv: Option<CsvImporter>,
    /// Table whose chunks arrive.
    table: Option<CsvStream>,
    /// Chunks of a text that is imported when it is complete.
    pushed: Vec<u8>,
    input: Vec<u8>,
    /// Diagnostics of the last call.
    diagnostics: Vec<wire::Diagnostic>,
}

#[wasm_bindgen]
impl Graph {
    /// Returns a graph without nodes.
    #[wasm_bindgen(constructor)]
    #[expect(clippy::new_without_default, reason = "only the host makes one")]
    pub fn new() -> Graph {
        let (graph, _) = graph::GraphBuilder::new(graph::QuoteHandling::Keep).finish();
        Graph {
            graph: Rc::new(graph),
            options: ImportOptions::default(),
            format: "",
            csv: None,
            table: None,
            pushed: Vec::new(),
            input: Vec::new(),
            diagnostics: Vec::new(),
        }
    }

    /// Sets the options of the import, given as JSON text with valid types.
    pub fn configure(&mut self, options: &JsString) {
        let text = String::from(options);
        let (options, _) = Value::parse(text.as_bytes(), Limits::default());
        let options = options.unwrap_or_default();
        let text = |key: &str| options.get(key).and_then(Value::as_text).map(str::to_owned);
        self.options = ImportOptions {
            format: text("format").and_then(|name| GraphFormat::from_name(&name)),
            directed: options.get("directed").and_then(Value::as_bool),
            id: text("id"),
            source: text("source"),
            target: text("target"),
        };
    }

    /// Allocates a buffer of `length` bytes for the host to write to. The next call that reads it frees it.
    pub fn input(&mut self, length: usize) -> *mut u8 {
        // Frees the old buffer first, because there may not be enough memory for both.
        self.input = Vec::new();
        self.input = vec![0; length];
        self.input.as_mut_ptr()
    }

    /// Imports GraphML of `length` bytes. Returns whether it is valid.
    pub fn read_graphml(&mut self, length: usize) -> bool {
        let text = self.take_text(length);
        let imported = import_xml_format(&text, GraphFormat::GraphMl, ImportLimits::default());
        self.store_import(GraphFormat::GraphMl, imported, Source::Text(&text))
    }

    /// Imports a text of any format, which may be serialised from an `object`.
    pub fn read_text(&mut self, length: usize, object: bool) -> bool {
        let text = self.take_text(length);
        let source = if object { Source::Object(&text) } else { Source::Text(&text) };
        let imported = import_text(&text, &self.options, ImportLimits::default());
        let format = imported.as_ref().map_or(GraphFormat::Csv, |(format, ..)| *format);
        self.store_import(format, imported.map(|(_, graph, warnings)| (graph, warnings)), source)
    }

    /// Imports GEXF of `length` bytes. Returns whether it is valid.
    pub fn read_gexf(&mut self, length: usize) -> bool {
        let text = self.take_text(length);
        let imported = import_xml_format(&text, GraphFormat::Gexf, ImportLimits::default());
        self.store_import(GraphFormat::Gexf, imported, Source::Text(&text))
    }

    /// Imports node-link JSON, which may be serialised from an `object`.
    pub fn read_node_link(&mut self, length: usize, object: bool) -> bool {
        let text = self.take_text(length);
        let source = if object { Source::Object(&text) } else { Source::Text(&text) };
        let imported = import_node_link(&text, ImportLimits::default());
        let format = imported.as_ref().map_or(GraphFormat::NodeLink, |(format, ..)| *format);
        self.store_import(format, imported.map(|(_, graph, warnings)| (graph, warnings)), source)
    }

    /// Imports a table of nodes.
    pub fn read_nodes(&mut self, length: usize) -> bool {
        let text = self.take_text(length);
        let mut csv = CsvImporter::new(self.options.clone(), ImportLimits::default());
        let imported = self.check_table(&text).and_then(|()| csv.read_nodes(&text));
        self.csv = Some(csv);
        self.finish(imported, Source::Text(&text))
    }

    /// Imports a table of edges, after the table of nodes.
    pub fn read_edges(&mut self, length: usize) -> bool {
        let Some(mut csv) = self.csv.take() else { return false };
        let text = self.take_text(length);
        let imported = self.check_table(&text).and_then(|()| csv.read_edges(&text));
        let read = self.finish(imported, Source::Text(&text));
        drop(text);
        read && self.store_import(GraphFormat::Csv, csv.finish(), Source::Text(b""))
    }

    /// Begins a table of nodes or of edges that arrives in chunks; that of the nodes is first.
    pub fn begin_table(&mut self, edges: bool) {
        let table = if edges { CsvTable::Edges } else { CsvTable::Nodes };
        let limits = ImportLimits::default();
        self.csv.get_or_insert_with(|| CsvImporter::new(self.options.clone(), limits));
        self.table = Some(CsvStream::new(table));
    }

    /// Reads a chunk of the table. Returns whether it is valid so far.
    pub fn push_rows(&mut self, length: usize) -> bool {
        let chunk = self.take_text(length);
        let (Some(csv), Some(table)) = (&mut self.csv, &mut self.table) else { return false };
        let read = table.push(csv, &chunk).map(|()| Vec::new());
        self.finish(read, Source::Text(b""))
    }

    /// Ends the table; after that of the edges, the graph is complete.
    pub fn end_table(&mut self, edges: bool) -> bool {
        let (Some(csv), Some(table)) = (&mut self.csv, self.table.take()) else { return false };
        let read = table.finish(csv);
        if !self.finish(read, Source::Text(b"")) {
            return false;
        }
        let complete = if edges { self.csv.take() } else { None };
        complete
            .is_none_or(|csv| self.store_import(GraphFormat::Csv, csv.finish(), Source::Text(b"")))
    }

    /// Adds a chunk to a text that is imported when it is complete.
    pub fn push_text(&mut self, length: usize) {
        let chunk = self.take_text(length);
        self.pushed.extend_from_slice(&chunk);
    }

    /// Imports node-link JSON whose chunks were added.
    pub fn read_pushed(&mut self) -> bool {
        let text = mem::take(&mut self.pushed);
        let limits = ImportLimits { bytes: MAX_PUSHED_BYTES, ..ImportLimits::default() };
        let imported = import_node_link(&text, limits);
        let format = imported.as_ref().map_or(GraphFormat::NodeLink, |(format, ..)| *format);
        let imported = imported.map(|(_, graph, warnings)| (graph, warnings));
        self.store_import(format, imported, Source::Text(&text))
    }

    /// Imports the nodes of a HAM store.
    pub fn read_ham(&mut self, store: &Store) -> bool {
        let graph = graph_of(&store.core.document, ImportLimits::default());
        let imported = graph.map(|graph| (graph, Vec::new())).map_err(|fault| vec![fault]);
        let read = self.store_import(GraphFormat::NodeLink, imported, Source::Text(b""));
        self.format = "ham";
        read
    }

    /// Returns the name of the format.
    pub fn format(&self) -> JsString {
        self.format.into()
    }

    /// Returns and clears the diagnostics.
    pub fn diagnostics(&mut self) -> JsValue {
        to_js(&mem::take(&mut self.diagnostics))
    }

    /// Returns the number of nodes.
    pub fn node_count(&self) -> usize {
        self.graph.node_count()
    }

    /// Returns the number of edges.
    pub fn edge_count(&self) -> usize {
        self.graph.edge_count()
    }

    /// Returns whether edges are directed.
    pub fn directed(&self) -> bool {
        self.graph.is_directed()
    }

    /// Returns the description of the graph for a prompt.
    pub fn outline(&self) -> JsString {
        self.graph.outline().into()
    }

    /// Returns the summary of the graph, as JSON text.
    pub fn summary(&self) -> JsString {
        self.graph.summary().to_text().into()
    }

    /// Returns the graph as node-link JSON; `None` if it has more than `max` bytes.
    pub fn to_json(&self, max: usize) -> Option<JsString> {
        self.graph.to_json_within(max).map(JsString::from)
    }
}

impl Graph {
    /// Takes the text out of the buffer.
    fn take_text(&mut self, length: usize) -> Vec<u8> {
        let mut text = mem::take(&mut self.input);
        text.truncate(length);
        text
    }

    /// Returns an error if a table is a text of another format.
    fn check_table(&self, text: &[u8]) -> Result<(), Vec<Diagnostic>> {
        match self.options.format {
            Some(_) => Ok(()),
            None => check_format(text, GraphFormat::Csv).map_err(|error| vec![error]),
        }
    }

    fn store_import(
        &mut self,
        format: GraphFormat,
        imported: ImportResult,
        source: Source<'_>,
    ) -> bool {
        self.format = format.name();
        let imported = imported.map(|(graph, warnings)| {
            self.graph = Rc::new(graph);
            warnings
        });
        self.finish(imported, source)
    }

    fn finish(
        &mut self,
        imported: Result<Vec<Diagnostic>, Vec<Diagnostic>>,
        source: Source<'_>,
    ) -> bool {
        let read = imported.is_ok();
        let (Ok(diagnostics) | Err(diagnostics)) = imported;
        self.diagnostics.extend(wire::Diagnostic::of_message(diagnostics, source));
        read
    }
}
