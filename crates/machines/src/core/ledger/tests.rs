//! Accounts and budgets.

use super::*;
use proptest::prelude::*;

fn step(cost: Option<Usd>, input: u64, output: u64) -> Step {
    Step {
        name: "planning".into(),
        phase: "planning".into(),
        description: String::new(),
        model: "openai:x".into(),
        cost,
        usage: Usage { input, output, reported: true, ..Usage::default() },
        duration: 1,
        at: Timestamp(0),
        text: String::new(),
    }
}

fn settle(ledger: &mut Ledger, held: Reservation, step: Step) {
    ledger.release(held);
    ledger.record(step);
}

const PRICE: Price = Price { input: 1.0, output: 2.0, cached_input: None, reasoning: None };

#[test]
fn a_cost_that_is_unknown_is_counted_and_never_summed_as_nothing() {
    let model: ModelId = "openai:x".parse().unwrap();
    let mut ledger = Ledger::default();
    assert!(ledger.totals(&model).cost_known);
    let held = ledger.reserve(None, 10, 10);
    settle(&mut ledger, held, step(None, 10, 5));
    let held = ledger.reserve(Some(&PRICE), 10, 10);
    settle(&mut ledger, held, step(Some(0.5), 1, 1));
    let totals = ledger.totals(&model);
    assert_eq!((totals.total_cost, totals.cost_known, totals.unpriced_calls), (0.5, false, 1));
    assert_eq!(ledger.tokens(), TokenCounts { input: 11, output: 6, total: 17 });
}

#[test]
fn reservations_count_until_they_are_settled() {
    let budget = Budget { usd: None, tokens: Some(100) };
    let mut ledger = Ledger::default();
    let held = ledger.reserve(Some(&PRICE), 50, 20);
    assert_eq!(ledger.room(&budget, Some(&PRICE), 20, 11), Room::DoesNotFit);
    assert_eq!(ledger.output_that_fits(&budget, Some(&PRICE), 20, Reservation::NOTHING), 10);
    settle(&mut ledger, held, step(Some(0.0), 50, 0));
    assert_eq!(ledger.room(&budget, Some(&PRICE), 20, 11), Room::Fits);
    let held = ledger.reserve(Some(&PRICE), 40, 0);
    settle(&mut ledger, held, step(Some(0.0), 40, 0));
    assert_eq!(ledger.room(&budget, Some(&PRICE), 5, 5), Room::NearlyUsed);
}

#[test]
fn what_is_promised_is_set_aside_and_not_used() {
    let budget = Budget { usd: Some(2e-3), tokens: Some(1_000) };
    let mut ledger = Ledger::default();
    let held = ledger.reserve(Some(&PRICE), 50, 50);
    let promised = held.times(8);
    let beside = |of| ledger.room_beside(&budget, Some(&PRICE), of, promised);
    assert_eq!(beside((50, 0)), Room::Fits, "nine tenths are not used");
    assert_eq!(beside((50, 51)), Room::DoesNotFit);
    let tries = |promised| ledger.tries_that_fit(&budget, Some(&PRICE), (50, 0), (100, promised));
    assert_eq!([tries(Reservation::NOTHING), tries(held.times(6))], [8, 3]);
    let fits = |promised| ledger.output_that_fits(&budget, Some(&PRICE), 50, promised);
    assert_eq!([fits(Reservation::NOTHING), fits(held.times(5))], [850, 350]);
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
            settle(&mut ledger, held, step(Some(PRICE.cost(&usage)), input, real));
        }
        prop_assert!(ledger.tokens().total <= tokens);
        prop_assert!(ledger.known_cost(|_| true) <= usd + 1e-12);
    }
}
