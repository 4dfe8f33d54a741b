//! Storage of values: 16 bytes each, in contiguous arrays, with all texts in one buffer.
//!
//! The arena only grows during an update. So old and new values can be compared, and a failed
//! update is undone by truncation. Garbage stays until the document copies the live values into a
//! new arena ([`Copier`]). Only the list that was edited last is overwritten in place
//! (`list_delta`). Old versions of long lists and large maps are deltas.

mod copier;
mod list_delta;
mod map_delta;

pub use self::copier::Copier;
pub use self::map_delta::{MapDelta, MapVersion};

use super::shape::{KeyRef, ShapeRef, Shapes};
use crate::base::bytes::{append, common_prefix_len, same};
use std::ops::Range;

/// Handle of a node id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeRef(pub u32);

/// A value; its handles are only valid in the arena that created it.
#[derive(Clone, Copy, Debug)]
pub enum Value {
    /// The node does not exist.
    Missing,
    Null,
    Bool(bool),
    /// Finite.
    Number(f64),
    Text(TextRef),
    /// A node, which may not exist. Only inside lists and maps.
    Pointer(NodeRef),
    /// A list with at least one literal.
    List(ListRef),
    /// A list of pointers, or an empty list.
    Pointers(ArenaRange),
    Map(MapRef),
    /// The old value of a list of pointers, stored as the difference from the next version. Never
    /// the current value of a node.
    Delta(ArenaRange),
    /// The old value of a large map, stored as the properties that differ from the next version.
    /// Never the current value of a node.
    MapDelta(MapDelta),
}

const _: () = assert!(size_of::<Value>() == 16);

/// A range of the arena's bytes.
#[derive(Clone, Copy, Debug)]
pub struct TextRef {
    pub start: u32,
    pub len: u32,
    pub ascii: bool,
    /// The JSON text of the string equals its bytes, and it is not a pointer. `false` if unknown.
    pub verbatim: bool,
}

/// A range of the arena's values or words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArenaRange {
    pub start: u32,
    pub len: u32,
}

/// A list with literals.
#[derive(Clone, Copy, Debug)]
pub struct ListRef {
    pub items: ArenaRange,
    /// Offset in the arena's words of the number of literals and their indices; [`NO_LITERAL_TABLE`] if
    /// the list contains no pointer.
    pub literal_table: u32,
}

/// See [`ListRef::literal_table`].
pub const NO_LITERAL_TABLE: u32 = u32::MAX;

/// A map: keys from its shape, values in contiguous slots.
#[derive(Clone, Copy, Debug)]
pub struct MapRef {
    pub shape: ShapeRef,
    pub start: u32,
}

impl Value {
    pub fn is_missing(self) -> bool {
        matches!(self, Value::Missing)
    }

    pub fn is_delta(self) -> bool {
        matches!(self, Value::Delta(_) | Value::MapDelta(_))
    }

    pub fn is_container(self) -> bool {
        matches!(self, Value::List(_) | Value::Pointers(_) | Value::Map(_))
    }

    /// Returns whether it is neither a pointer, a list nor a map.
    pub fn is_scalar(self) -> bool {
        !self.is_container() && !matches!(self, Value::Pointer(_))
    }
}

/// Maximum capacity in bytes that is reserved beyond the length. An eighth of the length is
/// reserved for later small messages, because growth moves the whole buffer.
const MAX_SPARE_BYTES: usize = 16 << 20;

/// Capacity in bytes that is reserved for a text that grows.
const MIN_SPARE_TEXT: usize = 1 << 10;

fn spare_capacity(length: usize, most: usize) -> usize {
    (length + length / 8).min(most)
}

/// Values, texts and shapes.
#[derive(Default)]
pub struct Arena {
    bytes: Vec<u8>,
    values: Vec<Value>,
    /// Pointer lists (node handles) and tables of literals.
    words: Vec<u32>,
    pub shapes: Shapes,
}

/// Lengths of an arena's buffers, to truncate it later.
#[derive(Clone, Copy)]
pub struct ArenaCheckpoint {
    bytes: usize,
    values: usize,
    words: usize,
}

impl Arena {
    /// Returns the size in bytes.
    #[inline(always)]
    pub fn size(&self) -> usize {
        let values = self.values.len() * size_of::<Value>();
        self.bytes.len() + values + self.words.len() * 4 + self.shapes.size()
    }

    pub fn checkpoint(&self) -> ArenaCheckpoint {
        ArenaCheckpoint {
            bytes: self.bytes.len(),
            values: self.values.len(),
            words: self.words.len(),
        }
    }

