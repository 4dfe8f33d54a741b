//! Shapes: interned lists of keys, shared by maps with the same keys.

use crate::base::bytes::insert_index;
use crate::base::keyed_hash::keyed_hasher;
use hashbrown::HashTable;
use std::cell::{Cell, OnceCell};
use std::hash::Hasher;

/// Handle of a property name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct KeyRef(pub u32);

/// Handle of a list of distinct keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShapeRef(u32);

impl ShapeRef {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The shape of the empty map.
pub const EMPTY: ShapeRef = ShapeRef(0);

/// Table of distinct lists of keys.
pub struct Shapes {
    shapes: Vec<ShapeKeys>,
    /// Total number of keys, and of slots that are sorted.
    count: Cell<usize>,
    /// Indices of the shapes, by the hash of their keys.
    table: HashTable<u32>,
}

struct ShapeKeys {
    keys: Box<[KeyRef]>,
    hash: u64,
    /// Slots in the order of their key handles. Most shapes of a map that grows never need them.
    sorted: OnceCell<Box<[u32]>>,
    /// Number of linear searches.
    searches: Cell<u32>,
}

impl Default for Shapes {
    fn default() -> Shapes {
        let mut shapes =
            Shapes { shapes: Vec::new(), count: Cell::new(0), table: HashTable::new() };
        shapes.intern(&[]);
        shapes
    }
}

/// Maximum number of keys that are always searched linearly.
const MAX_LINEAR_SEARCH: usize = 8;

/// Number of searches in a larger shape after which its slots are sorted.
const MAX_UNSORTED_SEARCHES: u32 = 16;

impl Shapes {
    /// Returns the shape of a list of distinct keys, or `None`.
    pub fn find(&self, keys: &[KeyRef]) -> Option<ShapeRef> {
        self.find_hashed(keys, hash(keys))
    }

    fn find_hashed(&self, keys: &[KeyRef], hash: u64) -> Option<ShapeRef> {
        let found = self.table.find(hash, |index| self.keys(ShapeRef(*index)) == keys);
        found.copied().map(ShapeRef)
    }

    /// Returns the shape of a list of distinct keys, creating it if necessary.
    pub fn intern(&mut self, keys: &[KeyRef]) -> ShapeRef {
        let hash = hash(keys);
        if let Some(shape) = self.find_hashed(keys, hash) {
            return shape;
        }
        let index = self.shapes.len() as u32;
        self.count.update(|count| count + keys.len());
        let (sorted, searches) = (OnceCell::new(), Cell::new(0));
        self.shapes.push(ShapeKeys { keys: keys.into(), hash, sorted, searches });
        let shapes = &self.shapes;
        let hash_at = |index: &u32| shapes.get(*index as usize).map_or(0, |shape| shape.hash);
        insert_index(&mut self.table, hash, index, &hash_at);
        ShapeRef(index)
    }

    /// Returns the size in bytes.
    pub fn size(&self) -> usize {
        self.shapes.len() * size_of::<ShapeKeys>() + self.count.get() * size_of::<KeyRef>()
    }

    /// Returns the keys of a shape, as written.
    #[inline]
    pub fn keys(&self, shape: ShapeRef) -> &[KeyRef] {
        self.shapes.get(shape.0 as usize).map_or(&[], |shape| &shape.keys)
    }

    /// Returns the slots of a shape in an order that only depends on the set of keys.
    pub fn sorted(&self, shape: ShapeRef) -> &[u32] {
        self.shapes.get(shape.0 as usize).map_or(&[], |shape| self.sort(shape))
    }

    fn sort<'a>(&self, ShapeKeys { keys, sorted, .. }: &'a ShapeKeys) -> &'a [u32] {
        sorted.get_or_init(|| {
            self.count.update(|count| count + keys.len());
            let mut sorted: Vec<u32> = (0..keys.len() as u32).collect();
            sorted.sort_unstable_by_key(|&slot| keys.get(slot as usize).map_or(0, |key| key.0));
            sorted.into()
        })
    }

    /// Returns the slot of a key, or `None`.
    #[inline]
    pub fn slot(&self, shape: ShapeRef, key: KeyRef) -> Option<usize> {
        let found = self.shapes.get(shape.0 as usize)?;
        let keys = &found.keys;
        if keys.len() <= MAX_LINEAR_SEARCH {
            return keys.iter().position(|each| *each == key);
        }
        self.slot_of_many(found, key)
    }

    #[inline(never)]
    fn slot_of_many(&self, shape: &ShapeKeys, key: KeyRef) -> Option<usize> {
        let ShapeKeys { keys, searches, sorted, .. } = shape;
        if sorted.get().is_none() && searches.get() < MAX_UNSORTED_SEARCHES {
            searches.update(|count| count + 1);
            return keys.iter().position(|each| *each == key);
        }
        let sorted = self.sort(shape);
        let key_at = |slot: &u32| keys.get(*slot as usize).copied();
        let position = sorted.binary_search_by_key(&Some(key), key_at).ok()?;
        sorted.get(position).map(|slot| *slot as usize)
    }
}

/// Returns the hash of a list of keys, two at a time.
fn hash(keys: &[KeyRef]) -> u64 {
    let mut hasher = keyed_hasher();
    hasher.write_usize(keys.len());
    let (pairs, rest) = keys.as_chunks::<2>();
    for [first, second] in pairs {
        hasher.write_u64(u64::from(first.0) << 32 | u64::from(second.0));
    }
    rest.iter().for_each(|key| hasher.write_u32(key.0));
    hasher.finish()
}

impl Shapes {
    /// Iterates over the keys of all shapes, with repetitions.
    pub fn all_keys(&self) -> impl Iterator<Item = KeyRef> {
        self.shapes.iter().flat_map(|shape| shape.keys.iter().copied())
    }
}
