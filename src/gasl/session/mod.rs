//! A session: tasks over one graph and one state, each of which requests effects from the host.

mod entries;
mod views;

use super::caps::{Caps, Ceilings};
use super::codes;
use super::core::{Core, SessionSetup, Spending};
use super::effect::{Effect, Event, HostResponse, Progress};
use super::graph_access::GraphAccess;
use super::language::{LocatedCommand, ParsedEntry, parse};
use super::plan::{Plan, PlanStep};
use super::record::in_utf16;
use super::recording::{self, LoadedState, Recording};
use super::session_limits::SessionLimits;
use super::size_budget::estimated_size;
use super::task::plan::{PlanResult, PlanRun};
use super::task::propose::ProposeRun;
use super::task::solve::{SolveBudget, SolveOutcome, SolveRun};
use super::task::step::{Statuses, StepOutcome, StepRun, effect_after};
use crate::base::{Diagnostic, Value};
use slab::Slab;
use std::rc::Rc;

/// Options of a new session.
#[derive(Default)]
pub struct SessionOptions {
    /// Options that a stored state does not contain.
    pub setup: SessionSetup,
    pub query: Option<String>,
    pub model: Option<String>,
    pub seed: Option<f64>,
    /// Caps: a map, or null.
    pub caps: Value,
}

/// Tasks over one graph and one state.
pub struct Session {
    core: Core,
    /// Running tasks, each with the index of its entry in the recording.
    tasks: Slab<(usize, Task)>,
    /// Initial state, for the recording.
    initial: Value,
    created_at: String,
    updated_at: String,
    turn_counter: Option<TurnCounter>,
}

/// Counter of the updates of the last resumed task, for the recording.
#[derive(Clone, Copy)]
struct TurnCounter {
    /// Index of the entry that started the task.
    entry_index: usize,
    /// Index of the entry that gets the count.
    counted_entry: usize,
    count: usize,
}

enum Task {
    Execute(Box<StepRun>, Option<Rc<super::record::Record>>),
    Plan(Box<PlanRun>),
    Solve(Box<SolveRun>),
    Propose(Box<ProposeRun>),
}

/// Result of starting, resuming or cancelling a task.
#[derive(Debug)]
pub struct TaskUpdate {
    /// Id of the task for [`Session::resume`].
    pub task: usize,
    /// Events since the last update.
    pub events: Vec<Event>,
    /// Requested effect, or the result: a record, a plan result or a loop result.
    pub next: Progress<Value>,
}

impl Session {
    /// Opens a session over a graph with a stored state. Options that are not set, and the caps of an
    /// interrupted plan, come from the state. Fails if the state or the caps are invalid.
    pub fn open(
        graph: GraphAccess,
        options: SessionOptions,
        state: Option<&Value>,
        now: &str,
    ) -> Result<Session, Diagnostic> {
        let mut loaded = state.map(recording::read_state).transpose()?.unwrap_or_default();
        let SessionOptions { mut setup, query, model, seed, caps } = options;
        setup.query = query.or(loaded.query.take()).unwrap_or_default();
        setup.model = model.or(loaded.model.take());
        setup.seed = seed.or(loaded.seed).unwrap_or_default();
        let mut merged = Caps::read(loaded.caps.as_ref().unwrap_or(&Value::Null), &setup.ceilings)?;
        for (key, value) in caps.entries() {
            merged.set(key, value, &setup.ceilings)?;
        }
        Ok(Session::from_parts(graph, setup, merged, loaded, state, now))
    }

    /// Opens a session over a graph with the variables and the history of a stored state.
    pub fn new(
        graph: GraphAccess,
        setup: SessionSetup,
        caps: Caps,
        state: Option<&Value>,
        now: &str,
    ) -> Result<Session, Diagnostic> {
        let loaded = state.map(recording::read_state).transpose()?.unwrap_or_default();
        Ok(Session::from_parts(graph, setup, caps, loaded, state, now))
    }

