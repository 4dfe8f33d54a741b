//! Sorting, by numbers alone: the standard library's sort is compiled anew for each type and each
//! order, several kilobytes every time.

use std::collections::BinaryHeap;

/// Sorts items by a number of theirs; items with the same number keep their order.
pub fn by_number<T: Copy>(items: &mut Vec<T>, number: impl Fn(T) -> u32) {
    if items.len() < 2 {
        return;
    }
    // The number and the place in one, so that the place decides between equal numbers.
    let keys = items.iter().zip(0u64..).map(|(item, place)| u64::from(number(*item)) << 32 | place);
    let mut order: Vec<u64> = keys.collect();
    // Sorting by a heap is a tenth of the code of sorting a slice.
    order = BinaryHeap::from(order).into_sorted_vec();
    *items = order.iter().filter_map(|key| items.get(*key as u32 as usize).copied()).collect();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_the_order_of_equals() {
        let mut items = vec![(2, 'a'), (1, 'b'), (2, 'c'), (0, 'd'), (1, 'e')];
        by_number(&mut items, |item| item.0);
        assert_eq!(items, [(0, 'd'), (1, 'b'), (1, 'e'), (2, 'a'), (2, 'c')]);
    }
}
