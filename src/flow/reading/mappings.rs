//! The mappings of a workflow: what an author renames, and what `generateMappings` made.

use super::{At, Known, Reading};
use crate::base::diagnostic::quote;
use crate::base::json::pointer_step;
use crate::base::map::OrderedMap;
use crate::base::{Value, names};
use crate::flow::codes;
use crate::flow::workflow::{Named, Node, Port, keys_of};
use std::rc::Rc;

const ALL: &str = "{\"node\": {\"output_mappings\": {\"key\": \"name\"}}}";
const OF_NODE: &str = "{\"output_mappings\": {\"key\": \"name\"}}";
const OF_KEYS: &str = "{\"key\": \"name\"}";

impl Reading<'_> {
    /// Reads mappings into the nodes. Answers what in them is the work of `generateMappings`: names of outputs that
    /// readers find under their keys too.
    pub(super) fn mappings(
        &mut self,
        value: Option<&Value>,
        nodes: &mut [Node],
        known: &Known<'_>,
    ) -> Vec<Named> {
        let mut named = Vec::new();
        let all = self.object(value, &"/mappings", ALL).unwrap_or_default();
        for (id, mapping) in all.entries() {
            let at = format!("/mappings/{}", pointer_step(id));
            let Some(place) = self.place(id, &at, known) else { continue };
            let Some(mapping) = &self.object(Some(mapping), &at, OF_NODE) else { continue };
            self.unknown_keys(
                mapping,
                &at,
                &["output_mappings", "input_mappings", "output_aliases"],
            );
            let Some(node) = nodes.get_mut(place) else { continue };
            node.output_mappings = self.renamed(mapping, "output_mappings", &at, &node.outputs);
            node.input_mappings = self.renamed(mapping, "input_mappings", &at, &node.inputs);
            let aliases = self.renamed(mapping, "output_aliases", &at, &node.outputs);
            for (key, alias) in &aliases {
                let name = node.output_mappings.get(key).filter(|_| key == alias).cloned();
                let Some(name) = name else {
                    let message = "an alias is the key of an output that has another name";
                    let help =
                        "leave out mappings that `generateMappings` made: they are made again";
                    let at = format_args!("{at}/output_aliases/{}", pointer_step(key));
                    self.bad(&at, message, help);
                    continue;
                };
                named.push(Named { node: place, key: key.clone(), name });
            }
            node.output_mappings.retain(|key, _| !aliases.contains_key(key));
        }
        named
    }

    fn renamed(
        &mut self,
        mapping: &Value,
        what: &str,
        at: At<'_>,
        ports: &[Port],
    ) -> OrderedMap<Rc<str>> {
        let mut renamed = OrderedMap::default();
        let Some(all) = self.object(mapping.get(what), &format_args!("{at}/{what}"), OF_KEYS)
        else {
            return renamed;
        };
        let keys = keys_of(ports);
        for (key, target) in all.entries() {
            let place = pointer_step(key);
            let place = format_args!("{at}/{what}/{place}");
            if !keys.contains_key(key) {
                let help =
                    names::instead(key, &ports.iter().map(|port| &*port.key).collect::<Vec<_>>());
                let message = format!("the node has no key {}", quote(key));
                self.tell(codes::UNKNOWN_PORT, &place, message, help);
                continue;
            }
            match target.as_shared().filter(|target| !target.is_empty()) {
                Some(target) => drop(renamed.insert(key.clone(), target.clone())),
                None => {
                    self.bad(&place, "a mapping leads to a name", "write a text that is not empty")
                }
            }
        }
        renamed
    }
}
