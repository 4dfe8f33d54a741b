//! The records of all steps, the snapshots of the state behind them, and what a replay needs.

use super::record::Record;
use super::state::{META, PROVENANCE};
use crate::base::Value;
use crate::base::hash::sha256;
use crate::base::value::{Map, canonical};
use std::cell::OnceCell;
use std::collections::VecDeque;
use std::rc::Rc;

/// So many records are kept; how many are gone is counted.
pub const KEPT: usize = 500;

/// So many rows are kept as values for what is told of the results that they are.
const ROWS: usize = 100_000;

/// So many numbers of rows are kept for it, of four bytes each. What is told of half a million rows takes a second.
const NUMBERS: usize = 1 << 27;

/// What happened in a session.
#[derive(Clone, Debug, Default)]
pub struct History {
    /// The records that the state held when it was given.
    pub loaded: Rc<[Value]>,
    /// The last records of this session.
    pub records: VecDeque<Rc<Record>>,
    /// The caps at the beginning.
    pub caps: Value,
    /// Records that are no longer kept.
    pub dropped: usize,
    /// The number of the last step.
    pub step: usize,
    /// Every command that was run.
    pub commands: Vec<Rc<str>>,
    /// What the host asked for, in order: commands, plans and questions.
    pub entries: Vec<Value>,
    /// The state after each step that changed it, the first before all steps.
    pub snapshots: Vec<Rc<Snapshot>>,
}

/// The state as it was after a step. Whatever did not change is shared with the one before.
#[derive(Debug, Default)]
pub struct Snapshot {
    /// The variables.
    pub variables: Value,
    /// The step that made it.
    pub step: usize,
    /// What a loop could have done next, as its model proposed.
    pub candidates: std::cell::RefCell<Value>,
    hash: OnceCell<String>,
}

impl Snapshot {
    /// A snapshot of these variables.
    pub fn new(variables: Value, step: usize) -> Snapshot {
        Snapshot { variables, step, ..Snapshot::default() }
    }

    /// A snapshot of which nothing but its hash is known.
    pub fn of_hash(hash: &str) -> Snapshot {
        Snapshot { hash: OnceCell::from(hash.to_owned()), ..Snapshot::default() }
    }

    /// SHA-256 of the canonical JSON (RFC 8785) of the variables without provenance.
    pub fn hash(&self) -> &str {
        self.hash.get_or_init(|| sha256(&canonical(&without_provenance(&self.variables))))
    }
}

/// What the hash is of: the same findings, whichever run found them.
fn without_provenance(entry: &Value) -> Value {
    let Value::Map(map) = entry else { return entry.clone() };
    let declared = map.contains_key(META);
    let mut data = Map::default();
    for (key, value) in map.iter().filter(|(key, _)| !(declared && &***key == PROVENANCE)) {
        data.insert(key.clone(), without_provenance(value));
    }
    data.into()
}

impl History {
    /// Keeps what could be done next on the snapshot at hand, behind what was proposed there before.
    pub fn keep_candidates(&self, candidates: &[Value]) {
        let Some(snapshot) = self.snapshots.last().filter(|_| !candidates.is_empty()) else {
            return;
        };
        let mut kept = snapshot.candidates.borrow_mut();
        let before = kept.as_list().unwrap_or_default();
        *kept = Value::list([before, candidates].concat());
    }

    /// The number of the step that begins.
    pub fn take_number(&mut self) -> usize {
        self.step = self.step.saturating_add(1);
        self.step
    }

    /// Keeps a record, and lets the oldest go.
    pub fn push(&mut self, record: Rc<Record>) {
        self.commands.push(record.command.as_str().into());
        self.records.push_back(record);
        let over = (self.loaded.len() + self.records.len()).saturating_sub(KEPT);
        let of_loaded = over.min(self.loaded.len());
        if of_loaded > 0 {
            self.loaded = self.loaded.iter().skip(of_loaded).cloned().collect();
        }
        self.records.drain(..over - of_loaded);
        self.dropped += over;
        self.let_rows_go();
    }

