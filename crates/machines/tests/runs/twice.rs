//! What was read and judged is not read and judged again, and each place ends its own search.

use crate::asked::with_models;
use crate::drive::{Sim, brief};
use crate::models::{Script, sheet};
use crate::replay;
use crate::stream::{self, all_of};
use crate::world::Web;

use quarry_events::run::{Event, EventName};
use quarry_machines::core::ModelSheet;
use quarry_machines::run::{Brief, RunInput};
use quarry_types::{ChatError, Knobs};
use serde_json::Value;
use std::collections::BTreeSet;

fn sim(revision: u32, script: Script, web: Web) -> Sim {
    let knobs = Knobs { max_rounds: 3, max_depth: 1, ..Knobs::default() };
    let asked = with_models(Brief { revision, ..brief(knobs) }, &[sheet("openai:one")]);
    Sim::new(asked, script, web)
}

fn driven(revision: u32, script: Script, web: Web) -> Sim {
    let mut sim = sim(revision, script, web);
    sim.drive();
    stream::check(&sim);
    replay::check(&sim);
    sim
}

/// What was read by a node more than once.
fn read_twice(events: &[Event]) -> Vec<String> {
    let mut read = BTreeSet::new();
    let mut twice = Vec::new();
    for ranked in all_of(events, EventName::SourcesRanked) {
        let node = ranked["node_id"].to_string();
        for source in ranked["sources"].as_array().unwrap() {
            let which = format!("{node} {}", source["citation_id"]);
            if !read.insert(which.clone()) {
                twice.push(which);
            }
        }
    }
    twice
}

/// Calls for this purpose.
fn calls(sim: &Sim, purpose: &str) -> usize {
    sim.performed.iter().filter(|it| it.is_model && it.id.contains(purpose)).count()
}

/// Whatever the rounds search for.
fn insatiable() -> Script {
    let mut script = Script::new(|_| 0.3);
    script.queries = Box::new(|asked| {
        (0..2).map(|n| format!("{} survey{}", asked.question, asked.nth * 2 + n)).collect()
    });
    script
}

#[test]
fn no_page_is_read_twice_for_the_same_question() {
    let now = driven(Brief::REVISION, insatiable(), Web::Scripted);
    assert_eq!(read_twice(&now.events()), Vec::<String>::new());
    let rounds = all_of(&now.events(), EventName::RoundStarted).len();
    assert!(rounds > 1 && calls(&now, "/findings") > 3, "{rounds}");
    // As the journals of before say.
    let before = driven(5, insatiable(), Web::Scripted);
    assert!(!read_twice(&before.events()).is_empty());
}

/// The same pages whatever is asked: a second round finds nothing that was not read.
#[test]
fn a_round_that_finds_nothing_new_asks_nobody_to_read_or_to_judge() {
    let of = |revision| driven(revision, insatiable(), Web::Same);
    let (now, before) = (of(Brief::REVISION), of(5));
    let rounds = |sim: &Sim| all_of(&sim.events(), EventName::RoundStarted).len();
    assert!(rounds(&now) > 1, "there is a second round");
    for purpose in ["/findings", "/judgement"] {
        assert!(calls(&now, purpose) < calls(&before, purpose), "{purpose}");
    }
}

/// What was not in the prompt was not read: the same four pages take a model without room for them several calls.
#[test]
fn a_page_that_a_prompt_had_no_room_for_is_read_the_next_time() {
    let calls_of = |context_window| {
        let knobs = Knobs { max_rounds: 3, max_depth: 0, ..Knobs::default() };
        let reader = ModelSheet { context_window: Some(context_window), ..sheet("openai:one") };
        let mut sim = Sim::new(with_models(brief(knobs), &[reader]), insatiable(), Web::Long);
        sim.drive();
        stream::check(&sim);
        replay::check(&sim);
        calls(&sim, "/findings")
    };
    assert_eq!(calls_of(100_000), 1);
    assert!(calls_of(6_000) > 1);
}

/// A person may ask for what nobody looked for when the pages were read.
#[test]
fn what_a_person_adds_has_pages_read_again() {
    let whole = driven(Brief::REVISION, insatiable(), Web::Same);
    let mut sim = sim(Brief::REVISION, insatiable(), Web::Same);
    let said = RunInput::Guidance { text: "Only the cost counts.".to_owned() };
    sim.plan.says.insert(whole.points_of("n3/judgement") + 1, said);
    sim.drive();
    stream::check(&sim);
    assert!(!read_twice(&sim.events()).is_empty());
}

