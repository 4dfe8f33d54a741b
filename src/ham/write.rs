//! Writes of two-way bindings (rule 25).

use super::arena::{NodeRef, Value};
use super::binding::{Binding, Context};
use super::builder::Builder;
use super::chunk_target::ChunkTarget;
use super::document::Document;
use super::shape::KeyRef;
use super::{codes, id};
use crate::base::diagnostic::quote;
use crate::base::json::{Limits, Reader, Sink, Text};
use crate::base::{Diagnostic, Span};
use std::borrow::Cow;

/// Origin of a write.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum WriteSource {
    /// A caller of `write`.
    Caller,
    /// User input. A selection is a list, which may be a node.
    Input,
}

/// Returns the node that a write changes, and its new value. No string in the JSON text `json`
/// becomes a pointer (rule 5).
pub fn plan_write(
    document: &mut Document,
    binding: Binding,
    context: &Context,
    json: &[u8],
    source: WriteSource,
) -> Result<(NodeRef, Value), Diagnostic> {
    let (node, value) = planned_change(document, binding, context, json, source)?;
    let id = document.id(node);
    if document.settings.edit_keys.is_edit_key(id) {
        let message = format!("invalid id {} while list edits are on", quote(id));
        return Err(Diagnostic::new(codes::EDIT_ID, message)
            .help("choose an id that begins with neither `+` nor `-`"));
    }
    Ok((node, value))
}

fn planned_change(
    document: &mut Document,
    binding: Binding,
    context: &Context,
    json: &[u8],
    source: WriteSource,
) -> Result<(NodeRef, Value), Diagnostic> {
    let new = parse_literal(document, json)?;
    let owner = match binding.node {
        Some(node) => Some(ValuePath { node, parts: Vec::new() }),
        None => path_of_context(document, context),
    };
    let Some(owner) = owner else {
        return Err(write_error("the target of the write no longer exists", "read the list again"));
    };
    let old_value = value_at(document, &owner);
    let depth = document.arena.depth(new) + owner.parts.len() + usize::from(binding.key.is_some());
    // Exports add one level, the map of all nodes.
    if depth >= document.settings.limits.depth {
        let message =
            format!("the value is nested more than {} levels deep", document.settings.limits.depth);
        return Err(write_error(message, "move inner values to nodes of their own"));
    }
    let replaces_selection = |old_value| {
        source == WriteSource::Input
            && is_primitive_list(document, old_value)
            && is_primitive_list(document, new)
    };
    let Some(key) = binding.key else {
        if old_value.is_container() && !replaces_selection(old_value) {
            return Err(container_error());
        }
        return Ok((owner.node, replace_at(document, &owner, new)));
    };
    let name = document.keys.text(key.0).to_owned();
    let Value::Map(map) = old_value else {
        if old_value.is_missing() && owner.parts.is_empty() && !name.contains('/') {
            return Ok((owner.node, add_property(document, Value::Missing, key, new)));
        }
        return Err(key_error(&name, old_value));
    };
    match document.arena.property(map, key) {
        Some(Value::Pointer(node)) => {
            let sigil = document.settings.sigil.as_str();
            let target = document.id(node);
            if id::check_id(target, sigil).is_err() {
                let message = format!("invalid id {}", quote(target));
                return Err(write_error(message, "move the text to a node of its own first"));
            }
            let now = document.value(node);
            if now.is_container() && !replaces_selection(now) {
                return Err(container_error());
            }
            Ok((node, new))
        }
        Some(_) => {
            let property = owner.join(ValuePathPart::Key(key));
            Ok((property.node, replace_at(document, &property, new)))
        }
        None if name.contains('/') => Err(key_error(&name, Value::Missing)),
        None => {
            let wider = add_property(document, old_value, key, new);
            Ok((owner.node, replace_at(document, &owner, wider)))
        }
    }
}

fn write_error<'a>(message: impl Into<Cow<'a, str>>, help: &str) -> Diagnostic {
    Diagnostic::new(codes::INVALID_WRITE, message).help(help)
}

/// Builds the error for a key that cannot be written.
fn key_error(key: &str, owner: Value) -> Diagnostic {
    let key = quote(key);
    match owner {
        Value::Missing => write_error(
            format!("expected the key of a direct property, found the path {key}"),
            "bind to the node that contains the property",
        ),
        Value::List(_) | Value::Pointers(_) => write_error(
            format!("cannot write the key {key}: expected a map, found a list"),
            "bind to the item by its node id, or within a ChildList",
        ),
        _ => write_error(
            format!("cannot write the key {key}: expected a map, found a primitive"),
            "leave the key out",
        ),
    }
}

/// Returns whether a value is a list of primitives, or of pointers to primitives.
fn is_primitive_list(document: &Document, value: Value) -> bool {
    let is_there = |node: NodeRef| {
        let value = document.value(node);
        value.is_scalar() && !value.is_missing()
    };
    let is_primitive = |item: &Value| match item {
        Value::Pointer(node) => is_there(*node),
        item => item.is_scalar(),
    };
    match value {
        Value::Pointers(range) => {
            document.arena.pointers(range).iter().all(|node| is_there(NodeRef(*node)))
        }
        Value::List(list) => document.arena.items(list).iter().all(is_primitive),
        _ => false,
    }
}

fn container_error() -> Diagnostic {
    write_error(
        "expected a primitive to write to, found a list or map",
        "bind to one of its properties, or send an update for the node",
    )
}

/// Path of a part of a node's value.
struct ValuePath {
    node: NodeRef,
    parts: Vec<ValuePathPart>,
}

#[derive(Clone, Copy)]
enum ValuePathPart {
    Key(KeyRef),
    Item(u32),
}

