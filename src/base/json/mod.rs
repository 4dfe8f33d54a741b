//! A strict one-pass JSON reader (RFC 8259) that takes its text whole or in pieces.
//!
//! [`Reader`] turns bytes into calls of a [`Sink`]. It keeps no value, so a document may build its
//! own representation while the text goes by; [`parse`] builds plain [`serde_json::Value`]s for
//! whatever is not in a hurry. Beyond the RFC it refuses numbers that no double can hold and lone
//! surrogates: neither could be written out again.

mod decimal;
mod escape;
mod fault;
mod locate;
mod number;
mod reader;
mod scan;
mod tree;
mod write;

pub use escape::pointer_step;
pub use fault::{
    CONTROL, DEPTH, DUPLICATE_KEY, ENDED_EARLY, ESCAPE, NUMBER, RANGE, SIZE, SURROGATE, TRAILING,
    UNEXPECTED, UTF8,
};
pub use locate::span_at;
pub use number::number_of;
pub use reader::{Limits, Reader, Sink, Text};
pub use tree::{duplicate_key, parse, pointer_at};
pub use write::{to_text, write_number, write_text};
