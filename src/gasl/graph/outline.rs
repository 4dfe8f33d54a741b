//! Description of a graph for prompts: what a query needs to know, in few characters.

use super::Graph;
use super::column::{Cell, Column};
use super::provenance::SOURCE_FIELDS;
use super::table::AttributeTable;
use crate::base::json::write_number;
use crate::base::prompt_text::{DATA_MARK, json_line, quote_as_json, quote_name};
use crate::base::value::excerpt_of;

/// Maximum number of characters of the descriptions of all fields. Other fields are only named.
const MAX_DESCRIPTION_CHARS: usize = 3_000;

/// Maximum number of described fields of nodes, and of edges.
const MAX_DESCRIBED_FIELDS: usize = 60;

/// Maximum number of named fields of nodes, and of edges.
const MAX_NAMED_FIELDS: usize = 1_000;

/// Maximum number of values of a field.
const MAX_FIELD_VALUES: usize = 12;

/// Maximum number of values of the relation field.
const MAX_RELATION_VALUES: usize = 30;

/// Maximum number of characters of the values of a field.
const MAX_VALUES_CHARS: usize = 240;

/// Maximum number of characters of a listed value. Longer values are not categories.
const MAX_VALUE_CHARS: usize = 60;

/// Maximum number of characters of a field name.
const MAX_NAME_CHARS: usize = 80;

/// Maximum number of characters of an example.
const MAX_EXAMPLE_CHARS: usize = 36;

/// Number of distinct texts that decide whether a field contains generated ids.
const TESTED_TEXTS: usize = 20;

impl Graph {
    /// Describes the graph for a prompt: counts, then a line of data for each field with its values or
    /// its range. Values
    /// that occur once (except of few relations), generated ids and repetitions of an id are not
    /// listed.
    pub fn outline(&self) -> String {
        let kind = if self.is_directed() { "directed" } else { "undirected" };
        let counted = |count: usize, unit: &str| {
            format!("{count} {unit}{}", if count == 1 { "" } else { "s" })
        };
        let mut out = format!(
            "{kind}, {}, {}, {}",
            counted(self.node_count(), "node"),
            counted(self.edge_count(), "edge"),
            counted(self.component_count(), "component"),
        );
        let mut left = MAX_DESCRIPTION_CHARS;
        out.push_str("\nNode fields:");
        if self.node_count() > 0 {
            out.push_str(&format!("\n{DATA_MARK}id: text, e.g. {}", example_text(self.node_id(0))));
        }
        let is_id = |row: u32, text: &str| self.node_id(row) == text;
        write_fields(&self.nodes, self.node_count(), None, &[("id", &is_id)], &mut left, &mut out);
        out.push_str("\nEdge fields: source, target (node ids)");
        let end = |row: u32, first: bool| {
            let (source, target) = self.ends(row).unwrap_or_default();
            self.node_id(if first { source } else { target })
        };
        let is_source = |row: u32, text: &str| end(row, true) == text;
        let is_target = |row: u32, text: &str| end(row, false) == text;
        let is_edge_id = |row: u32, text: &str| self.explicit_edge_id(row) == Some(text);
        let repeated: [Repetition<'_>; 3] =
            [("source", &is_source), ("target", &is_target), ("id", &is_edge_id)];
        let relation = self.relation_field();
        let relation = relation.as_deref();
        write_fields(&self.edges, self.edge_count(), relation, &repeated, &mut left, &mut out);
        out
    }
}

/// Field with a test whether a text repeats it.
type Repetition<'a> = (&'a str, &'a dyn Fn(u32, &str) -> bool);

/// Appends a line per field, the relation field first, and the names of the others.
fn write_fields(
    table: &AttributeTable,
    rows: usize,
    relation: Option<&str>,
    repeated: &[Repetition<'_>],
    left: &mut usize,
    out: &mut String,
) {
    let is_relation = |column: &&Column| relation == Some(&*column.name);
    let first = table.columns.iter().filter(is_relation);
    let others = table.columns.iter().filter(|column| !is_relation(column));
    let mut names = Vec::new();
    for (nth, column) in first.chain(others).enumerate() {
        let described = (nth < MAX_DESCRIBED_FIELDS && *left > 0)
            .then(|| describe_column(column, rows, is_relation(&column), repeated));
        match described {
            Some(line) if line.chars().count() <= *left => {
                *left -= line.chars().count();
                out.push('\n');
                out.push(DATA_MARK);
                out.push_str(&line);
            }
            _ => names.push(quoted_field_name(column)),
        }
    }
    if !names.is_empty() {
        let omitted = names.len().saturating_sub(MAX_NAMED_FIELDS);
        names.truncate(MAX_NAMED_FIELDS);
        out.push_str(&format!("\n{DATA_MARK}also {}", names.join(", ")));
        if omitted > 0 {
            out.push_str(&format!(" and {omitted} more"));
        }
    }
}

/// Returns a field name as a command contains it.
fn quoted_field_name(column: &Column) -> String {
    quote_name(&excerpt_of(&column.name, MAX_NAME_CHARS))
}

fn describe_column(
    column: &Column,
    rows: usize,
    is_relation: bool,
    repeated: &[Repetition<'_>],
) -> String {
    let contents = ColumnContents::from_column(column, repeated);
    let mut line = quoted_field_name(column);
    let details = match (contents.present < rows, is_relation) {
        (true, true) => format!(" (relation for FOLLOW; in {})", contents.present),
        (true, false) => format!(" (in {})", contents.present),
        (false, true) => " (relation for FOLLOW)".to_owned(),
        (false, false) => String::new(),
    };
    line.push_str(&details);
    let mut parts = Vec::new();
    if let Some((least, most)) = contents.range {
        let mut range = String::new();
        write_number(least, &mut range);
        if least < most {
            range.push_str(" to ");
            write_number(most, &mut range);
        }
        parts.push(range);
    }
    if contents.is_bool {
        parts.push("true or false".to_owned());
    }
    if contents.texts > 0 {
        parts.push(match contents.repeats {
            Some(field) => format!("same as {field}"),
            None => describe_texts(column, &contents, is_relation),
        });
    }
    if let Some(value) = contents.container {
        let example = json_line(value, MAX_EXAMPLE_CHARS);
        parts.push(format!("{}, e.g. {example}", value.kind()));
    }
    if parts.is_empty() {
        parts.push("null".to_owned());
    }
    format!("{line}: {}", parts.join("; "))
}

/// Contents of a column.
struct ColumnContents<'a> {
    /// Number of rows with a value.
    present: usize,
    /// Number of texts.
    texts: usize,
    /// Number of rows with each text.
    counts: Vec<u32>,
    range: Option<(f64, f64)>,
    is_bool: bool,
    /// First list or map.
    container: Option<&'a crate::base::Value>,
    /// Field that all texts repeat.
    repeats: Option<&'a str>,
}

impl<'a> ColumnContents<'a> {
    fn from_column(column: &'a Column, repeated: &[Repetition<'a>]) -> ColumnContents<'a> {
        let mut contents = ColumnContents {
            present: 0,
            texts: 0,
            counts: vec![0; column.texts.len()],
            range: None,
            is_bool: false,
            container: None,
            repeats: None,
        };
        let mut repeated = repeated.to_vec();
        for (row, cell) in column.present_cells() {
            contents.present += 1;
            match cell {
                Cell::Text(code) => {
                    contents.texts += 1;
                    if let Some(count) = contents.counts.get_mut(code as usize) {
                        *count += 1;
                    }
                    let text = column.texts.text(code);
                    repeated.retain(|(_, repeats)| repeats(row, text));
                }
                Cell::Number(number) => {
                    let (least, most) = contents.range.unwrap_or((number, number));
                    contents.range = Some((least.min(number), most.max(number)));
                }
                Cell::Bool(_) => contents.is_bool = true,
                Cell::Value(_) => {
                    contents.container = contents.container.or(column.list_or_map(cell))
                }
                Cell::Missing | Cell::Null => {}
            }
        }
        contents.repeats = repeated.first().map(|(field, _)| *field);
        contents
    }
}

