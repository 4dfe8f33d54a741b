//! All prompts. A prompt states the fields and the schema, does not end in white space, and contains
//! no time.

use crate::base::Value;
use crate::base::value::excerpt;
use crate::gasl::codes::NOT_STORED;

/// System prompt of `PROCESS` and `ANALYZE`.
pub const ANALYST: &str = "You analyze data extracted from a graph. Use only the data shown. Respond with one JSON value that matches the schema, and nothing else.";

/// Row in a prompt.
pub struct PromptRow {
    /// Id by which the reply cites the row.
    pub input_id: String,
    /// Row as text, truncated if it is long.
    pub text: String,
}

/// Returns the prompt of a batch of `PROCESS`.
pub fn process(instruction: &str, fields: &[String], rows: &[PromptRow], schema: &Value) -> String {
    let mut prompt = format!(
        "Task: {instruction}\n\nFields of the rows: {}\n\nRows, each after its input_id:\n",
        fields.join(", ")
    );
    for row in rows {
        prompt.push_str(&format!("[{}] {}\n", row.input_id, row.text));
    }
    prompt
        .push_str(&format!("\nRespond with JSON that matches this schema:\n{}", schema.to_text()));
    prompt
}

/// Returns the default schema of `PROCESS`.
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
                        ("description", "the input_id of the row that supports the item".into()),
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

/// Returns the prompt of `ANALYZE`.
pub fn analyze(instruction: &str, key: &str, excerpt: &str, schema: &Value) -> String {
    format!(
        "Task: {instruction}\n\nThe state under `{key}`, complete or a sample:\n{excerpt}\n\nRespond with JSON that matches this schema:\n{}",
        schema.to_text()
    )
}

/// Returns the schema of `ANALYZE`.
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

/// Returns the prompt of a retry with the invalid reply and its errors.
pub fn repair(prompt: &str, reply: &str, errors: &str) -> String {
    format!(
        "{prompt}\n\nYour last reply was:\n{reply}\n\nIt is invalid:\n{errors}\n\nFix these errors and return the complete reply"
    )
}

/// Returns the system prompt of the loop.
pub fn researcher() -> String {
    format!(
        "You answer a question about a graph by experiments. Form a hypothesis, write a plan of GASL commands that tests it, inspect the results, and continue until you know the answer.\n\n{}",
        super::super::reference::PROMPT
    )
}

/// Returns the first prompt of the loop, and the one after each evaluation without a plan.
pub fn plan(query: &str, graph: &str, state: &str, history: &str) -> String {
    format!(
        "Question: {query}\n\nThe graph: {graph}\n\nThe state so far: {state}\n\n{history}\n\nRespond with the next plan, a JSON object, or with `COMPLETE: ` and the answer if you know it"
    )
}

/// Returns the prompt after each plan.
pub fn evaluate(query: &str, graph: &str, state: &str, history: &str, outcome: &str) -> String {
    format!(
        "Question: {query}\n\nThe graph: {graph}\n\nThe state so far: {state}\n\n{history}\n\n{outcome}\n\nIs the hypothesis confirmed? Decide: continue, refine, pivot or terminate. Respond with `{{\"decision\": …, \"next_actions\": [{{\"plan\": …, \"confidence\": 0.0 to 1.0, \"rationale\": …}}]}}`, with a plan, or with `COMPLETE: ` and the answer if you know it"
    )
}

/// Maximum number of records in a prompt.
pub const RECENT_RECORDS: usize = 12;

/// Formats records, one line per step.
pub fn history(records: &[Value]) -> String {
    let mut out = String::from("The last steps:");
    let text =
        |of: &Value, key: &str| of.get(key).and_then(Value::as_text).unwrap_or_default().to_owned();
    for record in records {
        let mut metrics =
            record.get("metrics").and_then(Value::as_map).cloned().unwrap_or_default();
        // Contains a time.
        metrics.shift_remove("extraction");
        let metrics = excerpt(&Value::from(metrics), 200);
        let step = record.get("step").map_or_else(String::new, Value::to_text);
        let command = crate::base::value::excerpt_of(&text(record, "command"), 200);
        let status = text(record, "status");
        out.push_str(&format!("\n{step}. {command} → {status} {metrics}"));
        let errors = record.get("errors").and_then(Value::as_list).unwrap_or_default();
        // The model need not know about failed saves, which a replay does not repeat.
        let errors = errors.iter().filter(|error| text(error, "code") != NOT_STORED.id);
        for error in errors.take(3) {
            let [code, message, help] = ["code", "message", "help"].map(|key| text(error, key));
            out.push_str(&format!("\n   {code}: {message} ({help})"));
        }
    }
    if records.is_empty() { "No steps yet".to_owned() } else { out }
}
