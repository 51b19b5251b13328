//! The rules of source quality, one by one, and what holds for any sources.

use super::*;
use proptest::prelude::*;
use quarry_evidence::{Content, Evidence, Finding, Signal};

const NOW: Timestamp = Timestamp(1_792_532_100_000);

fn source(n: usize, url: &str, text: &str) -> Source {
    let content = Content::Text(text.to_owned());
    Source::new(n, Finding { url: url.to_owned(), content, ..Finding::default() })
}

fn dated(date: &str, source: Source) -> Source {
    Source { date: Some(date.to_owned()), ..source }
}

fn ranked(question: &str, sources: &[Source]) -> Ranked {
    let wanted: Vec<usize> = sources.iter().map(|source| source.n).collect();
    rank(question, sources, &wanted, &[], NOW)
}

fn rank(
    question: &str,
    sources: &[Source],
    wanted: &[usize],
    known: &[Citation],
    now: Timestamp,
) -> Ranked {
    Known::default().rank(question, (sources, &[]), wanted, (known, Originals::Oldest), now)
}

fn ids(citations: &[Citation]) -> Vec<&str> {
    citations.iter().map(|it| it.citation_id.as_str()).collect()
}

const LONG: &str = "The lighthouse of Sker stands on a rock in the north of the bay. It was built in 1823 by Ann \
    Marsh and has 196 steps, a lamp of brass and a horn that nobody hears.";

#[test]
fn a_source_is_described_with_its_tier_and_why() {
    let table = [
        ("https://www.nih.gov/x", 1, "public authority", "government"),
        ("https://doi.org/10.1234/x", 1, "journal or research repository", "journal"),
        ("https://www.reuters.com/x", 2, "news agency", "news_agency"),
        ("https://www.sker-light.org/history", 1, "the subject's own site", "page"),
        ("https://press.example/doi/10.1234/x.pdf", 2, "its address has a DOI", "document"),
        ("https://someone.medium.com/x", 3, "anyone may publish there", "open_platform"),
        ("http://127.0.0.1:8090/light", 3, "nothing is known of its host", "page"),
    ];
    for (url, tier, reason, kind) in table {
        let sources = [dated("2024-01-02", source(7, url, LONG))];
        let ranked = ranked("How many steps has the Sker Light?", &sources);
        let [citation] = ranked.citations.as_slice() else { panic!("{ranked:?}") };
        assert_eq!(
            (citation.quality_tier, citation.tier_reason.as_str(), citation.source_type.as_str()),
            (tier, reason, kind),
            "{url}"
        );
        assert_eq!((citation.citation_id.as_str(), citation.retrieved_at), ("c7", At(NOW)));
        assert_eq!(citation.published.as_deref(), Some("2024-01-02"));
        assert!(citation.relevance_score > 0.0 && citation.relevance_score <= 1.0);
    }
}

#[test]
fn what_a_page_says_of_itself_speaks_where_its_host_is_unknown_also_when_it_is_read_later() {
    let signals = vec![Signal::NewsArticle, Signal::Byline];
    let table = [
        ("https://post.example/tides", 2, "a news article with its author's name"),
        ("https://someone.medium.com/tides", 3, "anyone may publish there"),
        ("https://www.sker-light.org/news", 1, "the subject's own site"),
    ];
    let question = "How many steps has the Sker Light?";
    for (url, tier, reason) in table {
        let unread = source(1, url, LONG);
        let read = Source { signals: signals.clone(), ..unread.clone() };
        let said = |citation: &Citation| (citation.quality_tier, citation.tier_reason.clone());
        let at_once = ranked(question, std::slice::from_ref(&read)).citations;
        assert_eq!(said(&at_once[0]), (tier, reason.to_owned()), "{url}");
        let before = ranked(question, &[unread]).citations;
        let later = rank(question, &[read], &[1], &before, NOW).citations;
        assert_eq!(said(&later[0]), (tier, reason.to_owned()), "{url}, read later");
    }
}

