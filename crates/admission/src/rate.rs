//! How often one caller may ask: a sliding window, approximated by two fixed ones.
//!
//! Border: what is stored, the clock and the limit in; a verdict and what to store out.
//! The store has no compare-and-swap, so of two requests that read at the same moment one is not
//! counted: the limit is a fence against overuse, not an exact meter.
//!
//! Callers share a fixed number of stored values, and each write drops what has faded. So the
//! store does not grow with the number of callers, and nothing has to be swept.

use std::collections::BTreeMap;

use crate::Denial;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// Stored values at most.
const SLOTS: u16 = 4_096;
/// Callers that one of them counts at most.
const SLOT_CALLERS: usize = 64;

/// The operator's limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rate {
    /// Requests that one caller may make in a window; 0: as many as it likes.
    pub requests: u32,
    /// Its length in seconds, at least 1.
    pub window_seconds: u64,
}

/// What is kept about the callers of one slot.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
struct Slot(BTreeMap<String, Window>);

/// What is kept about one caller.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Window {
    /// When it began, in seconds since 1970; a multiple of the window's length.
    start: u64,
    /// Requests admitted in it.
    count: u32,
    /// Requests admitted in the one before.
    previous: u32,
}

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
        match self.decide(slot.0.get(&caller.tag).copied(), now_seconds) {
            Ok(window) => {
                slot.put(&caller.tag, window, now_seconds, self.length());
                Verdict::Admitted(serde_json::to_vec(&slot).unwrap_or_default())
            }
            Err(retry_after) => Verdict::Refused { retry_after },
        }
    }

    const fn length(self) -> u64 {
        if self.window_seconds == 0 { 1 } else { self.window_seconds }
    }

    /// The window to keep, or the seconds after which there is room.
    fn decide(self, stored: Option<Window>, now_seconds: u64) -> Result<Window, u64> {
        let length = self.length();
        let window = Window::at(stored, now_seconds, length);
        let elapsed = now_seconds.saturating_sub(window.start).min(length);
        let limit = u64::from(self.requests);
        // Multiplied by the length, so that no fraction is lost.
        let weight = u64::from(window.previous) * (length - elapsed);
        let used = u64::from(window.count) * length + weight;
        if used + length <= limit * length {
            return Ok(Window { count: window.count + 1, ..window });
        }
        Err(window.room_after(limit, elapsed, length))
    }
}

impl Slot {
    /// Keeps a caller's window and drops those that have faded. In a full slot whoever asked
    /// least goes: many who ask once cannot wash away one who asks often.
    fn put(&mut self, tag: &str, window: Window, now: u64, length: u64) {
        self.0.retain(|_, kept| Window::at(Some(*kept), now, length).requests() > 0);
        self.0.remove(tag);
        while self.0.len() >= SLOT_CALLERS {
            let least = self.0.iter().min_by_key(|(_, kept)| kept.requests());
            let Some(least) = least.map(|(tag, _)| tag.clone()) else { break };
            self.0.remove(&least);
        }
        self.0.insert(tag.to_owned(), window);
    }
}

impl Window {
    fn requests(self) -> u64 {
        u64::from(self.count) + u64::from(self.previous)
    }

    /// The window that `now` lies in.
    fn at(stored: Option<Window>, now: u64, length: u64) -> Window {
        let start = now - now % length;
        match stored {
            Some(window) if window.start == start => window,
            Some(window) if window.start + length == start => {
                Window { start, count: 0, previous: window.count }
            }
            // Long ago, of another length, or from a clock that was put back.
            _ => Window { start, count: 0, previous: 0 },
        }
    }

    /// Seconds until one request has room.
    fn room_after(self, limit: u64, elapsed: u64, length: u64) -> u64 {
        let count = u64::from(self.count);
        let at = if limit == 0 {
            2 * length
        } else if count < limit {
            // In this window, when enough of the one before has faded.
            let previous = u64::from(self.previous).max(1);
            length - ((limit - 1 - count) * length / previous).min(length)
        } else {
            // In the next one, when enough of this one has faded.
            2 * length - ((limit - 1) * length / count.max(1)).min(length)
        };
        at.saturating_sub(elapsed).max(1)
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

    const RATE: Rate = Rate { requests: 3, window_seconds: 60 };

    /// Makes requests at these seconds and says which were admitted.
    fn admitted(rate: Rate, seconds: &[u64]) -> Vec<bool> {
        let mut stored = None;
        let decide = |second: &u64| match rate.decide(stored, *second) {
            Ok(window) => {
                stored = Some(window);
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
        // The three of the first window fade over the second: 3·(60−e)/60 + 1 ≤ 3.
        assert_eq!(
            admitted(RATE, &[57, 58, 59, 60, 79, 80, 99, 100]),
            [true, true, true, false, false, true, false, true]
        );
        // Two windows later nothing is left of them.
        assert_eq!(
            admitted(RATE, &[57, 58, 59, 180, 180, 180, 180]),
            [true, true, true, true, true, true, false]
        );
    }

    #[test]
    fn retry_after_is_when_there_is_room() {
        for rate in [RATE, Rate { requests: 1, window_seconds: 10 }, Rate { requests: 7, ..RATE }] {
            for burst in 0..rate.window_seconds {
                let mut stored = None;
                let mut now = burst;
                let retry_after = loop {
                    match rate.decide(stored, now) {
                        Ok(window) => stored = Some(window),
                        Err(retry_after) => break retry_after,
                    }
                };
                let early = rate.decide(stored, now + retry_after - 1);
                assert!(early.is_err(), "{rate:?} from {burst}");
                now += retry_after;
                let then = rate.decide(stored, now);
                assert!(then.is_ok(), "{rate:?} from {burst}");
            }
        }
    }

    #[test]
    fn strange_clocks_and_windows_do_no_harm() {
        let future = Window { start: 6_000, count: 9, previous: 9 };
        assert!(RATE.decide(Some(future), 60).is_ok());
        let zero = Rate { requests: 2, window_seconds: 0 };
        assert_eq!(admitted(zero, &[0, 0, 0]), [true, true, false]);
        let full = Window { start: 0, count: u32::MAX - 1, previous: u32::MAX };
        assert!(RATE.decide(Some(full), 30).is_err());
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
