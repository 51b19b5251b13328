//! Contradictions: findings that say otherwise of one thing.
//!
//! | rule | settled here |
//! |---|---|
//! | compared | sentences of the quotations of new findings with those of all, of different voices, that share two content stems; 400 pairs at most |
//! | a conflict | sentences that rules take for answers to one question with different figures, and that share three content stems; else the same said of the same, with another number, another date, or denied: `quarry_evidence::contradiction`, the rules of an answer |
//! | resolved | one of them alone is tier 1 (`primary`); else both have dates and one is newer (`newer`) |
//! | undecided | a third source that is not older than the newer one names the figures of both and explains neither: being newer is no reason then |
//! | explained | a third sentence of the findings that says what figures mean ("covers", "includes", "measured", …), and has the figures of both, or is of the page of one of them and on its subject: both may be right. Found later, it is told later |
//! | open | none of these: it stays in the report |
//! | told | each pair of quotations once; 24 at most |
//!
//! Border: findings with their citations in; conflicts with the findings that they are between, out.

use crate::extractive::explains;
use quarry_events::run::{Citation, ConflictFound, Finding};
use quarry_evidence::text::{is_stop_word, sentences, stem, tokens};
use quarry_evidence::verify::squeezed;
use quarry_evidence::{Difference, Reason, Side, Statement, Tier, contradiction, settled};
use std::collections::{BTreeMap, BTreeSet};

/// The version of these rules.
pub const VERSION: u32 = 2;

/// Pairs of sentences that are compared.
const MOST_COMPARED: usize = 400;
/// Sentences that are looked at.
const MOST_SENTENCES: usize = 600;
/// Sentences of one quotation.
const OF_ONE_QUOTE: usize = 4;
/// Earlier sentences with one stem that a later one meets: what all speak of tells nothing apart.
const MOST_MET: usize = 40;
/// Stems that two sentences share.
const LEAST_SHARED: usize = 2;
/// Conflicts that are told.
const MOST_TOLD: usize = 24;

/// A sentence that a finding rests on.
struct Said<'f> {
    is_new: bool,
    finding: &'f Finding,
    citation: &'f Citation,
    /// Its quotation is the sentence.
    side: Side,
    /// The whole quotation.
    quote: &'f str,
}

impl Said<'_> {
    fn statement(&self) -> Statement<'_> {
        Statement { side: &self.side, opening: self.quote }
    }
}

/// Conflicts of the findings from this place on, with each other and with those before, in the order of the
/// later of the two. A citation that is not there leaves out what rests on it.
#[must_use]
pub fn find(findings: &[Finding], new_from: usize, citations: &[Citation]) -> Vec<ConflictFound> {
    let said = said(findings, new_from, citations);
    let mut told: BTreeSet<[String; 2]> = BTreeSet::new();
    let mut found = Vec::new();
    for (one, other) in pairs(&said) {
        let conflict = contradiction(one.statement(), other.statement());
        let Some(conflict) = conflict else { continue };
        let mut quotes = [conflict.one.quote.clone(), conflict.other.quote.clone()];
        quotes.sort();
        if !told.insert(quotes) {
            continue;
        }
        let mut finding_ids =
            vec![one.finding.finding_id.clone(), other.finding.finding_id.clone()];
        // The first is the one that says what the conflict's first side says.
        if conflict.one.url != one.citation.url {
            finding_ids.reverse();
        }
        finding_ids.dedup();
        let mut conflict = ConflictFound { conflict, finding_ids, explained_by: None };
        weigh(&mut conflict, &said);
        found.push(conflict);
        if found.len() >= MOST_TOLD {
            break;
        }
    }
    found
}

