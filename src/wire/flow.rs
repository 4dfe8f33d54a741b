//! What flow gives to JavaScript. It crosses as JSON text that the core itself writes; these are its
//! types, from which those of TypeScript are derived, and which a test reads real results with.

#![expect(dead_code, reason = "the types are there to be derived from, and to read with")]

use super::{Diagnostic, Json};
use serde::Deserialize;
use std::collections::HashMap;
use ts_rs::TS;

/// A name that several nodes write.
#[derive(TS)]
pub struct Collision {
    pub key: String,
    /// The ids of the nodes, in their order.
    pub writers: Vec<String>,
}

/// Names by keys.
#[derive(TS)]
#[ts(type = "{ [key: string]: string }")]
pub struct KeyNames(HashMap<String, String>);

/// What a node reads and writes under other names than its keys.
#[derive(Deserialize, TS, Debug)]
#[serde(deny_unknown_fields)]
pub struct NodeMappings {
    /// Output keys with the names that they are stored under.
    #[ts(optional, as = "Option<KeyNames>")]
    pub output_mappings: Option<HashMap<String, String>>,
    /// Input keys with the names that they are read from.
    #[ts(optional, as = "Option<KeyNames>")]
    pub input_mappings: Option<HashMap<String, String>>,
    /// Output keys with the plain names that they are stored under besides, for reads that may see
    /// several writers.
    #[ts(optional, as = "Option<KeyNames>")]
    pub output_aliases: Option<HashMap<String, String>>,
}

/// A node as a planner sees it.
#[derive(Deserialize, TS, Debug)]
#[serde(deny_unknown_fields)]
pub struct ContextNode {
    /// Its type.
    pub name: String,
    pub id: String,
    #[ts(optional)]
    pub description: Option<String>,
    #[ts(optional)]
    pub purpose: Option<String>,
    pub inputs: Vec<String>,
    /// The names that its outputs are stored under, in the order of the registry.
    pub outputs: Vec<String>,
    #[ts(optional)]
    pub actions: Option<Vec<String>>,
}

/// What a planner is shown, and what `compileFlow` takes so that it means the same names.
#[derive(Deserialize, TS, Debug)]
#[serde(deny_unknown_fields)]
pub struct PlanningContext {
    /// For the model. A budget makes it shorter.
    pub markdown: String,
    /// All nodes, whatever the budget is.
    pub nodes: Vec<ContextNode>,
    /// SHA-256 of all that the names depend on.
    pub fingerprint: String,
    pub diagnostics: Vec<Diagnostic>,
}

/// What happens to a call of a node. `pass` counts how often the node has been come to, `item` is
/// the place of the item where it runs once for each, `attempt` counts from 1.
#[derive(Deserialize, TS, Debug)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum FlowEvent {
    Started {
        node: String,
        r#type: String,
        pass: u32,
        item: Option<u32>,
        attempt: u32,
        at: String,
        #[ts(type = "{ [name: string]: Json }")]
        params: HashMap<String, serde_json::Value>,
        #[ts(type = "{ [key: string]: Json }")]
        inputs: HashMap<String, serde_json::Value>,
    },
    Finished {
        node: String,
        r#type: String,
        pass: u32,
        item: Option<u32>,
        attempt: u32,
        at: String,
        duration_ms: f64,
        action: String,
        #[ts(type = "{ [key: string]: Json }")]
        outputs: HashMap<String, serde_json::Value>,
    },
    /// It failed, as the diagnostics say, and is tried again after a while.
    Retried {
        node: String,
        r#type: String,
        pass: u32,
        item: Option<u32>,
        attempt: u32,
        at: String,
        duration_ms: f64,
        #[ts(as = "Json")]
        error: Vec<Diagnostic>,
        wait_ms: f64,
    },
    /// It failed, as the diagnostics say, and so does the run.
    Failed {
        node: String,
        r#type: String,
        pass: u32,
        item: Option<u32>,
        attempt: u32,
        at: String,
        duration_ms: f64,
        #[ts(as = "Json")]
        error: Vec<Diagnostic>,
    },
}

/// How a run ended.
#[derive(Deserialize, TS, Debug, PartialEq)]
#[serde(rename_all = "snake_case")]
pub enum FlowStatus {
    Completed,
    Failed,
    Cancelled,
}

