//! One path of a graph.

use super::Graph;
use crate::base::Value;

/// One path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Path<'a> {
    /// From start to end; one more than there are edges.
    pub nodes: &'a [u32],
    /// Its length is how many there are.
    pub edges: &'a [u32],
}

impl Path<'_> {
    /// `{nodes, edges, length}`, with ids.
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
