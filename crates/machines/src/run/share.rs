//! The part of a budget that is research's: the rest is set aside for the report.

use crate::core::Budget;

/// The part of a budget that research may use. Source: the contract's bounds.
const FOR_RESEARCH: f64 = 0.85;

/// More than what is lost of a number by two operations.
const ROUNDING: f64 = 1e-12;

/// The part of a budget that research may use.
pub(super) fn for_research(budget: Budget) -> Budget {
    #[allow(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a share of tokens, which stay far below 2^53"
    )]
    let tokens = budget.tokens.map(|tokens| (tokens as f64 * FOR_RESEARCH) as u64);
    Budget { usd: budget.usd.map(|usd| usd * FOR_RESEARCH), tokens }
}

/// A budget of which this is the part for research.
pub(super) fn with_report(research: Budget) -> Budget {
    #[allow(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a share of tokens, which stay far below 2^53"
    )]
    // One more, because the share is rounded down.
    let grown = |tokens: u64| ((tokens as f64 / FOR_RESEARCH).ceil() as u64).saturating_add(1);
    let tokens = research.tokens.map(grown);
    // As little more, because a product is rounded, too.
    let usd = research.usd.map(|usd| usd / FOR_RESEARCH * (1.0 + ROUNDING));
    Budget { usd, tokens }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whoever resumes a run with what its hint names is not told the same again.
    #[test]
    fn a_budget_that_is_named_has_room_for_what_was_needed() {
        for micros in 1..20_000_u32 {
            let used = f64::from(micros) / 1e6;
            let needed = with_report(Budget { usd: Some(used), tokens: None }).usd.unwrap();
            let named = (needed * 10_000.0).ceil() / 10_000.0;
            let room = for_research(Budget { usd: Some(named), tokens: None }).usd.unwrap();
            assert!(room >= used, "{used}: {named}");
        }
    }

    /// A provider may say that any number was used.
    #[test]
    fn a_budget_that_is_needed_is_no_smaller_than_what_was_used_whatever_that_is() {
        for tokens in [0, 1, 1_000, u64::MAX / 2, u64::MAX] {
            let needed = with_report(Budget { usd: None, tokens: Some(tokens) });
            assert!(needed.tokens > Some(tokens) || needed.tokens == Some(u64::MAX), "{needed:?}");
        }
    }
}
