//! Findings as models write them, right and wrong, and what holds for any.

use super::*;
use crate::run::policy::quality::Known as Ranking;
use proptest::prelude::*;
use quarry_evidence::{Anchor, Content, Finding as Found, Passage, Source};
use quarry_types::Timestamp;

const LIGHT: &str =
    "The lighthouse of Sker has 196 steps and a lamp of brass. It was built by Ann Marsh in 1823.";
const BOARD: &str =
    "The tower of Sker is 44 m high – “the highest of the coast”, say the keepers.\nSteps\t196";
const COUNCIL: &str = "The lighthouse of Sker has 196 steps. It is not open to visitors in winter.";

fn source(n: usize, url: &str, texts: &[&str]) -> Source {
    let passages = texts.iter().enumerate().map(|(at, text)| {
        Passage::new(Anchor::new(format!("p-{n}-{at}")), Vec::new(), (*text).to_owned(), "")
    });
    let content = Content::Passages(passages.collect());
    let title = Some("Sker".to_owned());
    Source::new(n, Found { url: url.to_owned(), title, content, ..Found::default() })
}

/// `q1` and `q2` of `c1`, `q3` of `c2`.
fn sources() -> Vec<Source> {
    vec![
        source(1, "https://a.example/", &[LIGHT, BOARD]),
        source(2, "https://council.gov/", &[COUNCIL]),
    ]
}

fn citations(sources: &[Source]) -> Vec<Citation> {
    let wanted: Vec<usize> = sources.iter().map(|source| source.n).collect();
    Ranking::default()
        .rank("steps", (sources, &[]), &wanted, (&[], quality::Originals::Oldest), Timestamp(0))
        .citations
}

fn draft(claim: &str, evidence: &[(&str, &str)]) -> Draft {
    let evidence = evidence.iter().map(|(passage, quote)| DraftSnippet {
        passage: Some((*passage).to_owned()).filter(|passage| !passage.is_empty()),
        quote: (*quote).to_owned(),
    });
    Draft { claim: claim.to_owned(), evidence: evidence.collect(), uncertainties: Vec::new() }
}

fn checked(drafts: &[Draft]) -> Checked {
    let sources = sources();
    check(drafts, &Known::new(&sources), &citations(&sources), 1)
}

fn one(claim: &str, evidence: &[(&str, &str)]) -> Finding {
    let mut checked = checked(&[draft(claim, evidence)]);
    assert_eq!(checked.findings.len(), 1);
    checked.findings.remove(0)
}

#[test]
fn a_finding_stands_on_words_that_are_cut_from_its_passage() {
    let finding = one(
        "The lighthouse of Sker has 196 steps.",
        &[("q1", "\"the Lighthouse of  Sker has 196 steps\"")],
    );
    assert!(finding.verified, "{finding:?}");
    let [snippet] = finding.evidence_snippets.as_slice() else { panic!("{finding:?}") };
    assert_eq!(snippet.quote, "The lighthouse of Sker has 196 steps");
    assert_eq!((snippet.citation_id.as_str(), snippet.passage.as_deref()), ("c1", Some("q1")));
    assert_eq!(
        (finding.finding_id.as_str(), finding.citation_ids.as_slice()),
        ("f1", &["c1".to_owned()][..])
    );
    let dashes = one(
        "The tower of Sker is 44 m high.",
        &[("q2", "44 m high - \"the highest of the coast\"")],
    );
    assert_eq!(dashes.evidence_snippets[0].quote, "44 m high – “the highest of the coast");
    let short = one("The lighthouse of Sker has 196 steps.", &[("q3", "196 steps")]);
    assert_eq!(short.evidence_snippets[0].quote, "The lighthouse of Sker has 196 steps.");
}

#[test]
fn a_snippet_that_stands_elsewhere_moves_there_and_one_that_stands_nowhere_is_lost() {
    let claim = "The lighthouse of Sker was built by Ann Marsh in 1823.";
    for named in ["q2", "q99", "", "nonsense"] {
        let finding = one(claim, &[(named, "It was built by Ann Marsh in 1823.")]);
        assert_eq!(finding.evidence_snippets[0].passage.as_deref(), Some("q1"), "{named}");
        assert!(finding.verified, "{finding:?}");
    }
    let lost =
        checked(&[draft(claim, &[("q1", "It was built by Ann Marsh in 1832."), ("q2", "1823")])]);
    let finding = &lost.findings[0];
    assert_eq!((lost.rejected_snippets, finding.verified), (2, false));
    assert_eq!(finding.uncertainties, ["No quotation of a source stands behind it."]);
    assert_eq!((finding.confidence, finding.citation_ids.len()), (0.0, 0));
}

