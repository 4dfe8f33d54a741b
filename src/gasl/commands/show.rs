//! `SHOW`.

use super::output::{CommandResult, Output};
use super::select::{check_fields, project};
use crate::base::Value;
use crate::base::value::{excerpt, excerpt_of};
use crate::gasl::core::Core;
use crate::gasl::language::ast::{Command, Show};
use crate::gasl::language::print;
use crate::gasl::record::CommandFailure;
use crate::gasl::shown::{RowSelection, budget_chars};
use crate::gasl::variable::Variable;

/// Puts an excerpt of a variable into the metrics of the record. `FIELDS`, `LIMIT` and `OFFSET` select
/// from its rows.
pub fn show(core: &mut Core, show: &Show) -> CommandResult {
    let (mut output, shown) = excerpt_of_rows(core, show)?;
    output.shown_lines = shown;
    Ok(output)
}

/// Returns the excerpt for the record, and the lines for the next prompt.
fn excerpt_of_rows(core: &Core, show: &Show) -> Result<(Output, Value), CommandFailure> {
    let Show { input, fields, limit, offset } = show;
    let mut scope = core.scope();
    let is_selection = !fields.is_empty() || limit.is_some() || *offset > 0;
    let value = match is_selection {
        true => scope.rows(input)?.1,
        false => scope.resolve(&input.steps, input.span)?,
    };
    let diagnostics = scope.diagnostics;
    let output = Output::default().with_diagnostics(diagnostics);
    let mut left = core.caps.max_excerpt_chars;
    // The first value that exceeds the limit is truncated; later values are left out.
    let mut excerpt_within = |value: Value| {
        let text = excerpt(&value, left.saturating_add(1));
        let size = text.chars().count();
        let max = left;
        left = left.saturating_sub(size);
        (max > 0).then(|| if size <= max { value } else { excerpt_of(&text, max).into() })
    };
    let all = Show { limit: None, offset: 0, ..show.clone() };
    let lines_of = |variable: &Variable, offset: usize, total: usize| {
        let command = print(&Command::Show(all));
        let is_temporary =
            input.steps.first().is_some_and(|name| core.context.contains_key(&**name));
        let selection = RowSelection { variable, command, is_temporary, offset, total };
        selection.to_value(budget_chars(core.setup.result_tokens))
    };
    let Variable::Rows(rows, step) = value else {
        let lines = lines_of(&value, 0, 1);
        let excerpt = excerpt_within(value.to_value()).unwrap_or_default();
        return Ok((output.with_metric("value", excerpt), lines));
    };
    let required: Vec<String> = fields.iter().map(|(from, _)| from.clone()).collect();
    check_fields(&*rows, &required)?;
    let count = rows.len();
    // A limit of the command may exceed the default.
    let end = offset.saturating_add(limit.unwrap_or(core.caps.max_excerpt_items)).min(count);
    let last = limit.map_or(count, |limit| offset.saturating_add(limit).min(count));
    let selected = rows.pick(&(*offset..last).collect::<Vec<_>>());
    let lines = lines_of(&project(selected, step, fields), (*offset).min(count), count);
    let shown = project(rows, step, fields);
    let rows = (*offset..end).map_while(|index| excerpt_within(shown.row(index)?));
    let output = output.with_metric("count", count).with_metric("rows", rows.collect::<Vec<_>>());
    Ok((if *offset > 0 { output.with_metric("offset", *offset) } else { output }, lines))
}
