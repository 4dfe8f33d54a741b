//! Random workflows, and what it means to run one over a store: shared by the tests of the mapping.

// Each test uses a part of it.
#![allow(dead_code)]

use byname::base::Value;
use byname::base::map::OrderedMap;
use byname::base::value::Map;
use byname::flow::naming::Names;
use byname::flow::wiring::Wiring;
use byname::flow::workflow::{DEFAULT_ACTION, Edge, Input, Node, Port, Workflow};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

/// SplitMix64.
pub struct Chance(pub u64);

impl Chance {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub fn below(&mut self, most: usize) -> usize {
        (self.next() % most.max(1) as u64) as usize
    }

    pub fn one_in(&mut self, many: usize) -> bool {
        self.below(many) == 0
    }
}

pub const KEYS: [&str; 4] = ["response", "data", "status", "x"];

/// What random workflows are made of.
#[derive(Clone, Copy, Debug, Default)]
pub struct Shape {
    pub branches: bool,
    pub loops: bool,
    pub optional: bool,
    pub forks: bool,
    /// Templates, params that supply inputs, mappings of the author, reads through nodes.
    pub texts: bool,
    /// How many nodes there are at most.
    pub most: usize,
}

/// Edges from anywhere to anywhere.
pub fn tangle(chance: &mut Chance, shape: Shape) -> Workflow {
    let count = 2 + chance.below(shape.most - 1);
    let mut edges = Vec::new();
    for from in 0..count - 1 {
        let edge = |to, action: &str| Edge { from, to, action: action.into() };
        if !shape.forks || !chance.one_in(3) {
            edges.push(edge(from + 1, DEFAULT_ACTION));
        }
        let later = |chance: &mut Chance| from + 1 + chance.below(count - from - 1);
        if shape.branches && chance.one_in(2) {
            edges.push(edge(later(chance), "skip"));
        }
        if shape.forks && chance.one_in(2) {
            edges.push(edge(later(chance), DEFAULT_ACTION));
        }
        if shape.forks && shape.branches && chance.one_in(4) {
            edges.push(edge(later(chance), "skip"));
        }
        if shape.loops && chance.one_in(3) {
            edges.push(edge(chance.below(from + 1), "back"));
        }
    }
    filled(chance, shape, count, edges)
}

/// Blocks in blocks: branches, forks that join again, and loops.
pub fn nest(chance: &mut Chance, shape: Shape) -> Workflow {
    let mut count = 0;
    let mut edges = Vec::new();
    let most = shape.most;
    block(chance, shape, most, &mut count, &mut edges);
    // Some branches end before they join.
    if shape.branches && chance.one_in(2) && !edges.is_empty() {
        let place = chance.below(edges.len());
        edges[place].action = "rare".into();
    }
    filled(chance, shape, count, edges)
}

/// Makes a block of about `size` nodes; answers its first and its last.
fn block(
    chance: &mut Chance,
    shape: Shape,
    size: usize,
    count: &mut usize,
    edges: &mut Vec<Edge>,
) -> (usize, usize) {
    let link = |edges: &mut Vec<Edge>, from, to, action: &str| {
        edges.push(Edge { from, to, action: action.into() });
    };
    let fresh = |count: &mut usize| {
        *count += 1;
        *count - 1
    };
    if size < 3 {
        let node = fresh(count);
        return (node, node);
    }
    match chance.below(4) {
        0 if shape.forks || shape.branches => {
            let split = fresh(count);
            let fork = shape.forks && (!shape.branches || !chance.one_in(3));
            let wide = 2 + chance.below(2);
            let parts: Vec<(usize, usize)> =
                (0..wide).map(|_| block(chance, shape, (size - 2) / wide, count, edges)).collect();
            let join = fresh(count);
            for (nth, (first, last)) in parts.into_iter().enumerate() {
                let action =
                    if fork || nth == 0 { DEFAULT_ACTION } else { ["skip", "leave"][nth - 1] };
                link(edges, split, first, action);
                if !chance.one_in(8) {
                    link(edges, last, join, DEFAULT_ACTION);
                }
            }
            if fork && chance.one_in(3) {
                link(edges, split, join, DEFAULT_ACTION);
            }
            (split, join)
        }
        1 if shape.loops => {
            let (first, last) = block(chance, shape, size - 1, count, edges);
            if !edges.iter().any(|edge| edge.from == last && &*edge.action == "back") {
                link(edges, last, first, "back");
            }
            (first, last)
        }
        _ => {
            let (first, middle) = block(chance, shape, size / 2, count, edges);
            let (next, last) = block(chance, shape, size - size / 2, count, edges);
            link(edges, middle, next, DEFAULT_ACTION);
            (first, last)
        }
    }
}

