//! The document: nodes by id, and the changes of the current update.

use super::arena::{Arena, ArenaCheckpoint, ArenaRange, Copier, NodeRef, Value};
use super::id::EditKeys;
use super::interner::{Interner, is_simple_start};
use super::live_ids::LiveIds;
use super::shape::KeyRef;
use crate::base::map::{IntMap, pack_pair};

/// Options of a store.
#[derive(Clone, Debug)]
pub struct StoreSettings {
    /// Prefix of pointers.
    pub sigil: String,
    /// Strip one leading sigil from an id, with a warning.
    pub repair: bool,
    /// Keys that edit a node.
    pub edit_keys: EditKeys,
    pub limits: StoreLimits,
}

/// Limits of a store. All are counts except the first.
#[derive(Clone, Copy, Debug)]
pub struct StoreLimits {
    /// Bytes of one message.
    pub bytes: usize,
    /// Bytes of memory that the document may occupy.
    pub memory: usize,
    /// Nodes of the document.
    pub nodes: usize,
    /// Nesting depth of one message.
    pub depth: usize,
    /// Values visited by one deep read.
    pub deep_read: usize,
    /// Mounted instances of one surface.
    pub instances: usize,
    /// Steps that can be undone.
    pub undo: usize,
}

impl Default for StoreLimits {
    fn default() -> StoreLimits {
        StoreLimits {
            bytes: 64 << 20,
            memory: 256 << 20,
            nodes: 4_000_000,
            depth: 512,
            deep_read: 1_000_000,
            instances: 500_000,
            undo: 1_000,
        }
    }
}

impl Default for StoreSettings {
    fn default() -> StoreSettings {
        StoreSettings {
            sigil: "*".to_owned(),
            repair: false,
            edit_keys: EditKeys::default(),
            limits: StoreLimits::default(),
        }
    }
}

/// A changed node and its old value.
#[derive(Clone, Copy, Debug)]
pub struct NodeChange {
    pub node: NodeRef,
    pub before: Value,
    /// Whether the update deleted the node; valid after the end of the update.
    pub deleted: bool,
}

/// Nodes by id.
pub struct Document {
    pub settings: StoreSettings,
    /// The text between two ids in a list of pointers: `","*`. `None` if the sigil needs escapes,
    /// or an id may begin with its first byte.
    pub pointer_separator: Option<Box<[u8]>>,
    pub arena: Arena,
    pub ids: Interner,
    pub keys: Interner,
    nodes: Vec<NodeSlot>,
    node_count: usize,
    journal: Vec<NodeChange>,
    /// The last edited list, if no other node or history entry refers to it, so that the next edit
    /// may overwrite it.
    overwritable_list: Option<ArenaRange>,
    /// Sequence number of the current message.
    message: u32,
    /// Texts of the current chunk that were decoded from escapes. They are stored after it. See
    /// [`super::chunk_target::ChunkTarget`].
    pub decoded: Vec<u8>,
    /// Whether the current update has appended to a text.
    pub has_appended_text: bool,
    /// Properties that the current update has removed by name, as pairs of node and key.
    removed_properties: IntMap,
    /// Whether values are being copied into a new arena.
    pub is_moving: bool,
}

#[derive(Clone, Copy)]
struct NodeSlot {
    value: Value,
    /// Index of the node's change in the journal plus 1; 0 if there is none.
    journal: u32,
    /// Sequence number of the last message that set it.
    set_by: u32,
}

impl Document {
    pub fn new(settings: StoreSettings) -> Document {
        let sigil = settings.sigil.as_bytes();
        let is_distinct = !sigil.first().is_some_and(|first| is_simple_start(*first));
        // The sigil must equal its JSON text.
        let is_plain = !sigil.iter().any(|byte| matches!(byte, 0..=0x1f | b'"' | b'\\'));
        Document {
            pointer_separator: (is_distinct && is_plain).then(|| [b"\",\"", sigil].concat().into()),
            settings,
            arena: Arena::default(),
            ids: Interner::default(),
            keys: Interner::default(),
            nodes: Vec::new(),
            node_count: 0,
            journal: Vec::new(),
            overwritable_list: None,
            message: 0,
            decoded: Vec::new(),
            has_appended_text: false,
            removed_properties: IntMap::default(),
            is_moving: false,
        }
    }

