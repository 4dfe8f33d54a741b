//! The time of the wiring is proportional to the size of the workflow, for every shape.

#![cfg(feature = "flow")]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)] // A failed test panics.

use byname::base::Value;
use byname::base::value::Map;
use byname::flow::control::{ControlFlowGraph, check_control_flow};
use byname::flow::naming::{NamingOptions, PreviousNames, name_outputs};
use byname::flow::wiring::wire;
use byname::flow::workflow::{DEFAULT_ACTION, Node, Port, Workflow, WorkflowEdge};
use std::rc::Rc;
use std::time::{Duration, Instant};

fn port(key: String, optional: bool) -> Port {
    Port { key: key.into(), optional, ..Port::default() }
}

fn node(node_index: usize, reads: &[String], writes: &[String]) -> Node {
    Node {
        id: format!("n{node_index}").into(),
        kind: "t".into(),
        params: Value::from(Map::default()).into(),
        inputs: Rc::new(reads.iter().map(|key| port(key.clone(), false)).collect()),
        outputs: Rc::new(writes.iter().map(|key| port(key.clone(), false)).collect()),
        ..Node::default()
    }
}

/// Returns nodes without edges; `keys` returns the keys that a node reads and writes.
fn nodes(count: usize, keys: impl Fn(usize) -> (Vec<String>, Vec<String>)) -> Workflow {
    let one = |node_index| {
        let (reads, writes) = keys(node_index);
        node(node_index, &reads, &writes)
    };
    Workflow { nodes: (0..count).map(one).collect(), starts: vec![0], ..Workflow::default() }
}

fn link(workflow: &mut Workflow, from: usize, to: usize, action: &str) {
    if from < workflow.nodes.len() && to < workflow.nodes.len() {
        workflow.edges.push(WorkflowEdge { from, to, action: action.into() });
        let actions = &mut workflow.nodes[from].actions;
        if !actions.iter().any(|known| known == action) {
            Rc::make_mut(actions).push(action.to_owned());
        }
    }
}

fn chain(workflow: &mut Workflow) {
    for node_index in 1..workflow.nodes.len() {
        link(workflow, node_index - 1, node_index, DEFAULT_ACTION);
    }
}

fn key(text: &str) -> Vec<String> {
    vec![text.to_owned()]
}

/// Chain in which every second node reads the key of the one before.
fn colliding_chain(count: usize) -> Workflow {
    let mut workflow = nodes(count, |node_index| match node_index % 2 {
        0 => (Vec::new(), key("x")),
        _ => (key("x"), key("y")),
    });
    chain(&mut workflow);
    workflow
}

fn self_reading_chain(count: usize) -> Workflow {
    let mut workflow = nodes(count, |_| (key("x"), key("x")));
    chain(&mut workflow);
    workflow
}

/// Sequence of branches with two paths, one of which writes.
fn diamonds(count: usize, keys: usize, second: &str) -> Workflow {
    let mut workflow = nodes(count, |node_index| {
        let name = |node_index: usize| format!("k{}", (node_index / 3) % keys);
        match node_index % 3 {
            0 => (vec![name(node_index)], Vec::new()),
            1 => (Vec::new(), vec![name(node_index)]),
            _ => (vec![name(node_index)], vec![format!("own{node_index}")]),
        }
    });
    for start in (0..count).step_by(3) {
        link(&mut workflow, start, start + 1, DEFAULT_ACTION);
        link(&mut workflow, start, start + 2, second);
        link(&mut workflow, start + 1, start + 3, DEFAULT_ACTION);
        link(&mut workflow, start + 2, start + 3, DEFAULT_ACTION);
    }
    workflow
}

fn branches(count: usize) -> Workflow {
    diamonds(count, 1, "other")
}

fn branches_that_share_keys(count: usize) -> Workflow {
    diamonds(count, (count / 30).max(1), "other")
}

