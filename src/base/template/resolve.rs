//! Inserts the values of references into the texts of a JSON value.

use super::{
    BUDGET_EXCEEDED, Choice, ChoiceOption, PathStep, Reference, Template, TemplatePart,
    UNKNOWN_NAME, UNKNOWN_PATH,
};
use crate::base::diagnostic::quote;
use crate::base::json::escape_pointer_step;
use crate::base::value::{Map, Value};
use crate::base::{Diagnostic, names};
use std::cell::Cell;

/// Maximum number of bytes that are inserted into templates that share a budget, because a short template can refer
/// to a long value many times.
pub const MAX_INSERTED_BYTES: usize = 64 << 20;

/// Resolves references of templates.
pub struct Resolver<'a> {
    /// Returns whether a name is defined.
    pub is_known: &'a dyn Fn(&str) -> bool,
    /// Returns the value of a reference, or `None` if its name has no value yet.
    pub value: &'a dyn Fn(&Reference) -> Result<Option<Value>, Diagnostic>,
    /// Called with the text of each reference or choice without a value; it becomes null.
    pub missing: &'a dyn Fn(&str),
    /// Number of bytes that may still be inserted; initially [`MAX_INSERTED_BYTES`].
    pub budget: &'a Cell<usize>,
}

impl Resolver<'_> {
    /// Resolves all texts of a value. A text with an error stays as it is, and the error is reported at its JSON
    /// pointer.
    pub fn resolve(&self, template: &Value) -> (Value, Vec<Diagnostic>) {
        let mut diagnostics = Vec::new();
        let value = self.resolve_nested(template, &mut String::new(), &mut diagnostics);
        (value, diagnostics)
    }

    /// Returns the value of a reference or choice and charges it to the budget.
    fn charge(&self, part: &TemplatePart) -> Result<Value, Diagnostic> {
        let (found, text) = match part {
            TemplatePart::Text(_) => return Ok(Value::Null),
            TemplatePart::Reference(reference) => ((self.value)(reference)?, &reference.text),
            TemplatePart::Choice(choice) => (self.choose(choice)?, &choice.text),
        };
        let value = found.unwrap_or_else(|| {
            (self.missing)(text);
            Value::Null
        });
        self.budget.set(budget_after(self.budget.get(), &value));
        if self.budget.get() == 0 { Err(budget_exceeded(text)) } else { Ok(value) }
    }

    /// Returns the first value other than null, else the result of the last option.
    fn choose(&self, choice: &Choice) -> Result<Option<Value>, Diagnostic> {
        let mut last = Ok(None);
        for option in &choice.options {
            last = match option {
                ChoiceOption::Literal(value) => return Ok(Some(value.clone())),
                ChoiceOption::Reference(reference) => (self.value)(reference),
            };
            if matches!(&last, Ok(Some(value)) if !value.is_null()) {
                break;
            }
        }
        last
    }

    fn resolve_nested(
        &self,
        template: &Value,
        at: &mut String,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Value {
        let outer = at.len();
        match template {
            Value::Text(text) if text.contains('$') => {
                let (read, reported) = Template::read(text, self.is_known);
                let before = diagnostics.len();
                diagnostics
                    .extend(reported.into_iter().map(|diagnostic| diagnostic.at_pointer(&**at)));
                let resolved = read.resolve(|part| {
                    let report =
                        |diagnostic: Diagnostic| diagnostics.push(diagnostic.at_pointer(&**at));
                    self.charge(part).map_err(report).unwrap_or_default()
                });
                let fails = diagnostics.iter().skip(before).any(Diagnostic::is_error);
                if fails { template.clone() } else { resolved }
            }
            Value::List(items) => {
                let each = items.iter().enumerate().map(|(index, item)| {
                    at.push_str(&format!("/{index}"));
                    let resolved = self.resolve_nested(item, at, diagnostics);
                    at.truncate(outer);
                    resolved
                });
                Value::list(each.collect())
            }
            Value::Map(map) => {
                let mut resolved = Map::default();
                for (key, value) in map.iter() {
                    at.extend(["/", &escape_pointer_step(key)]);
                    resolved.insert(key.clone(), self.resolve_nested(value, at, diagnostics));
                    at.truncate(outer);
                }
                resolved.into()
            }
            other => other.clone(),
        }
    }
}

/// Resolves all texts of a value with the names of a scope; see [`Resolver::resolve`].
pub fn resolve(template: &Value, scope: &Map) -> (Value, Vec<Diagnostic>) {
    let unknown_names = Cell::new(0);
    let value = |reference: &Reference| match scope.get(reference.name.as_str()) {
        Some(value) => value_at_path(value, reference).map(Some),
        None => {
            unknown_names.set(unknown_names.get() + 1);
            let most = if unknown_names.get() > MAX_SUGGESTIONS { 1 } else { usize::MAX };
            Err(unknown_name(reference, scope.keys().map(|key| &**key).take(most)))
        }
    };
    let is_known = |name: &str| scope.contains_key(name);
    let budget = &Cell::new(MAX_INSERTED_BYTES);
    Resolver { is_known: &is_known, value: &value, missing: &|_| {}, budget }.resolve(template)
}

