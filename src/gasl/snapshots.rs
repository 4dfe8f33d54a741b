//! Snapshots of the state: the current variables, and the changes that lead back to earlier ones.

use super::state::{META_KEY, PROVENANCE_KEY};
use super::state_change::StateChange;
use crate::base::Value;
use crate::base::hash::sha256;
use crate::base::value::{Map, canonical_json};
use std::cell::{Cell, OnceCell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;

/// State after a step. Its variables are computed from the current ones.
#[derive(Debug, Default)]
pub struct Snapshot {
    pub step: usize,
    /// Next plans that a model proposed.
    pub candidates: RefCell<Value>,
    hash: OnceCell<String>,
    is_hash_retained: Cell<bool>,
}

impl Snapshot {
    /// Creates a snapshot of which only the hash is known.
    pub fn from_hash(hash: &str) -> Snapshot {
        Snapshot { hash: OnceCell::from(hash.to_owned()), ..Snapshot::default() }
    }

    fn hash_or_compute(&self, variables: &Value) -> &str {
        self.hash.get_or_init(|| compute_hash(variables))
    }

    /// Keeps the hash when the snapshot is removed.
    pub fn retain_hash(&self) {
        self.is_hash_retained.set(true);
    }
}

/// Returns the SHA-256 of the canonical JSON (RFC 8785) of the variables without provenance.
fn compute_hash(variables: &Value) -> String {
    sha256(&canonical_json(&without_provenance(variables)))
}

fn without_provenance(entry: &Value) -> Value {
    let Value::Map(map) = entry else { return entry.clone() };
    let declared = map.contains_key(META_KEY);
    let mut data = Map::default();
    for (key, value) in map.iter().filter(|(key, _)| !(declared && &***key == PROVENANCE_KEY)) {
        data.insert(key.clone(), without_provenance(value));
    }
    data.into()
}

/// Snapshots of a session, the oldest first. Methods take the current variables, which are the state
/// of the last snapshot.
#[derive(Clone, Debug, Default)]
pub struct Snapshots {
    snapshots: VecDeque<Rc<Snapshot>>,
    /// Changes from each snapshot but the last to the next one, with their memory in bytes.
    changes: VecDeque<(Rc<[StateChange]>, usize)>,
    /// Memory of all changes in bytes.
    memory: usize,
    /// Number of removed snapshots.
    removed: usize,
}

impl Snapshots {
    /// Returns the number of snapshots that are kept.
    pub fn count(&self) -> usize {
        self.snapshots.len()
    }

    /// Returns the estimated memory of all changes in bytes.
    pub fn memory(&self) -> usize {
        self.memory
    }

    pub fn get(&self, index: usize) -> Option<&Rc<Snapshot>> {
        self.snapshots.get(index)
    }

    pub fn last(&self) -> Option<&Rc<Snapshot>> {
        self.snapshots.back()
    }

    /// Adds the initial state.
    pub fn add_initial(&mut self, step: usize) {
        self.snapshots.push_back(Rc::new(Snapshot { step, ..Snapshot::default() }));
    }

    /// Adds the current state, after the changes of a step. Removes the oldest snapshots while their
    /// memory is above `limit` bytes. Returns whether these are the first ones to be removed.
    pub fn add(
        &mut self,
        changes: Vec<StateChange>,
        step: usize,
        limit: usize,
        current: &Value,
    ) -> bool {
        let memory = changes.iter().map(StateChange::memory).sum();
        self.memory = self.memory.saturating_add(memory);
        self.changes.push_back((changes.into(), memory));
        self.add_initial(step);
        let before = self.removed;
        while self.memory > limit
            && let Some(oldest) = self.snapshots.front()
        {
            if oldest.is_hash_retained.get() {
                self.hash_at(0, current);
            }
            let Some((_, memory)) = self.changes.pop_front() else { break };
            self.snapshots.pop_front();
            self.memory -= memory;
            self.removed += 1;
        }
        before == 0 && self.removed > 0
    }

    /// Removes the snapshots after an index. Returns the variables at it.
    pub fn truncate(&mut self, index: usize, current: &Value) -> Value {
        let variables = self.variables_at(index, current);
        self.snapshots.truncate(index + 1);
        self.changes.truncate(index);
        self.memory = self.changes.iter().map(|(_, memory)| memory).sum();
        variables
    }

    fn variables_at(&self, index: usize, current: &Value) -> Value {
        let mut variables = current.clone();
        for (changes, _) in self.changes.iter().skip(index).rev() {
            changes.iter().rev().for_each(|change| change.revert(&mut variables));
        }
        variables
    }

    /// Returns the hash of a snapshot; an empty text if it was removed before its hash was computed.
    pub fn hash_of(&self, snapshot: &Rc<Snapshot>, current: &Value) -> String {
        let index = self.snapshots.iter().rposition(|one| Rc::ptr_eq(one, snapshot));
        match (snapshot.hash.get(), index) {
            (Some(hash), _) => hash.clone(),
            (None, Some(index)) => self.hash_at(index, current).unwrap_or_default(),
            (None, None) => String::new(),
        }
    }

    /// Returns the hash of the snapshot at an index, or `None` if there is none.
    pub fn hash_at(&self, index: usize, current: &Value) -> Option<String> {
        let snapshot = self.snapshots.get(index)?;
        let hash = match snapshot.hash.get() {
            Some(hash) => hash,
            None => snapshot.hash_or_compute(&self.variables_at(index, current)),
        };
        Some(hash.to_owned())
    }

    /// Returns the index of the last snapshot with this hash.
    pub fn find(&self, hash: &str, current: &Value) -> Option<usize> {
        self.visit_from_last(current, |found| found == hash)
    }

    /// Computes the hashes of all snapshots, in one pass over the changes.
    pub fn compute_hashes(&self, current: &Value) {
        self.visit_from_last(current, |_| false);
    }

    /// Passes the hashes from the last snapshot to the first, until a call returns true. Returns the
    /// index of that snapshot.
    fn visit_from_last(&self, current: &Value, is_found: impl Fn(&str) -> bool) -> Option<usize> {
        let mut variables = current.clone();
        for (index, snapshot) in self.snapshots.iter().enumerate().rev() {
            if let Some((changes, _)) = self.changes.get(index) {
                changes.iter().rev().for_each(|change| change.revert(&mut variables));
            }
            if is_found(snapshot.hash_or_compute(&variables)) {
                return Some(index);
            }
        }
        None
    }
}
