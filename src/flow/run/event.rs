//! Events for the listeners of a run.

use super::step::{HostTime, RunStep};
use crate::base::Value;
use crate::flow::workflow::Node;

/// Returns `{kind, node, type, pass, item, attempt, at, …}`.
pub fn event(
    kind: &str,
    node: &Node,
    step: &RunStep,
    item: Option<usize>,
    attempt: usize,
    now: HostTime<'_>,
    more: Vec<(&'static str, Value)>,
) -> Value {
    let mut parts = vec![
        ("kind", Value::from(kind)),
        ("node", (&node.id).into()),
        ("type", (&node.kind).into()),
        ("pass", step.iteration.into()),
        ("item", item.into()),
        ("attempt", attempt.into()),
        ("at", now.time.into()),
    ];
    parts.extend(more);
    Value::map_of(parts)
}
