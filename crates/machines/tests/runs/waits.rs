//! Runs that wait: for a budget, a provider, a rate limit with the caller's own key, other rules; and what nobody
//! can read.

use crate::drive::{LIMITS, START, Sim, brief};
use crate::models::{Script, sheet};
use crate::replay;
use crate::resumed::{script, sim, whole};
use crate::stream::{self, all_of, plain};
use crate::world::Web;
use quarry_events::run::{EventName, RunStatus, WaitReason, WaitingFor};
use quarry_journal::Leave;
use quarry_machines::core::Budget;
use quarry_machines::run::{Brief, Resumption, RunInput, policy};
use quarry_types::{ChatError, Knobs, OnTimeout, Timestamp};

pub fn waiting(sim: &Sim) -> WaitingFor {
    assert_eq!(sim.status(), RunStatus::Queued);
    let waiting = sim.run().standing_now().waiting.unwrap();
    let told = all_of(&sim.events(), EventName::RunWaiting);
    assert_eq!(told.last().unwrap()["waiting"]["hint"], waiting.hint);
    assert_eq!(sim.run().snapshot(sim.now, false).record.waiting.as_ref(), Some(&waiting));
    waiting
}

fn waits(sim: &Sim) -> usize {
    all_of(&sim.events(), EventName::RunWaiting).len()
}

pub fn tokens(tokens: u64) -> Option<Budget> {
    Some(Budget { usd: None, tokens: Some(tokens) })
}

#[test]
fn a_server_without_a_search_provider_ends_a_run_at_once_and_says_what_to_set() {
    let mut sim = Sim::new(brief(Knobs::default()), script(), Web::Unset);
    sim.drive();
    stream::check(&sim);
    assert_eq!((sim.status(), waits(&sim)), (RunStatus::Completed, 0));
    let open = all_of(&sim.events(), EventName::NodeUnresolved);
    assert!(!open.is_empty());
    for node in &open {
        assert_eq!(node["resolution_reason"], "error", "{node}");
        let message = node["message"].as_str().unwrap();
        assert!(message.contains("set BRAVE_API_KEY"), "{message}");
    }
    assert_eq!(all_of(&sim.events(), EventName::NodeDecomposed).len(), 0);
    let run = sim.run();
    assert!(run.kept_report().unwrap().markdown.contains("set BRAVE_API_KEY"));
}

#[test]
fn a_query_that_fails_is_marked_and_its_node_goes_on() {
    let mut sim = Sim::new(brief(Knobs::default()), script(), Web::Failing(2));
    sim.drive();
    stream::check(&sim);
    let asked = all_of(&sim.events(), EventName::QueryExecuted);
    let failed = asked.iter().filter(|it| it["error"] == "the engine is down").count();
    assert!(0 < failed && failed < asked.len(), "{asked:?}");
    let found = all_of(&sim.events(), EventName::SynthesisCompleted);
    assert!(found.iter().any(|it| !it["findings"].as_array().unwrap().is_empty()));
    assert_eq!(sim.status(), RunStatus::Completed);
}

#[test]
fn a_node_whose_every_search_failed_is_open_for_an_error_and_one_that_found_nothing_is_not() {
    for (web, is_error) in [(Web::Failing(1), true), (Web::Empty, false)] {
        let mut sim = Sim::new(brief(Knobs::default()), script(), web);
        sim.drive();
        stream::check(&sim);
        let open = all_of(&sim.events(), EventName::NodeUnresolved);
        assert!(!open.is_empty());
        let errors = open.iter().filter(|it| it["resolution_reason"] == "error").count();
        assert_eq!(errors, if is_error { open.len() } else { 0 }, "{open:?}");
    }
}

/// The limits that a hint names.
fn named(hint: &str) -> Budget {
    let limit = |name: &str| {
        let (_, rest) = hint.split_once(&format!("{name} of "))?;
        rest.split(' ').next()?.parse::<f64>().ok()
    };
    let tokens = limit("budget.tokens").map(|tokens| tokens as u64);
    Budget { usd: limit("budget.usd"), tokens }
}

