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
    /// In the order of their numbers.
    updates: VecDeque<(Revision, Past)>,
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
        let effective = !changes.is_empty();
        self.updates.push_back((self.last, Past::take(changes)));
        if effective {
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
        }
        if self.undo.len() > self.limit
            && let Some(oldest) = self.undo.pop_front()
        {
            self.forget(oldest);
        }
        if let Some(old) = self.last.checked_sub(self.window()) {
            self.forget(old);
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

    /// How many updates are remembered.
    pub fn count(&self) -> usize {
        self.updates.len()
    }

    /// Forgets the older half of all updates; whether there was one.
    pub fn forget_half(&mut self) -> bool {
        let half = self.updates.len().div_ceil(2);
        let older = (0..half).map_while(|_| self.updates.pop_front());
        let Some((oldest, _)) = older.last() else { return false };
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

    /// What an update changed, while it is remembered.
    pub fn update(&self, revision: Revision) -> Option<&[Change]> {
        if revision == NOTHING {
            return Some(&[]);
        }
        Some(self.updates.get(self.place(revision).ok()?)?.1.changes())
    }

    /// What was changed by an update and all after it, in their order, while all of them are remembered.
    pub fn since(&self, revision: Revision) -> Option<impl DoubleEndedIterator<Item = &[Change]>> {
        let place = self.place(revision).ok()?;
        let is_whole = self.updates.len() - place == (self.last - revision) as usize + 1;
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