#[test]
fn only_a_name_in_the_question_makes_a_site_the_subjects_own() {
    for (question, url, is_own) in [
        ("When did Acme open?", "https://acme.com/", true),
        ("How did Deep Harbor Labs begin?", "https://deepharborlabs.co.uk/about", true),
        ("What does NATO-like ACME do?", "https://www.acme.example/", true),
        ("When does an apple ripen?", "https://apple.example/", false),
        ("Weather in Lund tomorrow?", "https://weather.com/", false),
        ("When did Acme open?", "https://acme-reviews.com/", false),
        ("When did Acme open?", "https://acme.medium.com/", false),
        ("What happened in 1984?", "https://1984.example/", false),
    ] {
        assert_eq!(is_own_site(url, question), is_own, "{question} {url}");
    }
}

#[test]
fn equal_addresses_are_one_source() {
    let other =
        "Bread is baked from rye on the island, and has been for many years by many people of it.";
    let sources = [
        source(1, "https://a.example/x?utm_source=q#steps", LONG),
        source(2, "http://www.A.example:80/x/", other),
        source(3, "https://a.example/y", "Something about the steps."),
    ];
    let ranked = ranked("How many steps?", &sources);
    assert_eq!(ids(&ranked.citations), ["c3", "c1"]);
    assert_eq!(ranked.others[0].duplicate_of.as_deref(), Some("c1"));
    assert_eq!(ranked.dropped[0].reason, "It is the same page as c1.");
}

#[test]
fn of_copies_the_oldest_is_kept_and_they_are_one_voice() {
    let copy = format!("{LONG} Read more.");
    let sources = [
        dated("2024-05-01", source(1, "https://a.example/", &copy)),
        dated("2021-02-03", source(2, "https://b.example/", LONG)),
        source(3, "https://c.example/", LONG),
    ];
    let ranked = ranked("How many steps has the lighthouse?", &sources);
    assert_eq!(ids(&ranked.citations), ["c2"]);
    for copy in &ranked.others {
        assert_eq!((copy.duplicate_of.as_deref(), copy.voice.as_str()), (Some("c2"), "b.example"));
    }
    assert_eq!(ids(&ranked.others), ["c1", "c3"]);
    let reasons: Vec<&str> = ranked.dropped.iter().map(|it| it.reason.as_str()).collect();
    let not_known = "It says the same as c2, which was found first.";
    assert_eq!(reasons, ["It says the same as c2, which is older.", not_known]);
    // What was described before stays what it was.
    let known = rank("steps", &sources[..1], &[1], &[], NOW).citations;
    let again = rank("steps", &sources, &[1], &known, Timestamp(NOW.0 + 1));
    assert_eq!(again.citations[0].retrieved_at, At(NOW));
}

#[test]
fn the_original_of_what_was_described_before_is_read_and_is_the_same_voice() {
    let page = |n: usize, host: &str| source(n, &format!("https://{host}/"), LONG);
    let (young, old) =
        (dated("2024-05-01", page(1, "a.example")), dated("2021-02-03", page(2, "b.example")));
    let official = dated("2025-01-01", page(2, "lights.gov"));
    let undated = page(2, "b.example");
    let younger = dated("2024-06", page(2, "b.example"));
    let of_day = dated("2024-05-01", page(2, "b.example"));
    let first = "It says the same as c1, which was found first.";
    for (known, new, originals, reason) in [
        (&young, &old, Originals::Oldest, None),
        (&young, &official, Originals::Oldest, None),
        (&official, &young, Originals::Oldest, Some("It says the same as c1, a primary source.")),
        (&young, &younger, Originals::Oldest, Some("It says the same as c1, which is older.")),
        (&young, &of_day, Originals::Oldest, Some(first)),
        (&young, &undated, Originals::Oldest, Some(first)),
        (&undated, &young, Originals::Oldest, Some(first)),
        // As the journals of before say.
        (&young, &old, Originals::Described, Some("It says the same as c1, which is older.")),
    ] {
        let sources = [(1, known), (2, new)].map(|(n, it)| Source { n, ..(*it).clone() });
        let mut desk = Known::default();
        let known = desk.rank("steps", (&sources[..1], &[]), &[1], (&[], originals), NOW).citations;
        let later = desk.rank("steps", (&sources, &[]), &[2], (&known, originals), NOW);
        let told = later.dropped.first().map(|it| it.reason.as_str());
        assert_eq!(told, reason, "{known:?} {later:?}");
        let shown = later.citations.iter().chain(&later.others).next().unwrap();
        assert_eq!(shown.voice, known[0].voice, "they are one voice");
        assert_eq!(shown.duplicate_of.is_some(), reason.is_some());
        // A copy of both is the copy of one of them.
        let mut three = sources.to_vec();
        three.push(source(3, "https://d.example/", LONG));
        let all: Vec<Citation> =
            known.iter().chain(&later.citations).chain(&later.others).cloned().collect();
        let third = desk.rank("steps", (&three, &[]), &[3], (&all, originals), NOW);
        assert_eq!(third.others[0].voice, known[0].voice);
    }
}

