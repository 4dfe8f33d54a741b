//! `JOIN`.

use super::find::result_truncated;
use super::output::{CommandResult, Output, completeness};
use super::select::check_fields;
use super::value_keys::ValueKeys;
use crate::base::Value;
use crate::base::map::{IntMap, NameMap, OrderedMap};
use crate::gasl::compare::equal;
use crate::gasl::core::Core;
use crate::gasl::identity::match_key;
use crate::gasl::language::ast::VariablePath;
use crate::gasl::lazy::LazyRows;
use crate::gasl::record::StepStatus;
use crate::gasl::variable::{Rows, Values, Variable, distinct_source_count, row_values};
use std::rc::Rc;

/// Joins rows with equal values (inner join). The left value wins if both rows have a field.
pub fn join(
    core: &mut Core,
    left: &VariablePath,
    right: &VariablePath,
    on: &(String, String),
) -> CommandResult {
    let mut scope = core.scope();
    let (left_rows, left_variable) = scope.rows(left)?;
    let (right_rows, right_variable) = scope.rows(right)?;
    let diagnostics = scope.diagnostics;
    check_fields(left_rows.as_ref(), std::slice::from_ref(&on.0))?;
    check_fields(right_rows.as_ref(), std::slice::from_ref(&on.1))?;
    let right_by_key = rows_by_key(right_rows.as_ref(), &on.1);
    let bound = core.caps.max_results.min(core.caps.max_expansions);
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    let mut truncated = false;
    let mut keys = ValueKeys::new(left_rows.as_ref(), &on.0);
    'all: for index in 0..left_rows.len() {
        let key = keys.key(index, &mut |value| match value {
            None | Some(Value::Null) => usize::MAX,
            Some(value) => {
                right_by_key.get_index_of(match_key(&value).as_str()).unwrap_or(usize::MAX)
            }
        });
        let Some((_, others)) = right_by_key.get_index(key) else { continue };
        let value = keys.value(index).unwrap_or_default();
        for (other, _) in others.iter().filter(|(_, other)| equal(&value, other)) {
            if pairs.len() >= bound {
                truncated = true;
                break 'all;
            }
            pairs.push((index, *other));
        }
    }
    let count = pairs.len();
    let joined = JoinedRows { left: left_variable, right: right_variable, pairs };
    let mut output = Output::of(LazyRows::wrap(Rc::new(joined))).with_diagnostics(diagnostics);
    if truncated {
        let kind = if bound == core.caps.max_results { "max_results" } else { "max_expansions" };
        output.status = Some(StepStatus::Partial);
        output.diagnostics.push(result_truncated(kind, bound));
        output = output.with_metric("completeness", completeness(count, bound, kind));
    }
    Ok(output)
}

/// Groups rows by the [`match_key`] of a field.
fn rows_by_key(rows: &dyn Rows, name: &str) -> OrderedMap<Vec<(usize, Value)>> {
    let mut found: OrderedMap<Vec<(usize, Value)>> = OrderedMap::default();
    let value_of = rows.values(name);
    for index in 0..rows.len() {
        if let Some(value) = value_of(index).filter(|value| !value.is_null()) {
            found.entry(match_key(&value).into()).or_default().push((index, value));
        }
    }
    found
}

/// Maximum number of sources that a joined row takes from each side. A group joined with its own rows
/// would repeat all sources of the group in each row.
const MAX_SOURCES_PER_SIDE: usize = 100;

/// Returns the distinct indices.
fn distinct(mut indices: impl Iterator<Item = usize>) -> impl Iterator<Item = usize> {
    let mut visited = IntMap::default();
    std::iter::from_fn(move || {
        indices.by_ref().find(|index| visited.insert(*index as u64, 0).is_none())
    })
}

/// Joined rows of two variables.
struct JoinedRows {
    left: Variable,
    right: Variable,
    /// Indices of joined rows.
    pairs: Vec<(usize, usize)>,
}

impl Rows for JoinedRows {
    fn len(&self) -> usize {
        self.pairs.len()
    }

    fn row(&self, index: usize) -> Option<Value> {
        let (left, right) = *self.pairs.get(index)?;
        Some(merged(&self.left.row(left)?, &self.right.row(right)?))
    }

    fn values<'a>(&'a self, name: &'a str) -> Values<'a> {
        if name.contains('.') {
            return row_values(self, name);
        }
        let (left, right) = (self.left.values(name), self.right.values(name));
        Box::new(move |index| {
            let (l, r) = *self.pairs.get(index)?;
            left(l).or_else(|| right(r))
        })
    }

    fn sources(&self, index: usize) -> Rc<[Value]> {
        let Some((left, right)) = self.pairs.get(index) else { return Rc::default() };
        let sides = [self.left.sources(*left), self.right.sources(*right)];
        sides.iter().flat_map(|side| side.iter().take(MAX_SOURCES_PER_SIDE)).cloned().collect()
    }

    fn distinct_source_count(&self) -> usize {
        let left = distinct(self.pairs.iter().map(|(left, _)| *left));
        let right = distinct(self.pairs.iter().map(|(_, right)| *right));
        let left = left.map(|index| self.left.sources(index));
        distinct_source_count(left.chain(right.map(|index| self.right.sources(index))))
    }

    fn fields(&self) -> Vec<String> {
        let mut names = NameMap::default();
        let all = self.left.fields().into_iter().chain(self.right.fields());
        all.filter(|field| names.insert(field.clone(), 0).is_none()).collect::<Vec<_>>()
    }

    fn index_count(&self) -> usize {
        2 * self.pairs.len()
    }

    fn chain_length(&self) -> usize {
        self.left.chain_length().max(self.right.chain_length()) + 1
    }

    fn pick(&self, indices: &[usize]) -> Rc<dyn Rows> {
        let pairs =
            indices.iter().filter_map(|index| self.pairs.get(*index).copied()).collect::<Vec<_>>();
        Rc::new(JoinedRows { left: self.left.clone(), right: self.right.clone(), pairs })
    }
}

fn merged(left: &Value, right: &Value) -> Value {
    let mut map = left.as_map().cloned().unwrap_or_default();
    for (key, value) in right.entries() {
        map.entry(key.clone()).or_insert_with(|| value.clone());
    }
    map.into()
}
