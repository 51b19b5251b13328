//! How often one caller may ask: so many requests in any window of so many seconds.
//!
//! Border: what is stored, the clock and the limit in; a verdict and what to store out.
//! The store has no compare-and-swap, so of two requests that read at the same moment one is not
//! counted: the limit is a fence against overuse, not an exact meter.
//!
//! A window is counted in spans, and a span counts until its last second has left the window. So
//! a request may be held back for one span longer than need be, but never more are let in.
//!
//! Callers share a fixed number of stored values, and each write drops what has left. So the
//! store does not grow with the number of callers, and nothing has to be swept.

use std::collections::BTreeMap;

use crate::Denial;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// Stored values at most.
const SLOTS: u16 = 4_096;
/// Callers that one of them counts at most.
const SLOT_CALLERS: usize = 64;
/// Spans that a window has at most, so that a caller takes little room.
const WINDOW_SPANS: u64 = 12;

/// The operator's limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rate {
    /// Requests that one caller may make in a window; 0: as many as it likes.
    pub requests: u32,
    /// Its length in seconds, at least 1.
    pub window_seconds: u64,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
struct Slot(BTreeMap<String, Spans>);

/// What is kept about one caller: spans in which requests were admitted, oldest first, and how
/// many. A span is named by its number since 1970.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
struct Spans(Vec<(u64, u32)>);

/// Whether a request may go on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// It may; store this under the caller's key.
    Admitted(Vec<u8>),
    /// It may not; a retry after so many seconds may.
    Refused {
        /// At least 1.
        retry_after: u64,
    },
}

impl Rate {
    /// Reads the variables `rate_limit_requests` and `rate_limit_window_seconds` (empty: 60);
    /// none when there is no limit.
    ///
    /// # Errors
    /// [`Denial::Misconfigured`] when one is no number: a limit that was misspelt must not turn
    /// into none.
    pub fn read(requests: &str, window_seconds: &str) -> Result<Option<Rate>, Denial> {
        let wrong = |name: &str| {
            Denial::Misconfigured(format!("this server's {name} must be a whole number"))
        };
        let requests = match requests.trim() {
            "" => 0,
            text => text.parse().map_err(|_| wrong("rate_limit_requests"))?,
        };
        let window_seconds = match window_seconds.trim() {
            "" => 60,
            text => text.parse().map_err(|_| wrong("rate_limit_window_seconds"))?,
        };
        Ok((requests > 0).then_some(Rate { requests, window_seconds }))
    }

    /// Decides on a request. `stored` is what the store has under the caller's key.
    #[must_use]
    pub fn count(self, stored: Option<&[u8]>, caller: &CallerKey, now_seconds: u64) -> Verdict {
        // What cannot be read is of another version and counts for nothing.
        let slot = stored.and_then(|bytes| serde_json::from_slice::<Slot>(bytes).ok());
        let mut slot = slot.unwrap_or_default();
        let spans = slot.0.get(&caller.tag).cloned().unwrap_or_default();
        match self.decide(spans, now_seconds) {
            Ok(spans) => {
                slot.0.retain(|_, kept| !self.within(kept, now_seconds).0.is_empty());
                slot.put(&caller.tag, spans);
                Verdict::Admitted(serde_json::to_vec(&slot).unwrap_or_default())
            }
            Err(retry_after) => Verdict::Refused { retry_after },
        }
    }

    const fn span(self) -> u64 {
        let span = self.window_seconds.div_ceil(WINDOW_SPANS);
        if span == 0 { 1 } else { span }
    }

    /// The second from which a span counts no more: its last second has then left the window.
    const fn left_at(self, span: u64) -> u64 {
        let last = span.saturating_mul(self.span()).saturating_add(self.span() - 1);
        last.saturating_add(if self.window_seconds == 0 { 1 } else { self.window_seconds })
    }

    /// What still counts. Spans of the future come from a clock that was set back.
    fn within(self, spans: &Spans, now_seconds: u64) -> Spans {
        let current = now_seconds / self.span();
        let counts =
            |(span, _): &&(u64, u32)| *span <= current && self.left_at(*span) > now_seconds;
        Spans(spans.0.iter().filter(counts).copied().collect())
    }

    /// The spans to keep, or the seconds after which there is room.
    fn decide(self, spans: Spans, now_seconds: u64) -> Result<Spans, u64> {
        let mut spans = self.within(&spans, now_seconds);
        let mut used = spans.requests();
        let limit = u64::from(self.requests);
        if used < limit {
            let current = now_seconds / self.span();
            match spans.0.last_mut() {
                Some((span, count)) if *span == current => *count = count.saturating_add(1),
                _ => spans.0.push((current, 1)),
            }
            return Ok(spans);
        }
        for (span, count) in &spans.0 {
            used = used.saturating_sub(u64::from(*count));
            if used < limit {
                return Err(self.left_at(*span).saturating_sub(now_seconds).max(1));
            }
        }
        // A limit of 0 is no limit and is never asked; let it be a whole window.
        Err(self.window_seconds.max(1))
    }
}

