//! The update that turns one document into another, naming only the nodes that differ.

use super::arena::{NodeRef, Value};
use super::check::{ROOT, reached};
use super::convert::{Import, NewNames, item_name, join};
use super::document::Document;
use super::export::Nodes;
use super::read;
use crate::base::bytes::hash_of;
use crate::base::json::Limits;
use crate::base::map::NameMap;
use crate::base::value::{Map, Value as Json};

/// Against the nodes of another store, as it exports them.
pub fn against_nodes(document: &Document, target: &Map) -> Json {
    let (own, holders) = exported(document);
    let differs = |id: &str| match (own.get(id), target.get(id)) {
        (Some(own), Some(target)) => !own.is_same(target),
        _ => true,
    };
    // The nodes of texts that are held are in no document: they come with whoever holds the texts.
    let mut hoisted = NameMap::default();
    let mut with = NameMap::default();
    for ids in holders {
        let differs = ids.iter().any(|id| differs(id));
        for (place, id) in ids.into_iter().enumerate() {
            if place > 0 {
                hoisted.insert(id.clone(), 0);
            }
            if differs {
                with.insert(id, 0);
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
        if differs(id) || with.contains_key(&**id) {
            nodes.insert(id.clone(), value.clone());
        }
    }
    nodes.into()
}

/// What a document exports, and the ids of each node that holds texts and of those that they are
/// hoisted to.
fn exported(document: &Document) -> (Json, Vec<Vec<String>>) {
    let mut nodes = Nodes::new(document);
    let mut holders = Vec::new();
    for node in document.present() {
        let id = document.id(node);
        let before = nodes.hoisted().len();
        nodes.set(id, document.value(node));
        let mut ids: Vec<String> = vec![id.to_owned()];
        nodes.hoisted().skip(before).for_each(|id| ids.push(id.to_owned()));
        if ids.len() > 1 {
            holders.push(ids);
        }
    }
    // How deep it goes was seen to when it came.
    let limits = Limits { bytes: usize::MAX, depth: usize::MAX };
    (Json::parse(nodes.finish().as_bytes(), limits).0.unwrap_or_default(), holders)
}

/// Against plain JSON, as `from` takes it and `toJSON` gives it. The document is changed: the
/// journal then holds the difference.
pub fn against_json(document: &mut Document, target: &Json) {
    let before = reached(document);
    let root = document.node(ROOT.as_bytes());
    let names = NewNames::beside(document);
    let left = document.settings.limits.bytes;
    let mut plan = Plan { document, names, wanted: Vec::new(), way: Vec::new(), left };
    plan.node(root, target);
    let after = reached(document);
    for node in before.difference(&after) {
        document.set(NodeRef(node as u32), Value::Missing);
    }
    document.settle();
}

/// The journal of a document as an update.
pub fn journal_as_nodes(document: &Document) -> String {
    let mut nodes = Nodes::new(document);
    for change in document.journal() {
        match document.value(change.node) {
            Value::Missing => nodes.delete(document.id(change.node)),
            value => nodes.set(document.id(change.node), value),
        }
    }
    nodes.finish()
}

struct Plan<'a, 't> {
    document: &'a mut Document,
    names: NewNames,
    /// What each node that was reached has to show, by its number.
    wanted: Vec<Option<&'t Json>>,
    way: Vec<NodeRef>,
    /// Bytes of text that values may still be compared by: what one node shows may be shown at many places.
    left: usize,
}

impl<'t> Plan<'_, 't> {
    fn import(&mut self) -> Import<'_> {
        Import { document: self.document, names: &mut self.names }
    }

    /// Makes a node show `target`.
    fn node(&mut self, node: NodeRef, target: &'t Json) {
        let number = node.0 as usize;
        if self.wanted.len() <= number {
            self.wanted.resize(number + 1, None);
        }
        if let Some(wanted) = self.wanted.get_mut(number) {
            *wanted = Some(target);
        }
        self.way.push(node);
        let id = self.document.id(node).to_owned();
        let value = self.document.value(node);
        let value = self.value(value, target, &|| id.clone(), false);
        self.document.set(node, value);
        self.way.pop();
    }

    /// The value that shows `target`, as near to `old` as can be. `inner`: it stands inside a list
    /// or map. Recursion is bounded by the depth of the target.
    fn value(&mut self, old: Value, target: &'t Json, name: &Name<'_>, inner: bool) -> Value {
        match (old, target) {
            (Value::Pointer(node), target) => self.pointer(node, target, name),
            (Value::Map(map), Json::Map(target)) => {
                let mut keys = Vec::with_capacity(target.len());
                let mut values = Vec::with_capacity(target.len());
                for (key, value) in &**target {
                    let name = || join(&name(), key);
                    let key = self.document.key(key);
                    keys.push(key);
                    values.push(match self.document.arena.property(map, key) {
                        Some(old) => self.value(old, value, &name, true),
                        None => self.import().part(value, &name),
                    });
                }
                let shape = self.document.arena.shapes.intern(&keys);
                self.document.arena.push_map(shape, &values)
            }
            (Value::List(_) | Value::Pointers(_), Json::List(target)) => {
                self.list(old, target, name)
            }
            (_, target) if inner => self.import().part(target, name),
            (_, target) => self.import().contents(target, &name()),
        }
    }

    fn pointer(&mut self, node: NodeRef, target: &'t Json, name: &Name<'_>) -> Value {
        let missing = self.document.value(node).is_missing();
        if self.way.contains(&node) || missing {
            // Both read as null.
            if target.is_null() {
                return Value::Pointer(node);
            }
            return self.import().part(target, name);
        }
        match self.wanted.get(node.0 as usize).copied().flatten() {
            None => self.node(node, target),
            Some(wanted) if wanted.is_same(target) => {}
            // Below itself a node shows less than elsewhere.
            Some(_) if self.shows(node, target) => {}
            Some(_) => return self.import().part(target, name),
        }
        Value::Pointer(node)
    }

    /// Whether a node shows that. Texts of one value have one length, in whatever order its keys stand.
    fn shows(&mut self, node: NodeRef, target: &Json) -> bool {
        self.shown(Value::Pointer(node)).is_some_and(|text| {
            text.len() == target.to_text().len() && parse(&text).is_same(target)
        })
    }

    /// Items that show what is wanted stay as they are; of the others the same `id` is changed,
    /// then the one at the same place; the rest is new.
    fn list(&mut self, old: Value, target: &'t [Json], name: &Name<'_>) -> Value {
        let old = super::list_edit::list(self.document, old).unwrap_or_default();
        let mut free: Vec<bool> = vec![true; old.len()];
        let mut chosen: Vec<Option<usize>> = vec![None; target.len()];
        let mut texts = NameMap::default();
        let mut by_text: Vec<Vec<usize>> = vec![Vec::new(); old.len()];
        for (place, item) in old.iter().enumerate().rev() {
            let Some(text) = self.shown(*item) else { continue };
            let text = texts.entry(mark(text)).or_insert(place as u32);
            if let Some(places) = by_text.get_mut(*text as usize) {
                places.push(place);
            }
        }
        let mut take = |place: usize, chosen: &mut Option<usize>| {
            if let Some(free) = free.get_mut(place).filter(|free| **free) {
                *free = false;
                *chosen = Some(place);
            }
        };
        for (item, chosen) in target.iter().zip(&mut chosen) {
            let text = texts.get(&mark(item.to_text()));
            let places = text.and_then(|text| by_text.get_mut(*text as usize));
            if let Some(place) = places.and_then(Vec::pop) {
                take(place, chosen);
            }
        }
        let mut by_id = NameMap::default();
        let id_key = self.document.find_key("id");
        for (place, item) in old.iter().enumerate().rev() {
            let item = match *item {
                Value::Pointer(node) => self.document.value(node),
                literal => literal,
            };
            let Value::Map(map) = item else { continue };
            let id = id_key.and_then(|key| self.document.arena.property(map, key));
            if let Some(text) = id.and_then(|id| self.shown(id)) {
                by_id.insert(mark(text), place as u32);
            }
        }
        for (place, (item, chosen)) in target.iter().zip(&mut chosen).enumerate() {
            if chosen.is_some() || item.as_map().is_none() {
                continue;
            }
            match item.get("id") {
                Some(id) => {
                    if let Some(place) = by_id.get(&mark(id.to_text())) {
                        take(*place as usize, chosen);
                    }
                }
                None => take(place, chosen),
            }
        }
        let mut values = Vec::with_capacity(target.len());
        for ((place, item), chosen) in (1..).zip(target).zip(chosen) {
            let name = || item_name(&name(), item, place);
            let old = chosen.and_then(|place| old.get(place)).copied();
            values.push(match old {
                Some(old) => self.value(old, item, &name, true),
                None => self.import().part(item, &name),
            });
        }
        self.document.arena.push_list(&values)
    }

    /// What a value shows here, as JSON text; nothing where that is too much.
    fn shown(&mut self, value: Value) -> Option<String> {
        if self.left == 0 {
            return None;
        }
        let mut text = String::new();
        let now = self.document.now();
        let whole = read::write(now, value, &self.way, &mut text, &mut Vec::new());
        self.left = self.left.saturating_sub(text.len());
        whole.then_some(text)
    }
}

/// What a text is told from others by: a long one by its hash. Where two are taken for one, the
/// difference is larger than it had to be.
fn mark(text: String) -> String {
    const SHORT: usize = 64;
    match text.len() {
        0..=SHORT => text,
        length => format!("{length} {}", hash_of(text.as_bytes())),
    }
}

/// How a node would be called.
type Name<'a> = dyn Fn() -> String + 'a;

/// JSON text of our own as values; null where it is nested too deep to be compared.
fn parse(text: &str) -> Json {
    let limits = Limits { bytes: usize::MAX, ..Limits::default() };
    Json::parse(text.as_bytes(), limits).0.unwrap_or_default()
}
