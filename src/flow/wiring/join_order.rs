//! Predecessors of a join, indexed so that a query does not visit each of them.

use crate::flow::dominators::DominatorTree;

/// Predecessors of one vertex in preorder of the dominator tree.
pub struct JoinOrder {
    /// Preorder indices, sorted.
    indices: Vec<u32>,
    /// Segment tree over the positions in the list of predecessors: the minimum of each pair, the
    /// root at index 1, the leaves in the order of `indices`.
    first_position: Vec<u32>,
}

impl JoinOrder {
    pub fn new(tree: &DominatorTree, predecessors: &[u32]) -> JoinOrder {
        let mut sorted: Vec<(u32, u32)> =
            predecessors.iter().map(|vertex| tree.preorder_range(*vertex).0).zip(0..).collect();
        sorted.sort_unstable();
        let mut first_position = vec![u32::MAX; sorted.len()];
        first_position.extend(sorted.iter().map(|(_, position)| *position));
        for inner in (1..sorted.len()).rev() {
            if let Some([a, b]) = first_position.get(2 * inner..2 * inner + 2) {
                let least = *a.min(b);
                first_position.get_mut(inner).into_iter().for_each(|slot| *slot = least);
            }
        }
        JoinOrder { indices: sorted.into_iter().map(|(index, _)| index).collect(), first_position }
    }

    /// Returns the first position in the list of predecessors of those with a preorder index in
    /// `start..end`; `None` if there is none.
    pub fn first_between(&self, start: u32, end: u32) -> Option<u32> {
        let leaf =
            |bound: u32| self.indices.len() + self.indices.partition_point(|index| *index < bound);
        let (mut from, mut to) = (leaf(start), leaf(end));
        let position = |node: usize| self.first_position.get(node).copied().unwrap_or(u32::MAX);
        let mut first = u32::MAX;
        while from < to {
            if from & 1 == 1 {
                first = first.min(position(from));
                from += 1;
            }
            if to & 1 == 1 {
                to -= 1;
                first = first.min(position(to));
            }
            from >>= 1;
            to >>= 1;
        }
        Some(first).filter(|first| *first != u32::MAX)
    }
}
