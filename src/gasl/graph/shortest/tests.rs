//! Compares the search with the shortest of all simple paths.

use super::*;
use crate::gasl::graph::Direction;
use crate::gasl::graph::tests::{Random, random_graph};
use std::collections::BTreeMap;

type Found = Vec<(Vec<u32>, Vec<u32>, Option<f64>)>;

/// Nodes and edges of a path.
type Route = (Vec<u32>, Vec<u32>);

fn run(graph: &Graph, query: ShortestQuery, budget: usize) -> (Found, Option<Truncation>) {
    let mut run = ShortestRun::new(graph, query);
    while !run.advance(graph, budget) {}
    let paths = run.finish();
    let path = |path: Path<'_>| (path.nodes.to_vec(), path.edges.to_vec(), path.cost);
    (paths.iter().map(path).collect(), paths.truncation)
}

/// Returns the best of all simple paths for each pair: of least cost, then the first in the order of
/// the nodes and of the edges.
fn expected(graph: &Graph, paths: &PathQuery, weights: Option<&[f64]>) -> Found {
    let all = graph.find_paths(paths, Case::Ignored, SearchLimits::UNLIMITED);
    let weight = |edge: &u32| weights.map_or(1.0, |weights| weights[*edge as usize]);
    let mut best: BTreeMap<(u32, u32), (f64, Route)> = BTreeMap::new();
    for path in all.iter() {
        let cost: f64 = path.edges.iter().map(weight).sum();
        let candidate = (cost, (path.nodes.to_vec(), path.edges.to_vec()));
        let pair = (path.nodes[0], path.nodes[path.nodes.len() - 1]);
        let known = best.entry(pair).or_insert_with(|| candidate.clone());
        if candidate.partial_cmp(known).unwrap().is_lt() {
            *known = candidate;
        }
    }
    let path = |(cost, (nodes, edges)): (f64, Route)| (nodes, edges, weights.map(|_| cost));
    best.into_values().map(path).collect()
}

#[test]
fn paths_are_the_shortest_and_first_of_all() {
    let (mut total, mut directions) = (0, [0, 0]);
    for seed in 0..400 {
        let mut random = Random::new(seed);
        let graph = random_graph(&mut random, 8, 14);
        let fields = ["start.t", "end.t", "node.a", "edge.a", "start.a", "end.a"];
        let each = (0..random.below(3)).map(|_| random.predicate(&fields, 1)).collect();
        let mut paths = PathQuery::new(&Predicate::All(each), graph.node_count());
        if ShortestQuery::unsupported_condition(&paths, true).is_some() {
            continue;
        }
        paths.direction =
            [Direction::Own, Direction::Out, Direction::In, Direction::Any][random.below(4)];
        let is_weighted = random.below(2) == 0;
        if !is_weighted && random.below(2) == 0 {
            paths.max_length = 1 + random.below(3);
        }
        // Small numbers, so that many sums are equal; without 0, for which the order is not defined.
        let weights: Option<Vec<f64>> = is_weighted
            .then(|| (0..graph.edge_count()).map(|_| 1.0 + random.below(3) as f64).collect());
        let expected = expected(&graph, &paths, weights.as_deref());
        let limits = SearchLimits::UNLIMITED;
        let query = ShortestQuery { paths, weights, case: Case::Ignored, limits };
        let is_forward =
            matches!(ShortestRun::new(&graph, copy(&query)).search, ShortestSearch::FromStarts(_));
        directions[usize::from(is_forward)] += expected.len();
        let budget = 1 + random.below(20);
        assert_eq!(run(&graph, copy(&query), budget), (expected.clone(), None), "seed {seed}");
        total += expected.len();
        // The first paths, if there is a limit.
        let limit = 1 + random.below(4);
        let limits = SearchLimits { limit: Some(limit), ..SearchLimits::UNLIMITED };
        let (found, truncation) = run(&graph, ShortestQuery { limits, ..query }, budget);
        assert_eq!(found, expected[..limit.min(expected.len())], "seed {seed}");
        assert!(truncation.is_some() || expected.len() <= limit, "seed {seed}");
    }
    assert!(total > 500 && directions.iter().all(|count| *count > 100), "{directions:?}");
}

fn copy(query: &ShortestQuery) -> ShortestQuery {
    let ShortestQuery { paths, weights, case, limits } = query;
    ShortestQuery { paths: paths.clone(), weights: weights.clone(), case: *case, limits: *limits }
}

#[test]
fn edges_without_weight_do_not_form_circles() {
    for seed in 0..100 {
        let mut random = Random::new(seed);
        let graph = random_graph(&mut random, 8, 16);
        let weights: Vec<f64> = (0..graph.edge_count()).map(|_| random.below(2) as f64).collect();
        let paths = PathQuery::new(&Predicate::everything(), usize::MAX);
        let all = PathQuery { max_length: graph.node_count(), ..paths.clone() };
        let expected = expected(&graph, &all, Some(&weights));
        for paths in [
            paths.clone(),
            PathQuery { start: only_first(), ..paths.clone() },
            PathQuery { end: only_first(), ..paths },
        ] {
            let query = ShortestQuery {
                paths,
                weights: Some(weights.clone()),
                case: Case::Ignored,
                limits: SearchLimits::UNLIMITED,
            };
            for (nodes, edges, cost) in run(&graph, query, usize::MAX).0 {
                let ends = (nodes[0], nodes[edges.len()]);
                let best = expected
                    .iter()
                    .find(|(nodes, edges, _)| (nodes[0], nodes[edges.len()]) == ends);
                assert_eq!(best.unwrap().2, cost, "seed {seed}");
                let mut distinct = nodes.clone();
                distinct.sort_unstable();
                distinct.dedup();
                assert_eq!(distinct.len(), nodes.len(), "seed {seed}");
            }
        }
    }
}

/// Selects the node with the first id of [`random_graph`].
fn only_first() -> Predicate {
    use crate::gasl::predicate::{Comparison, Test};
    Predicate::Field("id".into(), Test::Compare(Comparison::Equal, "n0".into()))
}

#[test]
fn expansions_are_bounded() {
    let graph = random_graph(&mut Random::new(3), 8, 16);
    for max in 0..40 {
        let limits = SearchLimits { max_expansions: Some(max), ..SearchLimits::UNLIMITED };
        let paths = PathQuery::new(&Predicate::everything(), usize::MAX);
        let query = ShortestQuery { paths, weights: None, case: Case::Ignored, limits };
        let mut run = ShortestRun::new(&graph, query);
        while !run.advance(&graph, 5) {}
        assert!(run.expansions <= max);
        assert_eq!(run.finish().truncation, Some(Truncation::MaxExpansions), "{max}");
    }
}