    /// Returns the handle of an id, for a node that may not exist.
    pub fn node(&mut self, id: &[u8]) -> NodeRef {
        let node = self.ids.intern(id);
        while self.nodes.len() < self.ids.count() {
            self.nodes.push(NodeSlot { value: Value::Missing, journal: 0, set_by: 0 });
        }
        NodeRef(node)
    }

    /// Reserves capacity for this many nodes and an eighth more.
    pub fn reserve(&mut self, node_count: usize) {
        let more = (node_count + node_count / 8).saturating_sub(self.nodes.len());
        self.nodes.reserve(more);
        self.ids.reserve(more);
    }

    /// Returns the handle of an id, or `None` if it was never used.
    pub fn find_node(&self, id: &str) -> Option<NodeRef> {
        self.ids.find(id.as_bytes()).map(NodeRef)
    }

    /// Returns the handle of a property name.
    pub fn key(&mut self, name: &str) -> KeyRef {
        KeyRef(self.keys.intern(name.as_bytes()))
    }

    /// Returns the handle of a property name, or `None` if it was never used.
    pub fn find_key(&self, name: &str) -> Option<KeyRef> {
        self.keys.find(name.as_bytes()).map(KeyRef)
    }

    /// Returns the value of a node, or `Missing`.
    #[inline]
    pub fn value(&self, node: NodeRef) -> Value {
        self.nodes.get(node.0 as usize).map_or(Value::Missing, |node| node.value)
    }

    pub fn id(&self, node: NodeRef) -> &str {
        self.ids.text(node.0)
    }

    /// Returns the number of bytes in memory that grow with the content.
    #[inline(always)]
    pub fn size(&self) -> usize {
        let nodes = self.nodes.len() * size_of::<NodeSlot>();
        self.arena.size() + self.ids.size() + self.keys.size() + nodes
    }

    /// Estimates the memory of a node in bytes. Nested texts count as short texts. The estimate
    /// only depends on the value, so a deletion subtracts what the insertion has added.
    #[inline]
    pub fn estimated_size(&self, value: Value) -> isize {
        const SHORT: usize = 16;
        const NAME: usize = 24;
        let item = size_of::<Value>() + SHORT;
        let parts = match value {
            Value::Missing => return 0,
            Value::Text(text) => text.len as usize,
            Value::Pointers(range) => range.len as usize * size_of::<u32>(),
            Value::List(list) => list.items.len as usize * item,
            Value::Map(map) => self.arena.shapes.keys(map.shape).len() * item,
            _ => 0,
        };
        (size_of::<NodeSlot>() + NAME + parts) as isize
    }

    /// Returns the maximum size in bytes.
    pub fn max_size(&self) -> usize {
        self.settings.limits.memory
    }

    /// Returns whether the size limit is exceeded, so that messages are rejected.
    #[inline(always)]
    pub fn is_full(&self) -> bool {
        self.size() > self.max_size()
    }

    /// Returns the number of existing nodes.
    pub fn node_count(&self) -> usize {
        self.node_count
    }

    /// Returns the number of node handles, including those of missing nodes.
    pub fn node_slots(&self) -> usize {
        self.nodes.len()
    }

    /// Iterates over the existing nodes by handle: in the order in which their ids were first used,
    /// except for reused handles.
    pub fn existing_nodes(&self) -> impl Iterator<Item = NodeRef> {
        let nodes = (0..).map(NodeRef).zip(&self.nodes);
        nodes.filter(|(_, node)| !node.value.is_missing()).map(|(index, _)| index)
    }

    /// Iterates over all node handles, including those of missing nodes.
    pub fn all_nodes(&self) -> impl Iterator<Item = NodeRef> {
        (0..self.nodes.len() as u32).map(NodeRef)
    }

    /// Sets or removes the value of a node and records the old value. An equal value changes
    /// nothing.
    pub fn set(&mut self, node: NodeRef, value: Value) {
        let Some(entry) = self.nodes.get_mut(node.0 as usize) else { return };
        if self.arena.equal(entry.value, value) {
            return;
        }
        if entry.journal == 0 {
            self.journal.push(NodeChange { node, before: entry.value, deleted: false });
            entry.journal = self.journal.len() as u32;
        }
        let added = usize::from(entry.value.is_missing());
        let removed = usize::from(value.is_missing());
        self.node_count = self.node_count + added - removed;
        entry.value = value;
    }

