//! Context for a planner: all nodes, with the unique names of their outputs.

use super::codes;
use super::naming::{NamingOptions, OutputNames, PreviousNames, without_number};
use super::naming_cache::fingerprint;
use super::planner_view::{NodeView, WorkflowView};
pub use super::text_budget::TextBudget;
use super::workflow::{Node, Workflow, keys_of};
use crate::base::diagnostic::quote;
use crate::base::json::escape_pointer_step;
use crate::base::map::OrderedMap;
use crate::base::value::Map;
use crate::base::{Diagnostic, Value};
use std::rc::Rc;

/// Context for a planner.
#[derive(Clone, Debug, PartialEq)]
pub struct PlannerContext {
    /// Text for the model.
    pub markdown: String,
    /// All nodes: `{name, id, description?, purpose?, inputs, outputs, actions?, params?, input_details?,
    /// output_details?}`, with the stored names of the outputs in the order of the registry.
    pub nodes: Value,
    /// Hash of everything that the names depend on.
    pub fingerprint: String,
}

/// Builds the context of a workflow.
pub fn build_context(
    workflow: &Workflow,
    names: &OutputNames,
    options: &NamingOptions,
    budget: TextBudget,
) -> PlannerContext {
    let view = WorkflowView::new(workflow, names);
    PlannerContext {
        markdown: view.markdown(budget),
        nodes: Value::list(view.nodes.iter().map(NodeView::to_value).collect::<Vec<_>>()),
        fingerprint: fingerprint(workflow, options),
    }
}

const PASS_UNCHANGED_HELP: &str = "pass the result of `buildContext` unchanged";

/// Returns the names that a context has for the outputs of a workflow.
pub fn names_from_context(
    context: &Value,
    workflow: &Workflow,
    options: &NamingOptions,
) -> (PreviousNames, Vec<Diagnostic>) {
    let mut diagnostics = Vec::new();
    let mut previous = PreviousNames::from_workflow(workflow);
    previous.nodes.resize(workflow.nodes.len(), OrderedMap::default());
    let Some(entries) = context.get("nodes").and_then(Value::as_list) else {
        diagnostics.push(
            Diagnostic::new(codes::INVALID_CONTEXT, "invalid context")
                .help(PASS_UNCHANGED_HELP)
                .at_pointer("/context"),
        );
        return (previous, diagnostics);
    };
    let mut node_indices = OrderedMap::default();
    for (node_index, node) in workflow.nodes.iter().enumerate() {
        node_indices.insert(node.id.clone(), node_index);
    }
    for (index, entry) in entries.iter().enumerate() {
        let Some((id, kind, outputs)) = context_entry_parts(entry) else {
            diagnostics.push(
                Diagnostic::new(codes::INVALID_CONTEXT, "invalid node in the context")
                    .help(PASS_UNCHANGED_HELP)
                    .at_pointer(format!("/context/nodes/{index}")),
            );
            continue;
        };
        let node_index = node_indices.get(id).copied();
        let node = node_index.and_then(|node_index| workflow.nodes.get(node_index));
        let (Some(node_index), Some(node)) = (node_index, node) else {
            let id: Rc<str> = id.into();
            for name in outputs.iter() {
                previous.removed_names.entry((*name).into()).or_insert_with(|| id.clone());
            }
            continue;
        };
        let is_same_shape = *node.kind == *kind && node.outputs.len() == outputs.len();
        if !is_same_shape || has_foreign_name(node, &outputs, options) {
            diagnostics.push(
                Diagnostic::new(
                    codes::CHANGED_NODE,
                    format!("{} has changed since the context was built", quote(id)),
                )
                .help(
                    "build the context again to see the new names of its outputs, or repeat the mappings that it \
                     was built with",
                )
                .at_pointer(format!("/nodes/{node_index}")),
            );
            continue;
        }
        let Some(names) = previous.nodes.get_mut(node_index) else { continue };
        for (output, name) in node.outputs.iter().zip(&outputs) {
            // Mappings of the workflow take precedence.
            if !node.output_mappings.contains_key(&output.key) && !names.contains_key(&output.key) {
                names.insert(output.key.clone(), (*name).into());
            }
        }
    }
    diagnostics.extend(name_conflicts(workflow, &previous));
    (previous, diagnostics)
}

