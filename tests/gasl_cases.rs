//! Runs the GASL cases of `tests/cases/gasl` against the core, with a host that responds from the
//! data. `tests/run-gasl-case.mjs` runs the same files through the facade.

#![cfg(feature = "gasl")]
#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // A failed test panics.

#[path = "gasl/adapter.rs"]
mod adapter;
#[path = "gasl/checking.rs"]
mod checking;
#[path = "gasl/matching.rs"]
mod matching;
#[path = "gasl/replaying.rs"]
mod replaying;

use adapter::Adapter;
use byname::base::json::Limits;
use byname::base::{Diagnostic, Value};
use byname::gasl::caps::Ceilings;
use byname::gasl::citation_policy::CitationPolicy;
use byname::gasl::core::SessionSetup;
use byname::gasl::effect::{Effect, Event, HostResponse, Progress};
use byname::gasl::graph::Graph;
use byname::gasl::graph_access::GraphAccess;
use byname::gasl::import::{self, CsvImporter, ImportOptions, ImportResult};
use byname::gasl::model::exchange::Question;
use byname::gasl::recording;
use byname::gasl::session::{self, Session, SessionOptions, TaskUpdate};
use byname::gasl::session_limits::SessionLimits;
use byname::gasl::task::solve::SolveBudget;
use checking::{check_checked, check_plan, check_record, check_solved};
use matching::{Checked, compare_codes, expand, list, matches, part, show};
use serde_json::{Value as Json, json};
use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::rc::Rc;

const NOW: &str = "2026-01-02T03:04:05.000Z";

#[test]
fn gasl_cases() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/gasl");
    let mut failures = Vec::new();
    let mut ran = 0;
    let files = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
    for path in files.filter(|path| path.extension().is_some_and(|end| end == "json")) {
        let text = fs::read_to_string(&path).unwrap();
        let cases: Vec<Json> =
            serde_json::from_str(&text).unwrap_or_else(|error| panic!("{path:?}: {error}"));
        for case in cases.iter().filter(|case| case.get("pending").is_none()) {
            ran += 1;
            if let Err(failure) = run(&expand(case), &folder.join("graphs")) {
                failures.push(format!("{}\n    {failure}", case["name"]));
            }
        }
    }
    assert!(ran > 150, "{ran} cases");
    assert!(failures.is_empty(), "{} of {ran}:\n{}", failures.len(), failures.join("\n"));
}

fn run(case: &Json, graphs: &Path) -> Checked {
    let modes: &[bool] = match &case["adapter"] {
        Json::Bool(true) | Json::Object(_) => &[true],
        Json::String(_) => &[false, true],
        _ => &[false],
    };
    modes.iter().try_for_each(|remote| {
        let over = if *remote { "over an adapter: " } else { "" };
        run_over(case, *remote, graphs).map_err(|failure| format!("{over}{failure}"))
    })
}

fn run_over(case: &Json, remote: bool, graphs: &Path) -> Checked {
    let named = |name: &str| -> Json {
        let text = fs::read_to_string(graphs.join(format!("{name}.json"))).unwrap();
        serde_json::from_str(&text).unwrap()
    };
    let graph = match &case["graph"] {
        Json::Null => named("people"),
        Json::String(name) => named(name),
        graph => graph.clone(),
    };
    let mut imported = Vec::new();
    let ground = if remote {
        None
    } else {
        let (imported_graph, warnings) = read(&graph).map_err(|errors| format!("{errors:?}"))?;
        imported = warnings;
        Some(Rc::new(imported_graph))
    };
    let session = begin(source(&ground), &case["options"], case.get("model").is_some());
    if let Some(codes) = case.get("constructorThrows") {
        let Err(error) = session else { return Err("the constructor did not throw".to_owned()) };
        return compare_codes(vec![error.code.id], codes, "thrown");
    }
    let mut run = Run {
        session: session.map_err(|error| format!("{error:?}"))?,
        sessions: HashMap::new(),
        hashes: HashMap::new(),
        adapter: Adapter::new(&graph),
        answers: case["adapter"].get("answers").map(list),
        ground,
        imported,
        graphs: graphs.to_owned(),
        replies: list(&case["model"]),
        asked: Vec::new(),
        count: 0,
        failure: None,
    };
    for (index, step) in list(&case["steps"]).iter().enumerate() {
        run.step(step).map_err(|failure| format!("step {index} {}\n    {failure}", show(step)))?;
        if let Some(failure) = run.failure.take() {
            return Err(format!("step {index}: {failure}"));
        }
    }
    run.replies.retain(|reply| reply.get("$repeat").is_none());
    match run.replies.as_slice() {
        [] => Ok(()),
        left => Err(format!("the model was not asked for {left:?}")),
    }
}

