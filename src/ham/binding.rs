//! Bindings and contexts: how a component names a value (rules 13 to 17).

use super::arena::{Arena, Map, NodeRef, Value};
use super::document::{Document, View};
use super::shape::KeyRef;
use super::{codes, id, update};
use crate::base::diagnostic::quote;
use crate::base::value::Value as Json;
use crate::base::{Diagnostic, names};
use std::borrow::Cow;

/// `{"node"?, "key"?}` with its names as numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Binding {
    /// The data context where it is left out.
    pub node: Option<NodeRef>,
    /// The whole value where it is left out.
    pub key: Option<KeyRef>,
}

/// What a binding without `node` starts from: a node, or a literal inside lists of a node. It is
/// found anew at each read, so it stays live.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Context {
    pub node: NodeRef,
    pub steps: Box<[Step]>,
}

/// One step into a literal: the list (a property of what came before, or that itself), and which
/// of its literals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Step {
    pub key: Option<KeyRef>,
    pub ordinal: u32,
}

impl Binding {
    /// The property that it names of the map that it starts from, where that is neither a pointer, a
    /// list nor a map: as most are.
    #[inline]
    pub fn scalar(self, arena: &Arena, own: Option<Map>) -> Option<Value> {
        if self.node.is_some() {
            return None;
        }
        arena.property(own?, self.key?).filter(|value| value.is_scalar())
    }
}

impl Context {
    /// The context of a node.
    pub fn of(node: NodeRef) -> Context {
        Context { node, steps: Box::default() }
    }

    /// The map that it is, where it is a node that is one.
    #[inline]
    pub fn map(&self, view: View<'_>) -> Option<Map> {
        match view.value(self.node) {
            Value::Map(map) if self.steps.is_empty() => Some(map),
            _ => None,
        }
    }

    /// The context of the n-th literal of a list that is bound in this context.
    pub fn literal(&self, list: Binding, ordinal: u32) -> Context {
        let step = Step { key: list.key, ordinal };
        match list.node {
            Some(node) => Context { node, steps: Box::new([step]) },
            None => {
                let steps = self.steps.iter().copied().chain([step]).collect();
                Context { node: self.node, steps }
            }
        }
    }
}

/// What a binding names.
#[derive(Clone, Copy, Debug)]
pub enum Found {
    Value {
        value: Value,
        /// The pointer property that led to it.
        reference: Option<NodeRef>,
        /// The node whose whole value it is.
        whole: Option<NodeRef>,
    },
    Missing(Gap),
}

/// Why there is nothing.
#[derive(Clone, Copy, Debug)]
pub enum Gap {
    /// The node or the data context is missing.
    Owner,
    /// The map has no such property.
    Property(Value),
    /// The owner of the key is a list or a primitive.
    NoMap(Value),
    /// The property points to a missing node.
    Dangling(NodeRef),
}

/// Finds what a binding names, and calls `visit` with each node that was looked at.
pub fn find(
    view: View<'_>,
    binding: Binding,
    context: &Context,
    visit: &mut dyn FnMut(NodeRef),
) -> Found {
    let owner = match binding.node {
        None if !context.steps.is_empty() => context_value(view, context, visit),
        node => {
            let node = node.unwrap_or(context.node);
            visit(node);
            view.value(node)
        }
    };
    if owner.is_missing() {
        return Found::Missing(Gap::Owner);
    }
    let Some(key) = binding.key else {
        let whole = match binding.node {
            None => Some(context.node).filter(|_| context.steps.is_empty()),
            node => node,
        };
        return Found::Value { value: owner, reference: None, whole };
    };
    let Value::Map(map) = owner else { return Found::Missing(Gap::NoMap(owner)) };
    match view.arena().property(map, key) {
        None => Found::Missing(Gap::Property(owner)),
        Some(Value::Pointer(node)) => {
            visit(node);
            match view.value(node) {
                Value::Missing => Found::Missing(Gap::Dangling(node)),
                value => Found::Value { value, reference: Some(node), whole: Some(node) },
            }
        }
        Some(value) => Found::Value { value, reference: None, whole: None },
    }
}

