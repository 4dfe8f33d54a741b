//! Reads rows of CSV (RFC 4180). Cells borrow from the text; `csv-core`
//! copies them, takes 18 % longer for 2 × 100,000 rows, and accepts unclosed quotes.

use crate::base::{Diagnostic, Span};
use crate::gasl::import::codes;
use memchr::{memchr, memchr2, memchr3};
use std::borrow::Cow;

/// Reader of rows that skips blank lines. The delimiter [`SPACES`] means any number of spaces.
#[derive(Clone)]
pub struct CsvReader<'a> {
    text: &'a str,
    at: usize,
    delimiter: u8,
    /// First byte of comment lines.
    comment: Option<u8>,
    /// Whether any name in the first row has spaces around it: then all cells are trimmed.
    trims: bool,
    /// Whether a backslash escapes quotes in quoted cells, instead of a second quote.
    has_backslashes: bool,
    /// Whether any cell was malformed.
    pub has_malformed: bool,
    is_first: bool,
}

/// Delimiter of columns that are separated by spaces.
pub const SPACES: u8 = b' ';

/// Errors of the quotes of a table, from the best to the worst.
#[derive(PartialEq, PartialOrd)]
enum QuoteErrors {
    None,
    /// The last quoted cell is not closed.
    Unclosed,
    /// A cell has text after its closing quote.
    Malformed,
}

/// Cell of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CsvCell<'a> {
    /// Contents without enclosing quotes.
    text: &'a str,
    /// Escape character of the quotes in the contents: a quote, a backslash, or `None`.
    escape: Option<u8>,
}

impl<'a> CsvCell<'a> {
    /// Returns the text of the cell.
    pub fn text(self) -> Cow<'a, str> {
        match self.escape {
            None => self.text.into(),
            Some(b'"') => self.text.replace("\"\"", "\"").into(),
            // A quote after an even number of backslashes ends the cell, so the order is safe.
            Some(_) => self.text.replace("\\\"", "\"").replace("\\\\", "\\").into(),
        }
    }

    /// Returns the text of the cell; `None` if it has escaped quotes.
    pub fn unescaped(self) -> Option<&'a str> {
        self.escape.is_none().then_some(self.text)
    }

    /// Returns whether the cell begins with a quote and does not end with one, so that its quotes are
    /// part of the text.
    pub fn is_malformed(self) -> bool {
        self.escape.is_none() && self.text.starts_with('"')
    }

    /// Returns whether the quotes of a malformed cell are escaped with backslashes.
    pub fn has_backslashes(self) -> bool {
        self.is_malformed() && self.text.contains("\\\"")
    }

    /// Returns the length in bytes, an upper bound for that of the text.
    pub fn len(self) -> usize {
        self.text.len()
    }

    /// Returns whether the first byte can begin a number.
    pub fn may_be_number(self) -> bool {
        matches!(self.text.as_bytes().trim_ascii_start().first(), Some(b'0'..=b'9' | b'-'))
    }

    /// Returns whether the first byte is a sign, a point or a currency symbol, as in `+1`, `.5` and `$9`.
    pub fn may_be_formatted_number(self) -> bool {
        let first = self.text.as_bytes().trim_ascii_start().first();
        matches!(first, Some(b'+' | b'.' | b'$' | b'i' | b'I')) || self.text.starts_with(['€', '£'])
    }

    /// Returns whether the cell is empty.
    pub fn is_empty(self) -> bool {
        self.text.is_empty()
    }
}

/// Error for an unclosed quoted cell, with the byte offset of its opening quote.
pub struct UnclosedQuote(pub usize);

impl UnclosedQuote {
    /// Returns the error for a table that starts at a byte offset of its text.
    pub fn diagnostic(self, offset: usize) -> Diagnostic {
        let at = self.0 + offset;
        Diagnostic::new(codes::UNCLOSED_QUOTE, "unclosed quoted cell")
            .help("close it with `\"`, and write `\"\"` for a quote inside")
            .at(Span::new(at, at + 1))
    }
}

