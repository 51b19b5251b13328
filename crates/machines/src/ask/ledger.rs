//! What an ask has spent and what it may still spend.
//!
//! Before a call its worst case is reserved; after it the real usage takes the reservation's
//! place. So a budget stops an ask before it is exceeded, not after.

use super::config::Budget;
use quarry_events::{self as event, At, TokenCounts};
use quarry_types::{Price, Timestamp, Usage, Usd};
use serde::{Deserialize, Serialize};

/// What one model call used.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StepCost {
    /// The phase, with the iteration where there is one.
    pub step_name: String,
    /// The phase alone.
    pub phase: String,
    /// `provider:name`.
    pub model: String,
    /// US dollars; null when no price is known.
    pub cost: Option<Usd>,
    /// All input tokens.
    pub input_tokens: u64,
    /// All output tokens.
    pub output_tokens: u64,
    /// Of the input.
    pub cached_input_tokens: u64,
    /// Of the output.
    pub reasoning_tokens: u64,
    /// Whether the provider reported the figures; else they are estimates.
    pub reported: bool,
    /// Milliseconds.
    pub duration: u64,
    /// In words.
    pub description: String,
    /// ISO 8601, UTC: when the call ended.
    pub timestamp: String,
}

impl StepCost {
    /// As events show it; a time that a client's state left out is the present.
    #[must_use]
    pub fn shown(&self, now: Timestamp) -> event::StepCost {
        let (cost, cost_known) = event::shown_cost(self.cost);
        event::StepCost {
            step_name: self.step_name.clone(),
            phase: self.phase.clone(),
            model: self.model.clone(),
            cost,
            cost_known,
            input_tokens: self.input_tokens,
            output_tokens: self.output_tokens,
            cached_input_tokens: self.cached_input_tokens,
            reasoning_tokens: self.reasoning_tokens,
            reported: self.reported,
            duration: self.duration,
            description: self.description.clone(),
            timestamp: At(Timestamp::parse_iso(&self.timestamp).unwrap_or(now)),
        }
    }
}

/// A call whose real use nobody told: it broke off, or was dropped while under way.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Unsettled {
    /// The phase, with the iteration where there is one.
    pub step_name: String,
    /// `provider:name`.
    pub model: String,
    /// In words.
    pub reason: String,
    /// The most that it can have used.
    pub most_tokens: u64,
    /// The most that it can have cost, in US dollars; null when no price is known.
    pub most_cost: Option<Usd>,
}

impl Unsettled {
    /// As events show it.
    #[must_use]
    pub fn shown(&self) -> event::UnsettledCall {
        event::UnsettledCall {
            step_name: self.step_name.clone(),
            model: self.model.clone(),
            reason: self.reason.clone(),
            most_tokens: self.most_tokens,
            most_cost: self.most_cost,
        }
    }
}

/// The worst case of a call that is about to start.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Reservation {
    /// Input and output together.
    pub tokens: u64,
    /// None when no price is known.
    pub usd: Option<Usd>,
}

/// What can be said before a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Room {
    /// It fits.
    Fits,
    /// It fits, but the budget is nearly used up: time to write the answer.
    NearlyUsed,
    /// Its worst case does not fit.
    DoesNotFit,
}

/// Accounts of one ask.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Ledger {
    steps: Vec<StepCost>,
    reserved: Vec<Reservation>,
    unsettled: Vec<Unsettled>,
}

/// The part of a budget after which no more research is begun.
const NEARLY: f64 = 0.9;

impl Ledger {
    /// Accounts that go on from earlier ones.
    #[must_use]
    pub const fn resumed(steps: Vec<StepCost>, unsettled: Vec<Unsettled>) -> Self {
        Ledger { steps, reserved: Vec::new(), unsettled }
    }

    /// Every call so far, in the order in which they ended.
    #[must_use]
    pub fn steps(&self) -> &[StepCost] {
        &self.steps
    }

    /// Calls whose use is unknown. They are in no sum, but their worst case stays reserved.
    #[must_use]
    pub fn unsettled(&self) -> &[Unsettled] {
        &self.unsettled
    }

    /// The sum of all calls; none when the price of any is unknown.
    #[must_use]
    pub fn total_cost(&self) -> Option<Usd> {
        self.steps.iter().map(|step| step.cost).sum()
    }

