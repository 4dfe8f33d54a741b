//! Edges of a workflow.

use super::{LazyPointer, NodeIds, WorkflowReader};
use crate::base::diagnostic::quote;
use crate::base::map::{IntMap, OrderedMap, pack_pair};
use crate::base::{Value, names};
use crate::flow::codes;
use crate::flow::workflow::{DEFAULT_ACTION, END_NODE, Node, WorkflowEdge};

/// Keys of other workflow languages for a condition of an edge.
const CONDITION_KEYS: [&str; 6] = ["condition", "when", "if", "cond", "predicate", "expression"];

/// Targets that mean that nothing follows, unless a node has this id.
const END_TARGETS: [&str; 2] = ["END", "__end__"];

/// Returns the help for an edge from a start, or to another spelling of the end; `None` for other ids.
fn help_for_end(id: &str, key: &str, edge: &Value) -> Option<String> {
    let is_one_of = |names: [&str; 2]| names.iter().any(|name| name.eq_ignore_ascii_case(id));
    if key == "to" {
        return is_one_of(END_TARGETS).then(|| "write `END` to end the branch".to_owned());
    }
    let first = edge.get("to").filter(|_| is_one_of(["START", "__start__"]))?.to_text();
    Some(format!("remove the edge and write `\"start_node\": {first}`, or a list of ids"))
}

fn is_end(id: &str, ids: &NodeIds<'_>) -> bool {
    END_TARGETS.contains(&id) && !ids.indices.contains_key(id)
}

