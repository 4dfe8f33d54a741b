//! Builds values in the arena from the events of the JSON reader.

mod fast_path;
mod pointer_list;

pub use self::fast_path::{ChangedRow, MapUpdate};

use super::arena::{Arena, ArenaRange, NodeRef, Value};
use super::chunk_target::ChunkTarget;
use super::key_prefixes::KeyPrefixes;
use super::list_text::{ListText, MIN_LIST_LENGTH};
use super::shape::{self, KeyRef, ShapeRef};
use crate::base::json::{self, duplicate_key};
use crate::base::map::IntMap;
use crate::base::{Diagnostic, DiagnosticSink, Span};
use std::ops::Range;

/// Builder of one value: the open maps and lists with their values so far.
#[derive(Default)]
pub struct Builder {
    open: Vec<BuilderFrame>,
    values: Vec<Value>,
    keys: Vec<(KeyRef, Span)>,
    /// Items of the innermost list, as long as all of them are pointers.
    pointers: Vec<u32>,
    last_list: ListText,
    /// Scratch: pointers that are looked up together.
    lookup_batch: Vec<PendingPointer>,
    /// Whether the pointers of the innermost list are written without escapes.
    is_verbatim: bool,
    /// Longest list of pointers in the message: its range in the arena and in the text.
    longest_list: Option<(ArenaRange, Range<usize>)>,
    /// Last shape at each depth, which predicts the shape of the next map there.
    last_shapes: Vec<ShapeRef>,
    prefixes: KeyPrefixes,
    /// Number of maps in a row that did not match the last shape.
    mismatches: u32,
    /// Node after the last one that was pointed to, because lists often point to nodes in the order
    /// of their creation.
    predicted_node: u32,
}

struct BuilderFrame {
    kind: ContainerKind,
    values: usize,
    keys: usize,
}

#[derive(Clone, Copy)]
enum ContainerKind {
    /// Byte offset of its bracket.
    List(usize),
    /// Predicted shape, and whether the keys so far match it.
    Map { expected_shape: ShapeRef, agrees: bool },
}

/// A pointer during a batched lookup.
pub struct PendingPointer {
    id_range: Range<usize>,
    likely_node: u32,
}

impl Builder {
    /// Discards open values. Keeps the last shapes, because the next message probably has them too.
    pub fn reset(&mut self) {
        self.open.clear();
        self.values.clear();
        self.keys.clear();
        self.pointers.clear();
        self.longest_list = None;
        self.prefixes.reset();
        self.mismatches = 0;
    }

    /// Caches the text of the longest list, after the message has been parsed.
    pub fn remember_longest_list(&mut self, arena: &Arena, text: &[u8]) {
        let Some((nodes, range)) = self.longest_list.take() else { return };
        let text = text.get(range).unwrap_or_default();
        let start = text.iter().take_while(|byte| **byte != b'"').count();
        self.last_list.remember(text.get(start..).unwrap_or_default(), arena.pointers(nodes));
    }

    /// Returns whether a map or list is open.
    pub fn is_open(&self) -> bool {
        !self.open.is_empty()
    }

    /// Returns the last key of the open map, or `None` if something else is open.
    pub fn open_key(&self) -> Option<KeyRef> {
        let [BuilderFrame { kind: ContainerKind::Map { .. }, .. }] = self.open.as_slice() else {
            return None;
        };
        self.keys.last().filter(|_| self.keys.len() > self.values.len()).map(|(key, _)| *key)
    }

    /// Returns the complete properties of the open map.
    pub fn open_properties(&self) -> Vec<(KeyRef, Value)> {
        self.keys.iter().zip(&self.values).map(|((key, _), value)| (*key, *value)).collect()
    }

    /// Returns the number of bytes that the open values will occupy in the arena.
    pub fn pending_size(&self) -> usize {
        size_of_val(&*self.values) + size_of_val(&*self.pointers)
    }

    /// Returns the nodes in the list of pointers that is open.
    pub fn pointers(&self) -> impl Iterator<Item = NodeRef> {
        self.pointers.iter().copied().map(NodeRef)
    }

    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut Value> {
        self.values.iter_mut()
    }