#[test]
fn what_a_source_came_to_say_since_is_what_new_ones_are_compared_with() {
    let find = |evidence: &mut Evidence, url: &str, text: &str| {
        let content = Content::new(text, Vec::new());
        evidence.find(Finding { url: url.to_owned(), content, ..Finding::default() })
    };
    let (mut evidence, mut desk, mut known) = (Evidence::default(), Known::default(), Vec::new());
    let mut rank = |evidence: &Evidence, known: &mut Vec<Citation>, n: usize| {
        let found = (evidence.sources(), evidence.changed());
        let ranked = desk.rank("steps", found, &[n], (known, Originals::Oldest), NOW);
        known.extend(ranked.citations.iter().chain(&ranked.others).cloned());
        known.last().and_then(|it| it.duplicate_of.clone())
    };
    // What is read later is no longer than what a search said of it.
    let said = format!("{:<1$}", "The lighthouse, a page to come", LONG.len());
    let url = "https://a.example/".to_owned();
    let first = evidence.find(Finding { url, description: said, ..Finding::default() });
    let other = find(&mut evidence, "https://b.example/", "Steps of quite another tower.");
    assert_eq!(rank(&evidence, &mut known, first), None);
    assert_eq!(rank(&evidence, &mut known, other), None);
    assert_eq!(find(&mut evidence, "https://a.example/", LONG), first, "it is read again");
    let copy = find(&mut evidence, "https://c.example/", LONG);
    assert_eq!(rank(&evidence, &mut known, copy), Some("c1".to_owned()));
}

#[test]
fn which_copy_is_the_oldest_is_told_by_days_however_they_are_written() {
    let copy = |n: usize| source(n, &format!("https://{n}.example/"), LONG);
    let sources = [
        dated("10 May 2021", copy(1)),
        dated("2021-02-03T08:00:00Z", copy(2)),
        dated("a while ago", copy(3)),
    ];
    let ranked = ranked("How many steps has the lighthouse?", &sources);
    assert_eq!(ids(&ranked.citations), ["c2"]);
    assert_eq!(ids(&ranked.others), ["c1", "c3"]);
}

#[test]
fn who_repeats_another_and_says_much_more_is_read_and_is_the_same_voice() {
    let more = "The keeper wrote a diary of forty years about the ships that passed, the birds that rested on \
        the rails, and the letters that the boat brought every other month from the town beyond the bay.";
    let sources = [
        source(1, "https://a.example/", LONG),
        source(2, "https://b.example/", &format!("{LONG} {more}")),
    ];
    let ranked = ranked("Who built the lighthouse?", &sources);
    let voices: Vec<&str> = ranked.citations.iter().map(|it| it.voice.as_str()).collect();
    assert_eq!(voices, ["a.example", "a.example"]);
}

#[test]
fn two_of_a_domain_are_read_and_more_only_where_nothing_else_is_there() {
    let page = |n: usize, host: &str| {
        source(n, &format!("https://{host}/{n}"), &format!("Steps, page {n}."))
    };
    let mut sources: Vec<Source> = (1..=4).map(|n| page(n, "a.example")).collect();
    assert_eq!(ranked("steps", &sources).citations.len(), 4);
    sources.push(page(5, "b.example"));
    let ranked = ranked("steps", &sources);
    assert_eq!(ids(&ranked.citations), ["c1", "c2", "c5"]);
    assert_eq!(ids(&ranked.others), ["c3", "c4"]);
    assert_eq!(ranked.dropped[0].reason, "Two better ones of a.example are read.");
}

