//! Which writer each read sees, so that renaming what is written changes nothing that is read.
//!
//! For each name of the flat store this is the classic question of reaching definitions, answered
//! sparsely: writers meet only where ways join (`Control::meeting_points`), and a read sees the
//! nearest writer or meeting above it in the dominator tree.

use super::codes;
use super::control::Control;
use super::naming::Names;
use super::workflow::Workflow;
use crate::base::diagnostic::quote;
use crate::base::{Diagnostic, Value, template};
use indexmap::IndexMap;
use std::collections::{BTreeSet, HashMap, HashSet};

/// How a workflow's nodes read and write one store in which no two nodes share a name by accident.
#[derive(Clone, Debug, Default)]
pub struct Wiring {
    /// For each node, what it reads and writes under other names.
    pub nodes: Vec<NodeWiring>,
    /// For each output of the workflow, the names that its template uses and where they are stored.
    pub outputs: IndexMap<String, IndexMap<String, String>>,
}

/// What one node reads and writes under other names.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NodeWiring {
    /// Output keys with the names that they are stored under.
    pub output_mappings: IndexMap<String, String>,
    /// Output keys with the flat names that they are stored under besides, for reads that see
    /// several writers.
    pub output_aliases: IndexMap<String, String>,
    /// Input keys with the names that they are read from.
    pub input_mappings: IndexMap<String, String>,
    /// Names in templates with the names that they are read from.
    pub templates: IndexMap<String, String>,
}

/// Somebody who reads a name.
#[derive(Clone, Debug)]
struct Use {
    /// The point where it is read.
    point: usize,
    reader: Reader,
}

#[derive(Clone, Debug)]
enum Reader {
    /// An input of a node.
    Input(usize, String),
    /// A name in a template of a node.
    Template(usize, String),
    /// A name in the template of an output of the workflow.
    Output(String, String),
}

/// A node that writes a name.
#[derive(Clone, Debug)]
struct Writer {
    node: usize,
    key: String,
    optional: bool,
}

/// What stands in the flat store under a name at some point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Content {
    /// What was there at the beginning: an input of the workflow, or nothing.
    Entry,
    /// What this writer wrote.
    Written(usize),
    /// Whatever comes along the ways that meet.
    Meeting(usize),
}

/// Who may have written what a read sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Seen {
    /// Nobody.
    Nothing,
    /// One writer, or nobody yet.
    One(Option<usize>),
    /// Several.
    Many,
    /// Two whose order is open.
    Unordered(usize, usize),
}

/// Everything about one name.
struct Name<'a> {
    control: &'a Control,
    is_input: bool,
    writers: Vec<Writer>,
    uses: Vec<Use>,
    meetings: Vec<Meeting>,
    /// Of writers that may leave their output out: what was there before.
    before: Vec<Content>,
}

/// A point where contents meet.
struct Meeting {
    contents: Vec<Content>,
    unordered: Option<(Content, Content)>,
}

/// Where the contents of a meeting come from.
struct Source {
    /// The point above it, whose content each way begins with.
    base: usize,
    /// The last points of the ways, each with the point below `base` that it comes through.
    ways: Vec<(Option<usize>, usize)>,
}

/// Wires a workflow. The names in a template that nothing is called are told.
pub fn wire(workflow: &Workflow, control: &Control, names: &Names) -> (Wiring, Vec<Diagnostic>) {
    let mut told = Vec::new();
    let mut wiring = Wiring {
        nodes: mapped(workflow, names),
        outputs: workflow.outputs.keys().map(|name| (name.clone(), IndexMap::new())).collect(),
    };
    let by_name = gather(workflow, control, names, &mut wiring, &mut told);
    for (name, (writers, uses)) in by_name {
        let is_input = workflow.inputs.contains_key(name.as_str());
        let of =
            Name { control, is_input, writers, uses, meetings: Vec::new(), before: Vec::new() };
        of.wire(&name, workflow, names, &mut wiring, &mut told);
    }
    (wiring, told)
}

fn mapped(workflow: &Workflow, names: &Names) -> Vec<NodeWiring> {
    let nodes = workflow.nodes.iter().enumerate();
    let one = |(place, node): (usize, &super::workflow::Node)| {
        let outputs = node
            .outputs
            .iter()
            .map(|output| (output.key.clone(), names.of(place, node, &output.key).to_owned()));
        NodeWiring {
            output_mappings: outputs.filter(|(key, name)| key != name).collect(),
            ..NodeWiring::default()
        }
    };
    nodes.map(one).collect()
}

