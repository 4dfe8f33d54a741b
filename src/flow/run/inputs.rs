//! Checks of the inputs of a run.

use crate::base::diagnostic::quote;
use crate::base::json::escape_pointer_step;
use crate::base::{Diagnostic, Value};
use crate::flow::codes;
use crate::flow::compile::Flow;
use crate::flow::workflow::WorkflowInput;

/// Returns the error or warning for the value of an input, which may be missing.
pub(super) fn check_input(
    flow: &Flow,
    name: &str,
    input: &WorkflowInput,
    value: Option<&Value>,
) -> Option<Diagnostic> {
    let at = format!("/inputs/{}", escape_pointer_step(name));
    let is_null = value.is_some_and(Value::is_null);
    let diagnostic = match value.filter(|value| !value.is_null()) {
        Some(value) => type_error(name, &input.kind, value)?,
        None if input.required => {
            let found = if is_null { ": found null" } else { "" };
            let message = format!("missing input {}{found}", quote(name));
            Diagnostic::new(codes::MISSING_INPUT, message)
                .help("pass it in `inputs`, or declare a `default`")
        }
        None if is_null => return None,
        None => missing_input_warning(flow, name)?,
    };
    Some(diagnostic.at_pointer(at))
}

/// Returns the error for a value of another type than the declared one.
fn type_error(name: &str, kind: &str, value: &Value) -> Option<Diagnostic> {
    let is_integer = || value.as_number().is_some_and(|number| number.fract() == 0.0);
    let fits = match kind {
        "string" => value.as_text().is_some(),
        "number" => value.as_number().is_some(),
        "integer" => is_integer(),
        "boolean" => value.as_bool().is_some(),
        "array" => value.as_list().is_some(),
        "object" => value.as_map().is_some(),
        // Other types are texts for people.
        _ => true,
    };
    if fits {
        return None;
    }
    let found = match (kind, value.as_number()) {
        ("integer", Some(_)) => "a fraction".to_owned(),
        _ => format!("a {}", value.kind()),
    };
    let article = if kind.starts_with(['a', 'i', 'o']) { "an" } else { "a" };
    let message = format!("expected {article} {kind} for the input {}, found {found}", quote(name));
    let help = format!("pass {article} {kind}, or change the `type` of the input");
    Some(Diagnostic::new(codes::INPUT_TYPE_MISMATCH, message).help(help))
}

/// Returns the warning for an input that is read and has no value.
fn missing_input_warning(flow: &Flow, name: &str) -> Option<Diagnostic> {
    let reader = flow.wiring.read_inputs.get(name)?;
    let reader = match flow.workflow.nodes.get(*reader) {
        Some(node) => quote(&node.id),
        None => "an output".to_owned(),
    };
    let message = format!("the input {} has no value, and {reader} reads it", quote(name));
    let help = format!(
        "pass it in `inputs`, declare a `default`, or write {} if it may be missing",
        quote(&format!("${{{name} ?? null}}"))
    );
    Some(Diagnostic::new(codes::INPUT_NOT_GIVEN, message).help(help))
}
