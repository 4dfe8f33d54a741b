//! All prompts. A prompt states the fields and the schema, does not end in white space, and contains
//! no time.

use crate::base::Value;

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
        "You answer a question about a graph by experiments: form a hypothesis, plan GASL commands that test it, inspect the results, and continue until you know the answer.\n\n{}",
        super::super::reference::PROMPT
    )
}

/// Parts of a prompt of the loop.
pub struct LoopContext {
    pub query: String,
    pub graph: String,
    pub state: String,
    /// Steps and results.
    pub history: String,
}

impl LoopContext {
    fn write(&self) -> String {
        let LoopContext { query, graph, state, history } = self;
        format!("Question: {query}\n\nGraph: {graph}\n\nState: {state}\n\n{history}")
    }

    /// Returns the first prompt of the loop, and the one after each evaluation without a plan.
    pub fn plan(&self) -> String {
        let context = self.write();
        format!(
            "{context}\n\nRespond with the next plan, a JSON object, or with `COMPLETE: ` and the answer"
        )
    }

    /// Returns the prompt after each plan.
    pub fn evaluate(&self, outcome: &str) -> String {
        let context = self.write();
        format!(
            "{context}\n\n{outcome}\n\nDecide: continue, refine, pivot or terminate. Respond with `{{\"decision\": …, \"next_actions\": [{{\"plan\": …, \"confidence\": 0 to 1, \"rationale\": …}}]}}`, a plan, or `COMPLETE: ` and the answer"
        )
    }
}
