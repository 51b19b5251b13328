//! When a model is asked again, and after how long. What passes by itself is `ChatError`'s to say.

use quarry_types::ChatError;

/// How often a call is tried again.
pub const MAX_RETRIES: u32 = 3;
/// Milliseconds before the first retry, and the most before any.
const BASE: f64 = 1_000.0;
const MOST: f64 = 10_000.0;
/// How much longer a wait may be by chance, so that callers who failed together do not come back together.
const JITTER: f64 = 0.25;

/// A call that failed for good.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("LLM request failed: {0}")]
pub struct LlmFailed(pub String);

/// Milliseconds to wait after try number `attempt`, from 1: a second, doubled with each, longer by up to a quarter as
/// `random` (0 to 1) says, ten seconds at most.
#[must_use]
pub fn calculate_backoff(attempt: u32, random: f64) -> u64 {
    let doublings = i32::try_from(attempt.saturating_sub(1).min(30)).unwrap_or(30);
    let exponential = BASE * 2.0_f64.powi(doublings);
    let wait = exponential + random.clamp(0.0, 1.0) * JITTER * exponential;
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most 10,000")]
    let milliseconds = wait.min(MOST) as u64;
    milliseconds
}

/// Milliseconds to wait after so many failed tries, from 1; none where it is not tried again.
#[must_use]
pub fn wait_after(failed: u32, error: &ChatError, random: f64) -> Option<u64> {
    (failed <= MAX_RETRIES && error.is_retryable()).then(|| calculate_backoff(failed, random))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_and_chance_makes_them_longer() {
        for (attempt, least, most) in [
            (1, 1_000, 1_250),
            (2, 2_000, 2_500),
            (3, 4_000, 5_000),
            (4, 8_000, 10_000),
            (5, 10_000, 10_000),
            (u32::MAX, 10_000, 10_000),
        ] {
            assert_eq!(calculate_backoff(attempt, 0.0), least, "{attempt}");
            assert_eq!(calculate_backoff(attempt, 1.0), most, "{attempt}");
        }
    }

    #[test]
    fn what_passes_is_tried_three_times_more_and_nothing_else() {
        let failed = |status| ChatError::ProviderFailed { status, message: String::new() };
        let passing = [
            ChatError::RateLimited { wait_seconds: 1.0, message: String::new() },
            failed(500),
            failed(599),
            ChatError::Connection { message: "ECONNRESET".to_owned() },
            ChatError::Timeout { message: "ETIMEDOUT".to_owned() },
        ];
        for error in &passing {
            let waits = [1, 2, 3, 4].map(|failed| wait_after(failed, error, 0.0));
            assert_eq!(waits, [Some(1_000), Some(2_000), Some(4_000), None], "{error:?}");
        }
        let lasting = ChatError::Rejected { status: 400, message: String::new() };
        assert_eq!(wait_after(1, &lasting, 0.0), None);
        assert_eq!(LlmFailed("no".to_owned()).to_string(), "LLM request failed: no");
    }
}
