//! Messages that arrive in chunks.

use super::{Applied, Store, rejected_result};
use crate::base::Diagnostic;
use crate::base::bit_set;
use crate::base::diagnostic::limit_diagnostics;
use crate::ham::chunk_target::ChunkTarget;
use crate::ham::history::{Cause, NO_REVISION, Revision};
use crate::ham::id::EntryOp;
use crate::ham::stream::{self, Stream};
use crate::ham::surface::message_text::HostEncoding;
use crate::ham::update::{Update, UpdateEntry};
use crate::ham::{apply, codes, update};

/// Results of chunks that were parsed together.
pub struct ChunkResults {
    /// Revision of each chunk's update; 0 if it was rejected.
    pub revisions: Vec<Revision>,
    /// Index of a chunk, and a diagnostic of it. Only the first diagnostics of each chunk are kept.
    pub diagnostics: Vec<(u32, Diagnostic)>,
}

impl ChunkResults {
    fn add(&mut self, applied: Applied) {
        let chunk = self.revisions.len() as u32;
        self.revisions.push(if applied.ok { applied.revision } else { 0 });
        for diagnostics in limit_diagnostics(applied.diagnostics) {
            self.diagnostics.push((chunk, diagnostics));
        }
    }
}

impl Store {
    /// Opens a stream and returns its handle. With `shows_partial_text` long texts are applied while
    /// they arrive.
    pub fn open_stream(&mut self, shows_partial_text: bool) -> usize {
        let stream = Stream::new(self.json_limits(), shows_partial_text);
        self.streams.insert(stream)
    }

    /// Parses the next chunk of a stream and applies the nodes that it completes.
    pub fn push(&mut self, handle: usize, chunk: &[u8], encoding: HostEncoding) -> Applied {
        match self.read_chunk(handle, chunk, encoding) {
            Err(rejected) => rejected,
            Ok(ReadChunk { entries, diagnostics }) => {
                let mut own_diagnostics = Vec::new();
                for (_, diagnostic) in diagnostics {
                    own_diagnostics.push(diagnostic);
                }
                let mut applied = self.apply_entries(handle, &entries, own_diagnostics);
                if applied.ok {
                    self.show_partial_text(handle, &mut applied);
                }
                if let Some(stream) = self.streams.get_mut(handle) {
                    stream.update.recycle_entries(entries);
                }
                applied
            }
        }
    }

    /// Parses adjacent chunks together, which is faster. `ends` contains the end offset of each
    /// chunk. Each chunk is an update, with the result that [`Store::push`] would have. Only the
    /// help of a syntax error may refer to later chunks.
    pub fn push_all(&mut self, handle: usize, text: &[u8], ends: &[u32]) -> ChunkResults {
        let mut pushed =
            ChunkResults { revisions: Vec::with_capacity(ends.len()), diagnostics: Vec::new() };
        let start = self.streams.get(handle).map_or(0, |stream| stream.reader.offset());
        if start + text.len() > self.document.settings.limits.bytes
            || self.may_exceed_capacity(text.len())
        {
            // Some of the chunks may be within the limits.
            chunks(text, ends)
                .for_each(|chunk| pushed.add(self.push(handle, chunk, HostEncoding::Bytes)));
            return pushed;
        }
        let ReadChunk { entries, mut diagnostics } =
            match self.read_chunk(handle, text, HostEncoding::Bytes) {
                Ok(read) => read,
                Err(rejected) => {
                    ends.iter().for_each(|_| pushed.add(rejected.clone()));
                    return pushed;
                }
            };
        let (mut ends, mut remaining) = (ends.iter(), entries.as_slice());
        if diagnostics.is_empty() && self.can_apply_simple(handle, remaining) {
            for end in ends.by_ref() {
                let own_entries = take_completed(&mut remaining, start + *end as usize);
                let revision = self.apply_simple(handle, own_entries);
                pushed.revisions.push(revision);
            }
        }
        let mut ended = false;
        for end in ends {
            let end = start + *end as usize;
            let own_entries = take_completed(&mut remaining, end);
            let mut own_diagnostics = Vec::new();
            while let Some(index) = diagnostics.iter().position(|(at, _)| *at as usize <= end) {
                own_diagnostics.push(diagnostics.remove(index).1);
            }
            let applied = match ended {
                false => self.apply_entries(handle, own_entries, own_diagnostics),
                true => rejected_result(vec![stream::stream_ended_error()]),
            };
            ended = !applied.ok;
            pushed.add(applied);
        }
        if let Some(stream) = self.streams.get_mut(handle) {
            stream.update.recycle_entries(entries);
        }
        pushed
    }

