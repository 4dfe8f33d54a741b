//! Runs one step: a command up to its record.

use crate::base::map::OrderedMap;
use crate::base::value::put;
use crate::base::{Diagnostic, Location, Span, Value};
use crate::gasl::codes;
use crate::gasl::commands::output::{CommandResult, Output};
use crate::gasl::commands::pending::PendingCommand;
use crate::gasl::commands::preparation::{self, PreparationQuery};
use crate::gasl::commands::run;
use crate::gasl::core::Core;
use crate::gasl::effect::{Effect, Event, HostResponse, Progress, StepContext};
use crate::gasl::language::ast::{Command, Trigger};
use crate::gasl::lazy;
use crate::gasl::plan::PlanStep;
use crate::gasl::record::{CommandFailure, Record, StepStatus, in_utf16};
use crate::gasl::summary::Summary;
use crate::gasl::variable::Variable;
use std::rc::Rc;

/// Running step.
pub struct StepRun {
    step: PlanStep,
    started_at: String,
    number: usize,
    work: Option<PendingCommand>,
    /// Query before the command, whose response is pending.
    preparing: Option<PreparationQuery>,
    /// Statuses for the conditions, until one command is selected.
    statuses: Option<Statuses>,
    /// Whether a branch was taken, if the command is a condition.
    branch_taken: Option<bool>,
    /// Diagnostics of the condition.
    diagnostics: Vec<Diagnostic>,
}

/// Result of a step.
pub struct StepOutcome {
    /// Record in the history.
    pub record: Rc<Record>,
    /// Name that the step wrote.
    pub wrote: Option<String>,
    /// Whether a guard failed, which ends the plan regardless of its options.
    pub failed_guard: bool,
}

/// Last status of each name, for `ON`.
pub type Statuses = OrderedMap<StepStatus>;

impl StepRun {
    /// Starts a step.
    pub fn begin(
        core: &mut Core,
        step: PlanStep,
        statuses: &Statuses,
        now: &str,
        events: &mut Vec<Event>,
    ) -> (StepRun, Progress<StepOutcome>) {
        let number = core.next_step();
        let started_at = now.to_owned();
        let mut run = StepRun {
            step,
            started_at,
            number,
            work: None,
            preparing: None,
            statuses: Some(statuses.clone()),
            branch_taken: None,
            diagnostics: Vec::new(),
        };
        let progress = run.start(core, now, events);
        (run, progress)
    }

    /// Returns the failed step of an invalid command.
    pub fn reject_invalid(
        core: &mut Core,
        text: String,
        why: String,
        diagnostics: Vec<Diagnostic>,
        now: &str,
    ) -> (StepRun, Progress<StepOutcome>) {
        let number = core.next_step();
        let command = Rc::new(Command::Complete { text: String::new() });
        let started_at = now.to_owned();
        let step = PlanStep { command, text, start: 0, why };
        let mut run = StepRun {
            step,
            started_at,
            number,
            work: None,
            preparing: None,
            statuses: None,
            branch_taken: None,
            diagnostics: Vec::new(),
        };
        let ended =
            run.end(core, Err(CommandFailure { status: StepStatus::Error, diagnostics }), now);
        (run, Progress::Done(ended))
    }

    /// Requests what the command needs, selects it, and runs it.
    fn start(
        &mut self,
        core: &mut Core,
        now: &str,
        events: &mut Vec<Event>,
    ) -> Progress<StepOutcome> {
        if let Some(effect) = self.prepare(core) {
            return Progress::Need(effect);
        }
        if let Some(statuses) = self.statuses.take() {
            let command = &self.step.command;
            let selected = match select_command(core, command, &statuses, &mut self.diagnostics) {
                Ok(selected) => selected,
                Err(failure) => return Progress::Done(self.end(core, Err(failure), now)),
            };
            if let SelectedCommand::None = selected {
                self.branch_taken = Some(false);
                return Progress::Done(self.end(core, Ok(Output::default()), now));
            }
            if let SelectedCommand::Branch(command) = selected {
                self.branch_taken = Some(true);
                self.step.command = command;
                if let Some(effect) = self.prepare(core) {
                    return Progress::Need(effect);
                }
            }
        }
        if let Some(result) = run(core, &self.step.command, self.number) {
            return Progress::Done(self.end(core, result, now));
        }
        let mut context = StepContext { step: self.number, now, events };
        match PendingCommand::begin(core, &self.step.command, &mut context) {
            Err(failure) => Progress::Done(self.end(core, Err(failure), now)),
            Ok((work, Progress::Need(effect))) => {
                self.work = Some(work);
                Progress::Need(effect)
            }
            Ok((_, Progress::Done(output))) => Progress::Done(self.end(core, Ok(output), now)),
        }
    }

