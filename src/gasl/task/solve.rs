//! The loop for a question: plan, execute and evaluate until there is an answer.

use super::plan::{PlanResult, PlanRun, PlanStatus};
use super::reply_parser::{
    continues, decision_of, most_confident_plan, normalize_plan, parse_reply, terminates,
    without_loop_keys,
};
use crate::base::prompt_text::{quote_as_json, sanitize_line};
use crate::base::{Diagnostic, Value};
use crate::gasl::codes;
use crate::gasl::core::{Core, Spending, SpendingLimits};
use crate::gasl::effect::{Event, HostResponse, Progress};
use crate::gasl::graph_access::GraphAccess;
use crate::gasl::model::exchange::Question;
use crate::gasl::model::prompt::{LoopContext, loop_system_prompt};
use crate::gasl::model::reply::Reply;
use crate::gasl::model::request::{ModelRequest, ReplyResult, format_diagnostic, stopped_error};
use crate::gasl::model::steps::format_history;
use crate::gasl::plan::Plan;
use crate::gasl::record::{CommandFailure, StepStatus};
use crate::gasl::sample::format_state;
use crate::gasl::shown::budget_chars;
use crate::gasl::{grammar, reference};

/// Limits of the loop.
#[derive(Clone, Copy, Debug)]
pub struct SolveBudget {
    /// Maximum number of plans.
    pub plans: usize,
    /// Maximum number of model calls, including those inside plans.
    pub calls: usize,
    /// Maximum number of tokens that the model reports.
    pub tokens: usize,
    /// Maximum number of commands.
    pub steps: usize,
}

impl Default for SolveBudget {
    fn default() -> SolveBudget {
        SolveBudget { plans: 10, calls: usize::MAX, tokens: usize::MAX, steps: usize::MAX }
    }
}

/// State of the loop for a question.
pub struct SolveRun {
    query: String,
    /// Maximum number of plans.
    max_plans: usize,
    /// Spending of this loop, while another task is current.
    spending: Spending,
    plans: Vec<PlanResult>,
    state: SolveState,
    /// Reason for the cancellation.
    cancelled: Option<Diagnostic>,
    /// Whether the last reply was a decision without a plan.
    undecided: bool,
}

enum SolveState {
    /// Waits for the model.
    Asking(Box<ModelRequest>),
    /// Runs a plan.
    Running(Box<PlanRun>),
    Finished,
}

/// Result of the loop.
#[derive(Clone, Debug)]
pub struct SolveOutcome {
    pub status: &'static str,
    pub answer: Option<String>,
    pub plans: Vec<PlanResult>,
    pub diagnostics: Vec<Diagnostic>,
}

impl SolveOutcome {
    /// Returns the result for the host.
    pub fn to_value(&self) -> Value {
        let plans = self.plans.iter().map(PlanResult::to_value).collect::<Vec<_>>();
        let diagnostics = self.diagnostics.iter().map(Diagnostic::to_value).collect::<Vec<_>>();
        Value::map([
            ("status", Value::from(self.status)),
            ("answer", self.answer.clone().into()),
            ("plans", plans.into()),
            ("diagnostics", diagnostics.into()),
        ])
    }
}

/// Next action of the loop.
enum LoopAction {
    Answer(String, Vec<Diagnostic>),
    Plan(Box<Plan>, Vec<Diagnostic>),
    /// Asks for a plan, because the reply is a decision without one.
    Undecided,
}

impl SolveRun {
    /// Starts the loop by asking for the first plan.
    pub fn begin(
        core: &mut Core,
        query: String,
        budget: SolveBudget,
        now: &str,
        events: &mut Vec<Event>,
    ) -> (SolveRun, Progress<SolveOutcome>) {
        let SolveBudget { plans: max_plans, calls, tokens, steps } = budget;
        let limits = SpendingLimits { calls, tokens, steps };
        let mut run = SolveRun {
            query,
            max_plans,
            spending: Spending { limits, ..Spending::default() },
            plans: Vec::new(),
            state: SolveState::Finished,
            cancelled: None,
            undecided: false,
        };
        let progress = run.with_spending(core, |run, core| run.ask(core, None, now, events));
        (run, progress)
    }

