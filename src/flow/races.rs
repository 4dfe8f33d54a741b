//! Who writes beside somebody who reads, found without a look at each pair of them.

use super::lists::{NONE, at};
use super::parallel::Parallel;

/// Somebody who reads or writes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Access {
    pub point: u32,
    pub reads: bool,
    pub writes: bool,
}

/// Those of some accesses that lie below one child of a point.
#[derive(Clone, Copy)]
struct Group {
    head: u32,
    start: usize,
    end: usize,
    /// The first that reads, and the first that writes.
    reader: Option<usize>,
    writer: Option<usize>,
}

/// A search for accesses that run side by side.
pub(super) struct Races<'a> {
    accesses: &'a [Access],
    /// The accesses in the order of the dominator tree.
    order: Vec<u32>,
    most: usize,
    told: Vec<bool>,
    /// Each reader that a writer runs beside, with that writer.
    pub found: Vec<(usize, usize)>,
}

impl<'a> Races<'a> {
    /// Finds, for the first `most` accesses that read, one that writes beside it.
    pub fn find(parallel: &mut Parallel<'_>, accesses: &'a [Access], most: usize) -> Races<'a> {
        let tree = &parallel.control.tree;
        let mut order: Vec<u32> = (0..accesses.len() as u32).collect();
        let point = |number: u32| accesses.get(number as usize).map_or(NONE, |one| one.point);
        order.sort_by_key(|&number| tree.span(point(number)).0);
        let told = vec![false; accesses.len()];
        let mut races = Races { accesses, order, most, told, found: Vec::new() };
        let mut work = vec![(0, accesses.len())];
        while let Some((start, end)) = work.pop() {
            if races.found.len() < most {
                races.between(parallel, start, end, &mut work);
            }
        }
        races
    }

    fn access(&self, place: usize) -> (usize, Access) {
        let number = self.order.get(place).copied().unwrap_or(NONE) as usize;
        let none = Access { point: NONE, reads: false, writes: false };
        (number, self.accesses.get(number).copied().unwrap_or(none))
    }

    fn tell(&mut self, reader: usize, writer: usize) {
        if let Some(told) = self.told.get_mut(reader).filter(|told| !**told) {
            *told = true;
            self.found.push((reader, writer));
        }
    }

    /// Searches the accesses of a range: those below different children of the nearest point
    /// that holds them all here, and those below one child later.
    fn between(
        &mut self,
        parallel: &mut Parallel<'_>,
        mut start: usize,
        end: usize,
        work: &mut Vec<(usize, usize)>,
    ) {
        let tree = &parallel.control.tree;
        let (mut above, last) = (NONE, self.access(end.saturating_sub(1)).1.point);
        while end.saturating_sub(start) > 1 {
            let first = self.access(start).1.point;
            above = tree.common(first, last);
            if above != first {
                break;
            }
            start += 1;
        }
        if end.saturating_sub(start) < 2 || !parallel.forks_below(above) {
            return;
        }
        let mut groups: Vec<Group> = Vec::new();
        while start < end {
            let head = tree.child_towards(above, self.access(start).1.point);
            let (_, behind) = tree.span(head);
            let within = self.order.get(start..end).unwrap_or_default();
            let inside = |number: &u32| {
                let point = self.accesses.get(*number as usize).map_or(NONE, |one| one.point);
                tree.span(point).0 < behind
            };
            let stop = start + within.partition_point(inside).max(1);
            let first = |wanted: fn(&Access) -> bool| {
                let accesses = (start..stop).map(|place| self.access(place));
                accesses.filter(|(_, one)| wanted(one)).map(|(number, _)| number).next()
            };
            let (reader, writer) = (first(|one| one.reads), first(|one| one.writes));
            groups.push(Group { head, start, end: stop, reader, writer });
            start = stop;
        }
        if parallel.forks_at(above) {
            let writing = groups.iter().filter(|group| group.writer.is_some());
            for a in writing {
                let reading = groups.iter().filter(|group| group.reader.is_some());
                for b in reading.filter(|b| b.head != a.head) {
                    if self.found.len() < self.most {
                        self.compare(parallel, *a, *b);
                    }
                }
            }
        }
        work.extend(groups.iter().map(|group| (group.start, group.end)));
    }

    /// Finds who reads in one group while somebody writes in the other.
    fn compare(&mut self, parallel: &mut Parallel<'_>, writing: Group, reading: Group) {
        let rank = |group: Group| at(&parallel.rank, group.head);
        let before = rank(writing) < rank(reading);
        let (early, late) = if before { (writing, reading) } else { (reading, writing) };
        let (Some(reader), Some(writer)) = (reading.reader, writing.writer) else { return };
        if !parallel.has_budget() {
            self.tell(reader, writer);
        }
        if parallel.always_leads(early.head, late.head) {
            return;
        }
        // Where nothing leads from one to the other, all points of both are alike.
        let leads = parallel.may_reach(early.head, late.head);
        if !leads && !parallel.is_beside(early.head, late.head) {
            return;
        }
        for place in early.start..early.end {
            let (number, access) = self.access(place);
            let useful = if before { access.writes } else { access.reads };
            if !useful || leads && !parallel.is_beside(access.point, late.head) {
                continue;
            }
            if !before {
                self.tell(number, writer);
                continue;
            }
            for place in late.start..late.end {
                let (other, read) = self.access(place);
                if read.reads && self.found.len() < self.most {
                    self.tell(other, number);
                }
            }
            return;
        }
    }
}
