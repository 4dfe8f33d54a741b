//! How large a state may become: a value that is named twice is in memory once, but in the JSON of
//! a state twice, so that a few dozen commands could make one that nobody can write.

use super::codes;
use crate::base::diagnostic::quote;
use crate::base::json::Limits;
use crate::base::{Diagnostic, Value};

/// Bytes that the variables have as JSON at most, by estimate; half of what a JavaScript text holds.
pub const MAX_STATE_BYTES: usize = 1 << 28;

/// What is left for values that come into a state.
pub struct SizeBudget {
    bytes: usize,
}

impl SizeBudget {
    /// The room in a state that has so many bytes.
    pub fn beside(bytes: usize) -> SizeBudget {
        SizeBudget { bytes: MAX_STATE_BYTES.saturating_sub(bytes) }
    }

    /// How many bytes a state of so much room has.
    pub fn filled(&self) -> usize {
        MAX_STATE_BYTES - self.bytes
    }

    /// Takes the room of a value, which is to come to a path.
    pub fn take(&mut self, value: &Value, path: &str) -> Result<(), Diagnostic> {
        let what = match self.pass(value, Limits::default().depth) {
            Ok(()) => return Ok(()),
            Err(LimitExceeded::Bytes) => {
                format!("the state would have more than {MAX_STATE_BYTES} bytes")
            }
            Err(LimitExceeded::Depth) => {
                format!("it would nest more than {} levels", Limits::default().depth)
            }
        };
        let message = format!("{} cannot take all of that: {what}", quote(path));
        let help = "keep less: the fields that are needed, or a key that does not hold itself";
        Err(Diagnostic::new(codes::WRONG_VALUE, message).help(help))
    }

    /// Recursion is bounded by the levels that are left.
    fn pass(&mut self, value: &Value, levels: usize) -> Result<(), LimitExceeded> {
        let bytes = value.as_text().map_or(4, str::len);
        self.bytes = self.bytes.checked_sub(bytes).ok_or(LimitExceeded::Bytes)?;
        let below = levels.checked_sub(1).ok_or(LimitExceeded::Depth);
        for item in value.as_list().unwrap_or_default() {
            self.pass(item, below?)?;
        }
        for (key, value) in value.entries() {
            self.bytes = self.bytes.checked_sub(key.len()).ok_or(LimitExceeded::Bytes)?;
            self.pass(value, below?)?;
        }
        Ok(())
    }
}

/// What there is too much of.
#[derive(Clone, Copy)]
enum LimitExceeded {
    Bytes,
    Depth,
}

/// The bytes that the variables of a state have, by estimate; [`MAX_STATE_BYTES`] where they are more.
pub fn estimated_size(variables: &Value) -> usize {
    let mut room = SizeBudget::beside(0);
    match room.pass(variables, usize::MAX) {
        Ok(()) => room.filled(),
        Err(_) => MAX_STATE_BYTES,
    }
}
