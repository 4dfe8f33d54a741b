//! `COUNT` and `AGGREGATE`.

use super::directions::{undirected_end_aggregation_warning, undirected_end_grouping_warning};
use super::fold::compute_aggregate;
use super::output::{CommandResult, Output};
use super::select::check_fields;
use super::value_keys::ValueKeys;
use crate::base::diagnostic::quote;
use crate::base::map::{IntMap, OrderedMap};
use crate::base::value::Map;
use crate::base::{Diagnostic, Value};
use crate::gasl::codes;
use crate::gasl::core::Core;
use crate::gasl::identity::{dedup_sources, group_key};
use crate::gasl::language::ast::{Aggregate, VariablePath};
use crate::gasl::lazy::materialize;
use crate::gasl::variable::{Rows, ValueOrigin, Values, Variable, row_values};
use std::cell::OnceCell;
use std::ops::Range;
use std::rc::Rc;

/// Group of rows with the same values.
#[derive(Clone)]
struct RowGroup {
    /// Range in [`GroupedRows::members`].
    members: Range<usize>,
    /// Computed on first access.
    sources: OnceCell<Rc<[Value]>>,
}

/// One row per group. Members and sources are computed on access, because a group may have as many
/// sources as the graph has rows.
struct GroupedRows {
    by: Rc<[String]>,
    /// Output names: the fields of the groups, then the aggregates.
    columns: Rc<[Rc<str>]>,
    /// Values of the columns, group by group.
    cells: Vec<Value>,
    groups: Vec<RowGroup>,
    /// Input row indices sorted by group, computed on first access.
    members: OnceCell<Rc<[usize]>>,
    input: Variable,
}

/// Maximum number of grouped rows that depend on each other.
const MAX_CHAIN_LENGTH: usize = 16;

impl GroupedRows {
    fn members(&self, group: &RowGroup) -> &[usize] {
        let all = || match &self.input {
            Variable::Rows(rows, _) => GroupIndices::new(&**rows, &self.by).indices.into(),
            Variable::Value(..) => Rc::default(),
        };
        self.members.get_or_init(all).get(group.members.clone()).unwrap_or_default()
    }

    /// Returns the values of the columns of a group.
    fn cells(&self, index: usize) -> Option<&[Value]> {
        let start = index.checked_mul(self.columns.len())?;
        self.cells.get(start..start + self.columns.len())
    }
}

impl Rows for GroupedRows {
    fn len(&self) -> usize {
        self.groups.len()
    }

    fn row(&self, index: usize) -> Option<Value> {
        let mut map = Map::default();
        for (column, value) in self.columns.iter().zip(self.cells(index)?) {
            map.insert(column.clone(), value.clone());
        }
        Some(map.into())
    }

    fn values<'a>(&'a self, name: &'a str) -> Values<'a> {
        match self.columns.iter().position(|column| **column == *name) {
            Some(column) => Box::new(move |index| self.cells(index)?.get(column).cloned()),
            None => row_values(self, name),
        }
    }

    fn sources(&self, index: usize) -> Rc<[Value]> {
        let Some(group) = self.groups.get(index) else { return Rc::default() };
        let of = |member: &usize| self.input.sources(*member).to_vec();
        let sources = || dedup_sources(self.members(group).iter().flat_map(of)).into();
        group.sources.get_or_init(sources).clone()
    }

    fn distinct_source_count(&self) -> usize {
        let Variable::Rows(rows, _) = &self.input else { return 0 };
        let members = self.groups.iter().flat_map(|group| self.members(group));
        rows.pick(&members.copied().collect::<Vec<_>>()).distinct_source_count()
    }

    fn fields(&self) -> Vec<String> {
        self.columns.iter().map(|column| column.to_string()).collect::<Vec<_>>()
    }

    fn index_count(&self) -> usize {
        self.members.get().map_or(0, |members| members.len())
    }

    fn chain_length(&self) -> usize {
        self.input.chain_length() + 1
    }

    fn pick(&self, indices: &[usize]) -> Rc<dyn Rows> {
        let groups = indices.iter().filter_map(|index| self.groups.get(*index).cloned());
        let cells = indices.iter().filter_map(|index| self.cells(*index)).flatten();
        Rc::new(GroupedRows {
            by: self.by.clone(),
            columns: self.columns.clone(),
            cells: cells.cloned().collect::<Vec<_>>(),
            groups: groups.collect::<Vec<_>>(),
            members: self.members.clone(),
            input: self.input.clone(),
        })
    }
}