/// What came of a run.
#[derive(Deserialize, TS, Debug)]
#[serde(deny_unknown_fields)]
pub struct FlowResult {
    pub status: FlowStatus,
    /// The outputs of the workflow; none of them unless it completed.
    #[ts(type = "{ [name: string]: Json }")]
    pub outputs: HashMap<String, serde_json::Value>,
    /// Everything that stands in the store, by the names that it is stored under.
    #[ts(type = "{ [name: string]: Json }")]
    pub store: HashMap<String, serde_json::Value>,
    /// What `resume` takes, without secrets.
    #[ts(as = "Json")]
    pub trace: serde_json::Value,
    pub diagnostics: Vec<Diagnostic>,
}

#[test]
fn flow_gives_what_the_types_say() {
    use crate::base::Value;
    use crate::base::json::Limits;
    use crate::flow::compile::{CompileOptions, compile};
    use crate::flow::context::build_context;
    use crate::flow::naming_cache::NamingCache;
    use crate::flow::run::{HostResponse, HostTime, Run, RunEffect, RunOptions};

    let parse = |text: &str| Value::parse(text.as_bytes(), Limits::default()).0.unwrap();
    let workflow = parse(
        r#"{"nodes": [{"id": "a", "type": "api", "retry": {"max_attempts": 2}, "purpose": "first"},
            {"id": "b", "type": "api"}, {"id": "c", "type": "llm", "params": {"prompt": "$response"}}],
            "outputs": {"analysis": {}}}"#,
    );
    let registry = parse(
        r#"{"api": {"description": "Asks", "inputs": [], "outputs": ["response"]},
            "llm": {"inputs": ["prompt", "response"], "outputs": ["analysis"], "actions": ["default"]}}"#,
    );
    let mut cache = NamingCache::default();
    let settings = CompileOptions::default();
    let (flow, told) = compile(&workflow, &registry, &settings, &mut cache);
    let flow = std::rc::Rc::new(flow.unwrap_or_else(|| panic!("{told:?}")));
    let mut context =
        build_context(&flow.workflow, &flow.names, &settings.naming, settings.budget).to_value();
    crate::base::value::put(&mut context, "diagnostics", Value::list(Vec::new()));
    let context: PlanningContext = serde_json::from_str(&Value::from(context).to_text()).unwrap();
    assert_eq!(context.nodes[0].outputs, ["a_response"]);
    let mappings: HashMap<String, NodeMappings> =
        serde_json::from_str(&flow.mappings().to_text()).unwrap();
    assert_eq!(mappings["c"].input_mappings.as_ref().unwrap()["response"], "b_response");

    let now = HostTime { time: "2020-01-01T00:00:00Z", clock: 0.0 };
    let types = vec!["api".to_owned(), "llm".to_owned()];
    let options = RunOptions { types, events: true, ..RunOptions::default() };
    let (mut run, mut update) = Run::begin(flow, options, now);
    let mut kinds = Vec::new();
    let result = loop {
        for event in update.events.drain(..) {
            kinds.push(match serde_json::from_str(&event.to_text()).unwrap() {
                FlowEvent::Started { .. } => 's',
                FlowEvent::Finished { .. } => 'f',
                FlowEvent::Retried { .. } => 'r',
                FlowEvent::Failed { .. } => 'x',
            });
        }
        if let Some(done) = update.done {
            break done;
        }
        let RunEffect::Call { invocation, node, attempt, .. } = update.effects.remove(0) else {
            panic!()
        };
        let answer = match (&*node, attempt) {
            ("a", 1) => HostResponse::Failed("no".to_owned()),
            ("c", _) => HostResponse::Value(parse(r#"{"outputs": {"analysis": 1}}"#)),
            _ => HostResponse::Value(parse(r#"{"outputs": {"response": 1}}"#)),
        };
        update = run.resume(invocation, answer, now);
    };
    let result: FlowResult = serde_json::from_str(&result.to_text()).unwrap();
    assert_eq!(result.status, FlowStatus::Completed);
    assert_eq!(result.outputs["analysis"], 1);
    assert_eq!(kinds.iter().collect::<String>(), "srsfsfsf");
}
