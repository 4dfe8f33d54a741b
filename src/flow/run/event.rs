//! What whoever listens is told.

use super::Now;
use crate::base::Value;
use crate::flow::workflow::Node;

/// `{kind, node, type, pass, item, attempt, at, …}`
pub fn event(
    kind: &str,
    node: &Node,
    pass: usize,
    item: Option<usize>,
    attempt: usize,
    now: Now<'_>,
    more: Vec<(&'static str, Value)>,
) -> Value {
    let mut parts = vec![
        ("kind", Value::from(kind)),
        ("node", (&node.id).into()),
        ("type", (&node.kind).into()),
        ("pass", pass.into()),
    ];
    parts.push(("item", item.into()));
    parts.push(("attempt", attempt.into()));
    parts.push(("at", now.time.into()));
    parts.extend(more);
    Value::map_of(parts)
}
