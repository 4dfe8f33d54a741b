//! The document: ids and their values, and what the update at hand has changed.

use super::arena::{Arena, ArenaCheckpoint, ArenaRange, Copier, NodeRef, Value};
use super::interner::{Interner, is_simple_start};
use super::live_ids::LiveIds;
use super::shape::KeyRef;

/// How a store reads and how much it takes.
#[derive(Clone, Debug)]
pub struct StoreSettings {
    /// What marks a pointer.
    pub sigil: String,
    /// Strip one leading sigil from an id, with a warning.
    pub repair: bool,
    /// `+id` and `-id` edit lists (rule 26).
    pub list_edits: bool,
    /// See [`StoreLimits`].
    pub limits: StoreLimits,
}

/// How much a store takes. All are counts but the first.
#[derive(Clone, Copy, Debug)]
pub struct StoreLimits {
    /// Bytes of one message; the whole document may take [`DOCUMENT_FACTOR`] times as much memory.
    pub bytes: usize,
    /// NodesWriter of the document.
    pub nodes: usize,
    /// Levels of nesting of one message.
    pub depth: usize,
    /// Values that one deep read may visit.
    pub deep_read: usize,
    /// Mounted instances of one surface.
    pub instances: usize,
    /// Steps that can be undone.
    pub undo: usize,
}

/// A message of two bytes a value (`[0,0,…`) takes sixteen bytes a value in the arena.
pub const DOCUMENT_FACTOR: usize = 8;

impl Default for StoreLimits {
    fn default() -> StoreLimits {
        StoreLimits {
            bytes: 64 << 20,
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
            list_edits: false,
            limits: StoreLimits::default(),
        }
    }
}

/// One node that an update changed, and the value it had before.
#[derive(Clone, Copy, Debug)]
pub struct NodeChange {
    pub node: NodeRef,
    pub before: Value,
    /// Whether the update deleted the node; right once it has ended.
    pub deleted: bool,
}

/// NodesWriter by id.
pub struct Document {
    pub settings: StoreSettings,
    /// What stands between the ids of two pointers that follow one another: `","*`. Nothing where the
    /// sigil is a usual beginning of an id, so that one look does not tell marks from ids, or has to be escaped.
    pub pointer_separator: Option<Box<[u8]>>,
    pub arena: Arena,
    pub ids: Interner,
    pub keys: Interner,
    nodes: Vec<NodeSlot>,
    node_count: usize,
    journal: Vec<NodeChange>,
    /// The list that was edited last, as long as its node alone has it: neither another node nor what the history keeps
    /// points into it, so that the next edit may write over it.
    overwritable_list: Option<ArenaRange>,
    /// The number of the message at hand.
    message: u32,
    /// Texts that stand nowhere in the piece at hand: they come behind it. See [`super::site::ChunkTarget`].
    pub decoded: Vec<u8>,
}

#[derive(Clone, Copy)]
struct NodeSlot {
    value: Value,
    /// One more than the place of this node's first change in the journal; 0 where it has none.
    journal: u32,
    /// The last message that set it.
    set_by: u32,
}

