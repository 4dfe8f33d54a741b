//! The loop: hypothesise and plan, execute, evaluate, until the answer is there.

use super::heard::{as_plan, best, decision_of, heard, is_decision, is_end, without_loop_keys};
use super::plan::{PlanResult, PlanRun, PlanStatus};
use crate::base::value::excerpt;
use crate::base::{Code, Diagnostic, Value};
use crate::gasl::codes;
use crate::gasl::core::{Bounds, Core, Spending};
use crate::gasl::effect::{Answer, Event, Progress};
use crate::gasl::model::asking::{Asking, Replied, line};
use crate::gasl::model::exchange::Question;
use crate::gasl::model::prompt;
use crate::gasl::model::reply::Reply;
use crate::gasl::plan::Plan;
use crate::gasl::record::{Failure, Status};
use crate::gasl::source::Source;
use crate::gasl::{grammar, reference};

/// How far the loop may go.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// Plans that are run.
    pub plans: usize,
    /// Questions to the model, those inside plans included.
    pub calls: usize,
    /// Tokens that the model tells of.
    pub tokens: usize,
    /// Commands that are run.
    pub steps: usize,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget { plans: 10, calls: usize::MAX, tokens: usize::MAX, steps: usize::MAX }
    }
}

/// A question on its way to its answer.
pub struct SolveRun {
    query: String,
    /// Plans that may be run.
    most_plans: usize,
    /// What it has spent while others are at work.
    spending: Spending,
    plans: Vec<PlanResult>,
    state: State,
    /// Why it was stopped from outside, if it was.
    cancelled: Option<Diagnostic>,
    /// Whether the last reply was a decision without a plan.
    undecided: bool,
}

enum State {
    /// The model is asked what to do next.
    Asking(Box<Asking>),
    /// A plan runs.
    Running(Box<PlanRun>),
    Over,
}

/// How the loop ended.
#[derive(Clone, Debug)]
pub struct Solved {
    pub status: &'static str,
    pub answer: Option<String>,
    pub plans: Vec<PlanResult>,
    pub diagnostics: Vec<Diagnostic>,
}

impl Solved {
    /// As the host gets it.
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

/// What the model wants to be done.
enum Next {
    Answer(String, Vec<Diagnostic>),
    Plan(Box<Plan>, Vec<Diagnostic>),
    /// A decision without a plan: it is asked for one.
    Undecided,
}

impl SolveRun {
    /// Asks for the first plan.
    pub fn begin(
        core: &mut Core,
        query: String,
        budget: Budget,
        now: &str,
        events: &mut Vec<Event>,
    ) -> (SolveRun, Progress<Solved>) {
        let Budget { plans: most_plans, calls, tokens, steps } = budget;
        let bounds = Bounds { calls, tokens, steps };
        let mut run = SolveRun {
            query,
            most_plans,
            spending: Spending { bounds, ..Spending::default() },
            plans: Vec::new(),
            state: State::Over,
            cancelled: None,
            undecided: false,
        };
        let progress = run.at_work(core, |run, core| run.ask(core, None, now, events));
        (run, progress)
    }

    /// Does something of its own: that, and nothing else, is counted against its bounds.
    fn at_work<T>(&mut self, core: &mut Core, work: impl FnOnce(&mut Self, &mut Core) -> T) -> T {
        std::mem::swap(&mut core.spending, &mut self.spending);
        let done = work(self, core);
        std::mem::swap(&mut core.spending, &mut self.spending);
        done
    }

    /// Goes on with what the host answered.
    pub fn resume(
        &mut self,
        core: &mut Core,
        answer: Answer,
        now: &str,
        events: &mut Vec<Event>,
    ) -> Progress<Solved> {
        self.at_work(core, |run, core| match std::mem::replace(&mut run.state, State::Over) {
            State::Asking(mut asking) => {
                let replied = asking.answered(core, answer);
                run.heard(core, asking, Progress::Done(replied), now, events)
            }
            State::Running(mut plan) => {
                let progress = plan.resume(core, answer, now, events);
                run.ran(core, plan, progress, now, events)
            }
            State::Over => run.end("stopped", None, Vec::new()),
        })
    }

    /// Stops; blocks of the plan that must run still do.
    pub fn cancel(
        &mut self,
        core: &mut Core,
        why: &str,
        now: &str,
        events: &mut Vec<Event>,
    ) -> Progress<Solved> {
        let message = format!("the loop was stopped: {why}");
        self.cancelled = Some(stopped(codes::CANCELLED, &message));
        self.at_work(core, |run, core| match std::mem::replace(&mut run.state, State::Over) {
            State::Running(mut plan) => {
                let progress = plan.cancel(core, now, events);
                run.ran(core, plan, progress, now, events)
            }
            _ => {
                let why = run.cancelled.take().into_iter().collect::<Vec<_>>();
                run.end("cancelled", None, why)
            }
        })
    }

