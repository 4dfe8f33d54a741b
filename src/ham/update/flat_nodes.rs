//! Fast path of a message: nodes that are flat maps, which are parsed without the JSON reader.

use super::{MessageForm, ParserPosition, Update, UpdateEntry};
use crate::base::Span;
use crate::base::json;
use crate::ham::arena::NodeRef;
use crate::ham::chunk_target::ChunkTarget;
use crate::ham::id::EntryOp;
use crate::ham::interner::has_simple_start;
use memchr::memchr;

/// Maximum length in bytes that is searched for the end of a flat map.
const MAX_FLAT_MAP_BYTES: usize = 1024;

impl Update {
    /// Parses nodes that are flat maps like the previous one. See [`Sink::take_entries`].
    pub(super) fn parse_flat_nodes(
        &mut self,
        target: &mut ChunkTarget<'_>,
        chunk: &[u8],
        at: usize,
        offset: usize,
    ) -> Option<usize> {
        let is_node = matches!(self.position, ParserPosition::Nodes)
            || matches!(
                (self.position, self.form),
                (ParserPosition::Top, MessageForm::Nodes | MessageForm::Unknown)
            );
        if !is_node || self.builder.is_open() || target.document.pointer_separator.is_none() {
            return None;
        }
        // Most chunks of a stream end before the map does.
        let rest = chunk.get(at..)?;
        memchr(b'}', rest.get(..MAX_FLAT_MAP_BYTES).unwrap_or(rest))?;
        let mut at = at;
        let mut parsed_end = None;
        while chunk.get(at) == Some(&b'"') {
            let Some((node, key_end)) = self.parse_simple_id(target, chunk, at) else { break };
            let Some(start) = json::skip_punctuation(chunk, key_end, b':') else { break };
            if chunk.get(start) != Some(&b'{') {
                break;
            }
            let Some((value, end)) = self.builder.parse_flat_map(target, chunk, start) else {
                break;
            };
            if self.form == MessageForm::Unknown {
                self.start_without_envelope(offset + key_end);
            }
            self.predicted_node = node.0 + 1;
            let span = Span::new(offset + at, offset + key_end);
            self.entries.push(UpdateEntry {
                op: EntryOp::Upsert,
                node,
                value,
                span,
                end: offset + end,
            });
            parsed_end = Some(end);
            let Some(next) = json::skip_punctuation(chunk, end, b',') else { break };
            at = next;
        }
        parsed_end
    }

    /// Returns the node whose simple id is at `at`, and the offset after it.
    #[inline(always)]
    fn parse_simple_id(
        &self,
        target: &mut ChunkTarget<'_>,
        chunk: &[u8],
        at: usize,
    ) -> Option<(NodeRef, usize)> {
        let is_first = self.form == MessageForm::Unknown;
        if !is_first
            && let Some(end) = json::match_key(chunk, at, target.simple_id(self.predicted_node))
        {
            return Some((NodeRef(self.predicted_node), end));
        }
        let end = json::ascii_string_end(chunk, at + 1)?;
        let id = chunk.get(at + 1..end)?;
        let names_form = is_first && matches!(id, b"updateDataModel" | b"version");
        if names_form || !has_simple_start(id) {
            return None;
        }
        Some((target.document.node(id), end + 1))
    }
}
