//! Bounded views of the state for prompts, deterministic for a seed.

use super::language::ast::StateType;
use super::random::split_mix64;
use super::state::{META_KEY, data_key_count, declared_paths, entry_at, payload, type_of};
use crate::base::Value;
use crate::base::prompt_text::{DATA_MARK, json_line, quote_name, sanitize_line};
use crate::base::value::{Map, excerpt, excerpt_of, put};

/// Maximum number of characters of the state in a prompt.
const MAX_STATE_CHARS: usize = 4_000;

/// Maximum number of characters of a description, and of the start of a value.
const MAX_STATE_VALUE_CHARS: usize = 100;

/// Returns the section of the declared keys for a prompt, a line of data each: name, type, size, description and
/// the start of the value.
pub fn format_state(variables: &Value) -> String {
    let (mut lines, mut left) = (Vec::new(), MAX_STATE_CHARS);
    let mut omitted = 0usize;
    for path in declared_paths(variables) {
        let steps: Vec<String> = path.split('.').map(str::to_owned).collect();
        let Some(entry) = entry_at(variables, &steps) else { continue };
        let line = format_entry(&path, entry);
        match left.checked_sub(line.chars().count()) {
            Some(rest) if omitted == 0 => {
                left = rest;
                lines.push(line);
            }
            _ => omitted += 1,
        }
    }
    if omitted > 0 {
        lines.push(format!("{omitted} more keys"));
    }
    match lines.is_empty() {
        true => "State: empty".to_owned(),
        false => format!("State:\n{}", lines.join("\n")),
    }
}

fn format_entry(path: &str, entry: &Value) -> String {
    let value = payload(entry);
    let count =
        |count: usize, unit: &str| format!("{count} {unit}{}", if count == 1 { "" } else { "s" });
    let (kind, size, start) = match type_of(entry) {
        Some(StateType::List) => {
            let items = value.as_list().unwrap_or_default();
            let first = items.first().map(|first| (", first ", first.clone()));
            ("LIST", count(items.len(), "item"), first)
        }
        Some(StateType::Counter) => ("COUNTER", value.to_text(), None),
        _ => ("DICT", count(data_key_count(entry), "key"), Some((" ", value))),
    };
    let path = quote_name(&excerpt_of(path, MAX_STATE_VALUE_CHARS));
    let mut line = format!("{DATA_MARK}{path} {kind}, {size}");
    let description = entry.get(META_KEY).and_then(|meta| meta.get("description"));
    if let Some(description) = description.filter(|text| !text.is_null()) {
        line.push_str(&format!(", {}", json_line(description, MAX_STATE_VALUE_CHARS)));
    }
    if let Some((before, value)) = start {
        line.push_str(&format!("{before}{}", json_line(&value, MAX_STATE_VALUE_CHARS)));
    }
    line
}

/// Returns type, size, description and an example of an entry.
pub fn summarize(entry: &Value) -> Value {
    let mut map = Map::default();
    let meta = entry.get(META_KEY);
    put(&mut map, "type", type_of(entry).map_or(Value::Null, |kind| kind.word().into()));
    if let Some(description) =
        meta.and_then(|meta| meta.get("description")).filter(|text| !text.is_null())
    {
        put(&mut map, "description", description.clone());
    }
    match type_of(entry) {
        Some(StateType::List) => {
            let items = entry.get("items").and_then(Value::as_list).unwrap_or_default();
            put(&mut map, "count", items.len());
            if let Some(first) = items.first() {
                put(&mut map, "example", excerpt(first, 200));
            }
        }
        Some(StateType::Counter) => {
            put(&mut map, "value", payload(entry));
        }
        _ => {
            put(&mut map, "keys", data_key_count(entry));
            put(&mut map, "excerpt", excerpt(&payload(entry), 200));
        }
    }
    map.into()
}

/// Excerpt of a value.
pub struct Sample {
    pub text: String,
    /// Number of rows in the excerpt, complete or truncated.
    pub rows: usize,
    /// Number of truncated rows, or 1 for a truncated value that is not a list.
    pub truncated: usize,
}

/// Minimum number of characters per row.
const MIN_ROW_CHARS: usize = 40;

/// Returns at most `max_items` rows of a list, in order, with at most `max_chars` characters.
pub fn sample_rows(value: &Value, max_items: usize, max_chars: usize, seed: f64) -> Sample {
    let truncate = |value: &Value, max: usize| {
        let text = excerpt(value, max.saturating_add(1));
        match text.chars().count() > max {
            true => (excerpt_of(&text, max), 1),
            false => (text, 0),
        }
    };
    let Value::List(list) = value else {
        let (text, truncated) = truncate(value, max_chars);
        return Sample { text: sanitize_line(&text), rows: 0, truncated };
    };
    let count = max_items.min((max_chars / MIN_ROW_CHARS).max(1));
    let indices = sample_indices(list.len(), count, seed);
    let mut out = match indices.len() < list.len() {
        true => format!("{} of {} items:", indices.len(), list.len()),
        false => format!("{} items:", list.len()),
    };
    let (rows, mut all_truncated) = (indices.len(), 0);
    let row_chars = max_chars / rows.max(1);
    for index in indices {
        let (text, truncated) = truncate(list.get(index).unwrap_or(&Value::Null), row_chars);
        out.push('\n');
        out.push_str(&sanitize_line(&text));
        all_truncated += truncated;
    }
    Sample { text: out, rows, truncated: all_truncated }
}

/// Returns `size` of `count` indices in order, by stratified sampling.
fn sample_indices(count: usize, size: usize, seed: f64) -> Vec<usize> {
    if count <= size {
        return (0..count).collect::<Vec<_>>();
    }
    // One index out of each of `size` equal parts, so that no part of the list is left out.
    let mut state = seed.to_bits() ^ 0x9e37_79b9_7f4a_7c15;
    (0..size)
        .map(|part| {
            let start = |part: usize| part as u64 * count as u64 / size as u64;
            let (from, to) = (start(part), start(part + 1));
            (from + split_mix64(&mut state) % (to - from).max(1)) as usize
        })
        .collect::<Vec<_>>()
}
