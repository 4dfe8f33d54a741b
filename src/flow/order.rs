//! The order in which nodes run: a topological one, ties by their places in the workflow.

use super::control::Control;
use super::lists::{Lists, NONE, add, at, set};
use super::workflow::{Workflow, numbered};
use crate::base::bit_set;
use crate::base::map::{IntMap, OrderedMap};
use fixedbitset::FixedBitSet;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// IntMap of which the least comes first.
pub type First = BinaryHeap<Reverse<u64>>;

/// Who follows whom, and who comes first.
#[derive(Clone, Debug, Default)]
pub struct Order {
    /// For each node, the places of its edges.
    edges: Lists,
    /// For each edge, the number of its action, and where it leads.
    leads: Vec<(u32, u32)>,
    /// The actions that edges have.
    actions: OrderedMap<()>,
    /// For each node, when it comes, loops taken once.
    rank: Vec<u32>,
    /// For each node, those that it reads by name, and those that read it so.
    named: Lists,
    /// Whether anything runs side by side.
    forks: bool,
}

/// Reads that name one writer: the node that reads, and the one that writes.
type NamedReads<'a> = dyn Fn() -> Vec<(usize, usize)> + 'a;

impl Order {
    /// The order of a workflow. Where edges leave the order of a read that names one writer and of
    /// that writer open, it is that of a run that does one thing after another.
    pub fn new(workflow: &Workflow, control: &Control, named: &NamedReads<'_>) -> Order {
        let count = workflow.nodes.len();
        let mut order = Order::default();
        let actions = numbered(&workflow.edges, &mut order.actions);
        order.leads = actions
            .iter()
            .zip(&workflow.edges)
            .map(|(n, of)| (*n, of.to as u32))
            .collect::<Vec<_>>();
        order.edges = Lists::new(count, &|put| {
            (0u32..).zip(&workflow.edges).for_each(|(place, edge)| put(edge.from as u32, place));
        });
        let alike = |node: u32| {
            let of = |edge: &u32| order.leads.get(*edge as usize).map(|(action, _)| action);
            let edges = order.edges.of(node);
            let mut seen = IntMap::default();
            edges.len() > 1
                && edges.iter().filter_map(of).any(|of| seen.insert(u64::from(*of), 0).is_some())
        };
        order.forks = workflow.starts.len() > 1 || (0..count as u32).any(alike);
        // Nobody waits for what never runs.
        let ahead = workflow.edges.iter().filter(|edge| {
            edge.to < count
                && control.is_reached(edge.from)
                && !control.leads_back(edge.from, edge.to)
        });
        let ahead: Vec<(u32, u32)> = ahead.map(|edge| (edge.to as u32, edge.from as u32)).collect();
        order.rank = ranks(count, &ahead);
        if order.forks {
            let named = named();
            order.named = Lists::new(count, &|put| {
                named.iter().filter(|(a, b)| a != b).for_each(|(a, b)| {
                    put(*a as u32, *b as u32);
                    put(*b as u32, *a as u32);
                });
            });
        }
        order
    }

    /// The nodes that follow on an action.
    pub fn after(&self, node: usize, action: &str) -> impl Iterator<Item = usize> {
        let number = self.actions.get_index_of(action);
        let edges = self.edges(node).filter(move |(of, _)| Some(*of as usize) == number);
        edges.map(|(_, to)| to as usize)
    }

    /// Whether the edges of a node know an action.
    pub fn knows(&self, node: usize, action: &str) -> bool {
        self.after(node, action).next().is_some()
    }

    /// The actions of a node's edges.
    pub fn actions(&self, node: usize) -> impl Iterator<Item = &str> {
        let names =
            self.edges(node).filter_map(|(action, _)| self.actions.get_index(action as usize));
        names.map(|(name, _)| &**name)
    }

    fn edges(&self, node: usize) -> impl Iterator<Item = (u32, u32)> {
        self.edges.of(node as u32).iter().filter_map(|edge| self.leads.get(*edge as usize).copied())
    }

    /// When a node comes.
    pub fn rank(&self, node: usize) -> u32 {
        at(&self.rank, node as u32)
    }

    /// A live node that has to end before this one begins, lest anything come of it that does not
    /// of a run that does one thing after another. There, a node waits for all that come before it;
    /// here, for those of them that may still lead to it, to where it may go back to, or to what
    /// these read by name or are read by.
    pub fn awaited(&self, node: usize, live: &[usize]) -> Option<usize> {
        let rank = self.rank(node);
        let comes_before = |place: &usize| self.rank(*place) < rank;
        if !self.forks || !live.iter().any(comes_before) {
            return None;
        }
        let follow = |place: usize, known: &mut FixedBitSet, open: &mut Vec<usize>| {
            if bit_set::insert(known, place as u32) {
                let next = self.edges(place).map(|(_, to)| to as usize);
                open.extend(next.filter(|to| *to == node || comes_before(to)));
            }
        };
        let mut wanted = FixedBitSet::new();
        let mut open = vec![node];
        let mut named: Vec<u32> = Vec::new();
        while let Some(place) = open.pop() {
            named.extend(self.named.of(place as u32));
            follow(place, &mut wanted, &mut open);
        }
        for place in named {
            bit_set::insert(&mut wanted, place);
        }
        let mut known = FixedBitSet::new();
        live.iter().copied().filter(comes_before).find(|from| {
            open.clear();
            open.push(*from);
            while let Some(place) = open.pop() {
                if wanted.contains(place) {
                    return true;
                }
                follow(place, &mut known, &mut open);
            }
            false
        })
    }
}

/// For each number, those that pairs name with it.
fn of_pairs(count: usize, pairs: &[(u32, u32)]) -> Lists {
    Lists::new(count, &|put| pairs.iter().for_each(|(of, item)| put(*of, *item)))
}

/// When each node comes, by the nodes that come right before others: first the other, then the one
/// before it.
fn ranks(count: usize, ahead: &[(u32, u32)]) -> Vec<u32> {
    // Where they are written in an order that works, that is the order.
    if ahead.iter().all(|(to, from)| from < to) {
        return (0..count as u32).collect::<Vec<_>>();
    }
    let after = of_pairs(count, &ahead.iter().map(|(to, from)| (*from, *to)).collect::<Vec<_>>());
    let mut left = vec![0u32; count];
    ahead.iter().for_each(|(to, _)| add(&mut left, *to, 1));
    let mut ranks = vec![NONE; count];
    let free = (0..count as u32).filter(|node| at(&left, *node) == 0);
    let mut ready: First = free.map(|node| Reverse(node.into())).collect();
    let mut rank = 0;
    while let Some(node) = ready.pop().map(|Reverse(node)| node as u32) {
        set(&mut ranks, node, rank);
        rank += 1;
        for to in after.of(node) {
            add(&mut left, *to, u32::MAX);
            if at(&left, *to) == 0 {
                ready.push(Reverse((*to).into()));
            }
        }
    }
    ranks
}
