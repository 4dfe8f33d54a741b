//! Random workflows with error edges, batches, retries, nodes that run a workflow, and nodes that wait for an
//! answer. Runs that are interrupted and resumed at every step read what the reference interpreter reads, and make
//! no call twice that has ended.

#![cfg(feature = "flow")]
// A failed test panics; results are printed.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, clippy::print_stdout)]

mod flow_random;

use byname::base::json::Limits;
use byname::base::value::Map;
use byname::base::{Diagnostic, Value};
use byname::flow::compile::{Flow, WorkflowCompileOptions, compile};
use byname::flow::naming_cache::NamingCache;
use byname::flow::run::{
    ChildState, HostRequest, HostResponse, HostTime, Run, RunOptions, RunUpdate,
};
use byname::flow::workflow::Workflow;
use flow_random::script::{ITEMS, SUB_WORKFLOW, add_run_features, script, to_json};
use flow_random::{Order, Plan, Reads, Shape, SplitMix64, Store, by_name, nest, show, tangle};
use flow_random::{run as interpret, value_text};
use std::collections::HashSet;
use std::rc::Rc;

const NOW: HostTime<'_> = HostTime { time: "2026-01-02T03:04:05.000Z", clock: 0.0 };

type Make = fn(&mut SplitMix64, Shape) -> Workflow;

fn compiled(workflow: &Value) -> Result<Rc<Flow>, Vec<Diagnostic>> {
    let registry = Value::map_of(Vec::new());
    let registry = Value::map([("t", registry.clone()), (SUB_WORKFLOW, registry)]);
    let options = WorkflowCompileOptions::default();
    let (flow, diagnostics) = compile(workflow, &registry, &options, &mut NamingCache::default());
    flow.map(Rc::new).ok_or(diagnostics)
}

/// Returns the workflow that a node runs: its second node writes the outputs of the node.
fn child_of(workflow: &Workflow, node: usize) -> Rc<Flow> {
    let keys = workflow.nodes[node].outputs.iter();
    let ports = keys
        .clone()
        .map(|port| Value::map([("key", (&port.key).into()), ("optional", port.optional.into())]));
    let text = |parts: &[(&str, Value)]| Value::map_of(parts.to_vec());
    let list = |text: &str| Value::list(vec![text.into()]);
    let nodes = vec![
        text(&[("id", "c0".into()), ("type", "t".into()), ("outputs", list("z"))]),
        text(&[
            ("id", "c1".into()),
            ("type", "t".into()),
            ("inputs", list("z")),
            ("outputs", Value::list(ports.collect())),
        ]),
    ];
    let outputs = keys.map(|port| (&*port.key, Value::map_of(Vec::new())));
    let outputs = Value::map_of(outputs.collect());
    compiled(&Value::map([("nodes", Value::list(nodes)), ("outputs", outputs)])).unwrap()
}

/// Run with its open calls.
struct ActiveRun {
    run: Run,
    open: Vec<OpenCall>,
    done: Option<Value>,
}

struct OpenCall {
    invocation: usize,
    node: String,
    execution: usize,
    item: Option<usize>,
    attempt: usize,
    resumed: Option<Value>,
    child: Option<Box<ActiveRun>>,
}

/// Host whose nodes respond by their script.
struct Host<'a> {
    workflow: &'a Workflow,
    seed: u64,
    concurrency: usize,
    has_suspensions: bool,
    reads: Reads,
    /// Calls that ended, in all runs so far.
    ended: HashSet<String>,
    /// Calls that failed once.
    retried: HashSet<String>,
    suspended_count: usize,
}

/// Node and execution that run a workflow; `None` for the workflow itself.
type Parent = Option<(usize, usize)>;

