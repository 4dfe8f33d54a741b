//! Compares `MEASURE` and `FIND shortest paths` with values of NetworkX, which
//! `tests/gasl/measures.py` writes.

#![cfg(feature = "gasl")]
#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // A failed test panics.

use byname::base::Value;
use byname::gasl::caps::Caps;
use byname::gasl::core::SessionSetup;
use byname::gasl::effect::{HostResponse, Progress};
use byname::gasl::graph::Graph;
use byname::gasl::graph_access::GraphAccess;
use byname::gasl::import::{ImportLimits, read_node_link};
use byname::gasl::session::Session;
use serde_json::{Value as Json, json};
use std::path::Path;
use std::rc::Rc;

/// Graph with the values of NetworkX.
struct Golden {
    name: String,
    graph: Json,
    measures: Json,
    distances: Json,
    weight: &'static str,
}

/// Returns the golden graphs; those of the example folder only if it exists.
fn golden() -> Vec<Golden> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(root.join("tests/gasl/measures.json")).unwrap();
    let entries: Vec<Json> = serde_json::from_str(&text).unwrap();
    let read = |(index, entry): (usize, &Json)| {
        let (name, graph) = match entry["file"].as_str() {
            None => (format!("graph {index}"), node_link_of(entry)),
            Some(name) => {
                let path = root.join(format!("../shared/data/graphs/{name}.json"));
                let Ok(text) = std::fs::read_to_string(&path) else {
                    eprintln!("no {name} beside the repository: skipped");
                    return None;
                };
                (name.to_owned(), serde_json::from_str(&text).unwrap())
            }
        };
        let (measures, distances) = (entry["measures"].clone(), entry["distances"].clone());
        let weight = if entry["file"].is_string() { "weight" } else { "w" };
        Some(Golden { name, graph, measures, distances, weight })
    };
    entries.iter().enumerate().filter_map(read).collect()
}

fn node_link_of(entry: &Json) -> Json {
    let nodes: Vec<Json> =
        (0..entry["nodes"].as_u64().unwrap()).map(|id| json!({"id": id})).collect();
    let edges = entry["edges"].as_array().unwrap().iter();
    let links: Vec<Json> =
        edges.map(|edge| json!({"source": edge[0], "target": edge[1], "w": edge[2]})).collect();
    json!({"directed": entry["directed"], "multigraph": true, "nodes": nodes, "links": links})
}

fn import(graph: &Json) -> Rc<Graph> {
    Rc::new(read_node_link(graph.to_string().as_bytes(), ImportLimits::default()).unwrap().0)
}

struct Run {
    session: Session,
    /// Number of times that a command let the host continue.
    yields: usize,
}

impl Run {
    fn new(graph: Rc<Graph>, seed: f64) -> Run {
        let setup = SessionSetup { seed, ..SessionSetup::default() };
        let access = GraphAccess::Memory(graph);
        let session = Session::new(access, setup, Caps::default(), None, "now").unwrap();
        Run { session, yields: 0 }
    }

    /// Runs a command and returns its record.
    fn execute(&mut self, command: &str) -> Json {
        let mut update = self.session.execute(command, "", "now");
        loop {
            match update.next {
                Progress::Done(value) => return parsed(&value),
                Progress::Need(_) => {
                    self.yields += 1;
                    let answer = HostResponse::Value(Value::Null);
                    update = self.session.resume(update.task, answer, "now").unwrap();
                }
            }
        }
    }

    /// Runs a command that must succeed, and returns the rows of `x`.
    fn rows(&mut self, command: &str) -> Vec<Json> {
        let record = self.execute(command);
        let is_ok = ["success", "empty"].contains(&record["status"].as_str().unwrap());
        // An isolated node has no paths, perhaps in this direction only.
        let against = record["errors"][0]["code"] == "GASL083";
        assert!(is_ok && (record["errors"].is_null() || against), "{command}: {record}");
        self.variable("x")
    }

    fn variable(&mut self, name: &str) -> Vec<Json> {
        let text = self.session.variable_text(name).unwrap();
        serde_json::from_str(&text).unwrap()
    }

    /// Returns the column of a measure for all nodes.
    fn measure(&mut self, measure: &str, weight: Option<&str>) -> Vec<f64> {
        let weight = weight.map_or(String::new(), |field| format!(" WEIGHT {field}"));
        let rows = self.rows(&format!("MEASURE {measure}{weight} AS x"));
        rows.iter().map(|row| row[measure].as_f64().unwrap()).collect()
    }
}

