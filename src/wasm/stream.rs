//! Streams: a message that comes in pieces.

use super::input::Input;
use super::{Store, held_of};
use crate::base::span::{Utf16Counter, bytes_at};
use crate::ham::store::{Applied, Pushed};
use crate::ham::surface::held::Held;
use crate::wire::{self, Source};
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
impl Store {
    /// Opens a stream.
    pub fn stream_open(&mut self) -> usize {
        let number = self.core.open_stream();
        self.pieces.resize_with(self.pieces.len().max(number + 1), Utf16Counter::default);
        if let Some(pieces) = self.pieces.get_mut(number) {
            *pieces = Utf16Counter::default();
        }
        number
    }

    /// Reads the next piece, of `length` bytes in the input, of a stream.
    pub fn stream_push(&mut self, number: usize, length: usize, held: u32) -> u32 {
        let held = held_of(held);
        let input = Input::taken();
        let piece = input.first(length);
        let applied = self.core.push(number, piece, held);
        self.pass(number, piece, held);
        self.answer_stream(number, applied)
    }

    /// Reads `count` pieces of a stream that came while nobody looked, `length` bytes in the input. At the byte
    /// `place` of it stands where each of them ends, a word each: in code units, or in bytes where they were
    /// given as such. The number of the update that it made takes the place of that, 0 where it was refused.
    /// Answers of which piece each of the diagnostics is, where there are any.
    pub fn stream_push_all(
        &mut self,
        number: usize,
        length: usize,
        place: usize,
        count: usize,
        held: u32,
    ) -> Option<Vec<u32>> {
        let mut input = Input::taken();
        let text = input.first(length);
        let ends = input.words(place, count);
        let held = held_of(held);
        let ends = if held == Held::Text { bytes_at(text, &ends) } else { ends };
        let Pushed { revisions, told } = self.core.push_all(number, text, &ends);
        self.pass(number, text, held);
        input.write_words(place, &revisions);
        let (mut owners, mut diagnostics) = (Vec::new(), Vec::new());
        for (piece, each) in told {
            owners.push(piece);
            diagnostics.push(each);
        }
        self.diagnostics.clear();
        if !owners.is_empty() {
            let source = self.pieces.get(number).map_or(Source::Text(b""), Source::Pieces);
            self.diagnostics = wire::Diagnostic::list(diagnostics, source);
        }
        self.finish(true, 0);
        (!owners.is_empty()).then_some(owners)
    }

    /// How many code units a stream has had.
    pub fn stream_length(&self, number: usize) -> usize {
        self.pieces.get(number).map_or(0, Utf16Counter::end)
    }

    /// Ends a stream.
    pub fn stream_end(&mut self, number: usize) -> u32 {
        let applied = self.core.end(number);
        self.answer_stream(number, applied)
    }

    /// Forgets a stream.
    pub fn stream_close(&mut self, number: usize) {
        self.core.close_stream(number);
    }
}

impl Store {
    /// Notes how long a piece of a stream is.
    fn pass(&mut self, number: usize, piece: &[u8], held: Held) {
        if let Some(pieces) = self.pieces.get_mut(number) {
            match held {
                Held::Ascii => pieces.advance(piece.len()),
                Held::Bytes | Held::Text => pieces.push(piece),
            }
        }
    }

    fn answer_stream(&mut self, number: usize, applied: Applied) -> u32 {
        let Applied { ok, revision, diagnostics } = applied;
        self.diagnostics = if diagnostics.is_empty() {
            Vec::new()
        } else {
            let source = self.pieces.get(number).map_or(Source::Text(b""), Source::Pieces);
            wire::Diagnostic::of_message(diagnostics, source)
        };
        self.finish(ok, revision)
    }
}