impl Document {
    /// An empty document.
    pub fn new(settings: StoreSettings) -> Document {
        let sigil = settings.sigil.as_bytes();
        let is_distinct = !sigil.first().is_some_and(|first| is_simple_start(*first));
        // It has to stand in JSON as it is.
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
        }
    }

    /// The node of an id, which may be missing.
    pub fn node(&mut self, id: &[u8]) -> NodeRef {
        let node = self.ids.intern(id);
        while self.nodes.len() < self.ids.count() {
            self.nodes.push(NodeSlot { value: Value::Missing, journal: 0, set_by: 0 });
        }
        NodeRef(node)
    }

    /// Makes room for so many nodes, and for some that come later one by one.
    pub fn reserve(&mut self, node_count: usize) {
        let more = (node_count + node_count / 8).saturating_sub(self.nodes.len());
        self.nodes.reserve(more);
        self.ids.reserve(more);
    }

    /// The node of an id, where the document has it or speaks of it.
    pub fn find_node(&self, id: &str) -> Option<NodeRef> {
        self.ids.find(id.as_bytes()).map(NodeRef)
    }

    /// A property name as a number.
    pub fn key(&mut self, name: &str) -> KeyRef {
        KeyRef(self.keys.intern(name.as_bytes()))
    }

    /// A property name that the document has heard of.
    pub fn find_key(&self, name: &str) -> Option<KeyRef> {
        self.keys.find(name.as_bytes()).map(KeyRef)
    }

    /// The value of a node.
    #[inline]
    pub fn value(&self, node: NodeRef) -> Value {
        self.nodes.get(node.0 as usize).map_or(Value::Missing, |node| node.value)
    }

    /// The id of a node.
    pub fn id(&self, node: NodeRef) -> &str {
        self.ids.text(node.0)
    }

    /// Bytes of memory that grow with what the document was told.
    #[inline(always)]
    pub fn size(&self) -> usize {
        let nodes = self.nodes.len() * size_of::<NodeSlot>();
        self.arena.size() + self.ids.size() + self.keys.size() + nodes
    }

    /// About how much memory a node with this value takes: at a glance, so texts within maps and
    /// lists are taken for short ones. What a node adds when it comes it takes away when it goes.
    #[inline]
    pub fn estimated_size(&self, value: Value) -> isize {
        const SHORT: usize = 16;
        const NAME: usize = 24;
        let item = size_of::<Value>() + SHORT;
        let parts = match value {
            Value::Missing => return 0,
            Value::Text(text) => text.len as usize,
            Value::Pointers(run) => run.len as usize * size_of::<u32>(),
            Value::List(list) => list.items.len as usize * item,
            Value::Map(map) => self.arena.shapes.keys(map.shape).len() * item,
            _ => 0,
        };
        (size_of::<NodeSlot>() + NAME + parts) as isize
    }

    /// How much memory it may take.
    pub fn max_size(&self) -> usize {
        self.settings.limits.bytes.saturating_mul(DOCUMENT_FACTOR)
    }

    /// Whether it takes more than that, and so no message.
    #[inline(always)]
    pub fn is_full(&self) -> bool {
        self.size() > self.max_size()
    }

    /// How many nodes the document holds.
    pub fn node_count(&self) -> usize {
        self.node_count
    }

    /// How many node numbers there are; more than nodes.
    pub fn node_slots(&self) -> usize {
        self.nodes.len()
    }

    /// The nodes that are there, in the order of their numbers: that in which their ids were first
    /// seen, but for numbers that were used again.
    pub fn existing_nodes(&self) -> impl Iterator<Item = NodeRef> {
        let nodes = (0..).map(NodeRef).zip(&self.nodes);
        nodes.filter(|(_, node)| !node.value.is_missing()).map(|(index, _)| index)
    }

    /// Sets the value of a node, or removes it, and notes the value it had. An equal value changes
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
        let gained = usize::from(entry.value.is_missing());
        let lost = usize::from(value.is_missing());
        self.node_count = self.node_count + gained - lost;
        entry.value = value;
    }

    /// Sets a node that is there to another value, which differs.
    #[inline]
    pub fn replace(&mut self, node: NodeRef, value: Value) {
        let Some(entry) = self.nodes.get_mut(node.0 as usize) else { return };
        let before = std::mem::replace(&mut entry.value, value);
        if entry.journal == 0 {
            self.journal.push(NodeChange { node, before, deleted: false });
            entry.journal = self.journal.len() as u32;
        }
    }

    /// What the update at hand has changed so far.
    pub fn journal(&self) -> &[NodeChange] {
        &self.journal
    }

    /// Undoes the update at hand.
    pub fn roll_back(&mut self) {
        for change in std::mem::take(self.end_update()) {
            // Not by `set`: an equal value that is to be cut from the arena would stay.
            let Some(entry) = self.nodes.get_mut(change.node.0 as usize) else { continue };
            let gained = usize::from(entry.value.is_missing());
            let lost = usize::from(change.before.is_missing());
            self.node_count = self.node_count + gained - lost;
            entry.value = change.before;
        }
    }

    /// Drops from the journal what came back to the value it had, which it keeps as it was.
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

    /// Tells long lists that the update at hand has edited by what was edited, now that nobody asks any more how
    /// they were. Given where the message began, of which nothing is needed any more but the values that it set,
    /// the memory of such a list is used again.
    pub fn compress_list_changes(&mut self, message: Option<ArenaCheckpoint>) {
        for index in 0..self.journal.len() {
            let Some(change) = self.journal.get(index) else { return };
            let (node, Value::Pointers(before)) = (change.node, change.before) else { continue };
            let Value::Pointers(after) = self.value(node) else { continue };
            let Some(delta) = self.arena.list_delta(before, after) else { continue };
            let delta = match message.filter(|_| self.is_only_change_with_words(node)) {
                None => self.arena.push_delta(&delta),
                Some(message) => {
                    let is_at_end = self.overwritable_list == Some(before)
                        && before.end() == message.word_count();
                    let start = if is_at_end { before.start } else { message.word_count() };
                    let (delta, overwritable_list) =
                        self.arena.replace_with_delta(&delta, after, start);
                    self.overwritable_list = Some(overwritable_list);
                    self.replace(node, Value::Pointers(overwritable_list));
                    delta
                }
            };
            if let Some(change) = self.journal.get_mut(index) {
                change.before = delta;
            }
        }
    }

    /// Whether a node is the only one with numbers among those that the update at hand has set.
    fn is_only_change_with_words(&self, node: NodeRef) -> bool {
        const MAX_CHANGES: usize = 16;
        let mut others = self.journal.iter().filter(|change| change.node != node);
        self.journal.len() <= MAX_CHANGES
            && others.all(|change| !self.arena.has_words(self.value(change.node)))
    }

    /// Ends the update at hand: hands out its journal, for whoever asked to take what is in it.
    #[inline]
    pub fn end_update(&mut self) -> &mut Vec<NodeChange> {
        for change in &mut self.journal {
            // The history has it as well from now on.
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

    /// Starts a message of so many entries: no node is set by it yet.
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

    /// Whether the message at hand sets a node.
    pub fn is_set_by_message(&self, node: NodeRef) -> bool {
        self.nodes.get(node.0 as usize).is_some_and(|node| node.set_by == self.message)
    }

    /// Notes that the message at hand sets a node; answers whether it did before.
    #[inline(always)]
    pub fn mark_set(&mut self, node: NodeRef) -> bool {
        let Some(node) = self.nodes.get_mut(node.0 as usize) else { return false };
        std::mem::replace(&mut node.set_by, self.message) == self.message
    }

    /// The document as it is.
    pub fn current_view(&self) -> View<'_> {
        View { document: self, is_previous: false }
    }

    /// The document as it was before the update at hand.
    pub fn previous_view(&self) -> View<'_> {
        View { document: self, is_previous: true }
    }

    /// Calls `visit` with each node that a value points to, at any depth of the value itself.
    /// Recursion is bounded by the depth limit of the reader.
    pub fn each_pointer(&self, value: Value, visit: &mut dyn FnMut(NodeRef)) {
        match value {
            Value::Pointer(node) => visit(node),
            Value::Pointers(run) => {
                self.arena.pointers(run).iter().for_each(|node| visit(NodeRef(*node)));
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

    /// Copies what is alive into a fresh arena: the nodes, `roots`, and what was there in the `past`. Names
    /// that none of them and not `pinned` refers to are forgotten. Answers how many bytes the past alone takes.
    pub fn compact(
        &mut self,
        roots: Vec<&mut Value>,
        old_values: Vec<&mut Value>,
        mut live_ids: LiveIds,
    ) -> usize {
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
        self.arena.size() - live_size
    }
}

/// The document at one of two moments: before or after the update at hand.
#[derive(Clone, Copy)]
pub struct View<'a> {
    pub document: &'a Document,
    is_previous: bool,
}

impl<'a> View<'a> {
    /// The value of a node at this moment.
    #[inline]
    pub fn value(self, node: NodeRef) -> Value {
        let Some(entry) = self.document.nodes.get(node.0 as usize) else { return Value::Missing };
        if self.is_previous && entry.journal != 0 {
            let change = self.document.journal.get(entry.journal as usize - 1);
            return change.map_or(entry.value, |change| change.before);
        }
        entry.value
    }

    /// The values' arena.
    pub fn arena(self) -> &'a Arena {
        &self.document.arena
    }
}
