//! Random plans with random responses of the host.

use byname::base::Value;
use byname::gasl::caps::Caps;
use byname::gasl::core::SessionSetup;
use byname::gasl::effect::{Effect, HostResponse, Progress};
use byname::gasl::graph_access::GraphAccess;
use byname::gasl::import::{ImportLimits, read_node_link};
use byname::gasl::session::Session;
use byname::gasl::task::solve::SolveBudget;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use std::rc::Rc;

const NOW: &str = "2026-01-02T03:04:05.000Z";

/// Plan with the behaviour of its host, run directly or in a solve loop.
#[derive(Clone, Debug)]
pub struct Run {
    commands: Vec<String>,
    stop_on_error: bool,
    continue_on_empty: bool,
    replies: Vec<Reply>,
    /// Index of the effect at which the host stops the task.
    stopped_at: Option<usize>,
    looped: bool,
}

#[derive(Clone, Debug)]
enum Reply {
    Text(String),
    Fails,
    /// The host runs a command before it responds.
    Beside(String),
}

pub fn run() -> BoxedStrategy<Run> {
    let replies = vec(reply(), 0..6);
    let stopped_at = prop::option::of(0usize..12);
    (block(), any::<[bool; 3]>(), replies, stopped_at)
        .prop_map(|(commands, [stop_on_error, continue_on_empty, looped], replies, stopped_at)| {
            Run { commands, stop_on_error, continue_on_empty, replies, stopped_at, looped }
        })
        .boxed()
}

fn reply() -> BoxedStrategy<Reply> {
    let texts = select(vec![
        r#"{"items": [{"id": 1}], "provenance": [{"item": 0, "input_id": "a"}]}"#,
        r#"{"items": [], "provenance": []}"#,
        r#"{"items": [{"id": 1}], "provenance": [{"item": 0, "input_id": "unknown"}]}"#,
        r#"{"rationale": "r"}"#,
        "nonsense",
        r#"{"decision": "continue"}"#,
        "COMPLETE: done",
        r#"{"plan_id": "q", "why": "w", "commands": ["TRY", "CANCEL PLAN \"q\"", "FINALLY", "SHOW unknown", "END"]}"#,
    ]);
    prop_oneof![
        4 => texts.prop_map(|text| Reply::Text(text.to_owned())),
        1 => Just(Reply::Fails),
        1 => select(vec!["CANCEL PLAN \"p\"", "FIND nodes AS v", "DECLARE b AS LIST", "nonsense", "UPDATE k WITH v"])
            .prop_map(|command| Reply::Beside(command.to_owned())),
    ]
    .boxed()
}

/// Returns commands and closed blocks.
fn block() -> BoxedStrategy<Vec<String>> {
    let step = select(vec![
        "FIND nodes AS v",
        "FIND nodes WHERE t = none AS v",
        "FIND nodes WHERE nowhere = 1 AS v",
        "FIND paths AS v",
        "SELECT v FIELDS id AS w",
        "SHOW unknown",
        "ASSERT 1 = 2",
        "REQUIRE EXISTS v",
        "ASSERT ${v} = 1",
        "DECLARE k AS LIST",
        "UPDATE k WITH v",
        "COUNT v BY nowhere AS n",
        "ON EMPTY v THEN FIND nodes AS v",
        "ON ERROR n THEN ASSERT 1 = 2",
        "ON SCHEMA_MISMATCH m THEN CANCEL PLAN \"p\"",
        "BRANCH IF EXISTS k THEN SHOW k ELSE SHOW unknown",
        "PROCESS v USING \"do\" AS m",
        "ANALYZE k USING \"why\" AS a",
        "CANCEL PLAN \"p\"",
        "CANCEL PLAN \"other\"",
        "SET adapter.caps.max_results = 1",
    ]);
    let steps = vec(step.prop_map(str::to_owned), 1..4);
    let nested = steps.prop_recursive(3, 24, 3, |inner| {
        let maybe = || prop::option::of(inner.clone());
        let tried = (inner.clone(), maybe(), maybe()).prop_map(|(body, catch, finally)| {
            let mut lines = vec!["TRY".to_owned()];
            lines.extend(body);
            for (word, part) in [("CATCH ANY", catch), ("FINALLY", finally)] {
                if let Some(part) = part {
                    lines.push(word.to_owned());
                    lines.extend(part);
                }
            }
            lines.push("END".to_owned());
            lines
        });
        vec(prop_oneof![tried, inner], 1..3).prop_map(|parts| parts.concat())
    });
    nested.boxed()
}

