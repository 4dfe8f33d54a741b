//! Store of a run: announced writes in the order of a sequential run, independent of the order in which steps end.

use super::step::{RunStep, StepWrite};
use crate::base::Value;
use crate::base::map::OrderedMap;
use crate::base::value::Map;

/// Initial values and announced writes by name.
#[derive(Debug, Default)]
pub struct RunStore {
    initial: Map,
    writes: OrderedMap<NameWrites>,
}

/// Announced writes of a name.
#[derive(Debug, Default)]
struct NameWrites {
    list: Vec<StepWrite>,
    /// Length of the list from which on it is pruned.
    prune_length: usize,
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

    /// Announces a write after all earlier ones.
    pub fn push(&mut self, name: &str, write: StepWrite, steps: StepView<'_>) {
        let index = self.writes.get_index_of(name);
        let new = || self.writes.insert_full(name.into(), NameWrites::default()).0;
        let index = index.unwrap_or_else(new);
        let Some((_, writes)) = self.writes.get_index_mut(index) else { return };
        writes.list.push(write);
        // The length doubles between two scans, because thousands of nodes may be suspended at once.
        if writes.list.len() > writes.prune_length {
            writes.prune(steps);
        }
    }

    /// Returns the writes that a read may see now, the latest first.
    pub fn visible_writes(&self, name: &str, steps: StepView<'_>) -> Vec<StepWrite> {
        let mut visible = Vec::new();
        let writes = self.writes.get(name).into_iter().flat_map(|writes| writes.list.iter().rev());
        for write in writes {
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

impl NameWrites {
    /// Drops the writes that no read can see any more.
    fn prune(&mut self, steps: StepView<'_>) {
        let list = &mut self.list;
        // The newest write has no step yet.
        let newest = list.pop();
        list.retain(|write| !steps.has_ended(*write) || steps.value(*write).is_some());
        let is_final =
            |write: &StepWrite| write.step < steps.settled && steps.value(*write).is_some();
        let last = list.iter().rposition(is_final);
        list.drain(..last.unwrap_or_default());
        list.extend(newest);
        self.prune_length = 2 * list.len() + 2;
    }
}
