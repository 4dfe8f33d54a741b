//! Plans with random replies of a model. Each one ends, with a status for each step, a state that
//! can be opened, and a recording whose replay ends in the same state.

use super::choices::Choices;
use super::gasl_graph;
use byname::base::Value;
use byname::gasl::caps::Caps;
use byname::gasl::core::SessionSetup;
use byname::gasl::effect::{Effect, HostResponse, Progress};
use byname::gasl::graph_access::GraphAccess;
use byname::gasl::recording;
use byname::gasl::session::{Session, TaskUpdate};
use byname::gasl::task::solve::SolveBudget;
use std::rc::Rc;

const NOW: &str = "2026-01-02T03:04:05.000Z";
/// Maximum number of effects of a task.
const EFFECTS: usize = 4_000;
const STATUSES: &[&str] =
    &["binding_failure", "error", "schema_mismatch", "partial", "empty", "success"];
const PLAN_STATUSES: &[&str] = &["completed", "failed", "stopped_empty", "cancelled"];

const VARIABLES: &[&str] =
    &["x", "y", "z", "rows", "k", "k.a", "n", "none", "x.id", "x.nodes", "where"];
const FIELDS: &[&str] = &[
    "id",
    "type",
    "name",
    "age",
    "tags",
    "`a b`",
    "meta.deep",
    "source",
    "nowhere",
    "count",
    "weight",
];
const VALUES: &[&str] = &[
    "1", "30", "-2.5", "\"ann\"", "person", "'a'", "null", "true", "${x}", "\"${n}\"", "${x.id}",
    "LEN ${x}", "\"\"",
];
const REPLIES: &[&str] = &[
    r#"{"items": [{"id": "a", "n": 1}], "provenance": [{"item": 0, "input_id": "a", "snippet": "ann"}]}"#,
    r#"{"items": [], "provenance": []}"#,
    r#"{"items": [1, null, {"id": 1}], "provenance": [{"item": 7, "input_id": "unknown"}]}"#,
    r#"{"rationale": "r", "evidence": ["a"]}"#,
    r#"[{"a": 1}, {"a": "2"}]"#,
    "nonsense",
    "```json\n{\"items\": []}\n```",
    r#"{"decision": "continue"}"#,
    "COMPLETE: done ${n}",
    r#"{"complete": "${x}"}"#,
    r#"{"plan_id": "q", "why": "w", "commands": ["TRY", "FIND nodes AS x", "FINALLY", "SHOW x", "END"]}"#,
    r#"{"plan_id": "p", "why": "w", "commands": ["COUNT x AS n", "COMPLETE: ${n}"]}"#,
];

pub fn check(data: &[u8]) {
    let mut choices = Choices::new(data);
    let graph = Rc::new(gasl_graph::graph(&mut choices));
    let setup =
        SessionSetup { has_model: true, retries: choices.below(2), ..SessionSetup::default() };
    let access = || GraphAccess::Memory(graph.clone());
    let caps = Caps { max_results: 200, max_expansions: 2_000, ..Caps::default() };
    let Ok(mut session) = Session::new(access(), setup.clone(), caps.clone(), None, NOW) else {
        panic!("no session")
    };
    let plan = plan(&mut choices);
    let is_solved = choices.one_in(6);
    let update = match is_solved {
        true => session.solve("q", SolveBudget { plans: 2, ..SolveBudget::default() }, NOW),
        false => session.run(&plan, NOW),
    };
    let result = drive(&mut session, update, &mut choices);
    assert!(!session.is_busy(), "a task is left");
    match is_solved {
        true => result
            .get("plans")
            .and_then(Value::as_list)
            .unwrap_or_default()
            .iter()
            .for_each(check_plan),
        false => check_plan(&result),
    }
    match choices.below(3) {
        0 => check_state(&session, access(), setup, caps),
        1 => check_fork(&session),
        _ => {
            let replayed = replay(&session, &graph, &plan, is_solved);
            assert_eq!(hash(&replayed), hash(&session), "the replay has another state");
        }
    }
}

fn hash(session: &Session) -> String {
    session.current_snapshot().get("hash").map_or_else(String::new, Value::to_text)
}

