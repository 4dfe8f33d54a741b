//! A strict streaming JSON parser (RFC 8259) that accepts its text complete or in chunks.
//!
//! [`Reader`] turns bytes into calls of a [`Sink`] and builds no values, so that a document can
//! build its own representation. [`Value::parse`](crate::base::Value::parse) builds JSON values.
//! The reader also rejects numbers out of the range of doubles and lone surrogates, because neither
//! can be written again.

mod escape;
mod limits;
mod locate;
mod number;
mod pointers_at;
mod reader;
mod scalar;
mod scan;
mod sink;
mod syntax_error;
mod write;

pub use escape::{complete_prefix_len, escape_pointer_step, unescape};
pub use limits::Limits;
pub use locate::spans_at;
pub use number::{MAX_EXACT_INTEGER, is_integer_literal, parse_number_text, parse_short_number};
pub use pointers_at::pointers_at;
pub use reader::Reader;
pub use scalar::{
    Scalar, ScalarEntries, match_key, parse_scalar, parse_scalar_outlined, raw_string,
};
pub use scan::{ascii_string_end, is_space, skip_punctuation, skip_space, unescaped_string_end};
pub use sink::{Sink, Text};
pub use syntax_error::{
    CONTROL, DEPTH, DUPLICATE_KEY, ENDED_EARLY, ESCAPE, NUMBER, RANGE, SIZE, SURROGATE, TRAILING,
    UNEXPECTED, UTF8, duplicate_key,
};
pub use write::{write_number, write_text};
