//! Sorting by numbers and by places: the standard library's sort is compiled anew for each type and
//! each order, several kilobytes every time.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// Sorts items by a number of theirs; items with the same number keep their order.
pub fn by_number<T: Copy>(items: &mut Vec<T>, number: impl Fn(T) -> u32) {
    if items.is_sorted_by_key(|item| number(*item)) {
        return;
    }
    // The number and the place in one, so that the place decides between equal numbers.
    let keys = items.iter().zip(0u64..).map(|(item, place)| u64::from(number(*item)) << 32 | place);
    let mut order: Vec<u64> = keys.collect();
    // Sorting by a heap is a tenth of the code of sorting a slice.
    order = BinaryHeap::from(order).into_sorted_vec();
    *items = order.iter().filter_map(|key| items.get(*key as u32 as usize).copied()).collect();
}

/// The places of `count` items in order, where `compare` tells two places apart; items that are
/// equal keep their order.
pub fn order(count: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut places: Vec<usize> = (0..count).collect();
    places.sort_by(|a, b| compare(*a, *b));
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_places() {
        let items = ["b", "c", "a", "b"];
        assert_eq!(order(4, &|a, b| items[a].cmp(items[b])), [2, 0, 3, 1]);
    }

    #[test]
    fn keeps_the_order_of_equals() {
        let mut items = vec![(2, 'a'), (1, 'b'), (2, 'c'), (0, 'd'), (1, 'e')];
        by_number(&mut items, |item| item.0);
        assert_eq!(items, [(0, 'd'), (1, 'b'), (1, 'e'), (2, 'a'), (2, 'c')]);
    }
}
