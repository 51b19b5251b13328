//! The bytes of a file while it is read: they are there until time is over.
//!
//! hayro asks for them whenever it looks an object up, and for nothing else between two of them: so this is where a file
//! whose pages all refer to what takes long is left off.

use crate::pace::Clock;
use hayro_font::hayro_syntax::object::Dict;
use std::collections::BTreeMap;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

/// Look-ups between two looks at the clock.
const EVERY: u32 = 16;

pub struct Source {
    bytes: Vec<u8>,
    /// Where bodies begin of streams that were counted, by where their dictionaries do.
    bodies: BTreeMap<usize, usize>,
    clock: Clock,
    /// In milliseconds of the clock.
    until: AtomicU64,
    looks: AtomicU32,
    is_over: AtomicBool,
    /// As many bytes of nothing: places that were found are looked up without a question.
    nothing: OnceLock<Vec<u8>>,
}

impl Source {
    pub fn new(
        bytes: Vec<u8>,
        bodies: BTreeMap<usize, usize>,
        clock: Clock,
        until: Duration,
    ) -> Self {
        Source {
            bytes,
            bodies,
            clock,
            until: AtomicU64::new(milliseconds(until)),
            looks: AtomicU32::new(0),
            is_over: AtomicBool::new(false),
            nothing: OnceLock::new(),
        }
    }

    /// Whether it was counted before what a stream unpacks to that has this dictionary and this body. What was encrypted, or
    /// packed in another stream, lies elsewhere.
    pub fn has_counted(&self, dict: &Dict<'_>, body: &[u8]) -> bool {
        let file = self.bytes.as_ptr().addr();
        let place = |bytes: &[u8]| bytes.as_ptr().addr().wrapping_sub(file);
        self.bodies.get(&place(dict.data())) == Some(&place(body))
    }

    /// Whether the time was over before something was looked up.
    pub fn was_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }

    /// Gives more time. What was over stays so: something was not found.
    pub fn extend(&self, until: Duration) {
        self.until.store(milliseconds(until), Ordering::Relaxed);
    }

    /// Looks at the clock.
    pub fn is_over(&self) -> bool {
        let now = milliseconds((self.clock)());
        if now > self.until.load(Ordering::Relaxed) {
            self.is_over.store(true, Ordering::Relaxed);
        }
        self.was_over()
    }
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

impl AsRef<[u8]> for Source {
    fn as_ref(&self) -> &[u8] {
        let looks = self.looks.fetch_add(1, Ordering::Relaxed);
        if self.was_over() || (looks.is_multiple_of(EVERY) && self.is_over()) {
            // A word of no object, and without a blank in it: nothing is searched for long.
            return self.nothing.get_or_init(|| vec![b'x'; self.bytes.len()]);
        }
        &self.bytes
    }
}
