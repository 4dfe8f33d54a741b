//! Warnings about nodes that lost properties which components display (rule 10).

use crate::base::diagnostic::quote;
use crate::base::{Diagnostic, names};
use crate::ham::arena::NodeRef;
use crate::ham::binding::{Binding, Context};
use crate::ham::codes;
use crate::ham::document::Document;
use crate::ham::read::MapChange;
use crate::ham::shape::KeyRef;

/// Maximum number of nodes that are collected in one update.
const MAX_COLLECTED_NODES: usize = 200;

/// Displayed properties that the current update has removed from nodes which still exist.
#[derive(Default)]
pub struct LostProperties(Vec<LostOfNode>);

struct LostOfNode {
    node: NodeRef,
    keys: Vec<KeyRef>,
    /// Number of instances that display them.
    displayed: usize,
}

impl LostProperties {
    /// Adds the property of a binding if its node has lost it. `own` is the change of the context
    /// node.
    #[cold]
    #[inline(never)]
    pub fn add_if_lost(
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
        // A property that is removed by name is not lost by mistake.
        if document.is_removed_by_name(node, key) {
            return;
        }
        if !maps.is_some_and(|maps| maps.loses_property(&document.arena, key)) {
            return;
        }
        if let Some(lost) = self.0.iter_mut().find(|lost| lost.node == node) {
            lost.displayed += 1;
            if !lost.keys.contains(&key) {
                lost.keys.push(key);
            }
        } else if self.0.len() < MAX_COLLECTED_NODES {
            self.0.push(LostOfNode { node, keys: vec![key], displayed: 1 });
        }
    }

    /// Adds a warning for each node.
    #[cold]
    #[inline(never)]
    pub fn report(self, document: &Document, diagnostics: &mut Vec<Diagnostic>) {
        for LostOfNode { node, keys, displayed } in self.0 {
            let id = quote(document.id(node));
            let keys = names::format_names(keys.iter().map(|key| document.keys.text(key.0)));
            let displayed = match displayed {
                1 => "a component displays".to_owned(),
                count => format!("{count} components display"),
            };
            let message = format!(
                "{id} no longer has {keys}, which {displayed}; a node is replaced as a whole"
            );
            let help = format!("send {id} with all of its properties");
            diagnostics.push(Diagnostic::new(codes::LOST_PROPERTIES, message).help(help));
        }
    }
}
