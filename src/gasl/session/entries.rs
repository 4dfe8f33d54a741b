//! What a session keeps for its recording: what began, and in which turns it went on.

use super::{Session, TurnCounter};
use crate::base::Value;
use crate::base::value::put;
use std::rc::Rc;

impl TurnCounter {
    pub(super) fn write(self, entries: &mut [Value]) {
        if let Some(map) = entries.get_mut(self.at).and_then(Value::as_map_mut) {
            put(map, "turns", self.turns);
        }
    }
}

impl Session {
    /// Keeps a command for the recording; answers its entry.
    pub(super) fn record_command(&mut self, kind: &str, text: &str, why: &str) -> usize {
        self.record_entry(vec![
            ("kind", kind.into()),
            ("command", text.into()),
            ("why", why.into()),
        ])
    }

    /// Keeps what begins for the recording; answers its entry.
    pub(super) fn record_entry(&mut self, parts: Vec<(&str, Value)>) -> usize {
        let of = self.core.history.entries.len();
        self.count(of, parts);
        of
    }

    /// Keeps what happens to the task of an entry.
    pub(super) fn record_task_entry(&mut self, kind: &str, of: usize) {
        self.count(of, vec![("kind", kind.into()), ("of", of.into())]);
    }

    /// Keeps an entry. Of the task that went on before it is told how many turns it took; where nothing
    /// is told, a task goes on to its end.
    fn count(&mut self, of: usize, parts: Vec<(&str, Value)>) {
        let entries = &mut Rc::make_mut(&mut self.core.history).entries;
        if let Some(turn_counter) = self.turn_counter {
            turn_counter.write(entries);
        }
        self.turn_counter = Some(TurnCounter { of, at: entries.len(), turns: 0 });
        entries.push(Value::map_of(parts));
    }

    /// Counts a turn of the task that an entry began.
    pub(super) fn count_turn(&mut self, of: usize) {
        if self.turn_counter.is_none_or(|last| last.of != of) {
            self.record_task_entry("turns", of);
        }
        if let Some(turn_counter) = &mut self.turn_counter {
            turn_counter.turns += 1;
        }
    }
}
