//! Wiring: connects each read to the writers that it sees, so that renamed outputs change no value that is
//! read.

mod accesses;
mod ambiguity;
mod branches;
mod collector;
mod foreign;
mod join_order;
mod reaching;
mod references;
mod texts;
mod unknown;
mod unprefixed;

pub use accesses::{NodeWiring, Wiring};

use super::codes;
use super::control::ControlFlowGraph;
use super::naming::OutputNames;
use super::workflow::{Node, Workflow};
use crate::base::diagnostic::quote;
use crate::base::map::OrderedMap;
use crate::base::template::{PathStep, Reference};
use crate::base::{Diagnostic, names::format_names};
use accesses::{NameAccesses, NameRead, OutputWrite};
use collector::collect_accesses;
use reaching::{ReachingDefinitions, ReachingQuery, ReadOrigin, Writer};
use std::rc::Rc;
use texts::qualified_name;

/// Returns the name in `templates` that a reference begins with, and its number of path steps;
/// `None` if there is no such name. An output of a node precedes a name of the store.
pub fn find_template_name<'a>(
    templates: &'a OrderedMap<Rc<str>>,
    reference: &Reference,
) -> Option<(&'a str, usize)> {
    let find = |name: &str| templates.get_key_value(name).map(|(name, _)| &**name);
    if let Some(PathStep::Key(key)) = reference.path.first()
        && let Some(name) = find(&qualified_name(&reference.name, key))
    {
        return Some((name, 1));
    }
    find(&reference.name).map(|name| (name, 0))
}

/// Iterates over the names that a node reads, each with its stored name.
pub fn names_read<'a>(
    node: &'a Node,
    wiring: &'a NodeWiring,
) -> impl Iterator<Item = (&'a Rc<str>, &'a Rc<str>)> {
    let inputs = node.inputs.iter().filter(|input| !node.has_value_for(&input.key));
    let inputs = inputs.map(|input| {
        let key = &input.key;
        (node.read_name(key), wiring.input_mappings.get(key).unwrap_or(key))
    });
    inputs.chain(wiring.templates.iter())
}

/// Returns whether [`find_template_name`] finds a name, alone or followed by a key.
pub fn is_template_name(templates: &OrderedMap<Rc<str>>, name: &str) -> bool {
    let is_qualified =
        |known: &Rc<str>| known.strip_prefix(name).is_some_and(|rest| rest.starts_with('.'));
    templates.contains_key(name) || templates.keys().any(is_qualified)
}

/// Wires a workflow. Returns errors for unknown names and ambiguous reads, and warnings for reads of unset
/// names.
pub fn wire(
    workflow: &Workflow,
    control: &ControlFlowGraph,
    names: &OutputNames,
) -> (Wiring, Vec<Diagnostic>) {
    let mut diagnostics = Vec::new();
    let mut wiring = Wiring {
        nodes: workflow.nodes.iter().map(|_| NodeWiring::default()).collect(),
        outputs: workflow
            .outputs
            .keys()
            .map(|name| (name.clone(), OrderedMap::default()))
            .collect(),
        read_inputs: OrderedMap::default(),
    };
    let (flat, undominated) =
        collect_accesses(workflow, control, names, &mut wiring, &mut diagnostics);
    let mut analysis = ReachingDefinitions::new(control);
    let mut error_count = 0;
    for (name, accesses) in flat.iter().filter(|(_, accesses)| !accesses.reads.is_empty()) {
        // The workflow will not run, and the analysis of concurrent branches is expensive.
        if error_count >= MAX_DIAGNOSTICS {
            break;
        }
        let start = diagnostics.len();
        let name = NameWiring { name, accesses, workflow, names };
        name.wire(&mut analysis, control, &mut wiring, &mut diagnostics);
        error_count += diagnostics.iter().skip(start).filter(|one| one.is_error()).count();
    }
    for (name, accesses) in &undominated {
        let name = NameWiring { name, accesses, workflow, names };
        name.warn_unordered_reads(&mut analysis, control, &flat, &mut diagnostics);
    }
    (wiring, diagnostics)
}

/// Maximum number of errors, and of diagnostics before a warning; more are not displayed.
const MAX_DIAGNOSTICS: usize = 100;

/// Read with several possible writers.
struct AmbiguousRead<'a> {
    read: &'a NameRead,
    /// Index of the read in the query.
    index: usize,
    origin: ReadOrigin,
}

/// Name of the flat store with its accesses.
struct NameWiring<'a> {
    name: &'a Rc<str>,
    accesses: &'a NameAccesses,
    workflow: &'a Workflow,
    names: &'a OutputNames,
}

