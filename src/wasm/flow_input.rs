//! Reads the JSON text of requests about workflows.

use crate::base::json::Limits;
use crate::base::{Diagnostic, Value};

/// Removes offsets in a text that the host does not know.
pub fn remove_locations(diagnostics: &mut [Diagnostic]) {
    diagnostics.iter_mut().for_each(|error| error.location = None);
}

/// Limits for a trace, which contains the outputs of nodes at a greater depth.
pub fn trace_limits() -> Limits {
    Limits { bytes: usize::MAX, depth: Limits::default().depth + 16 }
}

pub fn parse_value(text: &[u8], limits: Limits, diagnostics: &mut Vec<Diagnostic>) -> Value {
    let (value, errors) = Value::parse(text, Limits { bytes: usize::MAX, ..limits });
    diagnostics.extend(errors);
    value.unwrap_or_default()
}
