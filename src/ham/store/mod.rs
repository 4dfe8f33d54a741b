//! A store: a document, what happened to it, and who looks at it.

mod again;
mod memory;
mod streams;
mod subscription;
mod surfaces;

pub use self::again::Row;
use self::again::{Ahead, Envelope, Rows};
pub use self::streams::Pushed;
pub use self::surfaces::Data;

use self::subscription::{Subscription, distinct};
use super::arena::{Mark, NodeRef, Value};
use super::binding::{self, Binding, Context};
use super::document::{Change, Document, Settings};
use super::history::{Cause, History, Revision};
use super::observe::{Dependencies, Owner};
use super::read::{self, Reading};
use super::site::Site;
use super::stream::Stream;
use super::surface::Surface;
use super::surface::flush::{self, Affected};
use super::surface::held::Held;
use super::surface::record::{Op, Records};
use super::update::{self, Form, Update};
use super::write::By;
use super::{apply, check, convert, diff, export, list_text, write};
use crate::base::Diagnostic;
use crate::base::json::{self, Reader};
use crate::base::map::IntMap;
use crate::base::value::Value as Json;
use slab::Slab;

/// A document and everything around it.
pub struct Store {
    pub document: Document,
    history: History,
    watchers: Dependencies,
    subscriptions: Slab<Subscription>,
    surfaces: Slab<Surface>,
    streams: Slab<Stream>,
    /// What the last call changed for whoever listens.
    pub records: Records,
    /// The size of the document when it was last compacted.
    floor: usize,
    /// How much of what it holds came and went since, about.
    gained: isize,
    /// What reads whole messages, kept for its memory.
    reader: Reader,
    update: Update,
    /// Scratch of telling instances.
    affected: Vec<Affected>,
    /// Scratch of rows that come again.
    rows: Rows,
    /// Scratch of rows that are looked up before they are read.
    ahead: Vec<Ahead>,
    envelope: Envelope,
}

/// What a message has to be.
#[derive(Clone, Copy)]
enum Expected<'a> {
    /// An envelope or bare nodes.
    Anything,
    /// The envelope of this surface; of any, where it has no id yet.
    Surface(Option<&'a str>),
}

/// What became of a message.
#[derive(Clone, Debug)]
pub struct Applied {
    pub ok: bool,
    /// The update that the message made, if it was taken.
    pub revision: Revision,
    pub diagnostics: Vec<Diagnostic>,
}

impl Store {
    /// An empty store.
    pub fn new(settings: Settings) -> Store {
        let limits = json_limits(&settings);
        Store {
            history: History::new(settings.limits.undo),
            document: Document::new(settings),
            watchers: Dependencies::default(),
            subscriptions: Slab::default(),
            surfaces: Slab::default(),
            streams: Slab::default(),
            records: Records::default(),
            floor: 0,
            gained: 0,
            reader: Reader::new(limits),
            update: Update::default(),
            affected: Vec::new(),
            rows: Rows::default(),
            ahead: Vec::new(),
            envelope: Envelope::default(),
        }
    }

    /// A store that holds plain JSON.
    pub fn from(settings: Settings, json: &[u8]) -> Result<Store, Vec<Diagnostic>> {
        let mut store = Store::new(settings);
        let (value, diagnostics) = Json::parse(json, store.json_limits());
        let Some(value) = value else { return Err(diagnostics) };
        convert::import(&mut store.document, &value);
        if let Some(error) = apply::too_many_nodes(&store.document, 0) {
            return Err(vec![error]);
        }
        store.note_gain();
        store.document.end_update().clear();
        Ok(store)
    }

    fn json_limits(&self) -> json::Limits {
        json_limits(&self.document.settings)
    }

    /// Applies a message.
    pub fn apply(&mut self, message: &[u8], held: Held) -> Applied {
        self.apply_for(message, held, Expected::Anything)
    }

