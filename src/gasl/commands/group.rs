//! `COUNT` and `AGGREGATE`: one row for each value of a field.

use super::alike::Alike;
use super::select::{Key, check_fields};
use super::{Output, Result};
use crate::base::map::OrderedMap;
use crate::base::value::Map;
use crate::base::{Diagnostic, Value};
use crate::gasl::codes;
use crate::gasl::core::Core;
use crate::gasl::identity::group_key;
use crate::gasl::language::ast::{Function, Order, Path};
use crate::gasl::lazy::solid;
use crate::gasl::predicate::numeric;
use crate::gasl::update::united;
use crate::gasl::variable::{Rows, Values, Variable, in_rows};
use std::cell::OnceCell;
use std::cmp::Ordering;
use std::ops::Range;
use std::rc::Rc;

/// Rows with the same value, which one row stands for.
#[derive(Clone)]
struct Group {
    value: Value,
    /// What is told of them.
    figure: Value,
    /// Which of the members of all groups are its own.
    members: Range<usize>,
    /// Where they come from, once somebody has asked.
    sources: OnceCell<Rc<[Value]>>,
}

/// Rows that stand for others, and come from where those come from. What that is, is looked up when
/// somebody asks: a group may have as many sources as the graph has rows.
struct Grouped {
    by: Rc<str>,
    /// What the figure is called.
    figure: Rc<str>,
    groups: Vec<Group>,
    /// The indices of rows, those of a group together, once somebody asks: there are as many as rows.
    members: OnceCell<Rc<[usize]>>,
    of: Variable,
}

/// Whoever looks for the sources of groups looks through at most so many others.
const DEEPEST: usize = 16;

impl Grouped {
    fn members(&self, group: &Group) -> &[usize] {
        let all = || match &self.of {
            Variable::Rows(rows, _) => Members::new(&**rows, &self.by).all.into(),
            Variable::Value(..) => Rc::default(),
        };
        self.members.get_or_init(all).get(group.members.clone()).unwrap_or_default()
    }
}

impl Rows for Grouped {
    fn len(&self) -> usize {
        self.groups.len()
    }

    fn row(&self, index: usize) -> Option<Value> {
        let Group { value, figure, .. } = self.groups.get(index)?;
        let mut map = Map::default();
        map.insert(self.by.clone(), value.clone());
        map.insert(self.figure.clone(), figure.clone());
        Some(map.into())
    }

    fn values<'a>(&'a self, name: &'a str) -> Values<'a> {
        if name == &*self.figure {
            return Box::new(|index| Some(self.groups.get(index)?.figure.clone()));
        }
        in_rows(self, name)
    }

    fn sources(&self, index: usize) -> Rc<[Value]> {
        let Some(group) = self.groups.get(index) else { return Rc::default() };
        let of = |member: &usize| self.of.sources(*member).to_vec();
        let made = || united(self.members(group).iter().flat_map(of)).into();
        group.sources.get_or_init(made).clone()
    }

    fn source_count(&self) -> usize {
        let Variable::Rows(rows, _) = &self.of else { return 0 };
        let members = self.groups.iter().flat_map(|group| self.members(group));
        rows.pick(&members.copied().collect::<Vec<_>>()).source_count()
    }

    fn fields(&self) -> Vec<String> {
        let mut fields = vec![self.by.to_string()];
        if self.figure != self.by {
            fields.push(self.figure.to_string());
        }
        fields
    }

    fn numbers(&self) -> usize {
        self.members.get().map_or(0, |members| members.len())
    }

    fn depth(&self) -> usize {
        self.of.depth() + 1
    }

    fn pick(&self, indices: &[usize]) -> Rc<dyn Rows> {
        Rc::new(Grouped {
            by: self.by.clone(),
            figure: self.figure.clone(),
            groups: indices
                .iter()
                .filter_map(|index| self.groups.get(*index).cloned())
                .collect::<Vec<_>>(),
            members: self.members.clone(),
            of: self.of.clone(),
        })
    }
}

/// `COUNT v` is a number, `COUNT v BY f` rows of `{f, count}`.
pub fn count(core: &mut Core, input: &Path, by: Option<&str>) -> Result {
    let mut scope = core.scope();
    let Some(by) = by else {
        let variable = scope.find(&input.steps, input.span)?;
        let count = match &variable {
            Variable::Rows(rows, _) => rows.len(),
            Variable::Value(Value::Map(map), _) => map.len(),
            Variable::Value(Value::Null, _) => 0,
            Variable::Value(..) => 1,
        };
        let told = scope.told;
        let value = Variable::plain(count.into());
        return Ok(Output::of(value).metric("count", count).told(told));
    };
    let (rows, variable) = scope.rows(input)?;
    let told = scope.told;
    check_fields(rows.as_ref(), &[by.to_owned()])?;
    let counted = grouped(&*rows, variable, by, "count", |group| group.len().into());
    Ok(Output::of(counted).told(told))
}

