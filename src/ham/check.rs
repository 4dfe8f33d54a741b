//! Checks of a whole document: unreachable nodes and dangling pointers.

use super::apply::{literal_pointer_target, literal_warning};
use super::arena::NodeRef;
use super::document::Document;
use super::{codes, update};
use crate::base::Diagnostic;
use crate::base::bit_set;
use crate::base::diagnostic::quote;
use crate::base::json::escape_pointer_step;
use crate::base::map::IntMap;
use crate::base::names;
use fixedbitset::FixedBitSet;

/// Id of the node at which a surface starts.
pub const ROOT: &str = "root";

/// Returns the nodes that are reachable from `root`, including `root`.
pub fn reachable(document: &Document) -> FixedBitSet {
    let mut reachable = FixedBitSet::new();
    let mut open: Vec<NodeRef> = document.find_node(ROOT).into_iter().collect();
    while let Some(node) = open.pop() {
        if bit_set::insert(&mut reachable, node.0) {
            document.each_pointer(document.value(node), &mut |node| open.push(node));
        }
    }
    reachable
}

/// Returns the nodes that are not reachable from `root` (rule 12).
pub fn orphans(document: &Document) -> Vec<NodeRef> {
    let reachable = reachable(document);
    document.existing_nodes().filter(|node| !reachable.contains(node.0 as usize)).collect()
}

/// Maximum number of missing ids for which similar ids are searched.
pub const MAX_COMPARED_IDS: usize = 20;

/// Returns the warnings about the current document.
#[cold]
pub fn check(document: &Document) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    let sigil = &document.settings.sigil;
    let mut compared = 0;
    for node in document.existing_nodes() {
        let id = document.id(node);
        if let Some(target) = literal_pointer_target(document, document.value(node)) {
            diagnostics.push(literal_warning(document, node, target).at_pointer(json_pointer(id)));
        }
        let mut reported = IntMap::default();
        document.each_pointer(document.value(node), &mut |target| {
            let mut is_new = || reported.insert(target.0.into(), 0).is_none();
            if document.value(target).is_missing() && is_new() {
                let text = format!("{sigil}{}", document.id(target));
                let mut dangling =
                    update::dangling_pointer(&text, sigil).at_pointer(json_pointer(id));
                let mut ids = document.existing_nodes().map(|node| document.id(node));
                if compared < MAX_COMPARED_IDS
                    && let Some(similar) = names::nearest_id(document.id(target), &mut ids)
                {
                    let similar = quote(&format!("{sigil}{similar}"));
                    let help = dangling.help.unwrap_or_default();
                    dangling.help = Some(format!("did you mean {similar}? Else, {help}"));
                }
                compared += 1;
                diagnostics.push(dangling);
            }
        });
    }
    for node in orphans(document) {
        let id = document.id(node);
        let info = Diagnostic::new(codes::ORPHAN, format!("{} is not reachable from `root`", quote(id)))
            .help(format!(
                "point to it with `\"{sigil}{id}\"`, bind to it by name, or delete it: `\"!{id}\": null`"
            ))
            .at_pointer(json_pointer(id));
        diagnostics.push(info);
    }
    diagnostics
}

#[cold]
fn json_pointer(id: &str) -> String {
    format!("/{}", escape_pointer_step(id))
}
