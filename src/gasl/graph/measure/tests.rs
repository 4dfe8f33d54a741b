//! Small graphs with known values. `tests/gasl_measures.rs` compares with NetworkX.

use super::*;
use crate::gasl::graph::{GraphBuilder, QuoteHandling};

fn undirected(edges: &[(&str, &str)]) -> Graph {
    let mut builder = GraphBuilder::new(QuoteHandling::Keep);
    for (source, target) in edges {
        let (source, target) = (builder.endpoint(source), builder.endpoint(target));
        builder.add_edge(None, source, target);
    }
    builder.finish().0
}

fn query(measure: Measure) -> MeasureQuery<'static> {
    MeasureQuery { measure, weights: None, targets: None, max_expansions: 1_000, seed: 0.0 }
}

fn values(graph: &Graph, query: MeasureQuery<'_>, budget: usize) -> Vec<f64> {
    let mut run = MeasureRun::new(graph, query).unwrap();
    while !run.advance(budget) {
        let (done, total) = run.progress();
        assert!(done <= total, "{done} of {total}");
    }
    run.finish().values
}

/// A triangle with a tail and a separate edge.
const KITE: [(&str, &str); 5] = [("a", "b"), ("b", "c"), ("c", "a"), ("c", "d"), ("x", "y")];

#[test]
fn values_do_not_depend_on_the_slices() {
    let graph = undirected(&KITE);
    for measure in Measure::ALL {
        let expected = values(&graph, query(measure), usize::MAX);
        assert_eq!(expected.len(), graph.node_count());
        for budget in [0, 1, 3, 50] {
            assert_eq!(values(&graph, query(measure), budget), expected, "{}", measure.word());
        }
    }
}

#[test]
fn small_graphs_have_known_values() {
    let graph = undirected(&KITE);
    let of = |measure| values(&graph, query(measure), usize::MAX);
    assert_eq!(of(Measure::Degree), [2.0, 2.0, 3.0, 1.0, 1.0, 1.0]);
    assert_eq!(of(Measure::Core), [2.0, 2.0, 2.0, 1.0, 1.0, 1.0]);
    assert_eq!(of(Measure::Triangles), [1.0, 1.0, 1.0, 0.0, 0.0, 0.0]);
    assert_eq!(of(Measure::Component), [0.0, 0.0, 0.0, 0.0, 1.0, 1.0]);
    assert_eq!(of(Measure::Betweenness), [0.0, 0.0, 0.2, 0.0, 0.0, 0.0]);
    assert_eq!(of(Measure::Community)[4..], [1.0, 1.0]);
}

#[test]
fn graphs_without_edges_or_nodes_have_values() {
    for edges in [&[][..], &[("a", "a")][..]] {
        let graph = undirected(edges);
        for measure in Measure::ALL {
            let values = values(&graph, query(measure), 1);
            assert_eq!(values.len(), graph.node_count());
            assert!(values.iter().all(|value| value.is_finite()), "{}", measure.word());
        }
    }
}

#[test]
fn triangles_state_the_expansions_that_they_need() {
    let graph = undirected(&KITE);
    let limited = |max_expansions| {
        MeasureRun::new(&graph, MeasureQuery { max_expansions, ..query(Measure::Triangles) })
    };
    let Err(TooManyExpansions(needed)) = limited(1) else { panic!("no limit") };
    assert!(limited(needed - 1).is_err() && limited(needed).is_ok());
}

#[test]
fn closeness_of_a_few_nodes_is_exact() {
    let graph = undirected(&KITE);
    let all = values(&graph, query(Measure::Closeness), usize::MAX);
    let few = MeasureQuery { targets: Some(&[2]), max_expansions: 10, ..query(Measure::Closeness) };
    assert_eq!(values(&graph, few, usize::MAX)[2], all[2]);
    let run =
        MeasureRun::new(&graph, MeasureQuery { max_expansions: 10, ..query(Measure::Closeness) });
    let mut run = run.unwrap();
    while !run.advance(1) {}
    assert!(run.finish().sample.is_some_and(|sample| sample.sources < 6));
}
