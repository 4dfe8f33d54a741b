//! Streams: a message that arrives in chunks.

use super::input::Input;
use super::{Store, encoding_from_number};
use crate::base::span::{Utf16Counter, utf16_to_byte_offsets};
use crate::ham::store::{Applied, ChunkResults};
use crate::ham::surface::message_text::HostEncoding;
use crate::wire::{self, Source};
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
impl Store {
    /// Opens a stream. `partial_text`: apply long texts while they arrive.
    pub fn stream_open(&mut self, partial_text: bool) -> usize {
        let number = self.core.open_stream(partial_text);
        self.pieces.resize_with(self.pieces.len().max(number + 1), Utf16Counter::default);
        if let Some(pieces) = self.pieces.get_mut(number) {
            *pieces = Utf16Counter::default();
        }
        number
    }

    /// Parses the next chunk of a stream, `length` bytes in the input.
    pub fn stream_push(&mut self, number: usize, length: usize, held: u32) -> u32 {
        let held = encoding_from_number(held);
        let input = Input::take_buffer();
        let chunk = input.prefix(length);
        let applied = self.core.push(number, chunk, held);
        self.count_chunk(number, chunk, held);
        self.store_stream_result(number, applied)
    }

    /// Parses `count` buffered chunks of a stream, `length` bytes in the input. The ends of the chunks are at byte
    /// offset `place` of the input, one word each: UTF-16 offsets, or byte offsets if the chunks are bytes. It is
    /// replaced by the number of the update, or 0 if the chunk is rejected. Returns the chunk index of each
    /// diagnostic, if any.
    pub fn stream_push_all(
        &mut self,
        number: usize,
        length: usize,
        place: usize,
        count: usize,
        held: u32,
    ) -> Option<Vec<u32>> {
        let mut input = Input::take_buffer();
        let text = input.prefix(length);
        let ends = input.words(place, count);
        let held = encoding_from_number(held);
        let ends =
            if held == HostEncoding::Text { utf16_to_byte_offsets(text, &ends) } else { ends };
        let ChunkResults { revisions, diagnostics: chunk_diagnostics } =
            self.core.push_all(number, text, &ends);
        self.count_chunk(number, text, held);
        input.write_words(place, &revisions);
        let (mut owners, mut diagnostics) = (Vec::new(), Vec::new());
        for (chunk, each) in chunk_diagnostics {
            owners.push(chunk);
            diagnostics.push(each);
        }
        self.diagnostics.clear();
        if !owners.is_empty() {
            let source = self.pieces.get(number).map_or(Source::Text(b""), Source::Chunks);
            self.diagnostics = wire::Diagnostic::list(diagnostics, source);
        }
        self.finish_call(true, 0);
        (!owners.is_empty()).then_some(owners)
    }

    /// Returns the length of a stream so far in UTF-16 code units.
    pub fn stream_length(&self, number: usize) -> usize {
        self.pieces.get(number).map_or(0, Utf16Counter::utf16_end)
    }

    /// Ends a stream.
    pub fn stream_end(&mut self, number: usize) -> u32 {
        let applied = self.core.end(number);
        self.store_stream_result(number, applied)
    }

    /// Removes a stream.
    pub fn stream_close(&mut self, number: usize) {
        self.core.close_stream(number);
    }
}

impl Store {
    /// Adds the length of a chunk to a stream.
    fn count_chunk(&mut self, number: usize, chunk: &[u8], encoding: HostEncoding) {
        if let Some(pieces) = self.pieces.get_mut(number) {
            match encoding {
                HostEncoding::Ascii => pieces.advance_ascii(chunk.len()),
                HostEncoding::Bytes | HostEncoding::Text => pieces.push(chunk),
            }
        }
    }

    fn store_stream_result(&mut self, number: usize, applied: Applied) -> u32 {
        let Applied { ok, revision, diagnostics } = applied;
        self.diagnostics = if diagnostics.is_empty() {
            Vec::new()
        } else {
            let source = self.pieces.get(number).map_or(Source::Text(b""), Source::Chunks);
            wire::Diagnostic::of_message(diagnostics, source)
        };
        self.finish_call(ok, revision)
    }
}
