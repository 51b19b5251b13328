//! Runs that look into documents of one's own, alone or beside the web.

use crate::drive::{START, Sim, brief, with_models};
use crate::models::{Script, rules};
use crate::replay;
use crate::stream;
use crate::world::{VECTOR, Web};
use quarry_events::run::{AnyPayload, Citation, EventName, QueryExecuted, RunStatus, SearchedIn};
use quarry_machines::core::Budget;
use quarry_machines::run::{Brief, RunInput, What};
use quarry_tools::{Errand, Sources};
use quarry_types::{CollectionName, Knobs, Timestamp};

fn driven(sources: Sources) -> Sim {
    let asked = with_models(brief(Knobs::default()), &[rules()]);
    let mut sim = Sim::new(Brief { sources, ..asked }, Script::new(|_| 0.0), Web::Scripted);
    sim.drive();
    stream::check(&sim);
    assert_eq!(sim.status(), RunStatus::Completed);
    sim
}

fn queries(sim: &Sim) -> Vec<QueryExecuted> {
    let payloads = sim.events().into_iter().filter_map(|event| event.payload().ok());
    let of = |payload| match payload {
        AnyPayload::QueryExecuted(query) => Some(query),
        _ => None,
    };
    payloads.filter_map(of).collect()
}

fn citations(sim: &Sim) -> Vec<Citation> {
    let payloads = sim.events().into_iter().filter_map(|event| event.payload().ok());
    let of = |payload| match payload {
        AnyPayload::SourcesRanked(ranked) => Some(ranked.sources),
        _ => None,
    };
    payloads.filter_map(of).flatten().collect()
}

#[test]
fn each_query_of_a_node_goes_to_both_and_own_documents_are_of_the_first_tier() {
    let sim = driven(Sources { web: true, knowledge: true, program: true });
    let queries = queries(&sim);
    for place in [SearchedIn::Web, SearchedIn::Knowledge] {
        assert!(queries.iter().any(|it| it.searched_in == place && it.results > 0), "{place:?}");
    }
    let own: Vec<Citation> =
        citations(&sim).into_iter().filter(|it| it.url.starts_with("/knowledge/")).collect();
    assert!(!own.is_empty());
    for citation in &own {
        assert_eq!((citation.quality_tier, citation.source_type.as_str()), (1, "own_document"));
        assert!(citation.tier_reason.contains("one's own"), "{citation:?}");
    }
    assert!(citations(&sim).iter().any(|it| it.url.starts_with("https://")));
    let report = sim.run().kept_report().unwrap().markdown.clone();
    assert!(report.contains("](/knowledge/documents/chronicle/chunks"), "{report}");
    let record = sim.run().snapshot(sim.now, false).record;
    assert_eq!(
        record.sources,
        [SearchedIn::Web, SearchedIn::Knowledge],
        "who asks again asks the same"
    );
    assert_eq!(record.models, None, "one model does it all");
}

#[test]
fn a_record_names_the_models_where_there_are_several() {
    let mut asked = with_models(brief(Knobs::default()), &[rules()]);
    let other = quarry_machines::core::ModelSheet {
        id: "openai:careful".parse().unwrap(),
        ..asked.models.judge[0].clone()
    };
    asked.models.judge.insert(0, other);
    let sim = Sim::new(asked, Script::new(|_| 0.0), Web::Scripted);
    let record = sim.run().snapshot(sim.now, false).record;
    assert_eq!(record.sources, [SearchedIn::Web]);
    let models = record.models.unwrap();
    assert_eq!(models.judge, ["openai:careful".to_owned(), record.model.clone()]);
    assert_eq!(models.plan, [record.model]);
}

#[test]
fn documents_alone_are_enough_for_a_run() {
    let sim = driven(Sources { web: false, knowledge: true, program: true });
    let queries = queries(&sim);
    assert!(!queries.is_empty());
    assert!(queries.iter().all(|it| it.searched_in == SearchedIn::Knowledge));
    assert!(citations(&sim).iter().all(|it| it.url.starts_with("/knowledge/documents/")));
    // Rules cost nothing, and the vectors of the questions do.
    let metrics = sim.run().metrics(sim.now);
    let vectors = VECTOR * queries.len() as f64;
    assert!((metrics.cost - vectors).abs() < 1e-9 && metrics.cost_known, "{metrics:?}");
}

/// The collections of which documents were searched, by the run's journal.
fn searched(sim: &Sim) -> Vec<Option<String>> {
    let begun = |text: &str| match serde_json::from_str(text) {
        Ok(RunInput::Begun { effects }) => effects,
        Ok(_) | Err(_) => Vec::new(),
    };
    let journal = sim.store.journal(sim.id, 0).into_iter();
    let effects = journal.flat_map(|entry| begun(entry.body.text()));
    let named = effects.filter_map(|effect| match effect.what {
        What::Errand(Errand::SearchKnowledge(query)) => Some(query.collection),
        _ => None,
    });
    named.collect()
}

