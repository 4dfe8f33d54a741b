//! Number of triangles at each node of the undirected simple graph.

use super::arcs::{Arcs, ParallelArcs, add_to_item, item_or_default, set_item};
use crate::gasl::graph::{Direction, Graph};

/// Count in progress. Each edge points to the end of higher degree, which bounds the work by
/// m √m (Schank and Wagner 2005).
pub struct Triangles {
    forward: Arcs,
    /// One more than the last node that has each node as a forward neighbor.
    marks: Vec<u32>,
    counts: Vec<f64>,
    node: u32,
}

impl Triangles {
    pub fn new(graph: &Graph) -> Triangles {
        let all = Arcs::new(graph, Direction::Any, None, ParallelArcs::Least);
        let rank = |node: u32| (all.targets(node).len(), node);
        let forward = |node: u32| {
            let above = |target: &&u32| rank(**target) > rank(node);
            all.targets(node).iter().filter(above).map(|target| (*target, 1.0)).collect()
        };
        let count = graph.node_count();
        Triangles {
            forward: Arcs::from_rows((0..count as u32).map(forward)),
            marks: vec![0; count],
            counts: vec![0.0; count],
            node: 0,
        }
    }

    /// Returns the number of arcs that the complete count follows.
    pub fn expansions(&self) -> usize {
        let nodes = 0..self.counts.len() as u32;
        let forward = |node: u32| self.forward.targets(node);
        nodes.flat_map(forward).map(|target| forward(*target).len() + 1).sum()
    }

    /// Counts the triangles of some nodes, following about `budget` arcs. Returns whether all are
    /// counted.
    pub fn advance(&mut self, budget: usize) -> bool {
        let mut followed = 0;
        while followed <= budget && (self.node as usize) < self.counts.len() {
            let node = self.node;
            self.node += 1;
            for target in self.forward.targets(node) {
                set_item(&mut self.marks, *target, self.node);
            }
            for target in self.forward.targets(node) {
                let thirds = self.forward.targets(*target);
                followed += thirds.len() + 1;
                for third in
                    thirds.iter().filter(|third| item_or_default(&self.marks, **third) == self.node)
                {
                    for corner in [node, *target, *third] {
                        add_to_item(&mut self.counts, corner, 1.0);
                    }
                }
            }
        }
        self.node as usize >= self.counts.len()
    }

    /// Returns the number of finished nodes, and of all.
    pub fn progress(&self) -> (usize, usize) {
        (self.node as usize, self.counts.len())
    }

    pub fn into_values(self) -> Vec<f64> {
        self.counts
    }
}
