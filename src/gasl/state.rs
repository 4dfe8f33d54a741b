//! What lasts: the variables that a plan declared, in the layout of the source.
//!
//! `{"authors": {"_meta": {"type", "description"}, "items": [], "provenance": {}}}`: a LIST has
//! `items`, a COUNTER a `value`, a DICT its keys beside `_meta`. Keys of users never begin with
//! `_`, so that what is ours and what is theirs cannot be confused.

use super::codes;
use super::language::ast::Kind;
use super::update::united;
use crate::base::diagnostic::quote;
use crate::base::value::{Map, put};
use crate::base::{Diagnostic, Value, names};

/// Ours, beside the data of a declared key.
pub const META: &str = "_meta";
/// Where the items of a declared key come from.
pub const PROVENANCE: &str = "provenance";

/// The type of a declared key; nothing for plain data.
pub fn kind_of(entry: &Value) -> Option<Kind> {
    match entry.get(META)?.get("type")?.as_text()? {
        "LIST" => Some(Kind::List),
        "DICT" => Some(Kind::Dict),
        "COUNTER" => Some(Kind::Counter),
        _ => None,
    }
}

impl Kind {
    /// The word of the type.
    pub fn word(self) -> &'static str {
        match self {
            Kind::List => "LIST",
            Kind::Dict => "DICT",
            Kind::Counter => "COUNTER",
        }
    }
}

/// Whether a key of a declared entry is data and not ours.
fn is_data(entry: &Value, key: &str) -> bool {
    key != META && !(key == PROVENANCE && entry.get(META).is_some())
}

/// How many keys of an entry hold data.
pub fn data_keys(entry: &Value) -> usize {
    entry.as_map().map_or(0, |map| map.keys().filter(|key| is_data(entry, key)).count())
}

/// What users see of an entry: the items of a LIST, the value of a COUNTER, the keys of a DICT.
pub fn payload(entry: &Value) -> Value {
    match kind_of(entry) {
        Some(Kind::List) => entry.get("items").cloned().unwrap_or_default(),
        Some(Kind::Counter) => entry.get("value").cloned().unwrap_or_default(),
        Some(Kind::Dict) => {
            let mut data = Map::default();
            for (key, value) in entry.entries() {
                if is_data(entry, key) {
                    data.insert(key.clone(), payload(value));
                }
            }
            data.into()
        }
        None => entry.clone(),
    }
}

/// What stands at a path, as stored.
pub fn entry<'a>(variables: &'a Value, steps: &[String]) -> Option<&'a Value> {
    steps.iter().try_fold(variables, |at, step| at.get(step).filter(|_| is_data(at, step)))
}

/// Where that comes from which a DICT has under a key.
pub fn sources_of(entry: &Value, key: &str) -> Vec<Value> {
    match entry.get(key).filter(|inner| kind_of(inner).is_some()) {
        Some(inner) => sources(inner),
        None => beside(entry, key).to_vec(),
    }
}

/// Where all of an entry comes from, with what is declared in it.
pub fn sources(entry: &Value) -> Vec<Value> {
    let mut all = Vec::new();
    collect_sources(entry, &mut all);
    united(all.into_iter())
}

fn collect_sources(entry: &Value, all: &mut Vec<Value>) {
    for (_, sources) in entry.get(PROVENANCE).iter().flat_map(|own| own.entries()) {
        all.extend_from_slice(sources.as_list().unwrap_or_default());
    }
    for (_, inner) in entry.entries().filter(|(_, inner)| kind_of(inner).is_some()) {
        collect_sources(inner, all);
    }
}

/// The sources that stand beside an item of an entry.
pub fn beside<'a>(entry: &'a Value, key: &str) -> &'a [Value] {
    let sources = entry.get(PROVENANCE).and_then(|all| all.get(key)?.as_list());
    sources.unwrap_or_default()
}

/// The paths of all declared keys.
pub fn declared(variables: &Value) -> Vec<String> {
    let mut found = Vec::new();
    collect(variables, "", &mut found);
    found
}

