//! Session history: step records, state snapshots and the data of a replay.

use super::record::{Record, SHOWN_KEY};
use super::shown::from_loaded_record;
use super::snapshots::Snapshots;
use crate::base::Value;
use std::collections::VecDeque;
use std::rc::Rc;

/// Maximum number of stored records.
pub const MAX_RECORDS: usize = 500;

/// Maximum number of materialized rows that records hold for their summaries.
const MAX_MATERIALIZED_ROWS: usize = 100_000;

/// Maximum number of row indices, of four bytes each, that records hold for their summaries. The
/// summary of half a million rows takes a second.
const MAX_ROW_INDICES: usize = 1 << 27;

/// History of a session.
#[derive(Clone, Debug, Default)]
pub struct SessionHistory {
    /// Records of the loaded state.
    pub loaded: Rc<[Value]>,
    /// Latest records of this session.
    pub records: VecDeque<Rc<Record>>,
    /// Initial caps.
    pub caps: Value,
    /// Number of removed records.
    pub dropped: usize,
    /// Number of the last step.
    pub step: usize,
    /// Number of the last step before each plan.
    pub plan_starts: Vec<usize>,
    /// All executed commands.
    pub commands: Vec<Rc<str>>,
    /// Requests of the host in order: commands, plans and questions.
    pub entries: Vec<Value>,
    /// Initial state, and the state after each step that changed it.
    pub snapshots: Snapshots,
}

impl SessionHistory {
    /// Appends proposed plans to the last snapshot.
    pub fn add_candidates(&self, candidates: &[Value]) {
        let Some(snapshot) = self.snapshots.last().filter(|_| !candidates.is_empty()) else {
            return;
        };
        let mut all = snapshot.candidates.borrow_mut();
        let previous = all.as_list().unwrap_or_default();
        *all = Value::list([previous, candidates].concat());
    }

    /// Counts a step and returns its number.
    pub fn next_step(&mut self) -> usize {
        self.step = self.step.saturating_add(1);
        self.step
    }

    /// Adds a record and removes the oldest above the limit.
    pub fn add_record(&mut self, record: Rc<Record>) {
        self.commands.push(record.command.as_str().into());
        self.records.push_back(record);
        let excess = (self.loaded.len() + self.records.len()).saturating_sub(MAX_RECORDS);
        let excess_loaded = excess.min(self.loaded.len());
        if excess_loaded > 0 {
            self.loaded = self.loaded.iter().skip(excess_loaded).cloned().collect();
        }
        self.records.drain(..excess - excess_loaded);
        self.dropped += excess;
        self.release_rows();
    }

    /// Computes the summaries of old results, which releases their rows, while newer results hold more
    /// rows than the limits.
    fn release_rows(&self) {
        let (mut all_rows, mut all_indices) = (0, 0);
        for Record { summary, .. } in self.records.iter().rev().map(|record| &**record) {
            let (rows, indices) = (summary.materialized_count(), summary.index_count());
            all_rows += rows;
            all_indices += indices;
            // A result without rows has nothing to release, and its summary may be expensive.
            if rows > 0 && all_rows > MAX_MATERIALIZED_ROWS
                || indices > 0 && all_indices > MAX_ROW_INDICES
            {
                summary.compute();
            }
        }
    }

    /// Returns the number of the last step before the last plan.
    pub fn last_plan_start(&self) -> usize {
        self.plan_starts.last().copied().unwrap_or_default()
    }

    /// Returns the number of steps, with removed records.
    pub fn step_count(&self) -> usize {
        self.dropped + self.loaded.len() + self.records.len()
    }

    /// Returns up to `max` of the latest records for a prompt, including those of the loaded state.
    pub fn recent_records(&self, max: usize) -> Vec<Value> {
        let start = self.last_plan_start();
        let own = self.records.iter().map(|record| record.to_prompt_value(record.step > start));
        let all = self.loaded.len() + self.records.len();
        self.loaded.iter().cloned().chain(own).skip(all.saturating_sub(max)).collect::<Vec<_>>()
    }

