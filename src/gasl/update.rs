//! `UPDATE`: merges a value into a declared entry.

use super::codes;
use super::identity::{has_identity, item_key, source_key};
use super::language::ast::{StateType, UpdateMode};
use super::size_budget::SizeBudget;
use super::state::{META_KEY, PROVENANCE_KEY, type_of};
use super::variable::{ValueOrigin, Variable};
use crate::base::diagnostic::quote;
use crate::base::map::NameMap;
use crate::base::value::{self, Map};
use crate::base::{Diagnostic, Value};
use std::rc::Rc;

/// Counts of an update.
#[derive(Default)]
pub struct UpdateResult {
    /// New items or keys, or the amount added to a COUNTER.
    pub added: f64,
    /// Items whose identity is already in the list.
    pub duplicates: usize,
    /// Duplicates whose content differs from the stored item.
    pub conflicting: usize,
    /// Equal duplicates without an id that distinguishes them.
    pub equal: usize,
    /// Rows for a DICT that replaced values of an earlier row with the same key.
    pub replaced: usize,
    /// First key of those rows.
    pub replaced_key: String,
}

/// Merges a value into a declared entry within the size budget. An error leaves the entry
/// unchanged.
pub fn update(
    entry: &mut Value,
    input: &Variable,
    mode: UpdateMode,
    path: &str,
    budget: &mut SizeBudget,
) -> Result<UpdateResult, Diagnostic> {
    match type_of(entry) {
        Some(StateType::List) => update_list(entry, input, mode, path, budget),
        Some(StateType::Counter) => update_counter(entry, input, mode, path),
        _ => update_dict(entry, input, mode, path, budget),
    }
}

/// Items with their sources.
type SourcedItems = Vec<(Value, Rc<[Value]>)>;

fn update_list(
    entry: &mut Value,
    input: &Variable,
    mode: UpdateMode,
    path: &str,
    budget: &mut SizeBudget,
) -> Result<UpdateResult, Diagnostic> {
    let incoming = items_of(input, path)?;
    incoming.iter().try_for_each(|(item, _)| budget.reserve(item, path))?;
    let old = entry.get("items").and_then(Value::as_list).unwrap_or_default();
    let retained = if mode == UpdateMode::Replace { &[][..] } else { old };
    let keys = incoming.iter().map(|(item, _)| item_key(item)).collect::<Vec<_>>();
    let mut indices = indices_by_key(&keys, retained);
    let mut provenance = ProvenanceBuilder::new(entry, mode);
    let mut items = retained.to_vec();
    let mut updated = UpdateResult::default();
    for ((item, sources), key) in incoming.into_iter().zip(keys) {
        provenance.add(&key, &sources);
        let Some(index) = indices.get_mut(&key) else { continue };
        match items.get(*index as usize) {
            Some(stored) => {
                updated.duplicates += 1;
                let is_equal = *stored == item;
                updated.conflicting += usize::from(!is_equal);
                updated.equal += usize::from(is_equal && !has_identity(&item));
            }
            None => {
                updated.added += 1.0;
                *index = items.len() as u32;
                items.push(item);
            }
        }
    }
    put_entry_value(entry, "items", items.into());
    put_provenance(entry, provenance.by_key);
    Ok(updated)
}

/// Returns the item index of each key, or `u32::MAX` for a new key. Indexes the keys and not the
/// items, because few keys are added to many items.
fn indices_by_key(keys: &[String], items: &[Value]) -> NameMap {
    let mut indices: NameMap = keys.iter().map(|key| (key.clone(), u32::MAX)).collect();
    for (index, item) in items.iter().enumerate() {
        if let Some(found) = indices.get_mut(&item_key(item)) {
            *found = index as u32;
        }
    }
    indices
}

/// Returns the items that a value adds to a LIST: its rows, or the value itself if it is a map.
fn items_of(input: &Variable, path: &str) -> Result<SourcedItems, Diagnostic> {
    if let Some(count) = input.row_count() {
        let rows = (0..count).filter_map(|index| Some((index, input.row(index)?)));
        return Ok(rows.map(|(index, row)| (row, input.sources(index))).collect::<Vec<_>>());
    }
    match input.to_value() {
        map @ Value::Map(_) => {
            // A model reply with only `items` is replaced by its items.
            let is_reply =
                map.entries().all(|(key, _)| ["items", PROVENANCE_KEY].contains(&&**key));
            match input.items().filter(|_| is_reply) {
                Some(items) => items_of(&items, path),
                None => Ok(vec![(map, input.sources(0))]),
            }
        }
        other => {
            let message =
                format!("expected rows for the LIST {}, found a {}", quote(path), other.kind());
            let help = match other {
                Value::Number(_) => "declare a COUNTER to add numbers",
                _ => "use a list or a map",
            };
            Err(Diagnostic::new(codes::WRONG_VALUE, message).help(help))
        }
    }
}

