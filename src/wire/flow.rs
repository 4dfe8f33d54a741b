//! Results of flow for JavaScript. The core writes them as JSON text. The types here are the source of those of
//! TypeScript, and a test parses real results with them.

#![expect(dead_code, reason = "the types are there to be derived from, and to read with")]

use super::{Diagnostic, Json};
use serde::Deserialize;
use std::collections::HashMap;
use ts_rs::TS;

/// Name that several nodes write.
#[derive(TS)]
pub struct Collision {
    pub key: String,
    /// Ids of the nodes in order.
    pub writers: Vec<String>,
}

/// Names by key.
#[derive(TS)]
#[ts(type = "{ [key: string]: string }")]
pub struct KeyNames(HashMap<String, String>);

/// Names other than its keys under which a node reads and writes.
#[derive(Deserialize, TS, Debug)]
#[serde(deny_unknown_fields)]
pub struct NodeMappings {
    /// Storage names by output key.
    #[ts(optional, as = "Option<KeyNames>")]
    pub output_mappings: Option<HashMap<String, String>>,
    /// Storage names by input key.
    #[ts(optional, as = "Option<KeyNames>")]
    pub input_mappings: Option<HashMap<String, String>>,
    /// Additional storage names by output key, for reads that may see several writers.
    #[ts(optional, as = "Option<KeyNames>")]
    pub output_aliases: Option<HashMap<String, String>>,
}

/// A node as shown to a planner.
#[derive(Deserialize, TS, Debug)]
#[serde(deny_unknown_fields)]
pub struct ContextNode {
    /// Type of the node.
    pub name: String,
    pub id: String,
    #[ts(optional)]
    pub description: Option<String>,
    #[ts(optional)]
    pub purpose: Option<String>,
    pub inputs: Vec<String>,
    /// Storage names of its outputs, in the order of the registry.
    pub outputs: Vec<String>,
    #[ts(optional)]
    pub actions: Option<Vec<String>>,
    /// Params that the type declares.
    #[ts(optional)]
    pub params: Option<Vec<ContextName>>,
    /// Inputs of which more than the key is known.
    #[ts(optional)]
    pub input_details: Option<Vec<ContextName>>,
    /// Outputs of which more than the name is known.
    #[ts(optional)]
    pub output_details: Option<Vec<ContextName>>,
}

/// Name as shown to a planner: a param, an input key or the storage name of an output.
#[derive(Deserialize, TS, Debug)]
#[serde(deny_unknown_fields)]
pub struct ContextName {
    pub name: String,
    #[ts(optional)]
    pub r#type: Option<String>,
    #[ts(optional)]
    pub description: Option<String>,
    /// Whether it must have a value.
    #[ts(optional)]
    pub required: Option<bool>,
    /// Whether it is a list with an entry for each item of a batch.
    #[ts(optional)]
    pub list: Option<bool>,
    #[ts(optional, as = "Option<Json>")]
    pub default: Option<serde_json::Value>,
}

/// Context for a planner. `compileFlow` accepts it to use the same names.
#[derive(Deserialize, TS, Debug)]
#[serde(deny_unknown_fields)]
pub struct PlanningContext {
    /// Text for the model, shortened to the budget.
    pub markdown: String,
    /// All nodes, independent of the budget.
    pub nodes: Vec<ContextNode>,
    /// SHA-256 of the inputs that determine the names.
    pub fingerprint: String,
    pub diagnostics: Vec<Diagnostic>,
}

/// Event of a node call. `pass` counts the iterations of the node, `index` and `item` are the index and an excerpt of
/// the item of a batch, and `attempt` counts from 1.
#[derive(Deserialize, TS, Debug)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum FlowEvent {
    Started {
        node: String,
        r#type: String,
        pass: u32,
        index: Option<u32>,
        item: Option<String>,
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
        index: Option<u32>,
        item: Option<String>,
        attempt: u32,
        at: String,
        duration_ms: f64,
        action: String,
        #[ts(type = "{ [key: string]: Json }")]
        outputs: HashMap<String, serde_json::Value>,
    },
    /// The call failed, as the diagnostics say, and will be retried.
    Retried {
        node: String,
        r#type: String,
        pass: u32,
        index: Option<u32>,
        item: Option<String>,
        attempt: u32,
        at: String,
        duration_ms: f64,
        #[ts(as = "Json")]
        error: Vec<Diagnostic>,
        wait_ms: f64,
    },
    /// The call failed, as the diagnostics say, and is not retried.
    Failed {
        node: String,
        r#type: String,
        pass: u32,
        index: Option<u32>,
        item: Option<String>,
        attempt: u32,
        at: String,
        duration_ms: f64,
        #[ts(as = "Json")]
        error: Vec<Diagnostic>,
    },
    /// The call waits for an answer.
    Waiting {
        node: String,
        r#type: String,
        pass: u32,
        index: Option<u32>,
        item: Option<String>,
        attempt: u32,
        at: String,
        #[ts(as = "Json")]
        payload: serde_json::Value,
    },
}

/// Final status of a run.
#[derive(Deserialize, TS, Debug, PartialEq)]
#[serde(rename_all = "snake_case")]
pub enum FlowStatus {
    Completed,
    Failed,
    Cancelled,
    /// Nodes wait for an answer.
    Paused,
}

/// Suspended node.
#[derive(Deserialize, TS, Debug)]
#[serde(deny_unknown_fields)]
pub struct WaitingNode {
    /// Id of the node; `parent/child` for a node of a workflow that a node runs.
    pub node: String,
    /// Payload that it was suspended with.
    #[ts(as = "Json")]
    pub payload: serde_json::Value,
}

/// Result of a run.
#[derive(Deserialize, TS, Debug)]
#[serde(deny_unknown_fields)]
pub struct FlowResult {
    pub status: FlowStatus,
    /// Outputs of the workflow; empty unless it completed.
    #[ts(type = "{ [name: string]: Json }")]
    pub outputs: HashMap<String, serde_json::Value>,
    /// All stored values by storage name.
    #[ts(type = "{ [name: string]: Json }")]
    pub store: HashMap<String, serde_json::Value>,
    /// Nodes that wait for an answer.
    pub waiting: Vec<WaitingNode>,
    /// Trace for `resume`, without secrets.
    #[ts(as = "Json")]
    pub trace: serde_json::Value,
    pub diagnostics: Vec<Diagnostic>,
}

#[test]
fn flow_gives_what_the_types_say() {
    use crate::base::Value;
    use crate::base::json::Limits;
    use crate::flow::compile::{WorkflowCompileOptions, compile};
    use crate::flow::context::build_context;
    use crate::flow::naming_cache::NamingCache;
    use crate::flow::run::{HostRequest, HostResponse, HostTime, Run, RunOptions};

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
    let settings = WorkflowCompileOptions::default();
    let (flow, diagnostics) = compile(&workflow, &registry, &settings, &mut cache);
    let flow = std::rc::Rc::new(flow.unwrap_or_else(|| panic!("{diagnostics:?}")));
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
                FlowEvent::Waiting { .. } => 'w',
            });
        }
        if let Some(done) = update.done {
            break done;
        }
        let HostRequest::Call { invocation, node, attempt, .. } = update.effects.remove(0) else {
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
