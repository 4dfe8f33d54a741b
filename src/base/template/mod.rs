//! Templates: `$name`, `$name.path.to` and `${name.path[0]}` in texts. `$$` is a dollar.
//!
//! A name may hold `-`, and so may the text behind it, so the longest name that is known wins.
//! What is put in is never read again.

mod read;
mod resolve;

pub use resolve::{MOST, Resolver, below, resolve, unknown};

use super::{Code, Value};

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::json::Limits;
    use std::cell::Cell;

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
            let resolving = Resolver { is_known: &|_| true, value: &value, room: &room };
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
