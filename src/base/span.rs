//! Places in text: bytes inside, UTF-16 code units outside.

/// A half-open range of bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Span {
    /// The bytes from `start` up to `end`.
    pub fn new(start: usize, end: usize) -> Span {
        Span { start, end }
    }

    /// The same span, `by` bytes further on.
    pub fn shifted(self, by: usize) -> Span {
        Span { start: self.start + by, end: self.end + by }
    }
}

/// How many UTF-16 code units the bytes make. Bytes that are no UTF-8 count as a decoder would
/// show them: one replacement character for each byte that starts nothing.
pub fn utf16_len(bytes: &[u8]) -> usize {
    bytes
        .utf8_chunks()
        .map(|chunk| {
            let replaced = usize::from(!chunk.invalid().is_empty());
            chunk.valid().encode_utf16().count() + replaced
        })
        .sum()
}

/// The span in UTF-16 code units of a span in bytes of `text`; a span past the end is cut there.
pub fn utf16_span(text: &[u8], span: Span) -> Span {
    let start = span.start.min(text.len());
    let end = span.end.clamp(start, text.len());
    let before = utf16_len(text.get(..start).unwrap_or_default());
    let within = utf16_len(text.get(start..end).unwrap_or_default());
    Span::new(before, before + within)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_code_units() {
        assert_eq!(utf16_len("aé€😀".as_bytes()), 5);
        assert_eq!(utf16_len(b"a\xffb"), 3);
        assert_eq!(utf16_span("é😀x".as_bytes(), Span::new(6, 7)), Span::new(3, 4));
        assert_eq!(utf16_span(b"ab", Span::new(7, 9)), Span::new(2, 2));
    }
}