    /// Removes everything that was added after the checkpoint.
    pub fn truncate(&mut self, checkpoint: ArenaCheckpoint) {
        self.bytes.truncate(checkpoint.bytes);
        self.values.truncate(checkpoint.values);
        self.words.truncate(checkpoint.words);
    }

    /// Returns the byte offset of the next text.
    pub fn next_text_start(&self) -> u32 {
        self.bytes.len() as u32
    }

    /// Reserves capacity for the values of this many maps of average size.
    pub fn reserve_maps(&mut self, maps: usize) {
        const VALUES_PER_MAP: usize = 4;
        let values = maps * VALUES_PER_MAP;
        if self.values.capacity() - self.values.len() < values {
            self.values
                .reserve(values + spare_capacity(values, MAX_SPARE_BYTES / size_of::<Value>()));
        }
    }

    /// Appends bytes and returns their offset.
    pub fn push_bytes(&mut self, bytes: &[u8]) -> u32 {
        let start = self.bytes.len() as u32;
        if bytes.len() > self.bytes.capacity() - self.bytes.len() {
            self.bytes.reserve(bytes.len() + spare_capacity(bytes.len(), MAX_SPARE_BYTES));
        }
        append(&mut self.bytes, bytes);
        start
    }

    /// Copies two texts to the end of the arena, one after the other. Returns their offset.
    pub fn join_texts(&mut self, first: TextRef, second: TextRef) -> u32 {
        let start = self.next_text_start();
        self.bytes.reserve((first.len + second.len) as usize + MIN_SPARE_TEXT);
        for TextRef { start, len, .. } in [first, second] {
            let range = start as usize..(start + len) as usize;
            if range.end <= self.bytes.len() {
                self.bytes.extend_from_within(range);
            }
        }
        start
    }

    /// Copies a text into the arena.
    pub fn push_text(&mut self, text: &str) -> Value {
        let start = self.push_bytes(text.as_bytes());
        Value::Text(TextRef {
            start,
            len: text.len() as u32,
            ascii: text.is_ascii(),
            verbatim: false,
        })
    }

    /// Appends a list in its normal form: `Pointers` if it contains no literal, else `List`.
    pub fn push_list(&mut self, items: &[Value]) -> Value {
        let len = items.len() as u32;
        let pointers = items.iter().filter(|item| matches!(item, Value::Pointer(_))).count();
        if pointers == items.len() {
            let start = self.words.len() as u32;
            self.words.extend(items.iter().map(|item| match item {
                Value::Pointer(node) => node.0,
                _ => 0,
            }));
            return Value::Pointers(ArenaRange { start, len });
        }
        let literal_table = if pointers == 0 {
            NO_LITERAL_TABLE
        } else {
            let start = self.words.len() as u32;
            self.words.push((items.len() - pointers) as u32);
            let literals = (0..).zip(items).filter(|(_, v)| !matches!(v, Value::Pointer(_)));
            self.words.extend(literals.map(|(index, _): (u32, _)| index));
            start
        };
        let start = self.values.len() as u32;
        self.values.extend_from_slice(items);
        Value::List(ListRef { items: ArenaRange { start, len }, literal_table })
    }

    pub fn push_pointers(&mut self, nodes: &[u32]) -> Value {
        Value::Pointers(self.push_words(nodes))
    }

    fn push_words(&mut self, words: &[u32]) -> ArenaRange {
        let start = self.words.len() as u32;
        self.words.extend_from_slice(words);
        ArenaRange { start, len: words.len() as u32 }
    }

    /// Appends a map with one value per key of the shape.
    pub fn push_map(&mut self, shape: ShapeRef, values: &[Value]) -> Value {
        let start = self.values.len() as u32;
        // Single pushes, because the values are few and `memory.copy` is a call out of WebAssembly.
        values.iter().for_each(|value| self.values.push(*value));
        Value::Map(MapRef { shape, start })
    }

    /// Returns the index of the first value of a map whose values are pushed next.
    #[inline(always)]
    pub fn next_value_start(&self) -> u32 {
        self.values.len() as u32
    }

    /// Appends the next value of the current map.
    #[inline(always)]
    pub fn push_value(&mut self, value: Value) {
        self.values.push(value);
    }

    /// Removes the map that was appended last.
    #[inline(always)]
    pub fn pop_map(&mut self, map: MapRef) {
        self.values.truncate(map.start as usize);
    }

    #[inline]
    pub fn bytes(&self, text: TextRef) -> &[u8] {
        let start = text.start as usize;
        self.bytes.get(start..start + text.len as usize).unwrap_or_default()
    }

