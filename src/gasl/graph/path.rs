//! A path of a graph.

use super::Graph;
use crate::base::Value;

/// Rows of the nodes and edges of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Path<'a> {
    /// Nodes from start to end; one more than edges.
    pub nodes: &'a [u32],
    /// Edges from start to end.
    pub edges: &'a [u32],
}

impl Path<'_> {
    /// Returns `{nodes, edges, length}` with ids.
    pub fn row(self, graph: &Graph) -> Value {
        let nodes = self.nodes.iter().map(|node| graph.node_id(*node).into()).collect();
        let edges = self.edges.iter().map(|edge| graph.edge_id(*edge).into()).collect();
        Value::map([
            ("nodes", Value::list(nodes)),
            ("edges", Value::list(edges)),
            ("length", self.edges.len().into()),
        ])
    }
}
