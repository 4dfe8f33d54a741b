//! A session: tasks over one graph and one state, each of which asks the host for what it needs.

mod entries;
mod views;

use self::entries::Counting;
use super::caps::{Caps, Ceilings};
use super::codes;
use super::core::{Core, Setup, Spending};
use super::effect::{Answer, Effect, Event, Progress};
use super::history::Snapshot;
use super::language::{Located, Parsed, parse};
use super::plan::{Plan, Step};
use super::record::in_utf16;
use super::recording::{self, Loaded, Recording};
use super::source::Source;
use super::task::plan::{PlanResult, PlanRun};
use super::task::propose::Proposing;
use super::task::solve::{Budget, SolveRun, Solved};
use super::task::step::{Ended, Statuses, StepRun, after};
use super::weight::weight;
use crate::base::{Diagnostic, Value};
use slab::Slab;
use std::rc::Rc;

/// What a session is opened with.
#[derive(Default)]
pub struct Options {
    /// All but what a state may say too.
    pub setup: Setup,
    pub query: Option<String>,
    pub model: Option<String>,
    pub seed: Option<f64>,
    /// A map of caps, or null.
    pub caps: Value,
}

/// Tasks over one graph and one state.
pub struct Session {
    core: Core,
    /// What goes on, each with the entry of the recording that began it.
    tasks: Slab<(usize, Task)>,
    /// The state as it was given, for the recording.
    initial: Value,
    created_at: String,
    updated_at: String,
    counting: Option<Counting>,
}

enum Task {
    Execute(Box<StepRun>, Option<Rc<super::record::Record>>),
    Plan(Box<PlanRun>),
    Solve(Box<SolveRun>),
    Propose(Box<Proposing>),
}

/// Where a task stands.
#[derive(Debug)]
pub struct Turn {
    /// The task, for [`Session::resume`].
    pub task: usize,
    /// What happened on the way.
    pub events: Vec<Event>,
    /// What is needed next, or the result.
    pub next: Next,
}

/// What is needed next, or the result.
#[derive(Debug)]
pub enum Next {
    Need(Effect),
    /// The record of a command, the result of a plan, the end of a loop.
    Done(Value),
}

impl Session {
    /// A session over a graph, with the state that was given. What `options` leave open of the setup
    /// is as the state has it, and so are the caps where a plan was interrupted.
    pub fn open(
        graph: Source,
        options: Options,
        given: Option<&Value>,
        now: &str,
    ) -> Result<Session, Diagnostic> {
        let mut loaded = given.map(recording::read_state).transpose()?.unwrap_or_default();
        let Options { mut setup, query, model, seed, caps } = options;
        setup.query = query.or(loaded.query.take()).unwrap_or_default();
        setup.model = model.or(loaded.model.take());
        setup.seed = seed.or(loaded.seed).unwrap_or_default();
        let mut set = Caps::read(loaded.caps.as_ref().unwrap_or(&Value::Null), &setup.ceilings)?;
        for (key, value) in caps.entries() {
            set.set(key, value, &setup.ceilings)?;
        }
        Ok(Session::of(graph, setup, set, loaded, given, now))
    }

    /// A session over a graph, with the variables and the history of the state that was given.
    pub fn new(
        graph: Source,
        setup: Setup,
        caps: Caps,
        given: Option<&Value>,
        now: &str,
    ) -> Result<Session, Diagnostic> {
        let loaded = given.map(recording::read_state).transpose()?.unwrap_or_default();
        Ok(Session::of(graph, setup, caps, loaded, given, now))
    }

