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
//!    output are checked there.
//! 2. Code that a built-in calls back (`sort`, getters, proxies, promise reactions, the part of an
//!    async function after its first `await`) runs in a nested loop of the engine that does not
//!    yield, and native built-ins, the parser and regular expressions look at nothing. For these
//!    the caller needs means of its own to stop a program anywhere, after which only
//!    [`Realm::cut_short`] may be called; the component has them.
//! 3. The heap has a ceiling ([`MemoryMeter`]). The largest strings and buffers are refused before they
//!    meet it, as a `RangeError`.

mod awaiting;
mod builtins;
mod clock;
mod console;
mod engine;
mod errors;
mod guards;
mod host;
mod inspect;
mod json;
pub mod limits;
mod outcome;

pub use clock::{Clock, MemoryMeter};
pub use engine::{Environment, Realm, collect};
pub use outcome::{ConsoleLevel, ConsoleLine, Limit, Outcome, ScriptError, Value};
