//! Serialization of states and of recordings for replays.

use super::checkpoint::Checkpoints;
use super::citation_policy::CitationPolicy;
use super::codes;
use super::core::Core;
use super::graph_access::GraphAccess;
use super::history::SessionHistory;
use super::model::exchange::Exchanges;
use super::model::steps::RECENT_RECORDS;
use super::state::META_KEY;
use crate::base::diagnostic::quote;
use crate::base::value::{Map, put};
use crate::base::{Diagnostic, Value, names};

/// Version of the state layout.
pub const STATE_VERSION: &str = "0.1";

/// Version of the recording format.
const RECORDING_VERSION: f64 = 1.0;

/// Contents of a loaded state.
pub struct LoadedState {
    pub variables: Value,
    pub history: SessionHistory,
    pub checkpoints: Checkpoints,
    pub plan_checkpoint: Value,
    pub created_at: Option<String>,
    pub query: Option<String>,
    pub model: Option<String>,
    pub seed: Option<f64>,
    /// Caps of an interrupted plan.
    pub caps: Option<Value>,
}

fn empty_map() -> Value {
    Value::from(Map::default())
}

impl Default for LoadedState {
    fn default() -> LoadedState {
        LoadedState {
            variables: empty_map(),
            history: SessionHistory::default(),
            checkpoints: Checkpoints::default(),
            plan_checkpoint: Value::Null,
            created_at: None,
            query: None,
            model: None,
            seed: None,
            caps: None,
        }
    }
}

/// Returns the state in the layout of the source format.
pub fn write_state(core: &Core, created_at: &str, updated_at: &str) -> Value {
    let mut map = Map::default();
    put(&mut map, "version", STATE_VERSION);
    put(&mut map, "created_at", created_at);
    put(&mut map, "updated_at", updated_at);
    put(&mut map, "query", core.setup.query.as_str());
    put(&mut map, "config", config_value(core));
    put(&mut map, "variables", core.variables.clone());
    let loaded = core.history.loaded.iter().cloned();
    let records = core.history.records.iter().map(|record| record.to_value());
    put(&mut map, "history", loaded.chain(records).collect::<Vec<_>>());
    put(&mut map, "history_dropped", core.history.dropped);
    let commands =
        core.history.commands.iter().map(|one| Value::Text(one.clone())).collect::<Vec<_>>();
    map.insert(
        "replay".into(),
        Value::map([
            ("seed", Value::from(core.setup.seed)),
            ("commands", Value::list(commands)),
            ("config", config_value(core)),
        ]),
    );
    if let Some(checkpoints) = core.checkpoints.to_value() {
        put(&mut map, "checkpoints", checkpoints);
    }
    if !core.plan_checkpoint.is_null() {
        put(&mut map, "running", core.plan_checkpoint.clone());
    }
    map.into()
}

/// Returns the initial state of a fork, with only the records that a prompt contains.
pub fn fork_state(core: &Core) -> Value {
    let history = core.history.recent_records(RECENT_RECORDS.max(core.history.last_plan_len()));
    let kept = history.len();
    Value::map([
        ("version", Value::from(STATE_VERSION)),
        ("variables", core.variables.clone()),
        ("history", Value::list(history)),
        ("history_dropped", (core.history.step_count() - kept).into()),
        ("step", core.history.step.into()),
        ("last_plan_start", core.history.last_plan_start().into()),
        ("checkpoints", core.checkpoints.to_value().unwrap_or_default()),
    ])
}

fn config_value(core: &Core) -> Value {
    let kind = match core.graph {
        GraphAccess::Memory(_) => "memory",
        GraphAccess::Remote(_) => "adapter",
    };
    let adapter = Value::map([("type", Value::from(kind)), ("params", core.caps.requested_caps())]);
    let llm = Value::map([("model", Value::from(core.setup.model.clone()))]);
    Value::map([("adapter", adapter), ("llm", llm)])
}