    fn of(
        graph: Source,
        setup: Setup,
        caps: Caps,
        loaded: Loaded,
        given: Option<&Value>,
        now: &str,
    ) -> Session {
        let mut history = loaded.history;
        history.caps = caps.asked();
        history.snapshots.push(Rc::new(Snapshot::new(loaded.variables.clone(), history.step)));
        let core = Core {
            setup: Rc::new(setup),
            graph,
            caps,
            context: Rc::default(),
            weight: weight(&loaded.variables),
            variables: loaded.variables,
            history: Rc::new(history),
            exchanges: Rc::default(),
            replaying: None,
            live: Vec::new(),
            cancelled: Vec::new(),
            spending: Spending::default(),
            checkpoints: loaded.checkpoints,
            running: loaded.running,
        };
        Session {
            core,
            tasks: Slab::default(),
            initial: given.cloned().unwrap_or_default(),
            created_at: loaded.created_at.unwrap_or_else(|| now.to_owned()),
            updated_at: now.to_owned(),
            counting: None,
        }
    }

    /// A session as it was when a recording of it began. It has no model.
    pub fn of_recording(
        graph: Source,
        recorded: &Recording,
        now: &str,
    ) -> Result<Session, Diagnostic> {
        let setup = Setup {
            retries: recorded.retries,
            ceilings: Ceilings::read(&recorded.ceilings)?,
            has_backend: recorded.has_backend,
            ..Setup::default()
        };
        let options = Options {
            setup,
            query: Some(recorded.query.clone()),
            model: recorded.model.clone(),
            seed: Some(recorded.seed),
            caps: recorded.caps.clone(),
        };
        Session::open(graph, options, recorded.state.as_ref(), now)
    }

    /// What all tasks share.
    pub fn core(&self) -> &Core {
        &self.core
    }

    /// Whether a plan or a loop is running.
    pub fn is_busy(&self) -> bool {
        self.tasks.iter().any(|(_, task)| matches!(task, (_, Task::Plan(_) | Task::Solve(_))))
    }

    /// Begins one command.
    pub fn execute(&mut self, text: &str, why: &str, now: &str) -> Turn {
        let entry = self.keep_command("execute", text, why);
        let mut events = Vec::new();
        let begun = match single(text) {
            Ok(located) => {
                let step = Step::new(located, text, why);
                StepRun::begin(&mut self.core, step, &Statuses::default(), now, &mut events)
            }
            Err(diagnostics) => {
                let (text, why) = (text.to_owned(), why.to_owned());
                StepRun::refuse(&mut self.core, text, why, diagnostics, now)
            }
        };
        self.begun(entry, begun, now, events)
    }

    /// The record of a command that was given up before it began.
    pub fn give_up(&mut self, text: &str, why: &str, now: &str) -> Turn {
        let entry = self.keep_command("give_up", text, why);
        let given_up = vec![super::task::step::given_up()];
        let (text, why) = (text.to_owned(), why.to_owned());
        let begun = StepRun::refuse(&mut self.core, text, why, given_up, now);
        self.begun(entry, begun, now, Vec::new())
    }

    fn begun(
        &mut self,
        entry: usize,
        (run, progress): (StepRun, Progress<Ended>),
        now: &str,
        events: Vec<Event>,
    ) -> Turn {
        let task = self.tasks.insert((entry, Task::Execute(Box::new(run), None)));
        self.stepped(task, progress, now, events)
    }

    fn stepped(
        &mut self,
        task: usize,
        progress: Progress<Ended>,
        now: &str,
        events: Vec<Event>,
    ) -> Turn {
        let ended = match progress {
            Progress::Need(effect) => return Turn { task, events, next: Next::Need(effect) },
            Progress::Done(ended) => ended,
        };
        self.updated_at = now.to_owned();
        let effect = after(&self.core, ended.record.status);
        if effect == Effect::Save
            && let Some((_, Task::Execute(_, record))) = self.tasks.get_mut(task)
        {
            *record = Some(ended.record);
            return Turn { task, events, next: Next::Need(effect) };
        }
        self.ended(task, ended.record.told(), events)
    }

    /// A task is over.
    fn ended(&mut self, task: usize, value: Value, events: Vec<Event>) -> Turn {
        self.tasks.try_remove(task);
        self.counting = None;
        Turn { task, events, next: Next::Done(value) }
    }

