//! Confidence of a run: how far its report can be relied on, with every part of the number named.
//!
//! | part | worth |
//! |---|---|
//! | verified | 0.55 × the share of findings that are verified |
//! | answered | 0.15 × the share of questions that are resolved |
//! | tiers | 0.12 × the mean over verified findings of 1 for tier 1, 0.6 for tier 2, 0.2 for tier 3 (the best of each) |
//! | independence | 0.10 × (voices of a verified finding, on average, − 1), one at most |
//! | agreement | 0.08, less 0.02 for each conflict that nothing resolves, −0.08 at least |
//! | recency | −0.05 where the newest source of a verified finding is older than 5 years, −0.15 where the task asks for what is new and it is older than 1; else 0 |
//!
//! | penalty | worth |
//! |---|---|
//! | a provider was away | −0.03 for each, three at most |
//! | rules stood in for a model | −0.03 for each step, three at most |
//! | the run was cut short | −0.10 |
//! | rules did it all | never more than 0.75, as for an answer |
//!
//! No verified finding: 0.10 at most, whatever else there is; no question resolved: 0.45. The result is kept between 0.02 and 0.98; high from
//! 0.80 on, medium from 0.50 on, as for an answer. No model is asked. The weights are chosen, not fitted: there is
//! no set of runs with known truth to fit them to.
//!
//! Border: counts in; a number with its parts out.

use quarry_events::run::{Citation, ConflictFound, Finding};
use quarry_evidence::{Confidence, Level, years};
use quarry_types::Timestamp;
use quarry_types::order::Gather;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The version of these rules.
pub const VERSION: u32 = 2;

const VERIFIED: f64 = 0.55;
const ANSWERED: f64 = 0.15;
const TIERS: f64 = 0.12;
/// What the best tier of a finding counts: tier 1, 2, 3.
const OF_TIER: [f64; 3] = [1.0, 0.6, 0.2];
const INDEPENDENCE: f64 = 0.10;
const AGREEMENT: f64 = 0.08;
const CONFLICT: f64 = 0.02;
const MOST_CONFLICTS: usize = 8;
const OLD: f64 = -0.05;
const OLD_YEARS: f64 = 5.0;
const STALE: f64 = -0.15;
const STALE_YEARS: f64 = 1.0;
const FAILURE: f64 = -0.03;
const MOST_FAILURES: u32 = 3;
const CUT_SHORT: f64 = -0.10;
/// Of a run without a language model, however well its quotations stand.
const BY_RULES: f64 = 0.75;
/// Of a run that resolved no question.
const UNANSWERED: f64 = 0.45;
/// Of a run that has verified nothing.
const NOTHING: f64 = 0.10;
/// Nothing is certain, either way.
const LIMITS: (f64, f64) = (0.02, 0.98);

/// What confidence is computed from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Signals {
    /// Findings in all.
    pub findings: usize,
    /// Those that are verified.
    pub verified: usize,
    /// Verified findings whose best source is of tier 1, 2 and 3.
    pub tiers: [usize; 3],
    /// Independent voices of a verified finding, on average.
    pub voices: f64,
    /// Conflicts that nothing resolves.
    pub open_conflicts: usize,
    /// How old the newest source of a verified finding is, in years, as far as any says.
    pub age: Option<f64>,
    /// Whether the task asks for what is new.
    pub is_time_sensitive: bool,
    /// Questions of the tree.
    pub questions: usize,
    /// Those that are resolved.
    pub resolved: usize,
    /// Providers, of models or of searches, that were away.
    pub outages: u32,
    /// Steps that rules did because a model could not.
    pub fallbacks: u32,
    /// Whether time or budget ended the research.
    pub is_partial: bool,
    /// Whether no language model took part at all.
    pub is_by_rules: bool,
    /// Whether it is said whose source the newest is: what a report cites beside may be newer. Runs of before did not.
    pub names_findings: bool,
}

