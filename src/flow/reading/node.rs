//! A node as it is written, part by part.

use super::{At, Reading};
use crate::base::diagnostic::quote;
use crate::base::map::OrderedMap;
use crate::base::{Value, names};
use crate::flow::codes;
use crate::flow::workflow::{Batch, Node, Params, Port, Retry};
use std::rc::Rc;

pub(in crate::flow) const NODE_KEYS: [&str; 12] = [
    "id",
    "type",
    "purpose",
    "params",
    "retry",
    "timeout_ms",
    "batch",
    "inputs",
    "outputs",
    "actions",
    "effects",
    "description",
];

/// Where `type` and `params` stand among them.
pub(in crate::flow) const TYPE: usize = 1;
pub(in crate::flow) const PARAMS: usize = 3;

const RETRY: &str = "{\"max_attempts\": 3, \"backoff_ms\": 1000}";
const BATCH: &str = "{\"items\": \"$files\"}";

/// A node as it is written.
#[derive(Default)]
pub(in crate::flow) struct Entry<'o> {
    pub is_map: bool,
    /// What stands under each of [`NODE_KEYS`].
    parts: [Option<&'o Value>; NODE_KEYS.len()],
    /// The params, where they are not read yet.
    pub params: Option<Params>,
    /// The keys that nobody reads.
    pub unknown: &'o [Rc<str>],
}

impl<'o> Entry<'o> {
    /// Whether something stands under one of [`NODE_KEYS`].
    fn has(&self, key: &str) -> bool {
        let place = NODE_KEYS.iter().position(|known| *known == key);
        let part = place.and_then(|place| self.parts.get(place));
        part.is_some_and(Option::is_some) || key == NODE_KEYS[PARAMS] && self.params.is_some()
    }

    /// Puts a value under a key, by its place among all of them. Null stands for what is left out.
    pub fn put(&mut self, key: usize, value: &'o Value) {
        if let Some(slot) = self.parts.get_mut(key) {
            *slot = Some(value).filter(|value| !value.is_null());
        }
    }
}

