//! Stores: a document with its history, subscriptions, streams and surfaces.

mod differences;
mod memory;
mod notify;
mod partial_text;
mod row_updates;
mod rows;
mod streams;
mod subscription;
mod surfaces;
mod version;

pub use self::streams::ChunkResults;
pub use self::surfaces::DataOwner;

use self::rows::{EnvelopePrefix, ExpectedMessage, RowBatch};
use self::version::Version;
use super::arena::{ArenaCheckpoint, NodeRef, Value};
use super::binding::{self, Binding, Context};
use super::chunk_target::ChunkTarget;
use super::dependencies::{Dependencies, WatcherId};
use super::document::{Document, NodeChange, StoreSettings};
use super::history::{Cause, History, Revision};
use super::read::{self, Reading};
use super::stream::Stream;
use super::surface::Surface;
use super::surface::flush::AffectedInstance;
use super::surface::message_text::HostEncoding;
use super::surface::record::UpdateRecords;
use super::update::{self, MessageForm, Update};
use super::write::WriteSource;
use super::{apply, check, convert, export, list_text, write};
use crate::base::Diagnostic;
use crate::base::json::{self, Reader};
use crate::base::map::IntMap;
use crate::base::value::Value as Json;
use slab::Slab;

/// A document with its history, streams, subscriptions and surfaces.
pub struct Store {
    pub document: Document,
    history: History,
    watchers: Dependencies,
    subscriptions: Slab<Subscription>,
    surfaces: Slab<Surface>,
    streams: Slab<Stream>,
    /// Changes of the last call, for listeners.
    pub records: UpdateRecords,
    /// Size of the document in bytes after the last compaction.
    compacted_size: usize,
    /// Estimated growth of the live values in bytes since then.
    estimated_growth: isize,
    /// Reader of complete messages, reused for its memory.
    reader: Reader,
    update: Update,
    /// Scratch of `notify_watchers`.
    affected: Vec<AffectedInstance>,
    /// Scratch of `apply_row_updates`.
    rows: RowBatch,
    envelope_prefix: EnvelopePrefix,
}

/// Result of a message.
#[derive(Clone, Debug)]
pub struct Applied {
    pub ok: bool,
    /// Revision of the update if the message was accepted.
    pub revision: Revision,
    pub diagnostics: Vec<Diagnostic>,
}

/// Listener of one binding.
struct Subscription {
    pub binding: Binding,
    pub context: Context,
    watcher: WatcherId,
}

impl Store {
    /// Creates an empty store.
    pub fn new(settings: StoreSettings) -> Store {
        let limits = json_limits(&settings);
        Store {
            history: History::new(settings.limits.undo),
            document: Document::new(settings),
            watchers: Dependencies::default(),
            subscriptions: Slab::default(),
            surfaces: Slab::default(),
            streams: Slab::default(),
            records: UpdateRecords::default(),
            compacted_size: 0,
            estimated_growth: 0,
            reader: Reader::new(limits),
            update: Update::default(),
            affected: Vec::new(),
            rows: RowBatch::default(),
            envelope_prefix: EnvelopePrefix::default(),
        }
    }

    /// Creates a store from nested JSON.
    pub fn from(settings: StoreSettings, json: &[u8]) -> Result<Store, Vec<Diagnostic>> {
        let mut store = Store::new(settings);
        if store.exceeds_capacity(json, 0) {
            return Err(vec![apply::size_limit_error(&store.document)]);
        }
        let (value, diagnostics) = Json::parse(json, store.json_limits());
        let Some(value) = value else { return Err(diagnostics) };
        convert::import(&mut store.document, &value);
        if let Some(error) = apply::node_limit_error(&store.document, 0) {
            return Err(vec![error]);
        }
        store.track_growth();
        store.document.end_update().clear();
        Ok(store)
    }

    fn json_limits(&self) -> json::Limits {
        json_limits(&self.document.settings)
    }

    /// Applies a complete message.
    pub fn apply(&mut self, message: &[u8], encoding: HostEncoding) -> Applied {
        self.apply_for(message, encoding, ExpectedMessage::Anything)
    }

