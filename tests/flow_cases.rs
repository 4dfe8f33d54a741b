//! The flow cases of `tests/cases/flow` over the core itself, with a host that answers from the
//! data; `tests/run-flow-case.mjs` runs the same files through the facade.

#![cfg(feature = "flow")]
#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // A failed test panics.

#[path = "gasl/matching.rs"]
#[allow(dead_code, reason = "cases of GASL need more of it")]
mod matching;

use byname::base::json::{Limits, spans_at};
use byname::base::span::utf16_span;
use byname::base::{Diagnostic, Location, Value, template};
use byname::flow::analysis::Cache;
use byname::flow::compile::{Flow, Settings, compile};
use byname::flow::context::build;
use byname::flow::control::Control;
use byname::flow::generated::take_generated;
use byname::flow::naming::{Reserved, name_outputs};
use byname::flow::run::{Answer, Effect, Now, Run, Setup};
use byname::flow::workflow::Workflow;
use byname::flow::{collision, export, reading, wiring};
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
    let given = Given::new(case, registries);
    compare(&case["expect"], "", |what| given.aspect(what))?;
    for each in list(&case["templates"]) {
        let scope = each.get("scope").unwrap_or(&case["scope"]);
        let scope = to_value(scope).as_map().cloned().unwrap_or_default();
        let (value, told) = template::resolve(&to_value(&each["template"]), &scope);
        let what = format!("template {}: ", show(&each["template"]));
        compare(&each["expect"], &what, |what| match what {
            "value" => Some(to_json(&value)),
            _ => told_of(&told, None, what),
        })?;
    }
    if case.get("runs").is_none() {
        return Ok(());
    }
    let (flow, told) = given.compile();
    let flow = Rc::new(flow.ok_or_else(|| format!("does not compile: {told:?}"))?);
    let mut trace = Json::Null;
    for (index, run) in list(&case["runs"]).iter().enumerate() {
        let mut host = Host::new(&given, run);
        let done = host.run(flow.clone(), run, &trace)?;
        let what = format!("run {index}: ");
        compare(&run["expect"], &what, |what| host.aspect(&done, what))?;
        trace = done["trace"].clone();
    }
    Ok(())
}

/// Everything that is expected, against what there is.
fn compare(expected: &Json, of: &str, actual: impl Fn(&str) -> Option<Json>) -> Checked {
    for (key, each) in expected.as_object().into_iter().flatten() {
        let actual = actual(key).ok_or_else(|| format!("{of}nothing is called {key}"))?;
        matches(Some(&actual), each, &format!("{of}{key}"))?;
    }
    Ok(())
}

fn to_value(json: &Json) -> Value {
    Value::parse(json.to_string().as_bytes(), Limits::default()).0.unwrap()
}

fn to_json(value: &Value) -> Json {
    serde_json::from_str(&value.to_text()).unwrap()
}

/// Diagnostics as `CODE /pointer`, or their texts.
fn told_of(told: &[Diagnostic], text: Option<&str>, what: &str) -> Option<Json> {
    let place = |fault: &Diagnostic| {
        let span = match (&fault.location, text) {
            (Some(Location::Pointer(pointer)), Some(text)) => {
                let span = spans_at(text.as_bytes(), &[pointer]).pop().flatten();
                span.map(|span| utf16_span(text.as_bytes(), span))
            }
            (Some(Location::Span(span)), _) => Some(*span),
            _ => None,
        };
        match (span, &fault.location) {
            (Some(span), _) => format!(" {}-{}", span.start, span.end),
            (None, Some(Location::Pointer(pointer))) => format!(" {pointer}"),
            _ => String::new(),
        }
    };
    match what {
        "diagnostics" => {
            let each = told.iter().map(|fault| format!("{}{}", fault.code.id, place(fault)));
            let mut each: Vec<String> = each.collect();
            each.sort();
            Some(json!(each))
        }
        "says" => {
            let words: Vec<&str> = told.iter().map(|fault| fault.message.as_ref()).collect();
            Some(words.join("\n").into())
        }
        "help" => {
            let words = told.iter().map(|fault| fault.help.as_deref().unwrap_or_default());
            Some(words.collect::<Vec<_>>().join("\n").into())
        }
        _ => None,
    }
}

