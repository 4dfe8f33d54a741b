//! `REQUIRE`, `ASSERT`, `CANCEL PLAN`, `COMPLETE`.

use super::output::{CommandResult, Output};
use crate::base::diagnostic::quote;
use crate::base::{Diagnostic, names};
use crate::gasl::bind::OnUndefined;
use crate::gasl::codes;
use crate::gasl::core::Core;
use crate::gasl::language::ast::{Condition, Operand, VariablePath};
use crate::gasl::language::print_condition;

/// Fails if the name is undefined.
pub fn require(core: &mut Core, name: &VariablePath) -> CommandResult {
    let mut scope = core.scope();
    match scope.resolve(&name.steps, name.span) {
        Ok(_) => Ok(Output::default().with_diagnostics(scope.diagnostics)),
        Err(missing) => Err(Diagnostic { code: codes::ASSERTION_FAILED, ..missing }.into()),
    }
}

/// Fails if the condition is false; the message lists the values of its operands.
pub fn assert(core: &mut Core, condition: &Condition) -> CommandResult {
    let mut scope = core.scope();
    if scope.evaluate(condition)? {
        return Ok(Output::default().with_diagnostics(scope.diagnostics));
    }
    let mut operands = Vec::new();
    scope.describe_operands(condition, &mut operands);
    let message = format!("assertion failed: {}", quote(&print_condition(condition)));
    let message = match operands.is_empty() {
        true => message,
        false => format!("{message}, but {}", operands.join(", ")),
    };
    Err(Diagnostic::new(codes::ASSERTION_FAILED, message)
        .help("handle the case with `ON EMPTY …`, `BRANCH IF …` or `TRY`")
        .into())
}

/// Returns the answer with its bindings interpolated.
pub fn complete(core: &mut Core, text: &str) -> CommandResult {
    let max = core.caps.max_excerpt_chars;
    let mut scope = core.scope();
    let answer = scope.interpolate_answer(text, max, OnUndefined::Error)?;
    Ok(Output::default().with_diagnostics(scope.diagnostics).with_metric("answer", answer))
}

/// Requests a plan to stop after this command.
pub fn cancel(core: &mut Core, plan: &Operand) -> CommandResult {
    let mut scope = core.scope();
    let id = scope.operand_value(plan)?;
    let diagnostics = scope.diagnostics;
    let id = id.as_text().map_or_else(|| id.to_text(), str::to_owned);
    if !core.active_plan_ids.contains(&id) {
        let message = format!("plan {} is not running", quote(&id));
        let help = match core.active_plan_ids.is_empty() {
            true => "start a plan first, or leave `CANCEL PLAN` out".to_owned(),
            false => {
                format!(
                    "running: {}",
                    names::format_names(core.active_plan_ids.iter().map(String::as_str))
                )
            }
        };
        return Err(Diagnostic::new(codes::UNKNOWN_PLAN, message).help(help).at(plan.span).into());
    }
    core.cancelled.push(id);
    Ok(Output::default().with_diagnostics(diagnostics))
}
