//! Versions of a list or map, restored from the deltas of the history.

use crate::ham::arena::{Arena, Value};
use crate::ham::shape::KeyRef;

/// Content of a list of pointers or of a map.
pub enum Version {
    List(Vec<u32>),
    Map(Vec<(KeyRef, Value)>),
}

impl Version {
    /// Returns the version with a value; any other value than a list or map is an empty list.
    pub fn new(arena: &Arena, value: Value) -> Version {
        match value {
            Value::Map(map) => Version::Map(arena.entries(map).collect()),
            list => Version::List(arena.previous_list(list, &[])),
        }
    }

    /// Returns the version before this one, given its stored form.
    pub fn before(&self, arena: &Arena, stored: Value) -> Version {
        match (stored, self) {
            (Value::MapDelta(delta), Version::Map(after)) => {
                Version::Map(arena.previous_map(delta, after))
            }
            (Value::Delta(_), Version::List(after)) => {
                Version::List(arena.previous_list(stored, after))
            }
            _ => Version::new(arena, stored),
        }
    }
}
