//! Writing back: what a two-way binding may change (rule 25).

use super::arena::{NodeRef, Value};
use super::binding::{Binding, Context};
use super::builder::Builder;
use super::document::Document;
use super::shape::KeyRef;
use super::site::Site;
use super::{codes, id};
use crate::base::diagnostic::quote;
use crate::base::json::{Limits, Reader, Sink, Text};
use crate::base::{Diagnostic, Span};
use std::borrow::Cow;

/// Who writes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum By {
    /// Whoever calls `write`.
    Hand,
    /// A user, in a surface: what was chosen is a list, and may be a node of its own.
    Input,
}

/// Finds the node that a write changes, and its new value. `json` is the text of the value; a
/// string in it is never a pointer (rule 5).
pub fn plan(
    document: &mut Document,
    binding: Binding,
    context: &Context,
    json: &[u8],
    by: By,
) -> Result<(NodeRef, Value), Diagnostic> {
    let (node, value) = change(document, binding, context, json, by)?;
    let id = document.id(node);
    if id::is_edit(id, document.settings.list_edits) {
        let message = format!("while list edits are on, {} cannot be an id", quote(id));
        return Err(Diagnostic::new(codes::EDIT_ID, message)
            .help("choose an id that begins with neither `+` nor `-`"));
    }
    Ok((node, value))
}

fn change(
    document: &mut Document,
    binding: Binding,
    context: &Context,
    json: &[u8],
    by: By,
) -> Result<(NodeRef, Value), Diagnostic> {
    let new = literal(document, json)?;
    let owner = match binding.node {
        Some(node) => Some(Spot { node, path: Vec::new() }),
        None => spot(document, context),
    };
    let Some(owner) = owner else {
        return Err(refuse("the row that this would write to is gone", "read the list again"));
    };
    let old = at(document, &owner);
    let depth = document.arena.depth(new) + owner.path.len() + usize::from(binding.key.is_some());
    // The map of all nodes is a level too, where somebody exports them and applies that.
    if depth >= document.settings.limits.depth {
        let message = format!("more than {} levels of nesting", document.settings.limits.depth);
        return Err(refuse(message, "put inner values into nodes of their own"));
    }
    let chooses = |old| by == By::Input && is_choice(document, old) && is_choice(document, new);
    let Some(key) = binding.key else {
        if old.is_container() && !chooses(old) {
            return Err(over_container());
        }
        return Ok((owner.node, replace(document, &owner, new)));
    };
    let name = document.keys.text(key.0).to_owned();
    let Value::Map(map) = old else {
        if old.is_missing() && owner.path.is_empty() && !name.contains('/') {
            return Ok((owner.node, add_property(document, Value::Missing, key, new)));
        }
        return Err(no_property(&name, old));
    };
    match document.arena.property(map, key) {
        Some(Value::Pointer(node)) => {
            let sigil = document.settings.sigil.as_str();
            let target = document.id(node);
            if id::check(target, sigil).is_err() {
                let message = format!("{} cannot be an id", quote(target));
                return Err(refuse(message, "hoist the text to a node of its own first"));
            }
            let now = document.value(node);
            if now.is_container() && !chooses(now) {
                return Err(over_container());
            }
            Ok((node, new))
        }
        Some(_) => {
            let property = owner.then(Part::Key(key));
            Ok((property.node, replace(document, &property, new)))
        }
        None if name.contains('/') => Err(no_property(&name, Value::Missing)),
        None => {
            let wider = add_property(document, old, key, new);
            Ok((owner.node, replace(document, &owner, wider)))
        }
    }
}

fn refuse<'a>(message: impl Into<Cow<'a, str>>, help: &str) -> Diagnostic {
    Diagnostic::new(codes::WRITE, message).help(help)
}

/// The error for a key that names nothing that could be written.
fn no_property(key: &str, owner: Value) -> Diagnostic {
    let key = quote(key);
    match owner {
        Value::Missing => refuse(
            format!("{key} is a path: a key names one direct property"),
            "bind to the node that holds the property",
        ),
        Value::List(_) | Value::Pointers(_) => refuse(
            format!("the key {key} names no property: a list has none"),
            "bind to the item by its node id, or within a ChildList",
        ),
        _ => refuse(
            format!("the key {key} names no property: a primitive has none"),
            "leave the key out",
        ),
    }
}

/// Whether a value is a list of nothing but primitives, be they nodes or not.
fn is_choice(document: &Document, value: Value) -> bool {
    let is_there = |node: NodeRef| {
        let value = document.value(node);
        value.is_scalar() && !value.is_missing()
    };
    let is_primitive = |item: &Value| match item {
        Value::Pointer(node) => is_there(*node),
        item => item.is_scalar(),
    };
    match value {
        Value::Pointers(run) => {
            document.arena.pointers(run).iter().all(|node| is_there(NodeRef(*node)))
        }
        Value::List(list) => document.arena.items(list).iter().all(is_primitive),
        _ => false,
    }
}

