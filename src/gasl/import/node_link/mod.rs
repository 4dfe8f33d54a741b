//! Node-link JSON as written by NetworkX and d3, and exported graphs in the same format.
//!
//! `{directed?, graph?, nodes: [{id, …}], links | edges: [{source, target, …}], sources?}`. An
//! endpoint is a node id. If no node has a numeric id, a numeric endpoint is a node index. The id of
//! a node without `id` is its `name`, else its index.

mod item;
mod outline;

use self::item::{NodeLinkItem, id_of};
use self::outline::NodeLinkOutline;
use super::import_builder::ImportBuilder;
use super::{ImportLimits, ImportResult, codes, decode};
use crate::base::json::{self, Reader};
use crate::base::value::StringCache;
use crate::base::{Diagnostic, Location, Span, Value};
use crate::gasl::graph::{AttributeValue, Element, FORMAT, QuoteHandling};

/// Reads a node-link document.
pub fn node_link(text: &[u8], limits: ImportLimits) -> ImportResult {
    read(text, limits).map_err(|error| vec![error])?.finish()
}

fn read(bytes: &[u8], limits: ImportLimits) -> Result<ImportBuilder, Diagnostic> {
    let (text, offset) = decode(bytes, limits)?;
    let json_limits = json::Limits { depth: limits.depth, bytes: limits.bytes };
    let mut outline = NodeLinkOutline::default();
    let shift = |error: Diagnostic| shifted(error, offset);
    Reader::new(json_limits).read_all(text.as_bytes(), &mut outline).map_err(shift)?;
    let document = NodeLinkDocument { text, offset, limits: json_limits, outline };
    let Some(nodes) = document.outline.find("nodes").filter(|_| document.outline.is_map) else {
        return Err(Diagnostic::new(codes::NOT_NODE_LINK, "missing list `nodes`")
            .help("write `{\"nodes\": [{\"id\": …}], \"edges\": [{\"source\": …, \"target\": …}]}`")
            .at(Span::new(offset, offset)));
    };
    let is_list = |span: Span| text.get(span.start..).is_some_and(|text| text.starts_with('['));
    if !is_list(nodes) {
        return Err(Diagnostic::new(codes::NOT_NODE_LINK, "`nodes` is not a list")
            .help("write `\"nodes\": [{\"id\": …}]`")
            .at(document.span(nodes)));
    }
    for name in ["links", "edges"] {
        let Some(edges) = document.outline.find(name).filter(|edges| !is_list(*edges)) else {
            continue;
        };
        if document.value(name) == Some(Value::Null) {
            continue;
        }
        return Err(Diagnostic::new(codes::NOT_NODE_LINK, format!("`{name}` is not a list"))
            .help(format!("write `\"{name}\": [{{\"source\": …, \"target\": …}}]`"))
            .at(document.span(edges)));
    }
    let is_export = document.value("format").is_some_and(|format| format.as_text() == Some(FORMAT));
    let quotes = if is_export { QuoteHandling::Keep } else { QuoteHandling::Strip };
    let mut graph = ImportBuilder::new(quotes, limits);
    graph.builder.directed = document.value("directed") == Some(Value::Bool(true));
    let metadata = document.value("graph").filter(|map| map.as_map().is_some());
    graph.builder.metadata = metadata.filter(|map| *map != Value::map([])).into();
    let texts = document.value("sources").filter(|texts| texts.as_map().is_some());
    graph.builder.source_texts = texts.into();
    let indexing = read_nodes(&document, &mut graph)?;
    read_edges(&document, &indexing, &mut graph)?;
    if is_export && let Some(raw) = document.value("raw") {
        read_raw(&raw, &mut graph);
    }
    Ok(graph)
}

/// Text with the spans of its parts.
struct NodeLinkDocument<'a> {
    text: &'a str,
    offset: usize,
    limits: json::Limits,
    outline: NodeLinkOutline,
}

impl NodeLinkDocument<'_> {
    fn value(&self, key: &str) -> Option<Value> {
        self.parse(self.outline.find(key)?, &mut StringCache::default()).0
    }

    fn parse(&self, span: Span, strings: &mut StringCache) -> (Option<Value>, Vec<Diagnostic>) {
        let text = self.text.get(span.start..span.end).unwrap_or_default();
        Value::parse_next(text.as_bytes(), self.limits, strings)
    }

    /// Parses an item of a list and reports its warnings.
    fn item(
        &self,
        span: Span,
        shared: &mut StringCache,
        graph: &mut ImportBuilder,
    ) -> NodeLinkItem<'_> {
        let text = self.text.get(span.start..span.end).unwrap_or_default();
        NodeLinkItem::parse_flat(text).unwrap_or_else(|| {
            let (value, warnings) = self.parse(span, shared);
            for warning in warnings {
                graph.warn(warning.code, || shifted(warning, span.start + self.offset));
            }
            NodeLinkItem::Value(value.unwrap_or_default())
        })
    }

    fn span(&self, span: Span) -> Span {
        Span::new(span.start + self.offset, span.end + self.offset)
    }
}

