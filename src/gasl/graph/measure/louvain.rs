//! Communities by the Louvain method (Blondel et al. 2008), with the directed modularity of Leicht
//! and Newman (2008). For an undirected graph, that is the modularity of Newman and Girvan.

use super::arcs::{Arcs, ParallelArcs, add_to_item, item_or_default, set_item};
use super::degree::renumber_labels;
use crate::gasl::graph::{Direction, Graph};
use crate::gasl::random::shuffled;

/// Increase of the modularity at which a level ends, as in NetworkX.
const THRESHOLD: f64 = 1e-7;

/// Number of arcs of all attempts; the result of a small graph depends much on the order of visits.
const ATTEMPT_ARCS: usize = 200_000;

/// Maximum number of attempts, each with another order of visits.
const MAX_ATTEMPTS: usize = 20;

/// Search in progress: the nodes of a level are the communities of the previous one.
pub struct Louvain {
    /// Nodes of the graph, each in a community of its own.
    network: Network,
    level: Level,
    /// Node of the level that contains each node of the graph.
    node_of: Vec<u32>,
    /// Weight of all arcs, in both directions for an undirected graph.
    total_weight: f64,
    seed: f64,
    /// Number of finished attempts, and of all.
    attempts: (usize, usize),
    /// Highest modularity of an attempt, and its communities.
    best: (f64, Vec<u32>),
}

/// Weighted network.
#[derive(Clone)]
struct Network {
    /// Weight between each node and its neighbors, of the arcs in both directions, without loops.
    between: Arcs,
    outgoing: Vec<f64>,
    incoming: Vec<f64>,
}

/// Nodes of a level with their communities.
struct Level {
    network: Network,
    /// Community of each node.
    communities: Vec<u32>,
    /// Sums of `outgoing` and `incoming` of each community.
    community_outgoing: Vec<f64>,
    community_incoming: Vec<f64>,
    /// Order in which the nodes are visited, and the index of the next one.
    order: Vec<u32>,
    next: usize,
    /// Increase of the modularity in this pass.
    gain: f64,
    has_moved: bool,
    weights: NeighborWeights,
}

/// Weights between a node and the neighboring communities.
struct NeighborWeights {
    sums: Vec<f64>,
    communities: Vec<u32>,
}

impl Louvain {
    pub fn new(graph: &Graph, weights: Option<&[f64]>, seed: f64) -> Louvain {
        let count = graph.node_count();
        let arcs = Arcs::new(graph, Direction::Any, weights, ParallelArcs::Keep);
        let (mut outgoing, mut incoming) = (vec![0.0; count], vec![0.0; count]);
        for edge in 0..graph.edge_count() as u32 {
            let Some((source, target)) = graph.ends(edge) else { continue };
            let weight = weights.map_or(1.0, |weights| item_or_default(weights, edge));
            add_to_item(&mut outgoing, source, weight);
            add_to_item(&mut incoming, target, weight);
            if !graph.is_directed() {
                add_to_item(&mut outgoing, target, weight);
                add_to_item(&mut incoming, source, weight);
            }
        }
        // An edge of an undirected graph is an arc in both directions.
        let both = if graph.is_directed() { 1.0 } else { 2.0 };
        let row = |node: u32| {
            let others = arcs.arcs_of(node).filter(|(target, _)| *target != node);
            others.map(|(target, weight)| (target, both * weight)).collect()
        };
        let between = Arcs::from_rows((0..count as u32).map(row));
        let attempts = (ATTEMPT_ARCS / between.len().max(1)).clamp(1, MAX_ATTEMPTS);
        let total = outgoing.iter().sum();
        let network = Network { between, outgoing, incoming };
        let nodes: Vec<u32> = (0..count as u32).collect();
        Louvain {
            level: Level::new(network.clone(), seed),
            network,
            node_of: nodes.clone(),
            total_weight: total,
            seed,
            attempts: (0, attempts),
            best: (f64::NEG_INFINITY, nodes),
        }
    }

    /// Visits nodes, following about `budget` arcs. Returns whether the communities are final.
    pub fn advance(&mut self, budget: usize) -> bool {
        let mut followed = 0;
        // Without weight, the modularity of every division is the same.
        while self.total_weight > 0.0 && self.attempts.0 < self.attempts.1 {
            if followed > budget {
                return false;
            }
            if self.level.next < self.level.order.len() {
                followed += self.level.visit_next_node(self.total_weight) + 1;
            } else if self.level.gain > THRESHOLD {
                self.level.start_pass();
            } else if self.level.has_moved {
                self.merge_communities();
            } else {
                self.finish_attempt();
            }
        }
        true
    }

    /// Returns the number of finished attempts, and of all; of a single one, the visited nodes of the
    /// level.
    pub fn progress(&self) -> (usize, usize) {
        match self.attempts {
            (_, 1) => (self.level.next, self.level.order.len()),
            attempts => attempts,
        }
    }

    pub fn into_values(self) -> Vec<f64> {
        renumber_labels(self.best.1)
    }

    /// Keeps the communities if they are the best, and begins the next attempt.
    fn finish_attempt(&mut self) {
        let modularity = self.level.network.modularity(self.total_weight);
        if modularity > self.best.0 {
            self.best = (modularity, std::mem::take(&mut self.node_of));
        }
        self.attempts.0 += 1;
        let nodes = 0..self.network.between.node_count() as u32;
        self.node_of = nodes.collect();
        self.level = Level::new(self.network.clone(), self.seed + self.attempts.0 as f64);
    }

