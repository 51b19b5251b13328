//! What a machine has spent and what it may still spend.
//!
//! Before a call its worst case is reserved; after it the real usage takes the reservation's
//! place. So a budget stops a machine before it is exceeded, not after.

use quarry_events::{At, CostTotals, StepCost, TokenCounts, UnsettledCall};
use quarry_types::{ModelId, Price, Timestamp, Usage, Usd};
use serde::{Deserialize, Serialize};

/// A hard limit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Budget {
    /// US dollars.
    pub usd: Option<f64>,
    /// Tokens, input and output together.
    pub tokens: Option<u64>,
}

impl Budget {
    /// The same with no limit smaller than the other's; what has none gets none.
    #[must_use]
    pub fn at_least(self, least: Budget) -> Budget {
        Budget {
            usd: self.usd.map(|own| least.usd.map_or(own, |least| least.max(own))),
            tokens: self.tokens.map(|own| least.tokens.map_or(own, |least| least.max(own))),
        }
    }
}

/// A model call that was made.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// The phase, with the iteration where there is one.
    pub name: String,
    /// The phase alone.
    pub phase: String,
    /// In words.
    pub description: String,
    /// `provider:name`.
    pub model: String,
    /// US dollars; none when no price is known.
    pub cost: Option<Usd>,
    /// What it used.
    pub usage: Usage,
    /// Milliseconds.
    pub duration: u64,
    /// When it ended.
    pub at: Timestamp,
    /// What the model wrote.
    pub text: String,
}

impl Step {
    /// As events show it.
    #[must_use]
    pub fn shown(&self) -> StepCost {
        let (cost, cost_known) = quarry_events::shown_cost(self.cost);
        StepCost {
            step_name: self.name.clone(),
            phase: self.phase.clone(),
            model: self.model.clone(),
            cost,
            cost_known,
            input_tokens: self.usage.input,
            output_tokens: self.usage.output,
            cached_input_tokens: self.usage.cached_input,
            reasoning_tokens: self.usage.reasoning,
            reported: self.usage.reported,
            duration: self.duration,
            description: self.description.clone(),
            timestamp: At(self.at),
        }
    }
}

/// A call whose real use nobody told: it broke off, or was dropped while under way.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Unsettled {
    /// The phase, with the iteration where there is one.
    pub name: String,
    /// `provider:name`.
    pub model: String,
    /// In words.
    pub reason: String,
    /// The most that it can have used.
    pub most: Reservation,
}

