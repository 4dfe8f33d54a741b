//! Templates: `$name`, `$name.path.to` and `${name.path[0]}` in texts. `$$` is a dollar.
//!
//! A name may hold `-`, and so may the text behind it, so the longest name that is known wins.
//! What is put in is never read again.

use super::diagnostic::quote;
use super::json::pointer_step;
use super::value::{Map, Value};
use super::{Code, Diagnostic, names};
use std::cell::Cell;
use std::mem;

/// A template that names nothing.
pub const UNKNOWN_NAME: Code = Code::error("TPL001");
/// A path that leads nowhere.
pub const UNKNOWN_PATH: Code = Code::error("TPL002");
/// A `${` that is not closed, or holds no name.
pub const MALFORMED: Code = Code::error("TPL003");
/// Brackets behind a name without braces, which are text.
pub const BRACKETS: Code = Code::warning("TPL004");
/// A template that stands for more than there is room for.
pub const TOO_MUCH: Code = Code::error("TPL005");

/// How many bytes may be put into the templates that are resolved together: a short one can name a
/// long value again and again.
pub const MOST: usize = 256 << 20;

/// A text, taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template {
    /// Its parts in order.
    pub parts: Vec<Part>,
}

/// A part of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// As it stands.
    Text(String),
    /// What a name holds.
    Reference(Reference),
}

/// A name and the way below it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// The name.
    pub name: String,
    /// The steps below it.
    pub path: Vec<Step>,
    /// As it was written, with its dollar.
    pub text: String,
}

/// A step of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// The entry of a map, or the item of a list where the key is a number.
    Key(String),
    /// The item of a list.
    Index(usize),
}

impl Template {
    /// Takes a text apart. `is_known` says which names there are; those that there are not are
    /// references all the same, for whoever resolves them to tell.
    pub fn read(text: &str, is_known: &dyn Fn(&str) -> bool) -> (Template, Vec<Diagnostic>) {
        let mut reading = Reading {
            rest: text,
            plain: String::new(),
            parts: Vec::new(),
            faults: Vec::new(),
            closed: true,
        };
        while reading.next(is_known) {}
        reading.finish()
    }

    /// The one reference that is the whole text.
    pub fn whole(&self) -> Option<&Reference> {
        match self.parts.as_slice() {
            [Part::Reference(reference)] => Some(reference),
            _ => None,
        }
    }

    /// All references.
    pub fn references(&self) -> impl Iterator<Item = &Reference> {
        self.parts.iter().filter_map(|part| match part {
            Part::Reference(reference) => Some(reference),
            Part::Text(_) => None,
        })
    }

    /// The text with what `value` answers for its references. A reference that is the whole text
    /// keeps its type; within a text, texts stand as they are, null as nothing, all else as JSON.
    pub fn resolve(&self, mut value: impl FnMut(&Reference) -> Value) -> Value {
        if let Some(reference) = self.whole() {
            return value(reference);
        }
        let mut out = String::new();
        for part in &self.parts {
            match part {
                Part::Text(text) => out.push_str(text),
                Part::Reference(reference) => match value(reference) {
                    Value::Text(text) => out.push_str(&text),
                    Value::Null => {}
                    other => other.write(&mut out),
                },
            }
        }
        out.into()
    }
}

struct Reading<'a> {
    rest: &'a str,
    plain: String,
    parts: Vec<Part>,
    faults: Vec<Diagnostic>,
    /// Whether a `}` may follow.
    closed: bool,
}

impl<'a> Reading<'a> {
    /// Reads up to and with the next dollar.
    fn next(&mut self, is_known: &dyn Fn(&str) -> bool) -> bool {
        let Some((before, after)) = self.rest.split_once('$') else { return false };
        self.plain.push_str(before);
        self.rest = after;
        if let Some(rest) = after.strip_prefix('$') {
            self.plain.push('$');
            self.rest = rest;
        } else if let Some(inside) = after.strip_prefix('{') {
            self.braced(inside, is_known);
        } else {
            self.bare(after, is_known);
        }
        true
    }

    fn braced(&mut self, inside: &'a str, is_known: &dyn Fn(&str) -> bool) {
        let closed = if self.closed { inside.split_once('}') } else { None };
        let Some((path, rest)) = closed else {
            // Those that follow are not closed either.
            if mem::take(&mut self.closed) {
                self.fault("`${` is not closed");
            }
            self.plain.push_str("${");
            self.rest = inside;
            return;
        };
        self.rest = rest;
        match known_path(path, is_known).or_else(|| braced_path(path)) {
            Some((name, path_steps)) => self.reference(name, path_steps, format!("${{{path}}}")),
            None => {
                self.fault(&format!("{} is no name", quote(&format!("${{{path}}}"))));
                self.plain.push_str(&format!("${{{path}}}"));
            }
        }
    }

    fn fault(&mut self, message: &str) {
        self.faults.push(
            Diagnostic::new(MALFORMED, message)
                .help("write `${name}` or `${name.path[0]}`, or `$$` for a dollar"),
        );
    }