#[test]
fn a_run_without_room_for_its_first_call_waits_and_says_how_much_it_needs() {
    for budget in [
        Budget { usd: None, tokens: Some(100) },
        Budget { usd: Some(0.000_1), tokens: None },
        Budget { usd: Some(0.000_1), tokens: Some(100) },
    ] {
        let mut sim =
            Sim::new(Brief { budget, ..brief(Knobs::default()) }, script(), Web::Scripted);
        assert_eq!(sim.status(), RunStatus::Queued, "its record says so though nobody drove it");
        sim.drive();
        stream::check(&sim);
        assert!(sim.performed.is_empty());
        let waiting = waiting(&sim);
        assert_eq!((waiting.reason, waiting.until), (WaitReason::Budget, None));
        let named = named(&waiting.hint);
        assert_eq!(named.usd.is_some(), budget.usd.is_some(), "{}", waiting.hint);
        assert_eq!(named.tokens.is_some(), budget.tokens.is_some(), "{}", waiting.hint);
        sim.resume(None, Some(named));
        assert!(!sim.performed.is_empty(), "what it asked for is enough: {}", waiting.hint);
        let many = Budget { usd: budget.usd.map(|_| 9.0), tokens: budget.tokens.map(|_| 900_000) };
        sim.resume(None, Some(many));
        stream::check(&sim);
        replay::check(&sim);
        assert_eq!(sim.status(), RunStatus::Completed);
    }
}

#[test]
fn what_a_person_adds_to_a_run_that_waits_for_a_budget_is_in_what_it_needs() {
    let begun_with_what_was_named = |revision| {
        let budget = Budget { usd: None, tokens: Some(100) };
        let asked = Brief { budget, revision, ..brief(Knobs::default()) };
        let mut sim = Sim::new(asked, script(), Web::Scripted);
        sim.drive();
        let text = format!("Prefer laws. {}", "And leave out what journals say. ".repeat(50));
        assert!(sim.say(&RunInput::Guidance { text }));
        sim.drive();
        assert!(sim.performed.is_empty());
        let budget = named(&waiting(&sim).hint);
        // On another day the same call may be longer.
        sim.now.0 += 3 * 86_400_000;
        sim.resume(None, Some(budget));
        stream::check(&sim);
        replay::check(&sim);
        let prompts = sim.script.prompts.values();
        assert!(prompts.into_iter().all(|it| it.contains("Prefer laws.")));
        sim.performed.len()
    };
    assert!(begun_with_what_was_named(Brief::REVISION) > 0);
    assert_eq!(begun_with_what_was_named(8), 0, "as the journals of before say");
}

#[test]
fn what_was_tried_before_a_wait_for_budget_counts_behind_it() {
    let timeout = || ChatError::Timeout { message: "the model's reply".to_owned() };
    let mut met = 0;
    for tokens in (1_000..14_000).step_by(250) {
        let budget = Budget { usd: None, tokens: Some(tokens) };
        let script = (1..4).fold(script(), |it, nth| it.fails("n1/queries", nth, timeout()));
        let mut sim = Sim::new(Brief { budget, ..brief(Knobs::default()) }, script, Web::Scripted);
        sim.drive();
        let calls =
            |sim: &Sim| sim.performed.iter().filter(|it| it.id.starts_with("n1/queries")).count();
        if sim.status() != RunStatus::Queued || calls(&sim) != 1 {
            continue;
        }
        met += 1;
        // The call becomes another one, and has no room yet.
        assert!(sim.say(&RunInput::Guidance { text: "Prefer laws.".to_owned() }));
        sim.resume(None, None);
        sim.resume(None, Some(Budget { usd: None, tokens: Some(900_000) }));
        stream::check(&sim);
        replay::check(&sim);
        assert_eq!(calls(&sim), 2, "{tokens}: the second try is the last");
    }
    assert!(met > 0);
}

#[test]
fn who_wants_no_partial_report_is_asked_for_more_and_may_take_what_there_is() {
    let as_usual = whole();
    let half = as_usual.run().metrics(as_usual.now).tokens / 2;
    let asked = || {
        let knobs = Knobs { on_timeout: OnTimeout::Fail, ..Knobs::default() };
        let budget = Budget { usd: None, tokens: Some(half) };
        let mut sim = Sim::new(Brief { budget, ..brief(knobs) }, script(), Web::Scripted);
        sim.drive();
        stream::check(&sim);
        assert_eq!(waiting(&sim).reason, WaitReason::Budget);
        assert!(sim.run().metrics(sim.now).findings > 0);
        sim
    };
    let mut more = asked();
    more.resume(None, tokens(600_000));
    stream::check(&more);
    replay::check(&more);
    assert_eq!(more.status(), RunStatus::Completed);
    assert_eq!(more.run().tree(), whole().run().tree());
    let mut enough = asked();
    enough.resume(Some(Knobs::default()), None);
    stream::check(&enough);
    replay::check(&enough);
    assert_eq!(enough.status(), RunStatus::Completed);
    assert!(enough.run().listed(enough.now).partial);
}

