//! For one name: which writers each read may see. This is the classic question of reaching
//! definitions, answered sparsely: what was written meets only where ways join
//! ([`Joins::meeting_points`]), and a read sees the nearest writer or meeting above it in the
//! dominator tree.

use crate::base::map::{Numbers, pair};
use crate::base::sort::by_number;
use crate::flow::control::Control;
use crate::flow::joins::Joins;
use crate::flow::parallel::Parallel;
use crate::flow::races::{Access, Races};

/// What is known about the control flow, for one name after the other.
pub struct Flow<'a> {
    control: &'a Control,
    joins: Joins,
    parallel: Option<Parallel<'a>>,
}

/// A node that writes the name.
#[derive(Clone, Copy, Debug)]
pub struct Writer {
    pub point: u32,
    /// Whether it may leave what was there.
    pub optional: bool,
}

/// Who writes and who reads a name.
#[derive(Clone, Copy)]
pub struct Question<'a> {
    /// Whether it is there at the beginning.
    pub is_input: bool,
    pub writers: &'a [Writer],
    /// Where it is read.
    pub reads: &'a [u32],
}

/// Who wrote what a read sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Nobody, whichever way was taken, or only who filled the store at the beginning.
    Nobody,
    /// This writer, or nobody.
    One(usize),
    /// One of several, or what was there at the beginning.
    Many,
    /// This writer may run before the read or after it.
    Beside(usize),
    /// Either of these two may have come last.
    Unordered(usize, usize),
}

/// More reads of one name that are ambiguous are not looked for.
const MOST: usize = 100;

impl<'a> Flow<'a> {
    pub fn new(control: &'a Control) -> Flow<'a> {
        Flow { control, joins: Joins::new(control), parallel: Parallel::new(control) }
    }

    /// For each read who wrote what it sees, and for each writer whether it is among several that
    /// a read may see.
    pub fn answer(&mut self, asked: Question<'_>) -> (Vec<Origin>, Vec<bool>) {
        let mut name = Name { asked, meetings: Vec::new(), below: Numbers::default() };
        let contents = name.solve(self);
        let seen = name.settle();
        let mut origins: Vec<Origin> =
            contents.iter().map(|content| name.origin(*content, &seen)).collect();
        if let Some(parallel) = &mut self.parallel {
            name.race(parallel, &mut origins);
        }
        let mut aliased = vec![false; asked.writers.len()];
        let mut marked = vec![false; name.meetings.len()];
        for (content, _) in
            contents.iter().zip(&origins).filter(|(_, origin)| **origin == Origin::Many)
        {
            name.alias(*content, &mut aliased, &mut marked);
        }
        (origins, aliased)
    }
}

struct Name<'a> {
    asked: Question<'a>,
    meetings: Vec<Meeting>,
    /// The meetings of all that is written below a point.
    below: Numbers,
}

/// What stands in the flat store under the name at some point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Content {
    /// What was there at the beginning: an input of the workflow, or nothing.
    Entry,
    /// What this writer wrote.
    Written(usize),
    /// Whatever comes along the ways that meet.
    Meeting(usize),
}

/// A point where contents meet: where ways join, or where a writer may leave what was there.
#[derive(Default)]
struct Meeting {
    point: u32,
    contents: Vec<Content>,
    /// Two of them that come from branches that run side by side.
    unordered: Option<(Content, Content)>,
}

/// Who may have written a content. Later ones take the place of earlier ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Seen {
    Nothing,
    /// One writer, or whoever filled the store at the beginning.
    One(Option<usize>),
    /// Several; one of them.
    Many(Option<usize>),
    Unordered(usize, usize),
}

/// What is done on the way down the dominator tree.
#[derive(Clone, Copy)]
enum Event {
    Meet(usize),
    Read(usize),
    Write(usize),
}