#[test]
fn a_run_and_its_forks_search_the_collection_that_was_named_and_their_records_say_so() {
    let boats = CollectionName::read(Some("boats")).ok();
    let sources = Sources { web: true, knowledge: true, program: true };
    let asked = with_models(brief(Knobs::default()), &[rules()]);
    assert!(!serde_json::to_string(&asked).unwrap().contains("collection"), "as before");
    let asked = Brief { sources, collection: boats.clone(), ..asked };
    let mut sim = Sim::new(asked, Script::new(|_| 0.0), Web::Scripted);
    sim.plan.kills = [20, 60].into();
    sim.drive();
    stream::check(&sim);
    replay::check(&sim);
    let named = searched(&sim);
    assert!(!named.is_empty() && named.iter().all(|it| it.as_deref() == Some("boats")));
    assert_eq!(sim.run().snapshot(sim.now, false).record.collection, boats);

    sim.fork(Some(2), None, |_| {});
    sim.drive();
    replay::check(&sim);
    let named = searched(&sim);
    assert!(!named.is_empty() && named.iter().all(|it| it.as_deref() == Some("boats")));
    assert_eq!(sim.run().snapshot(sim.now, false).record.collection, boats);

    let whole = driven(sources);
    assert!(searched(&whole).iter().all(Option::is_none));
    assert_eq!(whole.run().snapshot(whole.now, false).record.collection, None);
}

/// What a run of one question sends where, whose model wants these queries.
fn sent(
    texts: &'static [&'static str],
    (knobs, revision): (Knobs, u32),
    web: Web,
) -> Vec<(String, SearchedIn)> {
    let knobs = Knobs { max_rounds: 1, max_depth: 0, ..knobs };
    let sources = Sources { web: true, knowledge: true, program: true };
    let mut script = Script::new(|_| 0.9);
    script.queries = Box::new(move |_| texts.iter().map(|text| (*text).to_owned()).collect());
    let mut sim = Sim::new(Brief { sources, revision, ..brief(knobs) }, script, web);
    sim.drive();
    stream::check(&sim);
    replay::check(&sim);
    assert_eq!(sim.status(), RunStatus::Completed);
    queries(&sim).into_iter().map(|it| (it.query, it.searched_in)).collect()
}

/// Each of these in both places.
fn in_both(texts: &[&str]) -> Vec<(String, SearchedIn)> {
    let both = |text: &&str| {
        [SearchedIn::Web, SearchedIn::Knowledge].map(|place| ((*text).to_owned(), place))
    };
    texts.iter().flat_map(both).collect()
}

#[test]
fn a_query_that_the_web_and_documents_both_get_is_one() {
    const FOUR: &[&str] =
        &["elm bridge survey", "alder tower record", "oak gate", "ash mill wheel"];
    let knobs = Knobs { max_queries_per_node: 4, ..Knobs::default() };
    let all = sent(FOUR, (knobs, Brief::REVISION), Web::Scripted);
    assert_eq!(all, in_both(FOUR), "neither place has fewer for the other");
}

/// The web knows nothing of the second query, and documents nothing of the first.
#[test]
fn broader_forms_for_two_places_are_no_more_queries_than_a_node_may_send() {
    const TWO: &[&str] = &["elm bridge survey", "alder tower record"];
    let of = |revision| {
        let knobs = Knobs { max_queries_per_node: 3, ..Knobs::default() };
        sent(TWO, (knobs, revision), Web::Apart)
    };
    let mut wanted = in_both(TWO);
    wanted.push(("elm bridge".to_owned(), SearchedIn::Knowledge));
    assert_eq!(of(Brief::REVISION), wanted);
    wanted.push(("alder tower".to_owned(), SearchedIn::Web));
    assert_eq!(of(14), wanted, "as the journals of before say");
}

#[test]
fn what_no_provider_answered_takes_no_place_among_the_queries_of_a_node() {
    const TWO: &[&str] = &["elm bridge survey", "oak gate"];
    let knobs = Knobs { max_queries_per_node: 2, parallel_queries: 1, ..Knobs::default() };
    let down = Web::Down(Timestamp(START.0 + 20_000));
    assert_eq!(sent(TWO, (knobs, Brief::REVISION), down), in_both(TWO));
}

/// Whoever asks three things by rule searches for each; the operator pays for their vectors.
fn asked_three(sources: Sources, budget: Budget, revision: u32) -> Sim {
    let asked = with_models(brief(Knobs::default()), &[rules()]);
    let task = "Who built the harbour of Brankmoor, when was the mint of Brankmoor closed, and how tall is the tower of \
                Brankmoor?"
        .to_owned();
    let asked = Brief { task, sources, budget, operator_keys: true, revision, ..asked };
    Sim::new(asked, Script::new(|_| 0.0), Web::Scripted)
}

