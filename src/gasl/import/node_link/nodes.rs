//! Nodes of a JSON document.

use super::dialect::JsonGraphParts;
use super::document::JsonDocument;
use super::item::{NodeLinkItem, id_of, report_rounded_attribute};
use crate::base::diagnostic::quote;
use crate::base::json;
use crate::base::names;
use crate::base::value::StringCache;
use crate::base::{Diagnostic, Span, Value};
use crate::gasl::graph::{AttributeValue, Element};
use crate::gasl::import::codes;
use crate::gasl::import::end_names::DECLARED_IDS;
use crate::gasl::import::import_builder::ImportBuilder;
use crate::gasl::import::node_ids::{IdOrigin, placeholder_id};
use crate::gasl::import::options::{ImportOptions, POSITION_ID};
use std::borrow::Cow;
use std::collections::BTreeSet;

/// Ids of the nodes that were read.
pub struct ImportedNodes {
    pub origin: IdOrigin,
    /// Field of the ids.
    pub field: String,
    /// Whether a numeric endpoint is a node index, because no id is a number.
    pub has_indices: bool,
    /// Row of each node.
    pub rows: Vec<u32>,
}

/// Reads the nodes of a document.
pub fn read_nodes(
    document: &JsonDocument<'_>,
    parts: &JsonGraphParts<'_>,
    options: &ImportOptions,
    graph: &mut ImportBuilder,
) -> Result<ImportedNodes, Diagnostic> {
    let (origin, field) = id_field(document, parts, options, graph)?;
    let is_missing = matches!(origin, IdOrigin::Missing | IdOrigin::Positions);
    let is_id_only = !is_missing && DECLARED_IDS.contains(&&*field.to_ascii_lowercase());
    let path: Vec<&str> = field.split('.').collect();
    let mut has_numeric_id = false;
    let mut rows = Vec::with_capacity(parts.nodes.len());
    let mut shared = StringCache::default();
    let mut known = None;
    for (index, span) in parts.nodes.iter().enumerate() {
        let at = document.span(*span);
        let nesting = parts.node_nesting(index);
        let node = document.item(*span, nesting, &mut shared, graph);
        if matches!(node, NodeLinkItem::Value(Value::Null)) {
            graph.warn_incomplete("null node", "add an id; its id is its index", at);
        }
        let id = match &node {
            _ if is_missing => None,
            NodeLinkItem::Value(id) if id.as_map().is_none() => {
                document.exact_id(Some(id.into()), *span, &[], graph)
            }
            node => document.exact_id(node.get_path(&field), *span, &path, graph),
        };
        let id = id.and_then(id_of);
        has_numeric_id |= id.as_deref().and_then(json::parse_number_text).is_some();
        let id = match id {
            Some(id) => id,
            None if is_missing => placeholder_id(index),
            None => {
                let known =
                    known.get_or_insert_with(|| declared_ids(document, parts, &field, graph));
                id_without_field(&node, index, &field, known, at, graph)
            }
        };
        let (row, _) = graph.add_node(&id, at)?;
        rows.push(row);
        for (name, value) in node.fields().iter() {
            if !(is_id_only && *name == field) {
                report_rounded_attribute(name, value, graph, at);
                graph.set(Element::Node(row), name, value.clone(), at)?;
            }
        }
    }
    let has_indices = !has_numeric_id && !is_missing;
    Ok(ImportedNodes { origin, field, has_indices, rows })
}

/// Returns the ids and names in a document, which generated ids must differ from.
fn declared_ids(
    document: &JsonDocument<'_>,
    parts: &JsonGraphParts<'_>,
    field: &str,
    graph: &mut ImportBuilder,
) -> BTreeSet<String> {
    let mut shared = StringCache::default();
    let id = |(index, span): (usize, &Span)| {
        let node = document.item(*span, parts.node_nesting(index), &mut shared, graph);
        let value = match &node {
            NodeLinkItem::Value(id) if id.as_map().is_none() => Some(AttributeValue::from(id)),
            node => node.get_path(field).or_else(|| node.get("name")),
        };
        value.and_then(id_of).map(Cow::into_owned)
    };
    parts.nodes.iter().enumerate().filter_map(id).collect()
}

