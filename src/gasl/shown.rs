//! Results of `SHOW` for the next prompt of the model.

use super::row_lines::RowLines;
use super::variable::Variable;
use crate::base::Value;
use crate::base::prompt_text::sanitize_line;
use crate::base::value::{excerpt_of, put};
use std::ops::Range;

/// Default budget of all results in a prompt, in tokens.
const DEFAULT_TOKENS: usize = 6_000;

/// Maximum number of characters of a result of a loaded state.
const MAX_LOADED_CHARS: usize = 100_000;

/// Estimated number of characters of a token.
const CHARS_PER_TOKEN: usize = 4;

/// Returns the budget of all results in a prompt, in characters.
pub fn budget_chars(tokens: Option<usize>) -> usize {
    tokens.unwrap_or(DEFAULT_TOKENS).saturating_mul(CHARS_PER_TOKEN)
}

/// Part of a variable that a `SHOW` selects.
pub struct RowSelection<'a> {
    /// Selected rows, or the value.
    pub variable: &'a Variable,
    /// Command without `LIMIT` and `OFFSET`.
    pub command: String,
    /// Whether the variable is lost when the plan ends.
    pub is_temporary: bool,
    /// Number of rows before the selected ones.
    pub offset: usize,
    /// Number of rows of the variable.
    pub total: usize,
}

impl RowSelection<'_> {
    /// Returns the lines of the selection, with at most `max_chars` characters and one more line:
    /// `{command, temporary, map, offset, end, total, header, lines}`.
    pub fn to_value(&self, max_chars: usize) -> Value {
        let (end, total, lines) = match self.variable {
            Variable::Rows(rows, _) => {
                let each = (0..rows.len()).map(|index| rows.row_once(index).unwrap_or_default());
                (
                    self.offset + rows.len(),
                    self.total,
                    RowLines::format_rows(each, max_chars, max_chars),
                )
            }
            Variable::Value(Value::Map(map), _) => {
                let entry = |(key, value): (&std::rc::Rc<str>, &Value)| {
                    Value::map([("key", Value::Text(key.clone())), ("value", value.clone())])
                };
                (
                    map.len(),
                    map.len(),
                    RowLines::format_rows(map.iter().map(entry), max_chars, max_chars),
                )
            }
            Variable::Value(value, _) => {
                (1, 1, RowLines::format_rows(std::iter::once(value.clone()), max_chars, max_chars))
            }
        };
        let is_map = matches!(self.variable, Variable::Value(Value::Map(_), _));
        let mut shown =
            lines_value(&self.command, self.is_temporary, is_map, self.offset..end, lines);
        if let Some(map) = shown.as_map_mut() {
            put(map, "total", total);
        }
        shown
    }
}

fn lines_value(
    command: &str,
    is_temporary: bool,
    is_map: bool,
    range: Range<usize>,
    lines: RowLines,
) -> Value {
    Value::map([
        ("command", Value::from(command)),
        ("temporary", is_temporary.into()),
        ("map", is_map.into()),
        ("offset", range.start.into()),
        ("end", range.end.into()),
        ("total", range.end.into()),
        ("header", lines.header.into()),
        // One text, because thousands of short texts need several times the memory.
        ("lines", lines.lines.join("\n").into()),
    ])
}

/// Returns the lines of a `SHOW` of a loaded state, whose record has only the rows in its metrics.
pub fn from_loaded_record(record: &Value) -> Option<Value> {
    let command = record.get("command")?.as_text()?;
    let word = command.split_whitespace().next()?;
    let metrics = record.get("metrics").filter(|_| word.eq_ignore_ascii_case("SHOW"))?;
    let rows = match metrics.get("rows") {
        Some(rows) => rows.as_list()?.to_vec(),
        None => vec![metrics.get("value")?.clone()],
    };
    let count = metrics.get("count").and_then(Value::as_number).unwrap_or(1.0);
    let lines = RowLines::format_rows(rows.into_iter(), MAX_LOADED_CHARS, MAX_LOADED_CHARS);
    Some(lines_value(&sanitize_line(command), true, false, 0..count.max(0.0) as usize, lines))
}

