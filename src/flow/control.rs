//! What may run after what: the control-flow graph of a workflow and its dominators.

use super::codes;
use super::dominators::Tree;
use super::lists::{Lists, NONE, Walk, at, set};
use super::workflow::{DEFAULT_ACTION, Workflow, numbered};
use crate::base::Diagnostic;
use crate::base::diagnostic::quote;
use crate::base::map::OrderedMap;

/// The control flow of a workflow. Points are its nodes, then the entry, then the exit.
pub struct Control {
    /// How many nodes there are; the entry comes next.
    count: u32,
    /// All steps, those from one point together.
    steps: Vec<Step>,
    /// For each point, where its steps lead, in the same order.
    pub(super) next: Lists,
    /// For each point, what leads to it, if anything leads there from the entry.
    pub(super) before: Lists,
    /// A walk along the steps from the entry.
    pub(super) walk: Walk,
    /// Below each point, those that are reached through it alone.
    pub(super) tree: Tree,
    /// The first node of each cycle that no edge leads out of.
    endless: Vec<u32>,
}

/// A step from a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Step {
    pub from: u32,
    /// A number for the name of its action.
    pub action: u32,
    pub to: u32,
}

/// The action of the step that ends a branch.
const END: u32 = u32::MAX;

impl Control {
    /// Reads the control flow of a workflow. A cycle that no edge leads out of ends all the same where a node answers
    /// an action that has none, and that may be any of its nodes.
    pub fn new(workflow: &Workflow) -> Control {
        let count = workflow.nodes.len() as u32;
        let mut steps = steps(workflow);
        let control = Control::of(count, steps.clone());
        let (endless, members) = control.endless();
        if endless.is_empty() {
            return control;
        }
        steps.extend(members.into_iter().map(|from| Step { from, action: END, to: count + 1 }));
        // It comes last of the steps from a point.
        steps.sort_by_key(|&step| step.from);
        Control { endless, ..Control::of(count, steps) }
    }

    fn of(count: u32, steps: Vec<Step>) -> Control {
        let points = count as usize + 2;
        let next = Lists::new(points, &|put| {
            for step in &steps {
                put(step.from, step.to);
            }
        });
        let walk = Walk::new(count, &next);
        let reached = |step: &&Step| walk.holds(count, step.from);
        let before = Lists::new(points, &|put| {
            for step in steps.iter().filter(reached) {
                put(step.to, step.from);
            }
        });
        let tree = Tree::new(&walk, &before);
        Control { count, steps, next, before, walk, tree, endless: Vec::new() }
    }

    /// Where the workflow begins.
    pub fn entry(&self) -> usize {
        self.count as usize
    }

    /// Where it ends.
    pub fn exit(&self) -> usize {
        self.count as usize + 1
    }

    /// Whether a point can be reached.
    pub fn is_reached(&self, point: usize) -> bool {
        self.tree.has(point as u32)
    }

    /// Whether a step between two nodes leads back to where the walk from the entry came through.
    pub fn leads_back(&self, from: usize, to: usize) -> bool {
        self.walk.holds(to as u32, from as u32)
    }

    /// How many points there are.
    pub(super) fn points(&self) -> usize {
        self.next.count()
    }

    /// All steps that can be taken.
    pub(super) fn reached_steps(&self) -> impl Iterator<Item = &Step> {
        self.steps.iter().filter(|step| self.tree.has(step.from))
    }

    /// The steps from a point, those of one action one behind the other.
    pub(super) fn steps_from(&self, point: u32) -> &[Step] {
        self.steps.get(self.next.range(point)).unwrap_or_default()
    }

    /// Whether a step leads back to where the walk came through.
    pub(super) fn goes_back(&self, step: &Step) -> bool {
        self.walk.holds(step.to, step.from)
    }

    /// The first node of each cycle that no edge leads out of, and all nodes of these.
    fn endless(&self) -> (Vec<u32>, Vec<u32>) {
        // Every cycle that can be come to holds a step back.
        if !self.reached_steps().any(|step| self.goes_back(step)) {
            return (Vec::new(), Vec::new());
        }
        let parts = self.strong_parts();
        let part = |point: u32| at(&parts, point) as usize;
        let mut cycle = vec![false; self.points()];
        let mut ends = vec![false; self.points()];
        for step in self.reached_steps() {
            let which = if part(step.from) == part(step.to) { &mut cycle } else { &mut ends };
            which.get_mut(part(step.from)).into_iter().for_each(|slot| *slot = true);
        }
        let is_in = |point: &u32| {
            let part = part(*point);
            cycle.get(part) == Some(&true) && ends.get(part) == Some(&false)
        };
        let members: Vec<u32> = (0..self.count).filter(is_in).collect();
        let mut known = vec![false; self.points()];
        let mut is_first = |point: &u32| {
            let slot = known.get_mut(part(*point));
            slot.is_some_and(|known| !std::mem::replace(known, true))
        };
        let first = members.iter().copied().filter(|point| is_first(point)).collect::<Vec<_>>();
        (first, members)
    }