#[test]
fn a_report_that_the_budget_has_no_room_for_is_written_by_rules_and_says_so() {
    // Found by the budget at which research is done and the report does not fit.
    let mut told = Vec::new();
    for most in (4_000..9_000).step_by(50) {
        let knobs = Knobs { max_depth: 0, max_rounds: 1, ..Knobs::default() };
        let budget = Budget { usd: None, tokens: Some(most) };
        let script = Script::new(|_| 0.9);
        let mut sim = Sim::new(Brief { budget, ..brief(knobs) }, script, Web::Scripted);
        sim.drive();
        stream::check(&sim);
        let failed = all_of(&sim.events(), EventName::StepFailed);
        told.extend(failed.into_iter().filter(|it| it["step"] == "report"));
    }
    assert!(!told.is_empty() && told.iter().all(|it| it["fallback"] == "rules"), "{told:?}");
}

#[test]
fn a_provider_that_is_down_at_the_start_is_waited_for_and_nothing_is_lost() {
    let down = Web::Down(Timestamp(START.0 + 100_000));
    let mut sim = Sim::new(brief(Knobs::default()), script(), down);
    sim.drive();
    stream::check(&sim);
    replay::check(&sim);
    assert_eq!((sim.status(), waits(&sim)), (RunStatus::Completed, 2));
    for told in all_of(&sim.events(), EventName::RunWaiting) {
        assert_eq!(told["waiting"]["reason"], "provider_down", "{told}");
        assert!(told["waiting"]["until"].is_string());
    }
    let whole = whole();
    assert_eq!(sim.run().tree(), whole.run().tree());
    let executed = |sim: &Sim| all_of(&sim.events(), EventName::QueryExecuted).len();
    assert_eq!(executed(&sim), executed(&whole), "what nobody answered is no query");
    let report = sim.run().kept_report().unwrap().markdown.clone();
    assert!(report.contains("no search provider answered"), "{report}");
}

#[test]
fn a_provider_that_stays_down_is_waited_for_three_times_and_the_run_ends_with_a_report() {
    let mut sim = Sim::new(brief(Knobs::default()), script(), Web::Down(Timestamp(u64::MAX)));
    sim.drive();
    stream::check(&sim);
    replay::check(&sim);
    assert_eq!((sim.status(), waits(&sim)), (RunStatus::Completed, 3));
    assert!(sim.run().metrics(sim.now).latency < 120_000, "while it waits its time stands still");
}

#[test]
fn a_provider_that_fails_later_is_no_reason_to_wait() {
    let mut sim = sim();
    sim.plan.kills.insert(60);
    sim.drive_until_dead();
    assert!(sim.run().metrics(sim.now).findings > 0);
    sim.web = Web::Down(Timestamp(u64::MAX));
    sim.drive();
    stream::check(&sim);
    assert_eq!((sim.status(), waits(&sim)), (RunStatus::Completed, 0));
}

#[test]
fn a_run_that_waits_for_a_provider_dies_is_aborted_or_forked_like_any_other() {
    let until = Timestamp(START.0 + 100_000);
    let begun = || Sim::new(brief(Knobs::default()), script(), Web::Down(until));
    let mut undisturbed = begun();
    undisturbed.drive();
    for point in 1..60 {
        let mut sim = begun();
        sim.plan.kills.insert(point);
        sim.drive();
        stream::check(&sim);
        replay::check(&sim);
        assert_eq!(sim.run().tree(), undisturbed.run().tree(), "killed at {point}");
    }
    let mut sim = begun();
    sim.drive_until_dead();
    assert_eq!(waiting(&sim).reason, WaitReason::ProviderDown);
    let mut aborted = begun();
    aborted.drive_until_dead();
    assert!(aborted.say(&RunInput::Abort));
    aborted.drive();
    assert_eq!(aborted.status(), RunStatus::Aborted);
    aborted.now = until;
    aborted.resume(None, None);
    stream::check(&aborted);
    assert_eq!(aborted.status(), RunStatus::Completed);
    sim.now = until;
    sim.fork(None, None, |_| {});
    sim.drive();
    stream::check(&sim);
    replay::check(&sim);
    assert_eq!((sim.status(), sim.run().tree()), (RunStatus::Completed, undisturbed.run().tree()));
}

