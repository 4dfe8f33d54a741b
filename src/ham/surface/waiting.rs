//! Rows whose nodes have not come: a list names them before, as a model writes it.

use crate::base::map::IntMap;
use crate::ham::arena::NodeRef;
use crate::ham::child_list::ItemId;
use crate::ham::observe::{Dependencies, Watcher};

/// The nodes of a list that are missing. Each has a watcher of its own: when one comes, the others
/// are left alone.
#[derive(Default)]
pub struct Waiting {
    watchers: IntMap,
    /// Where the items of the list stand, those that are there as well, by their [`ItemId::number`]; empty until it pays.
    places: IntMap,
    /// The items, where they are more than the nodes of the list, each of them once.
    items: Vec<ItemId>,
}

impl Waiting {
    /// For fewer the whole list is looked through when one of them comes or goes.
    const MANY: usize = 16;

    /// Whether nothing is waited for.
    pub fn is_empty(&self) -> bool {
        self.watchers.is_empty()
    }

    /// Waits for these nodes and no others, of a list whose places are not known; for whom another watcher does.
    pub fn set(&mut self, watchers: &mut Dependencies, whose: Watcher, nodes: &[NodeRef]) {
        self.clear(watchers);
        for node in nodes {
            self.add(watchers, whose, *node);
        }
    }

    /// Waits for one more.
    pub fn add(&mut self, watchers: &mut Dependencies, whose: Watcher, node: NodeRef) {
        self.watchers.entry(node.0.into()).or_insert_with(|| {
            let watcher = watchers.watch_for(whose);
            watchers.set(watcher, &[node]);
            watcher.0.into()
        });
    }

    /// No longer waits for a node.
    pub fn remove(&mut self, watchers: &mut Dependencies, node: NodeRef) {
        if let Some(watcher) = self.watchers.remove(&u64::from(node.0)) {
            watchers.unwatch(Watcher(watcher as u32));
        }
    }

    /// Waits for nothing.
    pub fn clear(&mut self, watchers: &mut Dependencies) {
        for (_, watcher) in self.watchers.drain() {
            watchers.unwatch(Watcher(watcher as u32));
        }
        self.forget_places();
    }

    /// The list is another.
    pub fn forget_places(&mut self) {
        self.items.clear();
        self.places.clear();
    }

    /// Whether it pays to know where the items of the list stand.
    pub fn is_long(&self) -> bool {
        self.watchers.len() >= Waiting::MANY
    }

    /// Whether it is known where the items of the list stand.
    pub fn knows_places(&self) -> bool {
        !self.places.is_empty()
    }

    /// Says where the nodes of the list stand, each of them once.
    pub fn number_nodes(&mut self, nodes: &[u32]) {
        let items = nodes.iter().map(|node| ItemId::pointer(NodeRef(*node), 1));
        self.places = (0..).zip(items).map(|(place, item)| (item.number(), place)).collect();
    }

    /// Says which items the list has.
    pub fn number(&mut self, items: Vec<ItemId>) {
        self.places = (0..).zip(&items).map(|(place, item)| (item.number(), place)).collect();
        self.items = items;
    }

    /// Where an item stands in the list, where that is known.
    pub fn place(&self, item: ItemId) -> Option<u32> {
        self.places.get(&item.number()).map(|place| *place as u32)
    }

    /// The items of the list that point to a node, and where they stand.
    pub fn items_of(&self, node: NodeRef) -> impl Iterator<Item = (ItemId, u32)> {
        (1..).map_while(move |nth| {
            let item = ItemId::pointer(node, nth);
            let place = self.place(item)?;
            Some((self.items.get(place as usize).copied().unwrap_or(item), place))
        })
    }
}