#[test]
fn what_its_passages_do_not_say_is_unverified_and_says_why() {
    let steps = ("q1", "The lighthouse of Sker has 196 steps");
    let built = ("q1", "It was built by Ann Marsh in 1823");
    for (claim, evidence, words) in [
        (
            "The lighthouse of Sker has 212 steps and a lamp of brass.",
            steps,
            "Its sources do not give this number or year.",
        ),
        (
            "The lighthouse of Sker was built by Ann Marsh on 3 March 1832.",
            built,
            "Its sources do not give this date.",
        ),
        (
            "Whales sing loudly in cold polar waters every night.",
            steps,
            "Its sources do not seem to say it.",
        ),
        (
            "The lighthouse of Sker is open to visitors in winter.",
            ("q3", "It is not open to visitors in winter."),
            "It denies what its sources say, or says what they deny.",
        ),
    ] {
        let finding = one(claim, &[evidence]);
        assert!(!finding.verified, "{claim}");
        assert_eq!(finding.uncertainties, [words], "{claim}");
        assert!(finding.confidence <= 0.3);
    }
}

#[test]
fn a_claim_may_be_put_together_from_two_places() {
    let finding = one(
        "The lighthouse of Sker has 196 steps and is 44 m high.",
        &[
            ("q3", "The lighthouse of Sker has 196 steps."),
            ("q2", "The tower of Sker is 44 m high"),
        ],
    );
    assert!(finding.verified, "{finding:?}");
    assert_eq!(finding.citation_ids, ["c2", "c1"]);
}

#[test]
fn equal_claims_are_one_finding_with_all_their_snippets() {
    let checked = checked(&[
        draft("The lighthouse of Sker has 196 steps [q1].", &[("q1", "has 196 steps and a lamp")]),
        draft(
            "Sker's lighthouse has 196 steps",
            &[("q3", "The lighthouse of Sker has 196 steps.")],
        ),
        draft("The lighthouse of Sker has not 196 steps.", &[]),
        draft(" … ", &[("q1", "has 196 steps and a lamp")]),
    ]);
    let claims: Vec<&str> = checked.findings.iter().map(|it| it.claim.as_str()).collect();
    assert_eq!(
        claims,
        ["The lighthouse of Sker has 196 steps.", "The lighthouse of Sker has not 196 steps."]
    );
    assert_eq!(checked.findings[0].citation_ids, ["c1", "c2"]);
}

#[test]
fn better_sources_more_voices_and_nearer_words_make_it_surer() {
    let claim = "The lighthouse of Sker has 196 steps.";
    let plain = ("q1", "The lighthouse of Sker has 196 steps");
    let official = ("q3", "The lighthouse of Sker has 196 steps.");
    let score = |claim: &str, evidence: &[(&str, &str)]| one(claim, evidence).confidence;
    let (alone, better, both) =
        (score(claim, &[plain]), score(claim, &[official]), score(claim, &[plain, official]));
    assert!(alone < better && better < both, "{alone} {better} {both}");
    assert!(
        score("The lighthouse of Sker has 196 granite steps for tired visitors.", &[plain]) < alone
    );
}

#[test]
fn a_name_that_its_passages_do_not_have_is_an_uncertainty_and_makes_it_less_sure() {
    let steps = ("q1", "The lighthouse of Sker has 196 steps and a lamp of brass.");
    let named =
        one("The lighthouse of Sker has 196 steps and a lamp of brass by Eva Brandt.", &[steps]);
    let plain =
        one("The lighthouse of Sker has 196 steps and a lamp of brass by craftsmen.", &[steps]);
    assert!(named.verified && named.confidence < plain.confidence, "{named:?} {plain:?}");
    let words = "Its sources do not name there what it names.".to_owned();
    assert!(named.uncertainties.contains(&words) && !plain.uncertainties.contains(&words));
}

#[test]
fn sources_that_no_citation_describes_are_no_evidence() {
    let sources = sources();
    let known = Known::new(&sources);
    let council: Vec<Citation> =
        citations(&sources).into_iter().filter(|it| it.citation_id == "c2").collect();
    let drafts =
        [draft("The tower of Sker is 44 m high.", &[("q2", "The tower of Sker is 44 m high")])];
    let checked = check(&drafts, &known, &council, 5);
    assert_eq!((checked.rejected_snippets, checked.findings[0].verified), (1, false));
    assert_eq!(checked.findings[0].finding_id, "f5");
}

