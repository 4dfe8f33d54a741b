//! Random workflows, and a reference interpreter for them.

// Each test uses a part of this module.
#![allow(dead_code)]

pub mod script;

use byname::base::Value;
use byname::base::map::OrderedMap;
use byname::base::value::Map;
use byname::flow::naming::OutputNames;
use byname::flow::wiring::Wiring;
use byname::flow::workflow::{DEFAULT_ACTION, Node, Port, Workflow, WorkflowEdge, WorkflowInput};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

/// Pseudo-random number generator (Steele et al. 2014).
pub struct SplitMix64(pub u64);

impl SplitMix64 {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }

    pub fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }
}

pub const KEYS: [&str; 4] = ["response", "data", "status", "x"];

/// Features of random workflows.
#[derive(Clone, Copy, Debug, Default)]
pub struct Shape {
    pub branches: bool,
    pub loops: bool,
    pub optional: bool,
    pub forks: bool,
    /// Templates, params that supply inputs, explicit mappings, and reads through node ids.
    pub texts: bool,
    /// Maximum number of nodes.
    pub max_nodes: usize,
}

/// Returns a workflow with unstructured edges.
pub fn tangle(random: &mut SplitMix64, shape: Shape) -> Workflow {
    let count = 2 + random.below(shape.max_nodes - 1);
    let mut edges = Vec::new();
    for from in 0..count - 1 {
        let edge = |to, action: &str| WorkflowEdge { from, to, action: action.into() };
        if !shape.forks || !random.one_in(3) {
            edges.push(edge(from + 1, DEFAULT_ACTION));
        }
        let later = |random: &mut SplitMix64| from + 1 + random.below(count - from - 1);
        if shape.branches && random.one_in(2) {
            edges.push(edge(later(random), "skip"));
        }
        if shape.forks && random.one_in(2) {
            edges.push(edge(later(random), DEFAULT_ACTION));
        }
        if shape.forks && shape.branches && random.one_in(4) {
            edges.push(edge(later(random), "skip"));
        }
        if shape.loops && random.one_in(3) {
            edges.push(edge(random.below(from + 1), "back"));
        }
    }
    with_random_ports(random, shape, count, edges)
}

/// Returns a workflow of nested blocks: branches, forks with joins, and loops.
pub fn nest(random: &mut SplitMix64, shape: Shape) -> Workflow {
    let mut count = 0;
    let mut edges = Vec::new();
    let max_nodes = shape.max_nodes;
    block(random, shape, max_nodes, &mut count, &mut edges);
    // Some branches end before they join.
    if shape.branches && random.one_in(2) && !edges.is_empty() {
        let node_index = random.below(edges.len());
        edges[node_index].action = "rare".into();
    }
    with_random_ports(random, shape, count, edges)
}

/// Adds a block of about `size` nodes; returns its first and last node.
fn block(
    random: &mut SplitMix64,
    shape: Shape,
    size: usize,
    count: &mut usize,
    edges: &mut Vec<WorkflowEdge>,
) -> (usize, usize) {
    let link = |edges: &mut Vec<WorkflowEdge>, from, to, action: &str| {
        edges.push(WorkflowEdge { from, to, action: action.into() });
    };
    let new_node = |count: &mut usize| {
        *count += 1;
        *count - 1
    };
    if size < 3 {
        let node = new_node(count);
        return (node, node);
    }
    match random.below(4) {
        0 if shape.forks || shape.branches => {
            let split = new_node(count);
            let fork = shape.forks && (!shape.branches || !random.one_in(3));
            let wide = 2 + random.below(2);
            let parts: Vec<(usize, usize)> =
                (0..wide).map(|_| block(random, shape, (size - 2) / wide, count, edges)).collect();
            let join = new_node(count);
            for (nth, (first, last)) in parts.into_iter().enumerate() {
                let action =
                    if fork || nth == 0 { DEFAULT_ACTION } else { ["skip", "leave"][nth - 1] };
                link(edges, split, first, action);
                if !random.one_in(8) {
                    link(edges, last, join, DEFAULT_ACTION);
                }
            }
            if fork && random.one_in(3) {
                link(edges, split, join, DEFAULT_ACTION);
            }
            (split, join)
        }
        1 if shape.loops => {
            let (first, last) = block(random, shape, size - 1, count, edges);
            if !edges.iter().any(|edge| edge.from == last && &*edge.action == "back") {
                link(edges, last, first, "back");
            }
            (first, last)
        }
        _ => {
            let (first, middle) = block(random, shape, size / 2, count, edges);
            let (next, last) = block(random, shape, size - size / 2, count, edges);
            link(edges, middle, next, DEFAULT_ACTION);
            (first, last)
        }
    }
}

