//! One turn: a program runs alone, then the instance is made ready for the next.

use std::{
    cell::RefCell,
    rc::Rc,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use quarry_meter::{Heap, pace::Pace};
use quarry_script::{Clock, Environment, MemoryMeter, Realm, limits};
use wit_bindgen::{backpressure_dec, backpressure_inc, spawn, yield_async};

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

/// How long tidying up after a program may take.
const TIDYING: Duration = Duration::from_millis(500);

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

/// What a program leaves behind. When this is dropped, the instance is made ready for the next call:
/// not before the answer has left, because that takes as long as all a program held has to be freed.
#[must_use]
pub(crate) struct Left {
    realm: Option<Realm>,
    before: usize,
}

impl Drop for Left {
    fn drop(&mut self) {
        if let Some(realm) = self.realm.take() {
            let before = self.before;
            spawn(async move {
                // What was spawned before, and what the host has to do for the answer, comes first.
                yield_async().await;
                ready(realm, before);
            });
        }
    }
}

/// Runs one program. No second one enters this instance until what it left is tidied up.
///
/// A program that ran into a limit in the middle of native code leaves the instance unusable: then
/// the door stays shut, the host disposes of the idle instance and opens another.
pub(crate) fn run(mut turn: Turn, program: &Program) -> Result<(Outcome, Left), RunError> {
    let timeout = convert::timeout(program)?;
    let mut realm = realm(timeout)?;
    turn.kept = true;
    let before = HEAP.bytes_in_use();
    HEAP.set_ceiling(before.saturating_add(limits::HEAP_CEILING));
    let ended = meter::guarded(timeout + limits::GRACE, Pace::new, || realm.run(&program.source));
    HEAP.set_ceiling(usize::MAX);
    let (outcome, realm) = match ended {
        Ok(outcome) => (outcome, Some(realm)),
        Err(stopped) => {
            let outcome = match stopped {
                Stopped::Limit(limit) => realm.cut_short(limit),
                Stopped::Panic(message) => realm.failed(&message),
            };
            std::mem::forget(realm);
            (outcome, None)
        }
    };
    Ok((convert::outcome(outcome), Left { realm, before }))
}

/// The spare realm when it fits, else a new one.
fn realm(timeout: Duration) -> Result<Realm, RunError> {
    let spare = SPARE.take().filter(|spare| spare.timeout() == timeout);
    spare.map_or_else(|| build(timeout), Ok)
}

fn build(timeout: Duration) -> Result<Realm, RunError> {
    let environment = Environment {
        clock: Rc::new(Clocks(Instant::now())),
        memory: Rc::new(Used),
        seed: rand::random(),
    };
    Realm::new(&environment, timeout).map_err(|error| RunError::Other(error.message))
}

/// Frees what the program held, builds the next realm, opens the door again; or leaves it shut.
fn ready(realm: Realm, before: usize) {
    let timeout = realm.timeout();
    let tidied = meter::guarded(TIDYING, Pace::without_rest, || {
        drop(realm);
        quarry_script::collect();
    });
    if tidied.is_ok() && HEAP.bytes_in_use() <= before.saturating_add(LEFT_BEHIND) {
        SPARE.set(build(timeout).ok());
        backpressure_dec();
    }
}

struct Used;

impl MemoryMeter for Used {
    fn bytes_in_use(&self) -> usize {
        HEAP.bytes_in_use()
    }
}

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
