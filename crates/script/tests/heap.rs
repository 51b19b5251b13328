//! The counting allocator, installed: a growing heap ends the program long before the process.

mod common;

use std::{
    alloc::{GlobalAlloc, Layout},
    rc::Rc,
    sync::Mutex,
    time::Duration,
};

use common::Ticking;
use quarry_script::{Environment, Heap, Limit, MemoryMeter, Program, run};

#[global_allocator]
static HEAP: Heap = Heap::new(|| false);

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
        let environment = Environment {
            clock: Rc::new(Ticking::default()),
            memory: Rc::new(&HEAP),
            seed: [7; 32],
        };
        let program = Program { source: source.into(), timeout: Duration::from_secs(10_000) };
        let outcome = run(&program, &environment);
        assert_eq!(outcome.limit, Some(Limit::Memory), "{source}: {:?}", outcome.error);
    }
}

#[test]
fn garbage_is_not_growth() {
    let _alone = ALONE.lock();
    let environment =
        Environment { clock: Rc::new(Ticking::default()), memory: Rc::new(&HEAP), seed: [7; 32] };
    let source =
        "let n = 0; for (let i = 0; i < 400_000; i++) { n += [i, { i }, 'x' + i].length } n".into();
    let program = Program { source, timeout: Duration::from_secs(10_000) };
    let outcome = run(&program, &environment);
    assert_eq!((outcome.limit, outcome.error), (None, None));
}

#[test]
#[expect(unsafe_code, reason = "an allocator has no other interface")]
fn a_ceiling_refuses_and_counts_right() {
    static SMALL: Heap = Heap::new(|| false);
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
fn an_overdue_heap_refuses() {
    static LATE: Heap = Heap::new(|| true);
    let small = Layout::from_size_align(16, 8).expect("a layout");
    let large = Layout::from_size_align(64 * 1024, 8).expect("a layout");
    // SAFETY: the one block that is not refused is freed with its layout.
    unsafe {
        assert!(LATE.alloc(small).is_null(), "the first of a round asks");
        let block = LATE.alloc(small);
        assert!(!block.is_null(), "the next does not");
        LATE.dealloc(block, small);
        assert!(LATE.alloc(large).is_null(), "a large one always does");
    }
}