/// Returns a number for `COUNT v`, and rows of `{f, …, count}` for `COUNT v BY f, …`.
pub fn count(core: &mut Core, input: &VariablePath, by: &[String]) -> CommandResult {
    let mut scope = core.scope();
    if by.is_empty() {
        let variable = scope.resolve(&input.steps, input.span)?;
        let count = match &variable {
            Variable::Rows(rows, _) => rows.len(),
            // The keys of a DICT.
            Variable::Value(Value::Map(map), ValueOrigin::Dict(_)) => map.len(),
            Variable::Value(Value::Null, _) => 0,
            Variable::Value(value, _) => match variable.items() {
                Some(items) => items.row_count().unwrap_or_default(),
                None => return Err(not_countable(value, input).into()),
            },
        };
        let diagnostics = scope.diagnostics;
        let value = Variable::without_sources(count.into());
        return Ok(Output::from_value(value)
            .with_metric("count", count)
            .with_diagnostics(diagnostics));
    }
    let (rows, variable) = scope.rows(input)?;
    let mut diagnostics = scope.diagnostics;
    check_fields(rows.as_ref(), by)?;
    diagnostics.extend(
        by.iter()
            .find_map(|field| undirected_end_grouping_warning(core, rows.as_ref(), field, &[])),
    );
    let count = |group: &[usize], cells: &mut Vec<Value>| cells.push(group.len().into());
    let counted = group_rows(&*rows, variable, by, &["count".to_owned()], count);
    Ok(Output::from_value(counted).with_diagnostics(diagnostics))
}

/// Returns the error for a `COUNT` of one value, which is not a number of rows.
fn not_countable(value: &Value, input: &VariablePath) -> Diagnostic {
    let path = input.text();
    let message = format!("expected rows to count, found a {}: {}", value.kind(), quote(&path));
    let help = match value {
        Value::Number(_) => format!("{} is a number already: use it as it is", quote(&path)),
        _ => "use rows of FIND or SELECT, a LIST, or a DICT to count its keys".to_owned(),
    };
    Diagnostic::new(codes::WRONG_VALUE, message).help(help).at(input.span)
}

/// Returns a row `{f, …, <function>, …}` for each group of equal values of the fields, or one row
/// without fields.
pub fn aggregate(
    core: &mut Core,
    input: &VariablePath,
    by: &[String],
    aggregates: &[Aggregate],
) -> CommandResult {
    let mut scope = core.scope();
    let (rows, variable) = scope.rows(input)?;
    let mut diagnostics = scope.diagnostics;
    let mut required = by.to_vec();
    required.extend(aggregates.iter().filter_map(|aggregate| aggregate.field.clone()));
    check_fields(rows.as_ref(), &required)?;
    diagnostics.extend(
        by.iter().find_map(|field| {
            undirected_end_grouping_warning(core, rows.as_ref(), field, aggregates)
        }),
    );
    let of_end = |aggregate| undirected_end_aggregation_warning(core, rows.as_ref(), aggregate);
    diagnostics.extend(aggregates.iter().find_map(of_end));
    let values_of: Vec<Option<Values<'_>>> = aggregates
        .iter()
        .map(|aggregate| aggregate.field.as_deref().map(|of| rows.values(of)))
        .collect();
    let mut left_out = vec![0; aggregates.len()];
    let columns = Aggregate::column_names(aggregates);
    let aggregated = group_rows(&*rows, variable, by, &columns, |group, cells| {
        let each = aggregates.iter().zip(&values_of).zip(&mut left_out);
        for ((aggregate, value_of), left_out) in each {
            let mut values = group.iter().filter_map(|index| match value_of {
                Some(value_of) => value_of(*index),
                None => Some(Value::Null),
            });
            let (result, skipped) =
                compute_aggregate(aggregate.function, &mut values, value_of.is_some());
            *left_out += skipped;
            cells.push(result);
        }
    });
    let warnings = aggregates.iter().zip(left_out).filter(|(_, left_out)| *left_out > 0);
    diagnostics.extend(warnings.map(|(aggregate, left_out)| aggregate.left_out_warning(left_out)));
    Ok(Output::from_value(aggregated).with_diagnostics(diagnostics))
}

impl Aggregate {
    /// Warning for values that are not numbers.
    pub fn left_out_warning(&self, count: usize) -> Diagnostic {
        let (of, word) = (self.field.as_deref().unwrap_or_default(), self.function.word());
        let message =
            format!("{count} values of `{of}` are not numbers and were left out of `{word}`");
        Diagnostic::new(codes::TRUNCATED_RESULT, message).help("choose a numeric field")
    }
}

