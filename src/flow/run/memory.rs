//! Limit of the memory of a run: a workflow of a few lines could double a text in a loop.

use super::step::Invocation;

/// Default of the maximum memory in bytes.
const DEFAULT_LIMIT: usize = 64 << 20;

/// Estimated memory of the values of a run in bytes.
#[derive(Debug)]
pub struct RunMemory {
    limit: usize,
    /// Inputs of the workflow, outputs of its nodes, and traces of the workflows that nodes run.
    held_bytes: usize,
    /// Arguments of running calls.
    pub running: usize,
}

impl RunMemory {
    pub fn new(limit: Option<usize>) -> RunMemory {
        RunMemory { limit: limit.unwrap_or(DEFAULT_LIMIT), held_bytes: 0, running: 0 }
    }

    pub fn limit(&self) -> usize {
        self.limit
    }

    /// Adds the memory of values if the limit allows it; returns `false` otherwise.
    pub fn try_hold(&mut self, memory: usize) -> bool {
        let held = self.held_bytes.saturating_add(memory);
        let is_within = held <= self.limit;
        if is_within {
            self.held_bytes = held;
        }
        is_within
    }

    /// Adds the memory of values that the run has to hold.
    pub fn add(&mut self, memory: usize) {
        self.held_bytes = self.held_bytes.saturating_add(memory);
    }

    /// Replaces the memory of a value that the run has to hold.
    pub fn replace(&mut self, before: usize, after: usize) {
        self.held_bytes = self.held_bytes.saturating_sub(before).saturating_add(after);
    }

    /// Returns whether a call can begin whose arguments need this memory.
    pub fn has_room_for_call(&self, memory: usize) -> bool {
        self.running.saturating_add(memory) <= self.limit
    }

    /// Subtracts the arguments of a call that ends.
    pub fn end_call(&mut self, invocation: &mut Invocation) {
        let memory = std::mem::take(&mut invocation.memory);
        self.running = self.running.saturating_sub(memory);
    }
}
