//! The author's own mappings: names that two outputs would share.

use super::codes;
use super::workflow::{Node, keys_of};
use crate::base::Diagnostic;
use crate::base::diagnostic::{Code, quote};
use crate::base::json::pointer_step;
use crate::base::map::OrderedMap;
use std::rc::Rc;

/// What is wrong with them.
pub(super) fn explicit_faults(nodes: &[Node]) -> Vec<Diagnostic> {
    let mut told = Vec::new();
    let mut targets = Targets::default();
    for (place, node) in nodes.iter().enumerate() {
        for (key, target) in &node.output_mappings {
            match targets.get(target) {
                Some((other, other_key)) => {
                    let other = nodes.get(*other).map_or("", |node| &*node.id);
                    let message = format!(
                        "{} and {} are both mapped to {}",
                        quote(&format!("{other}.{other_key}")),
                        quote(&format!("{}.{key}", node.id)),
                        quote(target)
                    );
                    let help = "give each a name of its own";
                    told.push(fault(codes::SAME_TARGET, node, key, message, help));
                }
                None => drop(targets.insert(target.clone(), (place, key))),
            }
        }
    }
    if !targets.is_empty() {
        nodes.iter().for_each(|node| mapped_to_outputs(node, &mut told));
        taken_by_readers(nodes, &targets, &mut told);
    }
    told
}

/// What outputs are mapped to: the place of the node, and the key of the output.
type Targets<'a> = OrderedMap<(usize, &'a str)>;

/// What is wrong with the mapping of one output.
fn fault(code: Code, node: &Node, key: &str, message: String, help: &'static str) -> Diagnostic {
    let id = pointer_step(&node.id);
    let at = format!("/mappings/{id}/output_mappings/{}", pointer_step(key));
    Diagnostic::new(code, message).help(help).at_pointer(at)
}

/// Mappings to what another output of the node is called by itself.
fn mapped_to_outputs(node: &Node, told: &mut Vec<Diagnostic>) {
    if node.output_mappings.is_empty() {
        return;
    }
    let keys = keys_of(&node.outputs);
    let taken = |key: &str| keys.contains_key(key) && !node.output_mappings.contains_key(key);
    for (key, target) in node.output_mappings.iter().filter(|(_, target)| taken(target)) {
        let message = format!(
            "{} is mapped to {}, which is another output of the node",
            quote(&format!("{}.{key}", node.id)),
            quote(target)
        );
        let help = "give each a name of its own, or the later one is all that is left";
        told.push(fault(codes::SAME_NAME, node, key, message, help));
    }
}

/// Mappings to what another node reads and writes itself.
fn taken_by_readers(nodes: &[Node], targets: &Targets<'_>, told: &mut Vec<Diagnostic>) {
    for (place, node) in nodes.iter().enumerate() {
        let writes = node.outputs.iter().map(|output| node.writes(&output.key));
        let mapped: Vec<(&Rc<str>, (usize, &str))> = writes
            .filter_map(|name| Some((name, *targets.get(name)?)))
            .filter(|(_, (other, _))| *other != place)
            .collect();
        if mapped.is_empty() {
            continue;
        }
        let read = node.inputs.iter().map(|input| (node.reads(&input.key).clone(), ()));
        let read: OrderedMap<()> = read.collect();
        for (name, (other, key)) in mapped {
            let Some(other) = nodes.get(other).filter(|_| read.contains_key(name)) else {
                continue;
            };
            let message = format!(
                "{} maps to {}, which {} reads and writes itself",
                quote(&format!("{}.{key}", other.id)),
                quote(name),
                quote(&node.id)
            );
            let help = "choose another name";
            told.push(fault(codes::TAKEN_BY_READER, other, key, message, help));
        }
    }
}
