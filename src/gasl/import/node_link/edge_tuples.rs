//! Edges that are lists: `["a", "b"]`, `["a", "b", 0.5]` and `["a", "knows", "b"]`.

use super::document::JsonDocument;
use super::item::id_of;
use crate::base::value::Map;
use crate::base::{Span, Value};
use crate::gasl::import::import_builder::ImportBuilder;

/// Indices of a list of three items, as keys.
const INDICES: [&str; 3] = ["0", "1", "2"];

/// Indices of the parts of edges that are lists of one length.
#[derive(Clone, Copy)]
pub struct TupleParts {
    target: usize,
    /// Index of the weight, type or attributes.
    other: Option<usize>,
    /// Whether all ends are listed nodes, and no other part of all edges is.
    pub is_certain: bool,
}

/// Returns the parts of edges that are lists of two or three items; `None` for other edges.
pub fn tuple_parts(
    document: &JsonDocument<'_>,
    items: &[Span],
    graph: &ImportBuilder,
) -> Option<TupleParts> {
    let mut length = 0;
    // Number of ids of listed nodes at each index.
    let mut listed = [0; 3];
    let mut has_weights = true;
    for span in items {
        let edge = Some(*span).filter(|span| document.is_list(*span)).map(|at| document.parse(at));
        let edge = edge.as_ref().and_then(Value::as_list)?;
        if !matches!(edge.len(), 2 | 3) || (length > 0 && length != edge.len()) {
            return None;
        }
        length = edge.len();
        for ((part, listed), index) in edge.iter().zip(&mut listed).zip(INDICES) {
            let id = id_of(document.exact_value(part.into(), *span, &[index]));
            let is_listed = id.is_some_and(|id| graph.builder.find_node(&id).is_some());
            *listed += usize::from(is_listed);
        }
        has_weights &= matches!(edge.last(), Some(Value::Number(_) | Value::Map(_)));
    }
    let [sources, seconds, thirds] = listed;
    let has_third_target = match length {
        2 => false,
        _ => thirds > seconds || (thirds == seconds && !has_weights),
    };
    let (target, other) = if has_third_target { (2, 1) } else { (1, 2) };
    let targets = if has_third_target { thirds } else { seconds };
    let is_certain = sources == items.len()
        && targets == items.len()
        && (length == 2 || seconds.min(thirds) < items.len());
    (length > 0).then_some(TupleParts {
        target,
        other: Some(other).filter(|other| *other < length),
        is_certain,
    })
}

impl TupleParts {
    /// Returns the index of an end as a key.
    pub fn keys(self) -> [&'static str; 2] {
        ["0", if self.target == 1 { "1" } else { "2" }]
    }

    /// Returns an edge as a map with `source` and `target`.
    pub fn to_map(self, edge: &Value) -> Value {
        let parts = edge.as_list().unwrap_or_default();
        let mut map = Map::default();
        for (name, index) in [("source", 0), ("target", self.target)] {
            map.insert(name.into(), parts.get(index).cloned().unwrap_or_default());
        }
        match self.other.and_then(|other| parts.get(other)) {
            Some(Value::Map(attributes)) => {
                for (name, value) in attributes.iter() {
                    if !map.contains_key(&**name) {
                        map.insert(name.clone(), value.clone());
                    }
                }
            }
            Some(number @ Value::Number(_)) if self.target == 1 => {
                map.insert("weight".into(), number.clone());
            }
            Some(other) => {
                map.insert("type".into(), other.clone());
            }
            None => {}
        }
        Value::from(map)
    }
}
