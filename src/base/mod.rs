//! What all three systems need, once: diagnostics, spans, names, values and the JSON reader.

pub mod bytes;
pub mod diagnostic;
#[cfg(feature = "hash")]
pub mod hash;
pub mod json;
pub mod map;
pub mod marks;
pub mod names;
pub mod slots;
pub mod span;
pub mod table;
pub mod template;
pub mod value;

pub use diagnostic::{Code, Diagnostic, Location, Severity, Tell};
pub use span::Span;
pub use value::Value;
