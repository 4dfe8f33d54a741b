//! Lists of numbers that are looked up by number, one behind the other, and walks along them.

use std::ops::Range;

/// What is not there.
pub(super) const NONE: u32 = u32::MAX;

/// What stands at a place.
#[inline(always)]
pub(super) fn at(list: &[u32], place: u32) -> u32 {
    list.get(place as usize).copied().unwrap_or(NONE)
}

/// Puts a number at a place.
#[inline(always)]
pub(super) fn set(list: &mut [u32], place: u32, number: u32) {
    if let Some(slot) = list.get_mut(place as usize) {
        *slot = number;
    }
}

/// Adds to the number at a place.
#[inline(always)]
pub(super) fn add(list: &mut [u32], place: u32, number: u32) {
    if let Some(slot) = list.get_mut(place as usize) {
        *slot = slot.wrapping_add(number);
    }
}

/// Whatever names pairs of numbers, one after the other; asked twice.
type Pairs<'a> = dyn Fn(&mut dyn FnMut(u32, u32)) + 'a;

/// For each number below a count, a list of numbers.
#[derive(Clone, Debug, Default)]
pub(super) struct Lists {
    /// Where the list of each number starts, and behind them where the last one ends.
    bounds: Vec<u32>,
    items: Vec<u32>,
}

impl Lists {
    /// Gives each of `count` numbers those that `pairs` name with it, in their order.
    pub fn new(count: usize, pairs: &Pairs<'_>) -> Lists {
        let mut bounds = vec![0u32; count + 2];
        let mut all = 0;
        pairs(&mut |of, _| {
            add(&mut bounds, of.wrapping_add(2), 1);
            all += 1;
        });
        let mut start = 0;
        for bound in &mut bounds {
            start += *bound;
            *bound = start;
        }
        // Each list starts where the bound behind its own says, for now; each item that is placed
        // moves that on to the end.
        let mut items = vec![0u32; all];
        pairs(&mut |of, item| {
            let end = at(&bounds, of.wrapping_add(1));
            set(&mut items, end, item);
            add(&mut bounds, of.wrapping_add(1), 1);
        });
        bounds.pop();
        Lists { bounds, items }
    }

    /// Adds the list of the next number.
    pub fn push(&mut self, items: impl Iterator<Item = u32>) {
        if self.bounds.is_empty() {
            self.bounds.push(0);
        }
        self.items.extend(items);
        self.bounds.push(self.items.len() as u32);
    }

    /// How many lists there are.
    pub fn count(&self) -> usize {
        self.bounds.len().saturating_sub(1)
    }

    /// Where the list of a number lies among all items.
    #[inline(always)]
    pub fn range(&self, number: u32) -> Range<usize> {
        let place = number as usize;
        match self.bounds.get(place..place.wrapping_add(2)) {
            Some([start, end]) => *start as usize..*end as usize,
            _ => 0..0,
        }
    }

    /// The list of a number.
    #[inline(always)]
    pub fn of(&self, number: u32) -> &[u32] {
        self.items.get(self.range(number)).unwrap_or_default()
    }
}

/// A walk that goes deep first.
#[derive(Clone, Debug, Default)]
pub(super) struct Walk {
    /// What was come to, in order.
    pub order: Vec<u32>,
    /// What each was come to from.
    pub from: Vec<u32>,
    /// The place of each in the order.
    pub entered: Vec<u32>,
    /// The first place in the order of what is not below it.
    pub end: Vec<u32>,
    /// When each was left: those that are left later come first in a topological order.
    pub left: Vec<u32>,
}

impl Walk {
    /// Walks from `root` wherever the lists lead.
    pub fn new(root: u32, next: &Lists) -> Walk {
        let none = || vec![NONE; next.count()];
        let mut walk =
            Walk { order: Vec::new(), from: none(), entered: none(), end: none(), left: none() };
        let mut open: Vec<(u32, u32)> = Vec::new();
        let mut left = 0;
        walk.enter(root, &mut open);
        while let Some((here, nth)) = open.last_mut() {
            let here = *here;
            let to = next.of(here).get(*nth as usize).copied();
            *nth += 1;
            match to {
                Some(to) if at(&walk.entered, to) == NONE => {
                    set(&mut walk.from, to, here);
                    walk.enter(to, &mut open);
                }
                Some(_) => {}
                None => {
                    set(&mut walk.end, here, walk.order.len() as u32);
                    set(&mut walk.left, here, left);
                    left += 1;
                    open.pop();
                }
            }
        }
        walk
    }

    fn enter(&mut self, point: u32, open: &mut Vec<(u32, u32)>) {
        set(&mut self.entered, point, self.order.len() as u32);
        self.order.push(point);
        open.push((point, 0));
    }

    /// Whether `point` was come to below `above`, or is it.
    pub fn holds(&self, above: u32, point: u32) -> bool {
        let place = at(&self.entered, point);
        place != NONE && at(&self.entered, above) <= place && place < at(&self.end, above)
    }
}
