//! Drivers die at every point, and whoever follows ends the run as if nothing had happened.

use crate::drive::{Passing, Performed, Sim, brief};
use crate::models::{Script, ticket};
use crate::stream;
use crate::world::{Web, random};
use quarry_events::run::{Event, EventName, RunStatus};
use quarry_journal::Leave;
use quarry_machines::run::RunInput;
use quarry_types::{ChatError, Knobs};
use std::collections::BTreeMap;

/// A run of five nodes and two rounds: n1 is parted in n2, which suffices, and n3, which is parted again.
fn sim() -> Sim {
    let script = Script::new(|asked| match (asked.purpose, asked.nth) {
        ("n2/judgement" | "n4/judgement" | "n5/judgement", _) | ("n3/judgement", 2..) => 0.9,
        ("n1/judgement", 3..) => 0.9,
        _ => 0.3,
    });
    Sim::new(brief(Knobs::default()), script, Web::Scripted)
}

fn driven(change: impl FnOnce(&mut Sim)) -> Sim {
    let mut sim = sim();
    change(&mut sim);
    sim.drive();
    sim
}

/// Which calls were paid more often than once, with how often.
fn repeated(performed: &[Performed]) -> BTreeMap<&str, usize> {
    let mut counts = BTreeMap::new();
    for it in performed.iter().filter(|it| it.is_model) {
        *counts.entry(it.id.as_str()).or_insert(0) += 1;
    }
    counts.retain(|_, count| *count > 1);
    counts
}

/// Nothing that was recorded is performed again.
fn check_records(sim: &Sim) {
    let mut recorded = BTreeMap::new();
    for entry in sim.store.journal(sim.id, 0) {
        let input: RunInput = serde_json::from_str(entry.body.text()).unwrap();
        let ticket = match input {
            RunInput::Model { ticket, result: Ok(_) } | RunInput::Tool { ticket, .. } => ticket,
            _ => continue,
        };
        let before = recorded.insert(ticket.0, entry.at);
        assert!(before.is_none(), "{ticket:?} stands twice in the journal");
    }
    for it in &sim.performed {
        let at = recorded.get(&ticket(&it.id));
        assert!(at.is_none_or(|at| it.at <= *at), "{it:?} was recorded at {at:?}");
    }
}

#[test]
fn a_run_that_is_killed_at_any_point_ends_as_if_nothing_had_happened() {
    let whole = driven(|_| {});
    stream::check(&whole);
    assert_eq!(whole.run().tree().nodes().len(), 5);
    assert_eq!(whole.run().metrics(whole.now).rounds, 2);
    let (events, report) = (stream::plain(&whole.events()), stream::plain_report(&whole));
    assert!(whole.points > 100, "{}", whole.points);
    assert!(whole.lefts.contains(&Leave::HandOver), "it takes more than one slice");
    let mut paid_twice = 0;
    for point in 1..=whole.points {
        let killed = driven(|sim| _ = sim.plan.kills.insert(point));
        stream::check(&killed);
        check_records(&killed);
        assert_eq!(stream::plain_report(&killed), report, "killed at {point}");
        assert_eq!(stream::plain(&killed.events()), events, "killed at {point}");
        let repeated = repeated(&killed.performed);
        let unsettled = killed.run().metrics(killed.now).unsettled_calls;
        assert!(repeated.values().sum::<usize>() <= 2, "{point}: {repeated:?}");
        assert!(unsettled <= 1, "one driver died");
        assert!(repeated.is_empty() || unsettled == 1, "{point}: {repeated:?} is on the record");
        paid_twice += repeated.len();
    }
    assert!(paid_twice > 0, "some of the kills hit a paid call");
}

