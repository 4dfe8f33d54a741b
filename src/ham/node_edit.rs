//! Edits of single nodes: appended texts, and properties that are merged or removed (rule 26).

use super::arena::{MapRef, TextRef, Value};
use super::codes;
use super::document::Document;
use super::id::EntryOp;
use super::list_edit::{entry_key, list_items};
use super::shape::KeyRef;
use super::update::UpdateEntry;
use crate::base::diagnostic::quote;
use crate::base::map::IntMap;
use crate::base::{Diagnostic, DiagnosticSink};

/// Applies the appended texts, and the merged and removed properties among the entries, in their order. Returns
/// `false` after an error.
#[cold]
#[inline(never)]
pub fn apply(
    document: &mut Document,
    entries: &[UpdateEntry],
    diagnostics: &mut Vec<Diagnostic>,
) -> bool {
    let mut failed = false;
    for entry in entries {
        let result = match entry.op {
            EntryOp::Append => append(document, entry),
            EntryOp::Merge => merge(document, entry),
            EntryOp::Remove => match document.value(entry.node) {
                Value::Map(map) => remove_properties(document, map, entry),
                _ => continue,
            },
            _ => continue,
        };
        match result {
            Ok(value) => document.set(entry.node, value),
            Err(error) => {
                diagnostics.report(error.at(entry.span));
                failed = true;
            }
        }
    }
    !failed
}

#[cold]
#[inline(never)]
fn append(document: &mut Document, entry: &UpdateEntry) -> Result<Value, Diagnostic> {
    let id = document.id(entry.node);
    let Value::Text(added) = entry.value else {
        let help = format!(r#"write `">{id}": "more text"`"#);
        return Err(type_mismatch(document, entry, true, "a text", help));
    };
    match document.value(entry.node) {
        Value::Text(text) => Ok(append_text(document, text, added)),
        _ => {
            let help = format!(r#"set the text first: `"{id}": "…"`"#);
            Err(type_mismatch(document, entry, false, "a text", help))
        }
    }
}

/// Returns a text with another one appended, without a copy if the other one follows it in the
/// arena.
#[cold]
#[inline(never)]
pub fn append_text(document: &mut Document, text: TextRef, added: TextRef) -> Value {
    let arena = &mut document.arena;
    let start = match text.start + text.len == added.start {
        true => text.start,
        false => arena.join_texts(text, added),
    };
    document.has_appended_text = true;
    let ascii = text.ascii && added.ascii;
    Value::Text(TextRef { start, len: text.len + added.len, ascii, verbatim: false })
}

#[cold]
#[inline(never)]
fn merge(document: &mut Document, entry: &UpdateEntry) -> Result<Value, Diagnostic> {
    let id = document.id(entry.node);
    let Value::Map(added) = entry.value else {
        let help = format!(r#"write `"~{id}": {{"name": "…"}}`"#);
        return Err(type_mismatch(document, entry, true, "a map", help));
    };
    match document.value(entry.node) {
        Value::Missing => Ok(entry.value),
        Value::Map(map) => {
            let added: Vec<_> = document.arena.entries(added).collect();
            Ok(set_properties(document, Some(map), &added))
        }
        _ => {
            let help = format!(r#"write `"{id}": {{…}}` to replace it"#);
            Err(type_mismatch(document, entry, false, "a map", help))
        }
    }
}

/// Maximum number of added properties that are compared with each key of a map.
const MAX_COMPARED: usize = 8;

/// Returns a map with the properties of `map` and the added ones, which replace equal keys.
#[cold]
#[inline(never)]
pub fn set_properties(
    document: &mut Document,
    map: Option<MapRef>,
    added: &[(KeyRef, Value)],
) -> Value {
    let arena = &mut document.arena;
    let mut keys: Vec<KeyRef> = Vec::new();
    let mut values: Vec<Value> = Vec::new();
    if let Some(map) = map {
        keys.extend_from_slice(arena.shapes.keys(map.shape));
        values.extend_from_slice(arena.values(map));
    }
    // Few properties are compared with all keys, which takes less time than an index.
    let is_indexed = added.len() > MAX_COMPARED;
    let mut index: IntMap = match is_indexed {
        true => keys.iter().zip(0..).map(|(key, at)| (u64::from(key.0), at)).collect(),
        false => IntMap::default(),
    };
    for (key, value) in added {
        let at = match is_indexed {
            true => index.get(&u64::from(key.0)).map(|at| *at as usize),
            false => keys.iter().position(|other| other == key),
        };
        match at.and_then(|at| values.get_mut(at)) {
            Some(slot) => *slot = *value,
            None => {
                if is_indexed {
                    index.insert(u64::from(key.0), keys.len() as u64);
                }
                keys.push(*key);
                values.push(*value);
            }
        }
    }
    let shape = arena.shapes.intern(&keys);
    arena.push_map(shape, &values)
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

/// Builds the error for an edit whose node, or whose own value, is of another kind.
#[cold]
#[inline(never)]
fn type_mismatch(
    document: &Document,
    entry: &UpdateEntry,
    is_own_value: bool,
    expected: &str,
    help: String,
) -> Diagnostic {
    let (place, found) = match is_own_value {
        true => (entry_key(document, entry), entry.value),
        false => (document.id(entry.node).to_owned(), document.value(entry.node)),
    };
    let kind = match found {
        Value::Missing => "no node",
        Value::Map(_) => "a map",
        Value::List(_) | Value::Pointers(_) => "a list",
        Value::Text(_) => "a text",
        _ => "another value",
    };
    let message = format!("expected {expected} in {}, found {kind}", quote(&place));
    Diagnostic::new(codes::INVALID_NODE_EDIT, message).help(help)
}
