//! Receiver of parser events.

use crate::base::Span;

/// Receiver of parser events, in the order of the text. The reader guarantees that maps and lists are balanced
/// and that keys and values alternate; a sink that needs the depth counts it. Offsets are byte offsets in the text.
pub trait Sink {
    /// Handles `{`.
    fn open_map(&mut self, at: usize);
    /// Handles `}`.
    fn close_map(&mut self, at: usize);
    /// Handles `[`.
    fn open_list(&mut self, at: usize);
    /// Handles `]`.
    fn close_list(&mut self, at: usize);
    /// Handles a key of the innermost map.
    fn key(&mut self, text: Text<'_>);
    /// Handles a string value.
    fn text(&mut self, text: Text<'_>);
    /// Handles a finite number.
    fn number(&mut self, value: f64, span: Span);
    /// Handles `true` or `false`.
    fn bool(&mut self, value: bool, span: Span);
    /// Handles `null`.
    fn null(&mut self, span: Span);

    /// Consumes strings without escapes, separated by commas, from the innermost list. `text` begins with the
    /// quote of the first. Returns the byte offset after the last one, or `None` if it consumes none.
    fn take_items(&mut self, _text: &[u8]) -> Option<usize> {
        None
    }
    /// Consumes entries of the innermost map from `chunk`, beginning with the quote of a key at byte offset `at`.
    /// Values are scalars or maps of such values, not lists. `offset` is the byte offset of the chunk in the text.
    /// Returns the byte offset after the last entry, or `None` if it consumes none.
    fn take_entries(&mut self, _piece: &[u8], _at: usize, _offset: usize) -> Option<usize> {
        None
    }
}

/// A string without quotes, with escapes resolved, checked to be UTF-8.
#[derive(Clone, Copy)]
pub struct Text<'a> {
    /// Content in UTF-8.
    pub bytes: &'a [u8],
    /// Whether every byte is ASCII.
    pub ascii: bool,
    /// Byte offset of the same bytes in the current chunk; `None` if the string had escapes or was split.
    pub verbatim: Option<usize>,
    /// Byte offsets of the string with its quotes in the text.
    pub span: Span,
}

impl<'a> Text<'a> {
    /// Returns the content as a `str`.
    pub fn as_str(&self) -> &'a str {
        // Always succeeds, because the reader has checked the bytes.
        std::str::from_utf8(self.bytes).unwrap_or_default()
    }
}