    fn apply_for(&mut self, message: &[u8], held: Held, expected: Expected<'_>) -> Applied {
        self.begin(message.len());
        if let Some(applied) = self.apply_again(message, held, expected) {
            return applied;
        }
        self.expect_nodes(message);
        let form = Form::Unknown;
        let applied = self.read_whole(message, form, held, expected).or_else(|| {
            // `updateDataModel` stands beside other nodes.
            self.read_whole(message, Form::Bare, held, expected)
        });
        applied.unwrap_or_else(|| refused(Vec::new()))
    }

    /// Makes room for the nodes that a large message may bring: memory that grows step by step takes
    /// as long as reading it. How many there are is guessed from samples; a message that is nothing
    /// but braces is not believed.
    fn expect_nodes(&mut self, message: &[u8]) {
        const LARGE: usize = 1 << 16;
        const SMALLEST: usize = 64;
        const SAMPLES: usize = 16;
        const SAMPLE: usize = 1 << 10;
        if message.len() >= LARGE {
            let stride = message.len() / SAMPLES;
            let samples = message.chunks(stride).filter_map(|part| part.get(..SAMPLE));
            let braces: usize = samples.map(|sample| list_text::count(b'{', sample)).sum();
            let maps = (braces * stride.div_ceil(SAMPLE)).min(message.len() / SMALLEST);
            self.document.reserve(maps);
            self.document.arena.reserve(maps);
            self.update.entries.reserve(maps);
        }
    }

    /// Reads a message and applies it; nothing where it has another form.
    fn read_whole(
        &mut self,
        message: &[u8],
        form: Form,
        held: Held,
        expected: Expected<'_>,
    ) -> Option<Applied> {
        let (reader, update) = (&mut self.reader, &mut self.update);
        reader.restart();
        update.restart(form);
        let mark = self.document.arena.mark();
        let mut site = Site::new(&mut self.document, message);
        let mut sink = update::Reading { update, site: &mut site };
        let result = reader.feed(message, &mut sink).and_then(|()| reader.finish(&mut sink));
        let readable = result.is_ok();
        update.diagnostics.extend(result.err());
        if let Expected::Surface(id) = expected {
            update.diagnostics.extend(update.misfit(id));
        } else if readable && update.mixed.is_some() {
            self.document.arena.cut(mark);
            return None;
        }
        let diagnostics = std::mem::take(&mut update.diagnostics);
        if diagnostics.iter().any(Diagnostic::is_error) {
            self.document.arena.cut(mark);
            return Some(refused(diagnostics));
        }
        let kept = site.keep(message);
        if diagnostics.is_empty() {
            self.update.builder().remember(&self.document.arena, message);
            self.envelope.remember(message, self.update.nodes_at, expected);
        }
        self.records.start_message(held, message, kept);
        let entries = std::mem::take(&mut self.update.entries);
        let applied = self.commit(&entries, None, mark, diagnostics);
        self.update.reuse(entries);
        Some(applied)
    }

    /// Starts a call: what the last one left is dropped, and a message of so many bytes has room.
    #[inline(always)]
    fn begin(&mut self, incoming: usize) {
        self.records.start();
        self.make_room(incoming);
    }

    /// Applies entries that have been read.
    fn commit(
        &mut self,
        entries: &[update::Entry],
        stream: Option<usize>,
        mark: Mark,
        mut diagnostics: Vec<Diagnostic>,
    ) -> Applied {
        let set = stream.and_then(|number| self.streams.get_mut(number));
        let set = set.map(|stream| &mut stream.said);
        if !apply::apply(&mut self.document, entries, set, &mut diagnostics) {
            if stream.is_none() {
                self.document.arena.cut(mark);
            }
            return refused(diagnostics);
        }
        // What a stream has not completed refers to what its pieces left.
        let message = stream.is_none().then_some(mark);
        diagnostics.append(&mut self.finish(Cause::Update, message));
        Applied { ok: true, revision: self.history.last(), diagnostics }
    }

