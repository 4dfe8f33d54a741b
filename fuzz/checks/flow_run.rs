//! Runs of workflows: concurrency does not change the result, and a run that was cancelled and resumed
//! has the result of one that was not.

use super::choices::Choices;
use super::diagnostics;
use byname::base::json::Limits;
use byname::base::value::Map;
use byname::base::{Diagnostic, Value};
use byname::flow::compile::{Flow, WorkflowCompileOptions, compile};
use byname::flow::naming_cache::NamingCache;
use byname::flow::run::{HostRequest, HostResponse, HostTime, Run, RunOptions, RunUpdate};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::rc::Rc;

const NOW: HostTime<'_> = HostTime { time: "2026-01-02T03:04:05.000Z", clock: 0.0 };
const MAX_STEPS: usize = 60;
const STATUSES: &[&str] = &["completed", "failed", "cancelled"];
const TYPES: &[&str] = &["one", "two", "list", "maybe", "act", "effect"];
const REGISTRY: &str = r#"{"one": {"inputs": ["y"], "outputs": ["x"]},
    "two": {"inputs": ["x", "y"], "outputs": ["y", "z"]}, "list": {"inputs": ["x"], "outputs": ["l"]},
    "maybe": {"inputs": ["z"], "outputs": [{"key": "x", "optional": true}, "y"]},
    "act": {"inputs": ["x", "l"], "outputs": ["z"], "actions": ["default", "skip", "back", "error"]},
    "effect": {"inputs": ["x", "z"], "outputs": ["y"], "effects": true}}"#;
const TEMPLATES: &[&str] = &[
    "$x",
    "$y",
    "$l",
    "${n0.x}",
    "${n1.y}",
    "$n2_x",
    "${l[0]}",
    "a $x and ${y ?? \"none\"}",
    "${z ?? x}",
    "$input",
    "$$x",
    "${input.a}",
    "$item",
    "text",
];

pub fn check(data: &[u8]) {
    let mut choices = Choices::new(data);
    let workflow = parse(&workflow(&mut choices));
    let options = WorkflowCompileOptions::default();
    let (flow, found) = compile(&workflow, &parse(REGISTRY), &options, &mut NamingCache::default());
    diagnostics::check(&found, 0);
    let Some(flow) = flow else {
        return assert!(found.iter().any(Diagnostic::is_error), "no reason: {found:?}");
    };
    let flow = Rc::new(flow);
    let host = Host { seed: choices.byte() };
    let expected = host.run(&flow, 1, None, &mut Choices::new(&[]));
    check_result(&expected);
    if choices.one_in(2) {
        let trace =
            host.cancelled_trace(&flow, 1 + choices.below(3), choices.below(12), &mut choices);
        let resumed = host.run(&flow, 1 + choices.below(2), Some(trace), &mut choices);
        return assert_same(&resumed, &expected, "after resuming");
    }
    let concurrent = host.run(&flow, 1 + choices.below(4), None, &mut choices);
    assert_same(&concurrent, &expected, "with other concurrency");
}

fn status(result: &Value) -> &str {
    result.get("status").and_then(Value::as_text).unwrap_or_default()
}

fn check_result(result: &Value) {
    assert!(STATUSES.contains(&status(result)), "{}", result.to_text());
    let found = result.get("diagnostics").and_then(Value::as_list).unwrap_or_default();
    let is_error = |one: &Value| one.get("severity").and_then(Value::as_text) == Some("error");
    assert_eq!(status(result) == "failed", found.iter().any(is_error), "{}", result.to_text());
    for one in found.iter().filter(|one| is_error(one)) {
        assert!(one.get("help").and_then(Value::as_text).is_some(), "{}", one.to_text());
    }
}

fn assert_same(found: &Value, expected: &Value, what: &str) {
    check_result(found);
    let text = |value: &Value| value.get("outputs").map_or_else(String::new, Value::to_text);
    let show = || format!("{what}: {}\nexpected: {}", found.to_text(), expected.to_text());
    assert_eq!(status(found), status(expected), "{}", show());
    assert_eq!(text(found), text(expected), "{}", show());
}

/// Host whose responses depend only on the call.
struct Host {
    seed: u8,
}

impl Host {
    /// Runs a workflow to its end. The choices select which of the open calls returns next.
    fn run(
        &self,
        flow: &Rc<Flow>,
        concurrency: usize,
        trace: Option<Value>,
        choices: &mut Choices<'_>,
    ) -> Value {
        let (mut run, update) = begin(flow, concurrency, trace);
        self.drive(&mut run, update, usize::MAX, choices)
    }

    /// Cancels a run after a number of responses. Returns its trace.
    fn cancelled_trace(
        &self,
        flow: &Rc<Flow>,
        concurrency: usize,
        count: usize,
        choices: &mut Choices<'_>,
    ) -> Value {
        let (mut run, update) = begin(flow, concurrency, None);
        let result = self.drive(&mut run, update, count, choices);
        result.get("trace").cloned().unwrap_or_default()
    }

