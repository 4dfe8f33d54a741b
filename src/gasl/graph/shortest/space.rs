//! Nodes and edges that shortest paths may use.

use crate::gasl::graph::adjacency::{Adjacency, Neighbor};
use crate::gasl::graph::bit_mask::BitMask;

/// Adjacency lists with the restrictions of a condition.
#[derive(Clone, Copy)]
pub struct SearchSpace<'a> {
    /// Edges from start to end.
    pub forward: &'a Adjacency,
    /// The same edges from end to start.
    pub backward: &'a Adjacency,
    /// Nodes that a path may pass through; `None` allows all.
    pub inner_nodes: Option<&'a BitMask>,
    /// Edges that a path may use; `None` allows all.
    pub edges: Option<&'a BitMask>,
    /// Weight of each edge; `None` means 1.
    pub weights: Option<&'a [f64]>,
    /// Maximum number of edges of a path without weights.
    pub max_length: usize,
}

impl SearchSpace<'_> {
    #[inline]
    pub fn allows_inner(&self, node: u32) -> bool {
        self.inner_nodes.is_none_or(|inner| inner.get(node))
    }

    #[inline]
    pub fn allows_edge(&self, edge: u32) -> bool {
        self.edges.is_none_or(|edges| edges.get(edge))
    }

    #[inline]
    pub fn weight(&self, edge: u32) -> f64 {
        let weight = self.weights.map(|weights| weights.get(edge as usize).copied());
        weight.map_or(1.0, Option::unwrap_or_default)
    }
}

/// Nodes to find, and the limit of the search.
#[derive(Clone, Copy)]
pub struct SearchGoal<'a> {
    /// Nodes at the other end.
    pub targets: &'a BitMask,
    /// Number of targets other than the root.
    pub target_count: usize,
    /// Maximum number of edges to follow.
    pub max_expansions: usize,
}

/// Number of edges followed by a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    pub expansions: usize,
    /// Whether the maximum was reached before all was searched.
    pub is_truncated: bool,
}

/// Path being collected.
#[derive(Default)]
pub struct PathBuffer {
    pub nodes: Vec<u32>,
    pub edges: Vec<u32>,
}

impl PathBuffer {
    pub fn start(&mut self, node: u32) {
        self.nodes.clear();
        self.edges.clear();
        self.nodes.push(node);
    }

    pub fn push(&mut self, neighbor: Neighbor) {
        self.edges.push(neighbor.edge);
        self.nodes.push(neighbor.node);
    }

    pub fn reverse(&mut self) {
        self.nodes.reverse();
        self.edges.reverse();
    }
}
