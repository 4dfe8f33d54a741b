//! Runs the cases of `tests/cases/flow` against the core, with a host that responds from the data.
//! `tests/run-flow-case.mjs` runs the same files through the facade.

#![cfg(feature = "flow")]
#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // A failed test panics.

#[path = "gasl/matching.rs"]
#[allow(dead_code, reason = "cases of GASL need more of it")]
mod matching;

use byname::base::json::{Limits, spans_at};
use byname::base::span::utf16_span;
use byname::base::{Diagnostic, Location, Value, template};
use byname::flow::compile::{Flow, WorkflowCompileOptions, compile};
use byname::flow::context::build_context;
use byname::flow::control::ControlFlowGraph;
use byname::flow::generated::extract_generated_names;
use byname::flow::naming::{PreviousNames, name_outputs};
use byname::flow::naming_cache::NamingCache;
use byname::flow::run::{HostRequest, HostResponse, HostTime, Run, RunOptions};
use byname::flow::workflow::Workflow;
use byname::flow::{collision, export, reader, wiring};
use matching::{Checked, expand, list, matches, show};
use serde_json::{Map, Value as Json, json};
use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::rc::Rc;

const NOW: &str = "2026-01-02T03:04:05.000Z";

#[test]
fn flow_cases() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/flow");
    let mut failures = Vec::new();
    let mut ran = 0;
    let files = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
    for path in files.filter(|path| path.extension().is_some_and(|end| end == "json")) {
        let cases = read(&path);
        for case in list(&cases).iter().filter(|case| case.get("pending").is_none()) {
            ran += 1;
            if let Err(failure) = check(&expand(case), &folder.join("registries")) {
                failures.push(format!("{}\n    {failure}", case["name"]));
            }
        }
    }
    assert!(ran > 100, "{ran} cases");
    assert!(failures.is_empty(), "{} of {ran}:\n{}", failures.len(), failures.join("\n"));
}

fn read(path: &Path) -> Json {
    let text = fs::read_to_string(path).unwrap();
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{path:?}: {error}"))
}

fn check(case: &Json, registries: &Path) -> Checked {
    let input = CaseInput::new(case, registries);
    compare(&case["expect"], "", |what| input.aspect(what))?;
    for each in list(&case["templates"]) {
        let scope = each.get("scope").unwrap_or(&case["scope"]);
        let scope = to_value(scope).as_map().cloned().unwrap_or_default();
        let (value, diagnostics) = template::resolve(&to_value(&each["template"]), &scope);
        let what = format!("template {}: ", show(&each["template"]));
        compare(&each["expect"], &what, |what| match what {
            "value" => Some(to_json(&value)),
            _ => diagnostics_aspect(&diagnostics, None, what),
        })?;
    }
    if case.get("runs").is_none() {
        return Ok(());
    }
    let (flow, diagnostics) = input.compile();
    let flow = Rc::new(flow.ok_or_else(|| format!("does not compile: {diagnostics:?}"))?);
    let mut trace = Json::Null;
    for (index, run) in list(&case["runs"]).iter().enumerate() {
        let mut host = Host::new(&input, run);
        let done = host.run(flow.clone(), run, &trace)?;
        let what = format!("run {index}: ");
        compare(&run["expect"], &what, |what| host.aspect(&done, what))?;
        trace = done["trace"].clone();
    }
    Ok(())
}

/// Compares each expected aspect with the actual one.
fn compare(expected: &Json, label: &str, actual: impl Fn(&str) -> Option<Json>) -> Checked {
    for (key, each) in expected.as_object().into_iter().flatten() {
        let actual = actual(key).ok_or_else(|| format!("{label}unknown aspect {key}"))?;
        matches(Some(&actual), each, &format!("{label}{key}"))?;
    }
    Ok(())
}

fn to_value(json: &Json) -> Value {
    Value::parse(json.to_string().as_bytes(), Limits::default()).0.unwrap()
}

fn to_json(value: &Value) -> Json {
    serde_json::from_str(&value.to_text()).unwrap()
}

