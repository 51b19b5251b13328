//! Usage in tokens and cost in US dollars.

use serde::{Deserialize, Serialize};
use std::ops::{Add, AddAssign};

/// US dollars.
pub type Usd = f64;

/// More tokens than any model takes or writes in one call.
const MOST_OF_CALL: u64 = 100_000_000;

/// Tokens that one call used, or the sum of several.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// All input tokens, cached ones included.
    pub input: u64,
    /// All output tokens, reasoning included.
    pub output: u64,
    /// Input tokens that the provider had cached.
    pub cached_input: u64,
    /// Output tokens spent on reasoning.
    pub reasoning: u64,
    /// False when any part is an estimate because the provider reported nothing.
    pub reported: bool,
}

impl Usage {
    /// Input and output together.
    #[must_use]
    pub const fn total(&self) -> u64 {
        self.input.saturating_add(self.output)
    }

    /// That of one call, as far as it can be: what a provider says beyond that is no report.
    #[must_use]
    pub fn of_call(self) -> Usage {
        let can_be = |tokens: u64| tokens.min(MOST_OF_CALL);
        let told = Usage {
            input: can_be(self.input),
            output: can_be(self.output),
            cached_input: can_be(self.cached_input),
            reasoning: can_be(self.reasoning),
            reported: self.reported,
        };
        Usage { reported: self.reported && told == self, ..told }
    }
}

impl Add for Usage {
    type Output = Usage;

    fn add(self, other: Usage) -> Usage {
        Usage {
            input: self.input.saturating_add(other.input),
            output: self.output.saturating_add(other.output),
            cached_input: self.cached_input.saturating_add(other.cached_input),
            reasoning: self.reasoning.saturating_add(other.reasoning),
            reported: self.reported && other.reported,
        }
    }
}

impl AddAssign for Usage {
    fn add_assign(&mut self, other: Usage) {
        *self = *self + other;
    }
}

/// What a model costs, in US dollars per million tokens.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Price {
    /// Input.
    pub input: Usd,
    /// Output.
    pub output: Usd,
    /// Cached input; none: as other input.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cached_input: Option<Usd>,
    /// Reasoning; none: as other output.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<Usd>,
}

impl Price {
    /// The cost of some usage.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "token counts stay far below 2^53")]
    pub fn cost(&self, usage: &Usage) -> Usd {
        let cached = usage.cached_input.min(usage.input);
        let reasoning = usage.reasoning.min(usage.output);
        let dollars = (usage.input - cached) as f64 * self.input
            + cached as f64 * self.cached_input.unwrap_or(self.input)
            + (usage.output - reasoning) as f64 * self.output
            + reasoning as f64 * self.reasoning.unwrap_or(self.output);
        dollars / 1_000_000.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_call_can_use_is_no_report() {
        let told = Usage { input: u64::MAX, output: 7, reported: true, ..Usage::default() };
        let kept = told.of_call();
        assert_eq!((kept.input, kept.output, kept.reported), (MOST_OF_CALL, 7, false));
        let usual = Usage { input: 1_000, output: 500, reported: true, ..Usage::default() };
        assert_eq!(usual.of_call(), usual);
    }

    #[test]
    fn cached_and_reasoning_tokens_are_priced_as_such() {
        let price =
            Price { input: 2.0, output: 8.0, cached_input: Some(0.5), reasoning: Some(4.0) };
        let usage =
            Usage { input: 1_000, output: 500, cached_input: 400, reasoning: 100, reported: true };
        let expected = (600.0 * 2.0 + 400.0 * 0.5 + 400.0 * 8.0 + 100.0 * 4.0) / 1e6;
        assert!((price.cost(&usage) - expected).abs() < 1e-12);
    }

    #[test]
    fn a_sum_with_an_estimate_in_it_is_an_estimate() {
        let reported = Usage { input: 1, reported: true, ..Usage::default() };
        assert!((reported + reported).reported);
        assert!(!(reported + Usage::default()).reported && !(Usage::default() + reported).reported);
    }

    #[test]
    fn more_cached_than_input_is_never_negative() {
        let price = Price { input: 1.0, output: 1.0, cached_input: None, reasoning: None };
        let usage = Usage { input: 10, cached_input: 99, ..Usage::default() };
        assert!((price.cost(&usage) - 10.0 / 1e6).abs() < 1e-15);
    }
}
