//! Which writer each read sees, so that renaming what is written changes nothing that is read.

mod branches;
mod plain;
mod reaching;
mod unknown;
mod uses;

use super::codes;
use super::control::Control;
use super::naming::Names;
use super::workflow::Workflow;
use crate::base::diagnostic::quote;
use crate::base::json::pointer_step;
use crate::base::map::OrderedMap;
use crate::base::template::{PathStep, Reference};
use crate::base::{Diagnostic, names::list};
use reaching::{Flow, Origin, Question, Writer};
use std::rc::Rc;

/// How a workflow's nodes read and write one store in which no two nodes share a name by accident.
#[derive(Clone, Debug, Default)]
pub struct Wiring {
    /// For each node, what it reads under other names.
    pub nodes: Vec<NodeWiring>,
    /// For each output of the workflow, the names that its template uses and where they are stored.
    pub outputs: OrderedMap<OrderedMap<Rc<str>>>,
}

/// What one node reads and writes under other names, besides the names of its outputs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NodeWiring {
    /// Output keys with the flat names that they are stored under besides, for reads that see
    /// several writers.
    pub output_aliases: OrderedMap<Rc<str>>,
    /// Input keys with the names that they are read from.
    pub input_mappings: OrderedMap<Rc<str>>,
    /// Names in templates with the names that they are read from; `node.key` for an output that
    /// is read through the id of its node.
    pub templates: OrderedMap<Rc<str>>,
}

/// Which of the names in templates a reference begins with, and how many steps of its path that
/// takes.
pub fn named<'a>(
    templates: &'a OrderedMap<Rc<str>>,
    reference: &Reference,
) -> Option<(&'a str, usize)> {
    let find = |name: &str| templates.get_key_value(name).map(|(name, _)| &**name);
    if let Some(name) = find(&reference.name) {
        return Some((name, 0));
    }
    let Some(PathStep::Key(key)) = reference.path.first() else { return None };
    find(&uses::two_part(&reference.name, key)).map(|name| (name, 1))
}

/// Whether a name in a text is one that [`named`] finds, alone or with the key behind it.
pub fn is_stored(templates: &OrderedMap<Rc<str>>, name: &str) -> bool {
    let begins =
        |known: &Rc<str>| known.strip_prefix(name).is_some_and(|behind| behind.starts_with('.'));
    templates.contains_key(name) || templates.keys().any(begins)
}

/// Somebody who reads a name.
#[derive(Clone, Debug)]
struct Use {
    /// The point where it is read.
    point: usize,
    reader: Reader,
    /// The node whose output is meant, and no other.
    only: Option<usize>,
}

impl Use {
    /// Whether what the name holds is meant: an input may begin with nothing.
    fn is_meant(&self) -> bool {
        !matches!(self.reader, Reader::Input(..))
    }
}

#[derive(Clone, Debug)]
enum Reader {
    /// An input of a node.
    Input(usize, Rc<str>),
    /// A name in a template of a node, and which of its texts that is.
    Template(usize, Rc<str>, u32),
    /// A name in the template of an output of the workflow.
    Output(Rc<str>, Rc<str>),
}

/// An output that is written to a name.
#[derive(Clone, Copy, Debug)]
struct Written {
    node: u32,
    /// The place of the output among those of the node.
    output: u32,
    optional: bool,
}

/// Who writes and who reads a name of the flat store.
#[derive(Clone, Debug, Default)]
struct Accesses {
    writers: Vec<Written>,
    uses: Vec<Use>,
}

