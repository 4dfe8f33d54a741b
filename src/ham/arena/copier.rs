//! Copying garbage collection of an arena.

use super::list_delta::DELTA_HEADER_WORDS;
use super::{
    Arena, ArenaRange, ListRef, MapDelta, MapRef, NO_LITERAL_TABLE, ShapeRef, Shapes, TextRef,
    Value,
};
use crate::base::map::{IntMap, pack_pair};
use crate::ham::live_ids::LiveIds;

/// Copies live values from one arena into another. Large shared parts stay shared.
pub struct Copier<'a> {
    from: &'a Arena,
    to: Arena,
    /// Collects every node that a copied value points to.
    pub live_ids: &'a mut LiveIds,
    /// New shape of each old shape, if copied.
    new_shapes: Vec<Option<ShapeRef>>,
    /// Indices in `copies` of copied large parts, by value type and old start.
    copy_indices: IntMap,
    copies: Vec<Value>,
}

/// Smaller parts are copied on each occurrence, because a lookup costs as much.
const MIN_SHARED_LENGTH: u32 = 64;

impl<'a> Copier<'a> {
    pub fn new(from: &'a Arena, live_ids: &'a mut LiveIds) -> Copier<'a> {
        // Capacity for the live values and for growth until the next compaction.
        let to = Arena {
            bytes: Vec::with_capacity(from.bytes.len()),
            values: Vec::with_capacity(from.values.len()),
            words: Vec::with_capacity(from.words.len()),
            shapes: Shapes::default(),
        };
        Copier {
            from,
            to,
            live_ids,
            new_shapes: Vec::new(),
            copy_indices: IntMap::default(),
            copies: Vec::new(),
        }
    }

    /// Returns the number of bytes copied so far.
    pub fn size(&self) -> usize {
        self.to.size()
    }

    pub fn finish(self) -> Arena {
        self.to
    }

    /// Copies a value with all its parts. Recursion is bounded by the depth of values.
    pub fn copy(&mut self, value: Value) -> Value {
        let part = match value {
            Value::Text(text) => (0, text.start, text.len),
            Value::Pointers(range) => (1, range.start, range.len),
            Value::List(list) => (2, list.items.start, list.items.len),
            Value::Map(map) => (3, map.start, self.from.shapes.keys(map.shape).len() as u32),
            Value::Delta(range) => return self.copy_delta(range),
            Value::MapDelta(delta) => return self.copy_map_delta(delta),
            Value::Pointer(node) => {
                self.live_ids.mark_node(node);
                return value;
            }
            scalar => return scalar,
        };
        let (tag, start, len) = part;
        if len < MIN_SHARED_LENGTH {
            return self.copy_parts(value);
        }
        let key = pack_pair(tag, start);
        if let Some(copy) = self.copy_indices.get(&key).and_then(|at| self.copies.get(*at as usize))
        {
            return *copy;
        }
        let copy = self.copy_parts(value);
        self.copy_indices.insert(key, self.copies.len() as u64);
        self.copies.push(copy);
        copy
    }

    fn copy_parts(&mut self, value: Value) -> Value {
        let from = self.from;
        match value {
            Value::Text(text) => {
                let start = self.to.push_bytes(from.bytes(text));
                Value::Text(TextRef { start, ..text })
            }
            Value::Pointers(range) => {
                self.live_ids.mark_nodes(from.pointers(range));
                self.to.push_pointers(from.pointers(range))
            }
            Value::List(list) => {
                let start = self.copy_values(from.items(list));
                let literal_table = match list.literal_table {
                    NO_LITERAL_TABLE => NO_LITERAL_TABLE,
                    offset => self.copy_literal_table(offset),
                };
                Value::List(ListRef { items: ArenaRange { start, ..list.items }, literal_table })
            }
            Value::Map(map) => {
                let shape = self.copy_shape(map.shape);
                let start = self.copy_values(from.values(map));
                Value::Map(MapRef { shape, start })
            }
            scalar => scalar,
        }
    }

    fn copy_delta(&mut self, delta: ArenaRange) -> Value {
        let words = self.from.pointers(delta);
        self.live_ids.mark_nodes(words.get(DELTA_HEADER_WORDS..).unwrap_or_default());
        Value::Delta(self.to.push_words(words))
    }

    fn copy_map_delta(&mut self, delta: MapDelta) -> Value {
        match self.copy_parts(Value::Map(delta.changes)) {
            Value::Map(changes) => Value::MapDelta(MapDelta { changes, ..delta }),
            other => other,
        }
    }

    /// Copies contiguous values and returns their new start; their parts are appended after them.
    fn copy_values(&mut self, values: &[Value]) -> u32 {
        let start = self.to.values.len();
        self.to.values.extend_from_slice(values);
        for (place, value) in (start..).zip(values) {
            if matches!(value, Value::Missing | Value::Null | Value::Bool(_) | Value::Number(_)) {
                continue;
            }
            let copy = self.copy(*value);
            if let Some(slot) = self.to.values.get_mut(place) {
                *slot = copy;
            }
        }
        start as u32
    }

    fn copy_literal_table(&mut self, offset: u32) -> u32 {
        let from = self.from.words.get(offset as usize..).unwrap_or_default();
        let count = from.first().map_or(0, |count| *count as usize);
        let start = self.to.words.len() as u32;
        self.to.words.extend_from_slice(from.get(..=count).unwrap_or_default());
        start
    }

    fn copy_shape(&mut self, old: ShapeRef) -> ShapeRef {
        let index = old.index();
        if let Some(Some(shape)) = self.new_shapes.get(index) {
            return *shape;
        }
        let shape = self.to.shapes.intern(self.from.shapes.keys(old));
        self.new_shapes.resize(self.new_shapes.len().max(index + 1), None);
        if let Some(slot) = self.new_shapes.get_mut(index) {
            *slot = Some(shape);
        }
        shape
    }
}