/// Lines of one `SHOW`.
struct ShownLines<'a> {
    command: &'a str,
    is_temporary: bool,
    is_map: bool,
    offset: usize,
    /// Index after the last selected row.
    end: usize,
    total: usize,
    header: &'a str,
    lines: Vec<&'a str>,
}

impl<'a> ShownLines<'a> {
    fn read(shown: &'a Value) -> ShownLines<'a> {
        let text = |key: &str| shown.get(key).and_then(Value::as_text).unwrap_or_default();
        let count = |key: &str| {
            shown.get(key).and_then(Value::as_number).unwrap_or_default().max(0.0) as usize
        };
        let flag = |key: &str| shown.get(key).and_then(Value::as_bool).unwrap_or_default();
        ShownLines {
            command: text("command"),
            is_temporary: flag("temporary"),
            is_map: flag("map"),
            offset: count("offset"),
            end: count("end"),
            total: count("total"),
            header: text("header"),
            lines: text("lines").lines().collect(),
        }
    }

    /// Returns the number of characters of all lines.
    fn size(&self) -> usize {
        let lines = self.lines.iter().map(|line| line.chars().count() + 1).sum::<usize>();
        self.header.chars().count() + 1 + lines
    }

    fn write(&self, max_chars: usize, out: &mut String) {
        let mut left = max_chars.saturating_sub(self.header.chars().count() + 1);
        let fits = |line: &&&str| {
            let rest = left.checked_sub(line.chars().count() + 1);
            left = rest.unwrap_or_default();
            rest.is_some()
        };
        let count = self.lines.iter().take_while(fits).count();
        let lines = self.lines.get(..count).unwrap_or_default();
        // A row that is longer than the budget is the only one that is cut inside.
        let first = self.lines.first().filter(|_| count == 0 && max_chars > 0);
        let cut_line = first.map(|line| excerpt_of(line, max_chars));
        let shown = self.offset + count + usize::from(cut_line.is_some());
        let heading = sanitize_line(&self.heading(shown, cut_line.is_some()));
        out.push_str(&format!("\n{}: {heading}", sanitize_line(self.command)));
        if shown > self.offset {
            out.push('\n');
            out.push_str(self.header);
        }
        for line in lines.iter().copied().chain(cut_line.as_deref()) {
            out.push('\n');
            out.push_str(line);
        }
    }

    /// Returns the number of rows, and the command for rows that are left out.
    fn heading(&self, shown: usize, is_cut: bool) -> String {
        let ShownLines { offset, end, total, .. } = *self;
        let plural = if total == 1 { "" } else { "s" };
        let unit = format!("{}{plural}", if self.is_map { "key" } else { "row" });
        let mut heading = match (offset, shown) {
            (0, shown) if shown == total => format!("{total} {unit}"),
            (_, shown) if shown == offset => format!("0 of {total} {unit}"),
            _ => format!("{unit} {} to {shown} of {total}", offset + 1),
        };
        if is_cut {
            heading.push_str(", cut inside, select fewer fields");
        }
        if shown < end {
            let rest = match self.is_map {
                true => format!("{}.KEY", self.command),
                false => format!("{} LIMIT {} OFFSET {shown}", self.command, end - shown),
            };
            let after = if self.is_temporary { " after the commands that write it" } else { "" };
            heading.push_str(&format!("; `{rest}`{after} shows the rest"));
        }
        heading
    }
}

/// Returns whether the result of a `SHOW` is that of the complete variable.
pub fn is_complete(shown: &Value) -> bool {
    let shown = ShownLines::read(shown);
    shown.offset == 0 && shown.end == shown.total
}

/// Formats results with at most `max_chars` characters of rows in total. Results that need less
/// than their equal share leave the rest to longer ones.
pub fn format_results(shown: &[Value], max_chars: usize) -> String {
    let results: Vec<ShownLines<'_>> = shown.iter().map(ShownLines::read).collect();
    let mut sizes: Vec<(usize, usize)> =
        results.iter().map(ShownLines::size).zip(0usize..).collect();
    sizes.sort_unstable();
    let mut budgets = vec![0; results.len()];
    let (mut left, mut others) = (max_chars, results.len());
    for (size, index) in sizes {
        let budget = size.min(left / others.max(1));
        left -= budget;
        others -= 1;
        if let Some(slot) = budgets.get_mut(index) {
            *slot = budget;
        }
    }
    let mut out = String::new();
    for (result, budget) in results.iter().zip(budgets) {
        result.write(budget, &mut out);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(count: usize) -> Variable {
        let row =
            |nth: usize| Value::map([("id", Value::from(format!("n{nth}"))), ("n", nth.into())]);
        Variable::without_sources((0..count).map(row).collect::<Vec<_>>().into())
    }

    fn shown(variable: &Variable, command: &str, max_chars: usize) -> Value {
        let total = variable.row_count().unwrap_or(1);
        let command = command.to_owned();
        RowSelection { variable, command, is_temporary: false, offset: 0, total }
            .to_value(max_chars)
    }

    #[test]
    fn results_are_complete_or_cut_between_rows() {
        let few = shown(&rows(2), "SHOW few", 1000);
        assert_eq!(
            format_results(std::slice::from_ref(&few), 1000),
            "\nSHOW few: 2 rows\n|id|n\n|n0|0\n|n1|1"
        );
        let many = shown(&rows(300), "SHOW many", 100);
        assert_eq!(
            format_results(&[few, many], 50),
            "\nSHOW few: 2 rows\n|id|n\n|n0|0\n|n1|1\nSHOW many: rows 1 to 4 of 300; `SHOW many LIMIT 296 OFFSET 4` shows the rest\n|id|n\n|n0|0\n|n1|1\n|n2|2\n|n3|3"
        );
    }

    #[test]
    fn a_selection_states_its_position() {
        let rows = rows(5);
        let selection = RowSelection {
            variable: &rows,
            command: "SHOW v FIELDS id".to_owned(),
            is_temporary: true,
            offset: 20,
            total: 300,
        };
        let shown = [selection.to_value(1000)];
        assert!(
            format_results(&shown, 1000).starts_with("\nSHOW v FIELDS id: rows 21 to 25 of 300\n")
        );
        assert!(format_results(&shown, 20).starts_with(
            "\nSHOW v FIELDS id: rows 21 to 22 of 300; `SHOW v FIELDS id LIMIT 3 OFFSET 22` after the commands that write it shows the rest\n"
        ));
        assert_eq!(
            format_results(&shown, 0),
            "\nSHOW v FIELDS id: 0 of 300 rows; `SHOW v FIELDS id LIMIT 5 OFFSET 20` after the commands that write it shows the rest"
        );
    }

    #[test]
    fn maps_values_and_long_rows() {
        let map = Value::map([("a", Value::from(1.0)), ("b", "x".into())]);
        let map = shown(&Variable::without_sources(map), "SHOW d", 1000);
        let one = std::slice::from_ref(&map);
        assert_eq!(format_results(one, 1000), "\nSHOW d: 2 keys\n|key|value\n|a|1\n|b|x");
        assert_eq!(
            format_results(one, 17),
            "\nSHOW d: keys 1 to 1 of 2; `SHOW d.KEY` shows the rest\n|key|value\n|a|1"
        );
        let number = shown(&Variable::without_sources(7.0.into()), "SHOW n", 1000);
        assert_eq!(format_results(&[number], 1000), "\nSHOW n: 1 row\n|value\n|7");
        let long = Value::map([("text", Value::from("x".repeat(500)))]);
        let long = Variable::without_sources(vec![long].into());
        let text = format_results(&[shown(&long, "SHOW t", 100)], 40);
        assert!(text.starts_with("\nSHOW t: 1 row, cut inside, select fewer fields\n|text\n|xxx"));
        assert!(text.ends_with("x…") && text.len() < 120, "{text}");
    }
}