/// Wires a workflow. The names in a template that nothing is called are told.
pub fn wire(workflow: &Workflow, control: &Control, names: &Names) -> (Wiring, Vec<Diagnostic>) {
    let mut told = Vec::new();
    let mut wiring = Wiring {
        nodes: workflow.nodes.iter().map(|_| NodeWiring::default()).collect(),
        outputs: workflow
            .outputs
            .keys()
            .map(|name| (name.clone(), OrderedMap::default()))
            .collect(),
    };
    let (by_name, alone) = uses::gather(workflow, control, names, &mut wiring, &mut told);
    let mut flow = Flow::new(control);
    let mut faults = 0;
    for (name, accesses) in by_name.iter().filter(|(_, accesses)| !accesses.uses.is_empty()) {
        // It will not run, and what branches that run side by side read is dear to find out.
        if faults >= FAULTS {
            break;
        }
        let before = told.len();
        let of = Name { name, accesses, workflow, names };
        of.wire(&mut flow, control, &mut wiring, &mut told);
        faults += told.iter().skip(before).filter(|one| one.is_error()).count();
    }
    for (name, accesses) in &alone {
        Name { name, accesses, workflow, names }.doubt_order(&mut flow, control, &mut told);
    }
    (wiring, told)
}

/// After so many faults of reads no more are looked for, and of doubts no more are told: no more are
/// shown.
const FAULTS: usize = 100;

/// What can be done about reads that are ambiguous.
const BETWEEN: &str = "put an edge between them";
const BACK: &str = "let the edge back begin where the branches have met again";

/// A name of the flat store with whoever uses it.
struct Name<'a> {
    name: &'a Rc<str>,
    accesses: &'a Accesses,
    workflow: &'a Workflow,
    names: &'a Names,
}

