//! Templates: the name in front, a text after it. Inserted values are not read as templates, and a text
//! without errors resolves to its parts.

use super::diagnostics;
use byname::base::Value;
use byname::base::template::{Template, TemplatePart, resolve};
use byname::base::value::Map;

/// Names with values that look like templates.
const SCOPE: &str = r#"{"a": "$b ${c}", "b": "${a}", "a-b": [1, {"x y": "$a", "k": null}], "n": 5, "none": null,
    "ä": "x", "user": {"login": "$a", "tags": ["$b", "t"]}, "a_b": true}"#;

pub fn check(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let scope = parse(SCOPE);
    let Value::Map(scope) = &scope else { panic!("no scope") };
    let is_known = |name: &str| scope.contains_key(name);
    let (template, found) = Template::read(&text, &is_known);
    diagnostics::check(&found, text.len());
    if !text.contains('$') {
        assert!(found.is_empty(), "{found:?}");
        assert_eq!(joined(&template, &text), text);
    }
    let (value, errors) = resolve(&Value::from(&*text), scope);
    diagnostics::check(&errors, text.len());
    if errors.iter().any(|error| error.is_error()) {
        return assert!(value == Value::from(&*text), "a text with an error was changed");
    }
    assert_eq!(value.to_text(), insert(&template, scope).to_text(), "{template:?}");
    check_list(&text, &value, scope);
}

/// Returns the literal parts.
fn joined(template: &Template, text: &str) -> String {
    let literal = |part: &TemplatePart| match part {
        TemplatePart::Text(text) => text.clone(),
        part => panic!("{text}: {part:?}"),
    };
    template.parts.iter().map(literal).collect()
}

/// Resolves each part alone.
fn insert(template: &Template, scope: &Map) -> Value {
    template.resolve(|part| {
        let text = match part {
            TemplatePart::Text(_) => panic!("a literal part was requested"),
            TemplatePart::Reference(reference) => &reference.text,
            TemplatePart::Choice(choice) => &choice.text,
        };
        let (value, errors) = resolve(&Value::from(text.as_str()), scope);
        assert!(errors.iter().all(|error| !error.is_error()), "{text}: {errors:?}");
        value
    })
}

/// Resolves the text inside of a list and a map.
fn check_list(text: &str, value: &Value, scope: &Map) {
    let inner = Value::list(vec![text.into(), Value::map([("key", text.into())])]);
    let (resolved, _) = resolve(&inner, scope);
    let items = resolved.as_list().unwrap_or_default();
    assert!(items.first() == Some(value), "an item has another value");
    assert!(
        items.get(1).and_then(|map| map.get("key")) == Some(value),
        "a property has another value"
    );
}

fn parse(text: &str) -> Value {
    Value::parse(text.as_bytes(), Default::default()).0.unwrap_or_default()
}
