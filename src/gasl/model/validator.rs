//! Validates values against schemas.

use super::schema::{format_value, mismatch_error, type_name};
use crate::base::diagnostic::quote;
use crate::base::json::escape_pointer_step;
use crate::base::map::NameMap;
use crate::base::value::{Map, canonical_json};
use crate::base::{Diagnostic, Value, names};
use std::collections::BTreeMap;

/// Maximum number of errors of one value.
const MAX_ERRORS: usize = 20;

/// Returns the errors of a value, each with its JSON pointer.
pub fn validate(schema: &Value, value: &Value) -> Vec<Diagnostic> {
    let mut validator = Validator::default();
    validator.check_value(schema, value, "");
    validator.errors
}

#[derive(Default)]
struct Validator {
    errors: Vec<Diagnostic>,
    /// Values of each long `enum` as canonical JSON, by its address.
    enum_values: BTreeMap<usize, NameMap>,
}

impl Validator {
    fn check_value(&mut self, schema: &Value, value: &Value, at: &str) {
        if self.errors.len() >= MAX_ERRORS {
            return;
        }
        let map = match schema {
            Value::Map(map) => map,
            Value::Bool(false) => {
                return self.errors.push(mismatch_error(at, "unexpected value", "remove it"));
            }
            _ => return,
        };
        if let Some(types) = map.get("type")
            && !has_type(value, types)
        {
            let expected = type_list(types);
            let message = format!("expected {expected}, found {}", type_name(value));
            return self.errors.push(mismatch_error(at, message, format!("write {expected}")));
        }
        if let Some(Value::List(all)) = map.get("enum")
            && !self.is_listed(all, value)
        {
            let listed: Vec<String> = all.iter().map(Value::to_text).collect();
            let help =
                format!("write one of {}", names::format_names(listed.iter().map(String::as_str)));
            self.errors.push(mismatch_error(
                at,
                format!("invalid value {}", format_value(value)),
                help,
            ));
        }
        if let Some(only) = map.get("const").filter(|only| *only != value) {
            let help = format!("write {}", format_value(only));
            self.errors.push(mismatch_error(
                at,
                format!("invalid value {}", format_value(value)),
                help,
            ));
        }
        self.check_alternatives(schema, value, at);
        match value {
            Value::Map(entries) => self.check_map(schema, entries, at),
            Value::List(items) => self.check_list(schema, items, at),
            Value::Text(text) => {
                self.check_size(
                    schema,
                    text.chars().count(),
                    ["minLength", "maxLength"],
                    "characters",
                    at,
                );
            }
            Value::Number(number) => self.check_number(schema, *number, at),
            _ => {}
        }
    }

    /// Returns whether a value is one of an `enum`; does not compare it with each value of a long one.
    fn is_listed(&mut self, all: &[Value], value: &Value) -> bool {
        const FEW: usize = 16;
        if all.len() <= FEW {
            return all.contains(value);
        }
        let listed = self
            .enum_values
            .entry(all.as_ptr() as usize)
            .or_insert_with(|| all.iter().map(|one| (canonical_json(one), 0)).collect());
        listed.contains_key(&canonical_json(value))
    }

    fn check_alternatives(&mut self, schema: &Value, value: &Value, at: &str) {
        for inner in schema.get("allOf").and_then(Value::as_list).into_iter().flatten() {
            self.check_value(inner, value, at);
        }
        for keyword in ["anyOf", "oneOf"] {
            let Some(choices) = schema.get(keyword).and_then(Value::as_list) else { continue };
            let outer_errors = std::mem::take(&mut self.errors);
            let (mut matching, mut first) = (0, None);
            for choice in choices {
                self.check_value(choice, value, at);
                let own_errors = std::mem::take(&mut self.errors);
                matching += usize::from(own_errors.is_empty());
                first = first.or_else(|| own_errors.into_iter().next());
                if matching > 0 && keyword == "anyOf" {
                    break;
                }
            }
            self.errors = outer_errors;
            match matching {
                0 => {
                    let reason =
                        first.map_or(String::new(), |first| format!(": {}", first.message));
                    let message =
                        format!("{} matches none of the alternatives{reason}", format_value(value));
                    self.errors.push(mismatch_error(at, message, "write one of the alternatives"));
                }
                1 => {}
                count => {
                    let message = format!("{} matches {count} alternatives", format_value(value));
                    self.errors.push(mismatch_error(
                        at,
                        message,
                        "write a value that matches exactly one of them",
                    ));
                }
            }
        }
    }

    fn check_map(&mut self, schema: &Value, entries: &Map, at: &str) {
        let properties = schema.get("properties").and_then(Value::as_map);
        let required = schema.get("required").and_then(Value::as_list).unwrap_or_default();
        for name in required.iter().filter_map(Value::as_text) {
            if self.errors.len() >= MAX_ERRORS {
                return;
            }
            if !entries.contains_key(name) {
                let similar = names::closest(name, entries.keys().map(|key| &**key));
                let help = match similar {
                    Some(similar) => format!("rename {} to {}", quote(similar), quote(name)),
                    None => format!("add {}", quote(name)),
                };
                self.errors.push(mismatch_error(at, format!("missing key {}", quote(name)), help));
            }
        }
        for (key, value) in entries {
            if self.errors.len() >= MAX_ERRORS {
                return;
            }
            let inner = format!("{at}/{}", escape_pointer_step(key));
            match properties.and_then(|properties| properties.get(key)) {
                Some(property) => self.check_value(property, value, &inner),
                None => match schema.get("additionalProperties") {
                    Some(Value::Bool(false)) => {
                        let available = properties.into_iter().flat_map(|map| map.keys());
                        let available = names::format_names(available.map(|key| &**key));
                        let help = format!("use one of {available}");
                        self.errors.push(mismatch_error(
                            &inner,
                            format!("unknown key {}", quote(key)),
                            help,
                        ));
                    }
                    Some(other) => self.check_value(other, value, &inner),
                    None => {}
                },
            }
        }
    }

