//! Graph of what each node of a workflow waits for, with loops as single vertices.
//!
//! A node waits for the live nodes before it that may still lead to it, through nodes before it. The vertices
//! ("units") are sets of nodes: a node alone, and each loop from the time when its last node is before the
//! waiting node. Reducible loops have one entry, so the predecessors of a loop are those of its header
//! (loop nesting forest, Havlak 1997).

use super::csr::{CsrLists, NONE, item_or_none, set_item};
use super::order::ExecutionOrder;
use crate::base::bit_set;
use fixedbitset::FixedBitSet;

/// Maximum nesting depth of loops; each change of a live node updates all loops around it.
const MAX_LOOP_DEPTH: u32 = 32;

/// Units of a workflow with their predecessors.
#[derive(Clone, Debug, Default)]
pub struct WaitGraph {
    /// Units that lead to each unit.
    predecessors: CsrLists,
    /// Smallest loop around each unit, or [`NONE`].
    parents: Vec<u32>,
    /// Unit of each node; [`NONE`] for an unreachable node.
    units: Vec<u32>,
    /// Unit without nodes, whose predecessors are the units that each node waits for.
    gates: Vec<u32>,
    /// Node of each gate; [`NONE`] for other units.
    gate_nodes: Vec<u32>,
    /// Nodes whose waiting depends on more than the units show.
    needs_search: FixedBitSet,
}

impl WaitGraph {
    /// Builds the graph of a workflow; returns `None` if a loop has several entries, or if loops are too deep.
    pub fn new(order: &ExecutionOrder, starts: &[usize]) -> Option<WaitGraph> {
        let nodes = order.nodes_by_rank();
        let mut builder = WaitGraphBuilder::new(order, starts, nodes.len());
        for node in nodes {
            if builder.is_reachable.contains(node as usize) {
                builder.add_node(node);
                builder.add_loops(node)?;
            }
        }
        Some(builder.finish())
    }

    /// Returns the unit that a node waits for, or `None` if only a search can tell.
    pub fn gate(&self, node: usize) -> Option<u32> {
        let gate = item_or_none(&self.gates, node as u32);
        (gate != NONE && !self.needs_search.contains(node)).then_some(gate)
    }

    /// Returns the node of a gate.
    pub fn gate_node(&self, unit: u32) -> Option<usize> {
        Some(item_or_none(&self.gate_nodes, unit))
            .filter(|node| *node != NONE)
            .map(|node| node as usize)
    }

    /// Iterates over the units that contain a node.
    pub fn units_around(&self, node: usize) -> impl Iterator<Item = u32> {
        let first = item_or_none(&self.units, node as u32);
        let is_unit = |unit: &u32| *unit != NONE;
        std::iter::successors(Some(first).filter(is_unit), move |unit| {
            Some(item_or_none(&self.parents, *unit)).filter(is_unit)
        })
    }

    /// Returns a predecessor of a unit by its index.
    pub fn predecessor(&self, unit: u32, index: u32) -> Option<u32> {
        self.predecessors.list(unit).get(index as usize).copied()
    }

    /// Returns the number of units.
    pub fn unit_count(&self) -> usize {
        self.parents.len()
    }
}

struct WaitGraphBuilder<'a> {
    order: &'a ExecutionOrder,
    graph: WaitGraph,
    is_reachable: FixedBitSet,
    /// Nodes with an edge to each node.
    sources: CsrLists,
    /// Largest unit so far around each unit (union-find).
    tops: Vec<u32>,
    /// Rank of the first node of each unit.
    first_ranks: Vec<u32>,
    /// Rank of the last node of each unit.
    last_ranks: Vec<u32>,
    /// Gate of the first node of each unit, without the names that the node reads.
    entries: Vec<u32>,
    depths: Vec<u32>,
}