impl Host<'_> {
    fn options(&self, resume: Option<Value>, answers: Map) -> RunOptions {
        let inputs = self.workflow.inputs.keys();
        let inputs = inputs.map(|key| (key.clone(), format!("input {key}").into())).collect();
        let types = vec!["t".to_owned(), SUB_WORKFLOW.to_owned()];
        let concurrency = self.concurrency;
        RunOptions { inputs, types, concurrency, resume, answers, ..RunOptions::default() }
    }

    fn begin(&mut self, flow: Rc<Flow>, options: RunOptions, parent: Parent) -> ActiveRun {
        let (run, update) = Run::begin(flow, options, NOW);
        let mut active = ActiveRun { run, open: Vec::new(), done: None };
        self.receive(&mut active, update, parent);
        active
    }

    /// Adds the requested calls to the open ones, and records what they read.
    fn receive(&mut self, active: &mut ActiveRun, update: RunUpdate, parent: Parent) {
        for invocation in update.aborted {
            active.open.retain(|call| call.invocation != invocation);
        }
        for effect in update.effects {
            let HostRequest::Call {
                invocation,
                node,
                kind,
                call,
                iteration,
                index,
                attempt,
                continued,
                ..
            } = effect
            else {
                panic!("a wait of 0 ms")
            };
            let mut open = OpenCall {
                invocation,
                node: node.to_string(),
                execution: iteration - 1,
                item: index,
                attempt,
                resumed: continued.resumed,
                child: None,
            };
            let key = call_key(&open, parent);
            assert!(
                !self.ended.contains(&key),
                "{key} is made twice, seed {}, concurrency {}, suspensions {}
{}",
                self.seed,
                self.concurrency,
                self.has_suspensions,
                show(self.workflow)
            );
            if parent.is_none() {
                self.record_reads(&open, &call.params, &call.inputs);
            }
            if *kind == *SUB_WORKFLOW {
                let index = self.index_of(&open.node);
                let answers = continued.answers.as_ref().and_then(Value::as_map);
                let options = RunOptions {
                    inputs: Map::default(),
                    path: format!("{}/", open.node),
                    ..self.options(continued.child, answers.cloned().unwrap_or_default())
                };
                let child = child_of(self.workflow, index);
                open.child =
                    Some(Box::new(self.begin(child, options, Some((index, open.execution)))));
            }
            active.open.push(open);
        }
        active.done = active.done.take().or(update.done);
    }

    fn index_of(&self, id: &str) -> usize {
        self.workflow.nodes.iter().position(|node| *node.id == *id).unwrap()
    }

    fn record_reads(&mut self, call: &OpenCall, params: &Map, inputs: &Map) {
        let node = &self.workflow.nodes[self.index_of(&call.node)];
        let text = |value: Option<&Value>| value.map(value_text).unwrap_or_default();
        let mut found = Vec::new();
        for input in node.inputs.iter().filter(|input| !node.has_value_for(&input.key)) {
            found.push((input.key.to_string(), text(inputs.get(&input.key))));
        }
        for (key, template) in node.params.value().as_map().unwrap() {
            let template = template.as_text().unwrap();
            let name = template.trim_start_matches("so: ").trim_matches(|c| "${}".contains(c));
            let value = text(params.get(key)).trim_start_matches("so: ").to_owned();
            found.push((format!("${name}"), value));
        }
        for (what, value) in found {
            let read = format!("{} {} {what}", call.node, call.execution);
            if let Some(earlier) = self.reads.get(&read) {
                assert_eq!(*earlier, value, "{read} in another call");
            }
            self.reads.insert(read, value);
        }
    }

    /// Responds to a random open call.
    fn respond(&mut self, active: &mut ActiveRun, parent: Parent, random: &mut SplitMix64) {
        let at = random.below(active.open.len());
        let open = &mut active.open[at];
        if let Some(child) = &mut open.child {
            let inside = Some((self.index_of(&open.node), open.execution));
            if child.done.is_none() {
                self.respond(child, inside, random);
            }
            let Some(done) = child.done.take() else { return };
            let open = active.open.swap_remove(at);
            let response = self.child_response(&open, &done, parent);
            let update = active.run.resume(open.invocation, response, NOW);
            return self.receive(active, update, parent);
        }
        let open = active.open.swap_remove(at);
        let response = self.response(&open, parent);
        let update = active.run.resume(open.invocation, response, NOW);
        self.receive(active, update, parent);
    }

    fn child_response(&mut self, open: &OpenCall, done: &Value, parent: Parent) -> HostResponse {
        let part = |key: &str| done.get(key).cloned().unwrap();
        let list = |key: &str| part(key).as_list().unwrap().to_vec();
        let state = ChildState {
            trace: part("trace"),
            waiting: list("waiting"),
            diagnostics: list("diagnostics"),
        };
        let response = match part("status").as_text().unwrap() {
            "paused" => HostResponse::Suspended(Value::Null),
            "completed" => HostResponse::Value(Value::map([("outputs", part("outputs"))])),
            _ => {
                let result =
                    script(self.workflow, self.index_of(&open.node), open.execution, self.seed);
                HostResponse::Failed(result.failure.unwrap_or_else(|| panic!("{}", done.to_text())))
            }
        };
        if !matches!(response, HostResponse::Suspended(_)) {
            self.ended.insert(call_key(open, parent));
        }
        HostResponse::Child(state, Box::new(response))
    }

    fn response(&mut self, open: &OpenCall, parent: Parent) -> HostResponse {
        let outputs_only =
            |outputs: Map| HostResponse::Value(Value::map([("outputs", outputs.into())]));
        if open.node == "c0" {
            self.ended.insert(call_key(open, parent));
            return outputs_only(Map::from_iter([("z".into(), "z".into())]));
        }
        let (index, execution) =
            parent.unwrap_or_else(|| (self.index_of(&open.node), open.execution));
        let node = &self.workflow.nodes[index];
        let is_suspended = (self.seed as usize + index + execution).is_multiple_of(3);
        if self.has_suspensions && is_suspended && node.batch.is_none() {
            let path = parent.map_or(String::new(), |_| format!("{}/", node.id));
            match &open.resumed {
                None => {
                    self.suspended_count += 1;
                    return HostResponse::Suspended(format!("{path}{}", open.node).into());
                }
                Some(answer) => assert_eq!(value_text(answer), format!("to {path}{}", open.node)),
            }
        }
        // Once, because a resumed run counts the attempts again.
        let is_first = open.attempt < node.retry.max_attempts && parent.is_none();
        if is_first && self.retried.insert(call_key(open, parent)) {
            return HostResponse::Failed("try again".to_owned());
        }
        let result = script(self.workflow, index, execution, self.seed);
        // A short run does not make all attempts.
        let is_retried = node.retry.max_attempts > 1;
        let is_returned = (index % 3 == 1 || is_retried) && parent.is_none();
        if result.failure.is_none() || is_returned || open.attempt == node.retry.max_attempts {
            self.ended.insert(call_key(open, parent));
        }
        let mut outputs: Map = result.outputs.into_iter().collect();
        if let (Some(failure), Some(item)) = (&result.failure, open.item) {
            // The last item fails.
            if item == ITEMS.len() - 1 {
                return HostResponse::Failed(failure.clone());
            }
            outputs = node.outputs.iter().map(|port| (port.key.clone(), "lost".into())).collect();
            return outputs_only(outputs);
        }
        if let Some(failure) = result.failure {
            return match (index % 3, is_returned) {
                (0, false) => HostResponse::TimedOut(failure),
                (_, true) => HostResponse::Value(Value::map([
                    ("outputs", Map::default().into()),
                    ("action", "error".into()),
                    ("error", failure.into()),
                ])),
                _ => HostResponse::Failed(failure),
            };
        }
        if let Some(item) = open.item {
            for value in outputs.values_mut() {
                *value = value.as_list().unwrap()[item].clone();
            }
            if outputs.values().any(Value::is_null) {
                return HostResponse::Failed("bad item".to_owned());
            }
        }
        let action = if parent.is_some() { "default" } else { &*result.action };
        HostResponse::Value(Value::map([("outputs", outputs.into()), ("action", action.into())]))
    }

    /// Runs a workflow to its end, in runs with at most `length` responses each. Then the host
    /// stops or cancels the run, and resumes from its trace. Answers the nodes that wait.
    fn run(&mut self, flow: &Rc<Flow>, length: usize, random: &mut SplitMix64) -> Value {
        let (mut trace, mut answers) = (None, Map::default());
        for _ in 0..2_000 {
            let options = self.options(trace.take(), std::mem::take(&mut answers));
            let mut active = self.begin(flow.clone(), options, None);
            for _ in 0..length {
                if active.done.is_none() {
                    self.respond(&mut active, None, random);
                }
            }
            let stored = match &active.done {
                Some(done) if done.get("status").unwrap().as_text() == Some("paused") => {
                    for entry in done.get("waiting").unwrap().as_list().unwrap() {
                        let node = entry.get("node").unwrap().as_text().unwrap();
                        assert_eq!(entry.get("payload").map(value_text).as_deref(), Some(node));
                        // Some answers come later.
                        if answers.is_empty() || random.one_in(2) {
                            answers.insert(node.into(), format!("to {node}").into());
                        }
                    }
                    done.get("trace").unwrap().clone()
                }
                Some(done) => return done.clone(),
                None => interrupted_trace(&mut active, random.one_in(2)),
            };
            let text = stored.to_text();
            let limits = Limits { depth: 100, ..Limits::default() };
            trace = Value::parse(text.as_bytes(), limits).0;
        }
        panic!("the run does not end");
    }
}