#[test]
fn what_is_lost_twice_is_recorded_as_failed() {
    let whole = driven(|_| {});
    let mut failed = 0;
    for point in 1..=whole.points {
        // The second driver dies at its first effect, which is the one that was lost.
        let mut sim = sim();
        sim.plan.kills.insert(point);
        sim.drive_until_dead();
        let before = sim.performed.len();
        sim.plan.kills = [sim.points + 4].into();
        sim.drive();
        stream::check(&sim);
        check_records(&sim);
        assert_eq!(sim.status(), RunStatus::Completed);
        let twice = sim.performed.iter().skip(before).any(|it| it.attempt > 2);
        assert!(!twice, "{point}: nothing is tried a third time");
        let unsettled = sim.run().metrics(sim.now).unsettled_calls;
        assert!(unsettled <= 2, "{point}: two drivers died, and {unsettled} calls are unsettled");
        let told = stream::all_of(&sim.events(), EventName::StepFailed);
        failed += told.len();
        assert!(told.is_empty() || unsettled == 2, "{point}: {told:?}");
    }
    assert!(failed > 0, "some call was lost with two drivers");
}

/// What goes wrong in one of the seeded combinations. Of every third nothing makes the run another one: nobody ends or
/// steers it, and no call fails.
fn troubled(seed: u64, points: u64) -> Sim {
    let mut bits = seed;
    let mut next = |most: u64| {
        bits = random(bits);
        bits % most
    };
    let mut sim = sim();
    sim.plan.kills = [1 + next(points), 1 + next(points)].into();
    let purposes =
        ["n1/queries", "n1/judgement", "n2/findings", "n3/parts", "round-1/pass", "report"];
    let of = purposes[next(6) as usize];
    let error = match next(3) {
        0 => ChatError::rate_limited(30_000, "slow down".to_owned()),
        1 => ChatError::ProviderFailed { status: 500, message: "oops".to_owned() },
        _ => ChatError::Timeout { message: "the model's reply".to_owned() },
    };
    let is_quiet = is_quiet(seed);
    if !is_quiet {
        sim.script = sim.script.fails(of, 1, error);
    }
    // One for certain, and half of the others.
    let mut has = |trouble: u64| seed % 5 == trouble || next(2) == 0;
    let mut has = [0, 1, 2, 3, 4].map(&mut has);
    if is_quiet {
        (has[2], has[3]) = (false, false);
    }
    if has[0] {
        sim.plan.locked = Some((1 + next(points), 1 + next(6) as u32));
    }
    if has[1] {
        sim.plan.rivals = [1 + next(points), 1 + next(points)].into();
    }
    if has[2] {
        sim.plan.says.insert(1 + next(2 * points), RunInput::Abort);
    }
    if has[3] {
        let text = "Prefer primary sources.".to_owned();
        sim.plan.says.insert(1 + next(points / 2), RunInput::Guidance { text });
    }
    if has[4] {
        sim.plan.lies = Some((1 + next(points), 1 + next(3) as u32));
    }
    sim
}

const fn is_quiet(seed: u64) -> bool {
    seed.is_multiple_of(3)
}

#[test]
fn two_kills_with_other_troubles_never_lose_a_run() {
    let whole = driven(|_| {});
    let points = whole.points;
    let expected = (stream::plain(&whole.events()), stream::plain_report(&whole));
    let mut compared = 0;
    let mut seen: Vec<EventName> = Vec::new();
    for seed in 0..150 {
        let mut sim = troubled(seed, points);
        sim.drive();
        stream::check(&sim);
        check_records(&sim);
        let events: Vec<Event> = sim.events();
        // What two drivers died of is not done a third time, which makes it another run.
        let is_lost = events.iter().any(|event| event.data.contains("it was begun twice"));
        if is_quiet(seed) && !is_lost {
            for (told, wanted) in stream::plain(&events).iter().zip(&expected.0) {
                assert_eq!(told, wanted, "{seed}");
            }
            assert_eq!(stream::plain(&events).len(), expected.0.len(), "{seed}");
            assert_eq!(stream::plain_report(&sim), expected.1, "{seed}");
            compared += 1;
        }
        // A call that failed may be made again under its name, too.
        let again = repeated(&sim.performed).values().map(|count| count - 1).sum::<usize>();
        let most = sim.deaths + sim.taken + usize::from(!is_quiet(seed));
        assert!(again <= most, "{seed}: {again} calls are made again, {most} at most");
        let is_aborted = sim.status() == RunStatus::Aborted;
        assert!(is_aborted || sim.status() == RunStatus::Completed, "{seed}");
        assert!(!is_aborted || sim.heard.iter().any(|(it, _)| *it == RunInput::Abort), "{seed}");
        let said = sim.heard.iter().filter(|(it, _)| matches!(it, RunInput::Guidance { .. }));
        let guided = stream::all_of(&events, EventName::GuidanceReceived).len();
        assert_eq!(guided, said.count(), "{seed}");
        seen.extend(events.iter().map(|event| event.name));
    }
    let told = [
        EventName::RunWaiting,
        EventName::RunResumed,
        EventName::StepFailed,
        EventName::RunAborted,
        EventName::RunCompleted,
    ];
    assert!(told.iter().all(|name| seen.contains(name)));
    assert!(compared > 30, "{compared}");
}

