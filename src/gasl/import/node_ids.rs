//! Ids of nodes: the declared field, else the field in which the ends of edges are found, else
//! positions.

use super::codes;
use super::end_names::is_id_name;
use super::import_builder::ImportBuilder;
use crate::base::diagnostic::quote;
use crate::base::{Diagnostic, Span, names};
use crate::gasl::graph::{EndCount, NodeKeys, OldIds, OtherEnds};
use std::borrow::Cow;

/// Origin of the ids of the nodes that were read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IdOrigin {
    /// A field or column.
    Declared(String),
    /// The field that `options.id` names, which is not questioned.
    Chosen,
    /// No node has an id. All have a [`placeholder_id`].
    Missing,
    /// `options.id` asks for positions. All nodes have a [`placeholder_id`].
    Positions,
}

/// Returns the temporary id of a node without one. No text of a document equals it by chance.
pub fn placeholder_id(position: usize) -> Cow<'static, str> {
    format!("\u{0}{position}").into()
}

/// Finishes the ids when all edges have been read. `at` is the span of the nodes, unless their text
/// has been freed.
pub fn finish_ids(
    graph: &mut ImportBuilder,
    origin: &IdOrigin,
    at: Option<Span>,
) -> Result<(), Diagnostic> {
    let count = graph.builder.listed_count();
    match origin {
        _ if count == 0 => Ok(()),
        IdOrigin::Chosen => Ok(()),
        IdOrigin::Declared(column) => check_declared(graph, column, count, at),
        IdOrigin::Missing => {
            infer_ids(graph, count, at);
            Ok(())
        }
        IdOrigin::Positions => {
            let keys = NodeKeys::positions(count);
            graph.builder.rekey(keys, OldIds::Drop, OtherEnds::Unlisted);
            Ok(())
        }
    }
}

/// Compares the declared ids with the ends of edges.
fn check_declared(
    graph: &mut ImportBuilder,
    column: &str,
    count: usize,
    at: Option<Span>,
) -> Result<(), Diagnostic> {
    // All nodes are listed if all ends are ids, which is the common case.
    if graph.builder.node_count() == count {
        return Ok(());
    }
    let ends = graph.builder.count_ends();
    if ends.total == 0 {
        return Ok(());
    }
    if is_majority(ends.total - ends.listed, ends.total)
        && let Some((name, keys, found)) = graph.builder.keys_of_ends(is_id_name)
        && is_majority(found, ends.total)
    {
        graph.builder.rekey(keys, OldIds::Keep, OtherEnds::Unlisted);
        let message = format!(
            "{found} of {} edge ends are found in {}, {} in {}",
            ends.total,
            quote(&name),
            ends.listed,
            quote(column)
        );
        graph.warn(codes::OTHER_ID_COLUMN, || {
            locate_if_known(
                Diagnostic::new(codes::OTHER_ID_COLUMN, message).help(format!(
                    "the ids are read from {}, the old ones are in `id_`; pass `id: \"{column}\"` \
                     to `Graph.from` if that is wrong",
                    quote(&name)
                )),
                at,
            )
        });
        return Ok(());
    }
    if ends.positions == ends.total {
        return Err(ambiguous_ends(ends, column, count, at));
    }
    if ends.listed == 0 && !graph.builder.has_decimal_ids() {
        let ends = names::count_of(ends.total, "edge end");
        let message = format!(
            "expected {ends} in {}, found none; nodes and edges are not connected",
            quote(column)
        );
        graph.warn(codes::NO_COMMON_IDS, || {
            locate_if_known(
                Diagnostic::new(codes::NO_COMMON_IDS, message).help(
                    "pass the name of the field with the ends as `id` to `Graph.from` (`\"\"` for an \
                     unnamed column), or write the ids as the edges do",
                ),
                at,
            )
        });
    }
    Ok(())
}

fn ambiguous_ends(ends: EndCount, column: &str, count: usize, at: Option<Span>) -> Diagnostic {
    let missing = ends.total - ends.listed;
    let message = format!(
        "{missing} of {} edge ends are not ids in {}, but all are indices from 0 to {}",
        ends.total,
        quote(column),
        count - 1
    );
    locate_if_known(
        Diagnostic::new(codes::AMBIGUOUS_ENDS, message).help(format!(
            "pass `id: \"{column}\"` to `Graph.from` if the ends are ids, or `id: \"#\"` if they are \
             zero-based indices"
        )),
        at,
    )
}

/// Gives ids to nodes that have none.
fn infer_ids(graph: &mut ImportBuilder, count: usize, at: Option<Span>) {
    let ends = graph.builder.count_ends();
    if let Some((name, keys, found)) = graph.builder.keys_of_ends(is_id_name)
        && is_majority(found, ends.total)
        && (found > ends.positions || found == ends.total && is_id_name(&name))
    {
        graph.builder.rekey(keys, OldIds::Drop, OtherEnds::Unlisted);
        let message = format!(
            "no node has an `id`; {found} of {} edge ends are found in {}",
            ends.total,
            quote(&name)
        );
        graph.warn(codes::INFERRED_ID_COLUMN, || {
            locate_if_known(
                Diagnostic::new(codes::INFERRED_ID_COLUMN, message).help(format!(
                    "the ids are read from {}; pass `id` to `Graph.from` to choose another",
                    quote(&name)
                )),
                at,
            )
        });
        return;
    }
    if ends.total > 0 && ends.positions == ends.total {
        let columns = graph.builder.columns_containing(&graph.builder.end_positions());
        report_other_fields(&columns, at, graph);
    }
    if let Some(keys) = graph.builder.keys_or_positions("name") {
        graph.builder.rekey(keys, OldIds::Drop, OtherEnds::Positions);
        return;
    }
    graph.builder.rekey(NodeKeys::positions(count), OldIds::Drop, OtherEnds::Unlisted);
    graph.warn(codes::POSITION_IDS, || {
        let message = match count {
            1 => "expected an `id` of each node, found none in the only node".to_owned(),
            _ => format!("expected an `id` of each node, found none in {count} nodes"),
        };
        locate_if_known(
            Diagnostic::new(codes::POSITION_IDS, message).help(
                "the ids are the positions of the nodes, counted from 0; call the field of the ids \
                 `id`, or pass its name as `id` to `Graph.from`",
            ),
            at,
        )
    });
}

/// Reports numeric ends that were read as positions of nodes, if unique columns contain them too.
pub fn report_other_fields(columns: &[String], at: Option<Span>, graph: &mut ImportBuilder) {
    let Some(first) = columns.first().map(|name| quote(name)) else { return };
    let listed = names::format_names(columns.iter().map(String::as_str));
    graph.warn(codes::POSITIONS_OR_FIELD, || {
        let message = format!(
            "the edge ends are zero-based indices of nodes, as which they are read, and also values \
             of {listed}"
        );
        let help =
            format!("pass the name of {first} as `id` to `Graph.from` if they are its values");
        locate_if_known(Diagnostic::new(codes::POSITIONS_OR_FIELD, message).help(help), at)
    });
}

/// Adds a location, if the text of the nodes is at hand.
fn locate_if_known(diagnostic: Diagnostic, at: Option<Span>) -> Diagnostic {
    match at {
        Some(at) => diagnostic.at(at),
        None => diagnostic,
    }
}

fn is_majority(part: usize, total: usize) -> bool {
    part * 2 > total
}
