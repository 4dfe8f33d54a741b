//! Distances from one node to all others: breadth-first search, or Dijkstra's algorithm for weights.

use super::arcs::{Arcs, item_or_default, set_item};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Distances from the last source. Memory is reused by the next search.
pub struct Distances {
    /// Distance of each node; infinite if it is not reached.
    distances: Vec<f64>,
    /// Reached nodes in ascending order of distance; the source is the first.
    order: Vec<u32>,
    /// Nodes whose distance is set.
    touched: Vec<u32>,
    /// Distances as bits, which have the same order as non-negative numbers.
    queue: BinaryHeap<Reverse<(u64, u32)>>,
}

impl Distances {
    pub fn new(node_count: usize) -> Distances {
        Distances {
            distances: vec![f64::INFINITY; node_count],
            order: Vec::new(),
            touched: Vec::new(),
            queue: BinaryHeap::new(),
        }
    }

    /// Returns the reached nodes, nearest first, with the source.
    pub fn order(&self) -> &[u32] {
        &self.order
    }

    /// Returns the distance of a reached node.
    #[inline]
    pub fn get(&self, node: u32) -> f64 {
        item_or_default(&self.distances, node)
    }

    /// Returns whether a shortest path of the last source ends with an arc.
    #[inline]
    pub fn is_tight(&self, from: u32, to: u32, weight: f64) -> bool {
        let (before, after) = (self.get(from), self.get(to));
        before < after && before + weight == after
    }

    /// Computes the distances from a source. Returns the number of followed arcs, or `None` if it
    /// would exceed `most`.
    pub fn search(&mut self, arcs: &Arcs, source: u32, most: usize) -> Option<usize> {
        for node in self.touched.drain(..) {
            set_item(&mut self.distances, node, f64::INFINITY);
        }
        self.order.clear();
        self.queue.clear();
        set_item(&mut self.distances, source, 0.0);
        self.touched.push(source);
        if arcs.is_unweighted() {
            self.breadth_first(arcs, source, most)
        } else {
            self.dijkstra(arcs, source, most)
        }
    }

    fn breadth_first(&mut self, arcs: &Arcs, source: u32, most: usize) -> Option<usize> {
        let mut followed = 0;
        let mut next = 0;
        self.order.push(source);
        while let Some(node) = self.order.get(next).copied() {
            next += 1;
            let targets = arcs.targets(node);
            followed += targets.len();
            if followed > most {
                return None;
            }
            let distance = self.get(node) + 1.0;
            for target in targets {
                let Some(slot) = self.distances.get_mut(*target as usize) else { continue };
                if *slot == f64::INFINITY {
                    *slot = distance;
                    self.order.push(*target);
                    self.touched.push(*target);
                }
            }
        }
        Some(followed)
    }

    fn dijkstra(&mut self, arcs: &Arcs, source: u32, most: usize) -> Option<usize> {
        let mut followed = 0;
        self.queue.push(Reverse((0, source)));
        while let Some(Reverse((key, node))) = self.queue.pop() {
            let distance = self.get(node);
            // A shorter distance was found after this entry was queued.
            if distance.to_bits() != key {
                continue;
            }
            self.order.push(node);
            followed += arcs.targets(node).len();
            if followed > most {
                return None;
            }
            for (target, weight) in arcs.arcs_of(node) {
                let through = distance + weight;
                let Some(slot) = self.distances.get_mut(target as usize) else { continue };
                if through < *slot {
                    if *slot == f64::INFINITY {
                        self.touched.push(target);
                    }
                    *slot = through;
                    self.queue.push(Reverse((through.to_bits(), target)));
                }
            }
        }
        Some(followed)
    }
}
