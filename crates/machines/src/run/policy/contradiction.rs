//! Contradictions: findings that say otherwise of one thing.
//!
//! | rule | settled here |
//! |---|---|
//! | compared | sentences of the quotations of new findings with those of all, of different voices, that share two content stems; 400 pairs at most |
//! | a conflict | the same said of the same, with another number, another date, or denied: `quarry_evidence::contradiction`, the rules of an answer |
//! | resolved | one of them alone is tier 1 (`primary`); else both have dates and one is newer (`newer`) |
//! | open | neither: it stays in the report |
//! | told | each pair of quotations once; 24 at most |
//!
//! Border: findings with their citations in; conflicts with the findings that they are between, out.

use quarry_events::run::{Citation, ConflictFound, Finding};
use quarry_evidence::text::{is_stop_word, sentences, stem, tokens};
use quarry_evidence::{Parsed, Side, Statement, Tier, contradiction};
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// The version of these rules.
pub const VERSION: u32 = 1;

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

/// The sentences that findings rest on, each once for a source; of too many the last. They are taken apart once,
/// so that what is new costs the same however much there is. Made anew from the findings where it is lost.
#[derive(Debug, Default)]
pub struct Heard {
    /// Findings that were taken in.
    findings: usize,
    /// Citations and sentences that were met.
    seen: BTreeSet<(String, String)>,
    said: VecDeque<Said>,
    /// Each stem's number.
    stems: BTreeMap<String, u32>,
}

/// A sentence that a finding rests on.
#[derive(Debug)]
struct Said {
    /// By their places.
    finding: usize,
    citation: usize,
    sentence: String,
    /// The whole quotation.
    quote: String,
    stems: Vec<u32>,
    parsed: OnceCell<Parsed>,
}

impl Heard {
    /// Conflicts of the findings from this place on, with each other and with those before, in the order of the
    /// later of the two. A citation that is not there leaves out what rests on it. Findings and citations are
    /// those of the last call, and what was added since.
    #[must_use]
    pub fn find(
        &mut self,
        findings: &[Finding],
        new_from: usize,
        citations: &[Citation],
    ) -> Vec<ConflictFound> {
        self.take_in(findings, citations);
        let mut told: BTreeSet<[String; 2]> = BTreeSet::new();
        let mut found = Vec::new();
        for (one, other) in self.pairs(new_from, citations) {
            let Some(told_of) = between(one, other, findings, citations) else { continue };
            let mut quotes = [&told_of.conflict.one, &told_of.conflict.other];
            quotes.sort_by(|one, other| one.quote.cmp(&other.quote));
            if !told.insert(quotes.map(|side| side.quote.clone())) {
                continue;
            }
            found.push(told_of);
            if found.len() >= MOST_TOLD {
                break;
            }
        }
        found
    }

    fn take_in(&mut self, findings: &[Finding], citations: &[Citation]) {
        for (at, finding) in findings.iter().enumerate().skip(self.findings) {
            for snippet in &finding.evidence_snippets {
                let id = &snippet.citation_id;
                // The last are the likeliest.
                let citation = citations.iter().rposition(|it| it.citation_id == *id);
                let Some(citation) = citation else { continue };
                for range in sentences(&snippet.quote).into_iter().take(OF_ONE_QUOTE) {
                    let sentence = snippet.quote.get(range).unwrap_or_default().to_owned();
                    if self.seen.insert((id.clone(), sentence.clone())) {
                        self.hear(at, citation, sentence, snippet.quote.clone());
                    }
                }
            }
        }
        self.findings = findings.len();
    }

    fn hear(&mut self, finding: usize, citation: usize, sentence: String, quote: String) {
        let mut numbers = Vec::new();
        for stem in stems(&sentence) {
            let next = u32::try_from(self.stems.len()).unwrap_or(u32::MAX);
            numbers.push(*self.stems.entry(stem).or_insert(next));
        }
        let parsed = OnceCell::new();
        self.said.push_back(Said { finding, citation, sentence, quote, stems: numbers, parsed });
        if self.said.len() > MOST_SENTENCES {
            self.said.pop_front();
        }
    }

    /// Pairs of different voices that share enough stems, the later sentence's by how much they share.
    fn pairs(&self, new_from: usize, citations: &[Citation]) -> Vec<(&Said, &Said)> {
        let voice = |said: &Said| citations.get(said.citation).map(|it| it.voice.as_str());
        let mut having: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        let mut pairs = Vec::new();
        for (at, here) in self.said.iter().enumerate() {
            let is_new = here.finding >= new_from;
            let mut shared: BTreeMap<usize, usize> = BTreeMap::new();
            for stem in &here.stems {
                let others = having.entry(*stem).or_default();
                for other in others.iter().filter(|_| is_new) {
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
                let Some(there) = self.said.get(other) else { continue };
                if voice(there) != voice(here) {
                    pairs.push((there, here));
                }
                if pairs.len() >= MOST_COMPARED {
                    return pairs;
                }
            }
        }
        pairs
    }
}

/// The conflict between two sentences, if there is one.
fn between(
    one: &Said,
    other: &Said,
    findings: &[Finding],
    citations: &[Citation],
) -> Option<ConflictFound> {
    let (first, second) = (citations.get(one.citation)?, citations.get(other.citation)?);
    let parsed = |said: &Said, title: &str| Parsed::new(&said.sentence, title);
    let first_side = side(first, &one.sentence);
    let second_side = side(second, &other.sentence);
    let conflict = contradiction(
        Statement {
            side: &first_side,
            opening: &one.quote,
            parsed: one.parsed.get_or_init(|| parsed(one, &first.title)),
        },
        Statement {
            side: &second_side,
            opening: &other.quote,
            parsed: other.parsed.get_or_init(|| parsed(other, &second.title)),
        },
    )?;
    let id = |said: &Said| findings.get(said.finding).map(|it| it.finding_id.clone());
    let mut finding_ids = vec![id(one)?, id(other)?];
    // The first is the one that says what the conflict's first side says.
    if conflict.one.url != first.url {
        finding_ids.reverse();
    }
    finding_ids.dedup();
    Some(ConflictFound { conflict, finding_ids })
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
    use quarry_evidence::{Difference, Reason};
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

    fn find(findings: &[Finding], new_from: usize, citations: &[Citation]) -> Vec<ConflictFound> {
        Heard::default().find(findings, new_from, citations)
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
        fn what_was_heard_before_gives_what_is_made_anew(
            quotes in prop::collection::vec((1_usize..40, 1_usize..5), 1..60),
            at_once in 1_usize..5,
        ) {
            let steps = |n: usize| format!("The lighthouse of Sker has {n} steps and a lamp of brass.");
            let findings: Vec<Finding> =
                (1..).zip(&quotes).map(|(n, (said, of))| finding(n, *of, &steps(*said))).collect();
            let citations: Vec<Citation> = (1..5).map(|n| citation(n, 3, None)).collect();
            let mut heard = Heard::default();
            for from in (0..findings.len()).step_by(at_once) {
                let so_far = &findings[..findings.len().min(from + at_once)];
                let found = heard.find(so_far, from, &citations);
                prop_assert_eq!(found, find(so_far, from, &citations));
            }
        }

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
