//! Result of a plan.

use crate::base::value::{Map, put};
use crate::base::{Diagnostic, Value};
use crate::gasl::record::Record;
use std::rc::Rc;

/// Result of a plan.
#[derive(Clone, Debug)]
pub struct PlanResult {
    pub id: String,
    pub status: PlanStatus,
    pub records: Vec<Rc<Record>>,
    pub diagnostics: Vec<Diagnostic>,
    /// Answer of `COMPLETE`.
    pub answer: Option<String>,
}

/// Final status of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlanStatus {
    Completed,
    StoppedEmpty,
    Failed,
    /// The host did not respond; the plan can be resumed at the failed step.
    Interrupted,
    Cancelled,
}

impl PlanStatus {
    /// Returns the name for the host.
    pub fn as_str(self) -> &'static str {
        match self {
            PlanStatus::Completed => "completed",
            PlanStatus::StoppedEmpty => "stopped_empty",
            PlanStatus::Failed => "failed",
            PlanStatus::Interrupted => "interrupted",
            PlanStatus::Cancelled => "cancelled",
        }
    }
}

impl PlanResult {
    /// Returns the result of a rejected plan.
    pub fn rejected(id: String, diagnostics: Vec<Diagnostic>) -> PlanResult {
        let status = PlanStatus::Failed;
        PlanResult { id, status, records: Vec::new(), diagnostics, answer: None }
    }

    /// Returns the result for the host.
    pub fn to_value(&self) -> Value {
        let records = self.records.iter().map(|record| record.to_event_value()).collect::<Vec<_>>();
        let diagnostics = self.diagnostics.iter().map(Diagnostic::to_value).collect::<Vec<_>>();
        let mut map = Map::default();
        put(&mut map, "plan_id", self.id.as_str());
        put(&mut map, "status", self.status.as_str());
        put(&mut map, "records", records);
        put(&mut map, "diagnostics", diagnostics);
        if let Some(answer) = &self.answer {
            put(&mut map, "answer", answer.as_str());
        }
        map.into()
    }
}