impl Slot {
    /// Keeps a caller's spans. In a full slot whoever asked least goes: many who ask once cannot
    /// wash away one who asks often.
    fn put(&mut self, tag: &str, spans: Spans) {
        self.0.remove(tag);
        while self.0.len() >= SLOT_CALLERS {
            let least = self.0.iter().min_by_key(|(_, kept)| kept.requests());
            let Some(least) = least.map(|(tag, _)| tag.clone()) else { break };
            self.0.remove(&least);
        }
        self.0.insert(tag.to_owned(), spans);
    }
}

impl Spans {
    fn requests(&self) -> u64 {
        self.0.iter().map(|(_, count)| u64::from(*count)).sum()
    }
}

/// Names a caller in the store without saying who it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallerKey {
    /// The key of the stored value that counts it.
    slot: String,
    /// The caller within.
    tag: String,
}

impl CallerKey {
    /// From the e-mail address if it was verified, else from the client's address with its port
    /// as the host reports it. IPv6 counts by /64, which one customer has at least.
    #[must_use]
    pub fn new(email: Option<&str>, client_address: Option<&str>) -> CallerKey {
        let mut digest = Sha256::new();
        match email {
            Some(email) => {
                digest.update(b"email:");
                digest.update(email.to_ascii_lowercase());
            }
            None => {
                digest.update(b"address:");
                digest.update(network(client_address.unwrap_or_default()));
            }
        }
        Self::of(digest)
    }

    /// Names whoever guesses at a client's address, apart from what it asks.
    #[must_use]
    pub fn guessing(client_address: Option<&str>) -> CallerKey {
        let mut digest = Sha256::new();
        digest.update(b"guesses:");
        digest.update(network(client_address.unwrap_or_default()));
        Self::of(digest)
    }

    fn of(digest: Sha256) -> CallerKey {
        let hash: [u8; 32] = digest.finalize().into();
        let (tag, rest) = hash.split_at(16);
        let slot = rest.iter().take(2).fold(0, |number, byte| number << 8 | u16::from(*byte));
        CallerKey {
            slot: format!("gateway:rate:{:03x}", slot % SLOTS),
            tag: tag.iter().map(|byte| format!("{byte:02x}")).collect(),
        }
    }

    /// The key in the store.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.slot
    }
}

