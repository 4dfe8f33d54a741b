//! May-happen-in-parallel analysis. Two vertices may run concurrently if one run may reach both,
//! and no path leads from one to the other. The reason is that a vertex waits for everything that
//! may still lead to it.
//!
//! Whether one run may reach both is exact within a budget of search steps; beyond it the answer is
//! "concurrent". Back edges are left out, because an iteration of a loop ends before the next one
//! begins. The exception is an *overlapping loop*: it goes back while a branch of the same iteration
//! still has to run. Such a branch may run once for several iterations, so the paths of one iteration
//! do not decide which of two writers was last.

use super::control::{ControlFlowGraph, FlowEdge};
use super::csr::{CsrLists, DepthFirstSearch, NONE, add_to_item, item_or_none, set_item};
use super::dominators::DominatorTree;
use crate::base::map::{IntMap, pack_pair};

pub(super) struct ConcurrencyAnalysis<'a> {
    pub control: &'a ControlFlowGraph,
    /// Reachable edges without back edges.
    edges: Vec<FlowEdge>,
    /// Targets of `edges` for each vertex, and the indices of those to it.
    successors: CsrLists,
    incoming: CsrLists,
    /// Topological rank of each vertex.
    pub rank: Vec<u32>,
    /// Least postorder index of anything that can be reached from each vertex.
    min_postorder: Vec<u32>,
    /// Post-dominators within one iteration.
    post_dominators: DominatorTree,
    /// All forks, in preorder of the dominator tree.
    forks: Vec<Fork>,
    /// Forks whose branches do not join among the vertices that the fork dominates.
    unjoined_forks: Vec<Fork>,
    /// Prefix sums in preorder of the dominator tree: vertices with children that may run concurrently.
    fork_count_before: Vec<u32>,
    /// Topmost overlapping loop of each vertex.
    overlapping_loop: Vec<u32>,
    /// Cache of [`ConcurrencyAnalysis::all_branches_reach`].
    all_branches_reach: Vec<Option<bool>>,
    /// Cache of [`ConcurrencyAnalysis::count_actions_to`], by vertex.
    action_counts: IntMap,
    /// Last search that visited each vertex.
    visited_by: Vec<u32>,
    search_count: u32,
    /// Remaining search steps.
    budget: usize,
}

/// Several edges of one action, and the first vertex where all of the branches have joined.
#[derive(Clone, Copy)]
struct Fork {
    vertex: u32,
    action: u32,
    join: u32,
}

