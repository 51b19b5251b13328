//! The reference's acceptance criteria, each by its number.

use crate::drive::{Sim, brief};
use crate::models::{Script, key, rules};
use crate::stream::{self, all_of, nodes_of};
use crate::world::Web;
use quarry_events::run::{Event, EventName, RunStatus, Stop};
use quarry_machines::run::{Brief, Models};
use quarry_types::{Knobs, Timeouts};

fn finished(knobs: Knobs, script: Script) -> Sim {
    let mut sim = Sim::new(brief(knobs), script, Web::Scripted);
    sim.drive();
    stream::check(&sim);
    assert_eq!(sim.status(), RunStatus::Completed);
    sim
}

fn place(events: &[Event], name: EventName, node: &str) -> usize {
    let is_it =
        |event: &Event| event.name == name && stream::data(event)["node_id"].as_str() == Some(node);
    events.iter().position(is_it).unwrap()
}

/// Nothing is ever answered, so the tree grows as far as its bounds let it.
fn restless() -> Script {
    Script::new(|_| 0.3)
}

#[test]
fn the_root_starts_without_parts_and_is_answered_by_its_own_evidence_where_that_suffices() {
    let sim = finished(Knobs::default(), Script::new(|_| 0.9));
    let events = sim.events();
    assert_eq!(nodes_of(&events, EventName::NodeStarted), ["n1"]);
    assert_eq!(nodes_of(&events, EventName::NodeDecomposed), [""; 0]);
    assert!(sim.performed.iter().all(|it| !it.id.starts_with("n1/parts")));
    let resolved = all_of(&events, EventName::NodeResolved);
    assert_eq!(resolved[0]["resolution_reason"], "direct");
    let passes = all_of(&events, EventName::PassSufficiencyEvaluated);
    assert_eq!(
        (passes.len(), &passes[0]["stop"]),
        (1, &serde_json::to_value(Stop::Sufficient).unwrap())
    );
}

#[test]
fn a_node_is_parted_only_after_its_own_evidence_was_judged_not_to_suffice() {
    let sim = finished(Knobs::default(), restless());
    let events = sim.events();
    let parted = nodes_of(&events, EventName::NodeDecomposed);
    assert_eq!(parted, ["n1", "n2", "n3"]);
    for node in parted {
        let steps = [
            EventName::NodeStarted,
            EventName::QueriesGenerated,
            EventName::QueryExecuted,
            EventName::SourcesRanked,
            EventName::SynthesisCompleted,
            EventName::NodeSufficiencyEvaluated,
            EventName::NodeDecomposed,
        ];
        let places: Vec<usize> = steps.iter().map(|name| place(&events, *name, &node)).collect();
        assert!(places.is_sorted(), "{node}: {places:?}");
        let judged = stream::data(&events[places[5]]);
        assert_eq!(judged["sufficiency"]["sufficient"], false);
        assert_eq!(judged["from_children"], false);
    }
}

#[test]
fn one_branch_is_finished_before_the_next_begins_in_every_round() {
    let knobs = Knobs { max_rounds: 2, ..Knobs::default() };
    let sim = finished(knobs, restless());
    let events = sim.events();
    // n1 has n2 and n3; of these n2 has n4 and n5, and n3 has n6 and n7.
    let second = events.iter().rposition(|event| event.name == EventName::RoundStarted).unwrap();
    let (first, second) = events.split_at(second);
    let started = nodes_of(first, EventName::NodeStarted);
    assert_eq!(started, ["n1", "n2", "n4", "n5", "n3", "n6", "n7"]);
    let ended = nodes_of(first, EventName::NodeUnresolved);
    assert_eq!(ended, ["n4", "n5", "n2", "n6", "n7", "n3", "n1"]);
    let frontier = &stream::data(&second[0])["frontier"];
    assert_eq!(*frontier, serde_json::json!(["n4", "n5", "n6", "n7"]));
    assert_eq!(nodes_of(second, EventName::NodeStarted), ["n4", "n5", "n6", "n7"]);
    let ended = nodes_of(second, EventName::NodeUnresolved);
    assert_eq!(
        ended,
        ["n4", "n5", "n2", "n6", "n7", "n3", "n1"],
        "parents again after their parts"
    );
    // Nothing new was found: what was judged before stands.
    assert_eq!(nodes_of(second, EventName::NodeSufficiencyEvaluated), ["n2", "n3", "n1"]);
}

