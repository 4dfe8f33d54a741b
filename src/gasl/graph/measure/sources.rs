//! Order in which a measure searches from the nodes.

use crate::gasl::random::shuffled;

/// Sources of the searches of a measure, up to a number of followed arcs.
pub struct Sources {
    order: Vec<u32>,
    /// Number of finished searches.
    pub finished: usize,
    /// Number of followed arcs.
    pub followed: usize,
    /// Maximum number of followed arcs.
    max_arcs: usize,
}

impl Sources {
    /// Returns all nodes, in node order if `arcs` per source stay below the maximum. Else the order
    /// is random, so that the nodes before the maximum are a sample.
    pub fn new(node_count: usize, arcs: usize, most: usize, seed: f64) -> Sources {
        let order = match node_count.saturating_mul(arcs) <= most {
            true => (0..node_count as u32).collect(),
            false => shuffled(node_count, seed),
        };
        Sources::from_nodes(order, most)
    }

    /// Returns the given nodes.
    pub fn from_nodes(order: Vec<u32>, most: usize) -> Sources {
        Sources { order, finished: 0, followed: 0, max_arcs: most }
    }

    /// Returns the next source; `None` if all are finished.
    pub fn next(&self) -> Option<u32> {
        self.order.get(self.finished).copied()
    }

    /// Returns the number of arcs that the next search may follow.
    pub fn remaining_arcs(&self) -> usize {
        self.max_arcs - self.followed
    }

    /// Counts a finished search. Without a count the maximum is reached, and no source is left.
    pub fn finish(&mut self, followed: Option<usize>) {
        match followed {
            Some(followed) => {
                self.followed += followed;
                self.finished += 1;
            }
            None => self.order.truncate(self.finished),
        }
    }

    /// Returns the finished sources.
    pub fn finished_nodes(&self) -> &[u32] {
        self.order.get(..self.finished).unwrap_or_default()
    }

    /// Returns the number of finished searches, and the expected number of all.
    pub fn progress(&self) -> (usize, usize) {
        let affordable = match self.followed {
            0 => self.order.len(),
            followed => (self.finished as f64 * self.max_arcs as f64 / followed as f64) as usize,
        };
        (self.finished, affordable.clamp(self.finished, self.order.len()))
    }
}