fn of_three(sources: Sources, budget: Budget) -> Sim {
    let mut sim = asked_three(sources, budget, Brief::REVISION);
    sim.drive();
    stream::check(&sim);
    replay::check(&sim);
    assert_eq!(sim.status(), RunStatus::Completed);
    sim
}

#[test]
fn vectors_of_questions_are_held_to_the_budget_and_what_has_no_room_is_told() {
    let alone = Sources { web: false, knowledge: true, program: true };
    let many = queries(&of_three(alone, Budget::default())).len() as u64;
    assert!(many > 2, "{many}");
    for (budget, some) in [
        (Budget { usd: None, tokens: Some(18) }, true),
        (Budget { usd: Some(2.0 * VECTOR), tokens: None }, true),
        (Budget { usd: None, tokens: Some(2) }, false),
        (Budget { usd: Some(0.1 * VECTOR), tokens: None }, false),
    ] {
        let sim = of_three(alone, budget);
        let metrics = sim.run().metrics(sim.now);
        assert!(metrics.queries < many && (metrics.queries > 0) == some, "{budget:?}: {metrics:?}");
        assert!(budget.tokens.is_none_or(|most| metrics.tokens <= most), "{metrics:?}");
        assert!(budget.usd.is_none_or(|most| metrics.cost <= most), "{metrics:?}");
        let told = stream::all_of(&sim.events(), EventName::StepFailed);
        assert!(!told.is_empty());
        for failed in told {
            let message = failed["message"].as_str().unwrap();
            assert!(message.contains("no room for the vector"), "{failed}");
        }
    }
    // The web costs nothing: it is searched all the same.
    let both = Sources { web: true, knowledge: true, program: true };
    let sim = of_three(both, Budget { usd: Some(VECTOR / 100.0), tokens: None });
    let queries = queries(&sim);
    assert!(!queries.is_empty() && queries.iter().all(|it| it.searched_in == SearchedIn::Web));
}

/// What was paid for what is let go of is unknown, so it counts as spent.
#[test]
fn who_aborts_and_resumes_a_run_has_no_more_vectors_made_than_its_budget_has_room_for() {
    let alone = Sources { web: false, knowledge: true, program: true };
    let budget = Budget { usd: None, tokens: Some(18) };
    let most = |revision| {
        let mut most = 0;
        for point in 1..40 {
            let mut sim = asked_three(alone, budget, revision);
            // Longer than until somebody looks whether it is to end.
            sim.errand_ms = Box::new(|_| 3_000);
            sim.plan.says.insert(point, RunInput::Abort);
            sim.drive();
            if sim.status() == RunStatus::Aborted {
                sim.resume(None, None);
            }
            stream::check(&sim);
            replay::check(&sim);
            assert_eq!(sim.status(), RunStatus::Completed, "aborted at {point}");
            most = most.max(sim.performed.len());
        }
        most
    };
    let whole = of_three(alone, budget).performed.len();
    let (now, before) = (most(Brief::REVISION), most(9));
    assert!(now <= whole, "{now} searches, and {whole} where nobody aborts");
    assert!(before > whole, "{before}, as the journals of before say");
}

#[test]
fn what_a_vector_cost_is_told_when_its_search_ends() {
    let paid = |revision| {
        let sources = Sources { web: false, knowledge: true, program: true };
        let asked = with_models(brief(Knobs::default()), &[rules()]);
        let asked = Brief { sources, operator_keys: true, revision, ..asked };
        let mut sim = Sim::new(asked, Script::new(|_| 0.0), Web::Scripted);
        sim.drive();
        stream::check(&sim);
        replay::check(&sim);
        let searched = queries(&sim).len();
        (
            stream::all_of(&sim.events(), EventName::CostUpdated),
            searched,
            sim.run().metrics(sim.now),
        )
    };
    let (told, searched, metrics) = paid(Brief::REVISION);
    assert!(searched > 0 && told.len() == searched, "{searched}: {told:?}");
    for (n, it) in (1..).zip(&told) {
        assert_eq!(
            (it["role"].as_str(), it["model"].as_str()),
            (Some("read"), Some("openai:embeds"))
        );
        assert_eq!((it["call_tokens"].as_u64(), it["tokens"].as_u64()), (Some(8), Some(8 * n)));
        assert!((it["call_cost"].as_f64().unwrap() - VECTOR).abs() < 1e-12, "{it}");
    }
    let last = told.last().unwrap();
    assert!((last["cost"].as_f64().unwrap() - metrics.cost).abs() < 1e-12, "{last}");
    assert_eq!(paid(8).0.len(), 0, "as the journals of before say");
}

