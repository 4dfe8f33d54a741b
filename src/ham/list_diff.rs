//! The fewest mounts, unmounts and moves that turn one list of distinct items into another.

use super::arena::NodeRef;
use super::child_list::{ItemId, Seen};
use crate::base::bytes;
use crate::base::map::IntMap;

/// What turns one list into another.
#[derive(Debug, Default)]
pub struct Diff {
    /// Places in the old list of the items that are gone.
    pub removed: Vec<u32>,
    /// For each item of the new list: what it is.
    pub steps: Vec<Step>,
}

/// What became of one place of the new list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The item is new.
    Insert,
    /// The item stood at this place of the old list and is moved.
    Move(u32),
    /// The item stood at this place of the old list and is left alone.
    Keep(u32),
}

/// How many items two lists have in common at their starts, and behind those at their ends. They are
/// compared `BLOCK` at a time.
pub fn common_ends<const BLOCK: usize, T: PartialEq>(old: &[T], new: &[T]) -> (usize, usize) {
    let start = bytes::common_start::<BLOCK, _>(old, new);
    let old = old.get(start..).unwrap_or_default();
    let new = new.get(start..).unwrap_or_default();
    (start, bytes::common_end::<BLOCK, _>(old, new))
}

/// Compares two lists. The items of each are distinct. It does not look for common ends: see
/// [`common_ends`].
pub fn diff(old: &[ItemId], new: &[ItemId], seen: &mut Seen) -> Diff {
    let mut steps = vec![Step::Insert; new.len()];
    let mut removed = Vec::new();
    if old.is_empty() {
        return Diff { removed, steps };
    }
    let places = Places::of(new, seen);
    let mut rising = true;
    let mut highest = 0;
    for (place, item) in (0..).zip(old) {
        let Some(target) = places.get(*item) else {
            removed.push(place);
            continue;
        };
        rising &= highest <= target;
        highest = highest.max(target);
        if let Some(step) = steps.get_mut(target as usize) {
            *step = Step::Keep(place);
        }
    }
    if !rising {
        move_the_rest(&mut steps);
    }
    Diff { removed, steps }
}

/// Where each item of a list stands.
struct Places<'a> {
    items: &'a [ItemId],
    plain: &'a Seen,
    others: IntMap,
}

impl<'a> Places<'a> {
    fn of(items: &'a [ItemId], seen: &'a mut Seen) -> Places<'a> {
        let nodes = items.iter().filter_map(|item| plain_node(*item));
        seen.start(nodes.map(|node| node.0 as usize + 1).max().unwrap_or(0));
        let mut others = IntMap::default();
        for (place, item) in (0..).zip(items) {
            match plain_node(*item) {
                Some(node) => seen.put(node, place),
                None => drop(others.insert(item.number(), place.into())),
            }
        }
        Places { items, plain: seen, others }
    }

    fn get(&self, item: ItemId) -> Option<u32> {
        match plain_node(item) {
            Some(node) => self.plain.get(node),
            None => {
                let place = self.others.get(&item.number()).map(|place| *place as u32);
                // It may have another key.
                place.filter(|place| self.items.get(*place as usize) == Some(&item))
            }
        }
    }
}

fn plain_node(item: ItemId) -> Option<NodeRef> {
    item.node().filter(|_| item.is_plain())
}

/// Leaves a longest rising sequence of old places alone and moves the others.
fn move_the_rest(steps: &mut [Step]) {
    const NONE: u32 = u32::MAX;
    // Of the sequences of each length: the lowest old place that ends one, and the step that does.
    let mut ends: Vec<(u32, u32)> = Vec::new();
    let mut previous: Vec<u32> = Vec::with_capacity(steps.len());
    for (at, step) in (0..).zip(steps.iter()) {
        let Step::Keep(place) = step else {
            previous.push(NONE);
            continue;
        };
        let length = match ends.last() {
            Some((end, _)) if end < place => ends.len(),
            _ => ends.partition_point(|(end, _)| end < place),
        };
        let before = length.checked_sub(1).and_then(|length| ends.get(length));
        previous.push(before.map_or(NONE, |(_, at)| *at));
        match ends.get_mut(length) {
            Some(end) => *end = (*place, at),
            None => ends.push((*place, at)),
        }
    }
    let mut kept = ends.last().map_or(NONE, |(_, at)| *at);
    for (at, step) in (0..steps.len() as u32).zip(steps.iter_mut()).rev() {
        if kept == at {
            kept = previous.get(at as usize).copied().unwrap_or(NONE);
        } else if let Step::Keep(place) = *step {
            *step = Step::Move(place);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(old: &[u32], new: &[u32]) -> usize {
        let ids = |list: &[u32]| -> Vec<ItemId> {
            list.iter().map(|node| ItemId::pointer(NodeRef(*node), 1)).collect()
        };
        let (start, tail) = common_ends::<8, _>(old, new);
        let (old_end, end) = (old.len() - tail, new.len() - tail);
        let (old_ids, new_ids) = (ids(&old[start..old_end]), ids(&new[start..end]));
        let diff = diff(&old_ids, &new_ids, &mut Seen::default());
        let mut list: Vec<u32> = old.to_vec();
        for place in diff.removed.iter().rev() {
            list.remove(start + *place as usize);
        }
        let mut moves = 0;
        // From the end to the start, each before the one that was placed last.
        for at in (start..end).rev() {
            let item = new[at];
            let step = diff.steps[at - start];
            if let Step::Keep(place) | Step::Move(place) = step {
                assert_eq!(old[start + place as usize], item);
            }
            if matches!(step, Step::Keep(_)) {
                continue;
            }
            if matches!(step, Step::Move(_)) {
                list.retain(|each| *each != item);
                moves += 1;
            }
            let before = new.get(at + 1);
            let place = before
                .map_or(list.len(), |before| list.iter().position(|each| each == before).unwrap());
            list.insert(place, item);
        }
        assert_eq!(list, new);
        moves
    }

    #[test]
    fn moves_as_little_as_possible() {
        assert_eq!(check(&[1, 2, 3], &[1, 2, 3]), 0);
        assert_eq!(check(&[], &[1, 2]), 0);
        assert_eq!(check(&[1, 2], &[]), 0);
        assert_eq!(check(&[1, 2, 3, 4], &[4, 1, 2, 3]), 1);
        assert_eq!(check(&[1, 2, 3, 4], &[2, 3, 4, 1]), 1);
        assert_eq!(check(&[1, 2, 3, 4, 5], &[5, 4, 3, 2, 1]), 4);
        assert_eq!(check(&[1, 2, 3, 4], &[9, 3, 8, 1, 4]), 1);
    }
}
