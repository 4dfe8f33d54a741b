//! Applies a parsed message atomically (rules 7 to 10).

use super::arena::{NodeRef, Value};
use super::document::Document;
use super::id::EntryOp;
use super::update::UpdateEntry;
use super::{codes, list_edit, node_edit};
use crate::base::bit_set;
use crate::base::diagnostic::quote;
use crate::base::json::duplicate_key;
use crate::base::{Diagnostic, DiagnosticSink, Span, names};
use fixedbitset::FixedBitSet;

/// Nodes that a stream has set or deleted. A stream does not delete nodes that it has set.
#[derive(Default)]
pub struct StreamWrites {
    pub set: FixedBitSet,
    pub deleted: FixedBitSet,
}

/// Applies the entries: deletions, upserts, list removals, list insertions, appended texts and
/// merged properties. Records the changes in the document's journal. Returns `false` after an error;
/// then nothing is changed.
pub fn apply(
    document: &mut Document,
    entries: &[UpdateEntry],
    stream: Option<&mut StreamWrites>,
    diagnostics: &mut Vec<Diagnostic>,
) -> bool {
    if entries.len() > 1 && stream.is_some() && entries.iter().any(|entry| entry.op.is_edit()) {
        // A stream applies each edit when it is complete, in chunks of any size.
        return apply_one_by_one(document, entries, stream, diagnostics);
    }
    let span = entries.first().map_or(Span::default(), |entry| entry.span);
    // Deletions are allowed when the document is full, because they free memory.
    if document.is_full() && entries.iter().any(|entry| entry.op != EntryOp::Delete) {
        document.roll_back();
        diagnostics.push(size_limit_error(document).at(span));
        return false;
    }
    let count = document.node_count();
    document.begin_message(entries.len());
    let mut has_repeats = false;
    if entries.iter().all(|entry| entry.op == EntryOp::Upsert) {
        // Fast path: most messages delete nothing and set each node once.
        let mut writes = stream;
        for UpdateEntry { node, value, span, .. } in entries {
            let was_set = writes
                .as_deref_mut()
                .is_some_and(|writes| !bit_set::insert(&mut writes.set, node.0));
            if document.mark_set(*node) || was_set {
                has_repeats = true;
                diagnostics.report(duplicate_key(document.id(*node), *span));
            }
            document.set(*node, *value);
        }
    } else {
        has_repeats = true;
        apply_deletions_and_upserts(document, entries, stream, diagnostics);
    }
    let has_edits = has_repeats && entries.iter().any(|entry| entry.op.is_edit());
    if has_edits
        && !(list_edit::apply(document, entries, diagnostics)
            && node_edit::apply(document, entries, diagnostics))
    {
        document.roll_back();
        return false;
    }
    if let Some(error) = node_limit_error(document, count) {
        document.roll_back();
        diagnostics.push(error.at(span));
        return false;
    }
    if has_repeats {
        // A node that is set twice may have its old value again.
        document.prune_journal();
    }
    report_literal_pointers(document, entries, diagnostics);
    true
}

#[cold]
fn apply_one_by_one(
    document: &mut Document,
    entries: &[UpdateEntry],
    mut stream: Option<&mut StreamWrites>,
    diagnostics: &mut Vec<Diagnostic>,
) -> bool {
    entries.chunks(1).all(|one| apply(document, one, stream.as_deref_mut(), diagnostics))
}