    /// The sum of the calls whose price is known.
    #[must_use]
    pub fn known_cost(&self) -> Usd {
        // Not `sum`, which gives an empty list a negative zero.
        self.steps.iter().filter_map(|step| step.cost).fold(0.0, |sum, cost| sum + cost)
    }

    /// Calls that [`Ledger::known_cost`] does not have.
    #[must_use]
    pub fn unpriced_calls(&self) -> usize {
        let unpriced = self.steps.iter().filter(|step| step.cost.is_none()).count();
        unpriced + self.unsettled.len()
    }

    /// The sums of all calls.
    #[must_use]
    pub fn tokens(&self) -> TokenCounts {
        // Saturating: the figures come from providers and clients.
        let sum = |of: fn(&StepCost) -> u64| self.steps.iter().map(of).fold(0, u64::saturating_add);
        let (input, output) = (sum(|step| step.input_tokens), sum(|step| step.output_tokens));
        TokenCounts { input, output, total: input.saturating_add(output) }
    }

    /// Whether a call with this worst case may start. Without a price a budget in US dollars
    /// cannot be held, so nothing fits it.
    #[must_use]
    pub fn room(&self, budget: &Budget, price: Option<&Price>, input: u64, output: u64) -> Room {
        let next = worst_case(price, input, output);
        let spent = self.committed();
        let fits = |limit: f64, spent: f64, next: f64| {
            if spent + next > limit {
                Room::DoesNotFit
            } else if spent > 0.0 && spent >= limit * NEARLY {
                Room::NearlyUsed
            } else {
                Room::Fits
            }
        };
        let by_tokens = budget.tokens.map_or(Room::Fits, |limit| {
            fits(as_float(limit), as_float(spent.tokens), as_float(next.tokens))
        });
        let by_usd = budget.usd.map_or(Room::Fits, |limit| match next.usd {
            Some(next) => fits(limit, spent.usd.unwrap_or_default(), next),
            None => Room::DoesNotFit,
        });
        match (by_tokens, by_usd) {
            (Room::DoesNotFit, _) | (_, Room::DoesNotFit) => Room::DoesNotFit,
            (Room::NearlyUsed, _) | (_, Room::NearlyUsed) => Room::NearlyUsed,
            (Room::Fits, Room::Fits) => Room::Fits,
        }
    }

    /// The most output tokens that still fit beside an input of this size.
    #[must_use]
    pub fn output_that_fits(&self, budget: &Budget, price: Option<&Price>, input: u64) -> u64 {
        let spent = self.committed();
        let by_tokens = budget
            .tokens
            .map_or(u64::MAX, |limit| limit.saturating_sub(spent.tokens).saturating_sub(input));
        let by_usd = match (budget.usd, price) {
            (Some(limit), Some(price)) => {
                let input = worst_case(Some(price), input, 0).usd.unwrap_or_default();
                let left = limit - spent.usd.unwrap_or_default() - input;
                let each = price.output.max(price.reasoning.unwrap_or(0.0)) / 1e6;
                whole_tokens(left, each)
            }
            (Some(_), None) => 0,
            (None, _) => u64::MAX,
        };
        by_tokens.min(by_usd)
    }

    /// Reserves the worst case of a call that starts now.
    pub fn reserve(&mut self, price: Option<&Price>, input: u64, output: u64) -> Reservation {
        let reservation = worst_case(price, input, output);
        self.reserved.push(reservation);
        reservation
    }

    /// Ends a reservation: with what the call used, or with nothing when it cost nothing.
    pub fn settle(&mut self, reservation: Reservation, step: Option<StepCost>) {
        if let Some(at) = self.reserved.iter().position(|held| *held == reservation) {
            self.reserved.remove(at);
        }
        self.steps.extend(step);
    }

    /// Ends a reservation of a call whose use is unknown. The budget goes on holding its worst
    /// case.
    pub fn lose(&mut self, reservation: Reservation, lost: Unsettled) {
        self.settle(reservation, None);
        self.unsettled.push(lost);
    }

