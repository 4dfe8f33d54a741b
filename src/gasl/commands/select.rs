//! `SELECT` and `RANK`: some of the rows, in another order.

use super::find::case;
use super::meant::no_such_field;
use super::{Output, Result};
use crate::base::Gather;
use crate::base::value::{Map, put};
use crate::base::{Value, sort};
use crate::gasl::codes;
use crate::gasl::core::Core;
use crate::gasl::language::ast::{Order, Path, Select};
use crate::gasl::predicate::{Predicate, numeric, order};
use crate::gasl::record::Failure;
use crate::gasl::variable::{Rows, Variable, field};
use std::cmp::Ordering;

/// `SELECT`: filter, then project.
pub fn select(core: &mut Core, select: &Select) -> Result {
    let mut scope = core.scope();
    let (rows, variable) = scope.rows(&select.input)?;
    let condition = select.condition.as_ref();
    let predicate = condition.map(|condition| scope.predicate(condition)).transpose()?;
    let told = scope.told;
    let mut needed: Vec<String> = select.fields.iter().map(|(from, _)| from.clone()).gather();
    needed.extend(predicate.iter().flat_map(|one| one.fields()).map(|field| field.to_string()));
    check_fields(rows.as_ref(), &needed)?;
    let chosen = chosen(core, rows.as_ref(), predicate.as_ref(), select.limit);
    let limited = select.limit.is_some_and(|limit| chosen.len() > limit);
    let chosen = chosen.get(..select.limit.unwrap_or(usize::MAX).min(chosen.len()));
    let chosen = chosen.unwrap_or_default();
    let step = step_of(&variable);
    let output = if select.fields.is_empty() {
        Output::of(Variable::Rows(rows.pick(chosen), step))
    } else {
        let projected = chosen.iter().filter_map(|index| rows.row(*index));
        let projected = projected.map(|row| project(&row, &select.fields)).gather();
        let sources = chosen.iter().map(|index| variable.sources(*index).into()).gather();
        Output::of(Variable::rows(projected, sources))
    };
    let output = output.told(told);
    Ok(if limited { output.metric("limited", true) } else { output })
}

fn step_of(variable: &Variable) -> usize {
    match variable {
        Variable::Rows(_, step) => *step,
        Variable::Value(..) => 0,
    }
}

/// The rows of which the predicate holds, and one more than the limit if there are more.
fn chosen(
    core: &Core,
    rows: &dyn Rows,
    predicate: Option<&Predicate>,
    limit: Option<usize>,
) -> Vec<usize> {
    let case = case(&core.caps);
    let holds = |index: &usize| match (predicate, rows.row(*index)) {
        (Some(predicate), Some(row)) => predicate.holds(case, &|name| field(&row, name)),
        _ => true,
    };
    let most = limit.map_or(usize::MAX, |limit| limit.saturating_add(1));
    (0..rows.len()).filter(holds).take(most).gather()
}

/// A row of these fields alone. What a row does not have it does not get.
fn project(row: &Value, fields: &[(String, String)]) -> Value {
    let mut map = Map::default();
    for (from, to) in fields {
        if let Some(value) = field(row, from) {
            put(&mut map, to.as_str(), value.clone());
        }
    }
    map.into()
}

/// Says which fields there are where one is asked for that no row has.
pub fn check_fields(rows: &dyn Rows, needed: &[String]) -> std::result::Result<(), Failure> {
    if rows.is_empty() {
        return Ok(());
    }
    let known = rows.fields();
    let mut diagnostics = Vec::new();
    for name in needed {
        let first = name.split_once('.').map_or(name.as_str(), |(first, _)| first);
        let found = known.contains(name)
            || (known.iter().any(|field| field == first)
                && (0..rows.len())
                    .any(|i| rows.row(i).is_some_and(|row| field(&row, name).is_some())));
        if !found {
            let fields: Vec<&str> = known.iter().map(String::as_str).gather();
            diagnostics.push(no_such_field(codes::UNKNOWN_FIELD, "row", name, name, &fields));
        }
    }
    match diagnostics.is_empty() {
        true => Ok(()),
        false => Err(Failure { status: crate::gasl::record::Status::Error, diagnostics }),
    }
}

/// `RANK`: sorts by a field; rows without it come last.
pub fn rank(core: &mut Core, input: &Path, by: &str, way: Order, limit: Option<usize>) -> Result {
    let mut scope = core.scope();
    let (rows, variable) = scope.rows(input)?;
    let told = scope.told;
    check_fields(rows.as_ref(), &[by.to_owned()])?;
    let count = rows.len();
    let value =
        |index| rows.row(index).and_then(|row| field(&row, by).cloned()).unwrap_or_default();
    let values: Vec<Value> = (0..count).map(value).gather();
    let mut indices = sort::order(count, &|a, b| compare(values.get(a), values.get(b), way));
    let kept = limit.unwrap_or(usize::MAX).min(count);
    indices.truncate(kept);
    let ranked = Variable::Rows(rows.pick(&indices), step_of(&variable));
    let output = Output::of(ranked).told(told);
    Ok(if kept < count { output.metric("limited", true) } else { output })
}

/// Numbers, and texts that spell some, before other texts, and what cannot be ordered last.
fn class(value: Option<&Value>) -> u8 {
    match value {
        Some(value) if numeric(value).is_some() => 0,
        Some(Value::Text(_)) => 1,
        Some(value) if !value.is_null() => 2,
        _ => 3,
    }
}

/// Which of two values of a column comes first.
pub fn compare(a: Option<&Value>, b: Option<&Value>, way: Order) -> Ordering {
    class(a).cmp(&class(b)).then_with(|| {
        let ordered = |(a, b): (&Value, &Value)| match (numeric(a), numeric(b)) {
            (Some(a), Some(b)) => a.partial_cmp(&b),
            _ => order(a, b),
        };
        let ascending = a.zip(b).and_then(ordered).unwrap_or(Ordering::Equal);
        if way == Order::Ascending { ascending } else { ascending.reverse() }
    })
}