fn network(address: &str) -> String {
    use std::net::{IpAddr, SocketAddr};
    let ip = address.parse::<SocketAddr>().map(|socket| socket.ip()).or_else(|_| address.parse());
    match ip.map(|ip| ip.to_canonical()) {
        Ok(IpAddr::V4(ip)) => ip.to_string(),
        Ok(IpAddr::V6(ip)) => format!("{:x}/64", ip.to_bits() >> 64),
        Err(_) => address.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const RATE: Rate = Rate { requests: 3, window_seconds: 60 };

    /// Makes requests at these seconds and says which were admitted.
    fn admitted(rate: Rate, seconds: &[u64]) -> Vec<bool> {
        let mut stored = Spans::default();
        let decide = |second: &u64| match rate.decide(stored.clone(), *second) {
            Ok(spans) => {
                stored = spans;
                true
            }
            Err(_) => false,
        };
        seconds.iter().map(decide).collect()
    }

    #[test]
    fn variables_are_read_or_refused() {
        assert_eq!(Rate::read("", ""), Ok(None));
        assert!(matches!(Rate::read("0", "x"), Err(Denial::Misconfigured(_))));
        assert_eq!(Rate::read("3", ""), Ok(Some(RATE)));
        assert_eq!(Rate::read("3", "9"), Ok(Some(Rate { requests: 3, window_seconds: 9 })));
        assert!(matches!(Rate::read("many", ""), Err(Denial::Misconfigured(_))));
    }

    #[test]
    fn so_many_and_no_more() {
        assert_eq!(admitted(RATE, &[0, 1, 2, 3, 59]), [true, true, true, false, false]);
    }

    #[test]
    fn the_window_slides() {
        // Spans of 5 s: that of second 57 ends with 59, which has left after 119.
        assert_eq!(
            admitted(RATE, &[50, 57, 58, 59, 113, 114, 118, 119, 119, 120]),
            [true, true, true, false, false, true, false, true, true, false]
        );
        // Spans of one second: exact.
        let exact = Rate { requests: 2, window_seconds: 10 };
        assert_eq!(admitted(exact, &[0, 3, 9, 10, 12, 13]), [true, true, false, true, false, true]);
    }

    fn rates() -> impl Strategy<Value = Rate> {
        let windows = prop_oneof![1_u64..90, Just(3_600), Just(u64::MAX)];
        (1_u32..9, windows).prop_map(|(requests, window_seconds)| Rate { requests, window_seconds })
    }

    proptest! {
        /// Whenever they come: no window has more than the limit.
        #[test]
        fn no_window_has_more_than_the_limit(
            rate in rates(),
            waits in prop::collection::vec(prop_oneof![Just(0_u64), 1_u64..12, 1_u64..900], 1..80),
        ) {
            let seconds: Vec<u64> = waits
                .iter()
                .scan(1_800_000_000, |now, wait| {
                    *now += wait;
                    Some(*now)
                })
                .collect();
            let admitted = admitted(rate, &seconds);
            let taken: Vec<u64> =
                seconds.iter().zip(admitted).filter(|(_, taken)| *taken).map(|(at, _)| *at).collect();
            for (number, begin) in taken.iter().enumerate() {
                let end = begin.saturating_add(rate.window_seconds);
                let inside = taken[number..].iter().filter(|at| **at < end).count();
                prop_assert!(inside <= rate.requests as usize, "{inside} from {begin}: {taken:?}");
            }
        }

        /// The wait that is told is the shortest, and not much longer than the window.
        #[test]
        fn retry_after_is_when_there_is_room(
            rate in rates(),
            waits in prop::collection::vec(0_u64..30, 1..40),
        ) {
            prop_assume!(rate.window_seconds < u64::MAX);
            let mut stored = Spans::default();
            let mut now = 1_800_000_000;
            for wait in waits {
                now += wait;
                match rate.decide(stored.clone(), now) {
                    Ok(spans) => stored = spans,
                    Err(retry_after) => {
                        prop_assert!(retry_after < rate.window_seconds + rate.span());
                        prop_assert!(rate.decide(stored.clone(), now + retry_after - 1).is_err());
                        prop_assert!(rate.decide(stored.clone(), now + retry_after).is_ok());
                    }
                }
            }
        }
    }

    #[test]
    fn strange_clocks_and_windows_do_no_harm() {
        let future = Spans(vec![(1_200, 9)]);
        assert!(RATE.decide(future, 60).is_ok());
        let zero = Rate { requests: 2, window_seconds: 0 };
        assert_eq!(admitted(zero, &[0, 0, 0, 1]), [true, true, false, true]);
        let full = Spans(vec![(6, u32::MAX), (6, u32::MAX)]);
        assert!(RATE.decide(full, 30).is_err());
    }

    #[test]
    fn a_caller_is_its_address_or_its_network() {
        let key = CallerKey::new;
        let same = key(None, Some("192.0.2.7:4000"));
        assert_eq!(same, key(None, Some("192.0.2.7:4001")));
        assert_eq!(same, key(None, Some("[::ffff:192.0.2.7]:9")));
        assert_ne!(same, key(None, Some("192.0.2.8:4000")));
        assert_eq!(key(None, Some("[2001:db8::1]:9")), key(None, Some("[2001:db8::2:3]:9")));
        assert_ne!(key(None, Some("[2001:db8::1]:9")), key(None, Some("[2001:db8:0:1::1]:9")));
        assert_eq!(key(Some("A@b.c"), None), key(Some("a@B.c"), Some("192.0.2.7:1")));
        assert!(!format!("{same:?}").contains("192"));
    }

    /// Counts a request into a store that has one value for each key.
    fn counted(store: &mut BTreeMap<String, Vec<u8>>, caller: &CallerKey, now: u64) -> bool {
        match RATE.count(store.get(caller.as_str()).map(Vec::as_slice), caller, now) {
            Verdict::Admitted(bytes) => {
                store.insert(caller.as_str().to_owned(), bytes);
                true
            }
            Verdict::Refused { .. } => false,
        }
    }

    fn stranger(number: u32) -> CallerKey {
        CallerKey::new(Some(&format!("{number}@example.org")), None)
    }

    #[test]
    fn each_caller_of_a_slot_has_a_count_of_its_own() {
        let mut store = BTreeMap::new();
        let one = CallerKey::new(Some("one@example.org"), None);
        let other = CallerKey { tag: "another".into(), ..one.clone() };
        for caller in [&one, &other] {
            let admitted = [(); 4].map(|()| counted(&mut store, caller, 7));
            assert_eq!(admitted, [true, true, true, false]);
        }
        assert_eq!(store.len(), 1);
        store.insert(one.as_str().to_owned(), b"of another version".to_vec());
        assert!(counted(&mut store, &one, 7));
    }

    #[test]
    fn the_store_does_not_grow_with_the_callers() {
        let mut store = BTreeMap::new();
        let often = stranger(0);
        for _ in 0..3 {
            assert!(counted(&mut store, &often, 0));
        }
        // Far more of them in one slot than it counts, all within one window.
        for number in 0..1_000 {
            let passer_by = CallerKey { tag: format!("{number:032x}"), ..often.clone() };
            assert!(counted(&mut store, &passer_by, 1));
        }
        assert!(!counted(&mut store, &often, 2), "one who asks often was forgotten");
        assert!(store[often.as_str()].len() < 8_192);
        // Two windows later the next write leaves nothing of them.
        assert!(counted(&mut store, &often, 180));
        assert!(store[often.as_str()].len() < 128);
        let slots: std::collections::BTreeSet<_> =
            (0..100_000).map(|number| stranger(number).slot).collect();
        assert_eq!(slots.len(), usize::from(SLOTS));
    }
}
