//! ChildLists: the items of a list and their identity (rules 18 to 22).

use super::arena::{NodeRef, Value};
use super::binding::{Binding, Context};
use super::document::View;
use super::shape::KeyRef;
use super::{binding, codes};
use crate::base::Diagnostic;
use crate::base::map::{NameMap, pair};

/// Which item of a list: it stays the same wherever the item moves to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ItemId {
    /// The node's number, or [`LITERAL`].
    name: u32,
    /// Which occurrence of the node, from 1; or which of the literals, from 0.
    nth: u32,
    /// How many `#` were put into the key so that it differs from every other.
    marks: u32,
}

const LITERAL: u32 = u32::MAX;

impl ItemId {
    /// The item that points to a node for the `nth` time, counted from 1.
    pub fn pointer(node: NodeRef, nth: u32) -> ItemId {
        ItemId { name: node.0, nth, marks: 0 }
    }

    /// Which occurrence of its node, from 1, or which of the literals, from 0.
    pub fn ordinal(self) -> u32 {
        self.nth
    }

    fn literal(ordinal: u32) -> ItemId {
        ItemId { name: LITERAL, nth: ordinal, marks: 0 }
    }

    /// A number that differs from those of the other items of its list.
    pub fn number(self) -> u64 {
        pair(self.name, self.nth)
    }

    /// The node that the item points to.
    pub fn node(self) -> Option<NodeRef> {
        (self.name != LITERAL).then_some(NodeRef(self.name))
    }

    /// The context of the item, in a list that is bound in `context`.
    pub fn context(self, list: Binding, context: &Context) -> Context {
        match self.node() {
            Some(node) => Context::of(node),
            None => context.literal(list, self.nth),
        }
    }

    /// The key of the item, given the name of its node or component.
    pub fn key(self, name: &str) -> String {
        let marks = "#".repeat(1 + self.marks as usize);
        match (self.name, self.nth) {
            (LITERAL, nth) => format!("{marks}{nth}"),
            (_, 1) => name.to_owned(),
            (_, nth) => format!("{name}{marks}{nth}"),
        }
    }

    /// Whether it is the first item that points to its node, so that the node alone says which it is.
    pub fn is_plain(self) -> bool {
        self.name != LITERAL && self.nth == 1
    }
}

/// A number for each node that was met on the way through a list. Kept from list to list, so that a
/// short list in a large document costs no more than its items.
#[derive(Default)]
pub struct Seen {
    round: u32,
    /// The round in which the node was last met, and its number.
    marks: Vec<(u32, u32)>,
}

impl Seen {
    /// Forgets all; nodes are to have smaller numbers than `numbers`.
    pub fn start(&mut self, numbers: usize) {
        self.round = self.round.wrapping_add(1);
        if self.marks.len() < numbers {
            self.marks.resize(numbers, (self.round.wrapping_sub(1), 0));
        }
    }

    /// The number of a node that was met.
    #[inline]
    pub fn get(&self, node: NodeRef) -> Option<u32> {
        let (round, number) = self.marks.get(node.0 as usize)?;
        (*round == self.round).then_some(*number)
    }

    /// Gives a node a number.
    #[inline]
    pub fn put(&mut self, node: NodeRef, number: u32) {
        if let Some(mark) = self.marks.get_mut(node.0 as usize) {
            *mark = (self.round, number);
        }
    }

    /// Which occurrence of the node this is, from 1.
    #[inline]
    fn count(&mut self, node: NodeRef) -> u32 {
        let count = self.get(node).unwrap_or(0) + 1;
        self.put(node, count);
        count
    }
}

/// What a list value asks for; nothing where it is no list.
fn items(view: View<'_>, value: Value, seen: &mut Seen) -> Option<Target> {
    if let Some(items) = straight(view, value, seen) {
        return Some(Target { items, straight: true, ..Target::default() });
    }
    let mut items = every_item(view, value, seen)?;
    let straight = matches!(value, Value::Pointers(run) if run.len as usize == items.len())
        && items.iter().all(|item| item.is_plain());
    let mut dangling = Vec::new();
    items.retain(|item| match item.node() {
        Some(node) if view.value(node).is_missing() => {
            dangling.push(node);
            false
        }
        _ => true,
    });
    Some(Target { items, dangling, straight, diagnostic: None })
}