    /// Spent, reserved and unsettled together; what has no price counts nothing in US dollars.
    fn committed(&self) -> Reservation {
        let spent = self.steps.iter().filter_map(|step| step.cost);
        let held = self.reserved.iter().filter_map(|held| held.usd);
        let lost = self.unsettled.iter().filter_map(|lost| lost.most_cost);
        let usd = spent.chain(held).chain(lost).sum();
        let held = self.reserved.iter().map(|held| held.tokens);
        let lost = self.unsettled.iter().map(|lost| lost.most_tokens);
        let tokens = held.chain(lost).fold(self.tokens().total, u64::saturating_add);
        Reservation { tokens, usd: Some(usd) }
    }
}

fn worst_case(price: Option<&Price>, input: u64, output: u64) -> Reservation {
    let dearest = price.map(|price| Price {
        input: price.input,
        output: price.output.max(price.reasoning.unwrap_or(0.0)),
        cached_input: None,
        reasoning: None,
    });
    let usage = Usage { input, output, ..Usage::default() };
    Reservation {
        tokens: input.saturating_add(output),
        usd: dearest.map(|price| price.cost(&usage)),
    }
}

#[expect(clippy::cast_precision_loss, reason = "token counts stay far below 2^53")]
const fn as_float(tokens: u64) -> f64 {
    tokens as f64
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a float cast saturates, and negatives are cut off before"
)]
fn whole_tokens(usd: Usd, each: Usd) -> u64 {
    if usd < 0.0 {
        0
    } else if each <= 0.0 {
        u64::MAX
    } else {
        (usd / each).floor() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn step(cost: Option<Usd>, input: u64, output: u64) -> StepCost {
        StepCost {
            step_name: "planning".into(),
            phase: "planning".into(),
            model: "openai:x".into(),
            cost,
            input_tokens: input,
            output_tokens: output,
            cached_input_tokens: 0,
            reasoning_tokens: 0,
            reported: true,
            duration: 1,
            description: String::new(),
            timestamp: String::new(),
        }
    }

    const PRICE: Price = Price { input: 1.0, output: 2.0, cached_input: None, reasoning: None };

    #[test]
    fn an_unknown_price_makes_the_total_unknown() {
        let mut ledger = Ledger::default();
        let held = ledger.reserve(None, 10, 10);
        ledger.settle(held, Some(step(None, 10, 5)));
        assert_eq!(ledger.total_cost(), None);
        assert_eq!(ledger.tokens(), TokenCounts { input: 10, output: 5, total: 15 });
        assert_eq!(Ledger::default().total_cost(), Some(0.0));
    }

    #[test]
    fn reservations_count_until_they_are_settled() {
        let budget = Budget { usd: None, tokens: Some(100) };
        let mut ledger = Ledger::default();
        let held = ledger.reserve(Some(&PRICE), 50, 20);
        assert_eq!(ledger.room(&budget, Some(&PRICE), 20, 11), Room::DoesNotFit);
        assert_eq!(ledger.output_that_fits(&budget, Some(&PRICE), 20), 10);
        ledger.settle(held, Some(step(Some(0.0), 50, 0)));
        assert_eq!(ledger.room(&budget, Some(&PRICE), 20, 11), Room::Fits);
        let held = ledger.reserve(Some(&PRICE), 40, 0);
        ledger.settle(held, Some(step(Some(0.0), 40, 0)));
        assert_eq!(ledger.room(&budget, Some(&PRICE), 5, 5), Room::NearlyUsed);
    }

    proptest! {
        /// Whatever calls are made, as long as each is checked first and uses no more than was
        /// reserved, the budget holds.
        #[test]
        fn a_budget_is_never_exceeded(
            calls in prop::collection::vec((1u64..5_000, 1u64..5_000, 0.0f64..1.0), 1..30),
            tokens in 1u64..50_000,
            usd in 0.000_1f64..0.1,
        ) {
            let budget = Budget { usd: Some(usd), tokens: Some(tokens) };
            let mut ledger = Ledger::default();
            for (input, output, used) in calls {
                if ledger.room(&budget, Some(&PRICE), input, output) == Room::DoesNotFit {
                    continue;
                }
                let held = ledger.reserve(Some(&PRICE), input, output);
                let real = (output as f64 * used) as u64;
                let usage = Usage { input, output: real, ..Usage::default() };
                ledger.settle(held, Some(step(Some(PRICE.cost(&usage)), input, real)));
            }
            prop_assert!(ledger.tokens().total <= tokens);
            prop_assert!(ledger.total_cost().unwrap() <= usd + 1e-12);
        }
    }
}