/// Returns the values of a category, or an example of other texts.
fn describe_texts(column: &Column, contents: &ColumnContents<'_>, is_relation: bool) -> String {
    let count = |code: u32| contents.counts.get(code as usize).copied().unwrap_or_default();
    let used = || (0..column.texts.len() as u32).filter(|code| count(*code) > 0);
    let mut tested = used().take(TESTED_TEXTS).map(|code| column.texts.text(code));
    if tested.all(is_generated_id) {
        return "generated ids".to_owned();
    }
    let first = || used().next().map(|code| column.texts.text(code)).unwrap_or_default();
    if SOURCE_FIELDS.contains(&&*column.name) {
        return format!("sources, e.g. {}", example_text(first()));
    }
    // FOLLOW needs every relation, so those of a small graph are listed even if they occur once.
    let is_small = is_relation && used().nth(MAX_FIELD_VALUES).is_none();
    let is_listed = |code: &u32| {
        (count(*code) > 1 || is_small)
            && column.texts.text(*code).chars().nth(MAX_VALUE_CHARS).is_none()
    };
    let mut listed: Vec<u32> = used().filter(is_listed).collect();
    let rows = listed.iter().map(|code| count(*code) as usize).sum::<usize>();
    if rows * 2 < contents.texts {
        return format!("text, e.g. {}", example_text(first()));
    }
    listed.sort_by_key(|code| u32::MAX - count(*code));
    let (mut text, mut listed_count) = (String::new(), 0);
    let (max_values, max_chars) = match is_relation {
        true => (MAX_RELATION_VALUES, MAX_DESCRIPTION_CHARS),
        false => (MAX_FIELD_VALUES, MAX_VALUES_CHARS),
    };
    for code in listed.into_iter().take(max_values) {
        if text.len() > max_chars {
            break;
        }
        let separator = if listed_count == 0 { "" } else { ", " };
        text.push_str(&format!(
            "{separator}{} {}",
            quote_as_json(column.texts.text(code)),
            count(code)
        ));
        listed_count += 1;
    }
    let others = used().count() - listed_count;
    if others > 0 {
        text.push_str(&format!(", {others} more"));
    }
    text
}

fn example_text(text: &str) -> String {
    quote_as_json(&excerpt_of(text, MAX_EXAMPLE_CHARS))
}

/// Returns whether each part of a list of sources is a UUID or another long hexadecimal number, with
/// or without a prefix.
fn is_generated_id(text: &str) -> bool {
    let is_id = |part: &str| {
        let is_hex = |text: &str| text.bytes().all(|byte| byte.is_ascii_hexdigit());
        let groups: Vec<&str> = part.trim().split('-').collect();
        let lengths: Vec<usize> = groups.iter().map(|group| group.len()).collect();
        let is_uuid = lengths.ends_with(&[8, 4, 4, 4, 12]);
        let hex = if is_uuid { groups.iter().rev().take(5) } else { groups.iter().rev().take(1) };
        let is_long = is_uuid || lengths.last().is_some_and(|length| *length >= 16);
        let has_digit = part.bytes().any(|byte| byte.is_ascii_digit());
        is_long && has_digit && hex.copied().all(is_hex)
    };
    text.split(super::LIST_SEPARATOR).all(is_id)
}
