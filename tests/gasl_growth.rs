//! Checking and running a command takes time in proportion to its length, whatever it contains.

#![cfg(feature = "gasl")]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)] // A failed test panics.

use byname::base::Value;
use byname::gasl::effect::Progress;
use byname::gasl::graph_access::GraphAccess;
use byname::gasl::import;
use byname::gasl::session::{Session, SessionOptions, check};
use std::fmt::Write;
use std::rc::Rc;
use std::time::{Duration, Instant};

const NOW: &str = "2026-01-02T03:04:05.000Z";

/// Commands of a given size; the last one is measured.
type Shape = fn(usize) -> Vec<String>;

/// Returns `part` of each index, joined.
fn each(count: usize, between: &str, part: impl Fn(usize) -> String) -> String {
    let mut text = String::new();
    for index in 0..count {
        let between = if index == 0 { "" } else { between };
        write!(text, "{between}{}", part(index)).unwrap();
    }
    text
}

fn find(target: &str, condition: &str) -> Vec<String> {
    vec![format!("FIND {target} WHERE {condition} AS x")]
}

fn select(fields: &str, condition: &str) -> Vec<String> {
    let rows = "FIND nodes AS rows".to_owned();
    vec![rows, format!("SELECT rows FIELDS {fields} WHERE {condition} AS x")]
}

fn long_field(count: usize) -> String {
    "f".repeat(count * 4)
}

/// Shapes that run.
const VALID: [(&str, Shape); 17] = [
    ("values", |count| find("nodes", &each(count, " OR ", |index| format!("kind = v{index}")))),
    ("field words", |count| find("nodes", &each(count, " OR ", |_| "kind = name".to_owned()))),
    ("quoted fields", |count| find("edges", &each(count, " AND ", |_| "`a` != `b`".to_owned()))),
    ("unknown fields", |count| {
        find("nodes", &each(count, " OR ", |index| format!("f{index} = 1")))
    }),
    ("unknown ends", |count| {
        find("edges", &each(count, " OR ", |index| format!("end.f{index} = 1")))
    }),
    ("items", |count| {
        find("nodes", &format!("id IN [{}]", each(count, ", ", |i| format!("i{i}"))))
    }),
    ("starts and ends", |count| {
        find("paths", &each(count, " AND ", |i| format!("start.id = {i} AND end.id = e")))
    }),
    ("mixed paths", |count| {
        find(
            "paths",
            &each(count / 20, " OR ", |i| format!("start.id = s{i} AND length < {}", i + 1)),
        )
    }),
    ("alternating", |count| {
        find("nodes", &each(count, " OR ", |i| format!("kind = v{i} AND NOT name CONTAINS w{i}")))
    }),
    ("nulls", |count| find("nodes", &each(count, " OR ", |_| "kind = null".to_owned()))),
    ("orders", |count| find("nodes", &each(count, " OR ", |i| format!("kind < w{i}")))),
    ("projection", |count| select(&each(count, ", ", |i| format!("name:f{i}")), "kind = person")),
    ("selected fields", |count| {
        let fields = each(count, ", ", |i| format!("name:f{i}"));
        let rows = ["FIND nodes LIMIT 2 AS rows".to_owned()];
        let first = format!("SELECT rows FIELDS {fields} AS y");
        let again = each(count, ", ", |i| format!("f{i}:g{i}"));
        let condition = each(count, " OR ", |i| format!("f{i} = 1"));
        [rows.to_vec(), vec![first, format!("SELECT y FIELDS {again} WHERE {condition} AS x")]]
            .concat()
    }),
    ("bindings in a text", |count| {
        let rows = "FIND nodes AS rows".to_owned();
        let bindings = each(count, "", |_| "${rows.0.id}".to_owned());
        vec![rows, format!("FIND nodes WHERE name = \"{bindings}\" AS x")]
    }),
    ("assertion", |count| {
        let rows = "FIND nodes AS rows".to_owned();
        vec![rows, format!("ASSERT {}", each(count, " AND ", |i| format!("w{i} != v{i}")))]
    }),
    ("follow", |count| {
        let rows = "FIND nodes AS rows".to_owned();
        vec![
            rows,
            format!("WALK FROM rows FOLLOW {} AS x", each(count, " OR ", |i| format!("a = v{i}"))),
        ]
    }),
    ("shadowed keys", |count| {
        let rows = ["DECLARE rows AS LIST".to_owned(), "FIND nodes LIMIT 1 AS rows".to_owned()];
        let condition = each(count, " OR ", |_| "id IN ${rows}".to_owned());
        [rows.to_vec(), find("nodes", &condition)].concat()
    }),
];

