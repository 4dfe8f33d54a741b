//! Templates: `$name`, `$name.path.to` and `${name.path[0]['any key'][-1]}` in texts. `$$` is a dollar sign.
//! `${a.x ?? b.x ?? "text"}` is the first of them that has a value other than null.
//!
//! A name may contain `-`, as may the text after it, so the longest defined name wins. Inserted values are not
//! parsed as templates.

mod options;
mod read;
mod resolve;
mod steps;

pub use resolve::{MAX_INSERTED_BYTES, Resolver, resolve, unknown_name, value_at_path};

use super::{Code, Value};

/// A reference to an undefined name.
pub const UNKNOWN_NAME: Code = Code::error("TPL001");
/// A reference to a missing key or index.
pub const UNKNOWN_PATH: Code = Code::error("TPL002");
/// A `${` that is not closed or contains no valid name.
pub const MALFORMED: Code = Code::error("TPL003");
/// Brackets after a reference without braces, which stay as text.
pub const UNUSED_BRACKETS: Code = Code::warning("TPL004");
/// Inserted values that exceed the budget.
pub const BUDGET_EXCEEDED: Code = Code::error("TPL005");

/// A parsed template.
#[derive(Clone, Debug, PartialEq)]
pub struct Template {
    /// Text and references in order.
    pub parts: Vec<TemplatePart>,
}

/// Text or reference of a template.
#[derive(Clone, Debug, PartialEq)]
pub enum TemplatePart {
    /// Literal text.
    Text(String),
    /// Value to be inserted.
    Reference(Reference),
    /// Value of the first option that has one.
    Choice(Choice),
}

/// Alternative values, separated by `??`.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// Options in order; at least two.
    pub options: Vec<ChoiceOption>,
    /// Source text with the dollar sign.
    pub text: String,
}

/// Option of a [`Choice`].
#[derive(Clone, Debug, PartialEq)]
pub enum ChoiceOption {
    /// Value, unless it is missing or null.
    Reference(Reference),
    /// String, number, boolean or null.
    Literal(Value),
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
    /// Index from the end of a list; 1 is the last item.
    FromEnd(usize),
}

impl Template {
    /// Returns whether the complete text is one reference or choice.
    pub fn is_single(&self) -> bool {
        matches!(self.parts.as_slice(), [TemplatePart::Reference(_) | TemplatePart::Choice(_)])
    }

    /// Returns all references in order, with those in choices.
    pub fn references(&self) -> impl Iterator<Item = &Reference> {
        self.parts.iter().flat_map(|part| {
            let options = match part {
                TemplatePart::Choice(choice) => choice.options.as_slice(),
                _ => &[],
            };
            let alone = match part {
                TemplatePart::Reference(reference) => Some(reference),
                _ => None,
            };
            let in_choice = options.iter().filter_map(|option| match option {
                ChoiceOption::Reference(reference) => Some(reference),
                ChoiceOption::Literal(_) => None,
            });
            alone.into_iter().chain(in_choice)
        })
    }

