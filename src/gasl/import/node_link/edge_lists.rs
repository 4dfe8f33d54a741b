//! The edges of a document: `links`, `edges`, or a list or map under another name.

use super::dialect::not_a_list;
use super::document::JsonDocument;
use super::edge_tuples::tuple_parts;
use super::flatten::{Nesting, flatten_item};
use super::outline::NodeLinkOutline;
use crate::base::diagnostic::quote;
use crate::base::names;
use crate::base::{Diagnostic, Span};
use crate::gasl::import::codes;
use crate::gasl::import::end_names::find_ends;
use crate::gasl::import::import_builder::ImportBuilder;
use std::borrow::Cow;

/// Names of the list of edges.
const EDGE_LIST_NAMES: [&str; 2] = ["links", "edges"];

/// Keys of the outermost map that are not edges, also if their values are maps.
const METADATA_KEYS: [&str; 7] =
    ["graph", "sources", "data", "attributes", "options", "metadata", "raw"];

/// Edges of a document.
#[derive(Default)]
pub struct EdgeList<'a> {
    pub items: Cow<'a, [Span]>,
    /// Keys of the items, if the edges are a map. They are the ids of edges without one.
    pub keys: Vec<String>,
}

impl<'a> From<&'a [Span]> for EdgeList<'a> {
    fn from(items: &'a [Span]) -> EdgeList<'a> {
        EdgeList { items: items.into(), keys: Vec::new() }
    }
}

/// Returns the edges of a map; reports a list that was not read. The nodes at `nodes` are not edges.
pub fn find_edges<'a>(
    document: &JsonDocument<'_>,
    map: &'a NodeLinkOutline,
    nodes: Span,
    nesting: Nesting<'_>,
    graph: &mut ImportBuilder,
) -> Result<EdgeList<'a>, Diagnostic> {
    let is_filled = |part: &Span| !matches!(document.part_text(*part), "null" | "[]" | "{}");
    for [name, other] in [["links", "edges"], ["edges", "links"]] {
        let edges = map.find(name).filter(|edges| !document.is_list(*edges)).filter(is_filled);
        let Some(edges) = edges else { continue };
        if map.find(other).filter(is_filled).is_some() {
            let message = format!("expected one list of edges, found `{name}` and `{other}`");
            return Err(Diagnostic::new(codes::AMBIGUOUS_EDGE_LIST, message)
                .help("remove one of them, or put all edges into a list `edges`")
                .at(document.span(edges)));
        }
        let other = other_list(document, name, edges, nesting, graph)?;
        return match other.filter(|other| other.has_ends) {
            Some(OtherList { edges, .. }) => Ok(edges),
            None => Err(not_a_list(name, document.span(edges))),
        };
    }
    let has_list = EDGE_LIST_NAMES.iter().any(|name| map.find(name).is_some());
    let mut others = Vec::new();
    for (name, at) in &map.entries {
        let is_other = *at != nodes && name != "nodes" && !EDGE_LIST_NAMES.contains(&name.as_str());
        if is_other {
            others.extend(other_list(document, name, *at, nesting, graph)?);
        }
    }
    if !has_list {
        return other_edges(document, others, graph);
    }
    let is_empty = map.links.is_empty() && map.edges.is_empty();
    let is_reported = |list: &OtherList<'_>| match list.has_ends {
        true => is_empty || !list.has_tuples,
        false => list.name == "hyperedges",
    };
    let unread: Vec<OtherList<'_>> = others.into_iter().filter(is_reported).collect();
    report_unread(document, &unread, graph);
    if map.links.is_empty() || map.edges.is_empty() {
        let edges = if map.links.is_empty() { &map.edges } else { &map.links };
        return Ok(edges.as_slice().into());
    }
    let at = map.find("edges").unwrap_or_default();
    if !is_same_list(document, &map.links, &map.edges) {
        let (links, edges) = (map.links.len(), map.edges.len());
        let message =
            format!("expected one list of edges, found {links} `links` and {edges} `edges`");
        return Err(Diagnostic::new(codes::AMBIGUOUS_EDGE_LIST, message)
            .help("remove one of the lists, or put all edges into `edges`")
            .at(document.span(at)));
    }
    graph.warn(codes::DUPLICATE_EDGE_LIST, || {
        let message =
            format!("`links` and `edges` are equal lists of length {}, read once", map.links.len());
        Diagnostic::new(codes::DUPLICATE_EDGE_LIST, message)
            .help("remove one of the lists")
            .at(document.span(at))
    });
    Ok(map.links.as_slice().into())
}

