//! One step: a command from its beginning to its record.

use crate::base::map::OrderedMap;
use crate::base::value::put;
use crate::base::{Diagnostic, Location, Span, Value};
use crate::gasl::codes;
use crate::gasl::commands::work::{Moment, Work};
use crate::gasl::commands::{self, Output};
use crate::gasl::core::Core;
use crate::gasl::effect::{Answer, Effect, Event, Progress};
use crate::gasl::language::ast::{Command, Test};
use crate::gasl::plan::Step;
use crate::gasl::record::{Failure, Record, Status, in_utf16};
use crate::gasl::summary::Summary;
use crate::gasl::variable::Variable;
use std::rc::Rc;

/// A step that is under way.
pub struct StepRun {
    step: Step,
    started_at: String,
    number: usize,
    work: Option<Work>,
    /// Set when a condition sent the step another way.
    taken: Option<bool>,
    /// What there is to say of its condition.
    doubts: Vec<Diagnostic>,
}

/// What a step comes to.
pub struct Ended {
    /// Its line in the history.
    pub record: Rc<Record>,
    /// The name that it wrote.
    pub wrote: Option<String>,
    /// Whether it ends the plan whatever the plan says: a guard that failed.
    pub guard: bool,
}

/// The last status of each name, which `ON` looks at.
pub type Statuses = OrderedMap<Status>;

impl StepRun {
    /// Begins a step.
    pub fn begin(
        core: &mut Core,
        step: Step,
        statuses: &Statuses,
        now: &str,
        events: &mut Vec<Event>,
    ) -> (StepRun, Progress<Ended>) {
        let number = core.next_step();
        let started_at = now.to_owned();
        let mut run =
            StepRun { step, started_at, number, work: None, taken: None, doubts: Vec::new() };
        let progress = run.start(core, statuses, now, events);
        (run, progress)
    }

    /// A step whose text is no command: its record says why.
    pub fn refuse(
        core: &mut Core,
        text: String,
        why: String,
        diagnostics: Vec<Diagnostic>,
        now: &str,
    ) -> (StepRun, Progress<Ended>) {
        let number = core.next_step();
        let command = Rc::new(Command::Complete { text: String::new() });
        let started_at = now.to_owned();
        let step = Step { command, text, start: 0, why };
        let mut run =
            StepRun { step, started_at, number, work: None, taken: None, doubts: Vec::new() };
        let ended = run.end(core, Err(Failure { status: Status::Error, diagnostics }), now);
        (run, Progress::Done(ended))
    }

    fn start(
        &mut self,
        core: &mut Core,
        statuses: &Statuses,
        now: &str,
        events: &mut Vec<Event>,
    ) -> Progress<Ended> {
        let chosen = match choose(core, &self.step.command, statuses, &mut self.doubts) {
            Ok(chosen) => chosen,
            Err(failure) => return Progress::Done(self.end(core, Err(failure), now)),
        };
        if let Chosen::Nothing = chosen {
            self.taken = Some(false);
            return Progress::Done(self.end(core, Ok(Output::default()), now));
        }
        if let Chosen::Other(command) = chosen {
            self.taken = Some(true);
            self.step.command = command;
        }
        if let Some(result) = commands::run(core, &self.step.command, self.number) {
            return Progress::Done(self.end(core, result, now));
        }
        let mut moment = Moment { step: self.number, now, events };
        match Work::begin(core, &self.step.command, &mut moment) {
            Err(failure) => Progress::Done(self.end(core, Err(failure), now)),
            Ok((work, Progress::Need(effect))) => {
                self.work = Some(work);
                Progress::Need(effect)
            }
            Ok((_, Progress::Done(output))) => Progress::Done(self.end(core, Ok(output), now)),
        }
    }

    /// Goes on with what the host answered.
    pub fn resume(
        &mut self,
        core: &mut Core,
        answer: Answer,
        now: &str,
        events: &mut Vec<Event>,
    ) -> Progress<Ended> {
        let Some(work) = &mut self.work else {
            return Progress::Done(self.end(core, Ok(Output::default()), now));
        };
        let mut moment = Moment { step: self.number, now, events };
        match work.resume(core, answer, &mut moment) {
            Ok(Progress::Need(effect)) => Progress::Need(effect),
            Ok(Progress::Done(output)) => Progress::Done(self.end(core, Ok(output), now)),
            Err(failure) => Progress::Done(self.end(core, Err(failure), now)),
        }
    }

    /// Gives the step up; nothing of it is kept but the batches that were done.
    pub fn cancel(&mut self, core: &mut Core, now: &str) -> Ended {
        let failure = Failure { status: Status::Error, diagnostics: vec![given_up()] };
        self.end(core, Err(failure), now)
    }

