//! GASL sessions. All data crosses as JSON text, because there are few calls per step.

use super::{Graph, to_rust_string, without_location};
use crate::base::json::Limits;
use crate::base::{Diagnostic, Value};
use crate::gasl::caps::Ceilings;
use crate::gasl::citation_policy::CitationPolicy;
use crate::gasl::codes;
use crate::gasl::core::SessionSetup;
use crate::gasl::effect::{Effect, Event, HostFailure, HostResponse, Progress};
use crate::gasl::graph_access::GraphAccess;
use crate::gasl::remote::RemoteGraph;
use crate::gasl::session::{self, SessionOptions, TaskUpdate};
use crate::gasl::session_limits::SessionLimits;
use crate::gasl::state_difference::state_changes;
use crate::gasl::task::solve::SolveBudget;
use crate::gasl::{grammar, recording, reference};
use js_sys::JsString;
use slab::Slab;
use std::rc::Rc;
use wasm_bindgen::prelude::*;

/// A GASL session.
#[wasm_bindgen]
pub struct Session {
    core: session::Session,
    /// Earlier states that the host compares; they share their values with the current one.
    captures: Slab<Value>,
}

impl Session {
    fn new(core: session::Session) -> Session {
        Session { core, captures: Slab::default() }
    }
}

/// Returns JSON text of diagnostics, which is thrown if a session cannot be created.
fn to_thrown_json(error: &Diagnostic) -> JsValue {
    JsValue::from_str(&Value::list(vec![error.to_value()]).to_text())
}

/// Parses JSON of the host. A state or recording is large and adds nesting depth to its values.
fn parse_host_json(text: &str) -> Result<Value, Diagnostic> {
    let limits = Limits { bytes: usize::MAX, depth: 2 * Limits::default().depth };
    Value::read(text.as_bytes(), limits).map_err(without_location)
}

#[wasm_bindgen]
impl Session {
    /// Returns a session over a graph in memory.
    pub fn over(graph: &Graph, options: &JsString, now: &JsString) -> Result<Session, JsValue> {
        let graph = GraphAccess::Memory(graph.graph.clone());
        begin(graph, &to_rust_string(options), &to_rust_string(now))
            .map_err(|error| to_thrown_json(&error))
    }

    /// Returns a session over a graph that the host queries.
    pub fn remote(options: &JsString, now: &JsString) -> Result<Session, JsValue> {
        let options = to_rust_string(options);
        let graph = remote_graph(&options).map_err(|error| to_thrown_json(&error))?;
        begin(graph, &options, &to_rust_string(now)).map_err(|error| to_thrown_json(&error))
    }

    /// Begins a task. `execute` runs a command with its reason, and `give_up` records one that was
    /// cancelled before. `plan` runs a plan: the JSON text of an object, or of the text of a model.
    /// `resume` continues the interrupted plan, `solve` runs the loop with its budget, and
    /// `propose` requests possible next steps. Returns the state of the task; `None` if there is
    /// nothing to begin.
    pub fn begin(
        &mut self,
        what: &JsString,
        given: &JsString,
        beside: &JsString,
        now: &JsString,
    ) -> Option<JsString> {
        let (given, beside, now) =
            (&*to_rust_string(given), &*to_rust_string(beside), &*to_rust_string(now));
        let turn = match &*to_rust_string(what) {
            "execute" => self.core.execute(given, beside, now),
            "give_up" => self.core.record_cancelled(given, beside, now),
            // The session reports why a text is not JSON.
            "plan" => {
                let plan = Value::read(given.as_bytes(), Limits::default());
                self.core.run(&plan.unwrap_or_else(|_| given.into()), now)
            }
            "resume" => self.core.resume_interrupted(now)?,
            "solve" => {
                self.core.solve(given, budget_of(&parse_host_json(beside).unwrap_or_default()), now)
            }
            "propose" => self.core.propose(given),
            _ => return None,
        };
        Some(self.update_text(turn))
    }

    /// Continues a task with `{value}`, or with `{failed, help?, transient?}`.
    pub fn resume(&mut self, task: usize, answer: &JsString, now: &JsString) -> Option<JsString> {
        // The rows of a database may be longer than a reply of a model.
        let limits = Limits { bytes: usize::MAX, ..Limits::default() };
        let answer = Value::read(to_rust_string(answer).as_bytes(), limits);
        let answer =
            answer.unwrap_or_else(|why| Value::map([("failed", Value::from(why.message))]));
        let text = |key: &str| answer.get(key).and_then(Value::as_text).map(str::to_owned);
        let failure = text("failed").map(|why| HostFailure { why, help: text("help") });
        let answer = match failure {
            Some(failure) if answer.get("transient") == Some(&Value::Bool(true)) => {
                HostResponse::Interrupted(failure)
            }
            Some(failure) => HostResponse::Failed(failure),
            None => HostResponse::Value(answer.get("value").cloned().unwrap_or_default()),
        };
        let turn = self.core.resume(task, answer, &to_rust_string(now))?;
        Some(self.update_text(turn))
    }

