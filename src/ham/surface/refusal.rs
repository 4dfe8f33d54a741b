//! What must not be mounted, and why.

use super::tree::{MAX_DEPTH, Place, Refusal, Tree};
use crate::base::Diagnostic;
use crate::base::diagnostic::quote;
use crate::ham::codes;
use crate::ham::document::Document;

impl Tree {
    /// Why a component must not be mounted (rule 23, and the limits).
    pub fn refused(&self, document: &Document, place: &Place) -> Option<Refusal> {
        if !self.has_room(document) {
            return Some(Refusal::Room);
        }
        if self.get(place.parent).is_some_and(|parent| parent.depth >= MAX_DEPTH) {
            return Some(Refusal::Depth);
        }
        // A literal has no identity of its own: it repeats only where the very same one is meant.
        let mut repeats = place.context.steps.is_empty() || !place.templated;
        let mut above = self.get(place.parent);
        while let Some(instance) = above {
            let same = instance.component == place.component && instance.context == place.context;
            if same && repeats {
                return Some(Refusal::Repeats);
            }
            repeats &= place.context.steps.is_empty() || !instance.templated;
            above = self.get(instance.parent);
        }
        None
    }

    /// The same in words.
    pub fn refusal(&self, document: &Document, place: &Place) -> Option<Diagnostic> {
        let refusal = self.refused(document, place)?;
        let id = quote(self.component(place.component).map_or("", |component| &component.id));
        let limit = document.settings.limits.instances;
        let (code, message, help) = match refusal {
            Refusal::Room => (
                codes::INSTANCES,
                format!("more than {limit} instances: {id} is not shown"),
                "show fewer rows, or raise `limits.instances`",
            ),
            Refusal::Depth => (
                codes::RECURSION,
                format!("more than {MAX_DEPTH} components below one another: {id} is not shown"),
                "let a template name other templates only as deep as the data goes",
            ),
            Refusal::Repeats => (
                codes::RECURSION,
                format!("{id} contains itself for {}", quote(document.id(place.context.node))),
                "let it name other components, or iterate the children of the item",
            ),
        };
        Some(Diagnostic::new(code, message).help(help))
    }
}
