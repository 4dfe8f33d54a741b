//! Bindings and contexts: how a component refers to a value (rules 13 to 17).

use super::arena::{Arena, MapRef, NodeRef, Value};
use super::document::{Document, View};
use super::shape::KeyRef;
use super::{codes, id, update};
use crate::base::diagnostic::quote;
use crate::base::value::Value as Json;
use crate::base::{Diagnostic, names};
use std::borrow::Cow;
use std::iter;

/// `{"node"?, "key"?}` with its names interned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Binding {
    /// `None`: the data context.
    pub node: Option<NodeRef>,
    /// `None`: the complete value.
    pub key: Option<KeyRef>,
}

/// The start of bindings without `node`: a node, or a literal inside lists of a node. It is
/// resolved at each read.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Context {
    pub node: NodeRef,
    pub steps: Box<[ContextStep]>,
}

/// A step to a literal: the list (a property of the value so far, or that value itself) and the
/// ordinal of the literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ContextStep {
    pub key: Option<KeyRef>,
    pub ordinal: u32,
}

impl Binding {
    /// Returns what it is bound to, for a diagnostic.
    #[cold]
    pub fn describe(self, document: &Document) -> String {
        let key = self.key.map(|key| document.keys.text(key.0));
        match (self.node, key) {
            (Some(node), Some(key)) => format!("`{key}` of `{}`", document.id(node)),
            (Some(node), None) => format!("`{}`", document.id(node)),
            (None, Some(key)) => format!("`{key}`"),
            (None, None) => "the data context".to_owned(),
        }
    }

    /// Returns the scalar property of the map `own` that it refers to; `None` if it has a node, or
    /// refers to something else.
    #[inline]
    pub fn scalar(self, arena: &Arena, own: Option<MapRef>) -> Option<Value> {
        if self.node.is_some() {
            return None;
        }
        arena.property(own?, self.key?).filter(|value| value.is_scalar())
    }
}

impl Context {
    pub fn from_node(node: NodeRef) -> Context {
        Context { node, steps: Box::default() }
    }

    /// Returns the map that the context is, if it is a node with a map.
    #[inline]
    pub fn map(&self, view: View<'_>) -> Option<MapRef> {
        match view.value(self.node) {
            Value::Map(map) if self.steps.is_empty() => Some(map),
            _ => None,
        }
    }

    /// Returns the context of the n-th literal of a list that is bound in this context.
    pub fn literal(&self, list: Binding, ordinal: u32) -> Context {
        let step = ContextStep { key: list.key, ordinal };
        match list.node {
            Some(node) => Context { node, steps: Box::new([step]) },
            None => {
                let steps = self.steps.iter().copied().chain([step]).collect();
                Context { node: self.node, steps }
            }
        }
    }
}

/// Result of a binding.
#[derive(Clone, Copy, Debug)]
pub enum Resolution {
    Value {
        value: Value,
        /// The node of the pointer property that was followed.
        reference: Option<NodeRef>,
        /// The node whose complete value it is.
        value_node: Option<NodeRef>,
    },
    Missing(MissingReason),
}

/// Reason why a binding has no value.
#[derive(Clone, Copy, Debug)]
pub enum MissingReason {
    /// The node or the data context is missing.
    Owner,
    /// The map has no such property.
    Property(Value),
    /// The owner of the key is a list or a primitive.
    NotAMap(Value),
    /// The property points to a missing node.
    Dangling(NodeRef),
}

/// Resolves a binding, and calls `visit` with each node that was read.
pub fn resolve(
    view: View<'_>,
    binding: Binding,
    context: &Context,
    visit: &mut dyn FnMut(NodeRef),
) -> Resolution {
    let owner = match binding.node {
        None if !context.steps.is_empty() => context_value(view, context, visit),
        node => {
            let node = node.unwrap_or(context.node);
            visit(node);
            view.value(node)
        }
    };
    if owner.is_missing() {
        return Resolution::Missing(MissingReason::Owner);
    }
    let Some(key) = binding.key else {
        let value_node = match binding.node {
            None => Some(context.node).filter(|_| context.steps.is_empty()),
            node => node,
        };
        return Resolution::Value { value: owner, reference: None, value_node };
    };
    let Value::Map(map) = owner else { return Resolution::Missing(MissingReason::NotAMap(owner)) };
    match view.arena().property(map, key) {
        None => Resolution::Missing(MissingReason::Property(owner)),
        Some(Value::Pointer(node)) => {
            visit(node);
            match view.value(node) {
                Value::Missing => Resolution::Missing(MissingReason::Dangling(node)),
                value => Resolution::Value { value, reference: Some(node), value_node: Some(node) },
            }
        }
        Some(value) => Resolution::Value { value, reference: None, value_node: None },
    }
}

/// Returns the value of a context, or `Missing`.
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

