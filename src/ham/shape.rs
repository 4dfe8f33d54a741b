//! Shapes: interned lists of keys, shared by maps with the same keys.

use crate::base::bytes::insert_index;
use crate::base::keyed_hash::keyed_hasher;
use hashbrown::HashTable;
use std::hash::{Hash, Hasher};

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
    /// Total number of keys.
    count: usize,
    /// Indices of the shapes, by the hash of their keys.
    table: HashTable<u32>,
}

struct ShapeKeys {
    keys: Box<[KeyRef]>,
    /// Slots in the order of their key handles.
    sorted: Box<[u32]>,
}

impl Default for Shapes {
    fn default() -> Shapes {
        let mut shapes = Shapes { shapes: Vec::new(), count: 0, table: HashTable::new() };
        shapes.intern(&[]);
        shapes
    }
}

/// Maximum number of keys that are searched linearly.
const MAX_LINEAR_SEARCH: usize = 8;

impl Shapes {
    /// Returns the shape of a list of distinct keys, or `None`.
    pub fn find(&self, keys: &[KeyRef]) -> Option<ShapeRef> {
        let hash = hash(keys);
        let found = self.table.find(hash, |index| self.keys(ShapeRef(*index)) == keys);
        found.copied().map(ShapeRef)
    }

    /// Returns the shape of a list of distinct keys, creating it if necessary.
    pub fn intern(&mut self, keys: &[KeyRef]) -> ShapeRef {
        if let Some(shape) = self.find(keys) {
            return shape;
        }
        let mut sorted: Vec<u32> = (0..keys.len() as u32).collect();
        sorted.sort_unstable_by_key(|&slot| keys.get(slot as usize).map_or(0, |key| key.0));
        let index = self.shapes.len() as u32;
        self.count += keys.len();
        self.shapes.push(ShapeKeys { keys: keys.into(), sorted: sorted.into() });
        let shapes = &self.shapes;
        let hash_at =
            |index: &u32| shapes.get(*index as usize).map_or(0, |shape| hash(&shape.keys));
        insert_index(&mut self.table, hash(keys), index, &hash_at);
        ShapeRef(index)
    }

    /// Returns the size in bytes.
    pub fn size(&self) -> usize {
        self.shapes.len() * size_of::<ShapeKeys>() + self.count * 2 * size_of::<KeyRef>()
    }

    /// Returns the keys of a shape, as written.
    #[inline]
    pub fn keys(&self, shape: ShapeRef) -> &[KeyRef] {
        self.shapes.get(shape.0 as usize).map_or(&[], |shape| &shape.keys)
    }

    /// Returns the slots of a shape in an order that only depends on the set of keys.
    pub fn sorted(&self, shape: ShapeRef) -> &[u32] {
        self.shapes.get(shape.0 as usize).map_or(&[], |shape| &shape.sorted)
    }

    /// Returns the slot of a key, or `None`.
    #[inline]
    pub fn slot(&self, shape: ShapeRef, key: KeyRef) -> Option<usize> {
        let ShapeKeys { keys, sorted, .. } = self.shapes.get(shape.0 as usize)?;
        if keys.len() <= MAX_LINEAR_SEARCH {
            return keys.iter().position(|each| *each == key);
        }
        let key_at = |slot: &u32| keys.get(*slot as usize).copied();
        let position = sorted.binary_search_by_key(&Some(key), key_at).ok()?;
        sorted.get(position).map(|slot| *slot as usize)
    }
}

fn hash(keys: &[KeyRef]) -> u64 {
    let mut hasher = keyed_hasher();
    keys.hash(&mut hasher);
    hasher.finish()
}

impl Shapes {
    /// Iterates over the keys of all shapes, with repetitions.
    pub fn all_keys(&self) -> impl Iterator<Item = KeyRef> {
        self.shapes.iter().flat_map(|shape| shape.keys.iter().copied())
    }
}
