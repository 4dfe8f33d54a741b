//! Simple paths between two sets of nodes.
//!
//! A backward breadth-first search computes the distance of each node to an end. A depth-first
//! search from the starts then visits only nodes whose distance fits into the remaining length.

use super::Graph;
use super::adjacency::Adjacency;
use super::bit_mask::BitMask;
use super::path::Path;
use super::path_predicate::PathPredicate;
use super::path_query::PathQuery;
use super::search::{SearchLimits, Truncation};
use crate::gasl::predicate::{Case, Comparison, Predicate, Test};

/// Paths in the order of their starts, then in depth-first order of the edges.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Paths {
    nodes: Vec<u32>,
    edges: Vec<u32>,
    /// End of each path in `edges`.
    ends: Vec<usize>,
    /// Cost of each path; empty if the search has no weights.
    costs: Vec<f64>,
    /// Reason why paths may be missing, if any are.
    pub truncation: Option<Truncation>,
}

/// Maximum number of stored node and edge rows, because few paths may be very long.
pub(super) const MAX_STORED_ROWS: usize = 1 << 26;

/// Maximum number of edges followed to check whether longer paths exist.
const LONGER_PATH_EXPANSIONS: usize = 100_000;

impl Paths {
    /// Returns the number of paths.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns the number of node and edge rows in all paths.
    pub fn row_count(&self) -> usize {
        self.nodes.len() + self.edges.len()
    }

    /// Returns whether there are no paths.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Returns a path by its index.
    pub fn get(&self, index: usize) -> Option<Path<'_>> {
        let end = *self.ends.get(index)?;
        let start = index.checked_sub(1).and_then(|before| self.ends.get(before)).map_or(0, |e| *e);
        // Each previous path has one node more than edges.
        let nodes = self.nodes.get(start + index..end + index + 1)?;
        let cost = self.costs.get(index).copied();
        Some(Path { nodes, edges: self.edges.get(start..end)?, cost })
    }

    /// Returns whether the paths have costs.
    pub fn has_costs(&self) -> bool {
        !self.costs.is_empty()
    }

    /// Returns all paths in order.
    pub fn iter(&self) -> impl Iterator<Item = Path<'_>> {
        (0..self.len()).filter_map(|index| self.get(index))
    }

    /// Adds a path.
    pub(super) fn push(&mut self, path: Path<'_>) {
        self.nodes.extend_from_slice(path.nodes);
        self.edges.extend_from_slice(path.edges);
        self.ends.push(self.edges.len());
        self.costs.extend(path.cost);
    }
}

impl Graph {
    /// Returns the simple paths that match a query. Parallel edges yield separate paths. If edges
    /// are followed in both directions, a path whose ends both match as start and end is found twice.
    pub fn find_paths(&self, query: &PathQuery, case: Case, limits: SearchLimits) -> Paths {
        let starts = self.node_mask(&query.start, case);
        let ends = self.node_mask(&query.end, case);
        let is_restricted = |predicate: &Predicate| *predicate != Predicate::everything();
        let inner =
            is_restricted(&query.inner_nodes).then(|| self.node_mask(&query.inner_nodes, case));
        let edges = is_restricted(&query.edge).then(|| self.edge_mask(&query.edge, case));
        let mut path_search = PathSearch {
            adjacency: self.adjacency(query.direction),
            filter: PathFilter { end_nodes: ends, inner_nodes: inner, edges },
            predicate: PathPredicate::new(self, &query.whole_path, case),
            case,
            max_length: query.max_length,
            limits,
            expansions: 0,
            distance_to_end: Vec::new(),
            on_path: BitMask::constant(self.node_count(), false),
            nodes: Vec::new(),
            edges: Vec::new(),
            tried: Vec::new(),
            found: Paths::default(),
        };
        if !starts.is_empty() && !path_search.filter.end_nodes.is_empty() {
            path_search.distance_to_end =
                self.distances_to_end(query, &path_search.filter, starts.count());
            let result = starts.rows().try_for_each(|start| path_search.search_from(start));
            path_search.found.truncation = result.err();
        }
        path_search.found
    }

    /// Returns whether longer paths match the query otherwise, or the search for them was truncated.
    pub fn has_longer_paths(&self, query: &PathQuery, case: Case) -> bool {
        let length = Test::Compare(Comparison::Greater, query.max_length.into());
        let is_longer = Predicate::Field("length".into(), length);
        let whole_path = Predicate::All(vec![is_longer, query.whole_path.clone()]);
        let longer = PathQuery { whole_path, max_length: self.node_count(), ..query.clone() };
        let one = SearchLimits {
            limit: Some(1),
            max_results: None,
            max_expansions: Some(LONGER_PATH_EXPANSIONS),
        };
        self.find_paths(&longer, case, one).truncation.is_some()
    }

