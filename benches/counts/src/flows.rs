//! Workloads of flow: a long chain of nodes that write the same names.

use crate::{NamedWorkload, Workload};
use byname::base::{Value, json::Limits};
use byname::flow::compile::{WorkflowCompileOptions, compile_outline};
use byname::flow::naming_cache::NamingCache;
use byname::flow::outline::WorkflowOutline;
use std::fmt::Write;

pub const WORKLOADS: &[NamedWorkload] = &[("compile 1,000 flow nodes", compiling)];

const REGISTRY: &str = r#"{"call": {"inputs": ["prompt"], "outputs": ["response", "status"]},
    "digest": {"inputs": ["response"], "outputs": ["summary"]},
    "cache": {"inputs": ["cache"], "outputs": ["cache", "hits"]}}"#;

fn workflow() -> String {
    let mut out = String::from(r#"{"nodes":["#);
    for at in 0..1_000 {
        let comma = if at == 0 { "" } else { "," };
        let kind = ["call", "digest", "cache"][at % 3];
        let _ = write!(
            out,
            r#"{comma}{{"id":"{kind}-{at}","type":"{kind}","params":{{"note":"step {at}"}}}}"#
        );
    }
    out.push_str("]}");
    out
}

/// Compiles a workflow from its text, as the package does.
fn compiling() -> Workload {
    let text = workflow();
    Box::new(move || {
        let registry = Value::parse(REGISTRY.as_bytes(), Limits::default()).0.unwrap_or_default();
        let workflow = WorkflowOutline::read(text.as_bytes().into(), Limits::default()).0;
        let Some(workflow) = workflow else { return 0 };
        let settings = WorkflowCompileOptions::default();
        let (flow, _) =
            compile_outline(&workflow, &registry, &settings, &mut NamingCache::default());
        assert!(flow.is_some());
        usize::from(flow.is_some())
    })
}
