//! Sources that contradict each other, and such as do not.

use super::*;
use crate::cite::Answer;
use crate::{Content, Finding, Source};

fn source(n: usize, url: &str, date: Option<&str>, text: &str) -> Source {
    let content = Content::Text(text.to_owned());
    let date = date.map(str::to_owned);
    Source::new(n, Finding { url: url.to_owned(), date, content, ..Finding::default() })
}

fn found(sources: &[Source], answer: &str) -> Vec<Conflict> {
    let known = Known::new(sources);
    let mut written = Answer::default();
    written.push(answer, &known);
    conflicts(&written.finish(&known).1, &known)
}

const ANSWER: &str = "The lighthouse of Sker has 196 steps and a lamp of brass [q1].";

fn two(other: &str, date: Option<&str>, url: &str) -> Vec<Conflict> {
    let here = "The lighthouse of Sker has 196 steps and a lamp of brass.";
    found(
        &[source(1, "https://a.example/", Some("2019-01-01"), here), source(2, url, date, other)],
        ANSWER,
    )
}

#[test]
fn another_number_for_the_same_thing_is_a_conflict() {
    let conflicts = two(
        "The lighthouse of Sker has 212 steps and a lamp of brass.",
        None,
        "https://b.example/",
    );
    let [conflict] = conflicts.as_slice() else { panic!("{conflicts:?}") };
    assert_eq!((conflict.difference, conflict.reason), (Difference::Number, None));
    assert!(conflict.one.quote.contains("196") && conflict.other.quote.contains("212"));
}

#[test]
fn a_reason_settles_it() {
    let other = "The lighthouse of Sker has 212 steps and a lamp of brass.";
    let newer = two(other, Some("2023-05-01"), "https://b.example/");
    assert_eq!(
        (newer[0].reason, newer[0].one.url.as_str()),
        (Some(Reason::Newer), "https://b.example/")
    );
    let primary = two(other, Some("2001-05-01"), "https://lights.gov/");
    assert_eq!(
        (primary[0].reason, primary[0].one.url.as_str()),
        (Some(Reason::Primary), "https://lights.gov/")
    );
    // Later as a day, though not as a text; and what cannot be told to be later settles nothing.
    let in_words = two(other, Some("1 May 2023"), "https://b.example/");
    assert_eq!(
        (in_words[0].reason, in_words[0].one.url.as_str()),
        (Some(Reason::Newer), "https://b.example/")
    );
    for date in ["2019", "last week", "05/06/2023"] {
        assert_eq!(two(other, Some(date), "https://b.example/")[0].reason, None, "{date}");
    }
}

#[test]
fn years_and_denials_are_told_apart_from_numbers() {
    let pair = |one: &str, other: &str| {
        let sources = [
            source(1, "https://a.example/", None, one),
            source(2, "https://b.example/", None, other),
        ];
        let answer = format!("{} [q1].", one.trim_end_matches('.'));
        found(&sources, &answer).into_iter().map(|it| it.difference).collect::<Vec<_>>()
    };
    assert_eq!(
        pair("The lighthouse of Sker was lit in 1823.", "The lighthouse of Sker was lit in 1832."),
        [Difference::Date]
    );
    for (other, differs) in [
        ("The lighthouse of Sker was lit in 1931.", true),
        ("The lighthouse of Sker was lit in 1932.", false),
        ("The lighthouse of Sker was lit in 1931 and in 1932.", false),
    ] {
        let expected = if differs { vec![Difference::Date] } else { Vec::new() };
        let day = "The lighthouse of Sker was lit on 12 June 1932.";
        assert_eq!(pair(day, other), expected, "{other}");
        assert_eq!(pair(other, day), expected, "{other}");
    }
    assert_eq!(
        pair(
            "The lighthouse of Sker is open to visitors.",
            "The lighthouse of Sker is not open to visitors."
        ),
        [Difference::Polarity]
    );
    assert_eq!(
        pair(
            "The lighthouse of Sker was lit on 3 March 1823.",
            "The lighthouse of Sker was lit in March 1823."
        ),
        []
    );
}

#[test]
fn a_sentence_that_names_nothing_is_about_what_its_page_is_about() {
    let page = |town: &str, count: usize| {
        format!(
            "The harbour of {town} stands near the old square. Each summer {count} guests a day visit the harbour."
        )
    };
    let pair = |one: &str, other: &str| {
        let sources = [
            source(1, "https://a.example/", None, &page(one, 95)),
            source(2, "https://b.example/", None, &page(other, 64)),
        ];
        found(&sources, "Each summer 95 guests a day visit the harbour [q1].").len()
    };
    assert_eq!((pair("Porto", "Porto"), pair("Porto", "Lund")), (1, 0));
}

#[test]
fn other_things_are_no_conflict() {
    for other in [
        "The lighthouse of Lund has 212 steps and a lamp of brass.",
        "The lighthouse of Sker has 212 windows and a lamp of brass.",
        "The lighthouse of Sker has 196 steps.",
        "The museum of Sker has 212 steps and a lamp of brass.",
        "Bread is baked from 212 grams of rye.",
    ] {
        assert_eq!(two(other, None, "https://b.example/"), [], "{other}");
    }
    let same_voice = two(
        "The lighthouse of Sker has 212 steps and a lamp of brass.",
        None,
        "https://www.a.example/",
    );
    assert_eq!(same_voice, [], "one voice may correct itself");
}