    /// Returns the query that the command needs before it runs.
    fn prepare(&mut self, core: &Core) -> Option<Effect> {
        let (query, effect) = preparation::next_query(core, &self.step.command)?;
        self.preparing = Some(query);
        Some(effect)
    }

    /// Continues with the answer of the host.
    pub fn resume(
        &mut self,
        core: &mut Core,
        answer: HostResponse,
        now: &str,
        events: &mut Vec<Event>,
    ) -> Progress<StepOutcome> {
        if let Some(query) = self.preparing.take() {
            return match preparation::store_response(core, query, answer) {
                Ok(warning) => {
                    self.diagnostics.extend(warning);
                    self.start(core, now, events)
                }
                Err(failure) => Progress::Done(self.end(core, Err(failure), now)),
            };
        }
        let Some(work) = &mut self.work else {
            return Progress::Done(self.end(core, Ok(Output::default()), now));
        };
        let mut context = StepContext { step: self.number, now, events };
        match work.resume(core, answer, &mut context) {
            Ok(Progress::Need(effect)) => Progress::Need(effect),
            Ok(Progress::Done(output)) => Progress::Done(self.end(core, Ok(output), now)),
            Err(failure) => Progress::Done(self.end(core, Err(failure), now)),
        }
    }

    /// Cancels the step; only completed batches are kept.
    pub fn cancel(&mut self, core: &mut Core, now: &str) -> StepOutcome {
        let failure =
            CommandFailure { status: StepStatus::Error, diagnostics: vec![cancelled_step()] };
        self.end(core, Err(failure), now)
    }

    fn end(&mut self, core: &mut Core, result: CommandResult, now: &str) -> StepOutcome {
        let wrote = self.step.command.output().map(str::to_owned);
        let is_guard = matches!(*self.step.command, Command::Assert(_) | Command::Require { .. });
        let result = result.and_then(|output| checked_output(core, wrote.as_deref(), output));
        let (output, failure) = match result {
            Ok(output) => (output, None),
            Err(failure) => (
                Output { diagnostics: failure.diagnostics, ..Output::default() },
                Some(failure.status),
            ),
        };
        let status = failure.unwrap_or_else(|| output.final_status());
        let mut diagnostics = std::mem::take(&mut self.diagnostics);
        diagnostics.extend(output.diagnostics);
        let mut metrics = output.metrics;
        if let Some(taken) = self.branch_taken {
            put(&mut metrics, "taken", taken);
        }
        if let (None, Some(name), Some(value)) = (failure, &wrote, &output.value) {
            core.set_variable(name, value.clone());
        }
        diagnostics.extend(add_snapshot(core));
        let record = Rc::new(Record {
            step: self.number,
            command: self.step.text.clone(),
            why: self.step.why.clone(),
            status,
            metrics,
            summary: Summary::from_result(output.value),
            executed: self.step.command.clone(),
            shown_lines: output.shown_lines,
            started_at: std::mem::take(&mut self.started_at),
            finished_at: now.to_owned(),
            errors: self.locate_diagnostics(diagnostics),
        });
        let history = Rc::make_mut(&mut core.history);
        history.add_record(record.clone());
        let wrote = match &*self.step.command {
            Command::Update { key, .. } | Command::Declare { key, .. } => Some(key.text()),
            _ if self.branch_taken == Some(false) => None,
            _ => wrote,
        };
        StepOutcome { record, wrote, failed_guard: is_guard && failure.is_some() }
    }