    /// Cancels a task for a reason.
    pub fn cancel(&mut self, task: usize, why: &JsString, now: &JsString) -> Option<JsString> {
        let turn = self.core.cancel(task, &to_rust_string(why), &to_rust_string(now))?;
        Some(self.update_text(turn))
    }

    /// Returns the value of a name; of a list, at most `limit` rows from the one at `offset`.
    pub fn variable(&self, name: &JsString, offset: usize, limit: usize) -> Option<JsString> {
        self.core.variable_page(&to_rust_string(name), offset, limit).map(JsString::from)
    }

    /// Returns a part of the session as JSON. `variable` is the value of a name, and `remote` the
    /// query of rows that the host has not sent. `evidence` is the findings of a key with their
    /// sources, and `recording` the input of a replay. The others are the complete `state`, its
    /// `summary`, its `snapshot`, and all `snapshots`.
    pub fn show(&self, what: &JsString, name: &JsString) -> Option<JsString> {
        let name = &*to_rust_string(name);
        let shown = match &*to_rust_string(what) {
            "remote" => self.core.remote_query(name)?,
            "variable" => return self.core.variable_text(name).map(JsString::from),
            "evidence" => self.core.evidence(name)?,
            "state" => self.core.state(),
            "summary" => self.core.summary(),
            "snapshot" => self.core.current_snapshot(),
            "snapshots" => self.core.snapshots(),
            "recording" => self.core.recording(),
            _ => return None,
        };
        Some(shown.to_text().into())
    }

    /// Captures the current state. Returns its number.
    pub fn capture(&mut self) -> usize {
        self.captures.insert(self.core.state())
    }

    /// Returns a captured state.
    pub fn captured(&self, capture: usize) -> Option<JsString> {
        Some(self.captures.get(capture)?.to_text().into())
    }

    /// Returns the changes from one captured state to another.
    pub fn changes(&self, from: usize, to: usize) -> Option<JsString> {
        let changes = state_changes(self.captures.get(from)?, self.captures.get(to)?);
        Some(changes.to_text().into())
    }

    /// Forgets a captured state.
    pub fn release(&mut self, capture: usize) {
        self.captures.try_remove(capture);
    }

    /// Returns an independent session; `None` if the snapshot does not exist.
    pub fn fork(&self, hash: Option<JsString>) -> Option<Session> {
        self.core.fork(hash.map(|hash| to_rust_string(&hash)).as_deref()).map(Session::new)
    }

    /// Begins a replay, which takes replies from a recording.
    pub fn replay_from(&mut self, recording: &JsString, strict: bool) -> Result<(), JsValue> {
        let recording = parse_host_json(&to_rust_string(recording))
            .and_then(|recording| recording::read_recording(&recording));
        let recording = recording.map_err(|error| to_thrown_json(&error))?;
        self.core.replay_from(recording.exchanges, strict);
        Ok(())
    }

    /// Ends the replay.
    pub fn replayed(&mut self) {
        self.core.end_replay();
    }
}

impl Session {
    fn update_text(&self, turn: TaskUpdate) -> JsString {
        update_value(turn, self.core.core().caps.timeout_ms).to_text().into()
    }
}

/// Returns a value that needs no session. `check` is the diagnostics of a command or plan entry,
/// and `gbnf` the GBNF grammar of commands over a state. `schema` is the JSON schema of a plan, and
/// `prompt` the description of the language for a model. `differs` is the diagnostic for a replay
/// that ended in another state.
#[wasm_bindgen]
pub fn gasl_answer(
    what: &JsString,
    given: &JsString,
    beside: &JsString,
) -> Result<JsString, JsValue> {
    let (given, beside) = (&*to_rust_string(given), &*to_rust_string(beside));
    let to_text = |diagnostics: Vec<Diagnostic>| {
        Value::list(diagnostics.iter().map(Diagnostic::to_value).collect::<Vec<_>>()).to_text()
    };
    let answer = match &*to_rust_string(what) {
        "check" => to_text(session::check(given)),
        "gbnf" => grammar::gbnf(&parse_host_json(given).map_err(|error| to_thrown_json(&error))?),
        "schema" => reference::plan_schema().to_text(),
        "differs" => to_text(vec![replay_differs(given, beside)]),
        _ => reference::LANGUAGE_REFERENCE.to_owned(),
    };
    Ok(answer.into())
}

