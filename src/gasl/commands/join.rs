//! `JOIN` and `LEFT JOIN`.

use super::directions::joined_by_end_warning;
use super::find::result_truncated;
use super::output::{CommandResult, Output, completeness};
use super::select::check_fields;
use super::value_keys::ValueKeys;
use crate::base::map::{IntMap, NameMap, OrderedMap};
use crate::base::value::{Map, put};
use crate::base::{Diagnostic, Value};
use crate::gasl::codes;
use crate::gasl::compare::equal;
use crate::gasl::core::Core;
use crate::gasl::graph_access::response_rows;
use crate::gasl::identity::match_key;
use crate::gasl::language::ast::{Join, JoinKind, VariablePath};
use crate::gasl::lazy::LazyRows;
use crate::gasl::record::{CommandFailure, StepStatus};
use crate::gasl::variable::{Rows, Values, Variable, distinct_source_count, row_values};
use std::rc::Rc;

/// Joins rows with equal values. `LEFT JOIN` keeps left rows without a match.
pub fn join(core: &mut Core, join: &Join) -> CommandResult {
    let Join { kind, left, right, on, .. } = join;
    let mut scope = core.scope();
    let (left_rows, left_variable) = scope.rows(left)?;
    let (right_rows, right_variable) = scope.rows(right)?;
    let mut diagnostics = scope.diagnostics;
    check_fields(left_rows.as_ref(), std::slice::from_ref(&on.0))?;
    check_fields(right_rows.as_ref(), std::slice::from_ref(&on.1))?;
    let by_end = joined_by_end_warning(core, left_rows.as_ref(), &on.0);
    diagnostics.extend(by_end.or_else(|| joined_by_end_warning(core, right_rows.as_ref(), &on.1)));
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
        let others = right_by_key.get_index(key).map(|(_, others)| others.as_slice());
        let value = keys.value(index).unwrap_or_default();
        let matching = others.unwrap_or_default().iter();
        let matching = matching.filter(|(_, other)| equal(&value, other)).map(|(other, _)| *other);
        let mut matching = matching.peekable();
        let unmatched = matching.peek().is_none() && *kind == JoinKind::Left;
        for other in matching.chain(unmatched.then_some(UNMATCHED)) {
            if pairs.len() >= bound {
                truncated = true;
                break 'all;
            }
            pairs.push((index, other));
        }
    }
    let count = pairs.len();
    let unmatched = pairs.iter().filter(|(_, other)| *other == UNMATCHED).count();
    let column_count = left_variable.fields().len() + right_variable.fields().len();
    if column_count > MAX_COLUMNS {
        let message = format!("a join would have {column_count} columns, more than {MAX_COLUMNS}");
        let help = "choose the fields of both sides first, with `SELECT … FIELDS …`";
        return Err(Diagnostic::new(codes::WRONG_VALUE, message).help(help).at(right.span).into());
    }
    let columns = Rc::new(JoinedColumns::new(&left_variable, &right_variable, right, &on.1));
    let joined = JoinedRows { left: left_variable, right: right_variable, columns, pairs };
    let mut output =
        Output::from_value(LazyRows::wrap(Rc::new(joined))).with_diagnostics(diagnostics);
    if *kind == JoinKind::Left {
        output = output.with_metric("unmatched", unmatched);
    }
    if truncated {
        let kind = if bound == core.caps.max_results { "max_results" } else { "max_expansions" };
        output.status = Some(StepStatus::Partial);
        output.diagnostics.push(result_truncated(kind, bound));
        output = output.with_metric("completeness", completeness(count, bound, kind));
    }
    Ok(output)
}

/// Joins pairs of rows that the host has matched: `{left, right}`.
pub fn joined_pairs(core: &Core, join: &Join, pairs: &[Value]) -> Result<Variable, CommandFailure> {
    let mut scope = core.scope();
    let (_, all_left) = scope.rows(&join.left)?;
    let (_, all_right) = scope.rows(&join.right)?;
    let side = |key: &str, all: &Variable| {
        let step = if let Variable::Rows(_, step) = all { *step } else { 0 };
        let rows = pairs.iter().map(|pair| pair.get(key).cloned().unwrap_or_default());
        response_rows(rows.collect(), step)
    };
    let (left, right) = (side("left", &all_left), side("right", &all_right));
    // The columns are those of all rows, as in memory.
    let columns = Rc::new(JoinedColumns::new(&all_left, &all_right, &join.right, &join.on.1));
    let pairs = (0..pairs.len()).map(|index| (index, index)).collect();
    Ok(LazyRows::wrap(Rc::new(JoinedRows { left, right, columns, pairs })))
}