impl Unsettled {
    /// As events show it.
    #[must_use]
    pub fn shown(&self) -> UnsettledCall {
        UnsettledCall {
            step_name: self.name.clone(),
            model: self.model.clone(),
            reason: self.reason.clone(),
            most_tokens: self.most.tokens,
            most_cost: self.most.usd,
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

impl Reservation {
    /// Nothing.
    pub const NOTHING: Reservation = Reservation { tokens: 0, usd: None };

    /// So many of them.
    #[must_use]
    pub fn times(self, count: u32) -> Self {
        Reservation {
            tokens: self.tokens.saturating_mul(count.into()),
            usd: self.usd.map(|usd| usd * f64::from(count)),
        }
    }

    /// Both together; what has no price counts nothing in US dollars.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        let usd = [self.usd, other.usd].into_iter().flatten().reduce(|one, other| one + other);
        Reservation { tokens: self.tokens.saturating_add(other.tokens), usd }
    }
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

/// Accounts of one machine.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Ledger {
    steps: Vec<Step>,
    reserved: Vec<Reservation>,
    unsettled: Vec<Unsettled>,
    /// What calls came to that are kept only so.
    #[serde(default, skip_serializing_if = "Sums::is_nothing")]
    sums: Sums,
}

/// What calls came to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
struct Sums {
    cost: Usd,
    unpriced: usize,
    input: u64,
    output: u64,
    /// Of the input, what providers had kept.
    #[serde(default, skip_serializing_if = "super::is_zero")]
    cached: u64,
    /// Of the output, thoughts.
    #[serde(default, skip_serializing_if = "super::is_zero")]
    reasoning: u64,
}

impl Sums {
    fn is_nothing(&self) -> bool {
        *self == Sums::default()
    }
}

/// The phase of a call for the vector of a question.
pub const EMBEDDING: &str = "question_embedding";

/// The part of a budget after which no more research is begun.
const NEARLY: f64 = 0.9;

/// Tries of one call that are looked at, beside its first.
const MOST_TRIES: u32 = 8;

impl Ledger {
    /// Accounts that go on from earlier ones.
    #[must_use]
    pub const fn resumed(steps: Vec<Step>, unsettled: Vec<Unsettled>) -> Self {
        Ledger {
            steps,
            reserved: Vec::new(),
            unsettled,
            sums: Sums { cost: 0.0, unpriced: 0, input: 0, output: 0, cached: 0, reasoning: 0 },
        }
    }

    /// Every call so far, in the order in which they ended.
    #[must_use]
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Calls so far to models that write.
    #[must_use]
    pub fn written(&self) -> usize {
        self.steps.iter().filter(|step| step.phase != EMBEDDING).count()
    }

    /// Calls whose use is unknown. They are in no sum, but their worst case stays reserved.
    #[must_use]
    pub fn unsettled(&self) -> &[Unsettled] {
        &self.unsettled
    }

    /// Whether any call was made.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.steps.is_empty() && self.unsettled.is_empty()
    }

    /// The sum of what is known of the steps that are chosen.
    pub fn known_cost(&self, chosen: impl Fn(&Step) -> bool) -> Usd {
        // Not `sum`: of nothing that is -0.
        let known = self.steps.iter().filter(|step| chosen(step)).filter_map(|step| step.cost);
        known.fold(0.0, |sum, cost| sum + cost)
    }

    /// The sum of what is known of all calls.
    #[must_use]
    pub fn total_cost(&self) -> Usd {
        let known = self.steps.iter().filter_map(|step| step.cost);
        known.fold(self.sums.cost, |sum, cost| sum + cost)
    }

    /// Calls that no sum of costs has.
    #[must_use]
    pub fn unpriced_calls(&self) -> usize {
        let unpriced = self.steps.iter().filter(|step| step.cost.is_none()).count();
        self.sums.unpriced + unpriced + self.unsettled.len()
    }

    /// The sums of all calls, as events show them.
    #[must_use]
    pub fn totals(&self, model: &ModelId) -> CostTotals {
        let unpriced_calls = self.unpriced_calls();
        CostTotals {
            total_cost: self.total_cost(),
            cost_known: unpriced_calls == 0,
            unpriced_calls,
            total_tokens: self.tokens().total,
            model_name: model.name.clone(),
        }
    }

    /// The tokens of all calls.
    #[must_use]
    pub fn tokens(&self) -> TokenCounts {
        // Saturating: the figures come from providers and clients.
        let sum = |first: u64, of: fn(&Usage) -> u64| {
            self.steps.iter().map(|s| of(&s.usage)).fold(first, u64::saturating_add)
        };
        let input = sum(self.sums.input, |usage| usage.input);
        let output = sum(self.sums.output, |usage| usage.output);
        TokenCounts { input, output, total: input.saturating_add(output) }
    }

    /// Of the tokens of calls that are kept only as sums: those of the input that providers had kept, and those of the output
    /// that were thoughts.
    #[must_use]
    pub const fn cached_and_reasoning(&self) -> (u64, u64) {
        (self.sums.cached, self.sums.reasoning)
    }

    /// Whether a call with this worst case may start. Without a price a budget in US dollars
    /// cannot be held, so nothing fits it.
    #[must_use]
    pub fn room(&self, budget: &Budget, price: Option<&Price>, input: u64, output: u64) -> Room {
        self.room_beside(budget, price, (input, output), Reservation::NOTHING)
    }

    /// The same beside what is promised to others. It is set aside, and not used: research goes on with it.
    #[must_use]
    pub fn room_beside(
        &self,
        budget: &Budget,
        price: Option<&Price>,
        (input, output): (u64, u64),
        promised: Reservation,
    ) -> Room {
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
            let next = next.tokens.saturating_add(promised.tokens);
            fits(as_float(limit), as_float(spent.tokens), as_float(next))
        });
        let by_usd = budget.usd.map_or(Room::Fits, |limit| match next.usd {
            Some(next) => {
                let next = next + promised.usd.unwrap_or_default();
                fits(limit, spent.usd.unwrap_or_default(), next)
            }
            None => Room::DoesNotFit,
        });
        match (by_tokens, by_usd) {
            (Room::DoesNotFit, _) | (_, Room::DoesNotFit) => Room::DoesNotFit,
            (Room::NearlyUsed, _) | (_, Room::NearlyUsed) => Room::NearlyUsed,
            (Room::Fits, Room::Fits) => Room::Fits,
        }
    }

    /// How many more tries of a call fit beside its first, each at its worst case, so that so many tokens of output still
    /// fit after them, beside what is promised to others.
    #[must_use]
    pub fn tries_that_fit(
        &self,
        budget: &Budget,
        price: Option<&Price>,
        (input, output): (u64, u64),
        (and_then, promised): (u64, Reservation),
    ) -> u32 {
        let all = |tries: u32| {
            let times = |tokens: u64| tokens.saturating_mul(u64::from(tries) + 1);
            let output = times(output).saturating_add(and_then);
            self.room_beside(budget, price, (times(input), output), promised) != Room::DoesNotFit
        };
        (1..=MOST_TRIES).take_while(|tries| all(*tries)).last().unwrap_or_default()
    }

    /// The most output tokens that still fit beside an input of this size, and beside what is promised to others.
    #[must_use]
    pub fn output_that_fits(
        &self,
        budget: &Budget,
        price: Option<&Price>,
        input: u64,
        promised: Reservation,
    ) -> u64 {
        let spent = self.committed().and(promised);
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

    /// What would be committed with a call of this worst case.
    #[must_use]
    pub fn with(&self, price: Option<&Price>, input: u64, output: u64) -> Reservation {
        let (so_far, next) = (self.committed(), worst_case(price, input, output));
        let usd = so_far.usd.zip(next.usd).map(|(so_far, next)| so_far + next);
        Reservation { tokens: so_far.tokens.saturating_add(next.tokens), usd }
    }

    /// Reserves the worst case of a call that starts now.
    pub fn reserve(&mut self, price: Option<&Price>, input: u64, output: u64) -> Reservation {
        let reservation = worst_case(price, input, output);
        self.reserved.push(reservation);
        reservation
    }

    /// Ends a reservation: its call is accounted for otherwise, or cost nothing.
    pub fn release(&mut self, reservation: Reservation) {
        if let Some(at) = self.reserved.iter().position(|held| *held == reservation) {
            self.reserved.remove(at);
        }
    }

    /// Takes in a call that was made.
    pub fn record(&mut self, step: Step) {
        self.steps.push(step);
    }

    /// Counts a call that was made, of which something else keeps the rest.
    pub fn count(&mut self, cost: Option<Usd>, usage: &Usage) {
        let sums = &mut self.sums;
        sums.cost += cost.unwrap_or_default();
        sums.unpriced += usize::from(cost.is_none());
        sums.input = sums.input.saturating_add(usage.input);
        sums.output = sums.output.saturating_add(usage.output);
        sums.cached = sums.cached.saturating_add(usage.cached_input);
        sums.reasoning = sums.reasoning.saturating_add(usage.reasoning);
    }

    /// Ends a reservation of a call whose use is unknown. The budget goes on holding its worst
    /// case.
    pub fn lose(&mut self, reservation: Reservation, lost: Unsettled) {
        self.release(reservation);
        self.unsettled.push(lost);
    }

    /// Takes in a try whose use is unknown, of a call that goes on with another.
    pub fn lose_try(&mut self, lost: Unsettled) {
        self.unsettled.push(lost);
    }

    /// Spent, reserved and unsettled together; what has no price counts nothing in US dollars.
    fn committed(&self) -> Reservation {
        let spent = std::iter::once(self.total_cost());
        let held = self.reserved.iter().filter_map(|held| held.usd);
        let lost = self.unsettled.iter().filter_map(|lost| lost.most.usd);
        let usd = spent.chain(held).chain(lost).sum();
        let held = self.reserved.iter().map(|held| held.tokens);
        let lost = self.unsettled.iter().map(|lost| lost.most.tokens);
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
mod tests;