fn is_same_list(document: &JsonDocument<'_>, links: &[Span], edges: &[Span]) -> bool {
    let is_same = |(link, edge): (&Span, &Span)| {
        let is_same_text = document.part_text(*link) == document.part_text(*edge);
        is_same_text || document.parse(*link).is_same(&document.parse(*edge))
    };
    links.len() == edges.len() && links.iter().zip(edges).all(is_same)
}

/// List or map under another name, whose items are maps or lists.
struct OtherList<'n> {
    name: &'n str,
    at: Span,
    edges: EdgeList<'static>,
    /// Whether its first item has two ends, or all its items are lists with two ids of nodes.
    has_ends: bool,
    /// Whether its items are lists.
    has_tuples: bool,
}

/// Returns a list of maps or lists, or a map of maps; `None` for other values.
fn other_list<'n>(
    document: &JsonDocument<'_>,
    name: &'n str,
    at: Span,
    nesting: Nesting<'_>,
    graph: &ImportBuilder,
) -> Result<Option<OtherList<'n>>, Diagnostic> {
    let is_list = document.is_list(at);
    if !is_list && (!document.is_map(at) || METADATA_KEYS.contains(&name)) {
        return Ok(None);
    }
    let part = document.scan_part(at)?;
    let (keys, items): (Vec<String>, Vec<Span>) = match is_list {
        true => (Vec::new(), part.items),
        false => part.entries.into_iter().unzip(),
    };
    let Some(first) = items.first().copied() else { return Ok(None) };
    let has_tuples = is_list && document.is_list(first);
    if !has_tuples && !document.is_map(first)
        || !is_list && !items.iter().all(|item| document.is_map(*item))
    {
        return Ok(None);
    }
    let has_ends = match has_tuples {
        true => tuple_parts(document, &items, graph).is_some_and(|parts| parts.is_certain),
        false => {
            let first = flatten_item(document.parse(first), nesting);
            let fields: Vec<&str> = first.entries().map(|(field, _)| &**field).collect();
            find_ends(&fields).is_some()
        }
    };
    let edges = EdgeList { items: items.into(), keys };
    Ok(Some(OtherList { name, at, edges, has_ends, has_tuples }))
}

/// Returns the edges of the only list or map that has ends. Lists of lists count if there is no other.
fn other_edges(
    document: &JsonDocument<'_>,
    mut others: Vec<OtherList<'_>>,
    graph: &mut ImportBuilder,
) -> Result<EdgeList<'static>, Diagnostic> {
    let has_maps = others.iter().any(|list| list.has_ends && !list.has_tuples);
    let is_candidate = |list: &OtherList<'_>| list.has_ends && !(has_maps && list.has_tuples);
    let candidates: Vec<usize> =
        (0..others.len()).filter(|index| others.get(*index).is_some_and(is_candidate)).collect();
    let names = candidates.iter().filter_map(|index| Some(others.get(*index)?.name));
    let listed = names::format_names(names);
    match candidates.as_slice() {
        [] => {
            report_unread(document, &others, graph);
            Ok(EdgeList::default())
        }
        [index] => {
            let list = others.swap_remove(*index);
            graph.warn(codes::OTHER_EDGE_LIST, || {
                let count = list.edges.items.len();
                let message = format!("expected a list `edges`, found {listed} of length {count}");
                Diagnostic::new(codes::OTHER_EDGE_LIST, message)
                    .help(format!("{listed} was read as the edges; call the list `edges`"))
                    .at(document.span(list.at))
            });
            Ok(list.edges)
        }
        [_, last, ..] => {
            let message = format!("expected a list `edges`, found {listed}");
            let at = others.get(*last).map(|list| list.at).unwrap_or_default();
            Err(Diagnostic::new(codes::AMBIGUOUS_EDGE_LIST, message)
                .help("call the list of the edges `edges`")
                .at(document.span(at)))
        }
    }
}

/// Reports lists and maps that were not read.
fn report_unread(document: &JsonDocument<'_>, others: &[OtherList<'_>], graph: &mut ImportBuilder) {
    for list in others {
        graph.warn(codes::UNREAD_LIST, || {
            let count = list.edges.items.len();
            let kind = if list.edges.keys.is_empty() { "list" } else { "map" };
            let name = quote(list.name);
            let message = format!("the {kind} {name} of length {count} was not read");
            let help = match list.has_ends {
                true => "put all edges into one list `edges`",
                false => {
                    "write the edges as a list `edges`, and give each edge `source` and `target`"
                }
            };
            Diagnostic::new(codes::UNREAD_LIST, message).help(help).at(document.span(list.at))
        });
    }
}