/// Row indices grouped by the values of some fields, in order of first appearance.
struct GroupIndices {
    /// End offset of each group in `indices`.
    ends: Vec<usize>,
    indices: Vec<usize>,
}

impl GroupIndices {
    /// Groups rows; without fields all rows are one group.
    fn new(rows: &dyn Rows, by: &[String]) -> GroupIndices {
        let Some((first, others)) = by.split_first() else {
            return GroupIndices { ends: vec![rows.len()], indices: (0..rows.len()).collect() };
        };
        let (mut group_of, mut count) = field_groups(rows, first);
        for field in others {
            let (other_group_of, _) = field_groups(rows, field);
            // Group of each pair of groups.
            let mut pairs = IntMap::default();
            for (group, other) in group_of.iter_mut().zip(other_group_of) {
                let next = pairs.len() as u64;
                let pair = (*group as u64) << 32 | other as u64;
                *group = *pairs.entry(pair).or_insert(next) as usize;
            }
            count = pairs.len();
        }
        let (ends, indices) = group_indices(&group_of, count);
        GroupIndices { ends, indices }
    }
}

/// Returns the group of each row by one field, and the number of groups.
fn field_groups(rows: &dyn Rows, by: &str) -> (Vec<usize>, usize) {
    let mut groups: OrderedMap<()> = OrderedMap::default();
    let mut keys = ValueKeys::new(rows, by);
    let mut group_of = |value: Option<Value>| {
        let key = group_key(&value.unwrap_or_default());
        let index = groups.get_index_of(key.as_str());
        index.unwrap_or_else(|| groups.insert_full(key.into(), ()).0)
    };
    let row_groups = (0..rows.len()).map(|index| keys.key(index, &mut group_of)).collect();
    (row_groups, groups.len())
}

/// Returns the end offset of each group, and the item indices sorted by group (a counting sort).
/// `group_of` holds the group of each item, below `count`.
fn group_indices(group_of: &[usize], count: usize) -> (Vec<usize>, Vec<usize>) {
    let mut ends = vec![0; count];
    for group in group_of {
        if let Some(end) = ends.get_mut(*group) {
            *end += 1;
        }
    }
    // Start offsets, which the next loop moves to the ends.
    let mut start = 0;
    for end in &mut ends {
        start += std::mem::replace(end, start);
    }
    let mut indices = vec![0; start];
    for (index, group) in group_of.iter().enumerate() {
        if let Some(offset) = ends.get_mut(*group)
            && let Some(slot) = indices.get_mut(*offset)
        {
            *slot = index;
            *offset += 1;
        }
    }
    (ends, indices)
}

/// Groups rows by some fields and computes the aggregates of each group.
fn group_rows(
    rows: &dyn Rows,
    of: Variable,
    by: &[String],
    names: &[String],
    mut aggregate: impl FnMut(&[usize], &mut Vec<Value>),
) -> Variable {
    let GroupIndices { ends, indices } = GroupIndices::new(rows, by);
    let values_of: Vec<Values<'_>> = by.iter().map(|field| rows.values(field)).collect();
    let columns = by.iter().chain(names).map(|name| name.as_str().into()).collect::<Vec<_>>();
    let mut cells = Vec::with_capacity(ends.len() * columns.len());
    let mut start = 0;
    let groups = ends.iter().map(|end| {
        let members = std::mem::replace(&mut start, *end)..*end;
        let group = indices.get(members.clone()).unwrap_or_default();
        // All members have the values of the first.
        let value = |value_of: &Values<'_>| value_of(*group.first()?);
        cells.extend(values_of.iter().map(|value_of| value(value_of).unwrap_or_default()));
        aggregate(group, &mut cells);
        RowGroup { members, sources: OnceCell::new() }
    });
    let groups = groups.collect::<Vec<_>>();
    let (by, columns, members) = (by.into(), columns.into(), OnceCell::new());
    let rows = Rc::new(GroupedRows { by, columns, cells, groups, members, input: of });
    // A loop that groups its own groups would build a chain of any length.
    if rows.chain_length() > MAX_CHAIN_LENGTH {
        materialize(&*rows)
    } else {
        Variable::Rows(rows, 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn group_indices_are_sorted_by_group() {
        assert_eq!(group_indices(&[1, 0, 1, 3], 4), (vec![1, 3, 3, 4], vec![1, 0, 2, 3]));
        assert_eq!(group_indices(&[], 2), (vec![0, 0], vec![]));
    }
}