    pub fn keys(&self) -> impl Iterator<Item = KeyRef> {
        self.keys.iter().map(|(key, _)| *key)
    }

    /// Discards cached shapes and nodes, because their handles have changed.
    pub fn forget_ids(&mut self) {
        self.last_list.clear();
        self.last_shapes.clear();
        self.prefixes.forget();
        for open in &mut self.open {
            if let ContainerKind::Map { expected_shape, agrees } = &mut open.kind {
                (*expected_shape, *agrees) = (shape::EMPTY, false);
            }
        }
    }

    /// Opens a list at this byte offset.
    pub fn open_list(&mut self, at: usize) {
        self.open(ContainerKind::List(at));
        self.last_list.start_list();
        self.is_verbatim = true;
    }

    pub fn open_map(&mut self) {
        let expected_shape = self.last_shapes.get(self.open.len()).copied().unwrap_or(shape::EMPTY);
        self.open(ContainerKind::Map { expected_shape, agrees: true });
    }

    fn open(&mut self, kind: ContainerKind) {
        self.flush_pointers();
        self.open.push(BuilderFrame { kind, values: self.values.len(), keys: self.keys.len() });
    }

    /// Moves the collected pointers to the values, because the list has another item.
    #[inline(always)]
    fn flush_pointers(&mut self) {
        if !self.pointers.is_empty() {
            self.move_pointers_to_values();
        }
    }

    #[cold]
    fn move_pointers_to_values(&mut self) {
        let pointers = self.pointers.drain(..);
        self.values.extend(pointers.map(|node| Value::Pointer(NodeRef(node))));
    }

    #[inline]
    fn in_pointer_list(&self) -> bool {
        let is_list = |open: &BuilderFrame| matches!(open.kind, ContainerKind::List(_));
        self.open.last().is_some_and(|open| is_list(open) && open.values == self.values.len())
    }

    /// Adds a key to the innermost map.
    pub fn key(&mut self, target: &mut ChunkTarget<'_>, text: json::Text<'_>) {
        let Some(open) = self.open.last_mut() else { return };
        let slot = self.keys.len() - open.keys;
        if let ContainerKind::Map { expected_shape, agrees } = &mut open.kind
            && *agrees
        {
            let expected_key =
                target.document.arena.shapes.keys(*expected_shape).get(slot).copied();
            match expected_key.filter(|key| target.document.keys.matches(key.0, text.bytes)) {
                Some(key) => return self.keys.push((key, text.span)),
                None => *agrees = false,
            }
        }
        let key = KeyRef(target.document.keys.intern(text.bytes));
        self.keys.push((key, text.span));
    }

    pub fn pop_last(&mut self) -> Option<Value> {
        self.values.pop()
    }

    /// Adds a number, a boolean or null.
    #[inline]
    pub fn scalar(&mut self, value: Value) {
        self.flush_pointers();
        self.values.push(value);
    }

    /// Adds a string that is never a pointer.
    pub fn literal(&mut self, target: &mut ChunkTarget<'_>, text: json::Text<'_>) {
        let value = target.text(text);
        self.scalar(value);
    }