impl<'a> WaitGraphBuilder<'a> {
    fn new(order: &'a ExecutionOrder, starts: &[usize], node_count: usize) -> WaitGraphBuilder<'a> {
        let mut is_reachable = FixedBitSet::with_capacity(node_count);
        let mut stack = starts.to_vec();
        while let Some(node) = stack.pop() {
            if node < node_count && !is_reachable.put(node) {
                stack.extend(order.targets(node).map(|to| to as usize));
            }
        }
        let sources = CsrLists::new(node_count, &|put| {
            for node in is_reachable.ones() {
                order.targets(node).for_each(|to| put(to, node as u32));
            }
        });
        let graph = WaitGraph {
            units: vec![NONE; node_count],
            gates: vec![NONE; node_count],
            needs_search: FixedBitSet::with_capacity(node_count),
            ..WaitGraph::default()
        };
        let (tops, first_ranks, last_ranks) = (Vec::new(), Vec::new(), Vec::new());
        let (entries, depths) = (Vec::new(), Vec::new());
        WaitGraphBuilder {
            order,
            graph,
            is_reachable,
            sources,
            tops,
            first_ranks,
            last_ranks,
            entries,
            depths,
        }
    }

    fn rank(&self, node: u32) -> u32 {
        self.order.rank(node as usize)
    }

    /// Adds a unit; returns its index.
    fn push(&mut self, predecessors: &[u32], ranks: (u32, u32), entry: u32, depth: u32) -> u32 {
        let unit = self.tops.len() as u32;
        self.graph.predecessors.push(predecessors.iter().copied());
        self.graph.parents.push(NONE);
        self.graph.gate_nodes.push(NONE);
        self.tops.push(unit);
        self.first_ranks.push(ranks.0);
        self.last_ranks.push(ranks.1);
        self.entries.push(entry);
        self.depths.push(depth);
        unit
    }

    /// Returns the largest unit so far around a unit.
    fn outermost_unit(&mut self, unit: u32) -> u32 {
        let mut top = unit;
        while item_or_none(&self.tops, top) != top {
            // Halves the path.
            let above = item_or_none(&self.tops, item_or_none(&self.tops, top));
            set_item(&mut self.tops, top, above);
            top = above;
        }
        top
    }

    /// Adds the unit of a node, and its gate.
    fn add_node(&mut self, node: u32) {
        let rank = self.rank(node);
        let sources = self.sources.list(node).to_vec();
        let before = |builder: &mut Self, nodes: &[u32]| {
            let mut units = Vec::new();
            for other in nodes.iter().filter(|other| builder.order.rank(**other as usize) < rank) {
                let unit = item_or_none(&builder.graph.units, *other);
                if unit != NONE {
                    units.push(builder.outermost_unit(unit));
                }
            }
            units
        };
        let mut waits = before(self, &sources);
        waits.sort_unstable();
        waits.dedup();
        let named = self.order.unique_name_neighbors(node).to_vec();
        let named = before(self, &named);
        let ranks = (rank, rank);
        let entry = self.push(&waits, ranks, NONE, 0);
        let mut gate = entry;
        if !named.is_empty() {
            waits.extend(named);
            waits.sort_unstable();
            waits.dedup();
            gate = self.push(&waits, ranks, NONE, 0);
        }
        set_item(&mut self.graph.gate_nodes, gate, node);
        set_item(&mut self.graph.gates, node, gate);
        let unit = self.push(&[entry], ranks, entry, 0);
        set_item(&mut self.graph.units, node, unit);
    }

    /// Adds the loops that end at a node, from the innermost.
    fn add_loops(&mut self, node: u32) -> Option<()> {
        let rank = self.rank(node);
        let mut headers: Vec<u32> =
            self.order.targets(node as usize).filter(|to| self.rank(*to) < rank).collect();
        headers.sort_unstable_by_key(|header| std::cmp::Reverse(self.rank(*header)));
        headers.dedup();
        if !headers.is_empty() {
            self.graph.needs_search.insert(node as usize);
        }
        headers.into_iter().try_for_each(|header| self.add_loop(node, header))
    }

    /// Merges the units on the paths from a header to the end of its loop.
    fn add_loop(&mut self, end: u32, header: u32) -> Option<()> {
        let header = self.outermost_unit(item_or_none(&self.graph.units, header));
        let last = self.outermost_unit(item_or_none(&self.graph.units, end));
        if header == last {
            return Some(());
        }
        let first_rank = item_or_none(&self.first_ranks, header);
        let mut members = vec![header];
        let mut is_member = FixedBitSet::new();
        let mut stack = vec![last];
        let mut depth = item_or_none(&self.depths, header);
        while let Some(unit) = stack.pop() {
            if unit == header || !bit_set::insert(&mut is_member, unit) {
                continue;
            }
            members.push(unit);
            depth = depth.max(item_or_none(&self.depths, unit));
            let before = self.graph.predecessors.list(item_or_none(&self.entries, unit)).to_vec();
            let before: Vec<u32> =
                before.into_iter().map(|other| self.outermost_unit(other)).collect();
            // Another entry of the loop.
            let is_outside = |other: &u32| item_or_none(&self.first_ranks, *other) < first_rank;
            if before.is_empty() || before.iter().any(is_outside) {
                return None;
            }
            stack.extend(before);
        }
        if depth >= MAX_LOOP_DEPTH {
            return None;
        }
        let entry = item_or_none(&self.entries, header);
        let unit = self.push(&[entry], (first_rank, self.rank(end)), entry, depth + 1);
        for member in members {
            set_item(&mut self.tops, member, unit);
            let is_node =
                item_or_none(&self.first_ranks, member) == item_or_none(&self.last_ranks, member);
            // The gates of a node are before its unit.
            let first = if is_node { item_or_none(&self.entries, member) } else { member };
            (first..=member).for_each(|member| set_item(&mut self.graph.parents, member, unit));
        }
        Some(())
    }

    /// Finds the nodes that wait for a part of a loop which other nodes see as a whole.
    fn finish(mut self) -> WaitGraph {
        let count = self.tops.len() as u32;
        // Rank from which on the predecessors of a unit are not exact.
        let mut inexact_from = vec![NONE; count as usize];
        for unit in 0..count {
            let mut least = NONE;
            for other in self.graph.predecessors.list(unit) {
                least = least.min(item_or_none(&inexact_from, *other));
                let around = item_or_none(&self.graph.parents, *other);
                if around != NONE && !self.is_inside(unit, around) {
                    least = least.min(item_or_none(&self.last_ranks, around));
                }
            }
            set_item(&mut inexact_from, unit, least);
        }
        for node in 0..self.graph.gates.len() as u32 {
            let gate = item_or_none(&self.graph.gates, node);
            if gate != NONE && item_or_none(&inexact_from, gate) < self.rank(node) {
                self.graph.needs_search.insert(node as usize);
            }
        }
        self.graph
    }

    /// Returns whether a loop contains a unit.
    fn is_inside(&self, unit: u32, around: u32) -> bool {
        let mut current = unit;
        while current != NONE && current != around {
            current = item_or_none(&self.graph.parents, current);
        }
        current == around
    }
}