    /// Tells observers what the update at hand changed, and notes it. See [`Document::fold_edits`] for `message`.
    fn finish(&mut self, cause: Cause, message: Option<Mark>) -> Vec<Diagnostic> {
        let mut diagnostics = Vec::new();
        if !self.document.journal().is_empty() {
            self.note_gain();
            if !self.watchers.is_empty() {
                self.tell(&mut diagnostics);
            }
            self.document.fold_edits(message);
        }
        self.history.note(self.document.end_update(), cause);
        diagnostics
    }

    fn tell(&mut self, diagnostics: &mut Vec<Diagnostic>) {
        const MANY: usize = 1 << 10;
        self.records.expect(self.document.journal().len());
        let (mut fired, mut room) = (Vec::new(), MANY);
        let mut affected = std::mem::take(&mut self.affected);
        for change in self.document.journal() {
            let node = change.node;
            let came_or_went = change.before.is_missing() != self.document.value(node).is_missing();
            let surfaces = &self.surfaces;
            // One that looks at many nodes is found for each of them.
            if fired.len() > room {
                distinct(&mut fired);
                room = MANY.max(2 * fired.len());
            }
            for owner in self.watchers.owners(node) {
                match owner {
                    Owner::Subscription(number) => fired.push(number),
                    Owner::Instance { surface, instance, home, .. } => {
                        affected.push(Affected { surface, instance, lists: came_or_went });
                        if came_or_went
                            && home == node
                            && let Some(found) = surfaces.get(surface as usize)
                            && let Some(row) = found.tree.get(instance)
                            && row.templated
                        {
                            affected.push(Affected { surface, instance: row.parent, lists: true });
                        }
                    }
                }
            }
        }
        flush::merge(&mut affected);
        for each in affected.chunk_by(|a, b| a.surface == b.surface) {
            let Some(Affected { surface: number, .. }) = each.first() else { continue };
            let Some(surface) = self.surfaces.get_mut(*number as usize) else { continue };
            let told = self.records.mark();
            if surface.observed {
                self.records.op(Op::Surface, [*number]);
            }
            let begun = self.records.mark();
            let records = surface.observed.then_some(&mut self.records);
            surface.flush(&self.document, &mut self.watchers, records).data(each);
            if self.records.mark() == begun {
                // It shows what it has shown.
                self.records.cut(told);
            }
            diagnostics.append(&mut surface.tree.found);
        }
        affected.clear();
        self.affected = affected;
        self.fire(fired);
    }

    /// Writes through a binding; `json` is the text of the value. It does not make room, which
    /// might free the names in the binding: whoever looked them up has done that before.
    pub fn write(&mut self, binding: Binding, context: &Context, json: &[u8], by: By) -> Applied {
        self.records.start();
        match write::plan(&mut self.document, binding, context, json, by) {
            Err(error) => refused(vec![error]),
            Ok(_) if self.document.is_full() => refused(vec![apply::too_many_bytes()]),
            Ok((node, value)) => {
                let count = self.document.count();
                self.document.set(node, value);
                if let Some(error) = apply::too_many_nodes(&self.document, count) {
                    self.document.roll_back();
                    return refused(vec![error]);
                }
                let diagnostics = self.finish(Cause::Update, None);
                Applied { ok: true, revision: self.history.last(), diagnostics }
            }
        }
    }

    /// Takes the last step back, or again. Answers whether there was one.
    pub fn step(&mut self, cause: Cause) -> bool {
        self.begin(0);
        let Some(past) = self.history.take(cause) else { return false };
        let mark = self.document.arena.mark();
        for Change { node, before, .. } in past {
            let after = self.document.value(node);
            let value = self.document.arena.restore(before, after);
            self.document.set(node, value);
        }
        self.finish(cause, Some(mark));
        true
    }

