//! Input buffer that the host writes messages into. All stores share one, because a message is read by the
//! call that it is written for. So a store that is never freed retains no buffer of its own.

use std::cell::Cell;
use std::mem;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

thread_local! {
    static INPUT: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

/// Capacity of the input buffer in bytes, which the host reads from memory. Zero while a call reads or
/// reallocates the buffer, and after a trap in such a call. The module has one thread.
static CAPACITY: AtomicUsize = AtomicUsize::new(0);

/// Input buffer that a call has taken; dropping it gives the buffer back.
pub struct Input(Vec<u8>);

impl Input {
    /// Takes the buffer out of the shared slot until the returned value is dropped.
    pub fn take_buffer() -> Input {
        CAPACITY.store(0, Relaxed);
        Input(INPUT.take())
    }

    /// Returns the address of the capacity, which is constant.
    pub fn capacity_ptr() -> *const usize {
        CAPACITY.as_ptr().cast_const()
    }

    /// Replaces the buffer by a zeroed one of `length` bytes and returns its address.
    pub fn reallocate(length: usize) -> *mut u8 {
        CAPACITY.store(0, Relaxed);
        // Frees the old buffer first, so that the new one can reuse its memory.
        drop(INPUT.take());
        let mut input = Input(vec![0; length]);
        input.0.as_mut_ptr()
    }

    /// Returns the first `length` bytes, or none if the buffer is shorter.
    pub fn prefix(&self, length: usize) -> &[u8] {
        self.0.get(..length).unwrap_or_default()
    }

    /// Returns `count` little-endian words from a byte offset, or none if they are out of range.
    pub fn words(&self, offset: usize, count: usize) -> Vec<u32> {
        let words = self.0.get(offset..offset + 4 * count).unwrap_or_default().as_chunks().0;
        words.iter().map(|word| u32::from_le_bytes(*word)).collect()
    }

    /// Overwrites words from a byte offset.
    pub fn write_words(&mut self, offset: usize, words: &[u32]) {
        let target = self.0.get_mut(offset..offset + 4 * words.len()).unwrap_or_default();
        for (old, new) in target.as_chunks_mut().0.iter_mut().zip(words) {
            *old = new.to_le_bytes();
        }
    }
}

impl Drop for Input {
    fn drop(&mut self) {
        CAPACITY.store(self.0.len(), Relaxed);
        INPUT.set(mem::take(&mut self.0));
    }
}
