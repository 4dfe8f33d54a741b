//! Diagnostics for unknown names.

use super::collector::AccessCollector;
use super::texts::{path_text, qualified_name};
use crate::base::diagnostic::quote;
use crate::base::template::{self, Reference};
use crate::base::{Diagnostic, names};
use crate::flow::codes;

/// Keywords before a name in other workflow languages.
const CONTAINERS: [&str; 16] = [
    "inputs",
    "input",
    "outputs",
    "output",
    "steps",
    "step",
    "nodes",
    "node",
    "context",
    "ctx",
    "state",
    "store",
    "vars",
    "variables",
    "workflow",
    "params",
];

/// Names of other workflow languages for the index of an item.
const INDEX_NAMES: [&str; 5] = ["index", "idx", "i", "item_index", "itemIndex"];

/// Maximum number of unknown names with suggestions; later diagnostics are not displayed.
const MAX_SUGGESTIONS: usize = 100;

impl AccessCollector<'_> {
    /// Returns the error for an input mapping from an unknown name.
    pub fn unknown_source(&mut self, name: &str) -> Diagnostic {
        let suggestion = names::suggestion_help(name, &self.sorted_names().collect::<Vec<_>>());
        let help = match self.output_of_generated_name(name) {
            Some(_) => "pass the planner's `context` to resolve generated names".to_owned(),
            None => suggestion,
        };
        Diagnostic::new(codes::UNKNOWN_PORT, format!("unknown name {}", quote(name))).help(help)
    }

    /// Returns the error for a reference to an unknown name.
    pub fn unknown_reference(&mut self, reference: &Reference) -> Diagnostic {
        let error = template::unknown_name(reference, self.sorted_names());
        if let Some(help) = self.container_help(reference) {
            return error.help(help);
        }
        if let Some(node) = self.names.removed_names.get(reference.name.as_str()) {
            let id = quote(node);
            return error
                .help(format!("add the node {id}: the context lists the name as its output"));
        }
        let Some(qualified) = self.output_of_generated_name(&reference.name) else { return error };
        let expression = quote(&format!("${{{qualified}}}"));
        error.help(match self.mapped_name(&qualified) {
            Some(name) => format!("write {expression}: `mappings` renames it to {}", quote(name)),
            None => format!(
                "write {expression}, or pass the planner's `context` to resolve generated names"
            ),
        })
    }

    /// Returns the help for a reference such as `inputs.topic` or `steps.a.text`. Returns `None` without
    /// such a keyword, or if the rest names nothing of the workflow.
    fn container_help(&self, reference: &Reference) -> Option<String> {
        let is_container = |name: &str| CONTAINERS.contains(&name);
        if !is_container(&reference.name) || self.unknown_count > MAX_SUGGESTIONS {
            return None;
        }
        // Only keys and indices can be written after dots.
        let written = path_text(reference).replace('[', ".").replace(']', "");
        if written.contains(['"', '\'', ' ']) || written.contains(".-") {
            return None;
        }
        let is_known = |name: &str| self.node_index(name).is_some() || self.is_name(name);
        let steps = written.split('.');
        let mut path: Vec<&str> =
            steps.skip_while(|step| is_container(step) && !is_known(step)).collect();
        let first = path.first_mut()?;
        if !is_known(first) {
            let ids = self.workflow.nodes.iter().map(|node| &*node.id);
            let all = ids.chain(self.sorted_names.iter().flatten().map(String::as_str));
            match names::closest(first, all.take(names::MAX_CANDIDATES)) {
                Some(closest) => *first = closest,
                None if !reference.name.starts_with("input") => return None,
                None => {
                    let name = quote(first);
                    let written = quote(&format!("${{{}}}", path.join(".")));
                    return Some(format!(
                        "declare {name} in `inputs` of the workflow, and write {written}"
                    ));
                }
            }
        }
        let corrected = self.correct_path(&path)?;
        Some(format!("write {}", quote(&format!("${{{corrected}}}"))))
    }

    /// Returns the help for an unknown name of a batch item or of its index.
    pub fn batch_help(&self, reference: &Reference, node_index: usize) -> Option<String> {
        let batch = self.workflow.nodes.get(node_index)?.batch.as_ref()?;
        let name = reference.name.as_str();
        let write = |own: &str| {
            let path = path_text(reference).strip_prefix(name)?;
            Some(format!("write {}", quote(&format!("${{{own}{path}}}"))))
        };
        match &batch.index {
            _ if name == "item" => write(&batch.name),
            _ if !INDEX_NAMES.contains(&name) => None,
            Some(index) => write(index),
            None => Some(format!("add {} to the batch", quote(&format!("\"index\": \"{name}\"")))),
        }
    }

    /// Returns the name that the author maps a qualified output to.
    fn mapped_name(&self, qualified: &str) -> Option<&str> {
        self.workflow.nodes.iter().find_map(|node| {
            let key = qualified.strip_prefix(&*node.id)?.strip_prefix('.')?;
            node.output_mappings.get(key).map(|name| &**name)
        })
    }

    /// Returns the qualified name of the output that may have got a generated name, or `None`.
    pub fn output_of_generated_name(&self, name: &str) -> Option<String> {
        if self.unknown_count > MAX_SUGGESTIONS {
            return None;
        }
        self.workflow.nodes.iter().find_map(|node| {
            let key = name.strip_prefix(&*node.id)?.strip_prefix('_')?;
            let output = node.outputs.iter().find(|output| *output.key == *key)?;
            Some(qualified_name(&node.id, &output.key))
        })
    }

    /// Returns all names, sorted; only the first one after [`MAX_SUGGESTIONS`] calls.
    pub fn sorted_names(&mut self) -> impl Iterator<Item = &str> + Clone {
        if self.sorted_names.is_none() {
            let flat = self.flat.keys().filter(|name| self.is_flat(name));
            let mut all: Vec<String> =
                self.declared().unique.keys().chain(flat).map(|name| name.to_string()).collect();
            all.sort_unstable();
            self.sorted_names = Some(all);
        }
        self.unknown_count += 1;
        let limit = if self.unknown_count > MAX_SUGGESTIONS { 1 } else { usize::MAX };
        self.sorted_names.iter().flatten().map(String::as_str).take(limit)
    }
}
