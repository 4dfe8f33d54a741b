//! The key lists of maps, each kept once: rows of one kind share theirs.

use crate::base::bytes::insert_index;
use hashbrown::HashTable;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

/// A property name as a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct KeyRef(pub u32);

/// A list of distinct keys as a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShapeRef(u32);

impl ShapeRef {
    /// Counted from 0.
    pub fn number(self) -> usize {
        self.0 as usize
    }
}

/// The shape of the empty map.
pub const EMPTY: ShapeRef = ShapeRef(0);

/// Distinct lists of distinct keys.
pub struct Shapes {
    shapes: Vec<Shape>,
    /// Keys of all shapes together.
    count: usize,
    /// Numbers of the shapes, by the hash of their keys.
    table: HashTable<u32>,
}

struct Shape {
    keys: Box<[KeyRef]>,
    /// Slots in the order of their keys' numbers.
    sorted: Box<[u32]>,
}

impl Default for Shapes {
    fn default() -> Shapes {
        let mut shapes = Shapes { shapes: Vec::new(), count: 0, table: HashTable::new() };
        shapes.intern(&[]);
        shapes
    }
}

/// Below this many keys a walk through all of them is faster than a search.
const FEW: usize = 8;

impl Shapes {
    /// The shape of a list of distinct keys, if it has been seen.
    pub fn find(&self, keys: &[KeyRef]) -> Option<ShapeRef> {
        let hash = hash(keys);
        let found = self.table.find(hash, |number| self.keys(ShapeRef(*number)) == keys);
        found.copied().map(ShapeRef)
    }

    /// The shape of a list of distinct keys.
    pub fn intern(&mut self, keys: &[KeyRef]) -> ShapeRef {
        if let Some(shape) = self.find(keys) {
            return shape;
        }
        let mut sorted: Vec<u32> = (0..keys.len() as u32).collect();
        sorted.sort_by_key(|&slot| keys.get(slot as usize).map_or(0, |key| key.0));
        let number = self.shapes.len() as u32;
        self.count += keys.len();
        self.shapes.push(Shape { keys: keys.into(), sorted: sorted.into() });
        let shapes = &self.shapes;
        let hash_at =
            |number: &u32| shapes.get(*number as usize).map_or(0, |shape| hash(&shape.keys));
        insert_index(&mut self.table, hash(keys), number, &hash_at);
        ShapeRef(number)
    }

    /// Bytes of memory in use.
    pub fn size(&self) -> usize {
        self.shapes.len() * size_of::<Shape>() + self.count * 2 * size_of::<KeyRef>()
    }

    /// The keys of a shape, in the author's order.
    #[inline]
    pub fn keys(&self, shape: ShapeRef) -> &[KeyRef] {
        self.shapes.get(shape.0 as usize).map_or(&[], |shape| &shape.keys)
    }

    /// The slots of a shape, in an order that depends on its keys alone.
    pub fn sorted(&self, shape: ShapeRef) -> &[u32] {
        self.shapes.get(shape.0 as usize).map_or(&[], |shape| &shape.sorted)
    }

    /// The slot of a key.
    #[inline]
    pub fn slot(&self, shape: ShapeRef, key: KeyRef) -> Option<usize> {
        let Shape { keys, sorted, .. } = self.shapes.get(shape.0 as usize)?;
        if keys.len() <= FEW {
            return keys.iter().position(|each| *each == key);
        }
        let of = |slot: &u32| keys.get(*slot as usize).copied();
        let found = sorted.binary_search_by_key(&Some(key), of).ok()?;
        sorted.get(found).map(|slot| *slot as usize)
    }
}

fn hash(keys: &[KeyRef]) -> u64 {
    let mut hasher = FxHasher::default();
    keys.hash(&mut hasher);
    hasher.finish()
}

impl Shapes {
    /// Every key of every shape, some more than once.
    pub fn all_keys(&self) -> impl Iterator<Item = KeyRef> {
        self.shapes.iter().flat_map(|shape| shape.keys.iter().copied())
    }
}
