//! One turn: a program runs alone, in a realm that no other program has used.
#![expect(unsafe_code, reason = "exported to the build, and called by it")]

use std::{
    cell::RefCell,
    hint::black_box,
    mem,
    rc::Rc,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use quarry_meter::{Heap, pace::Pace};
use quarry_script::{Clock, Environment, MemoryMeter, Realm, limits};
use spin_sdk::wasip3::clocks::monotonic_clock;
use wit_bindgen::{backpressure_dec, backpressure_inc};

use crate::{
    bindings::javascript::{Outcome, Program, RunError},
    convert,
    meter::{self, Stopped},
};

#[global_allocator]
pub(crate) static HEAP: Heap = Heap::new(meter::out_of_memory);

/// What a program may leave behind (the engine keeps registered symbols for ever) before the
/// instance takes no further call.
const LEFT_BEHIND: usize = 8 * 1024 * 1024;

/// Memory that an instance starts with beyond its realm, in bytes: most programs then need no more, and
/// to be given more takes two calls of the host's system.
const ROOM: usize = 512 * 1024;

/// How long tidying up after a program may take.
const TIDYING: Duration = Duration::from_millis(500);

thread_local! {
    /// A realm that no program has used yet. It holds no user's data.
    static READY: RefCell<Option<Realm>> = const { RefCell::new(None) };
}

/// The build calls this, and every instance starts with the memory that it leaves: making a realm
/// takes longer than most programs. It is gone from the finished component. What the realm asks of
/// the world (time, chance) it asks as it runs.
#[unsafe(no_mangle)]
extern "C" fn meter_prepare() {
    match build() {
        Ok(realm) => {
            READY.set(Some(realm));
            drop(black_box(Vec::<u8>::with_capacity(ROOM)));
        }
        // So that the build fails.
        Err(_) => std::process::abort(),
    }
}

/// The right to be alone in the instance: the host sends the next call elsewhere while it is held.
pub(crate) struct Turn(());

impl Turn {
    /// To be called before a call first waits for anything, or a second one slips in.
    pub(crate) fn begin() -> Self {
        backpressure_inc();
        Self(())
    }

    /// Runs the one program of this instance: the door stays shut, and the host disposes of an
    /// instance that takes no call as soon as the answer has left. What the program did to the
    /// instance, and where it was stopped, goes with it.
    pub(crate) fn run_only(self, program: &Program) -> Result<Outcome, RunError> {
        let (outcome, realm) = run(program)?;
        mem::forget((self, realm));
        Ok(outcome)
    }

    /// Runs one program of several, for whoever composes this component into another and keeps the
    /// instance. A program that ran into a limit in the middle of native code leaves it unusable:
    /// then the door stays shut.
    pub(crate) fn run_one(self, program: &Program) -> Result<Outcome, RunError> {
        let before = HEAP.bytes_in_use();
        let (outcome, realm) = run(program)?;
        let tidied = realm.is_some_and(|realm| {
            let tidy = || {
                drop(realm);
                quarry_script::collect();
            };
            meter::guarded(TIDYING, Pace::without_rest, tidy).is_ok()
        });
        if !tidied || HEAP.bytes_in_use() > before.saturating_add(LEFT_BEHIND) {
            mem::forget(self);
        }
        Ok(outcome)
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        backpressure_dec();
    }
}

/// Runs a program. Gives the realm too, if the program came to its end in good order.
fn run(program: &Program) -> Result<(Outcome, Option<Realm>), RunError> {
    let timeout = convert::timeout(program)?;
    let mut realm = READY.take().map_or_else(build, Ok)?;
    HEAP.set_ceiling(HEAP.bytes_in_use().saturating_add(limits::HEAP_CEILING));
    let work = || realm.run(&program.source, timeout);
    let ended = meter::guarded(timeout + limits::GRACE, Pace::new, work);
    HEAP.set_ceiling(usize::MAX);
    let stopped = match ended {
        Ok(outcome) => return Ok((convert::outcome(outcome), Some(realm))),
        Err(stopped) => stopped,
    };
    let outcome = match stopped {
        Stopped::Limit(limit) => realm.cut_short(limit),
        Stopped::Panic(message) => realm.failed(&message),
    };
    mem::forget(realm);
    Ok((convert::outcome(outcome), None))
}

fn build() -> Result<Realm, RunError> {
    let environment =
        Environment { clock: Rc::new(Clocks), memory: Rc::new(Used), seed: rand::random };
    Realm::new(&environment).map_err(|error| RunError::Other(error.message))
}

struct Used;

impl MemoryMeter for Used {
    fn bytes_in_use(&self) -> usize {
        HEAP.bytes_in_use()
    }
}

struct Clocks;

impl Clock for Clocks {
    fn now(&self) -> Duration {
        Duration::from_nanos(monotonic_clock::now())
    }

    fn wall_millis(&self) -> i64 {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
    }
}