impl ValuePath {
    fn join(mut self, part: ValuePathPart) -> ValuePath {
        self.parts.push(part);
        self
    }
}

/// Returns the path of a context, or `None` if it does not exist.
fn path_of_context(document: &Document, context: &Context) -> Option<ValuePath> {
    let mut path = ValuePath { node: context.node, parts: Vec::new() };
    let mut value = document.value(path.node);
    for step in &context.steps {
        if let Some(key) = step.key {
            let Value::Map(map) = value else { return None };
            value = document.arena.property(map, key)?;
            path = path.join(ValuePathPart::Key(key));
            if let Value::Pointer(node) = value {
                path = ValuePath { node, parts: Vec::new() };
                value = document.value(node);
            }
        }
        let Value::List(list) = value else { return None };
        let (index, item) = document.arena.literal(list, step.ordinal)?;
        path = path.join(ValuePathPart::Item(index));
        value = item;
    }
    Some(path)
}

fn value_at(document: &Document, path: &ValuePath) -> Value {
    path.parts
        .iter()
        .fold(document.value(path.node), |value, part| child_value(document, value, *part))
}

fn child_value(document: &Document, value: Value, part: ValuePathPart) -> Value {
    let found = match (value, part) {
        (Value::Map(map), ValuePathPart::Key(key)) => document.arena.property(map, key),
        (Value::List(list), ValuePathPart::Item(index)) => {
            document.arena.items(list).get(index as usize).copied()
        }
        _ => None,
    };
    found.unwrap_or(Value::Missing)
}

/// Returns the node's value with the part at `path` replaced.
fn replace_at(document: &mut Document, path: &ValuePath, new: Value) -> Value {
    let mut owners = vec![document.value(path.node)];
    for part in &path.parts {
        let owner = owners.last().copied().unwrap_or(Value::Missing);
        owners.push(child_value(document, owner, *part));
    }
    owners.pop();
    owners.into_iter().zip(&path.parts).rev().fold(new, |inner, (owner, part)| {
        match (owner, part) {
            (Value::Map(map), ValuePathPart::Key(key)) => {
                let mut values = document.arena.values(map).to_vec();
                let slot = document.arena.shapes.slot(map.shape, *key);
                if let Some(value) = slot.and_then(|slot| values.get_mut(slot)) {
                    *value = inner;
                }
                document.arena.push_map(map.shape, &values)
            }
            (Value::List(list), ValuePathPart::Item(index)) => {
                let mut items = document.arena.items(list).to_vec();
                if let Some(item) = items.get_mut(*index as usize) {
                    *item = inner;
                }
                document.arena.push_list(&items)
            }
            _ => inner,
        }
    })
}

/// Returns the map with one more property; a missing map counts as empty.
fn add_property(document: &mut Document, map: Value, key: KeyRef, value: Value) -> Value {
    let (mut keys, mut values) = match map {
        Value::Map(map) => {
            (document.arena.shapes.keys(map.shape).to_vec(), document.arena.values(map).to_vec())
        }
        _ => (Vec::new(), Vec::new()),
    };
    keys.push(key);
    values.push(value);
    let shape = document.arena.shapes.intern(&keys);
    document.arena.push_map(shape, &values)
}

/// Parses JSON text into the arena; no string becomes a pointer.
pub fn parse_literal(document: &mut Document, json: &[u8]) -> Result<Value, Diagnostic> {
    let limits = document.settings.limits;
    let mut reader = Reader::new(Limits { depth: limits.depth, bytes: limits.bytes });
    let checkpoint = document.arena.checkpoint();
    let mut sink = LiteralSink {
        target: ChunkTarget::new(document, json),
        builder: Builder::default(),
        value: None,
        diagnostics: Vec::new(),
    };
    let result = reader.read_all(json, &mut sink);
    let LiteralSink { target, value, .. } = sink;
    match result {
        Ok(()) => {
            target.store(json);
            Ok(value.unwrap_or(Value::Null))
        }
        Err(error) => {
            document.arena.truncate(checkpoint);
            Err(error)
        }
    }
}

struct LiteralSink<'d> {
    target: ChunkTarget<'d>,
    builder: Builder,
    value: Option<Value>,
    diagnostics: Vec<Diagnostic>,
}

impl LiteralSink<'_> {
    fn scalar(&mut self, value: Value) {
        if self.builder.is_open() {
            self.builder.scalar(value);
        } else {
            self.value = Some(value);
        }
    }

    fn close(&mut self, at: usize) {
        if let Some(value) = self.builder.close(&mut self.target, at, &mut self.diagnostics) {
            self.value = Some(value);
        }
    }
}

impl Sink for LiteralSink<'_> {
    fn open_map(&mut self, _: usize) {
        self.builder.open_map();
    }

    fn close_map(&mut self, at: usize) {
        self.close(at);
    }

    fn open_list(&mut self, at: usize) {
        self.builder.open_list(at);
    }

    fn close_list(&mut self, at: usize) {
        self.close(at);
    }

    fn key(&mut self, text: Text<'_>) {
        self.builder.key(&mut self.target, text);
    }

    fn text(&mut self, text: Text<'_>) {
        self.builder.literal(&mut self.target, text);
        if !self.builder.is_open() {
            self.value = self.builder.pop_last();
        }
    }

    fn number(&mut self, value: f64, _: Span) {
        self.scalar(Value::Number(value));
    }

    fn bool(&mut self, value: bool, _: Span) {
        self.scalar(Value::Bool(value));
    }

    fn null(&mut self, _: Span) {
        self.scalar(Value::Null);
    }
}
