//! Reads the parts of a node.

use super::failures::add_output;
use super::{LazyPointer, WorkflowReader};
use crate::base::diagnostic::quote;
use crate::base::map::OrderedMap;
use crate::base::{Value, names};
use crate::flow::codes;
use crate::flow::outline::{NODE_KEYS, NodeEntry, Params};
use crate::flow::workflow::{Node, Port, Retry};
use std::rc::Rc;

const RETRY_EXAMPLE: &str = "{\"max_attempts\": 3, \"backoff_ms\": 1000}";

impl WorkflowReader<'_> {
    pub(super) fn read_node(&mut self, entry: NodeEntry<'_>, at: LazyPointer<'_>) -> Node {
        if !entry.is_map {
            self.report_invalid(
                at,
                "expected an object for the node",
                "write `{\"id\": …, \"type\": …}`",
            );
            return Node::default();
        }
        for key in entry.unknown {
            self.warn_unknown_key(key, at, &NODE_KEYS, &|known| entry.has(known));
        }
        let [id, kind, purpose, params, retry, timeout_ms, batch, rest @ ..] = entry.parts;
        let [inputs, outputs, own_actions, effects, description, scope] = rest;
        let id = self.read_name(id, "id", at);
        let kind = self.read_name(kind, "type", at);
        let declaration = self.type_declaration(&kind);
        let is_inline = inputs.is_some() && outputs.is_some();
        if declaration.is_none() && !kind.is_empty() && !is_inline {
            let known = self.registry.entries().map(|(key, _)| &**key);
            let help = names::suggestion_help(
                &kind,
                &known.take(self.candidate_limit()).collect::<Vec<_>>(),
            );
            let message = format!("unknown type {}", quote(&kind));
            self.report(codes::UNKNOWN_TYPE, &format_args!("{at}/type"), message, help);
        }
        let written = params.unwrap_or(&self.no_params);
        let params = entry.params.unwrap_or_else(|| Params::Parsed(written.clone()));
        if let Params::Parsed(value) = &params
            && value.as_map().is_none()
        {
            let help = match value {
                Value::Text(_) => "write the object without quotes around it",
                Value::List(_) => "write `{\"key\": …}`",
                _ => "write `{}`",
            };
            self.report_invalid_part(at, "params", "an object", help);
        }
        let declared = declaration.unwrap_or_default();
        let purpose = self.read_description(purpose, "purpose", at);
        let description = self.read_description(description, "description", at);
        let effects = match effects {
            Some(effects) => self.flag_value(effects, "effects", at),
            None => declared.effects,
        };
        let actions = match own_actions {
            Some(actions) => self.read_actions(actions, at),
            None => declared.actions,
        };
        let mut ports = |list: Option<&Value>, what: &str, default: Rc<Vec<Port>>| match list {
            Some(list) => self.read_ports(list, &format_args!("{at}/{what}s"), what),
            None => default,
        };
        let inputs = ports(inputs, "input", declared.inputs);
        let mut outputs = ports(outputs, "output", declared.outputs);
        let batch = self.read_batch(batch, &id, &format_args!("{at}/batch"));
        let scope = scope.map(|scope| self.read_name(Some(scope), "scope", at));
        let store_keys = scope.map(|scope| self.store_keys(&scope, &inputs, &outputs));
        // Its key begins with the id, so it needs no scope.
        if let Some(key) = batch.as_ref().and_then(|batch| batch.errors_key.clone()) {
            add_output(&mut outputs, key, false);
        }
        Node {
            store_keys,
            description: description.unwrap_or(declared.description),
            purpose: purpose.unwrap_or_else(|| self.empty.clone()),
            retry: self.read_retry(retry, &format_args!("{at}/retry")),
            timeout_ms: self.read_count(timeout_ms, "timeout_ms", at),
            batch,
            declared_params: declared.params,
            actions,
            effects,
            id,
            kind,
            params,
            inputs,
            outputs,
            output_mappings: OrderedMap::default(),
            input_mappings: OrderedMap::default(),
            failure_key: None,
            needs_action: false,
        }
    }

    /// Returns a text for people; reports another value and returns `None`.
    pub(super) fn read_description(
        &mut self,
        value: Option<&Value>,
        key: &str,
        at: LazyPointer<'_>,
    ) -> Option<Rc<str>> {
        let value = value.filter(|value| !value.is_null())?;
        if value.as_shared().is_none() {
            self.report_invalid_part(at, key, "a string", "write it in quotes");
        }
        value.as_shared().cloned()
    }

    fn read_name(&mut self, value: Option<&Value>, key: &str, at: LazyPointer<'_>) -> Rc<str> {
        match value {
            Some(Value::Text(text)) if !text.is_empty() => text.clone(),
            Some(_) => {
                let message = format!("expected a non-empty string for `{key}`");
                self.report_invalid(&format_args!("{at}/{key}"), &message, "write it in quotes");
                self.empty.clone()
            }
            None => {
                let help = if key == "id" {
                    "add an `id`, or call `assignIds` first"
                } else {
                    "add the name of a type"
                };
                self.report_invalid(
                    &format_args!("{at}/{key}"),
                    &format!("missing `{key}` of the node"),
                    help,
                );
                self.empty.clone()
            }
        }
    }

    pub(super) fn read_count(
        &mut self,
        value: Option<&Value>,
        key: &str,
        at: LazyPointer<'_>,
    ) -> Option<usize> {
        let value = value.filter(|value| !value.is_null())?;
        let count = value.as_number().filter(|count| *count >= 0.0 && count.fract() == 0.0);
        if count.is_none() {
            let least = if key == "max_attempts" { 1 } else { 0 };
            self.report_invalid_part(
                at,
                key,
                "an integer",
                &format!("write an integer from {least} on"),
            );
        }
        count.map(|count| count as usize)
    }

    fn read_retry(&mut self, value: Option<&Value>, at: LazyPointer<'_>) -> Retry {
        let default = Retry::default();
        let Some(value) = self.read_object(value, at, RETRY_EXAMPLE) else { return default };
        self.warn_unknown_keys(&value, at, &["max_attempts", "backoff_ms"]);
        let attempts = self.read_count(value.get("max_attempts"), "max_attempts", at);
        if attempts == Some(0) {
            self.report_invalid(
                &format_args!("{at}/max_attempts"),
                "`max_attempts` must be at least 1, because it includes the first attempt",
                "write 1 or more",
            );
        }
        Retry {
            max_attempts: attempts.unwrap_or(default.max_attempts).max(1),
            backoff_ms: self
                .read_count(value.get("backoff_ms"), "backoff_ms", at)
                .unwrap_or(default.backoff_ms),
        }
    }
}
