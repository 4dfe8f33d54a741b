//! Plain JSON into HAM: which values become nodes, and what they are called.
//!
//! Maps, and lists that hold maps or lists, become nodes; primitives and lists of primitives stay
//! where they are. A node is named after the way to it (`user`, `user_address`), an item of a list
//! after its `id` property where it has one, else after its place counted from 1.

use super::arena::{NodeRef, Value};
use super::check::ROOT;
use super::document::Document;
use super::id;
use crate::base::map::{IntMap, NameMap};
use crate::base::value::Value as Json;

/// Sets the nodes of plain JSON, starting at `root`. No string in it becomes a pointer.
pub fn import(document: &mut Document, json: &Json) {
    let root = document.node(ROOT.as_bytes());
    let mut names = NewNames::default();
    let value = Import { document, names: &mut names }.contents(json, "");
    document.set(root, value);
}

/// Adds nodes to a document.
pub struct Import<'a> {
    pub document: &'a mut Document,
    pub names: &'a mut NewNames,
}

/// What keeps the names of new nodes apart from those of others.
#[derive(Default)]
pub struct NewNames {
    /// Nodes that something points to: they may come.
    pointed: IntMap,
    /// The number to try next for a name that is taken.
    next: NameMap,
}

impl NewNames {
    /// For nodes that are added to a document.
    pub fn beside(document: &Document) -> NewNames {
        let mut names = NewNames::default();
        for node in document.present() {
            document.each_pointer(document.value(node), &mut |target| {
                names.pointed.insert(target.0.into(), 0);
            });
        }
        names
    }

    fn is_taken(&self, document: &Document, id: &str) -> bool {
        // The document itself is called so, though it may come last.
        let is_root = id == ROOT;
        is_root
            || document.find(id).is_some_and(|node| {
                !document.value(node).is_missing() || self.pointed.contains_key(&u64::from(node.0))
            })
    }
}

/// A name has at most so many characters of what it is made of.
const LONGEST: usize = 64;

impl Import<'_> {
    /// The value of the node named `name` for this JSON; what belongs into other nodes is added.
    /// Recursion is bounded by the depth limit of the reader.
    pub fn contents(&mut self, json: &Json, name: &str) -> Value {
        match json {
            Json::Null => Value::Null,
            Json::Bool(value) => Value::Bool(*value),
            Json::Number(number) => Value::Number(*number),
            Json::Text(text) => self.document.arena.push_text(text),
            Json::List(items) => {
                let values: Vec<Value> = (1..)
                    .zip(&**items)
                    .map(|(place, item)| self.part(item, &|| item_name(name, item, place)))
                    .collect();
                self.document.arena.push_list(&values)
            }
            Json::Map(map) => {
                let mut keys = Vec::with_capacity(map.len());
                let mut values = Vec::with_capacity(map.len());
                for (key, value) in &**map {
                    keys.push(self.document.key(key));
                    values.push(self.part(value, &|| join(name, key)));
                }
                let shape = self.document.arena.shapes.intern(&keys);
                self.document.arena.push_map(shape, &values)
            }
        }
    }

    /// A value inside a map or list: a pointer to a new node where it is one.
    pub fn part(&mut self, json: &Json, name: &dyn Fn() -> String) -> Value {
        if !is_node(json) {
            // No part of it becomes a node, so no name is needed.
            return self.contents(json, "");
        }
        let node = self.fresh(&name());
        // Taken before its parts are named, so that they differ from it.
        self.document.set(node, Value::Null);
        let id = self.document.id(node).to_owned();
        let value = self.contents(json, &id);
        self.document.set(node, value);
        Value::Pointer(node)
    }

    /// A node that nothing names yet, called `name` or something like it.
    pub fn fresh(&mut self, name: &str) -> NodeRef {
        let settings = &self.document.settings;
        let name = id::usable(name, &settings.sigil, settings.list_edits);
        let mut id = name.to_string();
        while self.names.is_taken(self.document, &id) {
            let nth = self.names.next.entry(name.to_string()).or_insert(2);
            id = format!("{name}_{nth}");
            *nth += 1;
        }
        self.document.node(id.as_bytes())
    }
}

/// Whether a part of a value becomes a node of its own.
fn is_node(json: &Json) -> bool {
    match json {
        Json::Map(_) => true,
        Json::List(items) => items.iter().any(|item| matches!(item, Json::Map(_) | Json::List(_))),
        _ => false,
    }
}

/// The name of a property's node.
pub fn join(owner: &str, key: &str) -> String {
    let key = short(key);
    if owner.is_empty() || owner == ROOT {
        key.to_owned()
    } else {
        short(&format!("{}_{key}", short(owner))).to_owned()
    }
}

/// The start of a name that would be too long.
fn short(name: &str) -> &str {
    let end = name.char_indices().nth(LONGEST).map_or(name.len(), |(end, _)| end);
    name.get(..end).unwrap_or_default()
}

/// The name of an item's node.
pub fn item_name(list: &str, item: &Json, place: usize) -> String {
    let id = match item.get("id") {
        Some(Json::Text(id)) if !id.is_empty() => short(id).to_owned(),
        Some(number @ Json::Number(_)) => number.to_text(),
        _ => place.to_string(),
    };
    join(list, &id)
}
