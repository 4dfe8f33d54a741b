//! Messages that arrive in pieces.

use super::{Applied, Store, refused};
use crate::base::Diagnostic;
use crate::base::bit_set;
use crate::base::diagnostic::first_of;
use crate::ham::history::{Cause, NOTHING, Revision};
use crate::ham::id::Op;
use crate::ham::site::Site;
use crate::ham::stream::{self, Stream};
use crate::ham::surface::held::Held;
use crate::ham::update::Entry;
use crate::ham::{apply, codes, update};

/// What became of pieces that were read together.
pub struct Pushed {
    /// The update that each of them made; 0 where it was refused.
    pub revisions: Vec<Revision>,
    /// What was told, the first of each piece where there are many, and of which.
    pub told: Vec<(u32, Diagnostic)>,
}

impl Pushed {
    fn add(&mut self, applied: Applied) {
        let piece = self.revisions.len() as u32;
        self.revisions.push(if applied.ok { applied.revision } else { 0 });
        for told in first_of(applied.diagnostics) {
            self.told.push((piece, told));
        }
    }
}

impl Store {
    /// Opens a stream.
    pub fn open_stream(&mut self) -> usize {
        let stream = Stream::new(self.json_limits());
        self.streams.insert(stream)
    }

    /// Reads the next piece of a stream, and applies the nodes that it completed.
    pub fn push(&mut self, number: usize, piece: &[u8], held: Held) -> Applied {
        match self.read_piece(number, piece, held) {
            Err(refused) => refused,
            Ok(Piece { entries, told }) => {
                let mut said = Vec::new();
                for (_, each) in told {
                    said.push(each);
                }
                let applied = self.settle(number, &entries, said);
                if let Some(stream) = self.streams.get_mut(number) {
                    stream.update.reuse(entries);
                }
                applied
            }
        }
    }

    /// Reads pieces that came one after the other while nobody looked. `ends` says where in the text each
    /// of them ends. They are read together, which is faster, and each is an update of its own, of which
    /// [`Store::push`] would have said the same; only the help of a syntax error may see more of the text.
    pub fn push_all(&mut self, number: usize, text: &[u8], ends: &[u32]) -> Pushed {
        let mut pushed = Pushed { revisions: Vec::with_capacity(ends.len()), told: Vec::new() };
        let start = self.streams.get(number).map_or(0, |stream| stream.reader.offset());
        if start + text.len() > self.document.settings.limits.bytes || self.is_tight(text.len()) {
            // Some of them may be within the limits.
            pieces(text, ends).for_each(|piece| pushed.add(self.push(number, piece, Held::Bytes)));
            return pushed;
        }
        let Piece { entries, mut told } = match self.read_piece(number, text, Held::Bytes) {
            Ok(read) => read,
            Err(refused) => {
                ends.iter().for_each(|_| pushed.add(refused.clone()));
                return pushed;
            }
        };
        let (mut ends, mut rest) = (ends.iter(), entries.as_slice());
        if told.is_empty() && self.is_unremarkable(number, rest) {
            for end in ends.by_ref() {
                let own = completed(&mut rest, start + *end as usize);
                let revision = self.settle_unremarked(number, own);
                pushed.revisions.push(revision);
            }
        }
        let mut ended = false;
        for end in ends {
            let end = start + *end as usize;
            let own = completed(&mut rest, end);
            let mut said = Vec::new();
            while let Some(nth) = told.iter().position(|(at, _)| *at as usize <= end) {
                said.push(told.remove(nth).1);
            }
            let applied = match ended {
                false => self.settle(number, own, said),
                true => refused(vec![stream::ended()]),
            };
            ended = !applied.ok;
            pushed.add(applied);
        }
        if let Some(stream) = self.streams.get_mut(number) {
            stream.update.reuse(entries);
        }
        pushed
    }

