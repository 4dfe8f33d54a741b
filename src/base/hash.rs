//! The hash that other tools compute too.

use sha2::{Digest, Sha256};
use std::fmt::Write;

/// The SHA-256 of a text, in hexadecimal digits.
pub fn sha256(text: &str) -> String {
    let mut hash = Hash::default();
    hash.add(text);
    hash.finish()
}

/// The SHA-256 of a text that comes in pieces.
#[derive(Default)]
pub struct Hash(Sha256);

impl Hash {
    /// The next piece.
    pub fn add(&mut self, piece: &str) {
        self.0.update(piece.as_bytes());
    }

    /// In hexadecimal digits.
    pub fn finish(self) -> String {
        self.0.finalize().iter().fold(String::new(), |mut out, byte| {
            // Writing to a string does not fail.
            let _ = write!(out, "{byte:02x}");
            out
        })
    }
}