impl<'a> CsvReader<'a> {
    /// Returns a reader of a text with this delimiter.
    pub fn new(text: &'a str, delimiter: u8) -> CsvReader<'a> {
        CsvReader {
            text,
            at: 0,
            delimiter,
            comment: None,
            trims: false,
            has_backslashes: false,
            has_malformed: false,
            is_first: true,
        }
    }

    /// Skips lines that start with this byte and a space.
    pub fn with_comments(self, comment: Option<u8>) -> CsvReader<'a> {
        CsvReader { comment, ..self }
    }

    /// Returns a reader of cells whose quotes are escaped with backslashes, as pandas and Spark write
    /// them, if some cells are malformed otherwise. Reads the text twice if it has such quotes.
    pub fn with_escapes(self) -> CsvReader<'a> {
        let mut rest = self.rest().as_bytes();
        while let Some(at) = memchr(b'\\', rest) {
            rest = rest.get(at + 1..).unwrap_or_default();
            if rest.first() != Some(&b'"') {
                continue;
            }
            let escaped = CsvReader { has_backslashes: true, ..self.clone() };
            let [plain, other] = [self.quote_errors(), escaped.quote_errors()];
            return if other < plain { escaped } else { self };
        }
        self
    }

    /// Returns which error of its quotes a table has. The first block of a stream may end in a cell.
    fn quote_errors(&self) -> QuoteErrors {
        let (mut rows, mut cells) = (self.clone(), Vec::new());
        loop {
            match rows.next(&mut cells) {
                Ok(Some(_)) if cells.iter().any(|cell| cell.is_malformed()) => {
                    return QuoteErrors::Malformed;
                }
                Ok(Some(_)) => {}
                Ok(None) => return QuoteErrors::None,
                Err(_) => return QuoteErrors::Unclosed,
            }
        }
    }

    /// Returns a reader that starts at a byte offset of the text.
    pub fn starting_at(self, at: usize) -> CsvReader<'a> {
        CsvReader { at, ..self }
    }

    /// Returns a reader of the text after that of this one, with the same settings.
    pub fn continue_with<'b>(&self, text: &'b str) -> CsvReader<'b> {
        let CsvReader { delimiter, comment, trims, has_backslashes, .. } = *self;
        CsvReader {
            text,
            at: 0,
            delimiter,
            comment,
            trims,
            has_backslashes,
            has_malformed: false,
            is_first: false,
        }
    }

    /// Returns the byte offset after the last row.
    pub fn position(&self) -> usize {
        self.at
    }

    /// Replaces `cells` with those of the next row. Returns the span of the row; `None` at the end.
    pub fn next(&mut self, cells: &mut Vec<CsvCell<'a>>) -> Result<Option<Span>, UnclosedQuote> {
        cells.clear();
        self.read_row(cells)
    }

    fn read_row(&mut self, cells: &mut Vec<CsvCell<'a>>) -> Result<Option<Span>, UnclosedQuote> {
        let bytes = self.text.as_bytes();
        self.skip_blank_lines();
        let start = self.at;
        if start >= bytes.len() {
            return Ok(None);
        }
        loop {
            cells.push(self.read_cell()?);
            match bytes.get(self.at) {
                Some(byte) if *byte == self.delimiter => self.at += 1,
                _ => break,
            }
            if self.delimiter == SPACES {
                self.skip_spaces();
                if matches!(bytes.get(self.at), None | Some(b'\n' | b'\r')) {
                    break;
                }
            }
        }
        self.is_first = false;
        Ok(Some(Span::new(start, self.at)))
    }

    /// Returns the text from the current position.
    pub fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn skip_spaces(&mut self) {
        while self.text.as_bytes().get(self.at) == Some(&b' ') {
            self.at += 1;
        }
    }

    /// Skips line ends, comment lines, and with [`SPACES`] the spaces before the first cell.
    fn skip_blank_lines(&mut self) {
        let bytes = self.text.as_bytes();
        loop {
            match bytes.get(self.at) {
                Some(b'\n' | b'\r') => self.at += 1,
                Some(b' ') if self.delimiter == SPACES => self.skip_spaces(),
                Some(byte) if Some(*byte) == self.comment => {
                    let rest = bytes.get(self.at..).unwrap_or_default();
                    if !matches!(rest.get(1), None | Some(b' ' | b'\t' | b'\n' | b'\r')) {
                        return;
                    }
                    self.at += memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
                }
                _ => return,
            }
        }
    }

    fn read_cell(&mut self) -> Result<CsvCell<'a>, UnclosedQuote> {
        let mut start = self.at;
        while self.trims && self.text.as_bytes().get(start) == Some(&b' ') {
            start += 1;
        }
        if self.text.as_bytes().get(start) == Some(&b'"')
            && let Some(cell) = self.read_quoted_cell(start + 1)?
        {
            return Ok(cell);
        }
        let rest = self.text.as_bytes().get(start..).unwrap_or_default();
        // NetworkX writes attributes as a Python dictionary at the end of a line.
        let is_dictionary = rest.first() == Some(&b'{') && self.is_dictionary(rest);
        let delimiter = if is_dictionary { b'\n' } else { self.delimiter };
        let length = memchr3(delimiter, b'\n', b'\r', rest).unwrap_or(rest.len());
        self.at = start + length;
        let contents = self.text.get(start..self.at).unwrap_or_default();
        let text = if self.trims || self.is_first { contents.trim_matches(' ') } else { contents };
        self.trims |= self.is_first && text.len() < contents.len();
        Ok(CsvCell { text, escape: None })
    }

    /// Returns whether the rest of a line that starts with `{` is a Python dictionary.
    fn is_dictionary(&self, rest: &[u8]) -> bool {
        let line = rest.get(..memchr2(b'\n', b'\r', rest).unwrap_or(rest.len()));
        let line = line.unwrap_or_default().trim_ascii_end();
        self.delimiter == SPACES || line.starts_with(b"{'") && line.ends_with(b"}")
    }

    /// Reads a quoted cell; returns `None` if text follows the closing quote, so that the quotes are
    /// part of the text.
    fn read_quoted_cell(&mut self, start: usize) -> Result<Option<CsvCell<'a>>, UnclosedQuote> {
        let bytes = self.text.as_bytes();
        let mut at = start;
        let mut escape = None;
        // The second byte is searched too, so it is the same unless backslashes escape quotes.
        let escape_byte = if self.has_backslashes { b'\\' } else { b'"' };
        loop {
            let rest = bytes.get(at..).unwrap_or_default();
            let Some(found) = memchr2(b'"', escape_byte, rest) else {
                return Err(UnclosedQuote(start - 1));
            };
            let quote = at + found;
            let is_escape = match bytes.get(quote) {
                Some(b'\\') => true,
                _ => !self.has_backslashes && bytes.get(quote + 1) == Some(&b'"'),
            };
            match bytes.get(quote + 1) {
                _ if is_escape => {
                    escape = Some(escape_byte);
                    at = quote + 2;
                }
                next => {
                    let ends = next.is_none_or(|byte| {
                        *byte == self.delimiter || matches!(byte, b'\n' | b'\r')
                    });
                    if !ends {
                        self.has_malformed = true;
                        return Ok(None);
                    }
                    self.at = quote + 1;
                    let text = self.text.get(start..quote).unwrap_or_default();
                    return Ok(Some(CsvCell { text, escape }));
                }
            }
        }
    }
}

