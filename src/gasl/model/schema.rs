//! Validates values against a subset of JSON Schema.
//!
//! The supported keywords: `type`, `properties`, `required`, `additionalProperties`, `items`, `enum`, `const`,
//! `minItems`, `maxItems`, `minLength`, `maxLength`, `minimum`, `maximum`, `anyOf`, `oneOf`,
//! `allOf`, and annotations. [`unsupported_keywords`] returns the others of a schema.
use crate::base::diagnostic::quote;
use crate::base::json::escape_pointer_step;
use crate::base::value::excerpt;
use crate::base::{Diagnostic, Value, names};
use crate::gasl::codes;
use std::borrow::Cow;

/// Maximum number of errors of one value.
const MAX_ERRORS: usize = 20;

/// Returns the errors of a value, each with its JSON pointer.
pub fn validate(schema: &Value, value: &Value) -> Vec<Diagnostic> {
    let mut errors = Vec::new();
    check_value(schema, value, "", &mut errors);
    errors
}

const SUPPORTED_KEYWORDS: [&str; 21] = [
    "type",
    "properties",
    "required",
    "additionalProperties",
    "items",
    "enum",
    "const",
    "minItems",
    "maxItems",
    "minLength",
    "maxLength",
    "minimum",
    "maximum",
    "anyOf",
    "oneOf",
    "allOf",
    "title",
    "description",
    "default",
    "examples",
    "$schema",
];

/// Returns the unsupported keywords of a schema in alphabetical order.
pub fn unsupported_keywords(schema: &Value) -> Vec<String> {
    let mut found = Vec::new();
    collect_unsupported(schema, &mut found);
    found.sort_unstable();
    found.dedup();
    found
}

fn collect_unsupported(schema: &Value, found: &mut Vec<String>) {
    for (key, value) in schema.entries() {
        match &**key {
            "properties" => {
                value
                    .as_map()
                    .into_iter()
                    .flatten()
                    .for_each(|(_, one)| collect_unsupported(one, found));
            }
            "items" | "additionalProperties" => collect_unsupported(value, found),
            "anyOf" | "oneOf" | "allOf" => {
                value
                    .as_list()
                    .into_iter()
                    .flatten()
                    .for_each(|one| collect_unsupported(one, found));
            }
            key if !SUPPORTED_KEYWORDS.contains(&key) => found.push(key.to_owned()),
            _ => {}
        }
    }
}

/// Returns the first error of an invalid schema, which would accept nothing or everything.
pub fn invalid_schema(schema: &Value) -> Option<Diagnostic> {
    invalid_schema_at(schema, "")
}