/// Name of a call in all runs.
fn call_key(call: &OpenCall, parent: Parent) -> String {
    format!("{parent:?} {}#{}#{:?}", call.node, call.execution, call.item)
}

/// Returns the trace of a run that its host stops, or cancels.
fn interrupted_trace(active: &mut ActiveRun, is_cancelled: bool) -> Value {
    for open in &mut active.open {
        if let Some(child) = &mut open.child {
            let trace = interrupted_trace(child, is_cancelled);
            active.run.set_child_trace(open.invocation, trace);
        }
    }
    match is_cancelled {
        true => active.run.cancel(NOW).done.unwrap().get("trace").unwrap().clone(),
        false => active.run.trace(),
    }
}

#[derive(Debug, Default)]
struct Compared {
    accepted: usize,
    rejected: usize,
    reads: usize,
    suspended: usize,
}

fn compare(make: Make, shape: Shape, seed: u64, compared: &mut Compared) {
    let mut random = SplitMix64(seed);
    let mut workflow = make(&mut random, shape);
    add_run_features(&mut random, &mut workflow);
    let json = to_json(&workflow);
    let flow = match compiled(&json) {
        Ok(flow) if !flow.workflow.chained => flow,
        Ok(_) => return,
        Err(errors) => {
            let expected = ["FLOW006", "FLOW023", "FLOW024", "FLOW025"];
            let mut errors = errors.iter().filter(|error| error.is_error());
            assert!(errors.all(|error| expected.contains(&error.code.id)), "{seed}: {errors:?}");
            compared.rejected += 1;
            return;
        }
    };
    let plan = Plan::new(&workflow);
    let Some(expected) = interpret(&plan, Store::Flat, seed, Order::Sequential) else { return };
    compared.accepted += 1;
    for (concurrency, has_suspensions, length) in [
        (1, false, usize::MAX),
        (1, false, 1),
        (8, false, 1),
        (8, false, 4),
        (1, true, usize::MAX),
        (8, true, 3),
        (1, true, 1),
    ] {
        let length = length.min(10_000);
        let (reads, ended, retried) = (Reads::new(), HashSet::new(), HashSet::new());
        let mut host = Host {
            workflow: &workflow,
            seed,
            concurrency,
            has_suspensions,
            reads,
            ended,
            retried,
            suspended_count: 0,
        };
        let context = || {
            format!(
                "seed {seed}, concurrency {concurrency}, suspensions {has_suspensions}, length {length}\n{}\n{}",
                show(&workflow),
                json.to_text()
            )
        };
        let done = host.run(&flow, length, &mut random);
        let mut reads = host.reads;
        compared.suspended += host.suspended_count;
        let status = done.get("status").unwrap().as_text().unwrap().to_owned();
        assert_eq!(
            status,
            "completed",
            "{}\n{}",
            context(),
            done.get("diagnostics").unwrap().to_text()
        );
        for code in ["FLOW053", "FLOW054", "FLOW056", "FLOW057"] {
            let text = done.get("diagnostics").unwrap().to_text();
            assert!(!text.contains(code), "{text}\n{}", context());
        }
        for key in workflow.outputs.keys() {
            let value = done.get("outputs").unwrap().get(key).map(value_text);
            reads.insert(format!("output {key}"), value.unwrap_or_default());
        }
        compared.reads += reads.len();
        let is_sequential = concurrency == 1 && !has_suspensions;
        let of = |reads: Reads| if is_sequential || !shape.forks { reads } else { by_name(reads) };
        assert_eq!(of(reads), of(expected.clone()), "{}", context());
    }
}

fn check(make: Make, shape: Shape, workflows: u64) {
    let mut compared = Compared::default();
    for seed in 0..workflows {
        compare(make, shape, seed, &mut compared);
    }
    println!("{shape:?}: {compared:?}");
    assert!(compared.accepted * 5 > workflows as usize, "{compared:?}");
    assert!(compared.reads > 10 * workflows as usize && compared.suspended > 0, "{compared:?}");
}

const BRANCHES: Shape = Shape {
    branches: true,
    loops: false,
    optional: false,
    forks: false,
    texts: true,
    max_nodes: 8,
};
const LOOPS: Shape = Shape { loops: true, optional: true, ..BRANCHES };
const FORKS: Shape = Shape { forks: true, ..LOOPS };

#[test]
fn resumed_runs_of_branches_read_the_same() {
    check(tangle, BRANCHES, 80);
}

#[test]
fn resumed_runs_of_loops_read_the_same() {
    check(tangle, LOOPS, 60);
    check(nest, LOOPS, 60);
}

#[test]
fn resumed_runs_of_forks_read_the_same() {
    check(tangle, Shape { max_nodes: 6, ..FORKS }, 80);
    check(nest, FORKS, 80);
}
