//! Mappings in a workflow that `generateMappings` made. They name outputs, but change no read; an author's
//! own mappings rename what is written.

use super::naming::{NamePattern, NamingOptions, Strategy};
use super::workflow::{GeneratedName, Node, Workflow, keys_by_name, read_names, store_key};
use crate::base::map::OrderedMap;
use std::rc::Rc;

/// Moves generated output mappings to the generated names of the workflow. A mapping counts as generated
/// if several nodes write its key, and each of them that needs a unique name has one of the pattern.
pub fn extract_generated_names(workflow: &mut Workflow, options: &NamingOptions) {
    if workflow.nodes.iter().all(|node| node.output_mappings.is_empty()) {
        return;
    }
    let mut keys_by_name = keys_by_name(workflow);
    let mut candidates: Vec<OrderedMap<()>> =
        workflow.nodes.iter().map(|_| OrderedMap::default()).collect();
    for generated in &workflow.generated_names {
        if let Some(keys) = candidates.get_mut(generated.node) {
            keys.insert(generated.key.clone(), ());
        }
    }
    let pattern = options.pattern();
    for (node, candidates) in workflow.nodes.iter().zip(&mut candidates) {
        if options.strategy_of(node) == Strategy::Prefix {
            for (key, name) in mappings_of_pattern(node, &pattern) {
                keys_by_name.insert(name.clone(), node.store_key(key).clone());
                candidates.insert(key.clone(), ());
            }
        }
    }
    if candidates.iter().all(OrderedMap::is_empty) {
        return;
    }
    let writers = summarize_writers(workflow, &candidates, &keys_by_name, options);
    let is_generated =
        |key: &Rc<str>| writers.get(key).is_some_and(|of| of.has_several && !of.has_unnamed);
    for (node_index, (node, candidates)) in workflow.nodes.iter_mut().zip(&candidates).enumerate() {
        for (key, name) in std::mem::take(&mut node.output_mappings) {
            let is_named = candidates.contains_key(&key);
            match is_named && is_generated(store_key(&node.store_keys, &key)) {
                true => {
                    workflow.generated_names.push(GeneratedName { node: node_index, key, name });
                }
                false => drop(node.output_mappings.insert(key, name)),
            }
        }
    }
}

/// Iterates over the output mappings whose name may come from the pattern. A node that reads the key
/// keeps it, so such a mapping is not generated.
fn mappings_of_pattern<'a>(
    node: &'a Node,
    pattern: &NamePattern<'_>,
) -> impl Iterator<Item = (&'a Rc<str>, &'a Rc<str>)> {
    let reads = match node.output_mappings.is_empty() {
        true => OrderedMap::default(),
        false => read_names(node, &OrderedMap::default()),
    };
    let mappings = node.output_mappings.iter();
    mappings.filter(move |(key, name)| {
        pattern.matches(name, &node.id, key) && !reads.contains_key(node.store_key(key))
    })
}

/// Summary of the writers of a name.
#[derive(Default)]
struct WriterSummary {
    last: Option<usize>,
    /// Whether several nodes write it.
    has_several: bool,
    /// Whether a writer needs a unique name and has none.
    has_unnamed: bool,
}

/// Returns the writers of each name, with the candidates counted as their keys.
fn summarize_writers(
    workflow: &Workflow,
    candidates: &[OrderedMap<()>],
    keys_by_name: &OrderedMap<Rc<str>>,
    options: &NamingOptions,
) -> OrderedMap<WriterSummary> {
    let mut writers: OrderedMap<WriterSummary> = OrderedMap::default();
    for (node_index, (node, candidates)) in workflow.nodes.iter().zip(candidates).enumerate() {
        let reads = read_names(node, keys_by_name);
        for key in node.outputs.iter().map(|output| &output.key) {
            let is_named = candidates.contains_key(key);
            let name = if is_named { node.store_key(key) } else { node.written_name(key) };
            let keeps_key = is_named
                || node.output_mappings.contains_key(key)
                || options.strategy_of(node) == Strategy::Preserve
                || reads.contains_key(node.store_key(key));
            let summary = writers.entry(name.clone()).or_default();
            summary.has_several |= summary.last.is_some_and(|last| last != node_index);
            summary.has_unnamed |= !keeps_key;
            summary.last = Some(node_index);
        }
    }
    writers
}
