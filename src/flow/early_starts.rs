//! Nodes of a workflow without edges that may start before an earlier node has ended, because they read
//! nothing of it.

use super::codes;
use super::naming::OutputNames;
use super::wiring::{Wiring, names_read};
use super::workflow::{Node, Workflow};
use crate::base::diagnostic::quote;
use crate::base::map::OrderedMap;
use crate::base::{Diagnostic, names};
use std::rc::Rc;

/// Returns the info that lists these nodes, if there are any. Without edges only data orders the nodes above
/// a concurrency of 1, except before and after barriers.
pub fn early_starts(
    workflow: &Workflow,
    names: &OutputNames,
    wiring: &Wiring,
) -> Option<Diagnostic> {
    let early = find_early_starts(workflow, names, wiring);
    let id = |index: &usize| workflow.nodes.get(*index).map_or("", |node| &*node.id);
    let first = quote(id(early.first()?));
    let message = format!(
        "may start before an earlier node has succeeded, with a `concurrency` above 1: {}",
        names::format_names(early.iter().map(id))
    );
    let help = format!("add `edges`, or declare `\"effects\": true`, if {first} must wait");
    Some(Diagnostic::new(codes::EARLY_STARTS, message).help(help))
}

/// Nodes whose values no node has read since the last barrier. A node waits for all nodes since the barrier
/// if it reads from each of these, because every other one has a reader among them.
#[derive(Default)]
struct UnreadNodes {
    is_unread: Vec<bool>,
    /// Index after the last barrier.
    start: usize,
    count: usize,
}

impl UnreadNodes {
    fn remove(&mut self, node_index: usize) {
        if let Some(slot) = self.is_unread.get_mut(node_index).filter(|slot| **slot) {
            *slot = false;
            self.count -= usize::from(node_index >= self.start);
        }
    }

    fn push(&mut self, is_barrier: bool) {
        // Nothing starts before a barrier has ended.
        if is_barrier {
            (self.start, self.count) = (self.is_unread.len() + 1, 0);
        } else {
            self.count += 1;
        }
        self.is_unread.push(!is_barrier);
    }
}

fn find_early_starts(workflow: &Workflow, names: &OutputNames, wiring: &Wiring) -> Vec<usize> {
    let mut unread = UnreadNodes::default();
    // Visible writers of each name that were not read since they wrote.
    let mut writers: OrderedMap<Vec<usize>> = OrderedMap::default();
    let mut early = Vec::new();
    for (node_index, node) in workflow.nodes.iter().enumerate() {
        let Some(wiring) = wiring.nodes.get(node_index) else { continue };
        for (name, stored) in names_read(node, wiring) {
            let other = Some(stored).filter(|stored| *stored != name);
            for name in [Some(name), other].into_iter().flatten() {
                let read = writers.get_mut(name).map(std::mem::take).unwrap_or_default();
                read.into_iter().for_each(|writer| unread.remove(writer));
            }
        }
        let is_barrier = node.is_barrier();
        if unread.count > 0 && !is_barrier {
            early.push(node_index);
        }
        unread.push(is_barrier);
        for (name, is_optional) in written_names(node_index, node, names, wiring) {
            let list = writers.entry(name.clone()).or_default();
            if !is_optional {
                list.clear();
            }
            list.push(node_index);
        }
    }
    early
}

/// Returns the names that a node writes, each with whether it may omit the value.
fn written_names<'a>(
    node_index: usize,
    node: &'a Node,
    names: &'a OutputNames,
    wiring: &'a super::wiring::NodeWiring,
) -> impl Iterator<Item = (&'a Rc<str>, bool)> {
    node.outputs.iter().flat_map(move |port| {
        let stored = names.name_of(node_index, node, &port.key);
        let own = wiring.own_names.get(&port.key);
        let flat = node.written_name(&port.key);
        let all = [Some(flat), Some(stored).filter(|stored| *stored != flat), own];
        all.into_iter().flatten().map(|name| (name, port.optional))
    })
}