/// Nodes that read and write, between these edges.
fn filled(chance: &mut Chance, shape: Shape, count: usize, mut edges: Vec<Edge>) -> Workflow {
    let mut seen = BTreeSet::new();
    edges.retain(|edge| seen.insert((edge.from, edge.to, edge.action.clone())));
    let dense = if shape.forks { 5 } else { 2 };
    let mut nodes = Vec::new();
    for place in 0..count {
        let mut inputs = Vec::new();
        let mut outputs = Vec::new();
        for key in KEYS {
            if chance.one_in(3) {
                inputs.push(Port { key: key.into(), ..Port::default() });
            }
            if chance.one_in(dense) {
                let optional = shape.optional && chance.one_in(3);
                outputs.push(Port { key: key.into(), optional, ..Port::default() });
            }
        }
        let id = format!("n{place}").into();
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
        if node.actions.is_empty() || shape.forks && chance.one_in(6) {
            Rc::make_mut(&mut node.actions).push("done".to_owned());
        }
    }
    let mut inputs: OrderedMap<Input> = OrderedMap::default();
    for key in KEYS {
        if chance.one_in(3) {
            inputs.insert(key.into(), Input::default());
        }
    }
    let mut workflow = Workflow { nodes, edges, starts: vec![0], inputs, ..Workflow::default() };
    if shape.texts {
        texts(chance, &mut workflow);
    }
    for key in KEYS {
        // A name that nobody writes is no name of a template.
        if chance.one_in(2) && is_name(&workflow, key) {
            workflow.outputs.insert(key.into(), Value::from(format!("${{{key}}}")));
        }
    }
    workflow
}

fn is_name(workflow: &Workflow, name: &str) -> bool {
    let mut outputs =
        workflow.nodes.iter().flat_map(|node| node.outputs.iter().map(move |o| (node, o)));
    workflow.inputs.contains_key(name)
        || outputs.any(|(node, output)| **node.writes(&output.key) == *name)
}

fn texts(chance: &mut Chance, workflow: &mut Workflow) {
    let mut targets = BTreeSet::new();
    for place in 0..workflow.nodes.len() {
        let node = &mut workflow.nodes[place];
        if let Some(output) = node.outputs.first().filter(|_| chance.one_in(4)) {
            let target = match chance.one_in(2) {
                true => KEYS[chance.below(4)].to_owned(),
                false => format!("mapped{place}"),
            };
            let alike = node.outputs.iter().any(|output| *output.key == *target);
            if !alike && targets.insert(target.clone()) {
                node.output_mappings.insert(output.key.clone(), target.into());
            }
        }
        if let Some(input) = node.inputs.first().filter(|_| chance.one_in(4)) {
            let source = match targets.iter().nth(chance.below(4)) {
                Some(target) => target.clone(),
                None => KEYS[chance.below(4)].to_owned(),
            };
            node.input_mappings.insert(input.key.clone(), source.into());
        }
    }
    for place in 0..workflow.nodes.len() {
        let mut params: Vec<(String, Value)> = Vec::new();
        let named: Vec<&str> = KEYS.into_iter().filter(|key| is_name(workflow, key)).collect();
        if chance.one_in(3) && !named.is_empty() {
            let name = named[chance.below(named.len())];
            // Half of them take the place of an input.
            let param = if chance.one_in(2) { KEYS[chance.below(4)] } else { "prompt" };
            params.push((param.to_owned(), Value::from(format!("so: ${name}"))));
        }
        let other = &workflow.nodes[chance.below(workflow.nodes.len())];
        if chance.one_in(4)
            && let Some(output) = other.outputs.first()
        {
            let text = format!("${{{}.{}}}", other.id, output.key);
            params.push(("exactly".to_owned(), Value::from(text)));
        }
        let params = params.iter().map(|(key, value)| (key.as_str(), value.clone())).collect();
        workflow.nodes[place].params = Value::map_of(params).into();
    }
}

/// What there is to know of a workflow before it is run.
pub struct Plan<'a> {
    pub workflow: &'a Workflow,
    /// The nodes in the order of a run that does one thing after another, loops taken once.
    order: Vec<usize>,
    /// For each node, for which others it waits.
    waits: Vec<Vec<bool>>,
}

