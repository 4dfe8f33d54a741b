//! Warnings about nodes that lost properties which components display (rule 10).

use crate::base::diagnostic::quote;
use crate::base::{Diagnostic, names};
use crate::ham::arena::NodeRef;
use crate::ham::binding::{Binding, Context};
use crate::ham::codes;
use crate::ham::document::Document;
use crate::ham::read::MapChange;
use crate::ham::shape::KeyRef;

/// Maximum number of displayed properties that are collected in one update.
const MAX_LOST: usize = 1_000;

/// Displayed properties that the current update has removed from nodes which still exist.
#[derive(Default)]
pub struct LostProperties(Vec<(NodeRef, KeyRef)>);

impl LostProperties {
    /// Adds the property of a binding if its node has lost it. `own` is the change of the context
    /// node.
    pub fn check(
        &mut self,
        document: &Document,
        binding: Binding,
        context: &Context,
        own: Option<MapChange>,
    ) {
        let Some(key) = binding.key else { return };
        let (node, maps) = match binding.node {
            None => (context.node, own),
            Some(node) => (node, MapChange::of_node(document, node)),
        };
        if maps.is_some_and(|maps| maps.loses(&document.arena, key)) && self.0.len() < MAX_LOST {
            self.0.push((node, key));
        }
    }

    /// Returns a warning for each node.
    pub fn diagnostics(mut self, document: &Document) -> Vec<Diagnostic> {
        self.0.sort_unstable();
        let nodes = self.0.chunk_by(|(a, _), (b, _)| a == b);
        nodes.map(|lost| warning(document, lost)).collect()
    }
}

fn warning(document: &Document, lost: &[(NodeRef, KeyRef)]) -> Diagnostic {
    let id = lost.first().map_or("", |(node, _)| document.id(*node));
    let keys = lost.chunk_by(|(_, a), (_, b)| a == b).filter_map(<[_]>::first);
    let keys = names::list(keys.map(|(_, key)| document.keys.text(key.0)));
    let displayed = match lost.len() {
        1 => "a component displays".to_owned(),
        count => format!("{count} components display"),
    };
    let message = format!(
        "{} no longer has {keys}, which {displayed}; a node is replaced as a whole",
        quote(id)
    );
    let help =
        format!("send {} with all of its properties, or write null for empty ones", quote(id));
    Diagnostic::new(codes::LOST_PROPERTIES, message).help(help)
}
