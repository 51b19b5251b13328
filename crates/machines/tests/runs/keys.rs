//! Whose key pays from when on, and what is let go of when a run's time is over.

use crate::drive::{LIMITS, START, brief};
use crate::replay;
use crate::stream;
use crate::waits::{waiting, with_key, with_own_key, without_key};
use quarry_events::run::{RunStatus, WaitReason};
use quarry_machines::run::{GoesOn, Resumption, Run, RunInput};
use quarry_types::{Knobs, Timeouts, Timestamp};
use std::collections::BTreeSet;

fn by_operator() -> Resumption {
    Resumption { operator_pays: true, ..with_key(false) }
}

/// The number of a driver: later ones have larger ones.
fn number(holder: &str) -> u32 {
    holder.strip_prefix('d').unwrap().parse().unwrap()
}

#[test]
fn a_new_key_pays_for_all_that_follows_though_whoever_has_the_old_one_waits_with_the_run() {
    let mut found = BTreeSet::new();
    let mut undisturbed = with_own_key(90_000);
    undisturbed.drive();
    for point in undisturbed.points_of("n3/parts").. {
        let mut sim = with_own_key(90_000);
        sim.plan.rekeys.insert(point);
        sim.drive();
        stream::check(&sim);
        replay::check(&sim);
        assert_eq!(sim.status(), RunStatus::Completed);
        // It waits no more then.
        let Some((holder, at)) = sim.rekeyed.first() else { break };
        found.insert(at.0 - START.0);
        let later: Vec<_> = sim.performed.iter().filter(|it| it.at >= *at).collect();
        assert!(later.iter().any(|it| it.is_model));
        for it in later {
            assert!(
                number(&it.holder) >= number(holder),
                "{it:?} has the old key, {holder} the new"
            );
        }
    }
    assert!(found.len() > 3, "at several moments of the wait: {found:?}");
}

#[test]
fn a_key_that_is_refused_does_not_take_the_operators_payment_away_for_good() {
    let mut sim = without_key("openai:judge");
    // Nobody has it.
    sim.resume_as(with_key(true)).unwrap();
    assert_eq!(waiting(&sim).reason, WaitReason::NeedsKey);
    let paid = sim.run().brief().paid_by_caller.clone();
    assert_eq!(sim.run().wants_key_for(), paid);
    // Who may not use the operator's keys, or finds none, waits for a key as before.
    sim.resume_as(with_key(false)).unwrap();
    assert_eq!((waiting(&sim).reason, paid.len()), (WaitReason::NeedsKey, 2));
    sim.resume_as(by_operator()).unwrap();
    stream::check(&sim);
    replay::check(&sim);
    assert_eq!(sim.status(), RunStatus::Completed);
    assert!(sim.run().brief().paid_by_caller.is_empty());
}

#[test]
fn the_operator_pays_for_no_run_whose_caller_has_a_key() {
    let mut undisturbed = with_own_key(90_000);
    undisturbed.drive();
    let first = undisturbed.points_of("n3/parts");
    let mut died = (first..).map(|point| {
        let mut sim = with_own_key(90_000);
        sim.limits.slice_ms = 10_000_000;
        sim.plan.kills.insert(point);
        sim.drive_until_dead();
        sim
    });
    let mut sim = died.find(|sim| sim.status() == RunStatus::Queued).unwrap();
    assert_eq!(waiting(&sim).reason, WaitReason::RateLimit);
    sim.now.0 += LIMITS.lease_ms;
    assert!(sim.run().wants_key_for().is_empty());
    sim.resume_as(by_operator()).unwrap();
    replay::check(&sim);
    assert_eq!(sim.run().brief().paid_by_caller, ["openai:scripted"]);
}

/// Left by who could not have the run, and heard by whoever has it.
#[test]
fn a_wish_at_the_operators_expense_is_heard_as_one() {
    let mut sim = without_key("openai:judge");
    sim.resume_as(with_key(true)).unwrap();
    assert!(sim.leaves(&by_operator()));
    sim.drive();
    replay::check(&sim);
    assert_eq!(sim.status(), RunStatus::Completed);
    assert!(sim.run().brief().paid_by_caller.is_empty());
    // Of before, when nobody could say so.
    let left = with_key(true).left().unwrap();
    assert!(!left.contains("operator_pays"), "{left}");
}

#[test]
fn what_says_whose_key_pays_is_told_from_what_does_not() {
    let sim = without_key("openai:judge");
    let says = |wanted| match sim.run().resumption(wanted, sim.now).unwrap() {
        GoesOn::Told(input) => input.says_who_pays(),
        GoesOn::AsItIs => panic!("it waits"),
    };
    assert!(says(with_key(true)) && !says(with_key(false)) && !says(by_operator()));
    assert!(!RunInput::Clock.says_who_pays());
}

/// What a driver waits for no more, so that nobody goes on writing it, and billing for it.
#[test]
fn a_call_that_a_run_gives_up_is_not_under_way_any_more() {
    let timeouts = Timeouts { run: 10, ..Knobs::default().timeouts };
    let (mut run, _) = Run::new(brief(Knobs { timeouts, ..Knobs::default() }), START);
    let effects = run.due();
    let ticket = effects[0].ticket;
    assert!(!run.is_under_way(ticket), "it has not begun");
    run.handle(RunInput::Begun { effects }, START);
    assert!(run.is_under_way(ticket));
    run.handle(RunInput::Clock, Timestamp(START.0 + 10_000));
    assert!(!run.is_under_way(ticket) && !run.has_begun());
}
