//! A store: a document, what happened to it, and who looks at it.

use super::arena::{NodeRef, Value};
use super::binding::{self, Binding, Context};
use super::builder::Site;
use super::document::{Document, Pinned, Settings};
use super::history::{Cause, History, Revision};
use super::observe::{Dependencies, Owner, Watcher};
use super::read::{self, Reading};
use super::stream::{self, Stream};
use super::surface::flush::{self, Affected, Changes};
use super::surface::record::{Op, Records};
use super::surface::{Surface, component::Catalog};
use super::update::{self, Form, Update};
use super::{apply, check, convert, diff, export, surface, write};
use crate::base::Diagnostic;
use crate::base::diagnostic::quote;
use crate::base::json::{self, Reader};
use rustc_hash::FxHashMap;
use serde_json::Value as Json;

/// A document and everything around it.
pub struct Store {
    pub document: Document,
    history: History,
    watchers: Dependencies,
    subscriptions: Vec<Option<Subscription>>,
    surfaces: Vec<Option<Surface>>,
    streams: Vec<Option<Stream>>,
    /// What the last call changed for whoever listens.
    pub records: Records,
    /// The size of the arena when it was last compacted.
    floor: usize,
    /// What reads whole messages, kept for its memory.
    reader: Reader,
    update: Update,
}

struct Subscription {
    binding: Binding,
    context: Context,
    watcher: Watcher,
}

/// What became of a message.
#[derive(Debug)]
pub struct Applied {
    pub ok: bool,
    /// The update that the message made, if it was taken.
    pub revision: Revision,
    pub diagnostics: Vec<Diagnostic>,
}

/// The arena may grow by this much before it is compacted, however small it is.
const SLACK: usize = 1 << 20;

impl Store {
    /// An empty store.
    pub fn new(settings: Settings) -> Store {
        let limits = json_limits(&settings);
        Store {
            history: History::new(settings.limits.undo),
            document: Document::new(settings),
            watchers: Dependencies::default(),
            subscriptions: Vec::new(),
            surfaces: Vec::new(),
            streams: Vec::new(),
            records: Records::default(),
            floor: 0,
            reader: Reader::new(limits),
            update: Update::default(),
        }
    }

    /// A store that holds plain JSON.
    pub fn from(settings: Settings, json: &[u8]) -> Result<Store, Vec<Diagnostic>> {
        let mut store = Store::new(settings);
        let (value, diagnostics) = json::parse(json, store.json_limits());
        let Some(value) = value else { return Err(diagnostics) };
        convert::import(&mut store.document, &value);
        store.document.take_journal();
        Ok(store)
    }

    fn json_limits(&self) -> json::Limits {
        json_limits(&self.document.settings)
    }

    /// Applies a message. `ascii`: the host holds it as text in which every character is one byte.
    pub fn apply(&mut self, message: &[u8], ascii: bool) -> Applied {
        self.apply_for(message, ascii, None)
    }

    /// Applies a message that has to be for this surface.
    fn apply_for(&mut self, message: &[u8], ascii: bool, surface: Option<&str>) -> Applied {
        self.begin();
        let applied = self.read_whole(message, Form::Unknown, ascii, surface);
        match applied {
            Some(applied) => applied,
            // `updateDataModel` stands beside other nodes.
            None => self
                .read_whole(message, Form::Bare, ascii, surface)
                .unwrap_or_else(|| refused(Vec::new())),
        }
    }

    fn read_whole(
        &mut self,
        message: &[u8],
        form: Form,
        ascii: bool,
        surface: Option<&str>,
    ) -> Option<Applied> {
        let (reader, update) = (&mut self.reader, &mut self.update);
        reader.restart();
        update.restart(form);
        let mark = self.document.arena.mark();
        let mut site = Site::new(&mut self.document, message);
        let mut sink = update::Reading { update, site: &mut site };
        let result = reader.feed(message, &mut sink).and_then(|()| reader.finish(&mut sink));
        update.diagnostics.extend(result.err());
        if let (Some(expected), Some(named)) = (surface, &update.surface_id)
            && expected != named
        {
            update.diagnostics.push(other_surface(named, expected));
        }
        let diagnostics = std::mem::take(&mut update.diagnostics);
        if diagnostics.iter().any(Diagnostic::is_error) {
            self.document.arena.cut(mark);
            return Some(refused(diagnostics));
        }
        if update.is_mixed {
            self.document.arena.cut(mark);
            return None;
        }
        let start = site.start();
        site.keep(message);
        let end = if ascii { start + message.len() as u32 } else { start };
        self.records.start(start..end);
        let entries = std::mem::take(&mut self.update.entries);
        let applied = self.commit(&entries, None, mark, diagnostics);
        self.update.entries = entries;
        Some(applied)
    }

