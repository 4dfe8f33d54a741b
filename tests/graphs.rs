//! Queries on published graphs, compared with results of NetworkX 3.6. If the data is not next to the
//! repository, the tests print so and pass.

#![cfg(feature = "gasl")]
// A failed test panics.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stderr)]

use byname::base::Value;
use byname::gasl::graph::{Direction, Element, Graph, PathQuery, SearchLimits};
use byname::gasl::import::{ImportLimits, import_graphml, read_node_link};
use byname::gasl::predicate::{Case, Comparison, Predicate, Test, TextTest};
use std::path::Path;

fn read(name: &str) -> Option<Graph> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data/graphs").join(name);
    let Ok(text) = std::fs::read(&path) else {
        eprintln!("no {name} beside the repository: skipped");
        return None;
    };
    let import = if name.ends_with("graphml") { import_graphml } else { read_node_link };
    let (graph, warnings) = import(&text, ImportLimits::default()).unwrap();
    assert!(warnings.iter().all(|warning| !warning.is_error()));
    Some(graph)
}

fn compare(field: &str, comparison: Comparison, than: impl Into<Value>) -> Predicate {
    Predicate::Field(field.into(), Test::Compare(comparison, than.into()))
}

fn is(field: &str, value: &str) -> Predicate {
    compare(field, Comparison::Equal, value)
}

fn contains(field: &str, text: &str) -> Predicate {
    Predicate::Field(field.into(), Test::Text(TextTest::Contains, text.into()))
}

fn all<const N: usize>(each: [Predicate; N]) -> Predicate {
    Predicate::All(each.into())
}

fn nodes(graph: &Graph, predicate: Predicate) -> usize {
    graph.find_nodes(&predicate, Case::Ignored, SearchLimits::UNLIMITED).rows.len()
}

fn edges(graph: &Graph, predicate: Predicate) -> usize {
    graph.find_edges(&predicate, Case::Ignored, SearchLimits::UNLIMITED).0.rows.len()
}

/// Returns the number of paths of each length, shortest first.
fn paths(graph: &Graph, most: usize, predicate: Predicate) -> Vec<usize> {
    let query = PathQuery { max_length: most, ..PathQuery::new(&predicate, most) };
    let found = graph.find_paths(&query, Case::Ignored, SearchLimits::UNLIMITED);
    (1..=most).map(|n| found.iter().filter(|path| path.edges.len() == n).count()).collect()
}

#[test]
fn weekly_reports() {
    let Some(graph) = read("mmwr.graphml") else { return };
    // len(g), g.number_of_edges(), nx.number_connected_components(g)
    assert_eq!((graph.node_count(), graph.edge_count()), (3261, 1740));
    assert_eq!((graph.component_count(), graph.is_directed()), (2051, false));
    // Counter of entity_type, of descriptions that contain a text, in lower case and unchanged.
    assert_eq!(nodes(&graph, is("entity_type", "PERSON")), 371);
    assert_eq!(nodes(&graph, contains("description", "VACCINE")), 926);
    let exact = contains("description", "Vaccine");
    assert_eq!(graph.find_nodes(&exact, Case::Sensitive, SearchLimits::UNLIMITED).rows.len(), 20);
    let person = all([is("entity_type", "PERSON"), contains("description", "cdc")]);
    assert_eq!(nodes(&graph, person), 28);
    assert_eq!(edges(&graph, compare("weight", Comparison::Greater, 8.0)), 942);
    let both = all([is("source.entity_type", "PERSON"), is("target.entity_type", "PERSON")]);
    assert_eq!(edges(&graph, both), 2);
    // Number of distinct parts of source_id.
    let rows = |count: usize, row: fn(u32) -> Element| (0..count as u32).map(row);
    assert_eq!(graph.distinct_source_count(rows(graph.node_count(), Element::Node)), 38);
    assert_eq!(graph.distinct_source_count(rows(graph.edge_count(), Element::Edge)), 38);
    // nx.single_source_shortest_path_length(g, cdc, cutoff=2)
    let cdc = graph.node("CENTERS FOR DISEASE CONTROL AND PREVENTION").unwrap();
    let around =
        |depth| graph.walk(&[cdc], None, depth, Direction::Own, SearchLimits::UNLIMITED).rows.len();
    assert_eq!((around(1), around(2)), (22, 110));
    // nx.all_simple_paths over all pairs, cutoff=3
    let ends = [is("start.entity_type", "PUBLICATION"), is("end.entity_type", "ORGANIZATION")];
    assert_eq!(paths(&graph, 3, all(ends)), [4, 50, 230]);
    assert_eq!(
        graph.raw_row(Element::Node(cdc)).get("entity_type"),
        Some(&"\"GOVERNMENT AGENCY\"".into())
    );
}