    /// For each point that is reached, the number of those that lead to one another with it, as
    /// Kosaraju finds them: backwards from the points that the walk left last.
    fn strong_parts(&self) -> Vec<u32> {
        let mut points = self.walk.order.clone();
        points.sort_by_key(|&point| NONE - at(&self.walk.left, point));
        let mut parts = vec![NONE; self.points()];
        let mut open = Vec::new();
        for (number, point) in (0u32..).zip(points) {
            open.push(point);
            while let Some(point) = open.pop() {
                if at(&parts, point) == NONE {
                    set(&mut parts, point, number);
                    open.extend(self.before.of(point));
                }
            }
        }
        parts
    }
}

/// What is doubtful about the control flow: nodes that nothing leads to, and cycles that nothing
/// leads out of.
pub fn check(workflow: &Workflow, control: &Control) -> Vec<Diagnostic> {
    let mut told = Vec::new();
    let id = |place: usize| quote(workflow.nodes.get(place).map_or("", |node| &*node.id));
    for place in (0..workflow.nodes.len()).filter(|place| !control.is_reached(*place)) {
        let message = format!("nothing leads to {}: it never runs", id(place));
        let help = format!("add an edge to {}, or leave the node out", id(place));
        told.push(
            Diagnostic::new(codes::UNREACHABLE, message)
                .help(help)
                .at_pointer(format!("/nodes/{place}")),
        );
    }
    for place in &control.endless {
        let place = *place as usize;
        let message = format!("nothing leads out of the cycle of {}", id(place));
        let help = format!(
            "let a node of the cycle answer an action whose edge leads out of it, or that has no \
             edge; as it is, {} runs until the step limit",
            id(place)
        );
        told.push(
            Diagnostic::new(codes::ENDLESS, message)
                .help(help)
                .at_pointer(format!("/nodes/{place}")),
        );
    }
    told
}

/// Where each point leads: a node along its edges, and to the exit with every action that has none.
/// The steps by where they begin and by action, each once.
fn steps(workflow: &Workflow) -> Vec<Step> {
    let entry = workflow.nodes.len() as u32;
    let exit = entry + 1;
    let mut actions: OrderedMap<()> = OrderedMap::default();
    let numbers = numbered(&workflow.edges, &mut actions);
    let edges = Lists::new(entry as usize, &|put| {
        for (place, edge) in (0u32..).zip(&workflow.edges) {
            if edge.to < entry as usize {
                put(edge.from as u32, place);
            }
        }
    });
    let usual = actions.get_index_of(DEFAULT_ACTION);
    let mut steps = Vec::with_capacity(workflow.edges.len() + 2);
    for (from, node) in (0u32..).zip(&workflow.nodes) {
        let start = steps.len();
        for edge in edges.of(from) {
            let to = workflow.edges.get(*edge as usize).map_or(exit, |edge| edge.to as u32);
            steps.push(Step { from, action: at(&numbers, *edge), to });
        }
        sort(&mut steps, start);
        let own = steps.get(start..).unwrap_or_default();
        let leads = |action: Option<usize>| {
            let found = action.map(|of| own.binary_search_by_key(&(of as u32), |step| step.action));
            found.is_some_and(|found| found.is_ok())
        };
        let ends = match node.actions.is_empty() {
            true => !leads(usual),
            false => {
                !node.actions.iter().all(|action| leads(actions.get_index_of(action.as_str())))
            }
        };
        if ends {
            steps.push(Step { from, action: END, to: exit });
        }
    }
    let start = steps.len();
    let starts = workflow.starts.iter().map(|start| *start as u32).filter(|start| *start < entry);
    steps.extend(starts.map(|to| Step { from: entry, action: 0, to }));
    if steps.len() == start {
        steps.push(Step { from: entry, action: END, to: exit });
    }
    sort(&mut steps, start);
    steps
}

/// Sorts the steps from `start` on, and leaves each once.
fn sort(steps: &mut Vec<Step>, start: usize) {
    if steps.len() < start + 2 {
        return;
    }
    let mut of = steps.split_off(start);
    of.sort_by_key(|&step| step.to);
    of.sort_by_key(|&step| step.action);
    of.dedup();
    steps.append(&mut of);
}
