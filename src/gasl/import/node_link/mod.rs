//! Graph JSON: node-link JSON as written by NetworkX and d3, exported graphs in the same format, and
//! the dialects of [`dialect`].
//!
//! `{directed?, graph?, nodes: [{id, …}], links | edges: [{source, target, …}], sources?}`. The edges
//! may also be a map, or lists such as `["a", "knows", "b"]`. An endpoint is a node id. If no node has a
//! numeric id, a numeric endpoint is a node index. See [`super::node_ids`] for nodes without `id`.

mod adjacency;
mod dialect;
mod document;
mod edge_ends;
mod edge_lists;
mod edge_tuples;
mod edges;
mod end_positions;
mod flatten;
mod item;
mod nodes;
mod outline;

use self::adjacency::read_adjacency;
use self::dialect::{EdgeItems, JsonGraphParts, find_parts};
use self::document::JsonDocument;
use self::edge_ends::EdgeReader;
use self::edge_lists::find_edges;
use self::edges::read_edges;
use self::nodes::{ImportedNodes, read_nodes};
use super::direction::DirectionCount;
use super::format::{GraphFormat, wrong_format};
use super::import_builder::ImportBuilder;
use super::node_ids::{IdOrigin, finish_ids};
use super::options::ImportOptions;
use super::{ImportLimits, ImportResult, codes};
use crate::base::json::{DUPLICATE_KEY, duplicate_key};
use crate::base::value::put;
use crate::base::{Diagnostic, Value};
use crate::gasl::graph::{AttributeValue, Element, FORMAT, Graph, QuoteHandling};

/// Graph with its format and warnings, or errors.
pub type FormattedResult = Result<(GraphFormat, Graph, Vec<Diagnostic>), Vec<Diagnostic>>;

/// Reads a node-link document, also in the variant of graphology.
pub fn read_node_link(text: &[u8], limits: ImportLimits) -> ImportResult {
    let accepted = [GraphFormat::NodeLink, GraphFormat::Graphology];
    let (_, graph, warnings) = read_json_graph(text, &ImportOptions::default(), &accepted, limits)?;
    Ok((graph, warnings))
}

/// Reads a document in one of the accepted formats.
pub fn read_json_graph(
    text: &[u8],
    options: &ImportOptions,
    accepted: &[GraphFormat],
    limits: ImportLimits,
) -> FormattedResult {
    let (format, graph) = read(text, options, accepted, limits).map_err(|error| vec![error])?;
    let (graph, warnings) = graph.finish()?;
    Ok((format, graph, warnings))
}

/// Returns the format of a valid document.
pub fn format_of(text: &[u8], limits: ImportLimits) -> Option<GraphFormat> {
    let document = JsonDocument::scan(text, limits).ok()?;
    Some(find_parts(&document, None).ok()?.format)
}

fn read(
    bytes: &[u8],
    options: &ImportOptions,
    accepted: &[GraphFormat],
    limits: ImportLimits,
) -> Result<(GraphFormat, ImportBuilder), Diagnostic> {
    let document = JsonDocument::scan(bytes, limits)?;
    let parts = find_parts(&document, options.format)?;
    let expected = options.format.or_else(|| accepted.first().copied());
    if let Some(expected) = expected.filter(|_| !accepted.contains(&parts.format)) {
        return Err(wrong_format(expected, parts.format, document.start_span()));
    }
    let format = document.value("format");
    let is_export = format.is_some_and(|format| format.as_text() == Some(FORMAT));
    let quotes = if is_export { QuoteHandling::Keep } else { QuoteHandling::Strip };
    let mut graph = ImportBuilder::new(quotes, limits);
    report_duplicate_keys(&document, &mut graph);
    read_metadata(&document, &parts, &mut graph);
    let mut ids = read_nodes(&document, &parts, options, &mut graph)?;
    if is_export {
        ids.origin = IdOrigin::Chosen;
    }
    read_all_edges(&document, &parts, options, &ids, &mut graph)?;
    finish_ids(&mut graph, &ids.origin, Some(document.span(parts.at)))?;
    if is_export && let Some(raw) = document.value("raw") {
        read_raw_values(&raw, &mut graph);
    }
    Ok((parts.format, graph))
}

/// Reports keys of the outermost map that occur twice, such as a second list `nodes`.
fn report_duplicate_keys(document: &JsonDocument<'_>, graph: &mut ImportBuilder) {
    let mut entries: Vec<_> = document.outline.entries.iter().collect();
    entries.sort_by_key(|(key, _)| key);
    for (first, second) in entries.iter().zip(entries.iter().skip(1)) {
        if first.0 == second.0 {
            graph.warn(DUPLICATE_KEY, || duplicate_key(&first.0, document.span(second.1)));
        }
    }
}

