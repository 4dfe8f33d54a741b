//! How much is read.

/// How much the reader takes.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Levels of maps and lists.
    pub depth: usize,
    /// Bytes of one text, all pieces together.
    pub bytes: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { depth: 512, bytes: 64 << 20 }
    }
}