/// Returns the diagnostic for a binding without a value, or `None` if the value may still arrive.
#[cold]
pub fn missing_diagnostic(
    document: &Document,
    binding: Binding,
    reason: MissingReason,
) -> Option<Diagnostic> {
    let key = binding.key.map(|key| document.keys.text(key.0)).unwrap_or_default();
    match reason {
        MissingReason::Owner => None,
        MissingReason::Dangling(node) => {
            let sigil = &document.settings.sigil;
            let pointer = format!("{sigil}{}", document.id(node));
            Some(update::dangling_pointer(&pointer, sigil))
        }
        MissingReason::NotAMap(value) => {
            let (found, help) = match value {
                Value::List(_) | Value::Pointers(_) => {
                    ("list", "iterate the list with a ChildList, or bind to an item by its node id")
                }
                _ => ("primitive", "leave the key out"),
            };
            let message =
                format!("cannot read the key {}: expected a map, found a {found}", quote(key));
            // A text of a node is always a literal; an item of a list can be made a pointer.
            let intended = if binding.node.is_some() { None } else { existing_id(document, value) };
            let help = match intended {
                Some(id) => {
                    let sigil = &document.settings.sigil;
                    format!(
                        "write {} to refer to the node; else {help}",
                        quote(&format!("{sigil}{id}"))
                    )
                }
                None => help.to_owned(),
            };
            Some(Diagnostic::new(codes::KEY_ON_OTHER_THAN_MAP, message).help(help))
        }
        MissingReason::Property(owner) => missing_property(document, key, owner),
    }
}

/// Returns the string if it is the id of an existing node.
fn existing_id(document: &Document, value: Value) -> Option<&str> {
    let Value::Text(text) = value else { return None };
    let id = document.arena.text(text);
    let node = document.find_node(id)?;
    (!document.value(node).is_missing()).then_some(id)
}

/// Returns whether the key of a binding is a typo of an existing property.
#[cold]
pub fn is_key_typo(document: &Document, binding: Binding, reason: MissingReason) -> bool {
    let (Some(key), MissingReason::Property(Value::Map(map))) = (binding.key, reason) else {
        return false;
    };
    let key = document.keys.text(key.0);
    let mut candidates = document.arena.entries(map).take(names::MAX_CANDIDATES);
    candidates.any(|(candidates, _)| names::is_typo(key, document.keys.text(candidates.0)))
}

#[cold]
fn missing_property(document: &Document, key: &str, owner: Value) -> Option<Diagnostic> {
    let Value::Map(map) = owner else { return None };
    let entries =
        || document.arena.entries(map).map(|(key, value)| (document.keys.text(key.0), value));
    let properties = || entries().map(|(name, _)| name);
    if !is_path(key, properties()) {
        let similar = names::closest(key, properties().take(names::MAX_CANDIDATES))?;
        let message = format!("unknown property {}", quote(key));
        let help = format!("did you mean {}?", quote(similar));
        return Some(Diagnostic::new(codes::SIMILAR_KEY, message).help(help));
    }
    let message = format!("expected the key of a direct property, found the path {}", quote(key));
    let (node, rest) = follow_path(document, owner, key);
    let help = match node {
        Some(node) if !matches!(document.value(node), Value::Map(_) | Value::Missing) => {
            format!(
                "bind to {} without a key, or iterate it with a ChildList: it is not a map",
                quote(document.id(node))
            )
        }
        Some(node) => {
            let key = rest.map_or(String::new(), |rest| format!(", \"key\": \"{rest}\""));
            let id = document.id(node);
            format!("bind to the node it points to: `{{\"node\": \"{id}\"{key}}}`")
        }
        None if properties().next().is_none() => {
            "bind to another node: the map has no properties".to_owned()
        }
        None => format!("use one of the properties {}", names::format_names(properties())),
    };
    Some(Diagnostic::new(codes::KEY_PATH, message).help(help))
}

/// Returns whether a missing key is a path: it contains a slash, or begins with an existing property
/// before a dot.
fn is_path<'a>(key: &str, mut properties: impl Iterator<Item = &'a str>) -> bool {
    let owner = key.split_once('.').map(|(owner, _)| owner);
    key.contains('/') || owner.is_some_and(|owner| properties.any(|property| property == owner))
}

/// Builds the warning for a binding whose key is missing in a map. Returns `None` if there is no such
/// map.
pub fn absent_property(
    document: &Document,
    binding: Binding,
    reason: MissingReason,
) -> Option<Diagnostic> {
    let (key, MissingReason::Property(Value::Map(map))) = (binding.key?, reason) else {
        return None;
    };
    let message = format!("missing property {} of the data", quote(document.keys.text(key.0)));
    let mut properties = document.arena.entries(map).map(|(key, _)| document.keys.text(key.0));
    let help = match properties.next() {
        Some(first) => {
            let properties = iter::once(first).chain(properties);
            format!("use one of the properties {}", names::format_names(properties))
        }
        None => "send the node with this property".to_owned(),
    };
    Some(Diagnostic::new(codes::ABSENT_KEY, message).help(help))
}

