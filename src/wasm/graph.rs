//! Graphs, read from the text that the host writes into [`Graph::input`].

use super::{Store, to_js};
use crate::base::Diagnostic;
use crate::gasl::graph;
use crate::gasl::import::{CsvImporter, ImportLimits, ImportResult, graphml, node_link};
use crate::link::graph::graph_of;
use crate::wire::{self, Source};
use js_sys::JsString;
use std::mem;
use std::rc::Rc;
use wasm_bindgen::prelude::*;

/// A graph: empty, until one call has read it.
#[wasm_bindgen]
pub struct Graph {
    pub(super) graph: Rc<graph::Graph>,
    /// The tables that have been read so far.
    csv: Option<CsvImporter>,
    input: Vec<u8>,
    /// What the last call told, ready to be taken.
    diagnostics: Vec<wire::Diagnostic>,
}

#[wasm_bindgen]
impl Graph {
    /// A graph without nodes.
    #[wasm_bindgen(constructor)]
    #[expect(clippy::new_without_default, reason = "only the host makes one")]
    pub fn new() -> Graph {
        let (graph, _) = graph::GraphBuilder::new(graph::QuoteHandling::Keep).finish();
        Graph { graph: Rc::new(graph), csv: None, input: Vec::new(), diagnostics: Vec::new() }
    }

    /// New room for `length` bytes, for the host to write into. The next call that reads it gives
    /// it back.
    pub fn input(&mut self, length: usize) -> *mut u8 {
        // The old room goes before the new one comes: there may be no place for both.
        self.input = Vec::new();
        self.input = vec![0; length];
        self.input.as_mut_ptr()
    }

    /// Reads GraphML of `length` bytes; whether it could be read.
    pub fn read_graphml(&mut self, length: usize) -> bool {
        let text = self.take_text(length);
        let imported = graphml(&text, ImportLimits::default());
        self.take(imported, Source::Text(&text))
    }

    /// Reads node-link JSON, which may have been made of an object.
    pub fn read_node_link(&mut self, length: usize, object: bool) -> bool {
        let text = self.take_text(length);
        let source = if object { Source::Object(&text) } else { Source::Text(&text) };
        self.take(node_link(&text, ImportLimits::default()), source)
    }

    /// Reads a table of nodes.
    pub fn read_nodes(&mut self, length: usize, directed: bool) -> bool {
        let text = self.take_text(length);
        let mut csv = CsvImporter::new(directed, ImportLimits::default());
        let told = csv.nodes(&text);
        self.csv = Some(csv);
        self.told(told, Source::Text(&text))
    }

    /// Reads a table of edges, after that of the nodes.
    pub fn read_edges(&mut self, length: usize) -> bool {
        let Some(mut csv) = self.csv.take() else { return false };
        let text = self.take_text(length);
        let told = csv.edges(&text);
        let read = self.told(told, Source::Text(&text));
        drop(text);
        read && self.take(csv.finish(), Source::Text(b""))
    }

    /// Takes the nodes of a HAM store.
    pub fn read_ham(&mut self, store: &Store) -> bool {
        let graph = graph_of(&store.core.document, ImportLimits::default());
        let imported = graph.map(|graph| (graph, Vec::new())).map_err(|fault| vec![fault]);
        self.take(imported, Source::Text(b""))
    }

    /// What was told since this was asked last.
    pub fn diagnostics(&mut self) -> JsValue {
        to_js(&mem::take(&mut self.diagnostics))
    }

    /// How many nodes there are.
    pub fn node_count(&self) -> usize {
        self.graph.node_count()
    }

    /// How many edges there are.
    pub fn edge_count(&self) -> usize {
        self.graph.edge_count()
    }

    /// Whether edges lead one way only.
    pub fn directed(&self) -> bool {
        self.graph.is_directed()
    }

    /// The JSON text of what a prompt says of the graph.
    pub fn summary(&self) -> JsString {
        self.graph.summary().to_text().into()
    }

    /// The JSON text that reads back as this graph.
    pub fn to_json(&self) -> JsString {
        self.graph.to_json().into()
    }
}

impl Graph {
    /// The text that was written; the room goes with it.
    fn take_text(&mut self, length: usize) -> Vec<u8> {
        let mut text = mem::take(&mut self.input);
        text.truncate(length);
        text
    }

    fn take(&mut self, imported: ImportResult, source: Source<'_>) -> bool {
        let told = imported.map(|(graph, warnings)| {
            self.graph = Rc::new(graph);
            warnings
        });
        self.told(told, source)
    }

    fn told(&mut self, told: Result<Vec<Diagnostic>, Vec<Diagnostic>>, source: Source<'_>) -> bool {
        let read = told.is_ok();
        let (Ok(diagnostics) | Err(diagnostics)) = told;
        self.diagnostics.extend(wire::Diagnostic::of_message(diagnostics, source));
        read
    }
}
