//! Edits of lists by the ids of the items, and removals of properties by name (rule 26).

use super::arena::{MapRef, NodeRef, Value};
use super::codes;
use super::document::Document;
use super::id::EntryOp;
use super::shape::KeyRef;
use super::update::UpdateEntry;
use crate::base::diagnostic::quote;
use crate::base::map::IntMap;
use crate::base::{Diagnostic, DiagnosticSink};

/// Applies the removals, also those of properties, then the insertions. Returns `false` after an
/// error.
pub fn apply(
    document: &mut Document,
    entries: &[UpdateEntry],
    diagnostics: &mut Vec<Diagnostic>,
) -> bool {
    let removed = apply_each(document, entries, EntryOp::Remove, diagnostics, apply_edit);
    apply_each(document, entries, EntryOp::Insert, diagnostics, apply_edit) && removed
}

type Edit =
    fn(&mut Document, &UpdateEntry, diagnostics: &mut Vec<Diagnostic>) -> Result<(), Diagnostic>;

/// Applies the entries with an operation; of several with one key, the last one. So a message
/// copies each list, map and text once. Returns `false` after an error.
#[cold]
pub fn apply_each(
    document: &mut Document,
    entries: &[UpdateEntry],
    op: EntryOp,
    diagnostics: &mut Vec<Diagnostic>,
    edit: Edit,
) -> bool {
    let mut failed = false;
    let mut last_index = IntMap::default();
    for (index, entry) in (0..).zip(entries).filter(|(_, entry)| entry.op == op) {
        if last_index.insert(entry.node.0.into(), index).is_some() {
            let key = entry_key(document, entry);
            diagnostics.report(crate::base::json::duplicate_key(&key, entry.span));
        }
    }
    for (index, entry) in (0..).zip(entries) {
        if entry.op == op
            && last_index.get(&u64::from(entry.node.0)) == Some(&index)
            && let Err(error) = edit(document, entry, diagnostics)
        {
            diagnostics.report(error.at(entry.span));
            failed = true;
        }
    }
    !failed
}

#[cold]
pub fn entry_key(document: &Document, entry: &UpdateEntry) -> String {
    format!("{}{}", entry.op.prefix(), document.id(entry.node))
}