    fn apply_for(
        &mut self,
        message: &[u8],
        encoding: HostEncoding,
        expected: ExpectedMessage<'_>,
    ) -> Applied {
        self.begin_call(message.len());
        if let Some(applied) = self.apply_row_updates(message, encoding, expected) {
            return applied;
        }
        if self.exceeds_capacity(message, 0) {
            return rejected_result(vec![apply::size_limit_error(&self.document)]);
        }
        self.reserve_for(message);
        let form = MessageForm::Unknown;
        let applied = self.read_complete(message, form, encoding, expected).or_else(|| {
            // `updateDataModel` is a node among others.
            self.read_complete(message, MessageForm::Nodes, encoding, expected)
        });
        applied.unwrap_or_else(|| rejected_result(Vec::new()))
    }

    /// Reserves memory for the nodes of a large message, because repeated growth takes as long as
    /// parsing. Estimates their number by counting braces in samples, with an upper limit.
    fn reserve_for(&mut self, message: &[u8]) {
        const LARGE: usize = 1 << 16;
        const SMALLEST: usize = 64;
        const SAMPLES: usize = 16;
        const SAMPLE: usize = 1 << 10;
        if message.len() >= LARGE {
            let stride = message.len() / SAMPLES;
            let samples = message.chunks(stride).filter_map(|part| part.get(..SAMPLE));
            let braces: usize = samples.map(|sample| list_text::count_byte(b'{', sample)).sum();
            let maps = (braces * stride.div_ceil(SAMPLE)).min(message.len() / SMALLEST);
            self.document.reserve(maps);
            self.document.arena.reserve_maps(maps);
            self.update.entries.reserve(maps);
        }
    }

    /// Parses and applies a message. Returns `None` if the message does not have this form.
    fn read_complete(
        &mut self,
        message: &[u8],
        form: MessageForm,
        encoding: HostEncoding,
        expected: ExpectedMessage<'_>,
    ) -> Option<Applied> {
        let (reader, update) = (&mut self.reader, &mut self.update);
        reader.restart();
        update.reset(form);
        let checkpoint = self.document.arena.checkpoint();
        let mut target = ChunkTarget::new(&mut self.document, message);
        let mut sink = update::UpdateSink { update, target: &mut target };
        let result = reader.feed(message, &mut sink).and_then(|()| reader.finish(&mut sink));
        let readable = result.is_ok();
        update.diagnostics.extend(result.err());
        if let ExpectedMessage::Surface(id) = expected {
            update.diagnostics.extend(update.surface_mismatch(id));
        } else if readable && update.mixed_key.is_some() {
            self.document.arena.truncate(checkpoint);
            return None;
        }
        let diagnostics = std::mem::take(&mut update.diagnostics);
        if diagnostics.iter().any(Diagnostic::is_error) {
            self.document.arena.truncate(checkpoint);
            return Some(rejected_result(diagnostics));
        }
        let stored = target.store(message);
        if diagnostics.is_empty() {
            self.update.builder().remember_longest_list(&self.document.arena, message);
            self.envelope_prefix.remember(message, self.update.nodes_at, expected);
        }
        self.records.reset_for_message(encoding, message, stored);
        let entries = std::mem::take(&mut self.update.entries);
        let applied = self.commit(&entries, None, checkpoint, diagnostics);
        self.update.recycle_entries(entries);
        Some(applied)
    }

    /// Begins a call: clears the records of the last one and provides memory for a message of
    /// `incoming` bytes.
    #[inline(always)]
    fn begin_call(&mut self, incoming: usize) {
        self.records.reset();
        self.compact_if_needed(incoming);
    }

    /// Applies parsed entries.
    fn commit(
        &mut self,
        entries: &[update::UpdateEntry],
        stream: Option<usize>,
        checkpoint: ArenaCheckpoint,
        mut diagnostics: Vec<Diagnostic>,
    ) -> Applied {
        let set = stream.and_then(|id| self.streams.get_mut(id));
        let set = set.map(|stream| &mut stream.writes);
        if !apply::apply(&mut self.document, entries, set, &mut diagnostics) {
            if stream.is_none() {
                self.document.arena.truncate(checkpoint);
            }
            return rejected_result(diagnostics);
        }
        let finished = match stream {
            Some(id) => self.finish_stream_update(id),
            None => self.finish_update(Cause::Update, Some(checkpoint)),
        };
        match finished {
            Ok(mut found) => {
                diagnostics.append(&mut found);
                Applied { ok: true, revision: self.history.last_revision(), diagnostics }
            }
            Err(error) => {
                if stream.is_none() {
                    self.document.arena.truncate(checkpoint);
                }
                diagnostics.push(error);
                rejected_result(diagnostics)
            }
        }
    }

