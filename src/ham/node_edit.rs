//! Edits of single nodes: appended texts and merged properties (rule 26).

use super::arena::{MapRef, TextRef, Value};
use super::codes;
use super::document::Document;
use super::id::EntryOp;
use super::list_edit::{apply_each, entry_key};
use super::shape::KeyRef;
use super::update::UpdateEntry;
use crate::base::Diagnostic;
use crate::base::diagnostic::quote;
use crate::base::map::IntMap;

/// Applies the appended texts and merged properties among the entries. Returns `false` after an
/// error.
#[cold]
#[inline(never)]
pub fn apply(
    document: &mut Document,
    entries: &[UpdateEntry],
    diagnostics: &mut Vec<Diagnostic>,
) -> bool {
    let appended =
        apply_each(document, entries, EntryOp::Append, diagnostics, |document, entry, _| {
            let value = append(document, entry)?;
            document.set(entry.node, value);
            Ok(())
        });
    let merged =
        apply_each(document, entries, EntryOp::Merge, diagnostics, |document, entry, _| {
            let value = merge(document, entry)?;
            document.set(entry.node, value);
            Ok(())
        });
    appended && merged
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