fn parsed(value: &Value) -> Json {
    serde_json::from_str(&value.to_text()).unwrap()
}

fn numbers(list: &Json) -> Vec<f64> {
    list.as_array().unwrap().iter().map(|one| one.as_f64().unwrap()).collect()
}

#[test]
fn measures_equal_those_of_networkx() {
    let mut compared = 0;
    for Golden { name, graph, measures, weight, .. } in golden() {
        let mut run = Run::new(import(&graph), 0.0);
        for (key, expected) in measures.as_object().unwrap() {
            let (measure, weight) = match key.strip_suffix("_w") {
                Some(measure) => (measure, Some(weight)),
                None => (key.as_str(), None),
            };
            if measure == "modularity" {
                continue;
            }
            let (found, expected) = (run.measure(measure, weight), numbers(expected));
            assert_eq!(found.len(), expected.len(), "{name}: {key}");
            for (node, (found, expected)) in found.iter().zip(&expected).enumerate() {
                let difference = (found - expected).abs();
                assert!(
                    difference <= 1e-9 * expected.abs().max(1.0),
                    "{name}: {key} of node {node}: {found}, expected {expected}"
                );
            }
            compared += 1;
        }
    }
    assert!(compared > 100, "{compared} measures");
}

/// Returns the modularity of communities, directed or not (Leicht and Newman 2008).
fn modularity(graph: &Graph, weights: Option<&[f64]>, communities: &[f64]) -> f64 {
    let weight = |edge: usize| weights.map_or(1.0, |weights| weights[edge]);
    let count = communities.iter().fold(0.0, |most: f64, one| most.max(*one)) as usize + 1;
    let (mut outgoing, mut incoming) = (vec![0.0; count], vec![0.0; count]);
    let (mut inside, mut total) = (0.0, 0.0);
    let mut add = |source: usize, target: usize, weight: f64| {
        outgoing[source] += weight;
        incoming[target] += weight;
        inside += if source == target { weight } else { 0.0 };
        total += weight;
    };
    for edge in 0..graph.edge_count() {
        let (source, target) = graph.ends(edge as u32).unwrap();
        let of = |node: u32| communities[node as usize] as usize;
        add(of(source), of(target), weight(edge));
        if !graph.is_directed() {
            add(of(target), of(source), weight(edge));
        }
    }
    let expected: f64 = outgoing.iter().zip(&incoming).map(|(a, b)| a * b).sum();
    inside / total - expected / (total * total)
}

#[test]
fn communities_are_nearly_as_good_as_those_of_networkx() {
    for Golden { name, graph, measures, weight, .. } in golden() {
        let graph = import(&graph);
        for seed in [0.0, 1.0, 2.0] {
            let mut run = Run::new(graph.clone(), seed);
            for (key, field) in [("modularity", None), ("modularity_w", Some(weight))] {
                let Some(expected) = measures[key].as_f64() else { continue };
                let found = run.measure("community", field);
                let weights = field.map(|field| graph.edge_weights(field).unwrap().weights);
                let modularity = modularity(&graph, weights.as_deref(), &found);
                assert!(
                    modularity >= 0.95 * expected - 1e-9,
                    "{name}: {modularity}, expected {expected}"
                );
                assert_eq!(found, run.measure("community", field), "{name}: not deterministic");
                // Numbers are assigned in order of first occurrence.
                let mut next = 0.0;
                for number in found {
                    assert!(number <= next, "{name}: community {number} before {next}");
                    next = f64::max(next, number + 1.0);
                }
            }
        }
    }
}

#[test]
fn shortest_paths_have_the_distances_of_networkx() {
    let mut compared = 0;
    for Golden { name, graph, distances, weight, .. } in golden() {
        let mut run = Run::new(import(&graph), 0.0);
        let ids: Vec<Json> =
            graph["nodes"].as_array().unwrap().iter().map(|node| node["id"].clone()).collect();
        for (kind, rows) in distances.as_object().unwrap() {
            let clause = if kind == "w" { format!(" WEIGHT {weight}") } else { String::new() };
            let cost = if kind == "w" { "cost" } else { "length" };
            for (start, row) in ids.iter().zip(rows.as_array().unwrap()) {
                let command = |condition: String| {
                    format!("FIND shortest paths WHERE {condition}{clause} AS x")
                };
                // Searches from the start.
                let found = run.rows(&command(format!("start.id = {start}")));
                let mut expected = Vec::new();
                for (end, distance) in ids.iter().zip(row.as_array().unwrap()) {
                    if end != start && !distance.is_null() {
                        expected.push((text(end), distance.as_f64().unwrap()));
                    }
                }
                let ends: Vec<(String, f64)> = found
                    .iter()
                    .map(|path| (text(&path["end"]), path[cost].as_f64().unwrap()))
                    .collect();
                assert_eq!(ends, expected, "{name}: {kind} from {start}");
                compared += expected.len();
                // Searches back from each end must choose the same paths.
                for path in found.iter().step_by(7) {
                    let back = run.rows(&command(format!("end.id = {}", path["end"])));
                    let same = back.iter().find(|one| one["start"] == path["start"]);
                    assert_eq!(same, Some(path), "{name}: {kind}");
                }
            }
        }
    }
    assert!(compared > 500, "{compared} distances");
}

