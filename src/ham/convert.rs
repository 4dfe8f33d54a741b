//! Conversion of nested JSON into HAM nodes.
//!
//! Maps, and lists that contain maps or lists, become nodes; primitives and lists of primitives
//! stay inside their owner. A node is named after its path (`user`, `user_address`), an item of a
//! list after its `id` property or its position, counted from 1.

use super::arena::{NodeRef, Value};
use super::check::ROOT;
use super::document::Document;
use super::id;
use crate::base::map::{IntMap, NameMap};
use crate::base::value::Value as Json;

/// Sets the nodes of nested JSON, starting at `root`. No string in it becomes a pointer.
pub fn import(document: &mut Document, json: &Json) {
    let root = document.node(ROOT.as_bytes());
    let mut names = IdAllocator::default();
    let value = Importer { document, names: &mut names }.node_value(json, "");
    document.set(root, value);
}

pub struct Importer<'a> {
    pub document: &'a mut Document,
    pub names: &'a mut IdAllocator,
}

/// Allocator of unused node ids.
#[derive(Default)]
pub struct IdAllocator {
    /// Missing nodes with pointers to them, whose ids are reserved.
    pointed_to: IntMap,
    /// Next suffix of each id that is in use.
    next_suffix: NameMap,
}

impl IdAllocator {
    /// Creates an allocator for nodes that are added to a document.
    pub fn for_document(document: &Document) -> IdAllocator {
        let mut names = IdAllocator::default();
        for node in document.existing_nodes() {
            document.each_pointer(document.value(node), &mut |target| {
                names.pointed_to.insert(target.0.into(), 0);
            });
        }
        names
    }

    fn is_in_use(&self, document: &Document, id: &str) -> bool {
        // `root` is reserved, although it may be set last.
        let is_root = id == ROOT;
        is_root
            || document.find_node(id).is_some_and(|node| {
                !document.value(node).is_missing()
                    || self.pointed_to.contains_key(&u64::from(node.0))
            })
    }
}

/// Maximum number of characters of each part of a generated id.
const MAX_NAME_CHARS: usize = 64;

impl Importer<'_> {
    /// Returns the value of the node called `name` for this JSON, and adds the nodes inside it.
    /// Recursion is bounded by the depth limit of the reader.
    pub fn node_value(&mut self, json: &Json, name: &str) -> Value {
        match json {
            Json::Null => Value::Null,
            Json::Bool(value) => Value::Bool(*value),
            Json::Number(number) => Value::Number(*number),
            Json::Text(text) => self.document.arena.push_text(text),
            Json::List(items) => {
                let values: Vec<Value> = (1..)
                    .zip(&**items)
                    .map(|(position, item)| {
                        self.inner_value(item, &|| item_name(name, item, position))
                    })
                    .collect();
                self.document.arena.push_list(&values)
            }
            Json::Map(map) => {
                let mut keys = Vec::with_capacity(map.len());
                let mut values = Vec::with_capacity(map.len());
                for (key, value) in &**map {
                    keys.push(self.document.key(key));
                    values.push(self.inner_value(value, &|| child_name(name, key)));
                }
                let shape = self.document.arena.shapes.intern(&keys);
                self.document.arena.push_map(shape, &values)
            }
        }
    }

    /// Returns the value for JSON inside a map or list: a pointer to a new node, or a literal.
    pub fn inner_value(&mut self, json: &Json, name: &dyn Fn() -> String) -> Value {
        if !is_node(json) {
            return self.node_value(json, "");
        }
        let node = self.new_node(&name());
        // Reserves the id before its parts are named.
        self.document.set(node, Value::Null);
        let id = self.document.id(node).to_owned();
        let value = self.node_value(json, &id);
        self.document.set(node, value);
        Value::Pointer(node)
    }

    /// Returns an unused node called `name`, possibly with a prefix or suffix.
    pub fn new_node(&mut self, name: &str) -> NodeRef {
        let settings = &self.document.settings;
        let name = id::make_valid(name, &settings.sigil, settings.edit_keys);
        let mut id = name.to_string();
        while self.names.is_in_use(self.document, &id) {
            let suffix = self.names.next_suffix.entry(name.to_string()).or_insert(2);
            id = format!("{name}_{suffix}");
            *suffix += 1;
        }
        self.document.node(id.as_bytes())
    }
}

/// Returns whether a part of a value becomes a node.
fn is_node(json: &Json) -> bool {
    match json {
        Json::Map(_) => true,
        Json::List(items) => items.iter().any(|item| matches!(item, Json::Map(_) | Json::List(_))),
        _ => false,
    }
}

/// Returns the id for the node of a property.
pub fn child_name(owner: &str, key: &str) -> String {
    let key = truncate_name(key);
    if owner.is_empty() || owner == ROOT {
        key.to_owned()
    } else {
        truncate_name(&format!("{}_{key}", truncate_name(owner))).to_owned()
    }
}

fn truncate_name(name: &str) -> &str {
    let end = name.char_indices().nth(MAX_NAME_CHARS).map_or(name.len(), |(end, _)| end);
    name.get(..end).unwrap_or_default()
}

/// Returns the id for the node of an item.
pub fn item_name(list: &str, item: &Json, position: usize) -> String {
    let id = match item.get("id") {
        Some(Json::Text(id)) if !id.is_empty() => truncate_name(id).to_owned(),
        Some(number @ Json::Number(_)) => number.to_text(),
        _ => position.to_string(),
    };
    child_name(list, &id)
}
