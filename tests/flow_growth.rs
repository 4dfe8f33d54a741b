//! Wiring grows with the workflow and no faster, whatever its shape.

#![cfg(feature = "flow")]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)] // A failed test panics.

use byname::base::Value;
use byname::base::value::Map;
use byname::flow::control::{Control, check};
use byname::flow::naming::{Options, Reserved, name_outputs};
use byname::flow::wiring::wire;
use byname::flow::workflow::{DEFAULT_ACTION, Edge, Node, Port, Workflow};
use std::rc::Rc;
use std::time::{Duration, Instant};

fn port(key: String, optional: bool) -> Port {
    Port { key: key.into(), optional, ..Port::default() }
}

fn node(place: usize, reads: &[String], writes: &[String]) -> Node {
    Node {
        id: format!("n{place}").into(),
        kind: "t".into(),
        params: Value::from(Map::default()).into(),
        inputs: Rc::new(reads.iter().map(|key| port(key.clone(), false)).collect()),
        outputs: Rc::new(writes.iter().map(|key| port(key.clone(), false)).collect()),
        ..Node::default()
    }
}

/// Nodes that read and write what `keys` answers, without edges.
fn nodes(count: usize, keys: impl Fn(usize) -> (Vec<String>, Vec<String>)) -> Workflow {
    let one = |place| {
        let (reads, writes) = keys(place);
        node(place, &reads, &writes)
    };
    Workflow { nodes: (0..count).map(one).collect(), starts: vec![0], ..Workflow::default() }
}

fn link(workflow: &mut Workflow, from: usize, to: usize, action: &str) {
    if from < workflow.nodes.len() && to < workflow.nodes.len() {
        workflow.edges.push(Edge { from, to, action: action.into() });
        let actions = &mut workflow.nodes[from].actions;
        if !actions.iter().any(|known| known == action) {
            Rc::make_mut(actions).push(action.to_owned());
        }
    }
}

fn chain(workflow: &mut Workflow) {
    for place in 1..workflow.nodes.len() {
        link(workflow, place - 1, place, DEFAULT_ACTION);
    }
}

fn key(text: &str) -> Vec<String> {
    vec![text.to_owned()]
}