    fn end(&mut self, core: &mut Core, result: commands::Result, now: &str) -> Ended {
        let wrote = self.step.command.output().map(str::to_owned);
        let guard = matches!(*self.step.command, Command::Assert(_) | Command::Require { .. });
        let (output, failed) = match result {
            Ok(output) => (output, None),
            Err(failure) => {
                (Output { told: failure.diagnostics, ..Output::default() }, Some(failure.status))
            }
        };
        let status = failed.unwrap_or_else(|| output.ended());
        let mut told = std::mem::take(&mut self.doubts);
        told.extend(output.told);
        let mut metrics = output.metrics;
        if let Some(taken) = self.taken {
            put(&mut metrics, "taken", taken);
        }
        if let (None, Some(name), Some(value)) = (failed, &wrote, &output.value) {
            core.set(name, value.clone());
        }
        let record = Rc::new(Record {
            step: self.number,
            command: self.step.text.clone(),
            why: self.step.why.clone(),
            status,
            metrics,
            summary: Summary::of(output.value),
            started_at: std::mem::take(&mut self.started_at),
            finished_at: now.to_owned(),
            errors: self.placed(told),
        });
        let history = Rc::make_mut(&mut core.history);
        history.push(record.clone());
        history.snapshot(&core.variables);
        let wrote = match &*self.step.command {
            Command::Update { key, .. } | Command::Declare { key, .. } => Some(key.text()),
            _ if self.taken == Some(false) => None,
            _ => wrote,
        };
        Ended { record, wrote, guard: guard && failed.is_some() }
    }
    /// What is told with its places in the command; an error without one is about all of it.
    fn placed(&self, told: Vec<Diagnostic>) -> Vec<Diagnostic> {
        let Step { text, start, .. } = &self.step;
        let within = |at: usize| at.saturating_sub(*start);
        let place = |told: Diagnostic| match told.location {
            Some(Location::Span(span)) => told.at(Span::new(within(span.start), within(span.end))),
            None if told.is_error() => told.at(Span::new(0, text.len())),
            _ => told,
        };
        in_utf16(text, told.into_iter().map(place).collect::<Vec<_>>())
    }
}

/// What a command comes to, once its conditions are known.
enum Chosen {
    Same,
    Other(Rc<Command>),
    Nothing,
}

/// Follows `ON` and `BRANCH` to the command behind them.
fn choose(
    core: &Core,
    command: &Rc<Command>,
    statuses: &Statuses,
    doubts: &mut Vec<Diagnostic>,
) -> Result<Chosen, Failure> {
    let mut at = command;
    while let Command::When { test, then, otherwise } = &**at {
        let holds = match test {
            Test::Event(event, name) => {
                statuses.get(name.as_str()).is_some_and(|status| event.matches(*status))
            }
            Test::Condition(condition) => {
                let mut scope = core.scope();
                let holds = scope.holds(condition)?;
                doubts.append(&mut scope.told);
                holds
            }
        };
        at = match (holds, otherwise) {
            (true, _) => then,
            (false, Some(otherwise)) => otherwise,
            (false, None) => return Ok(Chosen::Nothing),
        };
    }
    Ok(match Rc::ptr_eq(at, command) {
        true => Chosen::Same,
        false => Chosen::Other(at.clone()),
    })
}

impl crate::gasl::language::ast::Event {
    /// Whether a step with this status is what the line waits for.
    pub fn matches(self, status: Status) -> bool {
        use crate::gasl::language::ast::Event as Wanted;
        match self {
            Wanted::Empty => status == Status::Empty,
            Wanted::Error => matches!(status, Status::Error | Status::BindingFailure),
            Wanted::Partial => status == Status::Partial,
            Wanted::SchemaMismatch => status == Status::SchemaMismatch,
        }
    }
}

/// For a step that was cancelled.
pub fn given_up() -> Diagnostic {
    Diagnostic::new(codes::CANCELLED, "the step was given up: the run was cancelled")
        .help("run it again; batches that were done are kept")
}

/// What the host is asked between two steps.
pub fn after(core: &Core, status: Status) -> Effect {
    if status.is_failure() { Effect::Continue } else { kept(core) }
}

/// What the host is asked where a step shall not be done again.
pub fn kept(core: &Core) -> Effect {
    if core.setup.has_backend { Effect::Save } else { Effect::Continue }
}

/// A note when the state could not be stored.
pub fn not_stored(answer: &Answer) -> Option<Diagnostic> {
    let Answer::Failed(why) = answer else { return None };
    let message = format!("the state could not be stored: {why}");
    Some(Diagnostic::new(codes::NOT_STORED, message).help(
        "the next change stores this one too; where somebody else has stored, open a new session",
    ))
}

/// What `CATCH` sees of a step that failed.
pub fn error_variable(record: &Record, snapshot: &str) -> Variable {
    let message = record.errors.iter().find(|error| error.is_error());
    let message = message.or_else(|| record.errors.first());
    Variable::plain(Value::map([
        ("message", message.map_or("the result is empty", |error| &error.message).into()),
        ("status", record.status.word().into()),
        ("step", record.step.into()),
        ("command", record.command.as_str().into()),
        ("snapshot", snapshot.into()),
    ]))
}
