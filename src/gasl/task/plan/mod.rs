//! A plan on its way: which step comes next, and what happens when one goes wrong.

mod result;
mod stored;

pub use self::result::{PlanResult, PlanStatus};

use super::step::{Statuses, StepOutcome, StepRun, after, error_variable, kept, not_stored};
use crate::base::{Diagnostic, Value};
use crate::gasl::core::Core;
use crate::gasl::effect::{Answer, Effect, Event, Progress};
use crate::gasl::history::Snapshot;
use crate::gasl::language::ast::{Command, Test};
use crate::gasl::plan::{Op, Plan};
use crate::gasl::record::{Record, Status};
use crate::gasl::variable::Variable;
use std::rc::Rc;

/// A plan that runs.
pub struct PlanRun {
    plan: Rc<Plan>,
    at: usize,
    frames: Vec<BlockFrame>,
    statuses: Statuses,
    step: Option<StepRun>,
    /// The step that has ended and that the host was told of; the plan goes on after its answer.
    ended: Option<StepOutcome>,
    records: Vec<Rc<Record>>,
    diagnostics: Vec<Diagnostic>,
    /// Why it does not go on behind its last step, where it was interrupted there.
    stop: Option<StopReason>,
    cancelled: bool,
    answer: Option<String>,
    /// The result, while the host stores the state for the last time.
    result: Option<PlanResult>,
    /// The context as it was stored last: most of it is the same after the next step.
    kept: Vec<(Variable, Value)>,
}

/// A block that is open.
struct BlockFrame {
    catch: Option<usize>,
    finally: Option<usize>,
    end: usize,
    phase: BlockPhase,
    /// Why the block is left, once `FINALLY` is done.
    leaving: Option<StopReason>,
    /// The state before the block.
    before: Option<Rc<Snapshot>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BlockPhase {
    Try,
    Catch,
    Finally,
}

/// Why a plan does not go on. Of two reasons the one that stands further down counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum StopReason {
    /// A step found nothing.
    Empty,
    /// A step failed, which ends the plan if nobody catches it.
    Failed,
    Cancelled,
}

impl PlanRun {
    /// Begins a plan: the context is cleared, the state stays.
    pub fn begin(
        core: &mut Core,
        plan: Plan,
        told: Vec<Diagnostic>,
    ) -> (PlanRun, Progress<PlanResult>) {
        core.context = Rc::default();
        core.live.push(plan.id.clone());
        let mut run = PlanRun {
            plan: Rc::new(plan),
            at: 0,
            frames: Vec::new(),
            statuses: Statuses::default(),
            step: None,
            ended: None,
            records: Vec::new(),
            diagnostics: told,
            stop: None,
            cancelled: false,
            answer: None,
            result: None,
            kept: Vec::new(),
        };
        // What is stored during its first step is stored of this plan, and not of one before.
        if core.setup.has_backend {
            core.running = run.stored(core, 0);
        }
        // Whoever has changed their mind by now can still stop it.
        (run, Progress::Need(Effect::Continue))
    }

    /// Goes on with a plan that was interrupted: after the last step that was stored.
    pub fn resume_interrupted(core: &mut Core) -> Option<(PlanRun, Progress<PlanResult>)> {
        let stored = std::mem::take(&mut core.running);
        let (plan, _) = Plan::read(stored.get("plan")?).ok()?;
        let run = PlanRun::restored(core, plan, &stored)?;
        core.live.push(run.plan.id.clone());
        Some((run, Progress::Need(Effect::Continue)))
    }

    /// Goes on with what the host answered.
    pub fn resume(
        &mut self,
        core: &mut Core,
        answer: Answer,
        now: &str,
        events: &mut Vec<Event>,
    ) -> Progress<PlanResult> {
        if let Some(mut step) = self.step.take() {
            return match step.resume(core, answer, now, events) {
                Progress::Need(effect) => {
                    self.step = Some(step);
                    Progress::Need(effect)
                }
                Progress::Done(ended) => self.tell(core, ended, events),
            };
        }
        self.diagnostics.extend(not_stored(&answer));
        if let Some(mut result) = self.result.take() {
            result.diagnostics.append(&mut self.diagnostics);
            return Progress::Done(result);
        }
        self.settle(core, now, events)
    }

    /// Stops the plan. Blocks that must run whatever happens still do.
    pub fn cancel(
        &mut self,
        core: &mut Core,
        now: &str,
        events: &mut Vec<Event>,
    ) -> Progress<PlanResult> {
        self.cancelled = true;
        if let Some(result) = self.result.take() {
            return Progress::Done(result);
        }
        if let Some(mut step) = self.step.take() {
            let ended = step.cancel(core, now);
            return self.tell(core, ended, events);
        }
        self.settle(core, now, events)
    }

    /// The plan is told of before it goes on: whoever listens may stop it.
    fn tell(
        &mut self,
        core: &mut Core,
        ended: StepOutcome,
        events: &mut Vec<Event>,
    ) -> Progress<PlanResult> {
        events.push(Event::Step(ended.record.told()));
        self.records.push(ended.record.clone());
        let effect = match self.goes_on_behind(&ended) {
            true => kept(core),
            false => after(core, ended.record.status),
        };
        self.ended = Some(ended);
        if effect == Effect::Save {
            core.running = self.stored(core, self.at + 1);
        }
        Progress::Need(effect)
    }

