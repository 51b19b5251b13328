//! Stops a program wherever it is, in native code too.
//!
//! After linking, the build meters this component: every loop burns fuel, every call takes from a
//! stack allowance, and what is exported here is called when either is used up, or replaced. Built
//! by cargo alone the component works too, but is stopped only where the engine looks at its
//! limits.
//!
//! A stop abandons the frames between [`guarded`] and the place where the program was: nothing in
//! them is dropped, so what the program used may be in any state. Whoever stopped a program must
//! let the whole instance go.
//!
//! The statics are those of one program: an instance runs one at a time.
#![expect(unsafe_code, reason = "exported to the meter, and called by it, without types")]

use std::{
    cell::Cell,
    ffi::c_void,
    hint::black_box,
    sync::{
        OnceLock,
        atomic::{AtomicU8, AtomicU64, Ordering::Relaxed},
    },
    time::Duration,
};

use quarry_meter::pace::{self, Pace};
use quarry_script::{Limit, limits};
use spin_sdk::wasip3::clocks::monotonic_clock;
use wit_bindgen::yield_blocking;

use crate::turn::HEAP;

/// What a deadline leaves a program to end by itself, in nanoseconds.
const GRACE: u64 = limits::GRACE.as_nanos() as u64;

/// When the program must have ended, in nanoseconds of the monotonic clock; 0 when none runs.
static DEADLINE: AtomicU64 = AtomicU64::new(0);
static STOPPED_BY: AtomicU8 = AtomicU8::new(TIME);

const TIME: u8 = 0;
const MEMORY: u8 = 1;
const STACK: u8 = 2;
const PANIC: u8 = 3;

thread_local! {
    static PACE: Cell<Pace> = const { Cell::new(Pace::new(0)) };
}

/// What the one panic of this instance's life said.
static PANICKED: OnceLock<String> = OnceLock::new();

/// Why work did not come to its end.
pub(crate) enum Stopped {
    /// A limit.
    Limit(Limit),
    /// The engine panicked: its defect, not ours nor the program's.
    Panic(String),
}

/// Runs `work` at its pace; it ends within `timeout`, or at the ceiling of the heap, or when its
/// calls are nested too deep.
///
/// # Errors
/// What stopped it.
pub(crate) fn guarded<T>(
    timeout: Duration,
    pace: fn(u64) -> Pace,
    work: impl FnOnce() -> T,
) -> Result<T, Stopped> {
    let now = monotonic_clock::now();
    let nanos = u64::try_from(timeout.as_nanos()).unwrap_or(u64::MAX);
    PACE.set(pace(now));
    DEADLINE.store(now.saturating_add(nanos), Relaxed);
    std::panic::set_hook(Box::new(panicked));
    let mut call = Call { work: Some(work), result: None };
    // Hidden from the optimiser, which would else build a copy of `meter_catch` for this function.
    let enter = black_box(entry(&call));
    // SAFETY: `enter` is the one for this type, and the call outlives it.
    let stopped = unsafe { meter_catch(enter, (&raw mut call).cast()) } != 0;
    DEADLINE.store(0, Relaxed);
    match call.result.take() {
        Some(result) if !stopped => Ok(result),
        _ => Err(match STOPPED_BY.load(Relaxed) {
            MEMORY => Stopped::Limit(Limit::Memory),
            STACK => Stopped::Limit(Limit::Recursion),
            PANIC => Stopped::Panic(PANICKED.get().cloned().unwrap_or_default()),
            _ => Stopped::Limit(Limit::Time),
        }),
    }
}

/// The heap met its ceiling. Comes back when no program runs.
pub(crate) fn out_of_memory() {
    if DEADLINE.load(Relaxed) != 0 {
        stop(MEMORY);
    }
}

/// Rust would end the process after a panic.
fn panicked(panic: &std::panic::PanicHookInfo<'_>) {
    if DEADLINE.load(Relaxed) == 0 {
        return;
    }
    let message = panic.payload_as_str().unwrap_or_default();
    // How Rust, and the engine, say that something is to be larger than the address space.
    if message.contains("overflow") {
        stop(MEMORY);
    }
    let _ = PANICKED.set(message.to_owned());
    stop(PANIC)
}

struct Call<W, T> {
    work: Option<W>,
    result: Option<T>,
}

impl<W: FnOnce() -> T, T> Call<W, T> {
    extern "C" fn enter(call: *mut c_void) {
        // SAFETY: `guarded` passes a pointer to one of these, which nobody else uses meanwhile.
        let call = unsafe { &mut *call.cast::<Self>() };
        call.result = call.work.take().map(|work| work());
    }
}

fn entry<W: FnOnce() -> T, T>(_: &Call<W, T>) -> extern "C" fn(*mut c_void) {
    Call::<W, T>::enter
}

fn stop(by: u8) -> ! {
    STOPPED_BY.store(by, Relaxed);
    meter_throw()
}

/// Called when fuel is out: looks at the clock, and lets others have a turn now and then. Gives
/// the fuel until next time.
#[unsafe(no_mangle)]
extern "C" fn meter_out_of_fuel() -> i32 {
    let deadline = DEADLINE.load(Relaxed);
    if deadline == 0 {
        return pace::FUEL;
    }
    // The allocator is used afterwards, so it is never left halfway.
    if HEAP.is_busy() {
        return pace::SOON;
    }
    let now = monotonic_clock::now();
    if now >= deadline {
        stop(TIME);
    }
    let mut pace = PACE.get();
    if pace.look(now) {
        give_way(&mut pace, now);
    }
    PACE.set(pace);
    pace.fuel()
}

/// Lets others have their turn, and rests if the pace asks for it.
fn give_way(pace: &mut Pace, from: u64) {
    yield_blocking();
    let mut now = monotonic_clock::now();
    let turn_over = now;
    // A rest never outlasts the program's time, nor takes what it has to end in good order.
    let left = DEADLINE.load(Relaxed).saturating_sub(now).saturating_sub(GRACE);
    let rest = pace.waited(from, now).min(left);
    if rest > 0 {
        std::thread::sleep(Duration::from_nanos(rest));
        now = monotonic_clock::now();
    }
    pace.resume(turn_over, now);
}

/// Called when the stack allowance is used up.
#[unsafe(no_mangle)]
extern "C" fn meter_out_of_stack() -> ! {
    stop(STACK)
}

/// Replaced by the meter: calls the function, and gives 1 when [`meter_throw`] left it.
///
/// # Safety
/// The function must take the pointer.
#[unsafe(no_mangle)]
#[inline(never)]
unsafe extern "C" fn meter_catch(call: extern "C" fn(*mut c_void), argument: *mut c_void) -> i32 {
    call(argument);
    black_box(0)
}

/// Replaced by the meter: goes to the end of the [`meter_catch`] that is running.
#[unsafe(no_mangle)]
#[inline(never)]
extern "C" fn meter_throw() -> ! {
    // Unlike any other function, or the linker would make them one.
    black_box(0x6d65_7465_u32);
    std::process::abort()
}
