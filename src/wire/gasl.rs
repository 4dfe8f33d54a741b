//! Results of a GASL session for JavaScript. The session writes them as JSON text. The types here are the source of
//! those of TypeScript, and a test parses real results with them.

#![expect(dead_code, reason = "the types are there to be derived from, and to read with")]

use super::{Diagnostic, Json};
use serde::Deserialize;
use std::collections::HashMap;
use ts_rs::TS;

/// Commands of a model.
#[derive(TS)]
pub struct Plan {
    /// 1 to 128 characters.
    pub plan_id: String,
    /// One line.
    pub why: String,
    /// At least one.
    pub commands: Vec<PlanCommand>,
    #[ts(optional)]
    pub config: Option<PlanConfig>,
}

/// A command of a plan, optionally with its own reason.
#[derive(TS)]
#[ts(untagged)]
pub enum PlanCommand {
    Text(String),
    Reasoned {
        command: String,
        #[ts(optional)]
        why: Option<String>,
    },
}

/// Conditions that stop a plan.
#[derive(TS)]
#[ts(optional_fields)]
pub struct PlanConfig {
    /// Whether a failed step stops the plan; true by default.
    pub stop_on_error: Option<bool>,
    /// Whether the plan continues after a step without results; false by default.
    pub continue_on_empty: Option<bool>,
}

/// Status of a step.
#[derive(Deserialize, TS, Debug, PartialEq)]
#[serde(rename_all = "snake_case")]
pub enum StepStatus {
    Success,
    Empty,
    Partial,
    BindingFailure,
    SchemaMismatch,
    Error,
}

/// Entry of the history.
#[derive(Deserialize, TS, Debug)]
#[serde(deny_unknown_fields)]
pub struct ExecutionRecord {
    /// Number of the step, counted over the complete session.
    pub step: u32,
    pub command: String,
    pub why: String,
    pub status: StepStatus,
    #[ts(type = "{ [name: string]: Json }")]
    pub metrics: HashMap<String, serde_json::Value>,
    pub started_at: String,
    pub finished_at: String,
    /// Diagnostics of every severity. Offsets are UTF-16 offsets into the command.
    #[ts(optional)]
    pub errors: Option<Vec<Diagnostic>>,
}

/// Final status of a plan.
#[derive(Deserialize, TS, Debug, PartialEq)]
#[serde(rename_all = "snake_case")]
pub enum PlanStatus {
    Completed,
    StoppedEmpty,
    Failed,
    /// The database did not respond; `resume` continues with the failed step.
    Interrupted,
    Cancelled,
}

/// Result of a plan.
#[derive(Deserialize, TS, Debug)]
#[serde(deny_unknown_fields)]
pub struct PlanResult {
    pub plan_id: String,
    pub status: PlanStatus,
    pub records: Vec<ExecutionRecord>,
    pub diagnostics: Vec<Diagnostic>,
    /// Text of `COMPLETE`.
    #[ts(optional)]
    pub answer: Option<String>,
}

/// Final status of the loop.
#[derive(Deserialize, TS, Debug, PartialEq)]
#[serde(rename_all = "snake_case")]
pub enum SolveStatus {
    Complete,
    Stopped,
    Cancelled,
}

/// Result of a question.
#[derive(Deserialize, TS, Debug)]
#[serde(deny_unknown_fields)]
pub struct SolveResult {
    pub status: SolveStatus,
    pub answer: Option<String>,
    /// The last entry contains the error that ended the loop, if any.
    pub plans: Vec<PlanResult>,
    pub diagnostics: Vec<Diagnostic>,
}

/// Snapshot of the state after a step.
#[derive(Deserialize, TS, Debug)]
#[serde(deny_unknown_fields)]
pub struct SnapshotInfo {
    /// SHA-256 of the canonical JSON (RFC 8785) of the variables, without provenance.
    pub hash: String,
    pub parent: Option<String>,
    pub step: u32,
    /// Possible next steps that the model proposed.
    #[ts(optional, as = "Option<Json>")]
    pub candidates: Option<serde_json::Value>,
}

#[test]
fn sessions_give_what_the_types_say() {
    use crate::gasl::caps::Caps;
    use crate::gasl::core::SessionSetup;
    use crate::gasl::effect::{Effect, Event, HostResponse, Progress};
    use crate::gasl::graph_access::GraphAccess;
    use crate::gasl::session::Session;
    use crate::gasl::task::solve::SolveBudget;

    let setup = SessionSetup { has_model: true, ..SessionSetup::default() };
    let mut session =
        Session::new(GraphAccess::remote(), setup, Caps::default(), None, "now").unwrap();
    let plan = r#"{"plan_id": "p", "why": "w", "commands": ["DECLARE a AS LIST", "FIND nodes AS x", "UPDATE b WITH x", "COMPLETE: done"], "config": {"stop_on_error": false}}"#;
    let mut turn = session.solve("why?", SolveBudget::default(), "now");
    let mut asked = 0;
    let result = loop {
        for event in &turn.events {
            if let Event::Step(record) = event {
                serde_json::from_str::<ExecutionRecord>(&record.to_text()).unwrap();
            }
        }
        let answer = match turn.next {
            Progress::Done(value) => break value,
            Progress::Need(Effect::Ask(_)) => {
                asked += 1;
                crate::base::Value::from(plan)
            }
            Progress::Need(Effect::Query(..)) => {
                vec![crate::base::Value::map([("id", crate::base::Value::from("n"))])].into()
            }
            Progress::Need(_) => crate::base::Value::Null,
        };
        turn = session.resume(turn.task, HostResponse::Value(answer), "now").unwrap();
    };
    let solved: SolveResult = serde_json::from_str(&result.to_text()).unwrap();
    assert_eq!((asked, solved.status), (1, SolveStatus::Complete));
    assert_eq!(solved.answer.as_deref(), Some("done"));
    let plan = &solved.plans[0];
    assert_eq!(plan.status, PlanStatus::Completed);
    let statuses: Vec<&StepStatus> = plan.records.iter().map(|record| &record.status).collect();
    let success = &StepStatus::Success;
    assert_eq!(statuses, [success, success, &StepStatus::Error, success]);
    let info: SnapshotInfo = serde_json::from_str(&session.current_snapshot().to_text()).unwrap();
    assert_eq!(info.step, 1);
}
