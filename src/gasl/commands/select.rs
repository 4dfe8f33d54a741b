//! `SELECT` and `RANK`.

use super::directions::missed_by_orientation_warning;
use super::distinct::{DistinctIndices, distinct_rows};
use super::find::{locate_at_field, text_case};
use super::list_values::list_warning;
use super::output::{CommandResult, Output};
use super::suggestions::{unknown_field_error, with_text_help};
use crate::base::diagnostic::MAX_REPORTED_DIAGNOSTICS;
use crate::base::map::{NameMap, OrderedMap};
use crate::base::value::{Map, canonical_json, put};
use crate::base::{Diagnostic, Value};
use crate::gasl::codes;
use crate::gasl::compare::{equal, to_number};
use crate::gasl::core::Core;
use crate::gasl::graph::FieldCells;
use crate::gasl::language::ast::{Select, SortOrder, VariablePath};
use crate::gasl::lazy::LazyRows;
use crate::gasl::predicate::{MAX_COMPARED_NAMES, Predicate};
use crate::gasl::record::{CommandFailure, StepStatus};
use crate::gasl::row_condition::ConditionFields;
use crate::gasl::variable::{Rows, Values, Variable, field, row_values};
use std::cmp::Ordering;
use std::rc::Rc;

/// Filters, then projects.
pub fn select(core: &mut Core, select: &Select) -> CommandResult {
    let mut scope = core.scope();
    let (rows, variable) = scope.rows(&select.input)?;
    let condition = select.condition.as_ref();
    let fields = RowFields::new(rows.as_ref());
    let predicate = condition.map(|condition| scope.predicate(condition, &fields)).transpose()?;
    let mut diagnostics = scope.diagnostics;
    let mut required: Vec<String> = select.fields.iter().map(|(from, _)| from.clone()).collect();
    required.extend(predicate.iter().flat_map(|one| one.fields()).map(|field| field.to_string()));
    fields.check(&required, predicate.as_ref())?;
    if let Some(predicate) = &predicate {
        let case = text_case(&core.caps);
        diagnostics.extend(missed_by_orientation_warning(core, rows.as_ref(), predicate, case));
        let warning = list_warning(rows.as_ref(), predicate);
        let warning = warning.map(|(field, warning)| locate_at_field(warning, condition, &field));
        diagnostics.extend(warning);
    }
    // Duplicates do not count towards the limit.
    let limit = if select.distinct { None } else { select.limit };
    let indices = matching_indices(core, rows.as_ref(), predicate.as_ref(), limit);
    let limited = limit.is_some_and(|limit| indices.len() > limit);
    let indices = indices.get(..limit.unwrap_or(usize::MAX).min(indices.len()));
    let indices = indices.unwrap_or_default();
    let step = step_of(&variable);
    // The same rows keep their caches.
    let rows = if indices.len() == rows.len() { rows } else { rows.pick(indices) };
    let selected = project(rows, step, &select.fields);
    let output = match select.distinct {
        true => select_distinct(selected, select.limit),
        false => Output::from_value(selected),
    };
    let output = output.with_diagnostics(diagnostics);
    Ok(if limited { output.with_metric("limited", true) } else { output })
}

/// Returns rows with some of their fields, or with all if no field is given.
pub fn project(rows: Rc<dyn Rows>, step: usize, fields: &[(String, String)]) -> Variable {
    if fields.is_empty() {
        return Variable::Rows(rows, step);
    }
    LazyRows::wrap(Rc::new(ProjectedRows::new(rows, step, fields)))
}

/// Returns the first of equal rows, up to a limit.
fn select_distinct(selected: Variable, limit: Option<usize>) -> Output {
    let Variable::Rows(rows, _) = &selected else { return Output::from_value(selected) };
    let distinct = DistinctIndices::new(&**rows, canonical_json);
    let duplicates = rows.len() - distinct.len();
    let selected = distinct_rows(selected, distinct);
    let (step, limit) = (step_of(&selected), limit.unwrap_or(usize::MAX));
    let (selected, limited) = match selected {
        Variable::Rows(rows, _) if rows.len() > limit => {
            (Variable::Rows(rows.pick(&(0..limit).collect::<Vec<_>>()), step), true)
        }
        selected => (selected, false),
    };
    let output = Output::from_value(selected).with_metric("duplicates", duplicates);
    if limited { output.with_metric("limited", true) } else { output }
}