    /// Runs `work` with the spending of this loop, so that other tasks are not counted.
    fn with_spending<T>(
        &mut self,
        core: &mut Core,
        work: impl FnOnce(&mut Self, &mut Core) -> T,
    ) -> T {
        std::mem::swap(&mut core.spending, &mut self.spending);
        let result = work(self, core);
        std::mem::swap(&mut core.spending, &mut self.spending);
        result
    }

    /// Continues with the answer of the host.
    pub fn resume(
        &mut self,
        core: &mut Core,
        answer: HostResponse,
        now: &str,
        events: &mut Vec<Event>,
    ) -> Progress<SolveOutcome> {
        self.with_spending(core, |run, core| {
            match std::mem::replace(&mut run.state, SolveState::Finished) {
                SolveState::Asking(mut request) => {
                    let result = request.handle_answer(core, answer);
                    run.handle_reply(core, request, Progress::Done(result), now, events)
                }
                SolveState::Running(mut plan) => {
                    let progress = plan.resume(core, answer, now, events);
                    run.handle_plan_progress(core, plan, progress, now, events)
                }
                SolveState::Finished => run.end("stopped", None, Vec::new()),
            }
        })
    }

    /// Cancels the loop; `FINALLY` blocks of the plan still run.
    pub fn cancel(
        &mut self,
        core: &mut Core,
        reason: &str,
        now: &str,
        events: &mut Vec<Event>,
    ) -> Progress<SolveOutcome> {
        let message = format!("the loop was cancelled: {reason}");
        self.cancelled = Some(stopped_error(codes::CANCELLED, &message));
        self.with_spending(core, |run, core| {
            match std::mem::replace(&mut run.state, SolveState::Finished) {
                SolveState::Running(mut plan) => {
                    let progress = plan.cancel(core, now, events);
                    run.handle_plan_progress(core, plan, progress, now, events)
                }
                _ => {
                    let reason = run.cancelled.take().into_iter().collect::<Vec<_>>();
                    run.end("cancelled", None, reason)
                }
            }
        })
    }

    /// Asks the model for a plan, or for an evaluation of the outcome of the last plan.
    fn ask(
        &mut self,
        core: &mut Core,
        outcome: Option<String>,
        now: &str,
        events: &mut Vec<Event>,
    ) -> Progress<SolveOutcome> {
        // The outcome of the last plan may be the answer, so only a new plan is checked.
        let plan_limit = if outcome.is_none() { self.plan_limit() } else { None };
        if let Some(limit) = plan_limit.or_else(|| self.spending_limit(core)) {
            return self.stop_at_limit(limit, Vec::new());
        }
        let question = loop_question(core, &self.query, outcome.as_deref());
        let (request, progress) = ModelRequest::send(core, question, 1);
        self.handle_reply(core, Box::new(request), progress, now, events)
    }

    /// Ends the loop at a limit, which is the last diagnostic of the result and of the last plan.
    fn stop_at_limit(
        &mut self,
        limit: Diagnostic,
        mut diagnostics: Vec<Diagnostic>,
    ) -> Progress<SolveOutcome> {
        diagnostics.push(limit);
        if let Some(last) = self.plans.last_mut() {
            last.diagnostics.extend(diagnostics.iter().cloned());
        }
        self.end("stopped", None, diagnostics)
    }

    /// Returns the error if no more plans are allowed.
    fn plan_limit(&self) -> Option<Diagnostic> {
        first_reached_limit([("plans", self.plans.len(), self.max_plans)])
    }

    /// Returns the error if no more model calls, tokens or steps are allowed.
    fn spending_limit(&self, core: &Core) -> Option<Diagnostic> {
        let Spending { calls, tokens, steps, limits } = core.spending;
        first_reached_limit([
            ("model calls", calls, limits.calls),
            ("tokens", tokens, limits.tokens),
            ("steps", steps, limits.steps),
        ])
    }

