//! Sorting by numbers and by places: the standard library's sort is compiled anew for each type and
//! each order, several kilobytes every time.

use std::cmp::Ordering;
use std::mem;

/// Sorts items by a number of theirs; items with the same number keep their order.
pub fn by_number<T: Copy>(items: &mut Vec<T>, number: impl Fn(T) -> u32) {
    let number_at = |place: usize| items.get(place).map_or(0, |item| number(*item));
    if let Some(order) = unless_sorted(items.len(), &number_at) {
        *items = order
            .iter()
            .filter_map(|key| items.get(*key as u32 as usize).copied())
            .collect::<Vec<_>>();
    }
}

/// Numbers in order, each above its place, so that the place decides between equal numbers; nothing
/// where they are in order already. It is compiled once for all kinds of items.
#[inline(never)]
fn unless_sorted(count: usize, number: &dyn Fn(usize) -> u32) -> Option<Vec<u64>> {
    if count < 2 || (0..count).map(number).is_sorted() {
        return None;
    }
    let mut keys: Vec<u64> =
        (0..count).map(|place| u64::from(number(place)) << 32 | place as u64).collect();
    sort_upper(&mut keys);
    Some(keys)
}

/// So few are sorted by moving each to its place.
const FEW: usize = 32;

/// Sorts by the upper halves numbers that are in the order of their lower halves.
#[inline(never)]
fn sort_upper(keys: &mut Vec<u64>) {
    if keys.len() < FEW {
        for last in 1..keys.len() {
            let mut place = last;
            while place > 0 && keys.get(place) < keys.get(place - 1) {
                keys.swap(place, place - 1);
                place -= 1;
            }
        }
        return;
    }
    // By one byte after the other, from the lowest on; what is above the greatest is zero.
    let most = keys.iter().fold(0, |most, key| most | *key);
    let mut sorted = vec![0; keys.len()];
    for shift in (32..64).step_by(8).filter(|shift| most >> shift > 0) {
        let mut starts = [0u32; 257];
        let byte = |key: u64| (key >> shift) as u8 as usize;
        for key in keys.iter() {
            starts.get_mut(byte(*key) + 1).into_iter().for_each(|count| *count += 1);
        }
        let mut all = 0;
        for start in &mut starts {
            all += *start;
            *start = all;
        }
        for key in keys.iter() {
            let Some(start) = starts.get_mut(byte(*key)) else { continue };
            let slot = sorted.get_mut(*start as usize);
            slot.into_iter().for_each(|slot| *slot = *key);
            *start += 1;
        }
        mem::swap(keys, &mut sorted);
    }
}

/// The places of `count` items in order, where `compare` tells two places apart; items that are
/// equal keep their order.
pub fn order(count: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut places: Vec<usize> = (0..count).collect();
    let mut merged = Vec::with_capacity(count);
    let mut width = 1;
    while width < count {
        for pair in places.chunks(2 * width) {
            let (mut left, mut right) = pair.split_at(width.min(pair.len()));
            while let (Some((a, after_a)), Some((b, after_b))) =
                (left.split_first(), right.split_first())
            {
                if compare(*b, *a).is_lt() {
                    merged.push(*b);
                    right = after_b;
                } else {
                    merged.push(*a);
                    left = after_a;
                }
            }
            merged.extend_from_slice(left);
            merged.extend_from_slice(right);
        }
        mem::swap(&mut places, &mut merged);
        merged.clear();
        width *= 2;
    }
    places
}

/// The first `most` places of those that [`order`] gives.
pub fn first(count: usize, most: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    /// So many times as many are collected before they are put in order.
    const ROOM: usize = 4;
    if most >= count / ROOM {
        let mut places = order(count, compare);
        places.truncate(most);
        return places;
    }
    let mut best: Vec<usize> = Vec::new();
    // The last of the first `most` that were put in order: what comes behind it is out.
    let mut last = None;
    for place in 0..count {
        if last.is_some_and(|last| compare(place, last).is_ge()) {
            continue;
        }
        best.push(place);
        if best.len() > ROOM * most {
            best = first_of(&best, most, compare);
            last = best.last().copied();
        }
    }
    first_of(&best, most, compare)
}

/// The first `most` of these places, of which equal ones stand in order.
fn first_of(
    places: &[usize],
    most: usize,
    compare: &dyn Fn(usize, usize) -> Ordering,
) -> Vec<usize> {
    let place = |nth: usize| places.get(nth).copied().unwrap_or_default();
    let order = order(places.len(), &|a, b| compare(place(a), place(b)));
    order.into_iter().take(most).map(place).collect()
}

/// The indices of items, those of one group together and in order, the groups in order, and where each group
/// ends. `group_of` says of each item to which of `count` groups it belongs.
pub fn together(group_of: &[usize], count: usize) -> (Vec<usize>, Vec<usize>) {
    let mut ends = vec![0; count];
    for group in group_of {
        if let Some(end) = ends.get_mut(*group) {
            *end += 1;
        }
    }
    // Where each group starts, which moves to its end.
    let mut start = 0;
    for end in &mut ends {
        start += std::mem::replace(end, start);
    }
    let mut indices = vec![0; start];
    for (index, group) in group_of.iter().enumerate() {
        if let Some(place) = ends.get_mut(*group)
            && let Some(slot) = indices.get_mut(*place)
        {
            *slot = index;
            *place += 1;
        }
    }
    (ends, indices)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn puts_groups_together() {
        assert_eq!(together(&[1, 0, 1, 3], 4), (vec![1, 3, 3, 4], vec![1, 0, 2, 3]));
        assert_eq!(together(&[], 2), (vec![0, 0], vec![]));
    }

    #[test]
    fn orders_places() {
        let items = ["b", "c", "a", "b"];
        assert_eq!(order(4, &|a, b| items[a].cmp(items[b])), [2, 0, 3, 1]);
        for count in 0..70usize {
            let item = |place: usize| place * 7 % 11;
            let mut expected: Vec<usize> = (0..count).collect();
            expected.sort_by_key(|place| item(*place));
            let compare = |a, b| item(a).cmp(&item(b));
            assert_eq!(order(count, &compare), expected);
            for most in 0..count + 2 {
                assert_eq!(first(count, most, &compare), expected[..most.min(count)], "{most}");
            }
        }
    }

    #[test]
    fn keeps_the_order_of_equals() {
        let mut items = vec![(2, 'a'), (1, 'b'), (2, 'c'), (0, 'd'), (1, 'e')];
        by_number(&mut items, |item| item.0);
        assert_eq!(items, [(0, 'd'), (1, 'b'), (1, 'e'), (2, 'a'), (2, 'c')]);
        let mut many: Vec<(u32, u32)> =
            (0..5000).map(|n: u32| ((n.wrapping_mul(7919) % 997) << 9, n)).collect();
        let mut expected = many.clone();
        expected.sort();
        by_number(&mut many, |item| item.0);
        assert_eq!(many, expected);
    }
}