fn over_container() -> Diagnostic {
    refuse(
        "a write would replace a whole list or map",
        "bind to one of its properties, or send an update for the node",
    )
}

/// A place inside the value of a node.
struct Spot {
    node: NodeRef,
    path: Vec<Part>,
}

#[derive(Clone, Copy)]
enum Part {
    Key(KeyRef),
    Item(u32),
}

impl Spot {
    fn then(mut self, part: Part) -> Spot {
        self.path.push(part);
        self
    }
}

/// Where a context's value stands; nothing when a step of it leads nowhere.
fn spot(document: &Document, context: &Context) -> Option<Spot> {
    let mut spot = Spot { node: context.node, path: Vec::new() };
    let mut value = document.value(spot.node);
    for step in &context.steps {
        if let Some(key) = step.key {
            let Value::Map(map) = value else { return None };
            value = document.arena.property(map, key)?;
            spot = spot.then(Part::Key(key));
            if let Value::Pointer(node) = value {
                spot = Spot { node, path: Vec::new() };
                value = document.value(node);
            }
        }
        let Value::List(list) = value else { return None };
        let (place, item) = document.arena.literal(list, step.ordinal)?;
        spot = spot.then(Part::Item(place));
        value = item;
    }
    Some(spot)
}

fn at(document: &Document, spot: &Spot) -> Value {
    spot.path.iter().fold(document.value(spot.node), |value, part| part_of(document, value, *part))
}

fn part_of(document: &Document, value: Value, part: Part) -> Value {
    let found = match (value, part) {
        (Value::Map(map), Part::Key(key)) => document.arena.property(map, key),
        (Value::List(list), Part::Item(place)) => {
            document.arena.items(list).get(place as usize).copied()
        }
        _ => None,
    };
    found.unwrap_or(Value::Missing)
}

/// The value of the spot's node with `new` at the spot.
fn replace(document: &mut Document, spot: &Spot, new: Value) -> Value {
    let mut owners = vec![document.value(spot.node)];
    for part in &spot.path {
        let owner = owners.last().copied().unwrap_or(Value::Missing);
        owners.push(part_of(document, owner, *part));
    }
    owners.pop();
    owners.into_iter().zip(&spot.path).rev().fold(new, |inner, (owner, part)| match (owner, part) {
        (Value::Map(map), Part::Key(key)) => {
            let mut values = document.arena.values(map).to_vec();
            let slot = document.arena.shapes.slot(map.shape, *key);
            if let Some(value) = slot.and_then(|slot| values.get_mut(slot)) {
                *value = inner;
            }
            document.arena.push_map(map.shape, &values)
        }
        (Value::List(list), Part::Item(place)) => {
            let mut items = document.arena.items(list).to_vec();
            if let Some(item) = items.get_mut(*place as usize) {
                *item = inner;
            }
            document.arena.push_list(&items)
        }
        _ => inner,
    })
}

/// A map with one more property; a missing one counts as empty.
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

/// Reads JSON text into the arena; no string in it is a pointer.
pub fn literal(document: &mut Document, json: &[u8]) -> Result<Value, Diagnostic> {
    let limits = document.settings.limits;
    let mut reader = Reader::new(Limits { depth: limits.depth, bytes: limits.bytes });
    let mark = document.arena.mark();
    let mut sink = Literal {
        site: Site::new(document, json),
        builder: Builder::default(),
        value: None,
        diagnostics: Vec::new(),
    };
    let result = reader.read_all(json, &mut sink);
    let Literal { site, value, .. } = sink;
    match result {
        Ok(()) => {
            site.keep(json);
            Ok(value.unwrap_or(Value::Null))
        }
        Err(error) => {
            document.arena.cut(mark);
            Err(error)
        }
    }
}

struct Literal<'d> {
    site: Site<'d>,
    builder: Builder,
    value: Option<Value>,
    diagnostics: Vec<Diagnostic>,
}

impl Literal<'_> {
    fn scalar(&mut self, value: Value) {
        if self.builder.is_open() {
            self.builder.scalar(value);
        } else {
            self.value = Some(value);
        }
    }

    fn close(&mut self, at: usize) {
        if let Some(value) = self.builder.close(&mut self.site, at, &mut self.diagnostics) {
            self.value = Some(value);
        }
    }
}

impl Sink for Literal<'_> {
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
        self.builder.key(&mut self.site, text);
    }

    fn text(&mut self, text: Text<'_>) {
        self.builder.literal(&mut self.site, text);
        if !self.builder.is_open() {
            self.value = self.builder.take_last();
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
