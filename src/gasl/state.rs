//! Persistent state: the declared variables, in the layout of the source format.
//!
//! `{"authors": {"_meta": {"type", "description"}, "items": [], "provenance": {}}}`: a LIST has
//! `items`, a COUNTER a `value`, a DICT its keys. Keys of users never begin with `_`, so that they
//! cannot collide with keys of the layout.

use super::codes;
use super::identity::dedup_sources;
use super::language::ast::StateType;
use super::size_budget::SizeBudget;
use super::state_change::StateChange;
use crate::base::diagnostic::quote;
use crate::base::value::{Map, put};
use crate::base::{Diagnostic, Value, names};

/// Key of the metadata of a declared entry.
pub const META_KEY: &str = "_meta";
/// Key of the sources of the items of a declared entry.
pub const PROVENANCE_KEY: &str = "provenance";

/// Returns the type of a declared entry, or `None` for plain data.
pub fn type_of(entry: &Value) -> Option<StateType> {
    match entry.get(META_KEY)?.get("type")?.as_text()? {
        "LIST" => Some(StateType::List),
        "DICT" => Some(StateType::Dict),
        "COUNTER" => Some(StateType::Counter),
        _ => None,
    }
}

impl StateType {
    /// Returns the keyword of the type.
    pub fn word(self) -> &'static str {
        match self {
            StateType::List => "LIST",
            StateType::Dict => "DICT",
            StateType::Counter => "COUNTER",
        }
    }
}

fn is_data_key(entry: &Value, key: &str) -> bool {
    key != META_KEY && !(key == PROVENANCE_KEY && entry.get(META_KEY).is_some())
}

/// Counts the keys of an entry without those of the layout.
pub fn data_key_count(entry: &Value) -> usize {
    entry.as_map().map_or(0, |map| map.keys().filter(|key| is_data_key(entry, key)).count())
}

/// Returns the value of an entry without its layout: list of items, number or map.
pub fn payload(entry: &Value) -> Value {
    match type_of(entry) {
        Some(StateType::List) => entry.get("items").cloned().unwrap_or_default(),
        Some(StateType::Counter) => entry.get("value").cloned().unwrap_or_default(),
        Some(StateType::Dict) => {
            let mut data = Map::default();
            for (key, value) in entry.entries() {
                if is_data_key(entry, key) {
                    data.insert(key.clone(), payload(value));
                }
            }
            data.into()
        }
        None => entry.clone(),
    }
}

/// Returns the entry at a path in its stored layout, or `None` if there is none.
pub fn entry_at<'a>(variables: &'a Value, steps: &[String]) -> Option<&'a Value> {
    steps.iter().try_fold(variables, |at, step| at.get(step).filter(|_| is_data_key(at, step)))
}

/// Returns the sources of the value at a key of a DICT.
pub fn sources_at(entry: &Value, key: &str) -> Vec<Value> {
    match entry.get(key).filter(|inner| type_of(inner).is_some()) {
        Some(inner) => sources(inner),
        None => item_sources(entry, key).to_vec(),
    }
}

/// Returns the sources of an entry and of the entries declared in it.
pub fn sources(entry: &Value) -> Vec<Value> {
    let mut all = Vec::new();
    collect_sources(entry, &mut all);
    dedup_sources(all.into_iter())
}

fn collect_sources(entry: &Value, all: &mut Vec<Value>) {
    for (_, sources) in entry.get(PROVENANCE_KEY).iter().flat_map(|own| own.entries()) {
        all.extend_from_slice(sources.as_list().unwrap_or_default());
    }
    for (_, inner) in entry.entries().filter(|(_, inner)| type_of(inner).is_some()) {
        collect_sources(inner, all);
    }
}

/// Returns the sources of an item of an entry, by the item's [identity](super::identity::item_key).
pub fn item_sources<'a>(entry: &'a Value, key: &str) -> &'a [Value] {
    let sources = entry.get(PROVENANCE_KEY).and_then(|all| all.get(key)?.as_list());
    sources.unwrap_or_default()
}

/// Returns the paths of all declared keys.
pub fn declared_paths(variables: &Value) -> Vec<String> {
    let mut found = Vec::new();
    collect_declared(variables, "", &mut found);
    found
}

fn collect_declared(entry: &Value, prefix: &str, found: &mut Vec<String>) {
    for (key, value) in entry.entries() {
        if type_of(value).is_some() {
            let path = if prefix.is_empty() { key.to_string() } else { format!("{prefix}.{key}") };
            collect_declared(value, &path, found);
            found.push(path);
        }
    }
}

/// Maximum number of steps in a declared path.
const MAX_KEY_STEPS: usize = 32;

/// Result of a declaration.
#[derive(Default)]
pub struct DeclareResult {
    /// Paths of the parents that were declared implicitly.
    pub parents: Vec<String>,
    /// Change of the state, unless the key was declared the same way.
    pub change: Option<StateChange>,
}

