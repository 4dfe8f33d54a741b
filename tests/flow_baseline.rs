//! Compares the published algorithm with ours: it renames outputs but does not change the readers.

#![cfg(feature = "flow")]
// A failed test panics; results are printed.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, clippy::print_stdout)]

mod flow_random;
mod sample;

use byname::base::map::OrderedMap;
use byname::flow::control::ControlFlowGraph;
use byname::flow::naming::{NamingOptions, OutputNames, PreviousNames, name_outputs};
use byname::flow::wiring::{NodeWiring, Wiring, wire};
use byname::flow::workflow::{Node, Workflow};
use flow_random::{Order, Plan, Shape, SplitMix64, Store, run, tangle};
use indexmap::IndexMap;
use sample::sample;
use std::rc::Rc;

/// `detect_collisions` of the paper.
fn detect_collisions(nodes: &[Node]) -> IndexMap<&str, Vec<usize>> {
    let mut outputs_by_key: IndexMap<&str, Vec<usize>> = IndexMap::new();
    for (node_index, node) in nodes.iter().enumerate() {
        for output in node.outputs.iter() {
            outputs_by_key.entry(&output.key).or_default().push(node_index);
        }
    }
    outputs_by_key.into_iter().filter(|(_, nodes)| nodes.len() > 1).collect()
}

/// `generate_collision_mappings` of the paper.
fn generate_collision_mappings(
    nodes: &[Node],
    collisions: &IndexMap<&str, Vec<usize>>,
) -> Vec<OrderedMap<Rc<str>>> {
    let mut mappings = vec![OrderedMap::default(); nodes.len()];
    for (key, colliding) in collisions {
        for node_index in colliding {
            let node = &nodes[*node_index];
            if node.inputs.iter().any(|input| *input.key == **key) {
                continue;
            }
            mappings[*node_index].insert((*key).into(), format!("{}_{key}", node.id).into());
        }
    }
    mappings
}

fn naive(workflow: &Workflow) -> (Wiring, OutputNames) {
    let mapped = generate_collision_mappings(&workflow.nodes, &detect_collisions(&workflow.nodes));
    let identity =
        |key: &Rc<str>| (key.clone(), OrderedMap::from_iter([(key.clone(), key.clone())]));
    let wiring = Wiring {
        read_inputs: OrderedMap::default(),
        nodes: vec![NodeWiring::default(); workflow.nodes.len()],
        outputs: workflow.outputs.keys().map(identity).collect(),
    };
    let mut names = OutputNames::default();
    for mapped in mapped {
        mapped.into_iter().for_each(|(key, name)| names.add(key, name));
        names.end_node();
    }
    (wiring, names)
}

fn ours(workflow: &Workflow) -> (Wiring, OutputNames) {
    let none = PreviousNames::default();
    let (names, _) = name_outputs(workflow, &NamingOptions::default(), &none);
    let (wiring, diagnostics) = wire(workflow, &ControlFlowGraph::new(workflow), &names);
    assert_eq!(diagnostics, []);
    (wiring, names)
}

/// Number of workflows of each shape.
const WORKFLOWS: u32 = 10_000;

/// Numbers of reads that see another value than in the flat store.
#[derive(Debug, Default)]
struct Broken {
    reads: usize,
    /// Reads without a value.
    missing: usize,
    /// Reads of another node's value, without a diagnostic.
    stale: usize,
    workflows: usize,
}

/// Counts the broken reads of the published algorithm and of ours.
fn count_broken(shape: Shape) -> [Broken; 2] {
    let mut of = [Broken::default(), Broken::default()];
    for seed in 0..u64::from(sample(WORKFLOWS)) {
        let workflow = tangle(&mut SplitMix64(seed), shape);
        let plan = Plan::new(&workflow);
        let Some(flat) = run(&plan, Store::Flat, seed, Order::Sequential) else { continue };
        for (map, broken) in [naive, ours].into_iter().zip(&mut of) {
            let (wiring, names) = map(&workflow);
            let store = Store::Mapped(&wiring, &names);
            let mapped = run(&plan, store, seed, Order::Sequential).unwrap();
            broken.reads += flat.len();
            let wrong = flat.iter().filter(|(read, value)| mapped[*read] != **value);
            let (missing, stale): (Vec<_>, Vec<_>) =
                wrong.partition(|(read, _)| mapped[*read].is_empty());
            broken.missing += missing.len();
            broken.stale += stale.len();
            broken.workflows += usize::from(missing.len() + stale.len() > 0);
        }
    }
    of
}

fn check(what: &str, shape: Shape) {
    let [of, ours] = count_broken(shape);
    let wrong = of.missing + of.stale;
    println!(
        "{what}: of {} reads in {} workflows, the published algorithm breaks {wrong} ({:.1} %) in {} \
         workflows, {} of them silently",
        of.reads,
        sample(WORKFLOWS),
        wrong as f64 * 100.0 / of.reads as f64,
        of.workflows,
        of.stale
    );
    assert!(of.missing > 0 && of.stale > 0, "{of:?}");
    assert_eq!((ours.missing, ours.stale), (0, 0));
}

const CHAINS: Shape = Shape {
    branches: false,
    loops: false,
    optional: false,
    forks: false,
    texts: false,
    max_nodes: 10,
};

#[test]
fn chains() {
    check("chains", CHAINS);
}

#[test]
fn branches() {
    check("branches", Shape { branches: true, ..CHAINS });
}

#[test]
fn loops() {
    check("loops", Shape { branches: true, loops: true, ..CHAINS });
}

#[test]
fn optional_outputs() {
    check("optional outputs", Shape { branches: true, loops: true, optional: true, ..CHAINS });
}