    /// The number of the last update.
    pub fn last(&self) -> Revision {
        self.history.last()
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
        let mut lists = self.lists_before(revision, update)?.into_iter();
        let mut nodes = export::Nodes::new(&self.document);
        for Change { node, before, .. } in update {
            let id = self.document.id(*node);
            match before {
                Value::Missing => nodes.delete(id),
                Value::Edited(_) => nodes.set_pointers(id, &lists.next().unwrap_or_default()),
                value => nodes.set(id, *value),
            }
        }
        Some(nodes.finish())
    }

    /// The lists that an update has edited, as they were before: by way of all edits since.
    fn lists_before(&self, revision: Revision, update: &[Change]) -> Option<Vec<Vec<u32>>> {
        let arena = &self.document.arena;
        let mut places = IntMap::default();
        let mut lists = Vec::new();
        for Change { node, .. } in update.iter().filter(|change| change.before.is_edited()) {
            places.insert(node.0.into(), lists.len() as u64);
            lists.push(arena.before(self.document.value(*node), &[]));
        }
        if lists.is_empty() {
            return Some(lists);
        }
        for change in self.history.since(revision)?.rev().flatten() {
            let place = places.get(&u64::from(change.node.0));
            if let Some(list) = place.and_then(|place| lists.get_mut(*place as usize)) {
                *list = arena.before(change.before, list);
            }
        }
        Some(lists)
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

    /// What a node holds under a key, or at a place of a list, as stored.
    pub fn entry(&self, id: &str, key: &str) -> Option<String> {
        let arena = &self.document.arena;
        let place = || key.parse::<usize>().ok().filter(|place| place.to_string() == key);
        let held = match self.document.value(self.document.find(id)?) {
            Value::Map(map) => arena.property(map, self.document.find_key(key)?),
            Value::List(list) => arena.items(list).get(place()?).copied(),
            Value::Pointers(run) => {
                arena.pointers(run).get(place()?).map(|node| Value::Pointer(NodeRef(*node)))
            }
            _ => None,
        };
        Some(export::stored(&self.document, held?))
    }

    /// Reads a binding.
    pub fn read(&self, binding: Binding, context: &Context) -> Reading {
        read::read(self.document.now(), binding, context)
    }

    /// The nested JSON text of a node, or what is wrong with it.
    pub fn to_json(&self, id: &str) -> Result<String, Vec<Diagnostic>> {
        let Some(node) = self.document.find(id) else { return Ok("null".to_owned()) };
        let reading = self.read(Binding { node: Some(node), key: None }, &Context::of(node));
        match reading.status {
            read::Status::Error => Err(reading.diagnostics),
            _ => Ok(reading.value),
        }
    }

    /// The update that makes this store equal to one that exports `nodes`.
    pub fn diff_nodes(&self, nodes: &[u8]) -> Result<String, Vec<Diagnostic>> {
        let limits = json::Limits { bytes: usize::MAX, ..self.json_limits() };
        match Json::parse(nodes, limits) {
            (Some(Json::Map(nodes)), _) => {
                Ok(diff::against_nodes(&self.document, &nodes).to_text())
            }
            (_, diagnostics) => Err(diagnostics),
        }
    }

    /// The update that makes this store show plain JSON.
    pub fn diff_json(&mut self, target: &[u8]) -> Result<String, Vec<Diagnostic>> {
        let (value, diagnostics) = Json::parse(target, self.json_limits());
        let Some(value) = value else { return Err(diagnostics) };
        self.begin(target.len());
        let mark = self.document.arena.mark();
        diff::against_json(&mut self.document, &value);
        let nodes = diff::journal_as_nodes(&self.document);
        self.document.roll_back();
        self.document.arena.cut(mark);
        Ok(nodes)
    }

    /// The ids of nodes that `root` does not reach, of those that begin with `prefix`.
    pub fn orphans(&self, prefix: &str) -> Vec<&str> {
        let ids = check::orphans(&self.document).into_iter().map(|node| self.document.id(node));
        ids.filter(|id| id.starts_with(prefix)).collect()
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
