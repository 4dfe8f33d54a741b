//! Errors for ambiguous reads: which writers a read may see, and how to name one of them.

use super::accesses::{NameAccesses, NameRead, OutputWrite, ReadSite};
use super::reaching::{ReachingDefinitions, ReachingQuery, ReadOrigin};
use super::texts::qualified_name;
use super::{AmbiguousRead, NameWiring};
use crate::base::Diagnostic;
use crate::base::diagnostic::quote;
use crate::base::map::OrderedMap;
use crate::flow::codes;
use crate::flow::control::ControlFlowGraph;

/// Fixes for ambiguous reads.
const ADD_EDGE: &str = "add an edge between them";
const MOVE_BACK_EDGE: &str = "start the back edge after the join of the branches";

/// Maximum number of ambiguous reads of one name; more are not displayed.
const MAX_REPORTED_READS: usize = 100;

impl NameWiring<'_> {
    /// Reports ambiguous reads, each with all its candidates.
    pub(super) fn report_ambiguous(
        &self,
        reads: &[AmbiguousRead<'_>],
        writes: &[&OutputWrite],
        analysis: &mut ReachingDefinitions<'_>,
        query: ReachingQuery<'_>,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        if reads.is_empty() {
            return;
        }
        let indices: Vec<usize> =
            reads.iter().take(MAX_REPORTED_READS).map(|read| read.index).collect();
        let candidates = analysis.candidates(query, &indices);
        for (read, candidates) in reads.iter().zip(candidates) {
            let named = candidates
                .iter()
                .filter_map(|candidate| Some((*writes.get(candidate.writer)?, candidate.precedes)));
            diagnostics.push(self.ambiguous_read_error(read, writes, &named.collect::<Vec<_>>()));
        }
    }

    /// Returns the error for a read; each candidate has a flag whether it always runs before the read.
    fn ambiguous_read_error(
        &self,
        AmbiguousRead { read, origin, .. }: &AmbiguousRead<'_>,
        writes: &[&OutputWrite],
        candidates: &[(&OutputWrite, bool)],
    ) -> Diagnostic {
        let name = quote(self.name);
        let reader = match read.site {
            ReadSite::Output(..) => "the workflow".to_owned(),
            ReadSite::Input(..) | ReadSite::Template(..) => quote(self.node_id(read.vertex)),
        };
        let id = |write: &OutputWrite| quote(self.node_id(write.node as usize));
        let of = |index: usize| writes.get(index).map(|write| id(write)).unwrap_or_default();
        let (message, fix) = match origin {
            ReadOrigin::OverlappingLoop(index) => (
                format!(
                    "ambiguous read: {reader} reads {name}, which {} writes in a loop that repeats before \
                     all of its branches have ended",
                    of(*index)
                ),
                MOVE_BACK_EDGE,
            ),
            ReadOrigin::Concurrent(index) => (
                format!(
                    "ambiguous read: {} writes {name} in parallel with {reader}, which reads it",
                    of(*index)
                ),
                ADD_EDGE,
            ),
            _ => {
                let ids: Vec<String> = candidates.iter().map(|(write, _)| id(write)).collect();
                let ids = join_with_word(&ids, "and");
                let message = format!(
                    "ambiguous read: {ids} write {name} in parallel, and {reader} reads it"
                );
                (message, ADD_EDGE)
            }
        };
        let has_other = candidates.len() > 1;
        let choices: Vec<String> = candidates
            .iter()
            .map(|(write, precedes)| {
                let choice = quote(&self.reference_to(write));
                match *precedes && has_other {
                    true => format!("{choice} (of {}, which runs before {reader})", id(write)),
                    false => choice,
                }
            })
            .collect();
        let either = join_with_word(&choices, "or");
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

    /// Returns the reference that reads exactly one write.
    fn reference_to(&self, write: &OutputWrite) -> String {
        let stored = self.stored_name(write);
        if stored != self.name {
            return format!("${{{stored}}}");
        }
        let key = self.output_key(write).unwrap_or(self.name);
        format!("${{{}}}", qualified_name(self.node_id(write.node as usize), key))
    }

    /// Returns the warning for a read of one output whose node may run concurrently. Names a writer of the
    /// same name that always runs before the read, if there is one.
    pub(super) fn parallel_read_warning(
        &self,
        read: &NameRead,
        write: &OutputWrite,
        control: &ControlFlowGraph,
        flat: &OrderedMap<NameAccesses>,
    ) -> Diagnostic {
        let id = |node: usize| quote(self.node_id(node));
        let (writer, reader) = (id(write.node as usize), id(read.vertex));
        let expression = quote(&format!("${{{}}}", self.name));
        let message = format!("{reader} reads {expression}, which {writer} writes in parallel");
        let node = self.workflow.nodes.get(write.node as usize);
        let own = node.zip(self.output_key(write)).map(|(node, key)| node.written_name(key));
        let accesses = own.and_then(|own| flat.get_key_value(own));
        let before = accesses.and_then(|(name, accesses)| {
            let precedes = |other: &&OutputWrite| {
                other.node as usize != read.vertex
                    && control.dominators.dominates(other.node, read.vertex as u32)
            };
            let depth = |other: &&OutputWrite| control.dominators.depth(other.node);
            let before = accesses.writes.iter().filter(precedes).max_by_key(depth)?;
            let same_name = NameWiring { name, accesses, ..*self };
            Some((before.node as usize, quote(&same_name.reference_to(before))))
        });
        let edge = format!("add an edge from {writer} to {reader}");
        let help = match before {
            Some((node, choice)) => {
                format!("write {choice} (of {}, which runs before {reader}), or {edge}", id(node))
            }
            None => edge,
        };
        Diagnostic::new(codes::PARALLEL_READ, message)
            .help(help)
            .at_pointer(read.site.pointer(self.workflow))
    }
}

/// Joins texts with commas, and with a word before the last one.
fn join_with_word(texts: &[String], word: &str) -> String {
    match texts {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} {word} {last}", first.join(", ")),
    }
}
