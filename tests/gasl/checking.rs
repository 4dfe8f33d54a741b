//! What a case expects of records, plans and loops.

use super::NOW;
use super::matching::*;
use serde_json::{Value as Json, json};

/// A status alone stands for a map with it.
pub fn whole(expected: &Json) -> Json {
    if expected.is_string() { json!({"status": expected}) } else { expected.clone() }
}

pub fn check_status(
    found: &Json,
    expected: &Json,
    usual: &str,
    told: &Json,
    what: &str,
) -> Checked {
    let status = expected.get("status").cloned().unwrap_or_else(|| json!(usual));
    matches(found.get("status"), &status, &format!("{what}: status ({})", show(told)))
}

/// Whatever else is named.
pub fn check_rest(found: &Json, expected: &Json, known: &[&str], what: &str) -> Checked {
    for (key, value) in expected.as_object().unwrap() {
        if key == "metrics" {
            part(&found["metrics"], value, &format!("{what}: metrics"))?;
        } else if !known.contains(&key.as_str()) {
            matches(found.get(key), value, &format!("{what}: {key}"))?;
        }
    }
    Ok(())
}

const TOLD: [&str; 7] = ["status", "codes", "help", "says", "location", "records", "plans"];

pub fn check_record(record: &Json, expected: &Json, what: &str) -> Checked {
    let expected = whole(expected);
    let errors = record.get("errors").cloned().unwrap_or_else(|| json!([]));
    helped(&errors, what)?;
    if record["started_at"] != NOW || record["finished_at"] != NOW || record["step"] == 0 {
        return Err(format!("{what}: {record} has another time or step"));
    }
    check_status(record, &expected, "success", &errors, what)?;
    told(&errors, &expected, what)?;
    check_rest(record, &expected, &TOLD, what)
}

pub fn check_plan(result: &Json, expected: &Json, what: &str) -> Checked {
    let expected = whole(expected);
    helped(&result["diagnostics"], what)?;
    let records = list(&result["records"]);
    for record in &records {
        helped(&record["errors"], what)?;
    }
    let shown: Vec<_> =
        records.iter().map(|one| json!([one["command"], one["status"], one["errors"]])).collect();
    let shown = json!([shown, result["diagnostics"]]);
    check_status(result, &expected, "completed", &shown, what)?;
    told(&result["diagnostics"], &expected, what)?;
    if let Some(wanted) = expected.get("records").map(list) {
        if records.len() != wanted.len() {
            return Err(format!("{what}: {} records: {shown}", records.len()));
        }
        for (index, (record, wanted)) in records.iter().zip(&wanted).enumerate() {
            check_record(record, wanted, &format!("{what}: record {index}"))?;
        }
    }
    check_rest(result, &expected, &TOLD, what)
}

pub fn check_solved(solved: &Json, expected: &Json) -> Checked {
    let expected = whole(expected);
    helped(&solved["diagnostics"], "solved")?;
    check_status(solved, &expected, "complete", solved, "solved")?;
    told(&solved["diagnostics"], &expected, "solved")?;
    if let Some(wanted) = expected.get("plans").map(list) {
        let plans = list(&solved["plans"]);
        if plans.len() != wanted.len() {
            return Err(format!("{} plans: {}", plans.len(), show(solved)));
        }
        for (index, (plan, wanted)) in plans.iter().zip(&wanted).enumerate() {
            check_plan(plan, wanted, &format!("plan {index}"))?;
        }
    }
    check_rest(solved, &expected, &TOLD, "solved")
}

pub fn check_checked(found: &Json, expected: &Json) -> Checked {
    helped(found, "check")?;
    let ok = !list(found).iter().any(|one| one["severity"] == "error");
    let usual = expected.get("codes").is_none() && expected.get("help").is_none();
    if json!(ok) != expected.get("ok").cloned().unwrap_or_else(|| json!(usual)) {
        return Err(format!("ok is {ok}: {}", show(found)));
    }
    if usual && ok && !list(found).is_empty() {
        return Err(show(found).to_string());
    }
    if let Some(count) = expected.get("count") {
        matches(Some(&json!(list(found).len())), count, "count")?;
    }
    told(found, expected, "check")
}