/// Block of up to 64 rows.
#[derive(Default)]
pub struct RowBlock<'a> {
    cells: Vec<CsvCell<'a>>,
    /// Span of each row, and the end of its cells in `cells`.
    rows: Vec<(Span, usize)>,
}

impl<'a> RowBlock<'a> {
    const MAX_ROWS: usize = 64;

    /// Replaces the rows with the next ones. Returns whether there are any.
    pub fn read(&mut self, from: &mut CsvReader<'a>) -> Result<bool, UnclosedQuote> {
        self.cells.clear();
        self.rows.clear();
        while self.rows.len() < Self::MAX_ROWS
            && let Some(at) = from.read_row(&mut self.cells)?
        {
            self.rows.push((at, self.cells.len()));
        }
        Ok(!self.rows.is_empty())
    }

    /// Returns the span and the cells of each row.
    pub fn rows(&self) -> impl Iterator<Item = (Span, &[CsvCell<'a>])> {
        let mut start = 0;
        self.rows.iter().map(move |(at, end)| {
            let cells = self.cells.get(start..*end).unwrap_or_default();
            start = *end;
            (*at, cells)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::preamble::{SpaceMeaning, delimiter_of};
    use super::*;

    fn check(text: &str, expected: &[&[&str]]) {
        let mut rows = CsvReader::new(text, delimiter_of(text, SpaceMeaning::Text));
        let mut cells = Vec::new();
        let mut found: Vec<Vec<String>> = Vec::new();
        while let Ok(Some(_)) = rows.next(&mut cells) {
            found.push(cells.iter().map(|cell| cell.text().into_owned()).collect());
        }
        assert_eq!(found, expected, "{text}");
        let mut block = RowBlock::default();
        assert_eq!(
            block.read(&mut CsvReader::new(text, delimiter_of(text, SpaceMeaning::Text))).ok(),
            Some(!text.is_empty())
        );
        let text_of = |cell: &CsvCell<'_>| cell.text().into_owned();
        let found = block.rows().map(|(_, cells)| cells.iter().map(text_of).collect());
        assert_eq!(found.collect::<Vec<Vec<String>>>(), expected, "{text}");
    }

    #[test]
    fn cells_are_trimmed_if_a_header_is_padded() {
        let read = |text: &str| {
            let mut rows = CsvReader::new(text, b',');
            let (mut cells, mut found) = (Vec::new(), Vec::new());
            while let Ok(Some(_)) = rows.next(&mut cells) {
                found.push(cells.iter().map(|cell| cell.text().into_owned()).collect::<Vec<_>>());
            }
            found
        };
        assert_eq!(
            read("id , name\n1 , Ann\n 2, \" Bo, \"\"B\"\"\"\n3, "),
            [["id", "name"], ["1", "Ann"], ["2", " Bo, \"B\""], ["3", ""]]
        );
        assert_eq!(read("id,name\n1, Ann"), [["id", "name"], ["1", " Ann"]]);
        assert_eq!(read("id,\" name\"\n1, Ann"), [["id", " name"], ["1", " Ann"]]);
    }

    #[test]
    fn reads_quoted_and_unquoted_cells() {
        check("a,b\n1,2\n", &[&["a", "b"], &["1", "2"]]);
        check("a;b;c\r\n\r\n1,5;;", &[&["a", "b", "c"], &["1,5", "", ""]]);
        check("a\tb\n\"x\ty\"\t\"say \"\"hi\"\"\n\"", &[&["a", "b"], &["x\ty", "say \"hi\"\n"]]);
        check("a\n\"b\"c\n\"\"", &[&["a"], &["\"b\"c"], &[""]]);
        check("\"a,b;c\";d", &[&["a,b;c", "d"]]);
        check("", &[]);
        let mut spaced = CsvReader::new("  a  b \n\n# x y\n#c  d\ne {'w': 1, 'v': 2}\n", SPACES)
            .with_comments(Some(b'#'));
        let (mut cells, mut found) = (Vec::new(), Vec::new());
        while let Ok(Some(_)) = spaced.next(&mut cells) {
            found.push(cells.iter().map(|cell| cell.text().into_owned()).collect::<Vec<_>>());
        }
        assert_eq!(found, [vec!["a", "b"], vec!["#c", "d"], vec!["e", "{'w': 1, 'v': 2}"]]);
        let mut rows = CsvReader::new("a\n\"b", b',');
        assert!(matches!(rows.next(&mut Vec::new()), Ok(Some(Span { start: 0, end: 1 }))));
        assert!(matches!(rows.next(&mut Vec::new()), Err(UnclosedQuote(2))));
    }
}
