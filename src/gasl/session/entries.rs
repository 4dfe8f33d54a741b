//! Entries of the recording: started tasks, and how often they were resumed.

use super::{Session, TurnCounter};
use crate::base::Value;
use crate::base::value::put;
use std::rc::Rc;

impl TurnCounter {
    pub(super) fn write(self, entries: &mut [Value]) {
        if let Some(map) = entries.get_mut(self.counted_entry).and_then(Value::as_map_mut) {
            put(map, "turns", self.count);
        }
    }
}

impl Session {
    /// Adds an entry for a command. Returns its index.
    pub(super) fn record_command(&mut self, kind: &str, text: &str, why: &str) -> usize {
        self.record_entry(vec![
            ("kind", kind.into()),
            ("command", text.into()),
            ("why", why.into()),
        ])
    }

    /// Adds an entry that starts a task. Returns its index.
    pub(super) fn record_entry(&mut self, parts: Vec<(&str, Value)>) -> usize {
        let index = self.core.history.entries.len();
        self.add_entry(index, parts);
        index
    }

    /// Adds an entry about the task that entry `of` started.
    pub(super) fn record_task_entry(&mut self, kind: &str, of: usize) {
        self.add_entry(of, vec![("kind", kind.into()), ("of", of.into())]);
    }

    /// Adds an entry and finishes the count of the previous one. A task without a count runs to its
    /// end.
    fn add_entry(&mut self, of: usize, parts: Vec<(&str, Value)>) {
        let entries = &mut Rc::make_mut(&mut self.core.history).entries;
        if let Some(turn_counter) = self.turn_counter {
            turn_counter.write(entries);
        }
        self.turn_counter =
            Some(TurnCounter { entry_index: of, counted_entry: entries.len(), count: 0 });
        entries.push(Value::map_of(parts));
    }

    /// Counts an update of the task that entry `of` started.
    pub(super) fn count_update(&mut self, of: usize) {
        if self.turn_counter.is_none_or(|last| last.entry_index != of) {
            self.record_task_entry("turns", of);
        }
        if let Some(turn_counter) = &mut self.turn_counter {
            turn_counter.count += 1;
        }
    }
}
