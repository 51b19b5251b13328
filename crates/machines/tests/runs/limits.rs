//! What is tried again, and for how long: providers that limit, calls that may have been paid for; and whose a run is
//! that was just born with its caller's key.

use crate::asked::owner;
use crate::drive::{START, Sim, brief};
use crate::replay;
use crate::resumed::{script, whole};
use crate::store::Store;
use crate::stream::{self, all_of};
use crate::world::Web;
use quarry_events::run::{EventName, RunStatus};
use quarry_machines::run::{Brief, Run, RunInput};
use quarry_types::{ChatError, Knobs, Timestamp};

fn waits(sim: &Sim) -> usize {
    all_of(&sim.events(), EventName::RunWaiting).len()
}

#[test]
fn a_run_with_its_callers_key_is_its_creators_to_begin() {
    for (paid, head_start) in [(Vec::new(), 0), (vec!["openai:scripted".to_owned()], 5_000)] {
        let asked = Brief { paid_by_caller: paid, ..brief(Knobs::default()) };
        let (id, store) = (asked.id, Store::new());
        let (_, birth) = Run::created(asked, owner(None), START);
        store.create(birth);
        let later = |ms: u64| Timestamp(START.0 + ms);
        assert!(head_start == 0 || !store.is_due(id, later(head_start - 1)));
        assert!(store.is_due(id, later(head_start)), "should its creator have died");
        assert!(
            store.take(id, "creator", later(1), later(15_001)),
            "who creates it has it at once"
        );
        let due = store.record(id).due_at.unwrap();
        assert!(due <= later(1), "it counts as driven");
    }
}

#[test]
fn a_provider_that_always_limits_keeps_no_run_from_its_end() {
    for wait_ms in [0, 30_000] {
        let mut sim = Sim::new(brief(Knobs::default()), script(), Web::Scripted);
        let error = ChatError::rate_limited(wait_ms, "slow down".to_owned());
        sim.script.broken.insert("openai:scripted".to_owned(), error);
        sim.drive();
        stream::check(&sim);
        replay::check(&sim);
        assert_eq!((sim.status(), waits(&sim)), (RunStatus::Completed, 24));
        assert!(sim.run().kept_report().unwrap().markdown.contains("slow down"));
        // A wait that the run itself makes longer is no reason to give its caller's key up.
        let paid_by_caller = vec!["openai:scripted".to_owned()];
        let asked = Brief { paid_by_caller, ..brief(Knobs::default()) };
        let mut sim = Sim::new(asked, script(), Web::Scripted);
        let error = ChatError::rate_limited(wait_ms, "slow down".to_owned());
        sim.script.broken.insert("openai:scripted".to_owned(), error);
        sim.drive();
        assert_eq!((sim.status(), waits(&sim)), (RunStatus::Completed, 24));
        // A reply counts them anew.
        let error = || ChatError::rate_limited(wait_ms, "slow down".to_owned());
        let twice = script().fails("n1/queries", 1, error()).fails("n1/judgement", 1, error());
        let mut sim = Sim::new(brief(Knobs::default()), twice, Web::Scripted);
        sim.drive();
        assert_eq!((sim.status(), waits(&sim)), (RunStatus::Completed, 2));
        let told = all_of(&sim.events(), EventName::RunWaiting);
        assert!(sim.run().metrics(sim.now).unsettled_calls == 0 && told.len() == 2);
    }
}

#[test]
fn a_call_that_may_have_been_paid_for_is_made_once_more_by_the_run_and_is_on_its_record() {
    let message = || "it broke".to_owned();
    let errors =
        [ChatError::Timeout { message: message() }, ChatError::Connection { message: message() }];
    for error in errors {
        let begun = |revision| {
            let asked = Brief { revision, ..brief(Knobs::default()) };
            let broken = script().fails("n1/judgement", 1, error.clone());
            let mut sim = Sim::new(asked, broken, Web::Scripted);
            sim.drive();
            stream::check(&sim);
            replay::check(&sim);
            assert_eq!(sim.status(), RunStatus::Completed);
            assert_eq!(sim.run().metrics(sim.now).unsettled_calls, 1);
            let judged = sim.performed.iter().filter(|it| it.id.starts_with("n1/judgement"));
            let judged: Vec<_> = judged.map(|it| (it.id.clone(), it.attempt)).collect();
            (sim, judged)
        };
        let (sim, judged) = begun(Brief::REVISION);
        assert_eq!(judged[0].0, judged[1].0, "it is the same call");
        assert_eq!((judged[0].1, judged[1].1), (1, 2));
        assert_eq!(sim.run().tree(), whole().run().tree());
        let told = all_of(&sim.events(), EventName::StepFailed);
        assert_eq!((told.len(), &told[0]["attempts"]), (1, &1.into()));
        assert_eq!(told[0]["fallback"], "openai:scripted is asked again");
        // As the journals of before say.
        let (_, judged) = begun(1);
        assert!(judged.iter().all(|(_, attempt)| *attempt == 1), "{judged:?}");
    }
}