/// Follows a path over pointer properties. Returns the last node, and the rest of the path.
fn follow_path<'k>(
    document: &Document,
    owner: Value,
    path: &'k str,
) -> (Option<NodeRef>, Option<&'k str>) {
    let separator = if path.contains('/') { '/' } else { '.' };
    let mut parts = path.split(separator).filter(|part| !part.is_empty());
    let mut next = parts.next();
    let (mut node, mut value) = (None, owner);
    while let (Value::Map(map), Some(part)) = (value, next) {
        let mut entries = document.arena.entries(map);
        let property = entries.find(|(key, _)| document.keys.text(key.0) == part);
        let Some((_, Value::Pointer(target))) = property else { break };
        if id::check_id(document.id(target), &document.settings.sigil).is_err() {
            break;
        }
        (node, value, next) = (Some(target), document.value(target), parts.next());
    }
    (node, next)
}

/// Parses `{"node"?, "key"?}`, with or without `{"binding": …}` around it.
pub fn parse(
    document: &mut Document,
    json: &Json,
) -> Result<(Binding, Option<Diagnostic>), Diagnostic> {
    let json = json.get("binding").unwrap_or(json);
    let Some(map) = json.as_map() else {
        return Err(binding_error("expected an object with an optional `node` and `key`"));
    };
    if let Some(path) = map.get("path").and_then(Json::as_text) {
        return Err(path_binding(path, None));
    }
    if let Some(other) = map.keys().find(|key| !matches!(&***key, "node" | "key")) {
        return Err(binding_error(format!("unknown key {} in a binding", quote(other))));
    }
    let name = |name: &str| match map.get(name) {
        None => Ok(None),
        Some(Json::Text(text)) => Ok(Some(&**text)),
        Some(_) => Err(binding_error(format!("expected a string as the `{name}` of a binding"))),
    };
    let (node, key) = (name("node")?, name("key")?);
    let mut warning = None;
    let sigil = document.settings.sigil.clone();
    let node = match node.map(|node| (node, id::check_id(node, &sigil))) {
        None => None,
        Some((id, Ok(()))) => Some(id),
        Some((name, Err(_))) => {
            let unprefixed = name.strip_prefix(sigil.as_str()).unwrap_or_default();
            let is_valid = id::check_id(unprefixed, &sigil).is_ok();
            let message = format!("{} is not a valid node id", quote(name));
            let help = if is_valid {
                format!("write `\"node\": \"{unprefixed}\"`, without the sigil")
            } else {
                "write the id of a node, without a prefix".to_owned()
            };
            if !(is_valid && document.settings.repair) {
                return Err(Diagnostic::new(codes::MALFORMED_BINDING, message).help(help));
            }
            warning = Some(Diagnostic::new(codes::STRIPPED_SIGIL, message).help(help));
            Some(unprefixed)
        }
    };
    let node = node.map(|id| document.node(id.as_bytes()));
    let key = key.map(|name| document.key(name));
    Ok((Binding { node, key }, warning))
}

fn binding_error<'a>(message: impl Into<Cow<'a, str>>) -> Diagnostic {
    Diagnostic::new(codes::MALFORMED_BINDING, message).help(
        r#"write {"node": "user_1", "key": "name"}, or leave `node` out for the data context"#,
    )
}

/// Builds the error for an A2UI path binding, with its HAM form as the help.
pub fn path_binding(path: &str, template: Option<&str>) -> Diagnostic {
    let steps: Vec<&str> = path.split('/').filter(|step| !step.is_empty()).collect();
    let (key, owners) = steps.split_last().map_or(("", &[][..]), |(key, owners)| (*key, owners));
    let node = match (path.starts_with('/'), owners.last()) {
        (_, Some(owner)) => format!("\"node\": \"{owner}\", "),
        (true, None) => "\"node\": \"root\", ".to_owned(),
        (false, None) => String::new(),
    };
    let key = if key.is_empty() { String::new() } else { format!("\"key\": \"{key}\"") };
    let fields = format!("{node}{key}");
    let fields = fields.strip_suffix(", ").unwrap_or(&fields);
    let help = match template {
        None => format!(
            "write {{\"binding\": {{{fields}}}}}: a binding consists of a node and one of its properties"
        ),
        Some(component) => format!(
            "write {{\"binding\": {{{fields}}}, \"template\": \"{component}\"}}: a binding consists of a node and one of its properties"
        ),
    };
    Diagnostic::new(
        codes::PATH_BINDING,
        format!("expected a binding to a node, found the path {}", quote(path)),
    )
    .help(help)
}