    /// Makes a node of each community.
    fn merge_communities(&mut self) {
        let level = &self.level;
        let numbers: Vec<u32> = renumber_labels(level.communities.clone())
            .into_iter()
            .map(|number| number as u32)
            .collect();
        let count = numbers.iter().max().map_or(0, |last| *last as usize + 1);
        let mut members = vec![Vec::new(); count];
        for (node, number) in (0u32..).zip(&numbers) {
            if let Some(members) = members.get_mut(*number as usize) {
                members.push(node);
            }
        }
        let sum = |of: &[f64]| -> Vec<f64> {
            members
                .iter()
                .map(|nodes| nodes.iter().map(|node| item_or_default(of, *node)).sum())
                .collect()
        };
        let network = &level.network;
        let (outgoing, incoming) = (sum(&network.outgoing), sum(&network.incoming));
        let mut weights = NeighborWeights::new(count);
        let rows = (0u32..).zip(&members).map(|(number, nodes)| {
            for node in nodes {
                for (target, weight) in network.between.arcs_of(*node) {
                    weights.add(item_or_default(&numbers, target), weight);
                }
            }
            let row = weights.take_weights();
            row.into_iter().filter(|(target, _)| *target != number).collect()
        });
        let between = Arcs::from_rows(rows);
        for node in &mut self.node_of {
            *node = item_or_default(&numbers, *node);
        }
        let network = Network { between, outgoing, incoming };
        self.level = Level::new(network, self.seed);
    }
}

impl Network {
    /// Returns the modularity if each node is a community.
    fn modularity(&self, total: f64) -> f64 {
        let nodes = 0..self.between.node_count() as u32;
        // Each arc between two nodes is counted at both.
        let between: f64 = nodes.map(|node| self.between.weights(node).iter().sum::<f64>()).sum();
        let ends = self.outgoing.iter().zip(&self.incoming);
        let expected: f64 = ends.map(|(outgoing, incoming)| outgoing * incoming).sum();
        1.0 - between / 2.0 / total - expected / (total * total)
    }
}

impl Level {
    fn new(network: Network, seed: f64) -> Level {
        let count = network.between.node_count();
        Level {
            communities: (0..count as u32).collect(),
            community_outgoing: network.outgoing.clone(),
            community_incoming: network.incoming.clone(),
            network,
            order: shuffled(count, seed),
            next: 0,
            gain: 0.0,
            has_moved: false,
            weights: NeighborWeights::new(count),
        }
    }

    fn start_pass(&mut self) {
        self.next = 0;
        self.gain = 0.0;
    }

    /// Moves the next node to the neighboring community that increases the modularity most, if any
    /// does. Returns the number of followed arcs.
    fn visit_next_node(&mut self, total: f64) -> usize {
        let Some(node) = self.order.get(self.next).copied() else { return 0 };
        self.next += 1;
        let own = item_or_default(&self.communities, node);
        let (outgoing, incoming) = (
            item_or_default(&self.network.outgoing, node),
            item_or_default(&self.network.incoming, node),
        );
        add_to_item(&mut self.community_outgoing, own, -outgoing);
        add_to_item(&mut self.community_incoming, own, -incoming);
        self.weights.add(own, 0.0);
        for (target, weight) in self.network.between.arcs_of(node) {
            self.weights.add(item_or_default(&self.communities, target), weight);
        }
        // Modularity of the node in a community, compared with that of the node alone.
        let modularity = |community: u32, weight: f64| {
            let expected = outgoing * item_or_default(&self.community_incoming, community)
                + incoming * item_or_default(&self.community_outgoing, community);
            weight / total - expected / (total * total)
        };
        let (mut best, mut most, mut before) = (own, f64::NEG_INFINITY, 0.0);
        for community in &self.weights.communities {
            let value = modularity(*community, item_or_default(&self.weights.sums, *community));
            if *community == own {
                before = value;
            }
            // The first, own community wins ties.
            if value > most {
                (best, most) = (*community, value);
            }
        }
        self.weights.clear();
        add_to_item(&mut self.community_outgoing, best, outgoing);
        add_to_item(&mut self.community_incoming, best, incoming);
        if best != own {
            set_item(&mut self.communities, node, best);
            self.gain += most - before;
            self.has_moved = true;
        }
        self.network.between.targets(node).len()
    }
}

impl NeighborWeights {
    fn new(count: usize) -> NeighborWeights {
        NeighborWeights { sums: vec![f64::NAN; count], communities: Vec::new() }
    }

    fn add(&mut self, community: u32, weight: f64) {
        let Some(sum) = self.sums.get_mut(community as usize) else { return };
        if sum.is_nan() {
            *sum = 0.0;
            self.communities.push(community);
        }
        *sum += weight;
    }

    /// Returns the communities with their weights in order of addition, and clears them.
    fn take_weights(&mut self) -> Vec<(u32, f64)> {
        let weight = |community: &u32| (*community, item_or_default(&self.sums, *community));
        let weights = self.communities.iter().map(weight).collect();
        self.clear();
        weights
    }

    fn clear(&mut self) {
        for community in self.communities.drain(..) {
            set_item(&mut self.sums, community, f64::NAN);
        }
    }
}
