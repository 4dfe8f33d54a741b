//! Growing sets of small integers.

use fixedbitset::FixedBitSet;

/// Adds an integer to a set, which grows as needed. Returns whether the integer is new.
pub fn insert(set: &mut FixedBitSet, number: u32) -> bool {
    let number = number as usize;
    let is_new = !set.contains(number);
    if is_new {
        set.grow_and_insert(number);
    }
    is_new
}
