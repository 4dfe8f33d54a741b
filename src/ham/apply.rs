//! Applies a message that has been read: wholly, or not at all (rules 7 to 10).

use super::arena::{NodeRef, Value};
use super::document::Document;
use super::id::Op;
use super::update::Entry;
use super::{codes, list_edit};
use crate::base::bit_set;
use crate::base::diagnostic::quote;
use crate::base::json::duplicate_key;
use crate::base::{Diagnostic, DiagnosticSink, Span};
use fixedbitset::FixedBitSet;

/// What a stream has said: the nodes that it has set, which it does not delete again, and those that
/// it has deleted.
#[derive(Default)]
pub struct Said {
    pub set: FixedBitSet,
    pub deleted: FixedBitSet,
}

/// Applies the entries: deletions, upserts, removals from lists, insertions into lists. The
/// changes stand in the document's journal. Answers whether it did: after an error nothing is
/// changed.
pub fn apply(
    document: &mut Document,
    entries: &[Entry],
    stream: Option<&mut Said>,
    diagnostics: &mut Vec<Diagnostic>,
) -> bool {
    let place = entries.first().map_or(Span::default(), |entry| entry.span);
    // What only takes away makes room.
    if document.is_full() && entries.iter().any(|entry| entry.op != Op::Delete) {
        diagnostics.push(too_many_bytes().at(place));
        return false;
    }
    let count = document.count();
    document.start_message(entries.len());
    let mut again = false;
    if entries.iter().all(|entry| entry.op == Op::Upsert) {
        // Most messages delete nothing, and say everything once.
        let mut said = stream;
        for Entry { node, value, span, .. } in entries {
            let before =
                said.as_deref_mut().is_some_and(|said| !bit_set::insert(&mut said.set, node.0));
            if document.mark_set(*node) || before {
                again = true;
                diagnostics.report(duplicate_key(document.id(*node), *span));
            }
            document.set(*node, *value);
        }
    } else {
        again = true;
        delete(document, entries, stream, diagnostics);
    }
    let has_edits = again && entries.iter().any(|entry| entry.op.is_edit());
    if has_edits && !list_edit::apply(document, entries, diagnostics) {
        document.roll_back();
        return false;
    }
    if let Some(error) = too_many_nodes(document, count) {
        document.roll_back();
        diagnostics.push(error.at(place));
        return false;
    }
    if again {
        // What was set twice may be what it was.
        document.settle();
    }
    lint(document, entries, diagnostics);
    true
}

/// Deletions, then upserts.
fn delete(
    document: &mut Document,
    entries: &[Entry],
    stream: Option<&mut Said>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let is_stream = stream.is_some();
    let mut own = Said::default();
    let said = stream.unwrap_or(&mut own);
    let upserts = || entries.iter().filter(|entry| entry.op == Op::Upsert);
    let deletions = || entries.iter().filter(|entry| entry.op == Op::Delete);
    // Most messages delete one node.
    let may_repeat = is_stream || deletions().nth(1).is_some();
    for entry in upserts() {
        let again = is_stream && !bit_set::insert(&mut said.set, entry.node.0);
        if document.mark_set(entry.node) || again {
            diagnostics.report(duplicate_key(document.id(entry.node), entry.span));
        }
    }
    for entry in entries.iter().filter(|entry| entry.op != Op::Upsert) {
        if entry.op.is_edit() {
            // A list that a stream has edited stays as well.
            if is_stream {
                bit_set::insert(&mut said.set, entry.node.0);
            }
            continue;
        }
        let id = || quote(document.id(entry.node));
        if may_repeat && !bit_set::insert(&mut said.deleted, entry.node.0) {
            let key = format!("!{}", document.id(entry.node));
            diagnostics.report(duplicate_key(&key, entry.span));
        }
        if document.is_set(entry.node) {
            let id = id();
            let message = format!("{id} is deleted and set in one message: it is set");
            let warning = Diagnostic::new(codes::DELETED_AND_SET, message)
                .help("an upsert replaces the whole node: leave the deletion out")
                .at(entry.span);
            diagnostics.report(warning);
        } else if is_stream && said.set.contains(entry.node.0 as usize) {
            let id = id();
            let message = format!("{id} was set by this stream: the deletion is ignored");
            let warning = Diagnostic::new(codes::STREAM_DELETION, message)
                .help("deletions come before upserts: delete it in a message of its own")
                .at(entry.span);
            diagnostics.report(warning);
        } else {
            document.set(entry.node, Value::Missing);
        }
    }
    // The last of several values stays.
    for entry in upserts() {
        document.set(entry.node, entry.value);
    }
}

/// The error for a document that had `count` nodes and has come to hold too many.
pub fn too_many_nodes(document: &Document, count: usize) -> Option<Diagnostic> {
    let limit = document.settings.limits.nodes;
    let over = document.count() > limit && document.count() > count;
    over.then(|| over_limit(format!("more than {limit} nodes")))
}

/// For a document that is full.
pub fn too_many_bytes() -> Diagnostic {
    over_limit("more bytes than the document may hold".to_owned())
}

fn over_limit(what: String) -> Diagnostic {
    Diagnostic::new(codes::DOCUMENT_LIMIT, what)
        .help("delete nodes that are no longer needed, as `\"!id\": null`")
}

/// Warns of literals that look like pointers to nodes that exist (rule 3).
fn lint(document: &Document, entries: &[Entry], diagnostics: &mut Vec<Diagnostic>) {
    // Most nodes are maps and lists.
    for entry in entries.iter().filter(|entry| matches!(entry.value, Value::Text(_))) {
        let Some(id) = literal_pointer(document, entry.value) else { continue };
        if entry.op == Op::Upsert {
            diagnostics.report(literal_warning(document, entry.node, id).at(entry.span));
        }
    }
}

/// The existing node that a literal at the top of a node looks like a pointer to.
pub fn literal_pointer(document: &Document, value: Value) -> Option<NodeRef> {
    let id = behind_sigil(document, value)?;
    document.find(id).filter(|node| !document.value(*node).is_missing())
}

/// Whether a literal at the top of a node may look like a pointer to a node, once that exists.
pub fn looks_like_pointer(document: &Document, value: Value) -> bool {
    behind_sigil(document, value).is_some()
}

fn behind_sigil(document: &Document, value: Value) -> Option<&str> {
    let Value::Text(text) = value else { return None };
    document.arena.text(text).strip_prefix(document.settings.sigil.as_str())
}

/// The warning of rule 3.
pub fn literal_warning(document: &Document, node: NodeRef, target: NodeRef) -> Diagnostic {
    let (id, target) = (document.id(node), document.id(target));
    let message = format!("{} is text, not a pointer to {}", quote(id), quote(target));
    Diagnostic::new(codes::LITERAL_POINTER, message).help(format!(
        "a node cannot be an alias: point to {} where you pointed to {}",
        quote(target),
        quote(id)
    ))
}
