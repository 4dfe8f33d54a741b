//! `UPDATE`: how a value comes into a declared key.

use super::codes;
use super::identity::item_key;
use super::language::ast::{Kind, Mode};
use super::state::{META, PROVENANCE, kind_of};
use super::variable::Variable;
use super::weight::Room;
use crate::base::diagnostic::quote;
use crate::base::map::NameMap;
use crate::base::value::{self, Map};
use crate::base::{Diagnostic, Value};
use std::rc::Rc;

/// What an update did.
#[derive(Default)]
pub struct Updated {
    /// Items, keys or counts that are new.
    pub added: f64,
    /// Items that were there already.
    pub duplicates: usize,
    /// Of those, the ones that say something else than the item that is there.
    pub differing: usize,
}

/// Puts a value into a declared entry, if there is room for it. The entry is as it was where that
/// cannot be.
pub fn update(
    entry: &mut Value,
    input: &Variable,
    mode: Mode,
    path: &str,
    room: &mut Room,
) -> Result<Updated, Diagnostic> {
    match kind_of(entry) {
        Some(Kind::List) => update_list(entry, input, mode, path, room),
        Some(Kind::Counter) => update_counter(entry, &input.to_value(), mode, path),
        _ => update_dict(entry, input, mode, path, room),
    }
}

/// The key of an item with the item, and where it comes from.
type Items = Vec<(Value, Rc<[Value]>)>;

fn update_list(
    entry: &mut Value,
    input: &Variable,
    mode: Mode,
    path: &str,
    room: &mut Room,
) -> Result<Updated, Diagnostic> {
    let incoming = items_of(input, path)?;
    incoming.iter().try_for_each(|(item, _)| room.take(item, path))?;
    let old = entry.get("items").and_then(Value::as_list).unwrap_or_default();
    let kept = if mode == Mode::Replace { &[][..] } else { old };
    let keys = incoming.iter().map(|(item, _)| item_key(item)).collect::<Vec<_>>();
    let mut places = places_of(&keys, kept);
    let mut provenance = Sources::of(entry, mode);
    let mut items = kept.to_vec();
    let mut updated = Updated::default();
    for ((item, sources), key) in incoming.into_iter().zip(keys) {
        provenance.unite(&key, &sources);
        let Some(place) = places.get_mut(&key) else { continue };
        match items.get(*place as usize) {
            Some(there) => {
                updated.duplicates += 1;
                updated.differing += usize::from(*there != item);
            }
            None => {
                updated.added += 1.0;
                *place = items.len() as u32;
                items.push(item);
            }
        }
    }
    put(entry, "items", items.into());
    put_provenance(entry, provenance.by_key);
    Ok(updated)
}

/// At which of the items each key stands, behind them where it is that of none: few keys come to many items.
fn places_of(keys: &[String], items: &[Value]) -> NameMap {
    let mut places: NameMap = keys.iter().map(|key| (key.clone(), u32::MAX)).collect();
    for (place, item) in items.iter().enumerate() {
        if let Some(found) = places.get_mut(&item_key(item)) {
            *found = place as u32;
        }
    }
    places
}

/// The items that a value adds to a list: its rows, or the one map that it is.
fn items_of(input: &Variable, path: &str) -> Result<Items, Diagnostic> {
    if let Some(count) = input.row_count() {
        let rows = (0..count).filter_map(|index| Some((index, input.row(index)?)));
        return Ok(rows.map(|(index, row)| (row, input.sources(index))).collect::<Vec<_>>());
    }
    match input.to_value() {
        map @ Value::Map(_) => {
            // A reply that is nothing but its items is no item itself.
            let is_reply = map.entries().all(|(key, _)| ["items", PROVENANCE].contains(&&**key));
            match input.items().filter(|_| is_reply) {
                Some(items) => items_of(&items, path),
                None => Ok(vec![(map, input.sources(0))]),
            }
        }
        other => {
            let message = format!("{} takes rows, and this is a {}", quote(path), other.kind());
            let help = match other {
                Value::Number(_) => "declare a COUNTER for a number",
                _ => "a LIST takes a list or a map",
            };
            Err(Diagnostic::new(codes::WRONG_VALUE, message).help(help))
        }
    }
}

