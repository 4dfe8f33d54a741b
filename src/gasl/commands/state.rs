//! `DECLARE`, `UPDATE`, `SET`, `SHOW`.

use super::output::{CommandResult, Output};
use crate::base::diagnostic::quote;
use crate::base::{Diagnostic, Value, names};
use crate::gasl::codes;
use crate::gasl::core::Core;
use crate::gasl::language::ast::{Operand, StateType, UpdateMode, VariablePath};
use crate::gasl::language::print_path;
use crate::gasl::size_budget::{SizeBudget, estimated_size};
use crate::gasl::state::{self, DeclareResult};
use crate::gasl::state_change::StateChange;
use crate::gasl::update::{UpdateResult, numeric_paths, update as put};
use crate::gasl::variable::Variable;

/// Declares a key of the state.
pub fn declare(
    core: &mut Core,
    key: &VariablePath,
    kind: StateType,
    description: Option<&str>,
) -> CommandResult {
    let DeclareResult { parents, change } = within_size_limit(core, |variables, budget| {
        state::declare(variables, &key.steps, kind, description, budget)
    })
    .map_err(|error| error.at(key.span))?;
    core.changes.extend(change);
    let mut output = Output::default();
    if !parents.is_empty() {
        let listed = names::format_names(parents.iter().map(String::as_str));
        let message = format!("declared {listed} as DICT");
        let last = parents.last().map(String::as_str).unwrap_or_default();
        let help = format!("write `DECLARE {last} AS DICT` before it to add a description");
        output.diagnostics.push(Diagnostic::new(codes::CREATED_PARENTS, message).help(help));
    }
    Ok(output)
}

/// Merges a value into a key of the state.
pub fn update(
    core: &mut Core,
    key: &VariablePath,
    input: &VariablePath,
    mode: UpdateMode,
) -> CommandResult {
    let mut scope = core.scope();
    let value = scope.resolve(&input.steps, input.span)?;
    let diagnostics = scope.diagnostics;
    let path = key.text();
    if state::entry_at(&core.variables, &key.steps).and_then(state::type_of).is_none() {
        let kind = matching_type(&value);
        return Err(state::undeclared_key_error(&core.variables, &path, kind).at(key.span).into());
    }
    let Some(before) = entry_mut(&mut core.variables, &key.steps).map(|entry| entry.clone()) else {
        return Ok(Output::default());
    };
    let UpdateResult { added, duplicates, conflicting, equal, replaced, replaced_key } =
        within_size_limit(core, |variables, budget| match entry_mut(variables, &key.steps) {
            Some(entry) => put(entry, &value, mode, &path, budget),
            None => Ok(UpdateResult::default()),
        })
        .map_err(|error| with_numeric_fields(error, &path, input, &value))?;
    let is_counter = state::type_of(&before) == Some(StateType::Counter);
    if let Some(entry) = entry_mut(&mut core.variables, &key.steps) {
        match *entry == before {
            // An equal value keeps the shared memory, and no new snapshot is taken.
            true => *entry = before,
            false => core.changes.extend(StateChange::replaced(&key.steps, &before, entry)),
        }
    }
    let mut output = Output::default().with_metric("added", added).with_diagnostics(diagnostics);
    if is_counter {
        output.diagnostics.extend(counted_numbers(&value, &path, input));
    }
    if duplicates > 0 {
        output = output.with_metric("duplicates", duplicates);
    }
    if equal > 0 {
        let message = format!(
            "dropped {}, because {} already has equal rows without an `id`",
            names::count_of(equal, "row"),
            quote(&path)
        );
        let input = print_path(&input.text());
        let help = format!(
            "combine rows with `UNION a WITH {input} AS x` to keep equal ones, or count them first: `COUNT {input} BY …`"
        );
        output.diagnostics.push(Diagnostic::new(codes::DROPPED_ROWS, message).help(help));
    }
    if conflicting > 0 {
        let message = format!(
            "{} with the identity of a stored item but other content: the stored item is kept",
            names::count_of(conflicting, "item")
        );
        let help = "give different items different `id`s, or use a DICT to merge them";
        output.diagnostics.push(Diagnostic::new(codes::TRUNCATED_RESULT, message).help(help));
    }
    if replaced > 0 {
        let message = format!(
            "{} with the key of an earlier row but other values, as {}: the values of the last row are kept",
            names::count_of(replaced, "row"),
            quote(&replaced_key)
        );
        let help = "use a LIST to keep all rows, or give each row a `key` of its own";
        output.diagnostics.push(Diagnostic::new(codes::TRUNCATED_RESULT, message).help(help));
    }
    Ok(output)
}