/// Declares a key within the size budget. An error leaves the state unchanged.
pub fn declare(
    variables: &mut Value,
    steps: &[String],
    kind: StateType,
    description: Option<&str>,
    budget: &mut SizeBudget,
) -> Result<DeclareResult, Diagnostic> {
    if steps.len() > MAX_KEY_STEPS {
        let message = format!("expected a key of at most 32 steps, found {}", steps.len());
        return Err(Diagnostic::new(codes::BAD_NAME, message).help("shorten the path"));
    }
    if let Some(bad) = steps.iter().find(|step| step.starts_with('_') || *step == PROVENANCE_KEY) {
        let message = format!("{} is reserved for the layout of the state", quote(bad));
        return Err(Diagnostic::new(codes::BAD_NAME, message).help("choose another name"));
    }
    let path_to = |index: usize| steps.get(..=index).unwrap_or_default().join(".");
    let last = steps.len().saturating_sub(1);
    let type_at = |index: usize| if index == last { kind } else { StateType::Dict };
    // Checks everything first, and changes the state in place afterwards.
    let mut existing = 0;
    let mut at = &*variables;
    for (index, step) in steps.iter().enumerate() {
        let Some(map) = at.as_map() else { return Err(parent_not_a_dict(&path_to(index))) };
        let Some(entry) = map.get(step.as_str()) else { break };
        check_kind(entry, type_at(index), &path_to(index), index == last)?;
        existing = index + 1;
        at = entry;
    }
    let new_steps = steps.iter().enumerate().skip(existing);
    for (index, step) in new_steps.clone() {
        budget.reserve(&Value::map([(step, new_entry(type_at(index)))]), &path_to(last))?;
    }
    budget.reserve(&Value::from(description.unwrap_or_default()), &path_to(last))?;
    let mut declared = DeclareResult::default();
    let mut at = variables;
    for (index, step) in steps.iter().enumerate() {
        let Some(map) = at.as_map_mut() else { return Err(parent_not_a_dict(&path_to(index))) };
        at = map.entry(step.as_str().into()).or_insert_with(|| new_entry(type_at(index)));
    }
    declared
        .parents
        .extend(new_steps.filter(|(index, _)| *index < last).map(|(index, _)| path_to(index)));
    let meta = at.get(META_KEY).cloned().unwrap_or_default();
    if let Some(text) = description
        && let Some(new) = at.get_mut(META_KEY).and_then(Value::as_map_mut)
    {
        put(new, "description", text);
    }
    declared.change = match existing > last {
        true => {
            let meta_steps = [steps, &[META_KEY.to_owned()]].concat();
            let changed = at.get(META_KEY).filter(|new| **new != meta);
            changed.and_then(|new| StateChange::replaced(&meta_steps, &meta, new))
        }
        false => Some(StateChange::created(steps.get(..=existing).unwrap_or_default())),
    };
    Ok(declared)
}

fn new_entry(kind: StateType) -> Value {
    let meta = Value::map([("type", kind.word().into()), ("description", Value::Null)]);
    let mut map = Map::default();
    put(&mut map, META_KEY, meta);
    match kind {
        StateType::List => put(&mut map, "items", Value::list(Vec::new())),
        StateType::Counter => put(&mut map, "value", Value::Number(0.0)),
        StateType::Dict => {}
    }
    map.into()
}

fn check_kind(
    entry: &Value,
    expected: StateType,
    path: &str,
    last: bool,
) -> Result<(), Diagnostic> {
    let found = type_of(entry);
    if found == Some(expected) {
        return Ok(());
    }
    let shown = found.map_or("plain data", StateType::word);
    let message = match last {
        true => format!("{} is already declared as {shown}, not {}", quote(path), expected.word()),
        false => format!("expected a DICT at {}, found {shown}", quote(path)),
    };
    Err(Diagnostic::new(codes::TYPE_CONFLICT, message).help("choose another key or the same type"))
}

fn parent_not_a_dict(path: &str) -> Diagnostic {
    let message = format!("a parent of {} is not a DICT", quote(path));
    Diagnostic::new(codes::TYPE_CONFLICT, message).help("choose another key")
}

/// Error for an undeclared key; its help contains the missing `DECLARE`.
pub fn undeclared_key_error(variables: &Value, path: &str, kind: StateType) -> Diagnostic {
    let keys = declared_paths(variables);
    let closest = names::closest(path, keys.iter().map(String::as_str));
    // `key.items` and `key.value` are parts of the layout.
    let holder = path.rsplit_once('.').filter(|(holder, part)| {
        ["items", "value"].contains(part) && keys.iter().any(|key| key == holder)
    });
    let closest = holder.map(|(holder, _)| holder).or(closest);
    let line = format!("`DECLARE {path} AS {}`", kind.word());
    let help = match closest {
        Some(closest) if holder.is_some() => format!("write `{closest}` for the whole value"),
        Some(closest) => format!("did you mean `{closest}`? Otherwise write {line} before it"),
        None => format!("write {line} before it"),
    };
    Diagnostic::new(codes::UNDECLARED_KEY, format!("{} is not declared", quote(path))).help(help)
}
