//! Rows as lines for prompts: a header, then one line of values per row. A value cannot end its line
//! or its cell, so no text of a graph looks like another part of a prompt.

use crate::base::Value;
use crate::base::map::OrderedMap;
use crate::base::prompt_text::{DATA_MARK, escape_markers, push_visible, sanitize_line};
use crate::base::value::excerpt_of;
use std::rc::Rc;

/// Separator before each cell. Lines of data start with it.
const SEPARATOR: char = DATA_MARK;

/// Column of rows that are not maps.
const VALUE_COLUMN: &str = "value";

/// Rows as lines.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RowLines {
    /// Names of the columns.
    pub header: String,
    pub lines: Vec<String>,
}

impl RowLines {
    /// Formats rows until their lines have `max_chars` characters; the last line may exceed them.
    /// Cells have at most `max_cell_chars` characters.
    pub fn format_rows(
        rows: impl Iterator<Item = Value>,
        max_chars: usize,
        max_cell_chars: usize,
    ) -> RowLines {
        let (mut columns, mut cells) = (OrderedMap::<usize>::default(), Vec::new());
        let mut left = max_chars;
        for row in rows {
            let row = row_cells(&row, &mut columns, max_cell_chars);
            let size = row.iter().map(|(_, text)| 1 + text.chars().count()).sum::<usize>();
            cells.push(row);
            match left.checked_sub(size.max(1)) {
                Some(rest) => left = rest,
                None => break,
            }
        }
        let mut result = RowLines { header: String::new(), lines: Vec::new() };
        columns.keys().for_each(|name| write_cell(name, &mut result.header));
        result.header = escape_joined(&result.header);
        let mut left = max_chars;
        for row in cells {
            let line = join_cells(row, columns.len());
            let size = line.chars().count();
            result.lines.push(line);
            match left.checked_sub(size) {
                Some(rest) => left = rest,
                None => break,
            }
        }
        result
    }

    /// Returns the header and the lines; empty without rows.
    pub fn to_text(&self) -> String {
        let mut text = self.header.clone();
        for line in &self.lines {
            text.push('\n');
            text.push_str(line);
        }
        text
    }
}

/// Returns the cells of a row with the indices of their columns; new columns are added.
fn row_cells(
    row: &Value,
    columns: &mut OrderedMap<usize>,
    max_cell_chars: usize,
) -> Vec<(usize, String)> {
    let mut column = |name: &Rc<str>| {
        let next = columns.len();
        *columns.entry(name.clone()).or_insert(next)
    };
    match row {
        Value::Map(map) => map
            .iter()
            .map(|(name, value)| (column(name), cell_text(value, max_cell_chars)))
            .collect(),
        value => vec![(column(&VALUE_COLUMN.into()), cell_text(value, max_cell_chars))],
    }
}

fn join_cells(mut cells: Vec<(usize, String)>, count: usize) -> String {
    cells.sort_by_key(|(column, _)| *column);
    let (mut line, mut next) = (String::new(), 0);
    for (column, text) in cells {
        (next..=column).for_each(|_| line.push(SEPARATOR));
        line.push_str(&text);
        next = column + 1;
    }
    (next..count.max(1)).for_each(|_| line.push(SEPARATOR));
    escape_joined(&line)
}

/// Escapes the control tokens that cells form with the separators between them, as in `<|im_end|>`.
fn escape_joined(line: &str) -> String {
    escape_markers(line, &|character, out| out.push(character))
}

fn write_cell(text: &str, out: &mut String) {
    out.push(SEPARATOR);
    write_escaped(text, out);
}

/// Returns a value as the text of a cell.
fn cell_text(value: &Value, max_cell_chars: usize) -> String {
    let mut out = String::new();
    match value {
        Value::Text(text) if text.is_empty() => out.push_str("\"\""),
        Value::Text(text) => write_escaped(&excerpt_of(text, max_cell_chars), &mut out),
        // JSON has escaped its line breaks, and `|` is only inside of its strings.
        json => {
            let json = sanitize_line(&crate::base::value::excerpt(json, max_cell_chars));
            out.push_str(&json.replace(SEPARATOR, "\\u007c"));
        }
    }
    out
}

/// Appends a text without line breaks, separators, control characters, fences and control tokens.
fn write_escaped(text: &str, out: &mut String) {
    out.push_str(&escape_markers(text, &|character, out| match character {
        '\\' => out.push_str("\\\\"),
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        SEPARATOR => out.push_str("\\|"),
        other => push_visible(other, out),
    }));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::json::Limits;

    fn lines(rows: &str, max_chars: usize, max_cell_chars: usize) -> Vec<String> {
        let rows = Value::parse(rows.as_bytes(), Limits::default()).0.unwrap();
        let rows = rows.as_list().unwrap().iter().cloned();
        let RowLines { header, mut lines } = RowLines::format_rows(rows, max_chars, max_cell_chars);
        lines.insert(0, header);
        lines
    }

    #[test]
    fn rows_have_one_header_and_a_line_each() {
        let rows =
            r#"[{"id": "a", "n": 1}, {"id": "b", "tags": ["x", "y|z"]}, {"n": null, "id": ""}]"#;
        assert_eq!(
            lines(rows, 1000, 100),
            ["|id|n|tags", "|a|1|", r#"|b||["x","y\u007cz"]"#, r#"|""|null|"#]
        );
        assert_eq!(
            lines(r#"["x", 2, {"id": "a"}]"#, 1000, 100),
            ["|value|id", "|x|", "|2|", "||a"]
        );
        assert_eq!(lines("[]", 1000, 100), [""]);
    }

    #[test]
    fn cells_form_no_control_token() {
        let rows = r#"[{"<": "<", "im_end": "im_end", ">": ">"}, {"<": "<turn", "im_end": ">"}]"#;
        assert_eq!(
            lines(rows, 1000, 100),
            [r"|\u003c|im_end|>", r"|\u003c|im_end|>", r"|\u003cturn|>|"]
        );
    }

    #[test]
    fn no_value_ends_its_line_or_its_cell() {
        let hostile = r#"[{"id\n|x": "a\n|b\r\u2028c\\|d\t\u0000", "json": ["\u2029\n|"]}]"#;
        assert_eq!(
            lines(hostile, 1000, 100),
            [r"|id\n\|x|json", r#"|a\n\|b\r\u2028c\\\|d\t\u0000|["\u2029\n\u007c"]"#]
        );
    }

    #[test]
    fn formatting_stops_after_the_maximum() {
        let rows = format!("[{}]", vec![r#"{"id": "abcdefgh"}"#; 100].join(","));
        assert_eq!(lines(&rows, 30, 100).len(), 1 + 4);
        assert_eq!(lines(&rows, 30, 4)[1], "|abc…");
    }

    #[test]
    fn different_columns_of_many_rows_are_bounded() {
        let rows: Vec<String> = (0..3000).map(|nth| format!(r#"{{"k{nth}": 1}}"#)).collect();
        let found = lines(&format!("[{}]", rows.join(",")), 4000, 100);
        assert!(found.iter().map(String::len).sum::<usize>() < 20_000);
    }
}