    /// Adds a string, which is a pointer if it begins with the sigil. Returns the node and id that
    /// it points to.
    #[inline(always)]
    pub fn text<'t>(
        &mut self,
        target: &mut ChunkTarget<'_>,
        text: json::Text<'t>,
    ) -> Option<(NodeRef, &'t [u8])> {
        let Some(id) = text.bytes.strip_prefix(target.document.settings.sigil.as_bytes()) else {
            self.literal(target, text);
            return None;
        };
        let node = resolve_pointer(&mut self.predicted_node, target, id);
        if self.in_pointer_list() {
            self.pointers.push(node.0);
            self.is_verbatim &= text.verbatim.is_some();
        } else {
            self.values.push(Value::Pointer(node));
        }
        Some((node, id))
    }

    /// Closes the innermost map or list at this byte offset. Returns the value if nothing else is
    /// open.
    pub fn close(
        &mut self,
        target: &mut ChunkTarget<'_>,
        at: usize,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<Value> {
        let BuilderFrame { kind, values, keys } = self.open.pop()?;
        let value = match kind {
            ContainerKind::List(start) if !self.pointers.is_empty() => {
                let value = target.arena().push_pointers(&self.pointers);
                let longest_list = self
                    .longest_list
                    .as_ref()
                    .map_or(MIN_LIST_LENGTH - 1, |(range, _)| range.len as usize);
                // With escapes, a `"` in the text may not be a quote.
                if let Value::Pointers(range) = value
                    && self.pointers.len() > longest_list
                    && self.is_verbatim
                {
                    self.longest_list = Some((range, start..at));
                }
                self.pointers.clear();
                value
            }
            ContainerKind::List(_) => {
                let items = self.values.get(values..).unwrap_or_default();
                target.arena().push_list(items)
            }
            ContainerKind::Map { expected_shape, agrees } => {
                let shape = self.shape(target, expected_shape, agrees, values, keys, diagnostics);
                let slots = self.values.get(values..).unwrap_or_default();
                target.arena().push_map(shape, slots)
            }
        };
        self.values.truncate(values);
        self.keys.truncate(keys);
        if self.open.is_empty() {
            return Some(value);
        }
        self.values.push(value);
        None
    }

    /// Returns the shape of the map that closes. `values` and `keys` are the indices of its first
    /// value and key.
    fn shape(
        &mut self,
        target: &mut ChunkTarget<'_>,
        expected_shape: ShapeRef,
        agrees: bool,
        values: usize,
        keys: usize,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> ShapeRef {
        let count = self.keys.len() - keys;
        let shapes = &mut target.document.arena.shapes;
        if agrees && shapes.keys(expected_shape).len() == count {
            return expected_shape;
        }
        let list = |keyed: &[(KeyRef, Span)]| keyed.iter().map(|(key, _)| *key).collect::<Vec<_>>();
        let keys_of_map = list(self.keys.get(keys..).unwrap_or_default());
        let shape = match shapes.find(&keys_of_map) {
            Some(shape) => shape,
            None => {
                self.merge_duplicates(target, values, keys, diagnostics);
                let keys_of_map = list(self.keys.get(keys..).unwrap_or_default());
                target.document.arena.shapes.intern(&keys_of_map)
            }
        };
        let level = self.open.len();
        if self.last_shapes.len() <= level {
            self.last_shapes.resize(level + 1, shape::EMPTY);
        }
        if let Some(last_shape) = self.last_shapes.get_mut(level) {
            *last_shape = shape;
        }
        shape
    }

    /// Reports duplicate keys. The last value of a key replaces the first one.
    fn merge_duplicates(
        &mut self,
        target: &ChunkTarget<'_>,
        values: usize,
        keys: usize,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        let count = self.keys.len() - keys;
        let mut first_slots = IntMap::default();
        let mut is_duplicate = vec![false; count];
        for slot in 0..count {
            let Some((key, span)) = self.keys.get(keys + slot).copied() else { continue };
            let Some(first) = first_slots.get(&u64::from(key.0)).copied() else {
                first_slots.insert(key.0.into(), slot as u64);
                continue;
            };
            diagnostics.report(duplicate_key(target.document.keys.text(key.0), span));
            if let Some(mark) = is_duplicate.get_mut(slot) {
                *mark = true;
            }
            if let Some(value) = self.values.get(values + slot).copied()
                && let Some(kept) = self.values.get_mut(values + first as usize)
            {
                *kept = value;
            }
        }
        if count == first_slots.len() {
            return;
        }
        let mut slot = 0;
        let is_kept = |slot: &mut usize| {
            *slot += 1;
            is_duplicate.get(*slot - 1) != Some(&true)
        };
        let tail = self.keys.split_off(keys);
        self.keys.extend(tail.into_iter().filter(|_| is_kept(&mut slot)));
        slot = 0;
        let tail = self.values.split_off(values);
        self.values.extend(tail.into_iter().filter(|_| is_kept(&mut slot)));
    }
}

/// Returns the node of a pointer; usually the predicted one.
#[inline(always)]
fn resolve_pointer(predicted_node: &mut u32, target: &mut ChunkTarget<'_>, id: &[u8]) -> NodeRef {
    let node = match target.document.ids.matches(*predicted_node, id) {
        true => NodeRef(*predicted_node),
        false => target.document.node(id),
    };
    *predicted_node = node.0 + 1;
    node
}
