//! Mappings of a workflow: those of the author and generated ones.

use super::{LazyPointer, NodeIds, WorkflowReader};
use crate::base::diagnostic::quote;
use crate::base::json::escape_pointer_step;
use crate::base::map::OrderedMap;
use crate::base::{Value, names};
use crate::flow::codes;
use crate::flow::workflow::{GeneratedName, Node, Port, keys_of};
use std::rc::Rc;

const MAPPINGS_EXAMPLE: &str = "{\"node\": {\"output_mappings\": {\"key\": \"name\"}}}";
const NODE_EXAMPLE: &str = "{\"output_mappings\": {\"key\": \"name\"}}";
const KEYS_EXAMPLE: &str = "{\"key\": \"name\"}";

impl WorkflowReader<'_> {
    /// Reads mappings into the nodes. Returns the generated ones: those of outputs whose alias is their key.
    pub(super) fn read_mappings(
        &mut self,
        value: Option<&Value>,
        nodes: &mut [Node],
        ids: &NodeIds<'_>,
    ) -> Vec<GeneratedName> {
        let mut generated = Vec::new();
        let all = self.read_object(value, &"/mappings", MAPPINGS_EXAMPLE).unwrap_or_default();
        for (id, mapping) in all.entries() {
            let at = format!("/mappings/{}", escape_pointer_step(id));
            let Some(node_index) = self.node_index(id, &at, ids) else { continue };
            let Some(mapping) = &self.read_object(Some(mapping), &at, NODE_EXAMPLE) else {
                continue;
            };
            self.warn_unknown_keys(
                mapping,
                &at,
                &["output_mappings", "input_mappings", "output_aliases"],
            );
            let Some(node) = nodes.get_mut(node_index) else { continue };
            node.output_mappings =
                self.renamed_keys(mapping, "output_mappings", &at, &node.outputs);
            node.input_mappings = self.renamed_keys(mapping, "input_mappings", &at, &node.inputs);
            let aliases = self.renamed_keys(mapping, "output_aliases", &at, &node.outputs);
            for (key, alias) in &aliases {
                let is_key = node.store_key(key) == alias;
                let name = node.output_mappings.get(key).filter(|_| is_key).cloned();
                let Some(name) = name else {
                    let message = "expected the key of a renamed output for the alias";
                    let help = "remove the mappings that `generateMappings` made";
                    let at = format_args!("{at}/output_aliases/{}", escape_pointer_step(key));
                    self.report_invalid(&at, message, help);
                    continue;
                };
                generated.push(GeneratedName { node: node_index, key: key.clone(), name });
            }
            node.output_mappings.retain(|key, _| !aliases.contains_key(key));
        }
        generated
    }

    /// Returns the renamed keys in one part of a mapping.
    fn renamed_keys(
        &mut self,
        mapping: &Value,
        part: &str,
        at: LazyPointer<'_>,
        ports: &[Port],
    ) -> OrderedMap<Rc<str>> {
        let mut renamed = OrderedMap::default();
        let Some(all) =
            self.read_object(mapping.get(part), &format_args!("{at}/{part}"), KEYS_EXAMPLE)
        else {
            return renamed;
        };
        let keys = keys_of(ports);
        for (key, target) in all.entries() {
            let step = escape_pointer_step(key);
            let at = format_args!("{at}/{part}/{step}");
            if !keys.contains_key(key) {
                let help = names::suggestion_help(
                    key,
                    &ports.iter().map(|port| &*port.key).collect::<Vec<_>>(),
                );
                let message = format!("unknown key {} of the node", quote(key));
                self.report(codes::UNKNOWN_PORT, &at, message, help);
                continue;
            }
            match target.as_shared().filter(|target| !target.is_empty()) {
                Some(target) => drop(renamed.insert(key.clone(), target.clone())),
                None => self.report_invalid(
                    &at,
                    "expected a name for the mapping",
                    "write a non-empty string",
                ),
            }
        }
        renamed
    }
}