/// Fork into a thousand chains, each with its own keys.
fn wide_fork(count: usize) -> Workflow {
    let wide = 1_000.min(count / 4);
    let long = (count - 2) / wide;
    let last = 1 + wide * long;
    let mut workflow = nodes(last + 1, |node_index| match node_index {
        0 => (Vec::new(), vec!["x".into(), "y".into()]),
        node_index if node_index == last => (key("k0"), key("x")),
        node_index => {
            let own = format!("k{}", (node_index - 1) / long);
            (vec![own.clone(), "x".into()], vec![own])
        }
    });
    for branch in 0..wide {
        let first = 1 + branch * long;
        link(&mut workflow, 0, first, DEFAULT_ACTION);
        for node_index in first + 1..first + long {
            link(&mut workflow, node_index - 1, node_index, DEFAULT_ACTION);
        }
        link(&mut workflow, first + long - 1, last, DEFAULT_ACTION);
    }
    workflow
}

/// Forks inside of forks.
fn nested_forks(count: usize) -> Workflow {
    let deep = count / 3;
    // Fork, side and join of each level.
    let mut workflow = nodes(3 * deep, |node_index| match node_index / deep {
        0 => (key("x"), key("x")),
        1 => (Vec::new(), vec![format!("side{node_index}")]),
        _ => (key("x"), vec!["x".into(), format!("y{}", node_index % 100)]),
    });
    for level in 0..deep {
        let (fork, side, join) = (level, deep + level, 2 * deep + level);
        let inner = if level + 1 < deep { level + 1 } else { join };
        link(&mut workflow, fork, side, DEFAULT_ACTION);
        link(&mut workflow, fork, inner, DEFAULT_ACTION);
        link(&mut workflow, side, join, DEFAULT_ACTION);
        if level > 0 {
            link(&mut workflow, join, 2 * deep + level - 1, DEFAULT_ACTION);
        }
    }
    workflow
}

/// Sequence of forks with a third branch that does not join.
fn forks_in_a_row(count: usize) -> Workflow {
    let mut workflow = nodes(count, |node_index| match node_index % 4 {
        0 => (key("x"), key("x")),
        1 => (key("x"), key("left")),
        2 => (key("x"), key("right")),
        _ => (Vec::new(), vec![format!("log{node_index}")]),
    });
    for start in (0..count).step_by(4) {
        for branch in 1..4 {
            link(&mut workflow, start, start + branch, DEFAULT_ACTION);
        }
        link(&mut workflow, start + 1, start + 4, DEFAULT_ACTION);
        link(&mut workflow, start + 2, start + 4, DEFAULT_ACTION);
    }
    workflow
}

/// Two concurrent chains, each with its own keys.
fn parallel_chains(count: usize) -> Workflow {
    let mut workflow = nodes(count, |node_index| {
        let key = |side: usize| vec![format!("k{}", (side + node_index / 200) % 100 * 2 + side)];
        (key(node_index % 2), key(node_index % 2))
    });
    link(&mut workflow, 0, 1, DEFAULT_ACTION);
    for node_index in 2..count {
        link(&mut workflow, node_index - 2, node_index, DEFAULT_ACTION);
    }
    workflow
}

/// Two concurrent chains with an edge between them at each step; only one reads and writes.
fn ladder(count: usize) -> Workflow {
    let mut workflow = nodes(count, |node_index| match node_index % 2 {
        0 => (key("x"), key("x")),
        _ => (Vec::new(), key("y")),
    });
    link(&mut workflow, 0, 1, DEFAULT_ACTION);
    for node_index in 2..count {
        link(&mut workflow, node_index - 2, node_index, DEFAULT_ACTION);
        if node_index % 2 == 1 {
            link(&mut workflow, node_index - 3, node_index, DEFAULT_ACTION);
        }
    }
    workflow
}

fn branching_ladder(count: usize) -> Workflow {
    let mut workflow = nodes(count, |_| (key("x"), key("x")));
    for node_index in 0..count {
        let next = node_index + 2 - node_index % 2;
        link(&mut workflow, node_index, next, DEFAULT_ACTION);
        link(&mut workflow, node_index, next + 1, "other");
    }
    workflow
}

