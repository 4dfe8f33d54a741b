//! Reads a graph of any format, or checks that a text has the expected format.

use super::csv::{CsvImporter, split_combined};
use super::format::{GraphFormat, TextFormat, text_format, unsupported, wrong_format};
use super::gexf::import_gexf;
use super::graphml::import_graphml;
use super::node_link::{FormattedResult, read_json_graph};
use super::options::ImportOptions;
use super::{ImportLimits, ImportResult, codes};
use crate::base::{Diagnostic, Span};

/// JSON formats by priority.
const JSON_FORMATS: [GraphFormat; 6] = [
    GraphFormat::NodeLink,
    GraphFormat::Adjacency,
    GraphFormat::Graphology,
    GraphFormat::Cytoscape,
    GraphFormat::Vis,
    GraphFormat::JsonGraph,
];

/// Reads a graph whose format is recognised, unless `options.format` forces one.
pub fn import_text(text: &[u8], options: &ImportOptions, limits: ImportLimits) -> FormattedResult {
    if text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text).trim_ascii().is_empty() {
        return Err(vec![empty_text()]);
    }
    let format = match (options.format, text_format(text)) {
        (Some(format), _) => format,
        (None, TextFormat::GraphMl) => GraphFormat::GraphMl,
        (None, TextFormat::Gexf) => GraphFormat::Gexf,
        (None, TextFormat::Json) => GraphFormat::NodeLink,
        (None, TextFormat::Table) => GraphFormat::Csv,
        (None, TextFormat::Unsupported(name)) => return Err(vec![unsupported(name)]),
    };
    check_option_names(format, options).map_err(|error| vec![error])?;
    let imported = match (format, options.format) {
        (GraphFormat::GraphMl, _) => with_direction(import_graphml(text, limits), options),
        (GraphFormat::Gexf, _) => with_direction(import_gexf(text, limits), options),
        (GraphFormat::Csv, _) => import_edge_table(text, options, limits),
        (_, Some(forced)) => return read_json_graph(text, options, &[forced], limits),
        (_, None) => return read_json_graph(text, options, &JSON_FORMATS, limits),
    };
    imported.map(|(graph, warnings)| (format, graph, warnings))
}

fn empty_text() -> Diagnostic {
    Diagnostic::new(codes::WRONG_FORMAT, "expected a graph, found an empty text")
        .help("pass the contents of a file, or `{ nodes, edges }` for tables")
        .at(Span::new(0, 0))
}

/// Reads a graph of an XML format, and names the format of another text.
pub fn import_xml_format(text: &[u8], expected: GraphFormat, limits: ImportLimits) -> ImportResult {
    check_format(text, expected).map_err(|error| vec![error])?;
    match expected {
        GraphFormat::Gexf => import_gexf(text, limits),
        _ => import_graphml(text, limits),
    }
}

/// Reads node-link JSON, also in the variant of graphology, and names the format of another text.
pub fn import_node_link(text: &[u8], limits: ImportLimits) -> FormattedResult {
    check_format(text, GraphFormat::NodeLink).map_err(|error| vec![error])?;
    let accepted = [GraphFormat::NodeLink, GraphFormat::Graphology];
    read_json_graph(text, &ImportOptions::default(), &accepted, limits)
}

/// Returns an error if a text is recognised as another format than the expected one.
pub fn check_format(text: &[u8], expected: GraphFormat) -> Result<(), Diagnostic> {
    let at = Span::new(0, 0);
    match text_format(text) {
        TextFormat::GraphMl if expected != GraphFormat::GraphMl => {
            Err(wrong_format(expected, GraphFormat::GraphMl, at))
        }
        TextFormat::Gexf if expected != GraphFormat::Gexf => {
            Err(wrong_format(expected, GraphFormat::Gexf, at))
        }
        TextFormat::Json if !expected.is_json() => {
            Err(wrong_format(expected, json_format(text), at))
        }
        TextFormat::Unsupported(name) => Err(unsupported(name)),
        _ => Ok(()),
    }
}

/// Returns an error if the options name fields that the format does not have.
fn check_option_names(format: GraphFormat, options: &ImportOptions) -> Result<(), Diagnostic> {
    let [has_source, has_target] = if format == GraphFormat::Csv {
        [false; 2]
    } else {
        [options.source.is_some(), options.target.is_some()]
    };
    let given = [("id", options.id.is_some()), ("source", has_source), ("target", has_target)];
    let Some((name, _)) = given.into_iter().find(|(_, is_given)| *is_given && !format.is_json())
    else {
        return Ok(());
    };
    let message = match format {
        GraphFormat::Csv => "expected a table of nodes for the option `id`, found none".to_owned(),
        _ => format!("the option `{name}` does not apply to {}", format.message_name()),
    };
    let help = match format {
        GraphFormat::Csv => "pass `{ nodes, edges }`, or remove `id`".to_owned(),
        _ => format!("remove `{name}`"),
    };
    Err(Diagnostic::new(codes::MISSING_COLUMN, message).help(help).at(Span::new(0, 0)))
}

/// Returns the dialect of a JSON text; node-link JSON if it is not valid.
fn json_format(text: &[u8]) -> GraphFormat {
    super::node_link::format_of(text, ImportLimits::default()).unwrap_or(GraphFormat::NodeLink)
}

fn import_edge_table(text: &[u8], options: &ImportOptions, limits: ImportLimits) -> ImportResult {
    let mut csv = CsvImporter::new(options.clone(), limits);
    let mut warnings = match split_combined(text) {
        Some((nodes, edges)) => {
            let mut warnings = csv.read_nodes(&nodes)?;
            warnings.extend(csv.read_edges(&edges)?);
            warnings
        }
        None => csv.read_edges(text)?,
    };
    let (graph, more) = csv.finish()?;
    warnings.extend(more);
    Ok((graph, warnings))
}

/// Applies `options.directed`.
fn with_direction(imported: ImportResult, options: &ImportOptions) -> ImportResult {
    let (mut graph, warnings) = imported?;
    if let Some(directed) = options.directed {
        graph.set_directed(directed);
    }
    Ok((graph, warnings))
}