/// Returns the value at the path of a reference, or an error that lists the available keys.
pub fn value_at_path(value: &Value, reference: &Reference) -> Result<Value, Diagnostic> {
    let mut at = value;
    for (walked, step) in reference.path.iter().enumerate() {
        let next = match (step, at) {
            (PathStep::Key(key), Value::Map(map)) => map.get(key.as_str()),
            (PathStep::Key(key), Value::List(list)) => {
                key.parse().ok().and_then(|at: usize| list.get(at))
            }
            (PathStep::Index(index), Value::List(list)) => list.get(*index),
            (PathStep::FromEnd(count), Value::List(list)) => list.iter().rev().nth(*count - 1),
            _ => None,
        };
        at = next.ok_or_else(|| missing_step(at, step, walked, reference))?;
    }
    Ok(at.clone())
}

/// Maximum number of undefined names for which a similar name is searched.
const MAX_SUGGESTIONS: usize = 100;

/// Returns the error for an undefined name.
pub fn unknown_name<'a>(
    reference: &Reference,
    known: impl Iterator<Item = &'a str> + Clone,
) -> Diagnostic {
    let message = format!("undefined name {}", quote(&reference.text));
    let dollar = format!("write {} for literal text", quote(&format!("${}", reference.text)));
    let help = match names::closest(&reference.name, known.clone().take(names::MAX_CANDIDATES)) {
        Some(near) if reference.text.starts_with("${") => {
            format!("did you mean `${{{near}}}`? Otherwise {dollar}")
        }
        Some(near) => format!("did you mean `${near}`? Otherwise {dollar}"),
        None => match names::format_names(known) {
            none if none.is_empty() => format!("{dollar}: no names are defined here"),
            listed => format!("{dollar}; available: {listed}"),
        },
    };
    Diagnostic::new(UNKNOWN_NAME, message).help(help)
}

fn missing_step(at: &Value, step: &PathStep, walked: usize, reference: &Reference) -> Diagnostic {
    let step = match step {
        PathStep::Key(key) => key.clone(),
        PathStep::Index(index) => index.to_string(),
        PathStep::FromEnd(count) => format!("-{count}"),
    };
    let message = format!("missing {} in {}", quote(&step), quote(&reference.text));
    let help = match at {
        Value::Map(map) => {
            let keys = || map.keys().map(|key| &**key);
            match names::closest(&step, keys()) {
                Some(near) => format!("did you mean {}?", quote(near)),
                None if map.is_empty() => "add the key: the map is empty".to_owned(),
                None => format!("available: {}", names::format_names(keys())),
            }
        }
        Value::List(list) if list.is_empty() => "add an item: the list is empty".to_owned(),
        Value::List(list) => format!(
            "write an index from 0 to {}, because the list has {}",
            list.len() - 1,
            names::count_of(list.len(), "item")
        ),
        other => {
            let kind = other.kind();
            let mut found = reference.name.clone();
            for step in reference.path.iter().take(walked) {
                match step {
                    PathStep::Key(key) => found.extend([".", key]),
                    PathStep::Index(index) => found.push_str(&format!("[{index}]")),
                    PathStep::FromEnd(count) => found.push_str(&format!("[-{count}]")),
                }
            }
            format!("write `${{{found}}}` to keep the rest as text, because the value is a {kind}")
        }
    };
    Diagnostic::new(UNKNOWN_PATH, message).help(help)
}

/// Returns the rest of a budget in bytes after a value is written, without the escapes in its texts.
fn budget_after(budget: usize, value: &Value) -> usize {
    let entry =
        |budget: usize, key: &str, value| budget_after(budget.saturating_sub(key.len() + 4), value);
    match value {
        Value::Text(text) => budget.saturating_sub(text.len() + 2),
        Value::List(items) => items.iter().fold(budget, |budget, item| entry(budget, "", item)),
        Value::Map(map) => {
            map.iter().fold(budget, |budget, (key, value)| entry(budget, key, value))
        }
        _ => budget.saturating_sub(1),
    }
}

fn budget_exceeded(text: &str) -> Diagnostic {
    let message = format!(
        "the value of {} exceeds the limit of {MAX_INSERTED_BYTES} inserted bytes",
        quote(text)
    );
    Diagnostic::new(BUDGET_EXCEEDED, message)
        .help("refer to long values less often, or to parts of them")
}
