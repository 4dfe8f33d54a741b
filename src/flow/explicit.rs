//! Conflicts of the author's own mappings.

use super::codes;
use super::workflow::{Node, keys_of};
use crate::base::Diagnostic;
use crate::base::diagnostic::{Code, quote};
use crate::base::json::escape_pointer_step;
use crate::base::map::OrderedMap;
use std::rc::Rc;

pub(super) fn check_explicit_mappings(nodes: &[Node]) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    let mut targets = Targets::default();
    for (node_index, node) in nodes.iter().enumerate() {
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
                    let help = "map each output to a unique name";
                    diagnostics.push(mapping_conflict(
                        codes::DUPLICATE_TARGET,
                        node,
                        key,
                        message,
                        help,
                    ));
                }
                None => drop(targets.insert(target.clone(), (node_index, key))),
            }
        }
    }
    if !targets.is_empty() {
        nodes.iter().for_each(|node| check_own_outputs(node, &mut diagnostics));
        check_readers(nodes, &targets, &mut diagnostics);
    }
    diagnostics
}

/// Target names with the node index and the key of the output that is mapped to each.
type Targets<'a> = OrderedMap<(usize, &'a str)>;

fn mapping_conflict(
    code: Code,
    node: &Node,
    key: &str,
    message: String,
    help: &'static str,
) -> Diagnostic {
    let id = escape_pointer_step(&node.id);
    let at = format!("/mappings/{id}/output_mappings/{}", escape_pointer_step(key));
    Diagnostic::new(code, message).help(help).at_pointer(at)
}

/// Reports mappings to the key of another output of the same node.
fn check_own_outputs(node: &Node, diagnostics: &mut Vec<Diagnostic>) {
    if node.output_mappings.is_empty() {
        return;
    }
    let keys = keys_of(&node.outputs);
    let is_in_use = |key: &str| keys.contains_key(key) && !node.output_mappings.contains_key(key);
    for (key, target) in node.output_mappings.iter().filter(|(_, target)| is_in_use(target)) {
        let message = format!(
            "{} is mapped to {}, which is another output of the node",
            quote(&format!("{}.{key}", node.id)),
            quote(target)
        );
        let help = "map it to a unique name; the later output overwrites the other";
        diagnostics.push(mapping_conflict(codes::DUPLICATE_NAME, node, key, message, help));
    }
}

/// Reports mappings to a name that another node both reads and writes.
fn check_readers(nodes: &[Node], targets: &Targets<'_>, diagnostics: &mut Vec<Diagnostic>) {
    for (node_index, node) in nodes.iter().enumerate() {
        let writes = node.outputs.iter().map(|output| node.written_name(&output.key));
        let shared: Vec<(&Rc<str>, (usize, &str))> = writes
            .filter_map(|name| Some((name, *targets.get(name)?)))
            .filter(|(_, (other, _))| *other != node_index)
            .collect();
        if shared.is_empty() {
            continue;
        }
        let reads = node.inputs.iter().map(|input| (node.read_name(&input.key).clone(), ()));
        let reads: OrderedMap<()> = reads.collect();
        for (name, (other, key)) in shared {
            let Some(other) = nodes.get(other).filter(|_| reads.contains_key(name)) else {
                continue;
            };
            let message = format!(
                "{} is mapped to {}, which {} reads and writes",
                quote(&format!("{}.{key}", other.id)),
                quote(name),
                quote(&node.id)
            );
            let help = "choose another name";
            diagnostics.push(mapping_conflict(
                codes::TARGET_READ_AND_WRITTEN,
                other,
                key,
                message,
                help,
            ));
        }
    }
}
