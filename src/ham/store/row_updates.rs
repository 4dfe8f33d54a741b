//! Fast path for updates of existing flat maps with unchanged keys ("rows"), which most messages
//! consist of. Parses, applies and emits them in one pass. Returns without a change if the message
//! contains anything else; then the general path parses it from the start.

use super::rows::{ExpectedMessage, PrefetchedRow, RowBatch, RowObserver};
use super::{Applied, Store};
use crate::base::bytes::same;
use crate::base::json::{ascii_string_end, duplicate_key, is_space, skip_punctuation};
use crate::base::{Diagnostic, DiagnosticSink, Span};
use crate::ham::arena::{NodeRef, Value};
use crate::ham::builder::{ChangedRow, MapUpdate};
use crate::ham::chunk_target::{ChunkTarget, StoredChunk};
use crate::ham::dependencies::Dependencies;
use crate::ham::document::Document;
use crate::ham::history::Cause;
use crate::ham::surface::flush;
use crate::ham::surface::message_text::HostEncoding;
use crate::ham::surface::record::RecordOp;
use memchr::memchr;

/// Maximum length of a message in bytes; a longer one would cost more if it has to be parsed twice.
const MAX_MESSAGE_BYTES: usize = 1 << 16;

/// Number of rows that are looked up together.
const MAX_BATCH: usize = 64;

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
            true => self.notify_watchers(&mut diagnostics),
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
        let (prefetched, mut next) = (&mut self.prefetched, 0);
        prefetched.clear();
        // Most messages have one row. If it is not an update, no more rows are looked up.
        let (mut at, mut batch_size) = (start, 1);
        loop {
            // The batch is finished, or a row does not begin at the predicted offset.
            if prefetched.get(next).is_none_or(|row| row.start != at) {
                prefetch_rows(target.document, &self.watchers, message, at, batch_size, prefetched);
                (next, batch_size) = (0, MAX_BATCH);
            }
            let PrefetchedRow { start, end, map, node, mut old_value } = *prefetched.get(next)?;
            next += 1;
            if target.document.mark_set(node) {
                let key = Span::new(start, end + 1);
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
                self.records.op(RecordOp::Surface, [*surface_id]);
                current_surface = Some(*surface_id);
            }
            let (document, records) = (&self.document, &mut self.records);
            flush::changed_fields(fields, &document.arena.shapes, row, |prop, slot| {
                let value = document.arena.value(row.map, slot).unwrap_or(Value::Missing);
                records.op(RecordOp::Set, [*instance, prop]);
                records.value(document.current_view(), value, None);
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

/// Looks up the row at `at` and at most `batch_size` rows that seem to follow. All rows are
/// prefetched together, so that cache misses overlap.
#[inline(never)]
fn prefetch_rows(
    document: &Document,
    watchers: &Dependencies,
    message: &[u8],
    at: usize,
    batch_size: usize,
    prefetched: &mut Vec<PrefetchedRow>,
) {
    prefetched.clear();
    let (ids, arena, mut next) = (&document.ids, &document.arena, Some(at));
    let id = |row: &PrefetchedRow| message.get(row.start + 1..row.end).unwrap_or_default();
    while let Some(row) = next.and_then(|at| parse_row_start(message, at)) {
        prefetched.push(row);
        next = None;
        if prefetched.len() < batch_size {
            next = next_row_start(message, row.map);
        }
    }
    for row in prefetched.iter_mut() {
        row.node = NodeRef(ids.likely(id(row)));
    }
    // Each step loads, for all rows, what the previous step has located.
    for row in prefetched.iter_mut() {
        row.old_value = document.value(row.node);
        ids.prefetch(row.node.0);
        watchers.prefetch(row.node);
    }
    for row in prefetched.iter() {
        ids.prefetch_name(row.node.0);
        watchers.prefetch_first(row.node);
        arena.prefetch(row.old_value);
    }
    for row in prefetched.iter() {
        arena.prefetch_texts(row.old_value);
    }
    let resolves = |row: &mut PrefetchedRow| {
        let id = id(row);
        if !same(ids.simple(row.node.0), id) {
            row.node = NodeRef(ids.find(id).unwrap_or(u32::MAX));
            row.old_value = document.value(row.node);
        }
        !ids.simple(row.node.0).is_empty()
    };
    let resolved = prefetched.iter_mut().map(resolves).take_while(|resolves| *resolves).count();
    prefetched.truncate(resolved);
}

/// Parses the key at `at` and the opening brace of its map.
#[inline(always)]
fn parse_row_start(message: &[u8], at: usize) -> Option<PrefetchedRow> {
    if message.get(at) != Some(&b'"') {
        return None;
    }
    let end = ascii_string_end(message, at + 1)?;
    let map =
        skip_punctuation(message, end + 1, b':').filter(|at| message.get(*at) == Some(&b'{'))?;
    Some(PrefetchedRow { start: at, end, map, node: NodeRef(0), old_value: Value::Missing })
}

/// Guesses the start of the next row. The brace may be inside a string.
#[inline(always)]
fn next_row_start(message: &[u8], at: usize) -> Option<usize> {
    let rest = message.get(at..)?;
    let close = memchr(b'}', rest)?;
    skip_punctuation(message, at + close + 1, b',')
}

/// Returns whether only the closing braces and white space remain.
#[inline(always)]
fn ends_with(rest: &[u8], closing: &[u8]) -> bool {
    same(rest, closing) || rest.iter().filter(|byte| !is_space(**byte)).eq(closing)
}
