//! Keeping the memory of a store within its bounds.

use super::{Store, subscription::Subscription};
use crate::ham::arena::{NodeRef, Value};
use crate::ham::document::Change;
use crate::ham::pinned::Pinned;

/// So much may be left behind before the document is compacted, however small it is: to copy what is
/// alive takes as long as reading it.
const SLACK: usize = 4 << 20;

/// A message takes at most this many times its length: two bytes (`0,`) make a value of sixteen,
/// and the text itself is kept.
const GROWTH: usize = 9;

impl Store {
    /// Compacts the document where most of it may be dead, or where a message of `incoming` bytes might
    /// not find room. Names that nothing refers to are forgotten then, so whoever looks up
    /// names calls this before, not after.
    #[inline(always)]
    pub fn make_room(&mut self, incoming: usize) {
        let size = self.document.size();
        let alive = self.floor.saturating_add_signed(self.gained);
        let tight = self.is_tight(incoming) && size.saturating_sub(self.floor) > self.floor / 16;
        if size.saturating_sub(alive) > alive + SLACK || tight {
            self.compact_all();
        }
    }

    #[cold]
    #[inline(never)]
    fn compact_all(&mut self) {
        while self.compact() && self.history.forget_half() {}
        self.floor = self.document.size();
        self.gained = 0;
    }

    /// Whether a message of so many bytes might not find room.
    #[inline(always)]
    pub fn is_tight(&self, incoming: usize) -> bool {
        self.document.size() + incoming.saturating_mul(GROWTH) > self.document.room()
    }

    /// Notes about how much the update at hand has brought and taken, in bytes.
    pub fn note_gain(&mut self) {
        for change in self.document.journal() {
            self.gained += self.document.weight(self.document.value(change.node));
            self.gained -= self.document.weight(change.before);
        }
    }

    /// Compacts the document. Answers whether what can be undone has to give way: to what is there, or, the
    /// last update apart, because what only it needs takes more than a little and more than a quarter of
    /// what a message may: it is copied whenever the document is, while a page waits.
    fn compact(&mut self) -> bool {
        let mut pinned = Pinned::default();
        let mut roots: Vec<&mut Value> = Vec::new();
        let mut past: Vec<&mut Value> = Vec::new();
        let updates = self.history.count();
        for change in self.history.entries_mut() {
            pinned.node(change.node);
            past.push(&mut change.before);
        }
        for (_, stream) in &mut self.streams {
            let said = [&stream.said.set, &stream.said.deleted];
            let nodes = said.iter().flat_map(|of| of.ones());
            nodes.for_each(|node| pinned.node(NodeRef(node as u32)));
            stream.update.entries.iter().for_each(|entry| pinned.node(entry.node));
            stream.update.current().into_iter().for_each(|node| pinned.node(node));
            stream.update.builder().forget_numbers();
            stream.update.builder().keys().for_each(|key| pinned.key(key));
            stream.update.builder().pointers().for_each(|node| pinned.node(node));
            roots.extend(stream.update.values_mut());
        }
        for (_, Subscription { binding, context, .. }) in &self.subscriptions {
            binding.node.into_iter().for_each(|node| pinned.node(node));
            binding.key.into_iter().for_each(|key| pinned.key(key));
            pinned.node(context.node);
            let keys = context.steps.iter().filter_map(|step| step.key);
            keys.for_each(|key| pinned.key(key));
        }
        self.surfaces.iter().for_each(|(_, surface)| surface.pin(&mut pinned));
        self.watchers.all_nodes().for_each(|node| pinned.node(node));
        self.update.builder().forget_numbers();
        let noted = past.len() * size_of::<Change>();
        let taken = noted + self.document.compact(roots, past, pinned);
        let has_too_much = taken > (self.document.settings.limits.bytes / 4).max(SLACK);
        let is_tight = self.document.size() > self.document.room() / 8 * 7;
        is_tight || (has_too_much && updates > 1)
    }
}