    /// Begins a plan; refused while another one runs.
    pub fn run(&mut self, plan: &Value, now: &str) -> Turn {
        let read = match plan {
            Value::Text(text) => Plan::from_text(text),
            value => Plan::read(value),
        };
        let task = self.tasks.vacant_key();
        let refused = |id: String, diagnostics| Turn {
            task,
            events: Vec::new(),
            next: Next::Done(PlanResult::refused(id, diagnostics).to_value()),
        };
        let (plan, told) = match read {
            Ok(read) => read,
            Err(faults) => {
                let id = plan.get("plan_id").and_then(Value::as_text).unwrap_or_default();
                return refused(id.to_owned(), faults);
            }
        };
        if self.is_busy() {
            return refused(plan.id, vec![busy()]);
        }
        if self.core.running.get("plan") == Some(&plan.value)
            && let Some(turn) = self.take_up(now)
        {
            return turn;
        }
        let entry = self.keep(vec![("kind", "plan".into()), ("plan", plan.value.clone())]);
        let (run, progress) = PlanRun::begin(&mut self.core, plan, told);
        let task = self.tasks.insert((entry, Task::Plan(Box::new(run))));
        self.planned(task, progress, now, Vec::new())
    }

    /// Goes on with the plan that was interrupted when the state was stored; nothing where none
    /// was.
    pub fn take_up(&mut self, now: &str) -> Option<Turn> {
        if self.is_busy() {
            return None;
        }
        let (run, progress) = PlanRun::take_up(&mut self.core)?;
        let entry = self.keep(vec![("kind", "resume".into())]);
        let task = self.tasks.insert((entry, Task::Plan(Box::new(run))));
        Some(self.planned(task, progress, now, Vec::new()))
    }

    fn planned(
        &mut self,
        task: usize,
        progress: Progress<PlanResult>,
        now: &str,
        events: Vec<Event>,
    ) -> Turn {
        self.updated_at = now.to_owned();
        match progress {
            Progress::Need(effect) => Turn { task, events, next: Next::Need(effect) },
            Progress::Done(result) => self.ended(task, result.to_value(), events),
        }
    }

    /// Begins the loop for a question; refused while a plan runs.
    pub fn solve(&mut self, query: &str, budget: Budget, now: &str) -> Turn {
        if self.is_busy() {
            let task = self.tasks.vacant_key();
            let diagnostics = vec![busy()];
            let plans = vec![PlanResult::refused(String::new(), diagnostics.clone())];
            let solved = Solved { status: "stopped", answer: None, plans, diagnostics };
            return Turn { task, events: Vec::new(), next: Next::Done(solved.to_value()) };
        }
        let bound = |count: usize| Value::Number(count.min(u32::MAX as usize) as f64);
        let entry = vec![
            ("kind", "solve".into()),
            ("query", query.into()),
            ("maxPlans", bound(budget.plans)),
            ("maxCalls", bound(budget.calls)),
            ("maxTokens", bound(budget.tokens)),
            ("maxSteps", bound(budget.steps)),
        ];
        let entry = self.keep(entry);
        if self.core.setup.query.is_empty() {
            Rc::make_mut(&mut self.core.setup).query = query.to_owned();
        }
        let mut events = Vec::new();
        let (run, progress) =
            SolveRun::begin(&mut self.core, query.to_owned(), budget, now, &mut events);
        let task = self.tasks.insert((entry, Task::Solve(Box::new(run))));
        self.solved(task, progress, now, events)
    }

    fn solved(
        &mut self,
        task: usize,
        progress: Progress<Solved>,
        now: &str,
        events: Vec<Event>,
    ) -> Turn {
        self.updated_at = now.to_owned();
        match progress {
            Progress::Need(effect) => Turn { task, events, next: Next::Need(effect) },
            Progress::Done(solved) => self.ended(task, solved.to_value(), events),
        }
    }

