//! Templates: `$name`, `$name.path.to` and `${name.path[0]}` in texts. `$$` is a dollar sign.
//!
//! A name may contain `-`, as may the text after it, so the longest defined name wins. Inserted values are not
//! parsed as templates.

mod read;
mod resolve;

pub use resolve::{MAX_BYTES, Resolver, below, resolve, unknown};

use super::{Code, Value};

/// A reference to an undefined name.
pub const UNKNOWN_NAME: Code = Code::error("TPL001");
/// A reference to a missing key or index.
pub const UNKNOWN_PATH: Code = Code::error("TPL002");
/// A `${` that is not closed or contains no valid name.
pub const MALFORMED: Code = Code::error("TPL003");
/// Brackets after a reference without braces, which stay as text.
pub const BRACKETS: Code = Code::warning("TPL004");
/// Inserted values that exceed the budget.
pub const TOO_MUCH: Code = Code::error("TPL005");

/// A parsed template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template {
    /// Text and references in order.
    pub parts: Vec<TemplatePart>,
}

/// Text or reference of a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TemplatePart {
    /// Literal text.
    Text(String),
    /// Value to be inserted.
    Reference(Reference),
}

/// A name and a path in its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// Name without the dollar sign.
    pub name: String,
    /// Path in the value of the name.
    pub path: Vec<PathStep>,
    /// Source text with the dollar sign.
    pub text: String,
}

/// Step of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PathStep {
    /// Key of a map, or index of a list if it is a number.
    Key(String),
    /// Index of a list.
    Index(usize),
}

impl Template {
    /// Returns the reference if it is the complete text.
    pub fn whole(&self) -> Option<&Reference> {
        match self.parts.as_slice() {
            [TemplatePart::Reference(reference)] => Some(reference),
            _ => None,
        }
    }

    /// Returns all references in order.
    pub fn references(&self) -> impl Iterator<Item = &Reference> {
        self.parts.iter().filter_map(|part| match part {
            TemplatePart::Reference(reference) => Some(reference),
            TemplatePart::Text(_) => None,
        })
    }

    /// Inserts the values that `value` returns for references. The value of a reference that is the complete text
    /// keeps its type. Inside a text, strings are inserted as they are, null as nothing, and others as JSON.
    pub fn resolve(&self, mut value: impl FnMut(&Reference) -> Value) -> Value {
        if let Some(reference) = self.whole() {
            return value(reference);
        }
        let mut out = String::new();
        for part in &self.parts {
            match part {
                TemplatePart::Text(text) => out.push_str(text),
                TemplatePart::Reference(reference) => match value(reference) {
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
        let (value, diagnostics) = resolve(&parse(template), scope.as_map().unwrap());
        let told: Vec<String> = diagnostics
            .iter()
            .map(|diagnostic| format!("{} {}", diagnostic.code.id, diagnostic.message))
            .collect();
        let found = if told.is_empty() { value.to_text() } else { told.join("; ") };
        assert_eq!(found, expected, "{template}");
    }

    #[test]
    fn inserts_values() {
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
        check(r#""$api1_response_headers""#, "TPL001 undefined name `$api1_response_headers`");
    }

    #[test]
    fn inserted_values_are_not_parsed() {
        check(r#""<$evil>""#, r#""<$a ${n}>""#);
    }

    #[test]
    fn dollars_dots_and_addresses_stay() {
        check(r#""$5, $$a, $a. me$x@y.z $""#, r#""$5, $a, A. me$x@y.z $""#);
        check(r#""costs $a...""#, r#""costs A...""#);
    }

    #[test]
    fn inserted_bytes_are_limited() {
        let value = |_: &Reference| Ok(Value::from("ten bytes!"));
        let told = |template: &str, bytes: usize| {
            let budget = Cell::new(bytes);
            let resolving = Resolver { is_known: &|_| true, value: &value, budget: &budget };
            let (value, diagnostics) = resolving.resolve(&Value::from(template));
            let codes: Vec<&str> =
                diagnostics.iter().map(|diagnostic| diagnostic.code.id).collect();
            (value.to_text(), codes.concat())
        };
        assert_eq!(told("$a$a", 25), (r#""ten bytes!ten bytes!""#.into(), String::new()));
        assert_eq!(told("$a$a", 24), (r#""$a$a""#.into(), "TPL005".into()));
        assert_eq!(told("$a", 12).1, "TPL005");
    }

    #[test]
    fn reports_diagnostics() {
        check(r#""$usr""#, "TPL001 undefined name `$usr`");
        check(r#""$user.logn""#, "TPL002 missing `logn` in `$user.logn`");
        check(r#""${user.tags[9]}""#, "TPL002 missing `9` in `${user.tags[9]}`");
        check(r#""${user""#, "TPL003 unclosed `${`");
        check(r#""${a b}""#, "TPL003 invalid name `${a b}`");
        check(
            r#""$a[0].b, $q [1], ${a}[0] $a[x]""#,
            "TPL004 `[0].b` after `$a` stays as text; TPL001 undefined name `$q`",
        );
        check(r#""$q and ${r}""#, "TPL001 undefined name `$q`; TPL001 undefined name `${r}`");
    }
}
