//! Wiring: connects each read to the writers that it sees, so that renamed outputs change no value that is
//! read.

mod accesses;
mod branches;
mod collector;
mod reaching;
mod texts;
mod unknown;
mod unprefixed;

pub use accesses::{NodeWiring, Wiring};

use super::codes;
use super::control::ControlFlowGraph;
use super::naming::OutputNames;
use super::workflow::Workflow;
use crate::base::diagnostic::quote;
use crate::base::map::OrderedMap;
use crate::base::template::{PathStep, Reference};
use crate::base::{Diagnostic, names::list};
use accesses::{NameAccesses, NameRead, OutputWrite, ReadSite};
use collector::collect_accesses;
use reaching::{ReachingDefinitions, ReachingQuery, ReadOrigin, Writer};
use std::rc::Rc;
use texts::qualified_name;

/// Returns the name in `templates` that a reference begins with, and the number of path steps that belong
/// to the name; `None` if there is no such name.
pub fn find_template_name<'a>(
    templates: &'a OrderedMap<Rc<str>>,
    reference: &Reference,
) -> Option<(&'a str, usize)> {
    let find = |name: &str| templates.get_key_value(name).map(|(name, _)| &**name);
    if let Some(name) = find(&reference.name) {
        return Some((name, 0));
    }
    let Some(PathStep::Key(key)) = reference.path.first() else { return None };
    find(&qualified_name(&reference.name, key)).map(|name| (name, 1))
}

/// Reports whether [`find_template_name`] finds a name, alone or followed by a key.
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
        name.warn_unwritten_reads(&mut analysis, control, &mut diagnostics);
    }
    (wiring, diagnostics)
}

/// Maximum number of errors, and of diagnostics before a warning; more are not displayed.
const MAX_DIAGNOSTICS: usize = 100;

