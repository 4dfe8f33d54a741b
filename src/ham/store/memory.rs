//! Compaction of a store's memory.

use super::{Store, Subscription};
use crate::ham::arena::{NodeRef, Value};
use crate::ham::document::NodeChange;
use crate::ham::list_text;
use crate::ham::live_ids::LiveIds;

/// Minimum garbage in bytes before the document is compacted, because copying the live values takes
/// as long as parsing them.
const MIN_GARBAGE_BYTES: usize = 4 << 20;

/// Maximum ratio of memory to message length: `0,` becomes a value of 16 bytes, and the text is
/// stored too.
const MAX_GROWTH_RATIO: usize = 9;

impl Store {
    /// Compacts the document if more than half of it may be garbage, or if a message of `incoming`
    /// bytes may exceed the capacity. Unused handles become invalid, so callers resolve names after
    /// this call.
    #[inline(always)]
    pub fn compact_if_needed(&mut self, incoming: usize) {
        let size = self.document.size();
        let live_size = self.compacted_size.saturating_add_signed(self.estimated_growth);
        let is_tight = self.may_exceed_capacity(incoming)
            && size.saturating_sub(self.compacted_size) > self.compacted_size / 16;
        if size.saturating_sub(live_size) > live_size + MIN_GARBAGE_BYTES || is_tight {
            self.compact_all();
        }
    }

    #[cold]
    #[inline(never)]
    fn compact_all(&mut self) {
        while self.compact() && self.history.drop_oldest_half() {}
        self.compacted_size = self.document.size();
        self.estimated_growth = 0;
    }

    /// Returns whether a message of this many bytes may exceed the capacity.
    #[inline(always)]
    pub fn may_exceed_capacity(&self, incoming: usize) -> bool {
        self.document.size() + incoming.saturating_mul(MAX_GROWTH_RATIO) > self.document.max_size()
    }

    /// Returns whether a message may need more memory than is left beside `open` bytes. Counts its values, because `0,`
    /// needs 16 times its length and a text once; a list exists twice while it is parsed. Characters
    /// in texts count too. A short message may exceed the capacity, because deletions free memory.
    pub fn exceeds_capacity(&self, message: &[u8], open: usize) -> bool {
        const PER_VALUE: usize = 32;
        const SHORT: usize = 1 << 20;
        if message.len() + open < SHORT || !self.may_exceed_capacity(message.len() + open) {
            return false;
        }
        let counts = b",:[{".iter().map(|byte| list_text::count_byte(*byte, message));
        let needed = message.len().saturating_add(counts.sum::<usize>().saturating_mul(PER_VALUE));
        (self.document.size() + open).saturating_add(needed) > self.document.max_size()
    }

    /// Adds the estimated growth of the current update in bytes.
    pub fn track_growth(&mut self) {
        for change in self.document.journal() {
            self.estimated_growth += self.document.estimated_size(self.document.value(change.node));
            self.estimated_growth -= self.document.estimated_size(change.before);
        }
    }

    /// Compacts the document. Returns whether the history must shrink: because the document is
    /// nearly full, or because the history occupies more than a quarter of the message limit. The
    /// history is copied on each compaction, during which the page blocks.
    fn compact(&mut self) -> bool {
        let mut live_ids = LiveIds::default();
        let mut roots: Vec<&mut Value> = Vec::new();
        let mut old_values: Vec<&mut Value> = Vec::new();
        let update_count = self.history.stored_count();
        for change in self.history.changes_mut() {
            live_ids.mark_node(change.node);
            old_values.push(&mut change.before);
        }
        for (_, stream) in &mut self.streams {
            let writes = [&stream.writes.set, &stream.writes.deleted];
            let nodes = writes.iter().flat_map(|of| of.ones());
            nodes.for_each(|node| live_ids.mark_node(NodeRef(node as u32)));
            stream.update.entries.iter().for_each(|entry| live_ids.mark_node(entry.node));
            stream.update.current_node().into_iter().for_each(|node| live_ids.mark_node(node));
            stream.update.builder().forget_ids();
            stream.update.builder().keys().for_each(|key| live_ids.mark_key(key));
            stream.update.builder().pointers().for_each(|node| live_ids.mark_node(node));
            roots.extend(stream.update.values_mut());
        }
        for (_, Subscription { binding, context, .. }) in &self.subscriptions {
            binding.node.into_iter().for_each(|node| live_ids.mark_node(node));
            binding.key.into_iter().for_each(|key| live_ids.mark_key(key));
            live_ids.mark_node(context.node);
            let keys = context.steps.iter().filter_map(|step| step.key);
            keys.for_each(|key| live_ids.mark_key(key));
        }
        self.surfaces.iter().for_each(|(_, surface)| surface.mark_live(&mut live_ids));
        self.watchers.watched_nodes().for_each(|node| live_ids.mark_node(node));
        self.update.builder().forget_ids();
        let change_bytes = old_values.len() * size_of::<NodeChange>();
        let history_bytes = change_bytes + self.document.compact(roots, old_values, live_ids);
        let history_too_large =
            history_bytes > (self.document.settings.limits.bytes / 4).max(MIN_GARBAGE_BYTES);
        let may_exceed_capacity = self.document.size() > self.document.max_size() / 8 * 7;
        may_exceed_capacity || (history_too_large && update_count > 1)
    }
}