fn loops_in_a_row(count: usize) -> Workflow {
    let mut workflow = nodes(count, |node_index| match node_index % 3 {
        0 => (key("x"), Vec::new()),
        1 => (key("x"), key("x")),
        _ => (key("x"), key("y")),
    });
    chain(&mut workflow);
    for start in (0..count).step_by(3) {
        link(&mut workflow, start + 2, start, "again");
    }
    workflow
}

fn nested_loops(count: usize) -> Workflow {
    let mut workflow = nodes(count, |node_index| (key("x"), vec![format!("k{}", node_index % 7)]));
    chain(&mut workflow);
    for node_index in 0..count / 2 {
        link(&mut workflow, count - 1 - node_index, node_index, "again");
    }
    workflow
}

fn all_optional(count: usize) -> Workflow {
    let mut workflow = nodes(count, |_| (key("x"), key("x")));
    for node_index in 0..count {
        Rc::make_mut(&mut workflow.nodes[node_index].outputs)[0].optional = true;
        if node_index % 2 == 0 {
            workflow.nodes[node_index].inputs = Rc::default();
        }
    }
    chain(&mut workflow);
    workflow
}

fn one_reader_at_the_end(count: usize) -> Workflow {
    let mut workflow = nodes(count, |node_index| match node_index + 1 == count {
        true => (key("x"), Vec::new()),
        false => (Vec::new(), key("x")),
    });
    chain(&mut workflow);
    workflow
}

/// Chain in which each node may fail, with one handler.
fn handler(count: usize) -> Workflow {
    let mut workflow = nodes(count, |_| (Vec::new(), vec!["x".into(), "error".into()]));
    for node_index in 0..count - 1 {
        if node_index + 2 < count {
            link(&mut workflow, node_index, node_index + 1, DEFAULT_ACTION);
        }
        link(&mut workflow, node_index, count - 1, "error");
    }
    let last = count - 1;
    workflow.nodes[last].inputs = Rc::new(vec![port("error".into(), false)]);
    workflow
}

/// Two long paths of a branch, with a key for each pair of nodes on them.
fn long_branches_of_many_keys(count: usize) -> Workflow {
    let mut workflow = nodes(count, |node_index| {
        let key = vec![format!("k{}", node_index / 2)];
        if node_index + 1 == count { (key, Vec::new()) } else { (Vec::new(), key) }
    });
    link(&mut workflow, 0, 1, "other");
    for node_index in 2..count {
        link(&mut workflow, node_index - 2, node_index, DEFAULT_ACTION);
    }
    link(&mut workflow, count - 2, count - 1, DEFAULT_ACTION);
    workflow
}

/// Templates with unknown names.
fn unknown_names(count: usize) -> Workflow {
    let mut workflow = nodes(count, |node_index| (Vec::new(), vec![format!("k{node_index}")]));
    for (node_index, node) in workflow.nodes.iter_mut().enumerate() {
        node.params = Value::map([("prompt", format!("${{nothing{node_index}}}").into())]).into();
    }
    chain(&mut workflow);
    workflow
}

/// Each node reads the output of the one before through its id.
fn reads_by_node(count: usize) -> Workflow {
    let mut workflow = nodes(count, |_| (Vec::new(), key("x")));
    for node_index in 1..count {
        let template = format!("${{n{}.x}} and $n{}_x", node_index - 1, node_index - 1);
        workflow.nodes[node_index].params = Value::map([("prompt", template.into())]).into();
    }
    chain(&mut workflow);
    workflow
}