    /// After a step: where to go.
    fn settle(
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
        if let Some(ended) = self.ended.take() {
            let status = ended.record.status;
            if let Some(name) = &ended.wrote {
                self.statuses.insert(name.as_str().into(), status);
            }
            if let Some(Value::Text(answer)) = ended.record.metrics.get("answer") {
                self.answer = Some(answer.to_string());
            }
            self.at += 1;
            stop = self.stop_after(&ended, self.at);
            if stop.is_some()
                && let Some(error) = self.caught(&ended.record)
            {
                core.set("error", error);
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

    /// Whether the plan goes on behind a step, even one that failed: then it is not done again where
    /// the plan is interrupted.
    fn goes_on_behind(&self, ended: &StepOutcome) -> bool {
        let leads_on = !self.frames.is_empty() || self.stop_after(ended, self.at + 1).is_none();
        leads_on && !self.cancelled
    }

    /// Whether the plan cannot simply go on where it would be next. `ON` lines there come before all else.
    fn stop_after(&self, ended: &StepOutcome, next: usize) -> Option<StopReason> {
        let status = ended.record.status;
        let stop = match status {
            Status::Empty if !self.plan.continue_on_empty => StopReason::Empty,
            _ if ended.guard => return Some(StopReason::Failed),
            // A block that catches it comes before what the plan says.
            _ if status.is_failure() && (self.plan.stop_on_error || self.is_caught()) => {
                StopReason::Failed
            }
            _ => return None,
        };
        // A block that ends with the step has them behind its END.
        let ahead = self.plan.ops.iter().skip(next).filter(|op| !matches!(op, Op::End));
        let mut lines = ahead.map_while(|op| match op {
            Op::Step(step) => match &*step.command {
                Command::When { test: Test::Event(event, name), .. } => Some((*event, name)),
                _ => None,
            },
            _ => None,
        });
        let answered =
            lines.any(|(event, name)| ended.wrote.as_ref() == Some(name) && event.matches(status));
        (!answered).then_some(stop)
    }

    /// Whether a `CATCH` awaits a step that fails.
    fn is_caught(&self) -> bool {
        let catches = |frame: &BlockFrame| frame.phase == BlockPhase::Try && frame.catch.is_some();
        !self.cancelled && self.frames.iter().any(catches)
    }

    /// `${error.…}` for whoever catches it.
    fn caught(&self, record: &Record) -> Option<Variable> {
        let frame = self.frames.iter().rev().find(|frame| frame.phase == BlockPhase::Try)?;
        let before = frame.before.as_ref().map(|snapshot| snapshot.hash().to_owned());
        Some(error_variable(record, &before.unwrap_or_default()))
    }

    /// Leaves blocks until one takes the plan up again; the result where none does.
    fn unwind(&mut self, mut stop: StopReason) -> Option<PlanStatus> {
        while let Some(frame) = self.frames.last_mut() {
            if frame.phase == BlockPhase::Try
                && stop != StopReason::Cancelled
                && let Some(catch) = frame.catch
            {
                frame.phase = BlockPhase::Catch;
                self.at = catch + 1;
                return None;
            }
            if frame.phase != BlockPhase::Finally
                && let Some(finally) = frame.finally
            {
                frame.phase = BlockPhase::Finally;
                frame.leaving = Some(stop);
                self.at = finally + 1;
                return None;
            }
            // What a `FINALLY` was run for is not forgotten because it failed itself.
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

    /// The next step, or the end.
    fn next(
        &mut self,
        core: &mut Core,
        now: &str,
        events: &mut Vec<Event>,
    ) -> Progress<PlanResult> {
        loop {
            let plan = self.plan.clone();
            match plan.ops.get(self.at) {
                // A loop whose bounds are reached stops its plan, which may still clean up.
                Some(Op::Step(_)) if core.is_spent() && !self.in_finally() => {
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
                Some(Op::Step(step)) => {
                    let step = (**step).clone();
                    let (run, progress) = StepRun::begin(core, step, &self.statuses, now, events);
                    return match progress {
                        Progress::Need(effect) => {
                            self.step = Some(run);
                            Progress::Need(effect)
                        }
                        Progress::Done(ended) => self.tell(core, ended, events),
                    };
                }
                Some(Op::Try { catch, finally, end }) => {
                    let before = core.history.snapshots.last().cloned();
                    let (catch, finally, end) = (*catch, *finally, *end);
                    let phase = BlockPhase::Try;
                    self.frames.push(BlockFrame {
                        catch,
                        finally,
                        end,
                        phase,
                        leaving: None,
                        before,
                    });
                    self.at += 1;
                }
                // Reached from above: the block went well so far.
                Some(Op::Catch) => {
                    let Some(frame) = self.frames.last_mut() else { return self.over(core) };
                    self.at = frame.finally.unwrap_or(frame.end);
                }
                Some(Op::Finally) => {
                    let Some(frame) = self.frames.last_mut() else { return self.over(core) };
                    frame.phase = BlockPhase::Finally;
                    self.at += 1;
                }
                Some(Op::End) => {
                    let leaving = self.frames.pop().and_then(|frame| frame.leaving);
                    self.at += 1;
                    // A block inside a FINALLY is no reason to leave the FINALLY.
                    let is_over = self.cancelled && !self.in_finally();
                    let leaving = if is_over { Some(StopReason::Cancelled) } else { leaving };
                    if let Some(stop) = leaving
                        && let Some(status) = self.unwind(stop)
                    {
                        return self.finish(core, status);
                    }
                }
            }
        }
    }

    /// Blocks are checked before the run, so this is never reached.
    fn over(&mut self, core: &mut Core) -> Progress<PlanResult> {
        self.finish(core, PlanStatus::Failed)
    }

    fn finish(&mut self, core: &mut Core, status: PlanStatus) -> Progress<PlanResult> {
        core.running = Value::Null;
        core.live.retain(|id| *id != self.plan.id);
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
        // What is stored shall not say that the plan still runs.
        self.result = Some(result);
        Progress::Need(Effect::Save)
    }
}
