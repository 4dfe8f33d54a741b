//! Comparison of values with the expectations of a GASL case; `match.mjs` is the same in JavaScript.

use serde_json::{Map, Value as Json, json};

pub type Checked = Result<(), String>;

/// Compares a value with an expectation.
pub fn matches(actual: Option<&Json>, expected: &Json, what: &str) -> Checked {
    if let Some((form, operand)) = operator_of(expected) {
        return check_operator(actual, form, operand, what);
    }
    let Some(actual) = actual else { return Err(format!("{what}: nothing, not {expected}")) };
    match (actual, expected) {
        (Json::Array(found), Json::Array(expected_items)) => {
            if found.len() != expected_items.len() {
                let shown = show(actual);
                return Err(format!(
                    "{what}: {} items, not {}: {shown}",
                    found.len(),
                    expected_items.len()
                ));
            }
            let mut pairs = found.iter().zip(expected_items).enumerate();
            pairs.try_for_each(|(at, (one, other))| {
                matches(Some(one), other, &format!("{what}/{at}"))
            })
        }
        (Json::Object(found), Json::Object(expected_items)) => {
            let keys = |map: &Map<String, Json>| {
                let mut keys: Vec<String> = map.keys().cloned().collect();
                keys.sort();
                keys
            };
            if keys(found) != keys(expected_items) {
                return Err(format!(
                    "{what}: the keys of {} are not {:?}",
                    show(actual),
                    keys(expected_items)
                ));
            }
            part(actual, expected, what)
        }
        _ if same(actual, expected) => Ok(()),
        _ => Err(format!("{what}: expected {}, got {}", show(expected), show(actual))),
    }
}

const OPERATORS: [&str; 11] = [
    "$part",
    "$missing",
    "$any",
    "$oneOf",
    "$has",
    "$lacks",
    "$length",
    "$atMost",
    "$unordered",
    "$column",
    "$all",
];

fn operator_of(expected: &Json) -> Option<(&str, &Json)> {
    let map = expected.as_object().filter(|map| map.len() == 1)?;
    let (key, operand) = map.iter().next()?;
    OPERATORS.contains(&key.as_str()).then_some((key.as_str(), operand))
}

fn check_operator(actual: Option<&Json>, form: &str, operand: &Json, what: &str) -> Checked {
    let shown = actual.map_or_else(|| "nothing".to_owned(), show);
    let fail = |message: &str| Err(format!("{what}: {message} {}: {shown}", show(operand)));
    if form == "$missing" {
        return if actual.is_none() { Ok(()) } else { fail("there is something") };
    }
    let Some(actual) = actual else { return fail(form) };
    let contains = |one: &Json| match actual {
        Json::String(text) => one.as_str().is_some_and(|part| text.contains(part)),
        Json::Array(items) => items.iter().any(|item| same(item, one)),
        _ => false,
    };
    let ok = match form {
        "$part" => return part(actual, operand, what),
        "$all" => return list(operand).iter().try_for_each(|one| matches(Some(actual), one, what)),
        "$column" => {
            let of = operand["of"].as_str().unwrap_or_default();
            let Json::Array(items) = actual else { return fail("no list") };
            let column = items.iter().map(|item| item.get(of).cloned().unwrap_or_default());
            let column = Json::Array(column.collect());
            return matches(Some(&column), &operand["is"], &format!("{what}: {of}"));
        }
        "$any" => true,
        "$oneOf" => list(operand).iter().any(|one| same(actual, one)),
        "$has" => list(operand).iter().all(contains),
        "$lacks" => !list(operand).iter().any(contains),
        "$length" => length(actual) == operand.as_u64(),
        "$atMost" => actual.as_f64().zip(operand.as_f64()).is_some_and(|(one, most)| one <= most),
        _ => return unordered(actual, operand, what),
    };
    if ok { Ok(()) } else { fail(form) }
}

fn unordered(actual: &Json, expected: &Json, what: &str) -> Checked {
    let (Json::Array(found), Json::Array(expected_items)) = (actual, expected) else {
        return Err(format!("{what}: no list: {}", show(actual)));
    };
    if found.len() != expected_items.len() {
        return Err(format!(
            "{what}: {} items, not {}: {}",
            found.len(),
            expected_items.len(),
            show(actual)
        ));
    }
    let mut left: Vec<&Json> = found.iter().collect();
    for one in expected_items {
        match left.iter().position(|item| matches(Some(item), one, "").is_ok()) {
            Some(at) => drop(left.swap_remove(at)),
            None => return Err(format!("{what}: no {} in {}", show(one), show(actual))),
        }
    }
    Ok(())
}

