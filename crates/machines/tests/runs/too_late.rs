//! What is wanted of a run too late: bounds of research while its report is written, and a report when its time is over.

use crate::drive::{START, Sim, brief};
use crate::models::{Script, sheet};
use crate::replay;
use crate::resumed::script;
use crate::stream::{self, all_of};
use crate::waits::with_key;
use crate::world::Web;
use quarry_events::run::{EventName, RunStatus};
use quarry_machines::core::{Budget, ModelSheet};
use quarry_machines::run::{Brief, Models, Resumption, RunInput, What};
use quarry_tools::Errand;
use quarry_types::{Knobs, Timeouts};

fn wanting(config: &str) -> Resumption {
    Resumption { config: config.to_owned(), ..with_key(false) }
}

/// A run of one round, for which a wish is left while its report is written.
fn wished(revision: u32, config: &str) -> Sim {
    let begun = || {
        let knobs = Knobs { max_depth: 0, max_rounds: 1, ..Knobs::default() };
        let asked = Brief { revision, ..brief(knobs) };
        Sim::new(asked, Script::new(|_| 0.6), Web::Scripted)
    };
    let mut whole = begun();
    whole.drive();
    let mut sim = begun();
    sim.plan.wishes.insert(whole.points_of("report"), wanting(config));
    sim.drive();
    stream::check(&sim);
    replay::check(&sim);
    assert_eq!((sim.status(), sim.promised.len()), (RunStatus::Completed, 1));
    sim
}

