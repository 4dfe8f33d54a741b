//! What may run after what: the control-flow graph of a workflow, its dominators, and which of its
//! parts run side by side.

use super::workflow::{DEFAULT_ACTION, Workflow};
use petgraph::Direction;
use petgraph::algo::dominators::simple_fast;
use petgraph::graph::{DiGraph, NodeIndex};
use std::collections::BTreeMap;

/// The control flow of a workflow. Points are its nodes, then the entry, then the exit.
pub struct Control {
    /// How many nodes there are; the entry comes next.
    count: usize,
    /// For each point, where it leads.
    next: Vec<Vec<Step>>,
    /// For each point, what leads to it, if anything leads there from the entry.
    before: Vec<Vec<usize>>,
    /// The nearest point that every way from the entry to a point leads through.
    idom: Vec<Option<usize>>,
    /// How many dominators a point has.
    level: Vec<u32>,
    /// When a walk down the dominator tree comes to a point, and when it has left all below it.
    span: Vec<(u32, u32)>,
    /// The points in the order of that walk.
    order: Vec<usize>,
    /// For each point, those that it dominates next, in the order of that walk.
    children: Vec<Vec<usize>>,
    /// For each point, the steps of its dominator that lead to it.
    origins: Vec<Origins>,
    /// For each point, the least level that any edge out of its subtree leads to.
    reach: Vec<u32>,
    /// Whether anything runs side by side at all.
    forks: bool,
}

/// A step from a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Step {
    to: usize,
    /// The number of its action among those of the point.
    action: u32,
}

/// Through which steps of its dominator a point is reached.
#[derive(Clone, Debug, Default)]
struct Origins {
    /// Pairs of an action and a successor, sorted.
    steps: Vec<(u32, usize)>,
    /// So many that they are not counted; then nothing runs beside the point.
    many: bool,
}

/// More steps than this are not told apart.
const MOST: usize = 64;

impl Control {
    /// Reads the control flow of a workflow.
    pub fn new(workflow: &Workflow) -> Control {
        let count = workflow.nodes.len();
        let mut control = Control {
            count,
            next: steps(workflow),
            before: vec![Vec::new(); count + 2],
            idom: vec![None; count + 2],
            level: vec![0; count + 2],
            span: vec![(0, 0); count + 2],
            order: Vec::new(),
            children: vec![Vec::new(); count + 2],
            origins: vec![Origins::default(); count + 2],
            reach: vec![u32::MAX; count + 2],
            forks: false,
        };
        control.dominate();
        control.walk();
        control.find_origins();
        control.find_reach();
        control
    }

    /// Where the workflow begins.
    pub fn entry(&self) -> usize {
        self.count
    }

    /// Where it ends.
    pub fn exit(&self) -> usize {
        self.count + 1
    }

    /// Whether a point can be reached.
    pub fn is_reached(&self, point: usize) -> bool {
        point == self.entry() || self.idom.get(point).is_some_and(Option::is_some)
    }

    /// Whether anything runs side by side at all.
    pub fn has_forks(&self) -> bool {
        self.forks
    }

    /// What leads to a point.
    pub fn before(&self, point: usize) -> &[usize] {
        self.before.get(point).map(Vec::as_slice).unwrap_or_default()
    }

    /// The nearest point that every way to this one leads through.
    pub fn dominator(&self, point: usize) -> Option<usize> {
        self.idom.get(point).copied().flatten()
    }

    /// Where a point and all that it dominates lie in the walk.
    pub fn span(&self, point: usize) -> (u32, u32) {
        self.span.get(point).copied().unwrap_or_default()
    }

    fn dominate(&mut self) {
        let mut graph: DiGraph<(), ()> = DiGraph::with_capacity(self.count + 2, self.count + 2);
        let places: Vec<NodeIndex> = (0..self.count + 2).map(|_| graph.add_node(())).collect();
        for (from, steps) in self.next.iter().enumerate() {
            for step in steps {
                if let (Some(from), Some(to)) = (places.get(from), places.get(step.to)) {
                    graph.update_edge(*from, *to, ());
                }
            }
        }
        let Some(entry) = places.get(self.entry()) else { return };
        let dominators = simple_fast(&graph, *entry);
        for (point, place) in places.iter().enumerate() {
            let reached = |of: &NodeIndex| dominators.dominators(*of).is_some();
            let idom = dominators.immediate_dominator(*place).map(NodeIndex::index);
            if let (Some(slot), Some(before)) =
                (self.idom.get_mut(point), self.before.get_mut(point))
            {
                *slot = idom;
                before.extend(
                    graph
                        .neighbors_directed(*place, Direction::Incoming)
                        .filter(reached)
                        .map(NodeIndex::index),
                );
                before.sort_unstable();
            }
        }
    }

