//! Degree, connected components and cores: one pass over the edges.

use super::arcs::{Arcs, ParallelArcs, add_to_item, item_or_default, set_item};
use super::kind::Measure;
use crate::gasl::graph::{Direction, Graph};
use petgraph::unionfind::UnionFind;

/// Returns the number of edge ends at each node, or the sum of the weights of the edges.
pub fn degrees(graph: &Graph, measure: Measure, weights: Option<&[f64]>) -> Vec<f64> {
    let mut degrees = vec![0.0; graph.node_count()];
    for edge in 0..graph.edge_count() as u32 {
        let Some((source, target)) = graph.ends(edge) else { continue };
        let weight = weights.map_or(1.0, |weights| item_or_default(weights, edge));
        if measure != Measure::InDegree {
            add_to_item(&mut degrees, source, weight);
        }
        if measure != Measure::OutDegree {
            add_to_item(&mut degrees, target, weight);
        }
    }
    degrees
}

/// Returns the weakly connected component of each node, numbered from 0 by the first node.
pub fn components(graph: &Graph) -> Vec<f64> {
    let mut sets = UnionFind::<u32>::new(graph.node_count());
    for edge in 0..graph.edge_count() as u32 {
        if let Some((source, target)) = graph.ends(edge) {
            sets.union(source, target);
        }
    }
    renumber_labels(sets.into_labeling())
}

/// Numbers labels from 0 in order of first occurrence. Labels are below their count.
pub fn renumber_labels(labels: Vec<u32>) -> Vec<f64> {
    let mut numbers = vec![u32::MAX; labels.len()];
    let mut next = 0;
    let number = |label: u32| {
        if item_or_default(&numbers, label) == u32::MAX {
            set_item(&mut numbers, label, next);
            next += 1;
        }
        f64::from(item_or_default(&numbers, label))
    };
    labels.into_iter().map(number).collect()
}

/// Returns the core number of each node (Batagelj and Zaversnik 2003). Loops are ignored, parallel
/// edges count once, and two edges in opposite directions of a directed graph count twice.
pub fn cores(graph: &Graph) -> Vec<f64> {
    let arcs = |direction| Arcs::new(graph, direction, None, ParallelArcs::Least);
    let rows = match graph.is_directed() {
        true => vec![arcs(Direction::Out), arcs(Direction::In)],
        false => vec![arcs(Direction::Any)],
    };
    let count = graph.node_count();
    let degree = |node: u32| rows.iter().map(|arcs| arcs.targets(node).len() as u32).sum::<u32>();
    let mut degrees: Vec<u32> = (0..count as u32).map(degree).collect();
    // Nodes by degree: `starts` has the offset of the first node of each degree in `order`.
    let most = degrees.iter().max().copied().unwrap_or_default();
    let mut starts = vec![0u32; most as usize + 2];
    for degree in &degrees {
        if let Some(count) = starts.get_mut(*degree as usize + 1) {
            *count += 1;
        }
    }
    let mut sum = 0;
    for start in &mut starts {
        sum += *start;
        *start = sum;
    }
    let (mut order, mut places) = (vec![0u32; count], vec![0u32; count]);
    let mut next = starts.clone();
    for (node, degree) in (0u32..).zip(&degrees) {
        let place = item_or_default(&next, *degree);
        set_item(&mut order, place, node);
        set_item(&mut places, node, place);
        set_item(&mut next, *degree, place + 1);
    }
    for index in 0..count as u32 {
        let node = item_or_default(&order, index);
        for target in rows.iter().flat_map(|arcs| arcs.targets(node)).copied() {
            let degree = item_or_default(&degrees, target);
            if degree <= item_or_default(&degrees, node) {
                continue;
            }
            // Moves the target to the start of its degree, which then begins after it.
            let (place, start) =
                (item_or_default(&places, target), item_or_default(&starts, degree));
            let other = item_or_default(&order, start);
            set_item(&mut order, place, other);
            set_item(&mut places, other, place);
            set_item(&mut order, start, target);
            set_item(&mut places, target, start);
            set_item(&mut starts, degree, start + 1);
            set_item(&mut degrees, target, degree - 1);
        }
    }
    degrees.into_iter().map(f64::from).collect()
}
