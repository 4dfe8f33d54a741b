//! ChildLists: the items of a list and their identity (rules 18 to 22).

use super::arena::{NodeRef, Value};
use super::binding::{Binding, Context};
use super::document::View;
use super::{binding, codes};
use crate::base::Diagnostic;
use crate::base::map::{NameMap, pack_pair};

/// Identity of a list item, independent of its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ItemId {
    /// Node handle, or [`LITERAL_ID`].
    id: u32,
    /// Occurrence of the node, from 1; or ordinal of the literal, from 0.
    ordinal: u32,
    /// Number of additional `#` in the key, which make it unique.
    hashes: u32,
}

const LITERAL_ID: u32 = u32::MAX;

impl ItemId {
    /// Returns the item of the n-th pointer to a node, counted from 1.
    pub fn pointer(node: NodeRef, ordinal: u32) -> ItemId {
        ItemId { id: node.0, ordinal, hashes: 0 }
    }

    /// Returns the occurrence of its node, from 1, or the ordinal of the literal, from 0.
    pub fn ordinal(self) -> u32 {
        self.ordinal
    }

    fn literal(ordinal: u32) -> ItemId {
        ItemId { id: LITERAL_ID, ordinal, hashes: 0 }
    }

    /// Returns a number that is unique in the list.
    pub fn unique_id(self) -> u64 {
        pack_pair(self.id, self.ordinal)
    }

    /// Returns the node that the item points to, or `None` for a literal.
    pub fn node(self) -> Option<NodeRef> {
        (self.id != LITERAL_ID).then_some(NodeRef(self.id))
    }

    /// Returns the data context of the item, in a list that is bound in `context`.
    pub fn context(self, list: Binding, context: &Context) -> Context {
        match self.node() {
            Some(node) => Context::from_node(node),
            None => context.literal(list, self.ordinal),
        }
    }

    /// Returns the key of the item, given the id of its node or component.
    pub fn key(self, id: &str) -> String {
        let hashes = "#".repeat(1 + self.hashes as usize);
        match (self.id, self.ordinal) {
            (LITERAL_ID, ordinal) => format!("{hashes}{ordinal}"),
            (_, 1) => id.to_owned(),
            (_, ordinal) => format!("{id}{hashes}{ordinal}"),
        }
    }

    /// Returns whether it is the first pointer to its node, so that its key is the node's id.
    pub fn is_first_occurrence(self) -> bool {
        self.id != LITERAL_ID && self.ordinal == 1
    }
}

/// Map from nodes to numbers that is cleared in constant time. It is reused, so that a short list
/// in a large document costs only its items.
#[derive(Default)]
pub struct OccurrenceCounter {
    generation: u32,
    /// Generation and number of each node.
    entries: Vec<(u32, u32)>,
}

impl OccurrenceCounter {
    /// Clears the map, for nodes with handles below `capacity`.
    pub fn reset(&mut self, capacity: usize) {
        self.generation = self.generation.wrapping_add(1);
        if self.entries.len() < capacity {
            self.entries.resize(capacity, (self.generation.wrapping_sub(1), 0));
        }
    }

    /// Returns the number of a node, or `None`.
    #[inline]
    pub fn get(&self, node: NodeRef) -> Option<u32> {
        let (generation, value) = self.entries.get(node.0 as usize)?;
        (*generation == self.generation).then_some(*value)
    }

    #[inline]
    pub fn set(&mut self, node: NodeRef, value: u32) {
        if let Some(entry) = self.entries.get_mut(node.0 as usize) {
            *entry = (self.generation, value);
        }
    }

    /// Returns the number of this occurrence of the node, from 1.
    #[inline]
    fn count(&mut self, node: NodeRef) -> u32 {
        let count = self.get(node).unwrap_or(0) + 1;
        self.set(node, count);
        count
    }
}

