//! When to try again, and after how long.
//!
//! Border: a failure and a random number in, the next step out. Nothing sleeps here.

use crate::failure::Failure;
use quarry_types::{ChatError, Retries};

/// How much longer a wait may be by chance, so that callers who failed together do not come back together.
const JITTER: f64 = 0.25;

/// Milliseconds that a try needs to bring anything.
const LEAST_TRY_MS: u64 = 1_000;

/// What to do after a failed try.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// Wait, then try again.
    Again {
        /// The try that failed, from 1.
        failed_try: u32,
        /// How long to wait.
        wait_ms: u64,
        /// Why, for people.
        reason: String,
        /// Whether the try that failed may have been paid for.
        may_be_paid: bool,
    },
    /// Tell the caller.
    GiveUp(ChatError),
}

/// The tries of one call.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Retry {
    failed: u32,
    /// Tries that failed and may have been paid for.
    lost: u32,
    policy: Retries,
}

impl Retry {
    /// No try yet.
    #[must_use]
    pub const fn new(policy: Retries) -> Self {
        Retry { failed: 0, lost: 0, policy }
    }

    /// The number of the try that runs now, from 1.
    #[must_use]
    pub const fn current_try(&self) -> u32 {
        self.failed + 1
    }

    /// Decides after a failed try.
    ///
    /// `passed_on`: whether a token of this call has reached the caller; then nothing is tried
    /// again, or the caller would see the beginning twice. `left_ms`: how long the call as a whole may last yet; a wait
    /// that does not end before then only hides why it failed. `random` is from 0 to 1.
    #[must_use]
    pub fn after(&mut self, failure: Failure, passed_on: bool, left_ms: u64, random: f64) -> Step {
        self.failed = self.failed.saturating_add(1);
        let may_be_paid = failure.error.may_have_cost();
        self.lost = self.lost.saturating_add(u32::from(may_be_paid));
        if passed_on
            || self.failed >= self.policy.backoff.attempts
            || !failure.error.is_retryable()
            || self.lost > self.policy.lost_tries
        {
            return Step::GiveUp(self.of_all(failure.error));
        }
        // Who names no time at all is not asked again at once: that only spends the tries.
        let seconds = match failure.wait_seconds.filter(|named| *named > 0.0) {
            Some(named) if named > seconds(self.policy.longest_named_ms) => {
                return Step::GiveUp(self.of_all(failure.error));
            }
            Some(named) => named,
            None => self.backoff(random),
        };
        let wait_ms = milliseconds(seconds);
        if wait_ms.saturating_add(LEAST_TRY_MS) >= left_ms {
            return Step::GiveUp(self.of_all(failure.error));
        }
        Step::Again {
            failed_try: self.failed,
            wait_ms,
            reason: failure.error.to_string(),
            may_be_paid,
        }
    }

    /// The last error, as one of all tries: that nothing was sent, or that nobody bills for it, is not said of a call
    /// whose earlier try may have been paid for. A limit keeps its wait.
    fn of_all(&self, error: ChatError) -> ChatError {
        match error {
            ChatError::Unreached { message } if self.lost > 0 => ChatError::Connection { message },
            ChatError::ProviderFailed { .. } if self.lost > 0 => {
                ChatError::Connection { message: format!("behind a try that was lost, {error}") }
            }
            error => error,
        }
    }

    fn backoff(&self, random: f64) -> f64 {
        let doublings = i32::try_from(self.failed.saturating_sub(1)).unwrap_or(i32::MAX);
        let spread = 1.0 + JITTER * random.clamp(0.0, 1.0);
        let [base, longest] =
            [self.policy.backoff.base_ms, self.policy.backoff.max_ms].map(seconds);
        (base * 2.0_f64.powi(doublings) * spread).min(longest)
    }
}

