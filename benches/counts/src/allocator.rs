//! The allocator of the system, with a count of what was asked of it.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

struct Counting;

#[global_allocator]
static COUNTING: Counting = Counting;

static ALLOCATIONS: AtomicUsize = AtomicUsize::new(0);
static BYTES: AtomicUsize = AtomicUsize::new(0);

/// What was asked for.
#[derive(Clone, Copy)]
pub struct Taken {
    /// A memory that grows counts once more.
    pub allocations: usize,
    pub bytes: usize,
}

impl Taken {
    /// Since the program began.
    pub fn now() -> Taken {
        Taken { allocations: ALLOCATIONS.load(Relaxed), bytes: BYTES.load(Relaxed) }
    }

    /// Since then.
    pub fn since(before: Taken) -> Taken {
        let now = Taken::now();
        Taken { allocations: now.allocations - before.allocations, bytes: now.bytes - before.bytes }
    }
}

fn note(bytes: usize) {
    ALLOCATIONS.fetch_add(1, Relaxed);
    BYTES.fetch_add(bytes, Relaxed);
}

// SAFETY: every call is handed on to the allocator of the system as it came; counting allocates nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        note(layout.size());
        // SAFETY: the caller's promise is the one that is asked for here; so it is below.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        note(layout.size());
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        unsafe { System.dealloc(memory, layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        note(size.saturating_sub(layout.size()));
        unsafe { System.realloc(memory, layout, size) }
    }
}
