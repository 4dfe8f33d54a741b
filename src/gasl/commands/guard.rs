//! `REQUIRE`, `ASSERT`, `CANCEL PLAN`, `COMPLETE`.

use super::output::{CommandResult, Output};
use crate::base::diagnostic::quote;
use crate::base::{Diagnostic, Span, names};
use crate::gasl::bind::Unbound;
use crate::gasl::codes;
use crate::gasl::core::Core;
use crate::gasl::language::ast::{Condition, Operand, VariablePath};
use crate::gasl::language::print_condition;

/// Fails where nothing has the name.
pub fn require(core: &mut Core, name: &VariablePath) -> CommandResult {
    let mut scope = core.scope();
    match scope.find(&name.steps, name.span) {
        Ok(_) => Ok(Output::default().with_diagnostics(scope.diagnostics)),
        Err(missing) => Err(Diagnostic { code: codes::ASSERTION_FAILED, ..missing }.into()),
    }
}

/// Fails where the condition does not hold, and says what the values are.
pub fn assert(core: &mut Core, condition: &Condition) -> CommandResult {
    let mut scope = core.scope();
    if scope.holds(condition)? {
        return Ok(Output::default().with_diagnostics(scope.diagnostics));
    }
    let mut shown = Vec::new();
    scope.shown(condition, &mut shown);
    let message = format!("{} does not hold", quote(&print_condition(condition)));
    let message = match shown.is_empty() {
        true => message,
        false => format!("{message}: {}", shown.join(", ")),
    };
    Err(Diagnostic::new(codes::ASSERTION_FAILED, message)
        .help("go another way with `ON EMPTY …`, `BRANCH IF …`, or inside `TRY`")
        .into())
}

/// The answer, with what its bindings say.
pub fn complete(core: &mut Core, text: &str) -> CommandResult {
    let most = core.caps.max_excerpt_chars;
    let mut scope = core.scope();
    let answer = scope.answer(text, most, Unbound::Fails)?;
    Ok(Output::default().with_diagnostics(scope.diagnostics).with_metric("answer", answer))
}

/// The plan stops after this command.
pub fn cancel(core: &mut Core, plan: &Operand) -> CommandResult {
    let mut scope = core.scope();
    let id = scope.value(plan)?;
    let diagnostics = scope.diagnostics;
    let id = id.as_text().map_or_else(|| id.to_text(), str::to_owned);
    if !core.active_plan_ids.contains(&id) {
        let message = format!("no plan {} is running", quote(&id));
        let help = match core.active_plan_ids.is_empty() {
            true => "no plan is running".to_owned(),
            false => {
                format!("running: {}", names::list(core.active_plan_ids.iter().map(String::as_str)))
            }
        };
        let place: Span = plan.span;
        return Err(Diagnostic::new(codes::UNKNOWN_PLAN, message).help(help).at(place).into());
    }
    core.cancelled.push(id);
    Ok(Output::default().with_diagnostics(diagnostics))
}
