//! A bound on what is under way at once, over all instances.
//!
//! Instances share nothing but the store, so the bound is so many places in it. Whoever begins
//! takes a free one, with a lease that is renewed while it goes on and runs out when it dies.
//!
//! A database lets one alone take a place. In a store without compare-and-swap, [`Search`] looks for
//! one: two who look in the same instant can take the same place, and then the bound is passed by
//! one. Whoever has taken a place looks again, so that this takes a write between another's look
//! and write, and its second look before that write.

use quarry_types::Timestamp;

/// How long a lease lasts without being renewed. Milliseconds.
pub const LEASE_MS: u64 = 60_000;

/// When whoever found no place may try again. Milliseconds.
pub const RETRY_AFTER_MS: u64 = 5_000;

/// How long whoever found all places taken says so without looking for one, in milliseconds: many who are refused must not
/// keep the store busy with that.
const REMEMBERED_MS: u64 = 250;

/// Until when is remembered that all places were taken, where they were now.
#[must_use]
pub const fn full_until(now: Timestamp) -> Timestamp {
    Timestamp(now.0.saturating_add(REMEMBERED_MS))
}

/// Whether it is remembered yet. A clock that was set back makes nobody wait for the time of the old one.
#[must_use]
pub const fn is_full(until: Timestamp, now: Timestamp) -> bool {
    let left = until.since(now);
    0 < left && left <= REMEMBERED_MS
}

/// Between two renewals. Milliseconds.
pub(crate) const RENEW_MS: u64 = 20_000;

const MAGIC: &str = "quarry-slot 1";

/// Who has a place, and until when.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lease {
    /// When it runs out.
    pub until: Timestamp,
    /// The id of whoever has it.
    pub holder: String,
}

impl Lease {
    /// A lease that begins now.
    #[must_use]
    pub fn new(holder: &str, now: Timestamp) -> Self {
        Lease { until: Timestamp(now.0.saturating_add(LEASE_MS)), holder: holder.to_owned() }
    }

    /// The latest time until which a lease that is given now can last: two clocks may differ. What
    /// lasts longer is no lease, else it would last for ever.
    #[must_use]
    pub const fn latest(now: Timestamp) -> Timestamp {
        Timestamp(now.0.saturating_add(2 * LEASE_MS))
    }

    /// The value to write.
    #[must_use]
    pub fn write(&self) -> Vec<u8> {
        format!("{MAGIC} {} {}", self.until.0, self.holder).into_bytes()
    }

    /// Reads a value; none when it is no lease.
    #[must_use]
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let words = std::str::from_utf8(bytes).ok()?.strip_prefix(MAGIC)?.strip_prefix(' ')?;
        let (until, holder) = words.split_once(' ')?;
        Some(Lease { until: Timestamp(until.parse().ok()?), holder: holder.to_owned() })
    }

    /// Whether what is at a place is this holder's to renew or to give back: one that ran out may be another's by now.
    #[must_use]
    pub fn is_of(holder: &str, value: Option<&[u8]>) -> bool {
        value.and_then(Lease::read).is_some_and(|lease| lease.holder == holder)
    }
}

/// What a search for a place does next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found {
    /// Read this place and tell what is there.
    Look(u32),
    /// Write this at the place, then look at it again.
    Take(u32, Vec<u8>),
    /// The place is taken.
    Mine(u32),
    /// All places are taken.
    Full,
}

/// A search for a free place.
#[derive(Debug)]
pub struct Search {
    holder: String,
    places: u32,
    at: u32,
    looked: u32,
    has_taken: bool,
}

impl Search {
    /// Among so many places, from a random one on, so that those who begin at once look at
    /// different ones.
    #[must_use]
    pub fn new(holder: &str, places: u32, random: u64) -> Self {
        let at = u32::try_from(random % u64::from(places.max(1))).unwrap_or(0);
        Search { holder: holder.to_owned(), places, at, looked: 0, has_taken: false }
    }

    /// The first thing to do.
    #[must_use]
    pub const fn first(&self) -> Found {
        if self.places == 0 { Found::Full } else { Found::Look(self.at) }
    }

