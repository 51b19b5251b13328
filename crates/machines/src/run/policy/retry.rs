//! Retry, version 3: what becomes of a run when something cannot be done.
//!
//! | what | then |
//! |---|---|
//! | the report's call broke off in the middle of what it said | it is made once more, and shows nothing until it is whole |
//! | a call failed that may have been paid for | it is made once more, as its second attempt, and its first is shown as unsettled (since revision 2) |
//! | a call was never sent: no connection was made, or it was refused here | it is no try that was paid for, and the run does not make it again |
//! | a call failed, and a later model of its list is a language model | that model is asked |
//! | a rate limit | the run waits until then: `rate_limit`; after several in a row a second, doubled each time, an hour at most (since revision 2) |
//! | … for the 25th time in a row | rules do the step (since revision 2) |
//! | … longer than a driver keeps the caller's key that pays | it waits for the key: `needs_key` |
//! | a key is missing or refused | it waits for one: `needs_key` |
//! | a call failed otherwise | rules do the step |
//! | a reply cannot be read | as a call that failed otherwise: the next model, or rules (since revision 4) |
//! | the budget has no room for the report | rules write it |
//! | … for research, and something verified was found | research ends, and the report is written from it |
//! | … for research, and nothing was, or `on_timeout` is `fail` | it waits for more: `budget` |
//! | no search was ever answered, and none that is under way is | it waits, three times, each longer: `provider_down` |
//! | … for the fourth time | it goes on with what there is |
//! | no search provider is configured | it goes on at once: waiting does not help |
//! | all of a node's queries failed, and nothing else is known for it | the node is open for an `error`, and not parted |
//!
//! So a run waits where a report would be empty, or is not wanted, and ends with one in all other cases.

use crate::core::Budget;
use quarry_events::At;
use quarry_events::run::{WaitReason, WaitingFor};
use quarry_journal::KEPT_WAIT_MS;
use quarry_tools::{FailureKind, Outcome};
use quarry_types::{ChatError, OnTimeout, Provider, Timestamp};

/// Which rules these are.
pub const VERSION: u32 = 3;

/// Milliseconds that a run waits at least, whatever its provider says: one that says 0 and refuses again would
/// be asked without end.
const LEAST_WAIT_MS: u64 = 1_000;

/// Milliseconds that a run waits at most for longer than its provider says, however often it was limited.
const MOST_WAIT_MS: u64 = 3_600_000;

/// Limits in a row that are waited for: with the waits above half a day, and a run always ends.
const MOST_LIMITS: u32 = 24;

/// Milliseconds of each wait for a search provider; there are no more than these.
const OUTAGES_MS: [u64; 3] = [30_000, 120_000, 480_000];

/// Whose key pays for a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Key {
    /// The caller's own.
    Callers,
    /// The operator's; one that the caller sends may take its place.
    Operators,
    /// The operator's; one that the caller sends goes to another provider than this.
    OperatorsAlone(Provider),
}

/// What a run waits for whose last model failed so, for which a limit is the `limits`th in a row (0: they are not
/// counted); none: waiting does not help, and rules do the step.
#[must_use]
pub fn after_call(error: &ChatError, key: Key, limits: u32, now: Timestamp) -> Option<WaitingFor> {
    match error {
        ChatError::RateLimited { .. } if limits > MOST_LIMITS => None,
        ChatError::RateLimited { wait_seconds, message } => {
            Some(limited((*wait_seconds, limits), message, key == Key::Callers, now))
        }
        ChatError::MissingKey { .. } | ChatError::Unauthorized { .. } => {
            let hint = match key {
                Key::Callers | Key::Operators => format!("{error}; resume the run with an apiKey"),
                Key::OperatorsAlone(provider) => format!(
                    "{error}; resume the run when the variable {} is set: an apiKey goes to the provider of the run's \
                     model alone",
                    provider.key_variable()
                ),
            };
            Some(WaitingFor { reason: WaitReason::NeedsKey, until: None, hint })
        }
        ChatError::NoCredit { .. }
        | ChatError::UnknownModel { .. }
        | ChatError::ContextTooLong { .. }
        | ChatError::Rejected { .. }
        | ChatError::ProviderFailed { .. }
        | ChatError::Timeout { .. }
        | ChatError::Connection { .. }
        | ChatError::Unreached { .. }
        | ChatError::Unsent { .. }
        | ChatError::Malformed { .. }
        | ChatError::Other { .. } => None,
    }
}

