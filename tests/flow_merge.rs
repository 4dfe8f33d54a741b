//! Merged workflows give the same results as their parts.

#![cfg(feature = "flow")]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)] // A failed test panics.

use byname::base::json::Limits;
use byname::base::{Diagnostic, Value};
use byname::flow::compile::{Flow, WorkflowCompileOptions, compile};
use byname::flow::merge::merge_workflows;
use byname::flow::naming_cache::NamingCache;
use byname::flow::run::{HostRequest, HostResponse, HostTime, Run, RunOptions};
use std::collections::BTreeMap;
use std::rc::Rc;

const REGISTRY: &str = r#"{
    "http": {"inputs": ["url"], "outputs": ["response", {"key": "status", "optional": true}]},
    "llm": {"inputs": ["prompt"], "outputs": ["text"]},
    "cache": {"inputs": ["response"], "outputs": ["response"]},
    "route": {"inputs": ["text"], "outputs": [], "actions": ["again", "done"]}
}"#;

const SUMMARY: &str = r#"{
    "inputs": {"page": {"default": "A"}},
    "nodes": [
        {"id": "fetch", "type": "http", "params": {"url": "$page?x=$$5"}},
        {"id": "cache", "type": "cache"},
        {"id": "sum", "type": "llm", "params": {"prompt": "Sum ${fetch.response} of $response, ${fetch.status ?? \"no \\\"status\\\"\"}"}}
    ],
    "outputs": {"text": {}, "page": "${fetch.response}", "price": "$5 for ${text}"}
}"#;

const TRANSLATION: &str = r#"{
    "inputs": {"pages": {"default": ["B", "C"]}},
    "nodes": [
        {"id": "fetch", "type": "http", "params": {"url": "$item of ${pages[-1]}"}, "batch": {"items": "$pages"}},
        {"id": "translate", "type": "llm", "params": {"prompt": "Translate ${fetch.response[0]}"}},
        {"id": "check", "type": "route"}
    ],
    "edges": [
        {"from": "fetch", "to": "translate"}, {"from": "translate", "to": "check"},
        {"from": "check", "to": "translate", "action": "again"}, {"from": "check", "to": "END", "action": "done"}
    ],
    "start_node": "fetch",
    "mappings": {"translate": {"output_mappings": {"text": "german"}}, "check": {"input_mappings": {"text": "german"}}},
    "outputs": {"text": {"source": "${german}"}}
}"#;

fn parse(text: &str) -> Value {
    let (value, errors) = Value::parse(text.as_bytes(), Limits::default());
    value.unwrap_or_else(|| panic!("{errors:?} {text}"))
}

fn compiled(workflow: &Value) -> (Rc<Flow>, Vec<Diagnostic>) {
    let options = WorkflowCompileOptions::default();
    let (flow, diagnostics) =
        compile(workflow, &parse(REGISTRY), &options, &mut NamingCache::default());
    let flow = flow.unwrap_or_else(|| panic!("{diagnostics:?} {}", workflow.to_text()));
    (Rc::new(flow), diagnostics)
}