    /// Returns the lines of each `SHOW` of the last plan.
    pub fn shown_lines(&self) -> Vec<Value> {
        let start = self.last_plan_start();
        let is_recent = |step: Option<f64>| step.is_some_and(|step| step > start as f64);
        let loaded = self.loaded.iter();
        let loaded = loaded.filter(|one| is_recent(one.get("step").and_then(Value::as_number)));
        let loaded = loaded.filter_map(|record| {
            record.get(SHOWN_KEY).cloned().or_else(|| from_loaded_record(record))
        });
        let own = self.records.iter().filter(|record| record.step > start);
        let own = own.map(|record| record.shown_lines.clone()).filter(|shown| !shown.is_null());
        loaded.chain(own).collect()
    }

    /// Returns the number of records since the start of the last plan.
    pub fn last_plan_len(&self) -> usize {
        let start = self.last_plan_start() as f64;
        let steps = self.loaded.iter().filter_map(|record| record.get("step")?.as_number());
        let steps = steps.chain(self.records.iter().map(|record| record.step as f64));
        steps.filter(|step| *step > start).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::value::Map;
    use crate::gasl::language::ast::Command;
    use crate::gasl::record::StepStatus;
    use crate::gasl::summary::Summary;
    use crate::gasl::variable::{Rows, Values, Variable};
    use std::cell::Cell;

    /// Rows that note whether one of them was read.
    #[derive(Default)]
    struct ObservedRows {
        materialized: bool,
        indices: usize,
        read: Rc<Cell<bool>>,
    }

    impl Rows for ObservedRows {
        fn len(&self) -> usize {
            MAX_MATERIALIZED_ROWS / 2
        }
        fn row(&self, _: usize) -> Option<Value> {
            self.read.set(true);
            None
        }
        fn values<'a>(&'a self, _: &'a str) -> Values<'a> {
            Box::new(|_| None)
        }
        fn materialized_count(&self) -> usize {
            if self.materialized { self.len() } else { 0 }
        }
        fn index_count(&self) -> usize {
            self.indices
        }
        fn sources(&self, _: usize) -> Rc<[Value]> {
            Rc::default()
        }
        fn distinct_source_count(&self) -> usize {
            0
        }
        fn fields(&self) -> Vec<String> {
            Vec::new()
        }
        fn pick(&self, _: &[usize]) -> Rc<dyn Rows> {
            Rc::new(ObservedRows { read: self.read.clone(), ..*self })
        }
    }

    /// Adds a step with such a result. Returns whether its rows have been read.
    fn add_step(
        history: &mut SessionHistory,
        materialized: bool,
        indices: usize,
    ) -> Rc<Cell<bool>> {
        let read = Rc::default();
        let rows = Rc::new(ObservedRows { materialized, indices, read: Rc::clone(&read) });
        let step = history.next_step();
        history.add_record(Rc::new(Record {
            step,
            command: String::new(),
            why: String::new(),
            status: StepStatus::Success,
            metrics: Map::default(),
            summary: Summary::from_result(Some(Variable::Rows(rows, 0))),
            executed: Rc::new(Command::Complete { text: String::new() }),
            shown_lines: Value::Null,
            started_at: String::new(),
            finished_at: String::new(),
            errors: Vec::new(),
        }));
        read
    }

    #[test]
    fn push_releases_materialized_rows_of_old_results() {
        let mut history = SessionHistory::default();
        let steps = [false, true, false, true, true, false]
            .map(|materialized| add_step(&mut history, materialized, 0));
        let read = steps.map(|read| read.get());
        // The last two results may hold their rows.
        assert_eq!(read, [false, true, false, false, false, false]);
        let rows: Vec<usize> =
            history.records.iter().map(|each| each.summary.materialized_count()).collect();
        assert_eq!(rows, [0, 0, 0, MAX_MATERIALIZED_ROWS / 2, MAX_MATERIALIZED_ROWS / 2, 0]);
    }

    #[test]
    fn push_releases_row_indices_of_old_results() {
        let mut history = SessionHistory::default();
        let steps = [MAX_ROW_INDICES, 0, MAX_ROW_INDICES / 2, MAX_ROW_INDICES / 2];
        let steps = steps.map(|indices| add_step(&mut history, false, indices));
        assert_eq!(steps.map(|read| read.get()), [true, false, false, false]);
    }
}
