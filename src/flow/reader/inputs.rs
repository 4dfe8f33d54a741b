//! Inputs and outputs of a workflow.

use super::{LazyPointer, WorkflowReader};
use crate::base::Value;
use crate::base::diagnostic::quote;
use crate::base::json::escape_pointer_step;
use crate::base::map::OrderedMap;
use crate::flow::workflow::WorkflowInput;

const INPUT_KEYS: [&str; 5] = ["type", "description", "required", "default", "secret"];

/// Types of inputs, which are also written in place of a declaration.
const INPUT_TYPES: [&str; 8] =
    ["string", "number", "integer", "boolean", "array", "object", "text", "list"];

/// Maximum length of a value in a help, in bytes.
const MAX_HELP_VALUE_BYTES: usize = 60;

impl WorkflowReader<'_> {
    pub(super) fn read_inputs(&mut self, value: Option<&Value>) -> OrderedMap<WorkflowInput> {
        let all = self.read_object(value, &"/inputs", "{\"topic\": {}}").unwrap_or_default();
        let mut inputs = OrderedMap::default();
        for (name, value) in all.entries() {
            let at = format!("/inputs/{}", escape_pointer_step(name));
            if value.as_map().is_none() && !value.is_null() {
                self.report_input_value(name, value, &at);
            }
            let value = value.as_map().map(|_| value.clone()).unwrap_or_default();
            self.warn_unknown_keys(&value, &at, &INPUT_KEYS);
            let kind = value.get("type").and_then(Value::as_shared);
            let description = self.read_description(value.get("description"), "description", &at);
            let input = WorkflowInput {
                kind: kind.unwrap_or(&self.empty).clone(),
                description: description.unwrap_or_else(|| self.empty.clone()),
                required: self.read_flag(&value, "required", &at),
                secret: self.read_flag(&value, "secret", &at),
                default: value.get("default").cloned(),
            };
            inputs.insert(name.clone(), input);
        }
        inputs
    }

    /// Reports a value in place of the declaration of an input.
    fn report_input_value(&mut self, name: &str, value: &Value, at: LazyPointer<'_>) {
        let message =
            format!("expected an object for the input {}, found a {}", quote(name), value.kind());
        let text = value.to_text();
        let shown = if text.len() > MAX_HELP_VALUE_BYTES { "…" } else { &text };
        let name = Value::from(name).to_text();
        let help = match value.as_text().is_some_and(|text| INPUT_TYPES.contains(&text)) {
            true => format!("write `{name}: {{\"type\": {shown}}}`"),
            false => {
                format!("write `{name}: {{\"default\": {shown}}}`, or pass the value to the run")
            }
        };
        self.report_invalid(at, &message, &help);
    }

    /// Returns the templates of the outputs; each is a string or an object with a `source`.
    pub(super) fn read_outputs(&mut self, value: Option<&Value>) -> OrderedMap<Value> {
        let all = self.read_object(value, &"/outputs", "{\"text\": {}}").unwrap_or_default();
        let mut outputs = OrderedMap::default();
        for (name, value) in all.entries() {
            let at = format!("/outputs/{}", escape_pointer_step(name));
            let source = match value {
                Value::Text(_) => Some(value.clone()),
                _ => {
                    let example = "{\"source\": \"${text}\"}";
                    let value = self.read_object(Some(value), &at, example).unwrap_or_default();
                    self.warn_unknown_keys(&value, &at, &["source", "description", "type"]);
                    value.get("source").filter(|source| !source.is_null()).cloned()
                }
            };
            // The default source is the value with the name of the output.
            let source = source.unwrap_or_else(|| format!("${{{name}}}").into());
            outputs.insert(name.clone(), source);
        }
        outputs
    }
}
