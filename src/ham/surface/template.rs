//! Property values as an author writes them: constants, bindings, and both mixed.

use crate::base::Diagnostic;
use crate::base::json::{pointer_step, write_number, write_text};
use crate::base::value::{Map, Value as Json};
use crate::ham::arena::{self, NodeRef, Value};
use crate::ham::binding::{self, Binding, Context};
use crate::ham::codes;
use crate::ham::document::{Document, View};
use crate::ham::read;

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

/// The way to a part of a component, for whoever has something to tell of it.
#[derive(Clone, Copy)]
pub struct Place<'a> {
    /// The place that it is in.
    pub within: Option<&'a Place<'a>>,
    pub step: Step<'a>,
}

/// One step of the way.
#[derive(Clone, Copy)]
pub enum Step<'a> {
    Key(&'a str),
    Item(usize),
}

impl Place<'_> {
    /// The place as a JSON pointer.
    pub fn pointer(&self) -> String {
        let above = self.within.map_or(String::new(), Place::pointer);
        match self.step {
            Step::Key(key) => format!("{above}/{}", pointer_step(key)),
            Step::Item(nth) => format!("{above}/{nth}"),
        }
    }
}

/// Reads a property value. What is wrong is told at `place`, and reads as null.
pub fn parse(
    document: &mut Document,
    json: &Json,
    place: Place<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Template {
    let template = parse_part(document, json, place, diagnostics);
    let mut constant = String::new();
    if template.write_constant(&mut constant) { Template::Constant(constant) } else { template }
}

/// Recursion is bounded by the depth limit of the reader.
fn parse_part(
    document: &mut Document,
    json: &Json,
    place: Place<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Template {
    let within = Some(&place);
    match json {
        Json::Map(map) if map.contains_key("binding") => match binding::parse(document, json) {
            Ok((binding, warning)) => {
                diagnostics.extend(warning.map(|warning| warning.at_pointer(place.pointer())));
                Template::Binding(binding)
            }
            Err(error) => {
                diagnostics.push(error.at_pointer(place.pointer()));
                null()
            }
        },
        Json::Map(map) if is_path(map) => {
            let path = map.get("path").and_then(Json::as_text).unwrap_or_default();
            diagnostics.push(binding::path_binding(path, None).at_pointer(place.pointer()));
            null()
        }
        Json::Map(map) if map.get("call").and_then(Json::as_text) == Some("@index") => {
            let offset = offset(map);
            if offset.is_none() {
                let message = "`@index` takes one argument: `offset`, a number";
                let warning = Diagnostic::new(codes::FUNCTION, message)
                    .help(r#"write {"call": "@index", "args": {"offset": 1}}, or leave `args` out"#)
                    .at_pointer(place.pointer());
                diagnostics.push(warning);
            }
            Template::Index(offset.unwrap_or_default())
        }
        Json::Map(map) => {
            let mut entries = Vec::with_capacity(map.len());
            for (key, value) in &**map {
                let place = Place { within, step: Step::Key(key) };
                entries.push((key.to_string(), parse_part(document, value, place, diagnostics)));
            }
            Template::Map(entries)
        }
        Json::List(list) => {
            let mut items = Vec::with_capacity(list.len());
            for (nth, item) in list.iter().enumerate() {
                let place = Place { within, step: Step::Item(nth) };
                items.push(parse_part(document, item, place, diagnostics));
            }
            Template::List(items)
        }
        plain => Template::Constant(plain.to_text()),
    }
}

/// What is added to the place of an item; nothing where that is written in another form.
fn offset(call: &Map) -> Option<f64> {
    if !call.keys().all(|key| matches!(&**key, "call" | "args" | "returnType")) {
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

fn null() -> Template {
    Template::Constant("null".to_owned())
}

/// `{"path": "…"}`, alone or as a template of plain A2UI.
fn is_path(map: &Map) -> bool {
    map.get("path").is_some_and(|path| path.as_text().is_some())
        && map.keys().all(|key| matches!(&**key, "path" | "componentId" | "template"))
}

impl Template {
    /// Whether it shows the same whatever the data.
    pub fn is_constant(&self) -> bool {
        matches!(self, Template::Constant(_))
    }

    /// What it shows, where that is a plain property of the map that its context is.
    #[inline]
    pub fn scalar(&self, view: View<'_>, own: Option<arena::Map>) -> Option<Value> {
        match self {
            Template::Binding(binding) => binding.scalar(view.arena(), own),
            _ => None,
        }
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
        self.write_parts(out, &mut |part, out| {
            match part {
                Template::Binding(binding) => {
                    out.push_str(&read::read(scope.view, *binding, scope.context).value);
                }
                Template::Index(offset) => match scope.index {
                    Some(index) => write_number(f64::from(index) + offset, out),
                    None => out.push_str("null"),
                },
                _ => {}
            }
            true
        });
    }

    /// Appends the JSON text of what it shows whatever the data; whether it does.
    fn write_constant(&self, out: &mut String) -> bool {
        self.write_parts(out, &mut |_, _| false)
    }

    /// Writes the constant parts itself and leaves the others to `live`, until that gives up.
    fn write_parts(
        &self,
        out: &mut String,
        live: &mut dyn FnMut(&Template, &mut String) -> bool,
    ) -> bool {
        match self {
            Template::Constant(text) => out.push_str(text),
            Template::Binding(_) | Template::Index(_) => return live(self, out),
            Template::List(items) => {
                out.push('[');
                for (nth, item) in items.iter().enumerate() {
                    if nth > 0 {
                        out.push(',');
                    }
                    if !item.write_parts(out, live) {
                        return false;
                    }
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
                    if !value.write_parts(out, live) {
                        return false;
                    }
                }
                out.push('}');
            }
        }
        true
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
