//! Snapshots: a declaration costs the same memory and work in a small and in a large state, and every
//! earlier state can be restored.

#![cfg(feature = "gasl")]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)] // A failed test panics.

use byname::base::Value;
use byname::gasl::effect::Progress;
use byname::gasl::graph_access::GraphAccess;
use byname::gasl::import;
use byname::gasl::session::{Session, SessionOptions};
use std::rc::Rc;

const NOW: &str = "2026-01-02T03:04:05.000Z";

fn session() -> Session {
    let graph = r#"{"nodes": [{"id": "a", "v": 1}, {"id": "b", "v": 2}], "links": []}"#;
    let (graph, _) =
        import::read_node_link(graph.as_bytes(), import::ImportLimits::default()).unwrap();
    Session::open(GraphAccess::Memory(Rc::new(graph)), SessionOptions::default(), None, NOW)
        .unwrap()
}

fn execute(session: &mut Session, command: &str) {
    match session.execute(command, "", NOW).next {
        Progress::Done(record) => {
            let status = record.get("status").and_then(Value::as_text).unwrap().to_owned();
            assert_eq!(status, "success", "{command}: {}", record.to_text());
        }
        Progress::Need(_) => panic!("the host is not needed"),
    }
}

/// Estimated memory of all snapshots after these commands.
fn memory_after(commands: impl Iterator<Item = String>) -> usize {
    let mut session = session();
    execute(&mut session, "FIND nodes LIMIT 1 AS x");
    execute(&mut session, "DECLARE l AS LIST");
    commands.for_each(|command| execute(&mut session, &command));
    session.core().history.snapshots.memory()
}

/// Command of an index.
type Shape = fn(usize) -> String;

#[test]
fn the_memory_of_snapshots_grows_with_the_number_of_changes() {
    let shapes: [(&str, Shape); 4] = [
        ("declarations", |index| format!("DECLARE k{index} AS LIST")),
        ("nested declarations", |index| format!("DECLARE a.k{index} AS LIST")),
        ("descriptions", |index| {
            format!("DECLARE l AS LIST WITH_DESCRIPTION \"description {index}\"")
        }),
        ("replaced lists", |index| {
            format!("UPDATE l WITH x{}", if index % 2 == 0 { " REPLACE" } else { "" })
        }),
    ];
    for (name, command) in shapes {
        let [few, many] = [100, 800].map(|count| memory_after((0..count).map(command)));
        assert!(many < few * 10, "{name}: {few} bytes for 100, {many} for 800");
    }
}

#[test]
fn a_declaration_leaves_the_rest_of_the_state_in_place() {
    let mut session = session();
    for index in 0..100 {
        execute(&mut session, &format!("DECLARE k{index} AS LIST"));
    }
    let address = |session: &Session| match &session.core().variables {
        Value::Map(map) => Rc::as_ptr(map),
        _ => panic!("the variables are a map"),
    };
    let before = address(&session);
    execute(&mut session, "DECLARE last AS LIST");
    // A copy of the map would make many declarations quadratic.
    assert_eq!(address(&session), before);
}

#[test]
fn each_snapshot_is_restored() {
    let mut session = session();
    let commands = [
        "DECLARE l AS LIST",
        "DECLARE d.inner AS DICT",
        "DECLARE n AS COUNTER",
        "FIND nodes LIMIT 1 AS x",
        "FIND nodes AS y",
        "UPDATE l WITH x",
        "UPDATE l WITH y",
        "UPDATE d.inner WITH x",
        "UPDATE d.inner WITH y REPLACE",
        "DECLARE l AS LIST WITH_DESCRIPTION \"people\"",
        "UPDATE n WITH y",
        "UPDATE d WITH y",
        "UPDATE l WITH x REPLACE",
    ];
    let variables = |session: &Session| session.core().variables.to_text();
    let hash = |session: &Session| session.current_snapshot().get("hash").unwrap().to_text();
    let mut states = vec![(hash(&session), variables(&session))];
    for command in commands {
        execute(&mut session, command);
        let state = (hash(&session), variables(&session));
        if states.last() != Some(&state) {
            states.push(state);
        }
    }
    let snapshots = session.snapshots();
    assert_eq!(snapshots.as_list().unwrap().len(), states.len());
    for ((hash, variables), snapshot) in states.iter().zip(snapshots.as_list().unwrap()) {
        assert_eq!(*hash, snapshot.get("hash").unwrap().to_text());
        let fork = session.fork(snapshot.get("hash").unwrap().as_text()).unwrap();
        assert_eq!(*variables, fork.core().variables.to_text());
    }
}
