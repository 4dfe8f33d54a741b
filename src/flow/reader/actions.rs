//! Nodes that declare no actions, although all of their edges have one.

use super::WorkflowReader;
use super::edges::is_failure_action;
use crate::base::Value;
use crate::base::diagnostic::quote;
use crate::flow::codes;
use crate::flow::workflow::{END_NODE, ERROR_ACTION, Node, WorkflowEdge};

/// Actions of other workflow languages for a node that succeeded.
const SUCCESS_ACTIONS: [&str; 8] =
    ["success", "succeeded", "ok", "complete", "completed", "next", "then", "always"];

/// Maximum number of actions of a node in a help.
const MAX_LISTED_ACTIONS: usize = 12;

/// Actions of the edges of a node.
#[derive(Default)]
struct EdgeActions<'a> {
    /// First actions, without duplicates.
    names: Vec<&'a str>,
    has_default: bool,
    /// Whether an edge reaches a later node, other than after a failure.
    reaches_later_node: bool,
}

impl WorkflowReader<'_> {
    /// Sets `needs_action` of nodes without declared actions that end their branch with the default
    /// action, and reports them. A node whose edges all return to earlier nodes ends its loop in this
    /// way.
    pub(super) fn check_undeclared_actions(&mut self, edges: &[WorkflowEdge], nodes: &mut [Node]) {
        if edges.iter().all(|edge| edge.action == self.default_action) {
            return;
        }
        let mut actions_by_node = Vec::new();
        actions_by_node.resize_with(nodes.len(), EdgeActions::default);
        for WorkflowEdge { from, to, action } in edges {
            let Some(actions) = actions_by_node.get_mut(*from) else { continue };
            actions.has_default |= *action == self.default_action;
            actions.reaches_later_node |=
                *to != END_NODE && to > from && !is_failure_action(action);
            let is_listed = **action == *ERROR_ACTION || actions.names.contains(&&**action);
            if actions.names.len() < MAX_LISTED_ACTIONS && !is_listed {
                actions.names.push(action);
            }
        }
        for (node_index, (node, actions)) in nodes.iter_mut().zip(actions_by_node).enumerate() {
            if actions.has_default || !actions.reaches_later_node || !node.actions.is_empty() {
                continue;
            }
            node.needs_action = true;
            let id = quote(&node.id);
            let listed = actions.names.iter().map(|name| Value::from(*name));
            let listed = Value::list(listed.collect::<Vec<_>>()).to_text();
            let success = actions.names.iter().find(|name| SUCCESS_ACTIONS.contains(name));
            let declare = format!("declare `\"actions\": {listed}` if {id} returns them");
            let (code, message, help) = match success {
                Some(success) => (
                    codes::UNKNOWN_ACTION,
                    format!(
                        "{id} does not declare the action {}: a node returns `default` if it returns no action",
                        quote(success)
                    ),
                    format!("leave out the `action` of the edge, or {declare}"),
                ),
                None => (
                    codes::UNDECLARED_ACTIONS,
                    format!(
                        "{id} declares no actions, and its branch ends after the action `default`"
                    ),
                    declare + ", or add an edge without `action`",
                ),
            };
            self.report(code, &format_args!("/nodes/{node_index}"), message, help);
        }
    }
}
