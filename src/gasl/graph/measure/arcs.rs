//! Arcs of a graph with their weights, copied for a measure: neighbors in one array.

use crate::gasl::graph::{Direction, Graph};

/// Arcs in compressed sparse rows, in the order of the edges.
#[derive(Clone)]
pub struct Arcs {
    /// End of the arcs of each node in `targets`.
    end_offsets: Vec<u32>,
    targets: Vec<u32>,
    /// Weight of each arc; empty if all are 1.
    weights: Vec<f64>,
}

/// Handling of several arcs from one node to another.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum ParallelArcs {
    /// Keeps all, and loops.
    Keep,
    /// Keeps the one of least weight, and removes loops.
    Least,
}

impl Arcs {
    /// Copies the arcs of a direction. `weights` are those of the edges; `None` means 1.
    pub fn new(
        graph: &Graph,
        direction: Direction,
        weights: Option<&[f64]>,
        parallel: ParallelArcs,
    ) -> Arcs {
        let adjacency = graph.adjacency(direction);
        let nodes = graph.node_count();
        let mut arcs = Arcs {
            end_offsets: Vec::with_capacity(nodes),
            targets: Vec::new(),
            weights: Vec::new(),
        };
        // One more than the index of the last arc to each node.
        let mut last = vec![0u32; nodes];
        for node in 0..nodes as u32 {
            let start = arcs.targets.len() as u32;
            for neighbor in adjacency.neighbors(node) {
                let weight = weights.map(|weights| item_or_default(weights, neighbor.edge));
                if parallel == ParallelArcs::Least {
                    let earlier = item_or_default(&last, neighbor.node);
                    if neighbor.node == node {
                        continue;
                    }
                    if earlier > start {
                        if let Some(weight) = weight {
                            let least = weight.min(item_or_default(&arcs.weights, earlier - 1));
                            set_item(&mut arcs.weights, earlier - 1, least);
                        }
                        continue;
                    }
                    set_item(&mut last, neighbor.node, arcs.targets.len() as u32 + 1);
                }
                arcs.targets.push(neighbor.node);
                arcs.weights.extend(weight);
            }
            arcs.end_offsets.push(arcs.targets.len() as u32);
        }
        arcs
    }

    /// Creates arcs from rows of targets with weights.
    pub fn from_rows(rows: impl Iterator<Item = Vec<(u32, f64)>>) -> Arcs {
        let mut arcs = Arcs { end_offsets: Vec::new(), targets: Vec::new(), weights: Vec::new() };
        for row in rows {
            for (target, weight) in row {
                arcs.targets.push(target);
                arcs.weights.push(weight);
            }
            arcs.end_offsets.push(arcs.targets.len() as u32);
        }
        arcs
    }

    /// Returns the number of nodes.
    pub fn node_count(&self) -> usize {
        self.end_offsets.len()
    }

    /// Returns the number of arcs.
    pub fn len(&self) -> usize {
        self.targets.len()
    }

    /// Returns whether all weights are 1.
    pub fn is_unweighted(&self) -> bool {
        self.weights.is_empty()
    }

    /// Returns the targets of the arcs of a node.
    #[inline]
    pub fn targets(&self, node: u32) -> &[u32] {
        let (start, end) = self.range(node);
        self.targets.get(start..end).unwrap_or_default()
    }

    /// Returns the weights of the arcs of a node; empty if all are 1.
    #[inline]
    pub fn weights(&self, node: u32) -> &[f64] {
        let (start, end) = self.range(node);
        self.weights.get(start..end).unwrap_or_default()
    }

    /// Returns the arcs of a node with their weights.
    #[inline]
    pub fn arcs_of(&self, node: u32) -> impl Iterator<Item = (u32, f64)> {
        let weights = self.weights(node);
        let weight = move |index: usize| weights.get(index).copied().unwrap_or(1.0);
        self.targets(node).iter().enumerate().map(move |(index, target)| (*target, weight(index)))
    }

    #[inline]
    fn range(&self, node: u32) -> (usize, usize) {
        let start =
            node.checked_sub(1).map_or(0, |before| item_or_default(&self.end_offsets, before));
        (start as usize, item_or_default(&self.end_offsets, node) as usize)
    }
}

/// Returns an item, or the default value if the index is out of range.
#[inline]
pub fn item_or_default<T: Copy + Default>(items: &[T], index: u32) -> T {
    items.get(index as usize).copied().unwrap_or_default()
}

/// Sets an item.
#[inline]
pub fn set_item<T>(items: &mut [T], index: u32, value: T) {
    if let Some(item) = items.get_mut(index as usize) {
        *item = value;
    }
}

/// Adds an amount to an item.
#[inline]
pub fn add_to_item(items: &mut [f64], index: u32, amount: f64) {
    if let Some(item) = items.get_mut(index as usize) {
        *item += amount;
    }
}