/// The items of a list that points to nodes that are there, and to each once.
fn straight(view: View<'_>, value: Value, seen: &mut Seen) -> Option<Vec<ItemId>> {
    let Value::Pointers(run) = value else { return None };
    let nodes = view.arena().pointers(run);
    seen.start(view.document.numbers());
    let mut first = |node| !view.value(node).is_missing() && seen.count(node) == 1;
    let is_straight = nodes.iter().all(|node| first(NodeRef(*node)));
    is_straight.then(|| nodes.iter().map(|node| ItemId::pointer(NodeRef(*node), 1)).collect())
}

/// The items of a list, those that are missing as well: each has its key for when it comes. Nothing
/// where it is no list.
pub fn every_item(view: View<'_>, value: Value, seen: &mut Seen) -> Option<Vec<ItemId>> {
    seen.start(view.document.numbers());
    // No node has the empty id, ever, and its second occurrence would look like a literal.
    let nobody = view.document.find("");
    let mut pointer =
        |node: NodeRef| (Some(node) != nobody).then(|| ItemId::pointer(node, seen.count(node)));
    let mut items = Vec::new();
    match value {
        Value::Pointers(run) => {
            let nodes = view.arena().pointers(run);
            items.reserve_exact(nodes.len());
            items.extend(nodes.iter().filter_map(|node| pointer(NodeRef(*node))));
        }
        Value::List(list) => {
            let mut ordinals = 0..;
            let item = |value: &Value| match value {
                Value::Pointer(node) => pointer(*node),
                _ => ordinals.next().map(ItemId::literal),
            };
            items.extend(view.arena().items(list).iter().filter_map(item));
        }
        _ => return None,
    }
    tell_apart(&mut items, |name| view.document.ids.text(name));
    Some(items)
}

/// Puts more `#` into keys that equal the key of another item.
pub fn tell_apart<'a>(items: &mut [ItemId], name: impl Fn(u32) -> &'a str) {
    if items.iter().all(|item| item.is_plain()) {
        return;
    }
    // Only a name that holds a `#` can look like a key that was made.
    let mut taken: NameMap = items
        .iter()
        .filter(|item| item.is_plain())
        .map(|item| name(item.name))
        .filter(|name| name.contains('#'))
        .map(|name| (name.to_owned(), 0))
        .collect();
    if taken.is_empty() {
        return;
    }
    for item in items.iter_mut().filter(|item| !item.is_plain()) {
        let own = if item.name == LITERAL { "" } else { name(item.name) };
        while taken.insert(item.key(own), 0).is_some() {
            item.marks += 1;
        }
    }
}

/// What a ChildList iterates.
#[derive(Default)]
pub struct Target {
    pub items: Vec<ItemId>,
    /// The nodes of items that are left out because they are missing.
    pub dangling: Vec<NodeRef>,
    /// The list holds pointers alone, each to another node.
    pub straight: bool,
    pub diagnostic: Option<Diagnostic>,
}

/// The items that a ChildList iterates (rules 19 to 22).
pub fn target(view: View<'_>, list: Binding, context: &Context, seen: &mut Seen) -> Target {
    let value = match binding::find(view, list, context, &mut |_| {}) {
        binding::Found::Value { value, .. } => value,
        binding::Found::Missing(gap) => {
            let diagnostic = match gap {
                // It may still arrive.
                binding::Gap::Owner | binding::Gap::Dangling(_) => None,
                gap => binding::explain(view.document, list, gap),
            };
            return Target { diagnostic, ..Target::default() };
        }
    };
    match items(view, value, seen) {
        Some(target) => target,
        None if matches!(value, Value::Null) => Target::default(),
        None => {
            let what = if matches!(value, Value::Map(_)) { "a map" } else { "a primitive" };
            let name = |key: Option<KeyRef>| key.map(|key| view.document.keys.text(key.0));
            let place = match (list.node, name(list.key)) {
                (Some(node), Some(key)) => format!("`{key}` of `{}`", view.document.id(node)),
                (Some(node), None) => format!("`{}`", view.document.id(node)),
                (None, Some(key)) => format!("`{key}`"),
                (None, None) => "the data context".to_owned(),
            };
            let message = format!("{place} is {what}, a ChildList needs a list");
            let diagnostic = Diagnostic::new(codes::NO_LIST, message)
                .help("bind to a list, such as `[\"*item_1\", \"*item_2\"]`");
            Target { diagnostic: Some(diagnostic), ..Target::default() }
        }
    }
}