fn limited(
    (wait_seconds, limits): (f64, u32),
    message: &str,
    own_key: bool,
    now: Timestamp,
) -> WaitingFor {
    let doubled = 2_u64.saturating_pow(limits.saturating_sub(1));
    // A wait of the run's own choosing is none that the caller's key is not kept for.
    let most_ms = if own_key { KEPT_WAIT_MS } else { MOST_WAIT_MS };
    let least_ms = LEAST_WAIT_MS.saturating_mul(doubled).min(most_ms);
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a cast from float saturates, and waits are not negative"
    )]
    let wait_ms = ((wait_seconds * 1_000.0) as u64).max(least_ms);
    let until = At(Timestamp(now.0.saturating_add(wait_ms)));
    if own_key && wait_ms > KEPT_WAIT_MS {
        let hint = format!(
            "the provider makes the run wait until {}: {message}; your key is not kept that long: resume the run \
             with an apiKey then",
            until.0.iso()
        );
        return WaitingFor { reason: WaitReason::NeedsKey, until: None, hint };
    }
    let hint = format!("the provider makes the run wait: {message}; it goes on by itself");
    WaitingFor { reason: WaitReason::RateLimit, until: Some(until), hint }
}

/// What becomes of research whose next call the budget has no room for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spent {
    /// It waits for more.
    Wait,
    /// It ends, and the report is written.
    Report,
}

/// What becomes of research whose next call the budget has no room for, when so many verified findings are there.
#[must_use]
pub const fn after_budget(verified: u64, on_timeout: OnTimeout) -> Spent {
    match (verified, on_timeout) {
        (0, _) | (_, OnTimeout::Fail) => Spent::Wait,
        (_, OnTimeout::Partial) => Spent::Report,
    }
}

/// A run that waits for a larger budget, and the least that helps. `own_key`: the caller's own key pays.
#[must_use]
pub fn for_budget(needed: Budget, own_key: bool) -> WaitingFor {
    let tokens = needed.tokens.map(|tokens| format!("budget.tokens of {tokens} or more"));
    // Up to a hundredth of a cent.
    let usd = needed.usd.map(|usd| (usd * 10_000.0).ceil() / 10_000.0);
    let usd = usd.map(|usd| format!("budget.usd of {usd} or more"));
    let limits: Vec<String> = [tokens, usd].into_iter().flatten().collect();
    let key = if own_key { " and your apiKey" } else { "" };
    let hint = format!(
        "the budget has no room for the next call: resume the run with a {}{key}; the whole run may need more \
         than that",
        limits.join(" and a ")
    );
    WaitingFor { reason: WaitReason::Budget, until: None, hint }
}

/// Whether this says that no provider could be reached, now.
#[must_use]
pub const fn is_outage(outcome: &Outcome) -> bool {
    match outcome {
        Outcome::Failed(failure) => matches!(
            failure.kind,
            FailureKind::Unavailable | FailureKind::Busy { .. } | FailureKind::Timeout
        ),
        Outcome::Found(_) | Outcome::Page(_) | Outcome::Passages(_) | Outcome::Program(_) => false,
    }
}

/// What a run waits for that could search nothing, after so many such waits; none: it has waited enough.
#[must_use]
pub fn after_outage(message: &str, waits: usize, now: Timestamp) -> Option<WaitingFor> {
    let wait_ms = OUTAGES_MS.get(waits)?;
    Some(WaitingFor {
        reason: WaitReason::ProviderDown,
        until: Some(At(Timestamp(now.0.saturating_add(*wait_ms)))),
        hint: format!("nothing could be searched for: {message}; the run tries again by itself"),
    })
}