/// What a case is about.
struct Given {
    workflow: Value,
    text: Option<String>,
    faults: Vec<Diagnostic>,
    registry: Value,
    options: Json,
    /// What the planner was shown.
    context: Option<Json>,
}

impl Given {
    fn new(case: &Json, registries: &Path) -> Given {
        let registry = |of: &Json| match &of["registry"] {
            Json::Null => json!({}),
            Json::String(name) => read(&registries.join(format!("{name}.json"))),
            registry => registry.clone(),
        };
        let text = case["text"].as_str().map(str::to_owned);
        let written = text.clone().unwrap_or_else(|| case["workflow"].to_string());
        let (workflow, faults) = Value::parse(written.as_bytes(), Limits::default());
        let options = case.get("options").cloned().unwrap_or_else(|| json!({}));
        let mut given = Given {
            workflow: workflow.unwrap_or_default(),
            text,
            faults,
            registry: to_value(&registry(case)),
            options,
            context: None,
        };
        if let Some(plan) = case.get("plan") {
            let planned = Given {
                workflow: to_value(&plan["workflow"]),
                registry: to_value(&registry(plan)),
                text: None,
                faults: Vec::new(),
                options: given.options.clone(),
                context: None,
            };
            given.context = planned.context();
        }
        given
    }

    fn settings(&self) -> Result<Settings, Diagnostic> {
        let mut options = self.options.clone();
        if let Some(context) = &self.context {
            options["context"] = context.clone();
        }
        Settings::read(&to_value(&options))
    }

    fn compile(&self) -> (Option<Flow>, Vec<Diagnostic>) {
        if !self.faults.is_empty() {
            return (None, self.faults.clone());
        }
        match self.settings() {
            Ok(settings) => {
                compile(&self.workflow, &self.registry, &settings, &mut Cache::default())
            }
            Err(fault) => (None, vec![fault]),
        }
    }

    fn read(&self) -> Option<Workflow> {
        let mut workflow = reading::read(&self.workflow, &self.registry).0?;
        take_generated(&mut workflow, &self.settings().ok()?.naming);
        Some(workflow)
    }

    fn context(&self) -> Option<Json> {
        let workflow = self.read()?;
        let settings = self.settings().ok()?;
        let (names, _) = name_outputs(&workflow, &settings.naming, &Reserved::of(&workflow));
        let built = build(&workflow, &names, &settings.naming, settings.budget);
        Some(to_json(&built.to_value().into()))
    }

    fn aspect(&self, what: &str) -> Option<Json> {
        match what {
            "assigned" => Some(to_json(&reading::assign_ids(&self.workflow))),
            "collisions" => {
                let workflow = self.read()?;
                let each = collision::detect_collisions(&workflow.nodes).into_iter().map(|one| {
                    let ids = one.writers.iter().map(|place| &*workflow.nodes[*place].id);
                    json!({"key": &*one.name, "writers": ids.collect::<Vec<_>>()})
                });
                Some(each.collect())
            }
            "mappings" => {
                let workflow = self.read()?;
                let naming = self.settings().ok()?.naming;
                let (names, _) = name_outputs(&workflow, &naming, &Reserved::of(&workflow));
                let (wired, _) = wiring::wire(&workflow, &Control::new(&workflow), &names);
                Some(to_json(&export::all_mappings(&workflow, &names, &wired)))
            }
            "markdown" | "nodes" => Some(self.context()?[what].clone()),
            "compiles" => Some(self.compile().0.is_some().into()),
            "compiled" => Some(to_json(&self.compile().0?.mappings())),
            "json" => Some(to_json(&self.compile().0?.to_value())),
            "mermaid" => Some(self.compile().0?.to_mermaid().into()),
            _ => told_of(&self.compile().1, self.text.as_deref(), what),
        }
    }
}

/// Answers calls from the data of a case.
struct Host {
    /// The keys that a node declares, by its id.
    declared: HashMap<String, Vec<String>>,
    types: Vec<String>,
    script: Json,
    calls: Vec<Json>,
    counts: HashMap<String, usize>,
    events: Vec<Json>,
    told: Vec<Json>,
}

/// What the host does when it is called.
enum Doing {
    Answers(Answer),
    Hangs,
    Aborts,
}