    /// Applies entries that have been read.
    fn commit(
        &mut self,
        entries: &[update::Entry],
        stream: Option<usize>,
        mark: super::arena::Mark,
        mut diagnostics: Vec<Diagnostic>,
    ) -> Applied {
        let set = stream.and_then(|number| self.streams.get_mut(number)?.as_mut());
        let set = set.map(|stream| &mut stream.set);
        if !apply::apply(&mut self.document, entries, set, &mut diagnostics) {
            if stream.is_none() {
                self.document.arena.cut(mark);
            }
            return refused(diagnostics);
        }
        diagnostics.append(&mut self.finish(Cause::Update));
        Applied { ok: true, revision: self.history.last(), diagnostics }
    }

    /// Starts a call: what the last one left is dropped.
    fn begin(&mut self) {
        self.records.start(0..0);
        let size = self.document.arena.size();
        let limit = self.document.settings.limits.bytes;
        if size > 2 * self.floor + SLACK || size > limit.saturating_mul(4) {
            self.compact();
            if self.document.arena.size() > limit.saturating_mul(4) {
                // What could be undone takes too much room.
                self.history.clear();
                self.compact();
            }
        }
    }

    fn compact(&mut self) {
        let mut pinned = Pinned::default();
        let mut roots: Vec<&mut Value> = Vec::new();
        for past in self.history.entries_mut() {
            pinned.node(past.node);
            roots.push(&mut past.before);
        }
        for stream in self.streams.iter_mut().flatten() {
            stream.set.iter().for_each(|node| pinned.node(NodeRef(*node)));
            stream.update.entries.iter().for_each(|entry| pinned.node(entry.node));
            stream.update.current().into_iter().for_each(|node| pinned.node(node));
            stream.update.builder().forget_shapes();
            stream.update.builder().keys().for_each(|key| pinned.key(key));
            roots.extend(stream.update.values_mut());
        }
        for subscription in self.subscriptions.iter().flatten() {
            subscription.binding.node.into_iter().for_each(|node| pinned.node(node));
            subscription.binding.key.into_iter().for_each(|key| pinned.key(key));
            pinned.node(subscription.context.node);
            let keys = subscription.context.steps.iter().filter_map(|step| step.key);
            keys.for_each(|key| pinned.key(key));
        }
        self.surfaces.iter().flatten().for_each(|surface| surface.pin(&mut pinned));
        self.watchers.all_nodes().for_each(|node| pinned.node(node));
        self.update.builder().forget_shapes();
        self.document.compact(roots, pinned);
        self.floor = self.document.arena.size();
    }

    /// Tells observers what the update at hand changed, and notes it.
    fn finish(&mut self, cause: Cause) -> Vec<Diagnostic> {
        let mut diagnostics = Vec::new();
        if !self.document.journal().is_empty() {
            self.tell(&mut diagnostics);
        }
        let journal = self.document.take_journal();
        self.history.note(&self.document, journal, cause);
        diagnostics
    }