fn source(ground: &Option<Rc<Graph>>) -> GraphAccess {
    ground.clone().map_or_else(GraphAccess::remote, GraphAccess::Memory)
}

fn read(graph: &Json) -> ImportResult {
    let limits = import::ImportLimits::default();
    if let Some(text) = graph["graphml"].as_str() {
        return import::import_graphml(text.as_bytes(), limits);
    }
    if let Some(tables) = graph.get("csv") {
        let text = |key: &str| tables[key].as_str().unwrap_or_default().as_bytes().to_vec();
        let mut csv =
            CsvImporter::new(ImportOptions::with_direction(tables["directed"].as_bool()), limits);
        let mut warnings = csv.read_nodes(&text("nodes"))?;
        warnings.extend(csv.read_edges(&text("edges"))?);
        let (graph, more) = csv.finish()?;
        warnings.extend(more);
        return Ok((graph, warnings));
    }
    import::read_node_link(graph.to_string().as_bytes(), limits)
}

/// Opens a session as the JavaScript bindings do.
fn begin(graph: GraphAccess, options: &Json, has_model: bool) -> Result<Session, Diagnostic> {
    let text = |key: &str| options[key].as_str().map(str::to_owned);
    let number = |key: &str| options[key].as_f64();
    let setup = SessionSetup {
        retries: number("retries").unwrap_or_default() as usize,
        result_tokens: number("resultTokens").map(|count| count as usize),
        citations: text("citations").as_deref().and_then(CitationPolicy::parse),
        ceilings: Ceilings::read(&to_value(&options["ceilings"]))?,
        limits: SessionLimits::read(&to_value(&options["limits"])),
        has_model,
        ..SessionSetup::default()
    };
    let session_options = SessionOptions {
        setup,
        query: text("query"),
        model: text("model"),
        seed: number("seed"),
        caps: to_value(&options["caps"]),
    };
    let state = options.get("state").map(to_value);
    Session::open(graph, session_options, state.as_ref(), NOW)
}

fn to_value(json: &Json) -> Value {
    Value::parse(json.to_string().as_bytes(), Limits::default()).0.unwrap()
}

fn to_json(value: &Value) -> Json {
    serde_json::from_str(&value.to_text()).unwrap()
}

struct Run {
    session: Session,
    sessions: HashMap<String, Session>,
    hashes: HashMap<String, Json>,
    adapter: Adapter,
    /// Fixed responses of the adapter.
    answers: Option<Vec<Json>>,
    /// Graph in memory; `None` for a remote graph.
    ground: Option<Rc<Graph>>,
    imported: Vec<Diagnostic>,
    graphs: std::path::PathBuf,
    replies: Vec<Json>,
    asked: Vec<Json>,
    count: usize,
    /// Error in a callback.
    failure: Option<String>,
}

/// Conditions under which the host stops a step.
struct Stopping {
    after_step: Option<u64>,
    on_ask: Option<u64>,
    records: Vec<Json>,
    asked_before: usize,
    stopped: bool,
}

