//! Changes between two states, in the format of `src/js/storage/changes.ts`. Consecutive states share most of
//! their values, which are compared by pointer first.

use crate::base::Value;
use crate::base::value::Map;
use std::rc::Rc;

/// Maximum depth at which parts are compared; deeper ones are replaced.
const MAX_COMPARED_DEPTH: usize = 64;
/// Maximum number of items that a list may lose at its start, if others are added at its end.
const MAX_DROPPED_ITEMS: usize = 16;

/// Returns the changes that make `before` equal to `after`.
pub fn state_changes(before: &Value, after: &Value) -> Value {
    let mut comparison = StateComparison::default();
    comparison.compare(before, after);
    Value::list(comparison.changes)
}

/// Changes so far, and the steps to the compared part.
#[derive(Default)]
struct StateComparison {
    steps: Vec<Value>,
    changes: Vec<Value>,
}

impl StateComparison {
    fn compare(&mut self, before: &Value, after: &Value) {
        match (before, after) {
            (Value::List(before), Value::List(after)) if Rc::ptr_eq(before, after) => {}
            (Value::Map(before), Value::Map(after)) if Rc::ptr_eq(before, after) => {}
            (Value::List(before), Value::List(after)) if self.steps.len() < MAX_COMPARED_DEPTH => {
                self.compare_lists(before, after);
            }
            (Value::Map(before), Value::Map(after)) if self.steps.len() < MAX_COMPARED_DEPTH => {
                self.compare_maps(before, after);
            }
            _ if before == after => {}
            _ => self.add_change("set", after.clone()),
        }
    }

    fn compare_maps(&mut self, before: &Map, after: &Map) {
        // The order of keys is part of the value.
        let kept = before.keys().filter(|key| after.contains_key(&***key));
        let is_same_order = kept.zip(after.keys()).all(|(one, other)| one == other);
        if !is_same_order {
            return self.add_change("set", after.clone().into());
        }
        for key in before.keys().filter(|key| !after.contains_key(&***key)) {
            self.compare_within(Value::Text(key.clone()), |inner| {
                inner.add_change("delete", true.into())
            });
        }
        for (key, value) in after {
            self.compare_within(Value::Text(key.clone()), |inner| match before.get(key) {
                Some(before) => inner.compare(before, value),
                None => inner.add_change("set", value.clone()),
            });
        }
    }

    fn compare_lists(&mut self, before: &[Value], after: &[Value]) {
        let Some(dropped) = dropped_count(before, after) else {
            return self.add_change("set", Value::list(after.to_vec()));
        };
        if dropped > 0 {
            self.add_change("drop", dropped.into());
        }
        let kept = before.iter().skip(dropped);
        for (index, (before, after)) in kept.zip(after).enumerate() {
            self.compare_within(index.into(), |inner| inner.compare(before, after));
        }
        let added: Vec<Value> = after.iter().skip(before.len() - dropped).cloned().collect();
        if !added.is_empty() {
            self.add_change("append", Value::list(added));
        }
    }

    fn compare_within(&mut self, step: Value, compare: impl FnOnce(&mut StateComparison)) {
        self.steps.push(step);
        compare(self);
        self.steps.pop();
    }

    fn add_change(&mut self, kind: &'static str, value: Value) {
        let at = Value::list(self.steps.clone());
        self.changes.push(Value::map([("at", at), (kind, value)]));
    }
}

/// Returns how many items the list has lost at its start, or `None` if it has lost others.
fn dropped_count(before: &[Value], after: &[Value]) -> Option<usize> {
    let least = before.len().saturating_sub(after.len());
    if least == 0 && before.first() == after.first() {
        return Some(0);
    }
    let is_lost = |count: &usize| {
        let rest = before.get(*count..).unwrap_or_default();
        !rest.is_empty() && after.get(..rest.len()) == Some(rest)
    };
    let found = (least..=MAX_DROPPED_ITEMS.min(before.len())).find(is_lost);
    found.or((least == 0).then_some(0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::json::Limits;

    fn changes(before: &str, after: &str) -> String {
        let read =
            |text: &str| Value::parse(text.as_bytes(), Limits::default()).0.unwrap_or_default();
        state_changes(&read(before), &read(after)).to_text()
    }

    #[test]
    fn lists_that_grow_are_appended_to() {
        assert_eq!(changes(r#"{"a":[1,2]}"#, r#"{"a":[1,2,3]}"#), r#"[{"at":["a"],"append":[3]}]"#);
        assert_eq!(changes("[[1],[2]]", "[[1],[2,3]]"), r#"[{"at":[1],"append":[3]}]"#);
        assert_eq!(changes("[1,2,3]", "[2,3,4]"), r#"[{"at":[],"drop":1},{"at":[],"append":[4]}]"#);
        assert_eq!(changes("[1,2,3]", "[3]"), r#"[{"at":[],"drop":2}]"#);
        assert_eq!(changes("[1,2,3]", "[1]"), r#"[{"at":[],"set":[1]}]"#);
        assert_eq!(changes("[1,2]", "[1,2]"), "[]");
    }

    #[test]
    fn keys_are_set_and_deleted_in_their_order() {
        assert_eq!(
            changes(r#"{"a":1,"b":{"c":2}}"#, r#"{"b":{"c":3},"d":4}"#),
            r#"[{"at":["a"],"delete":true},{"at":["b","c"],"set":3},{"at":["d"],"set":4}]"#
        );
        assert_eq!(
            changes(r#"{"a":1,"b":2}"#, r#"{"b":2,"a":1}"#),
            r#"[{"at":[],"set":{"b":2,"a":1}}]"#
        );
        assert_eq!(changes(r#"{"a":1}"#, r#"{"b":2,"a":1}"#), r#"[{"at":[],"set":{"b":2,"a":1}}]"#);
        assert_eq!(changes("1", "[]"), r#"[{"at":[],"set":[]}]"#);
    }
}
