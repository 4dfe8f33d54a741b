//! Distances to one end, from which the shortest paths of many starts follow.

use super::space::{Effort, PathBuffer, SearchGoal, SearchSpace};
use crate::gasl::graph::adjacency::Neighbor;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Distances in progress; the memory is reused by the next search.
pub struct BackwardSearch {
    /// Distance of each node to the end; infinite if the end is not reached.
    distances: Vec<f64>,
    /// One more than the index of each settled node in the order of distances; 0 for others.
    ranks: Vec<u32>,
    /// Nodes with a distance.
    reached: Vec<u32>,
    queue: BinaryHeap<Reverse<(u64, u32)>>,
    /// Targets in the order in which they were found.
    pub found: Vec<u32>,
}

impl BackwardSearch {
    pub fn new(node_count: usize) -> BackwardSearch {
        BackwardSearch {
            distances: vec![f64::INFINITY; node_count],
            ranks: vec![0; node_count],
            reached: Vec::new(),
            queue: BinaryHeap::new(),
            found: Vec::new(),
        }
    }

    /// Searches back from an end until all targets are found.
    pub fn search(&mut self, space: &SearchSpace<'_>, end: u32, goal: SearchGoal<'_>) -> Effort {
        for node in self.reached.drain(..) {
            set_item(&mut self.distances, node, f64::INFINITY);
            set_item(&mut self.ranks, node, 0);
        }
        self.queue.clear();
        self.found.clear();
        set_item(&mut self.distances, end, 0.0);
        self.reached.push(end);
        self.queue.push(Reverse((0, end)));
        let is_weighted = space.weights.is_some();
        let (mut expansions, mut settled, mut next) = (0, 0, 0);
        loop {
            // Without weights the reached nodes are in the order of their distances.
            let node = match is_weighted {
                true => self.queue.pop().map(|Reverse((_, node))| node),
                false => self.reached.get(next).copied(),
            };
            next += 1;
            let Some(node) = node else { break };
            if self.rank(node) > 0 {
                continue;
            }
            settled += 1;
            set_item(&mut self.ranks, node, settled);
            if node != end && goal.targets.get(node) {
                self.found.push(node);
            }
            let distance = self.distance(node);
            if self.found.len() >= goal.target_count {
                break;
            }
            if node != end && !space.allows_inner(node)
                || !is_weighted && distance + 1.0 > space.max_length as f64
            {
                continue;
            }
            for neighbor in space.backward.neighbors(node) {
                if expansions >= goal.max_expansions {
                    return Effort { expansions, is_truncated: true };
                }
                expansions += 1;
                if !space.allows_edge(neighbor.edge) {
                    continue;
                }
                let through = distance + space.weight(neighbor.edge);
                let known = self.distance(neighbor.node);
                if through < known {
                    if known == f64::INFINITY {
                        self.reached.push(neighbor.node);
                    }
                    set_item(&mut self.distances, neighbor.node, through);
                    if is_weighted {
                        self.queue.push(Reverse((through.to_bits(), neighbor.node)));
                    }
                }
            }
        }
        Effort { expansions, is_truncated: false }
    }

    /// Collects the path from a found target. From each node it continues to the first node, in the
    /// order of the graph, from which the rest is shortest.
    pub fn write_path(
        &self,
        space: &SearchSpace<'_>,
        target: u32,
        end: u32,
        path: &mut PathBuffer,
    ) {
        path.start(target);
        let mut node = target;
        while node != end {
            let rank = self.rank(node);
            let distance = self.distance(node);
            let is_next = |neighbor: &&Neighbor| {
                let next = neighbor.node;
                let next_rank = self.rank(next);
                // A lower rank excludes circles of edges without weight.
                0 < next_rank
                    && next_rank < rank
                    && self.distance(next) + space.weight(neighbor.edge) == distance
                    && (next == end || space.allows_inner(next))
                    && space.allows_edge(neighbor.edge)
            };
            let candidates = space.forward.neighbors(node).iter().filter(is_next);
            let Some(best) = candidates.min_by_key(|neighbor| neighbor.node) else { return };
            path.push(*best);
            node = best.node;
        }
    }

    fn distance(&self, node: u32) -> f64 {
        self.distances.get(node as usize).copied().unwrap_or(f64::INFINITY)
    }

    fn rank(&self, node: u32) -> u32 {
        self.ranks.get(node as usize).copied().unwrap_or_default()
    }
}

#[inline]
fn set_item<T>(items: &mut [T], index: u32, value: T) {
    if let Some(item) = items.get_mut(index as usize) {
        *item = value;
    }
}
