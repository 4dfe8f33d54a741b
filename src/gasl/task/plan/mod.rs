//! Runs a plan: selects the next step, and handles failed steps.

mod result;
mod stored;

pub use self::result::{PlanResult, PlanStatus};

use super::step::{Statuses, StepOutcome, StepRun, effect_after, error_variable, save_effect};
use crate::base::{Diagnostic, Value};
use crate::gasl::codes;
use crate::gasl::core::Core;
use crate::gasl::effect::{
    Effect, Event, HostFailure, HostResponse, Progress, aborted_save_warning, storage_warning,
};
use crate::gasl::language::ast::{Command, Trigger};
use crate::gasl::plan::{Plan, PlanOp};
use crate::gasl::record::{Record, StepStatus};
use crate::gasl::snapshots::Snapshot;
use crate::gasl::variable::Variable;
use std::rc::Rc;

/// Running plan.
pub struct PlanRun {
    plan: Rc<Plan>,
    /// Index of the current operation.
    current_op: usize,
    frames: Vec<BlockFrame>,
    statuses: Statuses,
    step: Option<StepRun>,
    /// Reported step; the plan continues after the answer of the host.
    reported: Option<StepOutcome>,
    /// Events of steps that the host has not stored.
    unreported: Vec<Event>,
    /// Whether the host stores the last step.
    is_saving: bool,
    records: Vec<Rc<Record>>,
    diagnostics: Vec<Diagnostic>,
    /// Reason to stop after the last step of an interrupted plan.
    stop: Option<StopReason>,
    cancelled: bool,
    answer: Option<String>,
    /// Result of the plan, while the host saves the final state.
    result: Option<PlanResult>,
    /// Context as last stored, because most of it is unchanged after the next step.
    stored_context: Vec<(Variable, Value)>,
}

/// Open block.
struct BlockFrame {
    catch: Option<usize>,
    finally: Option<usize>,
    end: usize,
    phase: BlockPhase,
    /// Reason to leave the block after `FINALLY`.
    leaving: Option<StopReason>,
    /// State before the block.
    snapshot_before: Option<Rc<Snapshot>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BlockPhase {
    Try,
    Catch,
    Finally,
}

/// Reason to stop a plan, in ascending priority.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum StopReason {
    /// The result of a step is empty.
    Empty,
    /// A step failed, which ends the plan unless it is caught.
    Failed,
    Cancelled,
}

impl PlanRun {
    /// Starts a plan with an empty context.
    pub fn begin(
        core: &mut Core,
        plan: Plan,
        diagnostics: Vec<Diagnostic>,
    ) -> (PlanRun, Progress<PlanResult>) {
        core.context = Rc::default();
        core.active_plan_ids.push(plan.id.clone());
        let history = Rc::make_mut(&mut core.history);
        history.plan_starts.push(history.step);
        let mut run = PlanRun {
            plan: Rc::new(plan),
            current_op: 0,
            frames: Vec::new(),
            statuses: Statuses::default(),
            step: None,
            reported: None,
            unreported: Vec::new(),
            is_saving: false,
            records: Vec::new(),
            diagnostics,
            stop: None,
            cancelled: false,
            answer: None,
            result: None,
            stored_context: Vec::new(),
        };
        // A save during the first step must store this plan, not the previous one.
        core.plan_checkpoint = match core.setup.has_backend {
            true => run.checkpoint_value(core, 0),
            false => Value::Null,
        };
        // Lets the host cancel the plan before the first step.
        (run, Progress::Need(Effect::Continue))
    }

    /// Resumes an interrupted plan after its last stored step; returns `None` if there is none.
    pub fn resume_interrupted(core: &mut Core) -> Option<(PlanRun, Progress<PlanResult>)> {
        let stored = std::mem::take(&mut core.plan_checkpoint);
        let (plan, _) = Plan::read(stored.get("plan")?, core.setup.limits.commands).ok()?;
        let run = PlanRun::from_stored(core, plan, &stored)?;
        // The plan may be interrupted again before its next step is stored.
        core.plan_checkpoint = stored;
        core.active_plan_ids.push(run.plan.id.clone());
        Some((run, Progress::Need(Effect::Continue)))
    }

