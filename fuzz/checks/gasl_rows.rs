//! Conditions: `FIND`, which tests columns of the graph, selects the same rows as `SELECT`, which tests
//! rows one by one.

use super::choices::Choices;
use super::gasl_graph;
use byname::base::Value;
use byname::gasl::caps::Caps;
use byname::gasl::core::SessionSetup;
use byname::gasl::effect::{HostResponse, Progress};
use byname::gasl::graph_access::GraphAccess;
use byname::gasl::session::Session;
use std::rc::Rc;

const NOW: &str = "2026-01-02T03:04:05.000Z";
const FIELDS: &[&str] =
    &["id", "type", "name", "age", "tags", "`a b`", "meta", "meta.deep", "weight"];
const EDGE_FIELDS: &[&str] = &["source", "target", "id", "type", "weight", "name"];
const VALUES: &[&str] = &[
    "1",
    "30",
    "-2.5",
    "0",
    "1e300",
    "\"30\"",
    "ann",
    "\"Ann\"",
    "\"person\"",
    "\"\"",
    "null",
    "true",
    "\"a\"",
    "a",
    "\"ä\"",
    "\"1\"",
    "e0",
];

pub fn check(data: &[u8]) {
    let mut choices = Choices::new(data);
    let graph = Rc::new(gasl_graph::graph(&mut choices));
    // `FIND` tests both orientations of an undirected edge.
    let has_edges = choices.one_in(3) && graph.is_directed();
    let (rows, fields) = if has_edges { ("edges", EDGE_FIELDS) } else { ("nodes", FIELDS) };
    let caps = Caps { case_sensitive: choices.one_in(3), ..Caps::default() };
    let condition = condition(&mut choices, fields, 0);
    let setup = SessionSetup::default();
    let Ok(mut session) = Session::new(GraphAccess::Memory(graph.clone()), setup, caps, None, NOW)
    else {
        panic!("no session")
    };
    execute(&mut session, &format!("FIND {rows} WHERE {condition} AS found"));
    execute(&mut session, &format!("FIND {rows} AS all"));
    let selected = execute(&mut session, &format!("SELECT all WHERE {condition} AS selected"));
    // A field that no row has is an error of `SELECT` only.
    if selected != "success" && selected != "empty" {
        return;
    }
    let ids = |name: &str| {
        let value = session.variable(name).unwrap_or_default();
        let rows = value.as_list().unwrap_or_default();
        rows.iter().map(|row| row.get("id").unwrap_or(&Value::Null).to_text()).collect::<Vec<_>>()
    };
    assert_eq!(ids("found"), ids("selected"), "{rows} {condition}: {}", graph.to_json());
}

/// Runs a command and returns its status.
fn execute(session: &mut Session, command: &str) -> String {
    let mut update = session.execute(command, "w", NOW);
    loop {
        match update.next {
            Progress::Done(record) => {
                return record
                    .get("status")
                    .and_then(Value::as_text)
                    .unwrap_or_default()
                    .to_owned();
            }
            Progress::Need(_) => {
                let response = HostResponse::Value(Value::Null);
                update =
                    session.resume(update.task, response, NOW).unwrap_or_else(|| panic!("no task"));
            }
        }
    }
}

fn condition(choices: &mut Choices<'_>, fields: &[&'static str], depth: usize) -> String {
    let field = choices.pick(fields);
    let value = choices.pick(VALUES);
    match choices.below(16) {
        0 | 1 if depth < 3 => {
            let [a, b] =
                [condition(choices, fields, depth + 1), condition(choices, fields, depth + 1)];
            format!("({a} AND {b})")
        }
        2 | 3 if depth < 3 => {
            let [a, b] =
                [condition(choices, fields, depth + 1), condition(choices, fields, depth + 1)];
            format!("({a} OR {b})")
        }
        4 if depth < 3 => format!("NOT ({})", condition(choices, fields, depth + 1)),
        5 => format!("{field} IS NULL"),
        6 => format!("{field} IS NOT NULL"),
        7 => format!("EXISTS {field}"),
        8 => format!("{field} IN [{value}, {}]", choices.pick(VALUES)),
        9 => format!("{field} NOT IN [{value}]"),
        10 => {
            format!("{field} {} {value}", choices.pick(&["CONTAINS", "STARTS_WITH", "ENDS_WITH"]))
        }
        11 => format!("{field} = {}", choices.pick(fields)),
        _ => format!("{field} {} {value}", choices.pick(&["=", "!=", "<", "<=", ">", ">="])),
    }
}