    /// Reads the next piece of a stream; an error where there is no such stream any more.
    fn read_piece(&mut self, number: usize, piece: &[u8], held: Held) -> Result<Piece, Applied> {
        // The last piece of a long list is short, and all of the list is kept with it.
        let stream = self.streams.get_mut(number);
        let open = stream.map_or(0, |stream| stream.update.builder().open_size());
        self.begin(piece.len() + open);
        let Some(stream) = self.streams.get_mut(number).filter(|stream| !stream.ended) else {
            return Err(refused(vec![stream::ended()]));
        };
        let start = stream.reader.offset();
        let mut site = Site::new(&mut self.document, piece);
        let mut sink = update::Reading { update: &mut stream.update, site: &mut site };
        let result = stream.reader.feed(piece, &mut sink);
        let end = start + piece.len();
        let mut told = stream.update.take_told();
        if let Some(span) = stream.update.mixed {
            told.push((span.end as u32, mixed().at(span)));
        }
        if let Err(error) = result {
            told.push((stream.reader.failed_at().unwrap_or(end).min(end) as u32, error));
        }
        // Values of unfinished nodes refer to the piece, so it stays even after an error.
        let kept = site.keep(piece);
        self.records.start_message(held, piece, kept);
        let entries = stream.update.take_entries();
        Ok(Piece { entries, told })
    }

    /// Applies what a piece completed, unless there is an error in it.
    fn settle(
        &mut self,
        number: usize,
        entries: &[Entry],
        diagnostics: Vec<Diagnostic>,
    ) -> Applied {
        // Most pieces complete no node.
        if entries.is_empty() && diagnostics.is_empty() {
            return Applied { ok: true, revision: NOTHING, diagnostics };
        }
        let applied = match diagnostics.iter().any(Diagnostic::is_error) {
            true => refused(diagnostics),
            false => self.commit(entries, Some(number), self.document.arena.mark(), diagnostics),
        };
        if let Some(stream) = self.streams.get_mut(number) {
            stream.ended = !applied.ok;
        }
        applied
    }

    /// Whether nothing is to be said of these entries, and nobody is to be told of them, whichever of them
    /// come together. Starts a message, which sets all of them, to find out.
    fn is_unremarkable(&mut self, number: usize, entries: &[Entry]) -> bool {
        let Some(stream) = self.streams.get(number) else { return false };
        let document = &mut self.document;
        let most = document.settings.limits.nodes;
        let has_room = document.count() + entries.len() <= most && !document.is_full();
        document.start_message(0);
        let is_new = |entry: &Entry| {
            entry.op == Op::Upsert
                && !apply::looks_like_pointer(document, entry.value)
                && !stream.said.set.contains(entry.node.0 as usize)
                && !document.mark_set(entry.node)
        };
        has_room && self.watchers.is_empty() && entries.iter().all(is_new)
    }

    /// Applies what a piece completed, of which nothing is to be said; answers the update.
    fn settle_unremarked(&mut self, number: usize, entries: &[Entry]) -> Revision {
        let Some(stream) = self.streams.get_mut(number).filter(|_| !entries.is_empty()) else {
            return NOTHING;
        };
        // The history keeps the journal, with all the room that it has.
        self.document.start_message(entries.len());
        for entry in entries {
            bit_set::insert(&mut stream.said.set, entry.node.0);
            self.document.set(entry.node, entry.value);
        }
        self.note_gain();
        self.history.note(self.document.end_update(), Cause::Update);
        self.history.last()
    }

    /// Ends a stream.
    pub fn end(&mut self, number: usize) -> Applied {
        self.begin(0);
        let Some(stream) = self.streams.get_mut(number).filter(|stream| !stream.ended) else {
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

    /// Forgets a stream.
    pub fn close_stream(&mut self, number: usize) {
        self.streams.try_remove(number);
    }
}

/// What was read of one piece, or of several together.
struct Piece {
    entries: Vec<Entry>,
    /// What was told, each with the place in the text at which it was.
    told: Vec<(u32, Diagnostic)>,
}

/// Takes off the entries that end before a place in the text.
fn completed<'e>(entries: &mut &'e [Entry], end: usize) -> &'e [Entry] {
    let count = entries.iter().take_while(|entry| entry.end <= end).count();
    let (own, rest) = entries.split_at_checked(count).unwrap_or_default();
    *entries = rest;
    own
}

fn pieces<'t>(text: &'t [u8], ends: &'t [u32]) -> impl Iterator<Item = &'t [u8]> {
    let starts = std::iter::once(&0).chain(ends);
    starts
        .zip(ends)
        .map(|(start, end)| text.get(*start as usize..*end as usize).unwrap_or_default())
}

fn mixed() -> Diagnostic {
    Diagnostic::new(codes::ENVELOPE, "`updateDataModel` stands beside other keys")
        .help("send either the envelope alone or bare nodes")
}
