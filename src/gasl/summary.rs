//! Excerpt and hash of a result for the history.

use super::row_lines::RowLines;
use super::variable::Variable;
use crate::base::Value;
use crate::base::hash::Hash;
use crate::base::prompt_text::sanitize_line;
use crate::base::value::{canonical_json, excerpt, excerpt_of};
use std::cell::{OnceCell, RefCell};

/// Maximum length of an excerpt in the history, in characters.
pub const MAX_EXCERPT_CHARS: usize = 500;

/// Summary of a result, computed on first access: serializing ten thousand rows takes 300 times as
/// long as finding them.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// `None` once the summary is computed.
    result: RefCell<Option<Variable>>,
    computed: OnceCell<ComputedSummary>,
}

/// Parts of a computed summary.
#[derive(Clone, Debug, Default)]
pub struct ComputedSummary {
    /// `{count?, excerpt?, sha256?}`
    summary: Value,
    /// `{items, sources}`
    provenance: Value,
    first_rows: Value,
}

/// Number of rows of a result in a prompt, unless it is shown.
const MAX_FIRST_ROWS: usize = 3;

/// Maximum number of characters of these rows.
const MAX_ROWS_CHARS: usize = 400;

/// Maximum number of characters of a value in these rows.
const MAX_CELL_CHARS: usize = 32;

/// Maximum number of characters of a result that is not rows, in a prompt.
const MAX_VALUE_CHARS: usize = 200;

impl Summary {
    pub fn from_result(result: Option<Variable>) -> Summary {
        Summary { result: RefCell::new(result), ..Summary::default() }
    }

    /// Returns `{count?, excerpt?, sha256?}`.
    pub fn to_value(&self) -> Value {
        self.compute().summary.clone()
    }

    /// Returns `{items, sources}` of the result.
    pub fn provenance(&self) -> Value {
        self.compute().provenance.clone()
    }

    /// Returns the lines of the first rows for a prompt, or null without a result.
    pub fn first_rows(&self) -> Value {
        match &*self.result.borrow() {
            Some(result) => first_rows(result),
            None => self.computed.get().map(|all| all.first_rows.clone()).unwrap_or_default(),
        }
    }

    pub fn materialized_count(&self) -> usize {
        self.result.borrow().as_ref().map_or(0, Variable::materialized_count)
    }

    pub fn index_count(&self) -> usize {
        self.result.borrow().as_ref().map_or(0, Variable::index_count)
    }

    /// Computes the summary and the provenance, and releases the result.
    pub fn compute(&self) -> &ComputedSummary {
        self.computed.get_or_init(|| match self.result.take() {
            Some(result) => ComputedSummary {
                summary: summarize(&result),
                provenance: result.provenance_summary(),
                first_rows: first_rows(&result),
            },
            None => ComputedSummary::default(),
        })
    }
}

/// Returns the lines of the first rows, or `= ` and the start of a value.
fn first_rows(result: &Variable) -> Value {
    let text = match result {
        Variable::Rows(rows, _) => {
            let each = (0..rows.len().min(MAX_FIRST_ROWS)).filter_map(|index| rows.row_once(index));
            RowLines::format_rows(each, MAX_ROWS_CHARS, MAX_CELL_CHARS).to_text()
        }
        Variable::Value(value, _) => {
            format!("= {}", sanitize_line(&excerpt(value, MAX_VALUE_CHARS)))
        }
    };
    text.into()
}

fn summarize(result: &Variable) -> Value {
    let (mut hash, mut start) = (Hash::default(), String::new());
    let mut add = |chunk: &str| {
        hash.add(chunk);
        // A character has at most four bytes.
        if start.len() <= 4 * MAX_EXCERPT_CHARS {
            start.push_str(chunk);
        }
    };
    match result {
        Variable::Value(value, _) => add(&canonical_json(value)),
        // The host has most of the rows, so there is no hash of all.
        Variable::Rows(rows, _) if rows.remote_query().is_some() => {
            let first = (0..rows.len()).map_while(|index| rows.row_once(index));
            let first = Value::list(first.collect::<Vec<_>>());
            return Value::map([
                ("count", Value::from(rows.len())),
                ("excerpt", excerpt(&first, MAX_EXCERPT_CHARS).into()),
            ]);
        }
        // Hashes row by row, because the text of a million rows may not fit into memory.
        Variable::Rows(rows, _) => {
            add("[");
            for index in 0..rows.len() {
                if index > 0 {
                    add(",");
                }
                add(&canonical_json(&rows.row_once(index).unwrap_or_default()));
            }
            add("]");
        }
    }
    let mut parts = Vec::new();
    parts.extend(result.row_count().map(|count| ("count", Value::from(count))));
    parts.push(("excerpt", Value::from(excerpt_of(&start, MAX_EXCERPT_CHARS))));
    parts.push(("sha256", Value::from(hash.finish())));
    Value::map_of(parts)
}