fn update_counter(
    entry: &mut Value,
    input: &Variable,
    mode: UpdateMode,
    path: &str,
) -> Result<UpdateResult, Diagnostic> {
    let value = input.to_value();
    let amount = match (&value, input) {
        (Value::Number(number), _) => *number,
        (Value::List(items), _) => match (items.as_slice(), input) {
            // A column of one row is its number, as in a condition.
            ([Value::Number(one)], Variable::Rows(..)) => *one,
            _ => items.len() as f64,
        },
        // A DICT of the state is counted by its keys; another map is not a number.
        (Value::Map(map), Variable::Value(_, ValueOrigin::Dict(_))) => map.len() as f64,
        (other, _) => {
            let message = format!(
                "expected a number for the COUNTER {}, found a {}",
                quote(path),
                other.kind()
            );
            return Err(Diagnostic::new(codes::WRONG_VALUE, message)
                .help("use a number, or a list whose length is added"));
        }
    };
    let before = entry.get("value").and_then(Value::as_number).unwrap_or_default();
    let after = if mode == UpdateMode::Replace { amount } else { before + amount };
    if !after.is_finite() {
        let message = format!("the COUNTER {} would overflow", quote(path));
        return Err(Diagnostic::new(codes::WRONG_VALUE, message)
            .help("write `REPLACE` to start from the new number"));
    }
    put_entry_value(entry, "value", Value::Number(after));
    Ok(UpdateResult { added: amount, ..UpdateResult::default() })
}

/// Returns the paths of the numbers in a map: `count`, `total.sum`.
pub fn numeric_paths(map: &Value) -> Vec<String> {
    let mut paths = Vec::new();
    for (key, value) in map.entries() {
        match value {
            Value::Number(_) => paths.push(key.to_string()),
            Value::Map(inner) => {
                let numbers = inner.iter().filter(|(_, value)| value.as_number().is_some());
                paths.extend(numbers.map(|(name, _)| format!("{key}.{name}")));
            }
            _ => {}
        }
    }
    paths
}

fn update_dict(
    entry: &mut Value,
    input: &Variable,
    mode: UpdateMode,
    path: &str,
    budget: &mut SizeBudget,
) -> Result<UpdateResult, Diagnostic> {
    let mut input_sources = ProvenanceBuilder::empty();
    let mut incoming = Map::default();
    let mut updated = UpdateResult::default();
    if let Some(count) = input.row_count() {
        for index in 0..count {
            let row = input.row(index).unwrap_or_default();
            let Some(key) = dict_key(&row) else { return Err(missing_key(path, &row)) };
            input_sources.add(&key, &input.sources(index));
            let slot = incoming.entry(key.as_str().into()).or_default();
            if replaces(slot, &row) {
                updated.replaced += 1;
                if updated.replaced == 1 {
                    updated.replaced_key = key;
                }
            }
            *slot = merge(slot, &row);
        }
    } else if let Value::Map(map) = input.to_value() {
        for key in map.keys() {
            input_sources.add(key, &input.sources_at(key));
        }
        incoming = (*map).clone();
    } else {
        let value = input.to_value();
        let message =
            format!("expected a map for the DICT {}, found a {}", quote(path), value.kind());
        return Err(Diagnostic::new(codes::WRONG_VALUE, message)
            .help("use a map, or rows with a `key`, an `id` or a `name`"));
    }
    if let Some(bad) = incoming.keys().find(|key| key.starts_with('_') || ***key == *PROVENANCE_KEY)
    {
        let message = format!("the key {} is reserved for the layout of the state", quote(bad));
        return Err(Diagnostic::new(codes::WRONG_VALUE, message).help("rename the key"));
    }
    incoming.values().try_for_each(|value| budget.reserve(value, path))?;
    if incoming.values().any(contains_meta) {
        let message = format!("a value for {} contains the reserved key `{META_KEY}`", quote(path));
        return Err(Diagnostic::new(codes::WRONG_VALUE, message)
            .help("choose other fields with `SELECT … FIELDS …`"));
    }
    let mut next = entry.clone();
    if mode == UpdateMode::Replace
        && let Some(map) = next.as_map_mut()
    {
        map.retain(|key, value| &**key == META_KEY || type_of(value).is_some());
    }
    let mut provenance = ProvenanceBuilder::new(entry, mode);
    for (key, value) in incoming {
        updated.added += f64::from(u8::from(next.get(&key).is_none()));
        let sources = input_sources.sources_for(&key);
        match next.get_mut(&key) {
            // A nested declared entry keeps its type and its own sources.
            Some(child) if type_of(child).is_some() => {
                let inner = Variable::new(value, sources.into());
                update(child, &inner, mode, &format!("{path}.{key}"), budget)?;
                continue;
            }
            Some(child) => *child = merge(child, &value),
            None => put_entry_value(&mut next, &key, value),
        }
        provenance.add(&key, sources);
    }
    put_provenance(&mut next, provenance.by_key);
    *entry = next;
    Ok(updated)
}