#[test]
fn what_fits_and_is_official_comes_first_and_what_says_nothing_is_left_out() {
    let text = "The lighthouse has 196 steps.";
    let sources = [
        source(1, "https://a.example/", text),
        source(2, "https://www.reuters.com/", text),
        source(3, "https://lights.gov/", text),
        source(4, "https://bread.gov/", "Bread is baked from rye."),
        source(5, "https://empty.gov/", " "),
    ];
    let ranked = ranked("How many steps has the lighthouse?", &sources);
    assert_eq!(ids(&ranked.citations), ["c3", "c2", "c1", "c4"]);
    assert_eq!(ranked.dropped[0].citation_id, "c5");
}

#[test]
fn a_critical_claim_needs_one_official_or_two_reputable_voices() {
    for (given, is_backed) in [
        (&[][..], false),
        (&[(1, "a")][..], true),
        (&[(2, "a")][..], false),
        (&[(2, "a"), (2, "a")][..], false),
        (&[(2, "a"), (2, "b")][..], true),
        (&[(2, "a"), (3, "b"), (3, "c")][..], false),
    ] {
        assert_eq!(is_critical_claim_backed(given), is_backed, "{given:?}");
    }
}

fn any_source() -> impl Strategy<Value = (String, String, Option<String>)> {
    let url = prop_oneof![
        Just("https://a.example/x".to_owned()),
        "https://[abc]\\.example/[xy]?",
        "https://[ab]\\.gov/[xy]",
        "\\PC{0,12}",
    ];
    let text = prop_oneof![Just(LONG.to_owned()), "([a-d]{1,3} ){0,30}", "\\PC{0,40}"];
    (url, text, prop::option::of("20[0-2][0-9]-0[1-9]"))
}

proptest! {
    #[test]
    fn any_sources_give_a_ranking_without_dangling_names(
        given in prop::collection::vec(any_source(), 0..14),
        question in "(\\PC{0,20}|[a-d ]{0,12}lighthouse)",
        described in 0_usize..8,
        rotation in 0_usize..14,
    ) {
        let sources: Vec<Source> = (1..)
            .zip(&given)
            .map(|(n, (url, text, date))| Source { date: date.clone(), ..source(n, url, text) })
            .collect();
        let first: Vec<usize> = (1..=described).collect();
        let before = rank(&question, &sources, &first, &[], NOW);
        let known: Vec<Citation> = before.citations.iter().chain(&before.others).cloned().collect();
        let all: Vec<usize> = (0..sources.len() + 2).collect();
        let ranked = rank(&question, &sources, &all, &known, NOW);
        let numbers: BTreeSet<String> = sources.iter().map(|source| citation_id(source.n)).collect();
        let named: Vec<&Citation> = ranked.citations.iter().chain(&ranked.others).collect();
        let described: BTreeSet<&str> =
            named.iter().copied().chain(&known).map(|it| it.citation_id.as_str()).collect();
        prop_assert!(named.iter().all(|it| numbers.contains(&it.citation_id)));
        prop_assert!(named.iter().filter_map(|it| it.duplicate_of.as_deref()).all(|of| described.contains(of)));
        prop_assert!(ranked.citations.iter().all(|it| it.duplicate_of.is_none()));
        // Each source is read or left out with a reason, once.
        let told = ranked.citations.iter().map(|it| &it.citation_id);
        let mut told: Vec<&String> = told.chain(ranked.dropped.iter().map(|it| &it.citation_id)).collect();
        told.sort();
        prop_assert_eq!(told, {
            let mut all: Vec<&String> = numbers.iter().collect();
            all.sort();
            all
        });
        let mut domains: BTreeMap<String, usize> = BTreeMap::new();
        for citation in &ranked.citations {
            *domains.entry(voice(&citation.url)).or_default() += 1;
        }
        prop_assert!(domains.len() < 2 || domains.values().all(|count| *count <= OF_ONE_DOMAIN), "{:?}", domains);
        // The order in which the numbers are given says nothing.
        let mut turned = all.clone();
        turned.rotate_left(rotation.min(all.len()));
        prop_assert_eq!(rank(&question, &sources, &turned, &known, NOW), ranked);
    }
}