/// Returns the diagnostic with its span shifted by `by` bytes.
fn shifted(diagnostic: Diagnostic, by: usize) -> Diagnostic {
    let location = diagnostic.location.map(|location| match location {
        Location::Span(span) => Location::Span(Span::new(span.start + by, span.end + by)),
        pointer => pointer,
    });
    Diagnostic { location, ..diagnostic }
}

/// Meaning of numeric endpoints.
enum NodeIndexing {
    /// Ids, because a node has a numeric id.
    Ids,
    /// Indices of nodes; contains the row of each node.
    Indices(Vec<u32>),
}

fn read_nodes(
    document: &NodeLinkDocument<'_>,
    graph: &mut ImportBuilder,
) -> Result<NodeIndexing, Diagnostic> {
    let mut has_numeric_id = false;
    let mut rows = Vec::new();
    let mut shared = StringCache::default();
    for (index, span) in document.outline.nodes.iter().enumerate() {
        let at = document.span(*span);
        let node = document.item(*span, &mut shared, graph);
        if matches!(node, NodeLinkItem::Value(Value::Null)) {
            graph.warn_incomplete("null node", "add an id; its id is its index", at);
        }
        let explicit_id = match &node {
            NodeLinkItem::Value(id) if id.as_map().is_none() => Some(AttributeValue::from(id)),
            map => map.get("id"),
        };
        let id = explicit_id.and_then(id_of);
        has_numeric_id |= id.as_deref().and_then(json::number_of).is_some();
        let name = || match node.get("name") {
            Some(AttributeValue::Text(name)) => Some(name.into()),
            _ => None,
        };
        let id = id.or_else(name).unwrap_or_else(|| index.to_string().into());
        let (row, _) = graph.add_node(&id, at)?;
        rows.push(row);
        for (field, value) in node.fields().iter() {
            if *field != "id" {
                graph.set(Element::Node(row), field, value.clone(), at)?;
            }
        }
    }
    Ok(if has_numeric_id { NodeIndexing::Ids } else { NodeIndexing::Indices(rows) })
}

fn read_edges(
    document: &NodeLinkDocument<'_>,
    indexing: &NodeIndexing,
    graph: &mut ImportBuilder,
) -> Result<(), Diagnostic> {
    let outline = &document.outline;
    let items = outline.links.iter().chain(&outline.edges);
    graph.builder.reserve_edges(outline.links.len() + outline.edges.len());
    let mut shared = StringCache::default();
    for span in items {
        let at = document.span(*span);
        let edge = document.item(*span, &mut shared, graph);
        let source = endpoint(edge.get("source"), indexing, graph, at)?;
        let target = endpoint(edge.get("target"), indexing, graph, at)?;
        let (Some(source), Some(target)) = (source, target) else {
            graph.warn_incomplete(
                "missing endpoint of an edge",
                "add `source` and `target`; the edge was skipped",
                at,
            );
            continue;
        };
        let id = edge.get("id").and_then(id_of);
        let row = graph.add_edge(id.as_deref(), source, target, at)?;
        for (field, value) in edge.fields().iter() {
            if !matches!(*field, "id" | "source" | "target") {
                graph.set(Element::Edge(row), field, value.clone(), at)?;
            }
        }
    }
    Ok(())
}

/// Returns the row of an endpoint; `None` if it is missing or not an id.
fn endpoint(
    value: Option<AttributeValue<'_>>,
    indexing: &NodeIndexing,
    graph: &mut ImportBuilder,
    at: Span,
) -> Result<Option<u32>, Diagnostic> {
    let node;
    let value = match value {
        // The d3 force layout replaces endpoints with node objects.
        Some(AttributeValue::Value(map @ Value::Map(_))) => {
            node = map;
            node.get("id").map(AttributeValue::from)
        }
        value => value,
    };
    if let (NodeIndexing::Indices(rows), Some(AttributeValue::Number(number))) = (indexing, &value)
        && number.fract() == 0.0
        && let Some(row) = rows.get(*number as usize).filter(|_| *number >= 0.0)
    {
        return Ok(Some(*row));
    }
    match value.and_then(id_of) {
        Some(id) => graph.endpoint(&id, at).map(Some),
        None => Ok(None),
    }
}

/// Reads the original values of an export:
/// `{"nodes": {id: {field: original}}, "edges": {row: {field: original}}}`.
fn read_raw(raw: &Value, graph: &mut ImportBuilder) {
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
