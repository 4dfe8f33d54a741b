//! Checks of records, plans and solve loops.

use super::NOW;
use super::matching::*;
use serde_json::{Value as Json, json};

/// Expands a status to a map.
pub fn expand_status(expected: &Json) -> Json {
    if expected.is_string() { json!({"status": expected}) } else { expected.clone() }
}

pub fn check_status(
    found: &Json,
    expected: &Json,
    default: &str,
    diagnostics: &Json,
    what: &str,
) -> Checked {
    let status = expected.get("status").cloned().unwrap_or_else(|| json!(default));
    matches(found.get("status"), &status, &format!("{what}: status ({})", show(diagnostics)))
}

/// Compares the other expected keys.
pub fn check_rest(found: &Json, expected: &Json, checked: &[&str], what: &str) -> Checked {
    for (key, value) in expected.as_object().unwrap() {
        if key == "metrics" {
            part(&found["metrics"], value, &format!("{what}: metrics"))?;
        } else if !checked.contains(&key.as_str()) {
            matches(found.get(key), value, &format!("{what}: {key}"))?;
        }
    }
    Ok(())
}

const CHECKED_KEYS: [&str; 7] = ["status", "codes", "help", "says", "location", "records", "plans"];

pub fn check_record(record: &Json, expected: &Json, what: &str) -> Checked {
    let expected = expand_status(expected);
    let errors = record.get("errors").cloned().unwrap_or_else(|| json!([]));
    check_form(&errors, what)?;
    if record["started_at"] != NOW || record["finished_at"] != NOW || record["step"] == 0 {
        return Err(format!("{what}: {record} has another time or step"));
    }
    check_status(record, &expected, "success", &errors, what)?;
    check_diagnostics(&errors, &expected, what)?;
    check_rest(record, &expected, &CHECKED_KEYS, what)
}

pub fn check_plan(result: &Json, expected: &Json, what: &str) -> Checked {
    let expected = expand_status(expected);
    check_form(&result["diagnostics"], what)?;
    let records = list(&result["records"]);
    for record in &records {
        check_form(&record["errors"], what)?;
    }
    let summary: Vec<_> =
        records.iter().map(|one| json!([one["command"], one["status"], one["errors"]])).collect();
    let summary = json!([summary, result["diagnostics"]]);
    check_status(result, &expected, "completed", &summary, what)?;
    check_diagnostics(&result["diagnostics"], &expected, what)?;
    if let Some(expected_items) = expected.get("records").map(list) {
        if records.len() != expected_items.len() {
            return Err(format!("{what}: {} records: {summary}", records.len()));
        }
        for (index, (record, expected_items)) in records.iter().zip(&expected_items).enumerate() {
            check_record(record, expected_items, &format!("{what}: record {index}"))?;
        }
    }
    check_rest(result, &expected, &CHECKED_KEYS, what)
}

pub fn check_solved(solved: &Json, expected: &Json) -> Checked {
    let expected = expand_status(expected);
    check_form(&solved["diagnostics"], "solved")?;
    check_status(solved, &expected, "complete", solved, "solved")?;
    check_diagnostics(&solved["diagnostics"], &expected, "solved")?;
    if let Some(expected_items) = expected.get("plans").map(list) {
        let plans = list(&solved["plans"]);
        if plans.len() != expected_items.len() {
            return Err(format!("{} plans: {}", plans.len(), show(solved)));
        }
        for (index, (plan, expected_items)) in plans.iter().zip(&expected_items).enumerate() {
            check_plan(plan, expected_items, &format!("plan {index}"))?;
        }
    }
    check_rest(solved, &expected, &CHECKED_KEYS, "solved")
}

pub fn check_checked(found: &Json, expected: &Json) -> Checked {
    check_form(found, "check")?;
    let ok = !list(found).iter().any(|one| one["severity"] == "error");
    let expects_no_errors = expected.get("codes").is_none() && expected.get("help").is_none();
    if json!(ok) != expected.get("ok").cloned().unwrap_or_else(|| json!(expects_no_errors)) {
        return Err(format!("ok is {ok}: {}", show(found)));
    }
    if expects_no_errors && ok && !list(found).is_empty() {
        return Err(show(found).to_string());
    }
    if let Some(count) = expected.get("count") {
        matches(Some(&json!(list(found).len())), count, "count")?;
    }
    check_diagnostics(found, expected, "check")
}
