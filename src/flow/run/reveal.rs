//! Secrets of calls that other processes make.

use super::secret::Secrets;
use crate::base::diagnostic::quote;
use crate::base::value::Map;
use crate::base::{Diagnostic, Value};
use crate::flow::codes;
use crate::flow::compile::Flow;

/// Replaces the markers in a value by the secrets of `inputs`. Returns an error for a missing secret.
pub fn reveal_secrets(flow: &Flow, inputs: &Map, value: &Value) -> Result<Value, Diagnostic> {
    let mut secrets = Secrets::default();
    for (name, input) in flow.workflow.inputs.iter().filter(|(_, input)| input.secret) {
        secrets.add(name, inputs.get(name).or(input.default.as_ref()));
    }
    match secrets.first_missing_secret(&value.to_text()) {
        None => Ok(secrets.restore(value)),
        Some(name) => {
            let message = format!("missing secret {} of the call", quote(name));
            let error = Diagnostic::new(codes::MISSING_INPUT, message);
            Err(error.help("pass it in `inputs`").at_pointer("/inputs"))
        }
    }
}