impl Name<'_> {
    fn wire(
        &self,
        flow: &mut Flow<'_>,
        control: &Control,
        wiring: &mut Wiring,
        told: &mut Vec<Diagnostic>,
    ) {
        let reached = |writer: &&Written| control.is_reached(writer.node as usize);
        let outputs: Vec<&Written> = self.accesses.writers.iter().filter(reached).collect();
        let uses = || self.accesses.uses.iter().filter(|read| control.is_reached(read.point));
        let is_input = self.workflow.inputs.contains_key(self.name);
        let writer = |of: &&Written| Writer { point: of.node, optional: of.optional };
        let writers: Vec<Writer> = outputs.iter().map(writer).collect();
        let reads: Vec<u32> = uses().map(|read| read.point as u32).collect();
        if writers.is_empty() && uses().all(|read| read.only.is_none()) {
            // What nobody writes is the same everywhere.
            for read in uses() {
                read.reader.connect(wiring, self.name.clone());
                if !is_input && !self.accesses.writers.is_empty() && read.is_meant() {
                    self.doubt(read, &self.accesses.writers.iter().collect::<Vec<_>>(), told);
                }
            }
            return;
        }
        let (origins, aliased) =
            flow.answer(Question { is_input, writers: &writers, reads: &reads });
        for (read, origin) in uses().zip(origins) {
            let of = |writer: usize| outputs.get(writer).copied();
            let stored = match origin {
                _ if read.only.is_some() => match origin {
                    Origin::One(writer) if of(writer).map(|of| of.node as usize) == read.only => {
                        of(writer)
                    }
                    _ => {
                        told.push(self.written_over(read, &outputs));
                        continue;
                    }
                },
                Origin::Beside(writer) => {
                    told.push(self.ambiguous(read, [of(writer), None], BETWEEN));
                    continue;
                }
                Origin::Unordered(a, b) => {
                    told.push(self.ambiguous(read, [of(a), of(b)], BETWEEN));
                    continue;
                }
                Origin::Tangled(writer) => {
                    told.push(self.ambiguous(read, [of(writer), None], BACK));
                    continue;
                }
                Origin::One(writer) => of(writer),
                Origin::Nobody => {
                    if !is_input && read.is_meant() {
                        self.doubt(read, &outputs, told);
                    }
                    None
                }
                Origin::Many => None,
            };
            let stored = stored.map_or(self.name, |writer| self.stored(writer));
            read.reader.connect(wiring, stored.clone());
        }
        for (writer, _) in outputs.iter().zip(aliased).filter(|(_, aliased)| *aliased) {
            self.alias(writer, wiring);
        }
    }

    /// Tells of the reads of one output alone that it never comes before. What runs beside it is waited for.
    fn doubt_order(&self, flow: &mut Flow<'_>, control: &Control, told: &mut Vec<Diagnostic>) {
        if told.len() >= FAULTS {
            return;
        }
        let outputs: Vec<&Written> = self.accesses.writers.iter().collect();
        let reached = outputs.iter().filter(|writer| control.is_reached(writer.node as usize));
        let writers =
            reached.map(|of| Writer { point: of.node, optional: of.optional }).collect::<Vec<_>>();
        let reads = self.accesses.uses.iter().map(|read| read.point as u32).collect::<Vec<_>>();
        let asked = Question { is_input: false, writers: &writers, reads: &reads };
        let (origins, _) = flow.answer(asked);
        for (read, _) in
            self.accesses.uses.iter().zip(origins).filter(|(_, of)| *of == Origin::Nobody)
        {
            self.doubt(read, &outputs, told);
        }
    }

    /// Tells of a read to which no writer leads.
    fn doubt(&self, read: &Use, writers: &[&Written], told: &mut Vec<Diagnostic>) {
        if told.len() < FAULTS {
            told.push(self.unwritten(read, writers));
        }
    }

    /// Lets a writer write under the name that all share, too.
    fn alias(&self, writer: &Written, wiring: &mut Wiring) {
        if self.stored(writer) != self.name
            && let Some(wired) = wiring.nodes.get_mut(writer.node as usize)
            && let Some(key) = self.key(writer)
        {
            wired.output_aliases.insert(key.clone(), self.name.clone());
        }
    }

    /// The name that an output is stored under.
    fn stored(&self, writer: &Written) -> &Rc<str> {
        let place = writer.node as usize;
        let node = self.workflow.nodes.get(place);
        let of = |(node, key)| self.names.of(place, node, key);
        node.zip(self.key(writer)).map_or(self.name, of)
    }

    fn key(&self, writer: &Written) -> Option<&Rc<str>> {
        let outputs = &self.workflow.nodes.get(writer.node as usize)?.outputs;
        outputs.get(writer.output as usize).map(|output| &output.key)
    }

    fn id(&self, place: usize) -> String {
        quote(self.workflow.nodes.get(place).map_or("", |node| &*node.id))
    }

    /// For a read to which no writer leads.
    fn unwritten(&self, read: &Use, writers: &[&Written]) -> Diagnostic {
        let name = quote(self.name);
        let message = format!("{name} is read where nothing can have written it");
        let others = writers.iter().filter(|writer| writer.node as usize != read.point);
        let others = others.filter_map(|writer| self.workflow.nodes.get(writer.node as usize));
        let help = match others.map(|node| &*node.id).collect::<Vec<_>>().as_slice() {
            [] => {
                "only the node itself writes it: name what another one before it writes".to_owned()
            }
            before => format!(
                "let {} run before, by the order or by an edge",
                list(before.iter().copied())
            ),
        };
        Diagnostic::new(codes::UNWRITTEN, message)
            .help(help)
            .at_pointer(read.reader.pointer(self.workflow))
    }

    /// For a read that may see several, and what else can be done than to name one.
    fn ambiguous(&self, read: &Use, writers: [Option<&Written>; 2], repair: &str) -> Diagnostic {
        let name = quote(self.name);
        let reader = match read.reader {
            Reader::Output(..) => "the workflow".to_owned(),
            Reader::Input(..) | Reader::Template(..) => self.id(read.point),
        };
        let id = |writer: &Written| self.id(writer.node as usize);
        let message = match writers {
            [Some(a), Some(b)] => format!(
                "ambiguous read: {} and {} write {name} side by side, and {reader} reads it",
                id(a),
                id(b)
            ),
            [Some(a), None] if repair == BACK => format!(
                "ambiguous read: {reader} reads {name}, which {} writes in a loop that goes back \
                 while another branch of it is still to run",
                id(a)
            ),
            [a, b] => format!(
                "ambiguous read: {} writes {name} beside {reader}, which reads it",
                a.or(b).map(id).unwrap_or_default()
            ),
        };
        let own = writers.into_iter().flatten().map(|writer| self.stored(writer));
        let own: Vec<String> = own
            .filter(|own| *own != self.name)
            .map(|own| format!("${{{own}}}"))
            .collect::<Vec<_>>();
        let either = list(own.iter().map(String::as_str)).replace(", ", " or ");
        let help = match &read.reader {
            _ if own.is_empty() => repair.to_owned(),
            Reader::Input(_, key) => {
                format!("set the param {} to {either}, whichever is meant, or {repair}", quote(key))
            }
            Reader::Template(..) | Reader::Output(..) => {
                format!("write {either}, whichever is meant, or {repair}")
            }
        };
        Diagnostic::new(codes::AMBIGUOUS, message)
            .help(help)
            .at_pointer(read.reader.pointer(self.workflow))
    }

    /// For a read of one node's output, where others write the same name.
    fn written_over(&self, read: &Use, writers: &[&Written]) -> Diagnostic {
        let only = read.only.unwrap_or_default();
        let writer = self.accesses.writers.iter().find(|writer| writer.node as usize == only);
        let key = writer.and_then(|writer| self.key(writer)).unwrap_or(self.name);
        let node = self.workflow.nodes.get(only).map_or("", |node| &*node.id);
        let wanted = quote(&format!("${{{}}}", uses::two_part(node, key)));
        let others = writers.iter().filter(|writer| writer.node as usize != only);
        let others: Vec<&str> = others
            .filter_map(|writer| self.workflow.nodes.get(writer.node as usize))
            .map(|node| &*node.id)
            .collect();
        let message = match others.is_empty() {
            true => format!("{wanted} may not have been written where it is read"),
            false => format!(
                "{wanted} may have been written over: {} is written by {} too",
                quote(self.name),
                list(others)
            ),
        };
        let help = format!(
            "write {} for whatever is there, or give the output a name of its own in `mappings`, \
             as in `{{\"{node}\": {{\"output_mappings\": {{\"{key}\": \"{node}_{key}\"}}}}}}`",
            quote(&format!("${{{}}}", self.name)),
        );
        Diagnostic::new(codes::WRITTEN_OVER, message)
            .help(help)
            .at_pointer(read.reader.pointer(self.workflow))
    }
}