fn session() -> Session {
    let text = r#"{"nodes": [{"id": "a", "t": "x"}, {"id": "b", "t": "y"}], "links": [{"source": "a", "target": "b"}]}"#;
    let (graph, _) = read_node_link(text.as_bytes(), ImportLimits::default()).unwrap();
    let setup = SessionSetup { has_model: true, retries: 1, ..SessionSetup::default() };
    Session::new(GraphAccess::Memory(Rc::new(graph)), setup, Caps::default(), None, NOW).unwrap()
}

pub fn check(run: Run) {
    let mut session = session();
    let flags =
        [("stop_on_error", run.stop_on_error), ("continue_on_empty", run.continue_on_empty)];
    let commands = run.commands.iter().map(|text| Value::from(text.as_str())).collect();
    let plan = Value::map([
        ("plan_id", Value::from("p")),
        ("why", "w".into()),
        ("commands", Value::list(commands)),
        ("config", Value::map(flags.map(|(key, flag)| (key, Value::Bool(flag))))),
    ]);
    let mut replies = run.replies.iter().cloned().rev().collect::<Vec<_>>();
    let turn = if run.looped {
        replies.push(Reply::Text(plan.to_text()));
        session.solve("q", SolveBudget { plans: 3, ..SolveBudget::default() }, NOW)
    } else {
        session.run(&plan, NOW)
    };
    let result = drive(&mut session, turn, &mut replies, run.stopped_at);
    assert!(!session.is_busy(), "{result:?}");
    assert!(
        session.core().active_plan_ids.is_empty() && session.core().cancelled.is_empty(),
        "{result:?}"
    );
    if run.stopped_at.is_none() && !run.looped {
        check_result(&run, &result);
    }
    let plan = r#"{"plan_id": "after", "why": "w", "commands": ["SET adapter.caps.max_results = 9", "FIND nodes AS v"]}"#;
    let turn = session.run(&plan.into(), NOW);
    let result = drive(&mut session, turn, &mut Vec::new(), None);
    assert_eq!(result.get("status").and_then(Value::as_text), Some("completed"), "{result:?}");
}

/// Checks the result of a plan that was not stopped.
fn check_result(run: &Run, result: &Value) {
    let status = result.get("status").and_then(Value::as_text).unwrap();
    let records = result.get("records").and_then(Value::as_list).unwrap();
    let word = |record: &Value| record.get("status").and_then(Value::as_text).unwrap().to_owned();
    let last = records.last().map(word);
    match status {
        "stopped_empty" => assert!(!run.continue_on_empty, "{result:?}"),
        "failed" => {
            assert!(
                records.iter().any(|record| ["error", "binding_failure", "schema_mismatch"]
                    .contains(&&*word(record))),
                "{result:?}"
            )
        }
        "cancelled" => assert!(
            run.commands.iter().any(|text| text.contains("CANCEL"))
                || run.replies.iter().any(|reply| matches!(reply, Reply::Beside(_))),
            "{result:?}"
        ),
        _ => assert!(status == "completed" && last.is_some(), "{result:?}"),
    }
}

fn drive(
    session: &mut Session,
    first: byname::gasl::session::TaskUpdate,
    replies: &mut Vec<Reply>,
    stopped_at: Option<usize>,
) -> Value {
    let mut turn = first;
    let mut stopped = false;
    for asked in 0..2_000 {
        let task = turn.task;
        let effect = match turn.next {
            Progress::Done(value) => return value,
            Progress::Need(effect) => effect,
        };
        if stopped_at == Some(asked) && !stopped {
            stopped = true;
            turn = session.cancel(task, "aborted", NOW).unwrap();
            continue;
        }
        let answer = match effect {
            Effect::Ask(_) => match replies.pop() {
                Some(Reply::Text(text)) => HostResponse::Value(text.as_str().into()),
                Some(Reply::Fails) | None => HostResponse::Failed("down".to_owned().into()),
                Some(Reply::Beside(command)) => {
                    let beside = session.execute(&command, "", NOW);
                    drive(session, beside, &mut Vec::new(), None);
                    HostResponse::Value(r#"{"rationale": "r"}"#.into())
                }
            },
            _ => HostResponse::Value(Value::Null),
        };
        turn = session.resume(task, answer, NOW).unwrap();
    }
    panic!("it never ends");
}
