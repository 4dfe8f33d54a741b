//! Minimal mounts, unmounts and moves between two lists of distinct items.

use super::arena::NodeRef;
use super::child_list::{ItemId, OccurrenceCounter};
use crate::base::map::IntMap;

/// Difference between two lists.
#[derive(Debug, Default)]
pub struct ListDiff {
    /// Indices of removed items in the old list.
    pub removed: Vec<u32>,
    /// One step per item of the new list.
    pub steps: Vec<ItemStep>,
}

/// Origin of an item of the new list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ItemStep {
    Insert,
    /// Moved from this index of the old list.
    Move(u32),
    /// Unmoved, at this index of the old list.
    Keep(u32),
}

/// Compares two lists of distinct items. The caller removes common ends: see
/// [`common_prefix_and_suffix_len`](crate::base::bytes::common_prefix_and_suffix_len).
pub fn diff(old: &[ItemId], new: &[ItemId], counter: &mut OccurrenceCounter) -> ListDiff {
    let mut steps = vec![ItemStep::Insert; new.len()];
    let mut removed = Vec::new();
    if old.is_empty() {
        return ListDiff { removed, steps };
    }
    let new_indices = ItemIndex::new(new, counter);
    let mut is_increasing = true;
    let mut max_index = 0;
    for (index, item) in (0..).zip(old) {
        let Some(new_index) = new_indices.get(*item) else {
            removed.push(index);
            continue;
        };
        is_increasing &= max_index <= new_index;
        max_index = max_index.max(new_index);
        if let Some(step) = steps.get_mut(new_index as usize) {
            *step = ItemStep::Keep(index);
        }
    }
    if !is_increasing {
        minimize_moves(&mut steps);
    }
    ListDiff { removed, steps }
}

/// Index of each item of a list.
struct ItemIndex<'a> {
    items: &'a [ItemId],
    first_occurrences: &'a OccurrenceCounter,
    other_items: IntMap,
}

impl<'a> ItemIndex<'a> {
    fn new(items: &'a [ItemId], counter: &'a mut OccurrenceCounter) -> ItemIndex<'a> {
        let nodes = items.iter().filter_map(|item| first_occurrence_node(*item));
        counter.reset(nodes.map(|node| node.0 as usize + 1).max().unwrap_or(0));
        let mut other_items = IntMap::default();
        for (index, item) in (0..).zip(items) {
            match first_occurrence_node(*item) {
                Some(node) => counter.set(node, index),
                None => drop(other_items.insert(item.unique_id(), index.into())),
            }
        }
        ItemIndex { items, first_occurrences: counter, other_items }
    }

    fn get(&self, item: ItemId) -> Option<u32> {
        match first_occurrence_node(item) {
            Some(node) => self.first_occurrences.get(node),
            None => {
                let index = self.other_items.get(&item.unique_id()).map(|index| *index as u32);
                // The key may differ although the id is equal.
                index.filter(|index| self.items.get(*index as usize) == Some(&item))
            }
        }
    }
}

fn first_occurrence_node(item: ItemId) -> Option<NodeRef> {
    item.node().filter(|_| item.is_first_occurrence())
}

/// Keeps a longest increasing subsequence of old indices and turns the other steps into moves
/// (patience sorting, Fredman 1975).
fn minimize_moves(steps: &mut [ItemStep]) {
    const NO_STEP: u32 = u32::MAX;
    // For each length of an increasing subsequence: its smallest last index, and the step with that
    // index.
    let mut ends: Vec<(u32, u32)> = Vec::new();
    let mut previous: Vec<u32> = Vec::with_capacity(steps.len());
    for (step_index, step) in (0..).zip(steps.iter()) {
        let ItemStep::Keep(index) = step else {
            previous.push(NO_STEP);
            continue;
        };
        let length = match ends.last() {
            Some((end, _)) if end < index => ends.len(),
            _ => ends.partition_point(|(end, _)| end < index),
        };
        let before = length.checked_sub(1).and_then(|length| ends.get(length));
        previous.push(before.map_or(NO_STEP, |(_, step_index)| *step_index));
        match ends.get_mut(length) {
            Some(end) => *end = (*index, step_index),
            None => ends.push((*index, step_index)),
        }
    }
    let mut kept_step = ends.last().map_or(NO_STEP, |(_, step_index)| *step_index);
    for (step_index, step) in (0..steps.len() as u32).zip(steps.iter_mut()).rev() {
        if kept_step == step_index {
            kept_step = previous.get(step_index as usize).copied().unwrap_or(NO_STEP);
        } else if let ItemStep::Keep(index) = *step {
            *step = ItemStep::Move(index);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::bytes::common_prefix_and_suffix_len;

    fn check(old: &[u32], new: &[u32]) -> usize {
        let ids = |list: &[u32]| -> Vec<ItemId> {
            list.iter().map(|node| ItemId::pointer(NodeRef(*node), 1)).collect()
        };
        let (start, tail) = common_prefix_and_suffix_len::<8, _>(old, new);
        let (old_end, end) = (old.len() - tail, new.len() - tail);
        let (old_ids, new_ids) = (ids(&old[start..old_end]), ids(&new[start..end]));
        let diff = diff(&old_ids, &new_ids, &mut OccurrenceCounter::default());
        let mut list: Vec<u32> = old.to_vec();
        for index in diff.removed.iter().rev() {
            list.remove(start + *index as usize);
        }
        let mut moves = 0;
        // From last to first, each before the item placed previously.
        for step_index in (start..end).rev() {
            let item = new[step_index];
            let step = diff.steps[step_index - start];
            if let ItemStep::Keep(index) | ItemStep::Move(index) = step {
                assert_eq!(old[start + index as usize], item);
            }
            if matches!(step, ItemStep::Keep(_)) {
                continue;
            }
            if matches!(step, ItemStep::Move(_)) {
                list.retain(|each| *each != item);
                moves += 1;
            }
            let before = new.get(step_index + 1);
            let index = before
                .map_or(list.len(), |before| list.iter().position(|each| each == before).unwrap());
            list.insert(index, item);
        }
        assert_eq!(list, new);
        moves
    }

    #[test]
    fn diff_needs_the_fewest_moves() {
        assert_eq!(check(&[1, 2, 3], &[1, 2, 3]), 0);
        assert_eq!(check(&[], &[1, 2]), 0);
        assert_eq!(check(&[1, 2], &[]), 0);
        assert_eq!(check(&[1, 2, 3, 4], &[4, 1, 2, 3]), 1);
        assert_eq!(check(&[1, 2, 3, 4], &[2, 3, 4, 1]), 1);
        assert_eq!(check(&[1, 2, 3, 4, 5], &[5, 4, 3, 2, 1]), 4);
        assert_eq!(check(&[1, 2, 3, 4], &[9, 3, 8, 1, 4]), 1);
    }
}
