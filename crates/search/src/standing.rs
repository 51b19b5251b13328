//! How a provider stands with us: how many requests it had in this minute, and until when it is left
//! alone because it blocked us or asked for a pause.
//!
//! What is kept is read and written without a lock, which Spin's key-value has none of: two requests
//! in the same instant can both take the last place. The limits are kept as well as that allows.

use crate::answer::ProviderError;
use crate::providers::Provider;
use crate::searching::{Failure, Outcome};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// Seconds of the first pause, when the provider does not say how long.
const PAUSE: u64 = 60;
/// Seconds of the longest pause.
const MAX_PAUSE: u64 = 60 * 60;
/// Milliseconds for which a request counts.
const MINUTE: u64 = 60_000;

/// Requests a minute, by provider; none for one without a limit.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Limits(HashMap<Provider, u32>);

impl Limits {
    /// Reads `search_limits`, such as `brave=60, duckduckgo=20`. What cannot be read comes back beside
    /// it.
    pub fn parse(list: &str) -> (Self, Vec<String>) {
        let (mut limits, mut unread) = (HashMap::new(), Vec::new());
        for part in list.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            let pair = part.split_once('=').and_then(|(name, count)| {
                let count = count.trim().parse::<u32>().ok().filter(|count| *count > 0)?;
                Some((Provider::named(name.trim())?, count))
            });
            match pair {
                Some((provider, count)) => _ = limits.insert(provider, count),
                None => unread.push(part.to_owned()),
            }
        }
        (Self(limits), unread)
    }

    /// A provider's limit.
    pub fn of(&self, provider: Provider) -> Option<u32> {
        self.0.get(&provider).copied()
    }
}

/// Why a provider is not asked now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Wait {
    /// It blocked us or asked for a pause; seconds that are left of it.
    #[error("blocked us or asked for a pause, and is left alone for another {0} s")]
    Pause(u64),
    /// It has had its requests; seconds until the next one.
    #[error("has had the requests of this minute that search_limits allows; the next is in {0} s")]
    Limit(u64),
}

/// What is kept about a provider. Times are milliseconds since 1970.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Standing {
    /// Requests of the last minute: the second since 1970, and how many.
    asked: Vec<(u64, u32)>,
    paused_until: u64,
    /// Blocks in a row.
    blocks: u32,
}

impl Standing {
    /// What is kept; a new one for what cannot be read.
    pub fn read(bytes: Option<&[u8]>) -> Self {
        bytes.and_then(|bytes| serde_json::from_slice(bytes).ok()).unwrap_or_default()
    }

    /// What to keep.
    pub fn write(&self) -> Vec<u8> {
        // Numbers always have a JSON form; nothing at all reads as a new standing.
        serde_json::to_vec(self).unwrap_or_default()
    }

    /// Takes a place for a request, if there is one.
    ///
    /// # Errors
    /// When it has to wait.
    pub fn admit(&mut self, per_minute: Option<u32>, now: u64) -> Result<(), Wait> {
        let left = self.paused_until.saturating_sub(now).div_ceil(1000);
        // A pause that is longer than any comes from a clock that was wrong.
        if (1..=MAX_PAUSE).contains(&left) {
            return Err(Wait::Pause(left));
        }
        let Some(limit) = per_minute else { return Ok(()) };
        // What lies ahead comes from a clock that was wrong, too.
        self.asked.retain(|(second, _)| *second <= now / 1000 && leaves(*second) > now);
        let mut taken: u32 = self.asked.iter().map(|(_, count)| count).sum();
        for (second, count) in &self.asked {
            if taken < limit {
                break;
            }
            taken -= count;
            if taken < limit {
                return Err(Wait::Limit((leaves(*second) - now).div_ceil(1000)));
            }
        }
        match self.asked.last_mut() {
            Some((second, count)) if *second == now / 1000 => *count += 1,
            _ => self.asked.push((now / 1000, 1)),
        }
        Ok(())
    }

