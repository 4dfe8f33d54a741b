//! Execution order: topological by control flow, ties in the order of the workflow.

use super::control::ControlFlowGraph;
use super::csr::{CsrLists, NONE, add_to_item, item_or_none, set_item};
use super::workflow::{Workflow, intern_actions};
use crate::base::bit_set;
use crate::base::map::{IntMap, OrderedMap};
use fixedbitset::FixedBitSet;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Priority queue with the least number first.
pub type MinHeap = BinaryHeap<Reverse<u64>>;

/// Successors and ranks of the nodes.
#[derive(Clone, Debug, Default)]
pub struct ExecutionOrder {
    /// WorkflowEdge indices of each node.
    edges: CsrLists,
    /// Action index and target node of each edge.
    targets: Vec<(u32, u32)>,
    /// Interned actions.
    actions: OrderedMap<()>,
    /// Topological rank of each node, without back edges.
    rank: Vec<u32>,
    /// For each node, the nodes that it reads by their own names, and the readers of its own names.
    unique_name_neighbors: CsrLists,
    has_forks: bool,
}

/// Computes pairs of a reader and the writer whose own name it reads, as node indices.
type NamedReads<'a> = dyn Fn() -> Vec<(usize, usize)> + 'a;

impl ExecutionOrder {
    /// Computes the order of a workflow. Where edges do not order a named read and its writer, they run in
    /// the sequential order.
    pub fn new(
        workflow: &Workflow,
        control: &ControlFlowGraph,
        named_reads: &NamedReads<'_>,
    ) -> ExecutionOrder {
        let count = workflow.nodes.len();
        let mut order = ExecutionOrder::default();
        let actions = intern_actions(&workflow.edges, &mut order.actions);
        order.targets = actions
            .iter()
            .zip(&workflow.edges)
            .map(|(action, edge)| (*action, edge.to as u32))
            .collect::<Vec<_>>();
        order.edges = CsrLists::new(count, &|put| {
            (0u32..).zip(&workflow.edges).for_each(|(index, edge)| put(edge.from as u32, index));
        });
        let is_fork = |node: u32| {
            let action_of = |edge: &u32| {
                let target = order.targets.get(*edge as usize).filter(|(_, to)| *to != NONE);
                target.map(|(action, _)| action)
            };
            let edges = order.edges.list(node);
            let mut seen = IntMap::default();
            edges.len() > 1
                && edges
                    .iter()
                    .filter_map(action_of)
                    .any(|action| seen.insert(u64::from(*action), 0).is_some())
        };
        order.has_forks = workflow.starts.len() > 1 || (0..count as u32).any(is_fork);
        // No node waits for an unreachable one.
        let forward = workflow.edges.iter().filter(|edge| {
            edge.to < count
                && control.is_reachable(edge.from)
                && !control.is_back_edge(edge.from, edge.to)
        });
        let forward: Vec<(u32, u32)> =
            forward.map(|edge| (edge.to as u32, edge.from as u32)).collect();
        order.rank = topological_ranks(count, &forward);
        if order.has_forks {
            let named_reads = named_reads();
            order.unique_name_neighbors = CsrLists::new(count, &|put| {
                named_reads.iter().filter(|(a, b)| a != b).for_each(|(a, b)| {
                    put(*a as u32, *b as u32);
                    put(*b as u32, *a as u32);
                });
            });
        }
        order
    }

    /// Iterates over the nodes that follow on an action.
    pub fn successors_on_action(&self, node: usize, action: &str) -> impl Iterator<Item = usize> {
        let action = self.actions.get_index_of(action);
        let edges = self.edges(node).filter(move |(of, _)| Some(*of as usize) == action);
        edges.filter(|(_, to)| *to != NONE).map(|(_, to)| to as usize)
    }

    /// Returns whether a node has an edge for an action, also one to the end.
    pub fn has_edge(&self, node: usize, action: &str) -> bool {
        let action = self.actions.get_index_of(action);
        self.edges(node).any(|(of, _)| Some(of as usize) == action)
    }

    /// Iterates over the actions of a node's edges.
    pub fn actions(&self, node: usize) -> impl Iterator<Item = &str> {
        let names =
            self.edges(node).filter_map(|(action, _)| self.actions.get_index(action as usize));
        names.map(|(name, _)| &**name)
    }

