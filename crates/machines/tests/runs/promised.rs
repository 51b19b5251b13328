//! What a run is to go on with, left for whoever drives it next, and promised by whoever was asked.

use crate::drive::{Sim, brief};
use crate::replay;
use crate::resumed::script;
use crate::stream::{self, all_of};
use crate::waits::{of_an_older_server, tokens, waiting, with_key, without_key};
use crate::world::Web;
use quarry_events::run::{EventName, RunStatus, WaitReason};
use quarry_machines::core::Budget;
use quarry_machines::run::{Brief, GoesOn, Resumption, RunInput};
use quarry_types::Knobs;

/// A run that waits for more than it may use.
fn poor() -> Sim {
    let asked = Brief { budget: tokens(100).unwrap(), ..brief(Knobs::default()) };
    let mut sim = Sim::new(asked, script(), Web::Scripted);
    sim.drive();
    assert_eq!(waiting(&sim).reason, WaitReason::Budget);
    sim
}

#[test]
fn what_a_person_wants_of_a_run_outlives_whoever_was_asked_for_it() {
    let mut sim = poor();
    let budget = tokens(200_000).unwrap();
    let more = Resumption { budget, ..with_key(false) };
    assert!(sim.leaves(&more), "another may still have it; whoever was asked dies");
    assert!(!sim.leaves(&Resumption { budget: tokens(150).unwrap(), ..more.clone() }));
    assert!(sim.leaves(&more), "whoever never heard that it was taken sends it again");
    assert_eq!(sim.store.inbox(sim.id).len(), 1);
    sim.drive();
    stream::check(&sim);
    replay::check(&sim);
    assert_eq!((sim.status(), sim.run().brief().budget), (RunStatus::Completed, budget));
    assert!(
        all_of(&sim.events(), EventName::StepFailed).is_empty()
            && sim.store.inbox(sim.id).is_empty()
    );
}

#[test]
fn a_wish_that_came_too_late_changes_nothing_and_one_that_cannot_be_had_is_told() {
    let most = 200_000;
    let asked = Brief { budget: tokens(most).unwrap(), ..brief(Knobs::default()) };
    let wish = |tokens: Option<Budget>| Resumption {
        budget: tokens.unwrap_or_default(),
        ..with_key(false)
    };
    let mut sim = Sim::new(asked.clone(), script(), Web::Scripted);
    assert!(sim.leaves(&wish(tokens(most + 1))), "it goes on already");
    sim.drive();
    stream::check(&sim);
    replay::check(&sim);
    assert_eq!((sim.status(), sim.run().brief().budget), (RunStatus::Completed, asked.budget));
    assert!(all_of(&sim.events(), EventName::StepFailed).is_empty());
    let mut sim = without_key("openai:judge");
    assert!(sim.leaves(&wish(tokens(5))));
    sim.drive();
    let told = all_of(&sim.events(), EventName::StepFailed);
    assert!(told[0]["message"].as_str().unwrap().contains("budget.tokens"), "{told:?}");
    assert_eq!(waiting(&sim).reason, WaitReason::NeedsKey, "it waits as before");
}

#[test]
fn a_wish_that_came_with_a_key_ends_where_it_is_needed_if_the_key_died() {
    let mut sim = without_key("openai:judge");
    assert!(sim.leaves(&with_key(true)));
    sim.drive();
    stream::check(&sim);
    replay::check(&sim);
    assert_eq!(waiting(&sim).reason, WaitReason::NeedsKey);
    assert_eq!(sim.run().brief().paid_by_caller, ["openai:scripted", "openai:judge"]);
    sim.has_key = true;
    sim.resume_as(with_key(true)).unwrap();
    assert_eq!(sim.status(), RunStatus::Completed);
}

#[test]
fn a_wish_that_rules_have_come_between_is_told_and_one_that_says_so_is_had() {
    let mut sim = of_an_older_server();
    sim.plan.kills.insert(20);
    sim.drive_until_dead();
    sim.is_old = false;
    sim.drive();
    assert_eq!(waiting(&sim).reason, WaitReason::PolicyChanged);
    assert!(sim.leaves(&with_key(false)), "with other rules than whoever promised it has");
    sim.drive();
    let told = all_of(&sim.events(), EventName::StepFailed);
    let message = told[0]["message"].as_str().unwrap();
    assert!(message.contains("it does not go on so: policies have changed"), "{message}");
    assert!(message.contains("\"force\": true") && sim.store.inbox(sim.id).is_empty());
    assert_eq!(waiting(&sim).reason, WaitReason::PolicyChanged, "it waits as before");
    assert!(sim.leaves(&Resumption { force: true, ..with_key(false) }));
    sim.drive();
    stream::check(&sim);
    replay::check(&sim);
    assert_eq!(sim.status(), RunStatus::Completed);
}

/// How a run goes on with whoever promised this.
fn promised(sim: &Sim, wanted: &Resumption, lies_there: bool) -> Option<GoesOn> {
    sim.run().promised(wanted.clone(), lies_there, sim.now).unwrap()
}

#[test]
fn whoever_promised_a_wish_tells_what_belongs_to_a_key_and_leaves_the_rest_to_the_inbox() {
    let sim = poor();
    let more = Resumption { budget: tokens(200_000).unwrap(), ..with_key(false) };
    let with_own = Resumption { has_key: true, ..more.clone() };
    for lies_there in [true, false] {
        assert_eq!(promised(&sim, &more, lies_there), Some(GoesOn::AsItIs), "it is heard there");
    }
    let told = |goes_on| match goes_on {
        Some(GoesOn::Told(input)) => match *input {
            RunInput::Resumed { budget, paid_by_caller, .. } => (budget, paid_by_caller),
            other => panic!("{other:?}"),
        },
        other => panic!("{other:?}"),
    };
    let (budget, paid) = told(promised(&sim, &with_own, true));
    assert_eq!((budget, paid.unwrap().len()), (Some(more.budget), 1));
    assert_eq!(promised(&sim, &with_own, false), Some(GoesOn::AsItIs), "somebody has heard it");
    // They had no key.
    let keyless = without_key("openai:judge");
    let (budget, paid) = told(promised(&keyless, &with_own, false));
    assert_eq!((budget, paid.unwrap().len()), (Some(Budget::default()), 2));
}

#[test]
fn a_run_that_was_ended_since_is_not_brought_back_to_life_by_what_was_promised() {
    let mut sim = poor();
    let more = Resumption { budget: tokens(200_000).unwrap(), ..with_key(true) };
    assert!(sim.leaves(&more));
    assert!(sim.say(&RunInput::Abort));
    sim.drive();
    assert_eq!(sim.status(), RunStatus::Aborted);
    for lies_there in [true, false] {
        assert_eq!(promised(&sim, &more, lies_there), None);
    }
}
