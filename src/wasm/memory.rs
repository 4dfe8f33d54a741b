//! Allocator that grows the memory in large steps.
//!
//! The allocator of the standard library grows the memory by the pages of one allocation, 64 kB at a time. V8 counts
//! a grown memory as newly allocated and collects garbage soon after: growing to 300 MB took 40 seconds instead of
//! two. This allocator grows by at least an eighth, so that a memory grows a few dozen times at most.

// An allocator needs unsafe code.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use wasm_bindgen::prelude::*;

/// Whether an allocation has failed, after which the program is aborted.
static HAS_FAILED: AtomicBool = AtomicBool::new(false);

/// Returns whether an allocation has failed since the last call.
#[wasm_bindgen]
pub fn take_allocation_failure() -> bool {
    HAS_FAILED.swap(false, Relaxed)
}

/// Notes a failure; called with each result of the allocator.
fn note_failure(block: *mut u8) -> *mut u8 {
    if block.is_null() {
        set_failure();
    }
    block
}

/// Notes that an allocation has failed or is larger than any memory.
#[cold]
pub fn set_failure() {
    HAS_FAILED.store(true, Relaxed);
}

#[global_allocator]
static ALLOCATOR: GrowAheadAllocator = GrowAheadAllocator;

/// The allocator of the standard library, which grows the memory ahead.
struct GrowAheadAllocator;

/// Size in pages, 16 MB, below which the memory grows as requested.
const GROW_AHEAD_MIN_PAGES: usize = 256;

/// Size of a page in bytes.
const PAGE_BYTES: usize = 65_536;

/// Returns the size of the memory in pages.
fn memory_pages() -> usize {
    core::arch::wasm32::memory_size(0)
}

/// Allocates and frees a block, whose pages stay with the allocator.
fn grow_ahead() {
    let ahead = memory_pages() / 8 * PAGE_BYTES;
    if memory_pages() < GROW_AHEAD_MIN_PAGES {
        return;
    }
    let Ok(layout) = Layout::from_size_align(ahead, 16) else { return };
    // SAFETY: the layout is not empty, and the block is freed unused with the same layout.
    unsafe {
        let block = System.alloc(layout);
        if !block.is_null() {
            System.dealloc(block, layout);
        }
    }
}

// SAFETY: every call is forwarded to `System`, and its result is returned; `grow_ahead` uses a separate block.
unsafe impl GlobalAlloc for GrowAheadAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let before = memory_pages();
        let block = unsafe { System.alloc(layout) };
        if memory_pages() != before {
            grow_ahead();
        }
        note_failure(block)
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        let before = memory_pages();
        let block = unsafe { System.alloc_zeroed(layout) };
        if memory_pages() != before {
            grow_ahead();
        }
        note_failure(block)
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        let before = memory_pages();
        let block = unsafe { System.realloc(block, layout, size) };
        if memory_pages() != before {
            grow_ahead();
        }
        note_failure(block)
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        unsafe { System.dealloc(block, layout) }
    }
}