    fn edges(&self, node: usize) -> impl Iterator<Item = (u32, u32)> {
        let edges = self.edges.list(node as u32).iter();
        edges.filter_map(|edge| self.targets.get(*edge as usize).copied())
    }

    /// Returns the topological rank of a node.
    pub fn rank(&self, node: usize) -> u32 {
        item_or_none(&self.rank, node as u32)
    }

    /// Returns whether several nodes can be live at once.
    pub fn has_forks(&self) -> bool {
        self.has_forks
    }

    /// Iterates over the targets of a node's edges, without the end.
    pub(super) fn targets(&self, node: usize) -> impl Iterator<Item = u32> {
        self.edges(node).map(|(_, to)| to).filter(|to| *to != NONE)
    }

    /// Returns the nodes that a node reads by their own names, and the readers of its own names.
    pub(super) fn unique_name_neighbors(&self, node: u32) -> &[u32] {
        self.unique_name_neighbors.list(node)
    }

    /// Returns the nodes in topological order.
    pub(super) fn nodes_by_rank(&self) -> Vec<u32> {
        let mut nodes: Vec<u32> = (0..self.rank.len() as u32).collect();
        nodes.sort_by_key(|node| item_or_none(&self.rank, *node));
        nodes
    }

    /// Returns a live node that has to end before `node` begins, or `None`. In a sequential run a node
    /// waits for all earlier nodes. With equal results, a subset is enough: nodes that may still lead
    /// to `node` or to a node that `node` may go back to. Nodes that lead to a reader or writer of a
    /// named output of these are in it too. Adds the number of visited nodes to `visit_count`.
    pub fn find_blocking_node(
        &self,
        node: usize,
        live: &[usize],
        visit_count: &mut usize,
    ) -> Option<usize> {
        let rank = self.rank(node);
        let is_earlier = |other: &usize| self.rank(*other) < rank;
        if !live.iter().any(is_earlier) {
            return None;
        }
        let mut visit = |current: usize, visited: &mut FixedBitSet, stack: &mut Vec<usize>| {
            *visit_count += 1;
            if bit_set::insert(visited, current as u32) {
                let next = self.targets(current).map(|to| to as usize);
                stack.extend(next.filter(|to| *to == node || is_earlier(to)));
            }
        };
        let mut targets = FixedBitSet::new();
        let mut stack = vec![node];
        let mut named: Vec<u32> = Vec::new();
        while let Some(current) = stack.pop() {
            named.extend(self.unique_name_neighbors.list(current as u32));
            visit(current, &mut targets, &mut stack);
        }
        for node in named {
            bit_set::insert(&mut targets, node);
        }
        let mut visited = FixedBitSet::new();
        live.iter().copied().filter(is_earlier).find(|from| {
            stack.clear();
            stack.push(*from);
            while let Some(current) = stack.pop() {
                if targets.contains(current) {
                    return true;
                }
                visit(current, &mut visited, &mut stack);
            }
            false
        })
    }
}

/// Returns the rank of each node in topological order (Kahn), from `(to, from)` pairs; [`NONE`] for nodes
/// in a cycle.
fn topological_ranks(count: usize, edges: &[(u32, u32)]) -> Vec<u32> {
    // Fast path: the order of the workflow is topological.
    if edges.iter().all(|(to, from)| from < to) {
        return (0..count as u32).collect::<Vec<_>>();
    }
    let successors =
        CsrLists::new(count, &|put| edges.iter().for_each(|(to, from)| put(*from, *to)));
    let mut incoming = vec![0u32; count];
    edges.iter().for_each(|(to, _)| add_to_item(&mut incoming, *to, 1));
    let mut ranks = vec![NONE; count];
    let free = (0..count as u32).filter(|node| item_or_none(&incoming, *node) == 0);
    let mut ready: MinHeap = free.map(|node| Reverse(node.into())).collect();
    let mut rank = 0;
    while let Some(node) = ready.pop().map(|Reverse(node)| node as u32) {
        set_item(&mut ranks, node, rank);
        rank += 1;
        for to in successors.list(node) {
            add_to_item(&mut incoming, *to, u32::MAX);
            if item_or_none(&incoming, *to) == 0 {
                ready.push(Reverse((*to).into()));
            }
        }
    }
    ranks
}
