//! The system allocator with counters of its calls.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

struct Counting;

#[global_allocator]
static COUNTING: Counting = Counting;

static ALLOCATIONS: AtomicUsize = AtomicUsize::new(0);
static BYTES: AtomicUsize = AtomicUsize::new(0);

/// Totals of allocations.
#[derive(Clone, Copy)]
pub struct Allocations {
    /// Number of allocations and reallocations.
    pub allocations: usize,
    /// Allocated bytes.
    pub bytes: usize,
}

impl Allocations {
    /// Returns the totals since the program began.
    pub fn now() -> Allocations {
        Allocations { allocations: ALLOCATIONS.load(Relaxed), bytes: BYTES.load(Relaxed) }
    }

    /// Returns the totals since `before`.
    pub fn since(before: Allocations) -> Allocations {
        let now = Allocations::now();
        Allocations {
            allocations: now.allocations - before.allocations,
            bytes: now.bytes - before.bytes,
        }
    }
}

fn count(bytes: usize) {
    ALLOCATIONS.fetch_add(1, Relaxed);
    BYTES.fetch_add(bytes, Relaxed);
}

// SAFETY: every call is forwarded unchanged to the system allocator; counting does not allocate.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        // SAFETY: the caller guarantees what the system allocator requires, also below.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        unsafe { System.dealloc(memory, layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size.saturating_sub(layout.size()));
        unsafe { System.realloc(memory, layout, size) }
    }
}
