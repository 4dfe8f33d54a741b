//! JSON values that are cheap to clone, because strings, lists and maps are shared and copied on write. Snapshots
//! of a state, rows of a result and scopes of a template are such values.

mod canonical;
mod diagnostic;
mod memory;
mod read;
mod write;

pub use canonical::canonical_json;
pub use memory::{ENTRY_BYTES, HEADER_BYTES, memory_of};
pub use read::StringCache;
pub use write::{excerpt, excerpt_of};

use super::map::OrderedMap;
use indexmap::map::Iter;
use std::rc::Rc;

/// A JSON value.
#[derive(Clone, Debug, Default)]
pub enum Value {
    /// `null`.
    #[default]
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A finite number.
    Number(f64),
    /// A string.
    Text(Rc<str>),
    /// A list.
    List(Rc<Vec<Value>>),
    /// A map, in insertion order.
    Map(Rc<Map>),
}

/// Compares shared parts by pointer first, because consecutive states share most of their values.
impl PartialEq for Value {
    fn eq(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Null, Value::Null) => true,
            (Value::Bool(a), Value::Bool(b)) => a == b,
            (Value::Number(a), Value::Number(b)) => a == b,
            (Value::Text(a), Value::Text(b)) => a == b,
            (Value::List(a), Value::List(b)) => Rc::ptr_eq(a, b) || a == b,
            (Value::Map(a), Value::Map(b)) => Rc::ptr_eq(a, b) || a == b,
            _ => false,
        }
    }
}

/// Entries of a map in insertion order, which equality ignores.
pub type Map = OrderedMap<Value>;

/// Inserts a value into a map, or replaces the value of the key.
pub fn put(map: &mut Map, key: &str, value: impl Into<Value>) {
    put_value(map, key, value.into());
}

#[inline(never)]
fn put_value(map: &mut Map, key: &str, value: Value) {
    map.insert(key.into(), value);
}

impl Value {
    /// Returns a list of these items.
    pub fn list(items: Vec<Value>) -> Value {
        Value::List(Rc::new(items))
    }

    /// Returns a map of these entries.
    pub fn map<const N: usize>(entries: [(&str, Value); N]) -> Value {
        Value::map_of(entries.into())
    }

    /// Returns a map of these entries; see [`Value::map`].
    #[inline(never)]
    pub fn map_of(entries: Vec<(&str, Value)>) -> Value {
        let mut map = Map::default();
        for (key, value) in entries {
            put(&mut map, key, value);
        }
        Value::from(map)
    }

    /// Returns the value of a key; `None` if it is missing or this is not a map.
    #[inline(never)]
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.as_map()?.get(key)
    }

    /// Returns the value of a key for modification.
    pub fn get_mut(&mut self, key: &str) -> Option<&mut Value> {
        self.as_map_mut()?.get_mut(key)
    }

    /// Returns the entries, if this is a map.
    pub fn as_map(&self) -> Option<&Map> {
        match self {
            Value::Map(map) => Some(map),
            _ => None,
        }
    }

    /// Returns an iterator over the entries, which is empty if this is not a map.
    pub fn entries(&self) -> Iter<'_, Rc<str>, Value> {
        self.as_map().map(Map::iter).unwrap_or_default()
    }

    /// Returns the entries for modification; other owners keep the old ones.
    pub fn as_map_mut(&mut self) -> Option<&mut Map> {
        match self {
            Value::Map(map) => Some(Rc::make_mut(map)),
            _ => None,
        }
    }

    /// Returns the items, if this is a list.
    pub fn as_list(&self) -> Option<&[Value]> {
        match self {
            Value::List(items) => Some(items),
            _ => None,
        }
    }

    /// Returns the items for modification; other owners keep the old ones.
    pub fn as_list_mut(&mut self) -> Option<&mut Vec<Value>> {
        match self {
            Value::List(items) => Some(Rc::make_mut(items)),
            _ => None,
        }
    }

    /// Returns the string, if this is one.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the string for sharing, if this is one.
    pub fn as_shared(&self) -> Option<&Rc<str>> {
        match self {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the number, if this is one.
    pub fn as_number(&self) -> Option<f64> {
        match self {
            Value::Number(number) => Some(*number),
            _ => None,
        }
    }

    /// Returns the boolean, if this is one.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// Returns whether this is `null`.
    pub fn is_null(&self) -> bool {
        matches!(self, Value::Null)
    }

    /// Returns whether both are the same JSON, in any order of keys and with any sign of zero.
    pub fn is_same(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::List(a), Value::List(b)) => {
                a.len() == b.len() && a.iter().zip(&**b).all(|(a, b)| a.is_same(b))
            }
            (Value::Map(a), Value::Map(b)) => {
                let same = |(key, a): (&Rc<str>, &Value)| b.get(key).is_some_and(|b| a.is_same(b));
                a.len() == b.len() && a.iter().all(same)
            }
            _ => self == other,
        }
    }

    /// Returns the type name: `null`, `boolean`, `number`, `string`, `list` or `map`.
    pub fn kind(&self) -> &'static str {
        match self {
            Value::Null => "null",
            Value::Bool(_) => "boolean",
            Value::Number(_) => "number",
            Value::Text(_) => "string",
            Value::List(_) => "list",
            Value::Map(_) => "map",
        }
    }
}