impl NameWiring<'_> {
    fn wire(
        &self,
        analysis: &mut ReachingDefinitions<'_>,
        control: &ControlFlowGraph,
        wiring: &mut Wiring,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        let is_reachable = |write: &&OutputWrite| control.is_reachable(write.node as usize);
        let writes: Vec<&OutputWrite> = self.accesses.writes.iter().filter(is_reachable).collect();
        let reads = || self.accesses.reads.iter().filter(|read| control.is_reachable(read.vertex));
        let is_input = self.workflow.inputs.contains_key(self.name);
        let writers: Vec<Writer> = writes.iter().map(|write| writer_of(write)).collect();
        let vertices: Vec<u32> = reads().map(|read| read.vertex as u32).collect();
        if writers.is_empty() {
            // Without a writer every read sees the same value.
            for read in reads() {
                read.site.connect(wiring, self.name.clone());
                if !is_input && !self.accesses.writes.is_empty() && read.expects_value() {
                    let writes = self.accesses.writes.iter().collect::<Vec<_>>();
                    self.warn_unwritten(read, &writes, diagnostics);
                }
            }
            return;
        }
        let query = ReachingQuery { is_input, writers: &writers, reads: &vertices };
        let (origins, is_shared) = analysis.query(query);
        let mut ambiguous = Vec::new();
        for (index, (read, origin)) in reads().zip(origins).enumerate() {
            let seen = match origin {
                ReadOrigin::Concurrent(_)
                | ReadOrigin::Unordered(..)
                | ReadOrigin::OverlappingLoop(_) => {
                    ambiguous.push(AmbiguousRead { read, index, origin });
                    continue;
                }
                ReadOrigin::One(writer) => writes.get(writer).copied(),
                ReadOrigin::NoWriter => {
                    if !is_input && read.expects_value() {
                        self.warn_unwritten(read, &writes, diagnostics);
                    }
                    None
                }
                ReadOrigin::Several => None,
            };
            let stored = seen.map_or(self.name, |write| self.stored_name(write));
            read.site.connect(wiring, stored.clone());
        }
        self.report_ambiguous(&ambiguous, &writes, analysis, query, diagnostics);
        for (write, _) in writes.iter().zip(is_shared).filter(|(_, is_shared)| *is_shared) {
            self.add_alias(write, wiring);
        }
    }

    /// Warns about reads of one output that no path from its node leads to, or that its node may run
    /// concurrently with. The run waits for the node in the latter case, if it is earlier in the order.
    fn warn_unordered_reads(
        &self,
        analysis: &mut ReachingDefinitions<'_>,
        control: &ControlFlowGraph,
        flat: &OrderedMap<NameAccesses>,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        if diagnostics.len() >= MAX_DIAGNOSTICS {
            return;
        }
        let writes: Vec<&OutputWrite> = self.accesses.writes.iter().collect();
        let reachable = writes.iter().filter(|write| control.is_reachable(write.node as usize));
        let writers = reachable.map(|write| writer_of(write)).collect::<Vec<_>>();
        let reads = self.accesses.reads.iter().map(|read| read.vertex as u32).collect::<Vec<_>>();
        let query = ReachingQuery { is_input: false, writers: &writers, reads: &reads };
        let (origins, _) = analysis.query(query);
        for (read, origin) in self.accesses.reads.iter().zip(origins) {
            match (origin, writes.first()) {
                (ReadOrigin::NoWriter, _) => self.warn_unwritten(read, &writes, diagnostics),
                (ReadOrigin::Concurrent(_), Some(write)) if diagnostics.len() < MAX_DIAGNOSTICS => {
                    diagnostics.push(self.parallel_read_warning(read, write, control, flat));
                }
                _ => {}
            }
        }
    }

    fn warn_unwritten(
        &self,
        read: &NameRead,
        writes: &[&OutputWrite],
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        if diagnostics.len() < MAX_DIAGNOSTICS {
            diagnostics.push(self.unwritten_warning(read, writes));
        }
    }

    /// Makes a writer also write under the flat name.
    fn add_alias(&self, write: &OutputWrite, wiring: &mut Wiring) {
        if self.stored_name(write) != self.name
            && let Some(wired) = wiring.nodes.get_mut(write.node as usize)
            && let Some(key) = self.output_key(write)
        {
            wired.output_aliases.insert(key.clone(), self.name.clone());
        }
    }

    fn stored_name(&self, write: &OutputWrite) -> &Rc<str> {
        let node_index = write.node as usize;
        let node = self.workflow.nodes.get(node_index);
        let stored = |(node, key)| self.names.name_of(node_index, node, key);
        node.zip(self.output_key(write)).map_or(self.name, stored)
    }

    fn output_key(&self, write: &OutputWrite) -> Option<&Rc<str>> {
        let outputs = &self.workflow.nodes.get(write.node as usize)?.outputs;
        outputs.get(write.output as usize).map(|output| &output.key)
    }

    fn node_id(&self, node_index: usize) -> &str {
        self.workflow.nodes.get(node_index).map_or("", |node| &*node.id)
    }

    fn unwritten_warning(&self, read: &NameRead, writes: &[&OutputWrite]) -> Diagnostic {
        let message = format!("{} is read before any node writes it", quote(self.name));
        let others = writes.iter().map(|write| write.node as usize);
        let others = others.filter(|node| *node != read.vertex).map(|node| self.node_id(node));
        let help = match others.collect::<Vec<_>>().as_slice() {
            [] => "read a name that an earlier node writes; only the node itself writes this one"
                .to_owned(),
            others => {
                let others = format_names(others.iter().copied());
                format!("run {others} before it: change the order or add an edge")
            }
        };
        Diagnostic::new(codes::UNWRITTEN_READ, message)
            .help(help)
            .at_pointer(read.site.pointer(self.workflow))
    }
}

fn writer_of(write: &OutputWrite) -> Writer {
    Writer { vertex: write.node, optional: write.optional }
}
