//! For one name: what comes of branches that run side by side. All of them are taken, not one, and
//! what two of them write comes in any order.

use super::reaching::{Content, Meeting, Name, Origin, distinct, put};
use crate::base::map::IntMap;
use crate::flow::parallel::Parallel;
use crate::flow::races::{Access, Races};

/// More reads of one name that are ambiguous are not looked for.
const MOST: usize = 100;

impl Name<'_> {
    /// Sees to branches that run side by side and meet: all of them are taken, not one.
    pub fn meet_branches(
        &mut self,
        meeting: &mut Meeting,
        base: Content,
        parallel: &mut Parallel<'_>,
    ) {
        let tree = &parallel.control.tree;
        let Some(above) = tree.parent(meeting.point) else { return };
        if !parallel.forks_below(above) {
            return;
        }
        if parallel.gathers(meeting.point) {
            if self.always_written(meeting, base, parallel) {
                meeting.contents.retain(|content| *content != base);
            }
        } else {
            // Whatever ran below may have ended elsewhere and is over all the same.
            meeting.contents.push(base);
            meeting.contents.push(self.all_below(above, parallel));
            meeting.contents = distinct(std::mem::take(&mut meeting.contents));
        }
        let made = meeting.contents.iter().copied().filter(|content| *content != base);
        meeting.unordered = self.unordered(made.collect::<Vec<_>>(), parallel);
    }

    /// Whatever is written below a point, as a meeting of its own.
    fn all_below(&mut self, above: u32, parallel: &mut Parallel<'_>) -> Content {
        if let Some(number) = self.below.get(&u64::from(above)) {
            return Content::Meeting(*number as usize);
        }
        let tree = &parallel.control.tree;
        let writers = self.asked.writers.iter().enumerate();
        let below = writers
            .filter(|(_, writer)| writer.point != above && tree.holds(above, writer.point))
            .map(|(nth, _)| Content::Written(nth));
        let contents: Vec<Content> = below.collect();
        let unordered = self.unordered(contents.clone(), parallel);
        let number = self.meetings.len();
        self.meetings.push(Meeting { point: above, contents, unordered });
        self.below.insert(u64::from(above), number as u64);
        Content::Meeting(number)
    }

    /// Two contents that come from branches that run side by side.
    fn unordered(
        &self,
        contents: Vec<Content>,
        parallel: &mut Parallel<'_>,
    ) -> Option<(Content, Content)> {
        let point = |content: &Content| self.point(*content).unwrap_or(u32::MAX);
        let access = |content| Access { point: point(content), reads: true, writes: true };
        let accesses: Vec<Access> = contents.iter().map(access).collect();
        let races = Races::find(parallel, &accesses, 1);
        let (a, b) = races.found.first().copied()?;
        contents.get(a).copied().zip(contents.get(b).copied())
    }

    /// Asks again where few contents meet: two of them may have been made side by side although
    /// nothing that was written in one of them runs beside what was written in the other.
    pub fn narrow(&mut self, parallel: &mut Parallel<'_>) {
        const MOST: usize = 8;
        for number in 0..self.meetings.len() {
            let Some(meeting) = self.meetings.get(number) else { continue };
            let contents = &meeting.contents;
            if meeting.unordered.is_none() || contents.len() > MOST {
                continue;
            }
            let pairs = contents
                .iter()
                .enumerate()
                .flat_map(|(nth, a)| contents.iter().skip(nth + 1).map(|b| (*a, *b)));
            let found = pairs.into_iter().find(|(a, b)| {
                let points = self.point(*a).zip(self.point(*b));
                points.is_some_and(|(a, b)| parallel.is_beside(a, b))
                    && self.writes_beside(*a, *b, parallel)
            });
            if let Some(meeting) = self.meetings.get_mut(number) {
                meeting.unordered = found;
            }
        }
    }

    /// Whether anybody who may have written one content runs beside anybody who may have written
    /// the other. Where they are many, that is taken to be so.
    fn writes_beside(&self, a: Content, b: Content, parallel: &mut Parallel<'_>) -> bool {
        let (Some(a), Some(b)) = (self.few_writers(a), self.few_writers(b)) else { return true };
        a.iter().any(|a| b.iter().any(|b| parallel.is_beside(*a, *b)))
    }

    /// The points of all who may have written a content, where they are few.
    fn few_writers(&self, content: Content) -> Option<Vec<u32>> {
        const MOST: usize = 64;
        let mut known = vec![content];
        let mut next = 0;
        while let Some(content) = known.get(next).copied() {
            next += 1;
            if let Content::Meeting(number) = content {
                let below = self.meetings.get(number).into_iter().flat_map(|one| &one.contents);
                for content in below {
                    if !known.contains(content) {
                        known.push(*content);
                    }
                    if known.len() > MOST {
                        return None;
                    }
                }
            }
        }
        let written = known.iter().filter(|content| matches!(content, Content::Written(_)));
        Some(written.filter_map(|content| self.point(*content)).collect::<Vec<_>>())
    }

    /// Whether something is written between the point above a meeting and the meeting, whichever
    /// action is taken: then what was there before does not come to it, though some of the
    /// branches leave it as it is.
    fn always_written(
        &self,
        meeting: &Meeting,
        base: Content,
        parallel: &mut Parallel<'_>,
    ) -> bool {
        let control = parallel.control;
        let Some(above) = control.tree.parent(meeting.point) else { return false };
        if !meeting.contents.contains(&base) || meeting.contents.len() < 2 {
            return false;
        }
        let mut heads = IntMap::default();
        let made = meeting.contents.iter().filter(|content| **content != base);
        for point in made.filter_map(|content| self.point(*content)) {
            let head = control.tree.child_towards(above, point);
            // What a loop brings back was not there when it began.
            let before = head != meeting.point && parallel.surely_reaches(head, meeting.point);
            if before && parallel.always_leads(head, point) {
                heads.insert(u64::from(head), 0);
            }
        }
        let steps = control.steps_from(above);
        let mut written = IntMap::default();
        for step in steps.iter().filter(|step| heads.contains_key(&u64::from(step.to))) {
            written.insert(u64::from(step.action), 0);
        }
        steps.iter().all(|step| {
            written.contains_key(&u64::from(step.action))
                || !parallel.may_reach(step.to, meeting.point)
        })
    }

    /// Finds the reads that a writer runs beside.
    pub fn race(&self, parallel: &mut Parallel<'_>, origins: &mut [Origin]) {
        let exit = parallel.control.exit() as u32;
        let writers = self.asked.writers.iter();
        let writers =
            writers.map(|writer| Access { point: writer.point, reads: false, writes: true });
        let mut accesses: Vec<Access> = writers.collect();
        // At the end nothing runs any more.
        let reads = self.asked.reads.iter();
        accesses.extend(reads.map(|point| Access {
            point: *point,
            reads: *point != exit,
            writes: false,
        }));
        let first = self.asked.writers.len();
        for (reader, writer) in Races::find(parallel, &accesses, MOST).found {
            if let Some(read) = reader.checked_sub(first) {
                put(origins, read, Origin::Beside(writer));
            }
        }
        // One writer alone is seen under its name by all, in whatever turn.
        if self.asked.writers.len() < 2 {
            return;
        }
        let mut loops = IntMap::default();
        for (nth, writer) in self.asked.writers.iter().enumerate() {
            let Some(around) = parallel.tangled(writer.point) else { continue };
            if loops.insert(u64::from(around), 0).is_some() {
                continue;
            }
            for (point, origin) in self.asked.reads.iter().zip(origins.iter_mut()) {
                if parallel.may_reach(around, *point) {
                    *origin = Origin::Tangled(nth);
                }
            }
        }
    }
}
