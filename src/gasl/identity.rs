//! Identity of list items, ids, sources and grouped values.

use crate::base::Value;
use crate::base::map::NameMap;
use crate::base::value::canonical_json;
use crate::gasl::compare::{equal, to_number};
use std::borrow::Cow;

/// Returns the identity of an item: its id, the ends and relation of an edge without id, or the
/// nodes and edges of a path. The identity of other items is their canonical JSON.
pub fn item_key(item: &Value) -> String {
    let is_edge = item.get("source").is_some() && item.get("target").is_some();
    if let Some(id) = item.get("id").and_then(scalar_key) {
        // A node may have the same id as an edge.
        return if is_edge { format!("edge {id}") } else { id };
    }
    edge_key(item).or_else(|| path_key(item)).unwrap_or_else(|| canonical_json(item))
}

/// Returns whether an item has an identity of its own: an id, or the nodes and edges of a path. Other
/// items are the same if their content or their ends are equal.
pub fn has_identity(item: &Value) -> bool {
    item.get("id").and_then(scalar_key).is_some() || path_key(item).is_some()
}

/// Attributes that may hold the relation of an edge, in order of preference.
pub const RELATIONS: [&str; 4] = ["type", "relation", "rel", "label"];

fn edge_key(item: &Value) -> Option<String> {
    let source = scalar_key(item.get("source")?)?;
    let target = scalar_key(item.get("target")?)?;
    let relation =
        RELATIONS.iter().find_map(|name| scalar_key(item.get(name)?)).unwrap_or_default();
    Some(format!("{source} → {relation} → {target}"))
}

fn path_key(item: &Value) -> Option<String> {
    let (nodes, edges) = (item.get("nodes")?.as_list()?, item.get("edges")?.as_list()?);
    let names = |items: &[Value]| {
        let texts: Option<Vec<String>> = items.iter().map(scalar_key).collect();
        texts.map(|texts| texts.join(" → "))
    };
    Some(format!("{} ({})", names(nodes)?, names(edges)?))
}

fn scalar_key(value: &Value) -> Option<String> {
    match value {
        Value::Text(text) => Some(text.to_string()),
        Value::Number(_) | Value::Bool(_) => Some(value.to_text()),
        _ => None,
    }
}

/// Returns a key that is equal for values of the same group.
pub fn group_key(value: &Value) -> String {
    canonical_json(value)
}

/// Returns a key that is equal for all values that [`equal`] accepts, and for some that it does not.
pub fn match_key(value: &Value) -> String {
    match to_number(value) {
        // Both zeros are equal.
        Some(0.0) => "0".to_owned(),
        Some(number) => Value::Number(number).to_text(),
        None if equal(value, &Value::Bool(true)) => "true".to_owned(),
        None if equal(value, &Value::Bool(false)) => "false".to_owned(),
        None => canonical_json(value),
    }
}

/// Returns an id as a string, as graphs in memory store all ids.
pub fn id_text(id: &Value) -> Cow<'_, str> {
    id.as_text().map_or_else(|| id.to_text().into(), Cow::from)
}

/// Returns the sources without duplicates.
pub fn dedup_sources(sources: impl Iterator<Item = Value>) -> Vec<Value> {
    let mut all: Vec<Value> = sources.collect();
    if all.len() > 1 {
        let mut seen = NameMap::default();
        all.retain(|source| seen.insert(source_key("", source), 0).is_none());
    }
    all
}

/// Key of a source or a finding that cites no row.
pub const UNCITED: &str = "uncited";

/// Returns whether the only sources of a finding are replies that cite no row.
pub fn is_uncited(sources: &[Value]) -> bool {
    let is_marked = |source: &Value| source.get(UNCITED) == Some(&Value::Bool(true));
    !sources.is_empty() && sources.iter().all(is_marked)
}

/// Returns the identity of a source: equal for the same document and snippet, independent of the step that found
/// it. Without a document, the cited row identifies it.
pub fn source_key(key: &str, source: &Value) -> String {
    let has_document = source.get("source_id").is_some_and(|id| !id.is_null());
    let row = if has_document { "" } else { "input_id" };
    let parts = ["source_id", "doc_id", "snippet", UNCITED, row]
        .map(|part| source.get(part).map(Value::to_text).unwrap_or_default());
    format!("{key}\n{}", parts.join("\n"))
}