pub fn with_own_key(wait_ms: u64) -> Sim {
    let mut asked = brief(Knobs::default());
    asked.paid_by_caller = vec!["openai:scripted".to_owned()];
    let error = ChatError::rate_limited(wait_ms, "slow down".to_owned());
    Sim::new(asked, script().fails("n3/parts", 1, error), Web::Scripted)
}

#[test]
fn a_rate_limit_does_not_cost_the_callers_key() {
    for wait_ms in [11_000, 90_000, 600_000] {
        let mut sim = with_own_key(wait_ms);
        sim.drive();
        stream::check(&sim);
        replay::check(&sim);
        assert_eq!((sim.status(), waits(&sim)), (RunStatus::Completed, 1));
        assert!(!sim.lefts.iter().any(|left| matches!(left, Leave::Waits { .. })));
        let handed = sim.lefts.iter().filter(|left| **left == Leave::HandOver).count();
        assert!(handed as u64 >= wait_ms / 21_000, "{handed} in {wait_ms} ms");
        // A slice, and the call that was under way at its end.
        assert!(sim.longest_ms <= LIMITS.slice_ms + 2_000, "{} ms", sim.longest_ms);
    }
}

#[test]
fn a_rate_limit_that_is_too_long_for_a_key_says_so_and_what_to_do() {
    let mut sim = with_own_key(3_600_000);
    sim.drive();
    let waiting = waiting(&sim);
    assert_eq!((waiting.reason, waiting.until), (WaitReason::NeedsKey, None));
    assert!(waiting.hint.contains("resume the run with an apiKey"), "{}", waiting.hint);
    sim.now.0 += 3_600_000;
    sim.resume(None, None);
    stream::check(&sim);
    assert_eq!(sim.status(), RunStatus::Completed);
}

#[test]
fn a_key_that_dies_with_its_driver_during_a_wait_is_asked_for() {
    let mut found = false;
    for point in 1..400 {
        let mut sim = with_own_key(90_000);
        sim.limits.slice_ms = 10_000_000;
        sim.plan.kills.insert(point);
        sim.drive_until_dead();
        let is_limited = |sim: &Sim| sim.run().standing_now().waiting.is_some();
        if sim.status() != RunStatus::Queued || !is_limited(&sim) {
            continue;
        }
        found = true;
        sim.has_key = false;
        sim.drive();
        assert_eq!(waiting(&sim).reason, WaitReason::NeedsKey);
        sim.has_key = true;
        sim.resume(None, None);
        stream::check(&sim);
        assert_eq!(sim.status(), RunStatus::Completed);
        break;
    }
    assert!(found);
}

/// A run whose operator has no key for what some of its roles ask.
pub fn without_key(judge: &str) -> Sim {
    let mut asked = brief(Knobs::default());
    asked.models.judge = vec![sheet(judge)];
    let mut sim = Sim::new(asked, script(), Web::Scripted);
    sim.has_key = false;
    let error = ChatError::MissingKey { message: "no key".to_owned() };
    sim.script.broken.insert(judge.to_owned(), error);
    sim.drive();
    assert_eq!(waiting(&sim).reason, WaitReason::NeedsKey);
    sim.script.broken.clear();
    sim
}

pub fn with_key(has_key: bool) -> Resumption {
    let (config, budget) = ("{}".to_owned(), Budget::default());
    Resumption { config, budget, force: false, has_key, operator_pays: false }
}

#[test]
fn a_run_that_waits_for_the_operators_key_goes_on_with_one_that_a_caller_sends() {
    let mut sim = without_key("openai:judge");
    assert!(waiting(&sim).hint.contains("resume the run with an apiKey"));
    sim.has_key = true;
    sim.resume_as(with_key(true)).unwrap();
    stream::check(&sim);
    replay::check(&sim);
    assert_eq!(sim.status(), RunStatus::Completed);
    // It pays for all that goes to its provider, and for nothing else.
    assert_eq!(sim.run().brief().paid_by_caller, ["openai:scripted", "openai:judge"]);
    // Whoever drives without it waits for it, as for any key of a caller's.
    let mut lost = without_key("openai:judge");
    lost.resume_as(with_key(true)).unwrap();
    assert_eq!(waiting(&lost).reason, WaitReason::NeedsKey);
    // The operator may have set one meanwhile.
    let mut set = without_key("openai:judge");
    set.resume_as(with_key(false)).unwrap();
    assert_eq!(set.status(), RunStatus::Completed);
    assert!(set.run().brief().paid_by_caller.is_empty());
}

