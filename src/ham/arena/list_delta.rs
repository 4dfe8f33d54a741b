//! Long lists as they were before an edit, told by what the edit changed. Undo would keep all of each list
//! otherwise: a thousand inserts into ten thousand items are ten million.

use super::{ALL_LITERALS, Arena, ArenaCheckpoint, ArenaRange, Value, to_range};
use crate::base::bytes::common_ends;

/// Shorter lists are kept as they were.
const MIN_LENGTH: u32 = 64;

/// What is taken out of a list for something else is at most this part of it.
const MAX_REMOVED_SHARE: usize = 8;

/// So many numbers of an edit are no nodes.
pub const DELTA_HEADER_WORDS: usize = 2;

/// What turns a list back into the one before it: how many items both begin with, how many of the list are
/// put out of it behind them, and then those that stood there.
pub struct ListDelta(Vec<u32>);

impl Arena {
    /// What turns the list `after` back into the list `before`, where that is short.
    pub fn list_delta(&self, before: ArenaRange, after: ArenaRange) -> Option<ListDelta> {
        if before.len < MIN_LENGTH {
            return None;
        }
        let (old, new) = (self.pointers(before), self.pointers(after));
        let (start, end) = common_ends::<8, _>(old, new);
        let removed = old.get(start..old.len() - end)?;
        let added = new.len() - start - end;
        let is_short = removed.len() <= old.len() / MAX_REMOVED_SHARE;
        is_short.then(|| ListDelta([&[start as u32, added as u32], removed].concat()))
    }

    /// The list of pointers that stood where a list stands now, given what is known of it and that list.
    pub fn previous_list(&self, stored: Value, after: &[u32]) -> Vec<u32> {
        match stored {
            Value::Delta(delta) => self.apply_delta(delta, after),
            Value::Pointers(run) => self.pointers(run).to_vec(),
            _ => Vec::new(),
        }
    }

    /// The value that stood where another stands now, whole again.
    pub fn restore(&mut self, stored: Value, after: Value) -> Value {
        match (stored, after) {
            (Value::Delta(delta), Value::Pointers(after)) => {
                let list = self.apply_delta(delta, self.pointers(after));
                self.push_pointers(&list)
            }
            (complete, _) => complete,
        }
    }

    fn apply_delta(&self, delta: ArenaRange, after: &[u32]) -> Vec<u32> {
        let [start, added, removed @ ..] = self.pointers(delta) else { return after.to_vec() };
        let (start, added) = (*start as usize, *added as usize);
        let end = after.get(start + added..).unwrap_or_default();
        [after.get(..start).unwrap_or_default(), removed, end].concat()
    }

    /// Keeps an edit.
    pub fn push_delta(&mut self, ListDelta(delta): &ListDelta) -> Value {
        Value::Delta(self.push_words(delta))
    }

    /// Keeps an edit and moves the list `after` down, behind it: all numbers from `start` on, those of the list
    /// apart, are dead. Answers both.
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

    /// Whether a value keeps any numbers. Recursion is bounded by the reader's depth limit.
    pub fn has_words(&self, value: Value) -> bool {
        match value {
            Value::Pointers(run) | Value::Delta(run) => run.len > 0,
            Value::List(list) => {
                list.literal_table != ALL_LITERALS || self.any_has_words(self.items(list))
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
    /// Where the next list of pointers would have started.
    pub fn word_count(&self) -> u32 {
        self.words as u32
    }
}

impl ArenaRange {
    /// Where what follows starts.
    pub fn end(self) -> u32 {
        self.start + self.len
    }
}
