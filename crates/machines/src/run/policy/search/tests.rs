//! The rules of the search policy, by table and for any text.

use super::*;
use proptest::prelude::*;
use quarry_events::run::{By, QueryRule};
use quarry_types::{Knobs, Timestamp};

/// 2026-11-20.
const NOW: Timestamp = Timestamp(1_795_210_500_000);

fn later(seconds: u64) -> Timestamp {
    Timestamp(NOW.0 + seconds * 1_000)
}

fn asked(query: &str) -> Asked {
    Asked {
        query: query.to_owned(),
        at: NOW,
        failed: false,
        sources: vec![1, 4],
        new_passages: 3,
        time_sensitive: false,
        results: 6,
    }
}

fn knowing(asked: Asked) -> Memory {
    let mut memory = Memory::default();
    memory.remember(asked, Older::StandsIfFuller);
    memory
}

fn chosen(proposed: &[&str], question: &str) -> (Vec<String>, By) {
    let proposed: Vec<String> = proposed.iter().map(|query| (*query).to_owned()).collect();
    choose(&proposed, (question, None), &Knobs::default(), NOW)
}

#[test]
fn queries_of_one_intent_are_one() {
    for (one, other, same) in [
        ("How tall is the tower?", "tall towers", true),
        ("latest price of copper", "copper prices latest", true),
        ("what happened this year in Ulm", "Ulm year", false),
        ("copper price", "copper price 2026", false),
        ("copper price today", "copper price", false),
        ("???", "!!!", false),
    ] {
        assert_eq!(Intent::of(one) == Intent::of(other), same, "{one} | {other}");
    }
}

#[test]
fn a_query_is_run_again_by_its_rule() {
    let knobs = Knobs::default();
    let failed = Asked { failed: true, ..asked("height of the tower") };
    let changing = Asked { time_sensitive: true, ..asked("mayor of Ulm") };
    let cached =
        |query: &str, age| Decision::Cached { same_as: query.to_owned(), age, sources: vec![1, 4] };
    for (known, query, at, recheck, expected) in [
        (asked("dam"), "height of the tower", NOW, false, Decision::Run(QueryRule::New)),
        (asked("dam"), "the dams?", later(3_600), false, cached("dam", 3_600)),
        (asked("dam"), "dam", later(10), true, Decision::Run(QueryRule::Recheck)),
        (failed, "tower height", later(1), false, Decision::Run(QueryRule::FailedBefore)),
        (asked("dam"), "dam", later(86_399), false, cached("dam", 86_399)),
        (asked("dam"), "dam", later(86_400), false, Decision::Run(QueryRule::Stale)),
        (asked("dam today"), "dam today", later(899), false, cached("dam today", 899)),
        (
            asked("dam today"),
            "dam today",
            later(900),
            false,
            Decision::Run(QueryRule::TimeSensitive),
        ),
        (changing, "mayor of Ulm", later(900), false, Decision::Run(QueryRule::TimeSensitive)),
        // A clock that went back makes nothing stale.
        (asked("dam"), "dam", Timestamp(0), false, cached("dam", 0)),
    ] {
        let decision = knowing(known.clone()).decide(query, at, &knobs, recheck);
        assert_eq!(decision, expected, "{known:?} {query}");
    }
    let more = Knobs { search_results_per_query: 7, ..knobs.clone() };
    for (known, expected) in [
        (asked("dam"), Decision::Run(QueryRule::MoreResults)),
        (Asked { results: 7, ..asked("dam") }, cached("dam", 5)),
        (Asked { results: 0, ..asked("dam") }, cached("dam", 5)),
    ] {
        assert_eq!(knowing(known).decide("dam", later(5), &more, false), expected);
    }
    let none = Knobs { cache_ttl: 0, ..knobs };
    let decision = knowing(asked("dam")).decide("dam", NOW, &none, false);
    assert_eq!(decision, Decision::Run(QueryRule::Stale));
}

#[test]
fn the_last_answer_counts_and_a_checkpoint_keeps_it() {
    let mut memory = knowing(Asked { failed: true, ..asked("the dam") });
    let after = [
        Asked { at: later(5), ..asked("dams") },
        Asked { at: later(2), failed: true, results: 9, ..asked("dam") },
    ];
    after.into_iter().for_each(|asked| memory.remember(asked, Older::StandsIfFuller));
    let kept = serde_json::to_string(&memory).unwrap();
    let memory: Memory = serde_json::from_str(&kept).unwrap();
    assert_eq!(memory.asked().map(|asked| asked.query.as_str()).collect::<Vec<_>>(), ["dams"]);
    let decision = memory.decide("dam", later(6), &Knobs::default(), false);
    assert!(matches!(decision, Decision::Cached { age: 1, .. }));
}

