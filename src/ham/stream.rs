//! Streams: messages that arrive in chunks (rule 7). Each chunk is an atomic update of the nodes
//! that it completes.

use super::apply::StreamWrites;
use super::codes;
use super::update::Update;
use crate::base::Diagnostic;
use crate::base::json::{Limits, Reader};

/// State of a stream.
pub struct Stream {
    pub reader: Reader,
    pub update: Update,
    pub writes: StreamWrites,
    pub ended: bool,
}

impl Stream {
    pub fn new(limits: Limits) -> Stream {
        Stream {
            reader: Reader::new(limits),
            update: Update::for_stream(),
            writes: StreamWrites::default(),
            ended: false,
        }
    }
}

/// Builds the error for a chunk after the end.
pub fn ended() -> Diagnostic {
    Diagnostic::new(codes::STREAM_ENDED, "this stream has ended")
        .help("open a new stream; the nodes of this one stay")
}