type ByName = IndexMap<String, (Vec<Writer>, Vec<Use>)>;

/// Who writes and who reads each name of the flat store.
fn gather(
    workflow: &Workflow,
    control: &Control,
    names: &Names,
    wiring: &mut Wiring,
    told: &mut Vec<Diagnostic>,
) -> ByName {
    let mut by_name: ByName = IndexMap::new();
    let mut own: HashSet<&str> = HashSet::new();
    for (place, node) in workflow.nodes.iter().enumerate() {
        for output in &node.outputs {
            let stored = names.of(place, node, &output.key);
            if stored != node.writes(&output.key) {
                own.insert(stored);
            }
            let writer = Writer { node: place, key: output.key.clone(), optional: output.optional };
            by_name.entry(node.writes(&output.key).to_owned()).or_default().0.push(writer);
        }
    }
    for input in workflow.inputs.keys() {
        by_name.entry(input.clone()).or_default();
    }
    let flat: HashSet<String> = by_name.keys().cloned().collect();
    for (place, node) in workflow.nodes.iter().enumerate() {
        if !control.is_reached(place) {
            continue;
        }
        for input in node.inputs.iter().filter(|input| !node.supplies(&input.key)) {
            let reader = Reader::Input(place, input.key.clone());
            let read = by_name.entry(node.reads(&input.key).to_owned()).or_default();
            read.1.push(Use { point: place, reader });
        }
        let item = node.batch.as_ref().map(|batch| batch.name.as_str());
        let known = |name: &str| own.contains(name) || flat.contains(name) || item == Some(name);
        let params = [
            Some((&node.params, "params")),
            node.batch.as_ref().map(|batch| (&batch.items, "batch/items")),
        ];
        for (value, what) in params.into_iter().flatten() {
            let at = format!("/nodes/{place}/{what}");
            for reference in references(value, &at, &known, told) {
                if item == Some(reference.0.name.as_str()) {
                    continue;
                }
                let name = reference.0.name.clone();
                if own.contains(name.as_str()) {
                    // It names one writer; there is nothing to find out.
                    if let Some(node) = wiring.nodes.get_mut(place) {
                        node.templates.insert(name.clone(), name);
                    }
                } else if flat.contains(&name) {
                    let reader = Reader::Template(place, name.clone());
                    let read = by_name.entry(name).or_default();
                    read.1.push(Use { point: place, reader });
                } else {
                    let known = own.iter().copied().chain(flat.iter().map(String::as_str));
                    told.push(
                        template::unknown(&reference.0, sorted(known).iter().copied())
                            .at_pointer(reference.1),
                    );
                }
            }
        }
    }
    for (output, source) in &workflow.outputs {
        let known = |name: &str| own.contains(name) || flat.contains(name);
        let at = format!("/outputs/{}", crate::base::json::pointer_step(output));
        for (reference, at) in references(source, &at, &known, told) {
            let name = reference.name.clone();
            if own.contains(name.as_str()) {
                wiring.outputs.entry(output.clone()).or_default().insert(name.clone(), name);
            } else if flat.contains(&name) {
                let reader = Reader::Output(output.clone(), name.clone());
                by_name.entry(name).or_default().1.push(Use { point: control.exit(), reader });
            } else {
                let known = own.iter().copied().chain(flat.iter().map(String::as_str));
                told.push(
                    template::unknown(&reference, sorted(known).iter().copied()).at_pointer(at),
                );
            }
        }
    }
    by_name
}

fn sorted<'a>(names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut names: Vec<&str> = names.collect();
    names.sort_unstable();
    names
}

/// The references of all texts of a value, each name once, with where they stand.
fn references(
    value: &Value,
    at: &str,
    known: &dyn Fn(&str) -> bool,
    told: &mut Vec<Diagnostic>,
) -> Vec<(template::Reference, String)> {
    let mut found = Vec::new();
    let mut open = vec![(value, at.to_owned())];
    let mut seen = BTreeSet::new();
    while let Some((value, at)) = open.pop() {
        match value {
            Value::Text(text) if text.contains('$') => {
                let (read, faults) = template::Template::read(text, known);
                told.extend(faults.into_iter().map(|fault| fault.at_pointer(at.clone())));
                for reference in read.references() {
                    if seen.insert(reference.name.clone()) {
                        found.push((reference.clone(), at.clone()));
                    }
                }
            }
            Value::List(items) => {
                open.extend(
                    items.iter().enumerate().map(|(index, item)| (item, format!("{at}/{index}"))),
                );
            }
            Value::Map(map) => {
                let step = crate::base::json::pointer_step;
                open.extend(map.iter().map(|(key, value)| (value, format!("{at}/{}", step(key)))));
            }
            _ => {}
        }
    }
    found
}

