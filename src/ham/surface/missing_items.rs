//! RowBatch whose nodes have not come: a list names them before, as a model writes it.

use crate::base::map::IntMap;
use crate::ham::arena::NodeRef;
use crate::ham::child_list::ItemId;
use crate::ham::dependencies::{Dependencies, WatcherId};

/// The nodes of a list that are missing. Each has a watcher of its own: when one comes, the others
/// are left alone.
#[derive(Default)]
pub struct MissingItems {
    watchers: IntMap,
    /// Where the items of the list stand, those that are there as well, by their [`ItemId::number`]; empty until it pays.
    positions: IntMap,
    /// The items, where they are more than the nodes of the list, each of them once.
    items: Vec<ItemId>,
}

impl MissingItems {
    /// For fewer the whole list is looked through when one of them comes or goes.
    const MIN_INDEXED: usize = 16;

    /// Whether nothing is waited for.
    pub fn is_empty(&self) -> bool {
        self.watchers.is_empty()
    }

    /// Waits for these nodes and no others, of a list whose places are not known; for whom another watcher does.
    pub fn set_nodes(&mut self, watchers: &mut Dependencies, owner: WatcherId, nodes: &[NodeRef]) {
        self.clear(watchers);
        for node in nodes {
            self.add(watchers, owner, *node);
        }
    }

    /// Waits for one more.
    pub fn add(&mut self, watchers: &mut Dependencies, owner: WatcherId, node: NodeRef) {
        self.watchers.entry(node.0.into()).or_insert_with(|| {
            let watcher = watchers.watch_same_owner(owner);
            watchers.set(watcher, &[node]);
            watcher.0.into()
        });
    }

    /// No longer waits for a node.
    pub fn remove(&mut self, watchers: &mut Dependencies, node: NodeRef) {
        if let Some(watcher) = self.watchers.remove(&u64::from(node.0)) {
            watchers.unwatch(WatcherId(watcher as u32));
        }
    }

    /// Waits for nothing.
    pub fn clear(&mut self, watchers: &mut Dependencies) {
        for (_, watcher) in self.watchers.drain() {
            watchers.unwatch(WatcherId(watcher as u32));
        }
        self.clear_positions();
    }

    /// The list is another.
    pub fn clear_positions(&mut self) {
        self.items.clear();
        self.positions.clear();
    }

    /// Whether it pays to know where the items of the list stand.
    pub fn is_large(&self) -> bool {
        self.watchers.len() >= MissingItems::MIN_INDEXED
    }

    /// Whether it is known where the items of the list stand.
    pub fn has_positions(&self) -> bool {
        !self.positions.is_empty()
    }

    /// Says where the nodes of the list stand, each of them once.
    pub fn index_nodes(&mut self, nodes: &[u32]) {
        let items = nodes.iter().map(|node| ItemId::pointer(NodeRef(*node), 1));
        self.positions =
            (0..).zip(items).map(|(position, item)| (item.unique_id(), position)).collect();
    }

    /// Says which items the list has.
    pub fn index_items(&mut self, items: Vec<ItemId>) {
        self.positions =
            (0..).zip(&items).map(|(position, item)| (item.unique_id(), position)).collect();
        self.items = items;
    }

    /// Where an item stands in the list, where that is known.
    pub fn position(&self, item: ItemId) -> Option<u32> {
        self.positions.get(&item.unique_id()).map(|position| *position as u32)
    }

    /// The items of the list that point to a node, and where they stand.
    pub fn items_of(&self, node: NodeRef) -> impl Iterator<Item = (ItemId, u32)> {
        (1..).map_while(move |occurrence| {
            let item = ItemId::pointer(node, occurrence);
            let position = self.position(item)?;
            Some((self.items.get(position as usize).copied().unwrap_or(item), position))
        })
    }
}
