//! Lines before the first row of a table, and its delimiter.

use super::rows::SPACES;

/// Meaning of spaces in a line without other delimiters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpaceMeaning {
    /// Part of a text.
    Text,
    /// Delimiters of columns.
    Delimiters,
}

/// Lines before the first row of a table.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Preamble<'a> {
    /// Byte offset of the first row.
    pub start: usize,
    /// Delimiter that Excel declares by `sep=;`.
    pub delimiter: Option<u8>,
    /// First byte of the comment lines.
    pub comment: Option<u8>,
    /// Number of comment lines.
    pub comments: usize,
    /// Last comment line without its first bytes, which may name the columns.
    pub header: Option<&'a str>,
    /// Direction that a comment of SNAP or KONECT declares.
    pub directed: Option<bool>,
    /// Format that the first comment of KONECT declares.
    pub konect: Option<KonectFormat>,
}

/// Format of a list of edges of KONECT.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KonectFormat {
    /// `sym` or `asym`: both columns have the ids of the same nodes.
    Unipartite,
    /// `bip`: the ids of each column count the nodes of one side.
    Bipartite,
}

/// Reads `sep=;` and the comment lines at the start of a text.
pub fn read_preamble(text: &str) -> Preamble<'_> {
    let mut preamble = Preamble::default();
    loop {
        let rest = text.get(preamble.start..).unwrap_or_default();
        let line = rest.split(['\n', '\r']).next().unwrap_or_default();
        let length = line.len() + usize::from(line.len() < rest.len());
        if rest.is_empty() {
            return preamble;
        }
        if let Some(delimiter) = excel_delimiter(line).filter(|_| preamble.comments == 0) {
            preamble.delimiter = Some(delimiter);
        } else if let Some(comment) = comment_of(line) {
            preamble.comment = line.bytes().next();
            preamble.comments += 1;
            preamble.header = Some(comment);
            preamble.directed = preamble.directed.or(direction_of(comment));
            preamble.konect = preamble.konect.or(konect_format(comment));
        } else if !line.is_empty() {
            return preamble;
        }
        preamble.start += length;
    }
}

fn excel_delimiter(line: &str) -> Option<u8> {
    let delimiter = line.strip_prefix("sep=")?;
    match delimiter.as_bytes() {
        [byte @ (b',' | b';' | b'\t' | b'|')] => Some(*byte),
        _ => None,
    }
}

/// Returns the text of a comment line. A column may be called `#`.
fn comment_of(line: &str) -> Option<&str> {
    let comment = line.trim_start_matches(['#', '%']);
    let is_comment = comment.len() < line.len() && !comment.starts_with([',', ';', '|']);
    is_comment.then(|| comment.trim())
}

/// Words of KONECT for the weights of edges.
const KONECT_WEIGHTS: [&str; 9] = [
    "unweighted",
    "positive",
    "posweighted",
    "signed",
    "multisigned",
    "weighted",
    "multiweighted",
    "dynamic",
    "multiposweighted",
];

/// Returns the format that a comment of KONECT declares: `bip unweighted`.
fn konect_format(comment: &str) -> Option<KonectFormat> {
    let mut words = comment.split_whitespace();
    let kind = match words.next()? {
        "bip" => KonectFormat::Bipartite,
        "sym" | "asym" => KonectFormat::Unipartite,
        _ => return None,
    };
    words.next().filter(|weights| KONECT_WEIGHTS.contains(weights)).map(|_| kind)
}

/// Returns the direction that a comment declares: `Directed graph: …` of SNAP, `asym …` of KONECT.
fn direction_of(comment: &str) -> Option<bool> {
    let comment = comment.to_ascii_lowercase();
    let mut words = comment.split_whitespace();
    match (words.next()?, words.next()) {
        ("directed", Some("graph" | "graph:")) => Some(true),
        ("undirected", Some("graph" | "graph:")) => Some(false),
        ("asym", Some(_)) => Some(true),
        ("sym" | "bip", Some(_)) => Some(false),
        _ => None,
    }
}

/// Returns the most frequent of comma, semicolon, tab and pipe in the first line, outside of quotes.
pub fn delimiter_of(text: &str, spaces: SpaceMeaning) -> u8 {
    let line = text.trim_start_matches(['\n', '\r']).lines().next().unwrap_or_default();
    // The commas of a Python dictionary at the end of a line of NetworkX are not delimiters.
    let dictionary = [" {", "\t{'", ",{'", ";{'"].iter().filter_map(|start| line.find(start)).min();
    let line = match dictionary.filter(|_| spaces == SpaceMeaning::Delimiters) {
        Some(end) => line.get(..end + 1).unwrap_or_default(),
        None => line,
    };
    let mut counts = [(b',', 0), (b';', 0), (b'\t', 0), (b'|', 0)];
    let mut in_quotes = false;
    for byte in line.bytes() {
        in_quotes ^= byte == b'"';
        for (delimiter, count) in &mut counts {
            *count += usize::from(byte == *delimiter && !in_quotes);
        }
    }
    let is_spaced = line.trim().contains(' ') && counts.iter().all(|(_, count)| *count == 0);
    if is_spaced && spaces == SpaceMeaning::Delimiters {
        return SPACES;
    }
    // The comma wins a tie, for example in a table with one column.
    counts.iter().rev().max_by_key(|(_, count)| *count).map_or(b',', |(delimiter, _)| *delimiter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_precede_the_first_row() {
        let snap = read_preamble("# Directed graph: x\r\n# FromNodeId\tToNodeId\r\n0\t1\n# y\n");
        assert_eq!(snap.start, "# Directed graph: x\r\n# FromNodeId\tToNodeId\r\n".len());
        assert_eq!((snap.comments, snap.comment), (2, Some(b'#')));
        assert_eq!((snap.header, snap.directed), (Some("FromNodeId\tToNodeId"), Some(true)));
        let konect = read_preamble("% sym unweighted\n% 3 3 3\n1 2\n");
        assert_eq!((konect.directed, konect.header), (Some(false), Some("3 3 3")));
        let excel = read_preamble("sep=;\nid;a\n");
        assert_eq!((excel.start, excel.delimiter), (6, Some(b';')));
        assert_eq!(read_preamble("id,a\n# x\n"), Preamble::default());
        assert_eq!(read_preamble("#,a\n1,2").comments, 0);
        assert_eq!(read_preamble("").start, 0);
        assert_eq!(read_preamble("# x").start, 3);
    }

    #[test]
    fn delimiters_are_counted_outside_of_quotes() {
        let check = |text, spaces, expected: u8| assert_eq!(delimiter_of(text, spaces), expected);
        check("a,b;c,d", SpaceMeaning::Text, b',');
        check("\"a,b,c\";d", SpaceMeaning::Text, b';');
        check("a|b", SpaceMeaning::Text, b'|');
        check("a\tb c", SpaceMeaning::Delimiters, b'\t');
        check("0 1", SpaceMeaning::Delimiters, SPACES);
        check("0 1 {'v': 1, 'w': 2}", SpaceMeaning::Delimiters, SPACES);
        check("full name", SpaceMeaning::Text, b',');
        check("a", SpaceMeaning::Delimiters, b',');
    }
}
