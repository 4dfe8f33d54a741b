//! Live nodes of a run, and the nodes that wait for them.
//!
//! A unit of the [`WaitGraph`] is hot if one of its nodes is live, or if a predecessor is hot. A node waits
//! while its gate is hot. A cold unit becomes hot again only when a loop goes back, so the predecessors of a
//! unit are examined once between two such edges. A hot unit without live nodes has a witness: a hot
//! predecessor, which notifies the unit when it becomes cold (watched literals, Moskewicz et al. 2001).

use crate::flow::compile::Flow;
use crate::flow::wait_graph::WaitGraph;
use fixedbitset::FixedBitSet;

/// Marks a unit without a witness.
const NO_WITNESS: u32 = u32::MAX;

/// Maximum number of live nodes for which debug builds compare the units with a search.
const MAX_DEBUG_SEARCHED_NODES: usize = 32;

/// Nodes that are scheduled or have not ended.
#[derive(Debug, Default)]
pub struct LiveNodes {
    /// Live nodes in any order.
    list: Vec<usize>,
    /// Number of live executions of each node, and its index in `list`.
    entries: Vec<(usize, usize)>,
    /// Waiting nodes of each live node that a search found.
    waiting: Vec<Vec<usize>>,
    /// Whether each node waits for its gate.
    waits_for_gate: FixedBitSet,
    /// Number of nodes that wait.
    waiting_count: usize,
    units: Vec<UnitState>,
    /// Units with a state that the next back edge resets.
    examined: Vec<u32>,
    /// Number of examined units and nodes.
    examined_count: usize,
}

/// State of a unit.
#[derive(Clone, Debug)]
struct UnitState {
    /// Number of live executions of its nodes.
    live_count: usize,
    is_cold: bool,
    /// Number of first predecessors that are cold.
    cold_count: u32,
    /// Hot predecessor.
    witness: u32,
    /// Units with this one as their witness.
    watchers: Vec<u32>,
}

const INITIAL: UnitState = UnitState {
    live_count: 0,
    is_cold: false,
    cold_count: 0,
    witness: NO_WITNESS,
    watchers: Vec::new(),
};

impl LiveNodes {
    pub fn new(flow: &Flow) -> LiveNodes {
        let count = flow.workflow.nodes.len();
        if !flow.order.has_forks() {
            return LiveNodes::default();
        }
        let unit_count = flow.wait_graph().map(WaitGraph::unit_count).unwrap_or_default();
        LiveNodes {
            entries: vec![(0, 0); count],
            waiting: vec![Vec::new(); count],
            units: vec![INITIAL; unit_count],
            ..LiveNodes::default()
        }
    }

    /// Returns whether a node waits for another one.
    pub fn has_waiting(&self) -> bool {
        self.waiting_count > 0
    }

    /// Returns the number of units and nodes that were examined so far. It is proportional to the size of
    /// the workflow where no loop goes back.
    pub fn examined_count(&self) -> usize {
        self.examined_count
    }

    /// Adds an execution of a node; `goes_back` if a loop led to it.
    pub fn add(&mut self, flow: &Flow, node: usize, goes_back: bool) {
        if goes_back {
            for unit in std::mem::take(&mut self.examined) {
                if let Some(state) = self.units.get_mut(unit as usize) {
                    (state.is_cold, state.cold_count) = (false, 0);
                }
            }
        }
        let index = self.list.len();
        let Some(entry) = self.entries.get_mut(node) else { return };
        entry.0 += 1;
        if entry.0 == 1 {
            entry.1 = index;
            self.list.push(node);
        }
        for unit in flow.wait_graph().into_iter().flat_map(|graph| graph.units_around(node)) {
            if let Some(state) = self.units.get_mut(unit as usize) {
                state.live_count += 1;
            }
        }
    }

    /// Removes an execution of a node. Returns the nodes to check again.
    pub fn remove(&mut self, flow: &Flow, node: usize) -> Vec<usize> {
        let Some(entry) = self.entries.get_mut(node).filter(|entry| entry.0 > 0) else {
            return Vec::new();
        };
        entry.0 -= 1;
        let (count, index) = *entry;
        if count == 0 {
            self.list.swap_remove(index);
            if let Some(moved) = self.list.get(index).and_then(|node| self.entries.get_mut(*node)) {
                moved.1 = index;
            }
        }
        let mut free = self.waiting.get_mut(node).map(std::mem::take).unwrap_or_default();
        if let Some(graph) = flow.wait_graph() {
            for unit in graph.units_around(node) {
                let Some(state) = self.units.get_mut(unit as usize) else { continue };
                state.live_count = state.live_count.saturating_sub(1);
                if state.live_count == 0 && !state.watchers.is_empty() {
                    self.examine_watched(graph, unit, &mut free);
                }
            }
        }
        self.waiting_count -= free.len();
        free
    }