    fn tell(&mut self, diagnostics: &mut Vec<Diagnostic>) {
        let mut fired = Vec::new();
        let mut affected: FxHashMap<(u32, u32), bool> = FxHashMap::default();
        self.watchers.start_round();
        for change in self.document.journal() {
            let node = change.node;
            let came_or_went = change.before.is_missing() != self.document.value(node).is_missing();
            let surfaces = &self.surfaces;
            self.watchers.find(node, |owner, again| match owner {
                Owner::Nobody => {}
                Owner::Subscription(number) if !again => fired.push(number),
                Owner::Subscription(_) => {}
                Owner::Instance { surface, instance } => {
                    *affected.entry((surface, instance)).or_insert(false) |= came_or_went;
                    let found = surfaces.get(surface as usize).and_then(Option::as_ref);
                    let found = found.and_then(|found| found.tree.get(instance));
                    if let Some(row) = found
                        && came_or_went
                        && row.templated
                        && row.context.node == node
                    {
                        affected.insert((surface, row.parent), true);
                    }
                }
            });
        }
        let mut affected: Vec<_> = affected.into_iter().collect();
        affected.sort_unstable();
        for each in affected.chunk_by(|a, b| a.0.0 == b.0.0) {
            let Some(((number, _), _)) = each.first() else { continue };
            let list: Vec<Affected> = each
                .iter()
                .map(|((_, instance), lists)| Affected { instance: *instance, lists: *lists })
                .collect();
            let Some(Some(surface)) = self.surfaces.get_mut(*number as usize) else { continue };
            surface.start();
            if surface.observed {
                self.records.op(Op::Surface, &[*number]);
            }
            let records = surface.observed.then_some(&mut self.records);
            let mut changes = Changes { records };
            flush::data(&mut surface.tree, &self.document, &mut self.watchers, &list, &mut changes);
            diagnostics.append(&mut surface.tree.found);
        }
        self.fire(fired);
    }

    /// Tells the subscriptions whose reading changed.
    fn fire(&mut self, mut numbers: Vec<u32>) {
        numbers.sort_unstable();
        for number in numbers {
            let Some(Some(subscription)) = self.subscriptions.get(number as usize) else {
                continue;
            };
            let Subscription { binding, ref context, watcher } = *subscription;
            let difference = read::compare(&self.document, binding, context);
            if difference.value || difference.rest {
                self.records.op(Op::Fire, &[number]);
            }
            let nodes = depends(&self.document, binding, context);
            self.watchers.set(watcher, &nodes);
        }
    }

    /// Opens a stream.
    pub fn open_stream(&mut self) -> usize {
        let stream = Stream::new(self.json_limits());
        put(&mut self.streams, stream)
    }

    /// Reads the next piece of a stream, and applies the nodes that it completed.
    pub fn push(&mut self, number: usize, piece: &[u8], ascii: bool) -> Applied {
        self.begin();
        let Some(Some(stream)) = self.streams.get_mut(number) else {
            return refused(vec![stream::ended()]);
        };
        if stream.ended {
            return refused(vec![stream::ended()]);
        }
        let mark = self.document.arena.mark();
        let mut site = Site::new(&mut self.document, piece);
        let mut sink = update::Reading { update: &mut stream.update, site: &mut site };
        let result = stream.reader.feed(piece, &mut sink);
        let mut diagnostics = std::mem::take(&mut stream.update.diagnostics);
        diagnostics.extend(result.err());
        if stream.update.is_mixed {
            let error = Diagnostic::new(
                super::codes::ENVELOPE,
                "`updateDataModel` stands beside other keys",
            )
            .help("send either the envelope alone or bare nodes");
            diagnostics.push(error);
        }
        let failed = diagnostics.iter().any(Diagnostic::is_error);
        // Values of unfinished nodes refer to the piece, so it stays even after an error.
        let start = site.start();
        site.keep(piece);
        let end = if ascii { start + piece.len() as u32 } else { start };
        self.records.start(start..end);
        if failed {
            stream.ended = true;
            return refused(diagnostics);
        }
        // A first key `version` may yet turn out to be part of an envelope.
        let entries = stream.update.take_entries();
        let applied = self.commit(&entries, Some(number), mark, diagnostics);
        if !applied.ok
            && let Some(Some(stream)) = self.streams.get_mut(number)
        {
            stream.ended = true;
        }
        applied
    }

