//! Size limit of a state. Values are shared in memory but not in JSON, so a few dozen commands could
//! build a state that is too large to serialize.

use super::codes;
use crate::base::diagnostic::quote;
use crate::base::json::Limits;
use crate::base::{Diagnostic, Value};

/// Remaining size of a state.
pub struct SizeBudget {
    limit: usize,
    bytes_left: usize,
}

impl SizeBudget {
    /// Returns the budget of a state with a limit and the used part of it, in bytes.
    pub fn new(limit: usize, used: usize) -> SizeBudget {
        SizeBudget { limit, bytes_left: limit.saturating_sub(used) }
    }

    /// Returns the number of used bytes.
    pub fn used(&self) -> usize {
        self.limit - self.bytes_left
    }

    /// Subtracts the size of a value, or fails if it is too large or nested too deep.
    pub fn reserve(&mut self, value: &Value, path: &str) -> Result<(), Diagnostic> {
        let reason = match self.subtract(value, Limits::default().depth) {
            Ok(()) => return Ok(()),
            Err(LimitExceeded::Bytes) => {
                format!("the state would have more than {} bytes", self.limit)
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

/// Returns the estimated size of the variables in bytes.
pub fn estimated_size(variables: &Value) -> usize {
    let mut budget = SizeBudget::new(usize::MAX, 0);
    match budget.subtract(variables, usize::MAX) {
        Ok(()) => budget.used(),
        Err(_) => usize::MAX,
    }
}