impl<'a> Plan<'a> {
    pub fn new(workflow: &'a Workflow) -> Plan<'a> {
        let count = workflow.nodes.len();
        let mut steps = BTreeSet::new();
        if workflow.edges.iter().all(|edge| steps.insert((edge.from, &edge.action))) {
            // Nobody has to wait where nothing runs side by side.
            let order = (0..count).collect();
            return Plan { workflow, order, waits: vec![vec![false; count]; count] };
        }
        let walk = |from: usize, without: Option<usize>, forward: &dyn Fn(&Edge) -> bool| {
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
        // One node dominates another that cannot be reached without it.
        let without: Vec<Vec<bool>> = (0..count).map(|one| walk(0, Some(one), &|_| true)).collect();
        let forward = |edge: &Edge| {
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
        // A node waits for what may lead, by nodes before it, to it or to where it goes back to.
        let rank = |node: usize| order.iter().position(|one| *one == node);
        let reached = |from: usize, last: usize| {
            walk(from, None, &|edge| edge.to == last || rank(edge.to) < rank(last))
        };
        let waits = (0..count).map(|node| {
            let wanted = reached(node, node);
            let leads = |other: usize| {
                rank(other) < rank(node)
                    && (0..count).any(|place| {
                        let wanted = place == node || wanted[place];
                        wanted && (place == other || reached(other, node)[place])
                    })
            };
            (0..count).map(leads).collect()
        });
        let waits = waits.collect();
        Plan { workflow, order, waits }
    }
}

/// Which reads and writes go where.
#[derive(Clone, Copy)]
pub enum Store<'a> {
    Flat,
    Mapped(&'a Wiring, &'a Names),
}

/// In which order ready nodes run.
pub enum Order<'a> {
    /// The first of the array first.
    Sequential,
    Random(&'a mut Chance),
}

/// What was read, by whom; nothing where the run is too long.
pub type Reads = BTreeMap<String, String>;

/// Runs a workflow. What nodes answer and leave out depends on `seed` alone, so runs in different
/// orders can be compared.
pub fn run(plan: &Plan<'_>, store: Store<'_>, seed: u64, mut order: Order<'_>) -> Option<Reads> {
    let workflow = plan.workflow;
    let mut stored: HashMap<Rc<str>, String> =
        workflow.inputs.keys().map(|key| (key.clone(), format!("input {key}"))).collect();
    // What each node wrote last, whatever was written over it.
    let mut written: HashMap<Rc<str>, String> = HashMap::new();
    let mut turns = vec![0usize; workflow.nodes.len()];
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
            Order::Random(chance) => {
                ready.extend(&running);
                ready[chance.below(ready.len())]
            }
        };
        let node = &workflow.nodes[next];
        let wired = match store {
            Store::Flat => None,
            Store::Mapped(wiring, names) => Some((&wiring.nodes[next], names)),
        };
        let turn = turns[next];
        let mut chance = Chance(seed ^ (next as u64) << 32 ^ (turn as u64) << 48);
        if !running.contains(&next) {
            steps += 1;
            if steps > 80 {
                return None;
            }
            pending.remove(&next);
            running.insert(next);
            let mut read = |what: &str, name: &str, from: &HashMap<Rc<str>, String>| {
                let value = from.get(name).cloned().unwrap_or_default();
                reads.insert(format!("{} {turn} {what}", node.id), value);
            };
            for input in node.inputs.iter().filter(|input| !node.supplies(&input.key)) {
                let mapped = wired.and_then(|(wired, _)| wired.input_mappings.get(&input.key));
                let flat = match wired {
                    None => node.reads(&input.key),
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
        turns[next] += 1;
        for output in node.outputs.iter() {
            if output.optional && chance.one_in(2) {
                continue;
            }
            let value = format!("{} {} {turn}", node.id, output.key);
            written.insert(format!("{}.{}", node.id, output.key).into(), value.clone());
            let name = match wired {
                None => node.writes(&output.key).to_owned(),
                Some((_, names)) => names.of(next, node, &output.key).to_owned(),
            };
            stored.insert(name, value.clone());
            if let Some(alias) = wired.and_then(|(wired, _)| wired.output_aliases.get(&output.key))
            {
                stored.insert(alias.clone(), value);
            }
        }
        // Loops end, mostly.
        let mut action = &node.actions[chance.below(node.actions.len())];
        if action == "back" && turn > 1 {
            action = &node.actions[0];
        }
        let edges =
            workflow.edges.iter().filter(|edge| edge.from == next && *edge.action == **action);
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

/// Only what is read by name, not through a node: the order of those is not promised.
pub fn by_name(mut reads: Reads) -> Reads {
    reads.retain(|read, _| !read.contains('.'));
    reads
}

/// A workflow in a few lines.
pub fn show(workflow: &Workflow) -> String {
    let mut text = String::new();
    for (place, node) in workflow.nodes.iter().enumerate() {
        let names = |ports: &[Port]| {
            let name =
                |port: &Port| format!("{}{}", port.key, if port.optional { "?" } else { "" });
            ports.iter().map(name).collect::<Vec<_>>().join(" ")
        };
        let edges = workflow.edges.iter().filter(|edge| edge.from == place);
        let edges: Vec<String> =
            edges.map(|edge| format!("{} n{}", edge.action, edge.to)).collect();
        text += &format!(
            "{}: reads {} {:?} {}, writes {} {:?}, answers {:?}, leads {}\n",
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
