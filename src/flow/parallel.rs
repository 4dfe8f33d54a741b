//! What runs side by side. Two points do where one run may come to both and no way leads from one
//! to the other: a point waits for whatever runs already and may still lead to it.
//!
//! Whether a run may come to both is asked exactly, up to a bound on the work ([`Parallel::new`]);
//! past it, points are taken to run side by side. Steps back to where a loop began are left out:
//! what one turn of a loop does is over when the next begins, unless the loop is *tangled*: it goes
//! back while a branch of the same turn is still to run. Such a branch may run once for several
//! turns, so the ways of one turn do not tell which of two writers came last.

use super::control::{Control, Step};
use super::dominators::Tree;
use super::lists::{Lists, NONE, Walk, add, at, set};
use crate::base::map::{IntMap, pair};

pub(super) struct Parallel<'a> {
    pub control: &'a Control,
    /// The steps that can be taken and do not lead back.
    steps: Vec<Step>,
    /// Where these lead from each point, and which lead to it.
    next: Lists,
    into: Lists,
    /// Places in a topological order.
    pub rank: Vec<u32>,
    /// The least time at which the walk left anything that can be reached from a point.
    least_left: Vec<u32>,
    /// Above each point, those that every way from it to the end of the turn leads through.
    after: Tree,
    /// All forks in the order of the dominator tree, and those of them whose branches are not one
    /// again among the points that are reached through the fork alone.
    forks: Vec<Fork>,
    open: Vec<Fork>,
    /// In the order of the dominator tree, how many points before have children that may run side
    /// by side.
    forking_before: Vec<u32>,
    /// For each point, the topmost tangled loop that it is in.
    tangled: Vec<u32>,
    /// What was found out by [`Parallel::gathers`].
    gathers: Vec<Option<bool>>,
    /// When a search came by each point.
    seen: Vec<u32>,
    searches: u32,
    /// How many steps searches may still take.
    budget: usize,
}

/// A fork: the point and the action, and the first point where all of its branches are one again.
#[derive(Clone, Copy)]
struct Fork {
    point: u32,
    action: u32,
    closed: u32,
}

