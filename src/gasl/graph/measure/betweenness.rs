//! Betweenness centrality (Brandes 2001), of all shortest paths or of those from a sample of sources.

use super::arcs::{Arcs, ParallelArcs, add_to_item, item_or_default, set_item};
use super::distances::Distances;
use super::sources::Sources;
use crate::gasl::graph::{Direction, Graph};

/// Computation in progress.
pub struct Betweenness {
    arcs: Arcs,
    distances: Distances,
    sources: Sources,
    /// Sum of the dependencies of the finished sources on each node.
    values: Vec<f64>,
    /// Number of shortest paths from the source to each node.
    path_counts: Vec<f64>,
    /// Dependency of the source on each node.
    dependencies: Vec<f64>,
}

impl Betweenness {
    pub fn new(graph: &Graph, weights: Option<&[f64]>, most: usize, seed: f64) -> Betweenness {
        let arcs = Arcs::new(graph, Direction::Out, weights, ParallelArcs::Least);
        let count = arcs.node_count();
        Betweenness {
            sources: Sources::new(count, arcs.len(), most, seed),
            arcs,
            distances: Distances::new(count),
            values: vec![0.0; count],
            path_counts: vec![0.0; count],
            dependencies: vec![0.0; count],
        }
    }

    /// Searches from some sources, following about `budget` arcs. Returns whether it is finished.
    pub fn advance(&mut self, budget: usize) -> bool {
        let end = self.sources.followed.saturating_add(budget);
        while let Some(source) = self.sources.next() {
            let followed = self.distances.search(&self.arcs, source, self.sources.remaining_arcs());
            self.sources.finish(followed);
            if followed.is_some() {
                self.add_dependencies(source);
            }
            if self.sources.followed >= end {
                break;
            }
        }
        self.sources.next().is_none()
    }

    pub fn sources(&self) -> &Sources {
        &self.sources
    }

    fn add_dependencies(&mut self, source: u32) {
        let Betweenness { arcs, distances, path_counts, dependencies, .. } = self;
        for node in distances.order() {
            set_item(path_counts, *node, 0.0);
            set_item(dependencies, *node, 0.0);
        }
        set_item(path_counts, source, 1.0);
        for node in distances.order() {
            let count = item_or_default(path_counts, *node);
            for (target, weight) in arcs.arcs_of(*node) {
                if distances.is_tight(*node, target, weight) {
                    add_to_item(path_counts, target, count);
                }
            }
        }
        for node in distances.order().iter().rev() {
            let count = item_or_default(path_counts, *node);
            let mut dependency = 0.0;
            for (target, weight) in arcs.arcs_of(*node) {
                if distances.is_tight(*node, target, weight) {
                    let share = count / item_or_default(path_counts, target);
                    dependency += share * (1.0 + item_or_default(dependencies, target));
                }
            }
            set_item(dependencies, *node, dependency);
            if *node != source {
                add_to_item(&mut self.values, *node, dependency);
            }
        }
    }

    pub fn arcs(&self) -> &Arcs {
        &self.arcs
    }

    /// Returns the normalised values. A sample is scaled to all sources. Paths from a node do not count as
    /// paths through it.
    pub fn into_values(mut self) -> Vec<f64> {
        let count = self.values.len();
        let finished = self.sources.finished;
        let pairs = |sources: usize| (sources.max(1) * count.saturating_sub(2).max(1)) as f64;
        let scale = pairs(finished.min(count.saturating_sub(1))).recip();
        self.values.iter_mut().for_each(|value| *value *= scale);
        if finished < count {
            let correction = pairs(finished) / pairs(finished.saturating_sub(1));
            for source in self.sources.finished_nodes() {
                let value = item_or_default(&self.values, *source);
                set_item(&mut self.values, *source, value * correction);
            }
        }
        self.values
    }
}
