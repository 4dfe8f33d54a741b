//! Edits of a list by the ids of its items (rule 26): no index anywhere.

use super::arena::{NodeRef, Value};
use super::codes;
use super::document::Document;
use super::id::Op;
use super::update::Entry;
use crate::base::diagnostic::quote;
use crate::base::map::IntMap;
use crate::base::{Diagnostic, DiagnosticSink};

/// Applies the list edits among the entries: removals, then insertions. Answers whether it could.
pub fn apply(
    document: &mut Document,
    entries: &[Entry],
    diagnostics: &mut Vec<Diagnostic>,
) -> bool {
    let mut failed = false;
    for op in [Op::Remove, Op::Insert] {
        let mut last = IntMap::default();
        for (place, entry) in (0..).zip(entries).filter(|(_, entry)| entry.op == op) {
            if last.insert(entry.node.0.into(), place).is_some() {
                let key = key(document, entry);
                diagnostics.report(crate::base::json::duplicate_key(&key, entry.span));
            }
        }
        for (place, entry) in (0..).zip(entries) {
            if entry.op == op
                && last.get(&u64::from(entry.node.0)) == Some(&place)
                && let Err(error) = edit(document, entry, diagnostics)
            {
                diagnostics.report(error.at(entry.span));
                failed = true;
            }
        }
    }
    !failed
}

fn key(document: &Document, entry: &Entry) -> String {
    format!("{}{}", if entry.op == Op::Insert { '+' } else { '-' }, document.id(entry.node))
}