impl<'a> Parallel<'a> {
    /// What runs side by side, if anything does.
    pub fn new(control: &'a Control) -> Option<Parallel<'a>> {
        let points = control.points();
        let exit = control.exit() as u32;
        let forks = || {
            let steps = (0..points as u32).map(|point| control.steps_from(point));
            let pairs = steps.flat_map(|steps| steps.iter().zip(steps.iter().skip(1)));
            pairs.filter(|(a, b)| a.action == b.action && control.tree.has(a.from))
        };
        forks().next()?;
        let ahead = control.reached_steps().filter(|step| !control.goes_back(step));
        let steps: Vec<Step> = ahead.copied().collect();
        let next = Lists::new(points, &|put| {
            steps.iter().for_each(|step| put(step.from, step.to));
        });
        let into = Lists::new(points, &|put| {
            (0u32..).zip(&steps).for_each(|(number, step)| put(step.to, number));
        });
        // A step back ends the turn.
        let end = |step: &Step| if control.goes_back(step) { exit } else { step.to };
        let forwards = Lists::new(points, &|put| {
            control.reached_steps().for_each(|step| put(step.from, end(step)));
        });
        let backwards = Lists::new(points, &|put| {
            control.reached_steps().for_each(|step| put(end(step), step.from));
        });
        let after = Tree::new(&Walk::new(exit, &backwards), &forwards);
        let last = control.walk.order.len() as u32;
        let left = &control.walk.left;
        let rank = left
            .iter()
            .map(|left| if *left == NONE { NONE } else { last - left })
            .collect::<Vec<_>>();
        let mut found: Vec<Fork> = Vec::new();
        for (a, b) in forks() {
            let closed = after.common(end(a), end(b));
            let same = |fork: &&mut Fork| fork.point == a.from && fork.action == a.action;
            match found.last_mut().filter(same) {
                Some(fork) => fork.closed = after.common(fork.closed, closed),
                None => found.push(Fork { point: a.from, action: a.action, closed }),
            }
        }
        found.sort_by_key(|&fork| control.tree.span(fork.point).0);
        let open =
            |fork: &&Fork| fork.closed == exit || !control.tree.holds(fork.point, fork.closed);
        let open = found.iter().filter(open).copied().collect::<Vec<_>>();
        let mut parallel = Parallel {
            control,
            least_left: left.clone(),
            forking_before: vec![0],
            tangled: vec![NONE; points],
            gathers: vec![None; points],
            seen: vec![0; points],
            searches: 0,
            budget: 1_000_000 + 256 * points,
            forks: found,
            open,
            steps,
            next,
            into,
            rank,
            after,
        };
        parallel.label();
        parallel.find_forking();
        parallel.find_tangled();
        Some(parallel)
    }

    /// The reached points, each after all that lead to it in the same turn, from the last on.
    fn last_first(&self) -> Vec<u32> {
        let mut points: Vec<u32> = self.control.walk.order.clone();
        points.sort_by_key(|&point| at(&self.control.walk.left, point));
        points
    }

    fn label(&mut self) {
        for point in self.last_first() {
            let least = self.next.of(point).iter().map(|to| at(&self.least_left, *to)).min();
            let own = at(&self.least_left, point);
            set(&mut self.least_left, point, own.min(least.unwrap_or(NONE)));
        }
    }

    /// A fork makes those children of a point run side by side that its branches lead to: of
    /// itself and of the points above it, up to where its branches are one again, and no further
    /// up than they lead.
    fn find_forking(&mut self) {
        let tree = &self.control.tree;
        let exit = self.control.exit() as u32;
        let mut top: Vec<u32> = vec![NONE; self.rank.len()];
        for point in self.last_first() {
            let own = tree.parent(point).map_or(0, |parent| tree.level(parent));
            let ahead = self.next.of(point).iter().filter(|to| **to != exit);
            let least = ahead.map(|to| at(&top, *to)).min().unwrap_or(NONE);
            set(&mut top, point, own.min(least));
        }
        let mut begun = vec![0u32; self.rank.len()];
        let mut over = vec![0u32; self.rank.len()];
        for fork in &self.forks {
            let ahead = self.next.of(fork.point).iter().filter(|to| **to != exit);
            let leads = ahead.map(|to| at(&top, *to)).min().unwrap_or(NONE);
            let closed = match fork.closed == exit {
                true => 0,
                false => tree.level(tree.common(fork.point, fork.closed)),
            };
            let level = leads.max(closed).min(tree.level(fork.point));
            let last = tree.above(fork.point, level);
            add(&mut begun, fork.point, 1);
            if let Some(parent) = tree.parent(last) {
                add(&mut over, parent, 1);
            }
        }
        for point in tree.order().iter().rev() {
            let open = at(&begun, *point).wrapping_sub(at(&over, *point));
            set(&mut begun, *point, open);
            if let Some(parent) = tree.parent(*point) {
                add(&mut begun, parent, open);
            }
        }
        let mut count = 0;
        for point in tree.order() {
            count += u32::from(at(&begun, *point) != 0);
            self.forking_before.push(count);
        }
    }

    fn find_tangled(&mut self) {
        let control = self.control;
        let tree = &control.tree;
        let mut loops: Vec<u32> = Vec::new();
        // Points that no loop holds and that run once for several turns of one all the same.
        let mut beside: Vec<(u32, u32)> = Vec::new();
        // Steps that may be spent on finding these. Past them all points are taken for such.
        const MOST: usize = 200_000;
        let mut allowed = MOST;
        if !self.open.is_empty() {
            for step in control.reached_steps().filter(|step| control.goes_back(step)) {
                let around = tree.common(step.from, step.to);
                let (start, end) = tree.span(around);
                let within = forks_within(tree, &self.open, start, end).to_vec();
                let alike = control.steps_from(step.from).iter();
                let alone = alike.filter(|other| other.action == step.action).count() == 1;
                if !alone || within.iter().any(|fork| self.leaves_behind(fork.point, step.from)) {
                    loops.push(around);
                    let before = self.budget;
                    if allowed > 0 {
                        let forks = within.iter().map(|fork| fork.point);
                        beside.extend(self.left_outside(
                            forks.collect::<Vec<_>>(),
                            step.from,
                            around,
                        ));
                    }
                    let spent = before - self.budget;
                    allowed = if self.budget == 0 { 0 } else { allowed.saturating_sub(spent) };
                }
            }
        }
        loops.sort_by_key(|&point| tree.span(point).0);
        let mut covered = 0;
        for around in loops {
            let (start, end) = tree.span(around);
            for place in start.max(covered)..end {
                set(&mut self.tangled, at(tree.order(), place), around);
            }
            covered = covered.max(end);
        }
        if allowed == 0
            && let Some(root) = tree.order().first()
        {
            beside.extend(tree.order().iter().map(|point| (*point, *root)));
        }
        for (point, around) in beside {
            if at(&self.tangled, point) == NONE {
                set(&mut self.tangled, point, around);
            }
        }
    }

    /// Whether something behind a fork may still run when `point` does.
    fn leaves_behind(&mut self, fork: u32, point: u32) -> bool {
        if !self.may_reach(fork, point) {
            return false;
        }
        let mut known = IntMap::default();
        let mut work = vec![fork];
        while let Some(here) = work.pop() {
            if self.budget == 0 || self.is_beside(here, point) {
                return true;
            }
            self.budget -= 1;
            let ahead = self.next.of(here).iter().filter(|to| **to != self.control.exit() as u32);
            work.extend(ahead.filter(|to| known.insert(u64::from(**to), 0).is_none()));
        }
        false
    }

    /// What is behind forks of the loop `around`, outside of it, and may still run when `point` does; each with the
    /// loop.
    fn left_outside(&mut self, forks: Vec<u32>, point: u32, around: u32) -> Vec<(u32, u32)> {
        let mut known = IntMap::default();
        let mut found = Vec::new();
        let mut work = forks;
        while let Some(here) = work.pop().filter(|_| self.budget > 0) {
            self.budget -= 1;
            let outside = !self.control.tree.holds(around, here);
            if outside && self.is_beside(here, point) {
                found.push((here, around));
            }
            let ahead = self.next.of(here).iter().filter(|to| **to != self.control.exit() as u32);
            work.extend(ahead.filter(|to| known.insert(u64::from(**to), 0).is_none()));
        }
        found
    }

    /// How many points of a subtree of the dominator tree have children that may run side by side.
    fn forking(&self, (start, end): (u32, u32)) -> u32 {
        at(&self.forking_before, end).saturating_sub(at(&self.forking_before, start))
    }

    /// Whether anything below a point may run side by side with anything else below it.
    pub fn forks_below(&self, point: u32) -> bool {
        self.forking(self.control.tree.span(point)) > 0
    }

    /// Whether points below different children of a point may run side by side.
    pub fn forks_at(&self, point: u32) -> bool {
        let (start, _) = self.control.tree.span(point);
        self.forking((start, start + 1)) > 0
    }

    /// The loop in which all is taken to run side by side, if a point is in one.
    pub fn tangled(&self, point: u32) -> Option<u32> {
        Some(at(&self.tangled, point)).filter(|around| *around != NONE)
    }

    /// Whether every turn that comes to `from` comes to `to` or has been there.
    pub fn always_leads(&self, from: u32, to: u32) -> bool {
        self.after.holds(to, from)
    }

    /// Takes a step; whether more may be taken.
    pub fn has_budget(&mut self) -> bool {
        self.budget = self.budget.saturating_sub(1);
        self.budget > 0
    }

    /// Whether a way leads from one point to another within a turn; nothing where the work that
    /// it takes to know is too much.
    fn reaches(&mut self, from: u32, to: u32) -> Option<bool> {
        let (tree, walk) = (&self.control.tree, &self.control.walk);
        let target = at(&self.rank, to);
        let left = at(&walk.left, to);
        self.searches += 1;
        let mut work = vec![from];
        while let Some(here) = work.pop() {
            if at(&self.rank, here) > target || at(&self.least_left, here) > left {
                continue;
            }
            if walk.holds(here, to) || tree.holds(here, to) || self.after.holds(to, here) {
                return Some(true);
            }
            self.budget = self.budget.checked_sub(1)?;
            for next in self.next.of(here) {
                if at(&self.seen, *next) != self.searches {
                    set(&mut self.seen, *next, self.searches);
                    work.push(*next);
                }
            }
        }
        Some(false)
    }

    pub fn surely_reaches(&mut self, from: u32, to: u32) -> bool {
        self.reaches(from, to) == Some(true)
    }

    pub fn may_reach(&mut self, from: u32, to: u32) -> bool {
        self.reaches(from, to) != Some(false)
    }

    /// Whether two points may run side by side.
    pub fn is_beside(&mut self, a: u32, b: u32) -> bool {
        if a == b {
            return false;
        }
        let tree = &self.control.tree;
        if tree.holds(a, b) || tree.holds(b, a) || !self.forks_at(tree.common(a, b)) {
            return false;
        }
        let (a, b) = if at(&self.rank, a) > at(&self.rank, b) { (b, a) } else { (a, b) };
        !self.surely_reaches(a, b) && self.both_run(a, b)
    }

    /// Whether one run may come to both of two points neither of which leads to the other: two
    /// ways from one action of a point lead to them and have no point in common. The ways are
    /// searched backwards, always from the later point, so that they meet where they first can.
    fn both_run(&mut self, a: u32, b: u32) -> bool {
        const MOST: usize = 20_000;
        // For each of the two ways, where it begins so far and with which step.
        let mut work = vec![(a, NONE, b, NONE)];
        let mut known = IntMap::default();
        while let Some((a, from_a, b, from_b)) = work.pop() {
            let (early, from_early, late) = match at(&self.rank, a) < at(&self.rank, b) {
                true => (a, from_a, b),
                false => (b, from_b, a),
            };
            if known.len() > MOST || self.budget == 0 {
                return true;
            }
            self.budget -= 1;
            for number in self.into.of(late) {
                let Some(step) = self.steps.get(*number as usize) else { continue };
                if step.from == early {
                    let other = self.steps.get(from_early as usize);
                    if other.is_some_and(|other| other.action == step.action) {
                        return true;
                    }
                } else if known.insert(pair(*number, from_early), 0).is_none() {
                    work.push((step.from, *number, early, from_early));
                }
            }
        }
        false
    }

    /// Whether all branches of a fork below the point above `join` that may lead there do so, or
    /// are one before. Else something may have run before `join` and yet come there on no way.
    pub fn gathers(&mut self, join: u32) -> bool {
        let control = self.control;
        let Some(above) = control.tree.parent(join) else { return true };
        if join == control.exit() as u32 || !self.forks_below(above) {
            return true;
        }
        if let Some(known) = self.gathers.get(join as usize).copied().flatten() {
            return known;
        }
        let tree = &control.tree;
        let ((start, end), (inner, behind)) = (tree.span(above), tree.span(join));
        let mut forks = forks_within(tree, &self.forks, start, start + 1).to_vec();
        forks.extend(forks_within(tree, &self.open, start + 1, inner));
        forks.extend(forks_within(tree, &self.open, behind, end));
        let found = forks.iter().all(|fork| self.gathers_fork(fork, join));
        if let Some(slot) = self.gathers.get_mut(join as usize) {
            *slot = Some(found);
        }
        found
    }

    fn gathers_fork(&mut self, fork: &Fork, join: u32) -> bool {
        if fork.closed == join || self.budget == 0 {
            return fork.closed == join;
        }
        self.budget -= 1;
        let exit = self.control.exit() as u32;
        let steps = self.control.steps_from(fork.point).iter();
        let mut steps = steps.filter(|step| step.action == fork.action).map(|step| step.to);
        let closed = fork.closed != exit && self.surely_reaches(fork.closed, join);
        closed || !steps.any(|to| self.may_reach(to, join))
    }
}

/// The forks whose points lie from one place to before another.
fn forks_within<'a>(tree: &Tree, forks: &'a [Fork], start: u32, end: u32) -> &'a [Fork] {
    let from = forks.partition_point(|fork| tree.span(fork.point).0 < start);
    let to = forks.partition_point(|fork| tree.span(fork.point).0 < end);
    forks.get(from..to).unwrap_or_default()
}
