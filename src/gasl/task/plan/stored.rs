//! Where a plan stands, as it is stored with the state, and a plan that goes on from there.

use super::{Frame, Phase, PlanRun, Stop};
use crate::base::diagnostic::quote;
use crate::base::{Diagnostic, Value};
use crate::gasl::bind::Context;
use crate::gasl::codes;
use crate::gasl::core::Core;
use crate::gasl::history::Snapshot;
use crate::gasl::plan::{Op, Plan};
use crate::gasl::record::Status;
use crate::gasl::source::restored;
use crate::gasl::task::step::Statuses;
use crate::gasl::variable::Variable;
use std::rc::Rc;

impl PlanRun {
    /// Where the plan stands once the step that has ended is counted: before `next`.
    pub(super) fn stored(&mut self, core: &Core, next: usize) -> Value {
        let mut statuses = self.statuses.clone();
        let wrote = self.ended.as_ref().and_then(|ended| ended.wrote.clone());
        let status = self.ended.as_ref().map(|ended| ended.record.status);
        if let Some((name, status)) = wrote.zip(status) {
            statuses.insert(name.as_str().into(), status);
        }
        let statuses = statuses.iter().map(|(name, status)| (&**name, status.word().into()));
        let frames = self.frames.iter().map(|frame| frame.stored()).collect::<Vec<_>>();
        let mut kept = std::mem::take(&mut self.kept).into_iter();
        let mut again = |now: &Variable| {
            let same = kept.next().filter(|(before, _)| before.is_same_rows(now));
            (now.clone(), same.map_or_else(|| now.stored(), |(_, stored)| stored))
        };
        self.kept = core.context.iter().map(|(_, now)| again(now)).collect();
        let kept = self.kept.iter().map(|(_, stored)| stored.clone());
        let names = core.context.keys().map(|name| &**name);
        let mut context: Vec<(&str, Value)> = names.zip(kept).collect();
        // Where the step leads to is no longer seen once it is behind.
        let stop = self.ended.as_ref().and_then(|ended| self.stop_after(ended, next));
        if stop.is_some()
            && let Some(error) = self.ended.as_ref().and_then(|ended| self.caught(&ended.record))
        {
            context.retain(|(name, _)| *name != "error");
            context.push(("error", error.stored()));
        }
        let cancelled = self.cancelled || core.cancelled.contains(&self.plan.id);
        let answer = self.ended.as_ref().and_then(|ended| ended.record.metrics.get("answer"));
        Value::map([
            ("plan", self.plan.value.clone()),
            ("at", next.into()),
            ("stop", stop.map(Stop::word).into()),
            ("cancelled", cancelled.into()),
            ("frames", Value::list(frames)),
            ("statuses", Value::map_of(statuses.collect::<Vec<_>>())),
            ("context", Value::map_of(context)),
            ("answer", answer.cloned().unwrap_or_default()),
        ])
    }
}

impl Stop {
    fn word(self) -> &'static str {
        match self {
            Stop::Failed => "failed",
            Stop::Empty => "empty",
            Stop::Cancelled => "cancelled",
        }
    }

    fn restored(stored: Option<&Value>) -> Option<Stop> {
        Some(match stored.and_then(Value::as_text)? {
            "failed" => Stop::Failed,
            "empty" => Stop::Empty,
            _ => Stop::Cancelled,
        })
    }
}

impl Frame {
    fn stored(&self) -> Value {
        let phase = match self.phase {
            Phase::Try => "try",
            Phase::Catch => "catch",
            Phase::Finally => "finally",
        };
        Value::map([
            ("end", self.end.into()),
            ("phase", phase.into()),
            ("leaving", self.leaving.map(Stop::word).into()),
            ("before", self.before.as_ref().map(|before| before.hash().to_owned()).into()),
        ])
    }

    /// The block that ends there, as it was.
    fn restored(stored: &Value, plan: &Plan) -> Option<Frame> {
        let end = stored.get("end")?.as_number()? as usize;
        let (catch, finally) = plan.ops.iter().find_map(|op| match op {
            Op::Try { catch, finally, end: own } if *own == end => Some((*catch, *finally)),
            _ => None,
        })?;
        let phase = match stored.get("phase")?.as_text()? {
            "try" => Phase::Try,
            "catch" => Phase::Catch,
            _ => Phase::Finally,
        };
        let leaving = Stop::restored(stored.get("leaving"));
        let before = stored.get("before").and_then(Value::as_text).map(Snapshot::of_hash);
        Some(Frame { catch, finally, end, phase, leaving, before: before.map(Rc::new) })
    }
}

/// A plan as it stood when the state was stored.
pub(super) fn interrupted(core: &mut Core, plan: Plan, stored: &Value) -> Option<PlanRun> {
    let at = stored.get("at")?.as_number()? as usize;
    let frames = stored.get("frames")?.as_list()?.iter();
    let frames = frames.map(|frame| Frame::restored(frame, &plan)).collect::<Option<_>>()?;
    let mut statuses = Statuses::default();
    for (name, word) in stored.get("statuses")?.as_map()? {
        if let Some(status) = word.as_text().and_then(Status::of_word) {
            statuses.insert(name.clone(), status);
        }
    }
    let told = Diagnostic::new(codes::TURNED, "the plan goes on where it was interrupted")
        .help("the steps before are in the history");
    let mut diagnostics = vec![told];
    let mut context = Context::default();
    for (name, value) in stored.get("context")?.as_map()? {
        let (variable, differs) = restored(value, &core.graph);
        diagnostics.extend(differs.then(|| changed(name)));
        context.insert(name.clone(), variable);
    }
    core.context = Rc::new(context);
    Some(PlanRun {
        at,
        frames,
        statuses,
        step: None,
        ended: None,
        records: Vec::new(),
        diagnostics,
        stop: Stop::restored(stored.get("stop")),
        cancelled: stored.get("cancelled").and_then(Value::as_bool).unwrap_or_default(),
        answer: stored.get("answer").and_then(Value::as_text).map(str::to_owned),
        result: None,
        kept: Vec::new(),
        plan: Rc::new(plan),
    })
}

/// For rows of a plan that goes on over another graph than it began with.
fn changed(name: &str) -> Diagnostic {
    let message = format!("the graph has changed: {} holds other rows now", quote(name));
    Diagnostic::new(codes::CUT, message).help(
        "what is found from here on mixes both; run the plan under another `plan_id` to begin anew",
    )
}
