//! Dialects of graph JSON, recognised by their keys.

use super::document::JsonDocument;
use super::flatten::Nesting;
use super::outline::NodeLinkOutline;
use crate::base::diagnostic::quote;
use crate::base::names;
use crate::base::{Diagnostic, Span, Value};
use crate::gasl::import::codes;
use crate::gasl::import::end_names::find_ends;
use crate::gasl::import::format::{GraphFormat, unsupported};
use std::borrow::Cow;

/// Parts of a document by their role.
pub struct JsonGraphParts<'a> {
    pub format: GraphFormat,
    /// The map with the lists; `None` if the document itself has them.
    pub scope: Option<NodeLinkOutline>,
    /// Items of the nodes.
    pub nodes: Cow<'a, [Span]>,
    /// Keys of the items, if the nodes are a map.
    pub keys: Vec<String>,
    /// Edges, or the adjacency lists of the nodes.
    pub edges: EdgeItems,
    /// Span of the nodes.
    pub at: Span,
}

/// Lists of edges.
pub enum EdgeItems {
    /// The lists `links` and `edges` of the scope, or another one that [`super::edge_lists`] finds.
    OfScope,
    /// These items.
    Items(Vec<Span>),
    /// A list of neighbours for each node.
    Adjacency(Vec<Span>),
}

impl JsonGraphParts<'_> {
    /// Returns the position of the fields of the node at an index.
    pub fn node_nesting(&self, index: usize) -> Nesting<'_> {
        match self.keys.get(index) {
            Some(key) => Nesting::Keyed(key),
            None => nesting_of(self.format),
        }
    }

    /// Returns the position of the fields of an edge.
    pub fn edge_nesting(&self) -> Nesting<'static> {
        nesting_of(self.format)
    }
}

fn nesting_of(format: GraphFormat) -> Nesting<'static> {
    match format {
        GraphFormat::Graphology => Nesting::Attributes,
        GraphFormat::Cytoscape => Nesting::Data,
        GraphFormat::JsonGraph => Nesting::Metadata,
        _ => Nesting::None,
    }
}

/// Finds the lists of a document; `format` is the dialect that the caller asks for.
pub fn find_parts<'a>(
    document: &'a JsonDocument<'_>,
    format: Option<GraphFormat>,
) -> Result<JsonGraphParts<'a>, Diagnostic> {
    let outline = &document.outline;
    if !outline.is_map {
        return parts_of_list(document, format);
    }
    if let Some(elements) = outline.find("elements").filter(|_| outline.find("nodes").is_none()) {
        return parts_of_elements(document, elements, format);
    }
    if outline.find("nodes").is_none() {
        if let Some(graphs) = outline.find("graphs").filter(|span| document.is_list(*span)) {
            let graphs = (document.scan_part(graphs)?.items, graphs);
            return match graphs {
                (items, _) if items.len() == 1 => {
                    parts_of_json_graph(document, items.first().copied().unwrap_or_default())
                }
                (items, at) => Err(several_graphs(items.len(), document.span(at))),
            };
        }
        if let Some(graph) = outline.find("graph").filter(|span| document.is_map(*span)) {
            let scope = document.scan_part(graph)?;
            if scope.find("nodes").is_some() || format == Some(GraphFormat::JsonGraph) {
                return parts_of_json_graph(document, graph);
            }
        }
    }
    parts_of_map(document, format)
}

/// Finds the lists of a document with a list or map `nodes`.
fn parts_of_map<'a>(
    document: &'a JsonDocument<'_>,
    format: Option<GraphFormat>,
) -> Result<JsonGraphParts<'a>, Diagnostic> {
    let outline = &document.outline;
    let Some(at) = outline.find("nodes") else { return Err(missing_nodes(document)) };
    if document.is_map(at) {
        let nodes = document.scan_part(at)?;
        let is_node = |span: &Span| document.is_map(*span) || document.part_text(*span) == "null";
        let is_graph = nodes.entries.iter().all(|(_, span)| is_node(span));
        if is_graph && (!nodes.entries.is_empty() || format == Some(GraphFormat::JsonGraph)) {
            return Ok(JsonGraphParts {
                format: GraphFormat::JsonGraph,
                scope: None,
                nodes: spans_of(&nodes),
                keys: keys_of(nodes),
                edges: EdgeItems::OfScope,
                at,
            });
        }
    }
    if !document.is_list(at) {
        return Err(Diagnostic::new(codes::NOT_NODE_LINK, "`nodes` is not a list")
            .help("write `\"nodes\": [{\"id\": …}]`")
            .at(document.span(at)));
    }
    let nodes = Cow::from(&outline.nodes);
    let keys = Vec::new();
    let adjacency = outline.find("adjacency").filter(|span| document.is_list(*span));
    let has_edges = outline.find("links").or(outline.find("edges")).is_some();
    if let Some(adjacency) = adjacency.filter(|_| !has_edges) {
        let edges = EdgeItems::Adjacency(document.scan_part(adjacency)?.items);
        let format = GraphFormat::Adjacency;
        return Ok(JsonGraphParts { format, scope: None, nodes, keys, edges, at });
    }
    // Other dialects have another structure, so they cannot be forced.
    let is_list_dialect = |format: &GraphFormat| {
        use GraphFormat::{Cytoscape, Graphology, NodeLink, Vis};
        matches!(format, NodeLink | Graphology | Cytoscape | Vis)
    };
    let format = match format.filter(is_list_dialect) {
        Some(format) => format,
        None => dialect_of_items(document),
    };
    Ok(JsonGraphParts { format, scope: None, nodes, keys, edges: EdgeItems::OfScope, at })
}