impl Run {
    fn step(&mut self, step: &Json) -> Checked {
        let expected = step.get("expect").cloned().unwrap_or_else(|| json!({}));
        let (key, argument) = step.as_object().unwrap().iter().next().unwrap();
        let text = argument.as_str().unwrap_or_default();
        match key.as_str() {
            "execute" => {
                let why = step["why"].as_str().unwrap_or_default();
                let turn = self.session.execute(text, why, NOW);
                let (record, _) = self.drive(turn, step)?;
                check_record(&record, &expected, "record")
            }
            "where" => {
                let turn =
                    self.session.execute(&format!("FIND nodes WHERE {text} AS found"), "", NOW);
                let (record, _) = self.drive(turn, step)?;
                let status = if list(&step["ids"]).is_empty() { "empty" } else { "success" };
                let codes = step.get("codes").cloned().unwrap_or_else(|| json!([]));
                check_record(&record, &json!({"status": status, "codes": codes}), "record")?;
                let found = self.session.variable("found").map(|value| to_json(&value));
                let expected = json!({"$column": {"of": "id", "is": step["ids"]}});
                matches(found.as_ref(), &expected, "found")
            }
            "assert" => {
                let turn = self.session.execute(&format!("ASSERT {text}"), "", NOW);
                let (record, _) = self.drive(turn, step)?;
                let status = if step["holds"] == json!(true) { "success" } else { "error" };
                check_record(&record, &json!(status), "record")
            }
            "plan" => {
                let id = step.get("id").cloned().unwrap_or_else(|| json!("p"));
                let mut plan = json!({"plan_id": id, "why": "because", "commands": argument});
                if let Some(config) = step.get("config") {
                    plan["config"] = config.clone();
                }
                self.run(&plan, step, &expected)
            }
            "run" => self.run(argument, step, &expected),
            "solve" => {
                let options = &step["options"];
                let default = SolveBudget::default();
                let limit = |key: &str, default: usize| {
                    options[key].as_u64().map_or(default, |limit| limit as usize)
                };
                let budget = SolveBudget {
                    plans: limit("maxPlans", default.plans),
                    calls: limit("maxCalls", default.calls),
                    tokens: limit("maxTokens", default.tokens),
                    steps: limit("maxSteps", default.steps),
                };
                let turn = self.session.solve(text, budget, NOW);
                let (solved, _) = self.drive(turn, step)?;
                check_solved(&solved, &expected)
            }
            "check" => {
                let diagnostics = session::check(text);
                let found = diagnostics.iter().map(|one| to_json(&one.to_value()));
                check_checked(&found.collect(), &expected)
            }
            "variable" => {
                let found = self.session.variable(text).map(|value| to_json(&value));
                matches(found.as_ref(), &expected, "variable")
            }
            "state" => {
                let state = to_json(&self.session.state());
                matches(state.pointer(text), &expected, "state")
            }
            "recording" => {
                let recording = to_json(&self.session.recording());
                matches(recording.pointer(text), &expected, "recording")
            }
            "evidence" => {
                let found = self.session.evidence(text).map_or(json!([]), |found| to_json(&found));
                matches(Some(&found), &expected, "evidence")
            }
            "snapshot" => part(&to_json(&self.session.current_snapshot()), argument, "snapshot"),
            "snapshots" => {
                matches(Some(&to_json(&self.session.snapshots())), argument, "snapshots")
            }
            "remember" => {
                let hash = self.hash();
                self.hashes.insert(text.to_owned(), hash);
                Ok(())
            }
            "sameHash" | "otherHash" => {
                let same = self.hashes.get(text) == Some(&self.hash());
                let expects_same = key == "sameHash";
                if same == expects_same { Ok(()) } else { Err(format!("{}", self.hash())) }
            }
            "fork" => {
                let hash = self.hashes.get(text).and_then(Json::as_str);
                let fork = self.session.fork(hash).ok_or("there is no such snapshot")?;
                let old = std::mem::replace(&mut self.session, fork);
                if let Some(name) = step["from"].as_str() {
                    self.sessions.insert(name.to_owned(), old);
                }
                Ok(())
            }
            "forkThrows" => match self.session.fork(Some(text)) {
                None => Ok(()),
                Some(_) => Err("did not throw".to_owned()),
            },
            "use" => {
                self.session = self.sessions.remove(text).ok_or("no such session")?;
                Ok(())
            }
            "replay" => self.replay(step, text == "strict"),
            "asked" => {
                let asked = Json::Array(std::mem::take(&mut self.asked));
                matches(Some(&asked), argument, "asked")
            }
            "queries" if self.ground.is_some() => Ok(()),
            "queries" => {
                let asked = Json::Array(std::mem::take(&mut self.adapter.asked));
                matches(Some(&asked), argument, "queries")
            }
            "imported" => {
                let codes = self.imported.iter().map(|one| one.code.id).collect();
                compare_codes(codes, argument, "imported")
            }
            other => Err(format!("unknown action {other}")),
        }
    }

    fn hash(&self) -> Json {
        to_json(&self.session.current_snapshot())["hash"].clone()
    }

    fn run(&mut self, plan: &Json, step: &Json, expected: &Json) -> Checked {
        let turn = self.session.run(&to_value(plan), NOW);
        let (result, records) = self.drive(turn, step)?;
        if result["records"] != Json::Array(records) {
            return Err(format!("the listener did not receive {result}"));
        }
        check_plan(&result, expected, "plan")
    }

