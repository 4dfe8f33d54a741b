//! The fewest mounts, unmounts and moves that turn one list of distinct items into another.

use super::child_list::ItemId;
use crate::base::map::Numbers;

/// What happens to the items between the common start and the common end of two lists.
#[derive(Debug, Default)]
pub struct Diff {
    /// How many items both lists start with.
    pub start: usize,
    /// One past the last item of the new list that is not part of the common end.
    pub end: usize,
    /// Places in the old list of the items that are gone.
    pub removed: Vec<usize>,
    /// For each new item from `start` to `end`: what it is.
    pub steps: Vec<Step>,
}

/// What became of one place of the new list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The item is new.
    Insert,
    /// The item stood at this place of the old list and is moved.
    Move(usize),
    /// The item stood at this place of the old list and is left alone.
    Keep(usize),
}

/// Compares two lists. The items of each are distinct.
pub fn diff(old: &[ItemId], new: &[ItemId]) -> Diff {
    let start = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let rest = |list: &[ItemId]| list.len() - start;
    let tail = old.iter().rev().zip(new.iter().rev()).take(rest(old).min(rest(new)));
    let tail = tail.take_while(|(a, b)| a == b).count();
    let (old_end, end) = (old.len() - tail, new.len() - tail);
    let old_middle = old.get(start..old_end).unwrap_or_default();
    let new_middle = new.get(start..end).unwrap_or_default();
    if old_middle.is_empty() {
        let steps = vec![Step::Insert; new_middle.len()];
        return Diff { start, end, removed: Vec::new(), steps };
    }
    let mut places: Numbers =
        (0..).zip(new_middle).map(|(place, item)| (item.number(), place)).collect();
    let mut steps = vec![Step::Insert; new_middle.len()];
    let mut removed = Vec::new();
    let mut rising = true;
    let mut highest = 0;
    for (place, item) in (start..).zip(old_middle) {
        let target = places.remove(&item.number()).map(|place| place as usize);
        let Some(target) = target.filter(|target| new_middle.get(*target) == Some(item)) else {
            removed.push(place);
            continue;
        };
        rising &= highest <= target;
        highest = highest.max(target);
        if let Some(step) = steps.get_mut(target) {
            *step = Step::Keep(place);
        }
    }
    if !rising {
        move_the_rest(&mut steps);
    }
    Diff { start, end, removed, steps }
}

/// Leaves a longest rising sequence of old places alone and moves the others.
fn move_the_rest(steps: &mut [Step]) {
    // Of the sequences of each length: the step that ends the one with the lowest end.
    let mut ends: Vec<(usize, usize)> = Vec::new();
    let mut previous: Vec<Option<usize>> = vec![None; steps.len()];
    for (at, step) in steps.iter().enumerate() {
        let Step::Keep(place) = step else { continue };
        let length = ends.partition_point(|(_, end)| end < place);
        let before = length.checked_sub(1).and_then(|length| ends.get(length));
        if let Some(slot) = previous.get_mut(at) {
            *slot = before.map(|(at, _)| *at);
        }
        match ends.get_mut(length) {
            Some(end) => *end = (at, *place),
            None => ends.push((at, *place)),
        }
    }
    let mut kept = ends.last().map(|(at, _)| *at);
    for at in (0..steps.len()).rev() {
        if kept == Some(at) {
            kept = previous.get(at).copied().flatten();
        } else if let Some(step) = steps.get_mut(at)
            && let Step::Keep(place) = *step
        {
            *step = Step::Move(place);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ham::arena::NodeRef;

    fn check(old: &[u32], new: &[u32]) -> usize {
        let ids = |list: &[u32]| -> Vec<ItemId> {
            list.iter().map(|node| ItemId::pointer(NodeRef(*node), 1)).collect()
        };
        let (old_ids, new_ids) = (ids(old), ids(new));
        let diff = diff(&old_ids, &new_ids);
        let mut list: Vec<u32> = old.to_vec();
        for place in diff.removed.iter().rev() {
            list.remove(*place);
        }
        let mut moves = 0;
        // From the end to the start, each before the one that was placed last.
        for at in (diff.start..diff.end).rev() {
            let item = new[at];
            match diff.steps[at - diff.start] {
                Step::Keep(place) => assert_eq!(old[place], item),
                Step::Insert | Step::Move(_) => {
                    if let Step::Move(place) = diff.steps[at - diff.start] {
                        assert_eq!(old[place], item);
                        list.retain(|each| *each != item);
                        moves += 1;
                    }
                    let before = new.get(at + 1);
                    let place = before.map_or(list.len(), |before| {
                        list.iter().position(|each| each == before).unwrap()
                    });
                    list.insert(place, item);
                }
            }
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