impl Signals {
    /// What findings, citations and conflicts say; the rest is as by default, for the run to fill in.
    #[must_use]
    pub fn of(
        findings: &[&Finding],
        citations: &[Citation],
        conflicts: &[ConflictFound],
        now: Timestamp,
    ) -> Signals {
        let citations: BTreeMap<&str, &Citation> =
            citations.iter().map(|it| (it.citation_id.as_str(), it)).gather();
        let mut signals = Signals { findings: findings.len(), ..Signals::default() };
        let mut heard = 0;
        let mut newest: Option<f64> = None;
        for finding in findings.iter().filter(|finding| finding.verified) {
            let cited = finding.citation_ids.iter();
            let cited: Vec<&Citation> =
                cited.filter_map(|id| citations.get(id.as_str()).copied()).collect();
            signals.verified += 1;
            let best = cited.iter().map(|it| it.quality_tier).min().unwrap_or(3);
            let place = usize::from(best.clamp(1, 3)) - 1;
            signals.tiers.iter_mut().skip(place).take(1).for_each(|count| *count += 1);
            heard += cited.iter().map(|it| it.voice.as_str()).gather::<BTreeSet<_>>().len();
            let dates = cited.iter().filter_map(|it| years(it.published.as_deref()?));
            newest = dates.chain(newest).reduce(f64::max);
        }
        signals.voices = ratio(heard, signals.verified);
        signals.open_conflicts = conflicts.iter().filter(|it| it.is_open()).count();
        signals.age = newest.map(|newest| (now.year() - newest).max(0.0));
        signals
    }
}

/// A part of the number.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Part {
    /// What it is for.
    pub name: String,
    /// What it adds, or takes.
    pub value: f64,
    /// Why, in a sentence.
    pub words: String,
}

/// How far a report can be relied on, and why.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Assessment {
    /// The number, and in a word.
    pub confidence: Confidence,
    /// Its parts, penalties and limits included: their sum is the number.
    pub parts: Vec<Part>,
    /// What went wrong and lowered it, a sentence each.
    pub penalties: Vec<String>,
}

/// Computes the confidence of a run.
#[must_use]
pub fn assess(signals: &Signals) -> Assessment {
    let mut parts = evidence(signals);
    let penalties = penalties(signals);
    let sentences = penalties.iter().map(|part| part.words.clone()).collect();
    parts.extend(penalties);
    let sum: f64 = parts.iter().map(|part| part.value).sum();
    let (most, words) = match signals {
        _ if signals.verified == 0 => (NOTHING, "No finding is verified."),
        _ if signals.resolved == 0 => (UNANSWERED, "No question is answered as the rules ask for."),
        _ if signals.is_by_rules => {
            (BY_RULES, "Rules chose the sentences; whether they answer is not theirs to say.")
        }
        _ => (LIMITS.1, "Nothing is certain."),
    };
    let score = rounded(sum.clamp(LIMITS.0, most));
    let limit = rounded(score - sum);
    if limit != 0.0 {
        let words = if limit > 0.0 { "Nothing is ruled out." } else { words };
        parts.push(part("limit", limit, words.to_owned()));
    }
    let confidence = Confidence { level: Level::of(score), score };
    Assessment { confidence, parts, penalties: sentences }
}

/// What the evidence is worth.
fn evidence(signals: &Signals) -> Vec<Part> {
    let Signals { findings, verified, questions, resolved, .. } = *signals;
    let verified = verified.min(findings);
    let resolved = resolved.min(questions);
    let of_tiers = signals.tiers.iter().zip(OF_TIER);
    #[allow(clippy::cast_precision_loss, reason = "a run has few findings")]
    let of_tiers: f64 = of_tiers.map(|(count, worth)| *count as f64 * worth).sum();
    let tiered: usize = signals.tiers.iter().sum();
    #[allow(clippy::cast_precision_loss, reason = "a run has few findings")]
    let tiers = of_tiers / tiered.max(1) as f64;
    let voices = if signals.voices.is_finite() { signals.voices } else { 0.0 };
    let independence = (voices - 1.0).clamp(0.0, 1.0);
    let [first, second, third] = signals.tiers;
    let open = signals.open_conflicts;
    #[allow(clippy::cast_precision_loss, reason = "eight at most")]
    let conflicts = open.min(MOST_CONFLICTS) as f64;
    // Nobody agrees where nobody says anything.
    let agreement = if verified > 0 { AGREEMENT } else { 0.0 };
    vec![
        part(
            "verified",
            VERIFIED * ratio(verified, findings),
            format!("{verified} of {findings} findings stand in their sources."),
        ),
        part(
            "answered",
            ANSWERED * ratio(resolved, questions),
            format!("{resolved} of {questions} questions are answered."),
        ),
        part(
            "tiers",
            TIERS * tiers,
            format!(
                "Verified findings rest on official or primary sources ({first}), reputable secondary \
                 ones ({second}), others ({third})."
            ),
        ),
        part(
            "independence",
            INDEPENDENCE * independence,
            format!("A verified finding has {voices:.1} independent voices on average."),
        ),
        part(
            "agreement",
            agreement - CONFLICT * conflicts,
            match open {
                0 => "No contradiction is open.".to_owned(),
                1 => "One contradiction is open.".to_owned(),
                _ => format!("{open} contradictions are open."),
            },
        ),
        recency(signals),
    ]
}