/// What a run waits for that was begun under other versions of these policies, each in words. `own_key`: the
/// caller's own key pays.
#[must_use]
pub fn for_policies(changed: &[String], own_key: bool) -> WaitingFor {
    let key = if own_key { " and your apiKey" } else { "" };
    let hint = format!(
        "policies have changed since the run began ({}): resume it with \"force\": true{key} to go on under \
         the new ones",
        changed.join(", ")
    );
    WaitingFor { reason: WaitReason::PolicyChanged, until: None, hint }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp(1_000_000);

    #[test]
    fn a_call_that_failed_is_waited_for_where_that_helps() {
        use WaitReason::{NeedsKey, RateLimit};
        let limited = |ms| ChatError::rate_limited(ms, "slow down".to_owned());
        let no_key = ChatError::MissingKey { message: "no key".to_owned() };
        let failed = ChatError::ProviderFailed { status: 500, message: "oops".to_owned() };
        let after = |ms: u64| Some(NOW.0 + ms);
        let (own, operators) = (Key::Callers, Key::Operators);
        for (error, key, expected) in [
            (limited(90_000), operators, Some((RateLimit, after(90_000)))),
            (limited(0), own, Some((RateLimit, after(1_000)))),
            (limited(KEPT_WAIT_MS), own, Some((RateLimit, after(KEPT_WAIT_MS)))),
            (limited(KEPT_WAIT_MS + 1), own, Some((NeedsKey, None))),
            (limited(KEPT_WAIT_MS + 1), operators, Some((RateLimit, after(KEPT_WAIT_MS + 1)))),
            (no_key.clone(), own, Some((NeedsKey, None))),
            (no_key.clone(), operators, Some((NeedsKey, None))),
            (failed, own, None),
        ] {
            let waiting = after_call(&error, key, 0, NOW);
            let waiting = waiting.map(|it| (it.reason, it.until.map(|until| until.0.0)));
            assert_eq!(waiting, expected, "{error} {key:?}");
        }
        let hint = |error, key| after_call(&error, key, 1, NOW).map(|it| it.hint).unwrap();
        let with_key = "resume the run with an apiKey";
        assert!(hint(limited(86_400_000), own).contains(with_key));
        assert!(hint(no_key.clone(), operators).contains(with_key));
        let alone = hint(no_key, Key::OperatorsAlone(Provider::Groq));
        assert!(alone.contains("groq_api_key") && !alone.contains(with_key), "{alone}");
    }

    #[test]
    fn a_provider_that_always_limits_is_waited_for_longer_each_time_and_not_for_ever() {
        let waits = |named_ms, limits| {
            let error = ChatError::rate_limited(named_ms, "slow down".to_owned());
            let waiting = after_call(&error, Key::Operators, limits, NOW)?;
            waiting.until.map(|until| until.0.0 - NOW.0)
        };
        for (named, limits, expected) in [
            (0, 0, Some(1_000)),
            (0, 1, Some(1_000)),
            (0, 2, Some(2_000)),
            (0, 4, Some(8_000)),
            (60_000, 4, Some(60_000)),
            (0, 13, Some(3_600_000)),
            (7_200_000, 13, Some(7_200_000)),
            (0, 24, Some(3_600_000)),
            (0, 25, None),
            (0, u32::MAX, None),
        ] {
            assert_eq!(waits(named, limits), expected, "{named} {limits}");
        }
    }

    #[test]
    fn a_budget_that_is_spent_ends_research_where_there_is_something_to_report() {
        use OnTimeout::{Fail, Partial};
        let becomes = [(0, Partial), (0, Fail), (1, Fail), (1, Partial)];
        let becomes = becomes.map(|(verified, wanted)| after_budget(verified, wanted));
        assert_eq!(becomes, [Spent::Wait, Spent::Wait, Spent::Wait, Spent::Report]);
    }

    #[test]
    fn a_run_says_which_limits_it_needs_and_with_what_it_is_resumed() {
        let both = for_budget(Budget { usd: Some(0.012_34), tokens: Some(4_711) }, true);
        assert_eq!((both.reason, both.until), (WaitReason::Budget, None));
        for words in ["budget.tokens of 4711", "budget.usd of 0.0124", "your apiKey"] {
            assert!(both.hint.contains(words), "{words}: {}", both.hint);
        }
        let one = for_budget(Budget { usd: None, tokens: Some(1) }, false).hint;
        assert!(!one.contains("usd") && !one.contains("apiKey"), "{one}");
    }

    #[test]
    fn a_provider_that_is_down_is_waited_for_three_times() {
        let until =
            |waits| after_outage("down", waits, NOW).map(|it| it.until.map(|at| at.0.0 - NOW.0));
        let waits = [0, 1, 2, 3].map(until);
        assert_eq!(waits, [Some(Some(30_000)), Some(Some(120_000)), Some(Some(480_000)), None]);
        assert!(
            OUTAGES_MS.iter().all(|ms| *ms <= KEPT_WAIT_MS),
            "a caller's key is kept meanwhile"
        );
    }
}
