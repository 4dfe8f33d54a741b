//! The kinds of hash tables that there are. Each further kind is compiled anew, two kilobytes every
//! time: what is looked up by anything else is given a number first.

use rustc_hash::FxHashMap;

/// From numbers, or pairs of numbers, to numbers; or a set of numbers, each with zero.
pub type Numbers = FxHashMap<u64, u64>;

/// From names to numbers.
pub type Names = FxHashMap<String, u32>;

/// Two numbers as one.
pub fn pair(a: u32, b: u32) -> u64 {
    u64::from(a) << 32 | u64::from(b)
}

/// The numbers of a pair.
pub fn parts(pair: u64) -> (u32, u32) {
    ((pair >> 32) as u32, pair as u32)
}