    /// Begins to ask for all that could be done next. Nothing of it is run.
    pub fn propose(&mut self, query: &str) -> Turn {
        let entry = self.keep(vec![("kind", "propose".into()), ("query", query.into())]);
        let (run, progress) = Proposing::begin(&mut self.core, query);
        let task = self.tasks.insert((entry, Task::Propose(Box::new(run))));
        self.proposed(task, progress)
    }

    fn proposed(&mut self, task: usize, progress: Progress<Value>) -> Turn {
        match progress {
            Progress::Need(effect) => Turn { task, events: Vec::new(), next: Next::Need(effect) },
            Progress::Done(value) => self.ended(task, value, Vec::new()),
        }
    }

    /// Goes on with what the host answered; nothing where there is no such task.
    pub fn resume(&mut self, task: usize, answer: Answer, now: &str) -> Option<Turn> {
        let of = self.tasks.get(task)?.0;
        self.keep_turn(of);
        let mut events = Vec::new();
        let core = &mut self.core;
        Some(match &mut self.tasks.get_mut(task)?.1 {
            Task::Execute(_, record @ Some(_)) => {
                let record = record.take()?;
                let value = match super::task::step::not_stored(&answer) {
                    None => record.told(),
                    Some(told) => record.with(told).told(),
                };
                self.ended(task, value, events)
            }
            Task::Execute(run, _) => {
                let progress = run.resume(core, answer, now, &mut events);
                self.stepped(task, progress, now, events)
            }
            Task::Propose(run) => {
                let progress = run.resume(core, answer);
                self.proposed(task, progress)
            }
            Task::Plan(run) => {
                let progress = run.resume(core, answer, now, &mut events);
                self.planned(task, progress, now, events)
            }
            Task::Solve(run) => {
                let progress = run.resume(core, answer, now, &mut events);
                self.solved(task, progress, now, events)
            }
        })
    }

    /// Stops a task. Blocks that must run whatever happens may still ask for something.
    pub fn cancel(&mut self, task: usize, why: &str, now: &str) -> Option<Turn> {
        let of = self.tasks.get(task)?.0;
        self.keep_of("stop", of);
        let mut events = Vec::new();
        let core = &mut self.core;
        Some(match &mut self.tasks.get_mut(task)?.1 {
            // It is over; only that it is stored is waited for.
            Task::Execute(_, Some(record)) => {
                let value = record.told();
                self.ended(task, value, events)
            }
            Task::Execute(run, None) => {
                let ended = run.cancel(core, now);
                self.ended(task, ended.record.told(), events)
            }
            Task::Propose(_) => self.ended(task, Value::Null, events),
            Task::Plan(run) => {
                let progress = run.cancel(core, now, &mut events);
                self.planned(task, progress, now, events)
            }
            Task::Solve(run) => {
                let progress = run.cancel(core, why, now, &mut events);
                self.solved(task, progress, now, events)
            }
        })
    }
}

/// The one command of a text, or everything that is wrong with it.
fn single(text: &str) -> Result<Located, Vec<Diagnostic>> {
    let Parsed { mut commands, mut diagnostics } = parse(text);
    if diagnostics.iter().any(Diagnostic::is_error) {
        return Err(diagnostics);
    }
    let one = commands.pop().filter(|one| {
        commands.is_empty() && !matches!(one.command, super::language::ast::Command::Block(_))
    });
    match one {
        Some(located) => Ok(located),
        None => {
            let message = "this is not one command";
            let help = "write one command here; several, and blocks, belong into a plan";
            diagnostics.push(Diagnostic::new(codes::ONE_COMMAND, message).help(help));
            Err(diagnostics)
        }
    }
}

/// What is wrong with a command or an entry of a plan, in UTF-16.
pub fn check(text: &str) -> Vec<Diagnostic> {
    let parsed = parse(text);
    in_utf16(text, parsed.diagnostics)
}

fn busy() -> Diagnostic {
    Diagnostic::new(codes::BUSY, "a plan is running in this session")
        .help("wait for it, stop it with its signal, or run the other plan in `fork()`")
}
