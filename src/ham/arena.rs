//! Where values live: sixteen bytes each, side by side, their texts in one buffer.
//!
//! While an update is made, an arena only grows, so an observer can compare old values with new ones, and
//! a failed update is undone by cutting the arena back. A value that nothing refers to stays until the document
//! copies what is alive into a fresh arena ([`Copier`]); the list that was edited last alone is written where
//! it stood (`edited`).

mod copier;
mod edited;

pub use self::copier::Copier;

use super::shape::{KeyRef, ShapeRef, Shapes};
use crate::base::bytes::{append, common_start, same};
use std::hint::black_box;
use std::ops::Range;

/// A node id as a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeRef(pub u32);

/// One value. Its parts live in the arena that made it.
#[derive(Clone, Copy, Debug)]
pub enum Value {
    /// No value: the node is not there.
    Missing,
    Null,
    Bool(bool),
    /// Finite.
    Number(f64),
    Text(Text),
    /// Names a node, which may be missing. Only inside lists and maps.
    Pointer(NodeRef),
    /// At least one item is no pointer.
    List(List),
    /// Every item is a pointer, or there is none.
    Pointers(Run),
    Map(Map),
    /// Never what a node is, only what it was: a list of pointers, told by how the one that came after it
    /// differs.
    Edited(Run),
}

const _: () = assert!(size_of::<Value>() == 16);

/// A text in the arena's bytes.
#[derive(Clone, Copy, Debug)]
pub struct Text {
    pub start: u32,
    pub len: u32,
    pub ascii: bool,
    /// JSON holds it as it is, and there it is no pointer; false where nobody has looked.
    pub plain: bool,
}

/// Items side by side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    pub start: u32,
    pub len: u32,
}

/// A list with literals in it.
#[derive(Clone, Copy, Debug)]
pub struct List {
    pub items: Run,
    /// Where the arena's numbers count the literals and then list their places; [`NO_PLACES`] when
    /// every item is a literal.
    pub places: u32,
}

/// See [`List::places`].
pub const NO_PLACES: u32 = u32::MAX;

/// A map: its keys are those of the shape, its values stand side by side.
#[derive(Clone, Copy, Debug)]
pub struct Map {
    pub shape: ShapeRef,
    pub start: u32,
}

impl Value {
    /// Whether there is no value.
    pub fn is_missing(self) -> bool {
        matches!(self, Value::Missing)
    }

    /// Whether it is told by what came after it.
    pub fn is_edited(self) -> bool {
        matches!(self, Value::Edited(_))
    }

    /// Whether it is a list or a map.
    pub fn is_container(self) -> bool {
        matches!(self, Value::List(_) | Value::Pointers(_) | Value::Map(_))
    }

    /// Whether it is neither a pointer, a list nor a map.
    pub fn is_scalar(self) -> bool {
        !self.is_container() && !matches!(self, Value::Pointer(_))
    }
}

/// What grows makes room for another message like the last one, and for small ones behind it, but for no
/// more bytes than these: else all that is there would be moved for the next.
const SPARE: usize = 16 << 20;

/// How much room something of this length leaves behind it.
fn spare(length: usize, most: usize) -> usize {
    (length + length / 8).min(most)
}

/// Values, texts and shapes.
#[derive(Default)]
pub struct Arena {
    bytes: Vec<u8>,
    values: Vec<Value>,
    /// Pointer lists (node numbers) and places of literals.
    numbers: Vec<u32>,
    pub shapes: Shapes,
}

/// How far an arena was filled at some moment.
#[derive(Clone, Copy)]
pub struct Mark {
    bytes: usize,
    values: usize,
    numbers: usize,
}

impl Arena {
    /// Bytes of memory in use.
    #[inline(always)]
    pub fn size(&self) -> usize {
        let values = self.values.len() * size_of::<Value>();
        self.bytes.len() + values + self.numbers.len() * 4 + self.shapes.size()
    }

    /// How far the arena is filled.
    pub fn mark(&self) -> Mark {
        Mark { bytes: self.bytes.len(), values: self.values.len(), numbers: self.numbers.len() }
    }

    /// Forgets what was added after the mark.
    pub fn cut(&mut self, mark: Mark) {
        self.bytes.truncate(mark.bytes);
        self.values.truncate(mark.values);
        self.numbers.truncate(mark.numbers);
    }

