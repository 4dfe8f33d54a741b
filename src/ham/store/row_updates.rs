//! Fast path for updates of existing flat maps with unchanged keys ("rows"), which most messages
//! consist of. Parses, applies and emits them in one pass. Returns without a change if the message
//! contains anything else; then the general path parses it from the start.

use super::rows::{ExpectedMessage, RowBatch, RowObserver};
use super::{Applied, Store, rejected_result};
use crate::base::bytes::same;
use crate::base::json::{ascii_string_end, duplicate_key, is_space, skip_punctuation};
use crate::base::{Diagnostic, DiagnosticSink, Span};
use crate::ham::arena::{NodeRef, Value};
use crate::ham::builder::{ChangedRow, MapUpdate};
use crate::ham::chunk_target::{ChunkTarget, StoredChunk};
use crate::ham::document::Document;
use crate::ham::history::Cause;
use crate::ham::surface::flush;
use crate::ham::surface::message_text::HostEncoding;
use crate::ham::surface::record::RecordOp;

/// Maximum length of a message in bytes; a longer one would cost more if it has to be parsed twice.
const MAX_MESSAGE_BYTES: usize = 1 << 16;

/// Start of a row in the message.
struct RowStart {
    /// Span of the key.
    key: Span,
    /// Offset of the brace that opens the map.
    map: usize,
    node: NodeRef,
}

impl Store {
    /// Applies a message of row updates. Returns `None`, with nothing changed, for other messages.
    pub(super) fn apply_row_updates(
        &mut self,
        message: &[u8],
        encoding: HostEncoding,
        expected: ExpectedMessage<'_>,
    ) -> Option<Applied> {
        let (start, closing) = self.envelope_prefix.find_rows(message, expected)?;
        let limits = self.document.settings.limits;
        let is_supported =
            self.document.pointer_separator.is_some() && limits.depth > closing.len();
        if !is_supported || message.len() > limits.bytes.min(MAX_MESSAGE_BYTES) {
            return None;
        }
        let checkpoint = self.document.arena.checkpoint();
        self.document.begin_message(0);
        self.rows.clear();
        let mut diagnostics = Vec::new();
        let read_result = self.read_rows(message, start, closing, &mut diagnostics);
        let Some(stored) = read_result.filter(|_| !self.document.is_full()) else {
            if !self.document.journal().is_empty() {
                self.document.roll_back();
            }
            self.document.arena.truncate(checkpoint);
            return None;
        };
        if !diagnostics.is_empty() {
            // A row that is set twice may have its old value again.
            self.document.prune_journal();
        }
        self.records.reset_for_message(encoding, message, stored);
        match self.rows.needs_full_notify {
            true => {
                if let Err(error) = self.notify_watchers(&mut diagnostics) {
                    self.document.arena.truncate(checkpoint);
                    diagnostics.push(error);
                    return Some(rejected_result(diagnostics));
                }
            }
            false => self.emit_rows(),
        }
        self.history.record(self.document.end_update(), Cause::Update);
        Some(Applied { ok: true, revision: self.history.last_revision(), diagnostics })
    }

