//! References to rows of a graph.

/// Row of a node or of an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Element {
    /// Row of a node.
    Node(u32),
    /// Row of an edge.
    Edge(u32),
}
