//! Old versions of long pointer lists, stored as the difference from the next version. Without
//! this, undo of a thousand insertions into ten thousand items would store ten million items.

use super::{Arena, ArenaCheckpoint, ArenaRange, NO_LITERAL_TABLE, Value, to_range};
use crate::base::bytes::common_prefix_and_suffix_len;

/// Minimum number of items of a list that is stored as a delta.
const MIN_DELTA_ITEMS: u32 = 64;

/// A delta may store at most one item per this many items of the old list.
const MAX_REMOVED_SHARE: usize = 8;

/// Number of words of a delta before its node handles.
pub const DELTA_HEADER_WORDS: usize = 2;

/// Words that restore the old list: length of the common prefix, number of inserted items after it,
/// and the removed items.
pub struct ListDelta(Vec<u32>);

impl Arena {
    /// Returns the delta that turns the list `after` into the list `before`, or `None` if it would
    /// be long.
    pub fn list_delta(&self, before: ArenaRange, after: ArenaRange) -> Option<ListDelta> {
        if before.len < MIN_DELTA_ITEMS {
            return None;
        }
        let (old, new) = (self.pointers(before), self.pointers(after));
        let (start, end) = common_prefix_and_suffix_len::<8, _>(old, new);
        let removed = old.get(start..old.len() - end)?;
        let added = new.len() - start - end;
        let is_short = removed.len() <= old.len() / MAX_REMOVED_SHARE;
        is_short.then(|| ListDelta([&[start as u32, added as u32], removed].concat()))
    }

    /// Returns the list that preceded `after`, given its stored form.
    pub fn previous_list(&self, stored: Value, after: &[u32]) -> Vec<u32> {
        match stored {
            Value::Delta(delta) => self.apply_delta(delta, after),
            Value::Pointers(range) => self.pointers(range).to_vec(),
            _ => Vec::new(),
        }
    }

    /// Returns the value that preceded `after`, given its stored form.
    pub fn restore(&mut self, stored: Value, after: Value) -> Value {
        match (stored, after) {
            (Value::Delta(delta), Value::Pointers(after)) => {
                let list = self.apply_delta(delta, self.pointers(after));
                self.push_pointers(&list)
            }
            (Value::MapDelta(delta), Value::Map(after)) => self.restore_map(delta, after),
            (complete, _) => complete,
        }
    }

    fn apply_delta(&self, delta: ArenaRange, after: &[u32]) -> Vec<u32> {
        let [start, added, removed @ ..] = self.pointers(delta) else { return after.to_vec() };
        let (start, added) = (*start as usize, *added as usize);
        let end = after.get(start + added..).unwrap_or_default();
        [after.get(..start).unwrap_or_default(), removed, end].concat()
    }

    pub fn push_delta(&mut self, ListDelta(delta): &ListDelta) -> Value {
        Value::Delta(self.push_words(delta))
    }

    /// Writes the delta at `start` and moves the list `after` to its end. All words from `start` on
    /// are overwritten, so nothing else may refer to them. Returns both.
    pub fn replace_with_delta(
        &mut self,
        ListDelta(delta): &ListDelta,
        after: ArenaRange,
        start: u32,
    ) -> (Value, ArenaRange) {
        let delta_range = ArenaRange { start, len: delta.len() as u32 };
        let moved = ArenaRange { start: start + delta_range.len, len: after.len };
        let end = to_range(moved).end;
        self.words.resize(self.words.len().max(end), 0);
        self.words.copy_within(to_range(after), moved.start as usize);
        if let Some(slot) = self.words.get_mut(to_range(delta_range)) {
            slot.copy_from_slice(delta);
        }
        self.words.truncate(end);
        (Value::Delta(delta_range), moved)
    }

    /// Returns whether a value refers to the arena's words. Recursion is bounded by the reader's
    /// depth limit.
    pub fn has_words(&self, value: Value) -> bool {
        match value {
            Value::Pointers(range) | Value::Delta(range) => range.len > 0,
            Value::List(list) => {
                list.literal_table != NO_LITERAL_TABLE || self.any_has_words(self.items(list))
            }
            Value::Map(map) => self.any_has_words(self.values(map)),
            _ => false,
        }
    }

    fn any_has_words(&self, values: &[Value]) -> bool {
        values.iter().any(|value| self.has_words(*value))
    }
}

impl ArenaCheckpoint {
    pub fn word_count(&self) -> u32 {
        self.words as u32
    }
}

impl ArenaRange {
    pub fn end(self) -> u32 {
        self.start + self.len
    }
}
