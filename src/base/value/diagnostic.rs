//! Diagnostics as JSON values.

use super::{Map, Value, put};
use crate::base::{Diagnostic, Location, Severity};

impl Diagnostic {
    /// Returns the diagnostic as a JSON object.
    pub fn to_value(&self) -> Value {
        let severity = match self.code.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Info => "info",
        };
        let mut map = Map::default();
        put(&mut map, "code", self.code.id);
        put(&mut map, "severity", severity);
        put(&mut map, "message", self.message.as_str());
        if let Some(help) = &self.help {
            put(&mut map, "help", help.as_str());
        }
        match &self.location {
            Some(Location::Span(span)) => {
                let (start, end) = (Value::from(span.start), Value::from(span.end));
                let place = [("kind", "text".into()), ("start", start), ("end", end)];
                put(&mut map, "location", Value::map(place));
            }
            Some(Location::Pointer(pointer)) => {
                let place = [("kind", "pointer".into()), ("pointer", pointer.as_str().into())];
                put(&mut map, "location", Value::map(place));
            }
            None => {}
        }
        map.into()
    }
}
