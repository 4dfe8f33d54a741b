//! Calls that ran ahead in a workflow without edges.

use super::Run;
use super::step::StepState;

impl Run {
    /// Marks the steps that began after the one that failed or ended the chain, and removes their outputs. The
    /// trace lists them, because their calls may have had effects; a resumed run calls them again. A step that
    /// this run did not call counts as not reached, so the trace keeps its entry of the earlier run.
    pub(super) fn mark_withdrawn(&mut self) {
        if !self.flow.workflow.chained {
            return;
        }
        let failed = self.steps.iter().position(|step| step.state == StepState::Failed);
        let cut = self.last.min(failed.unwrap_or(usize::MAX));
        for step in self.steps.iter_mut().skip(cut.saturating_add(1)) {
            step.state = StepState::Withdrawn;
            step.outputs.clear();
            step.slots.clear();
            step.waiting.clear();
            step.record = None;
        }
    }
}