    /// Where the next text will start.
    pub fn text_end(&self) -> u32 {
        self.bytes.len() as u32
    }

    /// Makes room for the values of so many maps, as most are, and for more of them.
    pub fn reserve(&mut self, maps: usize) {
        const USUAL: usize = 4;
        let values = maps * USUAL;
        if self.values.capacity() - self.values.len() < values {
            self.values.reserve(values + spare(values, SPARE / size_of::<Value>()));
        }
    }

    /// Appends bytes, which texts may refer to; answers where they start.
    pub fn push_bytes(&mut self, bytes: &[u8]) -> u32 {
        let start = self.bytes.len() as u32;
        if bytes.len() > self.bytes.capacity() - self.bytes.len() {
            self.bytes.reserve(bytes.len() + spare(bytes.len(), SPARE));
        }
        append(&mut self.bytes, bytes);
        start
    }

    /// A text that is copied into the arena.
    pub fn push_text(&mut self, text: &str) -> Value {
        let start = self.push_bytes(text.as_bytes());
        Value::Text(Text { start, len: text.len() as u32, ascii: text.is_ascii(), plain: false })
    }

    /// A list of these items, in its normal form.
    pub fn push_list(&mut self, items: &[Value]) -> Value {
        let len = items.len() as u32;
        let pointers = items.iter().filter(|item| matches!(item, Value::Pointer(_))).count();
        if pointers == items.len() {
            let start = self.numbers.len() as u32;
            self.numbers.extend(items.iter().map(|item| match item {
                Value::Pointer(node) => node.0,
                _ => 0,
            }));
            return Value::Pointers(Run { start, len });
        }
        let places = if pointers == 0 {
            NO_PLACES
        } else {
            let start = self.numbers.len() as u32;
            self.numbers.push((items.len() - pointers) as u32);
            let literals = (0..).zip(items).filter(|(_, v)| !matches!(v, Value::Pointer(_)));
            self.numbers.extend(literals.map(|(place, _): (u32, _)| place));
            start
        };
        let start = self.values.len() as u32;
        self.values.extend_from_slice(items);
        Value::List(List { items: Run { start, len }, places })
    }

    /// A list of pointers.
    pub fn push_pointers(&mut self, nodes: &[u32]) -> Value {
        Value::Pointers(self.push_numbers(nodes))
    }

    fn push_numbers(&mut self, numbers: &[u32]) -> Run {
        let start = self.numbers.len() as u32;
        self.numbers.extend_from_slice(numbers);
        Run { start, len: numbers.len() as u32 }
    }

    /// A map of this shape, with one value for each of its keys.
    pub fn push_map(&mut self, shape: ShapeRef, values: &[Value]) -> Value {
        let start = self.values.len() as u32;
        // They are few, and `memory.copy` is a call out of WebAssembly.
        values.iter().for_each(|value| self.values.push(*value));
        Value::Map(Map { shape, start })
    }

    /// Where the values of a map will stand that are pushed one by one.
    #[inline(always)]
    pub fn begin_map(&self) -> u32 {
        self.values.len() as u32
    }

    /// The next value of the map that was begun.
    #[inline(always)]
    pub fn push_value(&mut self, value: Value) {
        self.values.push(value);
    }

    /// Takes the last map out again.
    #[inline(always)]
    pub fn forget_map(&mut self, map: Map) {
        self.values.truncate(map.start as usize);
    }

    /// The bytes of a text.
    #[inline]
    pub fn bytes(&self, text: Text) -> &[u8] {
        let start = text.start as usize;
        self.bytes.get(start..start + text.len as usize).unwrap_or_default()
    }

    /// Where a text ends whose quote opens at `at`, if it is the plain text that is guessed.
    #[inline(always)]
    pub fn match_key(&self, guess: Value, piece: &[u8], at: usize) -> Option<usize> {
        let Value::Text(text) = guess else { return None };
        let end = at + 1 + text.len as usize;
        let right = text.plain
            && piece.get(at) == Some(&b'"')
            && piece.get(end) == Some(&b'"')
            && same(piece.get(at + 1..end)?, self.bytes(text));
        right.then_some(end + 1)
    }

    /// A text.
    pub fn text(&self, text: Text) -> &str {
        // Texts come from the reader, which has checked them, or from a `str`.
        std::str::from_utf8(self.bytes(text)).unwrap_or_default()
    }