fn apply_edit(
    document: &mut Document,
    entry: &UpdateEntry,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<(), Diagnostic> {
    let value = document.value(entry.node);
    if let (EntryOp::Remove, Value::Map(map)) = (entry.op, value) {
        let value = remove_properties(document, map, entry)?;
        document.set(entry.node, value);
        return Ok(());
    }
    let is_list = matches!(value, Value::List(_) | Value::Pointers(_));
    if entry.op == EntryOp::Remove && !is_list && list_items(document, entry.value).is_some() {
        return Err(target_error(document, entry));
    }
    let edit = parse_edit(document, entry)?;
    if !is_list {
        return Err(target_error(document, entry));
    }
    let (value, missing_anchor) =
        if let (Value::Pointers(range), Some(added)) = (value, edit.as_short_pointer_edit()) {
            // Long lists contain only pointers, so they are edited without conversion.
            let mut items = document.arena.pointers(range).to_vec();
            let own_anchor = edit.own_anchor_index(&items);
            for node in &edit.removed {
                if let Some(index) = find_item(&items, *node) {
                    items.remove(index);
                }
            }
            let missing_anchor = edit.insert_items(&mut items, &added, own_anchor);
            (document.arena.push_pointers(&items), missing_anchor)
        } else {
            let mut items = list_items(document, value).unwrap_or_default();
            let own_anchor = edit.own_anchor_index(&items);
            remove_items(&mut items, &edit.removed);
            let missing_anchor = edit.insert_items(&mut items, &edit.added, own_anchor);
            (document.arena.push_list(&items), missing_anchor)
        };
    if let Some(anchor) = missing_anchor {
        let message = format!(
            "the anchor {} is not in the list; the items are appended",
            quote(document.id(anchor))
        );
        let warning = Diagnostic::new(codes::MISSING_ANCHOR, message)
            .help("name an item that is in the list, or leave `before` and `after` out")
            .at(entry.span);
        diagnostics.report(warning);
    }
    document.set(entry.node, value);
    Ok(())
}

#[cold]
fn target_error(document: &Document, entry: &UpdateEntry) -> Diagnostic {
    let id = document.id(entry.node);
    let expected = if entry.op == EntryOp::Remove { "a list or a map" } else { "a list" };
    let message = format!("cannot edit {}: expected {expected}", quote(id));
    let kind = if entry.op == EntryOp::Remove { "node" } else { "list" };
    let help = format!("set the complete {kind} first: `\"{id}\": [\"…\"]`");
    Diagnostic::new(codes::INVALID_LIST_EDIT, message).help(help)
}

/// A parsed list edit.
struct ListEdit {
    /// Nodes whose items are removed.
    removed: Vec<NodeRef>,
    /// Inserted items.
    added: Vec<Value>,
    /// Position of the insertion: an item, and whether it is after that item; `None`: at the end.
    anchor: Option<(NodeRef, bool)>,
}

/// Maximum number of removed nodes that are searched one by one.
const MAX_LINEAR_SEARCH: usize = 8;

impl ListEdit {
    /// Returns the inserted nodes if all are pointers and few items are removed, else `None`.
    fn as_short_pointer_edit(&self) -> Option<Vec<u32>> {
        if self.removed.len() > MAX_LINEAR_SEARCH {
            return None;
        }
        let pointers = self.added.iter().filter_map(|item| item.points_to()).map(|node| node.0);
        let pointers: Vec<u32> = pointers.collect();
        (pointers.len() == self.added.len()).then_some(pointers)
    }

    /// If the anchor is removed itself, returns its index among the remaining items.
    fn own_anchor_index<T: EditableItem>(&self, items: &[T]) -> Option<usize> {
        let (anchor, _) = self.anchor.filter(|(anchor, _)| self.removed.contains(anchor))?;
        let mut remaining = RemovalCounts::new(&self.removed);
        let before = items.get(..find_item(items, anchor)?)?.iter();
        Some(before.filter(|item| !remaining.take_one(item.points_to())).count())
    }

    /// Inserts the added items at the anchor, whose index is `own_anchor` if it was removed.
    /// Returns the anchor if it is not in the list.
    fn insert_items<T: EditableItem>(
        &self,
        items: &mut Vec<T>,
        added: &[T],
        own_anchor: Option<usize>,
    ) -> Option<NodeRef> {
        let found = self.anchor.map(|(node, is_after)| (node, find_item(items, node), is_after));
        let (index, missing_anchor) = match (own_anchor, found) {
            (Some(index), _) => (index, None),
            (None, Some((_, Some(index), is_after))) => (index + usize::from(is_after), None),
            (None, Some((node, None, _))) => (items.len(), Some(node)),
            (None, None) => (items.len(), None),
        };
        items.splice(index..index, added.iter().copied());
        missing_anchor
    }
}

/// An item of a list of pointers or of a mixed list.
trait EditableItem: Copy {
    fn points_to(self) -> Option<NodeRef>;
}

impl EditableItem for u32 {
    fn points_to(self) -> Option<NodeRef> {
        Some(NodeRef(self))
    }
}

impl EditableItem for Value {
    fn points_to(self) -> Option<NodeRef> {
        match self {
            Value::Pointer(node) => Some(node),
            _ => None,
        }
    }
}

/// Parses the value of a list edit.
#[cold]
fn parse_edit(document: &Document, entry: &UpdateEntry) -> Result<ListEdit, Diagnostic> {
    let id = document.id(entry.node);
    if entry.op == EntryOp::Remove {
        let Some(items) = list_items(document, entry.value) else {
            return Err(edit_expected_error(document, entry));
        };
        let nodes = items.iter().map(|item| {
            item.points_to()
                .ok_or_else(|| form_error(format!("expected only pointers in `-{id}`"), id))
        });
        let removed = nodes.collect::<Result<_, _>>()?;
        return Ok(ListEdit { removed, added: Vec::new(), anchor: None });
    }
    let Value::Map(map) = entry.value else { return Err(edit_expected_error(document, entry)) };
    let mut items = None;
    let mut anchor = None;
    for (key, value) in document.arena.entries(map) {
        match (document.keys.text(key.0), value) {
            ("items", value) => items = list_items(document, value),
            ("before" | "after", Value::Pointer(_)) if anchor.is_some() => {
                return Err(form_error("expected only one of `before` and `after`".to_owned(), id));
            }
            (name @ ("before" | "after"), Value::Pointer(node)) => {
                anchor = Some((node, name == "after"));
            }
            (name @ ("before" | "after"), _) => {
                let message = format!("expected a pointer as {}", quote(name));
                return Err(form_error(message, id));
            }
            (name, _) => {
                return Err(form_error(format!("unknown key {} in a list edit", quote(name)), id));
            }
        }
    }
    let Some(added) = items else {
        return Err(form_error("missing list `items` in a list edit".to_owned(), id));
    };
    // Items that are in the list already are moved.
    let removed = added.iter().filter_map(|item| item.points_to()).collect();
    Ok(ListEdit { removed, added, anchor })
}

#[cold]
fn form_error(message: String, id: &str) -> Diagnostic {
    let help = format!(
        r#"write `"+{id}": {{"items": ["*new"], "before": "*item"}}` (or `after`), or `"-{id}": ["*item"]`"#
    );
    Diagnostic::new(codes::INVALID_LIST_EDIT, message).help(help)
}

/// Builds the error for a key with `+` or `-` whose value is not an edit.
#[cold]
fn edit_expected_error(document: &Document, entry: &UpdateEntry) -> Diagnostic {
    let message =
        format!("expected a list edit as the value of {}", quote(&entry_key(document, entry)));
    let Diagnostic { help, .. } = form_error(String::new(), document.id(entry.node));
    let help = help.unwrap_or_default();
    Diagnostic::new(codes::EDIT_ID, message)
        .help(format!("{help}; with list edits, no id begins with `+`, `-` or `>`"))
}

/// Returns the items of a list, pointers and literals, or `None` if the value is not a list.
pub fn list_items(document: &Document, value: Value) -> Option<Vec<Value>> {
    match value {
        Value::List(list) => Some(document.arena.items(list).to_vec()),
        Value::Pointers(range) => {
            let nodes = document.arena.pointers(range).iter();
            Some(nodes.map(|node| Value::Pointer(NodeRef(*node))).collect())
        }
        _ => None,
    }
}

/// Returns the map without the properties that a removal lists. Unknown names are ignored, as those
/// of list items are; a pointer is an error, because it may name an item of a list.
#[cold]
#[inline(never)]
fn remove_properties(
    document: &mut Document,
    map: MapRef,
    entry: &UpdateEntry,
) -> Result<Value, Diagnostic> {
    let Some(names) = list_items(document, entry.value) else {
        return Err(removal_error(document, entry));
    };
    let mut removed = IntMap::default();
    for item in names {
        let key = match item {
            Value::Text(text) => document.find_key(document.arena.text(text)),
            // A name that begins with the sigil was read as a pointer.
            Value::Pointer(node) => {
                let name = format!("{}{}", document.settings.sigil, document.id(node));
                let key = document.find_key(&name);
                if key.and_then(|key| document.arena.property(map, key)).is_none() {
                    return Err(removal_error(document, entry));
                }
                key
            }
            _ => return Err(removal_error(document, entry)),
        };
        removed.extend(key.map(|key| (u64::from(key.0), 0)));
    }
    let kept = |(key, _): &(KeyRef, Value)| !removed.contains_key(&u64::from(key.0));
    let (keys, values): (Vec<_>, Vec<_>) = document.arena.entries(map).filter(kept).unzip();
    if values.len() == document.arena.values(map).len() {
        return Ok(Value::Map(map));
    }
    removed.keys().for_each(|key| document.mark_removed(entry.node, KeyRef(*key as u32)));
    let shape = document.arena.shapes.intern(&keys);
    Ok(document.arena.push_map(shape, &values))
}

#[cold]
fn removal_error(document: &Document, entry: &UpdateEntry) -> Diagnostic {
    let (key, id) = (entry_key(document, entry), document.id(entry.node));
    let message =
        format!("expected names of properties in {}: {} is a map", quote(&key), quote(id));
    let help = format!(r#"write `"{key}": ["name"]`, or name a list to remove its items"#);
    Diagnostic::new(codes::INVALID_NODE_EDIT, message).help(help)
}

fn find_item<T: EditableItem>(items: &[T], node: NodeRef) -> Option<usize> {
    items.iter().position(|item| item.points_to() == Some(node))
}

/// Removes the first item of each node, and one more for each repetition of a node.
fn remove_items(items: &mut Vec<Value>, nodes: &[NodeRef]) {
    let mut remaining = RemovalCounts::new(nodes);
    items.retain(|item| !remaining.take_one(item.points_to()));
}

/// Remaining number of removals per node.
struct RemovalCounts(IntMap);

impl RemovalCounts {
    fn new(nodes: &[NodeRef]) -> RemovalCounts {
        let mut remaining = IntMap::default();
        nodes.iter().for_each(|node| *remaining.entry(node.0.into()).or_insert(0) += 1);
        RemovalCounts(remaining)
    }

    /// Returns whether the next item with this pointer is removed.
    fn take_one(&mut self, node: Option<NodeRef>) -> bool {
        let remaining = node.and_then(|node| self.0.get_mut(&u64::from(node.0)));
        remaining.filter(|remaining| **remaining > 0).map(|remaining| *remaining -= 1).is_some()
    }
}
