//! Breadth-first traversal from a set of nodes.

use super::Graph;
use super::adjacency::Direction;
use super::bit_mask::BitMask;
use super::search::{FoundRows, SearchLimits, Truncation};
use crate::gasl::predicate::{Case, Comparison, Predicate, Test};

impl Graph {
    /// Fields that may contain the type of an edge.
    pub const TYPE_FIELDS: [&str; 4] = ["type", "relation", "rel", "label"];

    /// Returns the nodes at a distance of 1 to `depth` edges, nearest first. If `follow` is given,
    /// only edges of exactly this `type`, `relation`, `rel` or `label` are followed.
    pub fn walk(
        &self,
        starts: &[u32],
        follow: Option<&str>,
        depth: usize,
        direction: Direction,
        limits: SearchLimits,
    ) -> FoundRows {
        let edges = follow.map(|edge_type| self.edges_of_type(edge_type));
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
                        || edges.as_ref().is_some_and(|e| !e.get(neighbor.edge))
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
        follow: Option<&str>,
        direction: Direction,
    ) -> bool {
        let edges = follow.map(|edge_type| self.edges_of_type(edge_type));
        let adjacency = self.adjacency(direction);
        let fits = |edge: u32| edges.as_ref().is_none_or(|edges| edges.get(edge));
        starts
            .iter()
            .any(|start| adjacency.neighbors(*start).iter().any(|neighbor| fits(neighbor.edge)))
    }

    fn edges_of_type(&self, edge_type: &str) -> BitMask {
        let test = || Test::Compare(Comparison::Equal, edge_type.into());
        let each = Graph::TYPE_FIELDS.map(|field| Predicate::Field(field.into(), test()));
        self.edge_mask(&Predicate::Any(each.into()), Case::Sensitive)
    }
}