    /// Returns for each node one more than the distance to the nearest end; 0 if it exceeds the
    /// maximum length. Nodes that can only be the start of a path may have 0.
    fn distances_to_end(&self, query: &PathQuery, filter: &PathFilter, starts: usize) -> Vec<u32> {
        let adjacency = self.adjacency(query.direction.reversed());
        let mut distances = vec![0; self.node_count()];
        let mut level: Vec<u32> = filter.end_nodes.rows().collect();
        for end in &level {
            if let Some(slot) = distances.get_mut(*end as usize) {
                *slot = 1;
            }
        }
        let longest = query.max_length.min(self.node_count()) as u32;
        for distance in 1..=longest {
            // At the last distance only starts matter; testing their own neighbors is cheaper.
            if level.is_empty() || (distance == longest && starts < level.len()) {
                break;
            }
            let mut next = Vec::new();
            for node in level {
                // A path can continue after an end node, but passes through inner nodes only.
                if distance > 1 && !filter.allows_inner(node) {
                    continue;
                }
                for neighbor in adjacency.neighbors(node) {
                    let Some(slot) = distances.get_mut(neighbor.node as usize) else { continue };
                    if *slot == 0 && filter.allows_edge(neighbor.edge) {
                        *slot = distance + 1;
                        next.push(neighbor.node);
                    }
                }
            }
            level = next;
        }
        distances
    }
}

/// Nodes and edges that a path may contain; `None` allows all.
struct PathFilter {
    end_nodes: BitMask,
    inner_nodes: Option<BitMask>,
    edges: Option<BitMask>,
}

impl PathFilter {
    #[inline]
    fn allows_inner(&self, node: u32) -> bool {
        self.inner_nodes.as_ref().is_none_or(|inner| inner.get(node))
    }

    #[inline]
    fn allows_edge(&self, edge: u32) -> bool {
        self.edges.as_ref().is_none_or(|edges| edges.get(edge))
    }
}

/// State of the depth-first search: the current path and the paths found so far.
struct PathSearch<'a> {
    adjacency: &'a Adjacency,
    filter: PathFilter,
    predicate: PathPredicate<'a>,
    case: Case,
    max_length: usize,
    limits: SearchLimits,
    expansions: usize,
    distance_to_end: Vec<u32>,
    on_path: BitMask,
    nodes: Vec<u32>,
    edges: Vec<u32>,
    /// Number of neighbors already tried, for each node of the current path.
    tried: Vec<usize>,
    found: Paths,
}

impl PathSearch<'_> {
    fn search_from(&mut self, start: u32) -> Result<(), Truncation> {
        if !self.reaches_end(start, usize::MAX) && !self.has_first_step(start) {
            return Ok(());
        }
        self.push_node(start);
        while let (Some(node), Some(tried)) = (self.nodes.last(), self.tried.last_mut()) {
            let Some(neighbor) = self.adjacency.neighbors(*node).get(*tried) else {
                self.pop_node();
                continue;
            };
            *tried += 1;
            if self.limits.max_expansions.is_some_and(|most| self.expansions >= most) {
                return Err(Truncation::MaxExpansions);
            }
            self.expansions += 1;
            let left = self.max_length - self.edges.len();
            if !self.reaches_end(neighbor.node, left)
                || self.on_path.get(neighbor.node)
                || !self.filter.allows_edge(neighbor.edge)
            {
                continue;
            }
            self.edges.push(neighbor.edge);
            if self.filter.end_nodes.get(neighbor.node) {
                self.nodes.push(neighbor.node);
                self.add_path()?;
                self.nodes.pop();
            }
            if left > 1 && self.filter.allows_inner(neighbor.node) {
                self.push_node(neighbor.node);
            } else {
                self.edges.pop();
            }
        }
        Ok(())
    }

    /// Returns whether `left` edges suffice to step to a node and from there to an end.
    #[inline]
    fn reaches_end(&self, node: u32, left: usize) -> bool {
        self.distance_to_end
            .get(node as usize)
            .is_some_and(|distance| *distance > 0 && *distance as usize <= left)
    }

    /// Returns whether any neighbor of a start can be on a path.
    fn has_first_step(&self, start: u32) -> bool {
        self.adjacency.neighbors(start).iter().any(|neighbor| {
            self.reaches_end(neighbor.node, self.max_length)
                && self.filter.allows_edge(neighbor.edge)
                && (self.filter.end_nodes.get(neighbor.node)
                    || self.filter.allows_inner(neighbor.node))
        })
    }

    fn push_node(&mut self, node: u32) {
        self.nodes.push(node);
        self.tried.push(0);
        self.on_path.set(node as usize, true);
    }

    fn pop_node(&mut self) {
        self.tried.pop();
        self.edges.pop();
        if let Some(node) = self.nodes.pop() {
            self.on_path.set(node as usize, false);
        }
    }

    /// Adds the current path, which has reached an end, if it matches; fails at a limit.
    fn add_path(&mut self) -> Result<(), Truncation> {
        let path = Path { nodes: &self.nodes, edges: &self.edges, cost: None };
        if !self.predicate.matches(path, self.case) {
            return Ok(());
        }
        let (most, truncation) = self.limits.max_rows();
        // A cap is reported only if it omits a path; the query's own limit needs no further path.
        if self.found.len() >= most {
            return Err(truncation);
        }
        if self.found.row_count() > MAX_STORED_ROWS {
            return Err(Truncation::MaxExpansions);
        }
        self.found.push(path);
        if truncation == Truncation::Limit && self.found.len() == most {
            Err(truncation)
        } else {
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests;
