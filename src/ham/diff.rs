//! Minimal updates that turn one document into another.

use super::arena::{NodeRef, Value};
use super::check::{ROOT, reachable};
use super::convert::{IdAllocator, Importer, child_name, item_name};
use super::document::Document;
use super::export::NodesWriter;
use super::read;
use crate::base::json::Limits;
use crate::base::keyed_hash::hash_of;
use crate::base::map::NameMap;
use crate::base::value::{Map, Value as Json};

/// Returns the update that turns the document into the exported nodes `target`.
pub fn diff_to_nodes(document: &Document, target: &Map) -> Json {
    let (own, hoisting_nodes) = export_with_hoisted(document);
    let is_different = |id: &str| match (own.get(id), target.get(id)) {
        (Some(own), Some(target)) => !own.is_same(target),
        _ => true,
    };
    // Nodes that the export hoists do not exist in the document, so they are sent together with the
    // nodes that contain their text.
    let mut hoisted = NameMap::default();
    let mut included = NameMap::default();
    for ids in hoisting_nodes {
        let is_different = ids.iter().any(|id| is_different(id));
        for (index, id) in ids.into_iter().enumerate() {
            if index > 0 {
                hoisted.insert(id.clone(), 0);
            }
            if is_different {
                included.insert(id, 0);
            }
        }
    }
    let mut nodes = Map::default();
    for (id, _) in own.entries() {
        if !target.contains_key(id) && !hoisted.contains_key(&**id) {
            nodes.insert(format!("!{id}").into(), Json::Null);
        }
    }
    for (id, value) in target {
        if is_different(id) || included.contains_key(&**id) {
            nodes.insert(id.clone(), value.clone());
        }
    }
    nodes.into()
}

/// Returns the exported nodes, and for each node with hoisted texts its id and the ids of the
/// hoisted nodes.
fn export_with_hoisted(document: &Document) -> (Json, Vec<Vec<String>>) {
    let mut nodes = NodesWriter::new(document);
    let mut hoisting_nodes = Vec::new();
    for node in document.existing_nodes() {
        let id = document.id(node);
        let before = nodes.hoisted().len();
        nodes.write_node(id, document.value(node));
        let mut ids: Vec<String> = vec![id.to_owned()];
        nodes.hoisted().skip(before).for_each(|id| ids.push(id.to_owned()));
        if ids.len() > 1 {
            hoisting_nodes.push(ids);
        }
    }
    // The depth was checked when the nodes were set.
    let limits = Limits { bytes: usize::MAX, depth: usize::MAX };
    (Json::parse(nodes.finish().as_bytes(), limits).0.unwrap_or_default(), hoisting_nodes)
}

/// Changes the document so that it reads as the nested JSON `target`. The journal then holds the
/// difference.
pub fn change_to_json(document: &mut Document, target: &Json) {
    let before = reachable(document);
    let root = document.node(ROOT.as_bytes());
    let names = IdAllocator::for_document(document);
    let remaining_bytes = document.settings.limits.bytes;
    let mut plan =
        JsonDiff { document, names, targets: Vec::new(), path: Vec::new(), remaining_bytes };
    plan.node(root, target);
    let after = reachable(document);
    for node in before.difference(&after) {
        document.set(NodeRef(node as u32), Value::Missing);
    }
    document.prune_journal();
}

/// Returns the journal of a document as an update.
pub fn journal_as_nodes(document: &Document) -> String {
    let mut nodes = NodesWriter::new(document);
    for change in document.journal() {
        match document.value(change.node) {
            Value::Missing => nodes.write_deletion(document.id(change.node)),
            value => nodes.write_node(document.id(change.node), value),
        }
    }
    nodes.finish_update()
}

struct JsonDiff<'a, 't> {
    document: &'a mut Document,
    names: IdAllocator,
    /// JSON that each reached node must read as, by node handle.
    targets: Vec<Option<&'t Json>>,
    path: Vec<NodeRef>,
    /// Remaining bytes of text for comparisons. It bounds the work, because a node may be read
    /// through many pointers.
    remaining_bytes: usize,
}