fn update_counter(
    entry: &mut Value,
    input: &Value,
    mode: Mode,
    path: &str,
) -> Result<Updated, Diagnostic> {
    let amount = match input {
        Value::Number(number) => *number,
        Value::List(items) => items.len() as f64,
        Value::Map(map) => map.len() as f64,
        other => {
            let message = format!("{} counts, and this is a {}", quote(path), other.kind());
            return Err(Diagnostic::new(codes::WRONG_VALUE, message)
                .help("a COUNTER takes a number, or a list whose length is added"));
        }
    };
    let before = entry.get("value").and_then(Value::as_number).unwrap_or_default();
    let after = if mode == Mode::Replace { amount } else { before + amount };
    if !after.is_finite() {
        let message = format!("{} would be too large to count", quote(path));
        return Err(Diagnostic::new(codes::WRONG_VALUE, message).help("write REPLACE"));
    }
    put(entry, "value", Value::Number(after));
    Ok(Updated { added: amount, ..Updated::default() })
}

fn update_dict(
    entry: &mut Value,
    input: &Variable,
    mode: Mode,
    path: &str,
    room: &mut Room,
) -> Result<Updated, Diagnostic> {
    let mut coming_from = Sources::none();
    let mut incoming = Map::default();
    if let Some(count) = input.row_count() {
        for index in 0..count {
            let row = input.row(index).unwrap_or_default();
            let Some(key) = key_of(&row) else { return Err(no_key(path, &row)) };
            coming_from.unite(&key, &input.sources(index));
            let place = incoming.entry(key.as_str().into()).or_default();
            *place = merged(place, &row);
        }
    } else if let Value::Map(map) = input.to_value() {
        for key in map.keys() {
            coming_from.unite(key, &input.sources_of(key));
        }
        incoming = (*map).clone();
    } else {
        let value = input.to_value();
        let message = format!("{} is a DICT, and this is a {}", quote(path), value.kind());
        return Err(Diagnostic::new(codes::WRONG_VALUE, message)
            .help("a DICT takes a map, or rows that have a `key`, an `id` or a `name`"));
    }
    if let Some(bad) = incoming.keys().find(|key| key.starts_with('_') || ***key == *PROVENANCE) {
        let message = format!("the key {} is kept for the layout of the state", quote(bad));
        return Err(Diagnostic::new(codes::WRONG_VALUE, message).help("name it otherwise"));
    }
    incoming.values().try_for_each(|value| room.take(value, path))?;
    if incoming.values().any(holds_meta) {
        let message = format!("a value for {} has the key `{META}`", quote(path));
        return Err(Diagnostic::new(codes::WRONG_VALUE, message).help(
            "it is kept for the layout of the state: choose other fields with `SELECT … FIELDS …`",
        ));
    }
    let mut next = entry.clone();
    if mode == Mode::Replace
        && let Some(map) = next.as_map_mut()
    {
        map.retain(|key, value| &**key == META || kind_of(value).is_some());
    }
    let mut provenance = Sources::of(entry, mode);
    let mut updated = Updated::default();
    for (key, value) in incoming {
        updated.added += f64::from(u8::from(next.get(&key).is_none()));
        let sources = coming_from.of_key(&key);
        match next.get_mut(&key) {
            // A key that was declared itself keeps its type, and its sources beside what it holds.
            Some(child) if kind_of(child).is_some() => {
                let inner = Variable::of(value, sources.into());
                update(child, &inner, mode, &format!("{path}.{key}"), room)?;
                continue;
            }
            Some(child) => *child = merged(child, &value),
            None => put(&mut next, &key, value),
        }
        provenance.unite(&key, sources);
    }
    put_provenance(&mut next, provenance.by_key);
    *entry = next;
    Ok(updated)
}

