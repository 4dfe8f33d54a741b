//! Fast path of the parser: complete tokens without escapes, which nearly all are.

use super::{Container, Reader, ReaderState};
use crate::base::Span;
use crate::base::json::scalar::{self, Scalar};
use crate::base::json::scan::ascii_string_end;
use crate::base::json::sink::{Sink, Text};

impl Reader {
    /// Parses valid tokens that are complete in the chunk. Returns the byte offset of the first other token, which
    /// [`Reader::read_token`] parses or reports. It is fast because it cannot fail.
    pub(super) fn read_fast<S: Sink + ?Sized>(
        &mut self,
        chunk: &[u8],
        from: usize,
        sink: &mut S,
    ) -> usize {
        let mut at = from;
        let mut state = self.state;
        let mut open = self.open.last().copied();
        while let Some(&byte) = chunk.get(at) {
            let here = self.offset + at;
            let end = match (state, byte) {
                (_, b' ' | b'\n' | b'\r' | b'\t') => {
                    at += 1;
                    continue;
                }
                (ReaderState::After, b',') => {
                    state = if open == Some(Container::Map) {
                        ReaderState::Key
                    } else {
                        ReaderState::Value
                    };
                    at += 1;
                    continue;
                }
                (ReaderState::Colon, b':') => {
                    state = ReaderState::Value;
                    at += 1;
                    continue;
                }
                (ReaderState::FirstKey | ReaderState::Key, b'"') => {
                    let is_within_depth = self.open.len() < self.limits.depth;
                    match is_within_depth
                        .then(|| sink.take_entries(chunk, at, self.offset))
                        .flatten()
                    {
                        Some(end) => end,
                        None => {
                            let Some(end) = self.emit_key(chunk, at, sink) else { break };
                            (state, at) = match chunk.get(end) {
                                Some(b':') => (ReaderState::Value, end + 1),
                                _ => (ReaderState::Colon, end),
                            };
                            continue;
                        }
                    }
                }
                (ReaderState::Value | ReaderState::FirstItem, b'"') => {
                    match sink.take_items(chunk.get(at..).unwrap_or_default()) {
                        Some(length) => at + length,
                        None => {
                            let Some(end) = ascii_string_end(chunk, at + 1) else { break };
                            sink.text(self.ascii_text(chunk, at + 1, end));
                            end + 1
                        }
                    }
                }
                (
                    ReaderState::Value | ReaderState::FirstItem,
                    b'-' | b'0'..=b'9' | b't' | b'f' | b'n',
                ) => {
                    let Some(end) = self.emit_scalar(chunk, at, byte, sink) else { break };
                    end
                }
                (ReaderState::Value | ReaderState::FirstItem, b'{' | b'[') => {
                    if self.open.len() >= self.limits.depth {
                        break;
                    }
                    let (opened, first) = match byte {
                        b'{' => (Container::Map, ReaderState::FirstKey),
                        _ => (Container::List, ReaderState::FirstItem),
                    };
                    match opened {
                        Container::Map => sink.open_map(here),
                        Container::List => sink.open_list(here),
                    }
                    self.open.push(opened);
                    (open, state) = (Some(opened), first);
                    at += 1;
                    continue;
                }
                (ReaderState::After | ReaderState::FirstKey, b'}')
                    if open == Some(Container::Map) =>
                {
                    sink.close_map(here);
                    self.open.pop();
                    open = self.open.last().copied();
                    at + 1
                }
                (ReaderState::After | ReaderState::FirstItem, b']')
                    if open == Some(Container::List) =>
                {
                    sink.close_list(here);
                    self.open.pop();
                    open = self.open.last().copied();
                    at + 1
                }
                _ => break,
            };
            // A value has ended; nearly always the next byte is a comma.
            (state, at) = match (open, chunk.get(end)) {
                (None, _) => (ReaderState::Done, end),
                (Some(Container::Map), Some(b',')) => (ReaderState::Key, end + 1),
                (Some(Container::List), Some(b',')) => (ReaderState::Value, end + 1),
                _ => (ReaderState::After, end),
            };
        }
        self.state = state;
        at
    }

    /// Emits a number, boolean or null that begins with `byte` at `at`. Returns the byte offset after it.
    #[inline(always)]
    fn emit_scalar<S: Sink + ?Sized>(
        &self,
        chunk: &[u8],
        at: usize,
        byte: u8,
        sink: &mut S,
    ) -> Option<usize> {
        let (value, end) = scalar::parse_unquoted_scalar(chunk, at, byte)?;
        let span = Span::new(self.offset + at, self.offset + end);
        match value {
            Scalar::Number(value) => sink.number(value, span),
            Scalar::Bool(value) => sink.bool(value, span),
            _ => sink.null(span),
        }
        Some(end)
    }

    /// Emits a key without escapes whose opening quote is at `at`. Returns the byte offset after it.
    #[inline(always)]
    fn emit_key<S: Sink + ?Sized>(&self, chunk: &[u8], at: usize, sink: &mut S) -> Option<usize> {
        let end = ascii_string_end(chunk, at + 1)?;
        sink.key(self.ascii_text(chunk, at + 1, end));
        Some(end + 1)
    }

    /// Returns the ASCII string without escapes whose content is `start..end`.
    #[inline(always)]
    fn ascii_text<'p>(&self, chunk: &'p [u8], start: usize, end: usize) -> Text<'p> {
        let bytes = chunk.get(start..end).unwrap_or_default();
        let span = Span::new(self.offset + start - 1, self.offset + end + 1);
        Text { bytes, ascii: true, verbatim: Some(start), span }
    }
}
