//! Whether a value is of the shape that a JSON schema asks for.
//!
//! The subset: `type`, `properties`, `required`, `additionalProperties`, `items`, `enum`, `const`,
//! `minItems`, `maxItems`, `minLength`, `maxLength`, `minimum`, `maximum`, `anyOf`, `oneOf`,
//! `allOf`, and the keywords that only describe. Others are named by [`unread`].
use crate::base::diagnostic::quote;
use crate::base::json::pointer_step;
use crate::base::value::excerpt;
use crate::base::{Diagnostic, Value, names};
use crate::gasl::codes;
use std::borrow::Cow;

/// At most this many faults of one value are told.
const TOLD: usize = 20;

/// Everything that is wrong with a value, each fault at its pointer.
pub fn validate(schema: &Value, value: &Value) -> Vec<Diagnostic> {
    let mut faults = Vec::new();
    check(schema, value, "", &mut faults);
    faults
}

const READ: [&str; 21] = [
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

/// The keywords of a schema that are not looked at.
pub fn unread(schema: &Value) -> Vec<String> {
    let mut found = Vec::new();
    collect_unread(schema, &mut found);
    let mut order: Vec<usize> = (0..found.len()).collect();
    order.sort_by(|&a, &b| found.get(a).cmp(&found.get(b)));
    let mut sorted: Vec<String> =
        order.iter().filter_map(|place| found.get(*place).cloned()).collect();
    sorted.dedup();
    sorted
}

fn collect_unread(schema: &Value, found: &mut Vec<String>) {
    for (key, value) in schema.entries() {
        match &**key {
            "properties" => {
                value
                    .as_map()
                    .into_iter()
                    .flatten()
                    .for_each(|(_, one)| collect_unread(one, found));
            }
            "items" | "additionalProperties" => collect_unread(value, found),
            "anyOf" | "oneOf" | "allOf" => {
                value.as_list().into_iter().flatten().for_each(|one| collect_unread(one, found));
            }
            key if !READ.contains(&key) => found.push(key.to_owned()),
            _ => {}
        }
    }
}

/// What is wrong with the form of a schema, first of all: nothing would fit it, or anything.
pub fn misshapen(schema: &Value) -> Option<Diagnostic> {
    misshapen_at(schema, "")
}

fn misshapen_at(schema: &Value, at: &str) -> Option<Diagnostic> {
    let map = match schema {
        Value::Map(map) => map,
        Value::Bool(_) => return None,
        // `{"name": "string"}` is what a model writes for short.
        other => {
            let help = match other.as_text() {
                Some(word) => {
                    format!("write `{{\"type\": \"{}\"}}`", type_meant(word).unwrap_or("string"))
                }
                None => "write a schema, as in `{\"type\": \"string\"}`".to_owned(),
            };
            return Some(fault(at, format!("{} is no schema", shown(other)), help));
        }
    };
    map.iter().find_map(|(key, value)| {
        let here = format!("{at}/{}", pointer_step(key));
        let due = |what: &str, example: &str| {
            let message =
                format!("{} is {}, and {what} is due", quote(key), with_article(word(value)));
            Some(fault(&here, message, format!("write {}", quote(example))))
        };
        match (&**key, value) {
            ("type", Value::List(several)) => several.iter().find_map(|one| no_type(one, &here)),
            ("type", one) => no_type(one, &here),
            ("properties", Value::Map(each)) => each.iter().find_map(|(name, one)| {
                misshapen_at(one, &format!("{here}/{}", pointer_step(name)))
            }),
            ("properties", _) => {
                due("a map of schemas", r#""properties": {"name": {"type": "string"}}"#)
            }
            ("items" | "additionalProperties", one) => misshapen_at(one, &here),
            ("anyOf" | "oneOf" | "allOf", Value::List(each)) => each
                .iter()
                .enumerate()
                .find_map(|(index, one)| misshapen_at(one, &format!("{here}/{index}"))),
            ("anyOf" | "oneOf" | "allOf", _) => due("a list of schemas", r#"[{"type": "string"}]"#),
            ("required", Value::List(names))
                if names.iter().all(|name| name.as_text().is_some()) =>
            {
                None
            }
            ("required", _) => due("a list of names", r#""required": ["name"]"#),
            ("enum", Value::List(_)) => None,
            ("enum", _) => due("a list of values", r#""enum": ["a", "b"]"#),
            (
                "minItems" | "maxItems" | "minLength" | "maxLength" | "minimum" | "maximum",
                value,
            ) => {
                if value.as_number().is_some() {
                    None
                } else {
                    due("a number", &format!("\"{key}\": 1"))
                }
            }
            _ => None,
        }
    })
}

const TYPES: [&str; 7] = ["string", "number", "integer", "boolean", "array", "object", "null"];

fn no_type(value: &Value, at: &str) -> Option<Diagnostic> {
    let word = value.as_text().unwrap_or_default();
    if TYPES.contains(&word) {
        return None;
    }
    let help = match type_meant(word) {
        Some(meant) => format!("write `{meant}`"),
        None => format!("there are {}", names::list(TYPES)),
    };
    Some(fault(at, format!("{} is no type", shown(value)), help))
}

/// The type that other languages call so.
fn type_meant(word: &str) -> Option<&'static str> {
    let lower = word.to_ascii_lowercase();
    let meant = match lower.as_str() {
        "str" | "text" | "date" | "datetime" => "string",
        "int" | "long" => "integer",
        "float" | "double" | "decimal" => "number",
        "bool" => "boolean",
        "list" | "tuple" | "set" => "array",
        "dict" | "map" | "record" => "object",
        "none" | "nil" => "null",
        other => {
            names::nearest(other, TYPES).or_else(|| TYPES.into_iter().find(|one| *one == other))?
        }
    };
    TYPES.into_iter().find(|known| *known == meant)
}

fn check(schema: &Value, value: &Value, at: &str, faults: &mut Vec<Diagnostic>) {
    if faults.len() >= TOLD {
        return;
    }
    let map = match schema {
        Value::Map(map) => map,
        Value::Bool(false) => {
            return faults.push(fault(at, "nothing may stand here", "leave it out"));
        }
        _ => return,
    };
    if let Some(wanted) = map.get("type")
        && !has_type(value, wanted)
    {
        let wanted = type_words(wanted);
        let message = format!("the value is {}, and {wanted} is due", with_article(word(value)));
        return faults.push(fault(at, message, format!("write {wanted}")));
    }
    if let Some(Value::List(all)) = map.get("enum")
        && !all.contains(value)
    {
        let listed: Vec<String> = all.iter().map(Value::to_text).collect();
        let help = format!("write one of {}", names::list(listed.iter().map(String::as_str)));
        faults.push(fault(at, format!("{} is none of the values", shown(value)), help));
    }
    if let Some(only) = map.get("const").filter(|only| *only != value) {
        let help = format!("write {}", shown(only));
        faults.push(fault(at, format!("{} is not the value", shown(value)), help));
    }
    check_alternatives(schema, value, at, faults);
    match value {
        Value::Map(entries) => check_map(schema, entries, at, faults),
        Value::List(items) => check_list(schema, items, at, faults),
        Value::Text(text) => {
            check_size(
                schema,
                text.chars().count(),
                ["minLength", "maxLength"],
                "characters",
                at,
                faults,
            );
        }
        Value::Number(number) => check_number(schema, *number, at, faults),
        _ => {}
    }
}

fn check_alternatives(schema: &Value, value: &Value, at: &str, faults: &mut Vec<Diagnostic>) {
    for inner in schema.get("allOf").and_then(Value::as_list).into_iter().flatten() {
        check(inner, value, at, faults);
    }
    for keyword in ["anyOf", "oneOf"] {
        let Some(choices) = schema.get(keyword).and_then(Value::as_list) else { continue };
        let mut first = None;
        let fitting = choices.iter().filter(|choice| {
            let mut own = Vec::new();
            check(choice, value, at, &mut own);
            let fits = own.is_empty();
            first = first.take().or_else(|| own.into_iter().next());
            fits
        });
        match fitting.count() {
            0 => {
                let because = first.map_or(String::new(), |first| format!(": {}", first.message));
                let message = format!("{} fits none of the alternatives{because}", shown(value));
                faults.push(fault(at, message, "write one of the alternatives"));
            }
            1 => {}
            _ if keyword == "anyOf" => {}
            many => {
                let message = format!("{} fits {many} alternatives", shown(value));
                faults.push(fault(at, message, "write what fits exactly one of them"));
            }
        }
    }
}

fn check_map(
    schema: &Value,
    entries: &crate::base::value::Map,
    at: &str,
    faults: &mut Vec<Diagnostic>,
) {
    let properties = schema.get("properties").and_then(Value::as_map);
    let required = schema.get("required").and_then(Value::as_list).unwrap_or_default();
    for name in required.iter().filter_map(Value::as_text) {
        if !entries.contains_key(name) {
            let near = names::nearest(name, entries.keys().map(|key| &**key));
            let help = match near {
                Some(near) => format!("name it {}, not {}", quote(name), quote(near)),
                None => format!("add {}", quote(name)),
            };
            faults.push(fault(at, format!("{} is missing", quote(name)), help));
        }
    }
    for (key, value) in entries {
        let inner = format!("{at}/{}", pointer_step(key));
        match properties.and_then(|properties| properties.get(key)) {
            Some(property) => check(property, value, &inner, faults),
            None => match schema.get("additionalProperties") {
                Some(Value::Bool(false)) => {
                    let known = properties.into_iter().flat_map(|map| map.keys());
                    let help = format!("there are {}", names::list(known.map(|key| &**key)));
                    faults.push(fault(&inner, format!("{} is not known", quote(key)), help));
                }
                Some(other) => check(other, value, &inner, faults),
                None => {}
            },
        }
    }
}

fn check_list(schema: &Value, items: &[Value], at: &str, faults: &mut Vec<Diagnostic>) {
    check_size(schema, items.len(), ["minItems", "maxItems"], "items", at, faults);
    let Some(each) = schema.get("items") else { return };
    for (index, item) in items.iter().enumerate() {
        check(each, item, &format!("{at}/{index}"), faults);
    }
}

fn check_size(
    schema: &Value,
    size: usize,
    [least, most]: [&str; 2],
    what: &str,
    at: &str,
    faults: &mut Vec<Diagnostic>,
) {
    let bound = |key: &str| schema.get(key).and_then(Value::as_number);
    if let Some(least) = bound(least).filter(|least| (size as f64) < *least) {
        let message = format!("there are {size} {what}");
        faults.push(fault(at, message, format!("write at least {}", text(least))));
    }
    if let Some(most) = bound(most).filter(|most| size as f64 > *most) {
        let message = format!("there are {size} {what}");
        faults.push(fault(at, message, format!("write at most {}", text(most))));
    }
}

fn check_number(schema: &Value, number: f64, at: &str, faults: &mut Vec<Diagnostic>) {
    let bound = |key: &str| schema.get(key).and_then(Value::as_number);
    if let Some(least) = bound("minimum").filter(|least| number < *least) {
        let message = format!("{} is too small", text(number));
        faults.push(fault(at, message, format!("write {} or more", text(least))));
    }
    if let Some(most) = bound("maximum").filter(|most| number > *most) {
        let message = format!("{} is too large", text(number));
        faults.push(fault(at, message, format!("write {} or less", text(most))));
    }
}

fn text(number: f64) -> String {
    Value::from(number).to_text()
}

fn has_type(value: &Value, wanted: &Value) -> bool {
    match wanted {
        Value::Text(wanted) => match (&**wanted, value) {
            ("integer", Value::Number(number)) => number.fract() == 0.0,
            (wanted, value) => wanted == word(value),
        },
        Value::List(any) => any.iter().any(|one| has_type(value, one)),
        _ => true,
    }
}

/// What JSON Schema calls it.
fn word(value: &Value) -> &'static str {
    match value {
        Value::List(_) => "array",
        Value::Map(_) => "object",
        other => other.kind(),
    }
}

fn with_article(word: &str) -> String {
    match word {
        "null" => word.to_owned(),
        _ if word.starts_with(['a', 'o']) => format!("an {word}"),
        _ => format!("a {word}"),
    }
}

fn type_words(wanted: &Value) -> String {
    match wanted {
        Value::List(any) => any.iter().filter_map(Value::as_text).collect::<Vec<_>>().join(" or "),
        one => one.as_text().unwrap_or("a value").to_owned(),
    }
}

fn shown(value: &Value) -> String {
    quote(&excerpt(value, 60))
}

fn fault<'a>(
    at: &str,
    message: impl Into<Cow<'a, str>>,
    help: impl Into<Cow<'a, str>>,
) -> Diagnostic {
    Diagnostic::new(codes::MISMATCH, message).help(help).at_pointer(at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::json::Limits;

    fn value(text: &str) -> Value {
        Value::parse(text.as_bytes(), Limits::default()).0.unwrap()
    }

    fn check(schema: &str, against: &str, expected: &[&str]) {
        let faults = validate(&value(schema), &value(against));
        let told: Vec<String> = faults
            .iter()
            .map(|fault| match &fault.location {
                Some(crate::base::Location::Pointer(pointer)) => {
                    format!("{pointer}: {}", fault.message)
                }
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(told, expected, "{schema} of {against}");
    }

    #[test]
    fn faults_are_told_at_their_place() {
        let rows = r#"{"type": "array", "items": {"type": "object", "properties": {"id": {"type": "string"}, "n": {"type": "integer", "minimum": 0}}, "required": ["id"], "additionalProperties": false}, "minItems": 1}"#;
        check(rows, r#"[{"id": "a", "n": 2}]"#, &[]);
        check(rows, "[]", &[": there are 0 items"]);
        check(rows, r#"{"id": "a"}"#, &[": the value is an object, and array is due"]);
        check(
            rows,
            r#"[{"Id": "a", "n": -1.5}, {"id": 1}]"#,
            &[
                "/0: `id` is missing",
                "/0/Id: `Id` is not known",
                "/0/n: the value is a number, and integer is due",
                "/1/id: the value is a number, and string is due",
            ],
        );
    }

    #[test]
    fn schemas_that_cannot_be_are_told() {
        let told = |schema: &str| {
            let fault = misshapen(&value(schema))?;
            let Some(crate::base::Location::Pointer(at)) = &fault.location else { return None };
            Some(format!("{at}: {}: {}", fault.message, fault.help.unwrap_or_default()))
        };
        let check =
            |schema: &str, expected: &str| assert_eq!(told(schema).as_deref(), Some(expected));
        check(r#"{"type": "list"}"#, "/type: `\"list\"` is no type: write `array`");
        check(
            r#"{"items": {"type": "Object"}}"#,
            "/items/type: `\"Object\"` is no type: write `object`",
        );
        check(r#"{"type": ["string", "int"]}"#, "/type: `\"int\"` is no type: write `integer`");
        check(
            r#"{"properties": {"a": "str"}}"#,
            "/properties/a: `\"str\"` is no schema: write `{\"type\": \"string\"}`",
        );
        check(
            r#"{"required": "name"}"#,
            "/required: `required` is a string, and a list of names is due: write `\"required\": [\"name\"]`",
        );
        check(
            r#"{"anyOf": [true, {"minItems": "2"}]}"#,
            "/anyOf/1/minItems: `minItems` is a string, and a number is due: write `\"minItems\": 1`",
        );
        check(
            r#"{"enum": "a,b"}"#,
            "/enum: `enum` is a string, and a list of values is due: write `\"enum\": [\"a\", \"b\"]`",
        );
        let fine = r#"{"type": "object", "properties": {"type": {"type": ["string", "null"]}, "required": true}, "additionalProperties": false, "x": 1}"#;
        assert_eq!(told(fine), None);
    }

    #[test]
    fn alternatives_and_values() {
        check(r#"{"enum": ["a", 1]}"#, "1", &[]);
        check(r#"{"enum": ["a", 1]}"#, "2", &[": `2` is none of the values"]);
        check(r#"{"type": ["string", "null"]}"#, "null", &[]);
        check(r#"{"anyOf": [{"type": "string"}, {"type": "number"}]}"#, "1", &[]);
        check(
            r#"{"anyOf": [{"type": "string"}, {"type": "number"}]}"#,
            "[]",
            &[": `[]` fits none of the alternatives: the value is an array, and string is due"],
        );
        check("true", "[]", &[]);
        check("false", "[]", &[": nothing may stand here"]);
        assert_eq!(
            unread(&value(r#"{"items": {"pattern": "a", "$ref": "b"}}"#)),
            ["$ref", "pattern"]
        );
    }
}
