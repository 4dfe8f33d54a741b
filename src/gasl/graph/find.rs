//! Which nodes and which edges fulfil a condition.

use super::Graph;
use super::bits::Bits;
use crate::gasl::predicate::{Case, Predicate};

/// How much is looked for.
#[derive(Clone, Copy, Debug, Default)]
pub struct Search {
    /// The question's own bound.
    pub limit: Option<usize>,
    /// The host's bound on what is found.
    pub max_results: Option<usize>,
    /// The host's bound on how many edges are followed; finding rows follows none.
    pub max_expansions: Option<usize>,
}

impl Search {
    /// Everything.
    pub const ALL: Search = Search { limit: None, max_results: None, max_expansions: None };

    /// How many results are kept, and what is told where there are more.
    pub(super) fn most(&self) -> (usize, Cut) {
        let limit = self.limit.unwrap_or(usize::MAX);
        match self.max_results {
            Some(most) if most < limit => (most, Cut::MaxResults),
            _ => (limit, Cut::Limit),
        }
    }
}

/// Why something was left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// The question asked for no more.
    Limit,
    /// `max_results`
    MaxResults,
    /// `max_expansions`
    MaxExpansions,
}

/// Rows in the order of the file.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// The rows that were kept.
    pub rows: Vec<u32>,
    /// Set where there are more.
    pub cut: Option<Cut>,
}

impl Graph {
    /// The nodes of which a predicate holds.
    pub fn find_nodes(&self, predicate: &Predicate, case: Case, search: Search) -> Found {
        found(&self.node_mask(predicate, case), search)
    }

    /// The edges of which a predicate holds. It may name `source.x` and `target.x` (`start.x`,
    /// `end.x`), attributes of the nodes at the ends.
    pub fn find_edges(&self, predicate: &Predicate, case: Case, search: Search) -> Found {
        found(&self.edge_mask(predicate, case), search)
    }
}

fn found(mask: &Bits, search: Search) -> Found {
    let (most, cut) = search.most();
    let count = mask.count();
    Found { rows: mask.first_rows(most), cut: (count > most).then_some(cut) }
}