fn collect(entry: &Value, prefix: &str, found: &mut Vec<String>) {
    for (key, value) in entry.entries() {
        if kind_of(value).is_some() {
            let path = if prefix.is_empty() { key.to_string() } else { format!("{prefix}.{key}") };
            collect(value, &path, found);
            found.push(path);
        }
    }
}

/// The deepest path that can be declared.
const DEEPEST: usize = 32;

/// Makes a key; answers the parents that had to be made too.
pub fn declare(
    variables: &mut Value,
    steps: &[String],
    kind: Kind,
    description: Option<&str>,
) -> Result<Vec<String>, Diagnostic> {
    if steps.len() > DEEPEST {
        let message = format!("a key of {} steps is too deep", steps.len());
        return Err(Diagnostic::new(codes::BAD_NAME, message).help("use at most 32 steps"));
    }
    if let Some(bad) = steps.iter().find(|step| step.starts_with('_') || *step == PROVENANCE) {
        let message = format!("{} is kept for the layout of the state", quote(bad));
        return Err(Diagnostic::new(codes::BAD_NAME, message).help("choose another name"));
    }
    // Nothing is made where anything is wrong.
    let mut next = variables.clone();
    let mut at = &mut next;
    let mut parents = Vec::new();
    for (index, step) in steps.iter().enumerate() {
        let path = steps.get(..=index).unwrap_or_default().join(".");
        let last = index + 1 == steps.len();
        let wanted = if last { kind } else { Kind::Dict };
        let Some(map) = at.as_map_mut() else { return Err(no_parent(&path)) };
        let existed = map.contains_key(step.as_str());
        let entry = map.entry(step.as_str().into()).or_insert_with(|| fresh(wanted));
        if existed {
            check_kind(entry, wanted, &path, last)?;
        } else if !last {
            parents.push(path);
        }
        if last
            && let Some(text) = description
            && let Some(meta) = entry.get_mut(META).and_then(Value::as_map_mut)
        {
            put(meta, "description", text);
        }
        at = entry;
    }
    *variables = next;
    Ok(parents)
}

fn fresh(kind: Kind) -> Value {
    let meta = Value::map([("type", kind.word().into()), ("description", Value::Null)]);
    let mut map = Map::default();
    put(&mut map, META, meta);
    match kind {
        Kind::List => put(&mut map, "items", Value::list(Vec::new())),
        Kind::Counter => put(&mut map, "value", Value::Number(0.0)),
        Kind::Dict => {}
    }
    map.into()
}

fn check_kind(entry: &Value, wanted: Kind, path: &str, last: bool) -> Result<(), Diagnostic> {
    let found = kind_of(entry);
    if found == Some(wanted) {
        return Ok(());
    }
    let shown = found.map_or("plain data", Kind::word);
    let message = match last {
        true => format!("{} is {shown} already, not {}", quote(path), wanted.word()),
        false => format!("{} is {shown}, and only a DICT holds other keys", quote(path)),
    };
    Err(Diagnostic::new(codes::OTHER_TYPE, message).help("choose another key, or the same type"))
}

fn no_parent(path: &str) -> Diagnostic {
    let message = format!("{} lies below something that is no DICT", quote(path));
    Diagnostic::new(codes::OTHER_TYPE, message).help("choose another key")
}

/// For a key that nobody declared, with the line that would.
pub fn undeclared(variables: &Value, path: &str, kind: Kind) -> Diagnostic {
    let known = declared(variables);
    let near = names::nearest(path, known.iter().map(String::as_str));
    // The part of an entry that its layout names.
    let holder = path.rsplit_once('.').filter(|(holder, part)| {
        ["items", "value"].contains(part) && known.iter().any(|key| key == holder)
    });
    let near = holder.map(|(holder, _)| holder).or(near);
    let line = format!("`DECLARE {path} AS {}`", kind.word());
    let help = match near {
        Some(near) if holder.is_some() => format!("write `{near}` for the whole of it"),
        Some(near) => format!("did you mean `{near}`? Else write {line} before it"),
        None => format!("write {line} before it"),
    };
    Diagnostic::new(codes::UNDECLARED, format!("{} is not declared", quote(path))).help(help)
}
