//! Limits of the input.

/// Limits of a JSON text.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Maximum nesting depth of maps and lists.
    pub depth: usize,
    /// Maximum size of the text in bytes, all chunks together.
    pub bytes: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { depth: 512, bytes: 64 << 20 }
    }
}
