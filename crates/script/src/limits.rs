//! The limits, in one place, each with its reason.

use std::time::Duration;

/// Longest source, in bytes.
pub const SOURCE: usize = 1024 * 1024;

/// Console and value together, in bytes.
pub const OUTPUT: usize = 256 * 1024;

/// What a console line costs beyond its text, so that empty lines are not free.
pub const LINE_OVERHEAD: usize = 16;

/// How much the heap may grow during one call, in bytes.
pub const HEAP: usize = 64 * 1024 * 1024;

/// Growth at which the allocator refuses, in bytes. A vector that doubles holds half again as much
/// for a moment; with less than this, honest programs near [`HEAP`] would crash instead of ending.
pub const HEAP_CEILING: usize = HEAP + HEAP / 2;

/// Longest string that one built-in may make, in UTF-16 units: half the heap.
pub const STRING: u64 = (HEAP as u64) / 4;

/// Longest array that a built-in walks: no heap holds more elements, only a sparse array claims to.
pub const ARRAY: u64 = (HEAP as u64) / 16;

/// Largest `ArrayBuffer`, in bytes.
pub const BUFFER: u64 = (HEAP as u64) / 2;

/// Nested calls. The engine keeps script frames on its heap, so this many are safe; a built-in that
/// calls back (`[1].map(f)`) also uses the native stack, of which wasmtime allows 512 KiB. That is
/// enough for some two hundred such levels; beyond, the sandbox crashes and its caller is told.
pub const RECURSION: usize = 2_000;

/// Nested brackets in the source, those in strings and comments counted too: the parser uses the
/// native stack, which is exhausted at a hundred levels of the worst kind.
pub const NESTING: usize = 90;

/// Registers of all frames together; a frame of ordinary code takes ten to thirty.
pub const STACK: usize = RECURSION * 64;

/// Engine steps between two looks at the clock: some ten microseconds.
pub const SLICE: u32 = 4_000;

/// Instructions that a program may use for each second of its limit. The compiled engine manages
/// 30 to 110 million in a second (measured); only an empty loop is cut before its time by this, and
/// nested code that neither allocates nor calls may run two to three times its limit.
pub const INSTRUCTIONS_PER_SECOND: u64 = 80_000_000;

/// The instruction count for a time limit.
#[must_use]
pub fn instructions(timeout: Duration) -> usize {
    let millis = u64::try_from(timeout.as_millis()).unwrap_or(u64::MAX);
    let count = millis.saturating_mul(INSTRUCTIONS_PER_SECOND / 1_000);
    usize::try_from(count).unwrap_or(usize::MAX)
}
