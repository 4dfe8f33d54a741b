//! Order of calls. In a fixed order it does not depend on the order of the responses.

use std::collections::VecDeque;

/// Order in which a run makes its calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CallOrder {
    /// A call is made as soon as its node can run.
    #[default]
    Arrival,
    /// The order is the same for each order of the responses.
    Fixed,
}

/// Calls of a run with a fixed order.
#[derive(Debug, Default)]
pub struct CallSequence {
    /// Invocations in the order of their calls, from the first one whose response was not handled.
    pub called: VecDeque<usize>,
    /// Number of responses that wait for those of earlier calls.
    pub held_count: usize,
    priority: u32,
}

impl CallSequence {
    pub fn push(&mut self, invocation: usize) {
        self.called.push_back(invocation);
    }

    /// Returns the priority of the next invocation: first in, first out.
    pub fn next_priority(&mut self) -> u32 {
        self.priority = self.priority.saturating_add(1);
        self.priority
    }
}