#[expect(clippy::cast_precision_loss, reason = "waits stay far below 2^53 ms")]
const fn seconds(milliseconds: u64) -> f64 {
    milliseconds as f64 / 1_000.0
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "clamped to a range that fits"
)]
fn milliseconds(seconds: f64) -> u64 {
    (seconds * 1000.0).ceil().clamp(0.0, 1e9) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exchange::Lost;
    use proptest::prelude::*;
    use quarry_types::Backoff;

    /// The call as a whole may last as long as it likes.
    const ENDLESS: u64 = u64::MAX;

    fn failed(error: ChatError) -> Failure {
        Failure::from(error)
    }

    fn server_error() -> Failure {
        failed(ChatError::ProviderFailed { status: 500, message: "oops".to_owned() })
    }

    fn limited(wait_seconds: Option<f64>) -> Failure {
        let error = ChatError::RateLimited {
            wait_seconds: wait_seconds.unwrap_or(60.0),
            message: "slow down".to_owned(),
        };
        Failure { wait_seconds, ..Failure::from(error) }
    }

    #[test]
    fn waits_double_and_the_third_failure_is_the_last() {
        let mut retry = Retry::default();
        let waits: Vec<_> =
            (0..2).map(|_| retry.after(server_error(), false, ENDLESS, 0.0)).collect();
        let again = |failed_try, wait_ms| Step::Again {
            failed_try,
            wait_ms,
            reason: "the provider failed (500): oops".to_owned(),
            may_be_paid: false,
        };
        assert_eq!(waits, [again(1, 1000), again(2, 2000)]);
        assert_eq!(retry.current_try(), 3);
        assert!(matches!(retry.after(server_error(), false, ENDLESS, 0.5), Step::GiveUp(_)));
    }

    #[test]
    fn waits_double_and_chance_makes_them_longer() {
        let policy = Retries::of(Backoff { attempts: 5, base_ms: 1_000, max_ms: 10_000 });
        for (failed, least, most) in
            [(1, 1_000, 1_250), (2, 2_000, 2_500), (3, 4_000, 5_000), (4, 8_000, 10_000)]
        {
            for (random, expected) in [(0.0, least), (1.0, most)] {
                let mut retry = Retry { failed: failed - 1, lost: 0, policy };
                let step = retry.after(server_error(), false, ENDLESS, random);
                assert!(
                    matches!(step, Step::Again { wait_ms, failed_try, .. } if wait_ms == expected && failed_try == failed),
                    "{failed}: {step:?}"
                );
            }
        }
        let mut last = Retry { failed: 4, lost: 0, policy };
        assert!(matches!(last.after(server_error(), false, ENDLESS, 0.5), Step::GiveUp(_)));
    }

    #[test]
    fn a_wait_that_does_not_fit_hides_no_error() {
        let step = Retry::default().after(server_error(), false, 2_001, 0.0);
        assert!(matches!(step, Step::Again { wait_ms: 1_000, .. }), "{step:?}");
        for left in [0, 1_000, 2_000] {
            let step = Retry::default().after(server_error(), false, left, 0.0);
            assert_eq!(step, Step::GiveUp(server_error().error), "{left}");
        }
    }

    #[test]
    fn nothing_is_tried_again_after_the_first_token() {
        assert!(matches!(
            Retry::default().after(server_error(), true, ENDLESS, 0.5),
            Step::GiveUp(_)
        ));
    }

    #[test]
    fn short_named_waits_are_slept_and_long_ones_are_the_callers() {
        let step = Retry::default().after(limited(Some(1.5)), false, ENDLESS, 0.9);
        assert!(matches!(step, Step::Again { wait_ms: 1500, .. }), "{step:?}");
        let step = Retry::default().after(limited(Some(2.0)), false, ENDLESS, 0.0);
        assert!(matches!(step, Step::Again { wait_ms: 2000, .. }), "{step:?}");
        let step = Retry::default().after(limited(Some(2.1)), false, ENDLESS, 0.0);
        assert_eq!(step, Step::GiveUp(limited(Some(2.1)).error));
        let step = Retry::default().after(limited(None), false, ENDLESS, 0.0);
        assert!(matches!(step, Step::Again { wait_ms: 1000, .. }), "{step:?}");
        let step = Retry::default().after(limited(Some(0.0)), false, ENDLESS, 0.0);
        assert!(matches!(step, Step::Again { wait_ms: 1000, .. }), "{step:?}");
        let patient = Retries { longest_named_ms: 10_000, ..Retries::default() };
        let step = Retry::new(patient).after(limited(Some(10.0)), false, ENDLESS, 0.0);
        assert!(matches!(step, Step::Again { wait_ms: 10_000, .. }), "{step:?}");
        let step = Retry::new(patient).after(limited(Some(10.1)), false, ENDLESS, 0.0);
        assert_eq!(step, Step::GiveUp(limited(Some(10.1)).error));
    }

    #[test]
    fn who_has_to_know_of_each_paid_try_is_told_of_what_may_be_one() {
        let policy = Retries::of_unpaid(Backoff::default());
        let goes_on = |failure: Failure| {
            matches!(Retry::new(policy).after(failure, false, ENDLESS, 0.0), Step::Again { .. })
        };
        let message = String::new;
        let timeout = || ChatError::Timeout { message: message() };
        let broken = || ChatError::Connection { message: message() };
        assert!(!goes_on(failed(timeout())) && !goes_on(failed(broken())));
        for unsent in [Lost::Connect, Lost::Unreached(message())] {
            assert!(goes_on(unsent.into()), "nothing was sent");
        }
        for unsent in [Lost::Unsendable, Lost::NoAddress, Lost::Forbidden] {
            let failure = Failure::from(unsent);
            assert!(!failure.error.may_have_cost() && !goes_on(failure), "nor was any of these");
        }
        for sent in [Lost::FirstByte, Lost::Silence, Lost::Total, Lost::Broken(message())] {
            assert!(!goes_on(sent.into()));
        }
        assert!(goes_on(server_error()) && goes_on(limited(Some(1.0))), "nobody bills for these");
        let usual = Retry::default().after(failed(timeout()), false, ENDLESS, 0.0);
        assert!(matches!(usual, Step::Again { .. }), "{usual:?}");
    }

    #[test]
    fn a_call_counts_as_never_sent_where_none_of_its_tries_was() {
        let unreached = || Failure::from(Lost::Unreached("refused".to_owned()));
        let ends = |tries: Vec<Failure>| {
            let mut retry = Retry::default();
            let steps = tries.into_iter().map(|failure| retry.after(failure, false, ENDLESS, 0.0));
            match steps.last() {
                Some(Step::GiveUp(error)) => error.may_have_cost(),
                other => panic!("{other:?}"),
            }
        };
        assert!(!ends(vec![unreached(), server_error(), unreached()]));
        let broken = failed(ChatError::Connection { message: String::new() });
        assert!(
            ends(vec![broken.clone(), unreached(), unreached()]),
            "the first may have been paid for"
        );
        assert!(ends(vec![broken.clone(), unreached(), server_error()]));
        let waits = Failure { wait_seconds: Some(90.0), ..server_error() };
        assert!(ends(vec![broken, waits]), "however long it is to wait");
    }

    #[test]
    fn what_will_be_wrong_again_is_not_tried_again() {
        let malformed = ChatError::Malformed { message: String::new() };
        let step = Retry::default().after(failed(malformed.clone()), false, ENDLESS, 0.5);
        assert_eq!(step, Step::GiveUp(malformed));
        let broken = ChatError::Connection { message: String::new() };
        let step = Retry::default().after(failed(broken), false, ENDLESS, 0.0);
        assert!(matches!(step, Step::Again { wait_ms: 1000, .. }), "{step:?}");
    }

    proptest! {
        #[test]
        fn waits_stay_within_the_jitter(random in 0.0f64..=1.0, failures in 0u32..40) {
            let retry = Retry { failed: failures + 1, ..Retry::default() };
            let base = 2.0_f64.powi(i32::try_from(failures).unwrap());
            let wait = retry.backoff(random);
            prop_assert!(wait <= 10.0);
            prop_assert!(wait >= base.min(10.0) - 1e-9);
            prop_assert!(wait <= base * 1.25 + 1e-9);
        }
    }
}