    /// Notes what came of a request; `pause`: for how many seconds the provider wants to be left alone.
    pub fn heard(&mut self, outcome: &Outcome, pause: Option<u64>, now: u64) {
        match outcome {
            Err(Failure::Answer(error)) if error.is_block() => {
                self.blocked(pause, now);
            }
            Ok(_) | Err(Failure::Answer(ProviderError::Nothing | ProviderError::Silent(_))) => {
                (self.paused_until, self.blocks) = (0, 0);
            }
            Err(_) => {}
        }
    }

    fn blocked(&mut self, pause: Option<u64>, now: u64) {
        let doubled = PAUSE.saturating_mul(1 << self.blocks.min(10));
        self.blocks = self.blocks.saturating_add(1);
        let seconds = pause.unwrap_or(doubled).clamp(1, MAX_PAUSE);
        self.paused_until = now.saturating_add(seconds * 1000);
    }
}

/// Seconds of the longest window of requests. What is longer is a point in time.
const MONTH: u64 = 31 * 24 * 60 * 60;

/// For how many seconds a provider wants to be left alone, as the headers of its answer say. Brave has no `Retry-After`:
/// it says of each of its windows, the shortest first, how many requests are left of it, and when it begins anew.
pub fn pause<'a>(header: impl Fn(&str) -> &'a str) -> Option<u64> {
    if let Ok(seconds) = header("retry-after").trim().parse() {
        return Some(seconds);
    }
    let numbers = |name: &str| -> Vec<Option<u64>> {
        header(name).split(',').map(|number| number.trim().parse().ok()).collect()
    };
    let (left, resets) = (numbers("x-ratelimit-remaining"), numbers("x-ratelimit-reset"));
    let used_up = resets.iter().zip(&left).filter(|(_, left)| **left == Some(0));
    let last = used_up.filter_map(|(reset, _)| *reset).max();
    last.or(resets.first().copied().flatten()).filter(|seconds| *seconds <= MONTH)
}

/// When the last request of a second counts no longer.
fn leaves(second: u64) -> u64 {
    second.saturating_add(1).saturating_mul(1000).saturating_add(MINUTE)
}