    /// Asks what to do next: for a plan at first, for an evaluation after a plan.
    fn ask(
        &mut self,
        core: &mut Core,
        outcome: Option<String>,
        now: &str,
        events: &mut Vec<Event>,
    ) -> Progress<Solved> {
        // What the last plan came to may be the answer.
        let another = if outcome.is_none() { self.spent_plans() } else { None };
        if let Some(bound) = another.or_else(|| self.exceeded(core)) {
            return self.bounded(bound, Vec::new());
        }
        let question = question(core, &self.query, outcome.as_deref());
        let (asking, progress) = Asking::put(core, question, 1);
        self.heard(core, Box::new(asking), progress, now, events)
    }

    /// The last plan carries the bound that ended the loop, behind what else there is to say.
    fn bounded(&mut self, bound: Diagnostic, mut told: Vec<Diagnostic>) -> Progress<Solved> {
        told.push(bound);
        if let Some(last) = self.plans.last_mut() {
            last.diagnostics.extend(told.iter().cloned());
        }
        self.end("stopped", None, told)
    }

    /// Whether there may be no more plans.
    fn spent_plans(&self) -> Option<Diagnostic> {
        over([("plans", self.plans.len(), self.most_plans)])
    }

    /// Whether there may be no more questions.
    fn exceeded(&self, core: &Core) -> Option<Diagnostic> {
        let Spending { calls, tokens, steps, bounds } = core.spending;
        over([
            ("calls of the model", calls, bounds.calls),
            ("tokens", tokens, bounds.tokens),
            ("steps", steps, bounds.steps),
        ])
    }

    /// Reads replies until one says what to do.
    fn heard(
        &mut self,
        core: &mut Core,
        mut asking: Box<Asking>,
        mut progress: Progress<Replied>,
        now: &str,
        events: &mut Vec<Event>,
    ) -> Progress<Solved> {
        loop {
            let reply = match progress {
                Progress::Need(effect) => {
                    self.state = State::Asking(asking);
                    return Progress::Need(effect);
                }
                Progress::Done(Err(failure)) => return self.failed(failure.diagnostics),
                Progress::Done(Ok(reply)) => reply,
            };
            match self.read(core, &reply) {
                Ok(Next::Answer(answer, told)) => return self.end("complete", Some(answer), told),
                Ok(Next::Plan(plan, told)) => {
                    if let Some(bound) = self.spent_plans() {
                        return self.bounded(bound, Vec::new());
                    }
                    events.push(Event::Plan(plan.value.clone()));
                    self.undecided = false;
                    let (run, progress) = PlanRun::begin(core, *plan, told);
                    return self.ran(core, Box::new(run), progress, now, events);
                }
                Ok(Next::Undecided) if !self.undecided => {
                    self.undecided = true;
                    return self.ask(core, None, now, events);
                }
                // Asked for a plan it decides again: that would go on for ever.
                Ok(Next::Undecided) => {
                    let told = Diagnostic::new(codes::NO_PLAN, "there is a decision, and no plan")
                        .help("answer with a plan, or with `COMPLETE: ` and the answer");
                    progress = asking.again(core, &reply, told.into());
                }
                Err(faults) => {
                    let failure = Failure { status: Status::SchemaMismatch, diagnostics: faults };
                    progress = asking.again(core, &reply, failure);
                }
            }
        }
    }

    /// What a reply says: an answer, a plan, candidates, or a decision.
    fn read(&mut self, core: &Core, reply: &Reply) -> Result<Next, Vec<Diagnostic>> {
        let (answer, value, mut told) = heard(reply)?;
        if let Some(answer) = answer {
            return Ok(Next::Answer(core.filled_answer(&answer, &mut told), told));
        }
        let decision = decision_of(&value);
        let candidates = value.get("next_actions").and_then(Value::as_list).unwrap_or_default();
        core.history.keep_candidates(candidates);
        if is_end(decision) {
            return Err(vec![
                Diagnostic::new(
                    codes::NO_PLAN,
                    "the decision is `terminate`, and there is no answer",
                )
                .help("answer with `COMPLETE: ` and the answer"),
            ]);
        }
        if !decision.is_empty()
            && !is_decision(decision)
            && value.get("commands").is_none()
            && candidates.is_empty()
        {
            let message =
                format!("there is no decision {}", crate::base::diagnostic::quote(decision));
            let help = "there are `continue`, `refine`, `pivot`, `terminate`; add a plan, or `COMPLETE: ` and the answer";
            return Err(vec![Diagnostic::new(codes::NO_PLAN, message).help(help)]);
        }
        let wanted = best(candidates).or_else(|| value.get("plan").cloned());
        let wanted = match wanted {
            Some(wanted) => wanted,
            None if value.get("commands").is_none() && is_decision(decision) => {
                return Ok(Next::Undecided);
            }
            None => value,
        };
        let wanted = as_plan(without_loop_keys(wanted), self.plans.len() + 1);
        let (plan, mut more) = Plan::read(&wanted)?;
        more.extend(told);
        Ok(Next::Plan(Box::new(plan), more))
    }