fn text(id: &Json) -> String {
    id.as_str().map_or_else(|| id.to_string(), str::to_owned)
}

/// Returns a graph in which every node is connected to the next and to others.
fn chords(nodes: usize) -> Rc<Graph> {
    let id = |node: usize| json!({"id": format!("n{node}")});
    let link = |node: usize, step: usize| json!({"source": format!("n{node}"), "target": format!("n{}", (node * step + 1) % nodes)});
    let links = (0..nodes).flat_map(|node| [link(node, 1), link(node, 3), link(node, 7)]);
    let nodes: Vec<Json> = (0..nodes).map(id).collect();
    import(&json!({"nodes": nodes, "links": links.collect::<Vec<_>>()}))
}

#[test]
fn samples_are_partial_and_near_the_exact_values() {
    let mut run = Run::new(chords(600), 0.0);
    for measure in ["betweenness", "closeness"] {
        let exact = run.measure(measure, None);
        run.execute("SET adapter.caps.max_expansions = 720000");
        let record = run.execute(&format!("MEASURE {measure} AS x"));
        assert_eq!(record["status"], "partial", "{record}");
        assert_eq!(record["errors"][0]["code"], "GASL092");
        let metrics = &record["metrics"];
        assert_eq!(metrics["completeness"]["bound_kind"], "max_expansions");
        let sources = metrics["sample"]["sources"].as_u64().unwrap();
        assert!((150..600).contains(&sources), "{metrics}");
        assert_eq!(metrics["sample"]["of"], 600);
        let rows = run.variable("x");
        assert_eq!(rows.len(), 600);
        let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
        let found: Vec<f64> = rows.iter().map(|row| row[measure].as_f64().unwrap()).collect();
        let error = mean(&found.iter().zip(&exact).map(|(a, b)| (a - b).abs()).collect::<Vec<_>>());
        assert!(error < 0.25 * mean(&exact), "{measure}: {error} of {}", mean(&exact));
        assert_eq!(run.execute(&format!("MEASURE {measure} AS x"))["status"], "partial");
        assert_eq!(run.variable("x"), rows, "{measure}: not deterministic");
        // The values of a few nodes are exact within the same bound.
        run.execute("FIND nodes WHERE id IN [n5, n3] AS few");
        let record = run.execute(&format!("MEASURE {measure} OF few AS x"));
        assert_eq!(record["status"] == "success", measure == "closeness");
        let ids: Vec<Json> = run.variable("x").iter().map(|row| row["id"].clone()).collect();
        assert_eq!(ids, ["n3", "n5"]);
        run.execute("SET adapter.caps.max_expansions = 5000000");
    }
}

#[test]
fn long_computations_let_the_host_continue() {
    let graph = chords(1_000);
    let mut run = Run::new(graph.clone(), 0.0);
    run.execute("SET adapter.caps.max_expansions = 100000000");
    let before = run.yields;
    run.measure("betweenness", None);
    assert!(run.yields > before + 1, "{} yields", run.yields - before);
    let mut small = Run::new(chords(700), 0.0);
    small.rows("FIND shortest paths WHERE start.id != n0 AS x");
    assert!(small.yields > 0);
    // A cancelled task ends without values.
    let mut session = Run::new(graph, 0.0).session;
    session.execute("SET adapter.caps.max_expansions = 100000000", "", "now");
    let update = session.execute("MEASURE betweenness AS x", "", "now");
    assert!(matches!(update.next, Progress::Need(_)) && update.events.len() == 1);
    let update = session.cancel(update.task, "stop", "now").unwrap();
    let Progress::Done(record) = update.next else { panic!("not cancelled") };
    assert_eq!(parsed(&record)["errors"][0]["code"], "GASL045");
    assert!(session.variable_text("x").is_none());
}
