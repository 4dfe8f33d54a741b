//! Compares the path search with a brute-force search.

use super::super::tests::{Random, random_graph};
use super::super::{Direction, Graph};
use super::*;
use crate::gasl::predicate::{Comparison, Test};

/// Returns every simple path up to a length, with any ends.
fn all_paths(graph: &Graph, direction: Direction, most: usize) -> Vec<(Vec<u32>, Vec<u32>)> {
    fn grow(
        adjacency: &Adjacency,
        most: usize,
        path: &mut (Vec<u32>, Vec<u32>),
        found: &mut Vec<(Vec<u32>, Vec<u32>)>,
    ) {
        for neighbor in adjacency.neighbors(*path.0.last().unwrap()) {
            if path.1.len() == most || path.0.contains(&neighbor.node) {
                continue;
            }
            path.0.push(neighbor.node);
            path.1.push(neighbor.edge);
            found.push(path.clone());
            grow(adjacency, most, path, found);
            path.0.pop();
            path.1.pop();
        }
    }
    let mut found = Vec::new();
    for start in 0..graph.node_count() as u32 {
        grow(graph.adjacency(direction), most, &mut (vec![start], vec![]), &mut found);
    }
    found
}

fn node_holds(graph: &Graph, predicate: &Predicate, node: u32) -> bool {
    graph.node_mask(predicate, Case::Ignored).get(node)
}

#[test]
fn matches_brute_force_search() {
    let mut total = 0;
    for seed in 0..300 {
        let mut random = Random::new(seed);
        let graph = random_graph(&mut random, 9, 14);
        let fields = ["start.t", "end.t", "node.a", "edge.a", "edge.type", "n", "length"];
        let each: Vec<Predicate> =
            (0..random.below(4)).map(|_| random.predicate(&fields, 2)).collect();
        let mut query = PathQuery::new(&Predicate::All(each), 3);
        query.max_length = query.max_length.min(1 + random.below(4));
        query.direction =
            [Direction::Own, Direction::Out, Direction::In, Direction::Any][random.below(4)];
        let found = graph.find_paths(&query, Case::Ignored, SearchLimits::UNLIMITED);
        assert_eq!(found.truncation, None);

        let predicate = PathPredicate::new(&graph, &query.whole_path, Case::Ignored);
        let edges = graph.edge_mask(&query.edge, Case::Ignored);
        let expected = all_paths(&graph, query.direction, query.max_length);
        let expected: Vec<_> = expected
            .into_iter()
            .filter(|(nodes, path)| {
                node_holds(&graph, &query.start, nodes[0])
                    && node_holds(&graph, &query.end, nodes[path.len()])
                    && path.iter().all(|edge| edges.get(*edge))
                    && nodes[1..path.len()]
                        .iter()
                        .all(|n| node_holds(&graph, &query.inner_nodes, *n))
                    && predicate.matches(Path { nodes, edges: path, cost: None }, Case::Ignored)
            })
            .collect();
        let found: Vec<_> =
            found.iter().map(|path| (path.nodes.to_vec(), path.edges.to_vec())).collect();
        assert_eq!(found, expected, "seed {seed}: {query:?}");
        total += found.len();
    }
    assert!(total > 1000, "{total} paths are too few");
}

/// Returns a chain of nodes with two parallel edges between neighbors.
fn ladder(rungs: usize) -> Graph {
    let mut builder = super::super::GraphBuilder::new(super::super::QuoteHandling::Keep);
    for rung in 1..rungs {
        let (from, to) =
            (builder.endpoint(&format!("{}", rung - 1)), builder.endpoint(&format!("{rung}")));
        builder.add_edge(None, from, to);
        builder.add_edge(None, from, to);
    }
    builder.finish().0
}

fn between(start: &str, end: &str, max_length: usize) -> PathQuery {
    let is = |field: &str, id: &str| {
        Predicate::Field(field.into(), Test::Compare(Comparison::Equal, id.into()))
    };
    let both = Predicate::All(vec![is("start.id", start), is("end.id", end)]);
    PathQuery { max_length, ..PathQuery::new(&both, 3) }
}

#[test]
fn parallel_edges_yield_separate_paths() {
    let graph = ladder(4);
    let found = graph.find_paths(&between("0", "3", 3), Case::Ignored, SearchLimits::UNLIMITED);
    assert_eq!(found.len(), 8);
    let row = found.get(1).unwrap().row(&graph).to_text();
    assert_eq!(
        row,
        r#"{"start":"0","end":"3","nodes":["0","1","2","3"],"edges":["e0","e2","e5"],"length":3}"#
    );
    assert!(
        graph.find_paths(&between("0", "3", 2), Case::Ignored, SearchLimits::UNLIMITED).is_empty()
    );
    assert!(
        graph.find_paths(&between("0", "0", 3), Case::Ignored, SearchLimits::UNLIMITED).is_empty()
    );
}

#[test]
fn limits_truncate_results() {
    let graph = ladder(4);
    let find = |limit, max_results, max_expansions| {
        let limits = SearchLimits { limit, max_results, max_expansions };
        let found = graph.find_paths(&between("0", "3", 3), Case::Ignored, limits);
        (found.len(), found.truncation)
    };
    assert_eq!(find(None, Some(8), None), (8, None));
    assert_eq!(find(None, Some(7), None), (7, Some(Truncation::MaxResults)));
    assert_eq!(find(Some(7), Some(7), None), (7, Some(Truncation::Limit)));
    assert_eq!(find(Some(8), None, None), (8, Some(Truncation::Limit)));
    assert_eq!(find(None, None, Some(7)), (1, Some(Truncation::MaxExpansions)));
}

#[test]
fn long_path_does_not_overflow_the_stack() {
    let graph = ladder(100_000);
    let limits = SearchLimits { limit: Some(1), ..SearchLimits::UNLIMITED };
    let found = graph.find_paths(&between("0", "99999", 200_000), Case::Ignored, limits);
    assert_eq!(found.get(0).map(|path| path.edges.len()), Some(99_999));
}
