//! Tree of the shortest paths from one start. Of equally short paths, the tree has the one whose
//! nodes come first in the order of the graph.

use super::space::{Effort, PathBuffer, SearchGoal, SearchSpace};
use crate::gasl::graph::adjacency::Neighbor;
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// Tree in progress; its memory is reused by the next search.
pub struct ForwardSearch {
    /// Number of nodes from the start to each node; 0 if the node is not reached.
    depths: Vec<u32>,
    /// Previous node and edge on the path to each node.
    parents: Vec<Neighbor>,
    /// Distance of each reached node, with weights only.
    distances: Vec<f64>,
    is_settled: Vec<bool>,
    /// Reached nodes.
    reached: Vec<u32>,
    queue: BinaryHeap<Reverse<(u64, u32)>>,
    /// Targets in the order in which they were found.
    pub found: Vec<u32>,
}

impl ForwardSearch {
    pub fn new(node_count: usize, is_weighted: bool) -> ForwardSearch {
        let weighted_count = if is_weighted { node_count } else { 0 };
        ForwardSearch {
            depths: vec![0; node_count],
            parents: vec![Neighbor::default(); node_count],
            distances: vec![f64::INFINITY; weighted_count],
            is_settled: vec![false; weighted_count],
            reached: Vec::new(),
            queue: BinaryHeap::new(),
            found: Vec::new(),
        }
    }

    /// Searches from a start until all targets are found.
    pub fn search(&mut self, space: &SearchSpace<'_>, start: u32, goal: SearchGoal<'_>) -> Effort {
        for node in self.reached.drain(..) {
            let node = node as usize;
            set_item(&mut self.depths, node, 0);
            set_item(&mut self.distances, node, f64::INFINITY);
            set_item(&mut self.is_settled, node, false);
        }
        self.queue.clear();
        self.found.clear();
        set_item(&mut self.depths, start as usize, 1);
        self.reached.push(start);
        match space.weights {
            None => self.breadth_first(space, start, goal),
            Some(_) => self.dijkstra(space, start, goal),
        }
    }

    /// Collects the path to a found target.
    pub fn write_path(&self, target: u32, path: &mut PathBuffer) {
        path.start(target);
        let mut node = target;
        while self.depth(node) > 1 {
            let parent = self.parent(node);
            path.push(parent);
            node = parent.node;
        }
        path.reverse();
    }

    /// Expands nodes in the order of their paths, so that the first path to a node is the best.
    fn breadth_first(
        &mut self,
        space: &SearchSpace<'_>,
        start: u32,
        goal: SearchGoal<'_>,
    ) -> Effort {
        let mut expansions = 0;
        let mut next = 0;
        while let Some(node) = self.reached.get(next).copied() {
            next += 1;
            let depth = self.depth(node);
            if depth as usize > space.max_length {
                break;
            }
            if node != start && !space.allows_inner(node) {
                continue;
            }
            let first_child = self.reached.len();
            for neighbor in space.forward.neighbors(node) {
                if self.found.len() >= goal.target_count {
                    return Effort { expansions, is_truncated: false };
                }
                if expansions >= goal.max_expansions {
                    return Effort { expansions, is_truncated: true };
                }
                expansions += 1;
                if self.depth(neighbor.node) > 0 || !space.allows_edge(neighbor.edge) {
                    continue;
                }
                set_item(&mut self.depths, neighbor.node as usize, depth + 1);
                let parent = Neighbor { edge: neighbor.edge, node };
                set_item(&mut self.parents, neighbor.node as usize, parent);
                self.reached.push(neighbor.node);
                if goal.targets.get(neighbor.node) {
                    self.found.push(neighbor.node);
                }
            }
            if let Some(children) = self.reached.get_mut(first_child..) {
                children.sort_unstable();
            }
        }
        Effort { expansions, is_truncated: false }
    }

    fn dijkstra(&mut self, space: &SearchSpace<'_>, start: u32, goal: SearchGoal<'_>) -> Effort {
        let mut expansions = 0;
        set_item(&mut self.distances, start as usize, 0.0);
        self.queue.push(Reverse((0, start)));
        while let Some(Reverse((_, node))) = self.queue.pop() {
            if self.is_settled.get(node as usize).copied().unwrap_or(true) {
                continue;
            }
            set_item(&mut self.is_settled, node as usize, true);
            if node != start && goal.targets.get(node) {
                self.found.push(node);
            }
            if self.found.len() >= goal.target_count {
                break;
            }
            if node != start && !space.allows_inner(node) {
                continue;
            }
            let distance = self.distance(node);
            for neighbor in space.forward.neighbors(node) {
                if expansions >= goal.max_expansions {
                    return Effort { expansions, is_truncated: true };
                }
                expansions += 1;
                if space.allows_edge(neighbor.edge) {
                    let through = distance + space.weight(neighbor.edge);
                    self.relax(node, *neighbor, through);
                }
            }
        }
        Effort { expansions, is_truncated: false }
    }

    /// Sets the path to a neighbor if it is shorter than the known one, or comes first.
    fn relax(&mut self, node: u32, neighbor: Neighbor, through: f64) {
        let target = neighbor.node;
        if self.is_settled.get(target as usize).copied().unwrap_or(true) {
            return;
        }
        let is_better = match through.total_cmp(&self.distance(target)) {
            Ordering::Less => true,
            Ordering::Equal => self.comes_before(node, self.parent(target).node, target),
            Ordering::Greater => false,
        };
        if !is_better {
            return;
        }
        if self.depth(target) == 0 {
            self.reached.push(target);
        }
        let depth = self.depth(node) + 1;
        set_item(&mut self.depths, target as usize, depth);
        set_item(&mut self.distances, target as usize, through);
        set_item(&mut self.parents, target as usize, Neighbor { edge: neighbor.edge, node });
        self.queue.push(Reverse((through.to_bits(), target)));
    }

    /// Returns whether the path to `node` and then `target` comes before that to `other` and then
    /// `target`.
    fn comes_before(&self, node: u32, other: u32, target: u32) -> bool {
        // The nodes that follow on both paths.
        let (mut next, mut other_next) = (target, target);
        let (mut node, mut other) = (node, other);
        while node != other {
            if self.depth(node) >= self.depth(other) {
                next = node;
                node = self.parent(node).node;
            } else {
                other_next = other;
                other = self.parent(other).node;
            }
        }
        next < other_next
    }

    #[inline]
    fn depth(&self, node: u32) -> u32 {
        self.depths.get(node as usize).copied().unwrap_or_default()
    }

    fn distance(&self, node: u32) -> f64 {
        self.distances.get(node as usize).copied().unwrap_or(f64::INFINITY)
    }

    fn parent(&self, node: u32) -> Neighbor {
        self.parents.get(node as usize).copied().unwrap_or_default()
    }
}

#[inline]
fn set_item<T>(items: &mut [T], index: usize, value: T) {
    if let Some(item) = items.get_mut(index) {
        *item = value;
    }
}
