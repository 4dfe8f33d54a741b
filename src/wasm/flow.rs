//! flow. All that crosses is JSON text.

use crate::base::json::{Limits, span_at};
use crate::base::span::utf16_span;
use crate::base::value::{Map, put};
use crate::base::{Diagnostic, Location, Value, diagnostic, template};
use crate::flow::analysis::Cache;
use crate::flow::compile::{Settings, compile};
use crate::flow::context::build;
use crate::flow::control::Control;
use crate::flow::naming::Names;
use crate::flow::run::{self, Answer, Effect, Now, Setup};
use crate::flow::workflow::Workflow;
use crate::flow::{collision, export, reading, wiring};
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::prelude::*;

thread_local! {
    /// The last analyses; whoever plans and compiles asks for the same ones.
    static CACHE: RefCell<Cache> = RefCell::default();
}

/// A workflow, a registry and options as they were given.
struct Given {
    workflow: Value,
    registry: Value,
    settings: Settings,
    told: Told,
}

/// What there is to say about a workflow, with places in its text where it was given as text.
struct Told {
    text: Option<String>,
    told: Vec<Diagnostic>,
}

impl Told {
    fn to_value(&self) -> Value {
        let told = diagnostic::first_of(self.told.clone());
        Value::list(told.into_iter().map(|fault| self.located(fault).to_value()).collect())
    }

    fn located(&self, fault: Diagnostic) -> Diagnostic {
        let Some(text) = self.text.as_ref().map(String::as_bytes) else { return fault };
        let span = match &fault.location {
            Some(Location::Pointer(pointer)) => span_at(text, pointer),
            Some(Location::Span(span)) => Some(*span),
            None => None,
        };
        match span {
            Some(span) => fault.at(utf16_span(text, span)),
            None => fault,
        }
    }

    fn has_error(&self) -> bool {
        self.told.iter().any(Diagnostic::is_error)
    }
}

fn value_of(text: &str, told: &mut Vec<Diagnostic>) -> Value {
    let limits = Limits { bytes: usize::MAX, ..Limits::default() };
    let (value, faults) = Value::parse(text.as_bytes(), limits);
    told.extend(faults);
    value.unwrap_or_default()
}

impl Given {
    fn read(workflow: &str, is_text: bool, registry: &str, options: &str) -> Given {
        let mut told = Told { text: is_text.then(|| workflow.to_owned()), told: Vec::new() };
        let workflow = value_of(workflow, &mut told.told);
        let registry = value_of(registry, &mut told.told);
        let settings = Settings::read(&value_of(options, &mut told.told));
        let settings = settings.unwrap_or_else(|fault| {
            told.told.push(fault);
            Settings::default()
        });
        Given { workflow, registry, settings, told }
    }

    /// The workflow and the names of its outputs, where both can be read.
    fn analysed(&mut self) -> Option<(Workflow, Names)> {
        if self.told.has_error() {
            return None;
        }
        let (read, told) = reading::read(&self.workflow, &self.registry);
        self.told.told.extend(told);
        let workflow = read?;
        let naming = &self.settings.naming;
        let analysis =
            CACHE.with_borrow_mut(|cache| cache.analyse(&workflow, naming, &Names::default()));
        self.told.told.extend(analysis.told.iter().cloned());
        Some((workflow, analysis.names.clone()))
    }
}

/// The workflow with an id for each node.
#[wasm_bindgen]
pub fn flow_assign_ids(workflow: &str) -> String {
    reading::assign_ids(&value_of(workflow, &mut Vec::new())).to_text()
}

/// `{value, diagnostics}` with the collisions of a workflow, its mappings or its context.
#[wasm_bindgen]
pub fn flow_answer(
    what: &str,
    workflow: &str,
    is_text: bool,
    registry: &str,
    options: &str,
) -> String {
    let mut given = Given::read(workflow, is_text, registry, options);
    let value = given.analysed().map(|(workflow, names)| match what {
        "collisions" => collisions(&workflow),
        "mappings" => {
            let control = Control::new(&workflow);
            let (wiring, told) = wiring::wire(&workflow, &control, &names);
            given.told.told.extend(told);
            export::all_mappings(&workflow, &wiring)
        }
        _ => {
            let settings = &given.settings;
            build(&workflow, &names, &settings.naming, settings.budget).to_value().into()
        }
    });
    Value::map([("value", value.into()), ("diagnostics", given.told.to_value())]).to_text()
}

fn collisions(workflow: &Workflow) -> Value {
    let id =
        |place: &usize| Value::from(workflow.nodes.get(*place).map_or("", |node| node.id.as_str()));
    let each = collision::detect_collisions(&workflow.nodes).into_iter().map(|collision| {
        let writers = Value::list(collision.writers.iter().map(id).collect());
        Value::map([("key", collision.name.into()), ("writers", writers)])
    });
    Value::list(each.collect())
}

