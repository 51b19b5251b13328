//! The counting allocator, installed: a growing heap ends the program long before the process.

mod common;

use std::{
    alloc::{GlobalAlloc, Layout},
    rc::Rc,
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
    time::Duration,
};

use quarry_script::{Environment, Heap, Limit, MemoryMeter, Program, run};

#[global_allocator]
static HEAP: Heap = Heap::new(|| {});

/// The meter counts the whole process, so one program at a time.
static ALONE: Mutex<()> = Mutex::new(());

#[test]
fn a_growing_heap_ends_the_program() {
    let _alone = ALONE.lock();
    for source in [
        "const all = []; for (;;) all.push({ a: 1, b: [2] })",
        "const m = new Map(); for (let i = 0; ; i++) m.set(i, 'v' + i)",
        "let s = 'x'; for (;;) { s += 'yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy'; globalThis[s.length] = s }",
    ] {
        let environment = Environment { memory: Rc::new(&HEAP), ..common::environment() };
        let program = Program { source: source.into(), timeout: Duration::from_secs(10_000) };
        let outcome = run(&program, &environment);
        assert_eq!(outcome.limit, Some(Limit::Memory), "{source}: {:?}", outcome.error);
    }
}

#[test]
fn garbage_is_not_growth() {
    let _alone = ALONE.lock();
    let environment = Environment { memory: Rc::new(&HEAP), ..common::environment() };
    let source =
        "let n = 0; for (let i = 0; i < 400_000; i++) { n += [i, { i }, 'x' + i].length } n".into();
    let program = Program { source, timeout: Duration::from_secs(10_000) };
    let outcome = run(&program, &environment);
    assert_eq!((outcome.limit, outcome.error), (None, None));
}

#[test]
#[expect(unsafe_code, reason = "an allocator has no other interface")]
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
        assert_eq!((&SMALL).bytes_in_use(), 1400);
        SMALL.dealloc(block, Layout::from_size_align(1400, 8).expect("a layout"));
    }
    assert_eq!((&SMALL).bytes_in_use(), 0);
}

#[test]
#[expect(unsafe_code, reason = "an allocator has no other interface")]
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
