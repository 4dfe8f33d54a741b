//! Numeric ends of edges beside nodes whose ids are texts: positions of nodes, or values of another
//! field.

use super::edge_ends::EdgeReader;
use crate::base::Span;
use crate::base::value::StringCache;
use crate::gasl::graph::AttributeValue;
use crate::gasl::import::end_names::is_id_name;
use crate::gasl::import::import_builder::ImportBuilder;
use crate::gasl::import::node_ids::report_other_fields;

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
    if !positions.is_empty() {
        report_other_fields(&columns, Some(reader.document.span(reader.parts.at)), graph);
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
