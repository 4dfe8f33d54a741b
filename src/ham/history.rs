//! Changes of recent updates, for undo, redo and inverses.

use super::document::NodeChange;
use std::collections::VecDeque;

/// Sequence number of an update.
pub type Revision = u32;

/// Revision of updates that changed nothing and were not recorded.
pub const NO_REVISION: Revision = Revision::MAX;

/// Recorded updates with the undo and redo steps.
pub struct History {
    limit: usize,
    last: Revision,
    /// Updates with changes, by revision.
    updates: VecDeque<(Revision, RecordedChanges)>,
    /// Last update with changes that was dropped.
    last_dropped: Revision,
    /// Revision up to which unused updates have been dropped.
    swept_to: Revision,
    undo: VecDeque<Revision>,
    redo: Vec<Revision>,
}

/// Changes of an update. One change is stored without an allocation.
enum RecordedChanges {
    One(NodeChange),
    Any(Vec<NodeChange>),
}

impl RecordedChanges {
    /// Moves the changes out of the vector. If there is only one, the vector keeps its memory.
    fn drain_from(changes: &mut Vec<NodeChange>) -> RecordedChanges {
        match changes.as_slice() {
            [one] => {
                let one = *one;
                changes.clear();
                RecordedChanges::One(one)
            }
            _ => RecordedChanges::Any(std::mem::take(changes)),
        }
    }

    fn changes(&self) -> &[NodeChange] {
        match self {
            RecordedChanges::One(change) => std::slice::from_ref(change),
            RecordedChanges::Any(changes) => changes,
        }
    }

    fn changes_mut(&mut self) -> &mut [NodeChange] {
        match self {
            RecordedChanges::One(change) => std::slice::from_mut(change),
            RecordedChanges::Any(changes) => changes,
        }
    }
}

/// Reason for an update.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    Update,
    Undo,
    Redo,
}

impl History {
    /// Creates a history with at most `limit` undo steps.
    pub fn new(limit: usize) -> History {
        History {
            limit,
            last: 0,
            updates: VecDeque::new(),
            last_dropped: 0,
            swept_to: 0,
            undo: VecDeque::new(),
            redo: Vec::new(),
        }
    }

    /// Returns the revision of the last update.
    pub fn last_revision(&self) -> Revision {
        self.last
    }

    /// Records an update and drains its changes. An update without changes is not an undo step.
    pub fn record(&mut self, changes: &mut Vec<NodeChange>, cause: Cause) {
        self.last += 1;
        if changes.is_empty() {
            return;
        }
        self.updates.push_back((self.last, RecordedChanges::drain_from(changes)));
        match cause {
            Cause::Update => {
                self.undo.push_back(self.last);
                if !self.redo.is_empty() {
                    let redo = std::mem::take(&mut self.redo);
                    redo.into_iter().for_each(|revision| self.drop_if_unused(revision));
                }
            }
            Cause::Redo => self.undo.push_back(self.last),
            Cause::Undo => self.redo.push(self.last),
        }
        if self.undo.len() > self.limit
            && let Some(oldest) = self.undo.pop_front()
        {
            self.drop_if_unused(oldest);
        }
        let old = self.last.saturating_sub(self.recent_count());
        while self.swept_to < old {
            self.swept_to += 1;
            self.drop_if_unused(self.swept_to);
        }
    }

    /// Returns the number of updates whose changes are always kept.
    fn recent_count(&self) -> Revision {
        self.limit.max(1) as Revision
    }

    /// Drops an update that is neither recent nor an undo or redo step.
    fn drop_if_unused(&mut self, revision: Revision) {
        let recent = self.last - revision < self.recent_count();
        let is_dropped = self.updates.front().is_none_or(|(oldest, _)| *oldest > revision);
        if !recent
            && !is_dropped
            && !self.is_undo_step(revision)
            && self.redo.binary_search(&revision).is_err()
            && let Ok(index) = self.index_of(revision)
        {
            self.last_dropped = self.last_dropped.max(revision);
            // Usually it is the oldest one.
            match index {
                0 => drop(self.updates.pop_front()),
                index => drop(self.updates.remove(index)),
            }
        }
    }

    /// Returns whether a revision is an undo step. Usually it is older than all of them.
    fn is_undo_step(&self, revision: Revision) -> bool {
        self.undo.front().is_some_and(|oldest| *oldest <= revision)
            && self.undo.binary_search(&revision).is_ok()
    }

    /// Returns the number of recorded updates with changes.
    pub fn stored_count(&self) -> usize {
        self.updates.len()
    }

    /// Drops the older half of the updates. Returns `false` if there was none.
    pub fn drop_oldest_half(&mut self) -> bool {
        let half = self.updates.len().div_ceil(2);
        let older = (0..half).map_while(|_| self.updates.pop_front());
        let Some((oldest, _)) = older.last() else { return false };
        self.last_dropped = self.last_dropped.max(oldest);
        while self.undo.front().is_some_and(|revision| *revision <= oldest) {
            self.undo.pop_front();
        }
        self.redo.retain(|revision| *revision > oldest);
        true
    }