/// The parts find what their parent has found: of that it was judged, and paid for, before.
#[test]
fn a_parent_whose_parts_bring_nothing_keeps_its_verdict() {
    let of = |revision| driven(revision, insatiable(), Web::Same);
    let (now, before) = (of(Brief::REVISION), of(8));
    assert_eq!(calls(&now, "n1/judgement"), 1);
    assert!(calls(&before, "n1/judgement") > 1, "as the journals of before say");
    let told = |name| {
        let told = all_of(&now.events(), name);
        told.into_iter().filter(|it| it["node_id"] == "n1").collect::<Vec<Value>>()
    };
    let verdicts = told(EventName::NodeSufficiencyEvaluated);
    assert!(verdicts.len() > 1, "it is told again when the parts are done");
    assert!(verdicts.iter().all(|it| it["sufficiency"] == verdicts[0]["sufficiency"]));
    let open = told(EventName::NodeUnresolved);
    assert!(open.iter().all(|it| it["message"] == "its parts do not answer it"), "{open:?}");
    assert!(open.len() > 1, "it is said of each round");
    assert_eq!(now.run().tree().nodes().len(), before.run().tree().nodes().len());
}

/// Who judges it now judges by what a person has said since.
#[test]
fn a_parent_whose_parts_bring_nothing_is_judged_again_where_a_person_adds_something() {
    let whole = driven(Brief::REVISION, insatiable(), Web::Same);
    let mut sim = sim(Brief::REVISION, insatiable(), Web::Same);
    let said = RunInput::Guidance { text: "Only the cost counts.".to_owned() };
    sim.plan.says.insert(whole.points_of("n2/findings") + 1, said);
    sim.drive();
    stream::check(&sim);
    replay::check(&sim);
    assert_eq!(calls(&sim, "n1/judgement"), 2);
}

/// A judge who could not be asked may be there when the parts are done.
#[test]
fn a_parent_that_rules_had_to_judge_is_judged_again() {
    let failed = ChatError::ProviderFailed { status: 400, message: "oops".to_owned() };
    let task = "Who built the harbour of Brankmoor, and what did it cost?".to_owned();
    let knobs = Knobs { max_rounds: 1, max_depth: 1, ..Knobs::default() };
    let asked = with_models(Brief { task, ..brief(knobs) }, &[sheet("openai:one")]);
    let script = insatiable().fails("n1/judgement", 1, failed);
    let mut sim = Sim::new(asked, script, Web::Same);
    sim.drive();
    stream::check(&sim);
    replay::check(&sim);
    let told = all_of(&sim.events(), EventName::NodeSufficiencyEvaluated);
    let of_root = told.iter().filter(|it| it["node_id"] == "n1");
    let by: Vec<&Value> = of_root.map(|it| &it["sufficiency"]["by"]).collect();
    assert_eq!(by, ["rule", "model"]);
}

#[test]
fn an_ancestor_is_not_open_because_its_parts_may_not_be_parted() {
    let reasons = |revision| {
        let sim = driven(revision, Script::new(|_| 0.3), Web::Scripted);
        let told = all_of(&sim.events(), EventName::NodeUnresolved);
        let of_root = told.iter().filter(|it| it["node_id"] == "n1");
        of_root.map(|it| it["resolution_reason"].clone()).collect::<Vec<Value>>()
    };
    let now = reasons(Brief::REVISION);
    assert!(!now.is_empty() && now.iter().all(|it| it == "no_gain"), "{now:?}");
    assert!(reasons(5).iter().any(|it| it == "depth"));
}

/// A search that failed says nothing of what there is to find.
#[test]
fn two_searches_that_fail_leave_the_others_to_be_tried() {
    let queries = |revision| {
        let mut script = Script::new(|_| 0.9);
        let four = |question: &str| (0..4).map(|n| format!("{question} place{n}")).collect();
        script.queries = Box::new(move |asked| four(asked.question));
        let knobs = Knobs { max_rounds: 1, max_depth: 0, parallel_queries: 1, ..Knobs::default() };
        let asked = with_models(Brief { revision, ..brief(knobs) }, &[sheet("openai:one")]);
        let mut sim = Sim::new(asked, script, Web::Failing(1));
        sim.drive();
        all_of(&sim.events(), EventName::QueryExecuted).len()
    };
    assert_eq!((queries(Brief::REVISION), queries(5)), (4, 2));
}

/// However much documents bring, the web that has nothing is asked no longer.
#[test]
fn each_place_ends_its_own_search() {
    let queries = |revision| {
        let mut script = Script::new(|_| 0.9);
        let four = |question: &str| (0..4).map(|n| format!("{question} place{n}")).collect();
        script.queries = Box::new(move |asked| four(asked.question));
        let knobs = Knobs { max_rounds: 1, max_depth: 0, parallel_queries: 1, ..Knobs::default() };
        let mut asked = with_models(Brief { revision, ..brief(knobs) }, &[sheet("openai:one")]);
        asked.sources.knowledge = true;
        let mut sim = Sim::new(asked, script, Web::Empty);
        sim.drive();
        let told = all_of(&sim.events(), EventName::QueryExecuted);
        told.iter().filter(|it| it["searched_in"] != "knowledge").count()
    };
    assert_eq!((queries(Brief::REVISION), queries(5)), (2, 4));
}
