//! Adjacency lists of NetworkX: for each node the list of its neighbours.

use super::edge_ends::EdgeReader;
use super::item::NodeLinkItem;
use crate::base::map::{IntMap, pack_pair};
use crate::base::value::StringCache;
use crate::base::{Diagnostic, Span};
use crate::gasl::graph::Element;
use crate::gasl::import::codes;
use crate::gasl::import::import_builder::ImportBuilder;

/// Reads the adjacency lists. An undirected edge is in the lists of both ends and is read once.
pub fn read_adjacency(
    reader: &EdgeReader<'_>,
    lists: &[Span],
    is_directed: bool,
    graph: &mut ImportBuilder,
) -> Result<(), Diagnostic> {
    let document = reader.document;
    let mut shared = StringCache::default();
    // Number of edges from a node to a later one that have not been met in the list of the later one.
    let mut pending = IntMap::default();
    for (index, list) in lists.iter().enumerate() {
        let Some(source) = reader.ids.rows.get(index).copied() else {
            report_extra_lists(lists.len(), reader.ids.rows.len(), document.span(*list), graph);
            break;
        };
        if !document.is_list(*list) {
            let message = "expected a list of neighbours, found another value";
            graph.warn_incomplete(
                message,
                "write `[{\"id\": …}]`; it was skipped",
                document.span(*list),
            );
            continue;
        }
        for span in document.scan_part(*list)?.items {
            let at = document.span(span);
            let neighbor = document.item(span, super::flatten::Nesting::None, &mut shared, graph);
            let (id, field) = match &neighbor {
                NodeLinkItem::Value(id) if id.as_map().is_none() => (Some(id.into()), None),
                map => (map.get("id"), Some("id")),
            };
            let Some(target) = reader.edge_end(id, span, field, graph) else {
                graph.warn_incomplete(
                    "missing `id` of a neighbour",
                    "write `{\"id\": …}`; the edge was skipped",
                    at,
                );
                continue;
            };
            let target = target.row(graph, at)?;
            if !is_directed && source != target {
                let mirrored =
                    pending.get_mut(&pack_pair(target, source)).filter(|count| **count > 0);
                if let Some(count) = mirrored {
                    *count -= 1;
                    continue;
                }
                *pending.entry(pack_pair(source, target)).or_default() += 1;
            }
            let row = graph.add_edge(None, source, target, at)?;
            for (field, value) in neighbor.fields().iter() {
                if *field != "id" {
                    graph.set(Element::Edge(row), field, value.clone(), at)?;
                }
            }
        }
    }
    Ok(())
}

fn report_extra_lists(lists: usize, nodes: usize, at: Span, graph: &mut ImportBuilder) {
    graph.warn(codes::UNREAD_LIST, || {
        let message = format!("expected {nodes} lists in `adjacency`, found {lists}");
        Diagnostic::new(codes::UNREAD_LIST, message)
            .help("write one list for each node; the others were not read")
            .at(at)
    });
}
