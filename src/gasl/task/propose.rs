//! What could be done next: all that the model proposes, for a search that tries several.

use super::heard::{as_plan, confidence_of, heard, plan_of, without_loop_keys};
use super::solve::question;
use crate::base::value::{Map, put};
use crate::base::{Diagnostic, Value};
use crate::gasl::core::Core;
use crate::gasl::effect::{Answer, Progress};
use crate::gasl::model::asking::{Asking, Replied};
use crate::gasl::model::reply::Reply;
use crate::gasl::plan::Plan;
use crate::gasl::record::{Failure, Status};

/// A question for candidates that waits for the model.
pub struct Proposing {
    asking: Asking,
}

impl Proposing {
    /// Asks: for plans at first, for an evaluation once there are steps.
    pub fn begin(core: &mut Core, query: &str) -> (Proposing, Progress<Value>) {
        let last = core.history.records.back().map(|record| {
            format!("The last step ended as {}: {}", record.status.word(), record.command)
        });
        let question = question(core, query, last.as_deref());
        let (asking, progress) = Asking::put(core, question, 1);
        let mut proposing = Proposing { asking };
        let progress = proposing.go_on(core, progress);
        (proposing, progress)
    }

    /// What the model answered.
    pub fn resume(&mut self, core: &mut Core, answer: Answer) -> Progress<Value> {
        let replied = self.asking.answered(core, answer);
        self.go_on(core, Progress::Done(replied))
    }

    fn go_on(&mut self, core: &mut Core, mut progress: Progress<Replied>) -> Progress<Value> {
        loop {
            let reply = match progress {
                Progress::Need(effect) => return Progress::Need(effect),
                Progress::Done(Ok(reply)) => reply,
                Progress::Done(Err(failure)) => {
                    return Progress::Done(proposal(None, Vec::new(), &failure.diagnostics));
                }
            };
            match read(core, &reply) {
                Ok(found) => {
                    let all = found.get("candidates").and_then(Value::as_list);
                    core.history.keep_candidates(all.unwrap_or_default());
                    return Progress::Done(found);
                }
                Err(diagnostics) => {
                    let failure = Failure { status: Status::SchemaMismatch, diagnostics };
                    progress = self.asking.again(core, &reply, failure);
                }
            }
        }
    }
}

/// The answer, or every candidate that is a plan; an error where none is.
fn read(core: &Core, reply: &Reply) -> Result<Value, Vec<Diagnostic>> {
    let (answer, value, mut told) = heard(reply)?;
    if let Some(answer) = answer {
        let answer = core.filled_answer(&answer, &mut told);
        return Ok(proposal(Some(answer), Vec::new(), &told));
    }
    let listed = value.get("next_actions").and_then(Value::as_list).unwrap_or_default();
    let mut candidates = Vec::new();
    let mut faults = Vec::new();
    for (index, candidate) in listed.iter().enumerate() {
        let plan = plan_of(candidate).unwrap_or_default();
        let plan = as_plan(without_loop_keys(plan), index + 1);
        match Plan::read(&plan) {
            Ok(_) => candidates.push(candidate_of(&plan, Some(candidate))),
            Err(wrong) => faults.extend(wrong),
        }
    }
    if listed.is_empty() {
        let plan = value.get("plan").cloned().unwrap_or(value);
        let plan = as_plan(without_loop_keys(plan), 1);
        match Plan::read(&plan) {
            Ok(_) => candidates.push(candidate_of(&plan, None)),
            Err(wrong) => faults.extend(wrong),
        }
    }
    if candidates.is_empty() {
        return Err(faults);
    }
    told.extend(faults);
    Ok(proposal(None, candidates, &told))
}

fn candidate_of(plan: &Value, given: Option<&Value>) -> Value {
    let part = |key: &str| given.and_then(|given| given.get(key)).cloned();
    let mut map = Map::default();
    put(&mut map, "plan", plan.clone());
    let confidence = given.and_then(confidence_of).unwrap_or(0.5);
    put(&mut map, "confidence", Value::Number(confidence));
    put(&mut map, "rationale", part("rationale").unwrap_or_else(|| "".into()));
    map.into()
}

fn proposal(answer: Option<String>, candidates: Vec<Value>, told: &[Diagnostic]) -> Value {
    Value::map([
        ("answer", Value::from(answer)),
        ("candidates", candidates.into()),
        ("diagnostics", Value::list(told.iter().map(Diagnostic::to_value).collect::<Vec<_>>())),
    ])
}
