//! What a run is to go on with, left for whoever drives it next, and promised by whoever was asked.

use crate::drive::{Sim, brief};
use crate::replay;
use crate::resumed::script;
use crate::stream::{self, all_of};
use crate::waits::{of_an_older_server, tokens, waiting, with_key, without_key};
use crate::world::Web;
use quarry_events::run::{EventName, RunStatus, WaitReason};
use quarry_journal::run::Waiting;
use quarry_machines::core::Budget;
use quarry_machines::run::{Brief, GoesOn, Resumption, RunInput};
use quarry_types::{ChatError, Knobs, ReportStyle};

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
    // It goes on already. A bound that was promised holds, except in runs of before.
    for (revision, wanted, has) in [
        (3, most + 1, most),
        (Brief::REVISION, most + 1, most + 1),
        (Brief::REVISION, most - 1, most),
    ] {
        let mut sim = Sim::new(Brief { revision, ..asked.clone() }, script(), Web::Scripted);
        assert!(sim.leaves(&wish(tokens(wanted))));
        sim.drive();
        stream::check(&sim);
        replay::check(&sim);
        let budget = sim.run().brief().budget;
        assert_eq!((sim.status(), Some(budget)), (RunStatus::Completed, tokens(has)));
        let events = sim.events();
        assert!(all_of(&events, EventName::StepFailed).is_empty());
        assert!(all_of(&events, EventName::RunResumed).is_empty(), "it has not stood still");
    }
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
    // Its wait was over meanwhile: the key is no reason to leave it to others.
    let works = Sim::new(brief(Knobs::default()), script(), Web::Scripted);
    assert_eq!(promised(&works, &with_own, true), Some(GoesOn::AsItIs));
    // They had no key.
    let keyless = without_key("openai:judge");
    let (budget, paid) = told(promised(&keyless, &with_own, false));
    assert_eq!((budget, paid.unwrap().len()), (Some(Budget::default()), 2));
}

