//! For one name: which writers each read may see. This is the classic question of reaching
//! definitions, answered sparsely: what was written meets only where ways join
//! ([`Joins::meeting_points`]), and a read sees the nearest writer or meeting above it in the
//! dominator tree.
use crate::base::map::{IntMap, pair};
use crate::flow::control::Control;
use crate::flow::dominators::Tree;
use crate::flow::joins::Joins;
use crate::flow::parallel::Parallel;

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
    /// This writer is in a loop that goes back while a branch of the same turn is still to run.
    Tangled(usize),
}

impl<'a> Flow<'a> {
    pub fn new(control: &'a Control) -> Flow<'a> {
        Flow { control, joins: Joins::new(control), parallel: Parallel::new(control) }
    }

    /// For each read who wrote what it sees, and for each writer whether it is among several that
    /// a read may see.
    pub fn answer(&mut self, asked: Question<'_>) -> (Vec<Origin>, Vec<bool>) {
        let mut name = Name { asked, meetings: Vec::new(), below: IntMap::default() };
        let contents = name.solve(self);
        if let Some(parallel) = &mut self.parallel {
            name.narrow(parallel);
        }
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

pub struct Name<'a> {
    pub asked: Question<'a>,
    pub meetings: Vec<Meeting>,
    /// The meetings of all that is written below a point.
    pub below: IntMap,
}

/// What stands in the flat store under the name at some point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// What was there at the beginning: an input of the workflow, or nothing.
    Entry,
    /// What this writer wrote.
    Written(usize),
    /// Whatever comes along the ways that meet.
    Meeting(usize),
}

/// A point where contents meet: where ways join, or where a writer may leave what was there.
#[derive(Default)]
pub struct Meeting {
    pub point: u32,
    pub contents: Vec<Content>,
    /// Two of them that come from branches that run side by side.
    pub unordered: Option<(Content, Content)>,
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

/// From which place on in the order of the dominator tree which content stands there.
struct Changes(Vec<(u32, Content)>);

impl Changes {
    /// What stands there at the end of a point.
    fn at_end(&self, tree: &Tree, point: u32) -> Content {
        let Changes(changes) = self;
        let (start, _) = tree.span(point);
        let behind = changes.partition_point(|(place, _)| *place <= start);
        let last = changes.get(..behind).and_then(<[_]>::last);
        last.map_or(Content::Entry, |(_, content)| *content)
    }
}

impl Name<'_> {
    /// What stands under the name where it is read.
    fn solve(&mut self, flow: &mut Flow<'_>) -> Vec<Content> {
        let control = flow.control;
        let exit = control.exit() as u32;
        let writers: Vec<u32> = self.asked.writers.iter().map(|writer| writer.point).collect();
        let mut points = flow.joins.meeting_points(control, &writers);
        if self.asked.reads.contains(&exit) && control.before.of(exit).len() > 1 {
            points.push(exit);
        }
        self.meetings = points
            .iter()
            .map(|point| Meeting { point: *point, ..Meeting::default() })
            .collect::<Vec<_>>();
        let (reads, changes) = self.descend(&control.tree, &points, &writers);
        self.fill(flow, &points, &reads, &changes);
        reads
    }

    /// Goes down the dominator tree, past all points that have to do with the name. Answers what each read
    /// sees, and where that changes.
    fn descend(&mut self, tree: &Tree, points: &[u32], writers: &[u32]) -> (Vec<Content>, Changes) {
        // At one point contents meet, then it is read, then it is written: the order in which they are put
        // here is kept.
        let mut events: Vec<(u32, Event)> = Vec::new();
        events.extend(points.iter().enumerate().map(|(nth, point)| (*point, Event::Meet(nth))));
        let reads = self.asked.reads.iter().enumerate();
        events.extend(reads.map(|(nth, point)| (*point, Event::Read(nth))));
        events.extend(writers.iter().enumerate().map(|(nth, point)| (*point, Event::Write(nth))));
        events.sort_by_key(|&(point, _)| tree.span(point).0);
        // What was made above and still stands, the last on top, and where the subtree ends in which it does.
        let mut open: Vec<(u32, Content)> = vec![(u32::MAX, Content::Entry)];
        let mut reads = vec![Content::Entry; self.asked.reads.len()];
        let mut changes = vec![(0, Content::Entry)];
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
        (reads, Changes(changes))
    }

    /// Says what meets at the points whose meeting a read sees; the others are left empty.
    fn fill(&mut self, flow: &mut Flow<'_>, points: &[u32], reads: &[Content], changes: &Changes) {
        let control = flow.control;
        let content = |point: u32| changes.at_end(&control.tree, point);
        let mut wanted = reads.to_vec();
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
                let contents = distinct(contents.collect::<Vec<_>>());
                let base = control.tree.parent(point).map_or(Content::Entry, content);
                let mut meeting = Meeting { point, contents, unordered: None };
                if let Some(parallel) = &mut flow.parallel {
                    self.meet_branches(&mut meeting, base, parallel);
                }
                put(&mut self.meetings, number, meeting);
            }
            wanted.extend(self.meetings.get(number).into_iter().flat_map(|one| &one.contents));
        }
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
    pub fn point(&self, content: Content) -> Option<u32> {
        match content {
            Content::Entry => None,
            Content::Written(writer) => Some(self.asked.writers.get(writer)?.point),
            Content::Meeting(number) => Some(self.meetings.get(number)?.point),
        }
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

pub fn put<T>(list: &mut [T], place: usize, value: T) {
    if let Some(slot) = list.get_mut(place) {
        *slot = value;
    }
}

fn top(open: &[(u32, Content)]) -> Content {
    open.last().map_or(Content::Entry, |(_, content)| *content)
}

/// Each content once.
pub fn distinct(contents: Vec<Content>) -> Vec<Content> {
    let mut known = IntMap::default();
    let number = |content: &Content| match content {
        Content::Entry => 0,
        Content::Written(writer) => pair(1, *writer as u32),
        Content::Meeting(number) => pair(2, *number as u32),
    };
    contents
        .into_iter()
        .filter(|content| known.insert(number(content), 0).is_none())
        .collect::<Vec<_>>()
}