/// Returns the id of a node that lacks the field of the ids: its `name`, else its index, after a
/// `_` if another node has that id.
fn id_without_field<'n>(
    node: &'n NodeLinkItem<'_>,
    index: usize,
    field: &str,
    known: &BTreeSet<String>,
    at: Span,
    graph: &mut ImportBuilder,
) -> Cow<'n, str> {
    if let Some(AttributeValue::Text(name)) = node.get("name") {
        return name.to_owned().into();
    }
    let mut id = index.to_string();
    while known.contains(&id) {
        id.insert(0, '_');
    }
    if !matches!(node, NodeLinkItem::Value(Value::Null)) {
        graph.warn(codes::POSITION_IDS, || {
            let message = format!("expected an id in {}, found none", quote(field));
            Diagnostic::new(codes::POSITION_IDS, message)
                .help(format!("give each node an id; the id of this one is its position {id}"))
                .at(at)
        });
    }
    id.into()
}

/// Returns the field of the ids.
fn id_field(
    document: &JsonDocument<'_>,
    parts: &JsonGraphParts<'_>,
    options: &ImportOptions,
    graph: &mut ImportBuilder,
) -> Result<(IdOrigin, String), Diagnostic> {
    if options.id.as_deref() == Some(POSITION_ID) {
        return Ok((IdOrigin::Positions, String::new()));
    }
    let mut shared = StringCache::default();
    let mut best: Option<(usize, String)> = None;
    let mut fields = Vec::new();
    for (index, span) in parts.nodes.iter().enumerate() {
        let nesting = parts.node_nesting(index);
        let node = document.item(*span, nesting, &mut shared, graph);
        if let Some(chosen) = &options.id {
            if node.get_path(chosen).and_then(id_of).is_some() {
                return Ok((IdOrigin::Chosen, chosen.clone()));
            }
            if index == 0 {
                fields = node.fields().iter().map(|(name, _)| (*name).to_owned()).collect();
            }
            continue;
        }
        let is_scalar =
            matches!(&node, NodeLinkItem::Value(id) if id.as_map().is_none() && !id.is_null());
        if is_scalar || node.get("id").and_then(id_of).is_some() {
            return Ok((IdOrigin::Declared("id".to_owned()), "id".to_owned()));
        }
        let found = declared_field(&node);
        if let Some(found) = found.filter(|(at, _)| best.as_ref().is_none_or(|(best, _)| at < best))
        {
            best = Some(found);
        }
    }
    if let Some(chosen) = options.id.as_deref().filter(|_| !parts.nodes.is_empty()) {
        let message = format!("expected an id in {}, found none in any node", quote(chosen));
        return Err(Diagnostic::new(codes::MISSING_COLUMN, message)
            .help(format!("available: {}", names::format_names(fields.iter().map(String::as_str))))
            .at(document.span(parts.at)));
    }
    Ok(match best {
        Some((_, field)) => (IdOrigin::Declared(field.clone()), field),
        None => (IdOrigin::Missing, String::new()),
    })
}

/// Returns the field of a node that declares its id, with its priority.
fn declared_field(node: &NodeLinkItem<'_>) -> Option<(usize, String)> {
    let fields = node.fields();
    DECLARED_IDS.iter().enumerate().find_map(|(priority, declared)| {
        let is_declared = |name: &str| name.eq_ignore_ascii_case(declared);
        let name = fields.iter().map(|(name, _)| *name).find(|name| is_declared(name));
        let name = name.unwrap_or(declared);
        node.get_path(name).and_then(id_of).map(|_| (priority, name.to_owned()))
    })
}