    /// Walks down the dominator tree.
    fn walk(&mut self) {
        for point in 0..self.count + 2 {
            if let Some(children) = self.dominator(point).and_then(|of| self.children.get_mut(of)) {
                children.push(point);
            }
        }
        let mut clock = 0u32;
        let mut open = vec![(self.entry(), 0usize)];
        self.enter(self.entry(), 0, &mut clock);
        while let Some((point, nth)) = open.last_mut() {
            let point = *point;
            let child = self.children.get(point).and_then(|children| children.get(*nth)).copied();
            *nth += 1;
            match child {
                Some(child) => {
                    let level = self.level_of(point) + 1;
                    self.enter(child, level, &mut clock);
                    open.push((child, 0));
                }
                None => {
                    if let Some(span) = self.span.get_mut(point) {
                        span.1 = clock;
                    }
                    open.pop();
                }
            }
        }
    }

    fn enter(&mut self, point: usize, level: u32, clock: &mut u32) {
        if let (Some(span), Some(own)) = (self.span.get_mut(point), self.level.get_mut(point)) {
            span.0 = *clock;
            *own = level;
        }
        *clock += 1;
        self.order.push(point);
    }

    fn level_of(&self, point: usize) -> u32 {
        self.level.get(point).copied().unwrap_or_default()
    }

    /// The point below `of` in the dominator tree whose subtree holds `point`.
    fn child_towards(&self, of: usize, point: usize) -> Option<usize> {
        let children = self.children.get(of)?;
        let (at, _) = self.span(point);
        let behind = children.partition_point(|child| self.span(*child).0 <= at);
        let child = *children.get(behind.checked_sub(1)?)?;
        (at < self.span(child).1).then_some(child)
    }

    /// Through which steps of its dominator each point is reached: its own, and those of its
    /// siblings that lead to it.
    fn find_origins(&mut self) {
        for index in 0..self.order.len() {
            let Some(of) = self.order.get(index).copied() else { continue };
            let steps = self.next.get(of).cloned().unwrap_or_default();
            let mut left = self.children.get(of).cloned().unwrap_or_default();
            // Siblings lead to each other; each round settles those whose siblings are settled.
            let mut settled = BTreeMap::new();
            while !left.is_empty() {
                let before = left.len();
                let mut waiting = Vec::new();
                for child in left {
                    let siblings: Vec<usize> = self
                        .before(child)
                        .iter()
                        .filter(|point| **point != of)
                        .filter_map(|point| self.child_towards(of, *point))
                        .filter(|sibling| *sibling != child)
                        .collect();
                    if siblings.iter().all(|sibling| settled.contains_key(sibling)) {
                        settled.insert(child, origins(child, &steps, &siblings, &settled));
                    } else {
                        waiting.push(child);
                    }
                }
                if waiting.len() == before {
                    // A loop among siblings: whatever is not known yet is taken to be anything.
                    for child in waiting.drain(..) {
                        settled.insert(child, Origins { steps: Vec::new(), many: true });
                    }
                }
                left = waiting;
            }
            let mut actions = BTreeMap::new();
            for step in &steps {
                *actions.entry(step.action).or_insert(0usize) += 1;
            }
            self.forks |= actions.values().any(|count| *count > 1);
            for (child, origins) in settled {
                if let Some(slot) = self.origins.get_mut(child) {
                    *slot = origins;
                }
            }
        }
    }

    /// Whether two points below the same dominator run side by side.
    pub fn are_parallel(&self, a: usize, b: usize) -> bool {
        let (Some(a), Some(b)) = (self.origins.get(a), self.origins.get(b)) else { return false };
        if a.many || b.many || a.steps.iter().any(|step| b.steps.binary_search(step).is_ok()) {
            return false;
        }
        a.steps.iter().any(|(action, _)| b.steps.iter().any(|(other, _)| action == other))
    }

    /// The points below `of` through which the points before `point` are reached: those that come
    /// through the same one are together.
    pub fn ways_to(&self, point: usize) -> Vec<(Option<usize>, Vec<usize>)> {
        let Some(of) = self.dominator(point) else { return Vec::new() };
        let mut ways: BTreeMap<Option<usize>, Vec<usize>> = BTreeMap::new();
        for before in self.before(point) {
            let way = if *before == of { None } else { self.child_towards(of, *before) };
            ways.entry(way).or_default().push(*before);
        }
        ways.into_iter().collect()
    }

    /// The branches that a point is in: below each fork above it, the point of that branch.
    pub fn branches_of(&self, point: usize) -> Vec<usize> {
        let mut branches = Vec::new();
        let mut at = Some(point);
        while let Some(here) = at {
            if self.origins.get(here).is_some_and(|origins| !origins.steps.is_empty()) {
                branches.push(here);
            }
            at = self.dominator(here);
        }
        branches
    }

