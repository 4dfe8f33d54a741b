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
    id: u32,
    /// Which occurrence of the node, from 1; or which of the literals, from 0.
    ordinal: u32,
    /// How many `#` were put into the key so that it differs from every other.
    hashes: u32,
}

const LITERAL: u32 = u32::MAX;

impl ItemId {
    /// The item that points to a node for the `nth` time, counted from 1.
    pub fn pointer(node: NodeRef, ordinal: u32) -> ItemId {
        ItemId { id: node.0, ordinal, hashes: 0 }
    }

    /// Which occurrence of its node, from 1, or which of the literals, from 0.
    pub fn ordinal(self) -> u32 {
        self.ordinal
    }

    fn literal(ordinal: u32) -> ItemId {
        ItemId { id: LITERAL, ordinal: ordinal, hashes: 0 }
    }

    /// A number that differs from those of the other items of its list.
    pub fn unique_id(self) -> u64 {
        pair(self.id, self.ordinal)
    }

    /// The node that the item points to.
    pub fn node(self) -> Option<NodeRef> {
        (self.id != LITERAL).then_some(NodeRef(self.id))
    }

    /// The context of the item, in a list that is bound in `context`.
    pub fn context(self, list: Binding, context: &Context) -> Context {
        match self.node() {
            Some(node) => Context::from_node(node),
            None => context.literal(list, self.ordinal),
        }
    }

    /// The key of the item, given the name of its node or component.
    pub fn key(self, id: &str) -> String {
        let hashes = "#".repeat(1 + self.hashes as usize);
        match (self.id, self.ordinal) {
            (LITERAL, ordinal) => format!("{hashes}{ordinal}"),
            (_, 1) => id.to_owned(),
            (_, ordinal) => format!("{id}{hashes}{ordinal}"),
        }
    }

    /// Whether it is the first item that points to its node, so that the node alone says which it is.
    pub fn is_first_occurrence(self) -> bool {
        self.id != LITERAL && self.ordinal == 1
    }
}

/// A number for each node that was met on the way through a list. StoredChunk from list to list, so that a
/// short list in a large document costs no more than its items.
#[derive(Default)]
pub struct OccurrenceCounter {
    generation: u32,
    /// The round in which the node was last met, and its number.
    entries: Vec<(u32, u32)>,
}

impl OccurrenceCounter {
    /// Forgets all; nodes are to have smaller numbers than `numbers`.
    pub fn reset(&mut self, capacity: usize) {
        self.generation = self.generation.wrapping_add(1);
        if self.entries.len() < capacity {
            self.entries.resize(capacity, (self.generation.wrapping_sub(1), 0));
        }
    }

    /// The number of a node that was met.
    #[inline]
    pub fn get(&self, node: NodeRef) -> Option<u32> {
        let (generation, value) = self.entries.get(node.0 as usize)?;
        (*generation == self.generation).then_some(*value)
    }

    /// Gives a node a number.
    #[inline]
    pub fn set(&mut self, node: NodeRef, value: u32) {
        if let Some(entry) = self.entries.get_mut(node.0 as usize) {
            *entry = (self.generation, value);
        }
    }

    /// Which occurrence of the node this is, from 1.
    #[inline]
    fn count(&mut self, node: NodeRef) -> u32 {
        let count = self.get(node).unwrap_or(0) + 1;
        self.set(node, count);
        count
    }
}

/// What a list value asks for; nothing where it is no list.
fn list_items(
    view: View<'_>,
    value: Value,
    counter: &mut OccurrenceCounter,
) -> Option<ResolvedItems> {
    if let Some(items) = distinct_items(view, value, counter) {
        return Some(ResolvedItems { items, all_distinct: true, ..ResolvedItems::default() });
    }
    let mut items = all_items(view, value, counter)?;
    let all_distinct = matches!(value, Value::Pointers(run) if run.len as usize == items.len())
        && items.iter().all(|item| item.is_first_occurrence());
    let mut dangling = Vec::new();
    items.retain(|item| match item.node() {
        Some(node) if view.value(node).is_missing() => {
            dangling.push(node);
            false
        }
        _ => true,
    });
    Some(ResolvedItems { items, dangling, all_distinct, diagnostic: None })
}