/// Returns the dialect of the lists `nodes` and `edges` by their first items.
fn dialect_of_items(document: &JsonDocument<'_>) -> GraphFormat {
    let outline = &document.outline;
    let first = |items: &[Span]| items.first().map(|span| document.parse(*span));
    let node = first(&outline.nodes).unwrap_or_default();
    let edge = first(&outline.edges).or_else(|| first(&outline.links)).unwrap_or_default();
    let has_map = |item: &Value, key: &str| item.get(key).is_some_and(|map| map.as_map().is_some());
    let has_data = |item: &Value| has_map(item, "data") && item.get("id").is_none();
    let has_ends = edge.get("source").is_some() && edge.get("target").is_some();
    if has_data(&node) || (has_data(&edge) && !has_ends) {
        return GraphFormat::Cytoscape;
    }
    let has_key = node.get("key").is_some() && node.get("id").is_none();
    let has_options = document.value("options").is_some_and(|options| {
        ["type", "multi", "allowSelfLoops"].iter().any(|key| options.get(key).is_some())
    });
    let has_attributes = has_map(&node, "attributes") || has_map(&edge, "attributes");
    if has_key && (has_options || has_attributes || outline.find("attributes").is_some()) {
        return GraphFormat::Graphology;
    }
    let is_vis = edge.get("from").is_some() && edge.get("to").is_some() && !has_ends;
    if is_vis { GraphFormat::Vis } else { GraphFormat::NodeLink }
}

/// Finds the lists of Cytoscape.js `elements`: a map of two lists, or one list.
fn parts_of_elements<'a>(
    document: &'a JsonDocument<'_>,
    at: Span,
    format: Option<GraphFormat>,
) -> Result<JsonGraphParts<'a>, Diagnostic> {
    let scope = document.scan_part(at)?;
    if !scope.is_map {
        // Kumu has maps without `data`, and another list of edges.
        let first = scope.items.first().map(|span| document.parse(*span)).unwrap_or_default();
        let is_element = ["data", "group"].iter().any(|key| first.get(key).is_some());
        let has_others = document.outline.entries.len() > 1;
        if has_others && format.is_none() && first.as_map().is_some() && !is_element {
            return Ok(JsonGraphParts {
                format: GraphFormat::NodeLink,
                scope: None,
                nodes: scope.items.into(),
                keys: Vec::new(),
                edges: EdgeItems::OfScope,
                at,
            });
        }
        let (nodes, edges) = separate_elements(document, &scope.items);
        return Ok(cytoscape_list(nodes, edges, at));
    }
    Ok(JsonGraphParts {
        format: GraphFormat::Cytoscape,
        nodes: scope.nodes.clone().into(),
        keys: Vec::new(),
        edges: EdgeItems::OfScope,
        at: scope.find("nodes").unwrap_or(at),
        scope: Some(scope),
    })
}

fn cytoscape_list(nodes: Vec<Span>, edges: Vec<Span>, at: Span) -> JsonGraphParts<'static> {
    JsonGraphParts {
        format: GraphFormat::Cytoscape,
        scope: None,
        nodes: nodes.into(),
        keys: Vec::new(),
        edges: EdgeItems::Items(edges),
        at,
    }
}

/// Separates Cytoscape.js elements into nodes and edges.
fn separate_elements(document: &JsonDocument<'_>, items: &[Span]) -> (Vec<Span>, Vec<Span>) {
    let is_edge = |span: &Span| {
        let element = document.parse(*span);
        match element.get("group").and_then(Value::as_text) {
            Some(group) => group == "edges",
            None => element.get("data").is_some_and(|data| data.get("source").is_some()),
        }
    };
    let (edges, nodes): (Vec<Span>, Vec<Span>) = items.iter().partition(|span| is_edge(span));
    (nodes, edges)
}