/// Returns the existing items of a list and the missing nodes, or `None` if the value is not a
/// list.
fn list_items(
    view: View<'_>,
    value: Value,
    counter: &mut OccurrenceCounter,
) -> Option<ResolvedItems> {
    if let Some(items) = distinct_items(view, value, counter) {
        return Some(ResolvedItems { items, all_distinct: true, ..ResolvedItems::default() });
    }
    let mut items = all_items(view, value, counter)?;
    let all_distinct = matches!(value, Value::Pointers(range) if range.len as usize == items.len())
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

/// Returns the items of a list of pointers to distinct existing nodes, or `None` for other lists.
fn distinct_items(
    view: View<'_>,
    value: Value,
    counter: &mut OccurrenceCounter,
) -> Option<Vec<ItemId>> {
    let Value::Pointers(range) = value else { return None };
    let nodes = view.arena().pointers(range);
    counter.reset(view.document.node_slots());
    let mut first = |node| !view.value(node).is_missing() && counter.count(node) == 1;
    let is_straight = nodes.iter().all(|node| first(NodeRef(*node)));
    is_straight.then(|| nodes.iter().map(|node| ItemId::pointer(NodeRef(*node), 1)).collect())
}

/// Returns the items of a list, including those of missing nodes, or `None` if the value is not a
/// list.
pub fn all_items(
    view: View<'_>,
    value: Value,
    counter: &mut OccurrenceCounter,
) -> Option<Vec<ItemId>> {
    counter.reset(view.document.node_slots());
    // A node with an empty id is skipped: it cannot exist, and the key of its second occurrence
    // would look like that of a literal.
    let empty_id_node = view.document.find_node("");
    let mut pointer = |node: NodeRef| {
        (Some(node) != empty_id_node).then(|| ItemId::pointer(node, counter.count(node)))
    };
    let mut items = Vec::new();
    match value {
        Value::Pointers(range) => {
            let nodes = view.arena().pointers(range);
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

/// Adds `#` to keys that equal the key of another item.
pub fn disambiguate<'a>(items: &mut [ItemId], id: impl Fn(u32) -> &'a str) {
    if items.iter().all(|item| item.is_first_occurrence()) {
        return;
    }
    // Only an id with a `#` can equal a generated key.
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
        let name = if item.id == LITERAL_ID { "" } else { id(item.id) };
        while used_keys.insert(item.key(name), 0).is_some() {
            item.hashes += 1;
        }
    }
}

/// Items of a ChildList.
#[derive(Default)]
pub struct ResolvedItems {
    pub items: Vec<ItemId>,
    /// Missing nodes, whose items are left out.
    pub dangling: Vec<NodeRef>,
    /// Whether the list contains only pointers to distinct nodes.
    pub all_distinct: bool,
    pub diagnostic: Option<Diagnostic>,
}

/// Returns the items that a ChildList iterates over (rules 19 to 22).
pub fn resolve_items(
    view: View<'_>,
    list: Binding,
    context: &Context,
    counter: &mut OccurrenceCounter,
) -> ResolvedItems {
    let value = match binding::resolve(view, list, context, &mut |_| {}) {
        binding::Resolution::Value { value, .. } => value,
        binding::Resolution::Missing(reason) => {
            let diagnostic = match reason {
                // The list may still arrive.
                binding::MissingReason::Owner | binding::MissingReason::Dangling(_) => None,
                reason => binding::missing_diagnostic(view.document, list, reason),
            };
            return ResolvedItems { diagnostic, ..ResolvedItems::default() };
        }
    };
    match list_items(view, value, counter) {
        Some(target) => target,
        None if matches!(value, Value::Null) => ResolvedItems::default(),
        None => {
            let found = if matches!(value, Value::Map(_)) { "a map" } else { "a primitive" };
            let subject = list.describe(view.document);
            let message = format!("expected a list for the ChildList, found {found}: {subject}");
            let diagnostic = Diagnostic::new(codes::NOT_A_LIST, message)
                .help("bind to a list, such as `[\"*item_1\", \"*item_2\"]`");
            ResolvedItems { diagnostic: Some(diagnostic), ..ResolvedItems::default() }
        }
    }
}