impl WorkflowReader<'_> {
    pub(super) fn read_edges(
        &mut self,
        value: Option<&Value>,
        nodes: &[Node],
        ids: &NodeIds<'_>,
    ) -> Vec<WorkflowEdge> {
        let entries = match value {
            None | Some(Value::Null) => &[][..],
            Some(value) => match value.as_list() {
                Some(entries) => entries,
                None => {
                    let help = "write `[{\"from\": …, \"to\": …}]`";
                    self.report_invalid_part(&"", "edges", "a list", help);
                    &[][..]
                }
            },
        };
        if entries.is_empty() {
            let action = || self.default_action.clone();
            return (1..nodes.len())
                .map(|to| WorkflowEdge { from: to - 1, to, action: action() })
                .collect::<Vec<_>>();
        }
        let mut edges: Vec<WorkflowEdge> = Vec::new();
        for (index, entry) in entries.iter().enumerate() {
            let at = format_args!("/edges/{index}");
            self.reject_condition(entry, &at);
            let known = ["from", "to", "action"].into_iter().chain(CONDITION_KEYS);
            self.warn_unknown_keys(entry, &at, &known.collect::<Vec<_>>());
            let mut end = |key: &str| match entry.get(key).and_then(Value::as_text) {
                Some(id) if key == "to" && is_end(id, ids) => Some(END_NODE),
                Some(id) => {
                    let node_index = ids.indices.get(id).copied();
                    match node_index.is_none().then(|| help_for_end(id, key, entry)).flatten() {
                        Some(help) => {
                            let message = format!("unknown node {}", quote(id));
                            let at = format_args!("{at}/{key}");
                            self.report(codes::UNKNOWN_NODE, &at, message, help);
                            None
                        }
                        None => self.node_index(id, &format_args!("{at}/{key}"), ids),
                    }
                }
                None => {
                    self.report_invalid(
                        &format_args!("{at}/{key}"),
                        "expected node ids in `from` and `to`",
                        "write both ids",
                    );
                    None
                }
            };
            let (from, to) = (end("from"), end("to"));
            let action = entry.get("action").filter(|action| !action.is_null());
            let named = action.map(Value::as_shared);
            if named == Some(None) {
                let help = "write a string, or omit it";
                self.report_invalid_part(&at, "action", "an action name", help);
            }
            let action = named.flatten().unwrap_or(&self.default_action).clone();
            if let Some(node) = from.and_then(|from| nodes.get(from))
                && *action != *DEFAULT_ACTION
                && !node.actions.is_empty()
                && !node.actions.iter().any(|own| **own == *action)
            {
                let message =
                    format!("{} does not declare the action {}", quote(&node.id), quote(&action));
                let declared: Vec<&str> = node.actions.iter().map(|own| &**own).collect();
                let help = names::suggestion_help(&action, &declared);
                self.report(codes::UNKNOWN_ACTION, &format_args!("{at}/action"), message, help);
            }
            if let (Some(from), Some(to)) = (from, to) {
                edges.push(WorkflowEdge { from, to, action });
            }
        }
        // Removes duplicate edges.
        let (mut ends, mut actions, mut seen) =
            (IntMap::default(), OrderedMap::default(), IntMap::default());
        edges.retain(|edge| {
            let next = ends.len() as u64;
            let ends = *ends.entry(pack_pair(edge.from as u32, edge.to as u32)).or_insert(next);
            let next = actions.len() as u32;
            let action = *actions.entry(edge.action.clone()).or_insert(next);
            seen.insert(pack_pair(ends as u32, action), 0).is_none()
        });
        edges
    }

    /// Warns about nodes whose edges all have the default action, although they do not declare it.
    pub(super) fn warn_unused_actions(
        &mut self,
        edges: &[WorkflowEdge],
        nodes: &[Node],
        chained: bool,
    ) {
        if !nodes.iter().any(is_decision) {
            return;
        }
        let mut is_unused = vec![None; nodes.len()];
        for WorkflowEdge { from, action, .. } in edges {
            let (Some(node), Some(is_unused)) = (nodes.get(*from), is_unused.get_mut(*from)) else {
                continue;
            };
            let is_declared = node.actions.iter().any(|own| **own == **action);
            let is_default = *action == self.default_action && is_decision(node) && !is_declared;
            *is_unused = Some(is_unused.unwrap_or(true) && is_default);
        }
        for (node_index, node) in nodes.iter().enumerate() {
            if is_unused.get(node_index) != Some(&Some(true)) {
                continue;
            }
            let actions = names::format_names(node.actions.iter().map(String::as_str));
            let message =
                format!("no edge of {} has one of its actions {actions}", quote(&node.id));
            let help = match chained {
                true => format!("add `edges` with an `action` each: {actions}"),
                false => format!("add an `action` to its edges: {actions}"),
            };
            self.report(codes::UNKNOWN_ACTION, &format_args!("/nodes/{node_index}"), message, help);
        }
    }

    /// Reports a condition of an edge, which would be followed always.
    fn reject_condition(&mut self, edge: &Value, at: LazyPointer<'_>) {
        let is_written = |key: &&str| edge.get(key).is_some_and(|value| !value.is_null());
        let Some(key) = CONDITION_KEYS.into_iter().find(is_written) else { return };
        let end = |key: &str| edge.get(key).and_then(Value::as_text).unwrap_or("…");
        let (from, to) = (end("from"), end("to"));
        let message = format!("edges have no conditions: {}", quote(key));
        let help = format!(
            "let {} return an action, declare it in `actions`, and write one edge for each action: \
             `{{\"from\": {}, \"to\": {}, \"action\": \"yes\"}}`",
            quote(from),
            Value::from(from).to_text(),
            Value::from(to).to_text()
        );
        self.report(codes::EDGE_CONDITION, &format_args!("{at}/{key}"), message, help);
    }

    /// Warns about nodes without any edge, which start at once.
    pub(super) fn warn_unconnected(
        &mut self,
        edges: &[WorkflowEdge],
        nodes: &[Node],
        starts: &[usize],
    ) {
        if nodes.len() < 2 {
            return;
        }
        let mut is_connected = vec![false; nodes.len()];
        for end in edges.iter().flat_map(|edge| [edge.from, edge.to]) {
            is_connected.get_mut(end).into_iter().for_each(|slot| *slot = true);
        }
        // Index of the last connected node before each start.
        let mut before = None;
        let mut starts = starts.iter().copied().peekable();
        for (node_index, node) in nodes.iter().enumerate() {
            let is_start = starts.next_if_eq(&node_index).is_some();
            if is_connected.get(node_index) == Some(&true) {
                before = Some(node);
                continue;
            }
            if !is_start {
                continue;
            }
            let id = Value::from(&node.id).to_text();
            let edge = match before {
                Some(before) => {
                    format!("{{\"from\": {}, \"to\": {id}}}", Value::from(&before.id).to_text())
                }
                None => format!("{{\"from\": {id}, \"to\": …}}"),
            };
            let message = format!("{} has no edge, so it starts at once", quote(&node.id));
            let help = format!("add an edge, as in `{edge}`");
            self.report(codes::UNCONNECTED, &format_args!("/nodes/{node_index}"), message, help);
        }
    }
}

/// Returns whether a node chooses between several actions. Nodes with a failure action do not count, because
/// they return the default action otherwise.
fn is_decision(node: &Node) -> bool {
    node.actions.len() > 1 && !node.actions.iter().any(|action| is_failure_action(action))
}

/// Returns whether an action has the name of a failure.
pub(super) fn is_failure_action(action: &str) -> bool {
    const FAILURES: [&str; 6] = ["error", "fail", "timeout", "retry", "cancel", "abort"];
    let action = action.to_ascii_lowercase();
    FAILURES.iter().any(|failure| action.starts_with(failure))
}
