//! `DECLARE`, `UPDATE`, `SET`, `SHOW`.

use super::output::{CommandResult, Output};
use crate::base::value::{excerpt, excerpt_of};
use crate::base::{Diagnostic, Value, names};
use crate::gasl::codes;
use crate::gasl::core::Core;
use crate::gasl::language::ast::{Operand, StateType, UpdateMode, VariablePath};
use crate::gasl::language::print_path;
use crate::gasl::shown::{Selection, budget_chars};
use crate::gasl::size_budget::{MAX_STATE_BYTES, SizeBudget, estimated_size};
use crate::gasl::state;
use crate::gasl::update::{UpdateResult, update as put};
use crate::gasl::variable::Variable;

/// Declares a key of the state.
pub fn declare(
    core: &mut Core,
    key: &VariablePath,
    kind: StateType,
    description: Option<&str>,
) -> CommandResult {
    let parents = state::declare(&mut core.variables, &key.steps, kind, description)
        .map_err(|error| error.at(key.span))?;
    let mut output = Output::default();
    if !parents.is_empty() {
        let listed = names::list(parents.iter().map(String::as_str));
        let message = format!("{listed} was declared as DICT");
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
    if state::entry(&core.variables, &key.steps).and_then(state::type_of).is_none() {
        let kind = matching_type(&value);
        return Err(state::undeclared(&core.variables, &path, kind).at(key.span).into());
    }
    let mut next = core.variables.clone();
    let Some(entry) = at_mut(&mut next, &key.steps) else { return Ok(Output::default()) };
    // The estimate includes replaced values, so it is recomputed when little budget is left.
    let used = if core.variables_size < MAX_STATE_BYTES / 2 {
        core.variables_size
    } else {
        estimated_size(&core.variables)
    };
    let mut budget = SizeBudget::remaining_after(used);
    let UpdateResult { added, duplicates, conflicting } =
        put(entry, &value, mode, &path, &mut budget).map_err(|error| error.at(input.span))?;
    core.variables_size = budget.used();
    // An equal value keeps the shared memory, so no new snapshot is taken.
    if state::entry(&next, &key.steps) != state::entry(&core.variables, &key.steps) {
        core.variables = next;
    }
    let mut output = Output::default().with_metric("added", added).with_diagnostics(diagnostics);
    if duplicates > 0 {
        output = output.with_metric("duplicates", duplicates);
    }
    if conflicting > 0 {
        let message = format!(
            "{conflicting} items have the identity of a stored item but other content: the stored item is kept"
        );
        let help = "give different items different `id`s, or use a DICT to merge them";
        output.diagnostics.push(Diagnostic::new(codes::TRUNCATED, message).help(help));
    }
    Ok(output)
}

/// Returns the state type that fits a value.
fn matching_type(value: &Variable) -> StateType {
    match value {
        Variable::Rows(..) => StateType::List,
        Variable::Value(Value::Number(_), _) => StateType::Counter,
        Variable::Value(..) => StateType::Dict,
    }
}

fn at_mut<'a>(variables: &'a mut Value, steps: &[String]) -> Option<&'a mut Value> {
    steps.iter().try_fold(variables, |at, step| at.get_mut(step))
}

/// Sets a cap.
pub fn set(core: &mut Core, key: &str, value: &Operand) -> CommandResult {
    let mut scope = core.scope();
    let bound = scope.value(value)?;
    let diagnostics = scope.diagnostics;
    let warning =
        core.caps.set(key, &bound, &core.setup.ceilings).map_err(|error| error.at(value.span))?;
    Ok(Output::default()
        .with_diagnostics(diagnostics)
        .with_diagnostics(warning.into_iter().collect::<Vec<_>>()))
}

/// Puts an excerpt of a variable into the metrics of the record.
pub fn show(core: &mut Core, input: &VariablePath) -> CommandResult {
    let mut scope = core.scope();
    let value = scope.resolve(&input.steps, input.span)?;
    let diagnostics = scope.diagnostics;
    let selection = Selection {
        variable: &value,
        command: format!("SHOW {}", print_path(&input.text())),
        is_temporary: input.steps.first().is_some_and(|name| core.context.contains_key(&**name)),
        offset: 0,
        total: value.row_count().unwrap_or(1),
    };
    let shown = selection.to_value(budget_chars(core.setup.result_tokens));
    let output = Output { shown, ..Output::default().with_diagnostics(diagnostics) };
    let mut left = core.caps.max_excerpt_chars;
    // The first value that exceeds the limit is truncated; later values are left out.
    let mut excerpt_within = |value: Value| {
        let text = excerpt(&value, left.saturating_add(1));
        let size = text.chars().count();
        let max = left;
        left = left.saturating_sub(size);
        (max > 0).then(|| if size <= max { value } else { excerpt_of(&text, max).into() })
    };
    let Some(count) = value.row_count() else {
        return Ok(
            output.with_metric("value", excerpt_within(value.to_value()).unwrap_or_default())
        );
    };
    let max = count.min(core.caps.max_excerpt_items);
    let rows = (0..max).map_while(|index| excerpt_within(value.row(index)?)).collect::<Vec<_>>();
    Ok(output.with_metric("count", count).with_metric("rows", rows))
}