/// Reads the edges and decides the direction of the graph.
fn read_all_edges(
    document: &JsonDocument<'_>,
    parts: &JsonGraphParts<'_>,
    options: &ImportOptions,
    ids: &ImportedNodes,
    graph: &mut ImportBuilder,
) -> Result<(), Diagnostic> {
    let declared = declared_direction(document, parts, graph);
    let direction = options.directed.or(declared);
    let mut count = DirectionCount::default();
    let reader = EdgeReader { document, parts, options, ids, has_positions: ids.has_indices };
    match &parts.edges {
        EdgeItems::Adjacency(lists) => {
            // NetworkX omits nothing: a missing direction means undirected.
            read_adjacency(&reader, lists, direction == Some(true), graph)?;
        }
        EdgeItems::Items(items) => {
            count = read_edges(&reader, &items.as_slice().into(), direction, graph)?;
        }
        EdgeItems::OfScope => {
            let scope = parts.scope.as_ref().unwrap_or(&document.outline);
            let edges = find_edges(document, scope, parts.at, parts.edge_nesting(), graph)?;
            count = read_edges(&reader, &edges, direction, graph)?;
        }
    }
    let at = document.span(parts.at);
    let (directed, warning) = count.decide(direction, at);
    graph.builder.directed = directed;
    if let Some(warning) = warning.filter(|_| options.directed.is_none()) {
        graph.warn(codes::MIXED_DIRECTION, || warning);
    }
    Ok(())
}

/// Returns the direction that the document declares.
fn declared_direction(
    document: &JsonDocument<'_>,
    parts: &JsonGraphParts<'_>,
    graph: &mut ImportBuilder,
) -> Option<bool> {
    if parts.format == GraphFormat::Graphology {
        let kind = document.value("options").and_then(|options| options.get("type").cloned());
        match kind.as_ref().and_then(Value::as_text) {
            Some("directed") => return Some(true),
            Some("undirected") => return Some(false),
            _ => {}
        }
    }
    let inner = parts.scope.as_ref().unwrap_or(&document.outline);
    let has_direction = inner.find("directed").is_some();
    let scope = if has_direction { inner } else { &document.outline };
    // The JSON Graph Format is directed by default; `links` are of node-link JSON in a map `graph`.
    let is_json_graph = parts.format == GraphFormat::JsonGraph && inner.find("links").is_none();
    let default = is_json_graph.then_some(true);
    match document.value_in(scope, "directed") {
        Some(Value::Bool(directed)) => Some(directed),
        None | Some(Value::Null) => default,
        Some(other) => {
            let at = document.span(scope.find("directed").unwrap_or_default());
            graph.warn(codes::INVALID_DIRECTION, || {
                let message =
                    format!("expected `directed` to be a boolean, found a {}", other.kind());
                Diagnostic::new(codes::INVALID_DIRECTION, message)
                    .help("write `\"directed\": true` or `\"directed\": false`; it was ignored")
                    .at(at)
            });
            default
        }
    }
}

/// Reads the attributes of the graph itself and the texts of its sources.
fn read_metadata(
    document: &JsonDocument<'_>,
    parts: &JsonGraphParts<'_>,
    graph: &mut ImportBuilder,
) {
    let scope = parts.scope.as_ref().unwrap_or(&document.outline);
    let map_of = |value: Option<Value>| value.filter(|map| map.as_map().is_some());
    let metadata = match parts.format {
        GraphFormat::Graphology => map_of(document.value("attributes")),
        GraphFormat::Cytoscape => map_of(document.value("data")),
        GraphFormat::JsonGraph => {
            let mut metadata = map_of(document.value_in(scope, "metadata"));
            for key in ["id", "label", "type"] {
                let Some(value) = document.value_in(scope, key) else { continue };
                let map = metadata.get_or_insert_with(|| Value::map([]));
                if let Some(map) = map.as_map_mut().filter(|map| !map.contains_key(key)) {
                    put(map, key, value);
                }
            }
            metadata
        }
        _ => map_of(document.value("graph")),
    };
    graph.builder.metadata = metadata.filter(|map| *map != Value::map([])).into();
    graph.builder.source_texts = map_of(document.value("sources")).into();
}

/// Reads the original values of an export:
/// `{"nodes": {id: {field: original}}, "edges": {row: {field: original}}}`.
fn read_raw_values(raw: &Value, graph: &mut ImportBuilder) {
    let each = |kind| raw.get(kind).and_then(Value::as_map).into_iter().flatten();
    let nodes = each("nodes").filter_map(|(id, fields)| {
        Some((Element::Node(graph.builder.find_node(id)?), fields.as_map()?))
    });
    let edge_count = graph.builder.edge_count();
    let edge = |row: &str| {
        row.parse().ok().filter(|edge: &u32| (*edge as usize) < edge_count).map(Element::Edge)
    };
    let edges = each("edges").filter_map(|(row, fields)| Some((edge(row)?, fields.as_map()?)));
    for (row, fields) in nodes.collect::<Vec<_>>().into_iter().chain(edges) {
        for (field, original) in fields {
            graph.builder.set_raw(row, field, AttributeValue::from(original));
        }
    }
}
