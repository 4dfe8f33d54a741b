//! flow. All that crosses is JSON text.

use super::text;
use crate::base::json::{Limits, spans_at};
use crate::base::span::utf16_span;
use crate::base::value::{Map, put};
use crate::base::{Diagnostic, Location, Value, diagnostic, template};
use crate::flow::compile::{WorkflowCompileOptions, compile_outline};
use crate::flow::context::build_context;
use crate::flow::control::ControlFlowGraph;
use crate::flow::generated::extract_generated_names;
use crate::flow::merge::merge_workflows;
use crate::flow::naming::{OutputNames, PreviousNames};
use crate::flow::naming_cache::NamingCache;
use crate::flow::outline::WorkflowOutline;
use crate::flow::run::{self, HostRequest, HostResponse, HostTime, RunOptions};
use crate::flow::workflow::Workflow;
use crate::flow::{collision, export, reader, wiring};
use js_sys::JsString;
use std::cell::Cell;
use std::rc::Rc;
use wasm_bindgen::prelude::*;

thread_local! {
    /// Last analyses, because a host plans and compiles with the same input.
    static CACHE: Cell<NamingCache> = Cell::default();
}

/// Calls `act` with the cache. A trap inside leaves an empty cache.
fn with_cache<T>(act: impl FnOnce(&mut NamingCache) -> T) -> T {
    let mut cache = CACHE.take();
    let done = act(&mut cache);
    CACHE.set(cache);
    done
}

/// Parsed input: a workflow, a registry and options.
struct Request {
    /// Workflow, if its text is JSON.
    workflow: Option<Rc<WorkflowOutline>>,
    registry: Value,
    settings: WorkflowCompileOptions,
    diagnostics: RequestDiagnostics,
}

/// Diagnostics of a workflow, and its text if the host passed text.
struct RequestDiagnostics {
    text: Option<Rc<[u8]>>,
    list: Vec<Diagnostic>,
}

/// Keys of inputs other than the workflow: pointers into these are not pointers into the workflow.
const OTHER_INPUTS: [&str; 6] =
    ["/registry", "/prefix", "/strategies", "/budget", "/strict", "/context"];

impl RequestDiagnostics {
    fn to_value(&self) -> Value {
        let mut diagnostics = diagnostic::first_of(self.list.clone());
        if let Some(text) = self.text.as_deref() {
            locate(&mut diagnostics, text);
        }
        Value::list(diagnostics.iter().map(Diagnostic::to_value).collect::<Vec<_>>())
    }

    fn has_error(&self) -> bool {
        self.list.iter().any(Diagnostic::is_error)
    }
}

/// Converts pointers to offsets in the text of a workflow.
fn locate(diagnostics: &mut [Diagnostic], text: &[u8]) {
    let pointers: Vec<&str> =
        diagnostics.iter().filter_map(|error| inside(error.location.as_ref()?)).collect();
    let mut spans = spans_at(text, &pointers).into_iter();
    for error in diagnostics {
        let span = match &error.location {
            Some(Location::Span(span)) => Some(*span),
            Some(at) if inside(at).is_some() => spans.next().flatten(),
            _ => None,
        };
        if let Some(span) = span {
            error.location = Some(Location::Span(utf16_span(text, span)));
        }
    }
}

/// Returns the pointer if it refers to the workflow itself.
fn inside(location: &Location) -> Option<&str> {
    let Location::Pointer(pointer) = location else { return None };
    let path_in = |part: &&str| pointer.strip_prefix(*part);
    let mut elsewhere = OTHER_INPUTS.iter().filter_map(path_in);
    let is_elsewhere = elsewhere.any(|rest| rest.is_empty() || rest.starts_with('/'));
    (!is_elsewhere).then_some(pointer.as_str())
}

/// Removes offsets in a text that the host does not know.
fn remove_locations(diagnostics: &mut [Diagnostic]) {
    diagnostics.iter_mut().for_each(|error| error.location = None);
}

/// Limits for a trace, which contains the outputs of nodes at a greater depth.
fn limits() -> Limits {
    Limits { bytes: usize::MAX, depth: Limits::default().depth + 16 }
}

fn value_of(text: &[u8], limits: Limits, diagnostics: &mut Vec<Diagnostic>) -> Value {
    let (value, errors) = Value::parse(text, Limits { bytes: usize::MAX, ..limits });
    diagnostics.extend(errors);
    value.unwrap_or_default()
}

impl Request {
    /// Parses a workflow and `{registry, options}`. If the workflow is a text (`written`), diagnostics have offsets in
    /// it.
    fn read(workflow: &[u8], written: bool, beside: &[u8]) -> Request {
        let mut diagnostics = Vec::new();
        let beside = value_of(beside, limits(), &mut diagnostics);
        let part = |key: &str| beside.get(key).cloned().unwrap_or_default();
        remove_locations(&mut diagnostics);
        let text: Rc<[u8]> = workflow.into();
        let (workflow, mut errors) = WorkflowOutline::read(text.clone(), limits());
        if !written {
            remove_locations(&mut errors);
        }
        diagnostics.append(&mut errors);
        let settings = WorkflowCompileOptions::read(&part("options")).unwrap_or_else(|error| {
            diagnostics.push(error);
            WorkflowCompileOptions::default()
        });
        let diagnostics = RequestDiagnostics { text: written.then_some(text), list: diagnostics };
        Request { workflow, registry: part("registry"), settings, diagnostics }
    }