/// Returns diagnostics as `CODE /pointer`, or their messages or help.
fn diagnostics_aspect(diagnostics: &[Diagnostic], text: Option<&str>, what: &str) -> Option<Json> {
    let location = |diagnostic: &Diagnostic| {
        let span = match (&diagnostic.location, text) {
            (Some(Location::Pointer(pointer)), Some(text)) => {
                let span = spans_at(text.as_bytes(), &[pointer]).pop().flatten();
                span.map(|span| utf16_span(text.as_bytes(), span))
            }
            (Some(Location::Span(span)), _) => Some(*span),
            _ => None,
        };
        match (span, &diagnostic.location) {
            (Some(span), _) => format!(" {}-{}", span.start, span.end),
            (None, Some(Location::Pointer(pointer))) => format!(" {pointer}"),
            _ => String::new(),
        }
    };
    match what {
        "diagnostics" => {
            let each = diagnostics
                .iter()
                .map(|diagnostic| format!("{}{}", diagnostic.code.id, location(diagnostic)));
            let mut each: Vec<String> = each.collect();
            each.sort();
            Some(json!(each))
        }
        "says" => {
            let words: Vec<&str> =
                diagnostics.iter().map(|diagnostic| diagnostic.message.as_ref()).collect();
            Some(words.join("\n").into())
        }
        "help" => {
            let words =
                diagnostics.iter().map(|diagnostic| diagnostic.help.as_deref().unwrap_or_default());
            Some(words.collect::<Vec<_>>().join("\n").into())
        }
        _ => None,
    }
}

/// Input of a case.
struct CaseInput {
    workflow: Value,
    text: Option<String>,
    syntax_errors: Vec<Diagnostic>,
    registry: Value,
    options: Json,
    /// Result of `buildContext` that the planner has seen.
    context: Option<Json>,
}

impl CaseInput {
    fn new(case: &Json, registries: &Path) -> CaseInput {
        let registry = |of: &Json| match &of["registry"] {
            Json::Null => json!({}),
            Json::String(name) => read(&registries.join(format!("{name}.json"))),
            registry => registry.clone(),
        };
        let text = case["text"].as_str().map(str::to_owned);
        let written = text.clone().unwrap_or_else(|| case["workflow"].to_string());
        let (workflow, syntax_errors) = Value::parse(written.as_bytes(), Limits::default());
        let options = case.get("options").cloned().unwrap_or_else(|| json!({}));
        let mut input = CaseInput {
            workflow: workflow.unwrap_or_default(),
            text,
            syntax_errors,
            registry: to_value(&registry(case)),
            options,
            context: None,
        };
        if let Some(plan) = case.get("plan") {
            let planned = CaseInput {
                workflow: to_value(&plan["workflow"]),
                registry: to_value(&registry(plan)),
                text: None,
                syntax_errors: Vec::new(),
                options: input.options.clone(),
                context: None,
            };
            input.context = planned.context();
        }
        input
    }

    fn settings(&self) -> Result<WorkflowCompileOptions, Diagnostic> {
        let mut options = self.options.clone();
        if let Some(context) = &self.context {
            options["context"] = context.clone();
        }
        WorkflowCompileOptions::read(&to_value(&options))
    }

    fn compile(&self) -> (Option<Flow>, Vec<Diagnostic>) {
        if !self.syntax_errors.is_empty() {
            return (None, self.syntax_errors.clone());
        }
        match self.settings() {
            Ok(settings) => {
                compile(&self.workflow, &self.registry, &settings, &mut NamingCache::default())
            }
            Err(diagnostic) => (None, vec![diagnostic]),
        }
    }

    fn read(&self) -> Option<Workflow> {
        let mut workflow = reader::read(&self.workflow, &self.registry).0?;
        extract_generated_names(&mut workflow, &self.settings().ok()?.naming);
        Some(workflow)
    }

    fn context(&self) -> Option<Json> {
        let workflow = self.read()?;
        let settings = self.settings().ok()?;
        let (names, _) =
            name_outputs(&workflow, &settings.naming, &PreviousNames::from_workflow(&workflow));
        let built = build_context(&workflow, &names, &settings.naming, settings.budget);
        Some(to_json(&built.to_value().into()))
    }