impl<'t> JsonDiff<'_, 't> {
    fn importer(&mut self) -> Importer<'_> {
        Importer { document: self.document, names: &mut self.names }
    }

    /// Changes a node so that it reads as `target`.
    fn node(&mut self, change_node: NodeRef, target: &'t Json) {
        let slot = change_node.0 as usize;
        if self.targets.len() <= slot {
            self.targets.resize(slot + 1, None);
        }
        if let Some(entry) = self.targets.get_mut(slot) {
            *entry = Some(target);
        }
        self.path.push(change_node);
        let id = self.document.id(change_node).to_owned();
        let value = self.document.value(change_node);
        let value = self.changed_value(value, target, &|| id.clone(), false);
        self.document.set(change_node, value);
        self.path.pop();
    }

    /// Returns the value that reads as `target` with the fewest changes of `old`. `inner`: it is
    /// inside a list or map. Recursion is bounded by the depth of the target.
    fn changed_value(
        &mut self,
        old: Value,
        target: &'t Json,
        name: &NameFn<'_>,
        inner: bool,
    ) -> Value {
        match (old, target) {
            (Value::Pointer(node), target) => self.changed_pointer(node, target, name),
            (Value::Map(map), Json::Map(target)) => {
                let mut keys = Vec::with_capacity(target.len());
                let mut values = Vec::with_capacity(target.len());
                for (key, value) in &**target {
                    let name = || child_name(&name(), key);
                    let key = self.document.key(key);
                    keys.push(key);
                    values.push(match self.document.arena.property(map, key) {
                        Some(old) => self.changed_value(old, value, &name, true),
                        None => self.importer().inner_value(value, &name),
                    });
                }
                let shape = self.document.arena.shapes.intern(&keys);
                self.document.arena.push_map(shape, &values)
            }
            (Value::List(_) | Value::Pointers(_), Json::List(target)) => {
                self.changed_list(old, target, name)
            }
            (_, target) if inner => self.importer().inner_value(target, name),
            (_, target) => self.importer().node_value(target, &name()),
        }
    }

    fn changed_pointer(&mut self, node: NodeRef, target: &'t Json, name: &NameFn<'_>) -> Value {
        let missing = self.document.value(node).is_missing();
        if self.path.contains(&node) || missing {
            // Both read as null.
            if target.is_null() {
                return Value::Pointer(node);
            }
            return self.importer().inner_value(target, name);
        }
        match self.targets.get(node.0 as usize).copied().flatten() {
            None => self.node(node, target),
            Some(known) if known.is_same(target) => {}
            // A node reads shorter inside itself than elsewhere.
            Some(_) if self.renders_as(node, target) => {}
            Some(_) => return self.importer().inner_value(target, name),
        }
        Value::Pointer(node)
    }

    /// Returns whether a node reads as `target`. The lengths are compared first, because they do
    /// not depend on the order of keys.
    fn renders_as(&mut self, node: NodeRef, target: &Json) -> bool {
        self.render_json(Value::Pointer(node)).is_some_and(|text| {
            text.len() == target.to_text().len() && parse(&text).is_same(target)
        })
    }

    /// Matches items by equal text, then by `id`, then by index. Unmatched target items become new
    /// values.
    fn changed_list(&mut self, old: Value, target: &'t [Json], name: &NameFn<'_>) -> Value {
        let old = super::list_edit::list_items(self.document, old).unwrap_or_default();
        let mut free: Vec<bool> = vec![true; old.len()];
        let mut matched: Vec<Option<usize>> = vec![None; target.len()];
        let mut texts = NameMap::default();
        let mut by_text: Vec<Vec<usize>> = vec![Vec::new(); old.len()];
        for (index, item) in old.iter().enumerate().rev() {
            let Some(text) = self.render_json(*item) else { continue };
            let text = texts.entry(text_key(text)).or_insert(index as u32);
            if let Some(places) = by_text.get_mut(*text as usize) {
                places.push(index);
            }
        }
        let mut claim = |index: usize, matched: &mut Option<usize>| {
            if let Some(free) = free.get_mut(index).filter(|free| **free) {
                *free = false;
                *matched = Some(index);
            }
        };
        for (item, matched) in target.iter().zip(&mut matched) {
            let text = texts.get(&text_key(item.to_text()));
            let places = text.and_then(|text| by_text.get_mut(*text as usize));
            if let Some(index) = places.and_then(Vec::pop) {
                claim(index, matched);
            }
        }
        let mut by_id = NameMap::default();
        let id_key = self.document.find_key("id");
        for (index, item) in old.iter().enumerate().rev() {
            let item = match *item {
                Value::Pointer(node) => self.document.value(node),
                literal => literal,
            };
            let Value::Map(map) = item else { continue };
            let id = id_key.and_then(|key| self.document.arena.property(map, key));
            if let Some(text) = id.and_then(|id| self.render_json(id)) {
                by_id.insert(text_key(text), index as u32);
            }
        }
        for (index, (item, matched)) in target.iter().zip(&mut matched).enumerate() {
            if matched.is_some() || item.as_map().is_none() {
                continue;
            }
            match item.get("id") {
                Some(id) => {
                    if let Some(index) = by_id.get(&text_key(id.to_text())) {
                        claim(*index as usize, matched);
                    }
                }
                None => claim(index, matched),
            }
        }
        let mut values = Vec::with_capacity(target.len());
        for ((index, item), matched) in (1..).zip(target).zip(matched) {
            let name = || item_name(&name(), item, index);
            let old = matched.and_then(|index| old.get(index)).copied();
            values.push(match old {
                Some(old) => self.changed_value(old, item, &name, true),
                None => self.importer().inner_value(item, &name),
            });
        }
        self.document.arena.push_list(&values)
    }

    /// Returns the JSON text of a value on the current path, or `None` if the budget is exhausted.
    fn render_json(&mut self, value: Value) -> Option<String> {
        if self.remaining_bytes == 0 {
            return None;
        }
        let mut text = String::new();
        let now = self.document.current_view();
        let complete = read::write_deep(now, value, &self.path, &mut text, &mut Vec::new());
        self.remaining_bytes = self.remaining_bytes.saturating_sub(text.len());
        complete.then_some(text)
    }
}

/// Returns a key for texts: the text itself, or the hash of a long text. A collision only makes the
/// difference larger.
fn text_key(text: String) -> String {
    const SHORT: usize = 64;
    match text.len() {
        0..=SHORT => text,
        length => format!("{length} {}", hash_of(text.as_bytes())),
    }
}

/// Returns the id for a new node.
type NameFn<'a> = dyn Fn() -> String + 'a;

/// Parses generated JSON text; null if it is nested too deep.
fn parse(text: &str) -> Json {
    let limits = Limits { bytes: usize::MAX, ..Limits::default() };
    Json::parse(text.as_bytes(), limits).0.unwrap_or_default()
}