fn apply_deletions_and_upserts(
    document: &mut Document,
    entries: &[UpdateEntry],
    stream: Option<&mut StreamWrites>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let is_stream = stream.is_some();
    let mut own_writes = StreamWrites::default();
    let writes = stream.unwrap_or(&mut own_writes);
    let upserts = || entries.iter().filter(|entry| entry.op == EntryOp::Upsert);
    let deletions = || entries.iter().filter(|entry| entry.op == EntryOp::Delete);
    // Most messages delete one node.
    let may_repeat = is_stream || deletions().nth(1).is_some();
    for entry in upserts() {
        let is_repeated = is_stream && !bit_set::insert(&mut writes.set, entry.node.0);
        if document.mark_set(entry.node) || is_repeated {
            diagnostics.report(duplicate_key(document.id(entry.node), entry.span));
        }
    }
    for entry in entries.iter().filter(|entry| entry.op != EntryOp::Upsert) {
        if entry.op.is_edit() {
            // A stream must not delete a list that it has edited.
            if is_stream {
                bit_set::insert(&mut writes.set, entry.node.0);
            }
            continue;
        }
        let id = || quote(document.id(entry.node));
        if may_repeat && !bit_set::insert(&mut writes.deleted, entry.node.0) {
            let key = format!("!{}", document.id(entry.node));
            diagnostics.report(duplicate_key(&key, entry.span));
        }
        if document.is_set_by_message(entry.node) {
            let id = id();
            let message = format!("{id} is both deleted and set; the deletion is ignored");
            let warning = Diagnostic::new(codes::DELETED_AND_SET, message)
                .help("leave the deletion out: an upsert replaces the complete node")
                .at(entry.span);
            diagnostics.report(warning);
        } else if is_stream && writes.set.contains(entry.node.0 as usize) {
            let id = id();
            let message = format!("{id} was set by the same stream; the deletion is ignored");
            let warning = Diagnostic::new(codes::STREAM_DELETION, message)
                .help("delete it in a separate message")
                .at(entry.span);
            diagnostics.report(warning);
        } else {
            document.set(entry.node, Value::Missing);
        }
    }
    // The last of several values wins.
    for entry in upserts() {
        document.set(entry.node, entry.value);
    }
}

/// Returns the error for a document that grew from `count` nodes beyond the limit.
#[cold]
pub fn node_limit_error(document: &Document, count: usize) -> Option<Diagnostic> {
    let limit = document.settings.limits.nodes;
    let over = document.node_count() > limit && document.node_count() > count;
    over.then(|| {
        document_limit_error(format!("exceeded limit of {}", names::count_of(limit, "node")))
    })
}

/// Builds the error for a full document.
#[cold]
pub fn size_limit_error(document: &Document) -> Diagnostic {
    let limit = document.max_size();
    document_limit_error(format!("the document exceeds its limit of {limit} bytes of memory"))
}

#[cold]
fn document_limit_error(message: String) -> Diagnostic {
    Diagnostic::new(codes::DOCUMENT_LIMIT, message)
        .help("delete nodes that are no longer needed, as `\"!id\": null`")
}

/// Reports literals that look like pointers to existing nodes (rule 3).
fn report_literal_pointers(
    document: &Document,
    entries: &[UpdateEntry],
    diagnostics: &mut Vec<Diagnostic>,
) {
    for entry in entries.iter().filter(|entry| matches!(entry.value, Value::Text(_))) {
        let Some(id) = literal_pointer_target(document, entry.value) else { continue };
        if entry.op == EntryOp::Upsert {
            diagnostics.report(literal_warning(document, entry.node, id).at(entry.span));
        }
    }
}

/// Returns the existing node that a node's string value looks like a pointer to.
pub fn literal_pointer_target(document: &Document, value: Value) -> Option<NodeRef> {
    let id = strip_sigil(document, value)?;
    document.find_node(id).filter(|node| !document.value(*node).is_missing())
}

/// Returns whether a node's string value begins with the sigil.
pub fn looks_like_pointer(document: &Document, value: Value) -> bool {
    strip_sigil(document, value).is_some()
}

fn strip_sigil(document: &Document, value: Value) -> Option<&str> {
    let Value::Text(text) = value else { return None };
    document.arena.text(text).strip_prefix(document.settings.sigil.as_str())
}

/// Builds the warning of rule 3.
#[cold]
pub fn literal_warning(document: &Document, node: NodeRef, target: NodeRef) -> Diagnostic {
    let (id, target) = (document.id(node), document.id(target));
    let message = format!("{} is text, not a pointer to {}", quote(id), quote(target));
    Diagnostic::new(codes::LITERAL_POINTER, message).help(format!(
        "point to {} instead of {}: a node cannot be an alias",
        quote(target),
        quote(id)
    ))
}
