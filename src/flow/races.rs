//! Data races between the accesses to one name, found without a comparison of each pair.

use super::concurrency::ConcurrencyAnalysis;
use super::csr::{NONE, item_or_none};

/// Read or write of a name at a vertex of the control-flow graph.
#[derive(Clone, Copy, Debug)]
pub(super) struct Access {
    pub vertex: u32,
    pub reads: bool,
    pub writes: bool,
}

/// Accesses below one child of a vertex in the dominator tree.
#[derive(Clone, Copy)]
struct SubtreeAccesses {
    head: u32,
    start: usize,
    end: usize,
    first_reader: Option<usize>,
    first_writer: Option<usize>,
}

struct RaceSearch<'a> {
    accesses: &'a [Access],
    /// Indices of the accesses in preorder of the dominator tree.
    order: Vec<u32>,
    limit: usize,
    is_reported: Vec<bool>,
    races: Vec<(usize, usize)>,
}

/// Returns races as indices of a reader and a concurrent writer: at most `limit`, one for each reader.
pub(super) fn find_races(
    concurrency: &mut ConcurrencyAnalysis<'_>,
    accesses: &[Access],
    limit: usize,
) -> Vec<(usize, usize)> {
    let tree = &concurrency.control.dominators;
    let mut order: Vec<u32> = (0..accesses.len() as u32).collect();
    let vertex = |index: u32| accesses.get(index as usize).map_or(NONE, |access| access.vertex);
    order.sort_by_key(|&index| tree.preorder_range(vertex(index)).0);
    let is_reported = vec![false; accesses.len()];
    let mut search = RaceSearch { accesses, order, limit, is_reported, races: Vec::new() };
    let mut ranges = vec![(0, accesses.len())];
    while let Some((start, end)) = ranges.pop() {
        if search.races.len() < limit {
            search.search_range(concurrency, start, end, &mut ranges);
        }
    }
    search.races
}

impl RaceSearch<'_> {
    /// Returns the access at a position of `order`, with its index.
    fn access(&self, position: usize) -> (usize, Access) {
        let index = self.order.get(position).copied().unwrap_or(NONE) as usize;
        let none = Access { vertex: NONE, reads: false, writes: false };
        (index, self.accesses.get(index).copied().unwrap_or(none))
    }

    fn report(&mut self, reader: usize, writer: usize) {
        if let Some(is_reported) = self.is_reported.get_mut(reader).filter(|flag| !**flag) {
            *is_reported = true;
            self.races.push((reader, writer));
        }
    }

    /// Compares the accesses below different children of the nearest common dominator of a range, and
    /// adds the range of each child to `ranges`.
    fn search_range(
        &mut self,
        concurrency: &mut ConcurrencyAnalysis<'_>,
        mut start: usize,
        end: usize,
        ranges: &mut Vec<(usize, usize)>,
    ) {
        let tree = &concurrency.control.dominators;
        let (mut dominator, last) = (NONE, self.access(end.saturating_sub(1)).1.vertex);
        while end.saturating_sub(start) > 1 {
            let first = self.access(start).1.vertex;
            dominator = tree.nearest_common_dominator(first, last);
            if dominator != first {
                break;
            }
            start += 1;
        }
        if end.saturating_sub(start) < 2 || !concurrency.has_fork_below(dominator) {
            return;
        }
        let mut groups: Vec<SubtreeAccesses> = Vec::new();
        while start < end {
            let head = tree.child_towards(dominator, self.access(start).1.vertex);
            let (_, subtree_end) = tree.preorder_range(head);
            let rest = self.order.get(start..end).unwrap_or_default();
            let is_inside = |index: &u32| {
                let access = self.accesses.get(*index as usize);
                tree.preorder_range(access.map_or(NONE, |access| access.vertex)).0 < subtree_end
            };
            let group_end = start + rest.partition_point(is_inside).max(1);
            let first = |is_match: fn(&Access) -> bool| {
                let mut accesses = (start..group_end).map(|position| self.access(position));
                accesses.find(|(_, access)| is_match(access)).map(|(index, _)| index)
            };
            let (first_reader, first_writer) = (first(|one| one.reads), first(|one| one.writes));
            groups.push(SubtreeAccesses {
                head,
                start,
                end: group_end,
                first_reader,
                first_writer,
            });
            start = group_end;
        }
        if concurrency.has_fork_at(dominator) {
            let writing = groups.iter().filter(|group| group.first_writer.is_some());
            for a in writing {
                if self.races.len() >= self.limit {
                    break;
                }
                let reading = groups.iter().filter(|group| group.first_reader.is_some());
                for b in reading.filter(|b| b.head != a.head) {
                    if self.races.len() < self.limit {
                        self.compare_groups(concurrency, *a, *b);
                    }
                }
            }
        }
        ranges.extend(groups.iter().map(|group| (group.start, group.end)));
    }

    /// Reports the readers of one group that a writer of the other may run concurrently with.
    fn compare_groups(
        &mut self,
        concurrency: &mut ConcurrencyAnalysis<'_>,
        writing: SubtreeAccesses,
        reading: SubtreeAccesses,
    ) {
        let rank = |group: SubtreeAccesses| item_or_none(&concurrency.rank, group.head);
        let writes_first = rank(writing) < rank(reading);
        let (early, late) = if writes_first { (writing, reading) } else { (reading, writing) };
        let (Some(reader), Some(writer)) = (reading.first_reader, writing.first_writer) else {
            return;
        };
        if !concurrency.spend_budget() {
            self.report(reader, writer);
        }
        if concurrency.always_reaches(early.head, late.head) {
            return;
        }
        // Without a path from one group to the other, all vertices of a group are equivalent.
        let has_path = concurrency.may_reach(early.head, late.head);
        if !has_path && !concurrency.may_run_concurrently(early.head, late.head) {
            return;
        }
        for position in early.start..early.end {
            let (index, access) = self.access(position);
            let is_relevant = if writes_first { access.writes } else { access.reads };
            if !is_relevant
                || has_path && !concurrency.may_run_concurrently(access.vertex, late.head)
            {
                continue;
            }
            if !writes_first {
                self.report(index, writer);
                continue;
            }
            for position in late.start..late.end {
                let (other, read) = self.access(position);
                if read.reads && self.races.len() < self.limit {
                    self.report(other, index);
                }
            }
            return;
        }
    }
}
