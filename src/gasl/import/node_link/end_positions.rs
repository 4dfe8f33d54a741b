//! Numeric ends of edges beside nodes whose ids are texts: positions of nodes, or values of another
//! field.

use super::document::JsonDocument;
use super::edge_ends::EdgeReader;
use crate::base::diagnostic::quote;
use crate::base::names;
use crate::base::value::StringCache;
use crate::base::{Diagnostic, Span};
use crate::gasl::graph::AttributeValue;
use crate::gasl::import::codes;
use crate::gasl::import::end_names::is_id_name;
use crate::gasl::import::import_builder::ImportBuilder;

/// Numeric ends of a list of edges.
enum NumericEnds {
    /// All ends are positions of nodes: the distinct ones, in order.
    Positions(Vec<u32>),
    /// All ends are numbers, and some are not positions.
    Other,
    /// Some ends are not numbers.
    Mixed,
}

/// Returns whether numeric ends are positions of nodes. They are ids if a field with the name of an id
/// contains all of them, or if some are not positions.
pub fn are_positions(
    reader: &EdgeReader<'_>,
    items: &[Span],
    ends: [&str; 2],
    graph: &mut ImportBuilder,
) -> bool {
    let positions = match numeric_ends(reader, items, ends, graph) {
        NumericEnds::Positions(positions) => positions,
        NumericEnds::Other => return false,
        NumericEnds::Mixed => return true,
    };
    let columns = graph.builder.columns_containing(&positions);
    if columns.iter().any(|name| is_id_name(name)) {
        return false;
    }
    if !columns.is_empty() && !positions.is_empty() {
        report_other_field(reader.document, reader.parts.at, &columns, graph);
    }
    true
}

fn numeric_ends(
    reader: &EdgeReader<'_>,
    items: &[Span],
    ends: [&str; 2],
    graph: &mut ImportBuilder,
) -> NumericEnds {
    let mut is_end = vec![false; reader.ids.rows.len()];
    let mut shared = StringCache::default();
    for span in items {
        let nesting = reader.parts.edge_nesting();
        let edge = reader.document.item(*span, nesting, &mut shared, graph);
        for end in ends {
            let Some(AttributeValue::Number(number)) = edge.get(end) else {
                return NumericEnds::Mixed;
            };
            let is_index = number >= 0.0 && number.fract() == 0.0;
            match is_end.get_mut(number as usize).filter(|_| is_index) {
                Some(is_end) => *is_end = true,
                None => return NumericEnds::Other,
            }
        }
    }
    let positions = (0..).zip(is_end).filter(|(_, is_end)| *is_end);
    NumericEnds::Positions(positions.map(|(position, _)| position).collect())
}

fn report_other_field(
    document: &JsonDocument<'_>,
    at: Span,
    columns: &[String],
    graph: &mut ImportBuilder,
) {
    let listed = names::format_names(columns.iter().map(String::as_str));
    let first = columns.first().map(|name| quote(name)).unwrap_or_default();
    graph.warn(codes::POSITIONS_OR_FIELD, || {
        let message = format!(
            "the edge ends are zero-based indices of nodes, as which they are read, and also values \
             of {listed}"
        );
        Diagnostic::new(codes::POSITIONS_OR_FIELD, message)
            .help(format!(
                "pass the name of {first} as `id` to `Graph.from` if they are its values"
            ))
            .at(document.span(at))
    });
}
