//! Copying what is alive into a fresh arena.

use super::edited::BEFORE_TAKEN;
use super::{Arena, List, Map, NO_PLACES, Run, ShapeRef, Shapes, Text, Value};
use crate::base::map::{IntMap, pair};
use crate::ham::pinned::Pinned;

/// Copies what is alive from one arena into another. What large values share they share again.
pub struct Copier<'a> {
    from: &'a Arena,
    to: Arena,
    /// Takes every node that a copy points to.
    pub pinned: &'a mut Pinned,
    /// The new number of each shape, where it has been met.
    shapes: Vec<Option<ShapeRef>>,
    /// Where the copies of large parts stand among `copies`, by their kind and their old start.
    places: IntMap,
    copies: Vec<Value>,
}

/// Parts below this size are copied as often as they occur: to look them up costs as much.
const LARGE: u32 = 64;

impl<'a> Copier<'a> {
    /// A copier from this arena into an empty one.
    pub fn new(from: &'a Arena, pinned: &'a mut Pinned) -> Copier<'a> {
        // What is alive, and about as much of what is to come before the next compaction.
        let to = Arena {
            bytes: Vec::with_capacity(from.bytes.len()),
            values: Vec::with_capacity(from.values.len()),
            numbers: Vec::with_capacity(from.numbers.len()),
            shapes: Shapes::default(),
        };
        Copier {
            from,
            to,
            pinned,
            shapes: Vec::new(),
            places: IntMap::default(),
            copies: Vec::new(),
        }
    }

    /// How many bytes have been copied.
    pub fn size(&self) -> usize {
        self.to.size()
    }

    /// The new arena.
    pub fn finish(self) -> Arena {
        self.to
    }

    /// Copies a value with all its parts. Recursion is bounded by the depth of values.
    pub fn copy(&mut self, value: Value) -> Value {
        let part = match value {
            Value::Text(text) => (0, text.start, text.len),
            Value::Pointers(run) => (1, run.start, run.len),
            Value::List(list) => (2, list.items.start, list.items.len),
            Value::Map(map) => (3, map.start, self.from.shapes.keys(map.shape).len() as u32),
            Value::Edited(run) => return self.copy_edit(run),
            Value::Pointer(node) => {
                self.pinned.node(node);
                return value;
            }
            plain => return plain,
        };
        let (kind, start, len) = part;
        if len < LARGE {
            return self.copy_parts(value);
        }
        let key = pair(kind, start);
        if let Some(copy) = self.places.get(&key).and_then(|at| self.copies.get(*at as usize)) {
            return *copy;
        }
        let copy = self.copy_parts(value);
        self.places.insert(key, self.copies.len() as u64);
        self.copies.push(copy);
        copy
    }

    fn copy_parts(&mut self, value: Value) -> Value {
        let from = self.from;
        match value {
            Value::Text(text) => {
                let start = self.to.push_bytes(from.bytes(text));
                Value::Text(Text { start, ..text })
            }
            Value::Pointers(run) => {
                self.pinned.nodes(from.pointers(run));
                self.to.push_pointers(from.pointers(run))
            }
            Value::List(list) => {
                let start = self.copy_values(from.items(list));
                let places = match list.places {
                    NO_PLACES => NO_PLACES,
                    places => self.copy_places(places),
                };
                Value::List(List { items: Run { start, ..list.items }, places })
            }
            Value::Map(map) => {
                let shape = self.shape(map.shape);
                let start = self.copy_values(from.values(map));
                Value::Map(Map { shape, start })
            }
            plain => plain,
        }
    }

    fn copy_edit(&mut self, edit: Run) -> Value {
        let numbers = self.from.pointers(edit);
        self.pinned.nodes(numbers.get(BEFORE_TAKEN..).unwrap_or_default());
        Value::Edited(self.to.push_numbers(numbers))
    }

    /// Copies values that stand side by side; answers where they do now. What is in them comes behind.
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

    /// Copies the count of the literals of a list and their places.
    fn copy_places(&mut self, places: u32) -> u32 {
        let from = self.from.numbers.get(places as usize..).unwrap_or_default();
        let count = from.first().map_or(0, |count| *count as usize);
        let start = self.to.numbers.len() as u32;
        self.to.numbers.extend_from_slice(from.get(..=count).unwrap_or_default());
        start
    }

    fn shape(&mut self, old: ShapeRef) -> ShapeRef {
        let number = old.number();
        if let Some(Some(shape)) = self.shapes.get(number) {
            return *shape;
        }
        let shape = self.to.shapes.intern(self.from.shapes.keys(old));
        self.shapes.resize(self.shapes.len().max(number + 1), None);
        if let Some(slot) = self.shapes.get_mut(number) {
            *slot = Some(shape);
        }
        shape
    }
}
