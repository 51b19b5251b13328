//! Runs that a person, a wait or a timeout stopped, and that go on; and forks.

use crate::drive::{Sim, brief, with_models};
use crate::models::{Script, rules, sheet};
use crate::replay;
use crate::stream::{self, all_of, nodes_of};
use crate::world::Web;
use quarry_events::run::{EventName, NodeState, ReportState, RunStatus, WaitReason};
use quarry_machines::core::Budget;
use quarry_machines::run::{Brief, Replaced, RunInput};
use quarry_types::{ChatError, Knobs, OnTimeout, Timeouts};
use std::collections::BTreeSet;

pub fn script() -> Script {
    Script::new(|asked| match (asked.purpose, asked.nth) {
        ("n2/judgement" | "n4/judgement" | "n5/judgement", _) | ("n3/judgement", 2..) => 0.9,
        ("n1/judgement", 2..) => 0.9,
        _ => 0.3,
    })
}

pub fn sim() -> Sim {
    Sim::new(brief(Knobs::default()), script(), Web::Scripted)
}

pub fn whole() -> Sim {
    let mut whole = sim();
    whole.drive();
    stream::check(&whole);
    whole
}

/// Runs that are aborted at every third point, and what they come to when they are resumed.
fn aborted_and_resumed(sim: impl Fn() -> Sim) -> Vec<Sim> {
    let mut whole = sim();
    whole.drive();
    let mut resumed = Vec::new();
    for point in (1..whole.points).step_by(3) {
        let mut sim = sim();
        sim.plan.says.insert(point, RunInput::Abort);
        sim.drive();
        stream::check(&sim);
        if sim.status() == RunStatus::Completed {
            continue;
        }
        let (findings, events) = (sim.run().metrics(sim.now).findings, sim.events().len());
        sim.resume(None, None);
        stream::check(&sim);
        replay::check(&sim);
        assert_eq!(sim.status(), RunStatus::Completed, "{point}");
        assert!(sim.run().metrics(sim.now).findings >= findings && sim.events().len() > events);
        resumed.push(sim);
    }
    resumed
}

fn states(sim: &Sim) -> Vec<NodeState> {
    sim.run().tree().nodes().iter().map(|node| node.state).collect()
}

#[test]
fn an_aborted_run_goes_on_where_it_was_and_leaves_no_question_untouched() {
    let resumed = aborted_and_resumed(sim);
    assert!(resumed.len() > 20, "{}", resumed.len());
    for sim in resumed {
        // A question that is asked anew may be answered without parts.
        assert!(states(&sim).iter().all(|state| *state == NodeState::Resolved));
        let parted = nodes_of(&sim.events(), EventName::NodeDecomposed);
        let once: BTreeSet<&String> = parted.iter().collect();
        assert_eq!(once.len(), parted.len(), "nothing is parted twice");
    }
}

#[test]
fn a_question_that_waited_for_its_parts_is_judged_from_them_after_an_abort() {
    let open = || {
        let script = Script::new(|asked| if asked.purpose == "n2/judgement" { 0.9 } else { 0.3 });
        let knobs = Knobs { max_depth: 1, max_rounds: 1, ..Knobs::default() };
        Sim::new(brief(knobs), script, Web::Scripted)
    };
    for sim in aborted_and_resumed(open) {
        let [unresolved, resolved] = [NodeState::Unresolved, NodeState::Resolved];
        assert_eq!(states(&sim), [unresolved, resolved, unresolved]);
    }
}

#[test]
fn an_abort_in_a_later_round_takes_no_question_off_it() {
    let restless = || {
        let knobs = Knobs { max_depth: 1, max_rounds: 2, ..Knobs::default() };
        Sim::new(brief(knobs), Script::new(|_| 0.3), Web::Scripted)
    };
    for sim in aborted_and_resumed(restless) {
        let events = sim.events();
        let started = events.iter().filter(|event| event.name == EventName::NodeStarted);
        let second = started.map(stream::data).filter(|told| told["round"] == 2);
        let visited: BTreeSet<String> =
            second.map(|told| told["node_id"].as_str().unwrap().to_owned()).collect();
        assert_eq!(visited, ["n2", "n3"].map(str::to_owned).into());
    }
}

