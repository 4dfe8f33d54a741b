//! Items whose fields are in a nested map, as maps with `id`, `source`, `target` and attributes.

use crate::base::Value;
use crate::base::value::Map;

/// Position of the fields of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nesting<'a> {
    /// The item has all fields itself.
    None,
    /// graphology: `key`, `source`, `target`, `undirected` and a map `attributes`.
    Attributes,
    /// Cytoscape.js: a map `data` with all fields; the item has `position`, `classes` and its state.
    Data,
    /// JSON Graph Format: `id`, `label`, `relation` and a map `metadata`.
    Metadata,
    /// JSON Graph Format 2: a node whose id is its key.
    Keyed(&'a str),
}

/// Names of the maps that contain fields of an item.
pub const NESTED_MAPS: [&str; 3] = ["attributes", "data", "metadata"];

/// State of the Cytoscape.js renderer, which is not part of the graph.
const RENDERER_STATE: [&str; 8] =
    ["group", "removed", "selected", "selectable", "locked", "grabbable", "grabbed", "pannable"];

/// Returns the item as one map. A nested field whose name is in use is called `data.name`.
pub fn flatten_item(item: Value, nesting: Nesting<'_>) -> Value {
    let nest = match nesting {
        Nesting::None => return item,
        Nesting::Attributes => "attributes",
        Nesting::Data => "data",
        Nesting::Metadata | Nesting::Keyed(_) => "metadata",
    };
    let mut flat = Map::default();
    if let Nesting::Keyed(id) = nesting {
        flat.insert("id".into(), id.into());
    }
    if item.as_map().is_none() && !matches!(nesting, Nesting::Keyed(_)) {
        return item;
    }
    let nested = item.get(nest).filter(|nested| nested.as_map().is_some());
    if let (Nesting::Data, Some(nested)) = (nesting, nested) {
        flat.extend(nested.entries().map(|(name, value)| (name.clone(), value.clone())));
    }
    for (name, value) in item.entries() {
        let name = match (nesting, &**name) {
            (_, name) if name == nest && nested.is_some() => continue,
            (Nesting::Data, name) if RENDERER_STATE.contains(&name) => continue,
            (Nesting::Attributes, "key") => "id",
            (_, name) => name,
        };
        insert_flat(&mut flat, name, "item", value);
    }
    if nesting != Nesting::Data {
        for (name, value) in nested.into_iter().flat_map(Value::entries) {
            insert_flat(&mut flat, name, nest, value);
        }
    }
    Value::from(flat)
}

fn insert_flat(flat: &mut Map, name: &str, prefix: &str, value: &Value) {
    let is_end = matches!(name, "source" | "target" | "id");
    let is_used = flat.contains_key(name) || (prefix != "item" && is_end);
    let name = if is_used { format!("{prefix}.{name}") } else { name.to_owned() };
    flat.insert(name.into(), value.clone());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::json::Limits;

    fn check(item: &str, nesting: Nesting<'_>, expected: &str) {
        let value = Value::parse(item.as_bytes(), Limits::default()).0.unwrap_or_default();
        assert_eq!(flatten_item(value, nesting).to_text(), expected, "{item}");
    }

    #[test]
    fn nested_fields_become_fields() {
        check(
            r#"{"key":"e","source":"a","attributes":{"w":1,"key":2,"source":3}}"#,
            Nesting::Attributes,
            r#"{"id":"e","source":"a","w":1,"key":2,"attributes.source":3}"#,
        );
        check(
            r#"{"data":{"id":"a","x":1},"position":{"x":2},"classes":"c","selected":true,"x":4}"#,
            Nesting::Data,
            r#"{"id":"a","x":1,"position":{"x":2},"classes":"c","item.x":4}"#,
        );
        check(
            r#"{"label":"A","metadata":{"label":"B","y":1}}"#,
            Nesting::Keyed("a"),
            r#"{"id":"a","label":"A","metadata.label":"B","y":1}"#,
        );
        check("null", Nesting::Keyed("a"), r#"{"id":"a"}"#);
        check(r#"{"id":"a","metadata":7}"#, Nesting::Metadata, r#"{"id":"a","metadata":7}"#);
        check("7", Nesting::Data, "7");
        check(r#"{"data":1}"#, Nesting::None, r#"{"data":1}"#);
    }
}