    fn drive(
        &self,
        run: &mut Run,
        first: RunUpdate,
        count: usize,
        choices: &mut Choices<'_>,
    ) -> Value {
        let mut open = first.effects;
        let mut done = first.done;
        for responses in 0.. {
            if let Some(result) = done {
                return result;
            }
            assert!(responses < 20 * MAX_STEPS, "the run does not end");
            assert!(!open.is_empty(), "the run waits for nothing");
            let update = if responses == count {
                run.cancel(NOW)
            } else {
                let request = open.remove(choices.below(open.len().min(256)));
                let (invocation, response) = self.respond(&request);
                run.resume(invocation, response, NOW)
            };
            done = update.done;
            open.extend(update.effects);
        }
        unreachable!()
    }

    fn respond(&self, request: &HostRequest) -> (usize, HostResponse) {
        let HostRequest::Call { invocation, node, kind, call, iteration, index, attempt, .. } =
            request
        else {
            let HostRequest::Wait { invocation, .. } = request else { unreachable!() };
            return (*invocation, HostResponse::Value(Value::Null));
        };
        let hash = |what: &str| {
            let mut hasher = DefaultHasher::new();
            (self.seed, &**node, iteration, index, what).hash(&mut hasher);
            hasher.finish()
        };
        if hash("fails") % 8 == 0 && *attempt == 1 {
            return (*invocation, HostResponse::Failed("no".to_owned()));
        }
        let mut inputs = DefaultHasher::new();
        Value::from(call.inputs.clone()).to_text().hash(&mut inputs);
        Value::from(call.params.clone()).to_text().hash(&mut inputs);
        let read = inputs.finish() % 1_000_000;
        let number = |key: &str| Value::from(((hash(key) ^ read) % 1_000_000) as usize);
        let items = (0..hash("items") % 4).map(|item| Value::from((item + read) as usize));
        let mut outputs = Map::default();
        let keys: &[&str] = match &**kind {
            "one" => &["x"],
            "two" => &["y", "z"],
            "maybe" if hash("omits") % 2 == 0 => &["y"],
            "maybe" => &["x", "y"],
            "act" => &["z"],
            "effect" => &["y"],
            _ => &[],
        };
        outputs.extend(keys.iter().map(|key| ((*key).into(), number(key))));
        if &**kind == "list" {
            outputs.insert("l".into(), Value::list(items.collect()));
        }
        let action = match &**kind {
            // A loop ends after some iterations.
            "act" if *iteration < 4 => {
                ["default", "skip", "back", "back"][(hash("action") % 4) as usize]
            }
            _ => "default",
        };
        let response = Value::map([("outputs", outputs.into()), ("action", action.into())]);
        (*invocation, HostResponse::Value(response))
    }
}

fn begin(flow: &Rc<Flow>, concurrency: usize, resume: Option<Value>) -> (Run, RunUpdate) {
    let inputs = [("input", parse(r#"{"a": 1}"#))];
    let options = RunOptions {
        inputs: inputs.map(|(name, value)| (name.into(), value)).into_iter().collect(),
        types: TYPES.iter().map(|kind| (*kind).to_owned()).collect(),
        concurrency,
        max_steps: Some(MAX_STEPS),
        resume,
        ..RunOptions::default()
    };
    Run::begin(flow.clone(), options, NOW)
}

fn parse(text: &str) -> Value {
    Value::parse(text.as_bytes(), Limits::default()).0.unwrap_or_else(|| panic!("not JSON: {text}"))
}

/// Returns the JSON text of a workflow.
fn workflow(choices: &mut Choices<'_>) -> String {
    let count = 1 + choices.below(7);
    let nodes: Vec<String> = (0..count).map(|index| node(choices, index)).collect();
    let mut text = format!(r#"{{"nodes":[{}]"#, nodes.join(","));
    if choices.below(4) > 0 {
        let edges: Vec<String> = (0..choices.below(2 * count))
            .map(|index| {
                // Most edges lead to the next nodes.
                let from = if choices.one_in(3) { choices.below(count) } else { index % count };
                let to = if choices.one_in(4) {
                    choices.below(count)
                } else {
                    (from + 1 + choices.below(2)).min(count - 1)
                };
                let action =
                    choices.pick(&["default", "default", "default", "skip", "back", "error"]);
                format!(r#"{{"from":"n{from}","to":"n{to}","action":"{action}"}}"#)
            })
            .collect();
        text += &format!(r#","edges":[{}]"#, edges.join(","));
    }
    text += r#","inputs":{"input":{}},"outputs":{"#;
    for (index, name) in ["first", "second"].iter().enumerate() {
        text += if index > 0 { "," } else { "" };
        text += &format!(r#""{name}":"{}""#, choices.pick(TEMPLATES).replace('"', "\\\""));
    }
    text + "}}"
}

fn node(choices: &mut Choices<'_>, index: usize) -> String {
    let mut text = format!(r#"{{"id":"n{index}","type":"{}""#, choices.pick(TYPES));
    if choices.one_in(2) {
        let template = choices.pick(TEMPLATES).replace('"', "\\\"");
        let key = choices.pick(&["x", "y", "p"]);
        text += &format!(r#","params":{{"{key}":"{template}","list":["{template}",1]}}"#);
    }
    if choices.one_in(6) {
        let on_error = choices.pick(&["fail", "continue"]);
        text += &format!(
            r#","batch":{{"items":"{}","as":"item","on_error":"{on_error}"}}"#,
            choices.pick(&["$l", "${n0.l}"])
        );
    }
    if choices.one_in(4) {
        text += r#","retry":{"max_attempts":2,"backoff_ms":1}"#;
    }
    text + "}"
}