impl<'a> ConcurrencyAnalysis<'a> {
    /// Analyses a graph; returns `None` if it has no forks.
    pub fn new(control: &'a ControlFlowGraph) -> Option<ConcurrencyAnalysis<'a>> {
        let vertex_count = control.vertex_count();
        let exit = control.exit() as u32;
        let forks = || {
            let edges = (0..vertex_count as u32).map(|vertex| control.edges_from(vertex));
            let pairs = edges.flat_map(|edges| edges.iter().zip(edges.iter().skip(1)));
            pairs.filter(|(a, b)| a.action == b.action && control.dominators.contains(a.from))
        };
        forks().next()?;
        let forward = control.reachable_edges().filter(|edge| !control.goes_back(edge));
        let edges: Vec<FlowEdge> = forward.copied().collect();
        let successors = CsrLists::new(vertex_count, &|put| {
            edges.iter().for_each(|edge| put(edge.from, edge.to));
        });
        let incoming = CsrLists::new(vertex_count, &|put| {
            (0u32..).zip(&edges).for_each(|(index, edge)| put(edge.to, index));
        });
        // A back edge ends the iteration.
        let end = |edge: &FlowEdge| if control.goes_back(edge) { exit } else { edge.to };
        let forwards = CsrLists::new(vertex_count, &|put| {
            control.reachable_edges().for_each(|edge| put(edge.from, end(edge)));
        });
        let backwards = CsrLists::new(vertex_count, &|put| {
            control.reachable_edges().for_each(|edge| put(end(edge), edge.from));
        });
        let post_dominators =
            DominatorTree::new(&DepthFirstSearch::new(exit, &backwards), &forwards);
        let last = control.search.order.len() as u32;
        let postorder = &control.search.postorder;
        let rank = postorder
            .iter()
            .map(|index| if *index == NONE { NONE } else { last - index })
            .collect::<Vec<_>>();
        let mut found: Vec<Fork> = Vec::new();
        for (a, b) in forks() {
            let join = post_dominators.nearest_common_dominator(end(a), end(b));
            let same = |fork: &&mut Fork| fork.vertex == a.from && fork.action == a.action;
            match found.last_mut().filter(same) {
                Some(fork) => {
                    fork.join = post_dominators.nearest_common_dominator(fork.join, join);
                }
                None => found.push(Fork { vertex: a.from, action: a.action, join }),
            }
        }
        found.sort_by_key(|&fork| control.dominators.preorder_range(fork.vertex).0);
        let is_unjoined = |fork: &&Fork| {
            fork.join == exit || !control.dominators.dominates(fork.vertex, fork.join)
        };
        let unjoined_forks = found.iter().filter(is_unjoined).copied().collect::<Vec<_>>();
        let mut analysis = ConcurrencyAnalysis {
            control,
            min_postorder: postorder.clone(),
            fork_count_before: vec![0],
            overlapping_loop: vec![NONE; vertex_count],
            all_branches_reach: vec![None; vertex_count],
            action_counts: IntMap::default(),
            visited_by: vec![0; vertex_count],
            search_count: 0,
            budget: 1_000_000 + 256 * vertex_count,
            forks: found,
            unjoined_forks,
            edges,
            successors,
            incoming,
            rank,
            post_dominators,
        };
        analysis.compute_min_postorder();
        analysis.count_forks();
        analysis.find_overlapping_loops();
        Some(analysis)
    }

    /// Returns the reachable vertices in postorder, so successors come first.
    fn postorder(&self) -> Vec<u32> {
        let mut vertices: Vec<u32> = self.control.search.order.clone();
        vertices.sort_by_key(|&vertex| item_or_none(&self.control.search.postorder, vertex));
        vertices
    }

    fn compute_min_postorder(&mut self) {
        for vertex in self.postorder() {
            let successors = self.successors.list(vertex).iter();
            let least = successors.map(|to| item_or_none(&self.min_postorder, *to)).min();
            let own = item_or_none(&self.min_postorder, vertex);
            set_item(&mut self.min_postorder, vertex, own.min(least.unwrap_or(NONE)));
        }
    }

    /// Counts the vertices whose children in the dominator tree may run concurrently. These are
    /// each fork, and its dominators up to the join of its branches, but none above the vertices
    /// that the branches reach.
    fn count_forks(&mut self) {
        let tree = &self.control.dominators;
        let exit = self.control.exit() as u32;
        let mut min_depth: Vec<u32> = vec![NONE; self.rank.len()];
        let least_ahead = |min_depth: &[u32], vertex: u32| {
            let ahead = self.successors.list(vertex).iter().filter(|to| **to != exit);
            ahead.map(|to| item_or_none(min_depth, *to)).min().unwrap_or(NONE)
        };
        for vertex in self.postorder() {
            let own = tree.parent(vertex).map_or(0, |parent| tree.depth(parent));
            let least = least_ahead(&min_depth, vertex);
            set_item(&mut min_depth, vertex, own.min(least));
        }
        let mut begun = vec![0u32; self.rank.len()];
        let mut ended = vec![0u32; self.rank.len()];
        for fork in &self.forks {
            let join_depth = match fork.join == exit {
                true => 0,
                false => tree.depth(tree.nearest_common_dominator(fork.vertex, fork.join)),
            };
            let reached_depth = least_ahead(&min_depth, fork.vertex);
            let depth = reached_depth.max(join_depth).min(tree.depth(fork.vertex));
            let last = tree.ancestor_at_depth(fork.vertex, depth);
            add_to_item(&mut begun, fork.vertex, 1);
            if let Some(parent) = tree.parent(last) {
                add_to_item(&mut ended, parent, 1);
            }
        }
        for vertex in tree.vertices_in_preorder().iter().rev() {
            let open = item_or_none(&begun, *vertex).wrapping_sub(item_or_none(&ended, *vertex));
            set_item(&mut begun, *vertex, open);
            if let Some(parent) = tree.parent(*vertex) {
                add_to_item(&mut begun, parent, open);
            }
        }
        let mut count = 0;
        for vertex in tree.vertices_in_preorder() {
            count += u32::from(item_or_none(&begun, *vertex) != 0);
            self.fork_count_before.push(count);
        }
    }

    fn find_overlapping_loops(&mut self) {
        let control = self.control;
        let tree = &control.dominators;
        let mut loops: Vec<u32> = Vec::new();
        // Vertices outside of a loop that run once for several of its iterations.
        let mut outside: Vec<(u32, u32)> = Vec::new();
        // Maximum number of search steps for these; beyond it every vertex counts as one.
        const MAX_STEPS: usize = 200_000;
        let mut allowed = MAX_STEPS;
        if !self.unjoined_forks.is_empty() {
            for edge in control.reachable_edges().filter(|edge| control.goes_back(edge)) {
                let head = tree.nearest_common_dominator(edge.from, edge.to);
                let (start, end) = tree.preorder_range(head);
                let inner = forks_between(tree, &self.unjoined_forks, start, end).to_vec();
                let alternatives = control.edges_from(edge.from).iter();
                let is_only = alternatives.filter(|other| other.action == edge.action).count() == 1;
                if !is_only || inner.iter().any(|fork| self.may_outlive(fork.vertex, edge.from)) {
                    loops.push(head);
                    let before = self.budget;
                    if allowed > 0 {
                        let forks = inner.iter().map(|fork| fork.vertex).collect::<Vec<_>>();
                        outside.extend(self.concurrent_outside(forks, edge.from, head));
                    }
                    let spent = before - self.budget;
                    allowed = if self.budget == 0 { 0 } else { allowed.saturating_sub(spent) };
                }
            }
        }
        loops.sort_by_key(|&head| tree.preorder_range(head).0);
        let mut covered = 0;
        for head in loops {
            let (start, end) = tree.preorder_range(head);
            for index in start.max(covered)..end {
                set_item(
                    &mut self.overlapping_loop,
                    item_or_none(tree.vertices_in_preorder(), index),
                    head,
                );
            }
            covered = covered.max(end);
        }
        if allowed == 0
            && let Some(root) = tree.vertices_in_preorder().first()
        {
            outside.extend(tree.vertices_in_preorder().iter().map(|vertex| (*vertex, *root)));
        }
        for (vertex, head) in outside {
            if item_or_none(&self.overlapping_loop, vertex) == NONE {
                set_item(&mut self.overlapping_loop, vertex, head);
            }
        }
    }

    /// Returns whether something after a fork may still run when `vertex` does.
    fn may_outlive(&mut self, fork: u32, vertex: u32) -> bool {
        if !self.may_reach(fork, vertex) {
            return false;
        }
        let mut visited = IntMap::default();
        let mut stack = vec![fork];
        while let Some(current) = stack.pop() {
            if self.budget == 0 || self.may_run_concurrently(current, vertex) {
                return true;
            }
            self.budget -= 1;
            self.push_successors(current, &mut visited, &mut stack);
        }
        false
    }

    /// Returns the vertices after forks of the loop `head`, outside of it, that may still run when `vertex`
    /// does; each with the loop.
    fn concurrent_outside(&mut self, forks: Vec<u32>, vertex: u32, head: u32) -> Vec<(u32, u32)> {
        let mut visited = IntMap::default();
        let mut found = Vec::new();
        let mut stack = forks;
        while let Some(current) = stack.pop().filter(|_| self.budget > 0) {
            self.budget -= 1;
            let is_outside = !self.control.dominators.dominates(head, current);
            if is_outside && self.may_run_concurrently(current, vertex) {
                found.push((current, head));
            }
            self.push_successors(current, &mut visited, &mut stack);
        }
        found
    }

    /// Pushes the unvisited successors of a vertex, without the exit.
    fn push_successors(&self, vertex: u32, visited: &mut IntMap, stack: &mut Vec<u32>) {
        let exit = self.control.exit() as u32;
        let successors = self.successors.list(vertex).iter().filter(|to| **to != exit);
        stack.extend(successors.filter(|to| visited.insert(u64::from(**to), 0).is_none()));
    }

    /// Counts the vertices in a preorder range whose children may run concurrently.
    fn fork_count(&self, (start, end): (u32, u32)) -> u32 {
        item_or_none(&self.fork_count_before, end)
            .saturating_sub(item_or_none(&self.fork_count_before, start))
    }

    /// Returns whether two vertices that `vertex` dominates may run concurrently.
    pub fn has_fork_below(&self, vertex: u32) -> bool {
        self.fork_count(self.control.dominators.preorder_range(vertex)) > 0
    }

    /// Returns whether vertices below different children of `vertex` may run concurrently.
    pub fn has_fork_at(&self, vertex: u32) -> bool {
        let (start, _) = self.control.dominators.preorder_range(vertex);
        self.fork_count((start, start + 1)) > 0
    }

    /// Returns the head of the topmost overlapping loop around a vertex, or `None`.
    pub fn overlapping_loop(&self, vertex: u32) -> Option<u32> {
        Some(item_or_none(&self.overlapping_loop, vertex)).filter(|head| *head != NONE)
    }

    /// Returns whether every iteration that runs `from` also runs `to`.
    pub fn always_reaches(&self, from: u32, to: u32) -> bool {
        self.post_dominators.dominates(to, from)
    }

    /// Spends a search step; reports whether any are left.
    pub fn spend_budget(&mut self) -> bool {
        self.budget = self.budget.saturating_sub(1);
        self.budget > 0
    }

    /// Returns whether one vertex reaches another within an iteration; `None` if the budget is
    /// spent.
    fn reaches(&mut self, from: u32, to: u32) -> Option<bool> {
        let (tree, search) = (&self.control.dominators, &self.control.search);
        let target_rank = item_or_none(&self.rank, to);
        let target_postorder = item_or_none(&search.postorder, to);
        self.search_count += 1;
        let mut stack = vec![from];
        while let Some(vertex) = stack.pop() {
            if item_or_none(&self.rank, vertex) > target_rank
                || item_or_none(&self.min_postorder, vertex) > target_postorder
            {
                continue;
            }
            if search.is_ancestor(vertex, to)
                || tree.dominates(vertex, to)
                || self.post_dominators.dominates(to, vertex)
            {
                return Some(true);
            }
            self.budget = self.budget.checked_sub(1)?;
            for next in self.successors.list(vertex) {
                if item_or_none(&self.visited_by, *next) != self.search_count {
                    set_item(&mut self.visited_by, *next, self.search_count);
                    stack.push(*next);
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

    pub fn may_run_concurrently(&mut self, a: u32, b: u32) -> bool {
        if a == b {
            return false;
        }
        let tree = &self.control.dominators;
        if tree.dominates(a, b)
            || tree.dominates(b, a)
            || !self.has_fork_at(tree.nearest_common_dominator(a, b))
        {
            return false;
        }
        let (a, b) =
            if item_or_none(&self.rank, a) > item_or_none(&self.rank, b) { (b, a) } else { (a, b) };
        !self.surely_reaches(a, b) && self.may_both_run(a, b)
    }

    /// Returns whether one run may reach both vertices, neither of which reaches the other. This
    /// requires two disjoint paths from one action of a vertex. Searches backwards from the later
    /// vertex, so that the paths meet at the first common vertex.
    fn may_both_run(&mut self, a: u32, b: u32) -> bool {
        const MAX_STATES: usize = 20_000;
        // For each of the two paths its first vertex and the index of its first edge.
        let mut stack = vec![(a, NONE, b, NONE)];
        let mut visited = IntMap::default();
        while let Some((a, edge_a, b, edge_b)) = stack.pop() {
            let (early, early_edge, late) =
                match item_or_none(&self.rank, a) < item_or_none(&self.rank, b) {
                    true => (a, edge_a, b),
                    false => (b, edge_b, a),
                };
            if visited.len() > MAX_STATES || self.budget == 0 {
                return true;
            }
            self.budget -= 1;
            for index in self.incoming.list(late) {
                let Some(edge) = self.edges.get(*index as usize) else { continue };
                if edge.from == early {
                    let other = self.edges.get(early_edge as usize);
                    if other.is_some_and(|other| other.action == edge.action) {
                        return true;
                    }
                } else if visited.insert(pack_pair(*index, early_edge), 0).is_none() {
                    stack.push((edge.from, *index, early, early_edge));
                }
            }
        }
        false
    }

    /// Returns whether, for each fork below the immediate dominator of `join`, all branches that may reach
    /// `join` do so or have joined before. Otherwise something may have run before `join` without a path to it.
    pub fn all_branches_reach(&mut self, join: u32) -> bool {
        let control = self.control;
        let Some(dominator) = control.dominators.parent(join) else { return true };
        if join == control.exit() as u32 || !self.has_fork_below(dominator) {
            return true;
        }
        if let Some(cached) = self.all_branches_reach.get(join as usize).copied().flatten() {
            return cached;
        }
        let tree = &control.dominators;
        let ((start, end), (join_start, join_end)) =
            (tree.preorder_range(dominator), tree.preorder_range(join));
        let mut forks = forks_between(tree, &self.forks, start, start + 1).to_vec();
        forks.extend(forks_between(tree, &self.unjoined_forks, start + 1, join_start));
        forks.extend(forks_between(tree, &self.unjoined_forks, join_end, end));
        let result = forks.iter().all(|fork| self.branches_of_fork_reach(fork, join));
        if let Some(slot) = self.all_branches_reach.get_mut(join as usize) {
            *slot = Some(result);
        }
        result
    }

    /// Returns whether each action of the immediate dominator of `join` that may lead to `join` leads to
    /// one of these branches. Each branch is a child of the dominator and reaches `join`.
    pub fn cover_all_actions(
        &mut self,
        branches: impl Iterator<Item = u32> + Clone,
        join: u32,
    ) -> bool {
        let Some(dominator) = self.control.dominators.parent(join) else { return false };
        let expected = self.count_actions_to(join, dominator);
        let incoming = branches.clone().map(|branch| self.incoming.list(branch).len());
        if incoming.sum::<usize>() < expected {
            return false;
        }
        let mut found = IntMap::default();
        for index in branches.flat_map(|branch| self.incoming.list(branch)) {
            if let Some(edge) = self.edges.get(*index as usize)
                && edge.from == dominator
            {
                found.insert(u64::from(edge.action), 0);
            }
        }
        found.len() >= expected
    }

    /// Counts the actions of `dominator` that may lead to `join`.
    fn count_actions_to(&mut self, join: u32, dominator: u32) -> usize {
        if let Some(count) = self.action_counts.get(&u64::from(join)) {
            return *count as usize;
        }
        let mut actions = IntMap::default();
        for edge in self.control.edges_from(dominator) {
            let is_found = actions.contains_key(&u64::from(edge.action));
            if !is_found && self.may_reach(edge.to, join) {
                actions.insert(u64::from(edge.action), 0);
            }
        }
        self.action_counts.insert(u64::from(join), actions.len() as u64);
        actions.len()
    }

    fn branches_of_fork_reach(&mut self, fork: &Fork, join: u32) -> bool {
        if fork.join == join || self.budget == 0 {
            return fork.join == join;
        }
        self.budget -= 1;
        let exit = self.control.exit() as u32;
        let edges = self.control.edges_from(fork.vertex).iter();
        let mut targets = edges.filter(|edge| edge.action == fork.action).map(|edge| edge.to);
        let has_joined = fork.join != exit && self.surely_reaches(fork.join, join);
        has_joined || !targets.any(|to| self.may_reach(to, join))
    }
}

/// Returns the forks whose vertices are in a preorder range.
fn forks_between<'a>(tree: &DominatorTree, forks: &'a [Fork], start: u32, end: u32) -> &'a [Fork] {
    let from = forks.partition_point(|fork| tree.preorder_range(fork.vertex).0 < start);
    let to = forks.partition_point(|fork| tree.preorder_range(fork.vertex).0 < end);
    forks.get(from..to).unwrap_or_default()
}