    /// Returns whether a node has to wait; [`LiveNodes::remove`] returns it then.
    pub fn must_wait(&mut self, flow: &Flow, node: usize) -> bool {
        // The node itself is live.
        if !flow.order.has_forks() || self.list.len() < 2 {
            return false;
        }
        let found = flow.wait_graph().and_then(|graph| Some((graph, graph.gate(node)?)));
        let must_wait = match found {
            Some((graph, gate)) => {
                let is_hot = self.is_hot(graph, gate, &mut Vec::new());
                debug_assert!(
                    self.list.len() > MAX_DEBUG_SEARCHED_NODES
                        || is_hot
                            == flow.order.find_blocking_node(node, &self.list, &mut 0).is_some()
                );
                if is_hot {
                    self.waits_for_gate.grow_and_insert(node);
                }
                is_hot
            }
            None => {
                let count = &mut self.examined_count;
                let other = flow.order.find_blocking_node(node, &self.list, count);
                let list = other.and_then(|other| self.waiting.get_mut(other));
                let is_found = list.is_some();
                list.into_iter().for_each(|list| list.push(node));
                is_found
            }
        };
        self.waiting_count += usize::from(must_wait);
        must_wait
    }

    /// Examines a unit whose nodes are not live any more, and the units whose witness it is. Adds the nodes
    /// that do not wait any more to `free`.
    fn examine_watched(&mut self, graph: &WaitGraph, unit: u32, free: &mut Vec<usize>) {
        let mut units = vec![unit];
        while let Some(unit) = units.pop() {
            let mut cold = Vec::new();
            self.is_hot(graph, unit, &mut cold);
            for unit in cold {
                if let Some(node) = graph.gate_node(unit)
                    && self.waits_for_gate.contains(node)
                {
                    self.waits_for_gate.set(node, false);
                    free.push(node);
                }
                let Some(state) = self.units.get_mut(unit as usize) else { continue };
                for watcher in std::mem::take(&mut state.watchers) {
                    if let Some(state) = self.units.get_mut(watcher as usize) {
                        state.witness = NO_WITNESS;
                    }
                    units.push(watcher);
                }
            }
        }
    }

    /// Returns whether a unit is hot. Adds the units that became cold to `cold`.
    fn is_hot(&mut self, graph: &WaitGraph, unit: u32, cold: &mut Vec<u32>) -> bool {
        let mut path = vec![unit];
        while let Some(unit) = path.last().copied() {
            self.examined_count += 1;
            let Some(state) = self.units.get(unit as usize) else { return false };
            if state.live_count > 0 || self.is_witnessed(state) {
                self.set_witnesses(&path);
                return true;
            }
            if state.is_cold {
                path.pop();
                continue;
            }
            let other = graph.predecessor(unit, state.cold_count);
            let is_cold = |other: u32| self.units.get(other as usize).is_none_or(|one| one.is_cold);
            let next = other.filter(|other| !is_cold(*other));
            if next.is_some() {
                path.extend(next);
                continue;
            }
            if state.cold_count == 0 {
                self.examined.push(unit);
            }
            let Some(state) = self.units.get_mut(unit as usize) else { return false };
            match other {
                Some(_) => state.cold_count += 1,
                None => {
                    state.is_cold = true;
                    cold.push(unit);
                    path.pop();
                }
            }
        }
        false
    }

    fn is_witnessed(&self, state: &UnitState) -> bool {
        self.units.get(state.witness as usize).is_some_and(|witness| !witness.is_cold)
    }

    /// Makes each unit of a path the witness of the one before it.
    fn set_witnesses(&mut self, path: &[u32]) {
        for (unit, witness) in path.iter().zip(path.iter().skip(1)) {
            if let Some(state) = self.units.get_mut(*unit as usize) {
                state.witness = *witness;
            }
            if let Some(state) = self.units.get_mut(*witness as usize) {
                state.watchers.push(*unit);
            }
        }
    }
}