    fn check_list(&mut self, schema: &Value, items: &[Value], at: &str) {
        self.check_size(schema, items.len(), ["minItems", "maxItems"], "items", at);
        let Some(each) = schema.get("items") else { return };
        for (index, item) in items.iter().enumerate() {
            if self.errors.len() >= MAX_ERRORS {
                return;
            }
            self.check_value(each, item, &format!("{at}/{index}"));
        }
    }

    fn check_size(
        &mut self,
        schema: &Value,
        size: usize,
        [least, most]: [&str; 2],
        what: &str,
        at: &str,
    ) {
        let limit = |key: &str| schema.get(key).and_then(Value::as_number);
        if let Some(least) = limit(least).filter(|least| (size as f64) < *least) {
            let message =
                format!("expected at least {} {what}, found {size}", format_number(least));
            self.errors.push(mismatch_error(at, message, format!("add {what}")));
        }
        if let Some(most) = limit(most).filter(|most| size as f64 > *most) {
            let message = format!("expected at most {} {what}, found {size}", format_number(most));
            self.errors.push(mismatch_error(at, message, format!("remove {what}")));
        }
    }

    fn check_number(&mut self, schema: &Value, number: f64, at: &str) {
        let limit = |key: &str| schema.get(key).and_then(Value::as_number);
        if let Some(least) = limit("minimum").filter(|least| number < *least) {
            let message = format!(
                "expected at least {}, found {}",
                format_number(least),
                format_number(number)
            );
            self.errors.push(mismatch_error(
                at,
                message,
                format!("write {} or more", format_number(least)),
            ));
        }
        if let Some(most) = limit("maximum").filter(|most| number > *most) {
            let message = format!(
                "expected at most {}, found {}",
                format_number(most),
                format_number(number)
            );
            self.errors.push(mismatch_error(
                at,
                message,
                format!("write {} or less", format_number(most)),
            ));
        }
    }
}

fn format_number(number: f64) -> String {
    Value::from(number).to_text()
}

fn has_type(value: &Value, types: &Value) -> bool {
    match types {
        Value::Text(name) => match (&**name, value) {
            ("integer", Value::Number(number)) => number.fract() == 0.0,
            (name, value) => name == type_name(value),
        },
        Value::List(any) => any.iter().any(|one| has_type(value, one)),
        _ => true,
    }
}

fn type_list(types: &Value) -> String {
    match types {
        Value::List(any) => any.iter().filter_map(Value::as_text).collect::<Vec<_>>().join(" or "),
        one => one.as_text().unwrap_or("a value").to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::json::Limits;

    fn value(text: &str) -> Value {
        Value::parse(text.as_bytes(), Limits::default()).0.unwrap()
    }

    fn check(schema: &str, against: &str, expected: &[&str]) {
        let errors = validate(&value(schema), &value(against));
        let found: Vec<String> = errors
            .iter()
            .map(|error| match &error.location {
                Some(crate::base::Location::Pointer(pointer)) => {
                    format!("{pointer}: {}", error.message)
                }
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(found, expected, "{schema} of {against}");
    }

    #[test]
    fn errors_have_pointers() {
        let rows = r#"{"type": "array", "items": {"type": "object", "properties": {"id": {"type": "string"}, "n": {"type": "integer", "minimum": 0}}, "required": ["id"], "additionalProperties": false}, "minItems": 1}"#;
        check(rows, r#"[{"id": "a", "n": 2}]"#, &[]);
        check(rows, "[]", &[": expected at least 1 items, found 0"]);
        check(rows, r#"{"id": "a"}"#, &[": expected array, found object"]);
        check(
            rows,
            r#"[{"Id": "a", "n": -1.5}, {"id": 1}]"#,
            &[
                "/0: missing key `id`",
                "/0/Id: unknown key `Id`",
                "/0/n: expected integer, found number",
                "/1/id: expected string, found number",
            ],
        );
    }

    #[test]
    fn alternatives_and_values() {
        check(r#"{"enum": ["a", 1]}"#, "1", &[]);
        check(r#"{"enum": ["a", 1]}"#, "2", &[": invalid value `2`"]);
        check(r#"{"type": ["string", "null"]}"#, "null", &[]);
        check(r#"{"anyOf": [{"type": "string"}, {"type": "number"}]}"#, "1", &[]);
        check(
            r#"{"anyOf": [{"type": "string"}, {"type": "number"}]}"#,
            "[]",
            &[": `[]` matches none of the alternatives: expected string, found array"],
        );
        let long = r#"{"items": {"enum": ["a", 0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, {"k": 1, "l": null}]}}"#;
        check(long, r#"[15, "a", -0.0, {"l": null, "k": 1.0}]"#, &[]);
        check(
            long,
            r#"[1, "b", {"k": 1}]"#,
            &[
                "/0: invalid value `1`",
                "/1: invalid value `\"b\"`",
                "/2: invalid value `{\"k\":1}`",
            ],
        );
        check("true", "[]", &[]);
        check("false", "[]", &[": unexpected value"]);
    }
}
