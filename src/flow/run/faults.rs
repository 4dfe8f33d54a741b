//! What a run finds wrong on its way.

use super::{End, Run};
use crate::base::diagnostic::quote;
use crate::base::{Diagnostic, names};
use crate::flow::codes;
use crate::flow::workflow::DEFAULT_ACTION;

/// So many warnings of a run are kept.
const TOLD: usize = 200;

impl Run {
    pub(super) fn has_errors(&self) -> bool {
        self.told.iter().any(|(_, fault)| fault.is_error())
    }

    /// Tells what is about the whole run.
    pub(super) fn tell_fault(&mut self, fault: Diagnostic) {
        self.told.push((0, fault));
    }

    /// A loop or a batch says the same many times; once is enough.
    pub(super) fn tell_once(&mut self, index: usize, told: Vec<Diagnostic>) {
        for fault in told {
            if self.told.len() < TOLD && self.told.iter().all(|(_, other)| *other != fault) {
                self.told.push((index, fault));
            }
        }
    }

    pub(super) fn tell_limit(&mut self, node: usize) {
        self.end = Some(End::Failed);
        let id = self.flow.workflow.nodes.get(node).map_or("", |node| &*node.id);
        let message =
            format!("{} steps were taken, and {} would be next", self.max_steps, quote(id));
        self.tell_fault(
            Diagnostic::new(codes::STEP_LIMIT, message)
                .help("see that the loop ends, or allow more with `maxSteps`")
                .at_pointer(format!("/nodes/{node}")),
        );
    }

    pub(super) fn check_action(&mut self, index: usize, place: usize, action: &str) {
        let flow = self.flow.clone();
        let Some(node) = flow.workflow.nodes.get(place) else { return };
        let declared = || node.actions.iter().map(String::as_str);
        if flow.order.knows(place, action) || declared().any(|known| known == action) {
            return;
        }
        // Whoever declares nothing and leads nowhere may end as it likes.
        let edges = flow.order.actions(place).filter(|edge| declared().all(|own| own != *edge));
        let mut known: Vec<&str> = declared().chain(edges).collect();
        known.dedup();
        if known.is_empty() || (action == DEFAULT_ACTION && node.actions.is_empty()) {
            return;
        }
        let help = names::instead(action, &known);
        let message = format!(
            "{} answered the action {}, which leads nowhere: its branch ends",
            quote(&node.id),
            quote(action)
        );
        let fault = Diagnostic::new(codes::UNDECLARED_ACTION, message)
            .help(help)
            .at_pointer(format!("/nodes/{place}"));
        self.tell_once(index, vec![fault]);
    }
}
