//! Memory that grows in large steps.
//!
//! By itself the allocator of the standard library asks for the pages of each allocation that it has
//! no room for, 64 kB at a time. Whenever a memory grows, V8 counts all of it as new and collects
//! its garbage soon after, so that growing to 300 MB took 40 seconds where the work takes two. Here
//! an eighth more than what there is comes along, and memories grow a few dozen times at most.

// An allocator cannot be written otherwise.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};

#[global_allocator]
static ALLOCATOR: InSteps = InSteps;

/// The allocator of the standard library, with room ahead.
struct InSteps;

/// Below this size, 16 MB, a memory grows as it is asked to.
const SMALL: usize = 256;

/// Bytes of a page.
const PAGE: usize = 65_536;

/// How many pages there are.
fn pages() -> usize {
    core::arch::wasm32::memory_size(0)
}

/// Takes room ahead and gives it back at once, which leaves it with the allocator.
fn grow_ahead() {
    let ahead = pages() / 8 * PAGE;
    if pages() < SMALL {
        return;
    }
    let Ok(layout) = Layout::from_size_align(ahead, 16) else { return };
    // Sound: the layout is not empty, and the block is given back as it came, used by nobody.
    unsafe {
        let block = System.alloc(layout);
        if !block.is_null() {
            System.dealloc(block, layout);
        }
    }
}

// Sound: every call goes to `System` as it came, and its answer back; what is done besides asks
// `System` for a block of its own.
unsafe impl GlobalAlloc for InSteps {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let before = pages();
        let block = unsafe { System.alloc(layout) };
        if pages() != before {
            grow_ahead();
        }
        block
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        let before = pages();
        let block = unsafe { System.alloc_zeroed(layout) };
        if pages() != before {
            grow_ahead();
        }
        block
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        let before = pages();
        let block = unsafe { System.realloc(block, layout, size) };
        if pages() != before {
            grow_ahead();
        }
        block
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        unsafe { System.dealloc(block, layout) }
    }
}
