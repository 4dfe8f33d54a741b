//! RowBatch that come again: nodes that are there, each a flat map with the keys that it has. Most messages
//! say nothing else, so these are read, applied and told in one go. Where anything about a message is
//! unusual, nothing has happened, and it is read from its start as any other.

use super::rows::{ExpectedMessage, PrefetchedRow, RowBatch, RowObserver};
use super::{Applied, Store};
use crate::base::bytes::same;
use crate::base::json::{duplicate_key, is_space, plain_end, skip_punctuation};
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

/// Larger messages are read as any other: they may hold anything, and would be read twice in vain.
const MAX_MESSAGE_BYTES: usize = 1 << 16;

/// So many rows are looked up at once.
const BATCH: usize = 64;

impl Store {
    /// Applies a message of rows that come again; nothing where it is another one.
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
            // What was set twice may be what it was.
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

    /// Reads all rows from `start` up to `closing` and sets those that are others; nothing where there is
    /// anything else. Tells of those that come twice, and answers what was kept of the message.
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
        // Mostly there is no second one; and where the first does not come again, no more are looked for.
        let (mut at, mut batch_size) = (start, 1);
        loop {
            // All are read that were looked up, or a row begins where it was not guessed to.
            if prefetched.get(next).is_none_or(|row| row.start != at) {
                prefetch_rows(target.document, &self.watchers, message, at, batch_size, prefetched);
                (next, batch_size) = (0, BATCH);
            }
            let PrefetchedRow { start, end, map, node, mut old_value } = *prefetched.get(next)?;
            next += 1;
            if target.document.mark_set(node) {
                let key = Span::new(start, end + 1);
                diagnostics.report(duplicate_key(target.document.id(node), key));
                old_value = revert_row(target.document, &mut self.rows.rows, node);
            }
            let Value::Map(old_value) = old_value else { return None };
            let builder = self.update.builder();
            let update = builder.parse_map_update(&mut target, message, map, old_value)?;
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

    /// Tells those who were noted, the surfaces one after the other, and what stands higher first.
    #[inline(always)]
    fn emit_rows(&mut self) {
        let RowBatch { rows, observers, .. } = &mut self.rows;
        self.records.drop_sparse_source(rows.len());
        if observers.len() > 1 {
            // Nothing stands deeper than a byte can say, see `MAX_DEPTH`.
            observers.sort_by_key(|&each| each.instance);
            observers.sort_by_key(|&each| each.surface << 8 | u32::from(each.depth));
        }
        let mut current_surface = None;
        for RowObserver { row, surface: surface_id, instance, component, .. } in observers {
            let Some(surface) = self.surfaces.get(*surface_id as usize) else { continue };
            let component = surface.tree.component(*component);
            let Some(fields) = component.and_then(|it| it.flat_fields.as_deref()) else { continue };
            // It may have been taken back.
            let row = rows.get(*row as usize).filter(|row| row.changed != 0);
            let Some(row) = row else { continue };
            if current_surface != Some(*surface_id) {
                self.records.op(RecordOp::Surface, [*surface_id]);
                current_surface = Some(*surface_id);
            }
            let (document, records) = (&self.document, &mut self.records);
            flush::changed_fields(fields, &document.arena.shapes, row, |prop, slot| {
                let map = document.arena.value(row.map, slot).unwrap_or(Value::Missing);
                records.op(RecordOp::Set, [*instance, prop]);
                records.value(document.current_view(), map, None);
            });
        }
    }
}

/// Takes back what the message has said of a node, for it says it again. Answers what the node is then.
#[cold]
#[inline(never)]
fn revert_row(document: &mut Document, rows: &mut [ChangedRow], node: NodeRef) -> Value {
    let old_value = document.previous_view().value(node);
    let Value::Map(map) = document.value(node) else { return old_value };
    // MapChange that come later stand further behind.
    let index = rows.binary_search_by_key(&map.start, |row| row.map.start);
    if let Some(row) = index.ok().and_then(|index| rows.get_mut(index)) {
        row.changed = 0;
        document.replace(node, old_value);
    }
    old_value
}

/// Looks up the row that begins at `at`, and those that seem to follow it, up to `most`. All that can be
/// known before a row is read is found for many of them at once, so that memory is waited for once.
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
    // Each step fetches what the one before has found the place of, for all rows.
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

/// The row whose key opens at `at`, if a node that is there is named and a map stands there.
#[inline(always)]
fn parse_row_start(message: &[u8], at: usize) -> Option<PrefetchedRow> {
    if message.get(at) != Some(&b'"') {
        return None;
    }
    let end = plain_end(message, at + 1)?;
    let map =
        skip_punctuation(message, end + 1, b':').filter(|at| message.get(*at) == Some(&b'{'))?;
    Some(PrefetchedRow { start: at, end, map, node: NodeRef(0), old_value: Value::Missing })
}

/// Where the row behind one that goes on at `at` seems to begin: the brace may stand in a text.
#[inline(always)]
fn next_row_start(message: &[u8], at: usize) -> Option<usize> {
    let rest = message.get(at..)?;
    let close = memchr(b'}', rest)?;
    skip_punctuation(message, at + close + 1, b',')
}

/// Whether nothing comes but what closes the message.
#[inline(always)]
fn ends_with(rest: &[u8], closing: &[u8]) -> bool {
    same(rest, closing) || rest.iter().filter(|byte| !is_space(**byte)).eq(closing)
}