    /// Handles replies until one is valid.
    fn handle_reply(
        &mut self,
        core: &mut Core,
        mut request: Box<ModelRequest>,
        mut progress: Progress<ReplyResult>,
        now: &str,
        events: &mut Vec<Event>,
    ) -> Progress<SolveOutcome> {
        loop {
            let reply = match progress {
                Progress::Need(effect) => {
                    self.state = SolveState::Asking(request);
                    return Progress::Need(effect);
                }
                Progress::Done(Err(failure)) => return self.fail(failure.diagnostics),
                Progress::Done(Ok(reply)) => reply,
            };
            match self.next_action(core, &reply) {
                Ok(LoopAction::Answer(answer, diagnostics)) => {
                    return self.end("complete", Some(answer), diagnostics);
                }
                Ok(LoopAction::Plan(plan, diagnostics)) => {
                    if let Some(limit) = self.plan_limit() {
                        return self.stop_at_limit(limit, Vec::new());
                    }
                    events.push(Event::Plan(plan.value.clone()));
                    self.undecided = false;
                    let (run, progress) = PlanRun::begin(core, *plan, diagnostics);
                    return self.handle_plan_progress(core, Box::new(run), progress, now, events);
                }
                Ok(LoopAction::Undecided) if !self.undecided => {
                    self.undecided = true;
                    return self.ask(core, None, now, events);
                }
                // A second decision without a plan is an error; otherwise the loop might not end.
                Ok(LoopAction::Undecided) => {
                    let error = Diagnostic::new(codes::NO_PLAN, "missing plan of the decision")
                        .help("return a plan, or `COMPLETE: ` and the answer");
                    progress = request.retry(core, &reply, error.into());
                }
                Err(diagnostics) => {
                    let failure =
                        CommandFailure { status: StepStatus::SchemaMismatch, diagnostics };
                    progress = request.retry(core, &reply, failure);
                }
            }
        }
    }

    /// Returns the next action of a reply; fails if it is invalid.
    fn next_action(&mut self, core: &Core, reply: &Reply) -> Result<LoopAction, Vec<Diagnostic>> {
        let (answer, value, mut diagnostics) = parse_reply(reply)?;
        if let Some(answer) = answer {
            return Ok(LoopAction::Answer(
                core.interpolate_answer(&answer, &mut diagnostics),
                diagnostics,
            ));
        }
        let decision = decision_of(&value);
        let candidates = value.get("next_actions").and_then(Value::as_list).unwrap_or_default();
        core.history.add_candidates(candidates);
        if terminates(decision) {
            return Err(vec![
                Diagnostic::new(codes::NO_PLAN, "missing answer of the decision `terminate`")
                    .help("return `COMPLETE: ` and the answer"),
            ]);
        }
        if !decision.is_empty()
            && !continues(decision)
            && value.get("commands").is_none()
            && candidates.is_empty()
        {
            let message = format!("unknown decision {}", crate::base::diagnostic::quote(decision));
            let help = "use `continue`, `refine`, `pivot` or `terminate`; add a plan, or `COMPLETE: ` and the answer";
            return Err(vec![Diagnostic::new(codes::NO_PLAN, message).help(help)]);
        }
        let plan = most_confident_plan(candidates).or_else(|| value.get("plan").cloned());
        let plan = match plan {
            Some(plan) => plan,
            None if value.get("commands").is_none() && continues(decision) => {
                return Ok(LoopAction::Undecided);
            }
            None => value,
        };
        let plan = normalize_plan(without_loop_keys(plan), self.plans.len() + 1);
        let (plan, mut plan_diagnostics) = Plan::read(&plan, core.setup.limits.commands)?;
        plan_diagnostics.extend(diagnostics);
        Ok(LoopAction::Plan(Box::new(plan), plan_diagnostics))
    }

