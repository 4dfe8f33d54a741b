//! A path of a graph.

use super::Graph;
use crate::base::Value;

/// Rows of the nodes and edges of a path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Path<'a> {
    /// Nodes from start to end; one more than edges.
    pub nodes: &'a [u32],
    /// Edges from start to end.
    pub edges: &'a [u32],
    /// Sum of the weights, if the search has weights.
    pub cost: Option<f64>,
}

impl Path<'_> {
    /// Returns `{start, end, nodes, edges, length[, cost]}` with ids.
    pub fn row(self, graph: &Graph) -> Value {
        let id = |node: &u32| Value::from(graph.node_id(*node));
        let nodes = self.nodes.iter().map(id).collect();
        let edges = self.edges.iter().map(|edge| graph.edge_id(*edge).into()).collect();
        let mut row = vec![
            ("start", self.nodes.first().map(id).unwrap_or_default()),
            ("end", self.nodes.last().map(id).unwrap_or_default()),
            ("nodes", Value::list(nodes)),
            ("edges", Value::list(edges)),
            ("length", self.edges.len().into()),
        ];
        row.extend(self.cost.map(|cost| ("cost", cost.into())));
        Value::map_of(row)
    }
}