    fn aspect(&self, what: &str) -> Option<Json> {
        match what {
            "assigned" => Some(to_json(&reader::assign_ids(&self.workflow))),
            "collisions" => {
                let workflow = self.read()?;
                let each = collision::detect_collisions(&workflow.nodes).into_iter().map(|one| {
                    let ids = one.writers.iter().map(|node_index| &*workflow.nodes[*node_index].id);
                    json!({"key": &*one.name, "writers": ids.collect::<Vec<_>>()})
                });
                Some(each.collect())
            }
            "mappings" => {
                let workflow = self.read()?;
                let naming = self.settings().ok()?.naming;
                let (names, _) =
                    name_outputs(&workflow, &naming, &PreviousNames::from_workflow(&workflow));
                let (wired, _) = wiring::wire(&workflow, &ControlFlowGraph::new(&workflow), &names);
                Some(to_json(&export::all_mappings(&workflow, &names, &wired)))
            }
            "markdown" | "nodes" => Some(self.context()?[what].clone()),
            "compiles" => Some(self.compile().0.is_some().into()),
            "compiled" => Some(to_json(&self.compile().0?.mappings())),
            "json" => Some(to_json(&self.compile().0?.to_value())),
            "mermaid" => Some(self.compile().0?.to_mermaid().into()),
            _ => diagnostics_aspect(&self.compile().1, self.text.as_deref(), what),
        }
    }
}

/// Host that responds from the data of a case.
struct Host {
    /// Output keys by node id.
    declared: HashMap<String, Vec<String>>,
    types: Vec<String>,
    script: Json,
    calls: Vec<Json>,
    counts: HashMap<String, usize>,
    events: Vec<Json>,
    full_events: Vec<Json>,
}

/// Action of the host on a call.
enum HostAction {
    Responds(HostResponse),
    Hangs,
    Aborts,
}

impl Host {
    fn new(input: &CaseInput, run: &Json) -> Host {
        let workflow = reader::read(&input.workflow, &input.registry).0.unwrap();
        let declared = workflow.nodes.iter().map(|node| {
            (
                node.id.to_string(),
                node.outputs
                    .iter()
                    .map(|output| output.key.to_string())
                    // The run itself writes the failures of a node.
                    .filter(|key| !key.starts_with(&format!("{}.", node.id)))
                    .collect(),
            )
        });
        Host {
            declared: declared.collect(),
            types: workflow.nodes.iter().map(|node| node.kind.to_string()).collect(),
            script: run["script"].clone(),
            calls: Vec::new(),
            counts: HashMap::new(),
            events: Vec::new(),
            full_events: Vec::new(),
        }
    }

    /// Runs a workflow. The last call responds first, so the order of responses differs from the order of
    /// calls.
    fn run(&mut self, flow: Rc<Flow>, run: &Json, trace: &Json) -> Result<Json, String> {
        let count = |key: &str| run[key].as_u64().map(|count| count as usize);
        let options = RunOptions {
            inputs: run
                .get("inputs")
                .map(|inputs| to_value(inputs).as_map().unwrap().clone())
                .unwrap_or_default(),
            types: self.types.clone(),
            concurrency: count("concurrency").unwrap_or(1),
            max_steps: count("maxSteps"),
            max_bytes: count("maxBytes"),
            events: true,
            resume: run.get("resume").map(|_| to_value(trace)),
            ..RunOptions::default()
        };
        let mut clock = 0.0;
        let (mut run, mut update) = Run::begin(flow, options, HostTime { time: NOW, clock });
        let mut open = Vec::new();
        loop {
            self.full_events.extend(update.events.iter().map(to_json));
            self.events.extend(update.events.iter().map(|event| event_name(&to_json(event))));
            if let Some(done) = &update.done {
                let done = to_json(done);
                self.expect_used()?;
                return Ok(done);
            }
            let mut aborts = false;
            for effect in std::mem::take(&mut update.effects) {
                match self.perform(&effect) {
                    (invocation, HostAction::Responds(response)) => {
                        open.push((invocation, response))
                    }
                    (_, HostAction::Hangs) => {}
                    (_, HostAction::Aborts) => aborts = true,
                }
            }
            clock += 1.0;
            let now = HostTime { time: NOW, clock };
            update = if aborts {
                run.cancel(now)
            } else {
                let (invocation, response) = open.pop().ok_or("the run has no open call")?;
                run.resume(invocation, response, now)
            };
        }
    }