fn invalid_schema_at(schema: &Value, at: &str) -> Option<Diagnostic> {
    let map = match schema {
        Value::Map(map) => map,
        Value::Bool(_) => return None,
        // Models write `{"name": "string"}` as an abbreviation.
        other => {
            let help = match other.as_text() {
                Some(type_name) => {
                    format!(
                        "write `{{\"type\": \"{}\"}}`",
                        suggested_type(type_name).unwrap_or("string")
                    )
                }
                None => "write a schema, as in `{\"type\": \"string\"}`".to_owned(),
            };
            return Some(mismatch_error(
                at,
                format!("{} is not a schema", format_value(other)),
                help,
            ));
        }
    };
    map.iter().find_map(|(key, value)| {
        let here = format!("{at}/{}", escape_pointer_step(key));
        let unexpected = |expected: &str, example: &str| {
            let found = with_article(type_name(value));
            let message = format!("expected {expected} in {}, found {found}", quote(key));
            Some(mismatch_error(&here, message, format!("write {}", quote(example))))
        };
        match (&**key, value) {
            ("type", Value::List(types)) => types.iter().find_map(|one| invalid_type(one, &here)),
            ("type", one) => invalid_type(one, &here),
            ("properties", Value::Map(each)) => each.iter().find_map(|(name, one)| {
                invalid_schema_at(one, &format!("{here}/{}", escape_pointer_step(name)))
            }),
            ("properties", _) => {
                unexpected("a map of schemas", r#""properties": {"name": {"type": "string"}}"#)
            }
            ("items" | "additionalProperties", one) => invalid_schema_at(one, &here),
            ("anyOf" | "oneOf" | "allOf", Value::List(each)) => each
                .iter()
                .enumerate()
                .find_map(|(index, one)| invalid_schema_at(one, &format!("{here}/{index}"))),
            ("anyOf" | "oneOf" | "allOf", _) => {
                unexpected("a list of schemas", r#"[{"type": "string"}]"#)
            }
            ("required", Value::List(names))
                if names.iter().all(|name| name.as_text().is_some()) =>
            {
                None
            }
            ("required", _) => unexpected("a list of names", r#""required": ["name"]"#),
            ("enum", Value::List(_)) => None,
            ("enum", _) => unexpected("a list of values", r#""enum": ["a", "b"]"#),
            (
                "minItems" | "maxItems" | "minLength" | "maxLength" | "minimum" | "maximum",
                value,
            ) => {
                if value.as_number().is_some() {
                    None
                } else {
                    unexpected("a number", &format!("\"{key}\": 1"))
                }
            }
            _ => None,
        }
    })
}

const TYPES: [&str; 7] = ["string", "number", "integer", "boolean", "array", "object", "null"];

fn invalid_type(value: &Value, at: &str) -> Option<Diagnostic> {
    let type_name = value.as_text().unwrap_or_default();
    if TYPES.contains(&type_name) {
        return None;
    }
    let help = match suggested_type(type_name) {
        Some(name) => format!("write `{name}`"),
        None => format!("use one of {}", names::format_names(TYPES)),
    };
    Some(mismatch_error(at, format!("unknown type {}", format_value(value)), help))
}

/// Returns the type for a name from other languages, or the closest match.
fn suggested_type(type_name: &str) -> Option<&'static str> {
    let lower = type_name.to_ascii_lowercase();
    let name = match lower.as_str() {
        "str" | "text" | "date" | "datetime" => "string",
        "int" | "long" => "integer",
        "float" | "double" | "decimal" => "number",
        "bool" => "boolean",
        "list" | "tuple" | "set" => "array",
        "dict" | "map" | "record" => "object",
        "none" | "nil" => "null",
        other => {
            names::closest(other, TYPES).or_else(|| TYPES.into_iter().find(|one| *one == other))?
        }
    };
    TYPES.into_iter().find(|one| *one == name)
}

fn check_value(schema: &Value, value: &Value, at: &str, errors: &mut Vec<Diagnostic>) {
    if errors.len() >= MAX_ERRORS {
        return;
    }
    let map = match schema {
        Value::Map(map) => map,
        Value::Bool(false) => {
            return errors.push(mismatch_error(at, "unexpected value", "remove it"));
        }
        _ => return,
    };
    if let Some(types) = map.get("type")
        && !has_type(value, types)
    {
        let expected = type_list(types);
        let message = format!("expected {expected}, found {}", type_name(value));
        return errors.push(mismatch_error(at, message, format!("write {expected}")));
    }
    if let Some(Value::List(all)) = map.get("enum")
        && !all.contains(value)
    {
        let listed: Vec<String> = all.iter().map(Value::to_text).collect();
        let help =
            format!("write one of {}", names::format_names(listed.iter().map(String::as_str)));
        errors.push(mismatch_error(at, format!("invalid value {}", format_value(value)), help));
    }
    if let Some(only) = map.get("const").filter(|only| *only != value) {
        let help = format!("write {}", format_value(only));
        errors.push(mismatch_error(at, format!("invalid value {}", format_value(value)), help));
    }
    check_alternatives(schema, value, at, errors);
    match value {
        Value::Map(entries) => check_map(schema, entries, at, errors),
        Value::List(items) => check_list(schema, items, at, errors),
        Value::Text(text) => {
            check_size(
                schema,
                text.chars().count(),
                ["minLength", "maxLength"],
                "characters",
                at,
                errors,
            );
        }
        Value::Number(number) => check_number(schema, *number, at, errors),
        _ => {}
    }
}

fn check_alternatives(schema: &Value, value: &Value, at: &str, errors: &mut Vec<Diagnostic>) {
    for inner in schema.get("allOf").and_then(Value::as_list).into_iter().flatten() {
        check_value(inner, value, at, errors);
    }
    for keyword in ["anyOf", "oneOf"] {
        let Some(choices) = schema.get(keyword).and_then(Value::as_list) else { continue };
        let mut first = None;
        let matching = choices.iter().filter(|choice| {
            let mut own_errors = Vec::new();
            check_value(choice, value, at, &mut own_errors);
            let matches = own_errors.is_empty();
            first = first.take().or_else(|| own_errors.into_iter().next());
            matches
        });
        match matching.count() {
            0 => {
                let reason = first.map_or(String::new(), |first| format!(": {}", first.message));
                let message =
                    format!("{} matches none of the alternatives{reason}", format_value(value));
                errors.push(mismatch_error(at, message, "write one of the alternatives"));
            }
            1 => {}
            _ if keyword == "anyOf" => {}
            count => {
                let message = format!("{} matches {count} alternatives", format_value(value));
                errors.push(mismatch_error(
                    at,
                    message,
                    "write a value that matches exactly one of them",
                ));
            }
        }
    }
}

fn check_map(
    schema: &Value,
    entries: &crate::base::value::Map,
    at: &str,
    errors: &mut Vec<Diagnostic>,
) {
    let properties = schema.get("properties").and_then(Value::as_map);
    let required = schema.get("required").and_then(Value::as_list).unwrap_or_default();
    for name in required.iter().filter_map(Value::as_text) {
        if !entries.contains_key(name) {
            let similar = names::closest(name, entries.keys().map(|key| &**key));
            let help = match similar {
                Some(similar) => format!("rename {} to {}", quote(similar), quote(name)),
                None => format!("add {}", quote(name)),
            };
            errors.push(mismatch_error(at, format!("missing key {}", quote(name)), help));
        }
    }
    for (key, value) in entries {
        let inner = format!("{at}/{}", escape_pointer_step(key));
        match properties.and_then(|properties| properties.get(key)) {
            Some(property) => check_value(property, value, &inner, errors),
            None => match schema.get("additionalProperties") {
                Some(Value::Bool(false)) => {
                    let available = properties.into_iter().flat_map(|map| map.keys());
                    let available = names::format_names(available.map(|key| &**key));
                    let help = format!("use one of {available}");
                    errors.push(mismatch_error(
                        &inner,
                        format!("unknown key {}", quote(key)),
                        help,
                    ));
                }
                Some(other) => check_value(other, value, &inner, errors),
                None => {}
            },
        }
    }
}

fn check_list(schema: &Value, items: &[Value], at: &str, errors: &mut Vec<Diagnostic>) {
    check_size(schema, items.len(), ["minItems", "maxItems"], "items", at, errors);
    let Some(each) = schema.get("items") else { return };
    for (index, item) in items.iter().enumerate() {
        check_value(each, item, &format!("{at}/{index}"), errors);
    }
}

fn check_size(
    schema: &Value,
    size: usize,
    [least, most]: [&str; 2],
    what: &str,
    at: &str,
    errors: &mut Vec<Diagnostic>,
) {
    let limit = |key: &str| schema.get(key).and_then(Value::as_number);
    if let Some(least) = limit(least).filter(|least| (size as f64) < *least) {
        let message = format!("expected at least {} {what}, found {size}", format_number(least));
        errors.push(mismatch_error(at, message, format!("add {what}")));
    }
    if let Some(most) = limit(most).filter(|most| size as f64 > *most) {
        let message = format!("expected at most {} {what}, found {size}", format_number(most));
        errors.push(mismatch_error(at, message, format!("remove {what}")));
    }
}

fn check_number(schema: &Value, number: f64, at: &str, errors: &mut Vec<Diagnostic>) {
    let limit = |key: &str| schema.get(key).and_then(Value::as_number);
    if let Some(least) = limit("minimum").filter(|least| number < *least) {
        let message =
            format!("expected at least {}, found {}", format_number(least), format_number(number));
        errors.push(mismatch_error(at, message, format!("write {} or more", format_number(least))));
    }
    if let Some(most) = limit("maximum").filter(|most| number > *most) {
        let message =
            format!("expected at most {}, found {}", format_number(most), format_number(number));
        errors.push(mismatch_error(at, message, format!("write {} or less", format_number(most))));
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

/// Returns the type name of JSON Schema.
fn type_name(value: &Value) -> &'static str {
    match value {
        Value::List(_) => "array",
        Value::Map(_) => "object",
        other => other.kind(),
    }
}

fn with_article(type_name: &str) -> String {
    match type_name {
        "null" => type_name.to_owned(),
        _ if type_name.starts_with(['a', 'o']) => format!("an {type_name}"),
        _ => format!("a {type_name}"),
    }
}

fn type_list(types: &Value) -> String {
    match types {
        Value::List(any) => any.iter().filter_map(Value::as_text).collect::<Vec<_>>().join(" or "),
        one => one.as_text().unwrap_or("a value").to_owned(),
    }
}

fn format_value(value: &Value) -> String {
    quote(&excerpt(value, 60))
}

fn mismatch_error<'a>(
    at: &str,
    message: impl Into<Cow<'a, str>>,
    help: impl Into<Cow<'a, str>>,
) -> Diagnostic {
    Diagnostic::new(codes::SCHEMA_MISMATCH, message).help(help).at_pointer(at)
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
    fn invalid_schemas_are_reported() {
        let error = |schema: &str| {
            let found = invalid_schema(&value(schema))?;
            let Some(crate::base::Location::Pointer(at)) = &found.location else { return None };
            Some(format!("{at}: {}: {}", found.message, found.help.unwrap_or_default()))
        };
        let check =
            |schema: &str, expected: &str| assert_eq!(error(schema).as_deref(), Some(expected));
        check(r#"{"type": "list"}"#, "/type: unknown type `\"list\"`: write `array`");
        check(
            r#"{"items": {"type": "Object"}}"#,
            "/items/type: unknown type `\"Object\"`: write `object`",
        );
        check(r#"{"type": ["string", "int"]}"#, "/type: unknown type `\"int\"`: write `integer`");
        check(
            r#"{"properties": {"a": "str"}}"#,
            "/properties/a: `\"str\"` is not a schema: write `{\"type\": \"string\"}`",
        );
        check(
            r#"{"required": "name"}"#,
            "/required: expected a list of names in `required`, found a string: write `\"required\": [\"name\"]`",
        );
        check(
            r#"{"anyOf": [true, {"minItems": "2"}]}"#,
            "/anyOf/1/minItems: expected a number in `minItems`, found a string: write `\"minItems\": 1`",
        );
        check(
            r#"{"enum": "a,b"}"#,
            "/enum: expected a list of values in `enum`, found a string: write `\"enum\": [\"a\", \"b\"]`",
        );
        let valid = r#"{"type": "object", "properties": {"type": {"type": ["string", "null"]}, "required": true}, "additionalProperties": false, "x": 1}"#;
        assert_eq!(error(valid), None);
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
        check("true", "[]", &[]);
        check("false", "[]", &[": unexpected value"]);
        assert_eq!(
            unsupported_keywords(&value(r#"{"items": {"pattern": "a", "$ref": "b"}}"#)),
            ["$ref", "pattern"]
        );
    }
}
