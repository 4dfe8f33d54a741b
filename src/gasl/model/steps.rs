//! Steps and results in a prompt.

use crate::base::Value;
use crate::base::prompt_text::sanitize_line;
use crate::base::value::{excerpt, excerpt_of};
use crate::gasl::codes::NOT_STORED;
use crate::gasl::history::SessionHistory;
use crate::gasl::language::print_path;
use crate::gasl::record::{FIRST_ROWS_KEY, OUTPUT_KEY, SHOWN_KEY};
use crate::gasl::row_lines::RowLines;
use crate::gasl::shown::{format_results, is_complete};

/// Maximum number of records in a prompt.
pub const RECENT_RECORDS: usize = 12;

/// Maximum number of characters of a command.
const MAX_COMMAND_CHARS: usize = 200;

/// Maximum number of characters of the metrics of a step, and of a result without rows.
const MAX_METRICS_CHARS: usize = 200;

/// Number of rows of an earlier `SHOW`.
const EARLIER_ROWS: usize = 3;

/// Metrics that a step states otherwise: counts and values as rows, and a time.
const HIDDEN_METRICS: [&str; 4] = ["count", "rows", "value", "extraction"];

/// Returns the latest steps, then the results of each `SHOW` of the last plan with at most
/// `result_chars` characters.
pub fn format_history(history: &SessionHistory, result_chars: usize) -> String {
    let records = history.recent_records(RECENT_RECORDS);
    if records.is_empty() {
        return "No steps yet".to_owned();
    }
    let mut out = String::from("Steps:");
    let earlier = history.step_count() - records.len();
    if earlier > 0 {
        let plural = if earlier == 1 { "" } else { "s" };
        out.push_str(&format!("\n({earlier} earlier step{plural} left out)"));
    }
    for (record, is_shown) in records.iter().zip(are_results_shown(&records)) {
        write_step(record, is_shown, &mut out);
    }
    let shown = history.shown_lines();
    if !shown.is_empty() {
        out.push_str("\n\nResults of the last plan:");
        out.push_str(&format_results(&shown, result_chars));
    }
    out
}

/// Returns for each step whether its result is shown in full.
fn are_results_shown(records: &[Value]) -> Vec<bool> {
    let mut shown: Vec<&str> = Vec::new();
    let mut each: Vec<bool> = Vec::new();
    for record in records.iter().rev() {
        let result = record.get(SHOWN_KEY).filter(|result| is_complete(result));
        let output = print_path(text_of_key(record, OUTPUT_KEY));
        let is_output = |command: &&str| command.strip_prefix("SHOW ") == Some(&*output);
        each.push(record.get(SHOWN_KEY).is_some() || shown.iter().any(is_output));
        // An earlier step may have written other rows to the variable.
        shown.retain(|command| !is_output(command));
        shown.extend(result.map(|result| text_of_key(result, "command")));
    }
    each.reverse();
    each
}

/// Writes a step, with its first rows unless its result `is_shown`.
fn write_step(record: &Value, is_shown: bool, out: &mut String) {
    let step = record.get("step").map_or_else(String::new, Value::to_text);
    let command = excerpt_of(&sanitize_line(text_of_key(record, "command")), MAX_COMMAND_CHARS);
    out.push_str(&format!(
        "\n{step}. {command} → {}",
        sanitize_line(text_of_key(record, "status"))
    ));
    let metrics = record.get("metrics");
    if let Some(count) = metrics.and_then(|metrics| metrics.get("count")?.as_number()) {
        let plural = if count == 1.0 { "" } else { "s" };
        out.push_str(&format!(", {count} row{plural}"));
    }
    let mut others = metrics.and_then(Value::as_map).cloned().unwrap_or_default();
    others.retain(|name, _| !HIDDEN_METRICS.contains(&&**name));
    if !others.is_empty() {
        out.push(' ');
        out.push_str(&sanitize_line(&excerpt(&Value::from(others), MAX_METRICS_CHARS)));
    }
    let errors = record.get("errors").and_then(Value::as_list).unwrap_or_default();
    // The model need not know about failed saves, which a replay does not repeat.
    let errors = errors.iter().filter(|error| text_of_key(error, "code") != NOT_STORED.id);
    for error in errors.take(3) {
        let [code, message, help] = ["code", "message", "help"].map(|key| text_of_key(error, key));
        out.push_str("\n   ");
        out.push_str(&sanitize_line(&format!("{code}: {message} ({help})")));
    }
    if let Some(rows) = first_rows(record).filter(|_| !is_shown) {
        out.push(if rows.starts_with('=') { ' ' } else { '\n' });
        out.push_str(&rows);
    }
}

/// Returns the first rows of a result; for a record of a loaded state, the part that it stores.
fn first_rows(record: &Value) -> Option<String> {
    let shown = |key: &str| record.get("metrics")?.get(key);
    let excerpt = || record.get("summary")?.get("excerpt");
    let rows = match record.get(FIRST_ROWS_KEY).and_then(Value::as_text) {
        Some(rows) => rows.to_owned(),
        None => {
            let rows = match (shown("rows").and_then(Value::as_list), shown("value")) {
                (Some(rows), _) => rows.get(..EARLIER_ROWS).unwrap_or(rows).to_vec(),
                (None, value) => value.or_else(excerpt).into_iter().cloned().collect(),
            };
            RowLines::format_rows(rows.into_iter(), MAX_METRICS_CHARS, MAX_METRICS_CHARS).to_text()
        }
    };
    (!rows.is_empty()).then_some(rows)
}

fn text_of_key<'a>(of: &'a Value, key: &str) -> &'a str {
    of.get(key).and_then(Value::as_text).unwrap_or_default()
}
