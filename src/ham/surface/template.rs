//! Property values with bindings.

use crate::base::Diagnostic;
use crate::base::json::{escape_pointer_step, write_number, write_text};
use crate::base::value::{Map, Value as Json};
use crate::ham::arena::{self, NodeRef, Value};
use crate::ham::binding::{self, Binding, Context};
use crate::ham::check::ROOT;
use crate::ham::codes;
use crate::ham::document::{Document, View};
use crate::ham::read;

/// A property value: constants, bindings, `@index` and `@id`.
pub enum PropTemplate {
    /// JSON text.
    Constant(String),
    Binding(Binding),
    /// `{"call": "@index"}`: the index of the enclosing item, plus an offset.
    Index(f64),
    /// `{"call": "@id"}`: the id of the node of the enclosing item.
    Id,
    List(Vec<PropTemplate>),
    Map(Vec<(String, PropTemplate)>),
}

/// Environment of a template's evaluation.
#[derive(Clone, Copy)]
pub struct PropScope<'a> {
    pub view: View<'a>,
    pub context: &'a Context,
    /// Index of the enclosing item, from 0.
    pub index: Option<u32>,
}

impl<'a> PropScope<'a> {
    /// Returns the id of the node of the enclosing item; `None` outside a list and for a literal.
    fn item_id(&self) -> Option<&'a str> {
        let id = self.view.document.id(self.context.node);
        (self.context.steps.is_empty() && id != ROOT).then_some(id)
    }
}

/// Path of a part of a component, for diagnostics.
#[derive(Clone, Copy)]
pub struct JsonPath<'a> {
    pub parent: Option<&'a JsonPath<'a>>,
    pub step: PropPathStep<'a>,
}

/// A step of a path.
#[derive(Clone, Copy)]
pub enum PropPathStep<'a> {
    Key(&'a str),
    Item(usize),
}

impl JsonPath<'_> {
    /// Returns the path as a JSON pointer.
    pub fn pointer(&self) -> String {
        let above = self.parent.map_or(String::new(), JsonPath::pointer);
        match self.step {
            PropPathStep::Key(key) => format!("{above}/{}", escape_pointer_step(key)),
            PropPathStep::Item(index) => format!("{above}/{index}"),
        }
    }
}

/// Parses a property value. Errors are reported at `path`, and the part becomes null.
pub fn parse(
    document: &mut Document,
    json: &Json,
    path: JsonPath<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) -> PropTemplate {
    let template = parse_part(document, json, path, diagnostics);
    let mut constant = String::new();
    if template.write_constant(&mut constant) { PropTemplate::Constant(constant) } else { template }
}