/// Responds to the effects of a task until it ends.
fn drive(session: &mut Session, first: TaskUpdate, choices: &mut Choices<'_>) -> Value {
    let mut update = first;
    for _ in 0..EFFECTS {
        let effect = match update.next {
            Progress::Done(value) => return value,
            Progress::Need(effect) => effect,
        };
        let response = match effect {
            Effect::Ask(_) if choices.is_empty() || choices.one_in(8) => {
                HostResponse::Failed("down".to_owned().into())
            }
            Effect::Ask(_) => HostResponse::Value(choices.pick(REPLIES).into()),
            _ => HostResponse::Value(Value::Null),
        };
        update = match session.resume(update.task, response, NOW) {
            Some(update) => update,
            None => panic!("the task is gone"),
        };
    }
    panic!("the task does not end")
}

fn check_plan(result: &Value) {
    let status = result.get("status").and_then(Value::as_text).unwrap_or_default();
    assert!(PLAN_STATUSES.contains(&status), "{status}");
    for record in result.get("records").and_then(Value::as_list).unwrap_or_default() {
        let status = record.get("status").and_then(Value::as_text).unwrap_or_default();
        assert!(STATUSES.contains(&status), "{}", record.to_text());
        let errors = record.get("errors").and_then(Value::as_list).unwrap_or_default();
        let is_error = |one: &&Value| one.get("severity").and_then(Value::as_text) == Some("error");
        for error in errors.iter().filter(is_error) {
            let help = error.get("help").and_then(Value::as_text);
            assert!(help.is_some_and(|help| !help.is_empty()), "{}", error.to_text());
        }
        if status == "success" || status == "empty" {
            assert!(!errors.iter().any(|one| is_error(&one)), "{}", record.to_text());
        }
    }
}

/// Opens the stored state in a new session, which has the same variables.
fn check_state(session: &Session, graph: GraphAccess, setup: SessionSetup, caps: Caps) {
    let state = session.state();
    let Ok(opened) = Session::new(graph, setup, caps, Some(&state), NOW) else {
        panic!("the state is rejected: {}", state.to_text())
    };
    assert_eq!(hash(&opened), hash(session), "the state has another hash when it is opened");
}

fn check_fork(session: &Session) {
    let Some(fork) = session.fork(None) else { panic!("no fork") };
    assert_eq!(hash(&fork), hash(session), "a fork has another state");
}

/// Runs the same task with the recorded replies.
fn replay(
    session: &Session,
    graph: &Rc<byname::gasl::graph::Graph>,
    plan: &Value,
    is_solved: bool,
) -> Session {
    let recorded = session.recording();
    let recording = recording::read_recording(&recorded);
    let recording = recording.unwrap_or_else(|error| panic!("{error:?}: {}", recorded.to_text()));
    let mut replayed = Session::from_recording(GraphAccess::Memory(graph.clone()), &recording, NOW)
        .unwrap_or_else(|error| panic!("{error:?}"));
    replayed.replay_from(recording.exchanges, true);
    let update = match is_solved {
        true => replayed.solve("q", SolveBudget { plans: 2, ..SolveBudget::default() }, NOW),
        false => replayed.run(plan, NOW),
    };
    drive(&mut replayed, update, &mut Choices::new(&[]));
    replayed
}

fn plan(choices: &mut Choices<'_>) -> Value {
    let mut commands = Vec::new();
    for _ in 0..1 + choices.below(8) {
        match choices.below(12) {
            0 => {
                commands.push("TRY".to_owned());
                commands.push(command(choices));
                commands.extend(choices.one_in(2).then(|| "CATCH ANY".to_owned()));
                commands.push(command(choices));
                commands.extend(choices.one_in(2).then(|| "FINALLY".to_owned()));
                commands.push(command(choices));
                commands.push("END".to_owned());
            }
            _ => commands.push(command(choices)),
        }
    }
    let commands = commands.iter().map(|text| Value::from(text.as_str())).collect();
    let config = [
        ("stop_on_error", Value::Bool(choices.one_in(2))),
        ("continue_on_empty", Value::Bool(choices.below(3) > 0)),
    ];
    Value::map([
        ("plan_id", Value::from("p")),
        ("why", "w".into()),
        ("commands", Value::list(commands)),
        ("config", Value::map(config)),
    ])
}