    fn bare(&mut self, after: &'a str, is_known: &dyn Fn(&str) -> bool) {
        let known = known_name(after, is_known);
        let run = after.split(|c: char| !is_name(c)).next().unwrap_or_default();
        // `$5` is money.
        if known.is_none() && !run.starts_with(|c: char| c.is_alphabetic() || c == '_') {
            self.plain.push('$');
            return;
        }
        let name = known.unwrap_or_else(|| run.trim_end_matches('-'));
        let rest = after.get(name.len()..).unwrap_or_default();
        let (path, length) = bare_path(rest);
        let behind = rest.get(length..).unwrap_or_default();
        // Nobody is called like the first half of an address.
        let address =
            behind.strip_prefix('@').is_some_and(|host| host.starts_with(char::is_alphanumeric));
        if known.is_none() && address {
            self.plain.push('$');
            return;
        }
        let text = format!("${}", after.get(..name.len() + length).unwrap_or_default());
        if known.is_some() {
            self.faults.extend(brackets(&text, behind));
        }
        self.rest = behind;
        self.reference(name.to_owned(), path, text);
    }

    fn reference(&mut self, name: String, path: Vec<Step>, text: String) {
        if !self.plain.is_empty() {
            self.parts.push(Part::Text(mem::take(&mut self.plain)));
        }
        self.parts.push(Part::Reference(Reference { name, path, text }));
    }

    fn finish(mut self) -> (Template, Vec<Diagnostic>) {
        self.plain.push_str(self.rest);
        if !self.plain.is_empty() {
            self.parts.push(Part::Text(self.plain));
        }
        (Template { parts: self.parts }, self.faults)
    }
}

/// With so many of the beginnings of a text a name is looked for. No name has more signs in it that could end it.
const ENDS: usize = 256;

/// The longest name that is known at the beginning of a text. Names of nodes may hold dots and
/// slashes, and begin with a digit; a number by itself is money.
fn known_name<'a>(text: &'a str, is_known: &dyn Fn(&str) -> bool) -> Option<&'a str> {
    let run = text.split(|c: char| !is_name(c) && !"./:".contains(c)).next().unwrap_or_default();
    let ends = run.match_indices(['-', '.', '/', ':']).map(|(end, _)| end).take(ENDS);
    let ends = ends.chain([run.len()]);
    let names = ends.filter_map(|end| run.get(..end));
    names.filter(|name| name.contains(|c: char| !c.is_numeric()) && is_known(name)).last()
}

/// A path in braces whose name is known, whatever signs it holds; the longest such name.
fn known_path(text: &str, is_known: &dyn Fn(&str) -> bool) -> Option<(String, Vec<Step>)> {
    let text = text.trim();
    let ends = text.match_indices(['.', '[']).map(|(end, _)| end).take(ENDS).chain([text.len()]);
    let paths = ends.filter_map(|end| {
        let (name, rest) = text.split_at_checked(end).filter(|(name, _)| is_known(name))?;
        Some((name.to_owned(), steps(rest)?))
    });
    paths.last()
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '-'
}

/// `.path.to` behind a bare name, and its length. A dot without a name behind it ends a sentence.
fn bare_path(rest: &str) -> (Vec<Step>, usize) {
    let mut path = Vec::new();
    let mut length = 0;
    loop {
        let behind = rest.get(length..).unwrap_or_default();
        let Some(after) = behind.strip_prefix('.') else { return (path, length) };
        let step = after.split(|c: char| !is_name(c)).next().unwrap_or_default();
        let step = step.trim_end_matches('-');
        if step.is_empty() {
            return (path, length);
        }
        path.push(Step::Key(step.to_owned()));
        length += 1 + step.len();
    }
}

/// For `[0]` behind a name without braces, with whatever of a path follows it.
fn brackets(reference: &str, behind: &str) -> Option<Diagnostic> {
    let inside = behind.strip_prefix('[')?;
    let index = inside.split(|c: char| !c.is_ascii_digit()).next().unwrap_or_default();
    let after = inside.get(index.len()..)?.strip_prefix(']').filter(|_| !index.is_empty())?;
    let (_, length) = bare_path(after);
    let path = behind.get(..index.len() + 2 + length).unwrap_or_default();
    let name = reference.trim_start_matches('$');
    let message =
        format!("{} is put in whole, and {} stays as text", quote(reference), quote(path));
    let help = format!("write `${{{name}{path}}}`, or `${{{name}}}{path}` if that is meant");
    Some(Diagnostic::new(BRACKETS, message).help(help))
}

/// `name.path[0]` in braces.
fn braced_path(text: &str) -> Option<(String, Vec<Step>)> {
    let text = text.trim();
    let end = text.find(['.', '[']).unwrap_or(text.len());
    let (name, rest) = text.split_at_checked(end).filter(|(name, _)| is_fine(name))?;
    Some((name.to_owned(), steps(rest)?))
}

fn is_fine(name: &str) -> bool {
    !name.is_empty() && !name.contains(|c: char| c.is_control() || "${}[]\"' ".contains(c))
}

