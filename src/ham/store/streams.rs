//! Messages that arrive in pieces.

use super::{Applied, Store, refused};
use crate::base::{Diagnostic, Span};
use crate::ham::history::NOTHING;
use crate::ham::site::Site;
use crate::ham::stream::{self, Stream};
use crate::ham::{codes, update};

impl Store {
    /// Opens a stream.
    pub fn open_stream(&mut self) -> usize {
        let stream = Stream::new(self.json_limits());
        self.streams.put(stream)
    }

    /// Reads the next piece of a stream, and applies the nodes that it completed.
    pub fn push(&mut self, number: usize, piece: &[u8], ascii: bool) -> Applied {
        // The last piece of a long list is short, and all of the list is kept with it.
        let stream = self.streams.get_mut(number);
        let open = stream.map_or(0, |stream| stream.update.builder().open_size());
        self.begin(piece.len() + open);
        let mark = self.document.arena.mark();
        let Some(stream) = self.streams.get_mut(number).filter(|stream| !stream.ended) else {
            return refused(vec![stream::ended()]);
        };
        let start = stream.reader.offset();
        let mut site = Site::new(&mut self.document, piece);
        let mut sink = update::Reading { update: &mut stream.update, site: &mut site };
        let result = stream.reader.feed(piece, &mut sink);
        let mut diagnostics = std::mem::take(&mut stream.update.diagnostics);
        diagnostics.extend(result.err());
        if stream.update.is_mixed {
            diagnostics.push(mixed().at(Span::new(start, start + piece.len())));
        }
        let failed = diagnostics.iter().any(Diagnostic::is_error);
        // Values of unfinished nodes refer to the piece, so it stays even after an error.
        let kept = site.keep(piece);
        self.records.start(ascii.then_some(kept));
        if failed {
            stream.ended = true;
            return refused(diagnostics);
        }
        let entries = stream.update.take_entries();
        if entries.is_empty() && diagnostics.is_empty() {
            // Most pieces complete no node.
            stream.update.reuse(entries);
            return Applied { ok: true, revision: NOTHING, diagnostics };
        }
        let applied = self.commit(&entries, Some(number), mark, diagnostics);
        if let Some(stream) = self.streams.get_mut(number) {
            stream.ended = !applied.ok;
            stream.update.reuse(entries);
        }
        applied
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
        self.streams.take(number);
    }
}

fn mixed() -> Diagnostic {
    Diagnostic::new(codes::ENVELOPE, "`updateDataModel` stands beside other keys")
        .help("send either the envelope alone or bare nodes")
}
