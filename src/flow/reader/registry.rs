//! Declarations of node types, and warnings about misspelled params.

use super::params::declared_params;
use super::{LazyPointer, MAX_SUGGESTIONS, TypeDeclaration, WorkflowReader};
use crate::base::diagnostic::quote;
use crate::base::json::escape_pointer_step;
use crate::base::map::OrderedMap;
use crate::base::{Value, names};
use crate::flow::codes;
use crate::flow::workflow::{Batch, Node, Port, WorkflowInput};
use std::rc::Rc;

const TYPE_KEYS: [&str; 6] = ["description", "inputs", "outputs", "params", "actions", "effects"];

/// Maximum number of inputs and params of a node that are compared one by one.
const MAX_COMPARED_PORTS: usize = 16;

/// Maximum number of types that are compared by the address of their shared name.
const MAX_TYPES_BY_ADDRESS: usize = 8;

impl WorkflowReader<'_> {
    /// Returns the names of actions: strings or objects with a `name`.
    pub(super) fn read_actions(&mut self, list: &Value, at: LazyPointer<'_>) -> Rc<Vec<String>> {
        if !list.is_null() && list.as_list().is_none() {
            let at = format_args!("{at}/actions");
            self.report_invalid(
                &at,
                "expected a list for `actions`",
                "write the names of the actions in `[…]`",
            );
        }
        let mut names = Vec::new();
        for (index, value) in list.as_list().unwrap_or_default().iter().enumerate() {
            match value.as_text().or_else(|| value.get("name")?.as_text()) {
                Some(name) => names.push(name.to_owned()),
                None => self.report_invalid(
                    &format_args!("{at}/actions/{index}"),
                    "expected an action name",
                    "write it in quotes",
                ),
            }
        }
        Rc::new(names)
    }

    /// Returns the cached declaration of a type.
    fn cached_type(&self, kind: &Rc<str>) -> Option<&TypeDeclaration> {
        let shared =
            self.types.iter().take(MAX_TYPES_BY_ADDRESS).find(|(known, _)| Rc::ptr_eq(known, kind));
        shared.map(|(_, declared)| declared).or_else(|| self.types.get(kind))
    }

    /// Returns the declaration of a type, or `None` if the registry does not have it.
    pub(super) fn type_declaration(&mut self, kind: &Rc<str>) -> Option<TypeDeclaration> {
        if let Some(cached) = self.cached_type(kind) {
            return Some(cached.clone());
        }
        let registered = self.registry.get(kind)?;
        let at = format!("/registry/{}", escape_pointer_step(kind));
        self.read_object(Some(registered), &at, "{\"inputs\": [], \"outputs\": []}");
        self.warn_misspelled_keys(registered, &at, &TYPE_KEYS);
        let part = |key: &str| registered.get(key).cloned().unwrap_or_default();
        let description = self.read_description(registered.get("description"), "description", &at);
        let params = part("params");
        if !params.is_null() && params.as_map().is_none() && params.as_list().is_none() {
            let help = "write `{\"key\": …}`, or a list of keys";
            self.report_invalid_part(&at, "params", "an object or a list", help);
        }
        let declaration = TypeDeclaration {
            description: description.unwrap_or_else(|| self.empty.clone()),
            inputs: self.read_ports(&part("inputs"), &format_args!("{at}/inputs"), "input"),
            outputs: self.read_ports(&part("outputs"), &format_args!("{at}/outputs"), "output"),
            params: declared_params(&params),
            actions: self.read_actions(&part("actions"), &at),
            effects: self.read_flag(registered, "effects", &at),
        };
        self.types.insert(kind.clone(), declaration.clone());
        Some(declaration)
    }

    /// Returns the ports of a list of strings or objects with a `key`, without duplicates.
    pub(super) fn read_ports(
        &mut self,
        list: &Value,
        at: LazyPointer<'_>,
        what: &str,
    ) -> Rc<Vec<Port>> {
        let mut ports: Vec<Port> = Vec::new();
        let mut seen = OrderedMap::default();
        if !list.is_null() && list.as_list().is_none() {
            self.report_port_values(list, at, what);
        }
        for (index, entry) in list.as_list().unwrap_or_default().iter().enumerate() {
            let text =
                |key: &str| entry.get(key).and_then(Value::as_text).unwrap_or_default().to_owned();
            let key = entry.as_shared().or_else(|| entry.get("key")?.as_shared());
            let key = key.unwrap_or(&self.empty).clone();
            if key.is_empty() {
                self.report_invalid(
                    &format_args!("{at}/{index}"),
                    &format!("missing `key` of the {what}"),
                    "write `{\"key\": …}`",
                );
                continue;
            }
            if seen.insert(key.clone(), ()).is_some() {
                if what == "output" {
                    let message = format!("duplicate output {}", quote(&key));
                    self.report(
                        codes::DUPLICATE_OUTPUT,
                        &format_args!("{at}/{index}"),
                        message,
                        "list it once",
                    );
                }
                continue;
            }
            let optional = self.read_flag(entry, "optional", &format_args!("{at}/{index}"));
            ports.push(Port {
                key,
                optional,
                kind: text("type"),
                description: text("description"),
            });
        }
        Rc::new(ports)
    }

    /// Reports another value than a list of ports; values of inputs belong into the params.
    fn report_port_values(&mut self, value: &Value, at: LazyPointer<'_>, what: &str) {
        let message = format!("expected a list of {what}s, found a {}", value.kind());
        let pointer = at.to_string();
        let is_node = pointer.starts_with("/nodes/");
        let help = match value.entries().next() {
            Some((key, value)) if is_node && what == "input" => {
                let entry = Value::map_of(vec![(&**key, value.clone())]).to_text();
                let shown = if entry.len() > 120 { "{…}" } else { &entry };
                format!("write the values of inputs as `\"params\": {shown}`")
            }
            _ => "write `[{\"key\": …}]`, or a list of keys".to_owned(),
        };
        self.report_invalid(at, &message, &help);
    }

    /// Warns about undeclared params with a name similar to a declared param or to an input without a
    /// source. Other undeclared params are allowed.
    pub(super) fn warn_misspelled_params(
        &mut self,
        nodes: &[Node],
        inputs: &OrderedMap<WorkflowInput>,
    ) {
        let mut count = 0;
        for (node_index, node) in nodes.iter().enumerate() {
            let declared = self.cached_type(&node.kind).map(|declared| declared.params.clone());
            let declared = declared.unwrap_or_default();
            let own = || node.inputs.iter().map(|input| &input.key);
            let all = || own().chain(declared.iter().map(|param| &param.key));
            // Few names are compared faster than hashed.
            let is_large = node.inputs.len() + declared.len() > MAX_COMPARED_PORTS;
            let hashed = all().take(if is_large { usize::MAX } else { 0 });
            let hashed: OrderedMap<()> = hashed.map(|key| (key.clone(), ())).collect();
            for key in (0..).map_while(|index| node.params.key_at(index)) {
                let is_declared = match is_large {
                    true => hashed.contains_key(key),
                    false => all().any(|name| **name == *key),
                };
                if is_declared {
                    continue;
                }
                let names = all().map(|name| &**name);
                // Any param is allowed, so only names with the same first letter count as misspelled.
                let first = key.as_bytes().first();
                let is_candidate =
                    |name: &&str| name.as_bytes().first() == first && !node.has_value_for(name);
                let Some(closest) = names::closest(key, names.filter(is_candidate)) else {
                    continue;
                };
                // Bounds the searches in all nodes below.
                count += 1;
                if count > MAX_SUGGESTIONS {
                    return;
                }
                let input = node.inputs.iter().find(|input| *input.key == *closest);
                let stored = input.map_or(closest, |input| &**node.store_key(&input.key));
                let writes = |node: &Node| {
                    node.outputs.iter().any(|own| **node.written_name(&own.key) == *stored)
                };
                // An input may have another source.
                if input.is_some()
                    && (node.input_mappings.contains_key(closest)
                        || node.batch.iter().flat_map(Batch::names).any(|name| **name == *closest)
                        || inputs.contains_key(stored)
                        || nodes.iter().any(writes))
                {
                    continue;
                }
                let message =
                    format!("{} does not declare the param {}", quote(&node.id), quote(key));
                let at = format!("/nodes/{node_index}/params/{}", escape_pointer_step(key));
                self.report(
                    codes::UNKNOWN_PARAM,
                    &at,
                    message,
                    format!("did you mean {}?", quote(closest)),
                );
            }
        }
    }
}