fn edit(
    document: &mut Document,
    entry: &Entry,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<(), Diagnostic> {
    let edit = read(document, entry)?;
    let value = document.value(entry.node);
    let (value, lost) = if let (Value::Pointers(run), Some(added)) = (value, edit.few_pointers()) {
        // Long lists hold nothing but pointers, and are edited as they are kept.
        let mut items = document.arena.pointers(run).to_vec();
        let own = edit.own_place(&items);
        for node in &edit.taken {
            if let Some(place) = find(&items, *node) {
                items.remove(place);
            }
        }
        let lost = edit.put(&mut items, &added, own);
        (document.arena.push_pointers(&items), lost)
    } else if let Some(mut items) = list(document, value) {
        let own = edit.own_place(&items);
        take(&mut items, &edit.taken);
        let lost = edit.put(&mut items, &edit.added, own);
        (document.arena.push_list(&items), lost)
    } else {
        let id = document.id(entry.node);
        let message = format!("{} is no list that could be edited", quote(id));
        let help = format!("set the whole list first: `\"{id}\": [\"…\"]`");
        return Err(Diagnostic::new(codes::LIST_EDIT, message).help(help));
    };
    if let Some(anchor) = lost {
        let message = format!("{} is not in the list: appended", quote(document.id(anchor)));
        let warning = Diagnostic::new(codes::ANCHOR, message)
            .help("name an item that is in the list, or leave `before` and `after` out")
            .at(entry.span);
        diagnostics.report(warning);
    }
    document.set(entry.node, value);
    Ok(())
}

/// What is done to a list.
struct Edit {
    /// These are taken out.
    taken: Vec<NodeRef>,
    /// And these put in.
    added: Vec<Value>,
    /// Where: before an item, or behind it if the flag is set; else at the end.
    anchor: Option<(NodeRef, bool)>,
}

/// So few items are looked for one by one.
const FEW: usize = 8;

impl Edit {
    /// What is put in, where that is nothing but pointers, and few items are taken out.
    fn few_pointers(&self) -> Option<Vec<u32>> {
        if self.taken.len() > FEW {
            return None;
        }
        let pointers = self.added.iter().filter_map(|item| item.points_to()).map(|node| node.0);
        let pointers: Vec<u32> = pointers.collect();
        (pointers.len() == self.added.len()).then_some(pointers)
    }

    /// Where the anchor stood among what stays, if it is taken out itself.
    fn own_place<T: Item>(&self, items: &[T]) -> Option<usize> {
        let (anchor, _) = self.anchor.filter(|(anchor, _)| self.taken.contains(anchor))?;
        let mut left = Left::of(&self.taken);
        let before = items.get(..find(items, anchor)?)?.iter();
        Some(before.filter(|item| !left.takes(item.points_to())).count())
    }

    /// Puts in what is added: at the place of the anchor, if that is among it. Answers the anchor, where
    /// that is not in the list.
    fn put<T: Item>(&self, items: &mut Vec<T>, added: &[T], own: Option<usize>) -> Option<NodeRef> {
        let found = self.anchor.map(|(node, behind)| (node, find(items, node), behind));
        let (place, lost) = match (own, found) {
            (Some(place), _) => (place, None),
            (None, Some((_, Some(place), behind))) => (place + usize::from(behind), None),
            (None, Some((node, None, _))) => (items.len(), Some(node)),
            (None, None) => (items.len(), None),
        };
        items.splice(place..place, added.iter().copied());
        lost
    }
}

/// An item of a list, by itself or among others.
trait Item: Copy {
    fn points_to(self) -> Option<NodeRef>;
}

impl Item for u32 {
    fn points_to(self) -> Option<NodeRef> {
        Some(NodeRef(self))
    }
}

impl Item for Value {
    fn points_to(self) -> Option<NodeRef> {
        match self {
            Value::Pointer(node) => Some(node),
            _ => None,
        }
    }
}

/// What an entry asks for, if it has the form of an edit.
fn read(document: &Document, entry: &Entry) -> Result<Edit, Diagnostic> {
    let id = document.id(entry.node);
    if entry.op == Op::Remove {
        let Some(items) = list(document, entry.value) else {
            return Err(no_edit(document, entry));
        };
        let nodes = items.iter().map(|item| {
            item.points_to()
                .ok_or_else(|| form(format!("`-{id}` names something that is no pointer"), id))
        });
        let taken = nodes.collect::<Result<_, _>>()?;
        return Ok(Edit { taken, added: Vec::new(), anchor: None });
    }
    let Value::Map(map) = entry.value else { return Err(no_edit(document, entry)) };
    let mut items = None;
    let mut anchor = None;
    for (key, value) in document.arena.entries(map) {
        match (document.keys.text(key.0), value) {
            ("items", value) => items = list(document, value),
            ("before" | "after", Value::Pointer(_)) if anchor.is_some() => {
                return Err(form("`before` and `after` stand together".to_owned(), id));
            }
            (name @ ("before" | "after"), Value::Pointer(node)) => {
                anchor = Some((node, name == "after"));
            }
            (name @ ("before" | "after"), _) => {
                let message = format!("{} names an item by a pointer", quote(name));
                return Err(form(message, id));
            }
            (name, _) => {
                return Err(form(format!("{} is no part of a list edit", quote(name)), id));
            }
        }
    }
    let Some(added) = items else {
        return Err(form("an insertion has a list of `items`".to_owned(), id));
    };
    // What is in the list already is moved.
    let taken = added.iter().filter_map(|item| item.points_to()).collect();
    Ok(Edit { taken, added, anchor })
}

fn form(message: String, id: &str) -> Diagnostic {
    let help = format!(
        r#"write `"+{id}": {{"items": ["*new"], "before": "*item"}}` (or `after`), or `"-{id}": ["*item"]`"#
    );
    Diagnostic::new(codes::LIST_EDIT, message).help(help)
}

/// An ordinary value for a key that begins with `+` or `-`.
fn no_edit(document: &Document, entry: &Entry) -> Diagnostic {
    let message = format!("{} is read as a list edit", quote(&key(document, entry)));
    let Diagnostic { help, .. } = form(String::new(), document.id(entry.node));
    let help = help.unwrap_or_default();
    Diagnostic::new(codes::EDIT_ID, message)
        .help(format!("{help}; while list edits are on, no id begins with `+` or `-`"))
}

/// The items of a list, pointers and literals alike.
pub fn list(document: &Document, value: Value) -> Option<Vec<Value>> {
    match value {
        Value::List(list) => Some(document.arena.items(list).to_vec()),
        Value::Pointers(run) => {
            let nodes = document.arena.pointers(run).iter();
            Some(nodes.map(|node| Value::Pointer(NodeRef(*node))).collect())
        }
        _ => None,
    }
}

fn find<T: Item>(items: &[T], node: NodeRef) -> Option<usize> {
    items.iter().position(|item| item.points_to() == Some(node))
}

/// Takes the first occurrence of each node out; of a node that is named twice, the second too.
fn take(items: &mut Vec<Value>, nodes: &[NodeRef]) {
    let mut left = Left::of(nodes);
    items.retain(|item| !left.takes(item.points_to()));
}

/// How often each node is still to be taken out.
struct Left(IntMap);

impl Left {
    fn of(nodes: &[NodeRef]) -> Left {
        let mut left = IntMap::default();
        nodes.iter().for_each(|node| *left.entry(node.0.into()).or_insert(0) += 1);
        Left(left)
    }

    /// Whether the next item is taken out, given the node that it points to.
    fn takes(&mut self, node: Option<NodeRef>) -> bool {
        let left = node.and_then(|node| self.0.get_mut(&u64::from(node.0)));
        left.filter(|left| **left > 0).map(|left| *left -= 1).is_some()
    }
}
