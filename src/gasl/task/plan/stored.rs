//! Stores a running plan with the state, and restores it.

use super::{BlockFrame, BlockPhase, PlanRun, StopReason};
use crate::base::diagnostic::quote;
use crate::base::{Diagnostic, Value};
use crate::gasl::codes;
use crate::gasl::context::ContextVariables;
use crate::gasl::core::Core;
use crate::gasl::graph_access::restore_variable;
use crate::gasl::plan::{Plan, PlanOp};
use crate::gasl::record::StepStatus;
use crate::gasl::snapshots::Snapshot;
use crate::gasl::task::step::Statuses;
use crate::gasl::variable::Variable;
use std::rc::Rc;

impl PlanRun {
    /// Returns the stored form of the plan after the reported step, before the operation `next`.
    pub(super) fn checkpoint_value(&mut self, core: &Core, next: usize) -> Value {
        let mut statuses = self.statuses.clone();
        let wrote = self.reported.as_ref().and_then(|outcome| outcome.wrote.clone());
        let status = self.reported.as_ref().map(|outcome| outcome.record.status);
        if let Some((name, status)) = wrote.zip(status) {
            statuses.insert(name.as_str().into(), status);
        }
        let statuses = statuses.iter().map(|(name, status)| (&**name, status.word().into()));
        let frames = self.frames.iter().map(|frame| frame.to_stored(core)).collect::<Vec<_>>();
        let mut previous = std::mem::take(&mut self.stored_context).into_iter();
        let mut store = |current: &Variable| {
            let unchanged = previous.next().filter(|(before, _)| before.is_same_rows(current));
            (current.clone(), unchanged.map_or_else(|| current.stored(), |(_, stored)| stored))
        };
        self.stored_context = core.context.iter().map(|(_, current)| store(current)).collect();
        let values = self.stored_context.iter().map(|(_, stored)| stored.clone());
        let names = core.context.keys().map(|name| &**name);
        let mut context: Vec<(&str, Value)> = names.zip(values).collect();
        // The stop reason cannot be derived again without the outcome of the step.
        let stop = self.reported.as_ref().and_then(|outcome| self.stop_reason(outcome, next));
        if stop.is_some()
            && let Some(error) = self
                .reported
                .as_ref()
                .and_then(|outcome| self.error_for_catch(core, &outcome.record))
        {
            context.retain(|(name, _)| *name != "error");
            context.push(("error", error.stored()));
        }
        let cancelled = self.cancelled || core.cancelled.contains(&self.plan.id);
        let answer =
            self.reported.as_ref().and_then(|outcome| outcome.record.metrics.get("answer"));
        Value::map([
            ("plan", self.plan.value.clone()),
            ("at", next.into()),
            ("start", core.history.last_plan_start().into()),
            ("stop", stop.map(StopReason::as_str).into()),
            ("cancelled", cancelled.into()),
            ("frames", Value::list(frames)),
            ("statuses", Value::map_of(statuses.collect::<Vec<_>>())),
            ("context", Value::map_of(context)),
            ("answer", answer.cloned().unwrap_or_default()),
        ])
    }

    /// Restores a plan and its context; returns `None` if the stored form is invalid.
    pub(super) fn from_stored(core: &mut Core, plan: Plan, stored: &Value) -> Option<PlanRun> {
        let at = stored.get("at")?.as_number()? as usize;
        let frames = stored.get("frames")?.as_list()?.iter();
        let frames =
            frames.map(|frame| BlockFrame::from_stored(frame, &plan)).collect::<Option<_>>()?;
        if let Some(start) = stored.get("start").and_then(Value::as_number) {
            Rc::make_mut(&mut core.history).plan_starts.push(start.max(0.0) as usize);
        }
        let mut statuses = Statuses::default();
        for (name, word) in stored.get("statuses")?.as_map()? {
            if let Some(status) = word.as_text().and_then(StepStatus::parse) {
                statuses.insert(name.clone(), status);
            }
        }
        let resumed = Diagnostic::new(codes::CONTROL_FLOW, "the interrupted plan was resumed")
            .help("read the earlier steps in the history");
        let mut diagnostics = vec![resumed];
        let mut context = ContextVariables::default();
        for (name, value) in stored.get("context")?.as_map()? {
            let (variable, differs) = restore_variable(value, &core.graph);
            diagnostics.extend(differs.then(|| changed_rows(name)));
            context.insert(name.clone(), variable);
        }
        core.context = Rc::new(context);
        Some(PlanRun {
            current_op: at,
            frames,
            statuses,
            step: None,
            reported: None,
            unreported: Vec::new(),
            is_saving: false,
            records: Vec::new(),
            diagnostics,
            stop: StopReason::from_stored(stored.get("stop")),
            cancelled: stored.get("cancelled").and_then(Value::as_bool).unwrap_or_default(),
            answer: stored.get("answer").and_then(Value::as_text).map(str::to_owned),
            result: None,
            stored_context: Vec::new(),
            plan: Rc::new(plan),
        })
    }
}

impl StopReason {
    fn as_str(self) -> &'static str {
        match self {
            StopReason::Failed => "failed",
            StopReason::Empty => "empty",
            StopReason::Cancelled => "cancelled",
        }
    }

    fn from_stored(stored: Option<&Value>) -> Option<StopReason> {
        Some(match stored.and_then(Value::as_text)? {
            "failed" => StopReason::Failed,
            "empty" => StopReason::Empty,
            _ => StopReason::Cancelled,
        })
    }
}

impl BlockFrame {
    /// Returns the hash of the state before the block, or `None` if the plan was restored without it.
    pub(super) fn hash_before(&self, core: &Core) -> Option<String> {
        let before = self.snapshot_before.as_ref()?;
        Some(core.history.snapshots.hash_of(before, &core.variables))
    }

    fn to_stored(&self, core: &Core) -> Value {
        let phase = match self.phase {
            BlockPhase::Try => "try",
            BlockPhase::Catch => "catch",
            BlockPhase::Finally => "finally",
        };
        Value::map([
            ("end", self.end.into()),
            ("phase", phase.into()),
            ("leaving", self.leaving.map(StopReason::as_str).into()),
            ("before", self.hash_before(core).into()),
        ])
    }

    /// Restores the block with the stored end; returns `None` if it does not fit the plan.
    fn from_stored(stored: &Value, plan: &Plan) -> Option<BlockFrame> {
        let end = stored.get("end")?.as_number()? as usize;
        let (catch, finally) = plan.ops.iter().find_map(|op| match op {
            PlanOp::Try { catch, finally, end: own } if *own == end => Some((*catch, *finally)),
            _ => None,
        })?;
        let phase = match stored.get("phase")?.as_text()? {
            "try" => BlockPhase::Try,
            "catch" => BlockPhase::Catch,
            _ => BlockPhase::Finally,
        };
        let leaving = StopReason::from_stored(stored.get("leaving"));
        let before = stored.get("before").and_then(Value::as_text).map(Snapshot::from_hash);
        Some(BlockFrame {
            catch,
            finally,
            end,
            phase,
            leaving,
            snapshot_before: before.map(Rc::new),
        })
    }
}

/// Returns the warning for a variable whose rows differ in the current graph.
fn changed_rows(name: &str) -> Diagnostic {
    let message = format!(
        "the graph has changed since the plan was interrupted: {} has other rows",
        quote(name)
    );
    Diagnostic::new(codes::TRUNCATED_RESULT, message)
        .help("run the plan with another `plan_id` to start over, because results mix both graphs")
}