/// Reads a state of this version or an older one.
pub fn read_state(state: &Value) -> Result<LoadedState, Diagnostic> {
    let invalid =
        |message: String, help: &str| Err(Diagnostic::new(codes::BAD_STATE, message).help(help));
    let Some(map) = state.as_map() else {
        let message = format!("expected a state object, found a {}", state.kind());
        return invalid(message, "pass the value of `session.state`");
    };
    let version = map.get("version").map(|version| match version {
        Value::Text(text) => text.to_string(),
        other => other.to_text(),
    });
    if let Some(version) =
        version.filter(|version| ![STATE_VERSION, "0", "0.0"].contains(&&**version))
    {
        let message = format!("unsupported state version {version}, expected {STATE_VERSION}");
        return invalid(message, "open it with the version of byname that wrote it");
    }
    // All keys but `variables` are optional.
    let Some(variables) = map.get("variables").cloned() else {
        let help = match map.contains_key("state") {
            true => "pass the `state` of the stored value, without its `rev`",
            false => "pass the complete value of `session.state`",
        };
        return invalid("missing key `variables` in the state".to_owned(), help);
    };
    if variables.as_map().is_none() {
        return invalid(
            "expected an object at `variables`".to_owned(),
            "pass the value of `session.state`",
        );
    }
    check_entry(&variables, "variables")?;
    let list = |key: &str| state.get(key).and_then(Value::as_list).unwrap_or_default().to_vec();
    let loaded = list("history");
    let last = state.get("step").and_then(Value::as_number).unwrap_or(0.0);
    let steps = loaded.iter().filter_map(|record| record.get("step")?.as_number());
    let step = steps.fold(last, f64::max);
    let commands = state.get("replay").and_then(|replay| replay.get("commands")?.as_list());
    let commands = commands.unwrap_or_default().iter().filter_map(Value::as_text);
    let dropped = state.get("history_dropped").and_then(Value::as_number).unwrap_or(0.0);
    let step = step.clamp(0.0, f64::from(u32::MAX)) as usize;
    let plan_start = state.get("last_plan_start").and_then(Value::as_number);
    let history = SessionHistory {
        commands: commands.map(Into::into).collect::<Vec<_>>(),
        dropped: dropped.max(0.0) as usize,
        step,
        plan_starts: vec![plan_start.map_or(step, |start| start.max(0.0) as usize)],
        loaded: loaded.into(),
        ..SessionHistory::default()
    };
    let text = |value: Option<&Value>| value.and_then(Value::as_text).map(str::to_owned);
    let config = |part: &str, key: &str| state.get("config")?.get(part)?.get(key);
    let plan_checkpoint = map.get("running").cloned().unwrap_or_default();
    let caps = config("adapter", "params").filter(|_| !plan_checkpoint.is_null());
    Ok(LoadedState {
        variables,
        history,
        checkpoints: Checkpoints::read(state),
        plan_checkpoint,
        created_at: text(map.get("created_at")),
        query: text(map.get("query")),
        model: text(config("llm", "model")),
        seed: state.get("replay").and_then(|replay| replay.get("seed")?.as_number()),
        caps: caps.cloned(),
    })
}

/// Checks that a declared entry matches the layout of its type.
fn check_entry(entry: &Value, path: &str) -> Result<(), Diagnostic> {
    let Some(map) = entry.as_map() else { return Ok(()) };
    let invalid = |what: &str| {
        let message = format!("`{path}` {what}");
        Diagnostic::new(codes::BAD_STATE, message).help("pass the value of `session.state`")
    };
    if let Some(meta) = map.get(META_KEY) {
        let kind = meta.get("type").and_then(Value::as_text).unwrap_or_default();
        match kind {
            "LIST" if map.get("items").and_then(Value::as_list).is_none() => {
                return Err(invalid("is a LIST without `items`"));
            }
            "COUNTER" if map.get("value").and_then(Value::as_number).is_none() => {
                return Err(invalid("is a COUNTER without `value`"));
            }
            "LIST" | "COUNTER" => return Ok(()),
            "DICT" => {}
            other => {
                let closest = names::closest(other, ["LIST", "DICT", "COUNTER"]).unwrap_or("DICT");
                return Err(invalid(&format!(
                    "has the unknown type {}; did you mean {closest}?",
                    quote(other)
                )));
            }
        }
    }
    for (key, value) in map {
        if &**key != META_KEY && value.get(META_KEY).is_some() {
            check_entry(value, &format!("{path}.{key}"))?;
        }
    }
    Ok(())
}