    /// Notifies observers of the current update and records it. For `message`, see
    /// [`Document::compress_changes`]. Fails like [`Store::notify_update`].
    fn finish_update(
        &mut self,
        cause: Cause,
        message: Option<ArenaCheckpoint>,
    ) -> Result<Vec<Diagnostic>, Diagnostic> {
        let diagnostics = self.notify_update()?;
        self.document.compress_changes(message, false);
        self.history.record(self.document.end_update(), cause);
        Ok(diagnostics)
    }

    /// Writes the JSON text `json` through a binding. The caller has called
    /// [`Store::compact_if_needed`] before resolving the names.
    pub fn write(
        &mut self,
        binding: Binding,
        context: &Context,
        json: &[u8],
        source: WriteSource,
    ) -> Applied {
        self.records.reset();
        match write::plan_write(&mut self.document, binding, context, json, source) {
            Err(error) => rejected_result(vec![error]),
            Ok(_) if self.document.is_full() => {
                rejected_result(vec![apply::size_limit_error(&self.document)])
            }
            Ok((node, value)) => {
                let count = self.document.node_count();
                self.document.set(node, value);
                if let Some(error) = apply::node_limit_error(&self.document, count) {
                    self.document.roll_back();
                    return rejected_result(vec![error]);
                }
                match self.finish_update(Cause::Update, None) {
                    Ok(diagnostics) => {
                        let revision = self.history.last_revision();
                        Applied { ok: true, revision, diagnostics }
                    }
                    Err(error) => rejected_result(vec![error]),
                }
            }
        }
    }

    /// Performs an undo or redo step. Returns `false` if there is none, or if a surface would exceed its
    /// limit of instances.
    pub fn undo_or_redo(&mut self, cause: Cause) -> bool {
        self.begin_call(0);
        let Some((step, changes)) = self.history.pop_step(cause) else { return false };
        let checkpoint = self.document.arena.checkpoint();
        for NodeChange { node, before, .. } in changes {
            let after = self.document.value(node);
            let value = self.document.arena.restore(before, after);
            self.document.set(node, value);
        }
        let is_done = self.finish_update(cause, Some(checkpoint)).is_ok();
        if is_done {
            self.history.end_step(step);
        } else {
            self.document.arena.truncate(checkpoint);
            self.history.restore_step(cause, step);
        }
        is_done
    }

    /// Returns the revision of the last update.
    pub fn last_revision(&self) -> Revision {
        self.history.last_revision()
    }

    /// Returns the ids that an update set or deleted, or `None` if its changes were dropped.
    pub fn changed_ids(&self, revision: Revision, is_deleted: bool) -> Option<Vec<&str>> {
        let update = self.history.changes_of(revision)?;
        let ids = update.iter().filter(|changes| changes.deleted == is_deleted);
        Some(ids.map(|changes| self.document.id(changes.node)).collect())
    }

    /// Returns the update that reverts an update, or `None` if its changes were dropped.
    pub fn inverse(&self, revision: Revision) -> Option<String> {
        let update = self.history.changes_of(revision)?;
        let mut versions = self.versions_before(revision, update)?.into_iter();
        let mut nodes = export::NodesWriter::new(&self.document);
        for NodeChange { node, before, .. } in update {
            let id = self.document.id(*node);
            if before.is_delta() {
                match versions.next() {
                    Some(Version::List(list)) => nodes.write_pointer_node(id, &list),
                    Some(Version::Map(map)) => nodes.write_map_node(id, &map.entries),
                    None => {}
                }
            } else if before.is_missing() {
                nodes.write_deletion(id);
            } else {
                nodes.write_node(id, *before);
            }
        }
        Some(nodes.finish_update())
    }

    /// Returns the previous versions of the lists and maps whose old values are deltas, by applying
    /// all later deltas.
    fn versions_before(&self, revision: Revision, update: &[NodeChange]) -> Option<Vec<Version>> {
        let arena = &self.document.arena;
        let mut indices = IntMap::default();
        let mut versions = Vec::new();
        for NodeChange { node, .. } in update.iter().filter(|change| change.before.is_delta()) {
            indices.insert(node.0.into(), versions.len() as u64);
            versions.push(Version::new(arena, self.document.value(*node)));
        }
        if versions.is_empty() {
            return Some(versions);
        }
        for change in self.history.changes_since(revision)?.rev().flatten() {
            let index = indices.get(&u64::from(change.node.0));
            if let Some(version) = index.and_then(|index| versions.get_mut(*index as usize)) {
                version.apply(arena, change.before);
            }
        }
        Some(versions)
    }

