//! What lies around some nodes, the nearest first.

use super::Graph;
use super::adjacency::Direction;
use super::bit_mask::BitMask;
use super::search::{FoundRows, SearchLimits, Truncation};
use crate::gasl::predicate::{Case, Comparison, Predicate, Test};

impl Graph {
    /// The names under which the kind of an edge is looked for.
    pub const KINDS: [&str; 4] = ["type", "relation", "rel", "label"];

    /// The nodes that are at most `depth` edges away, without the starts. `follow` is the exact
    /// `type`, `relation`, `rel` or `label` of the edges that are followed.
    pub fn walk(
        &self,
        starts: &[u32],
        follow: Option<&str>,
        depth: usize,
        direction: Direction,
        search: SearchLimits,
    ) -> FoundRows {
        let edges = follow.map(|kind| self.edges_of_kind(kind));
        let adjacency = self.adjacency(direction);
        let mut seen = BitMask::constant(self.node_count(), false);
        starts.iter().for_each(|start| seen.set(*start as usize, true));
        let (most, cut) = search.most();
        let mut found = FoundRows { rows: Vec::new(), truncation: None };
        let mut expansions = 0;
        let mut level = starts.to_vec();
        for _ in 0..depth {
            let from = found.rows.len();
            for node in &level {
                for step in adjacency.neighbors(*node) {
                    if search.max_expansions.is_some_and(|most| expansions >= most) {
                        found.truncation = Some(Truncation::MaxExpansions);
                        return found;
                    }
                    expansions += 1;
                    if seen.get(step.node) || edges.as_ref().is_some_and(|e| !e.get(step.edge)) {
                        continue;
                    }
                    if found.rows.len() >= most {
                        found.truncation = Some(cut);
                        return found;
                    }
                    seen.set(step.node as usize, true);
                    found.rows.push(step.node);
                }
            }
            level = found.rows.get(from..).unwrap_or_default().to_vec();
            if level.is_empty() {
                break;
            }
        }
        found
    }

    /// Whether any edge that [`Graph::walk`] would follow leaves one of the starts.
    pub fn has_neighbors(
        &self,
        starts: &[u32],
        follow: Option<&str>,
        direction: Direction,
    ) -> bool {
        let edges = follow.map(|kind| self.edges_of_kind(kind));
        let adjacency = self.adjacency(direction);
        let fits = |edge: u32| edges.as_ref().is_none_or(|edges| edges.get(edge));
        starts.iter().any(|start| adjacency.neighbors(*start).iter().any(|step| fits(step.edge)))
    }

    fn edges_of_kind(&self, kind: &str) -> BitMask {
        let test = || Test::Compare(Comparison::Equal, kind.into());
        let each = Graph::KINDS.map(|field| Predicate::Field(field.into(), test()));
        self.edge_mask(&Predicate::Any(each.into()), Case::Sensitive)
    }
}
