//! Breadth-first traversal from a set of nodes.

use super::Graph;
use super::adjacency::Direction;
use super::bit_mask::BitMask;
use super::search::{FoundRows, SearchLimits, Truncation};
use crate::gasl::predicate::{Case, Predicate};

/// Edges that a walk may follow.
pub struct FollowedEdges {
    mask: BitMask,
}

impl FollowedEdges {
    fn contain(&self, edge: u32) -> bool {
        self.mask.get(edge)
    }
}

impl Graph {
    /// Returns the nodes at a distance of 1 to `depth` edges, nearest first. If `edges` is given,
    /// only these are followed.
    pub fn walk(
        &self,
        starts: &[u32],
        edges: Option<&FollowedEdges>,
        depth: usize,
        direction: Direction,
        limits: SearchLimits,
    ) -> FoundRows {
        let adjacency = self.adjacency(direction);
        let mut visited = BitMask::constant(self.node_count(), false);
        starts.iter().for_each(|start| visited.set(*start as usize, true));
        let (most, truncation) = limits.max_rows();
        let mut found = FoundRows { rows: Vec::new(), truncation: None };
        let mut expansions = 0;
        let mut level = starts.to_vec();
        for _ in 0..depth {
            let level_start = found.rows.len();
            for node in &level {
                for neighbor in adjacency.neighbors(*node) {
                    if limits.max_expansions.is_some_and(|most| expansions >= most) {
                        found.truncation = Some(Truncation::MaxExpansions);
                        return found;
                    }
                    expansions += 1;
                    if visited.get(neighbor.node)
                        || edges.is_some_and(|edges| !edges.contain(neighbor.edge))
                    {
                        continue;
                    }
                    if found.rows.len() >= most {
                        found.truncation = Some(truncation);
                        return found;
                    }
                    visited.set(neighbor.node as usize, true);
                    found.rows.push(neighbor.node);
                }
            }
            level = found.rows.get(level_start..).unwrap_or_default().to_vec();
            if level.is_empty() {
                break;
            }
        }
        found
    }

    /// Returns whether [`Graph::walk`] would follow any edge from the starts.
    pub fn has_neighbors(
        &self,
        starts: &[u32],
        edges: Option<&FollowedEdges>,
        direction: Direction,
    ) -> bool {
        let adjacency = self.adjacency(direction);
        let fits = |edge: u32| edges.is_none_or(|edges| edges.contain(edge));
        starts
            .iter()
            .any(|start| adjacency.neighbors(*start).iter().any(|neighbor| fits(neighbor.edge)))
    }

    /// Returns the edges that satisfy a predicate; in an undirected graph, in either orientation.
    pub fn followed_edges(&self, predicate: &Predicate, case: Case) -> FollowedEdges {
        FollowedEdges { mask: self.edge_mask(predicate, case) }
    }
}
