//! What a caller's runs take from each other, and for how long.

use super::Intent;
use crate::run::Reuse;
use quarry_events::run::QueryRule;
use quarry_journal::run::Searched;
use quarry_tools::Outcome;
use quarry_types::Timestamp;

/// Where to look before a query is searched for by this rule; none: what was found before is not wanted.
#[must_use]
pub fn reuse(query: &str, rule: QueryRule, results: u32, fresh_ms: u64) -> Option<Reuse> {
    let is_wanted = rule != QueryRule::Recheck && fresh_ms > 0;
    let intent = || Intent::of(query).as_str().to_owned();
    is_wanted.then(|| Reuse { intent: intent(), max_age_ms: fresh_ms, results })
}

/// What an outcome is found again by; none: it is of no use to another run. What brought no page that could be
/// read is better searched for anew.
#[must_use]
pub fn shared(
    query: &str,
    outcome: &Outcome,
    results: u32,
    (now, fresh_ms): (Timestamp, u64),
) -> Option<Searched> {
    let Outcome::Found(found) = outcome else { return None };
    let is_read = found.results.iter().any(|hit| matches!(hit.page, Some(Ok(_))));
    (is_read && fresh_ms > 0).then(|| Searched {
        intent: Intent::of(query).as_str().to_owned(),
        query: query.to_owned(),
        until: Timestamp(now.0.saturating_add(fresh_ms)),
        results,
    })
}
