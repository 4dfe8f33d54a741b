//! Hash maps of the crate. Each type of key or value costs about two kilobytes of the module, so that a rare
//! type of key is replaced by an index.

use super::keyed_hash::KeyedState;
use hashbrown::HashMap;
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;
use std::rc::Rc;

/// Integers, or pairs of integers, with an integer each; as a set if that is zero.
pub type IntMap = HashMap<u64, u64, FxBuildHasher>;

/// Names with an integer each.
pub type NameMap = HashMap<String, u32, KeyedState>;

/// Values by name, in insertion order.
pub type OrderedMap<V> = IndexMap<Rc<str>, V, KeyedState>;

/// Returns two integers as one key of an [`IntMap`].
pub fn pack_pair(a: u32, b: u32) -> u64 {
    u64::from(a) << 32 | u64::from(b)
}

/// Returns the integers of a [`pack_pair`].
pub fn unpack_pair(pair: u64) -> (u32, u32) {
    ((pair >> 32) as u32, pair as u32)
}
