//! flow. All that crosses is JSON text.

use super::flow_input::{parse_value, remove_locations, trace_limits};
use super::flow_run::FlowRun;
use super::to_rust_string;
use crate::base::json::spans_at;
use crate::base::span::utf16_span;
use crate::base::value::Map;
use crate::base::{Diagnostic, Location, Value, diagnostic, template};
use crate::flow::compile::{WorkflowCompileOptions, compile_outline};
use crate::flow::context::build_context;
use crate::flow::control::ControlFlowGraph;
use crate::flow::generated::extract_generated_names;
use crate::flow::merge::merge_workflows;
use crate::flow::naming::{OutputNames, PreviousNames};
use crate::flow::naming_cache::NamingCache;
use crate::flow::outline::WorkflowOutline;
use crate::flow::run::reveal_secrets;
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
        let mut diagnostics = diagnostic::limit_diagnostics(self.list.clone());
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
    let pointers: Vec<&str> = diagnostics
        .iter()
        .filter_map(|error| pointer_in_workflow(error.location.as_ref()?))
        .collect();
    let mut spans = spans_at(text, &pointers).into_iter();
    for error in diagnostics {
        let span = match &error.location {
            Some(Location::Span(span)) => Some(*span),
            Some(at) if pointer_in_workflow(at).is_some() => spans.next().flatten(),
            _ => None,
        };
        if let Some(span) = span {
            error.location = Some(Location::Span(utf16_span(text, span)));
        }
    }
}

/// Returns the pointer if it refers to the workflow itself.
fn pointer_in_workflow(location: &Location) -> Option<&str> {
    let Location::Pointer(pointer) = location else { return None };
    let path_in = |part: &&str| pointer.strip_prefix(*part);
    let mut elsewhere = OTHER_INPUTS.iter().filter_map(path_in);
    let is_elsewhere = elsewhere.any(|rest| rest.is_empty() || rest.starts_with('/'));
    (!is_elsewhere).then_some(pointer.as_str())
}

impl Request {
    /// Parses a workflow and `{registry, options}`. If the workflow is a text (`written`), diagnostics have offsets in
    /// it.
    fn read(workflow: &[u8], written: bool, beside: &[u8]) -> Request {
        let mut diagnostics = Vec::new();
        let beside = parse_value(beside, trace_limits(), &mut diagnostics);
        let part = |key: &str| beside.get(key).cloned().unwrap_or_default();
        remove_locations(&mut diagnostics);
        let text: Rc<[u8]> = workflow.into();
        let (workflow, mut errors) = WorkflowOutline::read(text.clone(), trace_limits());
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
    fn analyse_names(&mut self) -> Option<(Workflow, Rc<OutputNames>)> {
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

/// Returns `{value, diagnostics}`. For a workflow and `{registry, options}`, the value is the
/// workflow with `ids`, or its `collisions`, `mappings` or `context`. For `{template, scope}` it is
/// the resolved `template`, and for `{name: workflow}` the workflow that they `merge` into.
#[wasm_bindgen]
pub fn flow_answer(what: &JsString, request: &[u8], written: bool, beside: &[u8]) -> JsString {
    let what = to_rust_string(what);
    let (value, diagnostics) = match &*what {
        "ids" => {
            let request = Request::read(request, written, beside);
            let value = request.outline().map(|outline| reader::assign_ids(&outline.value()));
            (value, request.diagnostics.to_value())
        }
        "template" => {
            let mut diagnostics = Vec::new();
            let request = parse_value(request, trace_limits(), &mut diagnostics);
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
            let parts = parse_value(request, trace_limits(), &mut diagnostics);
            remove_locations(&mut diagnostics);
            let (value, found) = merge_workflows(&parts);
            diagnostics.extend(found);
            (value, Value::list(diagnostics.iter().map(Diagnostic::to_value).collect()))
        }
        what => evaluate_request(what, Request::read(request, written, beside)),
    };
    Value::map([("value", value.into()), ("diagnostics", diagnostics)]).to_text().into()
}

fn evaluate_request(what: &str, mut given: Request) -> (Option<Value>, Value) {
    let value = given.analyse_names().map(|(workflow, names)| match what {
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

    /// Returns its `diagnostics`, node-link JSON (`json`), a Mermaid flowchart, or the fingerprint.
    pub fn show(&self, what: &JsString) -> JsString {
        let shown = match (&*to_rust_string(what), &self.flow) {
            ("json", Some(flow)) => flow.to_value().to_text(),
            ("mermaid", Some(flow)) => flow.to_mermaid(),
            ("fingerprint", Some(flow)) => flow.fingerprint(),
            _ => self.diagnostics.to_text(),
        };
        shown.into()
    }

    /// Returns `{value}` with the secrets of `inputs` in place of their markers, or `{error}`.
    pub fn reveal(&self, value: &JsString, inputs: &JsString) -> JsString {
        let read = |from: &JsString| {
            parse_value(to_rust_string(from).as_bytes(), trace_limits(), &mut Vec::new())
        };
        let inputs = read(inputs).as_map().cloned().unwrap_or_default();
        let revealed = self.flow.as_ref().map(|flow| reveal_secrets(flow, &inputs, &read(value)));
        let (key, value) = match revealed {
            Some(Ok(value)) => ("value", value),
            Some(Err(error)) => ("error", error.to_value()),
            None => ("value", Value::Null),
        };
        Value::map([(key, value)]).to_text().into()
    }

    /// Returns a run that has not begun.
    pub fn run(&self) -> Option<FlowRun> {
        Some(FlowRun::new(self.flow.clone()?))
    }
}
