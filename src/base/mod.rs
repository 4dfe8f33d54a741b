//! Shared parts of HAM, GASL and flow: diagnostics, spans, names, JSON values and the JSON parser.

pub mod bit_set;
pub mod bytes;
pub mod diagnostic;
#[cfg(feature = "hash")]
pub mod hash;
pub mod json;
pub mod keyed_hash;
pub mod map;
pub mod names;
pub mod prompt_text;
pub mod span;
pub mod template;
pub mod value;

pub use diagnostic::{Code, Diagnostic, DiagnosticSink, Location, Severity};
pub use span::Span;
pub use value::Value;
