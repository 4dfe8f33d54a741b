//! Estimates of memory, for limits.

use super::{Map, Value};

/// Estimated memory of a value without its content, in bytes: the same on each machine.
const VALUE_BYTES: usize = 24;

/// Estimated memory of an entry of a map without its key and value, in bytes.
pub const ENTRY_BYTES: usize = 48;

/// Estimated memory of a string or list without its content, in bytes.
pub const HEADER_BYTES: usize = 16;

impl Value {
    /// Returns the estimated memory in bytes, as if the value shared none of it.
    pub fn memory(&self) -> usize {
        let content = match self {
            Value::Text(text) => HEADER_BYTES + text.len(),
            Value::List(items) => HEADER_BYTES + items.iter().map(Value::memory).sum::<usize>(),
            Value::Map(map) => HEADER_BYTES + memory_of(map),
            Value::Null | Value::Bool(_) | Value::Number(_) => 0,
        };
        VALUE_BYTES + content
    }
}

/// Returns the estimated memory of the entries of a map in bytes.
pub fn memory_of(map: &Map) -> usize {
    map.iter().map(|(key, value)| ENTRY_BYTES + key.len() + value.memory()).sum()
}