#[test]
fn whatever_no_key_of_the_callers_pays_for_is_the_operators() {
    let sim = without_key("openai:judge");
    let paid = |said: Option<&RunInput>| {
        sim.run().paid_by_operator_after(said).into_iter().collect::<Vec<_>>()
    };
    assert_eq!(paid(None), ["openai:judge", "openai:scripted"]);
    for (wanted, left) in [(with_key(false), 2), (with_key(true), 0)] {
        match sim.run().resumption(wanted, sim.now).unwrap() {
            GoesOn::Told(said) => assert_eq!(paid(Some(said.as_ref())).len(), left),
            GoesOn::AsItIs => panic!("it waits"),
        }
    }
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

/// A run that waits for a rate limit, with nobody who waits with it.
fn limited() -> Sim {
    let error = ChatError::rate_limited(90_000, "slow down".to_owned());
    let script = script().fails("n3/parts", 1, error);
    let mut sim = Sim::new(brief(Knobs::default()), script, Web::Scripted);
    sim.drive_until_dead();
    assert!(waiting(&sim).until.is_some());
    sim
}

fn more_nodes() -> Resumption {
    Resumption { config: r#"{"max_nodes":80}"#.to_owned(), ..with_key(false) }
}

#[test]
fn a_wish_is_heard_though_somebody_else_has_the_run_go_on_as_it_was() {
    let mut sim = limited();
    assert!(sim.leaves(&more_nodes()), "whoever was asked for it dies");
    // Whoever is asked now has read the inbox before that.
    sim.resume_as(with_key(false)).unwrap();
    stream::check(&sim);
    replay::check(&sim);
    assert_eq!((sim.status(), sim.run().brief().knobs.max_nodes), (RunStatus::Completed, 80));
    assert!(sim.store.inbox(sim.id).is_empty());
    // So it is where the wait is over by itself.
    let mut sim = limited();
    assert!(sim.leaves(&more_nodes()));
    sim.now.0 += 90_000;
    sim.drive();
    stream::check(&sim);
    replay::check(&sim);
    assert_eq!((sim.status(), sim.run().brief().knobs.max_nodes), (RunStatus::Completed, 80));
}

/// Somebody resumes a run, and at any moment from the reading of its inbox on another wish is left for it, by who was told
/// that they have it. Their driver may die then.
#[test]
fn of_two_who_have_a_run_go_on_at_once_each_has_what_they_named() {
    let of = |config: &str, most: u64| {
        let (config, budget) = (config.to_owned(), tokens(most).unwrap());
        Resumption { config, budget, ..with_key(false) }
    };
    let wanted = [
        of(r#"{"max_nodes":80,"report_style":"concise"}"#, 190_000),
        of(r#"{"max_nodes":60,"max_rounds":5,"cache_ttl":60}"#, 200_000),
    ];
    for (first, second) in [(0, 1), (1, 0)] {
        for after in (1..12).chain((12..).step_by(7)) {
            // Whoever was asked first has heard that it goes on.
            let dies = after > 6 && after % 2 == 0;
            let mut sim = poor();
            let begun = sim.points;
            sim.plan.wishes.insert(begun + after, wanted[second].clone());
            sim.plan.kills.extend(dies.then_some(begun + after + 1));
            sim.resume_as(wanted[first].clone()).unwrap();
            if sim.promised.is_empty() {
                assert!(after > 40, "it was there to be left for {after} points");
                break;
            }
            stream::check(&sim);
            replay::check(&sim);
            assert_eq!(sim.status(), RunStatus::Completed);
            let Brief { knobs, budget, .. } = sim.run().brief().clone();
            let has = (knobs.max_nodes, knobs.max_rounds, knobs.report_style, knobs.cache_ttl);
            let each = (80, 5, ReportStyle::Concise, 60);
            assert_eq!((has, Some(budget)), (each, tokens(200_000)), "{first}, then at {after}");
            assert!(sim.store.inbox(sim.id).is_empty());
            let failed = all_of(&sim.events(), EventName::StepFailed);
            let is_late = failed.iter().all(|failed| failed["step"] == "using the larger bounds");
            assert!(is_late, "{failed:?}");
            let resumed = all_of(&sim.events(), EventName::RunResumed).len();
            assert_eq!(resumed, 1, "it went on once");
        }
    }
}

#[test]
fn whoever_resumes_a_run_that_is_being_aborted_is_told_to_wait_for_that() {
    let body = serde_json::to_string(&RunInput::Abort).unwrap();
    let abort = Waiting { id: "abort".to_owned(), body: Some(body) };
    let why = GoesOn::AsItIs.beside(&with_key(false), &[abort]).unwrap_err().to_string();
    assert_eq!(why, "the run is being aborted; resume it when it is");
    assert_eq!(GoesOn::AsItIs.beside(&with_key(false), &[]), Ok((GoesOn::AsItIs, None)));
}

#[test]
fn whoever_resumes_a_run_beside_a_wish_has_the_same_one_or_is_told_of_it() {
    let mut sim = limited();
    let beside = |sim: &Sim, wanted: &Resumption| {
        let goes_on = sim.run().resumption(wanted.clone(), sim.now).unwrap();
        goes_on.beside(wanted, &sim.store.inbox(sim.id))
    };
    let is_told = |it: &GoesOn| matches!(it, GoesOn::Told(_));
    let (goes_on, name) = beside(&sim, &more_nodes()).unwrap();
    assert!(is_told(&goes_on) && name.is_none(), "nothing lies there");
    assert!(sim.leaves(&more_nodes()));
    let (goes_on, name) = beside(&sim, &more_nodes()).unwrap();
    let lies = sim.store.inbox(sim.id)[0].id.clone();
    assert!(is_told(&goes_on) && name == Some(lies), "it is taken out with the first step");
    assert_eq!(beside(&sim, &with_key(false)), Ok((GoesOn::AsItIs, None)), "it goes on with it");
    let other = Resumption { config: r#"{"max_nodes":90}"#.to_owned(), ..with_key(false) };
    for other in [other, Resumption { force: true, ..with_key(false) }] {
        let why = beside(&sim, &other).unwrap_err().to_string();
        assert!(why.contains("another wish to resume the run lies there already"), "{why}");
    }
}