    fn perform(&mut self, effect: &HostRequest) -> (usize, HostAction) {
        let (invocation, id, call, attempt, timeout) = match effect {
            HostRequest::Wait { invocation, .. } => {
                return (*invocation, HostAction::Responds(HostResponse::Value(Value::Null)));
            }
            HostRequest::Call { invocation, node, call, attempt, timeout_ms, .. } => {
                (*invocation, node, call, *attempt, timeout_ms)
            }
        };
        let name = if attempt > 1 { format!("{id} again") } else { id.to_string() };
        let mut called = vec![json!(name), to_json(&call.inputs.clone().into())];
        if !call.params.is_empty() {
            called.push(to_json(&call.params.clone().into()));
        }
        self.calls.push(called.into());
        let count = self.counts.entry(id.to_string()).or_default();
        let answers = list(&self.script[&**id]);
        let answer = answers.get((*count).min(answers.len().saturating_sub(1)));
        let answer = answer.cloned().unwrap_or_else(|| json!({}));
        *count += 1;
        let failed = |why: &str| HostAction::Responds(HostResponse::Failed(why.to_owned()));
        let action = match (answer["$throw"].as_str(), timeout) {
            (Some(why), _) => failed(why),
            (None, Some(time)) if answer.get("$hang").is_some() => {
                let error = format!("no response within {time} ms");
                HostAction::Responds(HostResponse::TimedOut(error))
            }
            _ if answer.get("$hang").is_some() => HostAction::Hangs,
            _ if answer.get("$abort").is_some() => HostAction::Aborts,
            _ => HostAction::Responds(HostResponse::Value(to_value(&self.answer(id, &answer)))),
        };
        (invocation, action)
    }

    fn answer(&self, id: &str, answer: &Json) -> Json {
        if let Some(returned) = answer.get("$return") {
            return returned.clone();
        }
        let mut outputs = Map::new();
        for key in &self.declared[id] {
            outputs.insert(key.clone(), format!("{id} {key}").into());
        }
        for (key, value) in answer.as_object().into_iter().flatten() {
            match value.get("$leave") {
                _ if key == "action" => {}
                Some(_) => drop(outputs.remove(key)),
                None => drop(outputs.insert(key.clone(), value.clone())),
            }
        }
        match answer.get("action") {
            Some(action) => json!({"outputs": outputs, "action": action}),
            None => json!({"outputs": outputs}),
        }
    }

    fn expect_used(&self) -> Checked {
        for (id, script) in self.script.as_object().into_iter().flatten() {
            let count = self.counts.get(id).copied().unwrap_or_default();
            if script.as_array().is_some_and(|answers| count < answers.len()) {
                return Err(format!("{id} was called {count} times"));
            }
        }
        Ok(())
    }

    fn aspect(&self, done: &Json, what: &str) -> Option<Json> {
        let diagnostics = list(&done["diagnostics"]);
        let words = |key: &str| {
            let each =
                diagnostics.iter().map(|diagnostic| diagnostic[key].as_str().unwrap_or_default());
            Some(each.collect::<Vec<_>>().join("\n").into())
        };
        match what {
            "status" | "outputs" | "store" => Some(done[what].clone()),
            "calls" => Some(self.calls.clone().into()),
            "events" => Some(self.events.clone().into()),
            "steps" => Some(list(&done["trace"]["steps"]).iter().map(step_name).collect()),
            "shown" => Some(
                json!([self.full_events, done["trace"], done["diagnostics"]]).to_string().into(),
            ),
            "says" => words("message"),
            "help" => words("help"),
            "diagnostics" => {
                let each = diagnostics.iter().map(|diagnostic| {
                    let code = diagnostic["code"].as_str().unwrap();
                    match diagnostic["location"]["pointer"].as_str() {
                        Some(pointer) => format!("{code} {pointer}"),
                        None => code.to_owned(),
                    }
                });
                let mut each: Vec<String> = each.collect();
                each.sort();
                Some(json!(each))
            }
            _ => None,
        }
    }
}

fn passed(of: &Json) -> String {
    let node = of["node"].as_str().unwrap();
    match of["pass"].as_u64() {
        Some(pass) if pass > 1 => format!("{node}#{pass}"),
        _ => node.to_owned(),
    }
}

fn step_name(step: &Json) -> Json {
    format!("{} {}", passed(step), step["status"].as_str().unwrap()).into()
}

fn event_name(event: &Json) -> Json {
    let item = event["index"].as_u64().map(|index| format!("[{index}]")).unwrap_or_default();
    format!("{} {}{item}", event["kind"].as_str().unwrap(), passed(event)).into()
}
