//! Who was told that their word was taken is heard before anything else begins, and before the run ends.

use crate::drive::{Sim, brief, with_models};
use crate::models::{Script, rules};
use crate::stream;
use crate::world::Web;
use quarry_events::run::{EventName, RunStatus};
use quarry_journal::run::Kind;
use quarry_machines::run::{Brief, RunInput};
use quarry_schema::run::MOST_GUIDANCE;
use quarry_types::{Knobs, Timestamp};

const TEXT: &str = "Look at the year 1911.";

/// A run of one node, to whom this is said at that point.
fn told(what: &RunInput, point: u64) -> Sim {
    let mut sim = Sim::new(brief(Knobs::default()), Script::new(|_| 0.9), Web::Scripted);
    sim.plan.says.insert(point, what.clone());
    sim.drive();
    sim
}

/// Whether the word was taken; then no announcement stands between the last entry before it and itself.
fn is_heard_first(sim: &Sim, wish: &str) -> bool {
    let Some((_, last)) = sim.heard.first() else { return false };
    let entries = sim.store.journal(sim.id, *last);
    let is_it = |body: &str| serde_json::from_str::<RunInput>(body).unwrap().wish() == wish;
    let heard = entries.iter().position(|entry| is_it(entry.body.text()));
    let heard = heard.unwrap_or_else(|| panic!("{wish} behind {last} was never heard"));
    let announced = entries[..heard].iter().find(|entry| entry.kind == Kind::Begun);
    assert_eq!(announced, None, "{wish} behind {last}");
    true
}

#[test]
fn guidance_is_heard_before_anything_begins_and_stands_in_the_report_whenever_it_was_taken() {
    let guidance = RunInput::Guidance { text: TEXT.to_owned() };
    let whole = told(&guidance, u64::MAX);
    let mut taken = 0;
    for point in 1..=whole.points {
        let sim = told(&guidance, point);
        stream::check(&sim);
        assert_eq!(sim.status(), RunStatus::Completed, "{point}");
        if is_heard_first(&sim, guidance.wish()) {
            taken += 1;
            let report = sim.run().kept_report().unwrap().markdown.clone();
            assert!(report.contains(TEXT.trim_end_matches('.')), "{point}: {report}");
        }
        let guided = stream::all_of(&sim.events(), EventName::GuidanceReceived).len();
        assert_eq!(guided, sim.heard.len(), "{point}");
        let calls = |sim: &Sim| sim.performed.iter().filter(|it| it.is_model).count();
        assert_eq!(calls(&sim), calls(&whole), "{point}: nothing is paid twice");
    }
    assert!(taken > whole.points - 4, "{taken} of {}", whole.points);
}

#[test]
fn what_a_person_adds_reaches_every_prompt_and_the_queries_of_rules() {
    let guided = |asked: Brief| {
        let asked = Brief { guidance: Some(TEXT.to_owned()), ..asked };
        // Its first questions are parted, and a round is judged.
        let mut sim = Sim::new(asked, Script::new(|_| 0.2), Web::Scripted);
        sim.drive();
        stream::check(&sim);
        sim
    };
    let sim = guided(brief(Knobs::default()));
    let prompts = &sim.script.prompts;
    for what in ["queries", "findings", "judgement", "parts", "pass", "report"] {
        assert!(prompts.keys().any(|id| id.contains(what)), "no call for {what}");
    }
    for (id, prompt) in prompts {
        assert!(prompt.contains(TEXT), "{id}: {prompt}");
    }
    let before = guided(Brief { revision: 4, ..brief(Knobs::default()) });
    let judged = before.script.prompts.iter().find(|(id, _)| id.contains("judgement")).unwrap();
    assert!(!judged.1.contains(TEXT), "what was asked for before is as it was");
    let sim = guided(with_models(brief(Knobs::default()), &[rules()]));
    let generated = stream::all_of(&sim.events(), EventName::QueriesGenerated);
    assert!(
        generated.iter().all(|event| event["queries"].to_string().contains("1911")),
        "{generated:?}"
    );
}

#[test]
fn a_run_that_is_told_to_end_begins_nothing_more() {
    let whole = told(&RunInput::Abort, u64::MAX);
    let report = whole.points_of("report");
    for point in 1..=whole.points {
        let sim = told(&RunInput::Abort, point);
        stream::check(&sim);
        let is_taken = is_heard_first(&sim, RunInput::Abort.wish());
        // A report that is there when the run is told is not thrown away.
        let may_complete = !is_taken || point > report;
        let is_aborted = sim.status() == RunStatus::Aborted;
        assert!(is_aborted || may_complete, "{point}: {:?}", sim.status());
    }
}

/// They come between a driver's look and its write, again and again.
#[test]
fn words_that_come_all_the_time_are_all_heard_and_the_run_goes_on() {
    let mut sim = Sim::new(brief(Knobs::default()), Script::new(|_| 0.9), Web::Scripted);
    for point in 1..=80 {
        let text = format!("Look at the year {point}.");
        sim.plan.says.insert(point, RunInput::Guidance { text });
    }
    sim.drive();
    stream::check(&sim);
    assert_eq!(sim.status(), RunStatus::Completed);
    assert!(sim.heard.len() > 70, "{}", sim.heard.len());
    let guided = stream::all_of(&sim.events(), EventName::GuidanceReceived).len();
    assert_eq!(guided, sim.heard.len());
}

/// A run whose driver dies at that point, and to whom this is said long after.
fn late(says: &[RunInput], point: u64) -> Sim {
    let mut sim = Sim::new(brief(Knobs::default()), Script::new(|_| 0.9), Web::Scripted);
    sim.plan.kills.insert(point);
    sim.drive_until_dead();
    // Longer than the run may take.
    sim.now = Timestamp(sim.now.0 + 2_000_000);
    for input in says {
        assert!(sim.say(input) || sim.status().has_ended());
    }
    sim.drive();
    stream::check(&sim);
    sim
}

/// Its time stands still while nobody drives it, also where what was said is heard first.
#[test]
fn a_run_that_is_guided_long_after_its_driver_died_has_lost_no_time() {
    let guidance = RunInput::Guidance { text: TEXT.to_owned() };
    let whole = told(&guidance, u64::MAX);
    for point in 1..whole.points {
        for says in [&[][..], std::slice::from_ref(&guidance)] {
            let sim = late(says, point);
            assert_eq!(sim.status(), RunStatus::Completed, "{point}");
            let is_partial = sim.run().listed(sim.now).partial;
            assert!(!is_partial, "killed at {point}, told {}", says.len());
        }
    }
}

/// As much as a run takes, and an end behind it or not.
#[test]
fn however_much_was_left_for_a_run_it_is_all_heard() {
    let guidance = |nth| RunInput::Guidance { text: format!("Look at the year {nth}.") };
    let mut says: Vec<RunInput> = (0..MOST_GUIDANCE).map(guidance).collect();
    let whole = told(&guidance(0), u64::MAX);
    let heard = |sim: &Sim| stream::all_of(&sim.events(), EventName::GuidanceReceived).len();
    for point in [1, whole.points / 2, whole.points_of("report")] {
        let sim = late(&says, point);
        assert_eq!((sim.status(), heard(&sim)), (RunStatus::Completed, says.len()), "{point}");
    }
    says.push(RunInput::Abort);
    let sim = late(&says, whole.points / 2);
    assert_eq!((sim.status(), heard(&sim)), (RunStatus::Aborted, says.len() - 1));
}
