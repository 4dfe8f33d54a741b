//! A session: tasks over one graph and one state, each of which asks the host for what it needs.

mod views;

use super::caps::{Caps, Ceilings};
use super::codes;
use super::core::{Bounds, Core, Setup};
use super::effect::{Answer, Effect, Event, Progress};
use super::history::Snapshot;
use super::language::{Parsed, parse};
use super::plan::Plan;
use super::record::in_utf16;
use super::recording::{self, Recording};
use super::source::Source;
use super::task::plan::{PlanResult, PlanRun};
use super::task::propose::Proposing;
use super::task::solve::{Budget, SolveRun, Solved};
use super::task::step::{Ended, Statuses, StepRun, after};
use crate::base::Gather;
use crate::base::slots::Slots;
use crate::base::{Diagnostic, Value};
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
    tasks: Slots<Task>,
    /// The state as it was given, for the recording.
    initial: Value,
    created_at: String,
    updated_at: String,
    /// The entry of the plan or the loop that runs, and how many commands were over before it.
    open: Option<(usize, usize)>,
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
        let loaded = given.map(recording::read_state).transpose()?.unwrap_or_default();
        let Options { mut setup, query, model, seed, caps } = options;
        setup.query = query.or(loaded.query).unwrap_or_default();
        setup.model = model.or(loaded.model);
        setup.seed = seed.or(loaded.seed).unwrap_or_default();
        let mut set = Caps::read(loaded.caps.as_ref().unwrap_or(&Value::Null), &setup.ceilings)?;
        for (key, value) in caps.entries() {
            set.set(key, value, &setup.ceilings)?;
        }
        Session::new(graph, setup, set, given, now)
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
        let mut history = loaded.history;
        history.caps = caps.to_value();
        history.snapshots.push(Rc::new(Snapshot::new(loaded.variables.clone(), history.step)));
        let core = Core {
            setup: Rc::new(setup),
            graph,
            caps,
            context: Rc::default(),
            variables: loaded.variables,
            history: Rc::new(history),
            exchanges: Rc::default(),
            replaying: None,
            live: Vec::new(),
            cancelled: Vec::new(),
            tokens: 0,
            calls: 0,
            checkpoint: loaded.checkpoint,
            running: loaded.running,
            bounds: Bounds::default(),
        };
        Ok(Session {
            core,
            tasks: Slots::default(),
            initial: given.cloned().unwrap_or_default(),
            created_at: loaded.created_at.unwrap_or_else(|| now.to_owned()),
            updated_at: now.to_owned(),
            open: None,
        })
    }

    /// A session as it was when a recording of it began. It has no model.
    pub fn of_recording(
        graph: Source,
        recorded: &Recording,
        now: &str,
    ) -> Result<Session, Diagnostic> {
        let setup = Setup {
            query: recorded.query.clone(),
            model: recorded.model.clone(),
            seed: recorded.seed,
            retries: recorded.retries,
            ceilings: Ceilings::read(&recorded.ceilings)?,
            ..Setup::default()
        };
        let caps = Caps::read(&recorded.caps, &setup.ceilings)?;
        Session::new(graph, setup, caps, recorded.state.as_ref(), now)
    }

    /// What all tasks share.
    pub fn core(&self) -> &Core {
        &self.core
    }

    /// Whether a plan or a loop is running.
    pub fn is_busy(&self) -> bool {
        self.tasks.iter().any(|task| matches!(task, Task::Plan(_) | Task::Solve(_)))
    }

    /// Begins one command.
    pub fn execute(&mut self, text: &str, why: &str, now: &str) -> Turn {
        self.keep_command(text, why);
        let mut events = Vec::new();
        let task = self.tasks.next();
        let (run, progress) = match single(text) {
            Ok((command, told)) => {
                let text = told.to_owned();
                let (core, why) = (&mut self.core, why.to_owned());
                let none = Statuses::default();
                StepRun::begin(core, Rc::new(command), text, why, &none, now, &mut events)
            }
            Err(diagnostics) => {
                let (text, why) = (text.to_owned(), why.to_owned());
                StepRun::refuse(&mut self.core, text, why, diagnostics, now)
            }
        };
        self.tasks.put(Task::Execute(Box::new(run), None));
        self.stepped(task, progress, now, events)
    }

    /// The record of a command that was given up before it began.
    pub fn give_up(&mut self, text: &str, why: &str, now: &str) -> Turn {
        let task = self.tasks.next();
        let (text, why) = (text.to_owned(), why.to_owned());
        let given_up = vec![super::task::step::given_up()];
        let (_, progress) = StepRun::refuse(&mut self.core, text, why, given_up, now);
        self.stepped(task, progress, now, Vec::new())
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
            && let Some(Task::Execute(_, record)) = self.tasks.get_mut(task)
        {
            *record = Some(ended.record);
            return Turn { task, events, next: Next::Need(effect) };
        }
        self.tasks.take(task);
        Turn { task, events, next: Next::Done(ended.record.told()) }
    }

    /// Begins a plan; refused while another one runs.
    pub fn run(&mut self, plan: &Value, now: &str) -> Turn {
        let read = match plan {
            Value::Text(text) => Plan::from_text(text),
            value => Plan::read(value),
        };
        let task = self.tasks.next();
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
        let events = Vec::new();
        let interrupted = self.core.running.get("plan") == Some(&plan.value);
        let begun = match interrupted {
            true => self.begin_again(),
            false => None,
        };
        let (run, progress) = match begun {
            Some(begun) => begun,
            None => {
                let entry = [("kind", "plan".into()), ("plan", plan.value.clone())];
                self.keep(Value::map(entry));
                PlanRun::begin(&mut self.core, plan, told)
            }
        };
        self.tasks.put(Task::Plan(Box::new(run)));
        self.planned(task, progress, now, events)
    }

    /// Goes on with the plan that was interrupted when the state was stored; nothing where none
    /// was.
    pub fn take_up(&mut self, now: &str) -> Option<Turn> {
        if self.is_busy() {
            return None;
        }
        let events = Vec::new();
        let (run, progress) = self.begin_again()?;
        let task = self.tasks.put(Task::Plan(Box::new(run)));
        Some(self.planned(task, progress, now, events))
    }

    fn begin_again(&mut self) -> Option<(PlanRun, Progress<PlanResult>)> {
        let begun = PlanRun::take_up(&mut self.core)?;
        self.keep(Value::map([("kind", Value::from("resume"))]));
        Some(begun)
    }

    fn planned(
        &mut self,
        task: usize,
        progress: Progress<PlanResult>,
        now: &str,
        events: Vec<Event>,
    ) -> Turn {
        self.updated_at = now.to_owned();
        let next = match progress {
            Progress::Need(effect) => Next::Need(effect),
            Progress::Done(result) => {
                self.open = None;
                self.tasks.take(task);
                Next::Done(result.to_value())
            }
        };
        Turn { task, events, next }
    }

    /// Begins the loop for a question; refused while a plan runs.
    pub fn solve(&mut self, query: &str, budget: Budget, now: &str) -> Turn {
        let task = self.tasks.next();
        if self.is_busy() {
            let diagnostics = vec![busy()];
            let plans = vec![PlanResult::refused(String::new(), diagnostics.clone())];
            let solved = Solved { status: "stopped", answer: None, plans, diagnostics };
            return Turn { task, events: Vec::new(), next: Next::Done(solved.to_value()) };
        }
        let bound = |count: usize| Value::Number(count.min(u32::MAX as usize) as f64);
        let entry = Value::map([
            ("kind", Value::from("solve")),
            ("query", query.into()),
            ("plans", bound(budget.plans)),
            ("calls", bound(budget.calls)),
            ("tokens", bound(budget.tokens)),
            ("steps", bound(budget.steps)),
        ]);
        self.keep(entry);
        if self.core.setup.query.is_empty() {
            Rc::make_mut(&mut self.core.setup).query = query.to_owned();
        }
        let mut events = Vec::new();
        let (run, progress) =
            SolveRun::begin(&mut self.core, query.to_owned(), budget, now, &mut events);
        self.tasks.put(Task::Solve(Box::new(run)));
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
        let next = match progress {
            Progress::Need(effect) => Next::Need(effect),
            Progress::Done(solved) => {
                self.open = None;
                self.tasks.take(task);
                self.core.bounds = Bounds::default();
                Next::Done(solved.to_value())
            }
        };
        Turn { task, events, next }
    }

    /// Begins to ask for all that could be done next. Nothing of it is run.
    pub fn propose(&mut self, query: &str) -> Turn {
        let task = self.tasks.next();
        let (run, progress) = Proposing::begin(&mut self.core, query);
        self.tasks.put(Task::Propose(Box::new(run)));
        self.proposed(task, progress)
    }

    fn proposed(&mut self, task: usize, progress: Progress<Value>) -> Turn {
        let next = match progress {
            Progress::Need(effect) => Next::Need(effect),
            Progress::Done(value) => {
                self.tasks.take(task);
                Next::Done(value)
            }
        };
        Turn { task, events: Vec::new(), next }
    }

    /// Goes on with what the host answered; nothing where there is no such task.
    pub fn resume(&mut self, task: usize, answer: Answer, now: &str) -> Option<Turn> {
        let mut events = Vec::new();
        let core = &mut self.core;
        Some(match self.tasks.get_mut(task)? {
            Task::Execute(_, record @ Some(_)) => {
                let record = record.take()?;
                self.tasks.take(task);
                let value = match super::task::step::not_stored(&answer) {
                    None => record.told(),
                    Some(told) => record.with(told).told(),
                };
                Turn { task, events, next: Next::Done(value) }
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
    pub fn cancel(&mut self, task: usize, now: &str) -> Option<Turn> {
        if matches!(self.tasks.get_mut(task), Some(Task::Plan(_) | Task::Solve(_))) {
            self.keep_stop();
        }
        let mut events = Vec::new();
        let core = &mut self.core;
        Some(match self.tasks.get_mut(task)? {
            // It is over; only that it is stored is waited for.
            Task::Execute(_, Some(record)) => {
                let value = record.told();
                self.tasks.take(task);
                Turn { task, events, next: Next::Done(value) }
            }
            Task::Execute(run, None) => {
                let ended = run.cancel(core, now);
                self.tasks.take(task);
                Turn { task, events, next: Next::Done(ended.record.told()) }
            }
            Task::Propose(_) => {
                self.tasks.take(task);
                Turn { task, events, next: Next::Done(Value::Null) }
            }
            Task::Plan(run) => {
                let progress = run.cancel(core, now, &mut events);
                self.planned(task, progress, now, events)
            }
            Task::Solve(run) => {
                let progress = run.cancel(core, now, &mut events);
                self.solved(task, progress, now, events)
            }
        })
    }

    /// Keeps a command for the recording; one beside a plan with how many steps were over then.
    fn keep_command(&mut self, text: &str, why: &str) {
        let kind = ("kind", Value::from("execute"));
        let beside = self.open.map(|open| ("beside", self.steps_since(open).into()));
        let parts = [kind, ("command", text.into()), ("why", why.into())];
        let entry = Value::map_of(parts.into_iter().chain(beside).gather());
        Rc::make_mut(&mut self.core.history).entries.push(entry);
    }

    /// Keeps what begins for the recording.
    fn keep(&mut self, entry: Value) {
        let history = Rc::make_mut(&mut self.core.history);
        self.open = Some((history.entries.len(), history.commands.len()));
        history.entries.push(entry);
    }

    /// Keeps after how many steps the running plan or loop was stopped.
    fn keep_stop(&mut self) {
        let Some(open) = self.open else { return };
        let after = self.steps_since(open);
        let history = Rc::make_mut(&mut self.core.history);
        let entry = history.entries.get_mut(open.0).and_then(Value::as_map_mut);
        if let Some(entry) = entry.filter(|entry| !entry.contains_key("stopped")) {
            entry.insert("stopped".into(), after.into());
        }
    }

    fn steps_since(&self, (_, commands): (usize, usize)) -> usize {
        self.core.history.commands.len().saturating_sub(commands)
    }
}

/// The one command of a text, and its words; or everything that is wrong with it.
fn single(text: &str) -> Result<(super::language::ast::Command, &str), Vec<Diagnostic>> {
    let Parsed { mut commands, mut diagnostics } = parse(text);
    if diagnostics.iter().any(Diagnostic::is_error) {
        return Err(diagnostics);
    }
    let one = commands.pop().filter(|one| {
        commands.is_empty() && !matches!(one.command, super::language::ast::Command::Block(_))
    });
    match one {
        Some(located) => {
            Ok((located.command, text.get(located.span.start..located.span.end).unwrap_or(text)))
        }
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