#[test]
fn of_too_many_findings_the_verified_are_kept() {
    let mut drafts: Vec<Draft> =
        (0..20).map(|n| draft(&format!("Claim number {n} of whales."), &[])).collect();
    drafts.push(draft(
        "The lighthouse of Sker has 196 steps.",
        &[("q1", "has 196 steps and a lamp")],
    ));
    let checked = checked(&drafts);
    assert_eq!(checked.findings.len(), MOST_FINDINGS);
    assert!(checked.findings[11].verified && checked.findings[11].finding_id == "f12");
}

#[test]
fn markers_are_taken_out_of_claims() {
    for (claim, plain) in [
        ("It burns [q1].", "It burns."),
        ("It burns [q1, q2] and [x] glows [Q3]", "It burns and [x] glows"),
        ("[q1] It burns", "It burns"),
        ("It [burns", "It [burns"),
        ("[] [ ] [q]", "[] [ ] [q]"),
    ] {
        assert_eq!(without_markers(claim), plain);
    }
}

#[test]
fn what_rules_find_stands() {
    let sources = sources();
    let (drafts, _) = by_rule("How many steps has the lighthouse of Sker?", &sources);
    assert!(!drafts.is_empty());
    let checked = check(&drafts, &Known::new(&sources), &citations(&sources), 1);
    assert!(checked.findings.iter().all(|it| it.verified), "{checked:?}");
    assert_eq!(checked.rejected_snippets, 0);
}

fn any_quote() -> impl Strategy<Value = String> {
    prop_oneof![
        Just(LIGHT.to_owned()),
        Just("It was built by … in 1823".to_owned()),
        Just("196 steps".to_owned()),
        (0_usize..60, 1_usize..60).prop_map(|(from, count)| BOARD
            .chars()
            .skip(from)
            .take(count)
            .collect()),
        "\\PC{0,20}",
    ]
}

fn any_draft() -> impl Strategy<Value = Draft> {
    let claim = prop_oneof![
        any_quote(),
        Just("The lighthouse of Sker has 212 steps.".to_owned()),
        "\\PC{0,40}"
    ];
    let snippet = (prop::option::of("(q[0-5]|\\PC{0,3})"), any_quote())
        .prop_map(|(passage, quote)| DraftSnippet { passage, quote });
    (claim, prop::collection::vec(snippet, 0..4), prop::collection::vec("\\PC{0,6}", 0..2))
        .prop_map(|(claim, evidence, uncertainties)| Draft { claim, evidence, uncertainties })
}

proptest! {
    #[test]
    fn no_finding_is_verified_without_words_that_stand_byte_for_byte_in_a_passage(
        drafts in prop::collection::vec(any_draft(), 0..16),
        odd in "\\PC{0,60}",
        is_turned in any::<bool>(),
        dropped in 0_usize..4,
    ) {
        let mut sources = sources();
        sources.push(source(3, "https://odd.example/", &[&odd]));
        if is_turned {
            sources.reverse();
        }
        sources.retain(|source| source.n != dropped);
        let (known, citations) = (Known::new(&sources), citations(&sources));
        let checked = check(&drafts, &known, &citations, 3);
        prop_assert!(checked.findings.len() <= MOST_FINDINGS);
        for (n, finding) in checked.findings.iter().enumerate() {
            prop_assert_eq!(&finding.finding_id, &format!("f{}", n + 3));
            prop_assert!(finding.claim.chars().count() <= CLAIM);
            prop_assert!(!finding.verified || !finding.evidence_snippets.is_empty());
            prop_assert!((0.0..=1.0).contains(&finding.confidence));
            prop_assert!(finding.verified || !finding.uncertainties.is_empty());
            for snippet in &finding.evidence_snippets {
                let id = snippet.passage.as_deref().and_then(PassageId::parse);
                let Some(Target::Passage(at)) = id.and_then(|id| known.by_id(id)) else { panic!("{snippet:?}") };
                prop_assert!(known.text(at).contains(&snippet.quote) && !snippet.quote.is_empty());
                let of = known.source(known.passage(at).unwrap().source).unwrap().n;
                prop_assert_eq!(&snippet.citation_id, &quality::citation_id(of));
                prop_assert!(finding.citation_ids.contains(&snippet.citation_id));
            }
            let cited = |id: &String| citations.iter().any(|it| it.citation_id == *id);
            prop_assert!(finding.citation_ids.iter().all(cited));
        }
        prop_assert_eq!(check(&drafts, &known, &citations, 3), checked);
    }
}