    /// Told what is at the place that it looks at.
    pub fn seen(&mut self, value: Option<&[u8]>, now: Timestamp) -> Found {
        let lease = value.and_then(Lease::read).filter(|lease| lease.until > now);
        match lease.filter(|lease| lease.until <= Lease::latest(now)) {
            Some(lease) if self.has_taken && lease.holder == self.holder => Found::Mine(self.at),
            None if !self.has_taken => {
                self.has_taken = true;
                Found::Take(self.at, Lease::new(&self.holder, now).write())
            }
            _ => {
                self.has_taken = false;
                self.looked += 1;
                self.at = if self.at + 1 >= self.places { 0 } else { self.at + 1 };
                if self.looked >= self.places { Found::Full } else { Found::Look(self.at) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    type Store = BTreeMap<u32, Vec<u8>>;

    fn search(store: &mut Store, holder: &str, places: u32, random: u64, now: u64) -> Option<u32> {
        let mut search = Search::new(holder, places, random);
        let mut found = search.first();
        loop {
            found = match found {
                Found::Look(at) => search.seen(store.get(&at).map(Vec::as_slice), Timestamp(now)),
                Found::Take(at, value) => {
                    store.insert(at, value);
                    Found::Look(at)
                }
                Found::Mine(at) => return Some(at),
                Found::Full => return None,
            };
        }
    }

    #[test]
    fn there_are_as_many_places_as_there_are() {
        let mut store = Store::new();
        for n in 0..7 {
            assert!(search(&mut store, &format!("ask{n}"), 7, n * n, 10).is_some());
        }
        assert_eq!(store.len(), 7);
        assert_eq!(search(&mut store, "late", 7, 3, 10), None);
        assert_eq!(search(&mut store, "none", 0, 3, 10), None);
        // Leases that are not renewed run out.
        assert!(search(&mut store, "later", 7, 3, 10 + LEASE_MS).is_some());
        assert_eq!(store.len(), 7);
    }

    #[test]
    fn the_only_free_place_is_found_from_any_other() {
        for (free, from) in [(0, 2), (1, 2), (2, 0)] {
            let taken = (0..3).filter(|place| *place != free);
            let taken = taken.map(|place| (place, Lease::new("other", Timestamp(1)).write()));
            assert_eq!(search(&mut taken.collect(), "a", 3, from, 1), Some(free));
        }
    }

    #[test]
    fn who_is_written_over_looks_on() {
        let mut first = Search::new("a", 2, 0);
        let mut second = Search::new("b", 2, 0);
        let now = Timestamp(1);
        let (Found::Take(0, _), Found::Take(0, b)) =
            (first.seen(None, now), second.seen(None, now))
        else {
            panic!("both look in the same instant");
        };
        assert_eq!(second.seen(Some(&b), now), Found::Mine(0));
        assert_eq!(first.seen(Some(&b), now), Found::Look(1));
        assert!(matches!(first.seen(None, now), Found::Take(1, _)));
    }

    #[test]
    fn a_place_that_ran_out_and_that_another_took_is_the_others() {
        let mut store = Store::new();
        assert_eq!(search(&mut store, "late", 1, 0, 10), Some(0));
        let is_of = |store: &Store, holder| Lease::is_of(holder, store.get(&0).map(Vec::as_slice));
        assert!(is_of(&store, "late"));
        // Until somebody takes it, it can still be renewed.
        assert_eq!(search(&mut store, "next", 1, 0, 9 + LEASE_MS), None);
        assert_eq!(search(&mut store, "next", 1, 0, 10 + LEASE_MS), Some(0));
        assert!(is_of(&store, "next") && !is_of(&store, "late"));
        assert!(!Lease::is_of("next", None) && !Lease::is_of("next", Some(b"no lease")));
    }

    #[test]
    fn that_all_are_taken_is_remembered_for_a_moment_however_the_clock_is_set() {
        let at = Timestamp(3_600_000);
        let remembers = |ms: u64| is_full(full_until(at), Timestamp(ms));
        assert!(remembers(at.0) && remembers(at.0 + REMEMBERED_MS - 1));
        assert!(!remembers(at.0 + REMEMBERED_MS) && !remembers(u64::MAX));
        // Half an hour back, and by as little as tells.
        assert!(!remembers(at.0 - 1_800_000) && !remembers(at.0 - 1) && !remembers(0));
        assert!(!is_full(Timestamp(0), at), "nobody has looked yet");
    }

    #[test]
    fn what_is_no_lease_holds_no_place() {
        for value in ["", "quarry-slot 1 18446744073709551615 x", "quarry-slot 2 5 x", "x"] {
            let found = Search::new("a", 1, 0).seen(Some(value.as_bytes()), Timestamp(1));
            assert!(matches!(found, Found::Take(0, _)), "{value}");
        }
    }
}
