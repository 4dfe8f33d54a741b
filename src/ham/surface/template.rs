//! Property values as an author writes them: constants, bindings, and both mixed.

use crate::base::Diagnostic;
use crate::base::diagnostic::quote;
use crate::base::json::{to_text, write_number, write_text};
use crate::ham::arena::NodeRef;
use crate::ham::binding::{self, Binding, Context};
use crate::ham::document::{Document, View};
use crate::ham::{codes, read};
use serde_json::Value as Json;

/// A value with bindings in it.
pub enum Template {
    /// JSON text.
    Constant(String),
    Binding(Binding),
    /// `{"call": "@index"}`: the place of the nearest item, plus an offset.
    Index(f64),
    List(Vec<Template>),
    Map(Vec<(String, Template)>),
}

/// What a template is evaluated against.
#[derive(Clone, Copy)]
pub struct Scope<'a> {
    pub view: View<'a>,
    pub context: &'a Context,
    /// The place of the nearest item, from 0.
    pub index: Option<u32>,
}

/// Reads a property value. What is wrong is told at `place`, and reads as null.
/// Recursion is bounded by the depth limit of the reader.
pub fn parse(
    document: &mut Document,
    json: &Json,
    place: &str,
    diagnostics: &mut Vec<Diagnostic>,
) -> Template {
    match json {
        Json::Object(map) if map.contains_key("binding") => match binding::parse(document, json) {
            Ok((binding, warning)) => {
                diagnostics.extend(warning.map(|warning| warning.at_pointer(place)));
                Template::Binding(binding)
            }
            Err(error) => {
                diagnostics.push(error.at_pointer(place));
                null()
            }
        },
        Json::Object(map) if is_path(map) => {
            let path = map.get("path").and_then(Json::as_str).unwrap_or_default();
            diagnostics.push(path_binding(path, None).at_pointer(place));
            null()
        }
        Json::Object(map) if map.get("call").and_then(Json::as_str) == Some("@index") => {
            let offset = map.get("args").and_then(|args| args.get("offset"));
            Template::Index(offset.and_then(Json::as_f64).unwrap_or_default())
        }
        Json::Object(map) => {
            let entries: Vec<(String, Template)> = map
                .iter()
                .map(|(key, value)| {
                    let place = format!("{place}/{}", escape(key));
                    (key.clone(), parse(document, value, &place, diagnostics))
                })
                .collect();
            constant_or(json, entries.iter().all(|(_, value)| value.is_constant()), || {
                Template::Map(entries)
            })
        }
        Json::Array(items) => {
            let items: Vec<Template> = items
                .iter()
                .enumerate()
                .map(|(nth, item)| parse(document, item, &format!("{place}/{nth}"), diagnostics))
                .collect();
            constant_or(json, items.iter().all(Template::is_constant), || Template::List(items))
        }
        plain => Template::Constant(to_text(plain)),
    }
}

fn constant_or(json: &Json, constant: bool, other: impl FnOnce() -> Template) -> Template {
    if constant && !holds_path(json) { Template::Constant(to_text(json)) } else { other() }
}

/// Whether a plain A2UI binding stands somewhere inside: those were told and read as null.
fn holds_path(json: &Json) -> bool {
    match json {
        Json::Array(items) => items.iter().any(holds_path),
        Json::Object(map) => is_path(map) || map.values().any(holds_path),
        _ => false,
    }
}

fn null() -> Template {
    Template::Constant("null".to_owned())
}

/// `{"path": "…"}`, alone or as a template of plain A2UI.
pub fn is_path(map: &serde_json::Map<String, Json>) -> bool {
    map.get("path").is_some_and(Json::is_string)
        && map.keys().all(|key| matches!(key.as_str(), "path" | "componentId" | "template"))
}

/// The error for a binding of plain A2UI, with the HAM form of it.
pub fn path_binding(path: &str, template: Option<&str>) -> Diagnostic {
    let steps: Vec<&str> = path.split('/').filter(|step| !step.is_empty()).collect();
    let (key, way) = steps.split_last().map_or(("", &[][..]), |(key, way)| (*key, way));
    let node = match (path.starts_with('/'), way.last()) {
        (_, Some(owner)) => format!("\"node\": \"{owner}\", "),
        (true, None) => "\"node\": \"root\", ".to_owned(),
        (false, None) => String::new(),
    };
    let key = if key.is_empty() { String::new() } else { format!("\"key\": \"{key}\"") };
    let fields = format!("{node}{key}");
    let fields = fields.strip_suffix(", ").unwrap_or(&fields);
    let help = match template {
        None => format!(
            "write {{\"binding\": {{{fields}}}}}: a binding names a node and one property of it"
        ),
        Some(component) => format!(
            "write {{\"binding\": {{{fields}}}, \"template\": \"{component}\"}}: a binding names a node and one property of it"
        ),
    };
    Diagnostic::new(codes::PATH_BINDING, format!("{} is a path", quote(path))).help(help)
}

/// A key as a step of a JSON pointer.
pub fn escape(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

impl Template {
    /// Whether it shows the same whatever the data.
    pub fn is_constant(&self) -> bool {
        matches!(self, Template::Constant(_))
    }

    /// Whether it shows the place of an item.
    pub fn uses_index(&self) -> bool {
        match self {
            Template::Index(_) => true,
            Template::List(items) => items.iter().any(Template::uses_index),
            Template::Map(entries) => entries.iter().any(|(_, value)| value.uses_index()),
            _ => false,
        }
    }

    /// Appends the JSON text of what it shows.
    pub fn write(&self, scope: Scope<'_>, out: &mut String) {
        match self {
            Template::Constant(text) => out.push_str(text),
            Template::Binding(binding) => {
                out.push_str(&read::read(scope.view, *binding, scope.context).value);
            }
            Template::Index(offset) => match scope.index {
                Some(index) => write_number(f64::from(index) + offset, out),
                None => out.push_str("null"),
            },
            Template::List(items) => {
                out.push('[');
                for (nth, item) in items.iter().enumerate() {
                    if nth > 0 {
                        out.push(',');
                    }
                    item.write(scope, out);
                }
                out.push(']');
            }
            Template::Map(entries) => {
                out.push('{');
                for (nth, (key, value)) in entries.iter().enumerate() {
                    if nth > 0 {
                        out.push(',');
                    }
                    write_text(key, out);
                    out.push(':');
                    value.write(scope, out);
                }
                out.push('}');
            }
        }
    }

    /// The JSON text of what it shows.
    pub fn show(&self, scope: Scope<'_>) -> String {
        let mut text = String::new();
        self.write(scope, &mut text);
        text
    }

    /// Calls `visit` with each node that it depends on.
    pub fn depend(&self, view: View<'_>, context: &Context, visit: &mut dyn FnMut(NodeRef)) {
        match self {
            Template::Constant(_) | Template::Index(_) => {}
            Template::Binding(binding) => {
                read::depend(view, *binding, context, visit);
            }
            Template::List(items) => {
                items.iter().for_each(|item| item.depend(view, context, visit));
            }
            Template::Map(entries) => {
                entries.iter().for_each(|(_, value)| value.depend(view, context, visit));
            }
        }
    }

    /// Calls `visit` with each binding in it.
    pub fn each_binding(&self, visit: &mut dyn FnMut(Binding)) {
        match self {
            Template::Constant(_) | Template::Index(_) => {}
            Template::Binding(binding) => visit(*binding),
            Template::List(items) => items.iter().for_each(|item| item.each_binding(visit)),
            Template::Map(entries) => {
                entries.iter().for_each(|(_, value)| value.each_binding(visit));
            }
        }
    }
}
