//! Control-flow graph of a workflow.

use super::codes;
use super::csr::{CsrLists, DepthFirstSearch, NONE, item_or_none, set_item};
use super::dominators::DominatorTree;
use super::workflow::{DEFAULT_ACTION, Workflow, intern_actions};
use crate::base::Diagnostic;
use crate::base::diagnostic::quote;
use crate::base::map::OrderedMap;

/// Control-flow graph. Its vertices are the nodes of the workflow, then the entry, then the exit.
pub struct ControlFlowGraph {
    node_count: u32,
    /// Edges, sorted by their source.
    edges: Vec<FlowEdge>,
    /// Targets of the edges of each vertex, in the order of `edges`.
    pub(super) successors: CsrLists,
    /// Sources of the edges to each vertex; only reachable sources.
    pub(super) predecessors: CsrLists,
    /// Depth-first search from the entry.
    pub(super) search: DepthFirstSearch,
    pub(super) dominators: DominatorTree,
    /// First node of each cycle without an edge out of it.
    infinite_cycles: Vec<u32>,
}

/// Edge of the control-flow graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct FlowEdge {
    pub from: u32,
    /// Index of the interned action.
    pub action: u32,
    pub to: u32,
}

/// Action of edges to the exit.
const EXIT_ACTION: u32 = u32::MAX;

impl ControlFlowGraph {
    /// Builds the graph. In a cycle without an edge out of it, each node gets an edge to the exit,
    /// because any may return an action without an edge.
    pub fn new(workflow: &Workflow) -> ControlFlowGraph {
        let node_count = workflow.nodes.len() as u32;
        let mut edges = flow_edges(workflow);
        let control = ControlFlowGraph::from_edges(node_count, edges.clone());
        let (infinite_cycles, members) = control.infinite_cycles();
        if infinite_cycles.is_empty() {
            return control;
        }
        let to = node_count + 1;
        edges.extend(members.into_iter().map(|from| FlowEdge { from, action: EXIT_ACTION, to }));
        // The sort is stable: the new edge is the last one of its source.
        edges.sort_by_key(|&edge| edge.from);
        ControlFlowGraph { infinite_cycles, ..ControlFlowGraph::from_edges(node_count, edges) }
    }

    fn from_edges(node_count: u32, edges: Vec<FlowEdge>) -> ControlFlowGraph {
        let vertex_count = node_count as usize + 2;
        let successors = CsrLists::new(vertex_count, &|put| {
            for edge in &edges {
                put(edge.from, edge.to);
            }
        });
        let search = DepthFirstSearch::new(node_count, &successors);
        let is_reachable = |edge: &&FlowEdge| search.is_ancestor(node_count, edge.from);
        let predecessors = CsrLists::new(vertex_count, &|put| {
            for edge in edges.iter().filter(is_reachable) {
                put(edge.to, edge.from);
            }
        });
        let dominators = DominatorTree::new(&search, &predecessors);
        let infinite_cycles = Vec::new();
        ControlFlowGraph {
            node_count,
            edges,
            successors,
            predecessors,
            search,
            dominators,
            infinite_cycles,
        }
    }

    /// Returns the entry vertex.
    pub fn entry(&self) -> usize {
        self.node_count as usize
    }

    /// Returns the exit vertex.
    pub fn exit(&self) -> usize {
        self.node_count as usize + 1
    }

    /// Returns whether a vertex can be reached from the entry.
    pub fn is_reachable(&self, vertex: usize) -> bool {
        self.dominators.contains(vertex as u32)
    }

    /// Returns whether an edge between two nodes is a back edge of the search.
    pub fn is_back_edge(&self, from: usize, to: usize) -> bool {
        self.search.is_ancestor(to as u32, from as u32)
    }

    pub(super) fn vertex_count(&self) -> usize {
        self.successors.list_count()
    }

    pub(super) fn reachable_edges(&self) -> impl Iterator<Item = &FlowEdge> {
        self.edges.iter().filter(|edge| self.dominators.contains(edge.from))
    }

    /// Returns the edges of a vertex, grouped by action.
    pub(super) fn edges_from(&self, vertex: u32) -> &[FlowEdge] {
        self.edges.get(self.successors.range(vertex)).unwrap_or_default()
    }

    pub(super) fn goes_back(&self, edge: &FlowEdge) -> bool {
        self.search.is_ancestor(edge.to, edge.from)
    }

    /// Returns the first node of each cycle without an edge out of it, and all nodes of these cycles.
    fn infinite_cycles(&self) -> (Vec<u32>, Vec<u32>) {
        // Every reachable cycle contains a back edge.
        if !self.reachable_edges().any(|edge| self.goes_back(edge)) {
            return (Vec::new(), Vec::new());
        }
        let components = self.strong_components();
        let component = |vertex: u32| item_or_none(&components, vertex) as usize;
        let mut has_cycle = vec![false; self.vertex_count()];
        let mut has_exit = vec![false; self.vertex_count()];
        for edge in self.reachable_edges() {
            let is_inner = component(edge.from) == component(edge.to);
            let flags = if is_inner { &mut has_cycle } else { &mut has_exit };
            flags.get_mut(component(edge.from)).into_iter().for_each(|flag| *flag = true);
        }
        let is_member = |vertex: &u32| {
            let component = component(*vertex);
            has_cycle.get(component) == Some(&true) && has_exit.get(component) == Some(&false)
        };
        let members: Vec<u32> = (0..self.node_count).filter(is_member).collect();
        let mut visited = vec![false; self.vertex_count()];
        let mut is_first = |vertex: &u32| {
            let slot = visited.get_mut(component(*vertex));
            slot.is_some_and(|visited| !std::mem::replace(visited, true))
        };
        let first = members.iter().copied().filter(|vertex| is_first(vertex)).collect::<Vec<_>>();
        (first, members)
    }

