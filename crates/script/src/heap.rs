//! A global allocator that counts, and refuses beyond a ceiling.
//!
//! Border: it knows nothing of JavaScript. The component installs it; natively only the tests do.

use std::{
    alloc::{GlobalAlloc, Layout, System},
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
};

use crate::MemoryMeter;

/// Allocations between two questions to the watch.
const ROUND: usize = 1_024;
/// An allocation of this size asks at once.
const LARGE: usize = 32 * 1_024;

/// Counts the bytes in use. It holds numbers and no user's data.
#[derive(Debug)]
pub struct Heap {
    used: AtomicUsize,
    ceiling: AtomicUsize,
    allocations: AtomicUsize,
    overdue: fn() -> bool,
}

impl Heap {
    /// Nothing used, no ceiling. `overdue` is asked now and then, and when it says yes the
    /// allocation fails: so a built-in that allocates on and on ends soon after the limit, though
    /// nothing else can interrupt it. It must not allocate.
    #[must_use]
    pub const fn new(overdue: fn() -> bool) -> Self {
        Self {
            used: AtomicUsize::new(0),
            ceiling: AtomicUsize::new(usize::MAX),
            allocations: AtomicUsize::new(0),
            overdue,
        }
    }

    /// From now on an allocation that would leave more than this in use fails. Rust answers a
    /// failed allocation by ending the process, so this is the last line, not the first.
    pub fn set_ceiling(&self, bytes: usize) {
        self.ceiling.store(bytes, Relaxed);
    }

    fn fits(&self, more: usize) -> bool {
        let count = self.allocations.fetch_add(1, Relaxed);
        if (more >= LARGE || count.is_multiple_of(ROUND)) && (self.overdue)() {
            return false;
        }
        self.used.load(Relaxed).saturating_add(more) <= self.ceiling.load(Relaxed)
    }
}

impl MemoryMeter for &'static Heap {
    fn bytes_in_use(&self) -> usize {
        self.used.load(Relaxed)
    }
}

#[expect(
    unsafe_code,
    reason = "an allocator cannot be written without; it only counts and passes on"
)]
// SAFETY: every call goes to `System` unchanged, or is refused with null as the trait allows.
unsafe impl GlobalAlloc for Heap {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if !self.fits(layout.size()) {
            return std::ptr::null_mut();
        }
        // SAFETY: the caller's obligations are passed on.
        let block = unsafe { System.alloc(layout) };
        if !block.is_null() {
            self.used.fetch_add(layout.size(), Relaxed);
        }
        block
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller's obligations are passed on.
        unsafe { System.dealloc(block, layout) };
        self.used.fetch_sub(layout.size(), Relaxed);
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if !self.fits(size.saturating_sub(layout.size())) {
            return std::ptr::null_mut();
        }
        // SAFETY: the caller's obligations are passed on.
        let moved = unsafe { System.realloc(block, layout, size) };
        if !moved.is_null() {
            self.used.fetch_add(size, Relaxed);
            self.used.fetch_sub(layout.size(), Relaxed);
        }
        moved
    }
}