#[test]
fn a_call_that_was_never_sent_costs_nothing_and_is_made_once() {
    let message = || "the connection was refused".to_owned();
    for error in
        [ChatError::Unreached { message: message() }, ChatError::Unsent { message: message() }]
    {
        let broken = script().fails("n1/judgement", 1, error);
        let mut sim = Sim::new(brief(Knobs::default()), broken, Web::Scripted);
        sim.drive();
        stream::check(&sim);
        replay::check(&sim);
        assert_eq!(sim.status(), RunStatus::Completed);
        assert_eq!(sim.run().metrics(sim.now).unsettled_calls, 0, "nobody was paid");
        let judged = sim.performed.iter().find(|it| it.id.starts_with("n1/judgement")).unwrap();
        assert_eq!(sim.performed.iter().filter(|it| it.id == judged.id).count(), 1);
        let told = all_of(&sim.events(), EventName::StepFailed);
        assert_eq!((told.len(), &told[0]["fallback"]), (1, &"rules".into()));
    }
}

/// Whoever resumes it has the try that was cut off made once more, and not the one before it.
#[test]
fn a_try_that_failed_counts_behind_an_abort_too() {
    let timeout = || ChatError::Timeout { message: "the model's reply".to_owned() };
    let begun = |revision, aborted_at: Option<u64>| {
        let asked = Brief { revision, ..brief(Knobs::default()) };
        let broken = (1..3).fold(script(), |it, nth| it.fails("n1/judgement", nth, timeout()));
        let mut sim = Sim::new(asked, broken, Web::Scripted);
        sim.plan.says.extend(aborted_at.map(|at| (at, RunInput::Abort)));
        sim.drive();
        stream::check(&sim);
        sim
    };
    let is_judged = |it: &&crate::drive::Performed| it.id.starts_with("n1/judgement");
    let tries = |revision| {
        let whole = begun(revision, None);
        let second = whole.performed.iter().filter(is_judged).nth(1).unwrap();
        assert_eq!(second.attempt, 2);
        let mut sim = begun(revision, Some(second.point));
        assert_eq!(sim.status(), RunStatus::Aborted);
        sim.resume(None, None);
        stream::check(&sim);
        replay::check(&sim);
        assert_eq!(sim.status(), RunStatus::Completed);
        let behind: Vec<_> = sim.performed.iter().filter(is_judged).skip(2).collect();
        let again = behind.iter().take_while(|it| it.id == behind[0].id);
        again.map(|it| it.attempt).collect::<Vec<_>>()
    };
    assert_eq!(tries(Brief::REVISION), [2]);
    assert_eq!(tries(9), [1, 2], "as the journals of before say");
}

#[test]
fn a_call_that_failed_and_was_then_lost_says_both() {
    let error = || ChatError::Timeout { message: "the model's reply".to_owned() };
    let begun = |revision, kill: Option<u64>| {
        let asked = Brief { revision, ..brief(Knobs::default()) };
        let broken = script().fails("n1/judgement", 1, error());
        let mut sim = Sim::new(asked, broken, Web::Scripted);
        sim.plan.kills.extend(kill);
        sim.drive();
        stream::check(&sim);
        replay::check(&sim);
        sim
    };
    let of_second =
        |it: &&crate::drive::Performed| it.id.starts_with("n1/judgement") && it.attempt == 2;
    let second = begun(Brief::REVISION, None).performed.iter().find(of_second).unwrap().point;
    let said = |revision| {
        let told = all_of(&begun(revision, Some(second + 1)).events(), EventName::StepFailed);
        let said = told.into_iter().map(|it| it["message"].as_str().unwrap().to_owned());
        said.filter(|said| said.contains("begun twice")).collect::<Vec<_>>()
    };
    let [said_now] = &said(Brief::REVISION)[..] else { panic!("it is told once") };
    assert!(said_now.contains("the first time timed out: the model's reply"), "{said_now}");
    assert!(!said_now.contains("each time"), "{said_now}");
    assert!(said(2)[0].contains("each time"), "as the journals of before say");
}
