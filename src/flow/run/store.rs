//! Store of a run: announced writes in the order of a sequential run, independent of the order in which steps end.

use super::step::{RunStep, StepWrite};
use crate::base::Value;
use crate::base::map::OrderedMap;
use crate::base::value::Map;

/// Initial values and announced writes by name.
#[derive(Debug, Default)]
pub struct RunStore {
    initial: Map,
    writes: OrderedMap<Vec<StepWrite>>,
}

/// View of the steps of a run.
#[derive(Clone, Copy)]
pub struct StepView<'a> {
    pub steps: &'a [RunStep],
    /// Index of the last step that counts; later ones were withdrawn.
    pub last: usize,
    /// Number of first steps that cannot be withdrawn.
    pub settled: usize,
}

impl<'a> StepView<'a> {
    fn value(self, write: StepWrite) -> Option<&'a Value> {
        let step = self.steps.get(write.step).filter(|_| write.step <= self.last)?;
        step.outputs.get(write.output)?.as_ref()
    }

    fn has_ended(self, write: StepWrite) -> bool {
        write.step > self.last || self.steps.get(write.step).is_some_and(RunStep::has_ended)
    }
}

impl RunStore {
    pub fn new(initial: Map) -> RunStore {
        RunStore { initial, writes: OrderedMap::default() }
    }

    /// Announces a write after all earlier ones, and drops the writes that no read can see any more.
    pub fn push(&mut self, name: &str, write: StepWrite, steps: StepView<'_>) {
        let index = self.writes.get_index_of(name);
        let index = index.unwrap_or_else(|| self.writes.insert_full(name.into(), Vec::new()).0);
        let Some((_, writes)) = self.writes.get_index_mut(index) else { return };
        writes.retain(|write| !steps.has_ended(*write) || steps.value(*write).is_some());
        let is_final =
            |write: &StepWrite| write.step < steps.settled && steps.value(*write).is_some();
        let last = writes.iter().rposition(is_final);
        writes.drain(..last.unwrap_or_default());
        writes.push(write);
    }

    /// Returns the writes that a read may see now, the latest first.
    pub fn visible_writes(&self, name: &str, steps: StepView<'_>) -> Vec<StepWrite> {
        let mut visible = Vec::new();
        for write in self.writes.get(name).into_iter().flatten().rev() {
            if steps.has_ended(*write) && steps.value(*write).is_none() {
                continue;
            }
            visible.push(*write);
            if !write.optional || steps.value(*write).is_some() {
                break;
            }
        }
        visible
    }

    /// Returns the value that a read sees once all its writes have ended.
    pub fn value<'a>(
        &'a self,
        name: &str,
        visible: &[StepWrite],
        steps: StepView<'a>,
    ) -> Option<&'a Value> {
        let written = visible.iter().find_map(|write| steps.value(*write));
        written.or_else(|| self.initial.get(name))
    }

    /// Returns all values; initial ones only if `is_shown`.
    pub fn all(&self, steps: StepView<'_>, is_shown: impl Fn(&str) -> bool) -> Map {
        let mut all = Map::default();
        for name in self.initial.keys().chain(self.writes.keys()) {
            let visible = self.visible_writes(name, steps);
            let written = visible.iter().find_map(|write| steps.value(*write));
            let initial = || self.initial.get(name).filter(|_| is_shown(name));
            all.extend(written.or_else(initial).map(|value| (name.clone(), value.clone())));
        }
        all
    }
}
