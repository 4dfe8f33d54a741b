//! SHA-256.

use sha2::{Digest, Sha256};
use std::fmt::Write;

/// Returns the SHA-256 of a text in hexadecimal digits.
pub fn sha256(text: &str) -> String {
    let mut hash = Hash::default();
    hash.add(text);
    hash.finish()
}

/// Incremental SHA-256 of a text.
#[derive(Default)]
pub struct Hash(Sha256);

impl Hash {
    /// Adds the next chunk.
    pub fn add(&mut self, chunk: &str) {
        self.0.update(chunk.as_bytes());
    }

    /// Returns the hash in hexadecimal digits.
    pub fn finish(self) -> String {
        self.0.finalize().iter().fold(String::new(), |mut out, byte| {
            // Writing to a string does not fail.
            let _ = write!(out, "{byte:02x}");
            out
        })
    }
}