#[test]
fn a_key_of_the_callers_goes_to_the_provider_of_the_runs_model_and_to_no_other() {
    let mut sim = without_key("groq:judge");
    let hint = waiting(&sim).hint;
    assert!(hint.contains("groq_api_key") && !hint.contains("with an apiKey"), "{hint}");
    let refused = sim.resume_as(with_key(true)).unwrap_err().to_string();
    assert!(refused.starts_with("apiKey goes to openai alone"), "{refused}");
    assert!(refused.contains("groq_api_key"), "{refused}");
    sim.resume_as(with_key(false)).unwrap();
    assert_eq!(sim.status(), RunStatus::Completed);
}

/// A run that was begun by a server with other rules.
pub fn of_an_older_server() -> Sim {
    let mut asked = brief(Knobs::default());
    asked.policies.insert("search".to_owned(), 0);
    asked.policies.insert("astrology".to_owned(), 3);
    let mut sim = Sim::new(asked, script(), Web::Scripted);
    sim.is_old = true;
    sim
}

#[test]
fn a_run_whose_rules_have_changed_goes_on_only_when_somebody_says_so() {
    let mut old = of_an_older_server();
    old.drive();
    assert_eq!(old.status(), RunStatus::Completed);
    for point in (1..old.points).step_by(7) {
        let mut sim = of_an_older_server();
        sim.plan.kills.insert(point);
        sim.drive_until_dead();
        if sim.status().has_ended() {
            continue;
        }
        sim.is_old = false;
        let performed = sim.performed.len();
        sim.drive();
        stream::check(&sim);
        let waiting = waiting(&sim);
        assert_eq!((waiting.reason, waiting.until), (WaitReason::PolicyChanged, None));
        for words in ["search 0 → 2", "astrology 3 is gone", "\"force\": true"] {
            assert!(waiting.hint.contains(words), "{words}: {}", waiting.hint);
        }
        // Whoever says something has it taken in, and it waits as before.
        let is_told = point % 2 == 0;
        assert!(!is_told || sim.say(&RunInput::Guidance { text: "Prefer laws.".to_owned() }));
        sim.drive();
        assert_eq!((sim.performed.len(), waits(&sim)), (performed, 1));
        sim.resume(None, None);
        stream::check(&sim);
        replay::check(&sim);
        assert_eq!(sim.status(), RunStatus::Completed, "killed at {point}");
        assert_eq!(sim.run().listed(sim.now).policies, policy::versions());
        // With what a person has added the call that waited is another one.
        if !is_told {
            assert_eq!(sim.run().tree(), old.run().tree(), "killed at {point}");
        }
    }
}

#[test]
fn a_run_under_the_rules_that_it_began_with_goes_on_by_itself() {
    let mut sim = sim();
    sim.plan.kills = [20, 70].into();
    sim.drive();
    assert_eq!(waits(&sim), 0);
    assert_eq!(plain(&sim.events()), plain(&whole().events()));
}

#[test]
fn what_nobody_can_read_is_told_and_taken_and_keeps_nobody() {
    let mut sim = sim();
    let strange = r#"{"input":"asked","brief":{}}"#;
    for (note, body) in
        [("x1", "no JSON"), ("x2", r#"{"input":"sing"}"#), ("x3", strange), ("x4", "{}")]
    {
        sim.store.leave_raw(sim.id, note, sim.now, body);
    }
    sim.store.damage("x4");
    let text = "Look at the year 1911.".to_owned();
    assert!(sim.say(&RunInput::Guidance { text }));
    sim.drive();
    stream::check(&sim);
    replay::check(&sim);
    assert_eq!(sim.status(), RunStatus::Completed);
    let told = all_of(&sim.events(), EventName::StepFailed);
    assert_eq!(told.len(), 4, "{told:?}");
    assert!(told.iter().all(|it| it["fallback"] == "it is left out"), "{told:?}");
    assert_eq!(all_of(&sim.events(), EventName::GuidanceReceived).len(), 1);
    assert!(sim.store.inbox(sim.id).is_empty());
}