fn recency(signals: &Signals) -> Part {
    let source = if signals.names_findings { "source of a verified finding" } else { "source" };
    let (value, words) = match signals.age {
        Some(age) if signals.is_time_sensitive && age > STALE_YEARS => (
            STALE,
            format!("The task asks for what is new; the newest {source} is {age:.1} years old."),
        ),
        Some(age) => {
            let value = if age > OLD_YEARS { OLD } else { 0.0 };
            (value, format!("The newest {source} is {age:.1} years old."))
        }
        None if signals.is_time_sensitive && signals.verified > 0 => {
            (OLD, format!("The task asks for what is new, and no {source} says how old it is."))
        }
        None => (0.0, format!("No {source} says how old it is.")),
    };
    part("recency", value, words)
}

/// What went wrong.
fn penalties(signals: &Signals) -> Vec<Part> {
    let each = |count: u32| FAILURE * f64::from(count.min(MOST_FAILURES));
    let counted = |count: u32, one: &str, more: &str| {
        if count == 1 { format!("One {one}.") } else { format!("{count} {more}.") }
    };
    let mut parts = Vec::new();
    if signals.outages > 0 {
        let words = counted(signals.outages, "provider was away", "providers were away");
        parts.push(part("outages", each(signals.outages), words));
    }
    if signals.fallbacks > 0 && !signals.is_by_rules {
        let (one, more) = (
            "step was done by rules in a model's place",
            "steps were done by rules in a model's place",
        );
        parts.push(part(
            "fallbacks",
            each(signals.fallbacks),
            counted(signals.fallbacks, one, more),
        ));
    }
    if signals.is_partial {
        let words = "Time or budget ended the research before it was done.";
        parts.push(part("partial", CUT_SHORT, words.to_owned()));
    }
    parts
}

fn part(name: &str, value: f64, words: String) -> Part {
    Part { name: name.to_owned(), value: rounded(value), words }
}

fn ratio(count: usize, all: usize) -> f64 {
    #[allow(clippy::cast_precision_loss, reason = "a run has few findings")]
    let ratio = count as f64 / all.max(1) as f64;
    ratio
}