    /// Ends a stream.
    pub fn end(&mut self, number: usize) -> Applied {
        self.begin();
        let stream = self.streams.get_mut(number).and_then(Option::as_mut);
        let Some(stream) = stream.filter(|stream| !stream.ended) else {
            return refused(vec![stream::ended()]);
        };
        stream.ended = true;
        let mut site = Site::new(&mut self.document, b"");
        let mut sink = update::Reading { update: &mut stream.update, site: &mut site };
        let result = stream.reader.finish(&mut sink);
        let mut diagnostics = std::mem::take(&mut stream.update.diagnostics);
        diagnostics.extend(result.err());
        site.keep(b"");
        if diagnostics.iter().any(Diagnostic::is_error) {
            return refused(diagnostics);
        }
        let entries = std::mem::take(&mut stream.update.entries);
        let mark = self.document.arena.mark();
        self.commit(&entries, Some(number), mark, diagnostics)
    }

    /// Bytes that a stream has read before the piece at hand.
    pub fn stream_offset(&self, number: usize) -> usize {
        self.streams.get(number).and_then(Option::as_ref).map_or(0, |s| s.reader.offset())
    }

    /// Forgets a stream.
    pub fn close_stream(&mut self, number: usize) {
        if let Some(slot) = self.streams.get_mut(number) {
            *slot = None;
        }
    }

    /// Writes through a binding; `json` is the text of the value.
    pub fn write(&mut self, binding: Binding, context: &Context, json: &[u8]) -> Applied {
        self.begin();
        match write::plan(&mut self.document, binding, context, json) {
            Err(error) => refused(vec![error]),
            Ok((node, value)) => {
                self.document.set(node, value);
                let diagnostics = self.finish(Cause::Update);
                Applied { ok: true, revision: self.history.last(), diagnostics }
            }
        }
    }

    /// Takes the last step back, or again. Answers whether there was one.
    pub fn step(&mut self, cause: Cause) -> bool {
        self.begin();
        let Some(past) = self.history.take(cause) else { return false };
        for past in past {
            self.document.set(past.node, past.before);
        }
        self.finish(cause);
        true
    }

    /// The ids that an update set or deleted, or nothing where it is too long ago.
    pub fn changed(&self, revision: Revision, deleted: bool) -> Option<Vec<&str>> {
        let update = self.history.update(revision)?;
        let ids = update.iter().filter(|past| past.deleted == deleted);
        Some(ids.map(|past| self.document.id(past.node)).collect())
    }

    /// The update that takes an update back, or nothing where it is too long ago.
    pub fn inverse(&self, revision: Revision) -> Option<String> {
        let update = self.history.update(revision)?;
        let mut nodes = export::Nodes::new(&self.document);
        for past in update {
            match past.before {
                Value::Missing => nodes.delete(self.document.id(past.node)),
                value => nodes.set(self.document.id(past.node), value),
            }
        }
        Some(nodes.finish())
    }

    /// Whether a node is there.
    pub fn has(&self, id: &str) -> bool {
        self.document.find(id).is_some_and(|node| !self.document.value(node).is_missing())
    }

    /// The JSON text of a node as stored.
    pub fn get(&self, id: &str) -> Option<String> {
        let value = self.document.value(self.document.find(id)?);
        (!value.is_missing()).then(|| export::stored(&self.document, value))
    }

    /// Reads a binding.
    pub fn read(&self, binding: Binding, context: &Context) -> Reading {
        read::read(self.document.now(), binding, context)
    }

    /// The nested JSON text of a node, or what is wrong with it.
    pub fn to_json(&mut self, id: &str) -> Result<String, Vec<Diagnostic>> {
        let node = self.document.node(id.as_bytes());
        let reading = self.read(Binding { node: Some(node), key: None }, &Context::of(node));
        match reading.status {
            read::Status::Error => Err(reading.diagnostics),
            _ => Ok(reading.value),
        }
    }

    /// The update that makes this store equal to one that exports `nodes`.
    pub fn diff_nodes(&self, nodes: &[u8]) -> Result<String, Vec<Diagnostic>> {
        let limits = json::Limits { bytes: usize::MAX, ..self.json_limits() };
        match json::parse(nodes, limits) {
            (Some(Json::Object(nodes)), _) => {
                Ok(diff::against_nodes(&self.document, &nodes).to_string())
            }
            (_, diagnostics) => Err(diagnostics),
        }
    }

