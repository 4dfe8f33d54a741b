//! SHA-256.

use sha2::{Digest, Sha256};

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
        let digit = |half: u8| char::from_digit(u32::from(half), 16).unwrap_or_default();
        // `write!` for each byte takes as long as the hash of a short text.
        self.0.finalize().iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
    }
}