/// Returns a recording: the requests of the host and all replies of the model.
pub fn write_recording(core: &Core, initial: &Value, entries: Vec<Value>) -> Value {
    let snapshots = &core.history.snapshots;
    let hash = snapshots.hash_at(snapshots.count().saturating_sub(1), &core.variables);
    let commands =
        core.history.commands.iter().map(|one| Value::Text(one.clone())).collect::<Vec<_>>();
    Value::map([
        ("format", Value::from("byname-recording")),
        ("version", RECORDING_VERSION.into()),
        ("seed", core.setup.seed.into()),
        ("query", core.setup.query.as_str().into()),
        ("model", core.setup.model.clone().into()),
        ("retries", core.setup.retries.into()),
        ("resultTokens", core.setup.result_tokens.map_or(Value::Null, Value::from)),
        ("citations", core.setup.citations.map(CitationPolicy::word).into()),
        ("stored", core.setup.has_backend.into()),
        ("caps", core.history.caps.clone()),
        ("ceilings", core.setup.ceilings.to_value()),
        ("limits", core.setup.limits.to_value()),
        ("commands", Value::list(commands)),
        ("config", config_value(core)),
        ("state", initial.clone()),
        ("entries", Value::list(entries)),
        ("exchanges", core.exchanges.to_value()),
        ("hash", hash.into()),
    ])
}

/// Parsed recording.
pub struct Recording {
    pub seed: f64,
    pub query: String,
    pub model: Option<String>,
    pub retries: usize,
    pub result_tokens: Option<usize>,
    pub citations: Option<CitationPolicy>,
    /// Whether the session stored its state, because each store is a turn of its own.
    pub has_backend: bool,
    pub caps: Value,
    pub ceilings: Value,
    pub limits: Value,
    pub state: Option<Value>,
    pub entries: Vec<Value>,
    pub exchanges: Exchanges,
    pub hash: Option<String>,
}

/// Checks the form of an entry.
fn is_valid_entry(entry: &Value) -> bool {
    const KINDS: [&str; 9] =
        ["execute", "give_up", "plan", "resume", "solve", "propose", "turns", "stop", "fork"];
    let kind = entry.get("kind").and_then(Value::as_text);
    let is_text = |key| entry.get(key).is_none_or(|value| value.as_text().is_some());
    let is_number = |key| entry.get(key).is_none_or(|value| value.as_number().is_some());
    kind.is_some_and(|kind| KINDS.contains(&kind))
        && ["command", "why", "query"].into_iter().all(is_text)
        && ["of", "turns"].into_iter().all(is_number)
}

/// Reads a recording of [`write_recording`].
pub fn read_recording(value: &Value) -> Result<Recording, Diagnostic> {
    let broken = |what: &str| {
        let message = format!("invalid recording: {what}");
        Diagnostic::new(codes::BAD_RECORDING, message)
            .help("pass the value of `session.recording()`")
    };
    if value.as_text().is_some() {
        return Err(broken("expected an object, found a string; parse the JSON first"));
    }
    if value.get("format").and_then(Value::as_text) != Some("byname-recording") {
        return Err(broken("`format` is not `byname-recording`"));
    }
    if value.get("version").and_then(Value::as_number) != Some(RECORDING_VERSION) {
        return Err(broken("unsupported `version`"));
    }
    let entries =
        value.get("entries").and_then(Value::as_list).filter(|all| all.iter().all(is_valid_entry));
    let exchanges = value.get("exchanges").and_then(Exchanges::read);
    let text = |key: &str| value.get(key).and_then(Value::as_text).map(str::to_owned);
    let number = |key: &str| value.get(key).and_then(Value::as_number);
    Ok(Recording {
        seed: number("seed").unwrap_or_default(),
        query: text("query").unwrap_or_default(),
        model: text("model"),
        retries: number("retries").unwrap_or_default().clamp(0.0, 100.0) as usize,
        result_tokens: number("resultTokens").map(|count| count.max(0.0) as usize),
        citations: text("citations").as_deref().and_then(CitationPolicy::parse),
        has_backend: value.get("stored").and_then(Value::as_bool).unwrap_or_default(),
        caps: value.get("caps").cloned().unwrap_or_default(),
        ceilings: value.get("ceilings").cloned().unwrap_or_default(),
        limits: value.get("limits").cloned().unwrap_or_default(),
        state: value.get("state").filter(|state| !state.is_null()).cloned(),
        entries: entries.ok_or_else(|| broken("invalid `entries`"))?.to_vec(),
        exchanges: exchanges.ok_or_else(|| broken("missing `exchanges`"))?,
        hash: text("hash"),
    })
}