/// The items of a list that points to nodes that are there, and to each once.
fn distinct_items(
    view: View<'_>,
    value: Value,
    counter: &mut OccurrenceCounter,
) -> Option<Vec<ItemId>> {
    let Value::Pointers(run) = value else { return None };
    let nodes = view.arena().pointers(run);
    counter.reset(view.document.node_slots());
    let mut first = |node| !view.value(node).is_missing() && counter.count(node) == 1;
    let is_straight = nodes.iter().all(|node| first(NodeRef(*node)));
    is_straight.then(|| nodes.iter().map(|node| ItemId::pointer(NodeRef(*node), 1)).collect())
}

/// The items of a list, those that are missing as well: each has its key for when it comes. Nothing
/// where it is no list.
pub fn all_items(
    view: View<'_>,
    value: Value,
    counter: &mut OccurrenceCounter,
) -> Option<Vec<ItemId>> {
    counter.reset(view.document.node_slots());
    // No node has the empty id, ever, and its second occurrence would look like a literal.
    let empty_id_node = view.document.find_node("");
    let mut pointer = |node: NodeRef| {
        (Some(node) != empty_id_node).then(|| ItemId::pointer(node, counter.count(node)))
    };
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
    disambiguate(&mut items, |id| view.document.ids.text(id));
    Some(items)
}

/// Puts more `#` into keys that equal the key of another item.
pub fn disambiguate<'a>(items: &mut [ItemId], id: impl Fn(u32) -> &'a str) {
    if items.iter().all(|item| item.is_first_occurrence()) {
        return;
    }
    // Only a name that holds a `#` can look like a key that was made.
    let mut used_keys: NameMap = items
        .iter()
        .filter(|item| item.is_first_occurrence())
        .map(|item| id(item.id))
        .filter(|id| id.contains('#'))
        .map(|id| (id.to_owned(), 0))
        .collect();
    if used_keys.is_empty() {
        return;
    }
    for item in items.iter_mut().filter(|item| !item.is_first_occurrence()) {
        let name = if item.id == LITERAL { "" } else { id(item.id) };
        while used_keys.insert(item.key(name), 0).is_some() {
            item.hashes += 1;
        }
    }
}

/// What a ChildList iterates.
#[derive(Default)]
pub struct ResolvedItems {
    pub items: Vec<ItemId>,
    /// The nodes of items that are left out because they are missing.
    pub dangling: Vec<NodeRef>,
    /// The list holds pointers alone, each to another node.
    pub all_distinct: bool,
    pub diagnostic: Option<Diagnostic>,
}

/// The items that a ChildList iterates (rules 19 to 22).
pub fn resolve_items(
    view: View<'_>,
    list: Binding,
    context: &Context,
    counter: &mut OccurrenceCounter,
) -> ResolvedItems {
    let value = match binding::resolve(view, list, context, &mut |_| {}) {
        binding::Resolution::Value { value, .. } => value,
        binding::Resolution::Missing(gap) => {
            let diagnostic = match gap {
                // It may still arrive.
                binding::MissingReason::Owner | binding::MissingReason::Dangling(_) => None,
                gap => binding::missing_diagnostic(view.document, list, gap),
            };
            return ResolvedItems { diagnostic, ..ResolvedItems::default() };
        }
    };
    match list_items(view, value, counter) {
        Some(target) => target,
        None if matches!(value, Value::Null) => ResolvedItems::default(),
        None => {
            let found = if matches!(value, Value::Map(_)) { "a map" } else { "a primitive" };
            let id = |key: Option<KeyRef>| key.map(|key| view.document.keys.text(key.0));
            let subject = match (list.node, id(list.key)) {
                (Some(node), Some(key)) => format!("`{key}` of `{}`", view.document.id(node)),
                (Some(node), None) => format!("`{}`", view.document.id(node)),
                (None, Some(key)) => format!("`{key}`"),
                (None, None) => "the data context".to_owned(),
            };
            let message = format!("{subject} is {found}, a ChildList needs a list");
            let diagnostic = Diagnostic::new(codes::NOT_A_LIST, message)
                .help("bind to a list, such as `[\"*item_1\", \"*item_2\"]`");
            ResolvedItems { diagnostic: Some(diagnostic), ..ResolvedItems::default() }
        }
    }
}
