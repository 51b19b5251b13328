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

/// Most elements that a built-in of ours takes from an array or an iterable: no heap holds more.
pub const ARRAY: u64 = (HEAP as u64) / 16;

/// Largest `ArrayBuffer`, in bytes.
pub const BUFFER: u64 = (HEAP as u64) / 2;

/// Nested calls of script functions, about what browsers and Node allow. The engine keeps their
/// frames on its heap; a built-in that calls back (`[1].map(f)`) uses the native stack as well,
/// which the caller must watch.
pub const RECURSION: usize = 10_000;

/// Registers of all frames together; a frame of ordinary code takes ten to thirty.
pub const STACK: usize = RECURSION * 64;

/// How long after its time a program may still be in native code before the caller stops it from
/// outside. At the top level the engine stops it itself.
pub const GRACE: Duration = Duration::from_millis(10);

/// Engine steps between two looks at the clock: some ten microseconds.
pub const SLICE: u32 = 4_000;