    /// Handles the progress of the current plan.
    fn handle_plan_progress(
        &mut self,
        core: &mut Core,
        plan: Box<PlanRun>,
        progress: Progress<PlanResult>,
        now: &str,
        events: &mut Vec<Event>,
    ) -> Progress<SolveOutcome> {
        let result = match progress {
            Progress::Need(effect) => {
                self.state = SolveState::Running(plan);
                return Progress::Need(effect);
            }
            Progress::Done(result) => result,
        };
        let status = result.status;
        let answer = result.answer.clone().filter(|_| status == PlanStatus::Completed);
        let outcome = outcome_text(&result);
        let interruption = result.diagnostics.last().cloned().into_iter().collect();
        self.plans.push(result);
        // A plan that cancelled itself has an outcome; only the loop's own cancellation ends it.
        if let Some(reason) = self.cancelled.take() {
            return self.end("cancelled", None, vec![reason]);
        }
        if status == PlanStatus::Interrupted {
            return self.end("stopped", None, interruption);
        }
        match answer {
            Some(answer) => self.end("complete", Some(answer), Vec::new()),
            None => self.ask(core, Some(outcome), now, events),
        }
    }

    /// Ends the loop with errors.
    fn fail(&mut self, diagnostics: Vec<Diagnostic>) -> Progress<SolveOutcome> {
        if let Some(limit) = self.plan_limit() {
            return self.stop_at_limit(limit, diagnostics);
        }
        let id = format!("plan-{}", self.plans.len() + 1);
        self.plans.push(PlanResult::rejected(id, diagnostics.clone()));
        self.end("stopped", None, diagnostics)
    }

    fn end(
        &mut self,
        status: &'static str,
        answer: Option<String>,
        diagnostics: Vec<Diagnostic>,
    ) -> Progress<SolveOutcome> {
        let plans = std::mem::take(&mut self.plans);
        Progress::Done(SolveOutcome { status, answer, plans, diagnostics })
    }
}

/// Returns the error for the first limit that is reached; each has a name, a used and a maximum
/// number.
fn first_reached_limit<const N: usize>(limits: [(&str, usize, usize); N]) -> Option<Diagnostic> {
    let (what, used, most) = limits.into_iter().find(|(_, used, most)| used >= most)?;
    let message = format!("the loop stopped after {used} of at most {most} {what}");
    Some(stopped_error(codes::BUDGET_EXCEEDED, &message))
}

/// Returns the question for a plan, or for an evaluation of an outcome.
pub fn loop_question(core: &Core, query: &str, outcome: Option<&str>) -> Question {
    let graph = match &core.graph {
        GraphAccess::Memory(graph) => graph.outline(),
        GraphAccess::Remote(_) => {
            "external, through an adapter; inspect it with FIND nodes LIMIT 3".to_owned()
        }
    };
    let context = LoopContext {
        query: query.to_owned(),
        graph,
        state: format_state(&core.variables),
        history: format_history(&core.history, budget_chars(core.setup.result_tokens)),
    };
    let (task, prompt) = match outcome {
        None => ("plan", context.plan_prompt()),
        Some(outcome) => ("evaluate", context.evaluation_prompt(outcome)),
    };
    Question {
        task,
        system: loop_system_prompt(),
        prompt,
        schema: Some(reference::reply_schema()),
        schema_name: "plan",
        grammar: Some(grammar::plan_grammar(
            &core.variables,
            core.context.keys().map(|name| &**name),
        )),
        attempt: 1,
        previous: Value::Null,
    }
}

/// Returns the outcome of a plan for a prompt.
fn outcome_text(result: &PlanResult) -> String {
    let id = quote_as_json(&result.id);
    let mut out = format!("The plan {id} ended as {}", result.status.as_str());
    // The model need not know about failed saves, which a replay does not repeat.
    let diagnostics = result.diagnostics.iter().filter(|one| one.code != codes::NOT_STORED);
    for diagnostic in diagnostics.take(5) {
        out.push('\n');
        out.push_str(&sanitize_line(&format_diagnostic(diagnostic)));
    }
    out
}