/// Conflicts between sentences that rules took for different answers to one question, where findings rest on both.
#[must_use]
pub fn between(
    pairs: &[[String; 2]],
    findings: &[Finding],
    citations: &[Citation],
) -> Vec<ConflictFound> {
    let said = said(findings, 0, citations);
    let saying = |text: &str| said.iter().find(|it| squeezed(&it.side.quote) == squeezed(text));
    let found = pairs.iter().filter_map(|[one, other]| {
        let (one, other) = (saying(one)?, saying(other)?);
        let conflict = settled(Difference::Number, one.side.clone(), other.side.clone());
        let mut finding_ids =
            vec![one.finding.finding_id.clone(), other.finding.finding_id.clone()];
        if conflict.one.url != one.side.url {
            finding_ids.reverse();
        }
        let mut found = ConflictFound { conflict, finding_ids, explained_by: None };
        weigh(&mut found, &said);
        Some(found)
    });
    found.collect()
}

/// Weighs a conflict again by all findings; says whether it stands otherwise now.
pub fn weigh_again(
    found: &mut ConflictFound,
    findings: &[Finding],
    citations: &[Citation],
) -> bool {
    let said = said(findings, 0, citations);
    let before = (found.conflict.reason, found.explained_by.is_some());
    weigh(found, &said);
    before != (found.conflict.reason, found.explained_by.is_some())
}

