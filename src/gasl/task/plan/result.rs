//! What a plan comes to.

use crate::base::value::{Map, put};
use crate::base::{Diagnostic, Value};
use crate::gasl::record::Record;
use std::rc::Rc;

/// How a plan ended.
#[derive(Clone, Debug)]
pub struct PlanResult {
    pub id: String,
    pub status: PlanStatus,
    pub records: Vec<Rc<Record>>,
    pub diagnostics: Vec<Diagnostic>,
    /// What `COMPLETE` said.
    pub answer: Option<String>,
}

/// How a plan ended, in a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlanStatus {
    Completed,
    StoppedEmpty,
    Failed,
    Cancelled,
}

impl PlanStatus {
    /// As the host gets it.
    pub fn word(self) -> &'static str {
        match self {
            PlanStatus::Completed => "completed",
            PlanStatus::StoppedEmpty => "stopped_empty",
            PlanStatus::Failed => "failed",
            PlanStatus::Cancelled => "cancelled",
        }
    }
}

impl PlanResult {
    /// A plan that was not run.
    pub fn refused(id: String, diagnostics: Vec<Diagnostic>) -> PlanResult {
        let status = PlanStatus::Failed;
        PlanResult { id, status, records: Vec::new(), diagnostics, answer: None }
    }

    /// As the host gets it.
    pub fn to_value(&self) -> Value {
        let records = self.records.iter().map(|record| record.told()).collect::<Vec<_>>();
        let diagnostics = self.diagnostics.iter().map(Diagnostic::to_value).collect::<Vec<_>>();
        let mut map = Map::default();
        put(&mut map, "plan_id", self.id.as_str());
        put(&mut map, "status", self.status.word());
        put(&mut map, "records", records);
        put(&mut map, "diagnostics", diagnostics);
        if let Some(answer) = &self.answer {
            put(&mut map, "answer", answer.as_str());
        }
        map.into()
    }
}
