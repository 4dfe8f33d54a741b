//! Simple paths between two sets of nodes.
//!
//! First the nodes are numbered backwards from the ends by how many edges it takes from there; then
//! paths grow from the starts, and only where what is left of the length still suffices.

use super::Graph;
use super::adjacency::Adjacency;
use super::bit_mask::BitMask;
use super::path::Path;
use super::path_predicate::PathPredicate;
use super::path_query::PathQuery;
use super::search::{SearchLimits, Truncation};
use crate::gasl::predicate::{Case, Comparison, Predicate, Test};

/// Paths in the order of their starts, then depth first in the order of the edges.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Paths {
    nodes: Vec<u32>,
    edges: Vec<u32>,
    /// Where the edges of each path end.
    ends: Vec<usize>,
    /// Set where there are, or may be, more.
    pub truncation: Option<Truncation>,
}

/// So many numbers of nodes and edges are kept, of four bytes each: few paths may be very long.
const NUMBERS: usize = 1 << 26;

/// So many edges are followed to learn whether there are longer paths than those that are found.
const LOOKED: usize = 100_000;

impl Paths {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// How many numbers of nodes and edges they are.
    pub fn id_count(&self) -> usize {
        self.nodes.len() + self.edges.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// One of them.
    pub fn get(&self, number: usize) -> Option<Path<'_>> {
        let end = *self.ends.get(number)?;
        let start =
            number.checked_sub(1).and_then(|before| self.ends.get(before)).map_or(0, |e| *e);
        // Each path before has one node more than it has edges.
        let nodes = self.nodes.get(start + number..end + number + 1)?;
        Some(Path { nodes, edges: self.edges.get(start..end)? })
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = Path<'_>> {
        (0..self.len()).filter_map(|number| self.get(number))
    }

    fn push(&mut self, path: Path<'_>) {
        self.nodes.extend_from_slice(path.nodes);
        self.edges.extend_from_slice(path.edges);
        self.ends.push(self.edges.len());
    }
}

impl Graph {
    /// The simple paths that a query asks for. Parallel edges make paths of their own; where edges
    /// lead both ways, a path between two nodes that may both be start and end is found from both.
    pub fn find_paths(&self, query: &PathQuery, case: Case, search: SearchLimits) -> Paths {
        let starts = self.node_mask(&query.start, case);
        let ends = self.node_mask(&query.end, case);
        let some = |predicate: &Predicate| *predicate != Predicate::everything();
        let inner = some(&query.inner).then(|| self.node_mask(&query.inner, case));
        let edges = some(&query.edge).then(|| self.edge_mask(&query.edge, case));
        let mut growth = PathSearch {
            adjacency: self.adjacency(query.direction),
            may: PathFilter { ends, inner, edges },
            finished: PathPredicate::new(self, &query.finished, case),
            case,
            max_length: query.max_length,
            search,
            expansions: 0,
            takes: Vec::new(),
            on_path: BitMask::constant(self.node_count(), false),
            nodes: Vec::new(),
            edges: Vec::new(),
            tried: Vec::new(),
            found: Paths::default(),
        };
        if !starts.is_empty() && !growth.may.ends.is_empty() {
            growth.takes = self.takes(query, &growth.may, starts.count());
            let grown = starts.rows().try_for_each(|start| growth.grow_from(start));
            growth.found.truncation = grown.err();
        }
        growth.found
    }

    /// Whether there are longer paths that fulfil a query otherwise; also where they could not be
    /// looked for to the end.
    pub fn has_longer_paths(&self, query: &PathQuery, case: Case) -> bool {
        let length = Test::Compare(Comparison::Greater, query.max_length.into());
        let is_longer = Predicate::Field("length".into(), length);
        let finished = Predicate::All(vec![is_longer, query.finished.clone()]);
        let longer = PathQuery { finished, max_length: self.node_count(), ..query.clone() };
        let one = SearchLimits { limit: Some(1), max_results: None, max_expansions: Some(LOOKED) };
        self.find_paths(&longer, case, one).truncation.is_some()
    }