    /// Returns the workflow if there is no error yet.
    fn outline(&self) -> Option<&Rc<WorkflowOutline>> {
        self.workflow.as_ref().filter(|_| !self.diagnostics.has_error())
    }

    /// Returns the workflow and the names of its outputs if both are valid.
    fn analysed(&mut self) -> Option<(Workflow, Rc<OutputNames>)> {
        let (read, diagnostics) = reader::read_outline(self.outline()?, &self.registry);
        self.diagnostics.list.extend(diagnostics);
        let mut workflow = read?;
        let naming = &self.settings.naming;
        extract_generated_names(&mut workflow, naming);
        let named = PreviousNames::from_workflow(&workflow);
        let analysis = with_cache(|cache| cache.get_or_compute(&workflow, naming, &named));
        self.diagnostics.list.extend(analysis.diagnostics.iter().cloned());
        Some((workflow, analysis.names.clone()))
    }
}

/// Returns `{value, diagnostics}` for a workflow and `{registry, options}`: the workflow with `ids`, its
/// `collisions`, `mappings` or `context`; for `{template, scope}` the resolved `template`; for `{name: workflow}`
/// the workflow that they `merge` into.
#[wasm_bindgen]
pub fn flow_answer(what: &JsString, request: &[u8], written: bool, beside: &[u8]) -> JsString {
    let what = text(what);
    let (value, diagnostics) = match &*what {
        "ids" => {
            let request = Request::read(request, written, beside);
            let value = request.outline().map(|outline| reader::assign_ids(&outline.value()));
            (value, request.diagnostics.to_value())
        }
        "template" => {
            let mut diagnostics = Vec::new();
            let request = value_of(request, limits(), &mut diagnostics);
            let part = |key: &str| request.get(key).cloned().unwrap_or_default();
            let scope = part("scope");
            let none = Map::default();
            let scope = scope.as_map().unwrap_or(&none);
            let (value, errors) = template::resolve(&part("template"), scope);
            remove_locations(&mut diagnostics);
            diagnostics.extend(errors);
            (Some(value), Value::list(diagnostics.iter().map(Diagnostic::to_value).collect()))
        }
        "merge" => {
            let mut diagnostics = Vec::new();
            let parts = value_of(request, limits(), &mut diagnostics);
            remove_locations(&mut diagnostics);
            let (value, found) = merge_workflows(&parts);
            diagnostics.extend(found);
            (value, Value::list(diagnostics.iter().map(Diagnostic::to_value).collect()))
        }
        what => of_workflow(what, Request::read(request, written, beside)),
    };
    Value::map([("value", value.into()), ("diagnostics", diagnostics)]).to_text().into()
}

fn of_workflow(what: &str, mut given: Request) -> (Option<Value>, Value) {
    let value = given.analysed().map(|(workflow, names)| match what {
        "collisions" => collisions(&workflow),
        "mappings" => {
            let control = ControlFlowGraph::new(&workflow);
            let (wiring, diagnostics) = wiring::wire(&workflow, &control, &names);
            given.diagnostics.list.extend(diagnostics);
            export::all_mappings(&workflow, &names, &wiring)
        }
        _ => {
            let settings = &given.settings;
            build_context(&workflow, &names, &settings.naming, settings.budget).to_value().into()
        }
    });
    (value, given.diagnostics.to_value())
}

fn collisions(workflow: &Workflow) -> Value {
    let id = |place: &usize| Value::from(workflow.nodes.get(*place).map_or("", |node| &*node.id));
    let each = collision::detect_collisions(&workflow.nodes).into_iter().map(|collision| {
        let writers = Value::list(collision.writers.iter().map(id).collect::<Vec<_>>());
        Value::map([("key", collision.name.into()), ("writers", writers)])
    });
    Value::list(each.collect::<Vec<_>>())
}

/// Result of compiling a workflow.
#[wasm_bindgen]
pub struct CompiledFlow {
    flow: Option<Rc<crate::flow::compile::Flow>>,
    diagnostics: Value,
}

#[wasm_bindgen]
impl CompiledFlow {
    /// Compiles a workflow with `{registry, options}`; see [`flow_answer`].
    pub fn compile(workflow: &[u8], written: bool, beside: &[u8]) -> CompiledFlow {
        let mut request = Request::read(workflow, written, beside);
        let mut flow = None;
        if let Some(outline) = request.outline() {
            let (compiled, diagnostics) = with_cache(|cache| {
                compile_outline(outline, &request.registry, &request.settings, cache)
            });
            request.diagnostics.list.extend(diagnostics);
            flow = compiled.map(Rc::new);
        }
        CompiledFlow { flow, diagnostics: request.diagnostics.to_value() }
    }

