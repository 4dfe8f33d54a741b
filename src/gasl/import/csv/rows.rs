//! The rows of a table in text (RFC 4180), and what separates its cells.

use crate::base::Span;
use memchr::{memchr, memchr3};
use std::borrow::Cow;

/// Reads row by row. Blank lines are passed over.
pub struct CsvReader<'a> {
    text: &'a str,
    at: usize,
    delimiter: u8,
    /// Whether there are blanks beside the names of the first row: then those beside all cells are
    /// no part of them.
    padded: bool,
    is_first: bool,
}

/// One cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CsvCell<'a> {
    /// Without the quotes around it.
    text: &'a str,
    /// Whether two quotes inside stand for one.
    doubled: bool,
}

impl<'a> CsvCell<'a> {
    /// What the cell says.
    pub fn text(self) -> Cow<'a, str> {
        if self.doubled { self.text.replace("\"\"", "\"").into() } else { self.text.into() }
    }

    /// What the cell says, if that stands in the text as it is.
    pub fn plain(self) -> Option<&'a str> {
        (!self.doubled).then_some(self.text)
    }

    /// How many bytes it takes at most.
    pub fn len(self) -> usize {
        self.text.len()
    }

    /// Whether it says nothing.
    pub fn is_empty(self) -> bool {
        self.text.is_empty()
    }
}

/// A quoted cell that is not closed, and the byte where it opens.
pub struct UnclosedQuote(pub usize);

impl<'a> CsvReader<'a> {
    /// The rows of a text whose cells this byte separates.
    pub fn new(text: &'a str, delimiter: u8) -> CsvReader<'a> {
        CsvReader { text, at: 0, delimiter, padded: false, is_first: true }
    }

    /// Puts the cells of the next row into `cells`; answers where the row stands.
    pub fn next(&mut self, cells: &mut Vec<CsvCell<'a>>) -> Result<Option<Span>, UnclosedQuote> {
        cells.clear();
        self.append(cells)
    }

    fn append(&mut self, cells: &mut Vec<CsvCell<'a>>) -> Result<Option<Span>, UnclosedQuote> {
        let bytes = self.text.as_bytes();
        while let Some(b'\n' | b'\r') = bytes.get(self.at) {
            self.at += 1;
        }
        let start = self.at;
        if start >= bytes.len() {
            return Ok(None);
        }
        loop {
            cells.push(self.cell()?);
            match bytes.get(self.at) {
                Some(byte) if *byte == self.delimiter => self.at += 1,
                _ => {
                    self.is_first = false;
                    return Ok(Some(Span::new(start, self.at)));
                }
            }
        }
    }

    fn cell(&mut self) -> Result<CsvCell<'a>, UnclosedQuote> {
        let mut start = self.at;
        while self.padded && self.text.as_bytes().get(start) == Some(&b' ') {
            start += 1;
        }
        if self.text.as_bytes().get(start) == Some(&b'"')
            && let Some(cell) = self.quoted(start + 1)?
        {
            return Ok(cell);
        }
        let rest = self.text.as_bytes().get(start..).unwrap_or_default();
        let length = memchr3(self.delimiter, b'\n', b'\r', rest).unwrap_or(rest.len());
        self.at = start + length;
        let whole = self.text.get(start..self.at).unwrap_or_default();
        let text = if self.padded || self.is_first { whole.trim_matches(' ') } else { whole };
        self.padded |= self.is_first && text.len() < whole.len();
        Ok(CsvCell { text, doubled: false })
    }

    /// A cell in quotes; none where something stands behind the closing one, so that they were
    /// part of the text.
    fn quoted(&mut self, start: usize) -> Result<Option<CsvCell<'a>>, UnclosedQuote> {
        let bytes = self.text.as_bytes();
        let mut at = start;
        let mut doubled = false;
        loop {
            let Some(found) = bytes.get(at..).and_then(|rest| memchr(b'"', rest)) else {
                return Err(UnclosedQuote(start - 1));
            };
            let quote = at + found;
            match bytes.get(quote + 1) {
                Some(b'"') => {
                    doubled = true;
                    at = quote + 2;
                }
                next => {
                    let ends = next.is_none_or(|byte| {
                        *byte == self.delimiter || matches!(byte, b'\n' | b'\r')
                    });
                    if !ends {
                        return Ok(None);
                    }
                    self.at = quote + 1;
                    let text = self.text.get(start..quote).unwrap_or_default();
                    return Ok(Some(CsvCell { text, doubled }));
                }
            }
        }
    }
}

