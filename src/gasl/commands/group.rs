//! `COUNT` and `AGGREGATE`: one row for each value of a field.

use super::alike::Alike;
use super::select::{Key, check_fields};
use super::{Output, Result};
use crate::base::Gather;
use crate::base::map::Keyed;
use crate::base::{Diagnostic, Value};
use crate::gasl::codes;
use crate::gasl::core::Core;
use crate::gasl::identity::group_key;
use crate::gasl::language::ast::{Function, Order, Path};
use crate::gasl::predicate::numeric;
use crate::gasl::update::united;
use crate::gasl::variable::{Rows, Values, Variable};
use std::cmp::Ordering;
use std::rc::Rc;

/// Rows with the same value, in the order in which the value first came.
struct Group {
    value: Value,
    rows: Vec<usize>,
}

/// Rows that stand for others, and come from where those come from. What that is, is looked up when
/// somebody asks: a group may have as many sources as the graph has rows.
struct Grouped {
    rows: Rc<dyn Rows>,
    of: Variable,
    members: Vec<Rc<[usize]>>,
}

impl Rows for Grouped {
    fn len(&self) -> usize {
        self.rows.len()
    }

    fn row(&self, index: usize) -> Option<Value> {
        self.rows.row(index)
    }

    fn values<'a>(&'a self, name: &'a str) -> Values<'a> {
        self.rows.values(name)
    }

    fn sources(&self, index: usize) -> Vec<Value> {
        let members = self.members.get(index).into_iter().flat_map(|members| members.iter());
        united(members.flat_map(|member| self.of.sources(*member)))
    }

    fn source_count(&self) -> usize {
        let Variable::Rows(rows, _) = &self.of else { return 0 };
        rows.pick(&self.members.concat()).source_count()
    }

    fn fields(&self) -> Vec<String> {
        self.rows.fields()
    }

    fn pick(&self, indices: &[usize]) -> Rc<dyn Rows> {
        let members = indices.iter().filter_map(|index| self.members.get(*index).cloned()).gather();
        Rc::new(Grouped { rows: self.rows.pick(indices), of: self.of.clone(), members })
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
    let groups = grouped(rows.as_ref(), by);
    let counted = rows_of(groups, variable, by, |group| ("count", group.len().into()));
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
    let needed: Vec<String> = [Some(by), of].into_iter().flatten().map(str::to_owned).gather();
    check_fields(rows.as_ref(), &needed)?;
    let groups = grouped(rows.as_ref(), by);
    let mut left_out = 0;
    let value_of = of.map(|of| rows.values(of));
    let aggregated = rows_of(groups, variable, by, |group| {
        let values = group.iter().filter_map(|index| match &value_of {
            Some(value_of) => value_of(*index),
            None => Some(Value::Null),
        });
        let (value, out) = fold(function, values.gather(), of.is_some());
        left_out += out;
        (function.word(), value)
    });
    if left_out > 0 {
        let of = of.unwrap_or_default();
        let message = format!("{left_out} values of `{of}` are no numbers and were left out");
        let help = "choose a field that holds numbers";
        told.push(Diagnostic::new(codes::CUT, message).help(help));
    }
    Ok(Output::of(aggregated).told(told))
}

fn grouped(rows: &dyn Rows, by: &str) -> Vec<Group> {
    let mut groups: Keyed<Group> = Keyed::default();
    let mut alike = Alike::new(rows, by);
    for index in 0..rows.len() {
        let place = alike.number(index, &mut |value| place_of(value, &mut groups));
        if let Some(group) = groups.at_mut(place) {
            group.rows.push(index);
        }
    }
    groups.into_values().gather()
}

/// The place of a value's group, which is a new one where there was none.
fn place_of(value: Option<Value>, groups: &mut Keyed<Group>) -> usize {
    let value = value.unwrap_or_default();
    let key = group_key(&value);
    groups.find(&key).unwrap_or_else(|| {
        groups.push(key.into(), Group { value, rows: Vec::new() });
        groups.len() - 1
    })
}

/// A row for each group, with the sources of the rows in it.
fn rows_of(
    groups: Vec<Group>,
    of: Variable,
    by: &str,
    mut figure: impl FnMut(&[usize]) -> (&'static str, Value),
) -> Variable {
    let mut rows = Vec::new();
    let mut members: Vec<Rc<[usize]>> = Vec::new();
    for Group { value, rows: group } in groups {
        let (name, figure) = figure(&group);
        rows.push(Value::map([(by, value), (name, figure)]));
        members.push(group.into());
    }
    match Variable::rows(rows, Vec::new()) {
        Variable::Rows(rows, step) => Variable::Rows(Rc::new(Grouped { rows, of, members }), step),
        value => value,
    }
}

/// The figure of one group, and how many values had no part in it.
fn fold(function: Function, values: Vec<Value>, of_field: bool) -> (Value, usize) {
    let numbers: Vec<f64> = values.iter().filter_map(numeric).gather();
    let left_out = values.len() - numbers.len();
    let sum: f64 = numbers.iter().sum();
    match function {
        Function::Count if of_field => {
            (values.iter().filter(|one| !one.is_null()).count().into(), 0)
        }
        Function::Count => (values.len().into(), 0),
        Function::Sum => (sum.into(), left_out),
        Function::Average if numbers.is_empty() => (Value::Null, left_out),
        Function::Average => ((sum / numbers.len() as f64).into(), left_out),
        Function::Least => (extreme(values, Ordering::Less), 0),
        Function::Greatest => (extreme(values, Ordering::Greater), 0),
    }
}

/// The first value that no other one is beyond.
fn extreme(values: Vec<Value>, beyond: Ordering) -> Value {
    let values = values.into_iter().filter(|value| !value.is_null());
    let keyed = values.map(|value| (Key::of(Some(value.clone())), value));
    let best = keyed.reduce(|best, one| {
        let order = one.0.compare(&best.0, Order::Ascending);
        if order == beyond { one } else { best }
    });
    best.map(|(_, value)| value).unwrap_or_default()
}
