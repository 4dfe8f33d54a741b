//! What a GASL case expects of a value, as `match.mjs` reads it too.

use serde_json::{Map, Value as Json, json};

pub type Checked = Result<(), String>;

/// Whether a value is what is expected.
pub fn matches(actual: Option<&Json>, expected: &Json, what: &str) -> Checked {
    if let Some((form, operand)) = form_of(expected) {
        return formed(actual, form, operand, what);
    }
    let Some(actual) = actual else { return Err(format!("{what}: nothing, not {expected}")) };
    match (actual, expected) {
        (Json::Array(found), Json::Array(wanted)) => {
            if found.len() != wanted.len() {
                let shown = show(actual);
                return Err(format!(
                    "{what}: {} items, not {}: {shown}",
                    found.len(),
                    wanted.len()
                ));
            }
            let mut pairs = found.iter().zip(wanted).enumerate();
            pairs.try_for_each(|(at, (one, other))| {
                matches(Some(one), other, &format!("{what}/{at}"))
            })
        }
        (Json::Object(found), Json::Object(wanted)) => {
            let keys = |map: &Map<String, Json>| {
                let mut keys: Vec<String> = map.keys().cloned().collect();
                keys.sort();
                keys
            };
            if keys(found) != keys(wanted) {
                return Err(format!(
                    "{what}: the keys of {} are not {:?}",
                    show(actual),
                    keys(wanted)
                ));
            }
            part(actual, expected, what)
        }
        _ if same(actual, expected) => Ok(()),
        _ => Err(format!("{what}: expected {}, got {}", show(expected), show(actual))),
    }
}

const FORMS: [&str; 11] = [
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

fn form_of(expected: &Json) -> Option<(&str, &Json)> {
    let map = expected.as_object().filter(|map| map.len() == 1)?;
    let (key, operand) = map.iter().next()?;
    FORMS.contains(&key.as_str()).then_some((key.as_str(), operand))
}

fn formed(actual: Option<&Json>, form: &str, operand: &Json, what: &str) -> Checked {
    let shown = actual.map_or_else(|| "nothing".to_owned(), show);
    let fault = |message: &str| Err(format!("{what}: {message} {}: {shown}", show(operand)));
    if form == "$missing" {
        return if actual.is_none() { Ok(()) } else { fault("there is something") };
    }
    let Some(actual) = actual else { return fault(form) };
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
            let Json::Array(items) = actual else { return fault("no list") };
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
    if ok { Ok(()) } else { fault(form) }
}

fn unordered(actual: &Json, expected: &Json, what: &str) -> Checked {
    let (Json::Array(found), Json::Array(wanted)) = (actual, expected) else {
        return Err(format!("{what}: no list: {}", show(actual)));
    };
    if found.len() != wanted.len() {
        return Err(format!(
            "{what}: {} items, not {}: {}",
            found.len(),
            wanted.len(),
            show(actual)
        ));
    }
    let mut left: Vec<&Json> = found.iter().collect();
    for one in wanted {
        match left.iter().position(|item| matches(Some(item), one, "").is_ok()) {
            Some(at) => drop(left.swap_remove(at)),
            None => return Err(format!("{what}: no {} in {}", show(one), show(actual))),
        }
    }
    Ok(())
}

/// The entries that are named are there.
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

/// What a case says of diagnostics: their codes, parts of their help, the place of the first.
pub fn told(diagnostics: &Json, expected: &Json, what: &str) -> Checked {
    let all = list(diagnostics);
    if let Some(codes) = expected.get("codes") {
        let found = all.iter().filter_map(|one| one["code"].as_str()).collect::<Vec<_>>();
        compare_codes(found, codes, what)?;
    }
    for (key, wanted) in [("help", "help"), ("says", "message")] {
        for part in expected.get(key).map(list).unwrap_or_default() {
            let part = part.as_str().unwrap_or_default();
            if !all.iter().any(|one| one[wanted].as_str().is_some_and(|text| text.contains(part))) {
                return Err(format!("{what}: no {wanted} with {part:?}: {diagnostics}"));
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
    if let Json::Array(wanted) = expected {
        let mut wanted: Vec<&str> = wanted.iter().filter_map(Json::as_str).collect();
        wanted.sort_unstable();
        return if found == wanted {
            Ok(())
        } else {
            Err(format!("{what}: the codes are {found:?}, expected {wanted:?}"))
        };
    }
    let has = |code: &Json| found.iter().any(|one| code == one);
    let (wanted, unwanted) = (list(&expected["has"]), list(&expected["lacks"]));
    if wanted.iter().all(has) && !unwanted.iter().any(has) {
        return Ok(());
    }
    Err(format!("{what}: the codes are {found:?}, expected {expected}"))
}

/// What every diagnostic must be, whatever a case says about it.
pub fn helped(diagnostics: &Json, what: &str) -> Checked {
    for one in list(diagnostics) {
        let message = one["message"].as_str().unwrap_or_default();
        let help = one["help"].as_str().unwrap_or_default();
        let severity = one["severity"].as_str().unwrap_or_default();
        let fine = !message.is_empty()
            && !message.contains('\n')
            && ["error", "warning", "info"].contains(&severity)
            && (severity != "error" || !help.is_empty());
        if !fine {
            return Err(format!("{what}: {one} is no diagnostic"));
        }
    }
    Ok(())
}

/// The data of a case with its short forms written out.
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