    /// Continues with the answer of the host.
    pub fn resume(
        &mut self,
        core: &mut Core,
        answer: HostResponse,
        now: &str,
        events: &mut Vec<Event>,
    ) -> Progress<PlanResult> {
        if let Some(mut step) = self.step.take() {
            if let HostResponse::Interrupted(failure) = answer {
                return self.interrupt(core, step, failure, now, events);
            }
            return match step.resume(core, answer, now, events) {
                Progress::Need(effect) => {
                    self.step = Some(step);
                    Progress::Need(effect)
                }
                Progress::Done(outcome) => self.report(core, outcome, events),
            };
        }
        let failed_save = storage_warning(&answer);
        let is_stored = failed_save.is_none();
        self.diagnostics.extend(failed_save);
        let is_saving = std::mem::take(&mut self.is_saving);
        if is_stored && (is_saving || self.result.is_some()) {
            events.append(&mut self.unreported);
        }
        if is_saving {
            // Lets the host cancel the plan before the next step.
            return Progress::Need(Effect::Continue);
        }
        if let Some(mut result) = self.result.take() {
            result.diagnostics.append(&mut self.diagnostics);
            if !is_stored && result.status == PlanStatus::Completed {
                result.status = PlanStatus::Failed;
            }
            return Progress::Done(result);
        }
        self.advance(core, now, events)
    }

    /// Ends the plan before the step that failed. It can be resumed, so no block handles the failure.
    fn interrupt(
        &mut self,
        core: &mut Core,
        mut step: StepRun,
        failure: HostFailure,
        now: &str,
        events: &mut Vec<Event>,
    ) -> Progress<PlanResult> {
        let message = format!("the plan was interrupted: {}", failure.why);
        let help = "continue with `resume()` when the database responds";
        let outcome = match step.resume(core, HostResponse::Interrupted(failure), now, events) {
            Progress::Done(outcome) => outcome,
            Progress::Need(_) => step.cancel(core, now),
        };
        let event = Event::Step(outcome.record.to_event_value());
        match core.setup.has_backend {
            true => self.unreported.push(event),
            false => events.push(event),
        }
        self.records.push(outcome.record);
        self.diagnostics.push(Diagnostic::new(codes::INTERRUPTED, message).help(help));
        core.plan_checkpoint = self.checkpoint_value(core, self.current_op);
        self.end(core, PlanStatus::Interrupted)
    }

    /// Cancels the plan; `FINALLY` blocks still run.
    pub fn cancel(
        &mut self,
        core: &mut Core,
        now: &str,
        events: &mut Vec<Event>,
    ) -> Progress<PlanResult> {
        self.cancelled = true;
        // The next save that succeeds reports the step.
        self.is_saving = false;
        if let Some(mut result) = self.result.take() {
            result.diagnostics.append(&mut self.diagnostics);
            result.diagnostics.push(aborted_save_warning());
            if result.status == PlanStatus::Completed {
                result.status = PlanStatus::Failed;
            }
            return Progress::Done(result);
        }
        if let Some(mut step) = self.step.take() {
            let outcome = step.cancel(core, now);
            return self.report(core, outcome, events);
        }
        self.advance(core, now, events)
    }

    /// Reports a step to the host, which may cancel the plan before the next one.
    fn report(
        &mut self,
        core: &mut Core,
        outcome: StepOutcome,
        events: &mut Vec<Event>,
    ) -> Progress<PlanResult> {
        let event = Event::Step(outcome.record.to_event_value());
        self.records.push(outcome.record.clone());
        let effect = match self.continues_after(&outcome) {
            true => save_effect(core),
            false => effect_after(core, outcome.record.status),
        };
        self.reported = Some(outcome);
        self.is_saving = effect == Effect::Save;
        if self.is_saving {
            core.plan_checkpoint = self.checkpoint_value(core, self.current_op + 1);
        }
        // A step is reported after it is stored, and after the steps before it.
        match self.is_saving || !self.unreported.is_empty() {
            true => self.unreported.push(event),
            false => events.push(event),
        }
        Progress::Need(effect)
    }

