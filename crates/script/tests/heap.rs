//! The counting allocator, installed: a growing heap ends the program long before the process.

mod common;

use std::{rc::Rc, sync::Mutex};

use quarry_meter::Heap;
use quarry_script::{Environment, Limit, MemoryMeter};

struct Used;

impl MemoryMeter for Used {
    fn bytes_in_use(&self) -> usize {
        HEAP.bytes_in_use()
    }
}

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
        let environment = Environment { memory: Rc::new(Used), ..common::environment() };
        let outcome = common::run(source, 10_000, &environment);
        assert_eq!(outcome.limit, Some(Limit::Memory), "{source}: {:?}", outcome.error);
    }
}

#[test]
fn garbage_is_not_growth() {
    let _alone = ALONE.lock();
    let environment = Environment { memory: Rc::new(Used), ..common::environment() };
    let source =
        "let n = 0; for (let i = 0; i < 400_000; i++) { n += [i, { i }, 'x' + i].length } n";
    let outcome = common::run(source, 10_000, &environment);
    assert_eq!((outcome.limit, outcome.error), (None, None));
}
