//! What the host writes its messages into. All stores share it, for a message is read by the very call that
//! it was written for; so a store that nobody frees keeps no room for its largest.

use std::cell::Cell;
use std::mem;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

thread_local! {
    static INPUT: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

/// How many bytes it has room for, where the host looks. None while a call reads it or makes it anew,
/// nor where one that did was cut off, by a trap. There is one thread: it is a plain number, and no call.
static ROOM: AtomicUsize = AtomicUsize::new(0);

/// The input while a call reads it.
pub struct Input(Vec<u8>);

impl Input {
    /// Takes it for as long as the answer lives.
    pub fn taken() -> Input {
        ROOM.store(0, Relaxed);
        Input(INPUT.take())
    }

    /// Where it says how many bytes it has room for; that does not move.
    pub fn room() -> *const usize {
        ROOM.as_ptr().cast_const()
    }

    /// Makes new room for so many bytes; answers where it is.
    pub fn renew(length: usize) -> *mut u8 {
        ROOM.store(0, Relaxed);
        // What there was is given back first, so that it may be a part of what comes.
        drop(INPUT.take());
        let mut input = Input(vec![0; length]);
        input.0.as_mut_ptr()
    }

    /// The first bytes of it.
    pub fn first(&self, length: usize) -> &[u8] {
        self.0.get(..length).unwrap_or_default()
    }

    /// So many words of it, from a byte on.
    pub fn words(&self, place: usize, count: usize) -> Vec<u32> {
        let words = self.0.get(place..place + 4 * count).unwrap_or_default().as_chunks().0;
        words.iter().map(|word| u32::from_le_bytes(*word)).collect()
    }

    /// Writes words over those from a byte on.
    pub fn write_words(&mut self, place: usize, words: &[u32]) {
        let room = self.0.get_mut(place..place + 4 * words.len()).unwrap_or_default();
        for (old, new) in room.as_chunks_mut().0.iter_mut().zip(words) {
            *old = new.to_le_bytes();
        }
    }
}

impl Drop for Input {
    fn drop(&mut self) {
        ROOM.store(self.0.len(), Relaxed);
        INPUT.set(mem::take(&mut self.0));
    }
}
