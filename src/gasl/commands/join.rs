//! `JOIN`: rows of two variables that have the same value.

use super::find::cut_short;
use super::select::check_fields;
use super::{Output, Result, completeness};
use crate::base::Value;
use crate::base::map::Keyed;
use crate::gasl::core::Core;
use crate::gasl::identity::match_key;
use crate::gasl::language::ast::Path;
use crate::gasl::predicate::equal;
use crate::gasl::record::Status;
use crate::gasl::variable::{Rows, Variable, field};
use std::rc::Rc;

/// Inner; where both rows have a column, the left one's is kept.
pub fn join(core: &mut Core, left: &Path, right: &Path, on: &(String, String)) -> Result {
    let mut scope = core.scope();
    let (left_rows, left_variable) = scope.rows(left)?;
    let (right_rows, right_variable) = scope.rows(right)?;
    let told = scope.told;
    check_fields(left_rows.as_ref(), std::slice::from_ref(&on.0))?;
    check_fields(right_rows.as_ref(), std::slice::from_ref(&on.1))?;
    let by_value = by_value(right_rows.as_ref(), &on.1);
    let bound = core.caps.max_results.min(core.caps.max_expansions);
    let mut rows = Vec::new();
    let mut sources: Vec<Rc<[Value]>> = Vec::new();
    let mut cut = false;
    'all: for index in 0..left_rows.len() {
        let Some(row) = left_rows.row(index) else { continue };
        let Some(value) = field(&row, &on.0).filter(|value| !value.is_null()) else { continue };
        for (other, theirs) in by_value.get(&match_key(value)).into_iter().flatten() {
            if !equal(value, theirs) {
                continue;
            }
            if rows.len() >= bound {
                cut = true;
                break 'all;
            }
            rows.push(merged(&row, &right_rows.row(*other).unwrap_or_default()));
            let both = [left_variable.sources(index), right_variable.sources(*other)];
            sources.push(both.concat().into());
        }
    }
    let count = rows.len();
    let mut output = Output::of(Variable::rows(rows, sources)).told(told);
    if cut {
        let kind = if bound == core.caps.max_results { "max_results" } else { "max_expansions" };
        output.status = Some(Status::Partial);
        output.told.push(cut_short(kind, bound));
        output = output.metric("completeness", completeness(count, bound, kind));
    }
    Ok(output)
}

/// The rows by the values of a field, each with its value.
fn by_value(rows: &dyn Rows, name: &str) -> Keyed<Vec<(usize, Value)>> {
    let mut found: Keyed<Vec<(usize, Value)>> = Keyed::default();
    for index in 0..rows.len() {
        let row = rows.row(index).unwrap_or_default();
        if let Some(value) = field(&row, name).filter(|value| !value.is_null()) {
            let (key, pair) = (match_key(value), (index, value.clone()));
            if let Some(pairs) = found.entry(&key, Vec::new) {
                pairs.push(pair);
            }
        }
    }
    found
}

fn merged(left: &Value, right: &Value) -> Value {
    let mut map = left.as_map().cloned().unwrap_or_default();
    for (key, value) in right.entries() {
        if !map.contains_key(key) {
            map.push(key.clone(), value.clone());
        }
    }
    map.into()
}
