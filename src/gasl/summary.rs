//! An excerpt of a result for the history, and the hash of the whole.

use super::variable::Variable;
use crate::base::Value;
use crate::base::hash::Hash;
use crate::base::value::{canonical, excerpt_of};
use std::cell::{OnceCell, RefCell};

/// The longest excerpt, in characters.
const EXCERPT: usize = 500;

/// Made when somebody reads the history: the text of ten thousand rows costs three hundred times
/// what finding them did.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// Gone when it has been told.
    result: RefCell<Option<Variable>>,
    told: OnceCell<(Value, Value)>,
}

impl Summary {
    /// The summary of a result.
    pub fn of(result: Option<Variable>) -> Summary {
        Summary { result: RefCell::new(result), ..Summary::default() }
    }

    /// `{count?, excerpt?, sha256?}`
    pub fn to_value(&self) -> Value {
        self.told().0.clone()
    }

    /// `{items, sources}` of the result.
    pub fn provenance(&self) -> Value {
        self.told().1.clone()
    }

    /// How many rows the result keeps as values.
    pub fn materialized_count(&self) -> usize {
        self.result.borrow().as_ref().map_or(0, Variable::materialized_count)
    }

    /// How many numbers of rows the result keeps.
    pub fn index_count(&self) -> usize {
        self.result.borrow().as_ref().map_or(0, Variable::index_count)
    }

    /// Makes both, after which the result is not needed any more.
    pub fn told(&self) -> &(Value, Value) {
        self.told.get_or_init(|| match self.result.take() {
            Some(result) => (make(&result), result.provenance_summary()),
            None => Default::default(),
        })
    }
}

fn make(result: &Variable) -> Value {
    let (mut hash, mut start) = (Hash::default(), String::new());
    let mut add = |piece: &str| {
        hash.add(piece);
        // A character has at most four bytes.
        if start.len() <= 4 * EXCERPT {
            start.push_str(piece);
        }
    };
    match result {
        Variable::Value(value, _) => add(&canonical(value)),
        // The text of a million rows would fill the memory.
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
    parts.push(("excerpt", Value::from(excerpt_of(&start, EXCERPT))));
    parts.push(("sha256", Value::from(hash.finish())));
    Value::map_of(parts)
}
