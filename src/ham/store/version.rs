//! Versions of a list or map, restored from the deltas of the history.

use crate::ham::arena::{Arena, MapVersion, Value};

/// Content of a list of pointers or of a map.
pub enum Version {
    List(Vec<u32>),
    Map(MapVersion),
}

impl Version {
    /// Returns the version with a value; any other value than a list or map is an empty list.
    pub fn new(arena: &Arena, value: Value) -> Version {
        match value {
            Value::Map(map) => Version::Map(MapVersion::new(arena.entries(map))),
            list => Version::List(arena.previous_list(list, &[])),
        }
    }

    /// Returns to the version before this one, given its stored form.
    pub fn apply(&mut self, arena: &Arena, stored: Value) {
        match (stored, &mut *self) {
            (Value::MapDelta(delta), Version::Map(map)) => map.apply(arena, delta),
            (Value::Delta(_), Version::List(list)) => *list = arena.previous_list(stored, list),
            _ => *self = Version::new(arena, stored),
        }
    }
}
