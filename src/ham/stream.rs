//! Streams: messages that arrive in chunks (rule 7). Each chunk is an atomic update of the nodes
//! that it completes.

use super::apply::StreamWrites;
use super::arena::NodeRef;
use super::codes;
use super::history::Revision;
use super::update::Update;
use crate::base::Diagnostic;
use crate::base::json::{Limits, Reader};

/// State of a stream.
pub struct Stream {
    pub reader: Reader,
    pub update: Update,
    pub writes: StreamWrites,
    pub ended: bool,
    /// Whether texts are applied while they arrive.
    pub shows_partial_text: bool,
    /// Text that is still arriving, as far as it was applied.
    pub partial_text: Option<PartialText>,
    /// Byte offset of a string that repeats the text it replaces. It is applied when it is complete.
    pub repeated_at: Option<usize>,
}

/// Part of a text that was applied before its end.
pub struct PartialText {
    /// Byte offset of the string in the text of the stream.
    pub start: usize,
    /// Raw bytes of the string that were applied.
    pub consumed: usize,
    /// Bytes of the applied text.
    pub len: u32,
    pub node: NodeRef,
    /// Revision of the first part. The later ones belong to the same undo step.
    pub revision: Revision,
}

impl Stream {
    pub fn new(limits: Limits, shows_partial_text: bool) -> Stream {
        Stream {
            reader: Reader::new(limits),
            update: Update::for_stream(),
            writes: StreamWrites::default(),
            ended: false,
            shows_partial_text,
            partial_text: None,
            repeated_at: None,
        }
    }
}

/// Builds the error for a chunk after the end.
pub fn stream_ended_error() -> Diagnostic {
    Diagnostic::new(codes::STREAM_ENDED, "this stream has ended")
        .help("open a new stream; the nodes of this one stay")
}