/// A few rows that were read together.
#[derive(Default)]
pub struct RowBlock<'a> {
    cells: Vec<CsvCell<'a>>,
    /// Where each row stands, and where its cells end.
    rows: Vec<(Span, usize)>,
}

impl<'a> RowBlock<'a> {
    const ROWS: usize = 64;

    /// Puts the next rows in place of those that it holds; answers whether there are any.
    pub fn read(&mut self, from: &mut CsvReader<'a>) -> Result<bool, UnclosedQuote> {
        self.cells.clear();
        self.rows.clear();
        while self.rows.len() < Self::ROWS
            && let Some(at) = from.append(&mut self.cells)?
        {
            self.rows.push((at, self.cells.len()));
        }
        Ok(!self.rows.is_empty())
    }

    /// Where each row stands, and its cells.
    pub fn rows(&self) -> impl Iterator<Item = (Span, &[CsvCell<'a>])> {
        let mut start = 0;
        self.rows.iter().map(move |(at, end)| {
            let cells = self.cells.get(start..*end).unwrap_or_default();
            start = *end;
            (*at, cells)
        })
    }
}

/// What separates cells: of comma, semicolon and tab the one that the first line has most often.
pub fn delimiter_of(text: &str) -> u8 {
    let line = text.trim_start_matches(['\n', '\r']).lines().next().unwrap_or_default();
    let mut counts = [(b',', 0), (b';', 0), (b'\t', 0)];
    let mut quoted = false;
    for byte in line.bytes() {
        quoted ^= byte == b'"';
        for (delimiter, count) in &mut counts {
            *count += usize::from(byte == *delimiter && !quoted);
        }
    }
    // The first of equals: a table of one column has none of them.
    counts.iter().rev().max_by_key(|(_, count)| *count).map_or(b',', |(delimiter, _)| *delimiter)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&[&str]]) {
        let mut rows = CsvReader::new(text, delimiter_of(text));
        let mut cells = Vec::new();
        let mut found: Vec<Vec<String>> = Vec::new();
        while let Ok(Some(_)) = rows.next(&mut cells) {
            found.push(cells.iter().map(|cell| cell.text().into_owned()).collect());
        }
        assert_eq!(found, expected, "{text}");
        let mut block = RowBlock::default();
        assert_eq!(
            block.read(&mut CsvReader::new(text, delimiter_of(text))).ok(),
            Some(!text.is_empty())
        );
        let text_of = |cell: &CsvCell<'_>| cell.text().into_owned();
        let found = block.rows().map(|(_, cells)| cells.iter().map(text_of).collect());
        assert_eq!(found.collect::<Vec<Vec<String>>>(), expected, "{text}");
    }

    #[test]
    fn blanks_beside_cells_are_none_of_theirs_where_the_names_have_some() {
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
    fn reads_rows() {
        check("a,b\n1,2\n", &[&["a", "b"], &["1", "2"]]);
        check("a;b;c\r\n\r\n1,5;;", &[&["a", "b", "c"], &["1,5", "", ""]]);
        check("a\tb\n\"x\ty\"\t\"say \"\"hi\"\"\n\"", &[&["a", "b"], &["x\ty", "say \"hi\"\n"]]);
        check("a\n\"b\"c\n\"\"", &[&["a"], &["\"b\"c"], &[""]]);
        check("\"a,b;c\";d", &[&["a,b;c", "d"]]);
        check("", &[]);
        let mut rows = CsvReader::new("a\n\"b", b',');
        assert!(matches!(rows.next(&mut Vec::new()), Ok(Some(Span { start: 0, end: 1 }))));
        assert!(matches!(rows.next(&mut Vec::new()), Err(UnclosedQuote(2))));
    }
}
