//! The counting allocator, by itself.

#![expect(unsafe_code, reason = "an allocator has no other interface")]

use std::{
    alloc::{GlobalAlloc, Layout},
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
};

use quarry_meter::Heap;

#[test]
fn a_ceiling_refuses_and_counts_right() {
    static SMALL: Heap = Heap::new(|| {});
    let layout = Layout::from_size_align(1000, 8).expect("a layout");
    SMALL.set_ceiling(1500);
    // SAFETY: each block is freed once, with the layout it has at that time.
    unsafe {
        let block = SMALL.alloc(layout);
        assert!(!block.is_null());
        assert!(SMALL.alloc(layout).is_null());
        assert!(SMALL.realloc(block, layout, 1600).is_null());
        let block = SMALL.realloc(block, layout, 1400);
        assert_eq!(SMALL.bytes_in_use(), 1400);
        SMALL.dealloc(block, Layout::from_size_align(1400, 8).expect("a layout"));
    }
    assert_eq!(SMALL.bytes_in_use(), 0);
}

#[test]
fn a_full_heap_says_so_and_is_never_busy_outside() {
    static FULL: AtomicUsize = AtomicUsize::new(0);
    static SMALL: Heap = Heap::new(|| _ = FULL.fetch_add(1, Relaxed));
    SMALL.set_ceiling(100);
    let layout = Layout::from_size_align(64, 8).expect("a layout");
    // SAFETY: the one block that is not refused is freed with its layout.
    unsafe {
        let block = SMALL.alloc(layout);
        assert_eq!(FULL.load(Relaxed), 0);
        assert!(SMALL.alloc(layout).is_null());
        assert_eq!(FULL.load(Relaxed), 1);
        SMALL.dealloc(block, layout);
    }
    assert!(!SMALL.is_busy());
}
