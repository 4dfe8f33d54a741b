//! Shortest paths between two sets of nodes, one for each connected pair.
//!
//! A search runs from each start, or back from each end if there are fewer ends. Both choose the same
//! path of several equally short ones: the first in the order of the nodes.

mod backward;
mod forward;
mod space;

use self::backward::BackwardSearch;
use self::forward::ForwardSearch;
use self::space::{PathBuffer, SearchGoal, SearchSpace};
use super::Graph;
use super::bit_mask::BitMask;
use super::fields::ElementKind;
use super::orientation::ReversedEdges;
use super::path::Path;
use super::path_query::{PathPart, PathQuery, split_part};
use super::paths::{MAX_STORED_ROWS, Paths};
use super::search::{SearchLimits, Truncation};
use super::table::nested_field;
use crate::base::Value;
use crate::gasl::predicate::{Case, Predicate};

/// Query for shortest paths.
pub struct ShortestQuery {
    /// Conditions; those on whole paths must be of the forms that [`ShortestQuery::unsupported_condition`]
    /// accepts.
    pub paths: PathQuery,
    /// Weight of each edge, not negative; `None` means 1.
    pub weights: Option<Vec<f64>>,
    pub case: Case,
    pub limits: SearchLimits,
}

/// Search in progress.
pub struct ShortestRun {
    query: ShortestQuery,
    starts: BitMask,
    end_nodes: BitMask,
    inner_nodes: Option<BitMask>,
    edges: Option<BitMask>,
    search: ShortestSearch,
    /// Nodes from which searches run, and the index of the next one.
    roots: Vec<u32>,
    next: usize,
    expansions: usize,
    buffer: PathBuffer,
    /// Rows of the start and the end of each path.
    pairs: Vec<(u32, u32)>,
    found: Paths,
}

enum ShortestSearch {
    FromStarts(ForwardSearch),
    ToEnds(BackwardSearch),
}

impl ShortestQuery {
    /// Returns the first condition that does not select pairs of nodes, nodes, edges or a maximum
    /// length, because a longer path might satisfy it. With weights, no length is accepted.
    pub fn unsupported_condition(paths: &PathQuery, has_weights: bool) -> Option<&Predicate> {
        let Predicate::All(conditions) = &paths.whole_path else { return Some(&paths.whole_path) };
        let is_pair = |one: &&Predicate| {
            let parts =
                one.fields().into_iter().map(|field| split_part(&field).0).collect::<Vec<_>>();
            parts.iter().all(|part| matches!(part, PathPart::Start | PathPart::EdgeEnd))
        };
        let is_bound = |one: &Predicate| {
            let bound = PathQuery::new(one, usize::MAX).max_length;
            let is_length =
                one.fields().iter().all(|field| split_part(field).0 == PathPart::Length);
            // Every length up to the maximum must satisfy it.
            let holds = |length: usize| one.holds(Case::Ignored, &|_| Some(Value::from(length)));
            is_length && bound < usize::MAX && (1..=bound.min(MAX_CHECKED_LENGTH)).all(holds)
        };
        conditions.iter().filter(|one| !is_pair(one)).find(|one| has_weights || !is_bound(one))
    }
}

/// Maximum length for which conditions are checked.
const MAX_CHECKED_LENGTH: usize = 1_000_000;

impl ShortestRun {
    /// Prepares a search.
    pub fn new(graph: &Graph, query: ShortestQuery) -> ShortestRun {
        let ShortestQuery { paths, case, weights, .. } = &query;
        let is_restricted = |predicate: &Predicate| *predicate != Predicate::everything();
        let (starts, ends) =
            (graph.node_mask(&paths.start, *case), graph.node_mask(&paths.end, *case));
        let inner =
            is_restricted(&paths.inner_nodes).then(|| graph.node_mask(&paths.inner_nodes, *case));
        let edges = is_restricted(&paths.edge).then(|| graph.edge_mask(&paths.edge, *case));
        let count = graph.node_count();
        let (search, roots) = match starts.count() <= ends.count() {
            true => {
                let search = ForwardSearch::new(count, weights.is_some());
                (ShortestSearch::FromStarts(search), starts.rows().collect())
            }
            false => (ShortestSearch::ToEnds(BackwardSearch::new(count)), ends.rows().collect()),
        };
        ShortestRun {
            query,
            starts,
            end_nodes: ends,
            inner_nodes: inner,
            edges,
            search,
            roots,
            next: 0,
            expansions: 0,
            buffer: PathBuffer::default(),
            pairs: Vec::new(),
            found: Paths::default(),
        }
    }