/// Another run of the caller's may have asked for more before this one asked for less.
#[test]
fn an_older_answer_of_more_results_is_kept_and_they_are_not_searched_for_again() {
    let more = Knobs { search_results_per_query: 10, ..Knobs::default() };
    let decided = |older, results| {
        let mut memory = knowing(Asked { at: later(60), ..asked("dam") });
        memory.remember(Asked { results, sources: vec![7], ..asked("dams") }, older);
        memory.decide("dam", later(61), &more, false)
    };
    let again = Decision::Run(QueryRule::MoreResults);
    let (same_as, sources) = ("dams".to_owned(), vec![7]);
    let cached = Decision::Cached { same_as, age: 61, sources };
    assert_eq!(decided(Older::StandsIfFuller, 10), cached);
    assert_eq!(decided(Older::StandsIfFuller, 6), again, "it is no fuller than the newer one");
    assert_eq!(decided(Older::Yields, 10), again, "as the journals of before say");
}

#[test]
fn a_broader_query_that_is_new_is_run_because_it_is_broader() {
    let rule = |rule| Decision::Run(rule).of_broader();
    assert_eq!(rule(QueryRule::New), Decision::Run(QueryRule::Broadened));
    assert_eq!(rule(QueryRule::Stale), Decision::Run(QueryRule::Stale));
}

#[test]
fn proposed_queries_are_taken_when_they_can_be_used() {
    let (queries, by) = chosen(
        &["- copper  price\n2026", "", "Copper prices in 2026", "`ore`", "a b", "zinc", "tin"],
        "What does copper cost?",
    );
    assert_eq!(queries, ["copper price 2026", "ore", "a b", "zinc"]);
    assert_eq!(by, By::Model);
    let (queries, _) = chosen(&["word ".repeat(200).as_str()], "x");
    assert_eq!(queries[0].chars().count(), 399);
    let (queries, _) = chosen(&["é".repeat(900).as_str()], "x");
    assert_eq!(queries[0].chars().count(), 400);
}

#[test]
fn a_question_is_searched_for_by_its_own_words_otherwise() {
    for (proposed, question, expected) in [
        (
            &["?!", " "][..],
            "How long is the dam and who designed it?",
            &["long dam", "dam designed"][..],
        ),
        (&[], "latest copper price", &["latest copper price", "latest copper price 2026"]),
        (&[], "who is it", &["who is it"]),
        (&[], "?!", &[]),
    ] {
        assert_eq!(
            chosen(proposed, question),
            (expected.iter().map(|query| (*query).to_owned()).collect(), By::Rule),
            "{question}"
        );
    }
}

