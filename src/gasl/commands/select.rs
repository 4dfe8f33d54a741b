//! `SELECT` and `RANK`: some of the rows, in another order.

use super::find::case;
use super::meant::no_such_field;
use super::{Output, Result};
use crate::base::Value;
use crate::base::value::{Map, put};
use crate::gasl::codes;
use crate::gasl::core::Core;
use crate::gasl::graph::FieldCells;
use crate::gasl::language::ast::{Order, Path, Select};
use crate::gasl::lazy::Lazy;
use crate::gasl::predicate::{Predicate, numeric};
use crate::gasl::record::Failure;
use crate::gasl::variable::{Rows, Values, Variable, field, in_rows};
use std::cmp::Ordering;
use std::rc::Rc;

/// `SELECT`: filter, then project.
pub fn select(core: &mut Core, select: &Select) -> Result {
    let mut scope = core.scope();
    let (rows, variable) = scope.rows(&select.input)?;
    let condition = select.condition.as_ref();
    let predicate = condition.map(|condition| scope.predicate(condition)).transpose()?;
    let told = scope.told;
    let mut needed: Vec<String> = select.fields.iter().map(|(from, _)| from.clone()).collect();
    needed.extend(predicate.iter().flat_map(|one| one.fields()).map(|field| field.to_string()));
    check_fields(rows.as_ref(), &needed)?;
    let chosen = chosen(core, rows.as_ref(), predicate.as_ref(), select.limit);
    let limited = select.limit.is_some_and(|limit| chosen.len() > limit);
    let chosen = chosen.get(..select.limit.unwrap_or(usize::MAX).min(chosen.len()));
    let chosen = chosen.unwrap_or_default();
    let step = step_of(&variable);
    // What was made of all rows already is kept.
    let rows = if chosen.len() == rows.len() { rows } else { rows.pick(chosen) };
    let output = if select.fields.is_empty() {
        Output::of(Variable::Rows(rows, step))
    } else {
        let fields: Rc<[_]> = select.fields.as_slice().into();
        Output::of(Lazy::rows(Rc::new(Projected { rows, step, fields })))
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
    let fields = predicate.map(Predicate::fields).unwrap_or_default();
    let values: Vec<(&str, Values<'_>)> =
        fields.iter().map(|name| (&**name, rows.values(name))).collect();
    let holds = |index: &usize| {
        let value = |name: &str| {
            let (_, value_of) = values.iter().find(|(known, _)| *known == name)?;
            value_of(*index)
        };
        predicate.is_none_or(|predicate| predicate.holds(case, &value))
    };
    let most = limit.map_or(usize::MAX, |limit| limit.saturating_add(1));
    (0..rows.len()).filter(holds).take(most).collect::<Vec<_>>()
}

/// What makes rows of some of their fields alone, under other names. What a row does not have it does not get.
struct Projected {
    rows: Rc<dyn Rows>,
    /// The step that found the rows.
    step: usize,
    fields: Rc<[(String, String)]>,
}

impl Projected {
    /// What a field is called in the rows; nothing where it has to be looked for within them.
    fn from(&self, name: &str) -> Option<&str> {
        let (from, _) = self.fields.iter().find(|(_, to)| to == name && !to.contains('.'))?;
        Some(from)
    }
}

impl Rows for Projected {
    fn len(&self) -> usize {
        self.rows.len()
    }

    fn row(&self, index: usize) -> Option<Value> {
        let row = self.rows.row(index)?;
        let mut map = Map::default();
        for (from, to) in self.fields.iter() {
            if let Some(value) = field(&row, from) {
                put(&mut map, to.as_str(), value.clone());
            }
        }
        Some(map.into())
    }

    fn values<'a>(&'a self, name: &'a str) -> Values<'a> {
        match self.from(name) {
            Some(from) => self.rows.values(from),
            None if name.contains('.') => in_rows(self, name),
            None => Box::new(|_| None),
        }
    }

    fn cells(&self, name: &str) -> Option<FieldCells<'_>> {
        self.rows.cells(self.from(name)?)
    }

    fn sources(&self, index: usize) -> Rc<[Value]> {
        Variable::Rows(self.rows.clone(), self.step).sources(index)
    }

    fn source_count(&self) -> usize {
        self.rows.source_count()
    }

    fn fields(&self) -> Vec<String> {
        self.fields.iter().map(|(_, to)| to.clone()).collect::<Vec<_>>()
    }

    fn numbers(&self) -> usize {
        if Rc::strong_count(&self.rows) == 1 { self.rows.numbers() } else { 0 }
    }

    fn depth(&self) -> usize {
        self.rows.depth() + 1
    }

    fn pick(&self, indices: &[usize]) -> Rc<dyn Rows> {
        let (rows, fields) = (self.rows.pick(indices), self.fields.clone());
        Rc::new(Projected { rows, step: self.step, fields })
    }
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
        let value = rows.values(name);
        let found = known.contains(name)
            || (known.iter().any(|field| field == first)
                && (0..rows.len()).any(|index| value(index).is_some()));
        if !found {
            let fields: Vec<&str> = known.iter().map(String::as_str).collect();
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
    let value_of = rows.values(by);
    let keys: Vec<Key> = (0..count).map(|index| Key::of(value_of(index))).collect();
    let compare = |a: usize, b: usize| match (keys.get(a), keys.get(b)) {
        (Some(a), Some(b)) => a.compare(b, way),
        _ => Ordering::Equal,
    };
    let kept = limit.unwrap_or(usize::MAX).min(count);
    let by_key = |&a: &usize, &b: &usize| compare(a, b).then(a.cmp(&b));
    let mut indices: Vec<usize> = (0..count).collect();
    if kept < count {
        indices.select_nth_unstable_by(kept, by_key);
        indices.truncate(kept);
    }
    indices.sort_unstable_by(by_key);
    let ranked = Variable::Rows(rows.pick(&indices), step_of(&variable));
    let output = Output::of(ranked).told(told);
    Ok(if kept < count { output.metric("limited", true) } else { output })
}

/// What decides where a value stands in a column: numbers, and texts that spell some, before other texts, and
/// what cannot be ordered last.
pub enum Key {
    /// A number, or the number that a text spells.
    Number(f64),
    /// Any other text.
    Text(Rc<str>),
    /// A boolean, a list or a map.
    Other,
    /// Null, or no value.
    Nothing,
}

impl Key {
    /// The key of a value.
    pub fn of(value: Option<Value>) -> Key {
        match value {
            None | Some(Value::Null) => Key::Nothing,
            Some(value) => match (numeric(&value), value) {
                (Some(number), _) => Key::Number(number),
                (None, Value::Text(text)) => Key::Text(text),
                _ => Key::Other,
            },
        }
    }

    fn class(&self) -> u8 {
        match self {
            Key::Number(_) => 0,
            Key::Text(_) => 1,
            Key::Other => 2,
            Key::Nothing => 3,
        }
    }

    /// Which of two values comes first.
    pub fn compare(&self, other: &Key, way: Order) -> Ordering {
        let ascending = match (self, other) {
            (Key::Number(a), Key::Number(b)) => a.partial_cmp(b).unwrap_or(Ordering::Equal),
            (Key::Text(a), Key::Text(b)) => a.cmp(b),
            _ => return self.class().cmp(&other.class()),
        };
        if way == Order::Ascending { ascending } else { ascending.reverse() }
    }
}
