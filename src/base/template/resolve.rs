//! What references stand for, put into the texts of a value.

use super::{Reference, Step, TOO_MUCH, Template, UNKNOWN_NAME, UNKNOWN_PATH};
use crate::base::diagnostic::quote;
use crate::base::json::pointer_step;
use crate::base::value::{Map, Value};
use crate::base::{Diagnostic, names};
use std::cell::Cell;

/// How many bytes may be put into the templates that are resolved together: a short one can name a
/// long value again and again.
pub const MOST: usize = 256 << 20;

/// Where the names of a template lead.
pub struct Resolver<'a> {
    /// Which names there are.
    pub is_known: &'a dyn Fn(&str) -> bool,
    /// What a reference stands for.
    pub value: &'a dyn Fn(&Reference) -> Result<Value, Diagnostic>,
    /// How many bytes may still be put in; at first [`MOST`].
    pub room: &'a Cell<usize>,
}

impl Resolver<'_> {
    /// Resolves all texts of a value. What cannot be resolved stays as it is written, and is told
    /// at its place.
    pub fn resolve(&self, template: &Value) -> (Value, Vec<Diagnostic>) {
        let mut faults = Vec::new();
        let value = self.below(template, &mut String::new(), &mut faults);
        (value, faults)
    }

    /// What a reference stands for, if there is room for it.
    fn take(&self, reference: &Reference) -> Result<Value, Diagnostic> {
        let value = (self.value)(reference)?;
        self.room.set(left(self.room.get(), &value));
        if self.room.get() == 0 { Err(too_much(reference)) } else { Ok(value) }
    }

    fn below(&self, template: &Value, at: &mut String, faults: &mut Vec<Diagnostic>) -> Value {
        let outer = at.len();
        match template {
            Value::Text(text) if text.contains('$') => {
                let (read, told) = Template::read(text, self.is_known);
                let before = faults.len();
                faults.extend(told.into_iter().map(|fault| fault.at_pointer(&**at)));
                let resolved = read.resolve(|reference| {
                    let tell = |fault: Diagnostic| faults.push(fault.at_pointer(&**at));
                    self.take(reference).map_err(tell).unwrap_or_default()
                });
                let fails = faults.iter().skip(before).any(Diagnostic::is_error);
                if fails { template.clone() } else { resolved }
            }
            Value::List(items) => {
                let each = items.iter().enumerate().map(|(index, item)| {
                    at.push_str(&format!("/{index}"));
                    let resolved = self.below(item, at, faults);
                    at.truncate(outer);
                    resolved
                });
                Value::list(each.collect())
            }
            Value::Map(map) => {
                let mut resolved = Map::default();
                for (key, value) in map.iter() {
                    at.extend(["/", &pointer_step(key)]);
                    resolved.insert(key.clone(), self.below(value, at, faults));
                    at.truncate(outer);
                }
                resolved.into()
            }
            other => other.clone(),
        }
    }
}

/// Resolves all texts of a value over a scope. What cannot be resolved stays as it is written, and
/// is told at its place.
pub fn resolve(template: &Value, scope: &Map) -> (Value, Vec<Diagnostic>) {
    let unknown_names = Cell::new(0);
    let value = |reference: &Reference| match scope.get(reference.name.as_str()) {
        Some(value) => below(value, reference),
        None => {
            unknown_names.set(unknown_names.get() + 1);
            let most = if unknown_names.get() > SUGGESTED { 1 } else { usize::MAX };
            Err(unknown(reference, scope.keys().map(|key| &**key).take(most)))
        }
    };
    let is_known = |name: &str| scope.contains_key(name);
    Resolver { is_known: &is_known, value: &value, room: &Cell::new(MOST) }.resolve(template)
}

/// What lies below a value; where the way ends, what there is instead.
pub fn below(value: &Value, reference: &Reference) -> Result<Value, Diagnostic> {
    let mut at = value;
    for (walked, step) in reference.path.iter().enumerate() {
        let next = match (step, at) {
            (Step::Key(key), Value::Map(map)) => map.get(key.as_str()),
            (Step::Key(key), Value::List(list)) => {
                key.parse().ok().and_then(|at: usize| list.get(at))
            }
            (Step::Index(index), Value::List(list)) => list.get(*index),
            _ => None,
        };
        at = next.ok_or_else(|| missing(at, step, walked, reference))?;
    }
    Ok(at.clone())
}

/// After so many unknown names no more are suggested.
const SUGGESTED: usize = 100;

/// For a reference to a name that there is not.
pub fn unknown<'a>(
    reference: &Reference,
    known: impl Iterator<Item = &'a str> + Clone,
) -> Diagnostic {
    let message = format!("{} names nothing", quote(&reference.text));
    let dollar = format!("write {} if it is no name", quote(&format!("${}", reference.text)));
    let help = match names::nearest(&reference.name, known.clone().take(names::COMPARED)) {
        Some(near) if reference.text.starts_with("${") => {
            format!("did you mean `${{{near}}}`? Else {dollar}")
        }
        Some(near) => format!("did you mean `${near}`? Else {dollar}"),
        None => match names::list(known) {
            none if none.is_empty() => format!("there are no names here: {dollar}"),
            listed => format!("{dollar}; the names are {listed}"),
        },
    };
    Diagnostic::new(UNKNOWN_NAME, message).help(help)
}

fn missing(at: &Value, step: &Step, walked: usize, reference: &Reference) -> Diagnostic {
    let step = match step {
        Step::Key(key) => key.clone(),
        Step::Index(index) => index.to_string(),
    };
    let message = format!("{} leads nowhere: there is no {}", quote(&reference.text), quote(&step));
    let help = match at {
        Value::Map(map) => {
            let keys = || map.keys().map(|key| &**key);
            match names::nearest(&step, keys()) {
                Some(near) => format!("did you mean {}?", quote(near)),
                None if map.is_empty() => "the map is empty".to_owned(),
                None => format!("there are {}", names::list(keys())),
            }
        }
        Value::List(list) => format!("the list has {} items, the first is 0", list.len()),
        other => {
            let kind = other.kind();
            let mut found = reference.name.clone();
            for step in reference.path.iter().take(walked) {
                match step {
                    Step::Key(key) => found.extend([".", key]),
                    Step::Index(index) => found.push_str(&format!("[{index}]")),
                }
            }
            format!("it is a {kind} there; write `${{{found}}}` to keep what follows as text")
        }
    };
    Diagnostic::new(UNKNOWN_PATH, message).help(help)
}

/// What is left of some room when a value is written into it, but for the escapes in its texts.
fn left(room: usize, value: &Value) -> usize {
    let entry = |room: usize, key: &str, value| left(room.saturating_sub(key.len() + 4), value);
    match value {
        Value::Text(text) => room.saturating_sub(text.len() + 2),
        Value::List(items) => items.iter().fold(room, |room, item| entry(room, "", item)),
        Value::Map(map) => map.iter().fold(room, |room, (key, value)| entry(room, key, value)),
        _ => room.saturating_sub(1),
    }
}

fn too_much(reference: &Reference) -> Diagnostic {
    let message = format!(
        "there is no room left for {}: more than {MOST} bytes are put in",
        quote(&reference.text)
    );
    Diagnostic::new(TOO_MUCH, message).help("name long values fewer times, or parts of them")
}