    /// Inserts the values that `value` returns for references and choices. The value of one that is the complete
    /// text keeps its type. Inside a text, strings are inserted as they are, null as nothing, and others as JSON.
    pub fn resolve(&self, mut value: impl FnMut(&TemplatePart) -> Value) -> Value {
        if let [part @ (TemplatePart::Reference(_) | TemplatePart::Choice(_))] =
            self.parts.as_slice()
        {
            return value(part);
        }
        let mut out = String::new();
        for part in &self.parts {
            match part {
                TemplatePart::Text(text) => out.push_str(text),
                part => match value(part) {
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
    use crate::base::value::Map;
    use std::cell::Cell;

    const SCOPE: &str = r#"{"api1_response": "one", "fetch-data_data": [1, {"x": true}], "user": {"login": "ann", "tags": ["a", "b"]}, "n": 5, "none": null, "a": "A", "evil": "$a ${n}"}"#;

    fn check(template: &str, expected: &str) {
        let parse = |text: &str| Value::parse(text.as_bytes(), Limits::default()).0.unwrap();
        let scope = parse(SCOPE);
        let (value, diagnostics) = resolve(&parse(template), scope.as_map().unwrap());
        let messages: Vec<String> = diagnostics
            .iter()
            .map(|diagnostic| format!("{} {}", diagnostic.code.id, diagnostic.message))
            .collect();
        let found = if messages.is_empty() { value.to_text() } else { messages.join("; ") };
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
        let value = |_: &Reference| Ok(Some(Value::from("ten bytes!")));
        let messages = |template: &str, bytes: usize| {
            let budget = Cell::new(bytes);
            let resolving =
                Resolver { is_known: &|_| true, value: &value, missing: &|_| {}, budget: &budget };
            let (value, diagnostics) = resolving.resolve(&Value::from(template));
            let codes: Vec<&str> =
                diagnostics.iter().map(|diagnostic| diagnostic.code.id).collect();
            (value.to_text(), codes.concat())
        };
        assert_eq!(messages("$a$a", 25), (r#""ten bytes!ten bytes!""#.into(), String::new()));
        assert_eq!(messages("$a$a", 24), (r#""$a$a""#.into(), "TPL005".into()));
        assert_eq!(messages("$a", 12).1, "TPL005");
    }

    #[test]
    fn takes_the_first_option_with_a_value() {
        check(r#""${none ?? n}""#, "5");
        check(r#""${user.phone ?? user.login ?? 'x'}""#, r#""ann""#);
        check(r#""${usr ?? none ?? \"a } b\"}!""#, r#""a } b!""#);
        check(r#""${usr ?? 0} ${usr ?? true} ${none ?? null}""#, r#""0 true ""#);
        check(r#""${usr ?? 'it\\'s'}""#, r#""it's""#);
        check(r#""${a ?? usr}""#, r#""A""#);
        check(r#""${usr??a}""#, r#""A""#);
    }

    #[test]
    fn the_last_option_is_reported() {
        check(r#""${none ?? usr}""#, "TPL001 undefined name `${usr}`");
        check(r#""${usr ?? user.logn}""#, "TPL002 missing `logn` in `${user.logn}`");
        check(r#""${usr ?? none}""#, "null");
        check(r#""${'x'}""#, "TPL003 invalid name `${'x'}`");
        check(r#""${a ?? }""#, "TPL003 invalid name `${a ?? }`");
        check(r#""${a ?? 'x}""#, "TPL003 unclosed quote in `${`");
    }

    #[test]
    fn reads_quoted_keys_and_last_items() {
        let scope =
            r#"{"m": {"a.b": 1, "any key": {"c": 2}, "it's": 3, "}": 4}, "l": [5, [6, 7]]}"#;
        let parse = |text: &str| Value::parse(text.as_bytes(), Limits::default()).0.unwrap();
        let scope = parse(scope);
        let check = |template: &str, expected: &str| {
            let (value, diagnostics) = resolve(&Value::from(template), scope.as_map().unwrap());
            assert_eq!((value.to_text().as_str(), diagnostics.len()), (expected, 0), "{template}");
        };
        check("${m['a.b']}", "1");
        check("${m[\"a.b\"]}", "1");
        check("${m['any key'].c}", "2");
        check("${m[\"it's\"]}", "3");
        check("${m['it\\'s']}", "3");
        check("${m['}']}", "4");
        check("${l[-1][-2]} ${l[-1].1}", "\"6 7\"");
    }

    #[test]
    fn corrects_keys_with_blanks() {
        let (_, diagnostics) = resolve(&Value::from("${user.Total price}"), &Map::default());
        let help = diagnostics[0].help.as_deref().unwrap();
        assert_eq!(help, "write `${user['Total price']}`, or `$$` for a dollar sign");
        let (_, diagnostics) = resolve(&Value::from("${l[-3]}"), parse_map(r#"{"l": [1]}"#));
        assert_eq!(diagnostics[0].message, "missing `-3` in `${l[-3]}`");
    }

    /// Returns a map that lives as long as the test.
    fn parse_map(text: &str) -> &'static Map {
        let value = Value::parse(text.as_bytes(), Limits::default()).0.unwrap();
        Box::leak(Box::new(value.as_map().unwrap().clone()))
    }

    #[test]
    fn many_unclosed_quotes_are_parsed_once() {
        for piece in ["${x[\"}\"]", "${'", "${\"}", "${a ?? 'x\\'"] {
            let text = piece.repeat(20_000);
            let (template, _) = Template::read(&text, &|_| false);
            assert!(!template.parts.is_empty());
        }
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