    fn from_parts(
        graph: GraphAccess,
        setup: SessionSetup,
        caps: Caps,
        loaded: LoadedState,
        state: Option<&Value>,
        now: &str,
    ) -> Session {
        let mut history = loaded.history;
        history.caps = caps.requested_caps();
        history.snapshots.add_initial(history.step);
        let core = Core {
            setup: Rc::new(setup),
            graph,
            caps,
            context: Rc::default(),
            variables_size: estimated_size(&loaded.variables),
            variables: loaded.variables,
            changes: Vec::new(),
            history: Rc::new(history),
            exchanges: Rc::default(),
            replay: None,
            active_plan_ids: Vec::new(),
            cancelled: Vec::new(),
            spending: Spending::default(),
            checkpoints: loaded.checkpoints,
            plan_checkpoint: loaded.plan_checkpoint,
        };
        Session {
            core,
            tasks: Slab::default(),
            initial: state.cloned().unwrap_or_default(),
            created_at: loaded.created_at.unwrap_or_else(|| now.to_owned()),
            updated_at: now.to_owned(),
            turn_counter: None,
        }
    }

    /// Opens a session in the initial state of a recording, without a model.
    pub fn from_recording(
        graph: GraphAccess,
        recorded: &Recording,
        now: &str,
    ) -> Result<Session, Diagnostic> {
        let setup = SessionSetup {
            retries: recorded.retries,
            result_tokens: recorded.result_tokens,
            citations: recorded.citations,
            limits: SessionLimits::read(&recorded.limits),
            ceilings: Ceilings::read(&recorded.ceilings)?,
            has_backend: recorded.has_backend,
            ..SessionSetup::default()
        };
        let options = SessionOptions {
            setup,
            query: Some(recorded.query.clone()),
            model: recorded.model.clone(),
            seed: Some(recorded.seed),
            caps: recorded.caps.clone(),
        };
        Session::open(graph, options, recorded.state.as_ref(), now)
    }

    /// Returns the data shared by all tasks.
    pub fn core(&self) -> &Core {
        &self.core
    }

    /// Returns whether a plan or a loop is running.
    pub fn is_busy(&self) -> bool {
        self.tasks.iter().any(|(_, task)| matches!(task, (_, Task::Plan(_) | Task::Solve(_))))
    }

    /// Starts a command.
    pub fn execute(&mut self, text: &str, why: &str, now: &str) -> TaskUpdate {
        let entry = self.record_command("execute", text, why);
        let mut events = Vec::new();
        let started = match parse_single_command(text) {
            Ok(located) => {
                let step = PlanStep::new(located, text, why);
                StepRun::begin(&mut self.core, step, &Statuses::default(), now, &mut events)
            }
            Err(diagnostics) => {
                let (text, why) = (text.to_owned(), why.to_owned());
                StepRun::reject_invalid(&mut self.core, text, why, diagnostics, now)
            }
        };
        self.start_update(entry, started, now, events)
    }

    /// Records a command that was cancelled before it started.
    pub fn record_cancelled(&mut self, text: &str, why: &str, now: &str) -> TaskUpdate {
        let entry = self.record_command("give_up", text, why);
        let diagnostics = vec![super::task::step::cancelled_step()];
        let (text, why) = (text.to_owned(), why.to_owned());
        let started = StepRun::reject_invalid(&mut self.core, text, why, diagnostics, now);
        self.start_update(entry, started, now, Vec::new())
    }

    fn start_update(
        &mut self,
        entry: usize,
        (run, progress): (StepRun, Progress<StepOutcome>),
        now: &str,
        events: Vec<Event>,
    ) -> TaskUpdate {
        let task = self.tasks.insert((entry, Task::Execute(Box::new(run), None)));
        self.step_update(task, progress, now, events)
    }

    fn step_update(
        &mut self,
        task: usize,
        progress: Progress<StepOutcome>,
        now: &str,
        events: Vec<Event>,
    ) -> TaskUpdate {
        let ended = match progress {
            Progress::Need(effect) => {
                return TaskUpdate { task, events, next: Progress::Need(effect) };
            }
            Progress::Done(ended) => ended,
        };
        self.updated_at = now.to_owned();
        let effect = effect_after(&self.core, ended.record.status);
        if effect == Effect::Save
            && let Some((_, Task::Execute(_, record))) = self.tasks.get_mut(task)
        {
            *record = Some(ended.record);
            return TaskUpdate { task, events, next: Progress::Need(effect) };
        }
        self.end_task(task, ended.record.to_event_value(), events)
    }

    /// Removes a finished task and returns its result.
    fn end_task(&mut self, task: usize, value: Value, events: Vec<Event>) -> TaskUpdate {
        self.tasks.try_remove(task);
        self.turn_counter = None;
        TaskUpdate { task, events, next: Progress::Done(value) }
    }

