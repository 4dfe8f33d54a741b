//! Old versions of large maps, stored as the difference from the next version. Without this, undo
//! of a thousand changes of a map with ten thousand properties would store ten million values.

use super::{Arena, MapRef, Value};
use crate::base::bytes::common_prefix_and_suffix_len;
use crate::base::map::IntMap;
use crate::ham::shape::KeyRef;

/// Minimum number of properties of a map that is stored as a delta.
const MIN_DELTA_PROPERTIES: usize = 64;

/// A delta may store at most one property per this many properties of the old map.
const MAX_CHANGED_SHARE: usize = 8;

/// Properties that turn a map into its previous version.
#[derive(Clone, Copy, Debug)]
pub struct MapDelta {
    /// Old values of changed and removed properties; an added property is missing.
    pub changes: MapRef,
    /// Index of the removed properties in the previous version.
    pub removed_at: u32,
}

impl Arena {
    /// Returns whether a map has enough properties to be stored as a delta.
    #[inline(always)]
    pub fn is_large_map(&self, map: MapRef) -> bool {
        self.shapes.keys(map.shape).len() >= MIN_DELTA_PROPERTIES
    }

    /// Appends the delta that turns the map `after` into the map `before`. Returns `None` if it
    /// would be long, or if properties were both added and removed.
    pub fn push_map_delta(&mut self, before: MapRef, after: MapRef) -> Option<Value> {
        let old_keys = self.shapes.keys(before.shape);
        let new_keys = self.shapes.keys(after.shape);
        let max_changes = old_keys.len() / MAX_CHANGED_SHARE;
        let (start, end) = match before.shape == after.shape {
            true => (old_keys.len(), 0),
            false => common_prefix_and_suffix_len::<8, _>(old_keys, new_keys),
        };
        let removed = old_keys.len() - start - end;
        let added = new_keys.get(start..new_keys.len() - end)?;
        if !self.is_large_map(before)
            || added.len().max(removed) > max_changes
            || (removed > 0 && !added.is_empty())
        {
            return None;
        }
        let mut keys = added.to_vec();
        let mut values = vec![Value::Missing; added.len()];
        let new_values = self.values(after);
        for (slot, (key, old)) in self.entries(before).enumerate() {
            let new = match slot {
                slot if slot < start => new_values.get(slot),
                slot if slot < start + removed => None,
                slot => new_values.get(slot + added.len() - removed),
            };
            if !new.is_some_and(|new| self.is_identical(old, *new)) {
                keys.push(key);
                values.push(old);
                if keys.len() > max_changes {
                    return None;
                }
            }
        }
        let shape = self.shapes.intern(&keys);
        let Value::Map(changes) = self.push_map(shape, &values) else { return None };
        Some(Value::MapDelta(MapDelta { changes, removed_at: start as u32 }))
    }

    /// Returns whether two values have the same text: unlike equal ones, also with the same order
    /// of keys and the same sign of zero. Recursion is bounded by the reader's depth limit.
    fn is_identical(&self, a: Value, b: Value) -> bool {
        match (a, b) {
            (Value::Number(a), Value::Number(b)) => a.to_bits() == b.to_bits(),
            (Value::List(a), Value::List(b)) => self.are_identical(self.items(a), self.items(b)),
            (Value::Map(a), Value::Map(b)) => {
                a.shape == b.shape
                    && (a.start == b.start || self.are_identical(self.values(a), self.values(b)))
            }
            _ => self.equal(a, b),
        }
    }

    fn are_identical(&self, a: &[Value], b: &[Value]) -> bool {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| self.is_identical(*a, *b))
    }

    pub(super) fn restore_map(&mut self, delta: MapDelta, after: MapRef) -> Value {
        let mut version = MapVersion::new(self.entries(after));
        version.apply(self, delta);
        let (keys, values): (Vec<_>, Vec<_>) = version.entries.into_iter().unzip();
        let shape = self.shapes.intern(&keys);
        self.push_map(shape, &values)
    }
}

/// Properties of a version of a map, from which earlier versions are restored.
pub struct MapVersion {
    pub entries: Vec<(KeyRef, Value)>,
    /// Slots by key, if no property was added or removed since they were computed.
    slots: Option<IntMap>,
}

impl MapVersion {
    pub fn new(entries: impl Iterator<Item = (KeyRef, Value)>) -> MapVersion {
        MapVersion { entries: entries.collect(), slots: None }
    }

    /// Returns to the previous version.
    pub fn apply(&mut self, arena: &Arena, MapDelta { changes, removed_at }: MapDelta) {
        let mut removed = Vec::new();
        let mut added_slots = Vec::new();
        for (key, value) in arena.entries(changes) {
            match (self.slot(key), value) {
                (Some(slot), Value::Missing) => added_slots.push(slot),
                (None, Value::Missing) => {}
                (Some(slot), value) => {
                    if let Some(entry) = self.entries.get_mut(slot) {
                        entry.1 = value;
                    }
                }
                (None, value) => removed.push((key, value)),
            }
        }
        if let (Some(first), Some(last)) = (added_slots.iter().min(), added_slots.iter().max()) {
            // Added properties are next to each other.
            self.change_entries(*first, last + 1 - first, Vec::new());
        }
        if !removed.is_empty() {
            let at = (removed_at as usize).min(self.entries.len());
            self.change_entries(at, 0, removed);
        }
    }

    fn slot(&mut self, key: KeyRef) -> Option<usize> {
        let entries = &self.entries;
        let slots = self.slots.get_or_insert_with(|| {
            entries.iter().zip(0..).map(|((key, _), slot)| (u64::from(key.0), slot)).collect()
        });
        slots.get(&u64::from(key.0)).map(|slot| *slot as usize)
    }

    /// Replaces `count` entries at `at`. The slots remain known if they are the last entries.
    fn change_entries(&mut self, at: usize, count: usize, new: Vec<(KeyRef, Value)>) {
        let is_at_end = at + count == self.entries.len();
        match self.slots.as_mut().filter(|_| is_at_end) {
            None => self.slots = None,
            Some(slots) => {
                for (key, _) in self.entries.get(at..).unwrap_or_default() {
                    slots.remove(&u64::from(key.0));
                }
                slots.extend(
                    new.iter().zip(at as u64..).map(|((key, _), slot)| (key.0.into(), slot)),
                );
            }
        }
        self.entries.splice(at..at + count, new);
    }
}