#[test]
fn coappearances() {
    let Some(graph) = read("les-miserables.json") else { return };
    assert_eq!((graph.node_count(), graph.edge_count(), graph.component_count()), (77, 254, 1));
    // nx.all_simple_paths(g, source, target, cutoff)
    let between = |start, end| all([is("start.id", start), is("end.id", end)]);
    assert_eq!(paths(&graph, 3, between("Valjean", "Javert")), [1, 16, 71]);
    assert_eq!(paths(&graph, 4, between("Napoleon", "Cosette")), [0, 0, 1, 10]);
    assert_eq!(edges(&graph, compare("weight", Comparison::GreaterOrEqual, 10.0)), 13);
    // … with inner nodes other than the source and the target
    let without = compare("node.id", Comparison::NotEqual, "Valjean");
    let found = paths(&graph, 3, all([between("Fantine", "Cosette"), without]));
    assert_eq!(found.iter().sum::<usize>(), 22);
    // … and in the graph of the heavy edges
    let heavy = compare("edge.weight", Comparison::GreaterOrEqual, 5.0);
    assert_eq!(paths(&graph, 4, all([between("Valjean", "Enjolras"), heavy])), [0, 2, 6, 19]);
    let napoleon = graph.node("Napoleon").unwrap();
    assert_eq!(
        graph.walk(&[napoleon], None, 2, Direction::Own, SearchLimits::UNLIMITED).rows.len(),
        10
    );
}

#[test]
fn women_and_events() {
    let Some(graph) = read("southern-women.json") else { return };
    assert_eq!((graph.node_count(), graph.edge_count(), graph.component_count()), (32, 89, 1));
    let between = all([is("start.id", "Evelyn Jefferson"), is("end.id", "Flora Price")]);
    assert_eq!(paths(&graph, 4, between), [0, 1, 0, 20]);
    // Every pair of women, in both directions.
    let women = compare("bipartite", Comparison::Equal, 0.0);
    assert_eq!(paths(&graph, 3, women), [0, 644, 0]);
}

#[test]
fn operation_dulce() {
    let Some(graph) = read("dulce.json") else { return };
    // NetworkX merges parallel edges (102). The file lists 107 edges, and 39 of 41 nodes.
    assert_eq!((graph.node_count(), graph.edge_count(), graph.component_count()), (41, 107, 1));
    assert_eq!(nodes(&graph, is("entity_type", "GEO")), 13);
    assert_eq!(nodes(&graph, Predicate::Field("entity_type".into(), Test::Null)), 2);
    assert_eq!(nodes(&graph, contains("description", "paranormal")), 13);
    let alex = graph.node("ALEX MERCER").unwrap();
    let sources = graph.sources(Element::Node(alex));
    let ids: Vec<&str> = sources.iter().map(|source| source.source_id.as_str()).collect();
    assert_eq!(ids, ["chapter-1", "chapter-2", "chapter-3", "chapter-4", "chapter-5"]);
    let snippet = sources.first().and_then(|source| source.snippet.as_deref()).unwrap();
    assert!(snippet.starts_with("# Operation: Dulce"), "{snippet}");
}