/// Recursion is bounded by the depth limit of the reader.
fn parse_part(
    document: &mut Document,
    json: &Json,
    path: JsonPath<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) -> PropTemplate {
    let parent = Some(&path);
    match json {
        Json::Map(map) if map.contains_key("binding") => match binding::parse(document, json) {
            Ok((binding, warning)) => {
                diagnostics.extend(warning.map(|warning| warning.at_pointer(path.pointer())));
                PropTemplate::Binding(binding)
            }
            Err(error) => {
                diagnostics.push(error.at_pointer(path.pointer()));
                null_template()
            }
        },
        Json::Map(map) if is_path(map) => {
            let text = map.get("path").and_then(Json::as_text).unwrap_or_default();
            diagnostics.push(binding::path_binding(text, None).at_pointer(path.pointer()));
            null_template()
        }
        Json::Map(map) if map.get("call").and_then(Json::as_text) == Some("@index") => {
            let offset = index_offset(map);
            if offset.is_none() {
                let message = "expected a number `offset` as the only argument of `@index`";
                let warning = Diagnostic::new(codes::UNKNOWN_FUNCTION, message)
                    .help(r#"write {"call": "@index", "args": {"offset": 1}}, or leave `args` out"#)
                    .at_pointer(path.pointer());
                diagnostics.push(warning);
            }
            PropTemplate::Index(offset.unwrap_or_default())
        }
        Json::Map(map) if map.get("call").and_then(Json::as_text) == Some("@id") => {
            if !has_no_arguments(map) {
                let warning =
                    Diagnostic::new(codes::UNKNOWN_FUNCTION, "expected no arguments of `@id`")
                        .help(r#"write {"call": "@id"}"#)
                        .at_pointer(path.pointer());
                diagnostics.push(warning);
            }
            PropTemplate::Id
        }
        Json::Map(map) => {
            let mut entries = Vec::with_capacity(map.len() + 1);
            if has_bound_template(map) {
                entries.push((TEXT_MARK.to_owned(), PropTemplate::Constant("true".to_owned())));
            }
            for (key, value) in &**map {
                let path = JsonPath { parent, step: PropPathStep::Key(key) };
                entries.push((key.to_string(), parse_part(document, value, path, diagnostics)));
            }
            PropTemplate::Map(entries)
        }
        Json::List(list) => {
            let mut items = Vec::with_capacity(list.len());
            for (index, item) in list.iter().enumerate() {
                let path = JsonPath { parent, step: PropPathStep::Item(index) };
                items.push(parse_part(document, item, path, diagnostics));
            }
            PropTemplate::List(items)
        }
        scalar => PropTemplate::Constant(scalar.to_text()),
    }
}

/// Key of a `formatString` whose template is data, so that it is not read as a template.
const TEXT_MARK: &str = "@text";

/// Returns whether a map is a call of `formatString` whose text its author did not write.
fn has_bound_template(map: &Map) -> bool {
    map.get("call").and_then(Json::as_text) == Some("formatString")
        && map.get("args").is_none_or(|args| {
            args.get("binding").is_some() || args.get("value").and_then(Json::as_text).is_none()
        })
}

/// Start of a map entry whose key is `call` and whose value is a text, without its separator. Quotes
/// in texts and keys are escaped, so that it occurs in JSON text only there or after a backslash.
const CALL_ENTRY: &[u8; 8] = b"\"call\":\"";
/// Entry that marks a map of the data with such an entry: it is not a call.
const DATA_ENTRY: &str = "\"@data\":true,";

/// Appends the JSON text of a value of the data, with marks in the maps that look like calls.
fn write_marked(json: &str, out: &mut String) {
    let bytes = json.as_bytes();
    let mut written = 0;
    for (at, part) in bytes.windows(CALL_ENTRY.len()).enumerate() {
        let is_entry = part.first_chunk() == Some(CALL_ENTRY);
        if is_entry && bytes.get(at.wrapping_sub(1)) != Some(&b'\\') {
            out.push_str(json.get(written..at).unwrap_or_default());
            out.push_str(DATA_ENTRY);
            written = at;
        }
    }
    out.push_str(json.get(written..).unwrap_or_default());
}

/// Returns whether a call has only the keys of a call.
fn has_call_keys(call: &Map) -> bool {
    call.keys().all(|key| matches!(&**key, "call" | "args" | "returnType"))
}

fn has_no_arguments(call: &Map) -> bool {
    let is_empty = |args: &Json| args.as_map().is_some_and(|args| args.is_empty());
    has_call_keys(call) && call.get("args").is_none_or(is_empty)
}

/// Returns the offset of an `@index` call, or `None` if its arguments are invalid.
fn index_offset(call: &Map) -> Option<f64> {
    if !has_call_keys(call) {
        return None;
    }
    let Some(args) = call.get("args") else { return Some(0.0) };
    let args = args.as_map()?;
    match args.get("offset") {
        Some(offset) if args.len() == 1 => offset.as_number(),
        None if args.is_empty() => Some(0.0),
        _ => None,
    }
}

fn null_template() -> PropTemplate {
    PropTemplate::Constant("null".to_owned())
}

/// Returns whether it is `{"path": "…"}`, possibly with a template: A2UI's own form of a binding.
fn is_path(map: &Map) -> bool {
    map.get("path").is_some_and(|path| path.as_text().is_some())
        && map.keys().all(|key| matches!(&**key, "path" | "componentId" | "template"))
}

impl PropTemplate {
    pub fn is_constant(&self) -> bool {
        matches!(self, PropTemplate::Constant(_))
    }

    /// Returns its value if it is a binding to a scalar property of its context's map.
    #[inline]
    pub fn scalar(&self, view: View<'_>, own: Option<arena::MapRef>) -> Option<Value> {
        match self {
            PropTemplate::Binding(binding) => binding.scalar(view.arena(), own),
            _ => None,
        }
    }

    /// Returns whether it contains `@index`.
    pub fn uses_index(&self) -> bool {
        match self {
            PropTemplate::Index(_) => true,
            PropTemplate::List(items) => items.iter().any(PropTemplate::uses_index),
            PropTemplate::Map(entries) => entries.iter().any(|(_, value)| value.uses_index()),
            _ => false,
        }
    }

    /// Appends the JSON text of its value.
    pub fn write(&self, scope: PropScope<'_>, out: &mut String) {
        self.write_parts(out, &mut |part, out| {
            match part {
                PropTemplate::Binding(binding) => {
                    write_marked(&read::read(scope.view, *binding, scope.context).value, out);
                }
                PropTemplate::Index(offset) => match scope.index {
                    Some(index) => write_number(f64::from(index) + offset, out),
                    None => out.push_str("null"),
                },
                PropTemplate::Id => match scope.item_id() {
                    Some(id) => write_text(id, out),
                    None => out.push_str("null"),
                },
                _ => {}
            }
            true
        });
    }

    /// Appends its JSON text if it is constant. Returns whether it is.
    fn write_constant(&self, out: &mut String) -> bool {
        self.write_parts(out, &mut |_, _| false)
    }

    /// Writes the constant parts and passes the others to `write_dynamic`, until that returns
    /// `false`.
    fn write_parts(
        &self,
        out: &mut String,
        write_dynamic: &mut dyn FnMut(&PropTemplate, &mut String) -> bool,
    ) -> bool {
        match self {
            PropTemplate::Constant(text) => out.push_str(text),
            PropTemplate::Binding(_) | PropTemplate::Index(_) | PropTemplate::Id => {
                return write_dynamic(self, out);
            }
            PropTemplate::List(items) => {
                out.push('[');
                for (index, item) in items.iter().enumerate() {
                    if index > 0 {
                        out.push(',');
                    }
                    if !item.write_parts(out, write_dynamic) {
                        return false;
                    }
                }
                out.push(']');
            }
            PropTemplate::Map(entries) => {
                out.push('{');
                let start = out.len();
                for (index, (key, value)) in entries.iter().enumerate() {
                    if index > 0 {
                        out.push(',');
                    }
                    write_text(key, out);
                    out.push(':');
                    let at = out.len();
                    if !value.write_parts(out, write_dynamic) {
                        return false;
                    }
                    // Data may not choose the function of a call.
                    let is_data = matches!(value, PropTemplate::Binding(_) | PropTemplate::Id);
                    if is_data && key == "call" && out.as_bytes().get(at) == Some(&b'"') {
                        out.insert_str(start, DATA_ENTRY);
                    }
                }
                out.push('}');
            }
        }
        true
    }

    /// Returns the JSON text of its value.
    pub fn to_json(&self, scope: PropScope<'_>) -> String {
        let mut text = String::new();
        self.write(scope, &mut text);
        text
    }

    /// Calls `visit` with each node that it depends on.
    pub fn visit_dependencies(
        &self,
        view: View<'_>,
        context: &Context,
        visit: &mut dyn FnMut(NodeRef),
    ) {
        match self {
            PropTemplate::Constant(_) | PropTemplate::Index(_) | PropTemplate::Id => {}
            PropTemplate::Binding(binding) => {
                read::visit_dependencies(view, *binding, context, visit);
            }
            PropTemplate::List(items) => {
                items.iter().for_each(|item| item.visit_dependencies(view, context, visit));
            }
            PropTemplate::Map(entries) => {
                entries
                    .iter()
                    .for_each(|(_, value)| value.visit_dependencies(view, context, visit));
            }
        }
    }

    /// Calls `visit` with each binding in it.
    pub fn each_binding(&self, visit: &mut dyn FnMut(Binding)) {
        match self {
            PropTemplate::Constant(_) | PropTemplate::Index(_) | PropTemplate::Id => {}
            PropTemplate::Binding(binding) => visit(*binding),
            PropTemplate::List(items) => items.iter().for_each(|item| item.each_binding(visit)),
            PropTemplate::Map(entries) => {
                entries.iter().for_each(|(_, value)| value.each_binding(visit));
            }
        }
    }
}