/// Returns the id, type and output names of a node in the context; `None` if it is invalid.
fn context_entry_parts(entry: &Value) -> Option<(&str, &str, Vec<&str>)> {
    let outputs = entry.get("outputs")?.as_list()?.iter().map(Value::as_text);
    let outputs: Option<Vec<&str>> = outputs.collect();
    Some((entry.get("id")?.as_text()?, entry.get("name")?.as_text()?, outputs?))
}

/// Returns whether an output has a name that naming cannot assign: that of another output of this
/// node, or of the node in the context.
fn has_foreign_name(node: &Node, names: &[&str], options: &NamingOptions) -> bool {
    let pattern = options.pattern();
    let keys = keys_of(&node.outputs);
    let generated: OrderedMap<()> =
        keys.iter().map(|(key, ())| (pattern.name(&node.id, key).into(), ())).collect();
    let is_known = |name: &str| {
        keys.contains_key(name)
            || generated.contains_key(name)
            || generated.contains_key(without_number(name))
    };
    let fits = |key: &Rc<str>, name: &str| {
        // Every prefix contains the id and the key.
        let has_other_prefix = || name.contains(&*node.id) && name.contains(&**key);
        let is_plausible = || node.output_mappings.contains_key(key) || has_other_prefix();
        *name == **node.store_key(key)
            || pattern.matches(name, &node.id, key)
            || !is_known(name) && is_plausible()
    };
    node.outputs.iter().zip(names).any(|(own, name)| !fits(&own.key, name))
}

/// Reports names of the context that the workflow uses for something else.
fn name_conflicts(workflow: &Workflow, previous: &PreviousNames) -> Vec<Diagnostic> {
    let mut owners = OrderedMap::default();
    let mut diagnostics = Vec::new();
    for (node_index, (node, names)) in workflow.nodes.iter().zip(&previous.nodes).enumerate() {
        for (key, name) in names {
            if node.written_name(key) == name {
                continue;
            }
            if owners.insert(name.clone(), node_index).is_some() {
                let message = format!("duplicate name {} in the context", quote(name));
                diagnostics.push(
                    Diagnostic::new(codes::INVALID_CONTEXT, message)
                        .help(PASS_UNCHANGED_HELP)
                        .at_pointer("/context"),
                );
            }
        }
    }
    let owner = |name: &str| {
        let node_index: usize = *owners.get(name)?;
        workflow.nodes.get(node_index).map(|node| &*node.id)
    };
    let conflict = |name: &str, owner: &str, at: String| {
        let message =
            format!("the name {} belongs to {} in the context", quote(name), quote(owner));
        let help = "rename this one, or build the context again";
        Diagnostic::new(codes::CONTEXT_NAME_CONFLICT, message).help(help).at_pointer(at)
    };
    for (node_index, node) in workflow.nodes.iter().enumerate() {
        for (key, name) in node.output_mappings.iter() {
            if let Some(owner) = owner(name).filter(|owner| **owner != *node.id) {
                let id = escape_pointer_step(&node.id);
                let at = format!("/mappings/{id}/output_mappings/{}", escape_pointer_step(key));
                diagnostics.push(conflict(name, owner, at));
            }
        }
        for port in node.inputs.iter().chain(node.outputs.iter()) {
            if let Some(owner) = owner(&port.key) {
                diagnostics.push(conflict(&port.key, owner, format!("/nodes/{node_index}")));
            }
        }
    }
    for name in workflow.inputs.keys() {
        if let Some(owner) = owner(name) {
            diagnostics.push(conflict(
                name,
                owner,
                format!("/inputs/{}", escape_pointer_step(name)),
            ));
        }
    }
    diagnostics
}

impl PlannerContext {
    /// Returns `{markdown, nodes, fingerprint}`.
    pub fn to_value(&self) -> Map {
        let mut map = Map::default();
        map.insert("markdown".into(), self.markdown.as_str().into());
        map.insert("nodes".into(), self.nodes.clone());
        map.insert("fingerprint".into(), self.fingerprint.as_str().into());
        map
    }
}
