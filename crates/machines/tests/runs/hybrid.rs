//! Runs that look into documents of one's own, alone or beside the web.

use crate::drive::{Sim, brief, with_models};
use crate::models::{Script, rules};
use crate::stream;
use crate::world::Web;
use quarry_events::run::{AnyPayload, Citation, QueryExecuted, RunStatus, SearchedIn};
use quarry_machines::run::Brief;
use quarry_tools::Sources;
use quarry_types::Knobs;

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
    let sim = driven(Sources { web: true, knowledge: true });
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
}

#[test]
fn documents_alone_are_enough_for_a_run() {
    let sim = driven(Sources { web: false, knowledge: true });
    let queries = queries(&sim);
    assert!(!queries.is_empty());
    assert!(queries.iter().all(|it| it.searched_in == SearchedIn::Knowledge));
    assert!(citations(&sim).iter().all(|it| it.url.starts_with("/knowledge/documents/")));
    // Rules cost nothing, and the vectors of the questions do.
    let metrics = sim.run().metrics(sim.now);
    let vectors = 0.5 * queries.len() as f64;
    assert!((metrics.cost - vectors).abs() < 1e-9 && metrics.cost_known, "{metrics:?}");
}

#[test]
fn a_run_of_the_web_tells_what_it_told_before() {
    let sim = driven(Sources { web: true, knowledge: false });
    let told = sim.events().into_iter().map(|event| event.data);
    assert!(told.into_iter().all(|data| !data.contains("searched_in")));
}