/// `.path[0]` behind a name in braces.
fn steps(mut rest: &str) -> Option<Vec<Step>> {
    let mut path = Vec::new();
    while !rest.is_empty() {
        if let Some(after) = rest.strip_prefix('.') {
            let end = after.find(['.', '[']).unwrap_or(after.len());
            let (step, behind) = after.split_at_checked(end)?;
            path.push(Step::Key(Some(step).filter(|step| is_fine(step))?.to_owned()));
            rest = behind;
        } else {
            let (index, behind) = rest.strip_prefix('[')?.split_once(']')?;
            path.push(Step::Index(index.trim().parse().ok()?));
            rest = behind;
        }
    }
    Some(path)
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
    Resolving { is_known: &is_known, value: &value, room: &Cell::new(MOST) }.resolve(template)
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

/// Where the names of a template lead.
pub struct Resolving<'a> {
    /// Which names there are.
    pub is_known: &'a dyn Fn(&str) -> bool,
    /// What a reference stands for.
    pub value: &'a dyn Fn(&Reference) -> Result<Value, Diagnostic>,
    /// How many bytes may still be put in; at first [`MOST`].
    pub room: &'a Cell<usize>,
}

impl Resolving<'_> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::json::Limits;

    const SCOPE: &str = r#"{"api1_response": "one", "fetch-data_data": [1, {"x": true}], "user": {"login": "ann", "tags": ["a", "b"]}, "n": 5, "none": null, "a": "A", "evil": "$a ${n}"}"#;

    fn check(template: &str, expected: &str) {
        let parse = |text: &str| Value::parse(text.as_bytes(), Limits::default()).0.unwrap();
        let scope = parse(SCOPE);
        let (value, faults) = resolve(&parse(template), scope.as_map().unwrap());
        let told: Vec<String> =
            faults.iter().map(|fault| format!("{} {}", fault.code.id, fault.message)).collect();
        let found = if told.is_empty() { value.to_text() } else { told.join("; ") };
        assert_eq!(found, expected, "{template}");
    }

    #[test]
    fn puts_values_in() {
        check(r#""$user.login is $n years, $none$a""#, r#""ann is 5 years, A""#);
        check(r#""$user""#, r#"{"login":"ann","tags":["a","b"]}"#);
        check(r#""${user.tags[1]}""#, r#""b""#);
        check(r#""$user.tags.1""#, r#""b""#);
        check(r#""the $fetch-data_data""#, r#""the [1,{\"x\":true}]""#);
        check(r#"{"deep": ["${n}", "$n!"]}"#, r#"{"deep":[5,"5!"]}"#);
    }

    #[test]
    fn the_longest_known_name_wins() {
        check(r#""$fetch-data_data""#, r#"[1,{"x":true}]"#);
        check(r#""$a-b""#, r#""A-b""#);
        check(r#""$api1_response_headers""#, "TPL001 `$api1_response_headers` names nothing");
    }

    #[test]
    fn what_is_put_in_is_not_read_again() {
        check(r#""<$evil>""#, r#""<$a ${n}>""#);
    }

    #[test]
    fn dollars_dots_and_addresses_stay() {
        check(r#""$5, $$a, $a. me$x@y.z $""#, r#""$5, $a, A. me$x@y.z $""#);
        check(r#""costs $a...""#, r#""costs A...""#);
    }

    #[test]
    fn what_is_put_in_is_bounded() {
        let value = |_: &Reference| Ok(Value::from("ten bytes!"));
        let told = |template: &str, bytes: usize| {
            let room = Cell::new(bytes);
            let resolving = Resolving { is_known: &|_| true, value: &value, room: &room };
            let (value, faults) = resolving.resolve(&Value::from(template));
            let codes: Vec<&str> = faults.iter().map(|fault| fault.code.id).collect();
            (value.to_text(), codes.concat())
        };
        assert_eq!(told("$a$a", 25), (r#""ten bytes!ten bytes!""#.into(), String::new()));
        assert_eq!(told("$a$a", 24), (r#""$a$a""#.into(), "TPL005".into()));
        assert_eq!(told("$a", 12).1, "TPL005");
    }

    #[test]
    fn faults_are_told() {
        check(r#""$usr""#, "TPL001 `$usr` names nothing");
        check(r#""$user.logn""#, "TPL002 `$user.logn` leads nowhere: there is no `logn`");
        check(r#""${user.tags[9]}""#, "TPL002 `${user.tags[9]}` leads nowhere: there is no `9`");
        check(r#""${user""#, "TPL003 `${` is not closed");
        check(r#""${a b}""#, "TPL003 `${a b}` is no name");
        check(
            r#""$a[0].b, $q [1], ${a}[0] $a[x]""#,
            "TPL004 `$a` is put in whole, and `[0].b` stays as text; TPL001 `$q` names nothing",
        );
        check(r#""$q and ${r}""#, "TPL001 `$q` names nothing; TPL001 `${r}` names nothing");
    }
}
