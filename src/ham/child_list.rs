//! ChildLists: the items of a list and their identity (rules 18 to 22).

use super::arena::{NodeRef, Value};
use super::binding::{Binding, Context};
use super::document::View;
use super::shape::KeyRef;
use super::{binding, codes};
use crate::base::Diagnostic;
use crate::base::map::{Names, Numbers, pair};

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

    fn is_plain(self) -> bool {
        self.name != LITERAL && self.nth == 1
    }
}

/// The items of a list value, dangling pointers left out; `dangling` hears of those. Nothing where
/// the value is no list.
pub fn items(
    view: View<'_>,
    value: Value,
    dangling: &mut dyn FnMut(NodeRef),
) -> Option<Vec<ItemId>> {
    let mut seen = Numbers::default();
    let mut pointer = |node: NodeRef, items: &mut Vec<ItemId>| {
        let nth = seen.entry(node.0.into()).or_insert(0);
        *nth += 1;
        if view.value(node).is_missing() {
            dangling(node);
        } else {
            items.push(ItemId::pointer(node, *nth as u32));
        }
    };
    let mut items = Vec::new();
    match value {
        Value::Pointers(run) => {
            let nodes = view.arena().pointers(run);
            items.reserve(nodes.len());
            nodes.iter().for_each(|node| pointer(NodeRef(*node), &mut items));
        }
        Value::List(list) => {
            let mut ordinal = 0;
            for item in view.arena().items(list) {
                if let Value::Pointer(node) = item {
                    pointer(*node, &mut items);
                } else {
                    items.push(ItemId::literal(ordinal));
                    ordinal += 1;
                }
            }
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
    let mut taken: Names = items
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

/// A list that is iterated, and what tells its items from others: the value and where it stands.
pub struct Target {
    pub items: Vec<ItemId>,
    pub diagnostic: Option<Diagnostic>,
}

/// The items that a ChildList iterates (rules 19 to 22).
pub fn target(
    view: View<'_>,
    list: Binding,
    context: &Context,
    dangling: &mut dyn FnMut(NodeRef),
) -> Target {
    let value = match binding::find(view, list, context, &mut |_| {}) {
        binding::Found::Value { value, .. } => value,
        binding::Found::Missing(gap) => {
            let diagnostic = match gap {
                // It may still arrive.
                binding::Gap::Owner | binding::Gap::Dangling(_) => None,
                gap => binding::explain(view.document, list, gap),
            };
            return Target { items: Vec::new(), diagnostic };
        }
    };
    match items(view, value, dangling) {
        Some(items) => Target { items, diagnostic: None },
        None if matches!(value, Value::Null) => Target { items: Vec::new(), diagnostic: None },
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
            Target { items: Vec::new(), diagnostic: Some(diagnostic) }
        }
    }
}
