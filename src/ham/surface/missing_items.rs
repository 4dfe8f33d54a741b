//! List items whose nodes are missing, because lists are often sent before their items.

use crate::base::map::IntMap;
use crate::ham::arena::NodeRef;
use crate::ham::child_list::ItemId;
use crate::ham::dependencies::{Dependencies, WatcherId};

/// Missing nodes of a list. Each has its own watcher, so that one that arrives does not affect the
/// others.
#[derive(Default)]
pub struct MissingItems {
    watchers: IntMap,
    /// List index of each item, by [`ItemId::unique_id`]; empty until needed.
    positions: IntMap,
    /// All items of the list, if some nodes are repeated.
    items: Vec<ItemId>,
}

impl MissingItems {
    /// Minimum number of missing nodes for which the items are indexed. With fewer, a change reads
    /// the complete list.
    const MIN_INDEXED_NODES: usize = 16;

    pub fn is_empty(&self) -> bool {
        self.watchers.is_empty()
    }

    /// Sets the missing nodes of a list. Their watchers have the owner of `owner`.
    pub fn set_nodes(&mut self, watchers: &mut Dependencies, owner: WatcherId, nodes: &[NodeRef]) {
        self.clear(watchers);
        for node in nodes {
            self.add(watchers, owner, *node);
        }
    }

    pub fn add(&mut self, watchers: &mut Dependencies, owner: WatcherId, node: NodeRef) {
        self.watchers.entry(node.0.into()).or_insert_with(|| {
            let watcher = watchers.watch_same_owner(owner);
            watchers.set(watcher, &[node]);
            watcher.0.into()
        });
    }

    pub fn remove(&mut self, watchers: &mut Dependencies, node: NodeRef) {
        if let Some(watcher) = self.watchers.remove(&u64::from(node.0)) {
            watchers.unwatch(WatcherId(watcher as u32));
        }
    }

    pub fn clear(&mut self, watchers: &mut Dependencies) {
        for (_, watcher) in self.watchers.drain() {
            watchers.unwatch(WatcherId(watcher as u32));
        }
        self.clear_positions();
    }

    /// Clears the index, because the list changed.
    pub fn clear_positions(&mut self) {
        self.items.clear();
        self.positions.clear();
    }

    /// Returns whether indexing the items is worthwhile.
    pub fn is_large(&self) -> bool {
        self.watchers.len() >= MissingItems::MIN_INDEXED_NODES
    }

    pub fn has_positions(&self) -> bool {
        !self.positions.is_empty()
    }

    /// Indexes a list of distinct nodes.
    pub fn index_nodes(&mut self, nodes: &[u32]) {
        let items = nodes.iter().map(|node| ItemId::pointer(NodeRef(*node), 1));
        self.positions =
            (0..).zip(items).map(|(position, item)| (item.unique_id(), position)).collect();
    }

    /// Indexes the items of a list.
    pub fn index_items(&mut self, items: Vec<ItemId>) {
        self.positions =
            (0..).zip(&items).map(|(position, item)| (item.unique_id(), position)).collect();
        self.items = items;
    }

    /// Returns the list index of an item, or `None` if it is not indexed.
    pub fn position(&self, item: ItemId) -> Option<u32> {
        self.positions.get(&item.unique_id()).map(|position| *position as u32)
    }

    /// Returns the items that point to a node, with their list indices.
    pub fn items_of(&self, node: NodeRef) -> impl Iterator<Item = (ItemId, u32)> {
        (1..).map_while(move |occurrence| {
            let item = ItemId::pointer(node, occurrence);
            let position = self.position(item)?;
            Some((self.items.get(position as usize).copied().unwrap_or(item), position))
        })
    }
}