    /// The items of a list with literals in it.
    pub fn items(&self, list: List) -> &[Value] {
        self.values.get(range(list.items)).unwrap_or_default()
    }

    /// The node numbers of a list of pointers.
    pub fn pointers(&self, run: Run) -> &[u32] {
        self.numbers.get(range(run)).unwrap_or_default()
    }

    /// The n-th literal of a list, counted from 0.
    pub fn literal(&self, list: List, n: u32) -> Option<(u32, Value)> {
        let place = match list.places {
            NO_PLACES => n,
            places => {
                let count = *self.numbers.get(places as usize)?;
                *self.numbers.get((places + 1 + n) as usize).filter(|_| n < count)?
            }
        };
        Some((place, *self.items(list).get(place as usize)?))
    }

    /// The values of a map, in the order of its shape's keys.
    #[inline]
    pub fn values(&self, map: Map) -> &[Value] {
        let start = map.start as usize;
        self.values.get(start..start + self.shapes.keys(map.shape).len()).unwrap_or_default()
    }

    /// Has what a value begins with, if it is a map, at hand when it is read soon, so that memory is waited for at
    /// once.
    #[inline(always)]
    pub fn prefetch(&self, value: Value) {
        if let Value::Map(Map { start, .. }) = value {
            black_box(self.values.get(start as usize).is_some_and(|value| value.is_missing()));
        }
    }

    /// Has the texts in it at hand, once it is.
    #[inline(always)]
    pub fn prefetch_texts(&self, value: Value) {
        const FIRST: usize = 4;
        let Value::Map(Map { start, .. }) = value else { return };
        let start = start as usize;
        for value in self.values.get(start..start + FIRST).unwrap_or_default() {
            if let Value::Text(text) = value {
                black_box(self.bytes.get(text.start as usize).copied());
            }
        }
    }

    /// The value of a property.
    pub fn property(&self, map: Map, key: KeyRef) -> Option<Value> {
        self.value(map, self.shapes.slot(map.shape, key)?)
    }

    /// The value in a slot of a map.
    #[inline]
    pub fn value(&self, map: Map, slot: usize) -> Option<Value> {
        self.values.get(map.start as usize + slot).copied()
    }

    /// Keys and values of a map.
    pub fn entries(&self, map: Map) -> impl Iterator<Item = (KeyRef, Value)> {
        self.shapes.keys(map.shape).iter().copied().zip(self.values(map).iter().copied())
    }

    /// How many lists and maps are inside one another. Recursion is bounded by the result.
    pub fn depth(&self, value: Value) -> usize {
        let inner = match value {
            Value::Pointers(_) => return 1,
            Value::List(list) => self.items(list),
            Value::Map(map) => self.values(map),
            _ => return 0,
        };
        1 + inner.iter().map(|part| self.depth(*part)).max().unwrap_or(0)
    }

    /// Whether two values are the same JSON: the order of a map's keys does not matter.
    /// Recursion is bounded by the reader's depth limit.
    pub fn equal(&self, a: Value, b: Value) -> bool {
        match (a, b) {
            (Value::Missing, Value::Missing) | (Value::Null, Value::Null) => true,
            (Value::Bool(a), Value::Bool(b)) => a == b,
            // A zero with a sign is the same JSON value, and none is beyond numbers.
            (Value::Number(a), Value::Number(b)) => a == b,
            (Value::Text(a), Value::Text(b)) => same(self.bytes(a), self.bytes(b)),
            (Value::Pointer(a), Value::Pointer(b)) => a == b,
            (Value::Pointers(a), Value::Pointers(b)) => {
                same_numbers(self.pointers(a), self.pointers(b))
            }
            (Value::List(a), Value::List(b)) => {
                let (a, b) = (self.items(a), self.items(b));
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| self.equal(*a, *b))
            }
            (Value::Map(a), Value::Map(b)) if a.shape == b.shape => {
                self.values(a).iter().zip(self.values(b)).all(|(a, b)| self.equal(*a, *b))
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
fn same_numbers(a: &[u32], b: &[u32]) -> bool {
    a.len() == b.len() && common_start::<8, _>(a, b) == a.len()
}

fn range(run: Run) -> Range<usize> {
    run.start as usize..run.start as usize + run.len as usize
}