/// Fixes for ambiguous reads.
const ADD_EDGE: &str = "add an edge between them";
const MOVE_BACK_EDGE: &str = "start the back edge after the join of the branches";

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
        if writers.is_empty() && reads().all(|read| read.only_node.is_none()) {
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
        let (origins, is_shared) =
            analysis.query(ReachingQuery { is_input, writers: &writers, reads: &vertices });
        for (read, origin) in reads().zip(origins) {
            let write = |index: usize| writes.get(index).copied();
            let seen = match origin {
                _ if read.only_node.is_some() => match origin {
                    ReadOrigin::One(index)
                        if write(index).map(|write| write.node as usize) == read.only_node =>
                    {
                        write(index)
                    }
                    _ => {
                        diagnostics.push(self.overwritten(read, &writes));
                        continue;
                    }
                },
                ReadOrigin::Concurrent(index) => {
                    diagnostics.push(self.ambiguous(read, [write(index), None], ADD_EDGE));
                    continue;
                }
                ReadOrigin::Unordered(a, b) => {
                    diagnostics.push(self.ambiguous(read, [write(a), write(b)], ADD_EDGE));
                    continue;
                }
                ReadOrigin::OverlappingLoop(index) => {
                    diagnostics.push(self.ambiguous(read, [write(index), None], MOVE_BACK_EDGE));
                    continue;
                }
                ReadOrigin::One(index) => write(index),
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
        for (write, _) in writes.iter().zip(is_shared).filter(|(_, is_shared)| *is_shared) {
            self.add_alias(write, wiring);
        }
    }

    /// Warns about reads that no path from a writer leads to. Writers that may run concurrently with the
    /// read are accepted, because the run waits for them.
    fn warn_unwritten_reads(
        &self,
        analysis: &mut ReachingDefinitions<'_>,
        control: &ControlFlowGraph,
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
            if origin == ReadOrigin::NoWriter {
                self.warn_unwritten(read, &writes, diagnostics);
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
            diagnostics.push(self.unwritten(read, writes));
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
        let stored = |(node, key)| self.names.of(node_index, node, key);
        node.zip(self.output_key(write)).map_or(self.name, stored)
    }

    fn output_key(&self, write: &OutputWrite) -> Option<&Rc<str>> {
        let outputs = &self.workflow.nodes.get(write.node as usize)?.outputs;
        outputs.get(write.output as usize).map(|output| &output.key)
    }

    fn node_id(&self, node_index: usize) -> &str {
        self.workflow.nodes.get(node_index).map_or("", |node| &*node.id)
    }

    fn unwritten(&self, read: &NameRead, writes: &[&OutputWrite]) -> Diagnostic {
        let message = format!("{} is read before any node writes it", quote(self.name));
        let others = writes.iter().map(|write| write.node as usize);
        let others = others.filter(|node| *node != read.vertex).map(|node| self.node_id(node));
        let help = match others.collect::<Vec<_>>().as_slice() {
            [] => "read a name that an earlier node writes; only the node itself writes this one"
                .to_owned(),
            others => {
                let others = list(others.iter().copied());
                format!("run {others} before it: change the order or add an edge")
            }
        };
        Diagnostic::new(codes::UNWRITTEN_READ, message)
            .help(help)
            .at_pointer(read.site.pointer(self.workflow))
    }

    /// Returns the error for a read with several possible writers; `fix` is an alternative to naming one.
    fn ambiguous(
        &self,
        read: &NameRead,
        writes: [Option<&OutputWrite>; 2],
        fix: &str,
    ) -> Diagnostic {
        let name = quote(self.name);
        let reader = match read.site {
            ReadSite::Output(..) => "the workflow".to_owned(),
            ReadSite::Input(..) | ReadSite::Template(..) => quote(self.node_id(read.vertex)),
        };
        let id = |write: &OutputWrite| quote(self.node_id(write.node as usize));
        let message = match writes {
            [Some(a), Some(b)] => format!(
                "ambiguous read: {} and {} write {name} in parallel, and {reader} reads it",
                id(a),
                id(b)
            ),
            [Some(a), None] if fix == MOVE_BACK_EDGE => format!(
                "ambiguous read: {reader} reads {name}, which {} writes in a loop that repeats before all \
                 of its branches have ended",
                id(a)
            ),
            [a, b] => format!(
                "ambiguous read: {} writes {name} in parallel with {reader}, which reads it",
                a.or(b).map(id).unwrap_or_default()
            ),
        };
        let stored = writes.into_iter().flatten().map(|write| self.stored_name(write));
        let choices: Vec<String> = stored
            .filter(|stored| *stored != self.name)
            .map(|stored| format!("${{{stored}}}"))
            .collect::<Vec<_>>();
        let either = list(choices.iter().map(String::as_str)).replace(", ", " or ");
        let help = match &read.site {
            _ if choices.is_empty() => fix.to_owned(),
            ReadSite::Input(_, key) => {
                format!("set the param {} to {either}, or {fix}", quote(key))
            }
            ReadSite::Template(..) | ReadSite::Output(..) => format!("write {either}, or {fix}"),
        };
        Diagnostic::new(codes::AMBIGUOUS_READ, message)
            .help(help)
            .at_pointer(read.site.pointer(self.workflow))
    }

    /// Returns the error for a read of one node's output that another node may have overwritten.
    fn overwritten(&self, read: &NameRead, writes: &[&OutputWrite]) -> Diagnostic {
        let only_node = read.only_node.unwrap_or_default();
        let write = self.accesses.writes.iter().find(|write| write.node as usize == only_node);
        let key = write.and_then(|write| self.output_key(write)).unwrap_or(self.name);
        let node = self.node_id(only_node);
        let expression = quote(&format!("${{{}}}", qualified_name(node, key)));
        let others = writes.iter().map(|write| write.node as usize);
        let others = others.filter(|node| *node != only_node).map(|node| self.node_id(node));
        let others: Vec<&str> = others.collect();
        let message = match others.is_empty() {
            true => format!("{expression} may be unset where it is read"),
            false => format!(
                "{expression} may be overwritten: {} is also written by {}",
                quote(self.name),
                list(others)
            ),
        };
        let help = format!(
            "write {} to read the latest value, or give the output a unique name in `mappings`, \
             as in `{{\"{node}\": {{\"output_mappings\": {{\"{key}\": \"{node}_{key}\"}}}}}}`",
            quote(&format!("${{{}}}", self.name)),
        );
        Diagnostic::new(codes::OVERWRITTEN, message)
            .help(help)
            .at_pointer(read.site.pointer(self.workflow))
    }
}

fn writer_of(write: &OutputWrite) -> Writer {
    Writer { vertex: write.node, optional: write.optional }
}