    /// Returns whether the workflow is valid.
    pub fn is_ok(&self) -> bool {
        self.flow.is_some()
    }

    /// Returns its `diagnostics`, node-link JSON (`json`), or a Mermaid flowchart.
    pub fn show(&self, what: &JsString) -> JsString {
        let shown = match (&*text(what), &self.flow) {
            ("json", Some(flow)) => flow.to_value().to_text(),
            ("mermaid", Some(flow)) => flow.to_mermaid(),
            _ => self.diagnostics.to_text(),
        };
        shown.into()
    }

    /// Returns a run that has not begun.
    pub fn run(&self) -> Option<FlowRun> {
        Some(FlowRun { flow: self.flow.clone()?, run: None })
    }
}

/// Run of a workflow.
#[wasm_bindgen]
pub struct FlowRun {
    flow: Rc<crate::flow::compile::Flow>,
    run: Option<run::Run>,
}

#[wasm_bindgen]
impl FlowRun {
    /// Begins with a setup; later continues with `{value}` or `{failed}` for the effect with this number, or stops
    /// the run if there is none. Returns `{events, effects, done?}`.
    pub fn next(
        &mut self,
        number: i32,
        message: &JsString,
        time: &JsString,
        clock: f64,
    ) -> JsString {
        let (message, time) = (text(message), text(time));
        let now = HostTime { time: &time, clock };
        let mut diagnostics = Vec::new();
        let message = match self.run {
            None => value_of(message.as_bytes(), limits(), &mut diagnostics),
            Some(_) => value_of(message.as_bytes(), Limits::default(), &mut diagnostics),
        };
        let turn = match (&mut self.run, usize::try_from(number)) {
            (None, _) if diagnostics.iter().any(Diagnostic::is_error) => {
                return refused(diagnostics).into();
            }
            (None, _) => {
                let (run, turn) = run::Run::begin(self.flow.clone(), setup_of(&message), now);
                self.run = Some(run);
                turn
            }
            (Some(run), Ok(number)) => run.resume(number, answer_of(&message, &diagnostics), now),
            (Some(run), Err(_)) => run.cancel(now),
        };
        turn_text(turn).into()
    }
}

/// Returns the result of a run with invalid options.
fn refused(mut diagnostics: Vec<Diagnostic>) -> String {
    remove_locations(&mut diagnostics);
    let diagnostics = diagnostics.iter().map(Diagnostic::to_value);
    let none = || Value::from(Map::default());
    let done = Value::map([
        ("status", "failed".into()),
        ("outputs", none()),
        ("store", none()),
        ("trace", Value::Null),
        ("diagnostics", Value::list(diagnostics.collect())),
    ]);
    turn_text(run::RunUpdate { events: Vec::new(), effects: Vec::new(), done: Some(done) })
}

fn answer_of(message: &Value, diagnostics: &[Diagnostic]) -> HostResponse {
    let failed = message.get("failed").and_then(Value::as_text);
    let error = diagnostics
        .iter()
        .find(|diagnostic| diagnostic.is_error())
        .map(|error| error.message.as_str());
    match failed.or(error) {
        Some(why) => HostResponse::Failed(why.to_owned()),
        None => HostResponse::Value(message.get("value").cloned().unwrap_or_default()),
    }
}

fn setup_of(value: &Value) -> RunOptions {
    let part = |key: &str| value.get(key).filter(|part| !part.is_null());
    let count = |key: &str| part(key).and_then(Value::as_number).map(|count| count as usize);
    let types = part("types").and_then(Value::as_list).unwrap_or_default();
    RunOptions {
        inputs: part("inputs").and_then(Value::as_map).cloned().unwrap_or_default(),
        types: types.iter().filter_map(Value::as_text).map(str::to_owned).collect::<Vec<_>>(),
        concurrency: count("concurrency").unwrap_or(1),
        max_steps: count("maxSteps"),
        events: part("events").and_then(Value::as_bool).unwrap_or_default(),
        resume: part("resume").cloned(),
        cancelled: part("cancelled").and_then(Value::as_bool).unwrap_or_default(),
    }
}

fn turn_text(turn: run::RunUpdate) -> String {
    let mut parts = Map::default();
    put(&mut parts, "events", turn.events);
    put(&mut parts, "effects", turn.effects.into_iter().map(effect_value).collect::<Vec<_>>());
    if let Some(done) = turn.done {
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
            item,
            attempt,
            timeout_ms,
        } => Value::map([
            ("kind", "call".into()),
            ("number", invocation.into()),
            ("id", node.into()),
            ("type", kind.into()),
            ("params", call.params.into()),
            ("inputs", call.inputs.into()),
            ("pass", iteration.into()),
            ("item", item.into()),
            ("attempt", attempt.into()),
            ("timeout", timeout_ms.into()),
        ]),
    }
}
