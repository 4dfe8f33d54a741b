//! The reader: a machine over tokens that can stop between any two bytes and go on.

mod fast_path;

use super::escape::unescape;
use super::limits::Limits;
use super::number::parse_number;
use super::scan::{StringEnd, scan_text};
use super::sink::{Sink, Text};
use super::syntax_error::{self, ExpectedToken};
use crate::base::{Diagnostic, Span};
use std::mem;

/// Reads one JSON text, whole or in pieces.
pub struct Reader {
    limits: Limits,
    state: ReaderState,
    /// The maps and lists that are open, outermost first.
    open: Vec<Container>,
    /// A token that the last piece left unfinished.
    pending: Option<PendingToken>,
    /// The bytes of the pending token so far, without the opening quote.
    carry: Vec<u8>,
    /// The last string that had escapes.
    unescaped: Vec<u8>,
    /// Bytes of the pieces before the one at hand.
    offset: usize,
    /// How far the token goes, from the start of the text, that could not be read.
    failed: Option<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Container {
    Map,
    List,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ReaderState {
    /// A value, behind `[`: or its end.
    FirstItem,
    /// A value.
    Value,
    /// A key, behind `{`: or its end.
    FirstKey,
    /// A key, behind a comma.
    Key,
    Colon,
    /// A comma or the end of the innermost map or list.
    After,
    /// Only white space.
    Done,
}

struct PendingToken {
    kind: TokenKind,
    /// Where the token starts, from the start of the text.
    start: usize,
    /// The piece ended right behind a backslash.
    escaping: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum TokenKind {
    Text,
    Number,
    Word,
    /// A character of several bytes, which stands where none may: what it is, is to be told.
    Stray,
}

impl Reader {
    /// A reader at the start of a text.
    pub fn new(limits: Limits) -> Reader {
        Reader {
            limits,
            state: ReaderState::Value,
            open: Vec::new(),
            pending: None,
            carry: Vec::new(),
            unescaped: Vec::new(),
            offset: 0,
            failed: None,
        }
    }

    /// Starts anew with another text; what memory it has is kept.
    pub fn restart(&mut self) {
        self.state = ReaderState::Value;
        self.open.clear();
        self.pending = None;
        self.offset = 0;
        self.failed = None;
    }

    /// Where the token ends, in bytes from the start of the text, at which reading failed: without the
    /// piece that holds this byte, it would not have.
    pub fn failed_at(&self) -> Option<usize> {
        self.failed
    }

    /// Bytes read so far.
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// Reads the next piece of the text.
    pub fn feed<S: Sink + ?Sized>(&mut self, piece: &[u8], sink: &mut S) -> Result<(), Diagnostic> {
        if self.offset + piece.len() > self.limits.bytes {
            return Err(syntax_error::too_large(self.limits.bytes, self.offset));
        }
        let mut at = self.resume(piece, sink)?;
        loop {
            at = self.read_fast(piece, at, sink);
            let Some(&byte) = piece.get(at) else { break };
            at = self.step(piece, at, byte, sink).inspect_err(|_| {
                self.failed.get_or_insert(self.offset + at + syntax_error::width(piece, at));
            })?;
        }
        self.offset += piece.len();
        Ok(())
    }

    /// Reads a whole text into a sink that is in no hurry: one copy of this code serves them all.
    #[inline(never)]
    pub fn read_all(&mut self, text: &[u8], sink: &mut dyn Sink) -> Result<(), Diagnostic> {
        self.feed(text, sink)?;
        self.finish(sink)
    }

    /// Says that there are no more pieces.
    pub fn finish<S: Sink + ?Sized>(&mut self, sink: &mut S) -> Result<(), Diagnostic> {
        if let Some(pending) = self.pending.take() {
            if pending.kind == TokenKind::Text {
                return Err(syntax_error::ended_in_text(pending.start, self.offset));
            }
            let carry = mem::take(&mut self.carry);
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
        Err(syntax_error::ended_early(closers, self.expected(), self.offset))
    }

    /// Reads the token that [`Reader::run`] stopped at, which starts with `byte` at `at`; answers where
    /// the next starts.
    fn step<S: Sink + ?Sized>(
        &mut self,
        piece: &[u8],
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
            ) => self.string_token(piece, at, sink),
            (ReaderState::Value | ReaderState::FirstItem, b'{' | b'[') => {
                Err(syntax_error::too_deep(self.limits.depth, self.offset + at))
            }
            (ReaderState::Value | ReaderState::FirstItem, b'-' | b'0'..=b'9') => {
                self.unquoted_token(TokenKind::Number, piece, at, sink)
            }
            (ReaderState::Value | ReaderState::FirstItem, b'a'..=b'z' | b'A'..=b'Z') => {
                self.unquoted_token(TokenKind::Word, piece, at, sink)
            }
            _ if is_incomplete_character(piece.get(at..).unwrap_or_default()) => {
                self.unquoted_token(TokenKind::Stray, piece, at, sink)
            }
            _ => Err(syntax_error::unexpected(piece, at, self.offset, self.expected())),
        }
    }

    fn after_value(&self) -> ReaderState {
        if self.open.is_empty() { ReaderState::Done } else { ReaderState::After }
    }

    /// A string whose quote opens at `at`.
    #[inline]
    fn string_token<S: Sink + ?Sized>(
        &mut self,
        piece: &[u8],
        at: usize,
        sink: &mut S,
    ) -> Result<usize, Diagnostic> {
        let scan = scan_text(piece, at + 1);
        match scan.end {
            StringEnd::Closed(end) => {
                let raw = piece.get(at + 1..end).unwrap_or_default();
                let span = Span::new(self.offset + at, self.offset + end + 1);
                let text = Text { bytes: raw, ascii: scan.ascii, verbatim: Some(at + 1), span };
                self.emit_string(text, scan.escaped, sink)?;
                Ok(end + 1)
            }
            StringEnd::Open { escaping } => {
                self.carry.clear();
                self.carry.extend_from_slice(piece.get(at + 1..).unwrap_or_default());
                self.pending =
                    Some(PendingToken { kind: TokenKind::Text, start: self.offset + at, escaping });
                Ok(piece.len())
            }
            StringEnd::Control(found) => Err(self.control(piece, found)),
        }
    }

    fn control(&mut self, piece: &[u8], found: usize) -> Diagnostic {
        self.failed = Some(self.offset + found + 1);
        syntax_error::control(piece, found, self.offset)
    }

    /// Hands a string on, as key or as value.
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
            self.state = self.after_value();
        }
        self.unescaped = unescaped;
        self.failed = None;
        Ok(())
    }