    /// Starts a plan, or resumes it if it was interrupted; rejected while a plan or loop runs.
    pub fn run(&mut self, plan: &Value, now: &str) -> TaskUpdate {
        let max_commands = self.core.setup.limits.commands;
        let read = match plan {
            Value::Text(text) => Plan::from_text(text, max_commands),
            value => Plan::read(value, max_commands),
        };
        let task = self.tasks.vacant_key();
        let rejected = |id: String, diagnostics| TaskUpdate {
            task,
            events: Vec::new(),
            next: Progress::Done(PlanResult::rejected(id, diagnostics).to_value()),
        };
        let (plan, diagnostics) = match read {
            Ok(read) => read,
            Err(errors) => {
                let id = plan.get("plan_id").and_then(Value::as_text).unwrap_or_default();
                return rejected(id.to_owned(), errors);
            }
        };
        if self.is_busy() {
            return rejected(plan.id, vec![busy_error()]);
        }
        if self.core.plan_checkpoint.get("plan") == Some(&plan.value)
            && let Some(turn) = self.resume_interrupted(now)
        {
            return turn;
        }
        let entry = self.record_entry(vec![("kind", "plan".into()), ("plan", plan.value.clone())]);
        let (run, progress) = PlanRun::begin(&mut self.core, plan, diagnostics);
        let task = self.tasks.insert((entry, Task::Plan(Box::new(run))));
        self.plan_update(task, progress, now, Vec::new())
    }

    /// Resumes the interrupted plan of the stored state; returns `None` if there is none.
    pub fn resume_interrupted(&mut self, now: &str) -> Option<TaskUpdate> {
        if self.is_busy() {
            return None;
        }
        let (run, progress) = PlanRun::resume_interrupted(&mut self.core)?;
        let entry = self.record_entry(vec![("kind", "resume".into())]);
        let task = self.tasks.insert((entry, Task::Plan(Box::new(run))));
        Some(self.plan_update(task, progress, now, Vec::new()))
    }

    fn plan_update(
        &mut self,
        task: usize,
        progress: Progress<PlanResult>,
        now: &str,
        events: Vec<Event>,
    ) -> TaskUpdate {
        self.updated_at = now.to_owned();
        match progress {
            Progress::Need(effect) => TaskUpdate { task, events, next: Progress::Need(effect) },
            Progress::Done(result) => self.end_task(task, result.to_value(), events),
        }
    }

    /// Starts the loop for a question; rejected while a plan or loop runs.
    pub fn solve(&mut self, query: &str, budget: SolveBudget, now: &str) -> TaskUpdate {
        if self.is_busy() {
            let task = self.tasks.vacant_key();
            let diagnostics = vec![busy_error()];
            let plans = vec![PlanResult::rejected(String::new(), diagnostics.clone())];
            let solved = SolveOutcome { status: "stopped", answer: None, plans, diagnostics };
            return TaskUpdate {
                task,
                events: Vec::new(),
                next: Progress::Done(solved.to_value()),
            };
        }
        let limit = |count: usize| Value::Number(count.min(u32::MAX as usize) as f64);
        let entry = vec![
            ("kind", "solve".into()),
            ("query", query.into()),
            ("maxPlans", limit(budget.plans)),
            ("maxCalls", limit(budget.calls)),
            ("maxTokens", limit(budget.tokens)),
            ("maxSteps", limit(budget.steps)),
        ];
        let entry = self.record_entry(entry);
        if self.core.setup.query.is_empty() {
            Rc::make_mut(&mut self.core.setup).query = query.to_owned();
        }
        let mut events = Vec::new();
        let (run, progress) =
            SolveRun::begin(&mut self.core, query.to_owned(), budget, now, &mut events);
        let task = self.tasks.insert((entry, Task::Solve(Box::new(run))));
        self.solve_update(task, progress, now, events)
    }

    fn solve_update(
        &mut self,
        task: usize,
        progress: Progress<SolveOutcome>,
        now: &str,
        events: Vec<Event>,
    ) -> TaskUpdate {
        self.updated_at = now.to_owned();
        match progress {
            Progress::Need(effect) => TaskUpdate { task, events, next: Progress::Need(effect) },
            Progress::Done(solved) => self.end_task(task, solved.to_value(), events),
        }
    }

