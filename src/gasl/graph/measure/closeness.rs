//! Closeness centrality with the correction of Wasserman and Faust for unconnected graphs. In a
//! directed graph distances are those to the node.

use super::arcs::{Arcs, ParallelArcs, add_to_item, item_or_default};
use super::distances::Distances;
use super::sources::Sources;
use crate::gasl::graph::{Direction, Graph};

/// Computation in progress.
pub struct Closeness {
    arcs: Arcs,
    distances: Distances,
    sources: Sources,
    /// Whether each search computes the value of its source.
    is_exact: bool,
    /// Sum of the distances of each node.
    sums: Vec<f64>,
    /// Number of the distances of each node.
    counts: Vec<f64>,
}

impl Closeness {
    /// Searches backwards from the nodes whose values are needed if that follows at most `most` arcs,
    /// else forwards from a sample of all nodes.
    pub fn new(
        graph: &Graph,
        weights: Option<&[f64]>,
        targets: Option<&[u32]>,
        most: usize,
        seed: f64,
    ) -> Closeness {
        let count = graph.node_count();
        let arcs = |direction| Arcs::new(graph, direction, weights, ParallelArcs::Least);
        let backward = arcs(Direction::In);
        let target_count = targets.map_or(count, <[u32]>::len);
        let is_exact = target_count.saturating_mul(backward.len()) <= most;
        let (arcs, sources) = match is_exact {
            true => {
                let all = || (0..count as u32).collect();
                (backward, Sources::from_nodes(targets.map_or_else(all, <[u32]>::to_vec), most))
            }
            false => {
                let sources = Sources::new(count, backward.len(), most, seed);
                (if graph.is_directed() { arcs(Direction::Out) } else { backward }, sources)
            }
        };
        Closeness {
            arcs,
            distances: Distances::new(count),
            sources,
            is_exact,
            sums: vec![0.0; count],
            counts: vec![0.0; count],
        }
    }

    /// Searches from some sources, following about `budget` arcs. Returns whether it is finished.
    pub fn advance(&mut self, budget: usize) -> bool {
        let end = self.sources.followed.saturating_add(budget);
        while let Some(source) = self.sources.next() {
            let followed = self.distances.search(&self.arcs, source, self.sources.remaining_arcs());
            self.sources.finish(followed);
            if followed.is_some() {
                self.add_distances(source);
            }
            if self.sources.followed >= end {
                break;
            }
        }
        self.sources.next().is_none()
    }

    /// Returns the sources, unless the values are exact.
    pub fn sample(&self) -> Option<&Sources> {
        (!self.is_exact).then_some(&self.sources)
    }

    pub fn progress(&self) -> (usize, usize) {
        self.sources.progress()
    }

    fn add_distances(&mut self, source: u32) {
        for node in self.distances.order().iter().filter(|node| **node != source) {
            let of = if self.is_exact { source } else { *node };
            add_to_item(&mut self.sums, of, self.distances.get(*node));
            add_to_item(&mut self.counts, of, 1.0);
        }
    }

    pub fn arcs(&self) -> &Arcs {
        &self.arcs
    }

    /// Returns the values; of a sample, estimates from the distances to its nodes.
    pub fn into_values(self) -> Vec<f64> {
        let count = self.sums.len();
        let mut others = vec![if self.is_exact { count } else { self.sources.finished }; count];
        let own = if self.is_exact { None } else { Some(self.sources.finished_nodes()) };
        // A node has no distance to itself.
        match own {
            None => others.iter_mut().for_each(|others| *others -= 1),
            Some(nodes) => {
                for node in nodes {
                    if let Some(others) = others.get_mut(*node as usize) {
                        *others -= 1;
                    }
                }
            }
        }
        let value = |node: u32| {
            let (reached, sum) =
                (item_or_default(&self.counts, node), item_or_default(&self.sums, node));
            let others = item_or_default(&others, node) as f64;
            if sum > 0.0 && others > 0.0 { reached / sum * (reached / others) } else { 0.0 }
        };
        (0..count as u32).map(value).collect()
    }
}
