//! Imports graphs from GraphML, GEXF, several dialects of JSON (including exported graphs) and tables.
//!
//! An import returns a graph with warnings, each about all locations of one kind, or errors. No
//! entities are expanded, and no parser recurses over the text.

mod any;
pub mod codes;
pub mod csv;
mod direction;
mod end_names;
mod format;
mod gexf;
mod graphml;
mod import_builder;
mod node_ids;
mod node_link;
pub mod number;
mod options;
mod similar_ids;
mod value_type;
mod xml;

pub use any::{check_format, import_node_link, import_text, import_xml_format};
pub use csv::{CsvImporter, CsvStream, CsvTable};
pub use format::GraphFormat;
pub use gexf::import_gexf;
pub use graphml::import_graphml;
pub use node_link::{FormattedResult, read_node_link};
pub use options::ImportOptions;

use super::graph::Graph;
use crate::base::json;
use crate::base::{Diagnostic, Span};

/// Maximum sizes of an imported graph.
#[derive(Clone, Copy, Debug)]
pub struct ImportLimits {
    /// Maximum number of bytes of one text.
    pub bytes: usize,
    /// Maximum number of nodes.
    pub nodes: usize,
    /// Maximum number of edges.
    pub edges: usize,
    /// Maximum number of attributes of nodes and of edges together.
    pub fields: usize,
    /// Maximum nesting depth of one text.
    pub depth: usize,
}

impl Default for ImportLimits {
    fn default() -> ImportLimits {
        ImportLimits {
            bytes: 256 << 20,
            nodes: 4_000_000,
            edges: 16_000_000,
            fields: 4_096,
            depth: 128,
        }
    }
}

/// Graph with warnings, or errors.
pub type ImportResult = Result<(Graph, Vec<Diagnostic>), Vec<Diagnostic>>;

/// Checks the size and the encoding of a text. Returns it without its byte order mark, and the
/// length of the mark in bytes.
fn decode(bytes: &[u8], limits: ImportLimits) -> Result<(&str, usize), Diagnostic> {
    if bytes.len() > limits.bytes {
        let message = format!("the text is larger than {} bytes", limits.bytes);
        return Err(Diagnostic::new(codes::LIMIT_EXCEEDED, message)
            .help("import a part of the graph, or query it through an adapter")
            .at(Span::new(limits.bytes, limits.bytes)));
    }
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let at = error.valid_up_to();
        Diagnostic::new(json::UTF8, "this byte is not UTF-8")
            .help("encode the text as UTF-8")
            .at(Span::new(at, at + 1))
    })?;
    match text.strip_prefix('\u{feff}') {
        Some(rest) => Ok((rest, text.len() - rest.len())),
        None => Ok((text, 0)),
    }
}

#[cfg(test)]
mod cut_tests;
#[cfg(test)]
mod tests;