#[test]
fn a_parent_is_answered_by_its_parts_and_then_what_is_open_below_it_stays_so() {
    let script = Script::new(|asked| match (asked.purpose, asked.nth) {
        ("n2/judgement", _) | ("n1/judgement", 2..) => 0.9,
        _ => 0.3,
    });
    let sim = finished(Knobs { max_depth: 1, ..Knobs::default() }, script);
    let events = sim.events();
    assert_eq!(nodes_of(&events, EventName::NodeResolved), ["n2", "n1"]);
    assert_eq!(nodes_of(&events, EventName::NodeUnresolved), ["n3"]);
    let last = all_of(&events, EventName::NodeResolved).pop().unwrap();
    assert_eq!(last["resolution_reason"], "children");
    assert_eq!(all_of(&events, EventName::RoundStarted).len(), 1);
}

#[test]
fn a_parent_without_evidence_of_its_own_is_judged_by_a_model_from_that_of_its_parts() {
    let script = Script::new(|asked| if asked.purpose == "n1/judgement" { 0.3 } else { 0.9 });
    let mut sim =
        Sim::new(brief(Knobs { max_rounds: 1, ..Knobs::default() }), script, Web::Scripted);
    sim.script.queries = Box::new(|asked| match asked.purpose {
        "n1/queries" => vec!["downed engine".to_owned()],
        _ => vec![format!("{} record", key(asked.question))],
    });
    sim.web = Web::Failing(crate::world::hash("downed engine"));
    sim.drive();
    stream::check(&sim);
    let judged = all_of(&sim.events(), EventName::NodeSufficiencyEvaluated);
    let of_root: Vec<_> = judged.iter().filter(|it| it["node_id"] == "n1").collect();
    assert_eq!(of_root.len(), 2);
    assert_eq!(of_root[0]["sufficiency"]["by"], "rule", "of nothing nobody needs to be asked");
    assert_eq!(of_root[1]["sufficiency"]["by"], "model");
    assert_eq!(of_root[1]["sufficiency"]["scores"]["coverage"], 0.3);
}

#[test]
fn an_equal_query_is_searched_for_once_and_again_when_a_rule_says_so() {
    let ask = |queries: fn(usize) -> Vec<&'static str>, web, knobs: Knobs| {
        let mut script = restless();
        script.queries =
            Box::new(move |asked| queries(asked.nth).into_iter().map(str::to_owned).collect());
        script.parts = Box::new(|_| Vec::new());
        let mut sim = Sim::new(brief(Knobs { max_rounds: 2, ..knobs }), script, web);
        // Without something new there is no second round.
        sim.drive();
        stream::check(&sim);
        let told = |name, field: &str| -> Vec<String> {
            let of = all_of(&sim.events(), name);
            of.iter().map(|it| it[field].as_str().unwrap().to_owned()).collect()
        };
        (told(EventName::QueryExecuted, "rule"), told(EventName::QuerySkippedCached, "same_as"))
    };
    let again = |_| vec!["alder tower", "towers of the alder"];
    let (executed, cached) = ask(again, Web::Scripted, Knobs::default());
    assert_eq!((executed, cached), (vec!["new".to_owned()], vec!["alder tower".to_owned(); 1]));
    let stale = Knobs { cache_ttl: 0, ..Knobs::default() };
    let (executed, cached) = ask(|_| vec!["alder tower"], Web::Scripted, stale);
    assert_eq!((executed, cached), (vec!["new".to_owned(), "stale".to_owned()], Vec::new()));
    let failing = Web::Failing(crate::world::hash("alder tower"));
    let both = |_| vec!["alder tower", "elm bridge"];
    let (executed, cached) = ask(both, failing, Knobs::default());
    assert_eq!(executed, ["new", "new", "failed_before"]);
    assert_eq!(cached, ["elm bridge"]);
    let (executed, _) = ask(|_| vec!["stone alder tower"], Web::Empty, Knobs::default());
    assert_eq!(executed, ["new", "broadened"], "with nothing new the query is widened");
}