impl Name<'_> {
    /// What stands under the name where it is read.
    fn solve(&mut self, flow: &mut Flow<'_>) -> Vec<Content> {
        let control = flow.control;
        let tree = &control.tree;
        let exit = control.exit() as u32;
        let writers: Vec<u32> = self.asked.writers.iter().map(|writer| writer.point).collect();
        let mut points = flow.joins.meeting_points(control, &writers);
        if self.asked.reads.contains(&exit) && control.before.of(exit).len() > 1 {
            points.push(exit);
        }
        let mut events: Vec<(u32, Event)> = Vec::new();
        events.extend(points.iter().enumerate().map(|(nth, point)| (*point, Event::Meet(nth))));
        let reads = self.asked.reads.iter().enumerate();
        events.extend(reads.map(|(nth, point)| (*point, Event::Read(nth))));
        events.extend(writers.iter().enumerate().map(|(nth, point)| (*point, Event::Write(nth))));
        by_number(&mut events, |(point, _)| tree.span(point).0);
        self.meetings =
            points.iter().map(|point| Meeting { point: *point, ..Meeting::default() }).collect();
        let mut open: Vec<(u32, Content)> = vec![(u32::MAX, Content::Entry)];
        let mut reads = vec![Content::Entry; self.asked.reads.len()];
        // From which place on in the tree's order which content is there at the end of a point.
        let mut changes: Vec<(u32, Content)> = vec![(0, Content::Entry)];
        let leave = |open: &mut Vec<(u32, Content)>, changes: &mut Vec<_>, place: u32| {
            while let Some((end, _)) = open.pop_if(|(end, _)| *end <= place) {
                changes.push((end, top(open)));
            }
        };
        for (point, event) in events {
            let (start, end) = tree.span(point);
            leave(&mut open, &mut changes, start);
            let made = match event {
                Event::Meet(nth) => Content::Meeting(nth),
                Event::Write(nth) => self.written(nth, top(&open)),
                Event::Read(nth) => {
                    put(&mut reads, nth, top(&open));
                    continue;
                }
            };
            open.push((end, made));
            changes.push((start, made));
        }
        leave(&mut open, &mut changes, u32::MAX - 1);
        let content = |point: u32| {
            let (start, _) = tree.span(point);
            let behind = changes.partition_point(|(place, _)| *place <= start);
            let last = changes.get(..behind).and_then(<[_]>::last);
            last.map_or(Content::Entry, |(_, content)| *content)
        };
        // Meetings that no read sees are left empty.
        let mut wanted = reads.clone();
        let mut known = vec![false; self.meetings.len()];
        while let Some(next) = wanted.pop() {
            let Content::Meeting(number) = next else { continue };
            if known.get(number) == Some(&true) {
                continue;
            }
            known.resize(self.meetings.len(), false);
            put(&mut known, number, true);
            if let Some(point) = points.get(number).copied() {
                let contents = control.before.of(point).iter().map(|from| content(*from));
                let contents = distinct(contents.collect());
                let base = tree.parent(point).map_or(Content::Entry, content);
                let mut meeting = Meeting { point, contents, unordered: None };
                if let Some(parallel) = &mut flow.parallel {
                    self.meet_branches(&mut meeting, base, parallel);
                }
                put(&mut self.meetings, number, meeting);
            }
            wanted.extend(self.meetings.get(number).into_iter().flat_map(|one| &one.contents));
        }
        reads
    }

    /// What stands there after a writer.
    fn written(&mut self, nth: usize, before: Content) -> Content {
        let writer = self.asked.writers.get(nth);
        let Some(writer) = writer.filter(|writer| writer.optional) else {
            return Content::Written(nth);
        };
        let contents = vec![Content::Written(nth), before];
        self.meetings.push(Meeting { point: writer.point, contents, unordered: None });
        Content::Meeting(self.meetings.len() - 1)
    }

    /// Where a content was made.
    fn point(&self, content: Content) -> Option<u32> {
        match content {
            Content::Entry => None,
            Content::Written(writer) => Some(self.asked.writers.get(writer)?.point),
            Content::Meeting(number) => Some(self.meetings.get(number)?.point),
        }
    }

    /// Sees to branches that run side by side and meet: all of them are taken, not one.
    fn meet_branches(&mut self, meeting: &mut Meeting, base: Content, parallel: &mut Parallel<'_>) {
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
        meeting.unordered = self.unordered(made.collect(), parallel);
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
        let mut heads = Numbers::default();
        let made = meeting.contents.iter().filter(|content| **content != base);
        for point in made.filter_map(|content| self.point(*content)) {
            let head = control.tree.child_towards(above, point);
            if parallel.always_leads(head, point) {
                heads.insert(u64::from(head), 0);
            }
        }
        let steps = control.steps_from(above);
        let mut written = Numbers::default();
        for step in steps.iter().filter(|step| heads.contains_key(&u64::from(step.to))) {
            written.insert(u64::from(step.action), 0);
        }
        steps.iter().all(|step| {
            written.contains_key(&u64::from(step.action))
                || !parallel.may_reach(step.to, meeting.point)
        })
    }

    /// Who may have written what each meeting holds: the least answer that fits all of them.
    fn settle(&self) -> Vec<Seen> {
        let mut seen = vec![Seen::Nothing; self.meetings.len()];
        let mut readers: Vec<Vec<usize>> = vec![Vec::new(); self.meetings.len()];
        for (number, meeting) in self.meetings.iter().enumerate() {
            for content in &meeting.contents {
                if let Content::Meeting(source) = content {
                    readers.get_mut(*source).into_iter().for_each(|readers| readers.push(number));
                }
            }
        }
        let mut work: Vec<usize> = (0..self.meetings.len()).rev().collect();
        while let Some(number) = work.pop() {
            let Some(meeting) = self.meetings.get(number) else { continue };
            let each = meeting.contents.iter().map(|content| self.seen(*content, &seen));
            let mut now = each.fold(Seen::Nothing, Seen::and);
            if let Some((a, b)) = meeting.unordered
                && let (Some(a), Some(b)) = (self.seen(a, &seen).some(), self.seen(b, &seen).some())
            {
                now = Seen::Unordered(a, b);
            }
            let Some(slot) = seen.get_mut(number).filter(|slot| slot.rank() < now.rank()) else {
                continue;
            };
            *slot = now;
            work.extend(readers.get(number).into_iter().flatten());
        }
        seen
    }

    fn seen(&self, content: Content, meetings: &[Seen]) -> Seen {
        match content {
            Content::Entry if self.asked.is_input => Seen::One(None),
            Content::Entry => Seen::Nothing,
            Content::Written(writer) => Seen::One(Some(writer)),
            Content::Meeting(number) => meetings.get(number).copied().unwrap_or(Seen::Nothing),
        }
    }

    fn origin(&self, content: Content, meetings: &[Seen]) -> Origin {
        match self.seen(content, meetings) {
            Seen::Nothing | Seen::One(None) => Origin::Nobody,
            Seen::One(Some(writer)) => Origin::One(writer),
            Seen::Many(_) => Origin::Many,
            Seen::Unordered(a, b) => Origin::Unordered(a, b),
        }
    }

    /// Finds the reads that a writer runs beside.
    fn race(&self, parallel: &mut Parallel<'_>, origins: &mut [Origin]) {
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
        // Two writers in a tangled loop come in any order, for whoever reads after them too.
        let mut first = Numbers::default();
        for (nth, writer) in self.asked.writers.iter().enumerate() {
            let Some(around) = parallel.tangled(writer.point) else { continue };
            let other = *first.entry(u64::from(around)).or_insert(nth as u64) as usize;
            if self.asked.writers.get(other).is_none_or(|one| one.point == writer.point) {
                continue;
            }
            for (point, origin) in self.asked.reads.iter().zip(origins.iter_mut()) {
                if !matches!(origin, Origin::Beside(_)) && parallel.may_reach(around, *point) {
                    *origin = Origin::Unordered(other, nth);
                }
            }
            break;
        }
    }

    /// Every writer that a content may come from.
    fn alias(&self, content: Content, aliased: &mut [bool], marked: &mut [bool]) {
        let mut open = vec![content];
        while let Some(content) = open.pop() {
            match content {
                Content::Entry => {}
                Content::Written(writer) => put(aliased, writer, true),
                Content::Meeting(number) => {
                    if marked.get(number) == Some(&false) {
                        put(marked, number, true);
                        let meeting = self.meetings.get(number);
                        open.extend(meeting.into_iter().flat_map(|one| &one.contents));
                    }
                }
            }
        }
    }
}