    /// Asks the model for all possible next plans, without running any.
    pub fn propose(&mut self, query: &str) -> TaskUpdate {
        let entry = self.record_entry(vec![("kind", "propose".into()), ("query", query.into())]);
        let (run, progress) = ProposeRun::begin(&mut self.core, query);
        let task = self.tasks.insert((entry, Task::Propose(Box::new(run))));
        self.proposal_update(task, progress)
    }

    fn proposal_update(&mut self, task: usize, progress: Progress<Value>) -> TaskUpdate {
        match progress {
            Progress::Need(effect) => {
                TaskUpdate { task, events: Vec::new(), next: Progress::Need(effect) }
            }
            Progress::Done(value) => self.end_task(task, value, Vec::new()),
        }
    }

    /// Continues a task with the answer of the host; returns `None` for an unknown task.
    pub fn resume(&mut self, task: usize, answer: HostResponse, now: &str) -> Option<TaskUpdate> {
        let entry = self.tasks.get(task)?.0;
        self.count_update(entry);
        let mut events = Vec::new();
        let core = &mut self.core;
        Some(match &mut self.tasks.get_mut(task)?.1 {
            Task::Execute(_, record @ Some(_)) => {
                let record = record.take()?;
                let value = match super::effect::storage_warning(&answer) {
                    None => record.to_event_value(),
                    Some(warning) => record.with_diagnostic(warning).to_event_value(),
                };
                self.end_task(task, value, events)
            }
            Task::Execute(run, _) => {
                let progress = run.resume(core, answer, now, &mut events);
                self.step_update(task, progress, now, events)
            }
            Task::Propose(run) => {
                let progress = run.resume(core, answer);
                self.proposal_update(task, progress)
            }
            Task::Plan(run) => {
                let progress = run.resume(core, answer, now, &mut events);
                self.plan_update(task, progress, now, events)
            }
            Task::Solve(run) => {
                let progress = run.resume(core, answer, now, &mut events);
                self.solve_update(task, progress, now, events)
            }
        })
    }

    /// Cancels a task; `FINALLY` blocks may still request effects. Returns `None` for an unknown task.
    pub fn cancel(&mut self, task: usize, why: &str, now: &str) -> Option<TaskUpdate> {
        let entry = self.tasks.get(task)?.0;
        self.record_task_entry("stop", entry);
        let mut events = Vec::new();
        let core = &mut self.core;
        Some(match &mut self.tasks.get_mut(task)?.1 {
            // The command is done and only waits for the save.
            Task::Execute(_, Some(record)) => {
                let warning = super::effect::aborted_save_warning();
                let value = record.with_diagnostic(warning).to_event_value();
                self.end_task(task, value, events)
            }
            Task::Execute(run, None) => {
                let ended = run.cancel(core, now);
                self.end_task(task, ended.record.to_event_value(), events)
            }
            Task::Propose(_) => self.end_task(task, Value::Null, events),
            Task::Plan(run) => {
                let progress = run.cancel(core, now, &mut events);
                self.plan_update(task, progress, now, events)
            }
            Task::Solve(run) => {
                let progress = run.cancel(core, why, now, &mut events);
                self.solve_update(task, progress, now, events)
            }
        })
    }
}

/// Parses a text as exactly one command.
fn parse_single_command(text: &str) -> Result<LocatedCommand, Vec<Diagnostic>> {
    let ParsedEntry { mut commands, mut diagnostics } = parse(text);
    if diagnostics.iter().any(Diagnostic::is_error) {
        return Err(diagnostics);
    }
    let one = commands.pop().filter(|one| {
        commands.is_empty() && !matches!(one.command, super::language::ast::Command::Block(_))
    });
    match one {
        Some(located) => Ok(located),
        None => {
            let message = "expected one command";
            let help = "write several commands, and blocks, in a plan";
            diagnostics.push(Diagnostic::new(codes::NOT_ONE_COMMAND, message).help(help));
            Err(diagnostics)
        }
    }
}

/// Returns the diagnostics of a command or a plan entry, with UTF-16 offsets.
pub fn check(text: &str) -> Vec<Diagnostic> {
    let parsed = parse(text);
    in_utf16(text, parsed.diagnostics)
}

fn busy_error() -> Diagnostic {
    Diagnostic::new(codes::PLAN_RUNNING, "a plan is already running in this session")
        .help("wait for it, cancel it with its signal, or run the other plan in `fork()`")
}