/// What third sentences say of a conflict.
fn weigh(found: &mut ConflictFound, said: &[Said<'_>]) {
    let conflict = &mut found.conflict;
    if conflict.reason == Some(Reason::Newer) && is_undecided(said, &conflict.one, &conflict.other)
    {
        conflict.reason = None;
    }
    if conflict.reason.is_none() && found.explained_by.is_none() {
        found.explained_by = explanation(said, &conflict.one, &conflict.other);
    }
}

/// Whether somebody else who wrote later still names both and explains neither: age alone settles nothing then.
fn is_undecided(said: &[Said<'_>], newer: &Side, older: &Side) -> bool {
    let apart = Apart::of(newer, older);
    said.iter().any(|it| {
        let is_other = it.side.url != newer.url && it.side.url != older.url;
        let is_later = it.side.date >= newer.date;
        is_other && is_later && apart.are_both_in(&it.side.quote) && !explains(&it.side.quote)
    })
}

/// The figures that two sides do not share.
struct Apart([BTreeSet<String>; 2]);

impl Apart {
    fn of(one: &Side, other: &Side) -> Apart {
        let (first, second) = (figures(&one.quote), figures(&other.quote));
        let only = |here: &BTreeSet<String>, there: &BTreeSet<String>| {
            here.difference(there).cloned().collect()
        };
        Apart([only(&first, &second), only(&second, &first)])
    }

    fn are_both_in(&self, sentence: &str) -> bool {
        let figures = figures(sentence);
        self.0.iter().all(|own| !own.is_disjoint(&figures))
    }
}

/// A third sentence that says what each of two means.
fn explanation(said: &[Said<'_>], one: &Side, other: &Side) -> Option<Side> {
    let apart = Apart::of(one, other);
    let about: BTreeSet<String> = stems(&one.quote).union(&stems(&other.quote)).cloned().collect();
    let third =
        || said.iter().filter(|it| it.side.quote != one.quote && it.side.quote != other.quote);
    let is_about =
        |it: &&Said<'_>| stems(&it.side.quote).intersection(&about).count() >= LEAST_SHARED;
    let explaining = || third().filter(|it| explains(&it.side.quote)).filter(is_about);
    let found = explaining().find(|it| apart.are_both_in(&it.side.quote));
    let is_beside = |it: &&Said<'_>| [&one.url, &other.url].contains(&&it.side.url);
    found.or_else(|| explaining().find(is_beside)).map(|it| it.side.clone())
}

/// The numbers of a sentence, as they are written but for commas.
fn figures(sentence: &str) -> BTreeSet<String> {
    let numbers = tokens(sentence).into_iter().filter(|it| !it.is_word());
    let plain = |word: String| word.replace(',', "");
    numbers
        .map(|it| plain(it.word))
        .filter(|it| it.contains(|c: char| c.is_ascii_digit()))
        .collect()
}

/// The sentences that findings rest on, each once for a source; of too many the last.
fn said<'f>(findings: &'f [Finding], new_from: usize, citations: &'f [Citation]) -> Vec<Said<'f>> {
    let citations: BTreeMap<&str, &Citation> =
        citations.iter().map(|it| (it.citation_id.as_str(), it)).collect();
    let mut seen = BTreeSet::new();
    let snippets = findings.iter().enumerate().flat_map(|(at, finding)| {
        finding.evidence_snippets.iter().map(move |snippet| ((at, finding), snippet))
    });
    let all = snippets.filter_map(|(finding, snippet)| {
        Some((finding, *citations.get(snippet.citation_id.as_str())?, snippet.quote.as_str()))
    });
    let all = all.flat_map(|(finding, citation, quote)| {
        let ranges = sentences(quote).into_iter().take(OF_ONE_QUOTE);
        ranges.map(move |range| (finding, citation, quote, quote.get(range).unwrap_or_default()))
    });
    let new = all.filter(|(_, citation, _, sentence)| {
        seen.insert((citation.citation_id.as_str(), *sentence))
    });
    let said = new.map(|((at, finding), citation, quote, sentence)| Said {
        is_new: at >= new_from,
        side: side(citation, sentence),
        finding,
        citation,
        quote,
    });
    let mut said: Vec<Said<'f>> = said.collect();
    said.drain(..said.len().saturating_sub(MOST_SENTENCES));
    said
}

fn side(citation: &Citation, sentence: &str) -> Side {
    Side {
        url: citation.url.clone(),
        title: citation.title.clone(),
        date: citation.published.clone(),
        quote: sentence.to_owned(),
        tier: Tier::numbered(citation.quality_tier),
    }
}

/// Pairs of different voices that share enough stems, the later sentence's by how much they share.
fn pairs<'s, 'f>(said: &'s [Said<'f>]) -> Vec<(&'s Said<'f>, &'s Said<'f>)> {
    let mut having: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    let mut pairs = Vec::new();
    for (at, here) in said.iter().enumerate() {
        let mut shared: BTreeMap<usize, usize> = BTreeMap::new();
        for stem in stems(&here.side.quote) {
            let others = having.entry(stem).or_default();
            for other in others.iter() {
                *shared.entry(*other).or_default() += 1;
            }
            if others.len() < MOST_MET {
                others.push(at);
            }
        }
        let mut near: Vec<(usize, usize)> =
            shared.into_iter().filter(|(_, count)| *count >= LEAST_SHARED).collect();
        near.sort_by_key(|(other, count)| (std::cmp::Reverse(*count), *other));
        for (other, _) in near {
            let Some(there) = said.get(other) else { continue };
            if here.is_new && there.citation.voice != here.citation.voice {
                pairs.push((there, here));
            }
            if pairs.len() >= MOST_COMPARED {
                return pairs;
            }
        }
    }
    pairs
}

/// The stems of what a sentence is about; its numbers are what may differ.
fn stems(sentence: &str) -> BTreeSet<String> {
    let words = tokens(sentence).into_iter().filter(|it| it.is_word() && !is_stop_word(&it.word));
    words.map(|token| stem(&token.word).into_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use quarry_events::At;
    use quarry_events::run::EvidenceSnippet;
    use quarry_types::Timestamp;

    fn citation(n: usize, tier: u8, published: Option<&str>) -> Citation {
        Citation {
            citation_id: format!("c{n}"),
            url: format!("https://{n}.example/"),
            title: "Sker".to_owned(),
            source_type: "page".to_owned(),
            retrieved_at: At(Timestamp(0)),
            published: published.map(str::to_owned),
            quality_tier: tier,
            tier_reason: String::new(),
            relevance_score: 0.5,
            voice: format!("{n}.example"),
            duplicate_of: None,
        }
    }

    fn finding(n: usize, of: usize, quote: &str) -> Finding {
        let citation_id = format!("c{of}");
        Finding {
            finding_id: format!("f{n}"),
            claim: "What the quotation says, in other words.".to_owned(),
            citation_ids: vec![citation_id.clone()],
            evidence_snippets: vec![EvidenceSnippet {
                citation_id,
                quote: quote.to_owned(),
                passage: None,
            }],
            confidence: 0.5,
            uncertainties: Vec::new(),
            verified: true,
        }
    }

    const HERE: &str = "The lighthouse of Sker has 196 steps and a lamp of brass.";

    fn against(other: &str, citations: &[Citation; 2]) -> Vec<ConflictFound> {
        find(&[finding(1, 1, HERE), finding(2, 2, other)], 0, citations)
    }

    #[test]
    fn other_numbers_years_and_denials_are_conflicts() {
        let both = [citation(1, 3, None), citation(2, 3, None)];
        for (one, other, difference) in [
            (HERE, "The lighthouse of Sker has 212 steps and a lamp of brass.", Difference::Number),
            (
                "The lighthouse of Sker was lit in 1823.",
                "Ships pass. The lighthouse of Sker was lit in 1832.",
                Difference::Date,
            ),
            (
                "The lighthouse of Sker is open to visitors.",
                "The lighthouse of Sker is not open to visitors.",
                Difference::Polarity,
            ),
        ] {
            let found = find(&[finding(1, 1, one), finding(2, 2, other)], 0, &both);
            let [found] = found.as_slice() else { panic!("{other}: {found:?}") };
            assert_eq!((found.conflict.difference, found.conflict.reason), (difference, None));
            assert_eq!(found.finding_ids, ["f1", "f2"]);
            assert!(other.contains(&found.conflict.other.quote));
        }
    }

    #[test]
    fn a_conflict_is_resolved_by_the_primary_source_then_by_the_newer() {
        let other = "The lighthouse of Sker has 212 steps and a lamp of brass.";
        let table = [
            (
                [citation(1, 2, Some("2024")), citation(2, 1, Some("2001"))],
                Some(Reason::Primary),
                ["f2", "f1"],
            ),
            (
                [citation(1, 3, Some("2019-01-01")), citation(2, 2, Some("2023-05-01"))],
                Some(Reason::Newer),
                ["f2", "f1"],
            ),
            (
                [citation(1, 1, Some("2024")), citation(2, 1, Some("2001"))],
                Some(Reason::Newer),
                ["f1", "f2"],
            ),
            ([citation(1, 2, None), citation(2, 3, Some("2001"))], None, ["f1", "f2"]),
        ];
        for (citations, reason, ids) in table {
            let found = against(other, &citations);
            assert_eq!(
                (found[0].conflict.reason, found[0].finding_ids.as_slice()),
                (reason, &ids.map(str::to_owned)[..])
            );
        }
    }

    #[test]
    fn who_says_what_figures_mean_explains_and_who_names_both_keeps_it_open() {
        let dated = |n: usize, date: &str| citation(n, 3, Some(date));
        let other = "The lighthouse of Sker has 212 steps and a lamp of brass.";
        let (old, new) = (dated(1, "2019-01-01"), dated(2, "2023-05-01"));
        let third = |n: usize, of: &Citation, quote: &str| {
            let place = of.citation_id.trim_start_matches('c').parse().unwrap();
            let findings = [finding(1, 1, HERE), finding(2, 2, other), finding(n, place, quote)];
            let citations = [old.clone(), new.clone(), of.clone()];
            let found = find(&findings, 0, &citations);
            let settled = found.iter().find(|it| it.finding_ids == ["f2", "f1"]).unwrap();
            (settled.conflict.reason, settled.explained_by.as_ref().map(|it| it.quote.clone()))
        };
        let newer = (Some(Reason::Newer), None);
        let both = "Some count 196 steps at Sker, and some 212.";
        assert_eq!(third(3, &dated(3, "2024-01-01"), both), (None, None), "nobody knows");
        assert_eq!(third(3, &dated(3, "2020-01-01"), both), newer, "it was written before");
        assert_eq!(third(3, &dated(3, "2024-01-01"), "Sker has 196 steps."), newer);
        // Of one day: nothing but what they mean tells them apart.
        let means = "The 212 steps include those of the lamp; without it there are 196 in Sker.";
        let one_day = [dated(1, "2023"), dated(2, "2023"), dated(3, "2024")];
        let findings = [finding(1, 1, HERE), finding(2, 2, other)];
        let mut found = find(&findings, 0, &one_day);
        assert!(found[0].is_open());
        let later = [findings.as_slice(), &[finding(3, 3, means)]].concat();
        assert!(weigh_again(&mut found[0], &later, &one_day), "it is found later");
        assert!(!found[0].is_open() && found[0].conflict.reason.is_none());
        assert_eq!(found[0].explained_by.as_ref().unwrap().url, one_day[2].url);
        assert!(!weigh_again(&mut found[0], &later, &one_day));
    }

    #[test]
    fn answers_with_different_figures_are_conflicts_where_findings_rest_on_both() {
        let pair = ["It cost 186 million.", "Whoever drives there should say 212 million."];
        let pairs = [pair.map(str::to_owned)];
        let both = [citation(1, 3, Some("2024")), citation(2, 3, Some("2013"))];
        let findings = [finding(1, 2, pair[1]), finding(2, 1, pair[0])];
        assert_eq!(find(&findings, 0, &both), [], "by their words they are of different things");
        let [found] = &between(&pairs, &findings, &both)[..] else { panic!() };
        assert_eq!(found.finding_ids, ["f2", "f1"]);
        assert_eq!(found.conflict.reason, Some(Reason::Newer));
        assert_eq!(between(&pairs, &findings[..1], &both), []);
    }

    #[test]
    fn one_voice_other_things_and_agreement_are_no_conflict() {
        let both = [citation(1, 3, None), citation(2, 3, None)];
        for other in [
            HERE,
            "The lighthouse of Lund has 212 steps and a lamp of brass.",
            "The lighthouse of Sker has 212 windows and a lamp of brass.",
            "Bread is baked from 212 grams of rye.",
        ] {
            assert_eq!(against(other, &both), [], "{other}");
        }
        let same = [both[0].clone(), Citation { voice: both[0].voice.clone(), ..both[1].clone() }];
        assert_eq!(against("The lighthouse of Sker has 212 steps and a lamp of brass.", &same), []);
        assert_eq!(
            against(
                "The lighthouse of Sker has 212 steps and a lamp of brass.",
                &[both[0].clone(), citation(9, 1, None)]
            ),
            []
        );
    }

    #[test]
    fn only_what_is_new_is_compared_and_with_all_that_was_before() {
        let steps = |n: usize| finding(n, n, &HERE.replace("196", &(190 + n).to_string()));
        let citations = [1, 2, 3].map(|n| citation(n, 3, None));
        let findings = [steps(1), steps(2), steps(3)];
        let ids = |new_from: usize| -> Vec<String> {
            find(&findings, new_from, &citations)
                .iter()
                .map(|it| it.finding_ids.join(" "))
                .collect()
        };
        assert_eq!(ids(0), ["f1 f2", "f1 f3", "f2 f3"]);
        assert_eq!(ids(2), ["f1 f3", "f2 f3"]);
        assert_eq!(ids(3), Vec::<String>::new());
    }

    proptest! {
        #[test]
        fn any_findings_give_bounded_conflicts_between_them(
            quotes in prop::collection::vec(
                prop_oneof![
                    (1_usize..400).prop_map(|n| format!("The lighthouse of Sker has {n} steps and a lamp of brass.")),
                    "\\PC{0,40}",
                ],
                0..40,
            ),
            voices in 1_usize..6,
        ) {
            let findings: Vec<Finding> =
                (1..).zip(&quotes).map(|(n, quote)| finding(n, n % (voices + 1), quote)).collect();
            let citations: Vec<Citation> = (1..=voices).map(|n| citation(n, 3, None)).collect();
            let found = find(&findings, 0, &citations);
            prop_assert!(found.len() <= MOST_TOLD);
            for conflict in &found {
                prop_assert!(conflict.finding_ids.len() == 2);
                prop_assert!(conflict.conflict.one.url != conflict.conflict.other.url);
                let ids = conflict.finding_ids.iter();
                prop_assert!(ids.clone().all(|id| findings.iter().any(|it| it.finding_id == *id)));
            }
            prop_assert_eq!(find(&findings, 0, &citations), found);
        }
    }
}