    /// Returns the index of the strongly connected component of each reachable vertex (Kosaraju).
    fn strong_components(&self) -> Vec<u32> {
        let mut vertices = self.search.order.clone();
        vertices.sort_by_key(|&vertex| NONE - item_or_none(&self.search.postorder, vertex));
        let mut components = vec![NONE; self.vertex_count()];
        let mut stack = Vec::new();
        for (component, vertex) in (0u32..).zip(vertices) {
            stack.push(vertex);
            while let Some(vertex) = stack.pop() {
                if item_or_none(&components, vertex) == NONE {
                    set_item(&mut components, vertex, component);
                    stack.extend(self.predecessors.list(vertex));
                }
            }
        }
        components
    }
}

/// Returns warnings for unreachable nodes and for cycles without an edge out of them.
pub fn check_control_flow(workflow: &Workflow, control: &ControlFlowGraph) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    let id = |index: usize| quote(workflow.nodes.get(index).map_or("", |node| &*node.id));
    for index in (0..workflow.nodes.len()).filter(|index| !control.is_reachable(*index)) {
        diagnostics.push(
            Diagnostic::new(codes::UNREACHABLE, format!("unreachable node {}", id(index)))
                .help(format!("add an edge to {}, or remove the node", id(index)))
                .at_pointer(format!("/nodes/{index}")),
        );
    }
    for index in &control.infinite_cycles {
        let index = *index as usize;
        let help = format!(
            "add an edge out of the cycle, or declare an action without an edge; otherwise {} runs until \
             the step limit",
            id(index)
        );
        let message = format!("no edge leads out of the cycle of {}", id(index));
        diagnostics.push(
            Diagnostic::new(codes::INFINITE_CYCLE, message)
                .help(help)
                .at_pointer(format!("/nodes/{index}")),
        );
    }
    diagnostics
}

/// Returns the edges of the graph without duplicates, sorted by source and action. A node has an edge
/// to the exit if it may return an action without an edge.
fn flow_edges(workflow: &Workflow) -> Vec<FlowEdge> {
    let entry = workflow.nodes.len() as u32;
    let exit = entry + 1;
    let mut actions: OrderedMap<()> = OrderedMap::default();
    let action_of_edge = intern_actions(&workflow.edges, &mut actions);
    let edges_of_node = CsrLists::new(entry as usize, &|put| {
        for (index, edge) in (0u32..).zip(&workflow.edges) {
            if edge.to < entry as usize {
                put(edge.from as u32, index);
            }
        }
    });
    let default_action = actions.get_index_of(DEFAULT_ACTION);
    let mut edges = Vec::with_capacity(workflow.edges.len() + 2);
    for (from, node) in (0u32..).zip(&workflow.nodes) {
        let start = edges.len();
        for index in edges_of_node.list(from) {
            let to = workflow.edges.get(*index as usize).map_or(exit, |edge| edge.to as u32);
            edges.push(FlowEdge { from, action: item_or_none(&action_of_edge, *index), to });
        }
        sort_and_dedup_from(&mut edges, start);
        let own = edges.get(start..).unwrap_or_default();
        let has_edge = |action: Option<usize>| {
            let found = action.map(|of| own.binary_search_by_key(&(of as u32), |edge| edge.action));
            found.is_some_and(|found| found.is_ok())
        };
        let may_end = match node.actions.is_empty() {
            true => !has_edge(default_action),
            false => {
                !node.actions.iter().all(|action| has_edge(actions.get_index_of(action.as_str())))
            }
        };
        if may_end {
            edges.push(FlowEdge { from, action: EXIT_ACTION, to: exit });
        }
    }
    let start = edges.len();
    let starts = workflow.starts.iter().map(|start| *start as u32).filter(|start| *start < entry);
    edges.extend(starts.map(|to| FlowEdge { from: entry, action: 0, to }));
    if edges.len() == start {
        edges.push(FlowEdge { from: entry, action: EXIT_ACTION, to: exit });
    }
    sort_and_dedup_from(&mut edges, start);
    edges
}

/// Sorts the edges from the index `start` on, and removes duplicates among them.
fn sort_and_dedup_from(edges: &mut Vec<FlowEdge>, start: usize) {
    if edges.len() < start + 2 {
        return;
    }
    let mut tail = edges.split_off(start);
    tail.sort_by_key(|&edge| (edge.action, edge.to));
    tail.dedup();
    edges.append(&mut tail);
}
