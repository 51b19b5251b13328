//! A global allocator that counts, and refuses beyond a ceiling.
//!
//! Border: the component installs it; natively only tests do.

use std::{
    alloc::{GlobalAlloc, Layout, System},
    sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed},
};

/// Counts the bytes in use. It holds numbers and no user's data.
#[derive(Debug)]
pub struct Heap {
    used: AtomicUsize,
    ceiling: AtomicUsize,
    /// Whether the system's allocator is at work.
    busy: AtomicBool,
    full: fn(),
}

impl Heap {
    /// Nothing used, no ceiling. `full` is called when the ceiling is met, before the allocation
    /// is refused; it need not come back, and must not allocate if it does.
    #[must_use]
    pub const fn new(full: fn()) -> Self {
        Self {
            used: AtomicUsize::new(0),
            ceiling: AtomicUsize::new(usize::MAX),
            busy: AtomicBool::new(false),
            full,
        }
    }

    /// From now on an allocation that would leave more than this in use fails. Rust answers a
    /// failed allocation by ending the process, so this is the last line, not the first.
    pub fn set_ceiling(&self, bytes: usize) {
        self.ceiling.store(bytes, Relaxed);
    }

    /// Whether an allocation is under way: not a moment to abandon what is running.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        self.busy.load(Relaxed)
    }

    /// Bytes allocated and not freed.
    #[must_use]
    pub fn bytes_in_use(&self) -> usize {
        self.used.load(Relaxed)
    }

    fn fits(&self, more: usize) -> bool {
        let fits = self.used.load(Relaxed).saturating_add(more) <= self.ceiling.load(Relaxed);
        if !fits {
            (self.full)();
        }
        fits
    }

    fn at_work<T>(&self, work: impl FnOnce() -> T) -> T {
        self.busy.store(true, Relaxed);
        let result = work();
        self.busy.store(false, Relaxed);
        result
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
        let block = self.at_work(|| unsafe { System.alloc(layout) });
        if !block.is_null() {
            self.used.fetch_add(layout.size(), Relaxed);
        }
        block
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller's obligations are passed on.
        self.at_work(|| unsafe { System.dealloc(block, layout) });
        self.used.fetch_sub(layout.size(), Relaxed);
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if !self.fits(size.saturating_sub(layout.size())) {
            return std::ptr::null_mut();
        }
        // SAFETY: the caller's obligations are passed on.
        let moved = self.at_work(|| unsafe { System.realloc(block, layout, size) });
        if !moved.is_null() {
            self.used.fetch_add(size, Relaxed);
            self.used.fetch_sub(layout.size(), Relaxed);
        }
        moved
    }
}