// Not inlined, because they allocate and have hundreds of callers.
impl From<&str> for Value {
    #[inline(never)]
    fn from(text: &str) -> Value {
        Value::Text(text.into())
    }
}

impl From<Rc<str>> for Value {
    fn from(text: Rc<str>) -> Value {
        Value::Text(text)
    }
}

/// Shares the text.
impl From<&Rc<str>> for Value {
    fn from(text: &Rc<str>) -> Value {
        Value::Text(text.clone())
    }
}

impl From<String> for Value {
    #[inline(never)]
    fn from(text: String) -> Value {
        Value::Text(text.into())
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Value {
        Value::Bool(value)
    }
}

impl From<f64> for Value {
    /// Converts a number; one that is not finite becomes `null`.
    fn from(number: f64) -> Value {
        if number.is_finite() { Value::Number(number) } else { Value::Null }
    }
}

impl From<usize> for Value {
    fn from(count: usize) -> Value {
        Value::Number(count as f64)
    }
}

impl From<Vec<Value>> for Value {
    fn from(items: Vec<Value>) -> Value {
        Value::list(items)
    }
}

impl From<Map> for Value {
    fn from(map: Map) -> Value {
        Value::Map(Rc::new(map))
    }
}

impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Value {
        value.map_or(Value::Null, Into::into)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::json::Limits;

    pub(super) fn value(text: &str) -> Value {
        Value::parse(text.as_bytes(), Limits::default()).0.unwrap()
    }

    #[test]
    fn reads_and_writes() {
        let text = r#"{"b":[1,-2.5,"x\n",null,true],"a":{},"é":[]}"#;
        assert_eq!(value(text).to_text(), text);
        assert_eq!(Value::parse(b"[1,", Limits::default()).0, None);
        assert_eq!(value(r#"{"a":1,"a":2}"#).to_text(), r#"{"a":2}"#);
    }

    #[test]
    fn copies_are_shared_until_one_changes() {
        let first = value(r#"{"a": [1, 2], "b": 3}"#);
        let mut second = first.clone();
        if let Some(b) = second.get_mut("b") {
            *b = Value::Null;
        }
        assert_eq!(first.to_text(), r#"{"a":[1,2],"b":3}"#);
        assert_eq!(second.to_text(), r#"{"a":[1,2],"b":null}"#);
        let (Some(Value::List(a)), Some(Value::List(b))) = (first.get("a"), second.get("a")) else {
            panic!("lists")
        };
        assert!(Rc::ptr_eq(a, b));
    }

    #[test]
    fn maps_are_equal_in_any_order() {
        assert_eq!(value(r#"{"a": 1, "b": 2}"#), value(r#"{"b": 2, "a": 1}"#));
    }
}
