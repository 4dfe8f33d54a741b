//! What recent updates changed: for undo, redo, and whoever asks an update for its inverse.

use super::document::Change;
use std::collections::VecDeque;

/// The number of an update.
pub type Revision = u32;

/// The number of all updates that changed nothing and that nobody noted.
pub const NOTHING: Revision = Revision::MAX;

/// The recent updates.
pub struct History {
    limit: usize,
    last: Revision,
    /// Those that changed something, in the order of their numbers.
    updates: VecDeque<(Revision, Past)>,
    /// The last update that changed something and is no longer among them.
    forgotten: Revision,
    /// Up to which update all that are neither recent nor steps are forgotten.
    swept: Revision,
    undo: VecDeque<Revision>,
    redo: Vec<Revision>,
}

/// What an update changed. Most change one node, and allocate nothing.
enum Past {
    One(Change),
    Any(Vec<Change>),
}

impl Past {
    /// Takes the changes out; where it is one, their memory stays.
    fn take(changes: &mut Vec<Change>) -> Past {
        match changes.as_slice() {
            [one] => {
                let one = *one;
                changes.clear();
                Past::One(one)
            }
            _ => Past::Any(std::mem::take(changes)),
        }
    }

    fn changes(&self) -> &[Change] {
        match self {
            Past::One(change) => std::slice::from_ref(change),
            Past::Any(changes) => changes,
        }
    }

    fn changes_mut(&mut self) -> &mut [Change] {
        match self {
            Past::One(change) => std::slice::from_mut(change),
            Past::Any(changes) => changes,
        }
    }
}

/// What an update was for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    Update,
    Undo,
    Redo,
}

impl History {
    /// A history that can undo `limit` steps.
    pub fn new(limit: usize) -> History {
        History {
            limit,
            last: 0,
            updates: VecDeque::new(),
            forgotten: 0,
            swept: 0,
            undo: VecDeque::new(),
            redo: Vec::new(),
        }
    }

    /// The number of the last update.
    pub fn last(&self) -> Revision {
        self.last
    }

    /// Notes an update, whose changes it takes; one without effect is no step.
    pub fn note(&mut self, changes: &mut Vec<Change>, cause: Cause) {
        self.last += 1;
        if changes.is_empty() {
            return;
        }
        self.updates.push_back((self.last, Past::take(changes)));
        match cause {
            Cause::Update => {
                self.undo.push_back(self.last);
                if !self.redo.is_empty() {
                    let redo = std::mem::take(&mut self.redo);
                    redo.into_iter().for_each(|revision| self.forget(revision));
                }
            }
            Cause::Redo => self.undo.push_back(self.last),
            Cause::Undo => self.redo.push(self.last),
        }
        if self.undo.len() > self.limit
            && let Some(oldest) = self.undo.pop_front()
        {
            self.forget(oldest);
        }
        let old = self.last.saturating_sub(self.window());
        while self.swept < old {
            self.swept += 1;
            self.forget(self.swept);
        }
    }

    /// So many updates can be asked about, whether they can be undone or not.
    fn window(&self) -> Revision {
        self.limit.max(1) as Revision
    }

    /// Forgets an update that is neither recent nor a step.
    fn forget(&mut self, revision: Revision) {
        let recent = self.last - revision < self.window();
        let forgotten = self.updates.front().is_none_or(|(oldest, _)| *oldest > revision);
        if !recent
            && !forgotten
            && !self.is_step(revision)
            && self.redo.binary_search(&revision).is_err()
            && let Ok(place) = self.place(revision)
        {
            self.forgotten = self.forgotten.max(revision);
            // Mostly it is the oldest.
            match place {
                0 => drop(self.updates.pop_front()),
                place => drop(self.updates.remove(place)),
            }
        }
    }

    /// Whether it can be undone. Mostly it is older than all that can be.
    fn is_step(&self, revision: Revision) -> bool {
        self.undo.front().is_some_and(|oldest| *oldest <= revision)
            && self.undo.binary_search(&revision).is_ok()
    }

    /// How many updates that changed something are remembered.
    pub fn count(&self) -> usize {
        self.updates.len()
    }

