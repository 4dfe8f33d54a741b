//! A strict one-pass JSON reader (RFC 8259) that takes its text whole or in pieces.
//!
//! [`Reader`] turns bytes into calls of a [`Sink`]. It keeps no value, so a document may build its
//! own representation while the text goes by; [`Value::parse`](crate::base::Value::parse) builds
//! plain values for whatever is not in a hurry. Beyond the RFC it refuses numbers that no double can hold and lone
//! surrogates: neither could be written out again.

mod escape;
mod fault;
mod limits;
mod locate;
mod number;
mod pointer;
mod reader;
mod scalar;
mod scan;
mod sink;
mod write;

pub use escape::{pointer_step, unescape};
pub use fault::{
    CONTROL, DEPTH, DUPLICATE_KEY, ENDED_EARLY, ESCAPE, NUMBER, RANGE, SIZE, SURROGATE, TRAILING,
    UNEXPECTED, UTF8, duplicate_key,
};
pub use limits::Limits;
pub use locate::spans_at;
pub use number::{number_of, short_number};
pub use pointer::pointers_at;
pub use reader::Reader;
pub use scalar::{Scalar, ScalarEntries, guess_end, plain_value, plain_value_at, raw_text};
pub use scan::{bare_end, is_space, plain_end, skip_punctuation, skip_space};
pub use sink::{Sink, Text};
pub use write::{write_number, write_text};