/// What is told needs no more than three digits.
fn rounded(value: f64) -> f64 {
    (value * 1_000.0).round() / 1_000.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A run of which nearly all is as good as it can be.
    const GOOD: Signals = Signals {
        findings: 10,
        verified: 10,
        tiers: [8, 2, 0],
        voices: 2.0,
        open_conflicts: 0,
        age: Some(0.5),
        is_time_sensitive: false,
        questions: 4,
        resolved: 4,
        outages: 0,
        fallbacks: 0,
        is_partial: false,
        is_by_rules: false,
        names_findings: true,
    };

    fn score(signals: Signals) -> f64 {
        assess(&signals).confidence.score
    }

    #[test]
    fn each_part_and_each_penalty_is_worth_what_the_table_says() {
        let change = |signals: Signals| rounded(score(signals) - score(GOOD));
        // Below the limit, so that the parts show.
        assert_eq!(score(Signals { verified: 8, tiers: [6, 2, 0], ..GOOD }), 0.878);
        for (signals, expected) in [
            (Signals { verified: 5, tiers: [4, 1, 0], ..GOOD }, -0.265),
            (Signals { resolved: 2, ..GOOD }, -0.065),
            (Signals { tiers: [0, 0, 10], ..GOOD }, -0.076),
            (Signals { voices: 1.0, ..GOOD }, -0.09),
            (Signals { open_conflicts: 3, ..GOOD }, -0.05),
            (Signals { age: Some(9.0), ..GOOD }, -0.04),
            (Signals { is_time_sensitive: true, age: Some(2.0), ..GOOD }, -0.14),
            (Signals { outages: 2, ..GOOD }, -0.05),
            (Signals { outages: 200, ..GOOD }, -0.08),
            (Signals { fallbacks: 1, ..GOOD }, -0.02),
            (Signals { is_partial: true, ..GOOD }, -0.09),
            (Signals { is_by_rules: true, fallbacks: 9, ..GOOD }, -0.23),
        ] {
            assert_eq!(change(signals), expected, "{signals:?}");
        }
    }

    #[test]
    fn penalties_are_named_and_nothing_verified_is_low() {
        let poor = Signals { outages: 1, fallbacks: 2, is_partial: true, ..GOOD };
        assert_eq!(
            assess(&poor).penalties,
            [
                "One provider was away.",
                "2 steps were done by rules in a model's place.",
                "Time or budget ended the research before it was done.",
            ]
        );
        assert_eq!(assess(&GOOD).confidence.level, Level::High);
        let nothing = assess(&Signals { verified: 0, tiers: [0; 3], ..GOOD });
        assert_eq!((nothing.confidence.score, nothing.confidence.level), (NOTHING, Level::Low));
        assert_eq!(score(Signals::default()), LIMITS.0);
    }

    /// What a report cites beside its findings may be newer, and have a date where these have none.
    #[test]
    fn the_newest_source_is_told_as_that_of_a_finding() {
        let recency = |age, names_findings| {
            let parts = assess(&Signals { age, names_findings, ..GOOD }).parts;
            parts.into_iter().find(|part| part.name == "recency").unwrap().words
        };
        assert_eq!(recency(None, true), "No source of a verified finding says how old it is.");
        assert_eq!(
            recency(Some(9.0), true),
            "The newest source of a verified finding is 9.0 years old."
        );
        assert_eq!(recency(None, false), "No source says how old it is.");
    }

    #[test]
    fn signals_are_read_from_findings_and_their_citations() {
        let finding = |ids: &[&str], verified| Finding {
            finding_id: "f".to_owned(),
            claim: String::new(),
            evidence_snippets: Vec::new(),
            citation_ids: ids.iter().map(|id| (*id).to_owned()).collect(),
            confidence: 0.0,
            uncertainties: Vec::new(),
            verified,
        };
        let citation = |id: &str, tier, voice: &str, date: &str| Citation {
            citation_id: id.to_owned(),
            url: String::new(),
            title: String::new(),
            source_type: String::new(),
            retrieved_at: quarry_events::At(Timestamp(0)),
            published: Some(date.to_owned()),
            quality_tier: tier,
            tier_reason: String::new(),
            relevance_score: 0.0,
            voice: voice.to_owned(),
            duplicate_of: None,
        };
        let citations = [
            citation("c1", 3, "a", "2019-06-01"),
            citation("c2", 1, "b", "2024-06-01"),
            citation("c3", 2, "a", "2026-06-01"),
        ];
        let findings =
            [finding(&["c1", "c2"], true), finding(&["c1", "c9"], true), finding(&["c3"], false)];
        let findings: Vec<&Finding> = findings.iter().collect();
        let signals = Signals::of(&findings, &citations, &[], Timestamp(1_792_532_100_000));
        assert_eq!((signals.findings, signals.verified, signals.tiers), (3, 2, [1, 0, 1]));
        assert!((signals.voices - 1.5).abs() < 1e-9);
        assert!(signals.age.is_some_and(|age| (2.0..2.6).contains(&age)), "{signals:?}");
    }

    proptest! {
        #[test]
        fn the_parts_of_any_run_add_up_and_what_is_worse_is_never_surer(
            (findings, verified, conflicts) in (0_usize..50, 0_usize..60, 0_usize..20),
            tiers in prop::array::uniform3(0_usize..20),
            voices in prop_oneof![0.0..5.0, Just(f64::NAN), Just(f64::INFINITY)],
            age in prop::option::of(0.0..90.0),
            (questions, resolved, outages, fallbacks) in (0_usize..50, 0_usize..60, any::<u32>(), any::<u32>()),
            (is_time_sensitive, is_partial, is_by_rules) in any::<(bool, bool, bool)>(),
        ) {
            let signals = Signals {
                findings, verified, tiers, voices, open_conflicts: conflicts, age, is_time_sensitive,
                questions, resolved, outages, fallbacks, is_partial, is_by_rules, names_findings: true,
            };
            let given = assess(&signals);
            prop_assert!((LIMITS.0..=LIMITS.1).contains(&given.confidence.score));
            let sum: f64 = given.parts.iter().map(|part| part.value).sum();
            prop_assert!((sum - given.confidence.score).abs() < 0.002, "{:?}", given);
            let known = Signals { findings: findings.max(verified), ..signals };
            for (better, worse) in [
                (signals, Signals { open_conflicts: conflicts + 1, ..signals }),
                (signals, Signals { outages: outages.saturating_add(1), ..signals }),
                (signals, Signals { is_partial: true, ..signals }),
                (known, Signals { findings: known.findings + 5, ..known }),
            ] {
                prop_assert!(score(worse) <= score(better), "{:?}", worse);
            }
            prop_assert_eq!(assess(&signals), given);
        }
    }
}