    /// How many edges it takes at least to step to each node and from there to an end; 0 where the
    /// length does not suffice. Nodes that only a path's start could be may be left out.
    fn takes(&self, query: &PathQuery, may: &PathFilter, starts: usize) -> Vec<u32> {
        let back = self.adjacency(query.direction.reversed());
        let mut takes = vec![0; self.node_count()];
        let mut level: Vec<u32> = may.ends.rows().collect();
        for end in &level {
            if let Some(slot) = takes.get_mut(*end as usize) {
                *slot = 1;
            }
        }
        let longest = query.max_length.min(self.node_count()) as u32;
        for distance in 1..=longest {
            // Only a start can be that far from an end, and whether it is, its own steps tell.
            if level.is_empty() || (distance == longest && starts < level.len()) {
                break;
            }
            let mut next = Vec::new();
            for node in level {
                // A path goes on behind an end, but leads through inner nodes only.
                if distance > 1 && !may.lead_through(node) {
                    continue;
                }
                for step in back.neighbors(node) {
                    let Some(slot) = takes.get_mut(step.node as usize) else { continue };
                    if *slot == 0 && may.follow(step.edge) {
                        *slot = distance + 1;
                        next.push(step.node);
                    }
                }
            }
            level = next;
        }
        takes
    }
}

/// What may be part of a path; what is not asked for may be anything.
struct PathFilter {
    ends: BitMask,
    inner: Option<BitMask>,
    edges: Option<BitMask>,
}

impl PathFilter {
    #[inline]
    fn lead_through(&self, node: u32) -> bool {
        self.inner.as_ref().is_none_or(|inner| inner.get(node))
    }

    #[inline]
    fn follow(&self, edge: u32) -> bool {
        self.edges.as_ref().is_none_or(|edges| edges.get(edge))
    }
}

/// A path that grows and shrinks, and what it has been.
struct PathSearch<'a> {
    adjacency: &'a Adjacency,
    may: PathFilter,
    finished: PathPredicate<'a>,
    case: Case,
    max_length: usize,
    search: SearchLimits,
    expansions: usize,
    takes: Vec<u32>,
    on_path: BitMask,
    nodes: Vec<u32>,
    edges: Vec<u32>,
    /// How many steps from each node of the path have been tried.
    tried: Vec<usize>,
    found: Paths,
}

impl PathSearch<'_> {
    fn grow_from(&mut self, start: u32) -> Result<(), Truncation> {
        if !self.suffices(start, usize::MAX) && !self.begins(start) {
            return Ok(());
        }
        self.enter(start);
        while let (Some(node), Some(tried)) = (self.nodes.last(), self.tried.last_mut()) {
            let Some(step) = self.adjacency.neighbors(*node).get(*tried) else {
                self.leave();
                continue;
            };
            *tried += 1;
            if self.search.max_expansions.is_some_and(|most| self.expansions >= most) {
                return Err(Truncation::MaxExpansions);
            }
            self.expansions += 1;
            let left = self.max_length - self.edges.len();
            if !self.suffices(step.node, left)
                || self.on_path.get(step.node)
                || !self.may.follow(step.edge)
            {
                continue;
            }
            self.edges.push(step.edge);
            if self.may.ends.get(step.node) {
                self.nodes.push(step.node);
                self.arrive()?;
                self.nodes.pop();
            }
            if left > 1 && self.may.lead_through(step.node) {
                self.enter(step.node);
            } else {
                self.edges.pop();
            }
        }
        Ok(())
    }

    /// Whether so many edges are enough to step to a node and from there to an end.
    #[inline]
    fn suffices(&self, node: u32, left: usize) -> bool {
        self.takes.get(node as usize).is_some_and(|takes| *takes > 0 && *takes as usize <= left)
    }

    /// Whether an edge leads from here to where the rest of the length suffices.
    fn begins(&self, start: u32) -> bool {
        self.adjacency.neighbors(start).iter().any(|step| {
            self.suffices(step.node, self.max_length)
                && self.may.follow(step.edge)
                && (self.may.ends.get(step.node) || self.may.lead_through(step.node))
        })
    }

    fn enter(&mut self, node: u32) {
        self.nodes.push(node);
        self.tried.push(0);
        self.on_path.set(node as usize, true);
    }

    fn leave(&mut self) {
        self.tried.pop();
        self.edges.pop();
        if let Some(node) = self.nodes.pop() {
            self.on_path.set(node as usize, false);
        }
    }

    /// The path has reached an end.
    fn arrive(&mut self) -> Result<(), Truncation> {
        let path = Path { nodes: &self.nodes, edges: &self.edges };
        if !self.finished.holds(path, self.case) {
            return Ok(());
        }
        let (most, cut) = self.search.most();
        // A cap is told only where it left something out; whoever asks for no more than so many
        // does not wait for another.
        if self.found.len() >= most {
            return Err(cut);
        }
        if self.found.id_count() > NUMBERS {
            return Err(Truncation::MaxExpansions);
        }
        self.found.push(path);
        if cut == Truncation::Limit && self.found.len() == most { Err(cut) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests;
