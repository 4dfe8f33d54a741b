//! Outputs that contain the failures of a node: `node.error` of a node with an error edge, and `node.errors`
//! of a batch that continues after a failed item. Their keys begin with the id of the node, so they never
//! collide.

use crate::flow::workflow::{ERROR_ACTION, Node, Port, WorkflowEdge};
use std::rc::Rc;

/// Key of the failure of a node.
const FAILURE_KEY: &str = "error";

/// Adds an output to the ports of one node, unless it has that output.
pub(super) fn add_output(ports: &mut Rc<Vec<Port>>, key: Rc<str>, optional: bool) {
    if ports.iter().any(|port| port.key == key) {
        return;
    }
    let (kind, description) = (String::new(), String::new());
    Rc::make_mut(ports).push(Port { key, optional, kind, description });
}

/// Adds the output `node.error` to each node with an edge for the action `error`. A node that declares an
/// output `error` has its failure there.
pub(super) fn add_failure_outputs(nodes: &mut [Node], edges: &[WorkflowEdge]) {
    let is_error = |edge: &&WorkflowEdge| *edge.action == *ERROR_ACTION;
    for edge in edges.iter().filter(is_error) {
        let Some(node) = nodes.get_mut(edge.from).filter(|node| node.failure_key.is_none()) else {
            continue;
        };
        let declared = node.outputs.iter().find(|port| *port.key == *FAILURE_KEY);
        node.failure_key = Some(match declared {
            Some(port) => port.key.clone(),
            None => {
                let key: Rc<str> = format!("{}.{FAILURE_KEY}", node.id).into();
                add_output(&mut node.outputs, key.clone(), true);
                key
            }
        });
    }
}