/// Runs a workflow; returns the arguments of each call by node and iteration, and the outputs. `prefix` is
/// removed from ids.
fn run(workflow: &Value, concurrency: usize) -> (BTreeMap<String, String>, Value) {
    let (flow, _) = compiled(workflow);
    let types = ["http", "llm", "cache", "route"].map(str::to_owned).to_vec();
    let options = RunOptions { types, concurrency, ..RunOptions::default() };
    let now = HostTime { time: "2026-01-01T00:00:00Z", clock: 0.0 };
    let (mut run, mut update) = Run::begin(flow, options, now);
    let mut calls = BTreeMap::new();
    let mut open = Vec::new();
    loop {
        open.extend(update.effects);
        if let Some(done) = update.done {
            assert_eq!(
                done.get("status").unwrap().as_text(),
                Some("completed"),
                "{}",
                done.to_text()
            );
            return (calls, done.get("outputs").unwrap().clone());
        }
        let HostRequest::Call { invocation, node, kind, call, iteration, index, .. } =
            open.remove(0)
        else {
            panic!("no retries")
        };
        let arguments =
            Value::map([("params", call.params.into()), ("inputs", call.inputs.into())]);
        let id = node.rsplit('_').next().unwrap();
        calls.insert(format!("{node} {iteration} {index:?}"), arguments.to_text());
        let response = match &*kind {
            "route" if iteration < 2 => r#"{"outputs": {}, "action": "again"}"#.to_owned(),
            "route" => r#"{"outputs": {}, "action": "done"}"#.to_owned(),
            "llm" => format!(r#"{{"outputs": {{"text": "{id} {iteration}"}}}}"#),
            _ => format!(r#"{{"outputs": {{"response": "{id} {index:?}"}}}}"#),
        };
        update = run.resume(invocation, HostResponse::Value(parse(&response)), now);
    }
}

fn merged(parts: &[(&str, &Value)]) -> Value {
    let parts = Value::map_of(parts.iter().map(|(name, part)| (*name, (*part).clone())).collect());
    let (workflow, diagnostics) = merge_workflows(&parts);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    workflow.unwrap()
}

#[test]
fn merged_workflows_run_like_their_parts() {
    let (summary, translation) = (parse(SUMMARY), parse(TRANSLATION));
    let inner = merged(&[("x", &summary), ("y", &translation)]);
    let pairs: [&[(&str, &Value)]; 4] = [
        &[("a", &summary), ("b", &translation)],
        &[("b", &translation), ("a", &summary)],
        &[("a", &summary), ("b", &summary)],
        &[("a", &inner), ("b", &inner), ("c", &translation)],
    ];
    for parts in pairs {
        let whole = merged(parts);
        for concurrency in [1, 8] {
            let (calls, outputs) = run(&whole, concurrency);
            let mut expected = BTreeMap::new();
            let mut count = 0;
            for (name, part) in parts {
                let (calls, part_outputs) = run(part, 1);
                expected.extend(calls.into_iter().map(|(id, call)| (format!("{name}_{id}"), call)));
                for (key, value) in part_outputs.entries() {
                    count += 1;
                    assert_eq!(outputs.get(&format!("{name}_{key}")), Some(value), "{name} {key}");
                }
            }
            assert_eq!(calls, expected, "concurrency {concurrency}: {}", whole.to_text());
            assert_eq!(outputs.entries().count(), count);
        }
    }
}

#[test]
fn a_merged_workflow_has_no_new_diagnostics() {
    let (summary, translation) = (parse(SUMMARY), parse(TRANSLATION));
    let whole = merged(&[("a", &summary), ("b", &translation)]);
    let codes = |workflow: &Value| -> Vec<&str> {
        let (_, diagnostics) = compiled(workflow);
        let mut codes: Vec<&str> = diagnostics.iter().map(|one| one.code.id).collect();
        codes.retain(|code| *code != "FLOW033");
        codes.sort_unstable();
        codes
    };
    let mut parts = codes(&summary);
    parts.extend(codes(&translation));
    parts.sort_unstable();
    assert_eq!(codes(&whole), parts);
}

#[test]
fn qualifies_ids_edges_templates_inputs_and_outputs() {
    let whole = merged(&[("a", &parse(SUMMARY)), ("b", &parse(TRANSLATION))]);
    let at = |path: &[&str]| {
        let step = |value: Value, key: &&str| match key.parse::<usize>() {
            Ok(index) => value.as_list().unwrap()[index].clone(),
            Err(_) => value.get(key).unwrap().clone(),
        };
        path.iter().fold(whole.clone(), step).to_text()
    };
    assert_eq!(
        at(&["nodes", "0"]),
        r#"{"id":"a_fetch","type":"http","params":{"url":"$a_page?x=$$5"},"scope":"a"}"#
    );
    let prompt = at(&["nodes", "2", "params", "prompt"]);
    let expected =
        r#""Sum ${a_fetch.response} of $a_response, ${a_fetch.status ?? \"no \\\"status\\\"\"}""#;
    assert_eq!(prompt, expected);
    assert_eq!(at(&["nodes", "3", "params", "url"]), r#""$item of ${b_pages[-1]}""#);
    assert_eq!(at(&["nodes", "3", "batch", "items"]), r#""$b_pages""#);
    assert_eq!(at(&["edges", "2"]), r#"{"from":"a_sum","to":"END"}"#);
    assert_eq!(at(&["edges", "6"]), r#"{"from":"b_check","to":"END","action":"done"}"#);
    assert_eq!(at(&["start_node"]), r#"["a_fetch","b_fetch"]"#);
    assert_eq!(at(&["inputs"]), r#"{"a_page":{"default":"A"},"b_pages":{"default":["B","C"]}}"#);
    assert_eq!(at(&["outputs", "a_price"]), r#""$$5 for ${a_text}""#);
    assert_eq!(at(&["outputs", "b_text"]), r#"{"source":"${b_german}"}"#);
    assert_eq!(at(&["mappings", "b_check"]), r#"{"input_mappings":{"text":"b_german"}}"#);
}

#[test]
fn reports_names_that_overlap_and_invalid_parts() {
    let codes = |parts: &str| -> Vec<String> {
        let (workflow, diagnostics) = merge_workflows(&parse(parts));
        assert!(workflow.is_none());
        diagnostics.into_iter().map(|one| one.message.to_string()).collect()
    };
    let nodes = r#"{"nodes": [{"id": "x", "type": "t"}]}"#;
    assert_eq!(
        codes(&format!(r#"{{"a": {nodes}, "a_b": {nodes}}}"#)),
        ["the names `a` and `a_b` overlap"]
    );
    assert_eq!(codes(&format!(r#"{{"a b": {nodes}}}"#)), ["invalid name `a b` of a workflow"]);
    assert_eq!(codes(r#"{"a": {}}"#), ["expected a workflow with `nodes` for `a`"]);
    assert_eq!(codes("[]"), ["expected an object of workflows"]);
    assert_eq!(codes(r#"{"a": {"nodes": [{"type": "t"}]}}"#), ["missing `id` of the node"]);
}

#[test]
fn generated_mappings_of_a_merged_workflow_can_be_stored() {
    let mut whole = merged(&[("a", &parse(SUMMARY)), ("b", &parse(SUMMARY))]);
    let (calls, outputs) = run(&whole, 1);
    let (flow, _) = compiled(&whole);
    let mappings = flow.mappings();
    if let Value::Map(map) = &mut whole {
        let mut with = byname::base::value::Map::clone(map);
        with.insert("mappings".into(), mappings);
        assert_eq!(run(&with.into(), 1), (calls, outputs));
    }
}
