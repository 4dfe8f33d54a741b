//! Graphs from text: GraphML, node-link JSON (and with it our own export) and CSV.
//!
//! What is wrong but can be read comes back as warnings beside the graph, one of each kind; what
//! cannot be read comes back as errors. Nothing is expanded, and nothing recurses over the text.

pub mod codes;
pub mod csv;
mod graphml;
mod import_builder;
mod node_link;

pub use csv::CsvImporter;
pub use graphml::graphml;
pub use node_link::node_link;

use super::graph::Graph;
use crate::base::json::{self, number_of};
use crate::base::{Diagnostic, Span};

/// How much a graph may hold. Most are counts.
#[derive(Clone, Copy, Debug)]
pub struct ImportLimits {
    /// Bytes of one text.
    pub bytes: usize,
    /// Nodes of the graph.
    pub nodes: usize,
    /// Edges of the graph.
    pub edges: usize,
    /// Names of attributes, those of nodes and of edges together.
    pub fields: usize,
    /// Levels of nesting of one text.
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

/// A graph with warnings, or the errors that kept it from being read.
pub type ImportResult = Result<(Graph, Vec<Diagnostic>), Vec<Diagnostic>>;

/// The text, if it is one and not too long; without a byte order mark, whose length comes with it.
fn text_of(bytes: &[u8], limits: ImportLimits) -> Result<(&str, usize), Diagnostic> {
    if bytes.len() > limits.bytes {
        let message = format!("the text is larger than {} bytes", limits.bytes);
        return Err(Diagnostic::new(codes::LIMIT_EXCEEDED, message)
            .help("import a part of it, or query it where it is")
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

/// The number that a text spells, unless a double would lose digits of it: a long number is a name.
fn exact_number(text: &str) -> Option<f64> {
    /// A double holds every whole number of so many digits.
    const DIGITS: usize = 15;
    let whole = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    if whole && text.len() > DIGITS + usize::from(text.starts_with('-')) {
        return None;
    }
    number_of(text)
}

#[cfg(test)]
mod tests;