/// Returns a workflow with these edges and random ports.
fn with_random_ports(
    random: &mut SplitMix64,
    shape: Shape,
    count: usize,
    mut edges: Vec<WorkflowEdge>,
) -> Workflow {
    let mut seen = BTreeSet::new();
    edges.retain(|edge| seen.insert((edge.from, edge.to, edge.action.clone())));
    let dense = if shape.forks { 5 } else { 2 };
    let mut nodes = Vec::new();
    for node_index in 0..count {
        let mut inputs = Vec::new();
        let mut outputs = Vec::new();
        for key in KEYS {
            if random.one_in(3) {
                inputs.push(Port { key: key.into(), ..Port::default() });
            }
            if random.one_in(dense) {
                let optional = shape.optional && random.one_in(3);
                outputs.push(Port { key: key.into(), optional, ..Port::default() });
            }
        }
        let id = format!("n{node_index}").into();
        let params = Value::from(Map::default()).into();
        let (inputs, outputs) = (Rc::new(inputs), Rc::new(outputs));
        nodes.push(Node { id, kind: "t".into(), inputs, outputs, params, ..Node::default() });
    }
    for edge in &edges {
        let actions = &mut nodes[edge.from].actions;
        if !actions.iter().any(|action| **action == *edge.action) {
            Rc::make_mut(actions).push(edge.action.to_string());
        }
    }
    for node in nodes.iter_mut() {
        if node.actions.is_empty() || shape.forks && random.one_in(6) {
            Rc::make_mut(&mut node.actions).push("done".to_owned());
        }
    }
    let mut inputs: OrderedMap<WorkflowInput> = OrderedMap::default();
    for key in KEYS {
        if random.one_in(3) {
            inputs.insert(key.into(), WorkflowInput::default());
        }
    }
    let mut workflow = Workflow { nodes, edges, starts: vec![0], inputs, ..Workflow::default() };
    if shape.texts {
        texts(random, &mut workflow);
    }
    for key in KEYS {
        // A template may not name an unknown output.
        if random.one_in(2) && is_name(&workflow, key) {
            workflow.outputs.insert(key.into(), Value::from(format!("${{{key}}}")));
        }
    }
    workflow
}

fn is_name(workflow: &Workflow, name: &str) -> bool {
    let mut outputs =
        workflow.nodes.iter().flat_map(|node| node.outputs.iter().map(move |o| (node, o)));
    workflow.inputs.contains_key(name)
        || outputs.any(|(node, output)| **node.written_name(&output.key) == *name)
}

fn texts(random: &mut SplitMix64, workflow: &mut Workflow) {
    let mut targets = BTreeSet::new();
    for node_index in 0..workflow.nodes.len() {
        let node = &mut workflow.nodes[node_index];
        if let Some(output) = node.outputs.first().filter(|_| random.one_in(4)) {
            let target = match random.one_in(2) {
                true => KEYS[random.below(4)].to_owned(),
                false => format!("mapped{node_index}"),
            };
            let alike = node.outputs.iter().any(|output| *output.key == *target);
            if !alike && targets.insert(target.clone()) {
                node.output_mappings.insert(output.key.clone(), target.into());
            }
        }
        if let Some(input) = node.inputs.first().filter(|_| random.one_in(4)) {
            let source = match targets.iter().nth(random.below(4)) {
                Some(target) => target.clone(),
                None => KEYS[random.below(4)].to_owned(),
            };
            node.input_mappings.insert(input.key.clone(), source.into());
        }
    }
    for node_index in 0..workflow.nodes.len() {
        let mut params: Vec<(String, Value)> = Vec::new();
        let named: Vec<&str> = KEYS.into_iter().filter(|key| is_name(workflow, key)).collect();
        if random.one_in(3) && !named.is_empty() {
            let name = named[random.below(named.len())];
            // Half of them may supply an input.
            let param = if random.one_in(2) { KEYS[random.below(4)] } else { "prompt" };
            params.push((param.to_owned(), Value::from(format!("so: ${name}"))));
        }
        let other = &workflow.nodes[random.below(workflow.nodes.len())];
        if random.one_in(4)
            && let Some(output) = other.outputs.first()
        {
            let text = format!("${{{}.{}}}", other.id, output.key);
            params.push(("exactly".to_owned(), Value::from(text)));
        }
        let params = params.iter().map(|(key, value)| (key.as_str(), value.clone())).collect();
        workflow.nodes[node_index].params = Value::map_of(params).into();
    }
}

