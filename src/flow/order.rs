//! The order in which nodes run: a topological one, ties by their places in the workflow.

use super::control::Control;
use super::workflow::Workflow;
use crate::base::Gather;
use crate::base::map::Numbers;
use std::collections::BinaryHeap;

/// Who follows whom, and who comes first.
#[derive(Clone, Debug, Default)]
pub struct Order {
    /// For each node, its edges: the number of the action, and where it leads.
    next: Vec<Vec<(usize, usize)>>,
    /// The actions that edges have.
    actions: Vec<String>,
    /// For each node, those that lead to it without going back.
    before: Vec<Vec<usize>>,
    /// For each node, when it comes, loops taken once.
    rank: Vec<usize>,
    /// For each node, the rank of the nearest node that every way to it leads through.
    since: Vec<usize>,
    /// Whether anything runs side by side.
    forks: bool,
}

impl Order {
    /// The order of a workflow. `named` are reads that name one writer: the node that reads, and the
    /// one that writes. Where edges leave their order open, the one that comes first is waited for.
    pub fn new(workflow: &Workflow, control: &Control, named: &[(usize, usize)]) -> Order {
        let count = workflow.nodes.len();
        let mut order = Order {
            next: vec![Vec::new(); count],
            before: vec![Vec::new(); count],
            rank: vec![usize::MAX; count],
            since: vec![0; count],
            forks: workflow.starts.len() > 1,
            ..Order::default()
        };
        let mut numbers = crate::base::map::Names::default();
        for edge in &workflow.edges {
            let fresh = order.actions.len() as u32;
            let number = *numbers.entry(edge.action.clone()).or_insert(fresh);
            if number == fresh {
                order.actions.push(edge.action.clone());
            }
            let Some(next) = order.next.get_mut(edge.from) else { continue };
            order.forks |= next.iter().any(|(other, _)| *other == number as usize);
            next.push((number as usize, edge.to));
            // Nobody waits for what never runs.
            if control.is_reached(edge.from)
                && !control.leads_back(edge.from, edge.to)
                && let Some(before) = order.before.get_mut(edge.to)
            {
                before.push(edge.from);
            }
        }
        order.rank_nodes();
        for node in 0..count {
            let since = control.dominator(node).and_then(|of| order.rank.get(of)).copied();
            if let Some(slot) = order.since.get_mut(node) {
                *slot = since.map_or(0, |rank| rank + 1);
            }
        }
        let beside = named.iter().filter(|_| order.forks).copied().gather();
        for (a, b) in beside {
            order.put_before(a, b, control);
        }
        order
    }

    /// Lets whichever of two nodes comes later wait for the other one.
    fn put_before(&mut self, a: usize, b: usize, control: &Control) {
        let (first, second) = if self.rank(a) < self.rank(b) { (a, b) } else { (b, a) };
        if first == second || !control.is_reached(first) || !control.is_reached(second) {
            return;
        }
        let since = control.common_dominator(first, second).map_or(0, |of| self.rank(of) + 1);
        if let Some(before) = self.before.get_mut(second) {
            before.push(first);
        }
        if let Some(slot) = self.since.get_mut(second) {
            *slot = since.min(*slot);
        }
    }

    /// The nodes that follow on an action.
    pub fn after(&self, node: usize, action: &str) -> impl Iterator<Item = usize> {
        let number = self.actions.iter().position(|known| known == action);
        let edges = self.next.get(node).map(Vec::as_slice).unwrap_or_default();
        edges.iter().filter(move |(of, _)| Some(*of) == number).map(|(_, to)| *to)
    }

    /// Whether the edges of a node know an action.
    pub fn knows(&self, node: usize, action: &str) -> bool {
        self.after(node, action).next().is_some()
    }

    /// The actions of a node's edges.
    pub fn actions(&self, node: usize) -> impl Iterator<Item = &str> {
        let edges = self.next.get(node).into_iter().flatten();
        edges.filter_map(|(action, _)| self.actions.get(*action)).map(String::as_str)
    }

    /// When a node comes.
    pub fn rank(&self, node: usize) -> usize {
        self.rank.get(node).copied().unwrap_or(usize::MAX)
    }

    /// A live node from which this one may still be reached without going back: before it has
    /// ended, not all have come that this one has to wait for.
    pub fn awaited(&self, node: usize, is_live: impl Fn(usize) -> bool) -> Option<usize> {
        if !self.forks {
            return None;
        }
        let since = self.since.get(node).copied().unwrap_or_default();
        let mut open = vec![node];
        let mut seen = Numbers::default();
        while let Some(point) = open.pop() {
            for before in self.before.get(point).into_iter().flatten() {
                if self.rank(*before) < since || seen.insert(*before as u64, 0).is_some() {
                    continue;
                }
                if is_live(*before) {
                    return Some(*before);
                }
                open.push(*before);
            }
        }
        None
    }

    fn rank_nodes(&mut self) {
        let mut left: Vec<usize> = self.before.iter().map(Vec::len).gather();
        let mut after: Vec<Vec<usize>> = vec![Vec::new(); left.len()];
        for (node, before) in self.before.iter().enumerate() {
            for from in before {
                after.get_mut(*from).into_iter().for_each(|after| after.push(node));
            }
        }
        // The heap gives the greatest first, so places are turned round.
        let free = left.iter().enumerate().filter(|(_, left)| **left == 0);
        let mut ready: BinaryHeap<u64> = free.map(|(node, _)| !(node as u64)).collect();
        let mut rank = 0;
        while let Some(node) = ready.pop().map(|node| !node as usize) {
            if let Some(slot) = self.rank.get_mut(node) {
                *slot = rank;
            }
            rank += 1;
            for to in after.get(node).into_iter().flatten() {
                if let Some(left) = left.get_mut(*to) {
                    *left -= 1;
                    if *left == 0 {
                        ready.push(!(*to as u64));
                    }
                }
            }
        }
    }
}