impl Seen {
    fn and(self, other: Seen) -> Seen {
        match (self, other) {
            (Seen::Nothing, seen) | (seen, Seen::Nothing) => seen,
            (Seen::Unordered(a, b), _) | (_, Seen::Unordered(a, b)) => Seen::Unordered(a, b),
            (Seen::One(a), Seen::One(b)) if a == b => Seen::One(a),
            (a, b) => Seen::Many(a.some().or(b.some())),
        }
    }

    fn some(self) -> Option<usize> {
        match self {
            Seen::Nothing => None,
            Seen::One(writer) | Seen::Many(writer) => writer,
            Seen::Unordered(writer, _) => Some(writer),
        }
    }

    fn rank(self) -> u32 {
        match self {
            Seen::Nothing => 0,
            Seen::One(_) => 1,
            Seen::Many(_) => 2,
            Seen::Unordered(..) => 3,
        }
    }
}

fn put<T>(list: &mut [T], place: usize, value: T) {
    if let Some(slot) = list.get_mut(place) {
        *slot = value;
    }
}

fn top(open: &[(u32, Content)]) -> Content {
    open.last().map_or(Content::Entry, |(_, content)| *content)
}

/// Each content once.
fn distinct(contents: Vec<Content>) -> Vec<Content> {
    let mut known = Numbers::default();
    let number = |content: &Content| match content {
        Content::Entry => 0,
        Content::Written(writer) => pair(1, *writer as u32),
        Content::Meeting(number) => pair(2, *number as u32),
    };
    contents.into_iter().filter(|content| known.insert(number(content), 0).is_none()).collect()
}