#[test]
fn a_run_of_the_web_tells_what_it_told_before() {
    let sim = driven(Sources { web: true, knowledge: false, program: true });
    let told = sim.events().into_iter().map(|event| event.data);
    assert!(told.into_iter().all(|data| !data.contains("searched_in")));
}

#[test]
fn a_search_of_documents_that_was_lost_with_its_driver_may_have_paid_for_a_vector() {
    let most = |revision| {
        let mut most = 0;
        for point in 1..40 {
            let sources = Sources { web: false, knowledge: true, program: true };
            let asked = with_models(brief(Knobs::default()), &[rules()]);
            let asked = Brief { sources, operator_keys: true, revision, ..asked };
            let mut sim = Sim::new(asked, Script::new(|_| 0.0), Web::Scripted);
            sim.plan.kills.insert(point);
            sim.drive();
            stream::check(&sim);
            replay::check(&sim);
            assert_eq!(sim.status(), RunStatus::Completed);
            most = most.max(sim.run().metrics(sim.now).unsettled_calls);
        }
        most
    };
    assert!(most(Brief::REVISION) > 0);
    assert_eq!(most(1), 0, "as the journals of before say");
}

#[test]
fn a_search_that_a_fork_has_under_way_and_loses_may_have_paid_for_a_vector() {
    let lost = |revision| {
        let mut lost = 0;
        for (at, kill) in (2..9).flat_map(|at| (1..4).map(move |kill| (at, kill))) {
            let sources = Sources { web: false, knowledge: true, program: true };
            let asked = with_models(brief(Knobs::default()), &[rules()]);
            let asked = Brief { sources, operator_keys: true, revision, ..asked };
            let mut sim = Sim::new(asked, Script::new(|_| 0.0), Web::Scripted);
            sim.drive();
            sim.fork(Some(at), None, |_| {});
            sim.plan.kills.insert(sim.points + kill);
            sim.drive();
            stream::check(&sim);
            replay::check(&sim);
            assert_eq!(sim.status(), RunStatus::Completed);
            lost += sim.run().metrics(sim.now).unsettled_calls;
        }
        lost
    };
    let (now, before) = (lost(Brief::REVISION), lost(7));
    assert!(now > before, "{now}, and {before} as the journals of before say");
}

#[test]
fn a_search_of_documents_that_does_not_end_in_time_may_have_paid_for_a_vector() {
    let driven = |revision| {
        let sources = Sources { web: true, knowledge: true, program: true };
        let asked = with_models(brief(Knobs::default()), &[rules()]);
        let asked = Brief { sources, operator_keys: true, revision, ..asked };
        let mut sim = Sim::new(asked, Script::new(|_| 0.0), Web::OwnSilent);
        sim.drive();
        stream::check(&sim);
        replay::check(&sim);
        assert_eq!(sim.status(), RunStatus::Completed);
        let own = queries(&sim).into_iter().filter(|it| it.searched_in == SearchedIn::Knowledge);
        let told = stream::all_of(&sim.events(), EventName::CostUpdated);
        let told = told.last().and_then(|it| it["unsettled_calls"].as_u64());
        (own.count() as u64, sim.run().metrics(sim.now).unsettled_calls, told)
    };
    let (asked, unsettled, told) = driven(Brief::REVISION);
    assert!(asked > 0 && unsettled == asked, "{unsettled} of {asked}");
    assert_eq!(told, Some(asked), "each is told");
    assert_eq!(driven(8).2, None, "as the journals of before say");
    assert_eq!(driven(2).1, 0, "as the journals of before say");
}

#[test]
fn what_a_document_says_since_it_was_replaced_is_new_evidence() {
    const TWO: [&str; 2] = ["elm bridge survey", "alder tower record"];
    let gains = |revision| {
        let knobs = Knobs { max_rounds: 1, max_depth: 0, ..Knobs::default() };
        let sources = Sources { web: false, knowledge: true, program: true };
        let mut script = Script::new(|_| 0.9);
        script.queries = Box::new(|_| TWO.map(str::to_owned).to_vec());
        let asked = Brief { sources, revision, ..brief(knobs) };
        let mut sim = Sim::new(asked, script, Web::OwnReplaced);
        sim.drive();
        stream::check(&sim);
        replay::check(&sim);
        assert_eq!(sim.status(), RunStatus::Completed);
        queries(&sim).into_iter().map(|it| it.new_passages).collect::<Vec<_>>()
    };
    let all = gains(Brief::REVISION);
    assert!(all.len() > 1 && all.iter().all(|new| *new > 0), "{all:?}");
    let before = gains(16);
    assert!(before[0] > 0 && before[1..].iter().all(|new| *new == 0), "{before:?}");
}
