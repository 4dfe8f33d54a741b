//! Comparison of JSON values and diagnostics with the expectations of a case.

use byname::base::Diagnostic;
use serde_json::{Map, Value as Json, json};

/// Compares the codes of diagnostics with a list, or with `{has, lacks}`.
pub fn compare_codes(diagnostics: &[Diagnostic], expected: &Json) -> Result<(), String> {
    let mut codes: Vec<&str> = diagnostics.iter().map(|diagnostic| diagnostic.code.id).collect();
    codes.sort_unstable();
    if let Some(list) = expected.as_array() {
        let mut list: Vec<_> = list.iter().filter_map(Json::as_str).collect();
        list.sort_unstable();
        return same(&json!(codes), &json!(list)).map_err(|failure| format!("codes: {failure}"));
    }
    let named = |name: &str| expected[name].as_array().cloned().unwrap_or_default();
    let has = |code: &Json| codes.iter().any(|found| code == found);
    if named("has").iter().all(has) && !named("lacks").iter().any(has) {
        return Ok(());
    }
    Err(format!("the codes are {codes:?}, expected {expected}"))
}

/// Compares JSON values in any order of properties, with numbers as doubles.
pub fn same(found: &Json, expected: &Json) -> Result<(), String> {
    if normalized(found) == normalized(expected) {
        return Ok(());
    }
    Err(format!("expected {expected}, found {found}"))
}

fn normalized(value: &Json) -> Json {
    match value {
        Json::Number(number) => json!(number.as_f64()),
        Json::Array(items) => items.iter().map(normalized).collect(),
        Json::Object(map) => {
            let mut entries: Vec<_> = map.iter().collect();
            entries.sort_by_key(|(key, _)| *key);
            let entries = entries.into_iter().map(|(key, value)| (key.clone(), normalized(value)));
            Json::Object(entries.collect::<Map<_, _>>())
        }
        other => other.clone(),
    }
}

pub fn parse_json(text: String) -> Json {
    serde_json::from_str(&text).unwrap()
}

pub fn debug(value: impl std::fmt::Debug) -> String {
    format!("{value:?}")
}
