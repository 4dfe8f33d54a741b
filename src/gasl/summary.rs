//! An excerpt of a result for the history, and the hash of the whole.

use super::variable::Variable;
use crate::base::Value;
use crate::base::hash::sha256;
use crate::base::value::{canonical, excerpt_of};
use std::cell::OnceCell;

/// The longest excerpt, in characters.
pub const EXCERPT: usize = 500;

/// Made when somebody reads the history: the text of ten thousand rows costs three hundred times
/// what finding them did.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    result: Option<Variable>,
    made: OnceCell<Value>,
    provenance: OnceCell<Value>,
}

impl Summary {
    /// The summary of a result.
    pub fn of(result: Option<Variable>) -> Summary {
        Summary { result, ..Summary::default() }
    }

    /// `{count?, excerpt?, sha256?}`
    pub fn to_value(&self) -> Value {
        self.made.get_or_init(|| self.result.as_ref().map_or_else(Value::default, make)).clone()
    }

    /// `{items, sources}` of the result.
    pub fn provenance(&self) -> Value {
        let made =
            || self.result.as_ref().map_or_else(Value::default, Variable::provenance_summary);
        self.provenance.get_or_init(made).clone()
    }
}

fn make(result: &Variable) -> Value {
    let text = canonical(&result.to_value());
    let mut parts = Vec::new();
    parts.extend(result.row_count().map(|count| ("count", Value::from(count))));
    parts.push(("excerpt", Value::from(excerpt_of(&text, EXCERPT))));
    parts.push(("sha256", Value::from(sha256(&text))));
    Value::map_of(parts)
}