    /// The update that makes this store show plain JSON.
    pub fn diff_json(&mut self, target: &[u8]) -> Result<String, Vec<Diagnostic>> {
        let (Some(target), _) = json::parse(target, self.json_limits()) else {
            let (_, diagnostics) = json::parse(target, self.json_limits());
            return Err(diagnostics);
        };
        self.begin();
        let mark = self.document.arena.mark();
        diff::against_json(&mut self.document, &target);
        let nodes = diff::journal_as_nodes(&self.document);
        self.document.roll_back();
        self.document.arena.cut(mark);
        Ok(nodes)
    }

    /// The ids of nodes that `root` does not reach.
    pub fn orphans(&self) -> Vec<&str> {
        check::orphans(&self.document).into_iter().map(|node| self.document.id(node)).collect()
    }

    /// Tells `Op::Fire` with the number of the subscription whenever the reading changes.
    pub fn subscribe(&mut self, binding: Binding, context: Context) -> usize {
        let nodes = depends(&self.document, binding, &context);
        let watcher = self.watchers.watch(Owner::Nobody);
        let number = put(&mut self.subscriptions, Subscription { binding, context, watcher });
        self.watchers.set_owner(watcher, Owner::Subscription(number as u32));
        self.watchers.set(watcher, &nodes);
        number
    }

    /// Ends a subscription.
    pub fn unsubscribe(&mut self, number: usize) {
        if let Some(subscription) = self.subscriptions.get_mut(number).and_then(Option::take) {
            self.watchers.unwatch(subscription.watcher);
        }
    }

    /// What a subscription shows now.
    pub fn reading(&self, number: usize) -> Option<Reading> {
        let subscription = self.subscriptions.get(number)?.as_ref()?;
        Some(self.read(subscription.binding, &subscription.context))
    }

    /// Adds a surface.
    pub fn add_surface(&mut self, catalog: Catalog) -> usize {
        let number = self.surfaces.iter().position(Option::is_none).unwrap_or(self.surfaces.len());
        let surface = Surface::new(number as u32, catalog);
        put(&mut self.surfaces, surface)
    }

    /// Removes a surface.
    pub fn remove_surface(&mut self, number: usize) {
        if let Some(mut surface) = self.surfaces.get_mut(number).and_then(Option::take) {
            surface.clear(&mut self.watchers, &mut Records::default());
        }
    }

    /// A surface.
    pub fn surface(&self, number: usize) -> Option<&Surface> {
        self.surfaces.get(number)?.as_ref()
    }

    /// A surface, to be changed.
    pub fn surface_mut(&mut self, number: usize) -> Option<&mut Surface> {
        self.surfaces.get_mut(number)?.as_mut()
    }

    /// Takes a message for a surface. `owned`: the data belongs to the surface and goes with it.
    pub fn receive(&mut self, number: usize, message: &[u8], ascii: bool, owned: bool) -> Applied {
        if surface::message::peek(message) == Some(b"updateDataModel") {
            let id = self.surface(number).and_then(|surface| surface.id.clone());
            return self.apply_for(message, ascii, id.as_deref());
        }
        self.begin();
        let (json, mut diagnostics) = json::parse(message, self.json_limits());
        let Some(json) = json else { return refused(diagnostics) };
        if json.get("updateDataModel").is_some() {
            let id = self.surface(number).and_then(|surface| surface.id.clone());
            return self.apply_for(message, ascii, id.as_deref());
        }
        if let Some(parsed) = surface::message::parse(&json, &mut diagnostics) {
            self.obey(number, parsed, owned, &mut diagnostics);
        }
        let ok = !diagnostics.iter().any(Diagnostic::is_error);
        Applied { ok, revision: self.history.last(), diagnostics }
    }