    /// Parses the next chunk of a stream. Fails if the stream has ended or does not exist.
    fn read_chunk(
        &mut self,
        handle: usize,
        chunk: &[u8],
        encoding: HostEncoding,
    ) -> Result<ReadChunk, Applied> {
        // The last chunk of a long list is short, but completes the whole list.
        let stream = self.streams.get_mut(handle);
        let open = stream.map_or(0, |stream| stream.update.builder().pending_size());
        self.begin_call(chunk.len() + open);
        let is_too_large = self.exceeds_capacity(chunk, open);
        let Some(stream) = self.streams.get_mut(handle).filter(|stream| !stream.ended) else {
            return Err(rejected_result(vec![stream::stream_ended_error()]));
        };
        if is_too_large {
            stream.ended = true;
            // Frees the open lists.
            stream.update = Update::default();
            return Err(rejected_result(vec![apply::size_limit_error(&self.document)]));
        }
        let start = stream.reader.offset();
        let mut target = ChunkTarget::new(&mut self.document, chunk);
        let mut sink = update::UpdateSink { update: &mut stream.update, target: &mut target };
        let result = stream.reader.feed(chunk, &mut sink);
        let end = start + chunk.len();
        let mut diagnostics = stream.update.take_diagnostics();
        if let Some(span) = stream.update.mixed_key {
            diagnostics.push((span.end as u32, mixed_keys_error().at(span)));
        }
        if let Err(error) = result {
            diagnostics.push((stream.reader.failed_at().unwrap_or(end).min(end) as u32, error));
        }
        // Stored even after an error, because incomplete values refer to the chunk.
        let stored = target.store(chunk);
        self.records.reset_for_message(encoding, chunk, stored);
        let entries = stream.update.take_entries();
        Ok(ReadChunk { entries, diagnostics })
    }

    /// Applies the entries that a chunk completed, unless there is an error.
    fn apply_entries(
        &mut self,
        handle: usize,
        entries: &[UpdateEntry],
        diagnostics: Vec<Diagnostic>,
    ) -> Applied {
        // Most chunks complete no node.
        if entries.is_empty() && diagnostics.is_empty() {
            return Applied { ok: true, revision: NO_REVISION, diagnostics };
        }
        let applied = match diagnostics.iter().any(Diagnostic::is_error) {
            true => rejected_result(diagnostics),
            false => {
                self.commit(entries, Some(handle), self.document.arena.checkpoint(), diagnostics)
            }
        };
        if let Some(stream) = self.streams.get_mut(handle) {
            stream.ended = !applied.ok;
        }
        applied
    }

    /// Returns whether the entries cause no diagnostic and no notification, in any grouping. Begins
    /// a message and marks all entries as set.
    fn can_apply_simple(&mut self, handle: usize, entries: &[UpdateEntry]) -> bool {
        let Some(stream) = self.streams.get(handle) else { return false };
        let document = &mut self.document;
        let max_nodes = document.settings.limits.nodes;
        let has_capacity =
            document.node_count() + entries.len() <= max_nodes && !document.is_full();
        document.begin_message(0);
        let is_new = |entry: &UpdateEntry| {
            entry.op == EntryOp::Upsert
                && !apply::looks_like_pointer(document, entry.value)
                && !stream.writes.set.contains(entry.node.0 as usize)
                && !document.mark_set(entry.node)
        };
        has_capacity && self.watchers.is_empty() && entries.iter().all(is_new)
    }

    /// Applies entries for which [`Store::can_apply_simple`] returned `true`. Returns the revision.
    fn apply_simple(&mut self, handle: usize, entries: &[UpdateEntry]) -> Revision {
        let Some(stream) = self.streams.get_mut(handle).filter(|_| !entries.is_empty()) else {
            return NO_REVISION;
        };
        // The history keeps the journal with its capacity.
        self.document.begin_message(entries.len());
        for entry in entries {
            bit_set::insert(&mut stream.writes.set, entry.node.0);
            self.document.set(entry.node, entry.value);
        }
        self.track_growth();
        self.history.record(self.document.end_update(), Cause::Update);
        self.history.last_revision()
    }

    /// Ends a stream and applies its last nodes.
    pub fn end(&mut self, handle: usize) -> Applied {
        self.begin_call(0);
        let Some(stream) = self.streams.get_mut(handle).filter(|stream| !stream.ended) else {
            return rejected_result(vec![stream::stream_ended_error()]);
        };
        stream.ended = true;
        let mut target = ChunkTarget::new(&mut self.document, b"");
        let mut sink = update::UpdateSink { update: &mut stream.update, target: &mut target };
        let result = stream.reader.finish(&mut sink);
        let mut diagnostics = std::mem::take(&mut stream.update.diagnostics);
        diagnostics.extend(result.err());
        target.store(b"");
        if diagnostics.iter().any(Diagnostic::is_error) {
            return rejected_result(diagnostics);
        }
        let entries = std::mem::take(&mut stream.update.entries);
        let checkpoint = self.document.arena.checkpoint();
        self.commit(&entries, Some(handle), checkpoint, diagnostics)
    }

    /// Frees the handle of a stream.
    pub fn close_stream(&mut self, handle: usize) {
        self.streams.try_remove(handle);
    }
}

/// Result of parsing one or more chunks.
struct ReadChunk {
    entries: Vec<UpdateEntry>,
    /// Byte offset at which each diagnostic was found, and the diagnostic.
    diagnostics: Vec<(u32, Diagnostic)>,
}

/// Removes the entries that end before an offset.
fn take_completed<'e>(entries: &mut &'e [UpdateEntry], end: usize) -> &'e [UpdateEntry] {
    let count = entries.iter().take_while(|entry| entry.end <= end).count();
    let (own_entries, remaining) = entries.split_at_checked(count).unwrap_or_default();
    *entries = remaining;
    own_entries
}

fn chunks<'t>(text: &'t [u8], ends: &'t [u32]) -> impl Iterator<Item = &'t [u8]> {
    let starts = std::iter::once(&0).chain(ends);
    starts
        .zip(ends)
        .map(|(start, end)| text.get(*start as usize..*end as usize).unwrap_or_default())
}

fn mixed_keys_error() -> Diagnostic {
    Diagnostic::new(codes::INVALID_ENVELOPE, "unexpected key next to `updateDataModel`")
        .help("send either the envelope alone, or nodes without an envelope")
}
