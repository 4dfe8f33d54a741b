//! Iterated dominance frontier (Cytron et al. 1991) of one name at a time, without a visit to the
//! vertices in between (after Sreedhar and Gao 1995).

use super::control::ControlFlowGraph;
use super::csr::{NONE, item_or_none, set_item};
use crate::base::map::{IntMap, pack_pair, unpack_pair};
use std::collections::BinaryHeap;

/// Join edges (edges whose target they do not dominate) in preorder of the dominator tree.
pub(super) struct DominanceFrontier {
    /// Preorder index of the source of each join edge.
    sources: Vec<u32>,
    targets: Vec<u32>,
    /// Depth from which a dominator of the source has the target in its frontier by this edge. The
    /// dominators above have it by an edge before this one.
    depths: Vec<u32>,
    /// Segment tree over `depths`: minimum of each pair, the root at index 1.
    min_depth: Vec<u32>,
    leaf_count: u32,
}

impl DominanceFrontier {
    pub fn new(control: &ControlFlowGraph) -> DominanceFrontier {
        let exit = control.exit() as u32;
        let mut frontier = DominanceFrontier {
            sources: Vec::new(),
            targets: Vec::new(),
            depths: Vec::new(),
            min_depth: Vec::new(),
            leaf_count: 1,
        };
        let tree = &control.dominators;
        let mut last_source_to = vec![NONE; control.vertex_count()];
        for (index, vertex) in (0u32..).zip(tree.vertices_in_preorder()) {
            for edge in control.edges_from(*vertex) {
                if edge.to != exit && tree.parent(edge.to) != Some(*vertex) {
                    let last = item_or_none(&last_source_to, edge.to);
                    let depth = match last {
                        NONE => 0,
                        last => tree.depth(tree.nearest_common_dominator(last, *vertex)) + 1,
                    };
                    set_item(&mut last_source_to, edge.to, *vertex);
                    frontier.sources.push(index);
                    frontier.targets.push(edge.to);
                    frontier.depths.push(depth.max(tree.depth(edge.to)));
                }
            }
        }
        frontier.leaf_count = frontier.targets.len().next_power_of_two() as u32;
        frontier.min_depth = vec![NONE; 2 * frontier.leaf_count as usize];
        for leaf in 0..frontier.targets.len() as u32 {
            let depth = item_or_none(&frontier.depths, leaf);
            set_item(&mut frontier.min_depth, frontier.leaf_count + leaf, depth);
        }
        for inner in (1..frontier.leaf_count).rev() {
            frontier.update_inner(inner);
        }
        frontier
    }

    /// Returns the iterated dominance frontier of these vertices, sorted, without the exit.
    pub fn iterated(&mut self, control: &ControlFlowGraph, writers: &[u32]) -> Vec<u32> {
        let tree = &control.dominators;
        let mut found = Vec::new();
        if self.targets.is_empty() {
            return found;
        }
        let mut visited = IntMap::default();
        // Deepest first: an edge can be removed when it is found, because later vertices are less deep.
        let mut work: BinaryHeap<u64> =
            writers.iter().map(|vertex| pack_pair(tree.depth(*vertex), *vertex)).collect();
        let mut removed = Vec::new();
        while let Some((depth, vertex)) = work.pop().map(unpack_pair) {
            let (start, end) = tree.preorder_range(vertex);
            let from = self.sources.partition_point(|source| *source < start) as u32;
            let to = self.sources.partition_point(|source| *source < end) as u32;
            while let Some(leaf) = self.first_leaf_up_to_depth(from, to, depth) {
                removed.push(leaf);
                self.update_leaf(leaf, NONE);
                let target = item_or_none(&self.targets, leaf);
                if visited.insert(u64::from(target), 0).is_none() {
                    found.push(target);
                    work.push(pack_pair(tree.depth(target), target));
                }
            }
        }
        for leaf in removed {
            self.update_leaf(leaf, item_or_none(&self.depths, leaf));
        }
        found.sort_unstable();
        found
    }

    /// Returns the first leaf in `from..to` whose depth is at most `depth`.
    fn first_leaf_up_to_depth(&self, from: u32, to: u32, depth: u32) -> Option<u32> {
        if from >= to {
            return None;
        }
        // Ascends to the first subtree after `from` that contains such a leaf, then descends.
        let mut inner = self.leaf_count + from;
        while item_or_none(&self.min_depth, inner) == NONE
            || item_or_none(&self.min_depth, inner) > depth
        {
            while inner & 1 == 1 {
                inner >>= 1;
            }
            if inner == 0 {
                return None;
            }
            inner += 1;
        }
        while inner < self.leaf_count {
            inner *= 2;
            if item_or_none(&self.min_depth, inner) > depth {
                inner += 1;
            }
        }
        Some(inner - self.leaf_count).filter(|leaf| *leaf < to)
    }

    fn update_leaf(&mut self, leaf: u32, depth: u32) {
        let mut inner = self.leaf_count + leaf;
        set_item(&mut self.min_depth, inner, depth);
        while inner > 1 {
            inner >>= 1;
            self.update_inner(inner);
        }
    }

    fn update_inner(&mut self, inner: u32) {
        let least = item_or_none(&self.min_depth, 2 * inner)
            .min(item_or_none(&self.min_depth, 2 * inner + 1));
        set_item(&mut self.min_depth, inner, least);
    }
}