#[test]
fn a_run_that_was_aborted_while_its_round_was_judged_has_the_next_round() {
    let script = || Script::new(|asked| if asked.nth > 1 { 0.9 } else { 0.3 });
    let knobs = Knobs { max_depth: 0, ..Knobs::default() };
    let mut sim = Sim::new(brief(knobs.clone()), script(), Web::Scripted);
    sim.drive();
    assert_eq!(sim.run().metrics(sim.now).rounds, 2);
    // Right after the call was begun: it takes longer than it takes until somebody looks.
    let point = sim.points_of("round-1/pass");
    let mut sim = Sim::new(brief(knobs), script(), Web::Scripted);
    sim.plan.says.insert(point, RunInput::Abort);
    sim.drive();
    assert_eq!(sim.status(), RunStatus::Aborted);
    sim.resume(None, None);
    stream::check(&sim);
    assert_eq!(sim.run().metrics(sim.now).rounds, 2);
}

#[test]
fn a_run_is_resumed_at_once_though_who_aborted_it_died_with_the_lease() {
    let mut resumed = 0;
    for point in 31..50 {
        let mut sim = sim();
        sim.plan.says.insert(30, RunInput::Abort);
        sim.plan.kills.insert(point);
        sim.drive_until_dead();
        if sim.status() != RunStatus::Aborted {
            continue;
        }
        resumed += 1;
        sim.plan.kills.clear();
        sim.resume(None, None);
        stream::check(&sim);
        assert_eq!(sim.status(), RunStatus::Completed);
    }
    assert!(resumed > 0);
}

#[test]
fn a_run_whose_time_was_over_goes_on_with_more_time() {
    let timeouts = Timeouts { run: 12, ..Timeouts::default() };
    let knobs = Knobs { timeouts, on_timeout: OnTimeout::Fail, ..Knobs::default() };
    let mut sim = Sim::new(brief(knobs.clone()), script(), Web::Scripted);
    sim.drive();
    stream::check(&sim);
    assert_eq!(sim.status(), RunStatus::Failed);
    assert_eq!(sim.run().listed(sim.now).report, ReportState::None, "nobody waits for one");
    sim.now.0 += 86_400_000;
    sim.resume(None, None);
    assert_eq!(sim.status(), RunStatus::Failed, "its time is still over");
    stream::check(&sim);
    let longer = Timeouts { run: 600, ..timeouts };
    sim.resume(Some(Knobs { timeouts: longer, ..knobs }), None);
    stream::check(&sim);
    replay::check(&sim);
    assert_eq!(sim.status(), RunStatus::Completed);
    assert_eq!(sim.run().listed(sim.now).report, ReportState::Ready);
    assert_eq!(sim.run().metrics(sim.now).nodes, 5);
    assert!(sim.run().metrics(sim.now).latency < 120_000, "the day between is no time of the run");
}

#[test]
fn a_run_waits_for_the_callers_key_and_goes_on_with_it() {
    let mut asked = brief(Knobs::default());
    asked.paid_by_caller = vec!["openai:scripted".to_owned()];
    let mut sim = Sim::new(asked, script(), Web::Scripted);
    sim.plan.kills.insert(60);
    sim.drive_until_dead();
    // Whoever comes next does not have the key.
    sim.has_key = false;
    sim.drive();
    assert_eq!(sim.status(), RunStatus::Queued);
    let waiting = sim.run().standing_now().waiting.unwrap();
    assert_eq!((waiting.reason, waiting.until), (WaitReason::NeedsKey, None));
    let asked = sim.performed.len();
    sim.drive();
    assert_eq!(sim.performed.len(), asked, "nothing polls for it");
    sim.now.0 += 3_600_000;
    sim.has_key = true;
    sim.resume(None, None);
    stream::check(&sim);
    replay::check(&sim);
    assert_eq!(sim.status(), RunStatus::Completed);
    assert!(sim.run().metrics(sim.now).latency < 120_000, "while it waits its time stands still");
}

/// A run whose key is a caller's, who is not there.
fn waiting_for_a_key() -> Sim {
    let mut asked = brief(Knobs::default());
    asked.paid_by_caller = vec!["openai:scripted".to_owned()];
    let mut sim = Sim::new(asked, script(), Web::Scripted);
    sim.has_key = false;
    sim.drive();
    sim
}

/// The calls for queries that were begun behind an entry, as the journal has them.
fn queries_begun(sim: &Sim, behind: u64) -> Vec<String> {
    let mut begun = Vec::new();
    for entry in sim.store.journal(sim.id, behind) {
        if let Ok(RunInput::Begun { effects }) = serde_json::from_str(entry.body.text()) {
            let calls = effects.iter().filter(|it| it.id.contains("/queries/"));
            begun.extend(calls.map(|it| serde_json::to_string(it).unwrap()));
        }
    }
    begun
}