    fn find_reach(&mut self) {
        for index in (0..self.order.len()).rev() {
            let Some(point) = self.order.get(index).copied() else { continue };
            let steps = self.next.get(point).into_iter().flatten();
            let joins = steps
                .filter(|step| step.to != self.exit() && self.dominator(step.to) != Some(point));
            let own = joins.map(|step| self.level_of(step.to)).min().unwrap_or(u32::MAX);
            let below = self.children.get(point).into_iter().flatten();
            let below = below.filter_map(|child| self.reach.get(*child)).min().copied();
            if let Some(slot) = self.reach.get_mut(point) {
                *slot = own.min(below.unwrap_or(u32::MAX));
            }
        }
    }

    /// Where what these points write meets what others write: the iterated dominance frontier,
    /// without the exit.
    pub fn meeting_points(&self, writers: &[usize]) -> Vec<usize> {
        let mut found = std::collections::BTreeSet::new();
        let mut seen = std::collections::HashSet::new();
        let mut work: Vec<usize> = writers.to_vec();
        // The deepest first, so that a subtree that was searched need not be searched again.
        work.sort_by_key(|point| self.level_of(*point));
        while let Some(root) = work.pop() {
            let level = self.level_of(root);
            let mut open = vec![root];
            while let Some(point) = open.pop() {
                for step in self.next.get(point).into_iter().flatten() {
                    let joins = step.to != self.exit() && self.dominator(step.to) != Some(point);
                    if joins && self.level_of(step.to) <= level && found.insert(step.to) {
                        let at = work.partition_point(|other| {
                            self.level_of(*other) <= self.level_of(step.to)
                        });
                        work.insert(at, step.to);
                    }
                }
                for child in self.children.get(point).into_iter().flatten() {
                    let leads_out = self.reach.get(*child).is_some_and(|reach| *reach <= level);
                    if leads_out && seen.insert(*child) {
                        open.push(*child);
                    }
                }
            }
        }
        found.into_iter().collect()
    }

    /// The nodes of cycles that nothing leads out of, one of each cycle.
    pub fn endless(&self) -> Vec<usize> {
        let mut graph: DiGraph<(), ()> = DiGraph::new();
        let places: Vec<NodeIndex> = (0..self.count + 2).map(|_| graph.add_node(())).collect();
        for (from, steps) in self.next.iter().enumerate() {
            for step in steps {
                if let (Some(from), Some(to)) = (places.get(from), places.get(step.to)) {
                    graph.add_edge(*from, *to, ());
                }
            }
        }
        let mut found = Vec::new();
        for part in petgraph::algo::kosaraju_scc(&graph) {
            let members: std::collections::HashSet<usize> =
                part.iter().map(|place| place.index()).collect();
            let steps =
                || members.iter().flat_map(|point| self.next.get(*point).into_iter().flatten());
            let cycle = members.len() > 1 || steps().any(|step| members.contains(&step.to));
            let ends = steps().any(|step| !members.contains(&step.to));
            if cycle && !ends {
                found.extend(members.into_iter().filter(|point| self.is_reached(*point)).min());
            }
        }
        found.sort_unstable();
        found
    }
}

/// Where each point leads: a node along its edges, and to the exit with every action that has none.
fn steps(workflow: &Workflow) -> Vec<Vec<Step>> {
    let count = workflow.nodes.len();
    let mut next: Vec<Vec<Step>> = vec![Vec::new(); count + 2];
    let mut actions: Vec<BTreeMap<&str, u32>> = vec![BTreeMap::new(); count];
    for edge in &workflow.edges {
        let (Some(steps), Some(known)) = (next.get_mut(edge.from), actions.get_mut(edge.from))
        else {
            continue;
        };
        let number = known.len() as u32;
        let action = *known.entry(edge.action.as_str()).or_insert(number);
        steps.push(Step { to: edge.to, action });
    }
    for (place, node) in workflow.nodes.iter().enumerate() {
        let (Some(steps), Some(known)) = (next.get_mut(place), actions.get(place)) else {
            continue;
        };
        let declared = node.actions.iter().map(String::as_str);
        let usual = node.actions.is_empty().then_some(DEFAULT_ACTION);
        if declared.chain(usual).any(|action| !known.contains_key(action)) {
            steps.push(Step { to: count + 1, action: u32::MAX });
        }
    }
    if let Some(steps) = next.get_mut(count) {
        steps.extend(workflow.starts.iter().map(|start| Step { to: *start, action: 0 }));
    }
    next
}

fn origins(
    child: usize,
    steps: &[Step],
    siblings: &[usize],
    settled: &BTreeMap<usize, Origins>,
) -> Origins {
    let own = steps.iter().filter(|step| step.to == child).map(|step| (step.action, step.to));
    let mut found: Vec<(u32, usize)> = own.collect();
    let mut many = false;
    for origins in siblings.iter().filter_map(|sibling| settled.get(sibling)) {
        many |= origins.many;
        found.extend(&origins.steps);
    }
    found.sort_unstable();
    found.dedup();
    if found.len() > MOST || many {
        return Origins { steps: Vec::new(), many: true };
    }
    Origins { steps: found, many: false }
}