    /// Moves spans to the text of the command; an error without a span gets that of the whole text.
    fn locate_diagnostics(&self, diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
        let PlanStep { text, start, .. } = &self.step;
        let shift = |at: usize| at.saturating_sub(*start);
        let locate = |one: Diagnostic| match one.location {
            Some(Location::Span(span)) => one.at(Span::new(shift(span.start), shift(span.end))),
            None if one.is_error() => one.at(Span::new(0, text.len())),
            _ => one,
        };
        in_utf16(text, diagnostics.into_iter().map(locate).collect::<Vec<_>>())
    }
}

/// Rejects a result that needs too much memory, and computes rows that depend on many others.
fn checked_output(core: &Core, name: Option<&str>, mut output: Output) -> CommandResult {
    if let (Some(name), Some(value)) = (name, output.value.take()) {
        core.context.check(name, &value, core.setup.limits.variables)?;
        output.value = Some(lazy::shortened(value));
    }
    Ok(output)
}

/// Adds a snapshot if the state has changed. Returns a warning if the first old ones are removed.
fn add_snapshot(core: &mut Core) -> Option<Diagnostic> {
    if core.changes.is_empty() {
        return None;
    }
    let changes = std::mem::take(&mut core.changes);
    let limit = core.setup.limits.snapshots;
    let history = Rc::make_mut(&mut core.history);
    let is_removed = history.snapshots.add(changes, history.step, limit, &core.variables);
    is_removed.then(|| {
        let message =
            format!("the oldest snapshots were removed, because all need more than {limit} bytes");
        Diagnostic::new(codes::SNAPSHOTS_REMOVED, message)
            .help("raise `limits.snapshots` of the session to fork it at earlier states")
    })
}

/// Command to run after the conditions are evaluated.
enum SelectedCommand {
    Unconditional,
    Branch(Rc<Command>),
    None,
}

/// Evaluates `ON` and `BRANCH` and returns the selected command.
fn select_command(
    core: &Core,
    command: &Rc<Command>,
    statuses: &Statuses,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<SelectedCommand, CommandFailure> {
    let mut current = command;
    while let Command::When { test, then, otherwise } = &**current {
        let holds = match test {
            Trigger::Event(event, name) => {
                statuses.get(name.as_str()).is_some_and(|status| event.matches(*status))
            }
            Trigger::Condition(condition) => {
                let mut scope = core.scope();
                let holds = scope.evaluate(condition)?;
                diagnostics.append(&mut scope.diagnostics);
                holds
            }
        };
        current = match (holds, otherwise) {
            (true, _) => then,
            (false, Some(otherwise)) => otherwise,
            (false, None) => return Ok(SelectedCommand::None),
        };
    }
    Ok(match Rc::ptr_eq(current, command) {
        true => SelectedCommand::Unconditional,
        false => SelectedCommand::Branch(current.clone()),
    })
}

impl crate::gasl::language::ast::OutcomeEvent {
    /// Returns whether a status triggers the event.
    pub fn matches(self, status: StepStatus) -> bool {
        match self {
            Self::Empty => status == StepStatus::Empty,
            Self::Error => matches!(status, StepStatus::Error | StepStatus::BindingFailure),
            Self::Partial => status == StepStatus::Partial,
            Self::SchemaMismatch => status == StepStatus::SchemaMismatch,
        }
    }
}

/// Returns the diagnostic of a cancelled step.
pub fn cancelled_step() -> Diagnostic {
    Diagnostic::new(codes::CANCELLED, "the step was cancelled")
        .help("run it again; completed batches are kept")
}

/// Returns the effect after a step: saves the state unless the step failed.
pub fn effect_after(core: &Core, status: StepStatus) -> Effect {
    if status.is_failure() { Effect::Continue } else { save_effect(core) }
}

/// Returns the effect that saves the state, if there is a backend.
pub fn save_effect(core: &Core) -> Effect {
    if core.setup.has_backend { Effect::Save } else { Effect::Continue }
}

/// Returns the variable `error` for `CATCH`.
pub fn error_variable(record: &Record, snapshot: &str) -> Variable {
    let message = record.errors.iter().find(|error| error.is_error());
    let message = message.or_else(|| record.errors.first());
    Variable::without_sources(Value::map([
        ("message", message.map_or("the result is empty", |error| &error.message).into()),
        ("status", record.status.word().into()),
        ("step", record.step.into()),
        ("command", record.command.as_str().into()),
        ("snapshot", snapshot.into()),
    ]))
}
