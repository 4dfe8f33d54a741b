//! Diagnostics of a run.

use super::Run;
use super::step::RunEnd;
use crate::base::diagnostic::quote;
use crate::base::{Diagnostic, names};
use crate::flow::codes;
use crate::flow::workflow::{DEFAULT_ACTION, ERROR_ACTION};

/// Maximum number of stored diagnostics before a warning is dropped.
const MAX_DIAGNOSTICS: usize = 200;

impl Run {
    pub(super) fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(|(_, diagnostic)| diagnostic.is_error())
    }

    /// Adds a diagnostic of the complete run.
    pub(super) fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push((0, diagnostic));
    }

    /// Adds diagnostics of a step without duplicates, because loops and batches repeat them.
    pub(super) fn report_once(&mut self, step_index: usize, diagnostics: Vec<Diagnostic>) {
        for diagnostic in diagnostics {
            if self.diagnostics.len() < MAX_DIAGNOSTICS
                && self.diagnostics.iter().all(|(_, other)| *other != diagnostic)
            {
                self.diagnostics.push((step_index, diagnostic));
            }
        }
    }

    /// Ends the run before a step of `node_index`.
    pub(super) fn report_step_limit(&mut self, node_index: usize) {
        self.end = Some(RunEnd::Failed);
        let id = self.flow.workflow.nodes.get(node_index).map_or("", |node| &*node.id);
        let message = format!("step limit of {} reached before {}", self.max_steps, quote(id));
        self.report(
            Diagnostic::new(codes::STEP_LIMIT, message)
                .help("end the loop, or raise `maxSteps`")
                .at_pointer(format!("/nodes/{node_index}")),
        );
    }

    /// Warns about an action without an edge, unless the node may end there.
    pub(super) fn check_action(&mut self, step_index: usize, node_index: usize, action: &str) {
        let flow = self.flow.clone();
        let Some(node) = flow.workflow.nodes.get(node_index) else { return };
        let declared = || node.actions.iter().map(String::as_str);
        // A failure is reported even if the node may end with it.
        let is_failure = action == ERROR_ACTION;
        let is_expected = !is_failure && declared().any(|own| own == action);
        if flow.order.has_edge(node_index, action) || is_expected {
            return;
        }
        let edges =
            flow.order.actions(node_index).filter(|edge| declared().all(|own| own != *edge));
        let mut known: Vec<&str> = declared().chain(edges).collect();
        known.dedup();
        let needs_action = action == DEFAULT_ACTION && node.needs_action;
        let is_end = action == DEFAULT_ACTION && node.actions.is_empty() && !needs_action;
        if !is_failure && (known.is_empty() || is_end) {
            return;
        }
        let help = match is_failure {
            true => format!("add an edge from {} with the action `error`", quote(&node.id)),
            false if needs_action => format!(
                "leave out `action` of an edge, or return one of the actions {}; declare `default` in \
                 `actions` if the branch may end",
                names::format_names(known.iter().copied())
            ),
            false => names::suggestion_help(action, &known),
        };
        let message = format!(
            "{} returned the action {}, which has no edge: its branch ends",
            quote(&node.id),
            quote(&self.secrets.redact(action))
        );
        let warning = Diagnostic::new(codes::UNDECLARED_ACTION, message)
            .help(help)
            .at_pointer(format!("/nodes/{node_index}"));
        self.report_once(step_index, vec![warning]);
    }
}