impl Name<'_> {
    fn wire(
        mut self,
        name: &str,
        workflow: &Workflow,
        names: &Names,
        wiring: &mut Wiring,
        told: &mut Vec<Diagnostic>,
    ) {
        self.writers.retain(|writer| self.control.is_reached(writer.node));
        self.uses.retain(|read| self.control.is_reached(read.point));
        let id = |writer: usize| {
            let node = self.writers.get(writer).and_then(|writer| workflow.nodes.get(writer.node));
            node.map_or("", |node| node.id.as_str()).to_owned()
        };
        let ids: Vec<String> = (0..self.writers.len()).map(id).collect();
        let contents = self.solve();
        let seen = self.settle();
        let mut aliased = vec![false; self.writers.len()];
        for (read, content) in self.uses.iter().zip(&contents) {
            let beside = self.beside(read.point);
            let stored = match (beside, self.seen(*content, &seen)) {
                (Some(writer), _) => {
                    told.push(ambiguous(name, &read.reader, workflow, &[ids.get(writer)]));
                    continue;
                }
                (None, Seen::Unordered(a, b)) => {
                    told.push(ambiguous(name, &read.reader, workflow, &[ids.get(a), ids.get(b)]));
                    continue;
                }
                (None, Seen::One(Some(writer))) => self.writers.get(writer).and_then(|writer| {
                    let node = workflow.nodes.get(writer.node)?;
                    Some(names.of(writer.node, node, &writer.key).to_owned())
                }),
                (None, Seen::Many) => {
                    self.alias(*content, &mut aliased);
                    None
                }
                (None, _) => None,
            };
            read.reader.connect(wiring, stored.unwrap_or_else(|| name.to_owned()));
        }
        for (writer, aliased) in self.writers.iter().zip(aliased) {
            let Some(node) = workflow.nodes.get(writer.node) else { continue };
            if aliased
                && names.of(writer.node, node, &writer.key) != name
                && let Some(wired) = wiring.nodes.get_mut(writer.node)
            {
                wired.output_aliases.insert(writer.key.clone(), name.to_owned());
            }
        }
    }

    /// What stands under the name where each use reads it.
    fn solve(&mut self) -> Vec<Content> {
        let nodes: Vec<usize> = self.writers.iter().map(|writer| writer.node).collect();
        let mut points = self.control.meeting_points(&nodes);
        let exit = self.control.exit();
        let at_exit = self.uses.iter().any(|read| read.point == exit);
        if at_exit && self.control.before(exit).len() > 1 {
            points.push(exit);
        }
        // What is asked, in the order of the walk down the dominator tree.
        let mut steps: Vec<(u32, u8, usize, usize)> = Vec::new();
        let mut sources: Vec<Source> = Vec::new();
        for (meeting, point) in points.iter().enumerate() {
            steps.push((self.control.span(*point).0, 0, meeting, *point));
            let ways = self.control.ways_to(*point);
            let listed = ways.iter().flat_map(|(way, from)| from.iter().map(|from| (*way, *from)));
            let of = self.control.dominator(*point).unwrap_or(exit);
            sources.push(Source { base: of, ways: listed.collect() });
        }
        for (read, of) in self.uses.iter().enumerate() {
            steps.push((self.control.span(of.point).0, 1, read, of.point));
        }
        for (writer, of) in self.writers.iter().enumerate() {
            steps.push((self.control.span(of.node).0, 2, writer, of.node));
        }
        let ends: BTreeSet<usize> = sources
            .iter()
            .flat_map(|source| source.ways.iter().map(|(_, from)| *from).chain([source.base]))
            .collect();
        for end in &ends {
            steps.push((self.control.span(*end).0, 3, *end, *end));
        }
        steps.sort_unstable();
        let mut open: Vec<(u32, Content)> = vec![(u32::MAX, Content::Entry)];
        let mut reads = vec![Content::Entry; self.uses.len()];
        let mut at_end: HashMap<usize, Content> = HashMap::new();
        self.before = vec![Content::Entry; self.writers.len()];
        for (clock, kind, what, point) in steps {
            while open.len() > 1 && open.last().is_some_and(|(end, _)| *end <= clock) {
                open.pop();
            }
            let top = open.last().map_or(Content::Entry, |(_, content)| *content);
            let (_, end) = self.control.span(point);
            match kind {
                0 => open.push((end, Content::Meeting(what))),
                1 => {
                    if let Some(slot) = reads.get_mut(what) {
                        *slot = top;
                    }
                }
                2 => {
                    if let Some(slot) = self.before.get_mut(what) {
                        *slot = top;
                    }
                    open.push((end, Content::Written(what)));
                }
                _ => drop(at_end.insert(what, top)),
            }
        }
        let content = |point: usize| at_end.get(&point).copied().unwrap_or(Content::Entry);
        for source in sources {
            let ways = source.ways.iter().map(|(way, from)| (*way, content(*from)));
            self.meetings.push(meet(self.control, content(source.base), ways.collect()));
        }
        reads
    }

    /// Who may have written what each meeting holds: the least answer that fits all of them.
    fn settle(&self) -> Vec<Seen> {
        let mut seen = vec![Seen::Nothing; self.meetings.len()];
        let mut readers: Vec<Vec<usize>> = vec![Vec::new(); self.meetings.len()];
        for (number, meeting) in self.meetings.iter().enumerate() {
            for content in &meeting.contents {
                if let Some(source) = self.meeting_behind(*content) {
                    readers.get_mut(source).into_iter().for_each(|readers| readers.push(number));
                }
            }
        }
        let mut work: Vec<usize> = (0..self.meetings.len()).rev().collect();
        while let Some(number) = work.pop() {
            let Some(meeting) = self.meetings.get(number) else { continue };
            let mut now = meeting.contents.iter().fold(Seen::Nothing, |seen_so_far, content| {
                seen_so_far.and(self.seen(*content, &seen))
            });
            if let Some((a, b)) = meeting.unordered
                && let (Some(a), Some(b)) = (self.some_writer(a, &seen), self.some_writer(b, &seen))
            {
                now = Seen::Unordered(a, b);
            }
            let Some(slot) = seen.get_mut(number).filter(|slot| **slot != now) else { continue };
            *slot = now;
            work.extend(readers.get(number).into_iter().flatten());
        }
        seen
    }

    /// The meeting that a content comes from, through writers that may leave it as it is.
    fn meeting_behind(&self, mut content: Content) -> Option<usize> {
        loop {
            match content {
                Content::Meeting(number) => return Some(number),
                Content::Written(writer) if self.writers.get(writer)?.optional => {
                    content = *self.before.get(writer)?;
                }
                _ => return None,
            }
        }
    }

    fn seen(&self, content: Content, meetings: &[Seen]) -> Seen {
        let mut seen = Seen::Nothing;
        let mut at = content;
        loop {
            match at {
                Content::Entry if self.is_input => return seen.and(Seen::One(None)),
                Content::Entry => return seen,
                Content::Meeting(number) => {
                    return seen.and(meetings.get(number).copied().unwrap_or(Seen::Nothing));
                }
                Content::Written(writer) => {
                    seen = seen.and(Seen::One(Some(writer)));
                    if !self.writers.get(writer).is_some_and(|writer| writer.optional) {
                        return seen;
                    }
                    at = self.before.get(writer).copied().unwrap_or(Content::Entry);
                }
            }
        }
    }

    fn some_writer(&self, content: Content, meetings: &[Seen]) -> Option<usize> {
        match content {
            Content::Written(writer) => Some(writer),
            Content::Meeting(number) => match meetings.get(number)? {
                Seen::One(writer) => *writer,
                Seen::Unordered(writer, _) => Some(*writer),
                Seen::Many => {
                    let mut aliased = vec![false; self.writers.len()];
                    self.alias(content, &mut aliased);
                    aliased.iter().position(|aliased| *aliased)
                }
                Seen::Nothing => None,
            },
            Content::Entry => None,
        }
    }

    /// Every writer that a content may come from.
    fn alias(&self, content: Content, aliased: &mut [bool]) {
        let mut open = vec![content];
        let mut seen = HashSet::new();
        while let Some(content) = open.pop() {
            match content {
                Content::Entry => {}
                Content::Meeting(number) => {
                    if seen.insert(number) {
                        open.extend(
                            self.meetings.get(number).into_iter().flat_map(|one| &one.contents),
                        );
                    }
                }
                Content::Written(writer) => {
                    if let Some(slot) = aliased.get_mut(writer) {
                        // Whoever was marked before has marked those behind it too.
                        let known = std::mem::replace(slot, true);
                        let optional =
                            self.writers.get(writer).is_some_and(|writer| writer.optional);
                        if !known && optional {
                            open.extend(self.before.get(writer));
                        }
                    }
                }
            }
        }
    }

    /// A writer that runs beside a point.
    fn beside(&self, point: usize) -> Option<usize> {
        if !self.control.has_forks() || point == self.control.exit() {
            return None;
        }
        let mine = self.control.branches_of(point);
        let of = |branch: usize| self.control.dominator(branch);
        self.writers.iter().position(|writer| {
            writer.node != point
                && self.control.branches_of(writer.node).iter().any(|theirs| {
                    mine.iter().any(|own| {
                        own != theirs
                            && of(*own) == of(*theirs)
                            && self.control.are_parallel(*own, *theirs)
                    })
                })
        })
    }
}

