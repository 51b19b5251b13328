//! One turn: a program runs alone, then the instance is made ready for the next.

use std::{
    cell::RefCell,
    rc::Rc,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use quarry_script::{Clock, Environment, Heap, MemoryMeter, Realm, limits};
use wit_bindgen::{backpressure_dec, backpressure_inc, spawn};

use crate::{
    bindings::javascript::{Outcome, Program, RunError},
    convert,
};

#[global_allocator]
static HEAP: Heap = Heap::new();

/// What a program may leave behind (the engine keeps registered symbols for ever) before the
/// instance takes no further call.
const LEFT_BEHIND: usize = 8 * 1024 * 1024;

thread_local! {
    /// A realm that no program has used yet. It holds no user's data.
    static SPARE: RefCell<Option<Realm>> = const { RefCell::new(None) };
}

/// Runs one program. No second one enters this instance until the turn is over.
pub(crate) fn run(program: Program) -> Result<Outcome, RunError> {
    let timeout = convert::timeout(&program)?;
    backpressure_inc();
    let before = (&HEAP).bytes_in_use();
    HEAP.set_ceiling(before.saturating_add(limits::HEAP_CEILING));
    let outcome = realm(timeout).map(|realm| convert::outcome(realm.run(&program.source)));
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
    let environment =
        Environment { clock: Rc::new(Clocks(Instant::now())), memory: Rc::new(&HEAP) };
    Realm::new(&environment, timeout).map_err(|error| RunError::Other(error.message))
}

/// Frees what the program held, builds the next realm, opens the door again.
fn ready(timeout: Duration, before: usize) {
    quarry_script::collect();
    if (&HEAP).bytes_in_use() > before.saturating_add(LEFT_BEHIND) {
        // The door stays shut; the host disposes of an idle instance and opens another.
        return;
    }
    HEAP.set_ceiling(usize::MAX);
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
