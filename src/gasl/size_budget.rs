//! Size limit of a state. Values are shared in memory but not in JSON, so a few dozen commands could
//! build a state that is too large to serialize.

use super::codes;
use crate::base::diagnostic::quote;
use crate::base::json::Limits;
use crate::base::{Diagnostic, Value};

/// Maximum estimated size of the variables as JSON, in bytes: half of the longest JavaScript string.
pub const MAX_STATE_BYTES: usize = 1 << 28;

/// Remaining size of a state.
pub struct SizeBudget {
    bytes_left: usize,
}

impl SizeBudget {
    pub fn remaining_after(bytes: usize) -> SizeBudget {
        SizeBudget { bytes_left: MAX_STATE_BYTES.saturating_sub(bytes) }
    }

    /// Returns the number of used bytes.
    pub fn used(&self) -> usize {
        MAX_STATE_BYTES - self.bytes_left
    }

    /// Subtracts the size of a value, or fails if it is too large or nested too deep.
    pub fn reserve(&mut self, value: &Value, path: &str) -> Result<(), Diagnostic> {
        let reason = match self.subtract(value, Limits::default().depth) {
            Ok(()) => return Ok(()),
            Err(LimitExceeded::Bytes) => {
                format!("the state would have more than {MAX_STATE_BYTES} bytes")
            }
            Err(LimitExceeded::Depth) => {
                format!("it is nested deeper than {} levels", Limits::default().depth)
            }
        };
        let message = format!("the value for {} is too large: {reason}", quote(path));
        let help = "store only the needed fields, and no key that contains itself";
        Err(Diagnostic::new(codes::WRONG_VALUE, message).help(help))
    }

    /// Recursion is bounded by `levels`.
    fn subtract(&mut self, value: &Value, levels: usize) -> Result<(), LimitExceeded> {
        let bytes = value.as_text().map_or(4, str::len);
        self.bytes_left = self.bytes_left.checked_sub(bytes).ok_or(LimitExceeded::Bytes)?;
        let below = levels.checked_sub(1).ok_or(LimitExceeded::Depth);
        for item in value.as_list().unwrap_or_default() {
            self.subtract(item, below?)?;
        }
        for (key, value) in value.entries() {
            self.bytes_left = self.bytes_left.checked_sub(key.len()).ok_or(LimitExceeded::Bytes)?;
            self.subtract(value, below?)?;
        }
        Ok(())
    }
}

#[derive(Clone, Copy)]
enum LimitExceeded {
    Bytes,
    Depth,
}

/// Returns the estimated size of the variables in bytes, at most [`MAX_STATE_BYTES`].
pub fn estimated_size(variables: &Value) -> usize {
    let mut budget = SizeBudget::remaining_after(0);
    match budget.subtract(variables, usize::MAX) {
        Ok(()) => budget.used(),
        Err(_) => MAX_STATE_BYTES,
    }
}