    /// Where old results and those behind them keep many rows, makes what is told of them, so that their rows go.
    fn let_rows_go(&self) {
        let (mut rows, mut all_numbers) = (0, 0);
        for Record { summary, .. } in self.records.iter().rev().map(|record| &**record) {
            let (made, numbers) = (summary.made(), summary.numbers());
            rows += made;
            all_numbers += numbers;
            // What keeps none has nothing to let go, and what is told of it may be dear.
            if made > 0 && rows > ROWS || numbers > 0 && all_numbers > NUMBERS {
                summary.told();
            }
        }
    }

    /// The last records, those that came with the state among them.
    pub fn recent(&self, most: usize) -> Vec<Value> {
        let own = self.records.iter().map(|record| record.told());
        let all = self.loaded.len() + self.records.len();
        self.loaded.iter().cloned().chain(own).skip(all.saturating_sub(most)).collect::<Vec<_>>()
    }

    /// Keeps the state, if it is another one.
    pub fn snapshot(&mut self, variables: &Value) {
        let same = self.snapshots.last().is_some_and(|last| shared(&last.variables, variables));
        if !same {
            let snapshot = Snapshot::new(variables.clone(), self.step);
            self.snapshots.push(Rc::new(snapshot));
        }
    }

    /// The place of the last snapshot with this hash.
    pub fn find(&self, hash: &str) -> Option<usize> {
        self.snapshots.iter().rposition(|snapshot| snapshot.hash() == hash)
    }
}

/// Whether two values are the same piece of memory.
fn shared(a: &Value, b: &Value) -> bool {
    matches!((a, b), (Value::Map(a), Value::Map(b)) if Rc::ptr_eq(a, b))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gasl::record::Status;
    use crate::gasl::summary::Summary;
    use crate::gasl::variable::{Rows, Values, Variable};
    use std::cell::Cell;

    /// Many rows, which are kept or not; and whether somebody has looked at one.
    #[derive(Default)]
    struct Watched {
        kept: bool,
        numbers: usize,
        seen: Rc<Cell<bool>>,
    }

    impl Rows for Watched {
        fn len(&self) -> usize {
            ROWS / 2
        }
        fn row(&self, _: usize) -> Option<Value> {
            self.seen.set(true);
            None
        }
        fn values<'a>(&'a self, _: &'a str) -> Values<'a> {
            Box::new(|_| None)
        }
        fn made(&self) -> usize {
            if self.kept { self.len() } else { 0 }
        }
        fn numbers(&self) -> usize {
            self.numbers
        }
        fn sources(&self, _: usize) -> Rc<[Value]> {
            Rc::default()
        }
        fn source_count(&self) -> usize {
            0
        }
        fn fields(&self) -> Vec<String> {
            Vec::new()
        }
        fn pick(&self, _: &[usize]) -> Rc<dyn Rows> {
            Rc::new(Watched { seen: self.seen.clone(), ..*self })
        }
    }

    /// The step of such a result, and whether its rows have been looked at.
    fn step(history: &mut History, kept: bool, numbers: usize) -> Rc<Cell<bool>> {
        let seen = Rc::default();
        let rows = Rc::new(Watched { kept, numbers, seen: Rc::clone(&seen) });
        let step = history.take_number();
        history.push(Rc::new(Record {
            step,
            command: String::new(),
            why: String::new(),
            status: Status::Success,
            metrics: Map::default(),
            summary: Summary::of(Some(Variable::Rows(rows, 0))),
            started_at: String::new(),
            finished_at: String::new(),
            errors: Vec::new(),
        }));
        seen
    }

    #[test]
    fn old_results_that_keep_rows_are_told_and_others_stay_as_they_are() {
        let mut history = History::default();
        let steps = [false, true, false, true, true, false].map(|kept| step(&mut history, kept, 0));
        let told = steps.map(|seen| seen.get());
        // The last two that keep rows may keep them.
        assert_eq!(told, [false, true, false, false, false, false]);
        let made: Vec<usize> = history.records.iter().map(|each| each.summary.made()).collect();
        assert_eq!(made, [0, 0, 0, ROWS / 2, ROWS / 2, 0]);
    }

    #[test]
    fn old_results_that_keep_many_numbers_are_told() {
        let mut history = History::default();
        let steps = [NUMBERS, 0, NUMBERS / 2, NUMBERS / 2];
        let told = steps.map(|numbers| step(&mut history, false, numbers)).map(|seen| seen.get());
        assert_eq!(told, [true, false, false, false]);
    }
}
