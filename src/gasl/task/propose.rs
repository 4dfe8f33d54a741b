//! Asks the model for all possible next plans, for a search that tries several.

use super::reply_parser::{confidence_of, normalize_plan, parse_reply, plan_of, without_loop_keys};
use super::solve::loop_question;
use crate::base::prompt_text::sanitize_line;
use crate::base::value::{Map, excerpt_of, put};
use crate::base::{Diagnostic, Value};
use crate::gasl::core::Core;
use crate::gasl::effect::{HostResponse, Progress};
use crate::gasl::model::reply::Reply;
use crate::gasl::model::request::{ModelRequest, ReplyResult};
use crate::gasl::plan::Plan;
use crate::gasl::record::{CommandFailure, StepStatus};

/// Pending request for candidates.
pub struct ProposeRun {
    request: ModelRequest,
}

impl ProposeRun {
    /// Asks for plans, or for an evaluation if there are steps.
    pub fn begin(core: &mut Core, query: &str) -> (ProposeRun, Progress<Value>) {
        let last = core.history.records.back().map(|record| {
            let command = sanitize_line(&excerpt_of(&record.command, 200));
            format!("The last step ended as {}: {command}", record.status.word())
        });
        let question = loop_question(core, query, last.as_deref());
        let (request, progress) = ModelRequest::send(core, question, 1);
        let mut proposing = ProposeRun { request };
        let progress = proposing.handle_progress(core, progress);
        (proposing, progress)
    }

    /// Continues with the answer of the host.
    pub fn resume(&mut self, core: &mut Core, answer: HostResponse) -> Progress<Value> {
        let result = self.request.handle_answer(core, answer);
        self.handle_progress(core, Progress::Done(result))
    }

    fn handle_progress(
        &mut self,
        core: &mut Core,
        mut progress: Progress<ReplyResult>,
    ) -> Progress<Value> {
        loop {
            let reply = match progress {
                Progress::Need(effect) => return Progress::Need(effect),
                Progress::Done(Ok(reply)) => reply,
                Progress::Done(Err(failure)) => {
                    return Progress::Done(proposal_value(None, Vec::new(), &failure.diagnostics));
                }
            };
            match read_candidates(core, &reply) {
                Ok(proposal) => {
                    let all = proposal.get("candidates").and_then(Value::as_list);
                    core.history.add_candidates(all.unwrap_or_default());
                    return Progress::Done(proposal);
                }
                Err(diagnostics) => {
                    let failure =
                        CommandFailure { status: StepStatus::SchemaMismatch, diagnostics };
                    progress = self.request.retry(core, &reply, failure);
                }
            }
        }
    }
}

/// Returns the answer, or every candidate that is a valid plan; fails if none is.
fn read_candidates(core: &Core, reply: &Reply) -> Result<Value, Vec<Diagnostic>> {
    let (answer, value, mut diagnostics) = parse_reply(reply)?;
    if let Some(answer) = answer {
        let answer = core.interpolate_answer(&answer, &mut diagnostics);
        return Ok(proposal_value(Some(answer), Vec::new(), &diagnostics));
    }
    let listed = value.get("next_actions").and_then(Value::as_list).unwrap_or_default();
    let mut candidates = Vec::new();
    let mut errors = Vec::new();
    for (index, candidate) in listed.iter().enumerate() {
        let plan = plan_of(candidate).unwrap_or_default();
        let plan = normalize_plan(without_loop_keys(plan), index + 1);
        match Plan::read(&plan, core.setup.limits.commands) {
            Ok(_) => candidates.push(candidate_of(&plan, Some(candidate))),
            Err(found) => errors.extend(found),
        }
    }
    if listed.is_empty() {
        let plan = value.get("plan").cloned().unwrap_or(value);
        let plan = normalize_plan(without_loop_keys(plan), 1);
        match Plan::read(&plan, core.setup.limits.commands) {
            Ok(_) => candidates.push(candidate_of(&plan, None)),
            Err(found) => errors.extend(found),
        }
    }
    if candidates.is_empty() {
        return Err(errors);
    }
    diagnostics.extend(errors);
    Ok(proposal_value(None, candidates, &diagnostics))
}

fn candidate_of(plan: &Value, action: Option<&Value>) -> Value {
    let part = |key: &str| action.and_then(|action| action.get(key)).cloned();
    let mut map = Map::default();
    put(&mut map, "plan", plan.clone());
    let confidence = action.and_then(confidence_of).unwrap_or(0.5);
    put(&mut map, "confidence", Value::Number(confidence));
    put(&mut map, "rationale", part("rationale").unwrap_or_else(|| "".into()));
    map.into()
}

fn proposal_value(
    answer: Option<String>,
    candidates: Vec<Value>,
    diagnostics: &[Diagnostic],
) -> Value {
    Value::map([
        ("answer", Value::from(answer)),
        ("candidates", candidates.into()),
        (
            "diagnostics",
            Value::list(diagnostics.iter().map(Diagnostic::to_value).collect::<Vec<_>>()),
        ),
    ])
}