    /// Searches from some nodes, following about `budget` edges. Returns whether all is searched.
    pub fn advance(&mut self, graph: &Graph, budget: usize) -> bool {
        let end = self.expansions.saturating_add(budget);
        while let Some(root) = self.roots.get(self.next).copied() {
            self.next += 1;
            let truncation = self.search_from(graph, root);
            if truncation.is_some() {
                self.found.truncation = truncation;
                self.roots.truncate(self.next);
            }
            if self.expansions >= end {
                break;
            }
        }
        self.next >= self.roots.len()
    }

    /// Returns the number of finished searches, and of all.
    pub fn progress(&self) -> (usize, usize) {
        (self.next, self.roots.len())
    }

    /// Returns the paths in the order of their starts, then of their ends.
    pub fn finish(self) -> Paths {
        if let ShortestSearch::FromStarts(_) = self.search {
            return self.found;
        }
        let mut order: Vec<usize> = (0..self.pairs.len()).collect();
        order.sort_unstable_by_key(|index| self.pairs.get(*index).copied());
        let (most, truncation) = self.query.limits.max_rows();
        let mut sorted = Paths::default();
        sorted.truncation = self.found.truncation;
        if order.len() > most {
            sorted.truncation = Some(truncation);
            order.truncate(most);
        }
        order.iter().filter_map(|index| self.found.get(*index)).for_each(|path| sorted.push(path));
        sorted
    }

    /// Adds the paths from or to a node. Returns the reason if the search must end.
    fn search_from(&mut self, graph: &Graph, root: u32) -> Option<Truncation> {
        let ShortestRun { query, search, buffer, .. } = self;
        let query = &*query;
        let ShortestQuery { paths, weights, limits, .. } = query;
        let direction = paths.direction;
        let space = SearchSpace {
            forward: graph.adjacency(direction),
            backward: graph.adjacency(direction.reversed()),
            inner_nodes: self.inner_nodes.as_ref(),
            edges: self.edges.as_ref(),
            weights: weights.as_deref(),
            max_length: paths.max_length,
        };
        let is_forward = matches!(search, ShortestSearch::FromStarts(_));
        let targets = if is_forward { &self.end_nodes } else { &self.starts };
        let target_count = targets.count() - usize::from(targets.get(root));
        if target_count == 0 {
            return None;
        }
        let max_expansions = limits.max_expansions.unwrap_or(usize::MAX) - self.expansions;
        let goal = SearchGoal { targets, target_count, max_expansions };
        let (effort, mut found) = match search {
            ShortestSearch::FromStarts(search) => {
                (search.search(&space, root, goal), std::mem::take(&mut search.found))
            }
            ShortestSearch::ToEnds(search) => {
                (search.search(&space, root, goal), std::mem::take(&mut search.found))
            }
        };
        self.expansions += effort.expansions;
        found.sort_unstable();
        let (most, truncation) = limits.max_rows();
        let before = self.pairs.len();
        for target in found {
            let pair = if is_forward { (root, target) } else { (target, root) };
            if !is_selected(graph, query, pair) {
                continue;
            }
            if is_forward && self.pairs.len() >= most {
                return Some(truncation);
            }
            if self.found.row_count() > MAX_STORED_ROWS {
                return Some(Truncation::MaxExpansions);
            }
            match search {
                ShortestSearch::FromStarts(search) => search.write_path(target, buffer),
                ShortestSearch::ToEnds(search) => search.write_path(&space, target, root, buffer),
            }
            let sum = || buffer.edges.iter().map(|edge| space.weight(*edge)).sum();
            let cost = space.weights.is_some().then(sum);
            self.found.push(Path { nodes: &buffer.nodes, edges: &buffer.edges, cost });
            self.pairs.push(pair);
            // The query's own limit needs no further path.
            if is_forward && truncation == Truncation::Limit && self.pairs.len() == most {
                return Some(truncation);
            }
            // Each end has at most all paths of the result, and one that shows that there are more.
            if !is_forward && self.pairs.len() - before > most {
                break;
            }
        }
        effort.is_truncated.then_some(Truncation::MaxExpansions)
    }
}

/// Returns whether the conditions on whole paths accept a pair of start and end.
fn is_selected(graph: &Graph, query: &ShortestQuery, (start, end): (u32, u32)) -> bool {
    query.paths.whole_path.holds(query.case, &|field| {
        let (part, name) = split_part(field);
        let node = match part {
            PathPart::Start => start,
            PathPart::EdgeEnd => end,
            // The search respects the maximum length.
            _ => return Some(Value::from(1usize)),
        };
        match graph.cells(ElementKind::Node, name, &[node], &ReversedEdges::default()) {
            Some(cells) => cells.value(0),
            None => nested_field(&graph.node_row(node), name).cloned(),
        }
    })
}

#[cfg(test)]
mod tests;