    /// Returns whether a node exists.
    pub fn has(&self, id: &str) -> bool {
        self.document.find_node(id).is_some_and(|node| !self.document.value(node).is_missing())
    }

    /// Returns the stored JSON text of a node.
    pub fn get(&self, id: &str) -> Option<String> {
        let value = self.document.value(self.document.find_node(id)?);
        (!value.is_missing()).then(|| export::stored_json(&self.document, value))
    }

    /// Returns the index of a node's JSON type in `NODE_TYPES` of the facade; 0 without a node.
    pub fn type_of(&self, id: &str) -> u32 {
        let Some(node) = self.document.find_node(id) else { return 0 };
        match self.document.value(node) {
            Value::Missing => 0,
            Value::Null => 1,
            Value::Bool(_) => 2,
            Value::Number(_) => 3,
            Value::Text(_) | Value::Pointer(_) => 4,
            Value::List(_) | Value::Pointers(_) | Value::Delta(_) => 5,
            Value::Map(_) | Value::MapDelta(_) => 6,
        }
    }

    /// Returns the number of items or properties of a node; 0 for another value.
    pub fn size_of(&self, id: &str) -> usize {
        let Some(node) = self.document.find_node(id) else { return 0 };
        match self.document.value(node) {
            Value::List(list) => list.items.len as usize,
            Value::Pointers(range) => range.len as usize,
            Value::Map(map) => self.document.arena.shapes.keys(map.shape).len(),
            _ => 0,
        }
    }

    /// Returns the number of pointers in a node to another one, which may be missing.
    pub fn count_pointers(&self, id: &str, target: &str) -> usize {
        let nodes = (self.document.find_node(id), self.document.find_node(target));
        let (Some(node), Some(target)) = nodes else { return 0 };
        let mut count = 0;
        let value = self.document.value(node);
        self.document.each_pointer(value, &mut |found| count += usize::from(found == target));
        count
    }

    /// Returns the stored JSON text of a map's property or a list's item.
    pub fn entry(&self, id: &str, key: &str) -> Option<String> {
        let arena = &self.document.arena;
        let index = || key.parse::<usize>().ok().filter(|index| index.to_string() == key);
        let value = match self.document.value(self.document.find_node(id)?) {
            Value::Map(map) => arena.property(map, self.document.find_key(key)?),
            Value::List(list) => arena.items(list).get(index()?).copied(),
            Value::Pointers(range) => {
                arena.pointers(range).get(index()?).map(|node| Value::Pointer(NodeRef(*node)))
            }
            _ => None,
        };
        Some(export::stored_json(&self.document, value?))
    }

    /// Reads a binding.
    pub fn read(&self, binding: Binding, context: &Context) -> Reading {
        read::read(self.document.current_view(), binding, context)
    }

    /// Returns the nested JSON text of a node, or the errors.
    pub fn to_json(&self, id: &str) -> Result<String, Vec<Diagnostic>> {
        let Some(node) = self.document.find_node(id) else { return Ok("null".to_owned()) };
        let reading = self.read(Binding { node: Some(node), key: None }, &Context::from_node(node));
        match reading.status {
            read::Status::Error => Err(reading.diagnostics),
            _ => Ok(reading.value),
        }
    }

    /// Returns the ids that begin with `prefix` of nodes that are not reachable from `root`.
    pub fn orphans(&self, prefix: &str) -> Vec<&str> {
        let ids = check::orphans(&self.document).into_iter().map(|node| self.document.id(node));
        ids.filter(|id| id.starts_with(prefix)).collect()
    }

    /// Parses a binding.
    pub fn parse_binding(
        &mut self,
        json: &Json,
    ) -> Result<(Binding, Option<Diagnostic>), Diagnostic> {
        binding::parse(&mut self.document, json)
    }
}

fn json_limits(settings: &StoreSettings) -> json::Limits {
    json::Limits { depth: settings.limits.depth, bytes: settings.limits.bytes }
}

fn sort_and_dedup(ids: &mut Vec<u32>) {
    ids.sort_unstable();
    ids.dedup();
}

fn rejected_result(diagnostics: Vec<Diagnostic>) -> Applied {
    Applied { ok: false, revision: 0, diagnostics }
}
