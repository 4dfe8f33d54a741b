//! What a session shows of itself, and other sessions that go on from there.

use super::Session;
use crate::base::value::{Map, put};
use crate::base::{Span, Value};
use crate::gasl::bind::Context;
use crate::gasl::core::Replaying;
use crate::gasl::history::History;
use crate::gasl::identity::item_key;
use crate::gasl::model::exchange::Exchanges;
use crate::gasl::variable::Variable;
use crate::gasl::weight::weight;
use crate::gasl::{recording, state};
use slab::Slab;
use std::rc::Rc;

impl Session {
    /// What a name holds: the context first, then what a key of the state shows.
    pub fn variable(&self, name: &str) -> Option<Value> {
        self.held(name).map(|found| found.to_value())
    }

    /// The same as JSON text, which for ten thousand rows of a graph takes half as long.
    pub fn variable_text(&self, name: &str) -> Option<String> {
        self.held(name).map(|found| found.to_text())
    }

    fn held(&self, name: &str) -> Option<Variable> {
        let steps: Vec<String> = name.split('.').map(str::to_owned).collect();
        self.core.scope().find(&steps, Span::default()).ok()
    }

    /// The whole state, in the layout of the source.
    pub fn state(&self) -> Value {
        recording::write_state(&self.core, &self.created_at, &self.updated_at)
    }

    /// What there is in the state, in few words: each key with its type, its size, an example.
    pub fn summary(&self) -> Value {
        self.core.state_summary()
    }

    /// The state as it is now.
    pub fn snapshot(&self) -> Value {
        self.snapshot_at(self.core.history.snapshots.len().saturating_sub(1))
    }

    fn snapshot_at(&self, index: usize) -> Value {
        let snapshots = &self.core.history.snapshots;
        let before = index.checked_sub(1).and_then(|before| snapshots.get(before));
        let Some(snapshot) = snapshots.get(index) else { return Value::Null };
        let mut map = Map::default();
        put(&mut map, "hash", snapshot.hash());
        put(&mut map, "parent", before.map(|before| before.hash().to_owned()));
        put(&mut map, "step", snapshot.step);
        let candidates = snapshot.candidates.borrow();
        if !candidates.is_null() {
            put(&mut map, "candidates", candidates.clone());
        }
        map.into()
    }

    /// All snapshots, the first before all steps.
    pub fn snapshots(&self) -> Value {
        let count = self.core.history.snapshots.len();
        (0..count).map(|index| self.snapshot_at(index)).collect::<Vec<_>>().into()
    }

    /// A session of its own from a snapshot, or from where this one is. Nothing large is copied.
    pub fn fork(&self, hash: Option<&str>) -> Option<Session> {
        let mut core = self.core.clone();
        core.live.clear();
        core.cancelled.clear();
        core.running = Value::Null;
        let mut initial = self.initial.clone();
        if let Some(hash) = hash {
            let index = core.history.find(hash)?;
            let history: &mut History = Rc::make_mut(&mut core.history);
            history.snapshots.truncate(index + 1);
            let snapshot = history.snapshots.last()?.clone();
            // What led here may be half a plan, so a recording of the fork begins here.
            history.entries.clear();
            history.caps = core.caps.asked();
            core.exchanges = Rc::default();
            history.records.retain(|record| record.step <= snapshot.step);
            let kept = snapshot.step.min(history.commands.len());
            history.commands.truncate(kept);
            history.step = snapshot.step;
            let told = history.loaded.len() + history.records.len();
            history.dropped = history.dropped.min(snapshot.step.saturating_sub(told));
            core.variables = snapshot.variables.clone();
            core.weight = weight(&core.variables);
            core.context = Rc::new(Context::default());
            initial = recording::forked(&core);
        } else if !self.tasks.is_empty() || !self.core.running.is_null() {
            // What is under way, or was interrupted, is no part of the fork.
            let history = Rc::make_mut(&mut core.history);
            history.entries = self.entries();
            history.entries.push(Value::map([("kind", Value::from("fork"))]));
        }
        Some(Session {
            core,
            tasks: Slab::default(),
            initial,
            created_at: self.created_at.clone(),
            updated_at: self.updated_at.clone(),
            counting: None,
        })
    }

    /// Everything that a replay needs.
    pub fn recording(&self) -> Value {
        recording::write(&self.core, &self.initial, self.entries())
    }

    /// What happened, with the turns of what goes on.
    fn entries(&self) -> Vec<Value> {
        let mut entries = self.core.history.entries.clone();
        if let Some(counting) = self.counting {
            counting.write(&mut entries);
        }
        entries
    }

    /// Makes the session answer questions from a recording.
    pub fn replay_from(&mut self, exchanges: Exchanges, strict: bool) {
        let replaying = Replaying { exchanges, strict, ..Replaying::default() };
        self.core.replaying = Some(Rc::new(replaying));
    }

    /// Ends the replay: from now on the model is asked.
    pub fn replayed(&mut self) {
        self.core.replaying = None;
    }

    /// Each finding under a key with its sources.
    pub fn evidence(&self, key: &str) -> Option<Value> {
        let steps: Vec<String> = key.split('.').map(str::to_owned).collect();
        let is_held =
            steps.first().is_some_and(|first| self.core.context.contains_key(first.as_str()));
        let entry = state::entry(&self.core.variables, &steps);
        if let Some(entry) = entry.filter(|entry| !is_held && state::kind_of(entry).is_some()) {
            return Some(evidence_of(entry).into());
        }
        let found = self.held(key)?;
        let count = found.row_count().unwrap_or(1);
        let item = |index: usize| match &found {
            Variable::Rows(..) => found.row(index).unwrap_or_default(),
            Variable::Value(value, _) => value.clone(),
        };
        let line = |index: usize| finding(&item(index), &found.sources(index));
        Some((0..count).map(line).collect::<Vec<_>>().into())
    }
}

/// `{key, item, sources}` of each finding of a key.
fn evidence_of(entry: &Value) -> Vec<Value> {
    match state::payload(entry) {
        Value::List(items) => items
            .iter()
            .map(|item| finding(item, state::beside(entry, &item_key(item))))
            .collect::<Vec<_>>(),
        Value::Map(map) => {
            let mut each = Vec::new();
            for (key, item) in map.iter() {
                // What is declared inside has findings of its own.
                match entry.get(key).filter(|inner| state::kind_of(inner).is_some()) {
                    Some(inner) => each.extend(evidence_of(inner)),
                    None => each.push(Value::map([
                        ("key", Value::Text(key.clone())),
                        ("item", item.clone()),
                        ("sources", state::beside(entry, key).to_vec().into()),
                    ])),
                }
            }
            each
        }
        value => vec![finding(&value, &[])],
    }
}

fn finding(item: &Value, sources: &[Value]) -> Value {
    Value::map([
        ("key", Value::from(item_key(item))),
        ("item", item.clone()),
        ("sources", sources.to_vec().into()),
    ])
}
