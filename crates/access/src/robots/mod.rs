//! robots.txt: what a site's operator asks of robots, and for how long the answer is kept.
//!
//! Source: RFC 9309. The parser is our own because the crates that read such files bring a
//! regular-expression engine or are no longer kept up.

mod rules;

use quarry_types::places;
use rules::Rules;
use serde::{Deserialize, Serialize};

/// Bytes of a file that are read; RFC 9309 asks for 500 KiB at least.
pub const MAX_BYTES: usize = 512 * 1024;
/// The product token that rules may name.
pub const PRODUCT: &str = "quarry";

/// Seconds for which a site's answer is kept.
const KEEP: u64 = 24 * 60 * 60;
/// Seconds for which the lack of an answer is kept.
const KEEP_FAILURE: u64 = 5 * 60;

/// What a site said, with the time until which it counts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Policy {
    /// Seconds since 1970.
    until: u64,
    answer: Answer,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
enum Answer {
    /// The rules that apply to us; none of them when there is no file.
    Rules(Rules),
    /// The file could not be had: everything counts as forbidden (RFC 9309, 2.3.1.4).
    Unavailable,
}

/// Why an address may not be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Forbidden {
    /// By a rule. A retry will not help.
    #[error("disallows this address")]
    Disallowed,
    /// The file cannot be had, which counts as a no (RFC 9309, 2.3.1.4). A retry may help.
    #[error("cannot be read now, which counts as a no; try again in some minutes")]
    Unavailable,
}

impl Policy {
    /// From the status and the body of the answer to a request for `/robots.txt`.
    pub fn from_response(status: u16, body: &[u8], now: u64) -> Self {
        match status {
            200..=299 => {
                let text = String::from_utf8_lossy(body);
                let answer = Answer::Rules(Rules::parse(&text, PRODUCT));
                Self { until: now.saturating_add(KEEP), answer }
            }
            // "Later" says nothing of the rules.
            429 => Self::unreachable(now),
            // "Unavailable": no file, so no rules.
            300..=499 => {
                Self { until: now.saturating_add(KEEP), answer: Answer::Rules(Rules::default()) }
            }
            _ => Self::unreachable(now),
        }
    }

    /// When the server did not answer.
    pub fn unreachable(now: u64) -> Self {
        Self { until: now.saturating_add(KEEP_FAILURE), answer: Answer::Unavailable }
    }

    /// Whether it still counts. One that counts for longer than we keep any is not ours.
    pub fn is_fresh(&self, now: u64) -> bool {
        (now..=now.saturating_add(KEEP)).contains(&self.until)
    }

    /// Whether a path, with its query, may be read.
    pub fn check(&self, path: &str) -> Result<(), Forbidden> {
        match &self.answer {
            Answer::Rules(rules) if rules.allow(path) => Ok(()),
            Answer::Rules(_) => Err(Forbidden::Disallowed),
            Answer::Unavailable => Err(Forbidden::Unavailable),
        }
    }
}

/// Where the policy of an origin (`https://example.com`) is kept. Origins share places, so the entry says whose it is.
pub fn key(origin: &str) -> String {
    places::key("web/rules", origin)
}

#[cfg(test)]
mod tests;