    /// Replaces the value of an existing node with a different value.
    #[inline]
    pub fn replace(&mut self, node: NodeRef, value: Value) {
        let Some(entry) = self.nodes.get_mut(node.0 as usize) else { return };
        let before = std::mem::replace(&mut entry.value, value);
        if entry.journal == 0 {
            self.journal.push(NodeChange { node, before, deleted: false });
            entry.journal = self.journal.len() as u32;
        }
    }

    /// Returns the changes of the current update.
    pub fn journal(&self) -> &[NodeChange] {
        &self.journal
    }

    /// Undoes the current update.
    pub fn roll_back(&mut self) {
        for change in std::mem::take(self.end_update()) {
            // `set` would keep an equal new value, which is about to be truncated from the arena.
            let Some(entry) = self.nodes.get_mut(change.node.0 as usize) else { continue };
            let added = usize::from(entry.value.is_missing());
            let removed = usize::from(change.before.is_missing());
            self.node_count = self.node_count + added - removed;
            entry.value = change.before;
        }
    }

    /// Removes nodes from the journal that have their old value again, and restores that value.
    pub fn prune_journal(&mut self) {
        let mut journal = std::mem::take(&mut self.journal);
        journal.retain(|change| {
            let Some(entry) = self.nodes.get_mut(change.node.0 as usize) else { return false };
            entry.journal = 0;
            let is_same = self.arena.equal(entry.value, change.before);
            if is_same {
                entry.value = change.before;
            }
            !is_same
        });
        for (index, change) in (1..).zip(&journal) {
            if let Some(entry) = self.nodes.get_mut(change.node.0 as usize) {
                entry.journal = index;
            }
        }
        self.journal = journal;
    }

    /// Replaces the old values of changed long lists and large maps in the journal by deltas, after
    /// all observers have compared them. `message` is the arena's state before the message; if
    /// given, the memory of the old list is reused. The maps of a stream stay complete, because its
    /// later chunks may extend a change.
    pub fn compress_changes(&mut self, message: Option<ArenaCheckpoint>, is_stream: bool) {
        for index in 0..self.journal.len() {
            let Some(&NodeChange { node, before, .. }) = self.journal.get(index) else { return };
            let is_large = match before {
                Value::Pointers(_) => true,
                Value::Map(map) => !is_stream && self.arena.is_large_map(map),
                _ => false,
            };
            if !is_large {
                continue;
            }
            let delta = match (before, self.value(node)) {
                (Value::Pointers(before), Value::Pointers(after)) => {
                    self.list_delta(node, before, after, message)
                }
                (Value::Map(before), Value::Map(after)) => self.arena.push_map_delta(before, after),
                _ => continue,
            };
            if let Some(change) = self.journal.get_mut(index)
                && let Some(delta) = delta
            {
                change.before = delta;
            }
        }
    }

    /// Returns the old value of a long list as a delta, or `None` if it would be long. See
    /// [`Document::compress_changes`].
    fn list_delta(
        &mut self,
        node: NodeRef,
        before: ArenaRange,
        after: ArenaRange,
        message: Option<ArenaCheckpoint>,
    ) -> Option<Value> {
        let delta = self.arena.list_delta(before, after)?;
        let Some(message) = message.filter(|_| self.is_only_change_with_words(node)) else {
            return Some(self.arena.push_delta(&delta));
        };
        let is_at_end =
            self.overwritable_list == Some(before) && before.end() == message.word_count();
        let start = if is_at_end { before.start } else { message.word_count() };
        let (delta, overwritable_list) = self.arena.replace_with_delta(&delta, after, start);
        self.overwritable_list = Some(overwritable_list);
        self.replace(node, Value::Pointers(overwritable_list));
        Some(delta)
    }

    /// Returns whether no other node that the update has set refers to the arena's words.
    fn is_only_change_with_words(&self, node: NodeRef) -> bool {
        const MAX_CHANGES: usize = 16;
        let mut others = self.journal.iter().filter(|change| change.node != node);
        self.journal.len() <= MAX_CHANGES
            && others.all(|change| !self.arena.has_words(self.value(change.node)))
    }

    /// Ends the current update and returns its journal, which the caller may drain.
    #[inline]
    pub fn end_update(&mut self) -> &mut Vec<NodeChange> {
        self.has_appended_text = false;
        self.removed_properties.clear();
        for change in &mut self.journal {
            // From now on the history refers to the old value too.
            if let Value::Pointers(before) = change.before
                && self.overwritable_list == Some(before)
            {
                self.overwritable_list = None;
            }
            if let Some(entry) = self.nodes.get_mut(change.node.0 as usize) {
                entry.journal = 0;
                change.deleted = entry.value.is_missing();
            }
        }
        &mut self.journal
    }