    /// Runs a task to its end and responds to each effect; returns its result and the records.
    fn drive(&mut self, first: TaskUpdate, step: &Json) -> Result<(Json, Vec<Json>), String> {
        let mut stopping = Stopping {
            after_step: step["abortAfterStep"].as_u64(),
            on_ask: step["abortOnAsk"].as_u64(),
            records: Vec::new(),
            asked_before: self.count,
            stopped: step["abortAfterStep"] == json!(0),
        };
        let mut turn = first;
        let mut cancelled = false;
        loop {
            for event in std::mem::take(&mut turn.events) {
                if let Event::Step(record) = event {
                    stopping.records.push(to_json(&record));
                    stopping.stopped |= stopping.after_step == Some(stopping.records.len() as u64);
                }
            }
            let task = turn.task;
            let effect = match turn.next {
                Progress::Done(value) => return Ok((to_json(&value), stopping.records)),
                Progress::Need(effect) => effect,
            };
            if !stopping.stopped || cancelled {
                let answer = self.perform(effect, &mut stopping)?;
                if !stopping.stopped || cancelled {
                    turn = self.session.resume(task, answer, NOW).ok_or("the task is gone")?;
                    continue;
                }
            }
            cancelled = true;
            turn = self.session.cancel(task, "aborted", NOW).ok_or("the task is gone")?;
        }
    }

    fn perform(&mut self, effect: Effect, stopping: &mut Stopping) -> Result<HostResponse, String> {
        match effect {
            Effect::Continue | Effect::Yield | Effect::Save => Ok(HostResponse::Value(Value::Null)),
            Effect::Query(kind, query) => Ok(match &mut self.answers {
                None => HostResponse::Value(to_value(&self.adapter.answer(kind, &to_json(&query)))),
                Some(answers) => {
                    let answer = answers.remove(0);
                    match answer.get("$throw").and_then(Json::as_str) {
                        Some(why) => HostResponse::Failed(why.to_owned().into()),
                        None => HostResponse::Value(to_value(&answer)),
                    }
                }
            }),
            Effect::Ask(question) => self.reply(&question, stopping),
        }
    }

    fn reply(
        &mut self,
        question: &Question,
        stopping: &mut Stopping,
    ) -> Result<HostResponse, String> {
        self.asked.push(request(question));
        self.count += 1;
        let nth = (self.count - stopping.asked_before) as u64;
        stopping.stopped |= stopping.on_ask == Some(nth);
        let Some(first) = self.replies.first().cloned() else {
            return Err(format!("asked more often than scripted: {question:?}"));
        };
        if self.count >= 400 {
            return Err("the model is asked for ever".to_owned());
        }
        let reply = match first.get("$repeat") {
            Some(reply) => reply.clone(),
            None => self.replies.remove(0),
        };
        self.answer(reply, stopping)
    }

    fn answer(&mut self, reply: Json, stopping: &Stopping) -> Result<HostResponse, String> {
        let failed = |why: &str| Ok(HostResponse::Failed(why.to_owned().into()));
        if let Some(why) = reply.get("$throw") {
            return failed(why.as_str().unwrap());
        }
        if reply.get("$hang").is_some() {
            return if stopping.stopped { failed("aborted") } else { Err("it hangs".to_owned()) };
        }
        if let Some(returned) = reply.get("$return") {
            return plain(returned);
        }
        if let Some(last) = reply.get("reply") {
            let mut step = json!({});
            for (key, inside) in
                [("execute", "$execute"), ("run", "$run"), ("remember", "$remember")]
            {
                if let Some(argument) = reply.get(inside) {
                    step[key] = argument.clone();
                    step["expect"] = reply.get("expect").cloned().unwrap_or_else(|| json!({}));
                }
            }
            if let Err(failure) = self.step(&step) {
                self.failure = Some(format!("in the callback: {failure}"));
            }
            return self.answer(last.clone(), stopping);
        }
        plain(&reply)
    }
}

/// Converts the return value of a callback as the facade does.
fn plain(reply: &Json) -> Result<HostResponse, String> {
    Ok(match reply {
        Json::String(text) => HostResponse::Value(to_value(&json!({"text": text}))),
        Json::Object(_) | Json::Array(_) => HostResponse::Value(to_value(reply)),
        other => HostResponse::Failed(format!("it answered {other}").into()),
    })
}

fn request(question: &Question) -> Json {
    let mut request = json!({
        "task": question.task, "system": question.system, "prompt": question.prompt,
        "temperature": 0, "attempt": question.attempt,
    });
    if let Some(schema) = &question.schema {
        request["schema"] = to_json(schema);
        request["schemaName"] = json!(question.schema_name);
    }
    if !list(&to_json(&question.previous)).is_empty() {
        request["previousError"] = to_json(&question.previous);
    }
    request
}
