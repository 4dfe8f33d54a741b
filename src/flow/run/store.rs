//! What a run has written so far, in the order in which its steps would come one after another,
//! whichever of them has ended first.

use super::Step;
use crate::base::Value;
use crate::base::map::OrderedMap;
use crate::base::value::Map;

/// The values by the names that they are stored under.
#[derive(Debug, Default)]
pub struct Store {
    /// What was there at the beginning.
    entry: Map,
    written: OrderedMap<Vec<Write>>,
}

/// That a step may write an output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Write {
    pub step: usize,
    /// The place of the output among those of its node.
    pub output: usize,
    /// Whether the step may leave it out.
    pub optional: bool,
}

/// What has become of the steps.
#[derive(Clone, Copy)]
pub struct Steps<'a> {
    pub steps: &'a [Step],
    /// Steps behind this one count as if they had not been.
    pub last: usize,
    /// So many at the beginning are what they are: nothing that is still on its way can take them back.
    pub settled: usize,
}

impl<'a> Steps<'a> {
    fn value(self, write: Write) -> Option<&'a Value> {
        let step = self.steps.get(write.step).filter(|_| write.step <= self.last)?;
        step.outputs.get(write.output)?.as_ref()
    }

    fn has_ended(self, write: Write) -> bool {
        write.step > self.last || self.steps.get(write.step).is_some_and(Step::has_ended)
    }
}

impl Store {
    pub fn new(entry: Map) -> Store {
        Store { entry, written: OrderedMap::default() }
    }

    /// Notes that a step will write under a name, after all that have been noted.
    pub fn push(&mut self, name: &str, write: Write, steps: Steps<'_>) {
        let place = self.written.get_index_of(name);
        let place = place.unwrap_or_else(|| self.written.insert_full(name.into(), Vec::new()).0);
        let Some((_, writes)) = self.written.get_index_mut(place) else { return };
        // What has ended without writing, and what was written before what has been written since and
        // stays, is nothing that anybody will read.
        writes.retain(|write| !steps.has_ended(*write) || steps.value(*write).is_some());
        let stays = |write: &Write| write.step < steps.settled && steps.value(*write).is_some();
        let last = writes.iter().rposition(stays);
        writes.drain(..last.unwrap_or_default());
        writes.push(write);
    }

    /// All writes that a read of a name may see now, the latest first.
    pub fn seen(&self, name: &str, steps: Steps<'_>) -> Vec<Write> {
        let mut seen = Vec::new();
        for write in self.written.get(name).into_iter().flatten().rev() {
            if steps.has_ended(*write) && steps.value(*write).is_none() {
                continue;
            }
            seen.push(*write);
            if !write.optional || steps.value(*write).is_some() {
                break;
            }
        }
        seen
    }

    /// What a read sees, once all of those have ended.
    pub fn value<'a>(&'a self, name: &str, seen: &[Write], steps: Steps<'a>) -> Option<&'a Value> {
        let written = seen.iter().find_map(|write| steps.value(*write));
        written.or_else(|| self.entry.get(name))
    }

    /// Everything that stands in the store; of what was there at the beginning, what is shown.
    pub fn all(&self, steps: Steps<'_>, is_shown: impl Fn(&str) -> bool) -> Map {
        let mut all = Map::default();
        for name in self.entry.keys().chain(self.written.keys()) {
            let seen = self.seen(name, steps);
            let written = seen.iter().find_map(|write| steps.value(*write));
            let given = || self.entry.get(name).filter(|_| is_shown(name));
            all.extend(written.or_else(given).map(|value| (name.clone(), value.clone())));
        }
        all
    }
}