impl Reader {
    /// Lets the reader read from a stored name.
    fn connect(&self, wiring: &mut Wiring, stored: Rc<str>) {
        match self {
            Reader::Input(node, key) => {
                if stored != *key
                    && let Some(node) = wiring.nodes.get_mut(*node)
                {
                    node.input_mappings.insert(key.clone(), stored);
                }
            }
            Reader::Template(node, name, _) => {
                if let Some(node) = wiring.nodes.get_mut(*node) {
                    node.templates.insert(name.clone(), stored);
                }
            }
            Reader::Output(output, name) => {
                if let Some(templates) = wiring.outputs.get_mut(output) {
                    templates.insert(name.clone(), stored);
                }
            }
        }
    }

    /// Where it is read.
    fn pointer(&self, workflow: &Workflow) -> String {
        match self {
            Reader::Input(place, _) => format!("/nodes/{place}"),
            Reader::Template(place, _, text) => {
                let mut left = *text;
                let mut found = format!("/nodes/{place}");
                let mut look = |_: &str, at: &str| {
                    if left == 0 {
                        at.clone_into(&mut found);
                    }
                    left = left.wrapping_sub(1);
                };
                if let Some(node) = workflow.nodes.get(*place) {
                    uses::node_texts(node, *place, &mut look);
                }
                found
            }
            Reader::Output(output, _) => format!("/outputs/{}", pointer_step(output)),
        }
    }
}
