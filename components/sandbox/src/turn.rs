//! One turn: a program runs alone, then the instance is made ready for the next.

use std::{
    cell::RefCell,
    rc::Rc,
    sync::atomic::{AtomicU64, Ordering::Relaxed},
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use quarry_script::{Clock, Environment, Heap, MemoryMeter, Realm, limits};
use spin_sdk::wasip3::clocks::monotonic_clock;
use wit_bindgen::{backpressure_dec, backpressure_inc, spawn};

use crate::{
    bindings::javascript::{Outcome, Program, RunError},
    convert,
};

#[global_allocator]
static HEAP: Heap = Heap::new(overdue);

/// When the present turn's program must have ended, in nanoseconds of the monotonic clock; 0
/// between turns. The allocator looks at it.
static OVERDUE_AT: AtomicU64 = AtomicU64::new(0);

fn overdue() -> bool {
    let at = OVERDUE_AT.load(Relaxed);
    at != 0 && monotonic_clock::now() > at
}

/// What a program may leave behind (the engine keeps registered symbols for ever) before the
/// instance takes no further call.
const LEFT_BEHIND: usize = 8 * 1024 * 1024;

thread_local! {
    /// A realm that no program has used yet. It holds no user's data.
    static SPARE: RefCell<Option<Realm>> = const { RefCell::new(None) };
}

/// The right to be alone in the instance: the host sends the next call elsewhere while it is held.
pub(crate) struct Turn {
    /// Whether the door is opened later, by [`ready`].
    kept: bool,
}

impl Turn {
    /// To be called before a call first waits for anything, or a second one slips in.
    pub(crate) fn begin() -> Self {
        backpressure_inc();
        Self { kept: false }
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        if !self.kept {
            backpressure_dec();
        }
    }
}

/// Runs one program. No second one enters this instance until the turn is over.
pub(crate) fn run(mut turn: Turn, program: &Program) -> Result<Outcome, RunError> {
    let timeout = convert::timeout(program)?;
    turn.kept = true;
    let before = (&HEAP).bytes_in_use();
    HEAP.set_ceiling(before.saturating_add(limits::HEAP_CEILING));
    // The engine ends what it can at the limit itself; this is for what it cannot.
    let grace = timeout / 20;
    let nanos = u64::try_from((timeout + grace).as_nanos()).unwrap_or(u64::MAX);
    OVERDUE_AT.store(monotonic_clock::now().saturating_add(nanos), Relaxed);
    let outcome = realm(timeout).map(|realm| convert::outcome(realm.run(&program.source)));
    OVERDUE_AT.store(0, Relaxed);
    HEAP.set_ceiling(usize::MAX);
    // After the answer has left: nobody waits for this.
    spawn(async move { ready(timeout, before) });
    outcome
}

/// The spare realm when it fits, else a new one.
fn realm(timeout: Duration) -> Result<Realm, RunError> {
    let spare = SPARE.take().filter(|spare| spare.timeout() == timeout);
    spare.map_or_else(|| build(timeout), Ok)
}

fn build(timeout: Duration) -> Result<Realm, RunError> {
    let environment = Environment {
        clock: Rc::new(Clocks(Instant::now())),
        memory: Rc::new(&HEAP),
        seed: rand::random(),
    };
    Realm::new(&environment, timeout).map_err(|error| RunError::Other(error.message))
}

/// Frees what the program held, builds the next realm, opens the door again.
fn ready(timeout: Duration, before: usize) {
    quarry_script::collect();
    if (&HEAP).bytes_in_use() > before.saturating_add(LEFT_BEHIND) {
        // The door stays shut; the host disposes of an idle instance and opens another.
        return;
    }
    SPARE.set(build(timeout).ok());
    backpressure_dec();
}

/// The host's clocks.
struct Clocks(Instant);

impl Clock for Clocks {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }

    fn wall_millis(&self) -> i64 {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
    }
}