#[test]
fn a_run_that_waits_hears_guidance_and_can_be_aborted() {
    let mut sim = waiting_for_a_key();
    let text = "Look at the year 1911.".to_owned();
    assert!(sim.say(&RunInput::Guidance { text }));
    sim.drive();
    assert_eq!(sim.status(), RunStatus::Queued);
    assert_eq!(all_of(&sim.events(), EventName::GuidanceReceived).len(), 1);
    assert!(sim.say(&RunInput::Abort));
    sim.drive();
    stream::check(&sim);
    assert_eq!(sim.status(), RunStatus::Aborted);
    assert!(!sim.say(&RunInput::Abort), "it has ended");
    sim.has_key = true;
    sim.resume(None, None);
    stream::check(&sim);
    replay::check(&sim);
    assert_eq!(sim.status(), RunStatus::Completed);
}

#[test]
fn what_is_said_while_a_run_waits_reaches_the_call_that_waited() {
    let mut sim = waiting_for_a_key();
    let text = "Look at the year 1911.".to_owned();
    assert!(sim.say(&RunInput::Guidance { text: text.clone() }));
    let before = sim.store.position(sim.id).n;
    sim.has_key = true;
    sim.resume(None, None);
    stream::check(&sim);
    replay::check(&sim);
    assert_eq!(sim.status(), RunStatus::Completed);
    let prompts = queries_begun(&sim, before);
    assert!(prompts.len() > 1 && prompts.iter().all(|it| it.contains(&text)), "{prompts:?}");
}

#[test]
fn aborts_that_came_too_late_do_not_end_the_run_that_is_resumed() {
    let mut sim = waiting_for_a_key();
    // More than a driver hears at one look.
    assert!((0..102).all(|_| sim.say(&RunInput::Abort)));
    sim.drive();
    assert_eq!((sim.status(), sim.store.inbox(sim.id)), (RunStatus::Aborted, Vec::new()));
    sim.has_key = true;
    sim.resume(None, None);
    stream::check(&sim);
    replay::check(&sim);
    assert_eq!(sim.status(), RunStatus::Completed);
}

#[test]
fn a_run_that_is_asked_to_wait_goes_on_by_itself_and_keeps_its_accounts() {
    let error = ChatError::rate_limited(90_000, "slow down".to_owned());
    let script = script().fails("n3/parts", 1, error.clone()).fails("report", 1, error);
    let mut sim = Sim::new(brief(Knobs::default()), script, Web::Scripted);
    sim.drive();
    stream::check(&sim);
    replay::check(&sim);
    let events = sim.events();
    assert_eq!(all_of(&events, EventName::RunWaiting).len(), 2);
    let resumed = all_of(&events, EventName::RunResumed);
    assert!(resumed.len() == 2 && resumed.iter().all(|it| it["by_request"] == false));
    let (metrics, as_usual) = (sim.run().metrics(sim.now), whole());
    let usual = as_usual.run().metrics(as_usual.now);
    assert_eq!(
        (metrics.tokens, metrics.cost),
        (usual.tokens, usual.cost),
        "who waits pays nothing"
    );
    assert_eq!(metrics.unsettled_calls, 0);
}

#[test]
fn a_budget_that_has_no_room_left_for_a_lost_call_ends_research_and_not_the_run() {
    // Found by the budget at which the call fits once and not twice.
    let mut cut = 0;
    for tokens in (4_000..40_000).step_by(600) {
        let mut asked = brief(Knobs::default());
        asked.budget = Budget { usd: None, tokens: Some(tokens) };
        let mut sim = Sim::new(asked, script(), Web::Scripted);
        sim.plan.kills.insert(40);
        sim.drive();
        stream::check(&sim);
        let run = sim.run();
        let has_found = run.metrics(sim.now).findings > 0;
        let expected = if has_found { RunStatus::Completed } else { RunStatus::Queued };
        assert_eq!(sim.status(), expected, "{tokens}");
        assert!(run.metrics(sim.now).latency < 200_000, "{tokens}: it stood still");
        cut += usize::from(run.listed(sim.now).partial);
    }
    assert!(cut > 3);
}

