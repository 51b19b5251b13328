//! Virtual time: what is due when. Of two things due at once the one that was put in first is first.

use quarry_types::Timestamp;
use std::collections::BTreeMap;

/// When every scenario begins.
const START: Timestamp = Timestamp(1_792_532_100_000);

/// What is due, in order of time.
#[derive(Debug)]
pub struct Agenda<T> {
    now: Timestamp,
    entries: BTreeMap<(Timestamp, u64), T>,
    put_in: u64,
}

impl<T> Agenda<T> {
    /// Nothing is due.
    pub fn new() -> Agenda<T> {
        Agenda { now: START, entries: BTreeMap::new(), put_in: 0 }
    }

    /// The present.
    pub fn now(&self) -> Timestamp {
        self.now
    }

    /// Puts in what is due in so many milliseconds.
    pub fn put(&mut self, after_ms: u64, entry: T) {
        self.put_in += 1;
        let at = Timestamp(self.now.0.saturating_add(after_ms));
        self.entries.insert((at, self.put_in), entry);
    }

    /// Goes on to what is due next.
    pub fn next(&mut self) -> Option<T> {
        let ((at, _), entry) = self.entries.pop_first()?;
        self.now = at;
        Some(entry)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_goes_from_one_entry_to_the_next() {
        let mut agenda = Agenda::new();
        for (after, entry) in [(20, "c"), (10, "a"), (10, "b")] {
            agenda.put(after, entry);
        }
        let mut seen = Vec::new();
        while let Some(entry) = agenda.next() {
            seen.push((agenda.now().since(START), entry));
        }
        assert_eq!(seen, [(10, "a"), (10, "b"), (20, "c")]);
    }
}
