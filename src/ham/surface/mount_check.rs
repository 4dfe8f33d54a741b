//! Checks before an instance is mounted.

use super::tree::{MAX_DEPTH, MountError, MountTarget, Tree};
use crate::base::Diagnostic;
use crate::base::diagnostic::quote;
use crate::ham::codes;
use crate::ham::document::Document;

impl Tree {
    /// Returns why a component must not be mounted (rule 23). The limit of instances is checked before
    /// an update; see [`super::instance_limit`].
    #[cold]
    pub fn component_mount_error(&self, target: &MountTarget) -> Option<MountError> {
        if self.get(target.parent).is_some_and(|parent| parent.depth >= MAX_DEPTH) {
            return Some(MountError::DepthLimit);
        }
        // A literal has no id, so it only recurs as the very same literal.
        let mut can_recurse = target.context.steps.is_empty() || !target.from_template;
        let mut ancestor = self.get(target.parent);
        while let Some(instance) = ancestor {
            let is_same =
                instance.component == target.component && instance.context == target.context;
            if is_same && can_recurse {
                return Some(MountError::Recursion);
            }
            can_recurse &= target.context.steps.is_empty() || !instance.from_template;
            ancestor = self.get(instance.parent);
        }
        None
    }

    /// Returns the diagnostic if a component must not be mounted.
    #[cold]
    pub fn mount_diagnostic(
        &self,
        document: &Document,
        target: &MountTarget,
    ) -> Option<Diagnostic> {
        let mount_error = self.component_mount_error(target)?;
        let id = quote(self.component(target.component).map_or("", |component| &component.id));
        let (code, message, help) = match mount_error {
            MountError::DepthLimit => (
                codes::RECURSION,
                format!(
                    "components are nested more than {MAX_DEPTH} levels deep: {id} is not displayed"
                ),
                "nest templates only as deep as the data",
            ),
            MountError::Recursion => (
                codes::RECURSION,
                format!(
                    "the component {id} contains itself for the node {}",
                    quote(document.id(target.context.node))
                ),
                "use other components as its children, or iterate the children of the item",
            ),
        };
        Some(Diagnostic::new(code, message).help(help))
    }
}
