//! Looking over a whole document: what nobody reaches, what leads nowhere.

use super::apply::{literal_pointer, literal_warning};
use super::arena::NodeRef;
use super::document::Document;
use super::{codes, update};
use crate::base::Diagnostic;
use crate::base::bit_set;
use crate::base::diagnostic::quote;
use crate::base::json::pointer_step;
use crate::base::map::IntMap;
use crate::base::names;
use fixedbitset::FixedBitSet;

/// The node at which a surface starts.
pub const ROOT: &str = "root";

/// The nodes that `root` reaches, itself among them.
pub fn reached(document: &Document) -> FixedBitSet {
    let mut reached = FixedBitSet::new();
    let mut open: Vec<NodeRef> = document.find(ROOT).into_iter().collect();
    while let Some(node) = open.pop() {
        if bit_set::insert(&mut reached, node.0) {
            document.each_pointer(document.value(node), &mut |node| open.push(node));
        }
    }
    reached
}

/// The nodes that `root` does not reach (rule 12).
pub fn orphans(document: &Document) -> Vec<NodeRef> {
    let reached = reached(document);
    document.present().filter(|node| !reached.contains(node.0 as usize)).collect()
}

/// So many ids that are not there are compared with those that are.
pub const COMPARED: usize = 20;

/// What is doubtful about a document as it stands.
pub fn check(document: &Document) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    let sigil = &document.settings.sigil;
    let mut compared = 0;
    for node in document.present() {
        let id = document.id(node);
        if let Some(target) = literal_pointer(document, document.value(node)) {
            diagnostics.push(literal_warning(document, node, target).at_pointer(pointer(id)));
        }
        let mut told = IntMap::default();
        document.each_pointer(document.value(node), &mut |target| {
            let mut is_new = || told.insert(target.0.into(), 0).is_none();
            if document.value(target).is_missing() && is_new() {
                let text = format!("{sigil}{}", document.id(target));
                let mut dangling = update::hoist(&text, sigil).at_pointer(pointer(id));
                let mut ids = document.present().map(|node| document.id(node));
                if compared < COMPARED
                    && let Some(near) = names::nearest_id(document.id(target), &mut ids)
                {
                    let near = quote(&format!("{sigil}{near}"));
                    let rest = dangling.help.unwrap_or_default();
                    dangling.help = Some(format!("did you mean {near}? Else, {rest}"));
                }
                compared += 1;
                diagnostics.push(dangling);
            }
        });
    }
    for node in orphans(document) {
        let id = document.id(node);
        let info = Diagnostic::new(codes::ORPHAN, format!("`root` does not reach {}", quote(id)))
            .help(format!(
                "point to it with `\"{sigil}{id}\"`, bind to it by name, or delete it: `\"!{id}\": null`"
            ))
            .at_pointer(pointer(id));
        diagnostics.push(info);
    }
    diagnostics
}

fn pointer(id: &str) -> String {
    format!("/{}", pointer_step(id))
}