fn command(choices: &mut Choices<'_>) -> String {
    let mut pick = |items: &[&'static str]| choices.pick(items);
    let [input, other, output] =
        [pick(VARIABLES), pick(VARIABLES), pick(&["x", "y", "z", "rows", "n"])];
    let [field, second, value] = [pick(FIELDS), pick(FIELDS), pick(VALUES)];
    let test = match pick(&["=", "CONTAINS", "IN", "<", "IS NULL", "EXISTS"]) {
        "IN" => format!("{field} IN [{value}, 1, \"b\"]"),
        "IS NULL" => format!("{field} IS NOT NULL OR {second} = {value}"),
        "EXISTS" => format!("EXISTS {field} AND NOT {second} = {value}"),
        operator => format!("{field} {operator} {value}"),
    };
    match choices.below(32) {
        0..=3 => format!("FIND nodes WHERE {test} AS {output}"),
        4 => format!("FIND nodes AS {output}"),
        5 => format!("FIND edges WHERE {test} LIMIT 3 AS {output}"),
        6 => format!("FIND edges AS {output}"),
        7 => format!("FIND paths WHERE start.{test} AND length <= 2 AS {output}"),
        8 => format!(
            "FIND shortest paths WHERE start.id = a AND end.{test} WEIGHT weight AS {output}"
        ),
        9 => format!(
            "MEASURE {} OF {input} AS {output}",
            choices.pick(&[
                "degree",
                "pagerank",
                "components",
                "betweenness",
                "closeness",
                "triangles"
            ])
        ),
        10 => format!("WALK FROM {input} FOLLOW {test} DEPTH 2 AS {output}"),
        11 => format!("WALK FROM {input} DIRECTION any AS {output}"),
        12 => format!("SELECT {input} FIELDS {field}, {second}:other WHERE {test} AS {output}"),
        13 => format!("SELECT DISTINCT {input} FIELDS {field} LIMIT 2 AS {output}"),
        14 => format!("COUNT {input} BY {field} AS {output}"),
        15 => format!("COUNT {input} AS n"),
        16 => format!(
            "AGGREGATE {input} BY {field} WITH sum OF {second}, list OF id, distinct OF {second} AS {output}"
        ),
        17 => format!("AGGREGATE {input} WITH min OF {field}, avg OF {second}, count AS {output}"),
        18 => format!("RANK {input} BY {field} ASC LIMIT 3 AS {output}"),
        19 => format!("JOIN {input} WITH {other} ON {field} = {second} AS {output}"),
        20 => format!("LEFT JOIN {input} WITH {other} ON {field} AS {output}"),
        21 => format!("UNION {input} WITH {other} DISTINCT AS {output}"),
        22 => format!("DECLARE k AS {}", choices.pick(&["LIST", "DICT", "COUNTER"])),
        23 | 24 => format!("UPDATE k WITH {input} {}", choices.pick(&["MERGE", "REPLACE", ""])),
        25 => format!("PROCESS {input} USING \"do ${{n}} {field}\" AS {output}"),
        26 => format!(
            "PROCESS {input} USING \"do\" RETURNING {{\"type\":\"array\",\"items\":{{\"type\":\"object\"}}}} AS {output}"
        ),
        27 => format!("ANALYZE {input} USING \"why\" AS {output}"),
        28 => format!("SHOW {input} FIELDS {field} LIMIT 2 OFFSET 1"),
        29 => format!(
            "ON {} {output} THEN FIND nodes WHERE {test} AS {output}",
            choices.pick(&["EMPTY", "ERROR", "PARTIAL"])
        ),
        30 => format!("BRANCH IF LEN({input}) > 1 THEN COUNT {input} AS n ELSE SHOW {other}"),
        _ => format!(
            "SET adapter.caps.{} = {}",
            choices.pick(&[
                "max_results",
                "max_excerpt_items",
                "direction",
                "case_sensitive",
                "max_path_length"
            ]),
            choices.pick(&["1", "2", "any", "out", "true", "0", "-1"])
        ),
    }
}