fn step_of(variable: &Variable) -> usize {
    match variable {
        Variable::Rows(_, step) => *step,
        Variable::Value(..) => 0,
    }
}

/// Returns the indices of matching rows, and one more than the limit if there are more.
fn matching_indices(
    core: &Core,
    rows: &dyn Rows,
    predicate: Option<&Predicate>,
    limit: Option<usize>,
) -> Vec<usize> {
    let case = text_case(&core.caps);
    let fields = predicate.map(Predicate::fields).unwrap_or_default();
    let mut values: OrderedMap<Values<'_>> = OrderedMap::default();
    for name in &fields {
        values.insert(name.clone(), rows.values(name));
    }
    let matches = |index: &usize| {
        let value = |name: &str| values.get(name)?(*index);
        predicate.is_none_or(|predicate| predicate.holds(case, &value))
    };
    let max = limit.map_or(usize::MAX, |limit| limit.saturating_add(1));
    (0..rows.len()).filter(matches).take(max).collect::<Vec<_>>()
}

/// Rows with some of their fields, renamed. A row lacks a field that it lacks in the input.
struct ProjectedRows {
    rows: Rc<dyn Rows>,
    step: usize,
    fields: Rc<[(String, String)]>,
    /// Index in `fields` of the first field with an output name.
    by_name: Rc<NameMap>,
}

impl ProjectedRows {
    fn new(rows: Rc<dyn Rows>, step: usize, fields: &[(String, String)]) -> ProjectedRows {
        let mut by_name = NameMap::default();
        for (index, (_, to)) in (0..).zip(fields) {
            by_name.entry(to.clone()).or_insert(index);
        }
        ProjectedRows { rows, step, fields: fields.into(), by_name: Rc::new(by_name) }
    }

    /// Returns the input name of a field, or `None` if it is nested.
    fn input_name(&self, name: &str) -> Option<&str> {
        let index = *self.by_name.get(name).filter(|_| !name.contains('.'))?;
        Some(&self.fields.get(index as usize)?.0)
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
        match self.input_name(name) {
            Some(from) => self.rows.values(from),
            None if name.contains('.') => row_values(self, name),
            None => Box::new(|_| None),
        }
    }

    fn cells(&self, name: &str) -> Option<FieldCells<'_>> {
        self.rows.cells(self.input_name(name)?)
    }

    fn sources(&self, index: usize) -> Rc<[Value]> {
        Variable::Rows(self.rows.clone(), self.step).sources(index)
    }

    fn distinct_source_count(&self) -> usize {
        self.rows.distinct_source_count()
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
        Rc::new(ProjectedRows { rows, step: self.step, fields, by_name: self.by_name.clone() })
    }
}

/// Names of the fields of rows.
struct RowFields<'a> {
    rows: &'a dyn Rows,
    available: Vec<String>,
    /// The same names, if there are too many to compare each.
    names: Option<NameMap>,
}

impl RowFields<'_> {
    fn new(rows: &dyn Rows) -> RowFields<'_> {
        let available = if rows.is_empty() { Vec::new() } else { rows.fields() };
        let is_long = available.len() > MAX_COMPARED_NAMES;
        let names = is_long.then(|| available.iter().map(|name| (name.clone(), 0)).collect());
        RowFields { rows, available, names }
    }

    /// Returns whether any row has a field, which may be a path into a map.
    fn contain(&self, name: &str) -> bool {
        let first = name.split_once('.').map(|(first, _)| first);
        self.has(name)
            || first.is_some_and(|first| self.has(first)) && {
                let value = self.rows.values(name);
                (0..self.rows.len()).any(|index| value(index).is_some())
            }
    }

    fn has(&self, name: &str) -> bool {
        match &self.names {
            Some(names) => names.contains_key(name),
            None => self.available.iter().any(|field| field == name),
        }
    }

    /// Fails with the available fields if no row has one of the required fields.
    fn check(
        &self,
        required: &[String],
        predicate: Option<&Predicate>,
    ) -> Result<(), CommandFailure> {
        if self.rows.is_empty() {
            return Ok(());
        }
        let fields: Vec<&str> = self.available.iter().map(String::as_str).collect();
        let mut diagnostics = Vec::new();
        for name in required.iter().filter(|name| !self.contain(name)) {
            // Later diagnostics are only counted.
            if diagnostics.len() >= MAX_REPORTED_DIAGNOSTICS {
                diagnostics.push(Diagnostic::new(codes::UNKNOWN_FIELD, "unknown field"));
                continue;
            }
            let error = unknown_field_error(codes::UNKNOWN_FIELD, "row", name, name, &fields);
            diagnostics.push(match predicate {
                Some(predicate) => with_text_help(error, name, predicate),
                None => error,
            });
        }
        match diagnostics.is_empty() {
            true => Ok(()),
            false => Err(CommandFailure { status: StepStatus::Error, diagnostics }),
        }
    }
}

