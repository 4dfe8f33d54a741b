//! Runs of workflows. All that crosses is JSON text.

use super::flow_input::{parse_value, remove_locations, trace_limits};
use super::to_rust_string;
use crate::base::json::Limits;
use crate::base::value::{Map, put};
use crate::base::{Diagnostic, Value};
use crate::flow::compile::Flow;
use crate::flow::run::{
    self, CallOrder, ChildState, HostRequest, HostResponse, HostTime, RunOptions, Secrets,
};
use js_sys::JsString;
use std::rc::Rc;
use wasm_bindgen::prelude::*;

/// Run of a workflow.
#[wasm_bindgen]
pub struct FlowRun {
    flow: Rc<Flow>,
    run: Option<run::Run>,
    /// Secrets of the run that it is a part of.
    outer_secrets: Option<Rc<Secrets>>,
}

impl FlowRun {
    /// Returns a run that has not begun.
    pub fn new(flow: Rc<Flow>) -> FlowRun {
        FlowRun { flow, run: None, outer_secrets: None }
    }
}

#[wasm_bindgen]
impl FlowRun {
    /// Begins with a setup; later continues with a response to the effect with this number, or stops the run if
    /// there is none. Returns `{events, effects, aborted, failing, checkpoint, done?}`.
    pub fn next(
        &mut self,
        number: i32,
        message: &JsString,
        time: &JsString,
        clock: f64,
    ) -> JsString {
        let (message, time) = (to_rust_string(message), to_rust_string(time));
        let now = HostTime { time: &time, clock };
        let mut diagnostics = Vec::new();
        // A setup and a response with the state of a workflow contain traces.
        let has_trace = self.run.is_none() || message.starts_with("{\"child\"");
        let depth = if has_trace { trace_limits() } else { Limits::default() };
        let message = parse_value(message.as_bytes(), depth, &mut diagnostics);
        let update = match (&mut self.run, usize::try_from(number)) {
            (None, _) if diagnostics.iter().any(Diagnostic::is_error) => {
                return rejected_text(diagnostics).into();
            }
            (None, _) => {
                let mut options = options_of(&message);
                options.outer_secrets = self.outer_secrets.take();
                let (run, update) = run::Run::begin(self.flow.clone(), options, now);
                self.run = Some(run);
                update
            }
            (Some(run), Ok(number)) => run.resume(number, response_of(&message, &diagnostics), now),
            (Some(run), Err(_)) => run.cancel(now),
        };
        update_text(update).into()
    }

    /// Makes a run that has not begun a part of this one, whose secrets it does not show.
    pub fn set_child(&self, child: &mut FlowRun) {
        child.outer_secrets = self.run.as_ref().map(run::Run::secrets);
    }

    /// Returns the trace of the run so far.
    pub fn trace(&mut self) -> JsString {
        let trace = self.run.as_mut().map(run::Run::trace);
        trace.unwrap_or_default().to_text().into()
    }

    /// Stores the partial trace of the nested workflow of a running call.
    pub fn set_child_trace(&mut self, number: usize, trace: &JsString) {
        let trace = parse_value(to_rust_string(trace).as_bytes(), trace_limits(), &mut Vec::new());
        if let Some(run) = &mut self.run {
            run.set_child_trace(number, trace);
        }
    }

    /// Returns JSON text with markers for the secrets of the run.
    pub fn without_secrets(&self, value: &JsString) -> JsString {
        let value = parse_value(to_rust_string(value).as_bytes(), trace_limits(), &mut Vec::new());
        let hidden = self.run.as_ref().map(|run| run.without_secrets_in(&value));
        hidden.unwrap_or_default().to_text().into()
    }
}

/// Returns the result of a run with invalid options.
fn rejected_text(mut diagnostics: Vec<Diagnostic>) -> String {
    remove_locations(&mut diagnostics);
    let diagnostics = diagnostics.iter().map(Diagnostic::to_value);
    let none = || Value::from(Map::default());
    let done = Value::map([
        ("status", "failed".into()),
        ("outputs", none()),
        ("store", none()),
        ("waiting", Value::list(Vec::new())),
        ("trace", Value::Null),
        ("diagnostics", Value::list(diagnostics.collect())),
    ]);
    let mut parts = Map::default();
    put(&mut parts, "events", Vec::new());
    put(&mut parts, "effects", Vec::new());
    put(&mut parts, "done", done);
    Value::from(parts).to_text()
}