/// A chain whose nodes all write one key and read it.
fn colliding_chain(count: usize) -> Workflow {
    let mut workflow = nodes(count, |place| match place % 2 {
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

/// One after the other: two ways, one of which writes.
fn diamonds(count: usize, keys: usize, second: &str) -> Workflow {
    let mut workflow = nodes(count, |place| {
        let name = |place: usize| format!("k{}", (place / 3) % keys);
        match place % 3 {
            0 => (vec![name(place)], Vec::new()),
            1 => (Vec::new(), vec![name(place)]),
            _ => (vec![name(place)], vec![format!("own{place}")]),
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

/// One fork into a thousand chains, each with keys of its own, and one that only the last reads.
fn wide_fork(count: usize) -> Workflow {
    let wide = 1_000.min(count / 4);
    let long = (count - 2) / wide;
    let last = 1 + wide * long;
    let mut workflow = nodes(last + 1, |place| match place {
        0 => (Vec::new(), vec!["x".into(), "y".into()]),
        place if place == last => (key("k0"), key("x")),
        place => {
            let own = format!("k{}", (place - 1) / long);
            (vec![own.clone(), "x".into()], vec![own])
        }
    });
    for branch in 0..wide {
        let first = 1 + branch * long;
        link(&mut workflow, 0, first, DEFAULT_ACTION);
        for place in first + 1..first + long {
            link(&mut workflow, place - 1, place, DEFAULT_ACTION);
        }
        link(&mut workflow, first + long - 1, last, DEFAULT_ACTION);
    }
    workflow
}

/// A fork in a fork in a fork.
fn nested_forks(count: usize) -> Workflow {
    let deep = count / 3;
    // Fork, side and join of each level.
    let mut workflow = nodes(3 * deep, |place| match place / deep {
        0 => (key("x"), key("x")),
        1 => (Vec::new(), vec![format!("side{place}")]),
        _ => (key("x"), vec!["x".into(), format!("y{}", place % 100)]),
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

/// Forks one after the other, and a third branch of each that nothing waits for.
fn forks_in_a_row(count: usize) -> Workflow {
    let mut workflow = nodes(count, |place| match place % 4 {
        0 => (key("x"), key("x")),
        1 => (key("x"), key("left")),
        2 => (key("x"), key("right")),
        _ => (Vec::new(), vec![format!("log{place}")]),
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

/// Two chains side by side, each with keys of its own.
fn parallel_chains(count: usize) -> Workflow {
    let mut workflow = nodes(count, |place| {
        let key = |side: usize| vec![format!("k{}", (side + place / 200) % 100 * 2 + side)];
        (key(place % 2), key(place % 2))
    });
    link(&mut workflow, 0, 1, DEFAULT_ACTION);
    for place in 2..count {
        link(&mut workflow, place - 2, place, DEFAULT_ACTION);
    }
    workflow
}

/// Two chains side by side with a rung after each step, of which one chain alone reads and writes.
fn ladder(count: usize) -> Workflow {
    let mut workflow = nodes(count, |place| match place % 2 {
        0 => (key("x"), key("x")),
        _ => (Vec::new(), key("y")),
    });
    link(&mut workflow, 0, 1, DEFAULT_ACTION);
    for place in 2..count {
        link(&mut workflow, place - 2, place, DEFAULT_ACTION);
        if place % 2 == 1 {
            link(&mut workflow, place - 3, place, DEFAULT_ACTION);
        }
    }
    workflow
}

fn branching_ladder(count: usize) -> Workflow {
    let mut workflow = nodes(count, |_| (key("x"), key("x")));
    for place in 0..count {
        let next = place + 2 - place % 2;
        link(&mut workflow, place, next, DEFAULT_ACTION);
        link(&mut workflow, place, next + 1, "other");
    }
    workflow
}

fn loops_in_a_row(count: usize) -> Workflow {
    let mut workflow = nodes(count, |place| match place % 3 {
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
    let mut workflow = nodes(count, |place| (key("x"), vec![format!("k{}", place % 7)]));
    chain(&mut workflow);
    for place in 0..count / 2 {
        link(&mut workflow, count - 1 - place, place, "again");
    }
    workflow
}

fn all_optional(count: usize) -> Workflow {
    let mut workflow = nodes(count, |_| (key("x"), key("x")));
    for place in 0..count {
        Rc::make_mut(&mut workflow.nodes[place].outputs)[0].optional = true;
        // Half of them do not keep the key.
        if place % 2 == 0 {
            workflow.nodes[place].inputs = Rc::default();
        }
    }
    chain(&mut workflow);
    workflow
}

fn one_reader_at_the_end(count: usize) -> Workflow {
    let mut workflow = nodes(count, |place| match place + 1 == count {
        true => (key("x"), Vec::new()),
        false => (Vec::new(), key("x")),
    });
    chain(&mut workflow);
    workflow
}

/// A chain each node of which may fail, with one handler.
fn handler(count: usize) -> Workflow {
    let mut workflow = nodes(count, |_| (Vec::new(), vec!["x".into(), "error".into()]));
    for place in 0..count - 1 {
        if place + 2 < count {
            link(&mut workflow, place, place + 1, DEFAULT_ACTION);
        }
        link(&mut workflow, place, count - 1, "error");
    }
    let last = count - 1;
    workflow.nodes[last].inputs = Rc::new(vec![port("error".into(), false)]);
    workflow
}

/// Two long ways of a branch, and a key for each pair of nodes on them.
fn long_branches_of_many_keys(count: usize) -> Workflow {
    let mut workflow = nodes(count, |place| {
        let key = vec![format!("k{}", place / 2)];
        if place + 1 == count { (key, Vec::new()) } else { (Vec::new(), key) }
    });
    link(&mut workflow, 0, 1, "other");
    for place in 2..count {
        link(&mut workflow, place - 2, place, DEFAULT_ACTION);
    }
    link(&mut workflow, count - 2, count - 1, DEFAULT_ACTION);
    workflow
}

/// Templates that nothing is called.
fn unknown_names(count: usize) -> Workflow {
    let mut workflow = nodes(count, |place| (Vec::new(), vec![format!("k{place}")]));
    for (place, node) in workflow.nodes.iter_mut().enumerate() {
        node.params = Value::map([("prompt", format!("${{nothing{place}}}").into())]).into();
    }
    chain(&mut workflow);
    workflow
}

/// Each node reads what the one before wrote, through its id.
fn reads_by_node(count: usize) -> Workflow {
    let mut workflow = nodes(count, |_| (Vec::new(), key("x")));
    for place in 1..count {
        let template = format!("${{n{}.x}} and $n{}_x", place - 1, place - 1);
        workflow.nodes[place].params = Value::map([("prompt", template.into())]).into();
    }
    chain(&mut workflow);
    workflow
}

type Shape = fn(usize) -> Workflow;

const SHAPES: [(&str, Shape); 19] = [
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
    ("forks with branches", |count| diamonds(count, 1, DEFAULT_ACTION)),
];

/// The time that it takes, and how many diagnostics there are.
fn time(workflow: &Workflow) -> (Duration, usize) {
    let start = Instant::now();
    let none = Reserved::default();
    let (names, _) = name_outputs(workflow, &Options::default(), &none);
    let control = Control::new(workflow);
    let doubts = check(workflow, &control);
    let (_, told) = wire(workflow, &control, &names);
    (start.elapsed(), told.len() + doubts.len())
}

fn best(shape: Shape, count: usize, times: usize) -> Duration {
    let workflow = shape(count);
    (0..times).map(|_| time(&workflow).0).min().unwrap()
}

/// The machine is not ours alone: small times do not count, a shape has five tries, and a quadratic way
/// takes a hundred times as long for ten times as much in each of them.
#[test]
fn wiring_grows_with_the_workflow() {
    let (few, many) = if cfg!(debug_assertions) { (300, 3_000) } else { (10_000, 100_000) };
    for (name, shape) in SHAPES {
        let grows_in_proportion = (0..5).any(|_| {
            let small = best(shape, few, 3).max(Duration::from_millis(5));
            best(shape, many, 2) < small * 40
        });
        assert!(grows_in_proportion, "{name}: {many} take 40 times as long as {few}");
    }
}

/// `cargo test --release --test flow_growth -- --ignored --nocapture` prints how long it takes.
#[test]
#[ignore = "a measurement"]
fn times() {
    for (name, shape) in SHAPES {
        let of = |count| {
            let workflow = shape(count);
            let (first, told) = time(&workflow);
            (first.min(time(&workflow).0), told)
        };
        let [(a, _), (b, _), (c, told)] = [1_000, 10_000, 100_000].map(of);
        println!("{name:26} {a:10.2?} {b:10.2?} {c:10.2?} {told:7} told");
    }
}
