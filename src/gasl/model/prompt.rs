//! All prompts, in one place. A prompt states the fields and the schema, ends in no white space
//! and holds no time.

use crate::base::Value;
use crate::base::value::excerpt;
use crate::gasl::codes::NOT_STORED;

/// Who the model is when it works on rows or on the state.
pub const ANALYST: &str = "You analyse data that was taken from a graph. Use only what you are shown. Answer with one JSON value that fits the schema, and nothing around it.";

/// A row as a prompt shows it.
pub struct PromptRow {
    /// How the answer cites it.
    pub input_id: String,
    /// The row, cut if it is long.
    pub text: String,
}

/// The prompt of one batch of `PROCESS`.
pub fn process(instruction: &str, fields: &[String], rows: &[PromptRow], schema: &Value) -> String {
    let mut prompt = format!(
        "Task: {instruction}\n\nFields of the rows: {}\n\nRows, each behind its input_id:\n",
        fields.join(", ")
    );
    for row in rows {
        prompt.push_str(&format!("[{}] {}\n", row.input_id, row.text));
    }
    prompt.push_str(&format!("\nAnswer with JSON of this schema:\n{}", schema.to_text()));
    prompt
}

/// The schema of `PROCESS` where none is given.
pub fn process_schema() -> Value {
    let text = || Value::map([("type", "string")].map(|(key, value)| (key, Value::from(value))));
    let citation = Value::map([
        ("type", Value::from("object")),
        (
            "properties",
            Value::map([
                (
                    "item",
                    Value::map([("description", Value::from("the index of the item in `items`"))]),
                ),
                (
                    "input_id",
                    Value::map([
                        ("type", Value::from("string")),
                        ("description", "the input_id of the row that says so".into()),
                    ]),
                ),
                ("snippet", text()),
            ]),
        ),
        ("required", vec!["item".into(), "input_id".into()].into()),
    ]);
    Value::map([
        ("type", Value::from("object")),
        (
            "properties",
            Value::map([
                ("items", Value::map([("type", Value::from("array"))])),
                ("provenance", Value::map([("type", Value::from("array")), ("items", citation)])),
            ]),
        ),
        ("required", vec!["items".into()].into()),
    ])
}

/// The prompt of `ANALYZE`.
pub fn analyze(instruction: &str, key: &str, excerpt: &str, schema: &Value) -> String {
    format!(
        "Task: {instruction}\n\nThe state under `{key}`, whole or as a sample:\n{excerpt}\n\nAnswer with JSON of this schema:\n{}",
        schema.to_text()
    )
}

/// The schema of `ANALYZE`.
pub fn analyze_schema() -> Value {
    let rationale = Value::map([
        ("type", Value::from("string")),
        ("description", "why, in one or two sentences".into()),
    ]);
    Value::map([
        ("type", Value::from("object")),
        (
            "properties",
            Value::map([
                ("rationale", rationale),
                ("evidence", Value::map([("type", Value::from("array"))])),
            ]),
        ),
        ("required", vec!["rationale".into()].into()),
    ])
}

/// The same prompt again, with what was wrong with the reply to it.
pub fn repair(prompt: &str, reply: &str, errors: &str) -> String {
    format!(
        "{prompt}\n\nYour last reply was:\n{reply}\n\nIt cannot be used:\n{errors}\n\nAnswer again, whole, with these errors mended"
    )
}

/// Who the model is in the loop.
pub fn researcher() -> String {
    format!(
        "You answer a question about a graph by experiments. Form a hypothesis, write a plan of GASL commands that tests it, look at what came of it, and go on until you know the answer.\n\n{}",
        super::super::reference::PROMPT
    )
}

/// The first prompt of the loop, and the one after each evaluation without a plan.
pub fn plan(query: &str, graph: &str, state: &str, history: &str) -> String {
    format!(
        "Question: {query}\n\nThe graph: {graph}\n\nThe state so far: {state}\n\n{history}\n\nAnswer with the next plan, a JSON object, or with `COMPLETE: ` and the answer if you know it"
    )
}

/// The prompt after each plan.
pub fn evaluate(query: &str, graph: &str, state: &str, history: &str, outcome: &str) -> String {
    format!(
        "Question: {query}\n\nThe graph: {graph}\n\nThe state so far: {state}\n\n{history}\n\n{outcome}\n\nWas the hypothesis borne out? Decide: continue, refine, pivot or terminate. Answer with `{{\"decision\": …, \"next_actions\": [{{\"plan\": …, \"confidence\": 0.0 to 1.0, \"rationale\": …}}]}}`, with a plan, or with `COMPLETE: ` and the answer if you know it"
    )
}

/// Records that a prompt shows.
pub const RECENT_RECORDS: usize = 12;

/// The last steps, one format_diagnostic each.
pub fn history(records: &[Value]) -> String {
    let mut out = String::from("The last steps:");
    let text =
        |of: &Value, key: &str| of.get(key).and_then(Value::as_text).unwrap_or_default().to_owned();
    for record in records {
        let mut metrics =
            record.get("metrics").and_then(Value::as_map).cloned().unwrap_or_default();
        // There is a time in it.
        metrics.shift_remove("extraction");
        let metrics = excerpt(&Value::from(metrics), 200);
        let step = record.get("step").map_or_else(String::new, Value::to_text);
        let command = crate::base::value::excerpt_of(&text(record, "command"), 200);
        let status = text(record, "status");
        out.push_str(&format!("\n{step}. {command} → {status} {metrics}"));
        let errors = record.get("errors").and_then(Value::as_list).unwrap_or_default();
        // What the host could not store is no matter of the model's, and a replay stores nothing.
        let stored = NOT_STORED.id;
        let errors = errors.iter().filter(|error| text(error, "code") != stored);
        for error in errors.take(3) {
            let [code, message, help] = ["code", "message", "help"].map(|key| text(error, key));
            out.push_str(&format!("\n   {code}: {message} ({help})"));
        }
    }
    if records.is_empty() { "There were no steps yet".to_owned() } else { out }
}
