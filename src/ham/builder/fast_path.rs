//! Fast paths for flat maps of scalars and pointers that need no diagnostic, with the keys
//! and the spacing of the previous map.

use super::{Builder, resolve_pointer};
use crate::base::bytes::same;
use crate::base::json::{self, Scalar};
use crate::ham::arena::{MapRef, Value};
use crate::ham::chunk_target::ChunkTarget;
use crate::ham::interner::has_simple_start;

/// Maximum number of keys of a map that is updated on the fast path.
const MAX_FAST_PATH_KEYS: usize = u64::BITS as usize;

/// A flat map with unchanged keys.
pub struct MapUpdate {
    /// The new map; unused if no value changed.
    pub map: MapRef,
    /// Bit mask of the changed slots; the lowest bit is the first slot.
    pub changed: u64,
    /// Whether an old or new value is a pointer, a list or a map.
    pub has_references: bool,
    /// Offset after the map.
    pub end: usize,
}

/// A map and its changed slots.
#[derive(Clone, Copy)]
pub struct ChangedRow {
    pub map: MapRef,
    /// See [`MapUpdate::changed`].
    pub changed: u64,
}

impl Builder {
    /// Parses the top-level map at `at` if it has the predicted keys and only scalars and pointers
    /// as values. Returns the map and the offset after it.
    #[inline(always)]
    pub fn parse_flat_map(
        &mut self,
        target: &mut ChunkTarget<'_>,
        chunk: &[u8],
        at: usize,
    ) -> Option<(Value, usize)> {
        /// After this many mismatches in a row, only each n-th map is tried.
        const MAX_MISMATCHES: u32 = 8;
        if self.mismatches >= MAX_MISMATCHES && !self.mismatches.is_multiple_of(MAX_MISMATCHES) {
            self.mismatches += 1;
            return None;
        }
        let mut parsed = self.parse_with_prefixes(target, chunk, at);
        if parsed.is_none() && self.prefixes.learn_spacing(chunk, at) {
            parsed = self.parse_with_prefixes(target, chunk, at);
        }
        self.mismatches = if parsed.is_some() { 0 } else { self.mismatches + 1 };
        parsed
    }

    /// Parses a map whose spacing is that of the previous one.
    #[inline(never)]
    fn parse_with_prefixes(
        &mut self,
        target: &mut ChunkTarget<'_>,
        chunk: &[u8],
        at: usize,
    ) -> Option<(Value, usize)> {
        let shape = *self.last_shapes.first()?;
        self.prefixes.build_for(target.document, shape);
        let (predicted_node, decoded_len) = (self.predicted_node, target.decoded_len());
        let map = MapRef { shape, start: target.arena().next_value_start() };
        let Some(end) = self.parse_values(target, chunk, at) else {
            target.arena().pop_map(map);
            target.truncate_decoded(decoded_len);
            self.predicted_node = predicted_node;
            return None;
        };
        Some((Value::Map(map), end))
    }

    /// Parses the values, and the prefixes between them.
    #[inline(always)]
    fn parse_values(
        &mut self,
        target: &mut ChunkTarget<'_>,
        chunk: &[u8],
        at: usize,
    ) -> Option<usize> {
        let mut at = at;
        for prefix in self.prefixes.iter() {
            let start = at + prefix.len();
            if !same(chunk.get(at..start)?, prefix) {
                return None;
            }
            let (value, end) = match json::parse_scalar(chunk, start) {
                Some((value, end)) => {
                    (scalar_value(&mut self.predicted_node, target, value, start)?, end)
                }
                None => {
                    let (value, end) = target.escaped_text(chunk, start, Value::Missing)?;
                    (value?, end)
                }
            };
            target.arena().push_value(value);
            at = end;
        }
        let end = at + self.prefixes.closing_text().len();
        let is_closed =
            !self.prefixes.is_empty() && same(chunk.get(at..end)?, self.prefixes.closing_text());
        is_closed.then_some(end)
    }

