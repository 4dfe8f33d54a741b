//! `COUNT` and `AGGREGATE`.

use super::directions::grouped_by_end;
use super::output::{CommandResult, Output};
use super::select::{SortKey, check_fields};
use super::value_keys::ValueKeys;
use crate::base::map::OrderedMap;
use crate::base::value::Map;
use crate::base::{Diagnostic, Value};
use crate::gasl::codes;
use crate::gasl::compare::numeric;
use crate::gasl::core::Core;
use crate::gasl::identity::{dedup_sources, group_key};
use crate::gasl::language::ast::{AggregateFunction, SortOrder, VariablePath};
use crate::gasl::lazy::materialize;
use crate::gasl::variable::{Rows, Values, Variable, row_values};
use std::cell::OnceCell;
use std::cmp::Ordering;
use std::ops::Range;
use std::rc::Rc;

/// Group of rows with the same value.
#[derive(Clone)]
struct RowGroup {
    value: Value,
    aggregate: Value,
    /// Range in [`GroupedRows::members`].
    members: Range<usize>,
    /// Computed on first access.
    sources: OnceCell<Rc<[Value]>>,
}

/// One row per group. Members and sources are computed on access, because a group may have as many
/// sources as the graph has rows.
struct GroupedRows {
    by: Rc<str>,
    /// Field name of the aggregate.
    function: Rc<str>,
    groups: Vec<RowGroup>,
    /// Input row indices sorted by group, computed on first access.
    members: OnceCell<Rc<[usize]>>,
    of: Variable,
}

/// Maximum number of grouped rows that depend on each other.
const MAX_CHAIN_LENGTH: usize = 16;

impl GroupedRows {
    fn members(&self, group: &RowGroup) -> &[usize] {
        let all = || match &self.of {
            Variable::Rows(rows, _) => GroupIndices::new(&**rows, &self.by).indices.into(),
            Variable::Value(..) => Rc::default(),
        };
        self.members.get_or_init(all).get(group.members.clone()).unwrap_or_default()
    }
}

impl Rows for GroupedRows {
    fn len(&self) -> usize {
        self.groups.len()
    }

    fn row(&self, index: usize) -> Option<Value> {
        let RowGroup { value, aggregate, .. } = self.groups.get(index)?;
        let mut map = Map::default();
        map.insert(self.by.clone(), value.clone());
        map.insert(self.function.clone(), aggregate.clone());
        Some(map.into())
    }

    fn values<'a>(&'a self, name: &'a str) -> Values<'a> {
        if name == &*self.function {
            return Box::new(|index| Some(self.groups.get(index)?.aggregate.clone()));
        }
        row_values(self, name)
    }

    fn sources(&self, index: usize) -> Rc<[Value]> {
        let Some(group) = self.groups.get(index) else { return Rc::default() };
        let of = |member: &usize| self.of.sources(*member).to_vec();
        let sources = || dedup_sources(self.members(group).iter().flat_map(of)).into();
        group.sources.get_or_init(sources).clone()
    }

    fn distinct_source_count(&self) -> usize {
        let Variable::Rows(rows, _) = &self.of else { return 0 };
        let members = self.groups.iter().flat_map(|group| self.members(group));
        rows.pick(&members.copied().collect::<Vec<_>>()).distinct_source_count()
    }

    fn fields(&self) -> Vec<String> {
        let mut fields = vec![self.by.to_string()];
        if self.function != self.by {
            fields.push(self.function.to_string());
        }
        fields
    }

    fn index_count(&self) -> usize {
        self.members.get().map_or(0, |members| members.len())
    }

    fn chain_length(&self) -> usize {
        self.of.chain_length() + 1
    }

    fn pick(&self, indices: &[usize]) -> Rc<dyn Rows> {
        Rc::new(GroupedRows {
            by: self.by.clone(),
            function: self.function.clone(),
            groups: indices
                .iter()
                .filter_map(|index| self.groups.get(*index).cloned())
                .collect::<Vec<_>>(),
            members: self.members.clone(),
            of: self.of.clone(),
        })
    }
}

/// Returns a number for `COUNT v`, and rows of `{f, count}` for `COUNT v BY f`.
pub fn count(core: &mut Core, input: &VariablePath, by: Option<&str>) -> CommandResult {
    let mut scope = core.scope();
    let Some(by) = by else {
        let variable = scope.resolve(&input.steps, input.span)?;
        let count = match &variable {
            Variable::Rows(rows, _) => rows.len(),
            Variable::Value(Value::Map(map), _) => map.len(),
            Variable::Value(Value::Null, _) => 0,
            Variable::Value(..) => 1,
        };
        let diagnostics = scope.diagnostics;
        let value = Variable::without_sources(count.into());
        return Ok(Output::of(value).with_metric("count", count).with_diagnostics(diagnostics));
    };
    let (rows, variable) = scope.rows(input)?;
    let mut diagnostics = scope.diagnostics;
    check_fields(rows.as_ref(), &[by.to_owned()])?;
    diagnostics.extend(grouped_by_end(core, rows.as_ref(), by));
    let counted = group(&*rows, variable, by, "count", |group| group.len().into());
    Ok(Output::of(counted).with_diagnostics(diagnostics))
}