/// Workflow with its precomputed order.
pub struct Plan<'a> {
    pub workflow: &'a Workflow,
    /// Nodes in the order of a sequential run without back edges.
    order: Vec<usize>,
    /// For each node, the nodes that it waits for.
    waits: Vec<Vec<bool>>,
}

impl<'a> Plan<'a> {
    pub fn new(workflow: &'a Workflow) -> Plan<'a> {
        let count = workflow.nodes.len();
        let mut steps = BTreeSet::new();
        if workflow.edges.iter().all(|edge| steps.insert((edge.from, &edge.action))) {
            // Without forks no node waits.
            let order = (0..count).collect();
            return Plan { workflow, order, waits: vec![vec![false; count]; count] };
        }
        let walk =
            |from: usize, without: Option<usize>, forward: &dyn Fn(&WorkflowEdge) -> bool| {
                let mut seen = vec![false; count];
                let mut open = if Some(from) == without { Vec::new() } else { vec![from] };
                while let Some(here) = open.pop() {
                    for edge in workflow.edges.iter().filter(|edge| edge.from == here) {
                        if Some(edge.to) != without && forward(edge) && !seen[edge.to] {
                            seen[edge.to] = true;
                            open.push(edge.to);
                        }
                    }
                }
                seen
            };
        // A node dominates the nodes that cannot be reached without it.
        let without: Vec<Vec<bool>> = (0..count).map(|one| walk(0, Some(one), &|_| true)).collect();
        let forward = |edge: &WorkflowEdge| {
            edge.to != 0 && edge.to != edge.from && (edge.from == 0 || without[edge.to][edge.from])
        };
        let mut order: Vec<usize> = Vec::new();
        while order.len() < count {
            let left = || (0..count).filter(|node| !order.contains(node));
            let led = |node: &usize| {
                let mut into = workflow.edges.iter().filter(|edge| edge.to == *node);
                into.any(|edge| forward(edge) && edge.from != *node && !order.contains(&edge.from))
            };
            let next = left().find(|node| !led(node)).or_else(|| left().next());
            order.extend(next);
        }
        // A node waits for the nodes that may lead, through earlier nodes, to it or to a node that it may go
        // back to.
        let rank = |node: usize| order.iter().position(|one| *one == node);
        let reached = |from: usize, last: usize| {
            walk(from, None, &|edge| edge.to == last || rank(edge.to) < rank(last))
        };
        let waits = (0..count).map(|node| {
            let targets = reached(node, node);
            let leads = |other: usize| {
                rank(other) < rank(node)
                    && (0..count).any(|node_index| {
                        let is_target = node_index == node || targets[node_index];
                        is_target && (node_index == other || reached(other, node)[node_index])
                    })
            };
            (0..count).map(leads).collect()
        });
        let waits = waits.collect();
        Plan { workflow, order, waits }
    }
}

/// Store of a run.
#[derive(Clone, Copy)]
pub enum Store<'a> {
    Flat,
    Mapped(&'a Wiring, &'a OutputNames),
}

/// Order in which ready nodes run.
pub enum Order<'a> {
    Sequential,
    Random(&'a mut SplitMix64),
}

/// Read values by node, execution and name.
pub type Reads = BTreeMap<String, String>;

