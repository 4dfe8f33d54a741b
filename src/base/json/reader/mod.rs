//! The parser: a push automaton over tokens that can be suspended after any byte.

mod fast_path;

use super::escape::unescape;
use super::limits::Limits;
use super::number::parse_number;
use super::scan::{StringEnd, scan_text};
use super::sink::{Sink, Text};
use super::syntax_error::{self, ExpectedToken};
use crate::base::{Diagnostic, Span};
use std::mem;

/// Streaming parser of one JSON text.
pub struct Reader {
    limits: Limits,
    state: ReaderState,
    /// Open maps and lists, outermost first.
    open: Vec<Container>,
    /// Token that the last chunk left incomplete.
    pending: Option<PendingToken>,
    /// Bytes of the pending token so far, without the opening quote.
    carried_bytes: Vec<u8>,
    /// Buffer for strings with escapes.
    unescaped: Vec<u8>,
    /// Byte offset of the current chunk in the text.
    offset: usize,
    /// Byte offset in the text after the token that failed.
    failed: Option<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Container {
    Map,
    List,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ReaderState {
    /// A value or `]`, after `[`.
    FirstItem,
    /// A value.
    Value,
    /// A key or `}`, after `{`.
    FirstKey,
    /// A key, after a comma.
    Key,
    Colon,
    /// A comma or the end of the innermost map or list.
    After,
    /// Only white space.
    Done,
}

struct PendingToken {
    kind: PendingTokenKind,
    /// Byte offset of the token in the text.
    start: usize,
    /// Whether the chunk ended after a backslash that escapes the next byte.
    escaping: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum PendingTokenKind {
    Text,
    Number,
    Word,
    /// Unexpected character of several bytes, which the error quotes.
    Stray,
}

impl Reader {
    /// Returns a parser at the start of a text.
    pub fn new(limits: Limits) -> Reader {
        Reader {
            limits,
            state: ReaderState::Value,
            open: Vec::new(),
            pending: None,
            carried_bytes: Vec::new(),
            unescaped: Vec::new(),
            offset: 0,
            failed: None,
        }
    }

    /// Resets the parser for another text and keeps its buffers.
    pub fn restart(&mut self) {
        self.state = ReaderState::Value;
        self.open.clear();
        self.pending = None;
        self.offset = 0;
        self.failed = None;
    }

    /// Returns the byte offset in the text after the token that failed: the chunk with the byte before it caused
    /// the error.
    pub fn failed_at(&self) -> Option<usize> {
        self.failed
    }

    /// Returns the number of bytes parsed so far.
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// Returns the string value that the last chunk left open: its byte offset in the text, and its
    /// raw bytes so far, with escapes.
    pub fn open_string(&self) -> Option<(usize, &[u8])> {
        let is_value = matches!(self.state, ReaderState::Value | ReaderState::FirstItem);
        let pending = self.pending.as_ref()?;
        (is_value && pending.kind == PendingTokenKind::Text)
            .then_some((pending.start, &self.carried_bytes))
    }

    /// Parses the next chunk of the text.
    pub fn feed<S: Sink + ?Sized>(&mut self, chunk: &[u8], sink: &mut S) -> Result<(), Diagnostic> {
        if self.offset + chunk.len() > self.limits.bytes {
            return Err(syntax_error::too_large(self.limits.bytes, self.offset));
        }
        let mut at = self.resume_token(chunk, sink)?;
        loop {
            at = self.read_fast(chunk, at, sink);
            let Some(&byte) = chunk.get(at) else { break };
            at = self.read_token(chunk, at, byte, sink).inspect_err(|_| {
                self.failed
                    .get_or_insert(self.offset + at + syntax_error::character_len(chunk, at));
            })?;
        }
        self.offset += chunk.len();
        Ok(())
    }

    /// Parses a complete text into a sink of a cold path: one copy of this code for all such sinks.
    #[inline(never)]
    pub fn read_all(&mut self, text: &[u8], sink: &mut dyn Sink) -> Result<(), Diagnostic> {
        self.feed(text, sink)?;
        self.finish(sink)
    }

    /// Ends the text.
    pub fn finish<S: Sink + ?Sized>(&mut self, sink: &mut S) -> Result<(), Diagnostic> {
        if let Some(pending) = self.pending.take() {
            if pending.kind == PendingTokenKind::Text {
                return Err(syntax_error::ended_in_text(pending.start, self.offset));
            }
            let carry = mem::take(&mut self.carried_bytes);
            if !is_incomplete_token(pending.kind, &carry) {
                self.emit_unquoted(pending.kind, &carry, pending.start, sink)?;
            }
        }
        if self.state == ReaderState::Done {
            return Ok(());
        }
        let closers = self.open.iter().rev().map(|open| match open {
            Container::Map => '}',
            Container::List => ']',
        });
        Err(syntax_error::ended_early(closers, self.expected_token(), self.offset))
    }

    /// Parses the token at which [`Reader::read_fast`] stopped, which starts with `byte` at `at`. Returns the byte
    /// offset after it.
    fn read_token<S: Sink + ?Sized>(
        &mut self,
        chunk: &[u8],
        at: usize,
        byte: u8,
        sink: &mut S,
    ) -> Result<usize, Diagnostic> {
        match (self.state, byte) {
            (
                ReaderState::FirstKey
                | ReaderState::Key
                | ReaderState::Value
                | ReaderState::FirstItem,
                b'"',
            ) => self.read_string(chunk, at, sink),
            (ReaderState::Value | ReaderState::FirstItem, b'{' | b'[') => {
                Err(syntax_error::too_deep(self.limits.depth, self.offset + at))
            }
            (ReaderState::Value | ReaderState::FirstItem, b'-' | b'0'..=b'9') => {
                self.read_unquoted(PendingTokenKind::Number, chunk, at, sink)
            }
            (ReaderState::Value | ReaderState::FirstItem, b'a'..=b'z' | b'A'..=b'Z') => {
                self.read_unquoted(PendingTokenKind::Word, chunk, at, sink)
            }
            _ if is_incomplete_character(chunk.get(at..).unwrap_or_default()) => {
                self.read_unquoted(PendingTokenKind::Stray, chunk, at, sink)
            }
            _ => Err(syntax_error::unexpected(chunk, at, self.offset, self.expected_token())),
        }
    }

    fn state_after_value(&self) -> ReaderState {
        if self.open.is_empty() { ReaderState::Done } else { ReaderState::After }
    }

    /// Parses a string whose opening quote is at `at`.
    #[inline]
    fn read_string<S: Sink + ?Sized>(
        &mut self,
        chunk: &[u8],
        at: usize,
        sink: &mut S,
    ) -> Result<usize, Diagnostic> {
        let scan = scan_text(chunk, at + 1);
        match scan.end {
            StringEnd::Closed(end) => {
                let raw = chunk.get(at + 1..end).unwrap_or_default();
                let span = Span::new(self.offset + at, self.offset + end + 1);
                let text = Text { bytes: raw, ascii: scan.ascii, verbatim: Some(at + 1), span };
                self.emit_string(text, scan.escaped, sink)?;
                Ok(end + 1)
            }
            StringEnd::Open { escaping } => {
                self.carried_bytes.clear();
                self.carried_bytes.extend_from_slice(chunk.get(at + 1..).unwrap_or_default());
                self.pending = Some(PendingToken {
                    kind: PendingTokenKind::Text,
                    start: self.offset + at,
                    escaping,
                });
                Ok(chunk.len())
            }
            StringEnd::Control(found) => Err(self.control_character_error(chunk, found)),
        }
    }

    fn control_character_error(&mut self, chunk: &[u8], found: usize) -> Diagnostic {
        self.failed = Some(self.offset + found + 1);
        syntax_error::control_character(chunk, found, self.offset)
    }

    /// Emits a string as key or value.
    #[inline]
    fn emit_string<S: Sink + ?Sized>(
        &mut self,
        raw: Text<'_>,
        escaped: bool,
        sink: &mut S,
    ) -> Result<(), Diagnostic> {
        self.failed = Some(raw.span.end);
        if !raw.ascii {
            std::str::from_utf8(raw.bytes).map_err(|error| {
                syntax_error::not_utf8(raw.span.start + 1 + error.valid_up_to())
            })?;
        }
        let mut unescaped = mem::take(&mut self.unescaped);
        let text = if escaped {
            unescaped.clear();
            unescape(raw.bytes, raw.span.start + 1, &mut unescaped)?;
            Text { bytes: &unescaped, ascii: unescaped.is_ascii(), verbatim: None, ..raw }
        } else {
            raw
        };
        if matches!(self.state, ReaderState::Key | ReaderState::FirstKey) {
            sink.key(text);
            self.state = ReaderState::Colon;
        } else {
            sink.text(text);
            self.state = self.state_after_value();
        }
        self.unescaped = unescaped;
        self.failed = None;
        Ok(())
    }

    /// Parses a number or word that starts at `at`.
    fn read_unquoted<S: Sink + ?Sized>(
        &mut self,
        kind: PendingTokenKind,
        chunk: &[u8],
        at: usize,
        sink: &mut S,
    ) -> Result<usize, Diagnostic> {
        let rest = chunk.get(at..).unwrap_or_default();
        let length = unquoted_len(kind, rest);
        let token = rest.get(..length).unwrap_or_default();
        if length == rest.len() {
            self.carried_bytes.clear();
            self.carried_bytes.extend_from_slice(token);
            self.pending = Some(PendingToken { kind, start: self.offset + at, escaping: false });
        } else {
            self.emit_unquoted(kind, token, self.offset + at, sink)?;
        }
        Ok(at + length)
    }

    /// Emits a number or a literal.
    fn emit_unquoted<S: Sink + ?Sized>(
        &mut self,
        kind: PendingTokenKind,
        token: &[u8],
        start: usize,
        sink: &mut S,
    ) -> Result<(), Diagnostic> {
        let span = Span::new(start, start + token.len());
        if kind == PendingTokenKind::Stray {
            self.failed = Some(start + syntax_error::character_len(token, 0));
            return Err(syntax_error::unexpected(token, 0, start, self.expected_token()));
        }
        // The byte after it shows where it ends.
        self.failed = Some(span.end + 1);
        match (kind, token) {
            (PendingTokenKind::Number, _) => match parse_number(token) {
                Ok(value) => sink.number(value, span),
                Err(reason) => return Err(syntax_error::invalid_number(reason, token, span)),
            },
            (_, b"true") => sink.bool(true, span),
            (_, b"false") => sink.bool(false, span),
            (_, b"null") => sink.null(span),
            _ => return Err(syntax_error::unexpected_word(token, span, self.expected_token())),
        }
        self.failed = None;
        self.state = self.state_after_value();
        Ok(())
    }

    /// Continues the token that the last chunk left incomplete. Returns the byte offset after it.
    fn resume_token<S: Sink + ?Sized>(
        &mut self,
        chunk: &[u8],
        sink: &mut S,
    ) -> Result<usize, Diagnostic> {
        let Some(mut pending) = self.pending.take() else { return Ok(0) };
        if chunk.is_empty() {
            self.pending = Some(pending);
            return Ok(0);
        }
        let (length, closed) = if pending.kind == PendingTokenKind::Text {
            match scan_text(chunk, usize::from(pending.escaping)).end {
                StringEnd::Closed(end) => (end, true),
                StringEnd::Open { escaping } => {
                    pending.escaping = escaping;
                    (chunk.len(), false)
                }
                StringEnd::Control(found) => return Err(self.control_character_error(chunk, found)),
            }
        } else {
            let length = unquoted_len(pending.kind, chunk);
            (length, length < chunk.len())
        };
        self.carried_bytes.extend_from_slice(chunk.get(..length).unwrap_or_default());
        if !closed
            && (pending.kind != PendingTokenKind::Stray
                || is_incomplete_character(&self.carried_bytes))
        {
            self.pending = Some(pending);
            return Ok(length);
        }
        let carry = mem::take(&mut self.carried_bytes);
        let after = if pending.kind == PendingTokenKind::Text {
            let span = Span::new(pending.start, self.offset + length + 1);
            let text = Text { bytes: &carry, ascii: carry.is_ascii(), verbatim: None, span };
            self.emit_string(text, carry.contains(&b'\\'), sink)?;
            length + 1
        } else {
            self.emit_unquoted(pending.kind, &carry, pending.start, sink)?;
            length
        };
        self.carried_bytes = carry;
        Ok(after)
    }

    fn expected_token(&self) -> ExpectedToken {
        match self.state {
            ReaderState::FirstItem => ExpectedToken::FirstItem,
            ReaderState::Value if self.open.is_empty() => ExpectedToken::Document,
            ReaderState::Value if self.open.last() == Some(&Container::List) => ExpectedToken::Item,
            ReaderState::Value => ExpectedToken::Value,
            ReaderState::FirstKey => ExpectedToken::FirstKey,
            ReaderState::Key => ExpectedToken::Key,
            ReaderState::Colon => ExpectedToken::Colon,
            ReaderState::After if self.open.last() == Some(&Container::Map) => {
                ExpectedToken::AfterProperty
            }
            ReaderState::After => ExpectedToken::AfterItem,
            ReaderState::Done => ExpectedToken::End,
        }
    }
}

/// Returns whether these are the first bytes of a UTF-8 character that is incomplete.
fn is_incomplete_character(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes)
        .is_err_and(|error| error.valid_up_to() == 0 && error.error_len().is_none())
}

/// Returns whether a number or word is incomplete at the end of the text.
fn is_incomplete_token(kind: PendingTokenKind, token: &[u8]) -> bool {
    match kind {
        PendingTokenKind::Number => token.last().is_some_and(|last| b"-+.eE".contains(last)),
        _ => {
            let goes_on = |word: &&[u8]| word.len() > token.len() && word.starts_with(token);
            [&b"true"[..], b"false", b"null"].iter().any(goes_on)
        }
    }
}

/// Returns the length in bytes of the number or word at the start.
fn unquoted_len(kind: PendingTokenKind, bytes: &[u8]) -> usize {
    let belongs = |byte: &u8| match kind {
        PendingTokenKind::Number => matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E'),
        PendingTokenKind::Stray => !byte.is_ascii(),
        _ => byte.is_ascii_alphanumeric() || *byte == b'_',
    };
    bytes.iter().position(|byte| !belongs(byte)).unwrap_or(bytes.len())
}