    /// Continues after a reported step: with a handler, the next step or the end.
    fn advance(
        &mut self,
        core: &mut Core,
        now: &str,
        events: &mut Vec<Event>,
    ) -> Progress<PlanResult> {
        if let Some(cancelled) = core.cancelled.iter().position(|id| *id == self.plan.id) {
            core.cancelled.swap_remove(cancelled);
            self.cancelled = true;
        }
        let mut stop = self.stop.take();
        if let Some(outcome) = self.reported.take() {
            let status = outcome.record.status;
            if let Some(name) = &outcome.wrote {
                self.statuses.insert(name.as_str().into(), status);
            }
            if let Some(Value::Text(answer)) = outcome.record.metrics.get("answer") {
                self.answer = Some(answer.to_string());
            }
            self.current_op += 1;
            stop = self.stop_reason(&outcome, self.current_op);
            if stop.is_some()
                && let Some(error) = self.error_for_catch(core, &outcome.record)
            {
                core.set_variable("error", error);
            }
        }
        if self.cancelled && !self.in_finally() {
            stop = Some(StopReason::Cancelled);
        }
        if let Some(stop) = stop
            && let Some(status) = self.unwind(stop)
        {
            return self.finish(core, status);
        }
        self.next(core, now, events)
    }

    fn in_finally(&self) -> bool {
        self.frames.iter().any(|frame| frame.phase == BlockPhase::Finally)
    }

    /// Returns whether the plan continues after a step. Then even a failed step is not repeated if
    /// the plan is interrupted.
    fn continues_after(&self, outcome: &StepOutcome) -> bool {
        let has_next =
            !self.frames.is_empty() || self.stop_reason(outcome, self.current_op + 1).is_none();
        has_next && !self.cancelled
    }

    /// Returns the reason to stop before the operation `next`, unless an `ON` line there handles it.
    fn stop_reason(&self, outcome: &StepOutcome, next: usize) -> Option<StopReason> {
        let status = outcome.record.status;
        let stop = match status {
            StepStatus::Empty if !self.plan.continue_on_empty => StopReason::Empty,
            _ if outcome.failed_guard => return Some(StopReason::Failed),
            // `CATCH` takes precedence over the options of the plan.
            _ if status.is_failure() && (self.plan.stop_on_error || self.is_caught()) => {
                StopReason::Failed
            }
            _ => return None,
        };
        // If the step ends a block, its `ON` lines are after `END`.
        let following = self.plan.ops.iter().skip(next).filter(|op| !matches!(op, PlanOp::End));
        let mut lines = following.map_while(|op| match op {
            PlanOp::Step(step) => match &*step.command {
                Command::When { test: Trigger::Event(event, name), .. } => Some((*event, name)),
                _ => None,
            },
            _ => None,
        });
        let handled = lines
            .any(|(event, name)| outcome.wrote.as_ref() == Some(name) && event.matches(status));
        (!handled).then_some(stop)
    }

    /// Returns whether a failed step is caught.
    fn is_caught(&self) -> bool {
        let catches = |frame: &BlockFrame| frame.phase == BlockPhase::Try && frame.catch.is_some();
        !self.cancelled && self.frames.iter().any(catches)
    }

    /// Returns the variable `error` for the `CATCH` block; `None` outside of `TRY`.
    fn error_for_catch(&self, core: &Core, record: &Record) -> Option<Variable> {
        let frame = self.frames.iter().rev().find(|frame| frame.phase == BlockPhase::Try)?;
        Some(error_variable(record, &frame.hash_before(core).unwrap_or_default()))
    }

    /// Leaves blocks until one handles the stop; returns the status of the plan if none does.
    fn unwind(&mut self, mut stop: StopReason) -> Option<PlanStatus> {
        while let Some(frame) = self.frames.last_mut() {
            if frame.phase == BlockPhase::Try
                && stop != StopReason::Cancelled
                && let Some(catch) = frame.catch
            {
                frame.phase = BlockPhase::Catch;
                self.current_op = catch + 1;
                return None;
            }
            if frame.phase != BlockPhase::Finally
                && let Some(finally) = frame.finally
            {
                frame.phase = BlockPhase::Finally;
                frame.leaving = Some(stop);
                self.current_op = finally + 1;
                return None;
            }
            // A failed `FINALLY` does not replace a stronger reason.
            stop = stop.max(frame.leaving.unwrap_or(stop));
            if self.cancelled {
                stop = StopReason::Cancelled;
            }
            self.frames.pop();
        }
        Some(match stop {
            StopReason::Failed => PlanStatus::Failed,
            StopReason::Empty => PlanStatus::StoppedEmpty,
            StopReason::Cancelled => PlanStatus::Cancelled,
        })
    }