fn replay_differs(hash: &str, expected: &str) -> Diagnostic {
    let message = format!("the replay ended in the state {hash}, the recording in {expected}");
    Diagnostic::new(codes::REPLAY_DIFFERS, message)
        .help("replay with the graph, the state and the version that were recorded")
}

/// Returns the graph of an adapter with the functions that its options name.
fn remote_graph(options: &str) -> Result<GraphAccess, Diagnostic> {
    let options = parse_host_json(options)?;
    let names = options.get("capabilities").and_then(Value::as_list).unwrap_or_default();
    let names = names.iter().filter_map(|name| name.as_text().map(str::to_owned));
    Ok(GraphAccess::Remote(Rc::new(RemoteGraph::new(names.collect()))))
}

fn begin(graph: GraphAccess, options: &str, now: &str) -> Result<Session, Diagnostic> {
    let options = parse_host_json(options)?;
    let part = |key: &str| options.get(key).filter(|part| !part.is_null());
    let word = |key: &str| part(key).and_then(Value::as_text).map(str::to_owned);
    let flag = |key: &str| part(key).and_then(Value::as_bool).unwrap_or_default();
    let number = |key: &str| part(key).and_then(Value::as_number);
    if let Some(recorded) = part("recording") {
        let recorded = recording::read_recording(recorded)?;
        return Ok(Session::new(session::Session::from_recording(graph, &recorded, now)?));
    }
    let setup = SessionSetup {
        retries: number("retries").unwrap_or_default().clamp(0.0, 100.0) as usize,
        result_tokens: number("resultTokens").map(|count| count.max(0.0) as usize),
        citations: word("citations").as_deref().and_then(CitationPolicy::parse),
        ceilings: Ceilings::read(part("ceilings").unwrap_or(&Value::Null))?,
        limits: SessionLimits::read(part("limits").unwrap_or(&Value::Null)),
        has_model: flag("hasModel"),
        has_backend: flag("hasBackend"),
        ..SessionSetup::default()
    };
    let options = SessionOptions {
        setup,
        query: word("query"),
        model: word("model"),
        seed: number("seed"),
        caps: part("caps").cloned().unwrap_or_default(),
    };
    Ok(Session::new(session::Session::open(graph, options, part("state"), now)?))
}

fn budget_of(value: &Value) -> SolveBudget {
    let default = SolveBudget::default();
    let bound = |key: &str, default: usize| {
        let number = value.get(key).and_then(Value::as_number);
        number.map_or(default, |number| number.clamp(0.0, f64::from(u32::MAX)) as usize)
    };
    SolveBudget {
        plans: bound("maxPlans", default.plans),
        calls: bound("maxCalls", default.calls),
        tokens: bound("maxTokens", default.tokens),
        steps: bound("maxSteps", default.steps),
    }
}

/// `{task, events, effects, done?}`
fn update_value(turn: TaskUpdate, timeout: Option<usize>) -> Value {
    let events = turn.events.into_iter().map(|event| match event {
        Event::Step(record) => Value::map([("kind", Value::from("step")), ("record", record)]),
        Event::Plan(plan) => Value::map([("kind", Value::from("plan")), ("plan", plan)]),
        Event::Batch { done, total } => Value::map([
            ("kind", Value::from("batch")),
            ("done", done.into()),
            ("total", total.into()),
        ]),
    });
    let mut parts =
        vec![("task", turn.task.into()), ("events", Value::list(events.collect::<Vec<_>>()))];
    let mut effects = Vec::new();
    match turn.next {
        Progress::Done(value) => parts.push(("done", value)),
        Progress::Need(effect) => effects.push(effect_value(effect, timeout)),
    }
    parts.push(("effects", Value::list(effects)));
    Value::map_of(parts)
}

fn effect_value(effect: Effect, timeout: Option<usize>) -> Value {
    let kind = |kind: &str| ("kind", Value::from(kind));
    match effect {
        Effect::Continue => Value::map([kind("continue")]),
        Effect::Yield => Value::map([kind("yield")]),
        Effect::Save => Value::map([kind("save")]),
        Effect::Query(what, query) => {
            Value::map([kind("query"), ("what", what.into()), ("query", query)])
        }
        Effect::Ask(question) => Value::map([
            kind("ask"),
            ("task", question.task.into()),
            ("system", question.system.as_str().into()),
            ("prompt", question.prompt.as_str().into()),
            ("schema", question.schema.clone().unwrap_or_default()),
            ("schemaName", question.schema_name.into()),
            ("gbnf", question.grammar.clone().into()),
            ("timeout", timeout.into()),
            ("attempt", question.attempt.into()),
            ("previousError", question.previous.clone()),
        ]),
    }
}
