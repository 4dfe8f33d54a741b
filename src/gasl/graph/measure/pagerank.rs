//! PageRank by power iteration, with the damping and the tolerance of NetworkX.

use super::arcs::{Arcs, ParallelArcs, add_to_item, item_or_default, set_item};
use crate::gasl::graph::{Direction, Graph};

const DAMPING: f64 = 0.85;

/// Maximum change per node at which the iteration ends.
const TOLERANCE: f64 = 1e-6;

/// Maximum number of iterations. The change shrinks by [`DAMPING`] each time, so about 90 suffice.
const MAX_ITERATIONS: usize = 200;

/// Power iteration in progress.
pub struct PageRank {
    /// Arcs into each node.
    arcs: Arcs,
    /// Reciprocal of the weight that leaves each node; 0 if none does.
    shares: Vec<f64>,
    ranks: Vec<f64>,
    iterations: usize,
}

impl PageRank {
    pub fn new(graph: &Graph, weights: Option<&[f64]>) -> PageRank {
        let arcs = Arcs::new(graph, Direction::In, weights, ParallelArcs::Keep);
        let count = arcs.node_count();
        let mut shares = vec![0.0; count];
        for node in 0..count as u32 {
            for (source, weight) in arcs.arcs_of(node) {
                add_to_item(&mut shares, source, weight);
            }
        }
        for share in shares.iter_mut().filter(|share| **share != 0.0) {
            *share = share.recip();
        }
        PageRank { arcs, shares, ranks: vec![1.0 / count as f64; count], iterations: 0 }
    }

    /// Runs iterations that follow about `budget` arcs. Returns whether the ranks are final.
    pub fn advance(&mut self, budget: usize) -> bool {
        let per_iteration = self.arcs.len().max(1);
        self.ranks.is_empty() || (0..(budget / per_iteration).max(1)).any(|_| self.iterate())
    }

    /// Returns the number of iterations, and the expected one.
    pub fn progress(&self) -> (usize, usize) {
        let nodes = self.ranks.len().max(1) as f64;
        // The change of the first iteration is at most 2.
        let expected = (nodes * TOLERANCE / 2.0).ln() / DAMPING.ln();
        (self.iterations, self.iterations.max(expected as usize + 1))
    }

    pub fn into_values(self) -> Vec<f64> {
        self.ranks
    }

    fn iterate(&mut self) -> bool {
        let count = self.ranks.len() as f64;
        let mut dangling = 0.0;
        let mut sent = vec![0.0; self.ranks.len()];
        for ((sent, rank), share) in sent.iter_mut().zip(&self.ranks).zip(&self.shares) {
            *sent = rank * share;
            if *share == 0.0 {
                dangling += rank;
            }
        }
        let base = (DAMPING * dangling + 1.0 - DAMPING) / count;
        let mut change = 0.0;
        for node in 0..self.ranks.len() as u32 {
            let received: f64 = match self.arcs.is_unweighted() {
                true => self
                    .arcs
                    .targets(node)
                    .iter()
                    .map(|source| item_or_default(&sent, *source))
                    .sum(),
                false => self
                    .arcs
                    .arcs_of(node)
                    .map(|(from, weight)| weight * item_or_default(&sent, from))
                    .sum(),
            };
            let rank = base + DAMPING * received;
            change += (rank - item_or_default(&self.ranks, node)).abs();
            set_item(&mut self.ranks, node, rank);
        }
        self.iterations += 1;
        change < count * TOLERANCE || self.iterations >= MAX_ITERATIONS
    }
}