#[test]
fn larger_bounds_that_come_while_the_report_is_written_are_told_to_be_of_use_later() {
    let more = r#"{"max_rounds":3}"#;
    let told = |sim: &Sim| all_of(&sim.events(), EventName::StepFailed);
    let rounds = |sim: &Sim| all_of(&sim.events(), EventName::RoundStarted).len();
    let mut sim = wished(Brief::REVISION, more);
    let [only] = &told(&sim)[..] else { panic!("{:?}", told(&sim)) };
    assert!(only["fallback"].as_str().unwrap().contains("forked"), "{only}");
    assert_eq!((rounds(&sim), sim.run().brief().knobs.max_rounds), (1, 3));
    // As it says.
    sim.fork(None, None, |_| {});
    sim.drive();
    assert!(rounds(&sim) > 1);
    let of_the_report = wished(Brief::REVISION, r#"{"timeouts":{"model":600,"run":7200}}"#);
    assert!(told(&of_the_report).is_empty(), "a report has a use for these");
    assert!(told(&wished(12, more)).is_empty(), "as the journals of before say");
}

/// More than a run uses.
const TOKENS: u64 = 1_000_000_000;

const fn tokens(most: u64) -> Budget {
    Budget { usd: None, tokens: Some(most) }
}

fn timed(revision: u32, seconds: u64) -> Sim {
    let timeouts = Timeouts { run: seconds, ..Timeouts::default() };
    let knobs = Knobs { timeouts, ..Knobs::default() };
    let asked = Brief { revision, budget: tokens(TOKENS), ..brief(knobs) };
    let mut sim = Sim::new(asked, script(), Web::Scripted);
    // So that an abort is heard while the report is written.
    sim.model_ms = 5_000;
    sim
}

/// Runs of so many seconds that are aborted when their time is over, while their report is written.
fn aborted_late(revision: u32, seconds: u64) -> Vec<Sim> {
    let mut whole = timed(revision, seconds);
    whole.drive();
    let aborted = |point| {
        let mut sim = timed(revision, seconds);
        sim.plan.says.insert(point, RunInput::Abort);
        sim.drive();
        stream::check(&sim);
        sim
    };
    let is_late = |sim: &Sim| {
        sim.status() == RunStatus::Aborted && sim.run().worked_ms(sim.now) >= seconds * 1_000
    };
    let late: Vec<Sim> =
        (whole.points_of("report")..whole.points).map(aborted).filter(is_late).collect();
    assert!(!late.is_empty(), "{seconds}");
    late
}

#[test]
fn a_run_whose_time_is_over_writes_the_report_that_it_lacks_without_more_time() {
    let mut whole = timed(Brief::REVISION, 1_800);
    whole.drive();
    let report = whole.performed.iter().find(|it| it.id.starts_with("report")).unwrap();
    let researched = report.at.since(START).div_ceil(1_000);
    for (seconds, is_partial) in [(researched, false), (researched / 2, true)] {
        for mut sim in aborted_late(Brief::REVISION, seconds) {
            let refused = sim.resume_as(wanting(r#"{"max_rounds":9}"#)).unwrap_err();
            assert!(refused.to_string().contains("timeouts.run"), "{refused}: research needs time");
            let more = Resumption { budget: tokens(2 * TOKENS), ..wanting("{}") };
            let refused = sim.resume_as(more).unwrap_err();
            assert!(refused.to_string().contains("timeouts.run"), "{refused}: it would buy none");
            let before = sim.performed.len();
            let same = Resumption { budget: tokens(TOKENS), ..wanting("{}") };
            sim.resume_as(same).unwrap();
            stream::check(&sim);
            replay::check(&sim);
            assert_eq!(sim.status(), RunStatus::Completed);
            assert_eq!(sim.run().listed(sim.now).partial, is_partial);
            let calls = &sim.performed[before..];
            assert!(calls.iter().all(|it| it.id.starts_with("report")), "{calls:?}");
        }
        for mut sim in aborted_late(12, seconds) {
            assert!(sim.resume_as(wanting("{}")).is_err(), "as runs of before have it");
        }
    }
}

/// The results that searches ask for which are begun behind a wait, when a person wants two of each.
fn results_behind_a_wait(revision: u32) -> Vec<u32> {
    let begun = || {
        let mut asked = Brief { revision, ..brief(Knobs::default()) };
        asked.policies.insert("search".to_owned(), 0);
        let mut sim = Sim::new(asked, script(), Web::Scripted);
        sim.is_old = true;
        sim
    };
    let mut whole = begun();
    whole.drive();
    let mut results = Vec::new();
    for point in (1..whole.points).step_by(5) {
        let mut sim = begun();
        sim.plan.kills.insert(point);
        sim.drive_until_dead();
        if sim.status().has_ended() {
            continue;
        }
        // Other rules have it wait with what was under way.
        sim.is_old = false;
        sim.drive();
        let behind = sim.store.position(sim.id).n;
        let knobs = Knobs { search_results_per_query: 2, ..sim.run().brief().knobs.clone() };
        sim.resume(Some(knobs), None);
        stream::check(&sim);
        replay::check(&sim);
        for entry in sim.store.journal(sim.id, behind) {
            let Ok(RunInput::Begun { effects }) = serde_json::from_str(entry.body.text()) else {
                continue;
            };
            results.extend(effects.iter().filter_map(|it| match &it.what {
                What::Errand(Errand::Search { limit, .. }) => Some(*limit),
                _ => None,
            }));
        }
    }
    results
}

#[test]
fn a_search_that_waits_asks_for_no_more_than_whoever_has_it_go_on_wants() {
    let now = results_behind_a_wait(Brief::REVISION);
    assert!(!now.is_empty() && now.iter().all(|results| *results == 2), "{now:?}");
    assert!(results_behind_a_wait(12).contains(&6), "as the journals of before say");
}

/// A run of the longest task, with a model of such a context.
fn long_task(revision: u32, context: Option<u64>) -> Sim {
    let wards = "And of its wards. ".repeat(1_800);
    let task = format!("What is the history of Brankmoor? {wards}End with its harbour.");
    let mut asked = Brief { revision, task, ..brief(Knobs::default()) };
    asked.models = Models::all(&ModelSheet { context_window: context, ..sheet("openai:one") });
    let mut sim = Sim::new(asked, Script::new(|_| 0.9), Web::Scripted);
    sim.drive();
    stream::check(&sim);
    replay::check(&sim);
    assert_eq!(sim.status(), RunStatus::Completed);
    sim
}

/// Prompts that are longer than a context, beside the reply, has room for.
fn too_long(sim: &Sim, context: usize) -> usize {
    let is_too_long = |(id, prompt): &(&String, &String)| {
        let reply = match id.as_str() {
            id if id.contains("findings") => 3_000,
            id if id.starts_with("report") => 4_000,
            _ => 800,
        };
        prompt.chars().count() > (context - reply) * 3
    };
    sim.script.prompts.iter().filter(is_too_long).count()
}

#[test]
fn a_model_with_a_small_context_is_shown_both_ends_of_a_long_task_and_that_is_told() {
    let told = |sim: &Sim| all_of(&sim.events(), EventName::StepFailed);
    let sim = long_task(Brief::REVISION, Some(8_192));
    let [only] = &told(&sim)[..] else { panic!("{:?}", told(&sim)) };
    assert_eq!(only["step"], "showing the task to openai:one");
    assert_eq!(too_long(&sim, 8_192), 0);
    for prompt in sim.script.prompts.values() {
        assert!(prompt.contains("What is the history of Brankmoor?"), "{prompt}");
        assert!(prompt.contains("[…]") && prompt.contains("End with its harbour."), "{prompt}");
    }
    let report = sim.run().kept_report().unwrap().markdown.clone();
    assert!(report.contains("openai:one was not shown the middle of the task"), "{report}");
    // A usual context has room for the longest task.
    let usual = long_task(Brief::REVISION, None);
    assert!(told(&usual).is_empty());
    let whole = |sim: &Sim, purpose: &str| {
        let mut of = sim.script.prompts.iter().filter(|(id, _)| id.contains(purpose));
        of.all(|(_, prompt)| prompt.contains(&sim.run().brief().task))
    };
    assert!(whole(&usual, "findings") && whole(&usual, "report"));
    let before = long_task(12, Some(8_192));
    assert!(
        too_long(&before, 8_192) > 0 && told(&before).is_empty(),
        "as the journals of before say"
    );
}