/// Returns whether a value contains the metadata key of declared entries. The depth limit of the
/// reader bounds the recursion.
fn contains_meta(value: &Value) -> bool {
    value.entries().any(|(key, value)| **key == *META_KEY || contains_meta(value))
}

/// Merges maps key by key; replaces other values.
fn merge(old: &Value, new: &Value) -> Value {
    let (Value::Map(old), Value::Map(new)) = (old, new) else { return new.clone() };
    let mut map = (**old).clone();
    for (key, value) in new.iter() {
        let slot = map.entry(key.clone()).or_default();
        *slot = merge(slot, value);
    }
    Value::Map(Rc::new(map))
}

/// Returns whether a merge replaces a value with a different one.
fn replaces(old: &Value, new: &Value) -> bool {
    match (old, new) {
        (Value::Null, _) => false,
        (Value::Map(old), Value::Map(new)) => {
            new.iter().any(|(key, value)| old.get(key).is_some_and(|old| replaces(old, value)))
        }
        _ => old != new,
    }
}

/// Returns the DICT key of a row: its `key`, `id` or `name`.
fn dict_key(row: &Value) -> Option<String> {
    ["key", "id", "name"].iter().find_map(|name| match row.get(name)? {
        Value::Text(text) if !text.is_empty() => Some(text.to_string()),
        number @ Value::Number(_) => Some(number.to_text()),
        _ => None,
    })
}

fn missing_key(path: &str, row: &Value) -> Diagnostic {
    let row = quote(&crate::base::value::excerpt(row, 60));
    let message = format!("a row for the DICT {} has no key: {row}", quote(path));
    Diagnostic::new(codes::WRONG_VALUE, message).help(
        "give each row a `key`, an `id` or a `name`, for example with `SELECT … FIELDS x:key`",
    )
}

fn put_entry_value(entry: &mut Value, key: &str, value: Value) {
    if let Some(map) = entry.as_map_mut() {
        value::put(map, key, value);
    }
}

fn put_provenance(entry: &mut Value, provenance: Map) {
    if let Some(map) = entry.as_map_mut() {
        if provenance.is_empty() {
            map.shift_remove(PROVENANCE_KEY);
        } else {
            value::put(map, PROVENANCE_KEY, provenance);
        }
    }
}

/// Sources of the items of an entry, by item key, while sources are added.
struct ProvenanceBuilder {
    by_key: Map,
    /// [Identities](source_key) of the sources of all `indexed_keys`.
    source_keys: NameMap,
    indexed_keys: NameMap,
}

impl ProvenanceBuilder {
    /// Starts with the sources of an entry, or with none if the mode is `REPLACE`.
    fn new(entry: &Value, mode: UpdateMode) -> ProvenanceBuilder {
        let stored = entry.get(PROVENANCE_KEY).and_then(Value::as_map);
        let stored = stored.filter(|_| mode == UpdateMode::Merge);
        ProvenanceBuilder {
            by_key: stored.cloned().unwrap_or_default(),
            ..ProvenanceBuilder::empty()
        }
    }

    fn empty() -> ProvenanceBuilder {
        ProvenanceBuilder {
            by_key: Map::default(),
            source_keys: NameMap::default(),
            indexed_keys: NameMap::default(),
        }
    }

    fn sources_for(&self, key: &str) -> &[Value] {
        self.by_key.get(key).and_then(Value::as_list).unwrap_or_default()
    }

    /// Adds the new ones of some sources to an item.
    fn add(&mut self, key: &str, sources: &[Value]) {
        if sources.is_empty() {
            return;
        }
        let slot = self.by_key.entry(key.into()).or_insert_with(|| Value::list(Vec::new()));
        let Some(list) = slot.as_list_mut() else { return };
        if self.indexed_keys.insert(key.to_owned(), 0).is_none() {
            for source in &*list {
                self.source_keys.insert(source_key(key, source), 0);
            }
        }
        for source in sources {
            if self.source_keys.insert(source_key(key, source), 0).is_none() {
                list.push(source.clone());
            }
        }
    }
}