impl Host {
    fn new(given: &Given, run: &Json) -> Host {
        let workflow = reading::read(&given.workflow, &given.registry).0.unwrap();
        let declared = workflow.nodes.iter().map(|node| {
            (
                node.id.to_string(),
                node.outputs.iter().map(|output| output.key.to_string()).collect(),
            )
        });
        Host {
            declared: declared.collect(),
            types: workflow.nodes.iter().map(|node| node.kind.to_string()).collect(),
            script: run["script"].clone(),
            calls: Vec::new(),
            counts: HashMap::new(),
            events: Vec::new(),
            told: Vec::new(),
        }
    }

    /// Whoever was called last answers first, so that with several at work the order is not that
    /// of the calls.
    fn run(&mut self, flow: Rc<Flow>, run: &Json, trace: &Json) -> Result<Json, String> {
        let count = |key: &str| run[key].as_u64().map(|count| count as usize);
        let setup = Setup {
            inputs: run
                .get("inputs")
                .map(|inputs| to_value(inputs).as_map().unwrap().clone())
                .unwrap_or_default(),
            types: self.types.clone(),
            concurrency: count("concurrency").unwrap_or(1),
            max_steps: count("maxSteps"),
            events: true,
            resume: run.get("resume").map(|_| to_value(trace)),
            cancelled: false,
        };
        let mut clock = 0.0;
        let (mut run, mut turn) = Run::begin(flow, setup, Now { time: NOW, clock });
        let mut open = Vec::new();
        loop {
            self.told.extend(turn.events.iter().map(to_json));
            self.events.extend(turn.events.iter().map(|event| event_name(&to_json(event))));
            if let Some(done) = &turn.done {
                let done = to_json(done);
                self.expect_used()?;
                return Ok(done);
            }
            let mut aborts = false;
            for effect in std::mem::take(&mut turn.effects) {
                match self.perform(&effect) {
                    (number, Doing::Answers(answer)) => open.push((number, answer)),
                    (_, Doing::Hangs) => {}
                    (_, Doing::Aborts) => aborts = true,
                }
            }
            clock += 1.0;
            let now = Now { time: NOW, clock };
            turn = if aborts {
                run.cancel(now)
            } else {
                let (number, answer) = open.pop().ok_or("the run waits for nobody")?;
                run.resume(number, answer, now)
            };
        }
    }

    fn perform(&mut self, effect: &Effect) -> (usize, Doing) {
        let (number, id, call, attempt, timeout) = match effect {
            Effect::Wait { number, .. } => {
                return (*number, Doing::Answers(Answer::Value(Value::Null)));
            }
            Effect::Call { number, node, call, attempt, timeout_ms, .. } => {
                (*number, node, call, *attempt, timeout_ms)
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
        let failed = |why: &str| Doing::Answers(Answer::Failed(why.to_owned()));
        let doing = match (answer["$throw"].as_str(), timeout) {
            (Some(why), _) => failed(why),
            (None, Some(time)) if answer.get("$hang").is_some() => {
                failed(&format!("no answer within {time} ms"))
            }
            _ if answer.get("$hang").is_some() => Doing::Hangs,
            _ if answer.get("$abort").is_some() => Doing::Aborts,
            _ => Doing::Answers(Answer::Value(to_value(&self.answer(id, &answer)))),
        };
        (number, doing)
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
            let each = diagnostics.iter().map(|fault| fault[key].as_str().unwrap_or_default());
            Some(each.collect::<Vec<_>>().join("\n").into())
        };
        match what {
            "status" | "outputs" | "store" => Some(done[what].clone()),
            "calls" => Some(self.calls.clone().into()),
            "events" => Some(self.events.clone().into()),
            "steps" => Some(list(&done["trace"]["steps"]).iter().map(step_name).collect()),
            "shown" => {
                Some(json!([self.told, done["trace"], done["diagnostics"]]).to_string().into())
            }
            "says" => words("message"),
            "help" => words("help"),
            "diagnostics" => {
                let each = diagnostics.iter().map(|fault| {
                    let code = fault["code"].as_str().unwrap();
                    match fault["location"]["pointer"].as_str() {
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
    let item = event["item"].as_u64().map(|item| format!("[{item}]")).unwrap_or_default();
    format!("{} {}{item}", event["kind"].as_str().unwrap(), passed(event)).into()
}
