//! Text of workflows: compiling returns a flow, or errors with help, and the export of a flow compiles.

use super::diagnostics;
use byname::base::json::Limits;
use byname::base::{Diagnostic, Value};
use byname::flow::compile::{WorkflowCompileOptions, compile_outline};
use byname::flow::naming_cache::NamingCache;
use byname::flow::outline::WorkflowOutline;

const LIMITS: Limits = Limits { depth: 100, bytes: 1 << 16 };
/// Registry of the examples.
const REGISTRY: &str = r#"{"fetch": {"inputs": ["url"], "outputs": ["response"]},
    "merge": {"inputs": ["a", "b"], "outputs": ["result"]}, "read": {"inputs": ["response"], "outputs": ["text"]},
    "update": {"inputs": ["response"], "outputs": ["response"]},
    "try": {"outputs": [{"key": "response", "optional": true}], "actions": ["default", "error"]}}"#;

pub fn check(data: &[u8]) {
    let (Some(outline), _) = WorkflowOutline::read(data.into(), LIMITS) else { return };
    let registry = Value::parse(REGISTRY.as_bytes(), LIMITS).0.unwrap_or_default();
    let options = WorkflowCompileOptions::default();
    let mut cache = NamingCache::default();
    let (flow, found) = compile_outline(&outline, &registry, &options, &mut cache);
    diagnostics::check(&found, data.len());
    let Some(flow) = flow else {
        return assert!(found.iter().any(Diagnostic::is_error), "no reason: {found:?}");
    };
    assert!(!found.iter().any(Diagnostic::is_error), "a flow with errors: {found:?}");
    flow.to_mermaid();
    flow.fingerprint();
    flow.to_value();
}
