//! Long lists as they were before an edit, told by what the edit changed. Undo would keep all of each list
//! otherwise: a thousand inserts into ten thousand items are ten million.

use super::{Arena, Mark, NO_PLACES, Run, Value, range};
use crate::base::bytes::common_ends;

/// Shorter lists are kept as they were.
const LONG: u32 = 64;

/// What is taken out of a list for something else is at most this part of it.
const PART: usize = 8;

/// So many numbers of an edit are no nodes.
pub const BEFORE_TAKEN: usize = 2;

/// What turns a list back into the one before it: how many items both begin with, how many of the list are
/// put out of it behind them, and then those that stood there.
pub struct Edit(Vec<u32>);

impl Arena {
    /// What turns the list `after` back into the list `before`, where that is short.
    pub fn edit(&self, before: Run, after: Run) -> Option<Edit> {
        if before.len < LONG {
            return None;
        }
        let (old, new) = (self.pointers(before), self.pointers(after));
        let (start, end) = common_ends::<8, _>(old, new);
        let taken = old.get(start..old.len() - end)?;
        let put = new.len() - start - end;
        let is_short = taken.len() <= old.len() / PART;
        is_short.then(|| Edit([&[start as u32, put as u32], taken].concat()))
    }

    /// The list of pointers that stood where a list stands now, given what is known of it and that list.
    pub fn before(&self, known: Value, after: &[u32]) -> Vec<u32> {
        match known {
            Value::Edited(edit) => self.undone(edit, after),
            Value::Pointers(run) => self.pointers(run).to_vec(),
            _ => Vec::new(),
        }
    }

    /// The value that stood where another stands now, whole again.
    pub fn restore(&mut self, known: Value, after: Value) -> Value {
        match (known, after) {
            (Value::Edited(edit), Value::Pointers(after)) => {
                let list = self.undone(edit, self.pointers(after));
                self.push_pointers(&list)
            }
            (whole, _) => whole,
        }
    }

    fn undone(&self, edit: Run, after: &[u32]) -> Vec<u32> {
        let [start, put, taken @ ..] = self.pointers(edit) else { return after.to_vec() };
        let (start, put) = (*start as usize, *put as usize);
        let end = after.get(start + put..).unwrap_or_default();
        [after.get(..start).unwrap_or_default(), taken, end].concat()
    }

    /// Keeps an edit.
    pub fn push_edit(&mut self, Edit(edit): &Edit) -> Value {
        Value::Edited(self.push_numbers(edit))
    }

    /// Keeps an edit and moves the list `after` down, behind it: all numbers from `start` on, those of the list
    /// apart, are dead. Answers both.
    pub fn settle_edit(&mut self, Edit(edit): &Edit, after: Run, start: u32) -> (Value, Run) {
        let kept = Run { start, len: edit.len() as u32 };
        let moved = Run { start: start + kept.len, len: after.len };
        let end = range(moved).end;
        self.numbers.resize(self.numbers.len().max(end), 0);
        self.numbers.copy_within(range(after), moved.start as usize);
        if let Some(place) = self.numbers.get_mut(range(kept)) {
            place.copy_from_slice(edit);
        }
        self.numbers.truncate(end);
        (Value::Edited(kept), moved)
    }

    /// Whether a value keeps any numbers. Recursion is bounded by the reader's depth limit.
    pub fn has_numbers(&self, value: Value) -> bool {
        match value {
            Value::Pointers(run) | Value::Edited(run) => run.len > 0,
            Value::List(list) => list.places != NO_PLACES || self.any_has_numbers(self.items(list)),
            Value::Map(map) => self.any_has_numbers(self.values(map)),
            _ => false,
        }
    }

    fn any_has_numbers(&self, values: &[Value]) -> bool {
        values.iter().any(|value| self.has_numbers(*value))
    }
}

impl Mark {
    /// Where the next list of pointers would have started.
    pub fn numbers(&self) -> u32 {
        self.numbers as u32
    }
}

impl Run {
    /// Where what follows starts.
    pub fn end(self) -> u32 {
        self.start + self.len
    }
}
