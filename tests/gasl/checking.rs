//! Compares records, results of plans and results of `solve` with the expectations of a case.

use super::NOW;
use super::matching::*;
use serde_json::{Value as Json, json};

/// Returns an expectation as a map; a string is its status.
pub fn expectation(expected: &Json) -> Json {
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

/// Compares the expected fields that are not in `checked`.
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

const CHECKED_FIELDS: [&str; 7] =
    ["status", "codes", "help", "says", "location", "records", "plans"];

pub fn check_record(record: &Json, expected: &Json, what: &str) -> Checked {
    let expected = expectation(expected);
    let errors = record.get("errors").cloned().unwrap_or_else(|| json!([]));
    check_well_formed(&errors, what)?;
    if record["started_at"] != NOW || record["finished_at"] != NOW || record["step"] == 0 {
        return Err(format!("{what}: {record} has another time or step"));
    }
    check_status(record, &expected, "success", &errors, what)?;
    check_diagnostics(&errors, &expected, what)?;
    check_rest(record, &expected, &CHECKED_FIELDS, what)
}

pub fn check_plan(result: &Json, expected: &Json, what: &str) -> Checked {
    let expected = expectation(expected);
    check_well_formed(&result["diagnostics"], what)?;
    let records = list(&result["records"]);
    for record in &records {
        check_well_formed(&record["errors"], what)?;
    }
    let shown: Vec<_> =
        records.iter().map(|one| json!([one["command"], one["status"], one["errors"]])).collect();
    let shown = json!([shown, result["diagnostics"]]);
    check_status(result, &expected, "completed", &shown, what)?;
    check_diagnostics(&result["diagnostics"], &expected, what)?;
    if let Some(expected_items) = expected.get("records").map(list) {
        if records.len() != expected_items.len() {
            return Err(format!("{what}: {} records: {shown}", records.len()));
        }
        for (index, (record, expected_record)) in records.iter().zip(&expected_items).enumerate() {
            check_record(record, expected_record, &format!("{what}: record {index}"))?;
        }
    }
    check_rest(result, &expected, &CHECKED_FIELDS, what)
}

pub fn check_solved(solved: &Json, expected: &Json) -> Checked {
    let expected = expectation(expected);
    check_well_formed(&solved["diagnostics"], "solved")?;
    check_status(solved, &expected, "complete", solved, "solved")?;
    check_diagnostics(&solved["diagnostics"], &expected, "solved")?;
    if let Some(expected_items) = expected.get("plans").map(list) {
        let plans = list(&solved["plans"]);
        if plans.len() != expected_items.len() {
            return Err(format!("{} plans: {}", plans.len(), show(solved)));
        }
        for (index, (plan, expected_plan)) in plans.iter().zip(&expected_items).enumerate() {
            check_plan(plan, expected_plan, &format!("plan {index}"))?;
        }
    }
    check_rest(solved, &expected, &CHECKED_FIELDS, "solved")
}

pub fn check_checked(found: &Json, expected: &Json) -> Checked {
    check_well_formed(found, "check")?;
    let ok = !list(found).iter().any(|one| one["severity"] == "error");
    let no_expectation = expected.get("codes").is_none() && expected.get("help").is_none();
    if json!(ok) != expected.get("ok").cloned().unwrap_or_else(|| json!(no_expectation)) {
        return Err(format!("ok is {ok}: {}", show(found)));
    }
    if no_expectation && ok && !list(found).is_empty() {
        return Err(show(found).to_string());
    }
    if let Some(count) = expected.get("count") {
        matches(Some(&json!(list(found).len())), count, "count")?;
    }
    check_diagnostics(found, expected, "check")
}
