//! The supported subset of JSON Schema. [`validator`](super::validator) validates values against it.
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

/// Returns the type name of JSON Schema.
pub fn type_name(value: &Value) -> &'static str {
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

pub fn format_value(value: &Value) -> String {
    quote(&excerpt(value, 60))
}

pub fn mismatch_error<'a>(
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
    fn unsupported_keywords_are_listed() {
        assert_eq!(
            unsupported_keywords(&value(r#"{"items": {"pattern": "a", "$ref": "b"}}"#)),
            ["$ref", "pattern"]
        );
    }
}
