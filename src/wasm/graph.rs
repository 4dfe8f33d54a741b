//! Graphs, imported from the text that the host writes to [`Graph::input`].

use super::{Store, to_js};
use crate::base::Diagnostic;
use crate::gasl::graph;
use crate::gasl::import::{CsvImporter, ImportLimits, ImportResult, gexf, graphml, node_link};
use crate::link::graph::graph_of;
use crate::wire::{self, Source};
use js_sys::JsString;
use std::mem;
use std::rc::Rc;
use wasm_bindgen::prelude::*;

/// A graph, empty until it is imported.
#[wasm_bindgen]
pub struct Graph {
    pub(super) graph: Rc<graph::Graph>,
    /// Tables that have been imported so far.
    csv: Option<CsvImporter>,
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
        Graph { graph: Rc::new(graph), csv: None, input: Vec::new(), diagnostics: Vec::new() }
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
        let imported = graphml(&text, ImportLimits::default());
        self.take(imported, Source::Text(&text))
    }

    /// Imports GEXF of `length` bytes. Returns whether it is valid.
    pub fn read_gexf(&mut self, length: usize) -> bool {
        let text = self.take_text(length);
        let imported = gexf(&text, ImportLimits::default());
        self.take(imported, Source::Text(&text))
    }

    /// Imports node-link JSON, which may be serialised from an `object`.
    pub fn read_node_link(&mut self, length: usize, object: bool) -> bool {
        let text = self.take_text(length);
        let source = if object { Source::Object(&text) } else { Source::Text(&text) };
        self.take(node_link(&text, ImportLimits::default()), source)
    }

    /// Imports a table of nodes.
    pub fn read_nodes(&mut self, length: usize, directed: bool) -> bool {
        let text = self.take_text(length);
        let mut csv = CsvImporter::new(directed, ImportLimits::default());
        let imported = csv.nodes(&text);
        self.csv = Some(csv);
        self.finish(imported, Source::Text(&text))
    }

    /// Imports a table of edges, after the table of nodes.
    pub fn read_edges(&mut self, length: usize) -> bool {
        let Some(mut csv) = self.csv.take() else { return false };
        let text = self.take_text(length);
        let imported = csv.edges(&text);
        let read = self.finish(imported, Source::Text(&text));
        drop(text);
        read && self.take(csv.finish(), Source::Text(b""))
    }

    /// Imports the nodes of a HAM store.
    pub fn read_ham(&mut self, store: &Store) -> bool {
        let graph = graph_of(&store.core.document, ImportLimits::default());
        let imported = graph.map(|graph| (graph, Vec::new())).map_err(|fault| vec![fault]);
        self.take(imported, Source::Text(b""))
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

    /// Returns the summary of the graph for a prompt, as JSON text.
    pub fn summary(&self) -> JsString {
        self.graph.summary().to_text().into()
    }

    /// Returns the graph as node-link JSON.
    pub fn to_json(&self) -> JsString {
        self.graph.to_json().into()
    }
}

impl Graph {
    /// Takes the text out of the buffer.
    fn take_text(&mut self, length: usize) -> Vec<u8> {
        let mut text = mem::take(&mut self.input);
        text.truncate(length);
        text
    }

    fn take(&mut self, imported: ImportResult, source: Source<'_>) -> bool {
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