/// `AGGREGATE`: `{f, <function>}` for each value of `f`.
pub fn aggregate(
    core: &mut Core,
    input: &Path,
    by: &str,
    function: Function,
    of: Option<&str>,
) -> Result {
    let mut scope = core.scope();
    let (rows, variable) = scope.rows(input)?;
    let mut told = scope.told;
    let needed: Vec<String> = [Some(by), of].into_iter().flatten().map(str::to_owned).collect();
    check_fields(rows.as_ref(), &needed)?;
    let mut left_out = 0;
    let value_of = of.map(|of| rows.values(of));
    let aggregated = grouped(&*rows, variable, by, function.word(), |group| {
        let mut values = group.iter().filter_map(|index| match &value_of {
            Some(value_of) => value_of(*index),
            None => Some(Value::Null),
        });
        let (figure, out) = fold(function, &mut values, of.is_some());
        left_out += out;
        figure
    });
    if left_out > 0 {
        let of = of.unwrap_or_default();
        let message = format!("{left_out} values of `{of}` are no numbers and were left out");
        let help = "choose a field that holds numbers";
        told.push(Diagnostic::new(codes::CUT, message).help(help));
    }
    Ok(Output::of(aggregated).told(told))
}

/// Rows by the value of a field, in the order in which the values first come.
struct Members {
    values: Vec<Value>,
    /// For each value, where its rows end among all.
    ends: Vec<usize>,
    /// The indices of rows, those with the same value together.
    all: Vec<usize>,
}

impl Members {
    fn new(rows: &dyn Rows, by: &str) -> Members {
        let mut known: OrderedMap<Value> = OrderedMap::default();
        let mut alike = Alike::new(rows, by);
        let mut place_of = |value: Option<Value>| {
            let value = value.unwrap_or_default();
            let key = group_key(&value);
            let index = known.get_index_of(key.as_str());
            index.unwrap_or_else(|| known.insert_full(key.into(), value).0)
        };
        let places: Vec<usize> =
            (0..rows.len()).map(|index| alike.number(index, &mut place_of)).collect();
        let (ends, all) = group_indices(&places, known.len());
        Members { values: known.into_values().collect::<Vec<_>>(), ends, all }
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
    // Where each group starts, which moves to its end.
    let mut start = 0;
    for end in &mut ends {
        start += std::mem::replace(end, start);
    }
    let mut indices = vec![0; start];
    for (index, group) in group_of.iter().enumerate() {
        if let Some(place) = ends.get_mut(*group)
            && let Some(slot) = indices.get_mut(*place)
        {
            *slot = index;
            *place += 1;
        }
    }
    (ends, indices)
}

/// A row for each value of a field, with what `figure_of` says of the rows that have it.
fn grouped(
    rows: &dyn Rows,
    of: Variable,
    by: &str,
    figure: &str,
    mut figure_of: impl FnMut(&[usize]) -> Value,
) -> Variable {
    let Members { values, ends, all } = Members::new(rows, by);
    let mut start = 0;
    let groups = ends.iter().zip(values).map(|(end, value)| {
        let own = std::mem::replace(&mut start, *end)..*end;
        let figure = figure_of(all.get(own.clone()).unwrap_or_default());
        Group { value, figure, members: own, sources: OnceCell::new() }
    });
    let groups = groups.collect::<Vec<_>>();
    let (by, figure) = (by.into(), figure.into());
    let rows = Rc::new(Grouped { by, figure, groups, members: OnceCell::new(), of });
    // A loop that groups its own groups would put any number of them one behind the other.
    if rows.depth() > DEEPEST { solid(&*rows) } else { Variable::Rows(rows, 0) }
}

/// The figure of the values of one group, and how many of them had no part in it.
fn fold(
    function: Function,
    values: &mut dyn Iterator<Item = Value>,
    of_field: bool,
) -> (Value, usize) {
    let beyond = match function {
        Function::Least => Ordering::Less,
        Function::Greatest => Ordering::Greater,
        Function::Count => {
            return (values.filter(|one| !(of_field && one.is_null())).count().into(), 0);
        }
        Function::Sum | Function::Average => {
            let (mut sum, mut count, mut left_out) = (0.0, 0, 0);
            for value in values {
                match numeric(&value) {
                    Some(number) => (sum, count) = (sum + number, count + 1),
                    None => left_out += 1,
                }
            }
            return match function {
                Function::Sum => (sum.into(), left_out),
                _ if count == 0 => (Value::Null, left_out),
                _ => ((sum / f64::from(count)).into(), left_out),
            };
        }
    };
    // The first value that no other one is beyond; among numbers, what is none is left out.
    let (mut best, mut numbers, mut others) = (None::<(Key, Value)>, 0, 0);
    for value in values.filter(|value| !value.is_null()) {
        let is_number = numeric(&value).is_some();
        let is_first = if is_number { numbers == 0 } else { others == 0 };
        *(if is_number { &mut numbers } else { &mut others }) += 1;
        if !is_number && numbers > 0 {
            continue;
        }
        let key = Key::of(Some(value.clone()));
        let is_beyond = |best: &(Key, Value)| key.compare(&best.0, Order::Ascending) == beyond;
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