/// The value that a context stands for.
fn context_value(view: View<'_>, context: &Context, visit: &mut dyn FnMut(NodeRef)) -> Value {
    visit(context.node);
    let mut value = view.value(context.node);
    for step in &context.steps {
        value = match (value, step.key) {
            (value, None) => value,
            (Value::Map(map), Some(key)) => match view.arena().property(map, key) {
                Some(Value::Pointer(node)) => {
                    visit(node);
                    view.value(node)
                }
                found => found.unwrap_or(Value::Missing),
            },
            _ => Value::Missing,
        };
        value = match value {
            Value::List(list) => {
                view.arena().literal(list, step.ordinal).map_or(Value::Missing, |(_, item)| item)
            }
            _ => Value::Missing,
        };
    }
    value
}

/// What to tell the author about a gap. Nothing where the value may still arrive.
pub fn explain(document: &Document, binding: Binding, gap: Gap) -> Option<Diagnostic> {
    let key = binding.key.map(|key| document.keys.text(key.0)).unwrap_or_default();
    match gap {
        Gap::Owner => None,
        Gap::Dangling(node) => {
            let sigil = &document.settings.sigil;
            let pointer = format!("{sigil}{}", document.id(node));
            Some(update::hoist(&pointer, sigil))
        }
        Gap::NoMap(value) => {
            let what = match value {
                Value::List(_) | Value::Pointers(_) => "a list has no keys",
                _ => "a primitive has no keys",
            };
            let help = match value {
                Value::List(_) | Value::Pointers(_) => {
                    "iterate a list with a ChildList; bind to an item by its node id"
                }
                _ => "leave the key out",
            };
            let message = format!("the key {} finds nothing: {what}", quote(key));
            // A node that is a text stays one, whatever it looks like; an item of a list can point.
            let meant = if binding.node.is_some() { None } else { id_in(document, value) };
            let help = match meant {
                Some(id) => {
                    let sigil = &document.settings.sigil;
                    format!(
                        "if the node is meant, write {}; else {help}",
                        quote(&format!("{sigil}{id}"))
                    )
                }
                None => help.to_owned(),
            };
            Some(Diagnostic::new(codes::KEY_OWNER, message).help(help))
        }
        Gap::Property(owner) => missing_property(document, key, owner),
    }
}

/// The node that a text would point to if it had a sigil.
fn id_in(document: &Document, value: Value) -> Option<&str> {
    let Value::Text(text) = value else { return None };
    let id = document.arena.text(text);
    let node = document.find(id)?;
    (!document.value(node).is_missing()).then_some(id)
}

/// Whether the key of a binding is a slip of the pen for a property that is there.
pub fn is_slip(document: &Document, binding: Binding, gap: Gap) -> bool {
    let (Some(key), Gap::Property(Value::Map(map))) = (binding.key, gap) else { return false };
    let key = document.keys.text(key.0);
    let mut known = document.arena.entries(map).take(names::COMPARED);
    known.any(|(known, _)| names::is_slip(key, document.keys.text(known.0)))
}