#[test]
fn a_database_that_is_locked_for_a_while_changes_nothing() {
    let whole = driven(|_| {});
    let (events, report) = (stream::plain(&whole.events()), stream::plain_report(&whole));
    for point in (1..whole.points).step_by(7) {
        for lies in [false, true] {
            let sim = driven(|sim| {
                let trouble = Some((point, 3));
                if lies { sim.plan.lies = trouble } else { sim.plan.locked = trouble }
            });
            stream::check(&sim);
            assert_eq!(stream::plain(&sim.events()), events, "locked at {point}");
            assert_eq!(stream::plain_report(&sim), report);
            assert_eq!(repeated(&sim.performed), BTreeMap::new(), "{point}");
        }
    }
}

/// A step is in, its driver is told that it failed, and dies before it could look.
#[test]
fn a_step_whose_answer_nobody_heard_is_there_for_whoever_follows() {
    let whole = driven(|_| {});
    let (events, report) = (stream::plain(&whole.events()), stream::plain_report(&whole));
    for point in 1..=whole.points {
        for later in [0, 1, 2] {
            let sim = driven(|sim| {
                sim.plan.lies = Some((point, 1));
                sim.plan.kills = [point + later].into();
            });
            stream::check(&sim);
            check_records(&sim);
            assert_eq!(stream::plain(&sim.events()), events, "{point}, killed {later} later");
            assert_eq!(stream::plain_report(&sim), report, "{point}, killed {later} later");
        }
    }
}

/// Who passes a run on does not hear that it was taken, and goes on, too; and a step that it writes fails once.
#[test]
fn of_who_passes_a_run_on_and_who_was_asked_one_has_it_whatever_became_of_the_answer() {
    let whole = driven(|sim| sim.limits.slice_ms = 0);
    let (events, report) = (stream::plain(&whole.events()), stream::plain_report(&whole));
    for point in (1..whole.points).step_by(3) {
        let sim = driven(|sim| {
            sim.limits.slice_ms = 0;
            sim.plan.passing = Passing::Unheard;
            sim.plan.locked = Some((point, 1));
        });
        stream::check(&sim);
        check_records(&sim);
        assert_eq!(stream::plain(&sim.events()), events, "locked at {point}");
        assert_eq!(stream::plain_report(&sim), report, "locked at {point}");
        assert_eq!(repeated(&sim.performed), BTreeMap::new(), "locked at {point}");
    }
}

#[test]
fn of_two_drivers_one_leaves_and_the_run_goes_on() {
    let whole = driven(|_| {});
    let (events, report) = (stream::plain(&whole.events()), stream::plain_report(&whole));
    let mut lost = 0;
    for point in (1..whole.points).step_by(5) {
        let sim = driven(|sim| _ = sim.plan.rivals.insert(point));
        stream::check(&sim);
        check_records(&sim);
        assert_eq!(stream::plain(&sim.events()), events, "a rival at {point}");
        assert_eq!(stream::plain_report(&sim), report, "a rival at {point}");
        assert!(sim.run().metrics(sim.now).unsettled_calls <= 1);
        lost += sim.lefts.iter().filter(|left| **left == Leave::Lost).count();
    }
    assert!(lost > 20, "{lost}");
}