    /// Forgets the older half of all updates; whether there was one.
    pub fn forget_half(&mut self) -> bool {
        let half = self.updates.len().div_ceil(2);
        let older = (0..half).map_while(|_| self.updates.pop_front());
        let Some((oldest, _)) = older.last() else { return false };
        self.forgotten = self.forgotten.max(oldest);
        while self.undo.front().is_some_and(|revision| *revision <= oldest) {
            self.undo.pop_front();
        }
        self.redo.retain(|revision| *revision > oldest);
        true
    }

    fn place(&self, revision: Revision) -> Result<usize, usize> {
        if self.updates.front().is_some_and(|(oldest, _)| *oldest == revision) {
            return Ok(0);
        }
        self.updates.binary_search_by_key(&revision, |(revision, _)| *revision)
    }

    /// What an update changed, while it is remembered. One that is still to come, as [`NOTHING`] is, has changed nothing.
    pub fn update(&self, revision: Revision) -> Option<&[Change]> {
        match self.place(revision) {
            Ok(place) => self.updates.get(place).map(|(_, past)| past.changes()),
            // What changed nothing is not kept.
            Err(_) => (revision > self.forgotten).then_some(&[]),
        }
    }

    /// What was changed by an update and all after it, in their order, while all of them are remembered.
    pub fn since(&self, revision: Revision) -> Option<impl DoubleEndedIterator<Item = &[Change]>> {
        let (Ok(place) | Err(place)) = self.place(revision);
        let is_whole = revision > self.forgotten;
        is_whole.then(|| self.updates.range(place..).map(|(_, past)| past.changes()))
    }

    /// Takes the step to undo or redo next: the values to go back to.
    pub fn take(&mut self, cause: Cause) -> Option<Vec<Change>> {
        let revision = match cause {
            Cause::Undo => self.undo.pop_back()?,
            Cause::Redo => self.redo.pop()?,
            Cause::Update => return None,
        };
        let past = self.update(revision).map(<[Change]>::to_vec);
        self.forget(revision);
        past
    }

    /// The values and nodes that the history refers to.
    pub fn entries_mut(&mut self) -> impl Iterator<Item = &mut Change> {
        self.updates.iter_mut().flat_map(|(_, past)| past.changes_mut())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ham::arena::{NodeRef, Value};

    fn changed(history: &mut History, cause: Cause) -> Revision {
        let change = Change { node: NodeRef(0), before: Value::Missing, deleted: false };
        history.note(&mut vec![change], cause);
        history.last()
    }

    fn unchanged(history: &mut History) -> Revision {
        history.note(&mut Vec::new(), Cause::Update);
        history.last()
    }

    /// How many changes of an update are remembered.
    fn count(history: &History, revision: Revision) -> Option<usize> {
        history.update(revision).map(<[_]>::len)
    }

    #[test]
    fn what_changed_nothing_takes_no_place() {
        let mut history = History::new(3);
        let first = changed(&mut history, Cause::Update);
        let nothing = (0..100).map(|_| unchanged(&mut history)).collect::<Vec<_>>();
        assert_eq!(history.count(), 1);
        assert_eq!(count(&history, first), Some(1));
        assert!(nothing.iter().all(|revision| count(&history, *revision) == Some(0)));
        assert_eq!(history.since(first).map(Iterator::count), Some(1));
        let later = [(); 3].map(|()| changed(&mut history, Cause::Update));
        assert_eq!(count(&history, first), None);
        assert!(history.since(first).is_none());
        assert_eq!(history.since(later[0]).map(Iterator::count), Some(3));
        assert_eq!(history.count(), 3);
    }

    #[test]
    fn what_is_neither_recent_nor_a_step_is_forgotten() {
        let mut history = History::new(4);
        let steps = [(); 2].map(|()| changed(&mut history, Cause::Update));
        for _ in 0..100 {
            assert!(history.take(Cause::Undo).is_some());
            changed(&mut history, Cause::Undo);
            unchanged(&mut history);
            assert!(history.take(Cause::Redo).is_some());
            changed(&mut history, Cause::Redo);
        }
        // The first step, and what four numbers hold.
        assert_eq!(count(&history, steps[0]), Some(1));
        assert_eq!(count(&history, steps[1]), None);
        assert!(history.count() <= 5, "{}", history.count());
        assert!(history.take(Cause::Undo).is_some());
        assert!(history.take(Cause::Undo).is_some());
        assert!(history.take(Cause::Undo).is_none());
    }
}