/// Returns a row `{f, <function>}` for each value of `f`.
pub fn aggregate(
    core: &mut Core,
    input: &VariablePath,
    by: &str,
    function: AggregateFunction,
    of: Option<&str>,
) -> CommandResult {
    let mut scope = core.scope();
    let (rows, variable) = scope.rows(input)?;
    let mut diagnostics = scope.diagnostics;
    let required: Vec<String> = [Some(by), of].into_iter().flatten().map(str::to_owned).collect();
    check_fields(rows.as_ref(), &required)?;
    diagnostics.extend(grouped_by_end(core, rows.as_ref(), by));
    let mut left_out = 0;
    let value_of = of.map(|of| rows.values(of));
    let aggregated = group(&*rows, variable, by, function.word(), |group| {
        let mut values = group.iter().filter_map(|index| match &value_of {
            Some(value_of) => value_of(*index),
            None => Some(Value::Null),
        });
        let (result, skipped) = fold(function, &mut values, of.is_some());
        left_out += skipped;
        result
    });
    if left_out > 0 {
        let of = of.unwrap_or_default();
        let message = format!("{left_out} values of `{of}` are not numbers and were left out");
        let help = "choose a numeric field";
        diagnostics.push(Diagnostic::new(codes::TRUNCATED, message).help(help));
    }
    Ok(Output::of(aggregated).with_diagnostics(diagnostics))
}

/// Row indices grouped by the value of a field, in order of first appearance.
struct GroupIndices {
    values: Vec<Value>,
    /// End offset of each group in `indices`.
    ends: Vec<usize>,
    indices: Vec<usize>,
}

impl GroupIndices {
    fn new(rows: &dyn Rows, by: &str) -> GroupIndices {
        let mut groups: OrderedMap<Value> = OrderedMap::default();
        let mut keys = ValueKeys::new(rows, by);
        let mut group_of = |value: Option<Value>| {
            let value = value.unwrap_or_default();
            let key = group_key(&value);
            let index = groups.get_index_of(key.as_str());
            index.unwrap_or_else(|| groups.insert_full(key.into(), value).0)
        };
        let row_groups: Vec<usize> =
            (0..rows.len()).map(|index| keys.key(index, &mut group_of)).collect();
        let (ends, indices) = group_indices(&row_groups, groups.len());
        GroupIndices { values: groups.into_values().collect::<Vec<_>>(), ends, indices }
    }
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

/// Groups rows by a field and computes the aggregate of each group.
fn group(
    rows: &dyn Rows,
    of: Variable,
    by: &str,
    function: &str,
    mut aggregate: impl FnMut(&[usize]) -> Value,
) -> Variable {
    let GroupIndices { values, ends, indices } = GroupIndices::new(rows, by);
    let mut start = 0;
    let groups = ends.iter().zip(values).map(|(end, value)| {
        let members = std::mem::replace(&mut start, *end)..*end;
        let aggregate = aggregate(indices.get(members.clone()).unwrap_or_default());
        RowGroup { value, aggregate, members, sources: OnceCell::new() }
    });
    let groups = groups.collect::<Vec<_>>();
    let (by, function) = (by.into(), function.into());
    let rows = Rc::new(GroupedRows { by, function, groups, members: OnceCell::new(), of });
    // A loop that groups its own groups would build a chain of any length.
    if rows.chain_length() > MAX_CHAIN_LENGTH {
        materialize(&*rows)
    } else {
        Variable::Rows(rows, 0)
    }
}

/// Returns the aggregate of the values of a group, and the number of values left out.
fn fold(
    function: AggregateFunction,
    values: &mut dyn Iterator<Item = Value>,
    of_field: bool,
) -> (Value, usize) {
    let beyond = match function {
        AggregateFunction::Least => Ordering::Less,
        AggregateFunction::Greatest => Ordering::Greater,
        AggregateFunction::Count => {
            return (values.filter(|one| !(of_field && one.is_null())).count().into(), 0);
        }
        AggregateFunction::Sum | AggregateFunction::Average => {
            let (mut sum, mut count, mut left_out) = (0.0, 0, 0);
            for value in values {
                match numeric(&value) {
                    Some(number) => (sum, count) = (sum + number, count + 1),
                    None => left_out += 1,
                }
            }
            return match function {
                AggregateFunction::Sum => (sum.into(), left_out),
                _ if count == 0 => (Value::Null, left_out),
                _ => ((sum / f64::from(count)).into(), left_out),
            };
        }
    };
    // The first extreme value; if there are numbers, other values are left out.
    let (mut best, mut numbers, mut others) = (None::<(SortKey, Value)>, 0, 0);
    for value in values.filter(|value| !value.is_null()) {
        let is_number = numeric(&value).is_some();
        let is_first = if is_number { numbers == 0 } else { others == 0 };
        *(if is_number { &mut numbers } else { &mut others }) += 1;
        if !is_number && numbers > 0 {
            continue;
        }
        let key = SortKey::of(Some(value.clone()));
        let is_beyond =
            |best: &(SortKey, Value)| key.compare(&best.0, SortOrder::Ascending) == beyond;
        if is_first || best.as_ref().is_none_or(is_beyond) {
            best = Some((key, value));
        }
    }
    let left_out = if numbers > 0 { others } else { 0 };
    (best.map(|(_, value)| value).unwrap_or_default(), left_out)
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