    fn index_of(&self, revision: Revision) -> Result<usize, usize> {
        if self.updates.front().is_some_and(|(oldest, _)| *oldest == revision) {
            return Ok(0);
        }
        self.updates.binary_search_by_key(&revision, |(revision, _)| *revision)
    }

    /// Returns the changes of an update, or `None` if they were dropped. A future revision, such as
    /// [`NO_REVISION`], has none.
    pub fn changes_of(&self, revision: Revision) -> Option<&[NodeChange]> {
        match self.index_of(revision) {
            Ok(index) => self.updates.get(index).map(|(_, changes)| changes.changes()),
            // Updates without changes are not stored.
            Err(_) => (revision > self.last_dropped).then_some(&[]),
        }
    }

    /// Returns the changes of an update and all later ones, oldest first, or `None` if some were
    /// dropped.
    pub fn changes_since(
        &self,
        revision: Revision,
    ) -> Option<impl DoubleEndedIterator<Item = &[NodeChange]>> {
        let (Ok(index) | Err(index)) = self.index_of(revision);
        let is_complete = revision > self.last_dropped;
        is_complete.then(|| self.updates.range(index..).map(|(_, changes)| changes.changes()))
    }

    /// Removes the next undo or redo step. Returns its revision and its changes, which hold the values
    /// to restore. [`History::end_step`] or [`History::restore_step`] must follow.
    pub fn pop_step(&mut self, cause: Cause) -> Option<(Revision, Vec<NodeChange>)> {
        let revision = match cause {
            Cause::Undo => self.undo.pop_back()?,
            Cause::Redo => self.redo.pop()?,
            Cause::Update => return None,
        };
        Some((revision, self.changes_of(revision)?.to_vec()))
    }

    /// Ends a step that was performed.
    pub fn end_step(&mut self, revision: Revision) {
        self.drop_if_unused(revision);
    }

    /// Adds a step again that was not performed.
    pub fn restore_step(&mut self, cause: Cause, revision: Revision) {
        match cause {
            Cause::Undo => self.undo.push_back(revision),
            Cause::Redo => self.redo.push(revision),
            Cause::Update => {}
        }
    }

    pub fn changes_mut(&mut self) -> impl Iterator<Item = &mut NodeChange> {
        self.updates.iter_mut().flat_map(|(_, changes)| changes.changes_mut())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ham::arena::{NodeRef, Value};

    fn record_change(history: &mut History, cause: Cause) -> Revision {
        let change = NodeChange { node: NodeRef(0), before: Value::Missing, deleted: false };
        history.record(&mut vec![change], cause);
        history.last_revision()
    }

    fn record_no_change(history: &mut History) -> Revision {
        history.record(&mut Vec::new(), Cause::Update);
        history.last_revision()
    }

    fn change_count(history: &History, revision: Revision) -> Option<usize> {
        history.changes_of(revision).map(<[_]>::len)
    }

    #[test]
    fn unchanged_updates_are_not_stored() {
        let mut history = History::new(3);
        let first = record_change(&mut history, Cause::Update);
        let unchanged_revisions =
            (0..100).map(|_| record_no_change(&mut history)).collect::<Vec<_>>();
        assert_eq!(history.stored_count(), 1);
        assert_eq!(change_count(&history, first), Some(1));
        assert!(
            unchanged_revisions.iter().all(|revision| change_count(&history, *revision) == Some(0))
        );
        assert_eq!(history.changes_since(first).map(Iterator::count), Some(1));
        let later = [(); 3].map(|()| record_change(&mut history, Cause::Update));
        assert_eq!(change_count(&history, first), None);
        assert!(history.changes_since(first).is_none());
        assert_eq!(history.changes_since(later[0]).map(Iterator::count), Some(3));
        assert_eq!(history.stored_count(), 3);
    }

    #[test]
    fn unused_updates_are_dropped() {
        let mut history = History::new(4);
        let steps = [(); 2].map(|()| record_change(&mut history, Cause::Update));
        for _ in 0..100 {
            for cause in [Cause::Undo, Cause::Redo] {
                let (revision, _) = history.pop_step(cause).unwrap();
                history.restore_step(cause, revision);
                assert_eq!(history.pop_step(cause).map(|(again, _)| again), Some(revision));
                record_change(&mut history, cause);
                history.end_step(revision);
                record_no_change(&mut history);
            }
        }
        // The first step, and a window of four revisions.
        assert_eq!(change_count(&history, steps[0]), Some(1));
        assert_eq!(change_count(&history, steps[1]), None);
        assert!(history.stored_count() <= 5, "{}", history.stored_count());
        assert!(history.pop_step(Cause::Undo).is_some());
        assert!(history.pop_step(Cause::Undo).is_some());
        assert!(history.pop_step(Cause::Undo).is_none());
    }
}