    /// What came of a plan.
    fn ran(
        &mut self,
        core: &mut Core,
        plan: Box<PlanRun>,
        progress: Progress<PlanResult>,
        now: &str,
        events: &mut Vec<Event>,
    ) -> Progress<Solved> {
        let result = match progress {
            Progress::Need(effect) => {
                self.state = State::Running(plan);
                return Progress::Need(effect);
            }
            Progress::Done(result) => result,
        };
        let status = result.status;
        let answer = result.answer.clone().filter(|_| status == PlanStatus::Completed);
        let outcome = outcome(&result);
        self.plans.push(result);
        // A plan that cancelled itself is an outcome like any other.
        if let Some(why) = self.cancelled.take() {
            return self.end("cancelled", None, vec![why]);
        }
        match answer {
            Some(answer) => self.end("complete", Some(answer), Vec::new()),
            None => self.ask(core, Some(outcome), now, events),
        }
    }

    /// The loop ends with an error; everything that was found is kept.
    fn failed(&mut self, diagnostics: Vec<Diagnostic>) -> Progress<Solved> {
        if let Some(bound) = self.spent_plans() {
            return self.bounded(bound, diagnostics);
        }
        let id = format!("plan-{}", self.plans.len() + 1);
        self.plans.push(PlanResult::refused(id, diagnostics.clone()));
        self.end("stopped", None, diagnostics)
    }

    fn end(
        &mut self,
        status: &'static str,
        answer: Option<String>,
        diagnostics: Vec<Diagnostic>,
    ) -> Progress<Solved> {
        let plans = std::mem::take(&mut self.plans);
        Progress::Done(Solved { status, answer, plans, diagnostics })
    }
}

/// The first of some bounds that is reached: what is bounded, how much of it there was and may be.
fn over<const N: usize>(bounds: [(&str, usize, usize); N]) -> Option<Diagnostic> {
    let (what, used, most) = bounds.into_iter().find(|(_, used, most)| used >= most)?;
    let message = format!("the loop stopped after {used} {what}: {most} are allowed");
    Some(stopped(codes::BUDGET, &message))
}

/// For a loop that does not go on to its end.
pub fn stopped(code: Code, message: &str) -> Diagnostic {
    Diagnostic::new(code, message)
        .help("what was found is in the state; go on with `solve` or allow more")
}

/// What the model is asked: for a plan, or what to make of how one ended.
pub fn question(core: &Core, query: &str, outcome: Option<&str>) -> Question {
    let graph = match &core.graph {
        Source::Memory(graph) => graph.summary(),
        Source::Remote => "behind an adapter; look at it with FIND nodes LIMIT 3".into(),
    };
    let graph = excerpt(&graph, 3_000);
    let state = excerpt(&core.state_summary(), 4_000);
    let history = prompt::history(&core.history.recent(prompt::RECENT));
    let (task, prompt) = match outcome {
        None => ("plan", prompt::plan(query, &graph, &state, &history)),
        Some(outcome) => ("evaluate", prompt::evaluate(query, &graph, &state, &history, outcome)),
    };
    Question {
        task,
        system: prompt::researcher(),
        prompt,
        schema: Some(reference::reply_schema()),
        schema_name: "plan",
        grammar: Some(grammar::plan(&core.variables, core.context.keys().map(|name| &**name))),
        attempt: 1,
        previous: Value::Null,
    }
}

/// What the model reads of a plan that was run.
fn outcome(result: &PlanResult) -> String {
    let mut out = format!("The plan {:?} ended as {}", result.id, result.status.word());
    // That the host could not store says nothing of the plan, and a replay does not store.
    let told = result.diagnostics.iter().filter(|one| one.code != codes::NOT_STORED);
    for diagnostic in told.take(5) {
        out.push('\n');
        out.push_str(&line(diagnostic));
    }
    if let Some(last) = result.records.last() {
        let command = crate::base::value::excerpt_of(&last.command, 200);
        out.push_str(&format!("; its last step was {command}"));
    }
    out
}