impl ConditionFields for RowFields<'_> {
    fn has_field(&self, field: &str) -> bool {
        self.contain(field)
    }

    fn has_text(&self, field: &str, text: &str) -> bool {
        let (value, text) = (self.rows.values(field), text.into());
        let is_equal = |index| value(index).is_some_and(|value| equal(&value, &text));
        self.rows.is_empty() || (0..self.rows.len()).any(is_equal)
    }
}

/// Fails with the available fields if no row has one of the required fields.
pub fn check_fields(rows: &dyn Rows, required: &[String]) -> Result<(), CommandFailure> {
    RowFields::new(rows).check(required, None)
}

/// Returns the limit of a `RANK` that a host computes.
pub fn rank_limit(limit: Option<usize>) -> usize {
    limit.unwrap_or(usize::MAX).min(u32::MAX as usize)
}

/// Sorts rows by a field; rows without it are last.
pub fn rank(
    core: &mut Core,
    input: &VariablePath,
    by: &str,
    order: SortOrder,
    limit: Option<usize>,
) -> CommandResult {
    let mut scope = core.scope();
    let (rows, variable) = scope.rows(input)?;
    let diagnostics = scope.diagnostics;
    check_fields(rows.as_ref(), &[by.to_owned()])?;
    let count = rows.len();
    let value_of = rows.values(by);
    let keys: Vec<SortKey> = (0..count).map(|index| SortKey::from_value(value_of(index))).collect();
    let compare = |a: usize, b: usize| match (keys.get(a), keys.get(b)) {
        (Some(a), Some(b)) => a.compare(b, order),
        _ => Ordering::Equal,
    };
    let returned = limit.unwrap_or(usize::MAX).min(count);
    let by_key = |&a: &usize, &b: &usize| compare(a, b).then(a.cmp(&b));
    let mut indices: Vec<usize> = (0..count).collect();
    if returned < count {
        indices.select_nth_unstable_by(returned, by_key);
        indices.truncate(returned);
    }
    indices.sort_unstable_by(by_key);
    let ranked = Variable::Rows(rows.pick(&indices), step_of(&variable));
    let output = Output::from_value(ranked).with_diagnostics(diagnostics);
    Ok(if returned < count { output.with_metric("limited", true) } else { output })
}

/// Sort key of a value. Numbers and numeric strings are first, then other strings, then the rest.
pub enum SortKey {
    Number(f64),
    Text(Rc<str>),
    /// Boolean, list or map.
    Other,
    /// Null or missing.
    Missing,
}

impl SortKey {
    pub fn from_value(value: Option<Value>) -> SortKey {
        match value {
            None | Some(Value::Null) => SortKey::Missing,
            Some(value) => match (to_number(&value), value) {
                (Some(number), _) => SortKey::Number(number),
                (None, Value::Text(text)) => SortKey::Text(text),
                _ => SortKey::Other,
            },
        }
    }

    fn type_rank(&self) -> u8 {
        match self {
            SortKey::Number(_) => 0,
            SortKey::Text(_) => 1,
            SortKey::Other => 2,
            SortKey::Missing => 3,
        }
    }

    /// Compares two keys; only values of the same class are reversed in descending order.
    pub fn compare(&self, other: &SortKey, order: SortOrder) -> Ordering {
        let ascending = match (self, other) {
            (SortKey::Number(a), SortKey::Number(b)) => a.partial_cmp(b).unwrap_or(Ordering::Equal),
            (SortKey::Text(a), SortKey::Text(b)) => a.cmp(b),
            _ => return self.type_rank().cmp(&other.type_rank()),
        };
        if order == SortOrder::Ascending { ascending } else { ascending.reverse() }
    }
}
