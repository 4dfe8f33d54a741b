//! Which nodes and which edges fulfil a condition.

use super::Graph;
use super::bit_mask::BitMask;
use crate::gasl::predicate::{Case, Predicate};

/// How much is looked for.
#[derive(Clone, Copy, Debug, Default)]
pub struct SearchLimits {
    /// The question's own bound.
    pub limit: Option<usize>,
    /// The host's bound on what is found.
    pub max_results: Option<usize>,
    /// The host's bound on how many edges are followed; finding rows follows none.
    pub max_expansions: Option<usize>,
}

impl SearchLimits {
    /// Everything.
    pub const ALL: SearchLimits =
        SearchLimits { limit: None, max_results: None, max_expansions: None };

    /// How many results are kept, and what is told where there are more.
    pub(super) fn most(&self) -> (usize, Truncation) {
        let limit = self.limit.unwrap_or(usize::MAX);
        match self.max_results {
            Some(most) if most < limit => (most, Truncation::MaxResults),
            _ => (limit, Truncation::Limit),
        }
    }
}

/// Why something was left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Truncation {
    /// The question asked for no more.
    Limit,
    /// `max_results`
    MaxResults,
    /// `max_expansions`
    MaxExpansions,
}

/// Rows in the order of the file.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundRows {
    /// The rows that were kept.
    pub rows: Vec<u32>,
    /// Set where there are more.
    pub truncation: Option<Truncation>,
}

impl Graph {
    /// The nodes of which a predicate holds.
    pub fn find_nodes(&self, predicate: &Predicate, case: Case, search: SearchLimits) -> FoundRows {
        found(&self.node_mask(predicate, case), search)
    }

    /// The edges of which a predicate holds. It may name `source.x` and `target.x` (`start.x`,
    /// `end.x`), attributes of the nodes at the ends.
    pub fn find_edges(&self, predicate: &Predicate, case: Case, search: SearchLimits) -> FoundRows {
        found(&self.edge_mask(predicate, case), search)
    }
}

fn found(mask: &BitMask, search: SearchLimits) -> FoundRows {
    let (most, cut) = search.most();
    let count = mask.count();
    FoundRows { rows: mask.first_rows(most), truncation: (count > most).then_some(cut) }
}