/// Changes the variables within the limit of their size; `change` leaves them unchanged if it fails.
fn within_size_limit<T>(
    core: &mut Core,
    change: impl Fn(&mut Value, &mut SizeBudget) -> Result<T, Diagnostic>,
) -> Result<T, Diagnostic> {
    let limit = core.setup.limits.state;
    let mut budget = SizeBudget::new(limit, core.variables_size);
    let mut result = change(&mut core.variables, &mut budget);
    if result.is_err() {
        // The estimate includes replaced values, so it is computed again before the change is rejected.
        let actual = estimated_size(&core.variables);
        if actual < core.variables_size {
            core.variables_size = actual;
            budget = SizeBudget::new(limit, actual);
            result = change(&mut core.variables, &mut budget);
        }
    }
    if result.is_ok() {
        core.variables_size = budget.used();
    }
    result
}

/// Returns a warning if the length of a list was added, probably instead of its numbers.
fn counted_numbers(value: &Variable, key: &str, input: &VariablePath) -> Option<Diagnostic> {
    let rows = value.to_value();
    let rows = rows.as_list().filter(|rows| !rows.is_empty())?;
    let only_number = |row: &Value| match row {
        Value::Number(_) | Value::Null => true,
        Value::Map(map) => map.len() == 1 && map.values().all(|one| one.as_number().is_some()),
        _ => false,
    };
    let is_added = matches!((rows, value), ([Value::Number(_)], Variable::Rows(..)));
    if is_added || !rows.iter().all(only_number) {
        return None;
    }
    let count = names::count_of(rows.len(), "row");
    let message = format!("added the length of {}: {count}", quote(&input.text()));
    let help = match rows {
        [Value::Map(row)] => {
            let field = row.keys().next().map_or("", |field| field);
            let path = print_path(&format!("{}.0.{field}", input.text()));
            format!("write `UPDATE {} WITH {path}` to add the number", print_path(key))
        }
        _ => "compute one number with `AGGREGATE … WITH sum OF …`, and add that".to_owned(),
    };
    Some(Diagnostic::new(codes::COUNTED_NUMBERS, message).help(help).at(input.span))
}

/// Locates an error at the input, and offers the numeric fields of a map that is not a number.
fn with_numeric_fields(
    error: Diagnostic,
    key: &str,
    input: &VariablePath,
    value: &Variable,
) -> Diagnostic {
    let error = error.at(input.span);
    let is_number_expected = error.message.starts_with("expected a number");
    let numbers = if is_number_expected { numeric_paths(&value.to_value()) } else { Vec::new() };
    let Some(first) = numbers.first() else { return error };
    let (key, input) = (print_path(key), input.text());
    let command = format!("UPDATE {key} WITH {}", print_path(&format!("{input}.{first}")));
    let listed = names::format_names(numbers.iter().map(String::as_str));
    error.help(format!("write the path of a number, as in `{command}`; numbers: {listed}"))
}

/// Returns the state type that fits a value.
fn matching_type(value: &Variable) -> StateType {
    match value {
        Variable::Rows(..) => StateType::List,
        Variable::Value(Value::Number(_), _) => StateType::Counter,
        Variable::Value(..) => StateType::Dict,
    }
}

fn entry_mut<'a>(variables: &'a mut Value, steps: &[String]) -> Option<&'a mut Value> {
    steps.iter().try_fold(variables, |at, step| at.get_mut(step))
}

/// Sets a cap.
pub fn set_cap(core: &mut Core, key: &str, value: &Operand) -> CommandResult {
    let mut scope = core.scope();
    let bound = scope.operand_value(value)?;
    let diagnostics = scope.diagnostics;
    let warning =
        core.caps.set(key, &bound, &core.setup.ceilings).map_err(|error| error.at(value.span))?;
    Ok(Output::default()
        .with_diagnostics(diagnostics)
        .with_diagnostics(warning.into_iter().collect::<Vec<_>>()))
}
