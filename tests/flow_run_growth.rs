//! Counts the work of finding the nodes that can start: it is proportional to the size of the workflow.

#![cfg(feature = "flow")]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)] // A failed test panics.

use byname::base::value::Map;
use byname::base::{Value, json::Limits};
use byname::flow::compile::{Flow, WorkflowCompileOptions, compile};
use byname::flow::naming_cache::NamingCache;
use byname::flow::run::{HostRequest, HostResponse, HostTime, Run, RunOptions, RunUpdate};
use std::rc::Rc;

const NOW: HostTime<'_> = HostTime { time: "2026-01-02T03:04:05.000Z", clock: 0.0 };

/// Returns an edge `from to` or `from to action`.
fn edge(text: &str) -> String {
    let words: Vec<&str> = text.split(' ').collect();
    let action = words.get(2).copied().unwrap_or("default");
    format!(r#"{{"from": "{}", "to": "{}", "action": "{action}"}}"#, words[0], words[1])
}

fn compiled(ids: &[String], edges: &[String], start: &str) -> Rc<Flow> {
    let actions = r#"["default", "again"]"#;
    let node = |id: &String| format!(r#"{{"id": "{id}", "type": "t", "actions": {actions}}}"#);
    let nodes: Vec<String> = ids.iter().map(node).collect();
    let edges: Vec<String> = edges.iter().map(|text| edge(text)).collect();
    let text = format!(
        r#"{{"nodes": [{}], "edges": [{}], "start_node": "{start}"}}"#,
        nodes.join(","),
        edges.join(",")
    );
    let workflow = Value::parse(text.as_bytes(), Limits { bytes: usize::MAX, ..Limits::default() });
    let registry = Value::parse(br#"{"t": {}}"#, Limits::default()).0.unwrap();
    let options = WorkflowCompileOptions::default();
    let mut cache = NamingCache::default();
    let (flow, diagnostics) = compile(&workflow.0.unwrap(), &registry, &options, &mut cache);
    Rc::new(flow.unwrap_or_else(|| panic!("{diagnostics:?}")))
}

/// Runs a workflow; `respond` returns the action of a call, or `None` to suspend it. Returns the result, the
/// ids of the calls, and the counted work.
fn run(
    flow: &Rc<Flow>,
    options: RunOptions,
    respond: &dyn Fn(&str, usize) -> Option<&'static str>,
) -> (Value, Vec<String>, usize) {
    let (mut run, update) = Run::begin(flow.clone(), options, NOW);
    let mut calls = Vec::new();
    let mut open = std::collections::VecDeque::new();
    let mut done = None;
    let mut receive = |update: RunUpdate, open: &mut std::collections::VecDeque<_>| {
        for request in update.effects {
            let HostRequest::Call { invocation, node, iteration, continued, .. } = request else {
                continue;
            };
            calls.push(node.to_string());
            open.push_back((invocation, node, iteration, continued.resumed.is_some()));
        }
        if let Some(result) = update.done {
            done = Some(result);
        }
    };
    receive(update, &mut open);
    while let Some((invocation, node, iteration, is_answered)) = open.pop_front() {
        let response = match respond(&node, iteration) {
            None if !is_answered => HostResponse::Suspended(Value::Null),
            action => HostResponse::Value(Value::map([
                ("outputs", Map::default().into()),
                ("action", action.unwrap_or("default").into()),
            ])),
        };
        let update = run.resume(invocation, response, NOW);
        receive(update, &mut open);
    }
    let count = run.examined_node_count();
    (done.unwrap(), calls, count)
}

fn options(concurrency: usize) -> RunOptions {
    RunOptions { concurrency, types: vec!["t".to_owned()], ..RunOptions::default() }
}

/// Ids and edges of a workflow of about a given size that starts at `s`.
type Shape = fn(usize) -> (Vec<String>, Vec<String>);

fn ids(names: &[&str], letter: &str, count: usize) -> Vec<String> {
    let named = names.iter().map(|name| (*name).to_owned());
    named.chain((0..count).map(|index| format!("{letter}{index}"))).collect()
}

/// Fork whose branches join.
fn fork(count: usize) -> (Vec<String>, Vec<String>) {
    let mut all = ids(&["s"], "a", count);
    all.push("end".to_owned());
    let edges = (0..count).flat_map(|index| [format!("s a{index}"), format!("a{index} end")]);
    (all, edges.collect())
}

/// Fork after a loop.
fn fork_after_loop(count: usize) -> (Vec<String>, Vec<String>) {
    let (mut all, mut edges) = fork(count);
    all[0] = "head".to_owned();
    all.insert(1, "tail".to_owned());
    all.insert(0, "s".to_owned());
    edges.iter_mut().for_each(|edge| *edge = edge.replace("s a", "tail a"));
    edges.extend(["s head", "head tail", "tail head again"].map(str::to_owned));
    (all, edges)
}

/// Fork in a loop, with another loop in one of its branches.
fn fork_in_loop(count: usize) -> (Vec<String>, Vec<String>) {
    let (all, mut edges) = fork(count);
    edges.extend(["end s again", "a0 a0 again"].map(str::to_owned));
    (all, edges)
}

/// Chain, and nodes that wait for its end.
fn chain_with_waiting_nodes(count: usize) -> (Vec<String>, Vec<String>) {
    let half = count / 2;
    let mut all = ids(&["s"], "c", half);
    all.extend(ids(&[], "a", half));
    let mut edges: Vec<String> =
        (1..half).map(|index| format!("c{} c{index}", index - 1)).collect();
    edges.push("s c0".to_owned());
    edges.extend((0..half).map(|index| format!("s a{index}")));
    edges.extend((0..half).map(|index| format!("c{} a{index}", half - 1)));
    (all, edges)
}

const SHAPES: [(&str, Shape); 4] = [
    ("fork", fork),
    ("fork after a loop", fork_after_loop),
    ("fork in a loop", fork_in_loop),
    ("chain with waiting nodes", chain_with_waiting_nodes),
];

#[test]
fn finding_startable_nodes_is_linear() {
    for (name, shape) in SHAPES {
        for count in [500, 4_000] {
            let (ids, edges) = shape(count);
            let flow = compiled(&ids, &edges, "s");
            for concurrency in [1, count] {
                // Every node runs to its end.
                let finish = |_: &str, _: usize| Some("default");
                let (done, calls, work) = run(&flow, options(concurrency), &finish);
                assert_eq!(done.get("status").unwrap().as_text(), Some("completed"), "{name}");
                assert_eq!(calls.len(), ids.len(), "{name}");
                assert!(work <= 8 * (ids.len() + edges.len()), "{name}: {work} of {count}");
                // All branches are suspended at once.
                let suspend = |id: &str, _: usize| (!id.starts_with('a')).then_some("default");
                let (done, calls, work) = run(&flow, options(concurrency), &suspend);
                let waiting = done.get("waiting").unwrap().as_list().unwrap();
                let branches = ids.iter().filter(|id| id.starts_with('a')).count();
                assert_eq!(waiting.len(), branches, "{name}");
                assert!(!calls.contains(&"end".to_owned()), "{name}");
                assert!(work <= 8 * (ids.len() + edges.len()), "{name}: {work} of {count}");
            }
        }
    }
}

/// A loop that goes back does not make later iterations more expensive than the nodes that they run.
#[test]
fn iterations_cost_what_they_run() {
    let (ids, edges) = fork_after_loop(4_000);
    let flow = compiled(&ids, &edges, "s");
    let respond = |id: &str, iteration: usize| {
        Some(if id == "tail" && iteration < 500 { "again" } else { "default" })
    };
    let (done, calls, work) = run(&flow, options(8), &respond);
    assert_eq!(done.get("status").unwrap().as_text(), Some("completed"));
    assert_eq!(calls.len(), ids.len() + 2 * 499);
    assert!(work <= 8 * (calls.len() + edges.len()), "{work}");
}

#[test]
fn unused_answers_have_a_limited_number_of_warnings() {
    let (ids, edges) = fork(2_000);
    let flow = compiled(&ids, &edges, "s");
    let suspend = |id: &str, _: usize| (!id.starts_with('a')).then_some("default");
    let (paused, _, _) = run(&flow, options(1), &suspend);
    let mut answers = Map::default();
    for index in 0..4_000 {
        answers.insert(format!("a{index}").into(), Value::Null);
    }
    let resume = paused.get("trace").cloned();
    let (done, calls, _) = run(&flow, RunOptions { resume, answers, ..options(8) }, &suspend);
    assert_eq!(done.get("status").unwrap().as_text(), Some("completed"));
    // Each suspended node is called once more, and then the end.
    assert_eq!(calls.len(), 2_001);
    let diagnostics = done.get("diagnostics").unwrap().as_list().unwrap();
    assert_eq!(diagnostics.len(), 21);
    let last = diagnostics[20].get("message").unwrap().as_text().unwrap();
    assert!(last.starts_with("unused answers: 1980 more nodes do not wait for one"), "{last}");
}

#[test]
fn undeclared_outputs_have_a_limited_number_of_warnings() {
    let flow = compiled(&["s".to_owned(), "a".to_owned()], &["s a".to_owned()], "s");
    let (mut run, update) = Run::begin(flow, options(1), NOW);
    let HostRequest::Call { invocation, .. } = update.effects[0] else { panic!("no call") };
    let outputs: Map = (0..4_000).map(|index| (format!("k{index}").into(), Value::Null)).collect();
    let response = HostResponse::Value(Value::map([("outputs", outputs.into())]));
    run.resume(invocation, response, NOW);
    let done = run.cancel(NOW).done.unwrap();
    let diagnostics = done.get("diagnostics").unwrap().as_list().unwrap();
    assert_eq!(diagnostics.len(), 21);
    let last = diagnostics[20].get("message").unwrap().as_text().unwrap();
    assert!(last.starts_with("`s` does not declare 3980 more outputs: `k20`"), "{last}");
}
