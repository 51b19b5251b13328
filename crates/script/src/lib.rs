//! Runs one untrusted JavaScript program within limits.
//!
//! Border: no clock, no randomness of its own, no I/O. The caller passes a [`Clock`], a
//! [`MemoryMeter`] and a seed; the program sees the language's built-ins, `console` and what is in
//! `builtins` (`Intl`, `structuredClone`, `URL`, …), nothing of the host.
//!
//! Each call runs in a fresh realm. A realm may be built ahead of its call ([`Realm::new`]), never
//! used twice: [`Realm::run`] consumes it.
//!
//! What bounds a program, from the inside out:
//!
//! 1. At the top level the engine yields every [`limits::SLICE`] steps; the clock, the heap and the
//!    output are checked there. This is exact.
//! 2. Code that a built-in calls back (`sort`, getters, proxies, promise reactions, the part of an
//!    async function after its first `await`) runs in a nested loop of the engine that does not
//!    yield. It is bounded by a count of instructions for the whole program, see
//!    [`limits::INSTRUCTIONS_PER_SECOND`]. This is approximate in time.
//! 3. Native built-ins run to their end. The largest strings and buffers are refused as a
//!    `RangeError`; everything else meets the ceiling of [`Heap`], which ends the process of the
//!    sandbox, not of its caller. Regular expressions that backtrack without allocating, and
//!    searches in huge sparse arrays, are not bounded in time yet.

mod builtins;
mod clock;
mod console;
mod engine;
mod errors;
mod guards;
mod heap;
mod host;
mod inspect;
mod json;
pub mod limits;
mod outcome;

pub use clock::{Clock, MemoryMeter};
pub use engine::{Environment, Realm, collect, run};
pub use heap::Heap;
pub use outcome::{ConsoleLevel, ConsoleLine, Limit, Outcome, Program, ScriptError, Value};