/// Reads `{value}`, `{failed, timeout?}`, `{suspended}` or `{aborted}`, with the state of the `child` if there is one.
fn response_of(message: &Value, diagnostics: &[Diagnostic]) -> HostResponse {
    let error = diagnostics
        .iter()
        .find(|diagnostic| diagnostic.is_error())
        .map(|error| error.message.as_str());
    let failed = message.get("failed").and_then(Value::as_text).or(error);
    let is_timeout = message.get("timeout").is_some();
    let response = match (failed, message.get("suspended")) {
        _ if message.get("aborted").is_some() => HostResponse::Aborted,
        (Some(error), _) if is_timeout => HostResponse::TimedOut(error.to_owned()),
        (Some(error), _) => HostResponse::Failed(error.to_owned()),
        (None, Some(payload)) => HostResponse::Suspended(payload.clone()),
        (None, None) => HostResponse::Value(message.get("value").cloned().unwrap_or_default()),
    };
    let Some(child) = message.get("child") else { return response };
    let list = |key: &str| child.get(key).and_then(Value::as_list).unwrap_or_default().to_vec();
    let child = ChildState {
        trace: child.get("trace").cloned().unwrap_or_default(),
        waiting: list("waiting"),
        diagnostics: list("diagnostics"),
    };
    HostResponse::Child(child, Box::new(response))
}

fn options_of(value: &Value) -> RunOptions {
    let part = |key: &str| value.get(key).filter(|part| !part.is_null());
    let count = |key: &str| part(key).and_then(Value::as_number).map(|count| count as usize);
    let map = |key: &str| part(key).and_then(Value::as_map).cloned().unwrap_or_default();
    let flag = |key: &str| part(key).and_then(Value::as_bool).unwrap_or_default();
    let types = part("types").and_then(Value::as_list).unwrap_or_default();
    RunOptions {
        inputs: map("inputs"),
        types: types.iter().filter_map(Value::as_text).map(str::to_owned).collect::<Vec<_>>(),
        concurrency: count("concurrency").unwrap_or(1),
        max_steps: count("maxSteps"),
        max_bytes: count("maxBytes"),
        events: flag("events"),
        resume: part("resume").cloned(),
        cancelled: flag("cancelled"),
        answers: map("answers"),
        children: map("children"),
        path: part("path").and_then(Value::as_text).unwrap_or_default().to_owned(),
        order: match part("order").and_then(Value::as_text) {
            Some("fixed") => CallOrder::Fixed,
            _ => CallOrder::Arrival,
        },
        remote: flag("remote"),
        outer_secrets: None,
    }
}

fn update_text(update: run::RunUpdate) -> String {
    let mut parts = Map::default();
    put(&mut parts, "events", update.events);
    put(&mut parts, "effects", update.effects.into_iter().map(effect_value).collect::<Vec<_>>());
    put(&mut parts, "aborted", update.aborted.into_iter().map(Value::from).collect::<Vec<_>>());
    put(&mut parts, "failing", update.is_failing);
    put(&mut parts, "checkpoint", update.is_checkpoint);
    if let Some(done) = update.done {
        put(&mut parts, "done", done);
    }
    Value::from(parts).to_text()
}

fn effect_value(effect: HostRequest) -> Value {
    match effect {
        HostRequest::Wait { invocation, milliseconds } => Value::map([
            ("kind", "wait".into()),
            ("number", invocation.into()),
            ("milliseconds", milliseconds.into()),
        ]),
        HostRequest::Call {
            invocation,
            node,
            kind,
            call,
            iteration,
            index,
            item,
            attempt,
            timeout_ms,
            continued,
            hash,
            effects,
            delay_ms,
        } => {
            let (call, continued) = (*call, *continued);
            let mut call_parts = Map::default();
            put(&mut call_parts, "id", &node);
            put(&mut call_parts, "type", &kind);
            put(&mut call_parts, "params", call.params);
            put(&mut call_parts, "inputs", call.inputs);
            put(&mut call_parts, "pass", iteration);
            put(&mut call_parts, "item", item);
            put(&mut call_parts, "index", index);
            put(&mut call_parts, "attempt", attempt);
            if let Some(answer) = continued.resumed {
                put(&mut call_parts, "resumed", answer);
            }
            Value::map([
                ("kind", "call".into()),
                ("number", invocation.into()),
                ("timeout", timeout_ms.into()),
                ("call", call_parts.into()),
                ("child", continued.child.into()),
                ("answers", continued.answers.into()),
                ("hash", (&hash).into()),
                ("effects", effects.into()),
                ("delay", delay_ms.into()),
            ])
        }
    }
}