/// Runs a workflow; returns `None` if the run is too long. The results of nodes depend on `seed` alone, so
/// runs in different orders can be compared.
pub fn run(plan: &Plan<'_>, store: Store<'_>, seed: u64, mut order: Order<'_>) -> Option<Reads> {
    let workflow = plan.workflow;
    let mut stored: HashMap<Rc<str>, String> =
        workflow.inputs.keys().map(|key| (key.clone(), format!("input {key}"))).collect();
    // Last output of each node, by qualified name.
    let mut written: HashMap<Rc<str>, String> = HashMap::new();
    let mut executions = vec![0usize; workflow.nodes.len()];
    let mut reads = Reads::new();
    let mut pending = BTreeSet::from([0usize]);
    let mut running: BTreeSet<usize> = BTreeSet::new();
    let mut steps = 0;
    while !pending.is_empty() || !running.is_empty() {
        let open: Vec<usize> = pending.iter().chain(&running).copied().collect();
        let waits =
            |node: usize| open.iter().any(|other| *other != node && plan.waits[node][*other]);
        let mut ready: Vec<usize> = plan
            .order
            .iter()
            .copied()
            .filter(|node| pending.contains(node))
            .filter(|node| !waits(*node) && !running.contains(node))
            .collect();
        if ready.is_empty() && running.is_empty() {
            ready.extend(pending.first());
        }
        let next = match &mut order {
            Order::Sequential if running.is_empty() => ready[0],
            Order::Sequential => *running.first().unwrap(),
            Order::Random(random) => {
                ready.extend(&running);
                ready[random.below(ready.len())]
            }
        };
        let node = &workflow.nodes[next];
        let wired = match store {
            Store::Flat => None,
            Store::Mapped(wiring, names) => Some((&wiring.nodes[next], names)),
        };
        let execution = executions[next];
        if !running.contains(&next) {
            steps += 1;
            if steps > 80 {
                return None;
            }
            pending.remove(&next);
            running.insert(next);
            let mut read = |what: &str, name: &str, from: &HashMap<Rc<str>, String>| {
                let value = from.get(name).cloned().unwrap_or_default();
                reads.insert(format!("{} {execution} {what}", node.id), value);
            };
            for input in node.inputs.iter().filter(|input| !node.has_value_for(&input.key)) {
                let mapped = wired.and_then(|(wired, _)| wired.input_mappings.get(&input.key));
                let flat = match wired {
                    None => node.read_name(&input.key),
                    Some(_) => mapped.unwrap_or(&input.key),
                };
                read(&input.key, flat, &stored);
            }
            for value in node.params.value().as_map().into_iter().flat_map(|map| map.values()) {
                let text = value.as_text().unwrap();
                let name = text.trim_start_matches("so: ").trim_matches(|c| "${}".contains(c));
                let what = format!("${name}");
                match wired {
                    Some((wired, _)) => {
                        read(&what, wired.templates.get(name).map_or(name, |of| &**of), &stored)
                    }
                    None if name.contains('.') => read(&what, name, &written),
                    None => read(&what, name, &stored),
                }
            }
            continue;
        }
        running.remove(&next);
        executions[next] += 1;
        let result = script::script(workflow, next, execution, seed);
        if let Some(failure) = result.failure {
            written.insert(format!("{}.error.message", node.id).into(), failure);
        }
        for (key, value) in result.outputs {
            let value = value_text(&value);
            written.insert(format!("{}.{key}", node.id).into(), value.clone());
            let name = match wired {
                None => node.written_name(&key).to_owned(),
                Some((_, names)) => names.name_of(next, node, &key).to_owned(),
            };
            stored.insert(name, value.clone());
            if let Some(alias) = wired.and_then(|(wired, _)| wired.output_aliases.get(&key)) {
                stored.insert(alias.clone(), value.clone());
            }
            if let Some(own) = wired.and_then(|(wired, _)| wired.own_names.get(&key)) {
                stored.insert(own.clone(), value);
            }
        }
        let edges = workflow
            .edges
            .iter()
            .filter(|edge| edge.from == next && *edge.action == *result.action);
        pending.extend(edges.map(|edge| edge.to));
    }
    for key in workflow.outputs.keys() {
        let name = match store {
            Store::Flat => key,
            Store::Mapped(wiring, _) => {
                wiring.outputs.get(key).and_then(|names| names.get(key)).unwrap_or(key)
            }
        };
        reads.insert(format!("output {key}"), stored.get(name).cloned().unwrap_or_default());
    }
    Some(reads)
}

/// Returns a value as a text template inserts it.
pub fn value_text(value: &Value) -> String {
    value.as_text().map_or_else(|| value.to_text(), str::to_owned)
}

/// Returns the reads by name; the order of reads through nodes is not specified.
pub fn by_name(mut reads: Reads) -> Reads {
    reads.retain(|read, _| !read.contains('.'));
    reads
}

/// Formats a workflow in a few lines.
pub fn show(workflow: &Workflow) -> String {
    let mut text = String::new();
    for (node_index, node) in workflow.nodes.iter().enumerate() {
        let names = |ports: &[Port]| {
            let name =
                |port: &Port| format!("{}{}", port.key, if port.optional { "?" } else { "" });
            ports.iter().map(name).collect::<Vec<_>>().join(" ")
        };
        let edges = workflow.edges.iter().filter(|edge| edge.from == node_index);
        let edges: Vec<String> =
            edges.map(|edge| format!("{} n{}", edge.action, edge.to)).collect();
        text += &format!(
            "{}: reads {} {:?} {}, writes {} {:?}, actions {:?}, edges {}\n",
            node.id,
            names(&node.inputs),
            node.input_mappings,
            node.params.value().to_text(),
            names(&node.outputs),
            node.output_mappings,
            node.actions,
            edges.join(", ")
        );
    }
    let (inputs, outputs) = (workflow.inputs.keys(), workflow.outputs.keys());
    let (inputs, outputs) = (inputs.collect::<Vec<_>>(), outputs.collect::<Vec<_>>());
    text + &format!("inputs {inputs:?}, outputs {outputs:?}")
}