#[test]
fn what_a_person_wants_checked_anew_is_searched_for_though_it_is_fresh() {
    let mut script = restless();
    script.queries = Box::new(|_| vec!["alder tower".to_owned()]);
    // As a model does that has read their guidance.
    script.recheck = Box::new(|asked| asked.nth == 2);
    script.parts = Box::new(|_| Vec::new());
    let mut sim =
        Sim::new(brief(Knobs { max_rounds: 2, ..Knobs::default() }), script, Web::Scripted);
    sim.drive();
    stream::check(&sim);
    let executed = all_of(&sim.events(), EventName::QueryExecuted);
    let rules: Vec<&str> = executed.iter().map(|it| it["rule"].as_str().unwrap()).collect();
    assert_eq!(rules, ["new", "recheck"]);
    assert!(all_of(&sim.events(), EventName::QuerySkippedCached).is_empty());
}

#[test]
fn the_report_always_has_its_limits_and_its_confidence() {
    for (script, web, knobs) in [
        (Script::new(|_| 0.9), Web::Scripted, Knobs::default()),
        (restless(), Web::Empty, Knobs::default()),
        (restless(), Web::Failing(1), Knobs::default()),
        (restless(), Web::Same, Knobs { max_sources: 0, ..Knobs::default() }),
        (
            restless(),
            Web::Scripted,
            Knobs { timeouts: Timeouts { run: 4, ..Timeouts::default() }, ..Knobs::default() },
        ),
    ] {
        let mut sim = Sim::new(brief(knobs), script, web);
        sim.drive();
        stream::check(&sim);
        let run = sim.run();
        let kept = run.kept_report().unwrap();
        assert!(kept.markdown.contains("## 7. Confidence and limitations"), "{}", kept.markdown);
        let companion: serde_json::Value = serde_json::from_str(&kept.json).unwrap();
        let confidence = &companion["confidence"];
        assert!(confidence["limitations"].as_array().unwrap().len() >= 2, "{confidence}");
        assert!(confidence["score"].is_number(), "{confidence}");
        assert!(["low", "medium", "high"].contains(&confidence["level"].as_str().unwrap()));
    }
}

#[test]
fn a_round_over_many_nodes_whose_answers_rules_know_needs_no_deep_stack() {
    let deep = || {
        let knobs = Knobs {
            max_depth: 3,
            max_nodes: 600,
            decompose_max_children: 8,
            max_sources: 0,
            max_rounds: 1,
            ..Knobs::default()
        };
        let mut script = restless();
        script.parts =
            Box::new(|asked| (0..8).map(|n| crate::models::part(asked.question, n)).collect());
        // A run of before parts its questions though it may have no source: nothing is waited for.
        let asked = Brief { revision: 0, ..brief(knobs) };
        let mut sim = Sim::new(asked, script, Web::Scripted);
        sim.drive();
        assert!(sim.run().tree().nodes().len() > 500);
        // With rules alone nothing of the second round is waited for.
        sim.fork(None, None, |brief| {
            brief.models = Models::all(&rules());
            brief.knobs.max_rounds = 2;
        });
        sim.drive();
        stream::check(&sim);
        assert_eq!(sim.run().metrics(sim.now).rounds, 2);
    };
    // As much as a component has.
    std::thread::Builder::new().stack_size(1 << 20).spawn(deep).unwrap().join().unwrap();
}
