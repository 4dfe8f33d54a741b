//! Edges of a JSON document.

use super::edge_ends::EdgeReader;
use super::edge_lists::EdgeList;
use super::edge_tuples::tuple_parts;
use super::end_positions::are_positions;
use super::item::{NodeLinkItem, id_of, report_rounded_attribute};
use crate::base::diagnostic::quote;
use crate::base::value::StringCache;
use crate::base::{Diagnostic, Span, Value};
use crate::gasl::graph::{AttributeValue, Element};
use crate::gasl::import::direction::DirectionCount;
use crate::gasl::import::end_names::find_ends;
use crate::gasl::import::format::GraphFormat;
use crate::gasl::import::import_builder::ImportBuilder;

/// Fields of the ends and of the id of an edge.
struct EdgeFields {
    source: String,
    target: String,
    id: String,
}

/// Number of edges that are inspected for the names of their ends.
const MAX_INSPECTED_EDGES: usize = 100;

/// Names of edge ids, by priority.
const EDGE_ID_NAMES: [&str; 4] = ["id", "~id", "_id", "edge_id"];

/// Reads a list of edges. Returns the number of edges of each direction, unless `declared` is known.
pub fn read_edges(
    reader: &EdgeReader<'_>,
    edges: &EdgeList<'_>,
    declared: Option<bool>,
    graph: &mut ImportBuilder,
) -> Result<DirectionCount, Diagnostic> {
    let document = reader.document;
    let items = &*edges.items;
    let tuples = tuple_parts(document, items, graph).filter(|_| reader.options.ends().is_none());
    let fields = edge_fields(reader, items, graph);
    let has_positions = reader.ids.has_indices
        && are_positions(reader, items, [&fields.source, &fields.target], graph);
    let reader = &EdgeReader { has_positions, ..*reader };
    let nesting = reader.parts.edge_nesting();
    let is_counted = declared.is_none() || nesting != super::flatten::Nesting::None;
    let mut count = DirectionCount::default();
    graph.builder.reserve_edges(items.len());
    let mut shared = StringCache::default();
    for (index, span) in items.iter().enumerate() {
        let at = document.span(*span);
        let edge = match (document.item(*span, nesting, &mut shared, graph), tuples) {
            (NodeLinkItem::Value(edge), Some(parts)) => NodeLinkItem::Value(parts.to_map(&edge)),
            (edge, _) => edge,
        };
        let (source, target) = (edge.get(&fields.source), edge.get(&fields.target));
        let [source_key, target_key] = match tuples {
            Some(parts) => parts.keys(),
            None => [&*fields.source, &*fields.target],
        };
        let source = reader.edge_end(source, *span, Some(source_key), graph);
        let target = reader.edge_end(target, *span, Some(target_key), graph);
        let Some((source, target)) = source.zip(target) else {
            let help = format!(
                "add {} and {}; the edge was skipped",
                quote(&fields.source),
                quote(&fields.target)
            );
            graph.warn_incomplete("missing endpoint of an edge", &help, at);
            continue;
        };
        let (source, target) = (source.row(graph, at)?, target.row(graph, at)?);
        if is_counted && (declared.is_some() || !count.is_incomplete()) {
            count_direction(&edge, reader.parts.format, declared, &mut count);
        }
        // An arrow at `from` alone leads to the node that `from` names.
        let is_reversed =
            reader.parts.format == GraphFormat::Vis && arrow_ends(&edge) == [false, true];
        let (source, target) = if is_reversed { (target, source) } else { (source, target) };
        let id = document.exact_id(edge.get(&fields.id), *span, &[&fields.id], graph);
        let id = id.and_then(id_of);
        let id = id.as_deref().or_else(|| edges.keys.get(index).map(String::as_str));
        let row = graph.add_edge(id, source, target, at)?;
        for (field, value) in edge.fields().iter() {
            if !fields.contains(field) {
                report_rounded_attribute(field, value, graph, at);
                graph.set(Element::Edge(row), field, value.clone(), at)?;
            }
        }
    }
    Ok(count)
}

impl EdgeFields {
    fn contains(&self, field: &str) -> bool {
        field == self.source || field == self.target || field == self.id
    }
}

/// Returns the names of the ends in the first edges that have any.
fn edge_fields(reader: &EdgeReader<'_>, items: &[Span], graph: &mut ImportBuilder) -> EdgeFields {
    let [source, target] = reader.options.ends().unwrap_or(["source", "target"]);
    let mut fields = EdgeFields { source: source.into(), target: target.into(), id: "id".into() };
    if graph.is_export() {
        return fields;
    }
    let mut shared = StringCache::default();
    let nesting = reader.parts.edge_nesting();
    for span in items.iter().take(MAX_INSPECTED_EDGES) {
        let edge = reader.document.item(*span, nesting, &mut shared, graph);
        let entries = edge.fields();
        let names: Vec<&str> = entries.iter().map(|(name, _)| *name).collect();
        let ends = match reader.options.ends() {
            Some([source, target]) => {
                let index_of = |end: &str| names.iter().position(|name| *name == end);
                index_of(source).zip(index_of(target))
            }
            None => find_ends(&names),
        };
        let Some((source, target)) = ends else { continue };
        let name_at = |index: usize| names.get(index).copied().unwrap_or_default().to_owned();
        let id = EDGE_ID_NAMES.iter().find(|id| names.contains(*id)).unwrap_or(&"id");
        return EdgeFields { source: name_at(source), target: name_at(target), id: (*id).into() };
    }
    fields.id = "id".into();
    fields
}

/// Counts the direction that an edge declares.
fn count_direction(
    edge: &NodeLinkItem<'_>,
    format: GraphFormat,
    declared: Option<bool>,
    count: &mut DirectionCount,
) {
    let flag = |name: &str| match edge.get(name) {
        Some(AttributeValue::Bool(flag)) => Some(flag),
        _ => None,
    };
    match format {
        // The type of the graph decides for edges without `undirected`.
        GraphFormat::Graphology => {
            return match flag("undirected") {
                None if declared.is_some() => count.add_other(),
                undirected => count.add(undirected != Some(true)),
            };
        }
        GraphFormat::Vis if declared.is_none() => {
            let [to, from] = arrow_ends(edge);
            return count.add(to != from);
        }
        _ => {}
    }
    match (flag("directed"), edge.get("type").or_else(|| edge.get("Type"))) {
        (Some(directed), _) => count.add(directed),
        (None, Some(AttributeValue::Text(kind))) => count.add_type(kind),
        _ => count.add_other(),
    }
}

/// Returns whether `arrows` of vis.js has an arrow at `to` and at `from`: `"to"`, `{to: true}` or
/// `{to: {enabled: true}}`.
fn arrow_ends(edge: &NodeLinkItem<'_>) -> [bool; 2] {
    let is_enabled = |arrow: &Value| match arrow.get("enabled").unwrap_or(arrow) {
        Value::Bool(flag) => *flag,
        other => other.as_map().is_some(),
    };
    let arrows = edge.get("arrows");
    ["to", "from"].map(|end| match &arrows {
        Some(AttributeValue::Text(names)) => names.contains(end),
        Some(AttributeValue::Value(map)) => map.get(end).is_some_and(is_enabled),
        _ => false,
    })
}