/// Two nodes with the same outputs, and a third one that reads each of them as an input and by its node.
fn many_ports(count: usize) -> Workflow {
    let keys: Vec<String> = (0..count / 4).map(|index| format!("k{index}")).collect();
    let mut workflow = nodes(3, |node_index| match node_index {
        2 => (keys.clone(), vec!["last".to_owned()]),
        _ => (Vec::new(), keys.clone()),
    });
    let text =
        |key: &String| (format!("p{key}"), format!("${{n0.{key}}} $n1_{key} ${{n0.{key} ?? 1}}"));
    let texts: Vec<(String, String)> = keys.iter().map(text).collect();
    let params = texts.iter().map(|(key, text)| (key.as_str(), text.as_str().into())).collect();
    workflow.nodes[2].params = Value::map_of(params).into();
    chain(&mut workflow);
    workflow
}

/// Node that reads and writes many keys, of which another one writes all.
fn many_own_ports(count: usize) -> Workflow {
    let keys: Vec<String> = (0..count / 4).map(|index| format!("k{index}")).collect();
    let mut workflow = nodes(2, |_| (keys.clone(), keys.clone()));
    chain(&mut workflow);
    workflow
}

/// Nodes that all start the workflow, and read what they write.
fn parallel_starts(count: usize) -> Workflow {
    let mut workflow = nodes(count, |_| (key("x"), key("x")));
    workflow.starts = (0..count).collect();
    workflow
}

type Shape = fn(usize) -> Workflow;

const SHAPES: [(&str, Shape); 22] = [
    ("colliding chain", colliding_chain),
    ("self-reading chain", self_reading_chain),
    ("branches", branches),
    ("branches that share keys", branches_that_share_keys),
    ("wide fork", wide_fork),
    ("nested forks", nested_forks),
    ("forks in a row", forks_in_a_row),
    ("parallel chains", parallel_chains),
    ("ladder of forks", ladder),
    ("ladder of branches", branching_ladder),
    ("loops in a row", loops_in_a_row),
    ("nested loops", nested_loops),
    ("all optional", all_optional),
    ("one reader", one_reader_at_the_end),
    ("handler", handler),
    ("long branches", long_branches_of_many_keys),
    ("unknown names", unknown_names),
    ("reads by node", reads_by_node),
    ("many ports", many_ports),
    ("many own ports", many_own_ports),
    ("parallel starts", parallel_starts),
    ("forks with branches", |count| diamonds(count, 1, DEFAULT_ACTION)),
];

/// Returns the time and the number of diagnostics.
fn time(workflow: &Workflow) -> (Duration, usize) {
    let start = Instant::now();
    let none = PreviousNames::default();
    let (names, _) = name_outputs(workflow, &NamingOptions::default(), &none);
    let control = ControlFlowGraph::new(workflow);
    let warnings = check_control_flow(workflow, &control);
    let (_, diagnostics) = wire(workflow, &control, &names);
    (start.elapsed(), diagnostics.len() + warnings.len())
}

fn best(shape: Shape, count: usize, times: usize) -> Duration {
    let workflow = shape(count);
    (0..times).map(|_| time(&workflow).0).min().unwrap()
}

/// Other processes run on the machine: times have a minimum, and a shape has five tries. A quadratic
/// algorithm takes a hundred times as long in each of them.
#[test]
fn wiring_time_is_linear() {
    let (few, many) = if cfg!(debug_assertions) { (300, 3_000) } else { (10_000, 100_000) };
    for (name, shape) in SHAPES {
        let is_linear = (0..5).any(|_| {
            let small = best(shape, few, 3).max(Duration::from_millis(5));
            best(shape, many, 2) < small * 40
        });
        assert!(is_linear, "{name}: {many} nodes take 40 times as long as {few}");
    }
}

/// Prints the times: `cargo test --release --test flow_growth -- --ignored --nocapture`.
#[test]
#[ignore = "a measurement"]
fn times() {
    for (name, shape) in SHAPES {
        let of = |count| {
            let workflow = shape(count);
            let (first, diagnostics) = time(&workflow);
            (first.min(time(&workflow).0), diagnostics)
        };
        let [(a, _), (b, _), (c, diagnostics)] = [1_000, 10_000, 100_000].map(of);
        println!("{name:26} {a:10.2?} {b:10.2?} {c:10.2?} {diagnostics:7} diagnostics");
    }
}
