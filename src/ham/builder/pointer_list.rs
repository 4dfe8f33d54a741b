//! Fast path for lists of pointers: parses many items at once.

use super::{Builder, PendingPointer};
use crate::base::bytes::same;
use crate::base::json;
use crate::ham::chunk_target::ChunkTarget;
use crate::ham::document::Document;
use crate::ham::interner::has_simple_start;

/// Maximum number of pointers that are looked up together.
const MAX_LOOKUP_BATCH: usize = 64;

impl Builder {
    /// Parses pointers of the innermost list, as long as they repeat the text of the last long list
    /// or have simple ids. See [`json::Sink::take_items`].
    pub fn take_items(&mut self, target: &mut ChunkTarget<'_>, text: &[u8]) -> Option<usize> {
        if !self.in_pointer_list() {
            return None;
        }
        let last = self.pointers.last().copied();
        if let Some((nodes, end)) = self.last_list.match_items(text, last) {
            self.pointers.extend_from_slice(nodes);
            self.predicted_node = self.pointers.last().map_or(0, |node| node + 1);
            return Some(end);
        }
        self.parse_simple_pointers(target.document, text)
    }

    /// Parses pointers with simple ids.
    fn parse_simple_pointers(&mut self, document: &mut Document, text: &[u8]) -> Option<usize> {
        let pointer_separator = document.pointer_separator.as_deref()?;
        let (item_start, separator_len) = (pointer_separator.get(2..)?, pointer_separator.len());
        if !text.starts_with(item_start) {
            return None;
        }
        let mut parsed_end = None;
        let mut at = item_start.len();
        // Doubles with each wrong prediction.
        let mut batch_size = 1;
        loop {
            let predicted = document.ids.simple_name(self.predicted_node);
            let end = if predicted.is_empty() {
                // The predicted node does not exist. New ids are usually followed by more new ids.
                self.parse_new_pointer(document, text, at)
            } else if is_quoted(text, at, predicted) {
                batch_size = 1;
                self.pointers.push(self.predicted_node);
                Some(at + predicted.len())
            } else {
                let end = self.parse_pointer_batch(document, text, at, batch_size);
                batch_size = (2 * batch_size).min(MAX_LOOKUP_BATCH);
                end
            };
            let Some(end) = end else { break };
            self.predicted_node = self.pointers.last().map_or(0, |node| node + 1);
            parsed_end = Some(end + 1);
            at = end + separator_len;
            // Matching the last list is faster.
            if self.last_list.can_match() || !is_separator(document, text.get(end..at)) {
                break;
            }
        }
        parsed_end
    }

    /// Parses a pointer to a node that is probably new. Returns the offset after its id.
    #[inline(always)]
    fn parse_new_pointer(
        &mut self,
        document: &mut Document,
        text: &[u8],
        at: usize,
    ) -> Option<usize> {
        let end = json::ascii_string_end(text, at)?;
        let id = text.get(at..end).filter(|id| has_simple_start(id))?;
        self.pointers.push(document.node(id).0);
        Some(end)
    }

    /// Parses at most `batch_size` pointers with simple ids. Returns the offset after the last id.
    /// Each step of the lookup is done for the whole batch, so that cache misses overlap.
    #[inline(never)]
    fn parse_pointer_batch(
        &mut self,
        document: &mut Document,
        text: &[u8],
        at: usize,
        batch_size: usize,
    ) -> Option<usize> {
        let mut at = at;
        self.lookup_batch.clear();
        while self.lookup_batch.len() < batch_size {
            let Some(end) = json::unescaped_string_end(text, at) else { break };
            let Some(id) = text.get(at..end).filter(|id| has_simple_start(id)) else { break };
            self.lookup_batch.push(PendingPointer {
                id_range: at..end,
                likely_node: document.ids.likely_handle(id),
            });
            at = end + document.pointer_separator.as_deref().map_or(0, <[u8]>::len);
            if !is_separator(document, text.get(end..at)) {
                break;
            }
        }
        self.lookup_batch.iter().for_each(|pointer| document.ids.prefetch(pointer.likely_node));
        self.lookup_batch
            .iter()
            .for_each(|pointer| document.ids.prefetch_name(pointer.likely_node));
        let mut parsed_end = None;
        for PendingPointer { id_range, likely_node } in &self.lookup_batch {
            let id_bytes = text.get(id_range.clone()).unwrap_or_default();
            let node = match *likely_node {
                node if same(document.ids.simple_name(node), id_bytes) => node,
                _ if id_bytes.is_ascii() => document.node(id_bytes).0,
                // The UTF-8 of this id has not been validated yet.
                _ => break,
            };
            self.pointers.push(node);
            parsed_end = Some(id_range.end);
        }
        parsed_end
    }
}

/// Returns whether the text at `at` is this id and a closing quote.
#[inline(always)]
fn is_quoted(text: &[u8], at: usize, id: &[u8]) -> bool {
    let end = at + id.len();
    text.get(end) == Some(&b'"') && text.get(at..end).is_some_and(|found| same(found, id))
}

#[inline(always)]
fn is_separator(document: &Document, text: Option<&[u8]>) -> bool {
    text.zip(document.pointer_separator.as_deref())
        .is_some_and(|(found, pointer_separator)| same(found, pointer_separator))
}
