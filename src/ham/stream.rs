//! A message that arrives in pieces (rule 7): each piece is one atomic update of the nodes that it
//! completed.

use super::apply::StreamWrites;
use super::codes;
use super::update::Update;
use crate::base::Diagnostic;
use crate::base::json::{Limits, Reader};

/// One document arriving in pieces.
pub struct Stream {
    pub reader: Reader,
    pub update: Update,
    /// The nodes it has set: it does not delete them again.
    pub writes: StreamWrites,
    pub ended: bool,
}

impl Stream {
    /// A stream at its start.
    pub fn new(limits: Limits) -> Stream {
        Stream {
            reader: Reader::new(limits),
            update: Update::for_stream(),
            writes: StreamWrites::default(),
            ended: false,
        }
    }
}

/// The error for a piece that comes after the end.
pub fn ended() -> Diagnostic {
    Diagnostic::new(codes::STREAM_ENDED, "this stream has ended")
        .help("start a new stream; what this one has shown stays")
}