/// Compares the expected entries and ignores others.
pub fn part(actual: &Json, expected: &Json, what: &str) -> Checked {
    if !actual.is_object() {
        return Err(format!("{what}: no map: {}", show(actual)));
    }
    let mut entries = expected.as_object().into_iter().flatten();
    entries.try_for_each(|(key, each)| matches(actual.get(key), each, &format!("{what}/{key}")))
}

/// Equality without the order of properties, and with numbers as doubles.
pub fn same(a: &Json, b: &Json) -> bool {
    match (a, b) {
        (Json::Number(a), Json::Number(b)) => a.as_f64() == b.as_f64(),
        (Json::Array(a), Json::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        (Json::Object(a), Json::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| same(a, b)))
        }
        _ => a == b,
    }
}

/// A list as it is, anything else as the list of it alone.
pub fn list(value: &Json) -> Vec<Json> {
    match value {
        Json::Null => Vec::new(),
        Json::Array(items) => items.clone(),
        one => vec![one.clone()],
    }
}

fn length(value: &Json) -> Option<u64> {
    match value {
        Json::String(text) => Some(text.encode_utf16().count() as u64),
        Json::Array(items) => Some(items.len() as u64),
        _ => None,
    }
}

pub fn show(value: &Json) -> String {
    value.to_string().chars().take(600).collect()
}

/// Compares diagnostics: codes, parts of help and message, and the location of the first.
pub fn check_diagnostics(diagnostics: &Json, expected: &Json, what: &str) -> Checked {
    let all = list(diagnostics);
    if let Some(codes) = expected.get("codes") {
        let found = all.iter().filter_map(|one| one["code"].as_str()).collect::<Vec<_>>();
        compare_codes(found, codes, what)?;
    }
    for (key, property) in [("help", "help"), ("says", "message")] {
        for part in expected.get(key).map(list).unwrap_or_default() {
            let part = part.as_str().unwrap_or_default();
            if !all.iter().any(|one| one[property].as_str().is_some_and(|text| text.contains(part)))
            {
                return Err(format!("{what}: no {property} with {part:?}: {diagnostics}"));
            }
        }
    }
    for (name, value) in expected["location"].as_object().into_iter().flatten() {
        let found = all.first().and_then(|first| first["location"].get(name));
        if !found.is_some_and(|found| same(found, value)) {
            return Err(format!("{what}: location.{name} of {diagnostics} is not {value}"));
        }
    }
    Ok(())
}

/// `{has, lacks}`, or the whole list.
pub fn compare_codes(mut found: Vec<&str>, expected: &Json, what: &str) -> Checked {
    found.sort_unstable();
    if let Json::Array(expected_items) = expected {
        let mut expected_items: Vec<&str> =
            expected_items.iter().filter_map(Json::as_str).collect();
        expected_items.sort_unstable();
        return if found == expected_items {
            Ok(())
        } else {
            Err(format!("{what}: the codes are {found:?}, expected {expected_items:?}"))
        };
    }
    let has = |code: &Json| found.iter().any(|one| code == one);
    let (required, forbidden) = (list(&expected["has"]), list(&expected["lacks"]));
    if required.iter().all(has) && !forbidden.iter().any(has) {
        return Ok(());
    }
    Err(format!("{what}: the codes are {found:?}, expected {expected}"))
}

/// Checks the form of diagnostics: every error has a help.
pub fn check_form(diagnostics: &Json, what: &str) -> Checked {
    for one in list(diagnostics) {
        let message = one["message"].as_str().unwrap_or_default();
        let help = one["help"].as_str().unwrap_or_default();
        let severity = one["severity"].as_str().unwrap_or_default();
        let is_valid = !message.is_empty()
            && !message.contains('\n')
            && ["error", "warning", "info"].contains(&severity)
            && (severity != "error" || !help.is_empty());
        if !is_valid {
            return Err(format!("{what}: {one} is not a diagnostic"));
        }
    }
    Ok(())
}

/// Expands the short forms in a case.
pub fn expand(value: &Json) -> Json {
    match value {
        Json::Array(items) => {
            let each = items.iter().flat_map(|item| match many(item) {
                Some((times, of)) => vec![expand(of); times],
                None => vec![expand(item)],
            });
            Json::Array(each.collect())
        }
        Json::Object(map) => match map.get("$text") {
            Some(parts) => {
                let parts = list(parts);
                let texts = parts.iter().map(|item| match many(item) {
                    Some((times, of)) => of.as_str().unwrap_or_default().repeat(times),
                    None => item.as_str().unwrap_or_default().to_owned(),
                });
                json!(texts.collect::<String>())
            }
            None => map.iter().map(|(key, each)| (key.clone(), expand(each))).collect(),
        },
        other => other.clone(),
    }
}

fn many(value: &Json) -> Option<(usize, &Json)> {
    let map = value.as_object().filter(|map| map.len() == 2)?;
    Some((map.get("times")?.as_u64()? as usize, map.get("of")?))
}
