//! Required params that no value is written for.

use super::codes;
use super::workflow::{Node, ParamDeclaration, Workflow, keys_of};
use crate::base::diagnostic::quote;
use crate::base::{Diagnostic, Value, names};

/// Maximum number of nodes that are reported.
const MAX_REPORTED_NODES: usize = 100;

/// Returns a warning for each node without a param that its type requires.
pub fn missing_params(workflow: &Workflow) -> Vec<Diagnostic> {
    let nodes = workflow.nodes.iter().enumerate();
    let warnings = nodes.filter_map(|(node_index, node)| {
        let missing = missing_keys(node);
        let first = missing.first()?;
        let message = format!(
            "missing required params of {}: {}",
            quote(&node.id),
            names::format_names(missing.iter().copied())
        );
        let first = Value::from(*first).to_text();
        let help = format!("write it in the node, as in `\"params\": {{{first}: …}}`");
        let warning = Diagnostic::new(codes::MISSING_PARAM, message).help(help);
        Some(warning.at_pointer(format!("/nodes/{node_index}")))
    });
    warnings.take(MAX_REPORTED_NODES).collect()
}

/// Returns the keys of required params that neither a param, a default, a batch item nor an input supplies.
fn missing_keys(node: &Node) -> Vec<&str> {
    let is_required = |param: &&ParamDeclaration| {
        let has_default = param.default.as_ref().is_some_and(|default| !default.is_null());
        param.required == Some(true) && !has_default && !node.has_value_for(&param.key)
    };
    let required = node.declared_params.iter().filter(is_required).map(|param| &*param.key);
    let required: Vec<&str> = required.collect();
    if required.is_empty() {
        return required;
    }
    let inputs = keys_of(&node.inputs);
    required.into_iter().filter(|key| !inputs.contains_key(*key)).collect()
}
