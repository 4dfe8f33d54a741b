//! What a reader hands on, and to whom.

use crate::base::Span;

/// Takes what the reader reads, in the order of the text. Depth is the sink's own to count; the
/// reader sees to it that maps and lists close as they opened and that keys and values alternate.
pub trait Sink {
    /// `{`, at this byte.
    fn open_map(&mut self, at: usize);
    /// `}`, at this byte.
    fn close_map(&mut self, at: usize);
    /// `[`, at this byte.
    fn open_list(&mut self, at: usize);
    /// `]`, at this byte.
    fn close_list(&mut self, at: usize);
    /// A key of the innermost map.
    fn key(&mut self, text: Text<'_>);
    /// A string.
    fn text(&mut self, text: Text<'_>);
    /// A finite number.
    fn number(&mut self, value: f64, span: Span);
    /// `true` or `false`.
    fn bool(&mut self, value: bool, span: Span);
    /// `null`.
    fn null(&mut self, span: Span);

    /// What the next key probably is, as it would stand in the text; a right guess spares the search
    /// for its end.
    fn guess_key(&mut self) -> &[u8] {
        b""
    }
    /// The next key, which is what was guessed.
    fn guessed_key(&mut self, _span: Span) {}
    /// Takes items of the innermost list from `text`, which begins with the quote of one: strings
    /// without escapes, with a comma and nothing but space besides between two. Answers where the
    /// last of them ends; nothing where it takes none.
    fn take_items(&mut self, _text: &[u8]) -> Option<usize> {
        None
    }
    /// Takes items of the innermost list from `text`, which begins with a number: numbers, with a comma and
    /// nothing but space besides between two. Answers where the last of them ends; nothing where it takes none.
    fn take_numbers(&mut self, _text: &[u8]) -> Option<usize> {
        None
    }
    /// Takes entries of the innermost map from `piece`, where the quote of a key stands at `at`. Their
    /// values may be no lists, and maps of none but such values. `offset` bytes of the text come before the piece.
    /// Answers where the last of them ends; nothing where it takes none.
    fn take_entries(&mut self, _piece: &[u8], _at: usize, _offset: usize) -> Option<usize> {
        None
    }
}

/// A string as it was meant: without quotes, escapes resolved, checked to be UTF-8.
#[derive(Clone, Copy)]
pub struct Text<'a> {
    /// UTF-8.
    pub bytes: &'a [u8],
    /// Whether every byte is ASCII.
    pub ascii: bool,
    /// Where the very same bytes stand in the piece at hand, if they do.
    pub verbatim: Option<usize>,
    /// The string with its quotes, in bytes from the start of the text.
    pub span: Span,
}

impl<'a> Text<'a> {
    /// The text as a `str`.
    pub fn as_str(&self) -> &'a str {
        // The reader has checked it; an empty string would only stand for a fault of ours.
        std::str::from_utf8(self.bytes).unwrap_or_default()
    }
}
