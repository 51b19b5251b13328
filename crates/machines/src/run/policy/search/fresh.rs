//! For how long what a query brought is fresh, wherever it was kept: in this run's memory or another run's journal.

use super::is_time_sensitive;
use quarry_events::run::QueryRule;
use quarry_types::{Knobs, Timestamp};

/// Milliseconds for which what changes with time is fresh.
const TIME_SENSITIVE_MS: u64 = 900_000;

/// For how long what a query brought is fresh.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Freshness {
    changes: bool,
    cache_ms: u64,
}

impl Freshness {
    /// Of this query. `says_so`: the model said that its answer changes with time; its words are looked at anyway.
    #[must_use]
    pub fn of(query: &str, says_so: bool, now: Timestamp, knobs: &Knobs) -> Freshness {
        let changes = says_so || is_time_sensitive(query, now);
        Freshness { changes, cache_ms: knobs.cache_ttl.saturating_mul(1_000) }
    }

    /// Milliseconds.
    #[must_use]
    pub fn ms(self) -> u64 {
        let most = if self.changes { TIME_SENSITIVE_MS } else { u64::MAX };
        self.cache_ms.min(most)
    }

    /// By which rule a query is searched for again whose answer is so many milliseconds old; none: it is fresh.
    #[must_use]
    pub fn is_over(self, age_ms: u64) -> Option<QueryRule> {
        let changed = self.changes && age_ms >= TIME_SENSITIVE_MS;
        let rule = if changed { QueryRule::TimeSensitive } else { QueryRule::Stale };
        (age_ms >= self.ms()).then_some(rule)
    }
}
