//! The list of edges of a document: `links`, `edges`, or one under another name.

use super::dialect::not_a_list;
use super::document::JsonDocument;
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

/// Returns the items of the list of edges of a map; reports a list that was not read.
pub fn find_edges<'a>(
    document: &JsonDocument<'_>,
    map: &'a NodeLinkOutline,
    nesting: Nesting<'_>,
    graph: &mut ImportBuilder,
) -> Result<Cow<'a, [Span]>, Diagnostic> {
    for name in EDGE_LIST_NAMES {
        let edges = map.find(name).filter(|edges| !document.is_list(*edges));
        if let Some(edges) = edges.filter(|edges| document.part_text(*edges) != "null") {
            return Err(not_a_list(name, document.span(edges)));
        }
    }
    let others = other_lists(document, map, nesting)?;
    let has_list = EDGE_LIST_NAMES.iter().any(|name| map.find(name).is_some());
    if !has_list {
        return Ok(other_edges(document, &others, graph)?.into());
    }
    let is_reported = |list: &OtherList| list.has_ends || list.name == "hyperedges";
    let unread: Vec<OtherList> = others.into_iter().filter(is_reported).collect();
    report_unread(document, &unread, graph);
    if map.links.is_empty() || map.edges.is_empty() {
        return Ok(if map.links.is_empty() { &map.edges } else { &map.links }.into());
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
    Ok(Cow::from(&map.links))
}

fn is_same_list(document: &JsonDocument<'_>, links: &[Span], edges: &[Span]) -> bool {
    let is_same = |(link, edge): (&Span, &Span)| {
        let is_same_text = document.part_text(*link) == document.part_text(*edge);
        is_same_text || document.parse(*link).is_same(&document.parse(*edge))
    };
    links.len() == edges.len() && links.iter().zip(edges).all(is_same)
}

/// List of maps under another name.
struct OtherList {
    name: String,
    at: Span,
    items: Vec<Span>,
    /// Whether its first item has two ends.
    has_ends: bool,
}

/// Returns the lists of maps that are neither nodes nor edges.
fn other_lists(
    document: &JsonDocument<'_>,
    map: &NodeLinkOutline,
    nesting: Nesting<'_>,
) -> Result<Vec<OtherList>, Diagnostic> {
    let mut lists = Vec::new();
    for (name, at) in &map.entries {
        let is_other = name != "nodes" && !EDGE_LIST_NAMES.contains(&name.as_str());
        if !is_other || !document.is_list(*at) {
            continue;
        }
        let items = document.scan_part(*at)?.items;
        let Some(first) = items.first().filter(|first| document.is_map(**first)) else { continue };
        let first = flatten_item(document.parse(*first), nesting);
        let fields: Vec<&str> = first.entries().map(|(field, _)| &**field).collect();
        let has_ends = find_ends(&fields).is_some();
        lists.push(OtherList { name: name.clone(), at: *at, items, has_ends });
    }
    Ok(lists)
}

/// Returns the items of the only list that has ends.
fn other_edges(
    document: &JsonDocument<'_>,
    others: &[OtherList],
    graph: &mut ImportBuilder,
) -> Result<Vec<Span>, Diagnostic> {
    let candidates: Vec<&OtherList> = others.iter().filter(|list| list.has_ends).collect();
    let listed = names::format_names(candidates.iter().map(|list| list.name.as_str()));
    match candidates.as_slice() {
        [] => {
            report_unread(document, others, graph);
            Ok(Vec::new())
        }
        [list] => {
            graph.warn(codes::OTHER_EDGE_LIST, || {
                let count = list.items.len();
                let message = format!("expected a list `edges`, found {listed} of length {count}");
                Diagnostic::new(codes::OTHER_EDGE_LIST, message)
                    .help(format!("{listed} was read as the edges; call the list `edges`"))
                    .at(document.span(list.at))
            });
            Ok(list.items.clone())
        }
        [_, last, ..] => {
            let message = format!("expected a list `edges`, found {listed}");
            Err(Diagnostic::new(codes::AMBIGUOUS_EDGE_LIST, message)
                .help("call the list of the edges `edges`")
                .at(document.span(last.at)))
        }
    }
}

/// Reports lists of maps that were not read.
fn report_unread(document: &JsonDocument<'_>, others: &[OtherList], graph: &mut ImportBuilder) {
    for list in others {
        graph.warn(codes::UNREAD_LIST, || {
            let count = list.items.len();
            let message = format!("the list {} of length {count} was not read", quote(&list.name));
            let help = match list.has_ends {
                true => "put all edges into one list `edges`",
                false => {
                    "call the list of the edges `edges`, and give each edge `source` and `target`"
                }
            };
            Diagnostic::new(codes::UNREAD_LIST, message).help(help).at(document.span(list.at))
        });
    }
}