    /// Returns the offset after the string at `at` if it equals the verbatim text `guess`.
    #[inline(always)]
    pub fn matching_text_end(&self, guess: Value, chunk: &[u8], at: usize) -> Option<usize> {
        let Value::Text(text) = guess else { return None };
        let end = at + 1 + text.len as usize;
        let is_match = text.verbatim
            && chunk.get(at) == Some(&b'"')
            && chunk.get(end) == Some(&b'"')
            && same(chunk.get(at + 1..end)?, self.bytes(text));
        is_match.then_some(end + 1)
    }

    pub fn text(&self, text: TextRef) -> &str {
        // Valid UTF-8, because texts are from the JSON reader or from a `str`.
        std::str::from_utf8(self.bytes(text)).unwrap_or_default()
    }

    pub fn items(&self, list: ListRef) -> &[Value] {
        self.values.get(to_range(list.items)).unwrap_or_default()
    }

    /// Returns the node handles of a list of pointers.
    pub fn pointers(&self, range: ArenaRange) -> &[u32] {
        self.words.get(to_range(range)).unwrap_or_default()
    }

    /// Returns the index and value of the n-th literal of a list, counted from 0.
    pub fn literal(&self, list: ListRef, n: u32) -> Option<(u32, Value)> {
        let index = match list.literal_table {
            NO_LITERAL_TABLE => n,
            literal_table => {
                let count = *self.words.get(literal_table as usize)?;
                *self.words.get((literal_table + 1 + n) as usize).filter(|_| n < count)?
            }
        };
        Some((index, *self.items(list).get(index as usize)?))
    }

    /// Returns the values of a map, in the order of its shape's keys.
    #[inline]
    pub fn values(&self, map: MapRef) -> &[Value] {
        let start = map.start as usize;
        self.values.get(start..start + self.shapes.keys(map.shape).len()).unwrap_or_default()
    }

    /// Returns the value of a property.
    pub fn property(&self, map: MapRef, key: KeyRef) -> Option<Value> {
        self.value(map, self.shapes.slot(map.shape, key)?)
    }

    /// Returns the value in a slot of a map.
    #[inline]
    pub fn value(&self, map: MapRef, slot: usize) -> Option<Value> {
        self.values.get(map.start as usize + slot).copied()
    }

    /// Iterates over the keys and values of a map.
    pub fn entries(&self, map: MapRef) -> impl Iterator<Item = (KeyRef, Value)> {
        self.shapes.keys(map.shape).iter().copied().zip(self.values(map).iter().copied())
    }

    /// Returns the nesting depth of lists and maps. Recursion is bounded by the result.
    pub fn depth(&self, value: Value) -> usize {
        let inner = match value {
            Value::Pointers(_) => return 1,
            Value::List(list) => self.items(list),
            Value::Map(map) => self.values(map),
            _ => return 0,
        };
        1 + inner.iter().map(|part| self.depth(*part)).max().unwrap_or(0)
    }

    /// Returns whether two values are equal as JSON, in any order of keys. Recursion is bounded by
    /// the reader's depth limit.
    pub fn equal(&self, a: Value, b: Value) -> bool {
        match (a, b) {
            (Value::Missing, Value::Missing) | (Value::Null, Value::Null) => true,
            (Value::Bool(a), Value::Bool(b)) => a == b,
            // Numbers are never NaN, and -0 equals 0 as JSON.
            (Value::Number(a), Value::Number(b)) => a == b,
            (Value::Text(a), Value::Text(b)) => same(self.bytes(a), self.bytes(b)),
            (Value::Pointer(a), Value::Pointer(b)) => a == b,
            (Value::Pointers(a), Value::Pointers(b)) => {
                same_words(self.pointers(a), self.pointers(b))
            }
            (Value::List(a), Value::List(b)) => {
                let (a, b) = (self.items(a), self.items(b));
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| self.equal(*a, *b))
            }
            (Value::Map(a), Value::Map(b)) if a.shape == b.shape => {
                a.start == b.start
                    || self.values(a).iter().zip(self.values(b)).all(|(a, b)| self.equal(*a, *b))
            }
            (Value::Map(a), Value::Map(b)) => {
                self.values(a).len() == self.values(b).len()
                    && self.entries(a).all(|(key, value)| {
                        self.property(b, key).is_some_and(|other| self.equal(value, other))
                    })
            }
            _ => false,
        }
    }
}

#[inline(never)]
fn same_words(a: &[u32], b: &[u32]) -> bool {
    a.len() == b.len() && common_prefix_len::<8, _>(a, b) == a.len()
}

fn to_range(range: ArenaRange) -> Range<usize> {
    range.start as usize..range.start as usize + range.len as usize
}
