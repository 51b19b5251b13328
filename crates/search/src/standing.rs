//! How a provider stands with us: how many requests it may still have, and until when it is left
//! alone because it blocked us or asked for a pause.
//!
//! What is kept is read and written without a lock, which Spin's key-value has none of: two requests
//! in the same instant can both take the last place. The limits are kept as well as that allows.

use crate::Provider;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// Seconds of the first pause, when the provider does not say how long.
const PAUSE: u64 = 60;
/// Seconds of the longest pause.
const MAX_PAUSE: u64 = 60 * 60;

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
                Some((Provider::from_name(name.trim())?, count))
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
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Standing {
    /// Requests that it may have at once, as of when; none before the first.
    bucket: Option<(f64, u64)>,
    paused_until: u64,
    /// Blocks in a row.
    blocks: u32,
}

impl Standing {
    /// Takes a place for a request, if there is one.
    pub fn admit(&mut self, per_minute: Option<u32>, now: u64) -> Result<(), Wait> {
        let left = self.paused_until.saturating_sub(now).div_ceil(1000);
        // A pause that is longer than any comes from a clock that was wrong.
        if (1..=MAX_PAUSE).contains(&left) {
            return Err(Wait::Pause(left));
        }
        let Some(limit) = per_minute.map(f64::from) else { return Ok(()) };
        let (places, at) = self.bucket.unwrap_or((limit, now));
        #[expect(clippy::cast_precision_loss, reason = "milliseconds of a minute or so")]
        let regained = now.saturating_sub(at) as f64 * limit / 60_000.0;
        let places = (places + regained).min(limit);
        if places < 1.0 {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "0 to 60 seconds"
            )]
            let seconds = ((1.0 - places) * 60.0 / limit).ceil() as u64;
            return Err(Wait::Limit(seconds.max(1)));
        }
        self.bucket = Some((places - 1.0, now));
        Ok(())
    }

    /// Notes an answer.
    pub fn answered(&mut self) {
        (self.paused_until, self.blocks) = (0, 0);
    }

    /// Notes a block; `retry_after` is what the provider asked for, in seconds.
    pub fn blocked(&mut self, retry_after: Option<u64>, now: u64) {
        let doubled = PAUSE.saturating_mul(1 << self.blocks.min(10));
        self.blocks = self.blocks.saturating_add(1);
        let seconds = retry_after.unwrap_or(doubled).clamp(1, MAX_PAUSE);
        self.paused_until = now.saturating_add(seconds * 1000);
    }
}

/// Where a provider's standing is kept.
pub fn key(provider: Provider) -> String {
    format!("web/standing/{}", provider.name())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn limits_are_read() {
        let (limits, unread) =
            Limits::parse("brave=60, DuckDuckGo = 20,, bing=3, tavily=0, serper");
        assert_eq!(limits.of(Provider::Brave), Some(60));
        assert_eq!(limits.of(Provider::Duckduckgo), Some(20));
        assert_eq!(limits.of(Provider::Searxng), None);
        assert_eq!(unread, ["bing=3", "tavily=0", "serper"]);
    }

    #[test]
    fn a_minute_has_so_many_places_and_they_come_back_one_by_one() {
        let mut standing = Standing::default();
        for _ in 0..3 {
            standing.admit(Some(3), 1_000).unwrap();
        }
        assert_eq!(standing.admit(Some(3), 1_000), Err(Wait::Limit(20)));
        assert_eq!(standing.admit(Some(3), 11_000), Err(Wait::Limit(10)));
        standing.admit(Some(3), 21_000).unwrap();
        assert!(standing.admit(Some(3), 21_000).is_err());
        // However long nobody asks, no more than a minute's places are there.
        for _ in 0..3 {
            standing.admit(Some(3), 9_000_000).unwrap();
        }
        assert!(standing.admit(Some(3), 9_000_000).is_err());
        assert!(standing.admit(None, 9_000_000).is_ok());
    }

    #[test]
    fn pauses_double_until_an_answer_comes() {
        let mut standing = Standing::default();
        standing.blocked(None, 0);
        assert_eq!(standing.admit(None, 1), Err(Wait::Pause(60)));
        assert!(standing.admit(None, 60_000).is_ok());
        standing.blocked(None, 60_000);
        assert_eq!(standing.admit(None, 60_000), Err(Wait::Pause(120)));
        standing.blocked(Some(7), 60_000);
        assert_eq!(standing.admit(None, 60_000), Err(Wait::Pause(7)));
        for _ in 0..20 {
            standing.blocked(None, 60_000);
        }
        assert_eq!(standing.admit(None, 60_000), Err(Wait::Pause(MAX_PAUSE)));
        standing.answered();
        assert!(standing.admit(None, 60_000).is_ok());
        standing.blocked(None, 60_000);
        assert_eq!(standing.admit(None, 60_000), Err(Wait::Pause(60)));
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
                let within = taken.iter().filter(|at| (*from..from + 60_000).contains(at)).count();
                prop_assert!(within <= 2 * limit as usize);
            }
        }
    }
}
