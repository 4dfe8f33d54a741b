//! Old versions of large maps, stored as the difference from the next version. Without this, undo of
//! a thousand new properties of a map with ten thousand would store ten million values.

use super::{Arena, MapRef, Value};
use crate::base::map::IntMap;
use crate::ham::shape::KeyRef;

/// Minimum number of properties of a map that is stored as a delta.
const MIN_DELTA_PROPERTIES: usize = 64;

/// A delta may store at most one property per this many properties of the old map.
const MAX_CHANGED_SHARE: usize = 8;

impl Arena {
    /// Returns whether a map has enough properties to be stored as a delta.
    #[inline(always)]
    pub fn is_large_map(&self, map: MapRef) -> bool {
        self.shapes.keys(map.shape).len() >= MIN_DELTA_PROPERTIES
    }

    /// Returns the properties that turn the map `after` into the map `before`; a property that
    /// `before` does not have is missing. Returns `None` if there would be many, or if one map does
    /// not begin with the properties of the other one.
    pub fn map_delta(&self, before: MapRef, after: MapRef) -> Option<Vec<(KeyRef, Value)>> {
        let old_keys = self.shapes.keys(before.shape);
        let new_keys = self.shapes.keys(after.shape);
        let max_changes = old_keys.len() / MAX_CHANGED_SHARE;
        if !self.is_large_map(before)
            || old_keys.len().abs_diff(new_keys.len()) > max_changes
            || !(before.shape == after.shape
                || new_keys.starts_with(old_keys)
                || old_keys.starts_with(new_keys))
        {
            return None;
        }
        let added = new_keys.get(old_keys.len()..).unwrap_or_default().iter();
        let mut delta: Vec<_> = added.map(|key| (*key, Value::Missing)).collect();
        let old_values = self.values(before);
        let pairs = old_values.iter().zip(self.values(after));
        for (key, (old, new)) in old_keys.iter().zip(pairs) {
            if !self.equal(*old, *new) {
                delta.push((*key, *old));
                if delta.len() > max_changes {
                    return None;
                }
            }
        }
        let removed = old_keys.iter().zip(old_values).skip(new_keys.len());
        delta.extend(removed.map(|(key, value)| (*key, *value)));
        Some(delta)
    }

    pub fn push_map_delta(&mut self, delta: &[(KeyRef, Value)]) -> Value {
        let (keys, values): (Vec<_>, Vec<_>) = delta.iter().copied().unzip();
        let shape = self.shapes.intern(&keys);
        match self.push_map(shape, &values) {
            Value::Map(map) => Value::MapDelta(map),
            other => other,
        }
    }

    /// Returns the properties of the map that preceded the one with the properties `after`.
    pub fn previous_map(&self, delta: MapRef, after: &[(KeyRef, Value)]) -> Vec<(KeyRef, Value)> {
        let changes = self.values(delta);
        let keys = self.shapes.keys(delta.shape);
        let mut slots: IntMap = keys.iter().zip(0..).map(|(key, at)| (key.0.into(), at)).collect();
        let mut change = |key: KeyRef| {
            let slot = slots.remove(&u64::from(key.0))?;
            changes.get(slot as usize).copied()
        };
        let mut before: Vec<_> =
            after.iter().map(|(key, value)| (*key, change(*key).unwrap_or(*value))).collect();
        // The rest was removed from the end.
        before.extend(keys.iter().filter_map(|key| Some((*key, change(*key)?))));
        before.retain(|(_, value)| !value.is_missing());
        before
    }

    pub(super) fn restore_map(&mut self, delta: MapRef, after: MapRef) -> Value {
        let after: Vec<_> = self.entries(after).collect();
        let (keys, values): (Vec<_>, Vec<_>) = self.previous_map(delta, &after).into_iter().unzip();
        let shape = self.shapes.intern(&keys);
        self.push_map(shape, &values)
    }
}