#[test]
fn guidance_reaches_the_next_choice_of_queries_and_the_report() {
    let mut asked = brief(Knobs::default());
    asked.guidance = Some("Prefer laws.".to_owned());
    let mut sim = Sim::new(asked, script(), Web::Scripted);
    let text = "Look at the year 1911.".to_owned();
    sim.plan.says.insert(30, RunInput::Guidance { text });
    sim.drive();
    stream::check(&sim);
    let report = sim.run().kept_report().unwrap().markdown.clone();
    let seen = queries_begun(&sim, 0);
    let shown = |text: &str| -> Vec<bool> { seen.iter().map(|it| it.contains(text)).collect() };
    assert!(shown("Prefer laws.").iter().all(|shown| *shown));
    let later = shown("Look at the year 1911.");
    assert!(!later[0] && *later.last().unwrap(), "{later:?}");
    assert!(report.contains("Prefer laws") && report.contains("Look at the year 1911"), "{report}");
}

/// What a run of a person is asked for queries last who said one long thing, then two more; and its report.
fn guided_at_length(revision: u32) -> (String, String) {
    let long = |begins: &str| format!("{begins} {}", "And more of that. ".repeat(400));
    let mut asked = Brief { revision, ..brief(Knobs::default()) };
    asked.guidance = Some(long("Prefer laws."));
    let mut sim = Sim::new(asked, script(), Web::Scripted);
    for (point, text) in [(20, long("Leave out barges.")), (30, "In the year 1911.".to_owned())] {
        sim.plan.says.insert(point, RunInput::Guidance { text });
    }
    sim.drive();
    stream::check(&sim);
    replay::check(&sim);
    let queries = queries_begun(&sim, 0);
    let report = sim.run().kept_report().unwrap().markdown.clone();
    (queries.last().unwrap().clone(), report)
}

#[test]
fn of_too_much_guidance_the_latest_is_heard_whole_and_the_report_says_what_was_not() {
    let (last, report) = guided_at_length(Brief::REVISION);
    for said in ["Prefer laws.", "Leave out barges.", "In the year 1911.", "not whole here: 1 of 3"]
    {
        assert!(last.contains(said), "{said}: {last}");
    }
    let told = last.matches("And more of that.").count();
    assert!((400..480).contains(&told), "the later whole, and of the other some: {told}");
    assert!(report.contains("Guidance that was too long for a model"), "{report}");
    // As the journals of before say.
    let (last, report) = guided_at_length(10);
    assert!(last.matches("And more of that.").count() < 230, "{last}");
    assert!(!report.contains("too long for a model"), "{report}");
}

#[test]
fn a_model_that_another_stands_in_for_is_named_in_the_stream_and_in_the_report() {
    let replaced = Replaced {
        requested: "openai:dear".to_owned(),
        instead: "openai:scripted".to_owned(),
        reason: "there is no key for openai".to_owned(),
    };
    let asked = Brief { replaced: vec![replaced.clone()], ..brief(Knobs::default()) };
    let mut sim = Sim::new(asked, script(), Web::Scripted);
    sim.drive();
    let check = |sim: &Sim, times: usize| {
        stream::check(sim);
        replay::check(sim);
        let told = all_of(&sim.events(), EventName::StepFailed);
        assert_eq!(told.len(), times, "{told:?}");
        let said = (&told[0]["step"], &told[0]["fallback"]);
        assert_eq!(said, (&"asking openai:dear".into(), &"openai:scripted".into()));
        let report = sim.run().kept_report().unwrap().markdown.clone();
        assert!(report.contains("openai:scripted stands in for openai:dear"), "{report}");
    };
    check(&sim, 1);
    let mut sim = whole();
    sim.fork(None, None, |brief| brief.replaced = vec![replaced.clone()]);
    sim.drive();
    check(&sim, 1);
}

#[test]
fn a_model_that_always_fails_is_replaced_by_the_next_and_then_by_rules() {
    let failed = ChatError::ProviderFailed { status: 500, message: "oops".to_owned() };
    for models in [
        vec![sheet("openai:broken"), sheet("openai:scripted")],
        vec![sheet("openai:broken"), rules()],
        vec![sheet("openai:broken")],
    ] {
        let has_other = models.len() > 1 && models[1].is_language_model;
        let mut sim =
            Sim::new(with_models(brief(Knobs::default()), &models), script(), Web::Scripted);
        sim.script.broken.insert("openai:broken".to_owned(), failed.clone());
        sim.drive();
        stream::check(&sim);
        assert_eq!(sim.status(), RunStatus::Completed);
        let told = all_of(&sim.events(), EventName::StepFailed);
        assert!(!told.is_empty());
        let fallback = if has_other { "openai:scripted" } else { "rules" };
        assert!(told.iter().all(|it| it["fallback"] == fallback), "{told:?}");
    }
}