impl Reading<'_> {
    pub(super) fn node(&mut self, entry: Entry<'_>, at: At<'_>) -> Node {
        if !entry.is_map {
            self.bad(at, "a node is an object", "write `{\"id\": …, \"type\": …}`");
            return Node::default();
        }
        for key in entry.unknown {
            self.unknown_key(key, at, &NODE_KEYS, &|known| entry.has(known));
        }
        let [id, kind, purpose, params, retry, timeout_ms, batch, rest @ ..] = entry.parts;
        let [inputs, outputs, own_actions, effects, description] = rest;
        let id = self.name(id, "id", at);
        let kind = self.name(kind, "type", at);
        let declared = self.declared(&kind);
        let inline = inputs.is_some() && outputs.is_some();
        if declared.is_none() && !kind.is_empty() && !inline {
            let known = self.registry.entries().map(|(key, _)| &**key);
            let help = names::instead(&kind, &known.take(self.compared()).collect::<Vec<_>>());
            let message = format!("the registry has no type {}", quote(&kind));
            self.tell(codes::UNKNOWN_TYPE, &format_args!("{at}/type"), message, help);
        }
        let written = params.unwrap_or(&self.no_params);
        let params = entry.params.unwrap_or_else(|| Params::Read(written.clone()));
        if matches!(&params, Params::Read(value) if value.as_map().is_none()) {
            self.bad_part(at, "params", "an object", "write `{}`");
        }
        let declared = declared.unwrap_or_default();
        let purpose = self.words(purpose, "purpose", at);
        let description = self.words(description, "description", at);
        let effects = match effects {
            Some(effects) => self.is_flag(effects, "effects", at),
            None => declared.effects,
        };
        let actions = match own_actions {
            Some(actions) => self.actions(actions, at),
            None => declared.actions,
        };
        let mut ports = |list: Option<&Value>, what: &str, usual: Rc<Vec<Port>>| match list {
            Some(list) => self.ports(list, &format_args!("{at}/{what}s"), what),
            None => usual,
        };
        let inputs = ports(inputs, "input", declared.inputs);
        let outputs = ports(outputs, "output", declared.outputs);
        Node {
            description: description.unwrap_or(declared.description),
            purpose: purpose.unwrap_or_else(|| self.empty.clone()),
            retry: self.retry(retry, &format_args!("{at}/retry")),
            timeout_ms: self.count(timeout_ms, "timeout_ms", at),
            batch: self.batch(batch, &format_args!("{at}/batch")),
            actions,
            effects,
            id,
            kind,
            params,
            inputs,
            outputs,
            output_mappings: OrderedMap::default(),
            input_mappings: OrderedMap::default(),
        }
    }

    /// What somebody wrote for people to read.
    pub(super) fn words(
        &mut self,
        value: Option<&Value>,
        key: &str,
        at: At<'_>,
    ) -> Option<Rc<str>> {
        let value = value.filter(|value| !value.is_null())?;
        if value.as_shared().is_none() {
            self.bad_part(at, key, "a text", "write it in quotes");
        }
        value.as_shared().cloned()
    }

    fn name(&mut self, value: Option<&Value>, key: &str, at: At<'_>) -> Rc<str> {
        match value {
            Some(Value::Text(text)) if !text.is_empty() => text.clone(),
            Some(_) => {
                let message = format!("the `{key}` of a node is a text that is not empty");
                self.bad(&format_args!("{at}/{key}"), &message, "write it in quotes");
                self.empty.clone()
            }
            None => {
                let help = if key == "id" {
                    "write one, or call `assignIds` first"
                } else {
                    "write the name of a type"
                };
                self.bad(&format_args!("{at}/{key}"), &format!("the node has no `{key}`"), help);
                self.empty.clone()
            }
        }
    }

    fn count(&mut self, value: Option<&Value>, key: &str, at: At<'_>) -> Option<usize> {
        let value = value.filter(|value| !value.is_null())?;
        let count = value.as_number().filter(|count| *count >= 0.0 && count.fract() == 0.0);
        if count.is_none() {
            let from = if key == "max_attempts" { 1 } else { 0 };
            self.bad_part(at, key, "a whole number", &format!("write one, from {from} on"));
        }
        count.map(|count| count as usize)
    }

    fn retry(&mut self, value: Option<&Value>, at: At<'_>) -> Retry {
        let usual = Retry::default();
        let Some(value) = self.object(value, at, RETRY) else { return usual };
        self.unknown_keys(&value, at, &["max_attempts", "backoff_ms"]);
        let attempts = self.count(value.get("max_attempts"), "max_attempts", at);
        if attempts == Some(0) {
            self.bad(
                &format_args!("{at}/max_attempts"),
                "`max_attempts` counts the first attempt too",
                "write 1 or more",
            );
        }
        Retry {
            max_attempts: attempts.unwrap_or(usual.max_attempts).max(1),
            backoff_ms: self
                .count(value.get("backoff_ms"), "backoff_ms", at)
                .unwrap_or(usual.backoff_ms),
        }
    }

    fn batch(&mut self, value: Option<&Value>, at: At<'_>) -> Option<Batch> {
        let value = self.object(value, at, BATCH)?;
        self.unknown_keys(&value, at, &["items", "as"]);
        let Some(items) = value.get("items").cloned() else {
            self.bad(
                &format_args!("{at}/items"),
                "a batch needs `items`",
                "write a template of a list, as in `\"$files\"`",
            );
            return None;
        };
        let name = value.get("as").filter(|name| !name.is_null());
        let name = name.map_or(Some("item"), |name| name.as_text().filter(|name| !name.is_empty()));
        if name.is_none() {
            self.bad_part(at, "as", "the name of the item", "write a text");
        }
        Some(Batch { items, name: name.unwrap_or("item").into() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_stand_where_they_are_looked_for() {
        assert_eq!([NODE_KEYS[TYPE], NODE_KEYS[PARAMS]], ["type", "params"]);
    }
}
