//! Texts of a stream that are applied while they arrive.

use super::{Applied, Store};
use crate::base::Diagnostic;
use crate::base::json;
use crate::ham::arena::{NodeRef, TextRef, Value};
use crate::ham::history::Cause;
use crate::ham::node_edit::{append_text, set_properties};
use crate::ham::shape::KeyRef;
use crate::ham::stream::PartialText;

/// Length in bytes up to which a text is applied only when it is complete.
const MAX_SHORT_TEXT_BYTES: usize = 32;

impl Store {
    /// Applies the part of a text that the last chunk has added, if the chunk ended inside of the
    /// text of a node or property.
    #[cold]
    #[inline(never)]
    pub(super) fn show_partial_text(&mut self, handle: usize, applied: &mut Applied) {
        let Some(added) = self.read_partial_text(handle) else { return };
        let Some(stream) = self.streams.get_mut(handle) else { return };
        let Some((node, key)) = stream.update.text_target() else { return };
        let mut properties = stream.update.builder().open_properties();
        let earlier = stream.partial_text.take().filter(|partial| partial.node == node);
        let shown = self.displayed_text(node, key).filter(|_| added.is_continued);
        let text = match shown {
            Some(text) => append_text(&mut self.document, text, added.text),
            None => Value::Text(added.text),
        };
        let value = match key {
            None => text,
            Some(key) => {
                // Other properties stay until the new map is complete.
                let map = match self.document.value(node) {
                    Value::Map(map) => Some(map),
                    _ => None,
                };
                properties.push((key, text));
                set_properties(&mut self.document, map, &properties)
            }
        };
        self.document.set(node, value);
        // A text that mounts too many instances is rejected when it is complete.
        let Ok(mut diagnostics) = self.notify_update() else { return };
        self.record_partial(node, earlier.map(|partial| partial.revision));
        applied.diagnostics.append(&mut diagnostics);
        applied.revision = self.history.last_revision();
        let len = self.displayed_text(node, key).map_or(0, |text| text.len);
        if let Some(stream) = self.streams.get_mut(handle) {
            let AddedText { start, consumed, .. } = added;
            let revision = applied.revision;
            stream.partial_text = Some(PartialText { start, consumed, len, node, revision });
        }
    }

    /// Decodes the part of the open text that was not applied before. Returns `None` if the text is
    /// short, is a pointer, has no new complete character, or may not be added.
    #[cold]
    #[inline(never)]
    fn read_partial_text(&mut self, handle: usize) -> Option<AddedText> {
        let stream = self.streams.get(handle).filter(|each| each.shows_partial_text)?;
        let (start, raw) = stream.reader.open_string()?;
        let (node, key) = stream.update.text_target()?;
        if raw.len() <= MAX_SHORT_TEXT_BYTES
            || self.document.is_full()
            || self.is_beyond_node_limit(node)
            || stream.repeated_at == Some(start)
        {
            return None;
        }
        let shown = self.displayed_text(node, key);
        let shown_len = shown.map(|text| text.len);
        let is_continued = |partial: &&PartialText| {
            partial.start == start && partial.node == node && Some(partial.len) == shown_len
        };
        let from = stream.partial_text.as_ref().filter(is_continued).map(|each| each.consumed);
        let new = raw.get(from.unwrap_or_default()..)?;
        let new = new.get(..json::complete_prefix_len(new)).filter(|new| !new.is_empty())?;
        let consumed = from.unwrap_or_default() + new.len();
        let mut decoded = Vec::new();
        json::unescape(new, 0, &mut decoded).ok()?;
        let text = std::str::from_utf8(&decoded).ok()?;
        // A text that is sent again would shrink and grow.
        if from.is_none()
            && shown.is_some_and(|shown| self.document.arena.bytes(shown).starts_with(&decoded))
        {
            self.streams.get_mut(handle)?.repeated_at = Some(start);
            return None;
        }
        let sigil = self.document.settings.sigil.as_str();
        if from.is_none() && key.is_some() && text.starts_with(sigil) {
            return None;
        }
        let Value::Text(text) = self.document.arena.push_text(text) else { return None };
        Some(AddedText { start, consumed, text, is_continued: from.is_some() })
    }

    /// Returns whether a node would exceed the limit of nodes. Its complete text is rejected.
    fn is_beyond_node_limit(&self, node: NodeRef) -> bool {
        let is_new = self.document.value(node).is_missing();
        is_new && self.document.node_count() >= self.document.settings.limits.nodes
    }

    /// Returns the text of a node or of its property.
    fn displayed_text(&self, node: NodeRef, key: Option<KeyRef>) -> Option<TextRef> {
        let value = match (self.document.value(node), key) {
            (Value::Map(map), Some(key)) => self.document.arena.property(map, key)?,
            (value, _) => value,
        };
        if let Value::Text(text) = value { Some(text) } else { None }
    }

    /// Finishes an update of a stream. The last part of a text that was applied while it arrived
    /// belongs to the undo step of its first part.
    #[cold]
    #[inline(never)]
    pub(super) fn finish_stream_update(
        &mut self,
        handle: usize,
    ) -> Result<Vec<Diagnostic>, Diagnostic> {
        let diagnostics = self.notify_update()?;
        // Incomplete values of the stream refer to its earlier chunks.
        self.document.compress_changes(None, true);
        let partial = self.streams.get_mut(handle).and_then(|stream| stream.partial_text.take());
        match partial {
            Some(PartialText { node, revision, .. }) => self.record_partial(node, Some(revision)),
            None => self.history.record(self.document.end_update(), Cause::Update),
        }
        Ok(diagnostics)
    }

    /// Records the current update, without the change of a node that an earlier revision contains,
    /// unless there was another update since.
    #[cold]
    #[inline(never)]
    fn record_partial(&mut self, node: NodeRef, revision: Option<u32>) {
        let is_same_step = revision == Some(self.history.last_revision());
        let journal = self.document.end_update();
        if is_same_step {
            journal.retain(|change| change.node != node);
            if journal.is_empty() {
                return;
            }
        }
        self.history.record(journal, Cause::Update);
    }
}

/// Part of a text that has not been applied.
struct AddedText {
    /// Byte offset of the string in the text of the stream.
    start: usize,
    /// Raw bytes of the string up to the end of this part.
    consumed: usize,
    text: TextRef,
    /// Whether it continues a part that was applied.
    is_continued: bool,
}
