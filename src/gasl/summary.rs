//! Excerpt and hash of a result for the history.

use super::variable::Variable;
use crate::base::Value;
use crate::base::hash::Hash;
use crate::base::value::{canonical, excerpt_of};
use std::cell::{OnceCell, RefCell};

/// Maximum length of an excerpt in the history, in characters.
pub const MAX_EXCERPT_CHARS: usize = 500;

/// Summary of a result, computed on first access: serializing ten thousand rows takes 300 times as
/// long as finding them.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// `None` once the summary is computed.
    result: RefCell<Option<Variable>>,
    computed: OnceCell<(Value, Value)>,
}

impl Summary {
    pub fn of(result: Option<Variable>) -> Summary {
        Summary { result: RefCell::new(result), ..Summary::default() }
    }

    /// Returns `{count?, excerpt?, sha256?}`.
    pub fn to_value(&self) -> Value {
        self.compute().0.clone()
    }

    /// Returns `{items, sources}` of the result.
    pub fn provenance(&self) -> Value {
        self.compute().1.clone()
    }

    pub fn materialized_count(&self) -> usize {
        self.result.borrow().as_ref().map_or(0, Variable::materialized_count)
    }

    pub fn index_count(&self) -> usize {
        self.result.borrow().as_ref().map_or(0, Variable::index_count)
    }

    /// Computes the summary and the provenance, and releases the result.
    pub fn compute(&self) -> &(Value, Value) {
        self.computed.get_or_init(|| match self.result.take() {
            Some(result) => (summarize(&result), result.provenance_summary()),
            None => Default::default(),
        })
    }
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
        Variable::Value(value, _) => add(&canonical(value)),
        // Hashes row by row, because the text of a million rows may not fit into memory.
        Variable::Rows(rows, _) => {
            add("[");
            for index in 0..rows.len() {
                if index > 0 {
                    add(",");
                }
                add(&canonical(&rows.row_once(index).unwrap_or_default()));
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