    /// Parses the top-level map at `at` if it has the keys of the existing map `old_map` and only
    /// scalars and pointers as values.
    #[inline(always)]
    pub fn parse_map_update(
        &mut self,
        target: &mut ChunkTarget<'_>,
        chunk: &[u8],
        at: usize,
        old_map: MapRef,
    ) -> Option<MapUpdate> {
        self.prefixes.build_for(target.document, old_map.shape);
        if !(1..=MAX_FAST_PATH_KEYS).contains(&self.prefixes.len()) {
            return None;
        }
        let start = target.arena().next_value_start();
        let (mut at, mut changed, mut has_references) = (at, 0, false);
        for (slot, prefix) in self.prefixes.iter().enumerate() {
            let value_start = at + prefix.len();
            if !same(chunk.get(at..value_start)?, prefix) {
                return None;
            }
            let old = target.document.arena.value(old_map, slot)?;
            has_references |= !old.is_scalar();
            let value = match target.document.arena.matching_text_end(old, chunk, value_start) {
                Some(end) => {
                    at = end;
                    old
                }
                None => {
                    let (value, end, is_changed) = match json::parse_scalar(chunk, value_start) {
                        Some((value, end)) if is_unchanged_text(target, &value, old) => {
                            (old, end, false)
                        }
                        Some((value, end)) => {
                            let value =
                                scalar_value(&mut self.predicted_node, target, value, value_start)?;
                            // A new text is not in the arena yet, so it cannot be compared there.
                            let is_changed = matches!(value, Value::Text(_))
                                || !target.document.arena.equal(value, old);
                            (value, end, is_changed)
                        }
                        None => {
                            let (value, end) = target.escaped_text(chunk, value_start, old)?;
                            (value.unwrap_or(old), end, value.is_some())
                        }
                    };
                    at = end;
                    has_references |= !value.is_scalar();
                    changed |= u64::from(is_changed) << slot;
                    value
                }
            };
            target.arena().push_value(value);
        }
        let end = at + self.prefixes.closing_text().len();
        if !same(chunk.get(at..end)?, self.prefixes.closing_text()) {
            return None;
        }
        let map = MapRef { shape: old_map.shape, start };
        if changed == 0 {
            target.arena().pop_map(map);
        }
        Some(MapUpdate { map, changed, has_references, end })
    }
}

#[inline(always)]
fn is_unchanged_text(target: &ChunkTarget<'_>, value: &Scalar<'_>, old: Value) -> bool {
    let (Scalar::Text { bytes, .. }, Value::Text(text)) = (value, old) else { return false };
    let sigil = target.document.settings.sigil.as_bytes();
    !bytes.starts_with(sigil) && same(target.document.arena.bytes(text), bytes)
}

/// Returns the value at `at` of the chunk, or `None` if it may need a diagnostic.
#[inline(always)]
fn scalar_value(
    predicted_node: &mut u32,
    target: &mut ChunkTarget<'_>,
    value: Scalar<'_>,
    at: usize,
) -> Option<Value> {
    match value {
        Scalar::Null => Some(Value::Null),
        Scalar::Bool(value) => Some(Value::Bool(value)),
        Scalar::Number(value) => Some(Value::Number(value)),
        Scalar::Text { bytes, ascii } => text_value(predicted_node, target, bytes, at + 1, ascii),
    }
}

/// Returns the text or pointer at `at` of the chunk, or `None` if it may need a diagnostic.
#[inline(always)]
fn text_value(
    predicted_node: &mut u32,
    target: &mut ChunkTarget<'_>,
    text: &[u8],
    at: usize,
    ascii: bool,
) -> Option<Value> {
    let sigil = target.document.settings.sigil.as_bytes();
    if text.first() != sigil.first() {
        return Some(target.verbatim_text(at, text.len(), ascii));
    }
    match text.strip_prefix(sigil) {
        None => Some(target.verbatim_text(at, text.len(), ascii)),
        Some(id) if has_simple_start(id) => {
            Some(Value::Pointer(resolve_pointer(predicted_node, target, id)))
        }
        Some(_) => None,
    }
}