/// What meets at a point below which `base` was there.
fn meet(control: &Control, base: Content, ways: Vec<(Option<usize>, Content)>) -> Meeting {
    let mut by_way: IndexMap<Option<usize>, Vec<Content>> = IndexMap::new();
    for (way, content) in ways {
        by_way.entry(way).or_default().push(content);
    }
    // Ways that run side by side are all taken, so one that leaves the content as it is does not
    // count beside one that writes.
    let parallel = |a: Option<usize>, b: Option<usize>| {
        a.zip(b).is_some_and(|(a, b)| a != b && control.are_parallel(a, b))
    };
    let changed = |contents: &Vec<Content>| contents.iter().any(|content| *content != base);
    let mut contents = Vec::new();
    let mut unordered = None;
    for (way, own) in &by_way {
        let others = by_way.iter().filter(|(other, _)| parallel(*way, **other));
        let writing: Vec<&Vec<Content>> =
            others.map(|(_, own)| own).filter(|own| changed(own)).collect();
        if changed(own) {
            let other =
                writing.first().and_then(|own| own.iter().find(|content| **content != base));
            let mine = own.iter().find(|content| **content != base);
            unordered = unordered.or(mine.copied().zip(other.copied()));
        } else if !writing.is_empty() {
            continue;
        }
        contents.extend(own.iter().copied());
    }
    contents.dedup();
    Meeting { contents, unordered }
}