/// Shapes with errors, which are only checked.
const INVALID: [(&str, Shape); 22] = [
    ("unclosed bindings", |count| vec!["${".repeat(count * 4)]),
    ("unclosed bindings in a text", |count| {
        vec![format!("FIND nodes WHERE a = \"{}", "${".repeat(count * 4))]
    }),
    ("bindings of several lines", |count| vec!["FIND ${a\n".repeat(count)]),
    ("missing values", |count| find("nodes", &each(count, " AND ", |_| "a =".to_owned()))),
    ("values without a field", |count| {
        find("nodes", &format!("a = b OR {}", each(count, " OR ", |i| format!("v{i}"))))
    }),
    ("values of a long field", |count| {
        find(
            "nodes",
            &format!("{} = b OR {}", long_field(count), each(count, " OR ", |i| format!("v{i}"))),
        )
    }),
    ("tests after a long field", |count| {
        let tests = each(count, " AND ", |_| "EXISTS a".to_owned());
        vec![format!("FIND nodes WHERE {} = b AND {tests}", long_field(count))]
    }),
    ("foreign operators", |count| find("nodes", &each(count, " AND ", |_| "a == 1".to_owned()))),
    ("missing connectives", |count| find("nodes", &each(count, " ", |_| "a = 1".to_owned()))),
    ("several words", |count| find("nodes", &each(count, " OR ", |_| "a = b c d".to_owned()))),
    ("one long value", |count| {
        find("nodes", &format!("a = {}", each(count, " ", |i| format!("w{i}"))))
    }),
    ("foreign renames", |count| select(&each(count, ", ", |i| format!("f{i} AS g{i}")), "a = 1")),
    ("fields without an output", |count| {
        vec![format!("SELECT rows FIELDS {}", each(count, ", ", |i| format!("f{i}")))]
    }),
    ("lists of values", |count| find("nodes", &format!("a = b{}", ", c".repeat(count)))),
    ("backticks", |count| vec!["`a` ".repeat(count)]),
    ("open brackets", |count| vec![format!("{}GG", "(".repeat(count))]),
    ("open brackets of Cypher", |count| {
        vec![format!("MATCH (n) WHERE {} RETURN n", "([{".repeat(count))]
    }),
    ("patterns of Cypher", |count| {
        vec![format!("MATCH (n){} RETURN n", "-[:A]->(b)".repeat(count))]
    }),
    ("open brackets of Gremlin", |count| vec![format!("g.V().has({}", "(a, ".repeat(count))]),
    ("open brackets of pandas", |count| vec![format!("df[{}", "(df.x > [".repeat(count))]),
    ("open brackets of SQL", |count| {
        vec![format!("SELECT {} FROM nodes WHERE {}", "(a, ".repeat(count), "(b = ".repeat(count))]
    }),
    ("commands", |count| vec!["FIND nodes WHERE a = 1 AS ${x}\n".repeat(count / 4)]),
];

fn session() -> Session {
    let graph = r#"{"directed": true, "nodes": [{"id": "a", "kind": "person", "name": "A"}, {"id": "b", "kind": "place", "name": "B"}],
        "links": [{"source": "a", "target": "b", "a": "1", "b": "2"}]}"#;
    let (graph, _) =
        import::read_node_link(graph.as_bytes(), import::ImportLimits::default()).unwrap();
    Session::open(GraphAccess::Memory(Rc::new(graph)), SessionOptions::default(), None, NOW)
        .unwrap()
}

fn execute(session: &mut Session, command: &str) -> Value {
    match session.execute(command, "", NOW).next {
        Progress::Done(record) => record,
        Progress::Need(_) => panic!("the host is not needed"),
    }
}

/// Returns the time of the last command.
fn time_to_run(commands: &[String]) -> Duration {
    let mut session = session();
    let (last, first) = commands.split_last().unwrap();
    for command in first {
        execute(&mut session, command);
    }
    let start = Instant::now();
    let record = execute(&mut session, last);
    let time = start.elapsed();
    let status = record.get("status").unwrap();
    assert!(
        ["success", "empty"].contains(&status.as_text().unwrap()),
        "{status:?}: {}",
        record.get("errors").unwrap_or(&Value::Null).to_text(),
    );
    time
}

fn time_to_check(commands: &[String]) -> Duration {
    let start = Instant::now();
    let diagnostics = check(commands.last().unwrap());
    let text = commands.last().unwrap();
    let start_of_text: String = text.chars().take(60).collect();
    assert!((1..=101).contains(&diagnostics.len()), "{start_of_text}: {}", diagnostics.len());
    start.elapsed()
}

/// Fails if ten times the size takes forty times as long. Other processes run on the machine: times
/// have a minimum, and a shape has five tries. A quadratic algorithm fails each of them.
fn check_growth(shapes: &[(&str, Shape)], time: fn(&[String]) -> Duration) {
    let (few, many) = if cfg!(debug_assertions) { (400, 4_000) } else { (2_000, 20_000) };
    for (name, shape) in shapes {
        let (few, many) = (shape(few), shape(many));
        let best = |commands: &[String]| (0..2).map(|_| time(commands)).min().unwrap();
        let is_linear = (0..5).any(|_| best(&many) < best(&few).max(Duration::from_millis(4)) * 40);
        assert!(is_linear, "{name}: ten times the length takes 40 times as long");
    }
}

#[test]
fn valid_commands_take_linear_time() {
    check_growth(&VALID, time_to_run);
}

#[test]
fn invalid_commands_take_linear_time() {
    check_growth(&INVALID, time_to_check);
}

/// Prints the times: `cargo test --release --test gasl_growth -- --ignored --nocapture`.
#[test]
#[ignore = "a measurement"]
fn times() {
    for (shapes, time) in
        [(&VALID[..], time_to_run as fn(&[String]) -> Duration), (&INVALID[..], time_to_check)]
    {
        for (name, shape) in shapes {
            let [a, b, c] = [200, 2_000, 20_000].map(|count| time(&shape(count)));
            println!("{name:30} {a:10.2?} {b:10.2?} {c:10.2?}");
        }
    }
}