fn missing_property(document: &Document, key: &str, owner: Value) -> Option<Diagnostic> {
    let Value::Map(map) = owner else { return None };
    let entries =
        || document.arena.entries(map).map(|(key, value)| (document.keys.text(key.0), value));
    let properties = || entries().map(|(name, _)| name);
    if !key.contains('/') {
        let near = names::nearest(key, properties().take(names::COMPARED))?;
        let message = format!("there is no property {}", quote(key));
        let help = format!("did you mean {}?", quote(near));
        return Some(Diagnostic::new(codes::NEAR_KEY, message).help(help));
    }
    let message = format!("{} is a path: a key names one direct property", quote(key));
    let (node, rest) = follow(document, owner, key);
    let help = match node {
        Some(node) if !matches!(document.value(node), Value::Map(_) | Value::Missing) => {
            format!(
                "{} is no map: bind to it whole, or iterate it with a ChildList",
                quote(document.id(node))
            )
        }
        Some(node) => {
            let key = rest.map_or(String::new(), |rest| format!(", \"key\": \"{rest}\""));
            let id = document.id(node);
            format!("bind to the node it points to: `{{\"node\": \"{id}\"{key}}}`")
        }
        None if properties().next().is_none() => "the map has no properties".to_owned(),
        None => format!("the properties are {}", names::list(properties())),
    };
    Some(Diagnostic::new(codes::KEY_PATH, message).help(help))
}

/// The node that a path leads to over pointers, as far as there are any, and the part behind them.
fn follow<'k>(
    document: &Document,
    owner: Value,
    path: &'k str,
) -> (Option<NodeRef>, Option<&'k str>) {
    let mut parts = path.split('/').filter(|part| !part.is_empty());
    let mut next = parts.next();
    let (mut node, mut value) = (None, owner);
    while let (Value::Map(map), Some(part)) = (value, next) {
        let mut entries = document.arena.entries(map);
        let pointed = entries.find(|(key, _)| document.keys.text(key.0) == part);
        let Some((_, Value::Pointer(target))) = pointed else { break };
        if id::check(document.id(target), &document.settings.sigil).is_err() {
            break;
        }
        (node, value, next) = (Some(target), document.value(target), parts.next());
    }
    (node, next)
}

/// Reads `{"node"?, "key"?}`, with or without `{"binding": …}` around it.
pub fn parse(
    document: &mut Document,
    json: &Json,
) -> Result<(Binding, Option<Diagnostic>), Diagnostic> {
    let json = json.get("binding").unwrap_or(json);
    let Some(map) = json.as_map() else {
        return Err(malformed("a binding is an object with `node` and `key`, both optional"));
    };
    if let Some(path) = map.get("path").and_then(Json::as_text) {
        return Err(path_binding(path, None));
    }
    if let Some(other) = map.keys().find(|key| !matches!(&***key, "node" | "key")) {
        return Err(malformed(format!("a binding has no {}", quote(other))));
    }
    let name = |name: &str| match map.get(name) {
        None => Ok(None),
        Some(Json::Text(text)) => Ok(Some(&**text)),
        Some(_) => Err(malformed(format!("`{name}` of a binding is a string"))),
    };
    let (node, key) = (name("node")?, name("key")?);
    let mut warning = None;
    let sigil = document.settings.sigil.clone();
    let node = match node.map(|node| (node, id::check(node, &sigil))) {
        None => None,
        Some((id, Ok(()))) => Some(id),
        Some((written, Err(_))) => {
            let bare = written.strip_prefix(sigil.as_str()).unwrap_or_default();
            let usable = id::check(bare, &sigil).is_ok();
            let message = format!("{} is no node id", quote(written));
            let help = if usable {
                format!("write `\"node\": \"{bare}\"`: a binding names the node, without the sigil")
            } else {
                "name a node by its id, without any mark".to_owned()
            };
            if !(usable && document.settings.repair) {
                return Err(Diagnostic::new(codes::BINDING, message).help(help));
            }
            warning = Some(Diagnostic::new(codes::STRIPPED, message).help(help));
            Some(bare)
        }
    };
    let node = node.map(|id| document.node(id.as_bytes()));
    let key = key.map(|name| document.key(name));
    Ok((Binding { node, key }, warning))
}

fn malformed<'a>(message: impl Into<Cow<'a, str>>) -> Diagnostic {
    Diagnostic::new(codes::BINDING, message)
        .help(r#"write {"node": "user_1", "key": "name"}; without `node` it is the data context"#)
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