#[test]
fn replies_are_read_as_models_write_them() {
    let read = |queries: &[&str], time_sensitive| Proposal {
        queries: queries.iter().map(|query| (*query).to_owned()).collect(),
        time_sensitive,
        recheck: None,
    };
    let again = Proposal { recheck: Some(true), ..read(&["a"], None) };
    for (text, expected) in [
        (r#"{"queries": ["a"], "recheck": true}"#, again),
        (r#"{"queries": ["a", "b"], "time_sensitive": true}"#, read(&["a", "b"], Some(true))),
        ("```json\n{'queries': ['a',], time_sensitive: 'no'}\n```", read(&["a"], Some(false))),
        (r#"Queries: ["a", "b""#, read(&["a", "b"], None)),
        (r#"{"query": "a"}"#, read(&["a"], None)),
        (r#"{"time_sensitive": true}"#, read(&[], Some(true))),
        ("I cannot search.", Proposal::default()),
    ] {
        assert_eq!(read_reply(text), expected, "{text}");
    }
}

#[test]
fn later_attempts_ask_for_more() {
    let per_query =
        |search_results_per_query| Knobs { search_results_per_query, ..Knobs::default() };
    for (knobs, expected) in [(6, [6, 6, 12, 18, 18]), (20, [20, 20, 40, 50, 50])] {
        let attempts = [0, 1, 2, 3, 9].map(|attempt| wanted(&per_query(knobs), attempt));
        assert_eq!(attempts, expected);
    }
}

#[test]
fn later_attempts_drop_the_narrowest_terms() {
    for (query, expected) in [
        (
            "Orrin Head lighthouse automation steps 1894",
            [Some("Orrin Head lighthouse steps 1894"), Some("Orrin Head steps 1894")],
        ),
        ("\"spiral staircase\" lighthouse steps", [Some("lighthouse steps"), None]),
        (
            "\"Orrin Head\" lighthouse steps",
            [Some("Orrin Head lighthouse steps"), Some("Orrin Head steps")],
        ),
        ("site:gov.uk dam failures Wales", [Some("dam failures Wales"), Some("dam Wales")]),
        ("dam Ulm 1912", [Some("Ulm 1912"), None]),
        ("Ulm Dam 1912", [Some("Ulm Dam"), None]),
        ("the dam at Ulm", [None, None]),
        ("“exact words”", [Some("exact words"), None]),
        ("", [None, None]),
    ] {
        assert_eq!(broader(query, 1), None);
        let second = broader(query, 2);
        assert_eq!(second.as_deref(), expected[0], "{query}");
        let third = broader(query, 3).filter(|third| Some(third) != second.as_ref());
        assert_eq!(third.as_deref(), expected[1], "{query}");
    }
}

#[test]
fn a_search_ends_when_it_brings_nothing_new() {
    let knobs = Knobs::default();
    let mut gain = Gain::default();
    let mut over = Vec::new();
    for new in [0, 2, 0, 0] {
        assert!(!gain.is_over(&knobs));
        gain.note(new);
        over.push(gain.barren());
    }
    assert_eq!(over, [1, 0, 1, 2]);
    assert!(gain.is_over(&knobs));
    let none = Knobs { max_no_gain_retries: 0, ..knobs };
    assert!(!Gain::default().is_over(&none));
}

proptest! {
    #[test]
    fn never_more_queries_than_allowed_nor_two_of_one_intent(
        proposed in prop::collection::vec("(\\PC|dam |of |2026|\n){0,30}", 0..8),
        question in "(\\PC|what |and who |latest |dam ){0,30}",
        most in 0u32..6,
    ) {
        let knobs = Knobs { max_queries_per_node: most, ..Knobs::default() };
        let (queries, by) = choose(&proposed, (&question, None), &knobs, NOW);
        prop_assert!(queries.len() <= most.max(1) as usize);
        prop_assert!(queries.iter().all(|query| query.chars().count() <= 400));
        let intents: std::collections::BTreeSet<_> = queries.iter().map(|query| Intent::of(query)).collect();
        prop_assert_eq!(intents.len(), queries.len());
        prop_assert!(!queries.is_empty() || !question.contains(char::is_alphanumeric));
        prop_assert_eq!(choose(&proposed, (&question, None), &knobs, NOW), (queries, by));
    }

    #[test]
    fn nothing_failed_or_stale_is_ever_used(
        known in "(dam|today|tower){1,2}", query in "(dam|today|tower){1,2}",
        failed: bool, time_sensitive: bool, recheck: bool,
        age in 0u64..200_000, cache_ttl in 0u64..100_000,
    ) {
        let knobs = Knobs { cache_ttl, ..Knobs::default() };
        let memory = knowing(Asked { failed, time_sensitive, ..asked(&known) });
        let decision = memory.decide(&query, later(age), &knobs, recheck);
        if let Decision::Cached { age: told, .. } = &decision {
            prop_assert_eq!(*told, age);
            prop_assert!(!failed && !recheck && age < cache_ttl);
            prop_assert!(Intent::of(&known) == Intent::of(&query));
            prop_assert!(!time_sensitive || age < 900);
        } else if Intent::of(&known) == Intent::of(&query) {
            prop_assert!(decision != Decision::Run(QueryRule::New));
        }
    }

    #[test]
    fn a_broader_query_is_made_of_words_of_the_query(
        query in "(\\PC| |\"|dam |Ulm |-x |19[0-9]{2} ){0,30}", attempt in 0u32..6,
    ) {
        if let Some(broad) = broader(&query, attempt) {
            prop_assert!(attempt > 1 && broad.chars().count() <= query.chars().count() + 2);
            let letters = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).count();
            prop_assert!(letters(&broad) <= letters(&query));
        }
    }

    #[test]
    fn any_reply_is_read(text in "(\\PC|[{}\\[\\]\":,]|\"queries\": ?){0,60}") {
        prop_assert!(read_reply(&text).queries.iter().all(|query| !query.trim().is_empty()));
    }
}