    /// A number or a word that starts at `at`.
    fn unquoted_token<S: Sink + ?Sized>(
        &mut self,
        kind: TokenKind,
        piece: &[u8],
        at: usize,
        sink: &mut S,
    ) -> Result<usize, Diagnostic> {
        let rest = piece.get(at..).unwrap_or_default();
        let length = unquoted_len(kind, rest);
        let token = rest.get(..length).unwrap_or_default();
        if length == rest.len() {
            self.carry.clear();
            self.carry.extend_from_slice(token);
            self.pending = Some(PendingToken { kind, start: self.offset + at, escaping: false });
        } else {
            self.emit_unquoted(kind, token, self.offset + at, sink)?;
        }
        Ok(at + length)
    }

    /// Hands a number or a word on.
    fn emit_unquoted<S: Sink + ?Sized>(
        &mut self,
        kind: TokenKind,
        token: &[u8],
        start: usize,
        sink: &mut S,
    ) -> Result<(), Diagnostic> {
        let span = Span::new(start, start + token.len());
        if kind == TokenKind::Stray {
            self.failed = Some(start + syntax_error::width(token, 0));
            return Err(syntax_error::unexpected(token, 0, start, self.expected()));
        }
        // What comes behind it tells where it ends.
        self.failed = Some(span.end + 1);
        match (kind, token) {
            (TokenKind::Number, _) => match parse_number(token) {
                Ok(value) => sink.number(value, span),
                Err(reason) => return Err(syntax_error::number(reason, token, span)),
            },
            (_, b"true") => sink.bool(true, span),
            (_, b"false") => sink.bool(false, span),
            (_, b"null") => sink.null(span),
            _ => return Err(syntax_error::word(token, span, self.expected())),
        }
        self.failed = None;
        self.state = self.after_value();
        Ok(())
    }

    /// Goes on with the token that the last piece left unfinished; answers where it ends.
    fn resume<S: Sink + ?Sized>(
        &mut self,
        piece: &[u8],
        sink: &mut S,
    ) -> Result<usize, Diagnostic> {
        let Some(mut pending) = self.pending.take() else { return Ok(0) };
        if piece.is_empty() {
            self.pending = Some(pending);
            return Ok(0);
        }
        let (length, closed) = if pending.kind == TokenKind::Text {
            match scan_text(piece, usize::from(pending.escaping)).end {
                StringEnd::Closed(end) => (end, true),
                StringEnd::Open { escaping } => {
                    pending.escaping = escaping;
                    (piece.len(), false)
                }
                StringEnd::Control(found) => return Err(self.control(piece, found)),
            }
        } else {
            let length = unquoted_len(pending.kind, piece);
            (length, length < piece.len())
        };
        self.carry.extend_from_slice(piece.get(..length).unwrap_or_default());
        if !closed && (pending.kind != TokenKind::Stray || is_incomplete_character(&self.carry)) {
            self.pending = Some(pending);
            return Ok(length);
        }
        let carry = mem::take(&mut self.carry);
        let after = if pending.kind == TokenKind::Text {
            let span = Span::new(pending.start, self.offset + length + 1);
            let text = Text { bytes: &carry, ascii: carry.is_ascii(), verbatim: None, span };
            self.emit_string(text, carry.contains(&b'\\'), sink)?;
            length + 1
        } else {
            self.emit_unquoted(pending.kind, &carry, pending.start, sink)?;
            length
        };
        self.carry = carry;
        Ok(after)
    }

    fn expected(&self) -> ExpectedToken {
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

/// Whether these are the first bytes of a character of which more are to come.
fn is_incomplete_character(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes)
        .is_err_and(|error| error.valid_up_to() == 0 && error.error_len().is_none())
}

/// Whether a number or a word may go on where the text ends, and is none as it is.
fn is_incomplete_token(kind: TokenKind, token: &[u8]) -> bool {
    match kind {
        TokenKind::Number => token.last().is_some_and(|last| b"-+.eE".contains(last)),
        _ => {
            let goes_on = |word: &&[u8]| word.len() > token.len() && word.starts_with(token);
            [&b"true"[..], b"false", b"null"].iter().any(goes_on)
        }
    }
}

/// How many bytes belong to the number or word at the start.
fn unquoted_len(kind: TokenKind, bytes: &[u8]) -> usize {
    let belongs = |byte: &u8| match kind {
        TokenKind::Number => matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E'),
        TokenKind::Stray => !byte.is_ascii(),
        _ => byte.is_ascii_alphanumeric() || *byte == b'_',
    };
    bytes.iter().position(|byte| !belongs(byte)).unwrap_or(bytes.len())
}