/// Where a provider's standing is kept.
pub fn key(provider: Provider) -> String {
    format!("web/standing/{}", provider.name())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn named(name: &str) -> Provider {
        Provider::named(name).unwrap()
    }

    #[test]
    fn limits_are_read() {
        let (limits, unread) =
            Limits::parse("brave=60, DuckDuckGo = 20,, bing=3, tavily=0, serper");
        assert_eq!(limits.of(named("brave")), Some(60));
        assert_eq!(limits.of(named("duckduckgo")), Some(20));
        assert_eq!(limits.of(named("searxng")), None);
        assert_eq!(unread, ["bing=3", "tavily=0", "serper"]);
    }

    #[test]
    fn a_minute_has_so_many_places_and_each_comes_back_after_its_minute() {
        let mut standing = Standing::default();
        standing.admit(Some(3), 1_000).unwrap();
        standing.admit(Some(3), 11_500).unwrap();
        standing.admit(Some(3), 11_500).unwrap();
        assert_eq!(standing.admit(Some(3), 21_000), Err(Wait::Limit(41)));
        standing.admit(Some(3), 62_000).unwrap();
        assert_eq!(standing.admit(Some(3), 62_000), Err(Wait::Limit(10)));
        // However long nobody asks, no more than a minute's places are there.
        for _ in 0..3 {
            standing.admit(Some(3), 9_000_000).unwrap();
        }
        assert!(standing.admit(Some(3), 9_000_000).is_err());
        assert!(standing.admit(None, 9_000_000).is_ok());
        // A limit that was lowered, and a clock that was wrong.
        assert!(standing.admit(Some(1), 9_000_000).is_err());
        assert!(standing.admit(Some(1), 1_000).is_ok());
    }

    #[test]
    fn pauses_double_until_an_answer_comes() {
        let mut standing = Standing::default();
        let blocked: Outcome = Err(Failure::Answer(ProviderError::Blocked));
        standing.heard(&blocked, None, 0);
        assert_eq!(standing.admit(None, 1), Err(Wait::Pause(60)));
        assert!(standing.admit(None, 60_000).is_ok());
        standing.heard(&Err(Failure::Answer(ProviderError::RateLimited)), None, 60_000);
        assert_eq!(standing.admit(None, 60_000), Err(Wait::Pause(120)));
        standing.heard(&blocked, Some(7), 60_000);
        assert_eq!(standing.admit(None, 60_000), Err(Wait::Pause(7)));
        for _ in 0..20 {
            standing.heard(&blocked, None, 60_000);
        }
        assert_eq!(standing.admit(None, 60_000), Err(Wait::Pause(MAX_PAUSE)));
        // What says nothing about us changes nothing; to find nothing is an answer.
        standing.heard(&Err(Failure::Timeout), Some(9), 60_000);
        assert_eq!(standing.admit(None, 60_000), Err(Wait::Pause(MAX_PAUSE)));
        standing.heard(&Err(Failure::Answer(ProviderError::Nothing)), None, 60_000);
        assert!(standing.admit(None, 60_000).is_ok());
        standing.heard(&blocked, None, 60_000);
        assert_eq!(standing.admit(None, 60_000), Err(Wait::Pause(60)));
    }

    #[test]
    fn a_provider_says_for_how_long_it_wants_to_be_left_alone() {
        let said = |retry_after: &'static str, remaining: &'static str, reset: &'static str| {
            pause(|name| match name {
                "retry-after" => retry_after,
                "x-ratelimit-remaining" => remaining,
                "x-ratelimit-reset" => reset,
                _ => "",
            })
        };
        assert_eq!(said(" 7 ", "0, 9", "1, 1419704"), Some(7));
        assert_eq!(said("", "0, 1900", "1, 1419704"), Some(1), "too many in this second");
        assert_eq!(said("", "1, 0", "1, 1419704"), Some(1_419_704), "the month's are used up");
        assert_eq!(said("", "", "30"), Some(30));
        for (retry_after, reset) in [("", ""), ("soon", ""), ("", "1800000000"), ("", "x, 3")] {
            assert_eq!(said(retry_after, "", reset), None, "{retry_after} {reset}");
        }
    }

    #[test]
    fn what_is_kept_reads_back() {
        let mut standing = Standing::default();
        standing.admit(Some(3), 1_000).unwrap();
        assert_eq!(Standing::read(Some(&standing.write())), standing);
        assert_eq!(Standing::read(Some(b"no json")), Standing::default());
        assert_eq!(Standing::read(None), Standing::default());
        // From a clock that was wrong.
        let endless = format!("{{\"paused_until\":{}}}", u64::MAX);
        assert!(Standing::read(Some(endless.as_bytes())).admit(None, 1_000).is_ok());
    }

    proptest! {
        #[test]
        fn no_more_than_the_limit_in_a_minute(steps in proptest::collection::vec(0u64..5_000, 1..300), limit in 1u32..30) {
            let (mut standing, mut now, mut taken) = (Standing::default(), 0, Vec::new());
            for step in steps {
                now += step;
                if standing.admit(Some(limit), now).is_ok() {
                    taken.push(now);
                }
            }
            for from in &taken {
                let within = taken.iter().filter(|at| (*from..from + MINUTE).contains(at)).count();
                prop_assert!(within <= limit as usize);
            }
            prop_assert!(standing.asked.len() <= 62);
        }

        #[test]
        fn who_waits_as_long_as_it_was_told_is_admitted(steps in proptest::collection::vec(0u64..5_000, 1..100), limit in 1u32..9) {
            let (mut standing, mut now) = (Standing::default(), 0);
            for step in steps {
                now += step;
                if let Err(Wait::Limit(seconds)) = standing.admit(Some(limit), now) {
                    prop_assert!((1..=61).contains(&seconds));
                    now += seconds * 1000;
                    prop_assert!(standing.admit(Some(limit), now).is_ok());
                }
            }
        }
    }
}