/// Whether a value would look like a declared key, or something in it that a path can name.
/// Recursion is bounded by the depth limit of the reader.
fn holds_meta(value: &Value) -> bool {
    value.entries().any(|(key, value)| **key == *META || holds_meta(value))
}

/// Maps are merged key by key; anything else is replaced.
fn merged(old: &Value, new: &Value) -> Value {
    let (Value::Map(old), Value::Map(new)) = (old, new) else { return new.clone() };
    let mut map = (**old).clone();
    for (key, value) in new.iter() {
        let place = map.entry(key.clone()).or_default();
        *place = merged(place, value);
    }
    Value::Map(Rc::new(map))
}

/// Under which key a row comes into a DICT.
fn key_of(row: &Value) -> Option<String> {
    ["key", "id", "name"].iter().find_map(|name| match row.get(name)? {
        Value::Text(text) if !text.is_empty() => Some(text.to_string()),
        number @ Value::Number(_) => Some(number.to_text()),
        _ => None,
    })
}

fn no_key(path: &str, row: &Value) -> Diagnostic {
    let shown = quote(&crate::base::value::excerpt(row, 60));
    let message = format!("{} is a DICT, and a row has no key: {shown}", quote(path));
    Diagnostic::new(codes::WRONG_VALUE, message).help(
        "give each row a `key`, an `id` or a `name`, for example with `SELECT … FIELDS x:key`",
    )
}

fn put(entry: &mut Value, key: &str, value: Value) {
    if let Some(map) = entry.as_map_mut() {
        value::put(map, key, value);
    }
}

/// Where an item has no source at all there is nothing to keep.
fn put_provenance(entry: &mut Value, provenance: Map) {
    if let Some(map) = entry.as_map_mut() {
        if provenance.is_empty() {
            map.shift_remove(PROVENANCE);
        } else {
            value::put(map, PROVENANCE, provenance);
        }
    }
}

/// The sources of the items of an entry while sources are added.
struct Sources {
    by_key: Map,
    /// What every source of a touched item says.
    seen: NameMap,
    touched: NameMap,
}

impl Sources {
    /// Those that stand beside an entry; none where all is replaced.
    fn of(entry: &Value, mode: Mode) -> Sources {
        let beside = entry.get(PROVENANCE).and_then(Value::as_map).filter(|_| mode == Mode::Merge);
        Sources { by_key: beside.cloned().unwrap_or_default(), ..Sources::none() }
    }

    fn none() -> Sources {
        Sources { by_key: Map::default(), seen: NameMap::default(), touched: NameMap::default() }
    }

    fn of_key(&self, key: &str) -> &[Value] {
        self.by_key.get(key).and_then(Value::as_list).unwrap_or_default()
    }

    /// Adds sources to those of an item, each once.
    fn unite(&mut self, key: &str, sources: &[Value]) {
        if sources.is_empty() {
            return;
        }
        let place = self.by_key.entry(key.into()).or_insert_with(|| Value::list(Vec::new()));
        let Some(list) = place.as_list_mut() else { return };
        if self.touched.insert(key.to_owned(), 0).is_none() {
            for source in &*list {
                self.seen.insert(said(key, source), 0);
            }
        }
        for source in sources {
            if self.seen.insert(said(key, source), 0).is_none() {
                list.push(source.clone());
            }
        }
    }
}

/// Sources, each once.
pub fn united(sources: impl Iterator<Item = Value>) -> Vec<Value> {
    let mut all: Vec<Value> = sources.collect();
    if all.len() > 1 {
        let mut seen = NameMap::default();
        all.retain(|source| seen.insert(said("", source), 0).is_none());
    }
    all
}

/// The same for the same source and the same words, whichever step found it.
fn said(key: &str, source: &Value) -> String {
    let parts = ["source_id", "doc_id", "snippet"]
        .map(|part| source.get(part).map(Value::to_text).unwrap_or_default());
    format!("{key}\n{}", parts.join("\n"))
}
