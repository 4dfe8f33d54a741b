//! Changes of the state, stored in reverse: a snapshot needs memory for what a step has replaced, and
//! not for the whole state.

use crate::base::Value;
use crate::base::value::{ENTRY_BYTES, HEADER_BYTES, Map};
use std::rc::Rc;

/// Reverse change of one entry of the variables.
#[derive(Clone, Debug)]
pub struct StateChange {
    steps: Vec<String>,
    /// Difference to the older entry, or `None` if the step has created the entry as the last one.
    older: Option<Difference>,
}

/// Difference from a newer value to an older one.
#[derive(Clone, Debug)]
enum Difference {
    /// The older value.
    Whole(Value),
    /// Length of the older list, which the newer one begins with.
    List(usize),
    /// Length of the older map, and the changed ones of its entries. The newer map begins with the
    /// same keys.
    Map(usize, Vec<(usize, Difference)>),
}

impl StateChange {
    /// Describes a new entry, which is the last one of its parent.
    pub fn created(steps: &[String]) -> StateChange {
        StateChange { steps: steps.to_vec(), older: None }
    }

    /// Describes a changed entry; returns `None` if both values share their memory.
    pub fn replaced(steps: &[String], older: &Value, newer: &Value) -> Option<StateChange> {
        let older = Difference::between(older, newer)?;
        Some(StateChange { steps: steps.to_vec(), older: Some(older) })
    }

    /// Turns the newer variables into the older ones.
    pub fn revert(&self, variables: &mut Value) {
        let Some((last, parents)) = self.steps.split_last() else { return };
        let parent = parents.iter().try_fold(variables, |at, step| at.get_mut(step));
        let Some(parent) = parent.and_then(Value::as_map_mut) else { return };
        match &self.older {
            None => drop(parent.shift_remove(last.as_str())),
            Some(older) => {
                if let Some(entry) = parent.get_mut(last.as_str()) {
                    older.apply(entry);
                }
            }
        }
    }

    /// Returns the estimated memory in bytes.
    pub fn memory(&self) -> usize {
        let steps: usize = self.steps.iter().map(|step| step.len() + HEADER_BYTES).sum();
        steps + self.older.as_ref().map_or(ENTRY_BYTES, Difference::memory)
    }
}

impl Difference {
    /// Compares values by the memory that they share; returns `None` if they share all of it.
    /// Recursion is bounded by the depth of the state.
    fn between(older: &Value, newer: &Value) -> Option<Difference> {
        if is_shared(older, newer) {
            return None;
        }
        let found = match (older, newer) {
            (Value::List(old), Value::List(new)) => Difference::between_lists(old, new),
            (Value::Map(old), Value::Map(new)) => Difference::between_maps(old, new),
            _ => None,
        };
        Some(found.unwrap_or_else(|| Difference::Whole(older.clone())))
    }

    fn between_lists(older: &[Value], newer: &[Value]) -> Option<Difference> {
        let is_start = older.len() <= newer.len()
            && older.iter().zip(newer).all(|(older, newer)| is_shared(older, newer));
        is_start.then_some(Difference::List(older.len()))
    }

    fn between_maps(older: &Map, newer: &Map) -> Option<Difference> {
        let is_start = older.len() <= newer.len()
            && older.keys().zip(newer.keys()).all(|(older, newer)| older == newer);
        if !is_start {
            return None;
        }
        let entries = older.values().zip(newer.values()).enumerate();
        let changed = entries.filter_map(|(index, (older, newer))| {
            Some((index, Difference::between(older, newer)?))
        });
        Some(Difference::Map(older.len(), changed.collect::<Vec<_>>()))
    }

    fn apply(&self, value: &mut Value) {
        match self {
            Difference::Whole(older) => *value = older.clone(),
            Difference::List(len) => {
                if let Some(items) = value.as_list_mut() {
                    items.truncate(*len);
                }
            }
            Difference::Map(len, changed) => {
                let Some(map) = value.as_map_mut() else { return };
                while map.len() > *len && map.pop().is_some() {}
                for (index, older) in changed {
                    if let Some((_, entry)) = map.get_index_mut(*index) {
                        older.apply(entry);
                    }
                }
            }
        }
    }

    fn memory(&self) -> usize {
        match self {
            Difference::Whole(value) => ENTRY_BYTES + value.memory(),
            Difference::List(_) => ENTRY_BYTES,
            Difference::Map(_, changed) => {
                let inner = changed.iter().map(|(_, difference)| difference.memory());
                ENTRY_BYTES + inner.sum::<usize>()
            }
        }
    }
}

/// Returns whether two values are equal without a comparison of their parts.
fn is_shared(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::List(a), Value::List(b)) => Rc::ptr_eq(a, b),
        (Value::Map(a), Value::Map(b)) => Rc::ptr_eq(a, b),
        (Value::Text(a), Value::Text(b)) => Rc::ptr_eq(a, b) || a.len() < 64 && a == b,
        (Value::Text(_) | Value::List(_) | Value::Map(_), _) => false,
        _ => a == b,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::json::Limits;

    fn value(text: &str) -> Value {
        Value::parse(text.as_bytes(), Limits::default()).0.unwrap()
    }

    /// Changes `a.b` and checks that reverting restores the text. Returns the memory of the change.
    fn check(older: &str, change: impl Fn(&mut Value)) -> usize {
        let older = value(older);
        let mut newer = older.clone();
        change(newer.get_mut("a").unwrap());
        let steps = ["a".to_owned()];
        let change =
            StateChange::replaced(&steps, older.get("a").unwrap(), newer.get("a").unwrap());
        let change = change.unwrap();
        change.revert(&mut newer);
        assert_eq!(newer.to_text(), older.to_text());
        change.memory()
    }

    #[test]
    fn reverts_changes_of_lists_and_maps() {
        let long = format!(r#"{{"a": {{"items": [{}], "n": 1}}}}"#, ["{}"; 1000].join(","));
        let push = |entry: &mut Value| {
            entry.get_mut("items").unwrap().as_list_mut().unwrap().push(Value::Null);
        };
        assert!(check(&long, push) < 300);
        let clear = |entry: &mut Value| *entry.get_mut("items").unwrap() = Value::list(Vec::new());
        assert!(check(&long, clear) > 24_000);
        check(r#"{"a": {"n": 1}}"#, |entry| *entry.get_mut("n").unwrap() = Value::Null);
        check(r#"{"a": {"n": 1}}"#, |entry| {
            entry.as_map_mut().unwrap().insert("m".into(), Value::Null);
        });
        check(r#"{"a": {"n": 1, "m": 2}}"#, |entry| {
            entry.as_map_mut().unwrap().shift_remove("n");
        });
        check(r#"{"a": {"n": {"x": [1, 2]}}}"#, |entry| {
            let inner = entry.get_mut("n").unwrap();
            inner.get_mut("x").unwrap().as_list_mut().unwrap().remove(0);
        });
        check(r#"{"a": 1}"#, |entry| *entry = Value::Null);
    }

    #[test]
    fn reverts_created_entries() {
        let older = value(r#"{"a": {"b": 1}}"#);
        let mut newer = value(r#"{"a": {"b": 1, "c": 2}}"#);
        StateChange::created(&["a".to_owned(), "c".to_owned()]).revert(&mut newer);
        assert_eq!(newer.to_text(), older.to_text());
    }

    #[test]
    fn shared_values_have_no_difference() {
        let one = value(r#"{"a": [1]}"#);
        assert!(StateChange::replaced(&[], &one, &one.clone()).is_none());
    }
}