/// `{value, diagnostics}` with a template over a scope.
#[wasm_bindgen]
pub fn flow_resolve_template(template: &str, scope: &str) -> String {
    let read = |text: &str| value_of(text, &mut Vec::new());
    let scope = read(scope);
    let none = Map::default();
    let (value, told) = template::resolve(&read(template), scope.as_map().unwrap_or(&none));
    let told = Value::list(told.iter().map(Diagnostic::to_value).collect());
    Value::map([("value", value), ("diagnostics", told)]).to_text()
}

/// A workflow that was compiled, if it could be.
#[wasm_bindgen]
pub struct CompiledFlow {
    flow: Option<Rc<crate::flow::compile::Flow>>,
    told: Value,
}

#[wasm_bindgen]
impl CompiledFlow {
    /// Compiles a workflow.
    pub fn compile(workflow: &str, is_text: bool, registry: &str, options: &str) -> CompiledFlow {
        let mut given = Given::read(workflow, is_text, registry, options);
        let mut flow = None;
        if !given.told.has_error() {
            let (compiled, told) = CACHE.with_borrow_mut(|cache| {
                compile(&given.workflow, &given.registry, &given.settings, cache)
            });
            given.told.told.extend(told);
            flow = compiled.map(Rc::new);
        }
        CompiledFlow { flow, told: given.told.to_value() }
    }

    /// Whether it could be compiled.
    pub fn is_ok(&self) -> bool {
        self.flow.is_some()
    }

    /// JSON text of what there is to say.
    pub fn diagnostics(&self) -> String {
        self.told.to_text()
    }

    /// Node-link JSON text.
    pub fn to_json(&self) -> Option<String> {
        self.flow.as_ref().map(|flow| flow.to_value().to_text())
    }

    /// A Mermaid flowchart.
    pub fn to_mermaid(&self) -> Option<String> {
        self.flow.as_ref().map(|flow| flow.to_mermaid())
    }

    /// Begins a run.
    pub fn run(&self, setup: &str, time: &str, clock: f64) -> Option<FlowRun> {
        let setup = setup_of(&value_of(setup, &mut Vec::new()));
        let (run, turn) = run::Run::begin(self.flow.clone()?, setup, Now { time, clock });
        Some(FlowRun { run, first: turn_text(turn) })
    }
}

/// A workflow that is being run.
#[wasm_bindgen]
pub struct FlowRun {
    run: run::Run,
    first: String,
}

#[wasm_bindgen]
impl FlowRun {
    /// Where it stands at the beginning: `{events, effects, done?}`.
    pub fn first(&mut self) -> String {
        std::mem::take(&mut self.first)
    }

    /// Goes on with `{value}` or `{failed}`.
    pub fn resume(&mut self, number: usize, answer: &str, time: &str, clock: f64) -> String {
        let mut told = Vec::new();
        let answer = value_of(answer, &mut told);
        let failed = answer.get("failed").and_then(Value::as_text);
        let fault = told.iter().find(|told| told.is_error()).map(|fault| fault.message.as_str());
        let answer = match failed.or(fault) {
            Some(why) => Answer::Failed(why.to_owned()),
            None => Answer::Value(answer.get("value").cloned().unwrap_or_default()),
        };
        turn_text(self.run.resume(number, answer, Now { time, clock }))
    }

    /// Stops.
    pub fn cancel(&mut self, time: &str, clock: f64) -> String {
        turn_text(self.run.cancel(Now { time, clock }))
    }
}

fn setup_of(value: &Value) -> Setup {
    let part = |key: &str| value.get(key).filter(|part| !part.is_null());
    let count = |key: &str| part(key).and_then(Value::as_number).map(|count| count as usize);
    let types = part("types").and_then(Value::as_list).unwrap_or_default();
    Setup {
        inputs: part("inputs").and_then(Value::as_map).cloned().unwrap_or_default(),
        types: types.iter().filter_map(Value::as_text).map(str::to_owned).collect(),
        concurrency: count("concurrency").unwrap_or(1),
        max_steps: count("maxSteps"),
        events: part("events").and_then(Value::as_bool).unwrap_or_default(),
        resume: part("resume").cloned(),
        cancelled: part("cancelled").and_then(Value::as_bool).unwrap_or_default(),
    }
}

fn turn_text(turn: run::Turn) -> String {
    let mut parts = Map::default();
    put(&mut parts, "events", turn.events);
    put(&mut parts, "effects", turn.effects.into_iter().map(effect_value).collect::<Vec<_>>());
    if let Some(done) = turn.done {
        put(&mut parts, "done", done);
    }
    Value::from(parts).to_text()
}

fn effect_value(effect: Effect) -> Value {
    match effect {
        Effect::Wait { number, milliseconds } => Value::map([
            ("kind", "wait".into()),
            ("number", number.into()),
            ("milliseconds", milliseconds.into()),
        ]),
        Effect::Call { number, node, kind, call, attempt, timeout_ms } => Value::map([
            ("kind", "call".into()),
            ("number", number.into()),
            ("id", node.into()),
            ("type", kind.into()),
            ("params", call.params.into()),
            ("inputs", call.inputs.into()),
            ("attempt", attempt.into()),
            ("timeout", timeout_ms.into()),
        ]),
    }
}