    /// Runs operations up to the next step or the end.
    fn next(
        &mut self,
        core: &mut Core,
        now: &str,
        events: &mut Vec<Event>,
    ) -> Progress<PlanResult> {
        loop {
            let plan = self.plan.clone();
            match plan.ops.get(self.current_op) {
                // A loop at its limit cancels the plan, whose `FINALLY` blocks still run.
                Some(PlanOp::Step(_)) if core.is_step_budget_spent() && !self.in_finally() => {
                    self.cancelled = true;
                    if let Some(status) = self.unwind(StopReason::Cancelled) {
                        return self.finish(core, status);
                    }
                }
                None => {
                    let status = match self.cancelled {
                        true => PlanStatus::Cancelled,
                        false => PlanStatus::Completed,
                    };
                    return self.finish(core, status);
                }
                Some(PlanOp::Step(step)) => {
                    let step = (**step).clone();
                    let (run, progress) = StepRun::begin(core, step, &self.statuses, now, events);
                    return match progress {
                        Progress::Need(effect) => {
                            self.step = Some(run);
                            Progress::Need(effect)
                        }
                        Progress::Done(outcome) => self.report(core, outcome, events),
                    };
                }
                Some(PlanOp::Try { catch, finally, end }) => {
                    let before = core.history.snapshots.last().cloned();
                    before.iter().for_each(|snapshot| snapshot.retain_hash());
                    let (catch, finally, end) = (*catch, *finally, *end);
                    let phase = BlockPhase::Try;
                    self.frames.push(BlockFrame {
                        catch,
                        finally,
                        end,
                        phase,
                        leaving: None,
                        snapshot_before: before,
                    });
                    self.current_op += 1;
                }
                // Reached without an error, so `CATCH` is skipped.
                Some(PlanOp::Catch) => {
                    let Some(frame) = self.frames.last_mut() else { return self.fail(core) };
                    self.current_op = frame.finally.unwrap_or(frame.end);
                }
                Some(PlanOp::Finally) => {
                    let Some(frame) = self.frames.last_mut() else { return self.fail(core) };
                    frame.phase = BlockPhase::Finally;
                    self.current_op += 1;
                }
                Some(PlanOp::End) => {
                    let leaving = self.frames.pop().and_then(|frame| frame.leaving);
                    self.current_op += 1;
                    // A block inside `FINALLY` does not leave the `FINALLY`.
                    let is_cancelled = self.cancelled && !self.in_finally();
                    let leaving = if is_cancelled { Some(StopReason::Cancelled) } else { leaving };
                    if let Some(stop) = leaving
                        && let Some(status) = self.unwind(stop)
                    {
                        return self.finish(core, status);
                    }
                }
            }
        }
    }

    /// Ends the plan at an unmatched block, which the check before the run rules out.
    fn fail(&mut self, core: &mut Core) -> Progress<PlanResult> {
        self.finish(core, PlanStatus::Failed)
    }

    fn finish(&mut self, core: &mut Core, status: PlanStatus) -> Progress<PlanResult> {
        core.plan_checkpoint = Value::Null;
        self.end(core, status)
    }

    fn end(&mut self, core: &mut Core, status: PlanStatus) -> Progress<PlanResult> {
        core.active_plan_ids.retain(|id| *id != self.plan.id);
        core.cancelled.retain(|id| *id != self.plan.id);
        let result = PlanResult {
            id: self.plan.id.clone(),
            status,
            records: std::mem::take(&mut self.records),
            diagnostics: std::mem::take(&mut self.diagnostics),
            answer: self.answer.take(),
        };
        if !core.setup.has_backend {
            return Progress::Done(result);
        }
        // The saved state must not contain a running plan.
        self.result = Some(result);
        Progress::Need(Effect::Save)
    }
}
