//! Mappings that `generateMappings` made and that stand in a workflow: they say what outputs are called, and
//! everybody reads what he would read without them. An author's own rename what is written.

use super::naming::{Options, Pattern, Strategy};
use super::workflow::{Named, Node, Workflow};
use crate::base::map::OrderedMap;
use std::rc::Rc;

/// Takes the mappings of outputs that were made and not written by an author: those of a name which several nodes
/// write, where each of them that would get a name of its own has one that could be made for it.
pub fn take_generated(workflow: &mut Workflow, options: &Options) {
    if workflow.nodes.iter().all(|node| node.output_mappings.is_empty()) {
        return;
    }
    let mut names = names_of(&workflow.named);
    let mut made: Vec<OrderedMap<()>> =
        workflow.nodes.iter().map(|_| OrderedMap::default()).collect();
    for named in &workflow.named {
        if let Some(keys) = made.get_mut(named.node) {
            keys.insert(named.key.clone(), ());
        }
    }
    let pattern = options.pattern();
    for (node, made) in workflow.nodes.iter().zip(&mut made) {
        if options.of(node) == Strategy::Prefix {
            for (key, name) in made_of(node, &pattern) {
                names.insert(name.clone(), key.clone());
                made.insert(key.clone(), ());
            }
        }
    }
    if made.iter().all(OrderedMap::is_empty) {
        return;
    }
    let writers = writers(workflow, &made, &names, options);
    let is_made = |key: &Rc<str>| writers.get(key).is_some_and(|of| of.several && !of.unnamed);
    for (place, (node, made)) in workflow.nodes.iter_mut().zip(&made).enumerate() {
        for (key, name) in std::mem::take(&mut node.output_mappings) {
            match made.contains_key(&key) && is_made(&key) {
                true => workflow.named.push(Named { node: place, key, name }),
                false => drop(node.output_mappings.insert(key, name)),
            }
        }
    }
}

/// The names that were made, with the keys that they were made of.
pub(super) fn names_of(named: &[Named]) -> OrderedMap<Rc<str>> {
    named.iter().map(|named| (named.name.clone(), named.key.clone())).collect()
}

/// The names that a node reads, and the keys that names which were made are of.
pub(super) fn keys_read(node: &Node, names: &OrderedMap<Rc<str>>) -> OrderedMap<()> {
    let from = node.inputs.iter().map(|input| node.reads(&input.key));
    let each = from.flat_map(|from| [Some(from), names.get(from)].into_iter().flatten());
    each.map(|name| (name.clone(), ())).collect()
}

/// The outputs of a node that are mapped to what could be made for them. Where the node reads what it writes, it
/// would keep the key.
fn made_of<'a>(
    node: &'a Node,
    pattern: &Pattern<'_>,
) -> impl Iterator<Item = (&'a Rc<str>, &'a Rc<str>)> {
    let reads = match node.output_mappings.is_empty() {
        true => OrderedMap::default(),
        false => keys_read(node, &OrderedMap::default()),
    };
    let mapped = node.output_mappings.iter();
    mapped
        .filter(move |(key, name)| pattern.may_be(name, &node.id, key) && !reads.contains_key(*key))
}

/// Who writes a name.
#[derive(Default)]
struct Writers {
    last: Option<usize>,
    /// Whether they are several nodes.
    several: bool,
    /// Whether one of them has no name of its own and would get one.
    unnamed: bool,
}

/// Who writes each name where what was `made` for a node is taken for its key.
fn writers(
    workflow: &Workflow,
    made: &[OrderedMap<()>],
    names: &OrderedMap<Rc<str>>,
    options: &Options,
) -> OrderedMap<Writers> {
    let mut writers: OrderedMap<Writers> = OrderedMap::default();
    for (place, (node, made)) in workflow.nodes.iter().zip(made).enumerate() {
        let read = keys_read(node, names);
        for key in node.outputs.iter().map(|output| &output.key) {
            let is_named = made.contains_key(key);
            let name = if is_named { key } else { node.writes(key) };
            let is_kept = is_named
                || node.output_mappings.contains_key(key)
                || options.of(node) == Strategy::Preserve
                || read.contains_key(key);
            let of = writers.entry(name.clone()).or_default();
            of.several |= of.last.is_some_and(|last| last != place);
            of.unnamed |= !is_kept;
            of.last = Some(place);
        }
    }
    writers
}
