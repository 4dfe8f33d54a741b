//! Searches for nodes and edges by a predicate.

use super::Graph;
use super::bit_mask::BitMask;
use crate::gasl::predicate::{Case, Predicate};

/// Limits of a search.
#[derive(Clone, Copy, Debug, Default)]
pub struct SearchLimits {
    /// Maximum number of results that the query asks for.
    pub limit: Option<usize>,
    /// Maximum number of results that the host allows.
    pub max_results: Option<usize>,
    /// Maximum number of edges that the host allows to follow; [`Graph::find_nodes`] follows none.
    pub max_expansions: Option<usize>,
}

impl SearchLimits {
    /// No limits.
    pub const UNLIMITED: SearchLimits =
        SearchLimits { limit: None, max_results: None, max_expansions: None };

    /// Returns the maximum number of results, and the reason if there are more.
    pub(super) fn max_rows(&self) -> (usize, Truncation) {
        let limit = self.limit.unwrap_or(usize::MAX);
        match self.max_results {
            Some(most) if most < limit => (most, Truncation::MaxResults),
            _ => (limit, Truncation::Limit),
        }
    }
}

/// Reason why results are missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Truncation {
    /// The limit of the query.
    Limit,
    /// `max_results`
    MaxResults,
    /// `max_expansions`
    MaxExpansions,
}

/// Result of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundRows {
    /// Rows found, in the order of the search.
    pub rows: Vec<u32>,
    /// Reason why there are fewer rows than matches.
    pub truncation: Option<Truncation>,
}

impl Graph {
    /// Returns the nodes that satisfy a predicate.
    pub fn find_nodes(&self, predicate: &Predicate, case: Case, limits: SearchLimits) -> FoundRows {
        FoundRows::from_mask(&self.node_mask(predicate, case), limits)
    }
}

impl FoundRows {
    /// Returns the first rows of a mask.
    pub(super) fn from_mask(mask: &BitMask, limits: SearchLimits) -> FoundRows {
        let (most, truncation) = limits.max_rows();
        let count = mask.count();
        FoundRows { rows: mask.first_rows(most), truncation: (count > most).then_some(truncation) }
    }
}