/// Finds the lists of one graph of the JSON Graph Format.
fn parts_of_json_graph<'a>(
    document: &'a JsonDocument<'_>,
    graph: Span,
) -> Result<JsonGraphParts<'a>, Diagnostic> {
    let scope = document.scan_part(graph)?;
    let at = scope.find("nodes").unwrap_or(graph);
    let (nodes, keys) = match document.is_map(at) && at != graph {
        true => {
            let nodes = document.scan_part(at)?;
            (spans_of(&nodes), keys_of(nodes))
        }
        false => (scope.nodes.clone().into(), Vec::new()),
    };
    let format = GraphFormat::JsonGraph;
    let edges = EdgeItems::OfScope;
    Ok(JsonGraphParts { format, nodes, keys, edges, at, scope: Some(scope) })
}

fn spans_of(map: &NodeLinkOutline) -> Cow<'static, [Span]> {
    map.entries.iter().map(|(_, span)| *span).collect()
}

fn keys_of(map: NodeLinkOutline) -> Vec<String> {
    map.entries.into_iter().map(|(key, _)| key).collect()
}

/// Reads a document that is a list: Cytoscape.js elements.
fn parts_of_list<'a>(
    document: &'a JsonDocument<'_>,
    format: Option<GraphFormat>,
) -> Result<JsonGraphParts<'a>, Diagnostic> {
    let outline = &document.outline;
    let first = outline.items.first().map(|span| document.parse(*span)).unwrap_or_default();
    let has_data = first.get("data").is_some_and(|data| data.as_map().is_some());
    if has_data || format == Some(GraphFormat::Cytoscape) {
        let (nodes, edges) = separate_elements(document, &outline.items);
        return Ok(cytoscape_list(nodes, edges, Span::new(0, document.text.len())));
    }
    let keys: Vec<&str> = first.entries().map(|(key, _)| &**key).collect();
    let help = match find_ends(&keys) {
        Some(_) => "write `{\"nodes\": [], \"edges\": […]}` around the list of edges",
        None => "write `{\"nodes\": [{\"id\": …}], \"edges\": [{\"source\": …, \"target\": …}]}`",
    };
    // Aspects of Cytoscape's exchange format.
    if keys.iter().any(|key| ["CXVersion", "numberVerification", "metaData"].contains(key)) {
        return Err(unsupported("Cytoscape CX")
            .help("export the network as Cytoscape.js JSON (`.cyjs`) or GraphML")
            .at(document.start_span()));
    }
    let message = "expected a map with a list `nodes`, found another value";
    Err(Diagnostic::new(codes::NOT_NODE_LINK, message).help(help).at(document.start_span()))
}

fn several_graphs(count: usize, at: Span) -> Diagnostic {
    let message = format!("expected one graph, found {count} in `graphs`");
    Diagnostic::new(codes::SEVERAL_GRAPHS, message)
        .help("write one of them as `{\"graph\": {…}}`")
        .at(at)
}

/// Keys by which a document is similar to a dialect, and the missing part.
const SIMILAR_DIALECTS: [(&str, &str, &str); 9] = [
    ("Nodes", "node-link JSON", "call the list `Nodes` `nodes`"),
    ("vertices", "node-link JSON", "call the list `vertices` `nodes`"),
    (
        "adjacency",
        "NetworkX adjacency JSON",
        "add the list `nodes`, one `{\"id\": …}` for each list",
    ),
    ("children", "node-link JSON", "write a tree as `nodes`, and `edges` from parents to children"),
    ("links", "node-link JSON", "add `\"nodes\": []`, or the list of nodes"),
    ("edges", "node-link JSON", "add `\"nodes\": []`, or the list of nodes"),
    ("options", "graphology JSON", "add the list `nodes` of `{\"key\": …}`"),
    ("data", "Cytoscape.js JSON", "add `\"elements\": {\"nodes\": […], \"edges\": […]}`"),
    ("graph", "JSON Graph Format", "add `nodes` and `edges` to `graph`"),
];

fn missing_nodes(document: &JsonDocument<'_>) -> Diagnostic {
    let outline = &document.outline;
    let keys: Vec<&str> = outline.entries.iter().map(|(key, _)| key.as_str()).collect();
    let nearest = SIMILAR_DIALECTS.iter().find(|(key, ..)| keys.contains(key));
    let found = match keys.is_empty() {
        true => String::new(),
        false => format!("; found {}", names::format_names(keys.iter().copied())),
    };
    let help = match nearest {
        Some((_, title, help)) => format!("the closest format is {title}: {help}{found}"),
        None => format!(
            "write `{{\"nodes\": [{{\"id\": …}}], \"edges\": [{{\"source\": …, \"target\": …}}]}}`{found}"
        ),
    };
    Diagnostic::new(codes::NOT_NODE_LINK, "missing list `nodes`")
        .help(help)
        .at(document.start_span())
}

/// Returns the error for a list that is needed and has another type.
pub fn not_a_list(name: &str, at: Span) -> Diagnostic {
    Diagnostic::new(codes::NOT_NODE_LINK, format!("expected a list in {}", quote(name)))
        .help(format!("write `\"{name}\": [{{\"source\": …, \"target\": …}}]`"))
        .at(at)
}