impl Seen {
    fn and(self, other: Seen) -> Seen {
        match (self, other) {
            (Seen::Nothing, seen) | (seen, Seen::Nothing) => seen,
            (Seen::Unordered(a, b), _) | (_, Seen::Unordered(a, b)) => Seen::Unordered(a, b),
            (Seen::One(a), Seen::One(b)) if a == b => Seen::One(a),
            _ => Seen::Many,
        }
    }
}

impl Reader {
    /// Lets the reader read from a stored name.
    fn connect(&self, wiring: &mut Wiring, stored: String) {
        match self {
            Reader::Input(node, key) => {
                if stored != *key
                    && let Some(node) = wiring.nodes.get_mut(*node)
                {
                    node.input_mappings.insert(key.clone(), stored);
                }
            }
            Reader::Template(node, name) => {
                if let Some(node) = wiring.nodes.get_mut(*node) {
                    node.templates.insert(name.clone(), stored);
                }
            }
            Reader::Output(output, name) => {
                wiring.outputs.entry(output.clone()).or_default().insert(name.clone(), stored);
            }
        }
    }

    fn pointer(&self) -> String {
        match self {
            Reader::Input(node, _) | Reader::Template(node, _) => format!("/nodes/{node}"),
            Reader::Output(output, _) => {
                format!("/outputs/{}", crate::base::json::pointer_step(output))
            }
        }
    }
}

fn ambiguous(
    name: &str,
    reader: &Reader,
    workflow: &Workflow,
    writers: &[Option<&String>],
) -> Diagnostic {
    let who = match reader {
        Reader::Input(node, _) | Reader::Template(node, _) => {
            workflow.nodes.get(*node).map_or("", |node| node.id.as_str())
        }
        Reader::Output(..) => "the workflow",
    };
    let writers: Vec<&str> = writers.iter().filter_map(|one| one.map(String::as_str)).collect();
    let listed = writers.join(" and ");
    let message = match writers.len() {
        1 => {
            format!("ambiguous read: {listed} writes {} beside {who}, which reads it", quote(name))
        }
        _ => format!(
            "ambiguous read: {listed} write {} side by side, and {who} reads it",
            quote(name)
        ),
    };
    Diagnostic::new(codes::AMBIGUOUS, message)
        .help("name the writer, as in `${writer_key}`, or put an edge between them")
        .at_pointer(reader.pointer())
}
