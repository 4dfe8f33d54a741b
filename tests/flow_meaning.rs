//! Mapping changes names and never meaning: random workflows are run over one flat store and over
//! the mapped one, and every read is compared.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)] // A failed test panics.

use byname::base::Value;
use byname::flow::control::Control;
use byname::flow::naming::{Names, Options, name_outputs};
use byname::flow::wiring::{Wiring, wire};
use byname::flow::workflow::{DEFAULT_ACTION, Edge, Input, Node, Port, Workflow};
use indexmap::IndexMap;
use std::collections::HashMap;

/// SplitMix64.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, most: usize) -> usize {
        (self.next() % most.max(1) as u64) as usize
    }

    fn one_in(&mut self, many: usize) -> bool {
        self.below(many) == 0
    }
}

const KEYS: [&str; 4] = ["response", "data", "status", "x"];

#[derive(Clone, Copy)]
struct Shape {
    branches: bool,
    loops: bool,
    optional: bool,
}

fn random(chance: &mut Chance, shape: Shape) -> Workflow {
    let count = 2 + chance.below(9);
    let mut nodes = Vec::new();
    for place in 0..count {
        let mut inputs = Vec::new();
        let mut outputs = Vec::new();
        for key in KEYS {
            if chance.one_in(3) {
                inputs.push(Port { key: key.to_owned(), ..Port::default() });
            }
            if chance.one_in(2) {
                let optional = shape.optional && chance.one_in(3);
                outputs.push(Port { key: key.to_owned(), optional, ..Port::default() });
            }
        }
        let id = format!("n{place}");
        let params = Value::from(byname::base::value::Map::default());
        nodes.push(Node { id, kind: "t".into(), inputs, outputs, params, ..Node::default() });
    }
    let mut edges = Vec::new();
    for from in 0..count - 1 {
        let edge = |to, action: &str| Edge { from, to, action: action.to_owned() };
        edges.push(edge(from + 1, DEFAULT_ACTION));
        if shape.branches && chance.one_in(2) {
            edges.push(edge(from + 1 + chance.below(count - from - 1), "skip"));
        }
        if shape.loops && chance.one_in(3) {
            edges.push(edge(chance.below(from + 1), "back"));
        }
    }
    for edge in &edges {
        let actions = &mut nodes[edge.from].actions;
        if !actions.contains(&edge.action) {
            actions.push(edge.action.clone());
        }
    }
    for node in nodes.iter_mut().filter(|node| node.actions.is_empty()) {
        node.actions.push(DEFAULT_ACTION.to_owned());
    }
    let mut inputs = IndexMap::new();
    let mut outputs = IndexMap::new();
    for key in KEYS {
        if chance.one_in(3) {
            inputs.insert(key.to_owned(), Input::default());
        }
        if chance.one_in(2) {
            outputs.insert(key.to_owned(), Value::from(format!("${{{key}}}")));
        }
    }
    // A name that nobody writes is no name of a template.
    let written = |key: &str| nodes.iter().any(|node| node.outputs.iter().any(|o| o.key == key));
    outputs.retain(|key, _| inputs.contains_key(key) || written(key));
    Workflow { nodes, edges, starts: vec![0], inputs, outputs, ..Workflow::default() }
}

/// Everything that is read on the way that `seed` chooses.
fn run(workflow: &Workflow, wiring: Option<&Wiring>, seed: u64) -> Vec<String> {
    let mut chance = Chance(seed);
    let mut store: HashMap<String, String> =
        workflow.inputs.keys().map(|key| (key.clone(), format!("input {key}"))).collect();
    let mut reads = Vec::new();
    let mut at = Some(0);
    for step in 0..60 {
        let Some(place) = at else { break };
        let node = &workflow.nodes[place];
        let wired = wiring.map(|wiring| &wiring.nodes[place]);
        for input in &node.inputs {
            let mapped = wired.and_then(|wired| wired.input_mappings.get(&input.key));
            let value = store.get(mapped.unwrap_or(&input.key)).cloned().unwrap_or_default();
            reads.push(format!("{} {}={value}", node.id, input.key));
        }
        for output in &node.outputs {
            let written = !(output.optional && chance.one_in(2));
            if !written {
                continue;
            }
            let value = format!("{} {} {step}", node.id, output.key);
            let mapped = wired.and_then(|wired| wired.output_mappings.get(&output.key));
            store.insert(mapped.unwrap_or(&output.key).clone(), value.clone());
            if let Some(alias) = wired.and_then(|wired| wired.output_aliases.get(&output.key)) {
                store.insert(alias.clone(), value);
            }
        }
        let action = &node.actions[chance.below(node.actions.len())];
        at = workflow
            .edges
            .iter()
            .find(|edge| edge.from == place && edge.action == *action)
            .map(|edge| edge.to);
    }
    if at.is_none() {
        for key in workflow.outputs.keys() {
            let mapped = wiring.and_then(|wiring| wiring.outputs[key].get(key));
            let value = store.get(mapped.unwrap_or(key)).cloned().unwrap_or_default();
            reads.push(format!("output {key}={value}"));
        }
    }
    reads
}

/// How many reads of random workflows of a shape were compared.
fn compare(shape: Shape, workflows: u64) -> usize {
    let mut compared = 0;
    for seed in 0..workflows {
        let mut chance = Chance(seed);
        let workflow = random(&mut chance, shape);
        let none = Names { mapped: vec![IndexMap::new(); workflow.nodes.len()] };
        let (names, _) = name_outputs(&workflow, &Options::default(), &none);
        let control = Control::new(&workflow);
        let (wiring, told) = wire(&workflow, &control, &names);
        assert_eq!(told, [], "seed {seed}");
        for run_seed in 0..4 {
            let flat = run(&workflow, None, seed * 7 + run_seed);
            let mapped = run(&workflow, Some(&wiring), seed * 7 + run_seed);
            assert_eq!(flat, mapped, "seed {seed}, run {run_seed}\n{workflow:#?}\n{wiring:#?}");
            compared += flat.len();
        }
    }
    compared
}

#[test]
fn lines_keep_their_meaning() {
    assert!(compare(Shape { branches: false, loops: false, optional: false }, 10_000) > 100_000);
}

#[test]
fn branches_keep_their_meaning() {
    assert!(compare(Shape { branches: true, loops: false, optional: false }, 10_000) > 100_000);
}

#[test]
fn loops_keep_their_meaning() {
    assert!(compare(Shape { branches: true, loops: true, optional: false }, 10_000) > 100_000);
}

#[test]
fn optional_outputs_keep_their_meaning() {
    assert!(compare(Shape { branches: true, loops: true, optional: true }, 10_000) > 100_000);
}
