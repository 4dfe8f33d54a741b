//! Variables of a plan, with an estimate of their memory.

use super::codes;
use super::size_budget::estimated_size;
use super::variable::{Rows, Variable};
use crate::base::Diagnostic;
use crate::base::diagnostic::quote;
use crate::base::map::OrderedMap;
use std::ops::Deref;
use std::rc::Rc;

/// Variables by name.
#[derive(Clone, Default)]
pub struct ContextVariables {
    by_name: OrderedMap<Variable>,
    /// Estimated memory of all variables in bytes.
    bytes: usize,
}

impl ContextVariables {
    /// Sets a variable. Its earlier value is replaced.
    pub fn insert(&mut self, name: Rc<str>, variable: Variable) {
        self.bytes = self.bytes.saturating_add(estimated_bytes(&variable));
        if let Some(replaced) = self.by_name.insert(name, variable) {
            self.bytes = self.bytes.saturating_sub(estimated_bytes(&replaced));
        }
    }

    /// Returns an error if the variables would need more memory with a new value of a name.
    pub fn check(&self, name: &str, variable: &Variable, limit: usize) -> Result<(), Diagnostic> {
        let replaced = self.by_name.get(name).map_or(0, estimated_bytes);
        let others = self.bytes.saturating_sub(replaced);
        if others.saturating_add(estimated_bytes(variable)) <= limit {
            return Ok(());
        }
        let message =
            format!("the variables would need more than {limit} bytes with {}", quote(name));
        let help = "choose fewer rows or fields with `SELECT … FIELDS`, reuse the name of a variable, or raise `limits.variables` of the session";
        Err(Diagnostic::new(codes::VARIABLES_TOO_LARGE, message).help(help))
    }
}

impl Deref for ContextVariables {
    type Target = OrderedMap<Variable>;

    fn deref(&self) -> &OrderedMap<Variable> {
        &self.by_name
    }
}

/// Memory of a property of a row in bytes: its name, its value and its entry in the map.
const PROPERTY_BYTES: usize = 48;
/// Memory of the index of a row in bytes.
const INDEX_BYTES: usize = 8;
/// Number of rows whose properties are counted.
const SAMPLED_ROWS: usize = 8;

/// Returns the estimated maximum memory of a variable, with rows that are computed later.
fn estimated_bytes(variable: &Variable) -> usize {
    match variable {
        Variable::Value(value, _) => estimated_size(value),
        Variable::Rows(rows, _) => {
            let indices = rows.index_count().saturating_mul(INDEX_BYTES);
            // Rows of a graph are indices.
            let is_computed = rows.chain_length() > 0 || rows.materialized_count() > 0;
            let row_bytes = if is_computed { sampled_row_bytes(&**rows) } else { 0 };
            indices.saturating_add(rows.len().saturating_mul(row_bytes))
        }
    }
}

/// Returns the memory of the largest of some rows in bytes.
fn sampled_row_bytes(rows: &dyn Rows) -> usize {
    let step = rows.len().div_ceil(SAMPLED_ROWS).max(1);
    let last = rows.len().checked_sub(1);
    let sampled = (0..rows.len()).step_by(step).chain(last);
    let properties =
        sampled.filter_map(|index| rows.row_once(index)?.as_map().map(|row| row.len()));
    properties.max().unwrap_or_default().saturating_add(1).saturating_mul(PROPERTY_BYTES)
}
