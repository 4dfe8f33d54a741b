//! `SELECT` and `RANK`: some of the rows, in another order.

use super::find::case;
use super::output::{CommandResult, Output};
use super::suggestions::no_such_field;
use crate::base::Value;
use crate::base::value::{Map, put};
use crate::gasl::codes;
use crate::gasl::compare::numeric;
use crate::gasl::core::Core;
use crate::gasl::graph::Cells;
use crate::gasl::language::ast::{Select, SortOrder, VariablePath};
use crate::gasl::lazy::LazyRows;
use crate::gasl::predicate::Predicate;
use crate::gasl::record::CommandFailure;
use crate::gasl::variable::{Rows, Values, Variable, field, in_rows};
use std::cmp::Ordering;
use std::rc::Rc;

/// `SELECT`: filter, then project.
pub fn select(core: &mut Core, select: &Select) -> CommandResult {
    let mut scope = core.scope();
    let (rows, variable) = scope.rows(&select.input)?;
    let condition = select.condition.as_ref();
    let predicate = condition.map(|condition| scope.predicate(condition)).transpose()?;
    let diagnostics = scope.diagnostics;
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
        Output::of(LazyRows::rows(Rc::new(ProjectedRows { rows, step, fields })))
    };
    let output = output.with_diagnostics(diagnostics);
    Ok(if limited { output.with_metric("limited", true) } else { output })
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
struct ProjectedRows {
    rows: Rc<dyn Rows>,
    /// The step that found the rows.
    step: usize,
    fields: Rc<[(String, String)]>,
}

impl ProjectedRows {
    /// What a field is called in the rows; nothing where it has to be looked for within them.
    fn from(&self, name: &str) -> Option<&str> {
        let (from, _) = self.fields.iter().find(|(_, to)| to == name && !to.contains('.'))?;
        Some(from)
    }
}

impl Rows for ProjectedRows {
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

    fn cells(&self, name: &str) -> Option<Cells<'_>> {
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

    fn index_count(&self) -> usize {
        if Rc::strong_count(&self.rows) == 1 { self.rows.index_count() } else { 0 }
    }

    fn chain_length(&self) -> usize {
        self.rows.chain_length() + 1
    }

    fn pick(&self, indices: &[usize]) -> Rc<dyn Rows> {
        let (rows, fields) = (self.rows.pick(indices), self.fields.clone());
        Rc::new(ProjectedRows { rows, step: self.step, fields })
    }
}

/// Says which fields there are where one is asked for that no row has.
pub fn check_fields(rows: &dyn Rows, needed: &[String]) -> Result<(), CommandFailure> {
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
        false => {
            Err(CommandFailure { status: crate::gasl::record::StepStatus::Error, diagnostics })
        }
    }
}

/// `RANK`: sorts by a field; rows without it come last.
pub fn rank(
    core: &mut Core,
    input: &VariablePath,
    by: &str,
    way: SortOrder,
    limit: Option<usize>,
) -> CommandResult {
    let mut scope = core.scope();
    let (rows, variable) = scope.rows(input)?;
    let diagnostics = scope.diagnostics;
    check_fields(rows.as_ref(), &[by.to_owned()])?;
    let count = rows.len();
    let value_of = rows.values(by);
    let keys: Vec<SortKey> = (0..count).map(|index| SortKey::of(value_of(index))).collect();
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
    let output = Output::of(ranked).with_diagnostics(diagnostics);
    Ok(if kept < count { output.with_metric("limited", true) } else { output })
}

/// What decides where a value stands in a column: numbers, and texts that spell some, before other texts, and
/// what cannot be ordered last.
pub enum SortKey {
    /// A number, or the number that a text spells.
    Number(f64),
    /// Any other text.
    Text(Rc<str>),
    /// A boolean, a list or a map.
    Other,
    /// Null, or no value.
    Nothing,
}

impl SortKey {
    /// The key of a value.
    pub fn of(value: Option<Value>) -> SortKey {
        match value {
            None | Some(Value::Null) => SortKey::Nothing,
            Some(value) => match (numeric(&value), value) {
                (Some(number), _) => SortKey::Number(number),
                (None, Value::Text(text)) => SortKey::Text(text),
                _ => SortKey::Other,
            },
        }
    }

    fn class(&self) -> u8 {
        match self {
            SortKey::Number(_) => 0,
            SortKey::Text(_) => 1,
            SortKey::Other => 2,
            SortKey::Nothing => 3,
        }
    }

    /// Which of two values comes first.
    pub fn compare(&self, other: &SortKey, way: SortOrder) -> Ordering {
        let ascending = match (self, other) {
            (SortKey::Number(a), SortKey::Number(b)) => a.partial_cmp(b).unwrap_or(Ordering::Equal),
            (SortKey::Text(a), SortKey::Text(b)) => a.cmp(b),
            _ => return self.class().cmp(&other.class()),
        };
        if way == SortOrder::Ascending { ascending } else { ascending.reverse() }
    }
}
