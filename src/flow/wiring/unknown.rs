//! Diagnostics for unknown names.

use super::collector::AccessCollector;
use super::texts::qualified_name;
use crate::base::diagnostic::quote;
use crate::base::template::{self, Reference};
use crate::base::{Diagnostic, names};
use crate::flow::codes;

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