/// Maximum number of columns. A loop that joins its own result would double them in each round.
const MAX_COLUMNS: usize = 500;

/// Right index of a left row without a match.
const UNMATCHED: usize = usize::MAX;

/// Columns of joined rows.
struct JoinedColumns {
    /// Output names: the left fields, then the right ones.
    names: Vec<String>,
    /// Index of each output name.
    index_of: NameMap,
    left_count: usize,
    /// Right fields, in the order of their output names.
    right: Vec<String>,
}

impl JoinedColumns {
    /// Names the columns. A right field with the name of another column gets the name of its variable
    /// in front, repeatedly until the name is new.
    fn new(left: &Variable, right: &Variable, path: &VariablePath, on: &str) -> JoinedColumns {
        let prefix = path.steps.join("_");
        let mut names = left.fields();
        let left_count = names.len();
        let mut right = right.fields();
        if right.is_empty() {
            // Without right rows, this column alone shows that no row matches.
            right.push(on.to_owned());
        }
        let left_names: NameMap = names.iter().map(|name| (name.clone(), 0)).collect();
        let mut used = left_names.clone();
        // Names that need no prefix are assigned first.
        let unchanged = right.iter().filter(|field| !left_names.contains_key(*field));
        used.extend(unchanged.map(|field| (field.clone(), 0)));
        for field in &right {
            let mut name = field.clone();
            if left_names.contains_key(&name) {
                while used.contains_key(&name) {
                    name = format!("{prefix}_{name}");
                }
                used.insert(name.clone(), 0);
            }
            names.push(name);
        }
        let index_of = names.iter().enumerate().map(|(index, name)| (name.clone(), index as u32));
        JoinedColumns { index_of: index_of.collect(), names, left_count, right }
    }
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
fn distinct_indices(mut indices: impl Iterator<Item = usize>) -> impl Iterator<Item = usize> {
    let mut visited = IntMap::default();
    std::iter::from_fn(move || {
        indices.by_ref().find(|index| visited.insert(*index as u64, 0).is_none())
    })
}

/// Joined rows of two variables.
struct JoinedRows {
    left: Variable,
    right: Variable,
    columns: Rc<JoinedColumns>,
    /// Indices of joined rows; the right one may be [`UNMATCHED`].
    pairs: Vec<(usize, usize)>,
}

impl Rows for JoinedRows {
    fn len(&self) -> usize {
        self.pairs.len()
    }

    fn row(&self, index: usize) -> Option<Value> {
        let (left, right) = *self.pairs.get(index)?;
        let mut map: Map = self.left.row(left)?.as_map().cloned().unwrap_or_default();
        let right = self.right.row(right);
        let names = self.columns.names.iter().skip(self.columns.left_count);
        for (name, field) in names.zip(&self.columns.right) {
            match &right {
                None => put(&mut map, name.as_str(), Value::Null),
                Some(row) => {
                    if let Some(value) = row.get(field) {
                        put(&mut map, name.as_str(), value.clone());
                    }
                }
            }
        }
        Some(map.into())
    }

    fn values<'a>(&'a self, name: &'a str) -> Values<'a> {
        let JoinedColumns { index_of, left_count, right, .. } = &*self.columns;
        let Some(column) = index_of.get(name).map(|index| *index as usize) else {
            return if name.contains('.') { row_values(self, name) } else { Box::new(|_| None) };
        };
        if column < *left_count {
            let value_of = self.left.values(name);
            return Box::new(move |index| value_of(self.pairs.get(index)?.0));
        }
        let field = right.get(column - left_count).map_or("", String::as_str);
        let value_of = self.right.values(field);
        Box::new(move |index| match self.pairs.get(index)?.1 {
            UNMATCHED => Some(Value::Null),
            right => value_of(right),
        })
    }

    fn sources(&self, index: usize) -> Rc<[Value]> {
        let Some((left, right)) = self.pairs.get(index) else { return Rc::default() };
        let sides = [self.left.sources(*left), self.right.sources(*right)];
        sides.iter().flat_map(|side| side.iter().take(MAX_SOURCES_PER_SIDE)).cloned().collect()
    }

    fn distinct_source_count(&self) -> usize {
        let left = distinct_indices(self.pairs.iter().map(|(left, _)| *left));
        let right = distinct_indices(self.pairs.iter().map(|(_, right)| *right));
        let left = left.map(|index| self.left.sources(index));
        distinct_source_count(left.chain(right.map(|index| self.right.sources(index))))
    }

    fn fields(&self) -> Vec<String> {
        self.columns.names.clone()
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
        let (left, right) = (self.left.clone(), self.right.clone());
        Rc::new(JoinedRows { left, right, columns: self.columns.clone(), pairs })
    }
}
