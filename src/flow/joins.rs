//! Where what several points write meets: the iterated dominance frontier, found for one name at a
//! time without a look at the points between.

use super::control::Control;
use super::lists::{NONE, at, set};
use crate::base::map::{IntMap, pair, parts};
use std::collections::BinaryHeap;

/// All steps to points where ways join, in the order of the dominator tree.
pub(super) struct Joins {
    /// Where the point that each step begins at lies in that order.
    places: Vec<u32>,
    /// Where each leads.
    targets: Vec<u32>,
    /// A tree over the levels of these: the least of each pair, from the last pair to the first.
    least: Vec<u32>,
    /// The number of leaves of that tree.
    leaves: u32,
}

impl Joins {
    pub fn new(control: &Control) -> Joins {
        let exit = control.exit() as u32;
        let mut joins =
            Joins { places: Vec::new(), targets: Vec::new(), least: Vec::new(), leaves: 1 };
        for (place, point) in (0u32..).zip(control.tree.order()) {
            for step in control.steps_from(*point) {
                if step.to != exit && control.tree.parent(step.to) != Some(*point) {
                    joins.places.push(place);
                    joins.targets.push(step.to);
                }
            }
        }
        joins.leaves = joins.targets.len().next_power_of_two() as u32;
        joins.least = vec![NONE; 2 * joins.leaves as usize];
        for leaf in 0..joins.targets.len() as u32 {
            let level = control.tree.level(at(&joins.targets, leaf));
            set(&mut joins.least, joins.leaves + leaf, level);
        }
        for inner in (1..joins.leaves).rev() {
            joins.lift(inner);
        }
        joins
    }

    /// The points, other than the exit, where what these points write may meet something else.
    pub fn meeting_points(&mut self, control: &Control, writers: &[u32]) -> Vec<u32> {
        let tree = &control.tree;
        let mut found = Vec::new();
        if self.targets.is_empty() {
            return found;
        }
        let mut known = IntMap::default();
        // The deepest first: then a step that was found need not be found again, for whatever
        // looks for it later finds only what is less deep.
        let mut work: BinaryHeap<u64> =
            writers.iter().map(|point| pair(tree.level(*point), *point)).collect();
        let mut taken = Vec::new();
        while let Some((level, point)) = work.pop().map(parts) {
            let (start, end) = tree.span(point);
            let from = self.places.partition_point(|place| *place < start) as u32;
            let to = self.places.partition_point(|place| *place < end) as u32;
            while let Some(leaf) = self.first(from, to, level) {
                taken.push(leaf);
                self.put(leaf, NONE);
                let target = at(&self.targets, leaf);
                if known.insert(u64::from(target), 0).is_none() {
                    found.push(target);
                    work.push(pair(tree.level(target), target));
                }
            }
        }
        for leaf in taken {
            self.put(leaf, tree.level(at(&self.targets, leaf)));
        }
        found.sort_unstable();
        found
    }

    /// The first step from `from` to before `to` that leads to `level` or above.
    fn first(&self, from: u32, to: u32, level: u32) -> Option<u32> {
        if from >= to {
            return None;
        }
        // Upwards to the first subtree from `from` on that has one, then down in it.
        let mut here = self.leaves + from;
        while at(&self.least, here) == NONE || at(&self.least, here) > level {
            while here & 1 == 1 {
                here >>= 1;
            }
            if here == 0 {
                return None;
            }
            here += 1;
        }
        while here < self.leaves {
            here *= 2;
            if at(&self.least, here) > level {
                here += 1;
            }
        }
        Some(here - self.leaves).filter(|leaf| *leaf < to)
    }

    fn put(&mut self, leaf: u32, level: u32) {
        let mut here = self.leaves + leaf;
        set(&mut self.least, here, level);
        while here > 1 {
            here >>= 1;
            self.lift(here);
        }
    }

    fn lift(&mut self, inner: u32) {
        let least = at(&self.least, 2 * inner).min(at(&self.least, 2 * inner + 1));
        set(&mut self.least, inner, least);
    }
}
