//! Dependencies of watchers on nodes: one edge per pair, in linked lists by node and by watcher.

use super::arena::NodeRef;

/// Handle of a watcher, which is notified when its nodes change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct WatcherId(pub u32);

/// Subscription or instance that a watcher belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    Subscription(u32),
    /// An instance of a surface, with its constant properties, so that the instance need not be
    /// loaded.
    Instance {
        depth: u16,
        surface: u32,
        instance: u32,
        component: u32,
        /// Node of its data context, or [`NO_NODE`] if the context is a literal.
        context_node: NodeRef,
    },
}

/// Handle that no node has.
pub const NO_NODE: NodeRef = NodeRef(u32::MAX);

const NONE: u32 = u32::MAX;

/// Edges between nodes and watchers.
#[derive(Default)]
pub struct Dependencies {
    /// First edge of each node.
    heads: Vec<u32>,
    edges: Vec<WatchEdge>,
    free_edges: Vec<u32>,
    watchers: Vec<WatcherEntry>,
    free_watchers: Vec<u32>,
}

#[derive(Clone, Copy)]
struct WatchEdge {
    node: u32,
    /// Copy of the watcher's owner, to avoid a second lookup.
    owner: Owner,
    /// Next and previous edge of the same node.
    next: u32,
    previous: u32,
    /// Next edge of the same watcher.
    sibling: u32,
}

#[derive(Clone, Copy)]
struct WatcherEntry {
    owner: Owner,
    first: u32,
}

impl Dependencies {
    /// Creates a watcher without nodes.
    pub fn watch(&mut self, owner: Owner) -> WatcherId {
        let entry = WatcherEntry { owner, first: NONE };
        match self.free_watchers.pop() {
            Some(index) => {
                if let Some(slot) = self.watchers.get_mut(index as usize) {
                    *slot = entry;
                }
                WatcherId(index)
            }
            None => {
                self.watchers.push(entry);
                WatcherId(self.watchers.len() as u32 - 1)
            }
        }
    }

    /// Reserves capacity for this many watchers with one node each.
    pub fn reserve(&mut self, more: usize) {
        self.watchers.reserve(more.saturating_sub(self.free_watchers.len()));
        self.edges.reserve(more.saturating_sub(self.free_edges.len()));
    }

    /// Creates another watcher with the owner of this one.
    pub fn watch_same_owner(&mut self, watcher: WatcherId) -> WatcherId {
        let owner = self.watchers.get(watcher.0 as usize).map(|entry| entry.owner);
        self.watch(owner.unwrap_or(Owner::Subscription(NONE)))
    }

    pub fn unwatch(&mut self, watcher: WatcherId) {
        self.unlink(watcher);
        self.free_watchers.push(watcher.0);
    }

    /// Sets the distinct nodes of a watcher.
    pub fn set(&mut self, watcher: WatcherId, nodes: &[NodeRef]) {
        if self.nodes(watcher).eq(nodes.iter().copied()) {
            return;
        }
        self.unlink(watcher);
        for node in nodes.iter().rev() {
            self.link(watcher, *node);
        }
    }

    fn nodes(&self, watcher: WatcherId) -> impl Iterator<Item = NodeRef> {
        let mut at = self.watchers.get(watcher.0 as usize).map_or(NONE, |entry| entry.first);
        std::iter::from_fn(move || {
            let edge = self.edges.get(at as usize)?;
            at = edge.sibling;
            Some(NodeRef(edge.node))
        })
    }

    pub fn watched_nodes(&self) -> impl Iterator<Item = NodeRef> {
        let is_watched = |(_, head): &(u32, &u32)| **head != NONE;
        (0..).zip(&self.heads).filter(is_watched).map(|(node, _)| NodeRef(node))
    }

    /// Returns whether no node was ever watched.
    pub fn is_empty(&self) -> bool {
        self.heads.is_empty()
    }

    /// Returns the owners of the watchers of a node.
    #[inline]
    pub fn owners(&self, node: NodeRef) -> impl Iterator<Item = Owner> {
        let mut at = self.heads.get(node.0 as usize).copied().unwrap_or(NONE);
        std::iter::from_fn(move || {
            let edge = self.edges.get(at as usize)?;
            at = edge.next;
            Some(edge.owner)
        })
    }

    fn link(&mut self, watcher: WatcherId, node: NodeRef) {
        if self.heads.len() <= node.0 as usize {
            self.heads.resize(node.0 as usize + 1, NONE);
        }
        let (Some(head), Some(entry)) =
            (self.heads.get_mut(node.0 as usize), self.watchers.get_mut(watcher.0 as usize))
        else {
            return;
        };
        let edge = WatchEdge {
            node: node.0,
            owner: entry.owner,
            next: *head,
            previous: NONE,
            sibling: entry.first,
        };
        let index = match self.free_edges.pop() {
            Some(index) => {
                if let Some(slot) = self.edges.get_mut(index as usize) {
                    *slot = edge;
                }
                index
            }
            None => {
                self.edges.push(edge);
                self.edges.len() as u32 - 1
            }
        };
        if let Some(next) = self.edges.get_mut(*head as usize) {
            next.previous = index;
        }
        *head = index;
        entry.first = index;
    }

    fn unlink(&mut self, watcher: WatcherId) {
        let Some(entry) = self.watchers.get_mut(watcher.0 as usize) else { return };
        let mut at = std::mem::replace(&mut entry.first, NONE);
        while let Some(edge) = self.edges.get(at as usize).copied() {
            match self.edges.get_mut(edge.previous as usize) {
                Some(previous) => previous.next = edge.next,
                None => {
                    if let Some(head) = self.heads.get_mut(edge.node as usize) {
                        *head = edge.next;
                    }
                }
            }
            if let Some(next) = self.edges.get_mut(edge.next as usize) {
                next.previous = edge.previous;
            }
            self.free_edges.push(at);
            at = edge.sibling;
        }
    }
}