    /// Parses all rows from `start` to `closing` and sets those that changed. Reports duplicates.
    /// Returns the stored chunk, or `None` if there is anything else.
    #[inline(always)]
    fn read_rows(
        &mut self,
        message: &[u8],
        start: usize,
        closing: &[u8],
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<StoredChunk> {
        let mut target = ChunkTarget::new(&mut self.document, message);
        let mut at = start;
        loop {
            let RowStart { key, map, node } = find_row(target.document, message, at)?;
            let mut old_value = target.document.value(node);
            if target.document.mark_set(node) {
                diagnostics.report(duplicate_key(target.document.id(node), key));
                old_value = revert_row(target.document, &mut self.rows.rows, node);
            }
            let Value::Map(old_map) = old_value else { return None };
            let builder = self.update.builder();
            let update = builder.parse_map_update(&mut target, message, map, old_map)?;
            let MapUpdate { map, changed, has_references, end } = update;
            if changed != 0 {
                target.document.replace(node, Value::Map(map));
                self.rows.rows.push(ChangedRow { map, changed });
                self.rows.needs_full_notify |= has_references;
                for owner in self.watchers.owners(node) {
                    self.rows.add_observer(
                        owner,
                        node,
                        &target.document.arena.shapes,
                        &self.surfaces,
                    );
                }
            }
            match skip_punctuation(message, end, b',') {
                Some(next) => at = next,
                None if ends_with(message.get(end..)?, closing) => {
                    return Some(target.store(message));
                }
                None => return None,
            }
        }
    }

    /// Emits the changed fields of all observers, by surface, then by depth.
    #[inline(always)]
    fn emit_rows(&mut self) {
        let RowBatch { rows, observers, .. } = &mut self.rows;
        self.records.drop_source_if_sparse(rows.len());
        if observers.len() > 1 {
            // The depth fits into 8 bits, see `MAX_DEPTH`.
            observers.sort_unstable_by_key(|each| (each.surface, each.depth, each.instance));
        }
        let mut current_surface = None;
        for RowObserver { row, surface: surface_id, instance, component, .. } in observers {
            let Some(surface) = self.surfaces.get(*surface_id as usize) else { continue };
            let component = surface.tree.component(*component);
            let Some(fields) = component.and_then(|it| it.flat_fields.as_deref()) else { continue };
            // The row may have been reverted.
            let row = rows.get(*row as usize).filter(|row| row.changed != 0);
            let Some(row) = row else { continue };
            if current_surface != Some(*surface_id) {
                self.records.push_op(RecordOp::Surface, [*surface_id]);
                current_surface = Some(*surface_id);
            }
            let (document, records) = (&self.document, &mut self.records);
            flush::changed_fields(fields, &document.arena.shapes, row, |prop, slot| {
                let value = document.arena.value(row.map, slot).unwrap_or(Value::Missing);
                records.push_op(RecordOp::Set, [*instance, prop]);
                records.push_scalar(document.current_view(), value);
            });
        }
    }
}

/// Reverts the change of a row that is set again. Returns its old value.
#[cold]
#[inline(never)]
fn revert_row(document: &mut Document, rows: &mut [ChangedRow], node: NodeRef) -> Value {
    let old_value = document.previous_view().value(node);
    let Value::Map(map) = document.value(node) else { return old_value };
    // Rows are sorted, because later maps have larger offsets.
    let index = rows.binary_search_by_key(&map.start, |row| row.map.start);
    if let Some(row) = index.ok().and_then(|index| rows.get_mut(index)) {
        row.changed = 0;
        document.replace(node, old_value);
    }
    old_value
}

/// Parses the key at `at` and the opening brace of its map. Returns `None` if there is something
/// else, or no existing node with this simple id.
#[inline(always)]
fn find_row(document: &Document, message: &[u8], at: usize) -> Option<RowStart> {
    if message.get(at) != Some(&b'"') {
        return None;
    }
    let end = ascii_string_end(message, at + 1)?;
    let map =
        skip_punctuation(message, end + 1, b':').filter(|at| message.get(*at) == Some(&b'{'))?;
    let (ids, id) = (&document.ids, message.get(at + 1..end)?);
    let mut node = ids.likely_handle(id);
    if !same(ids.simple_name(node), id) {
        node = ids.find(id)?;
    }
    let is_simple = !ids.simple_name(node).is_empty();
    is_simple.then_some(RowStart { key: Span::new(at, end + 1), map, node: NodeRef(node) })
}

/// Returns whether only the closing braces and white space remain.
#[inline(always)]
fn ends_with(rest: &[u8], closing: &[u8]) -> bool {
    same(rest, closing) || rest.iter().filter(|byte| !is_space(**byte)).eq(closing)
}