    /// Records that the current update removes a property by name.
    pub fn mark_removed(&mut self, node: NodeRef, KeyRef(key): KeyRef) {
        self.removed_properties.insert(pack_pair(node.0, key), 0);
    }

    /// Returns whether the current update has removed a property by name.
    pub fn is_removed_by_name(&self, node: NodeRef, key: KeyRef) -> bool {
        self.removed_properties.contains_key(&pack_pair(node.0, key.0))
    }

    /// Begins a message with this many entries.
    #[inline(always)]
    pub fn begin_message(&mut self, entries: usize) {
        if entries > 0 {
            self.journal.reserve_exact(entries);
        }
        self.message = self.message.wrapping_add(1);
        if self.message == 0 {
            self.nodes.iter_mut().for_each(|node| node.set_by = 0);
            self.message = 1;
        }
    }

    /// Returns whether the current message has set a node.
    pub fn is_set_by_message(&self, node: NodeRef) -> bool {
        self.nodes.get(node.0 as usize).is_some_and(|node| node.set_by == self.message)
    }

    /// Marks a node as set by the current message. Returns whether it was marked before.
    #[inline(always)]
    pub fn mark_set(&mut self, node: NodeRef) -> bool {
        let Some(node) = self.nodes.get_mut(node.0 as usize) else { return false };
        std::mem::replace(&mut node.set_by, self.message) == self.message
    }

    pub fn current_view(&self) -> View<'_> {
        View { document: self, is_previous: false }
    }

    /// Returns the document before the current update.
    pub fn previous_view(&self) -> View<'_> {
        View { document: self, is_previous: true }
    }

    /// Calls `visit` with each node that a value points to. Recursion is bounded by the depth limit
    /// of the reader.
    pub fn each_pointer(&self, value: Value, visit: &mut dyn FnMut(NodeRef)) {
        match value {
            Value::Pointer(node) => visit(node),
            Value::Pointers(range) => {
                self.arena.pointers(range).iter().for_each(|node| visit(NodeRef(*node)));
            }
            Value::List(list) => {
                self.arena.items(list).iter().for_each(|item| self.each_pointer(*item, visit));
            }
            Value::Map(map) => {
                self.arena.values(map).iter().for_each(|item| self.each_pointer(*item, visit));
            }
            _ => {}
        }
    }

    /// Copies the live values into a new arena: nodes, `roots` and `old_values`. Frees the ids and
    /// keys that neither these nor `live_ids` refer to. Returns the number of bytes that only
    /// `old_values` need.
    pub fn compact(
        &mut self,
        roots: Vec<&mut Value>,
        old_values: Vec<&mut Value>,
        mut live_ids: LiveIds,
    ) -> usize {
        self.is_moving = true;
        let old = std::mem::take(&mut self.arena);
        self.overwritable_list = None;
        let mut copier = Copier::new(&old, &mut live_ids);
        for (index, node) in (0..).zip(&mut self.nodes) {
            if !node.value.is_missing() {
                copier.live_ids.mark_node(NodeRef(index));
                node.value = copier.copy(node.value);
            }
        }
        for root in roots {
            *root = copier.copy(*root);
        }
        let live_size = copier.size();
        for value in old_values {
            *value = copier.copy(*value);
        }
        self.arena = copier.finish();
        self.ids.retain(|index| live_ids.is_node_live(index));
        let shapes = &self.arena.shapes;
        shapes.all_keys().for_each(|key| live_ids.mark_key(key));
        self.keys.retain(|index| live_ids.is_key_live(index));
        self.is_moving = false;
        self.arena.size() - live_size
    }
}

/// The document before or after the current update.
#[derive(Clone, Copy)]
pub struct View<'a> {
    pub document: &'a Document,
    is_previous: bool,
}

impl<'a> View<'a> {
    #[inline]
    pub fn value(self, node: NodeRef) -> Value {
        let Some(entry) = self.document.nodes.get(node.0 as usize) else { return Value::Missing };
        if self.is_previous && entry.journal != 0 {
            let change = self.document.journal.get(entry.journal as usize - 1);
            return change.map_or(entry.value, |change| change.before);
        }
        entry.value
    }

    pub fn arena(self) -> &'a Arena {
        &self.document.arena
    }
}