    fn obey(
        &mut self,
        number: usize,
        message: surface::message::Message,
        owned: bool,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        use surface::message::Message;
        let Some(Some(surface)) = self.surfaces.get_mut(number) else { return };
        let named = match &message {
            Message::Create { id, .. }
            | Message::Components { id, .. }
            | Message::Delete { id } => id,
        };
        match (&surface.id, &message) {
            (Some(known), _) if known != named => {
                diagnostics.push(other_surface(named, known));
                return;
            }
            (Some(_), Message::Create { .. }) => {
                let message = format!("the surface {} is there already", quote(named));
                let help = "send `deleteSurface` first to start anew";
                diagnostics.push(Diagnostic::new(super::codes::MESSAGE, message).help(help));
                return;
            }
            (None, Message::Delete { .. }) => {
                let message = format!("there is no surface {}", quote(named));
                let help = "send `createSurface` first";
                diagnostics.push(Diagnostic::new(super::codes::MESSAGE, message).help(help));
                return;
            }
            _ => {}
        }
        self.records.op(Op::Surface, &[number as u32]);
        match message {
            Message::Delete { .. } => {
                surface.clear(&mut self.watchers, &mut self.records);
                if owned {
                    let nodes: Vec<NodeRef> = self.document.present().collect();
                    nodes.into_iter().for_each(|node| self.document.set(node, Value::Missing));
                    diagnostics.append(&mut self.finish(Cause::Update));
                }
            }
            Message::Create { id, components } => {
                surface.id = Some(id);
                if let Some(components) = components {
                    let (document, watchers) = (&mut self.document, &mut self.watchers);
                    let told = surface.define(document, watchers, &components, &mut self.records);
                    diagnostics.extend(told);
                }
            }
            Message::Components { id, components } => {
                // Components may come before their surface was announced.
                surface.id = Some(id);
                let (document, watchers) = (&mut self.document, &mut self.watchers);
                let told = surface.define(document, watchers, &components, &mut self.records);
                diagnostics.extend(told);
            }
        }
    }

    /// Writes all instances of a surface to the records.
    pub fn write_tree(&mut self, number: usize) -> bool {
        self.records.start(0..0);
        let Some(Some(surface)) = self.surfaces.get_mut(number) else { return false };
        let Some(root) = surface.tree.root else { return false };
        surface.tree.write(&self.document, root, &mut self.records);
        true
    }

    /// What is wrong with a surface as it stands.
    pub fn surface_diagnostics(&mut self, number: usize) -> Vec<Diagnostic> {
        let Some(Some(surface)) = self.surfaces.get_mut(number) else { return Vec::new() };
        surface.diagnostics(&self.document)
    }

    /// Takes input to a property of an instance; `json` is the text of the value.
    pub fn input(&mut self, number: usize, instance: u32, prop: &str, json: &[u8]) -> Applied {
        let target = match self.surface(number) {
            Some(surface) => surface.input_target(instance, prop),
            None => return refused(Vec::new()),
        };
        let applied = match target {
            Ok((binding, context)) => self.write(binding, &context, json),
            Err(error) => {
                self.begin();
                refused(vec![error])
            }
        };
        let fault = applied.diagnostics.first().filter(|_| !applied.ok).cloned();
        if let Some(surface) = self.surface_mut(number) {
            surface.input_fault = fault;
        }
        applied
    }

    /// Reads a binding that is given as JSON.
    pub fn parse_binding(
        &mut self,
        json: &Json,
    ) -> Result<(Binding, Option<Diagnostic>), Diagnostic> {
        binding::parse(&mut self.document, json)
    }
}

fn json_limits(settings: &Settings) -> json::Limits {
    json::Limits { depth: settings.limits.depth, bytes: settings.limits.bytes }
}

fn refused(diagnostics: Vec<Diagnostic>) -> Applied {
    Applied { ok: false, revision: 0, diagnostics }
}

fn other_surface(named: &str, expected: &str) -> Diagnostic {
    let message =
        format!("the message is for the surface {}, this is {}", quote(named), quote(expected));
    Diagnostic::new(super::codes::MESSAGE, message)
        .help("hand each message to the surface it names")
}

fn depends(document: &Document, binding: Binding, context: &Context) -> Vec<NodeRef> {
    let mut nodes = Vec::new();
    read::depend(document.now(), binding, context, &mut |node| nodes.push(node));
    nodes.sort_unstable();
    nodes.dedup();
    nodes
}

/// Puts a value into the first free place.
fn put<T>(slots: &mut Vec<Option<T>>, value: T) -> usize {
    match slots.iter().position(Option::is_none) {
        Some(number) => {
            if let Some(slot) = slots.get_mut(number) {
                *slot = Some(value);
            }
            number
        }
        None => {
            slots.push(Some(value));
            slots.len() - 1
        }
    }
}
