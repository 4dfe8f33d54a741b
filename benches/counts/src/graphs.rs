//! Workloads of GASL: a graph of two CSV tables and the commands of a session.

use crate::random::Random;
use crate::{NamedWorkload, Workload};
use byname::base::Value;
use byname::gasl::caps::Caps;
use byname::gasl::effect::Progress;
use byname::gasl::graph::Graph;
use byname::gasl::import::{ImportLimits, csv::import_csv, read_node_link};
use byname::gasl::session::Session;
use byname::gasl::{core::SessionSetup, graph_access::GraphAccess};
use std::fmt::Write;
use std::rc::Rc;

pub const WORKLOADS: &[NamedWorkload] = &[
    ("CSV of 5,000 nodes and 25,000 edges", load),
    ("FIND nodes by attribute", attribute),
    ("FIND nodes with CONTAINS", contains),
    ("FIND edges", edges),
    ("FIND paths", paths),
    ("rows of FIND as a value", rows),
    ("rows of FIND as text", rows_as_text),
    ("COUNT of all edges by type", count),
    ("AGGREGATE of all edges by source", aggregate),
    ("RANK of the first ten", rank),
    ("JOIN of edges with nodes", join),
    ("node-link JSON of 5,000 nodes and 25,000 edges", count_node_link_edges),
];

const NODES: usize = 5_000;
const NOW: &str = "2020-01-01T00:00:00Z";

fn tables() -> [String; 2] {
    let mut random = Random::new(11);
    let kinds = ["PERSON", "ORGANIZATION", "EVENT", "PLACE", "PUBLICATION", "METHOD"];
    let mut nodes = String::from("id,entity_type,description,score\n");
    for at in 0..NODES {
        let (kind, what) = (kinds[random.below(6)], ["vaccine", "care"][random.below(10).min(1)]);
        let score = random.below(1000);
        let _ = writeln!(nodes, r#"node-{at},{kind},"the study of {what}, number {at}",{score}"#);
    }
    let mut edges = String::from("source,target,type,weight\n");
    for _ in 0..NODES * 5 {
        let (from, to) = (random.below(NODES), random.below(NODES));
        let (kind, weight) = (random.below(8), random.below(100));
        let _ = writeln!(edges, "node-{from},node-{to},KIND_{kind},{weight}");
    }
    [nodes, edges]
}

fn graph([nodes, edges]: &[String; 2]) -> Graph {
    match import_csv(nodes.as_bytes(), edges.as_bytes(), false, ImportLimits::default()) {
        Ok((graph, _)) => graph,
        Err(diagnostics) => panic!("{diagnostics:?}"),
    }
}

fn load() -> Workload {
    let tables = tables();
    Box::new(move || graph(&tables).edge_count())
}

fn session() -> Session {
    let source = GraphAccess::Memory(Rc::new(graph(&tables())));
    match Session::new(source, SessionSetup::default(), Caps::default(), None, NOW) {
        Ok(session) => session,
        Err(diagnostics) => panic!("{diagnostics:?}"),
    }
}

/// Executes a command. Returns its count.
fn done(session: &mut Session, command: &str) -> usize {
    let turn = session.execute(command, "to count", NOW);
    let Progress::Done(record) = turn.next else { panic!("{command} needs the host") };
    let status = record.get("status").and_then(Value::as_text);
    assert_eq!(status, Some("success"), "{command}");
    let count = record.get("metrics").and_then(|metrics| metrics.get("count"));
    count.and_then(Value::as_number).map_or(0, |count| count as usize)
}

fn finding(command: &'static str) -> Workload {
    let mut session = session();
    Box::new(move || done(&mut session, command))
}

/// Executes the command over `nodes`, `persons` and `edges`.
fn over_rows(command: &'static str) -> Workload {
    let mut session = session();
    done(&mut session, "FIND nodes AS nodes");
    done(&mut session, PERSONS);
    done(&mut session, "FIND edges AS edges");
    Box::new(move || done(&mut session, command))
}

const PERSONS: &str = r#"FIND nodes WHERE entity_type = "PERSON" AS persons"#;

fn attribute() -> Workload {
    finding(PERSONS)
}

fn contains() -> Workload {
    finding(r#"FIND nodes WHERE description CONTAINS "vaccine" AS found"#)
}

fn edges() -> Workload {
    finding(r#"FIND edges WHERE type = "KIND_3" AND weight > 50 AS found"#)
}

fn count() -> Workload {
    over_rows("COUNT edges BY type AS found")
}

fn aggregate() -> Workload {
    over_rows("AGGREGATE edges BY source WITH sum OF weight AS found")
}

fn rank() -> Workload {
    over_rows("RANK nodes BY score DESC LIMIT 10 AS found")
}

fn join() -> Workload {
    over_rows("JOIN edges WITH persons ON source=id AS found")
}

fn paths() -> Workload {
    let command = r#"FIND paths WHERE start.id IN ["node-1", "node-8", "node-15"] AND end.id IN ["node-20", "node-30", "node-40"] AND length <= 3 AS found"#;
    finding(command)
}

fn rows() -> Workload {
    let mut session = session();
    Box::new(move || {
        done(&mut session, PERSONS);
        let found = session.variable("persons");
        found.as_ref().and_then(Value::as_list).map_or(0, |rows| rows.len())
    })
}

fn rows_as_text() -> Workload {
    let mut session = session();
    done(&mut session, PERSONS);
    Box::new(move || session.variable_text("persons").map_or(0, |text| text.len()))
}

fn count_node_link_edges() -> Workload {
    let text = graph(&tables()).to_json();
    Box::new(move || match read_node_link(text.as_bytes(), ImportLimits::default()) {
        Ok((graph, _)) => graph.edge_count(),
        Err(diagnostics) => panic!("{diagnostics:?}"),
    })
}
