//! How far an answer can be relied on, computed from what its sentences rest on.
//!
//! Border: what the check of citations found in; a number and a word out. Never from the scores of retrieval.
//! The table in ARCHITECTURE.md says the same as the constants here.

use crate::cite::{Known, Proof, VerifiedCitation};
use crate::conflict::Conflict;
use crate::tier::{Tier, voice};
use crate::verify::Verdict;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// How often a sentence of each kind holds: supported, partly, not found, without a citation. In an answer of
/// which nothing is supported, and in one of which nearly all else is: errors come together.
const HOLDS: [(f64, f64); 4] = [(0.80, 0.97), (0.10, 0.60), (0.02, 0.20), (0.10, 0.50)];
/// For each independent voice beyond the first that a supported sentence has, on average; two count.
const VOICE: f64 = 0.02;
/// If all that is supported is so by primary sources.
const PRIMARY: f64 = 0.02;
/// For each conflict that nothing settles; four count.
const CONFLICT: f64 = -0.05;
/// If all that is cited failed but for what stands beside it: who cites much that does not hold errs elsewhere, too.
const FAILED: f64 = -0.30;
/// If the newest source is older than [`OLD_YEARS`].
const OLD: f64 = -0.05;
const OLD_YEARS: f64 = 5.0;
/// Of an answer that rules chose, however well its quotations stand: whether they answer is not theirs to say.
const CHOSEN_BY_RULES: f64 = 0.75;
/// Nothing is certain, either way.
const LIMITS: (f64, f64) = (0.02, 0.98);
/// Of an answer that states nothing that could be checked.
const NOTHING: f64 = 0.10;
/// From here on it is high, and medium.
const HIGH: f64 = 0.80;
const MEDIUM: f64 = 0.50;

/// How far an answer can be relied on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// Less than half of it is expected to hold.
    Low,
    /// Most of it.
    Medium,
    /// Nearly all of it.
    High,
}

impl Level {
    /// The word for a number from 0 to 1.
    #[must_use]
    pub fn of(score: f64) -> Level {
        match score {
            _ if score >= HIGH => Level::High,
            _ if score >= MEDIUM => Level::Medium,
            _ => Level::Low,
        }
    }
}

/// How far an answer can be relied on: the share of its sentences that is expected to hold.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Confidence {
    /// In a word.
    pub level: Level,
    /// From 0 to 1.
    pub score: f64,
}

/// What confidence is computed from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Signals {
    /// Sentences that a passage says.
    pub supported: usize,
    /// Sentences that a passage says in part.
    pub partly: usize,
    /// Sentences whose citation failed.
    pub not_found: usize,
    /// Sentences that state something and cite nothing.
    pub uncited: usize,
    /// The share of the citations that failed beside one that holds.
    pub failed: f64,
    /// Independent voices for a supported sentence, on average.
    pub voices: f64,
    /// The share of supported citations that are of primary sources.
    pub primary: f64,
    /// Conflicts that nothing settles.
    pub conflicts: usize,
    /// How old the newest cited source is, in years, as far as any says.
    pub age: Option<f64>,
    /// Whether rules chose its sentences, and no model.
    pub is_chosen_by_rules: bool,
}

impl Signals {
    /// Those of an answer. `year` is the current one, with its part that has passed: 2026.5.
    #[must_use]
    pub fn of(proof: &Proof, conflicts: &[Conflict], known: &Known, year: f64) -> Signals {
        // Citations that stand in one place stand for one sentence: the best of them counts.
        let mut sentences: BTreeMap<usize, Verdict> = BTreeMap::new();
        let mut voices: BTreeMap<usize, BTreeSet<String>> = BTreeMap::new();
        let (mut primary, mut all) = (0_u32, 0_u32);
        let mut newest: Option<f64> = None;
        let mut before: Option<(usize, &VerifiedCitation)> = None;
        for (number, citation) in proof.citations.iter().enumerate() {
            let at = match before {
                Some((at, before)) if stand_together(before, citation) => at,
                _ => number,
            };
            before = Some((at, citation));
            let best = sentences.entry(at).or_insert(citation.verdict);
            *best = (*best).max(citation.verdict);
            if citation.verdict == Verdict::Supported {
                voices.entry(at).or_default().insert(voice(&citation.url));
                all += 1;
                primary += u32::from(Tier::of(&citation.url) == Tier::Primary);
            }
            if citation.verdict == Verdict::NotFound {
                continue;
            }
            let target = known.by_address(&citation.url);
            let place = target.and_then(|target| known.source_of(target));
            let source = place.and_then(|place| known.source(place));
            let date = source.and_then(|source| source.date.as_deref()).and_then(years);
            newest = match (newest, date) {
                (Some(one), Some(other)) => Some(one.max(other)),
                (one, other) => one.or(other),
            };
        }
        let count = |verdict| sentences.values().filter(|it| **it == verdict).count();
        let heard: usize = voices.values().map(BTreeSet::len).sum();
        #[allow(clippy::cast_precision_loss, reason = "an answer has few citations")]
        let mean = heard as f64 / voices.len().max(1) as f64;
        let cited = proof.citations.len() + proof.failed;
        #[allow(clippy::cast_precision_loss, reason = "an answer has few citations")]
        let failed = proof.failed as f64 / cited.max(1) as f64;
        Signals {
            supported: count(Verdict::Supported),
            partly: count(Verdict::Partly),
            not_found: count(Verdict::NotFound) + proof.unchecked,
            uncited: proof.uncited,
            failed,
            voices: mean,
            primary: f64::from(primary) / f64::from(all.max(1)),
            conflicts: conflicts.iter().filter(|conflict| conflict.reason.is_none()).count(),
            age: newest.map(|newest| (year - newest).max(0.0)),
            is_chosen_by_rules: false,
        }
    }
}

/// Whether a citation is of the same sentence as the one before it: markers of one follow each other, with a blank
/// between them. In an answer of another form they have no place.
fn stand_together(before: &VerifiedCitation, citation: &VerifiedCitation) -> bool {
    if citation.start < citation.end {
        citation.start <= before.end + 1
    } else {
        citation.claim == before.claim
    }
}

/// The year that a date begins with, with the part of it that has passed: 2026.5.
#[must_use]
pub fn years(date: &str) -> Option<f64> {
    let year: u16 = date.get(..4)?.parse().ok()?;
    let month: Option<u8> = date.get(5..7).and_then(|month| month.parse().ok());
    let part = month.map_or(0.5, |month| f64::from(month) / 12.0);
    Some(f64::from(year) + part)
}

/// How far an answer with these signals can be relied on.
#[must_use]
pub fn confidence(signals: &Signals) -> Confidence {
    let counts = [signals.supported, signals.partly, signals.not_found, signals.uncited];
    let all: usize = counts.iter().sum();
    #[allow(clippy::cast_precision_loss, reason = "an answer has few sentences")]
    let all = all as f64;
    if all < 1.0 {
        return Confidence { level: Level::Low, score: NOTHING };
    }
    #[allow(clippy::cast_precision_loss, reason = "four at most")]
    let conflicts = signals.conflicts.min(4) as f64;
    #[allow(clippy::cast_precision_loss, reason = "an answer has few sentences")]
    let supported = signals.supported as f64 / all;
    let holds = counts.iter().zip(HOLDS).map(|(count, (alone, among))| {
        #[allow(clippy::cast_precision_loss, reason = "an answer has few sentences")]
        let count = *count as f64;
        count * (alone + (among - alone) * supported)
    });
    let sum: f64 = holds.sum();
    // What speaks for the sources says something only of what they support.
    let sources = (signals.voices - 1.0).clamp(0.0, 2.0) * VOICE + signals.primary * PRIMARY;
    let old = if signals.age.is_some_and(|age| age > OLD_YEARS) { OLD } else { 0.0 };
    let failed = signals.failed * FAILED;
    let score = sum / all + supported * sources + conflicts * CONFLICT + failed + old;
    let most = if signals.is_chosen_by_rules { CHOSEN_BY_RULES } else { LIMITS.1 };
    // What is told needs no more than three digits.
    let score = (score.clamp(LIMITS.0, most) * 1_000.0).round() / 1_000.0;
    Confidence { level: Level::of(score), score }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cite::Answer;
    use crate::{Content, Finding, Source, conflicts};

    const THINGS: [&str; 8] =
        ["lighthouse", "bridge", "museum", "harbour", "theatre", "library", "station", "market"];
    const TOWNS: [&str; 8] =
        ["Sker", "Lund", "Ghent", "Porto", "Bergen", "Delft", "Turku", "Siena"];
    const PEOPLE: [&str; 8] = [
        "Ann Marsh",
        "Tom Reed",
        "Eva Brandt",
        "Jim Hale",
        "Ida Poole",
        "Max Stern",
        "Lea Vance",
        "Kai Olsen",
    ];

    /// A generator that is the same on every machine.
    struct Chance(u64);

    impl Chance {
        fn below(&mut self, most: u64) -> usize {
            self.0 = self
                .0
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            usize::try_from((self.0 >> 33) % most).unwrap()
        }
    }

    /// A fact, and the page that tells it.
    struct Fact {
        thing: &'static str,
        town: &'static str,
        person: &'static str,
        year: usize,
        count: usize,
    }

    impl Fact {
        fn new(at: usize, chance: &mut Chance) -> Fact {
            let (thing, town) = (THINGS[at % 8], TOWNS[(at / 8 + at) % 8]);
            let person = PEOPLE[chance.below(8)];
            Fact {
                thing,
                town,
                person,
                year: 1700 + chance.below(300),
                count: 20 + chance.below(900),
            }
        }

        fn page(&self) -> String {
            let Fact { thing, town, person, year, count } = self;
            format!(
                "The {thing} of {town} stands near the old square. It was designed by the architect {person} and \
                opened to the public in {year}. Each summer {count} guests a day visit the {thing}, and tickets are sold at the door."
            )
        }

        /// A sentence about it, right in so many ways and wrong in so many.
        fn told(&self, is_right: bool, way: usize) -> String {
            let Fact { thing, town, person, year, count } = self;
            let (later, more, other) = (
                year + 7,
                count + 30,
                PEOPLE[(PEOPLE.iter().position(|it| it == person).unwrap() + 1) % 8],
            );
            match (is_right, way % 6) {
                (true, 0) => {
                    format!("The {thing} of {town} was designed by the architect {person}")
                }
                (true, 1) => format!(
                    "The architect {person} designed the {thing} of {town}, opened to the public in {year}"
                ),
                (true, 2) => format!("Each summer {count} guests a day visit the {thing}"),
                (true, 3) => {
                    format!("Visitors can buy tickets for the {thing} of {town} at its door")
                }
                (true, 4) => {
                    format!("It was in {year} that the {thing} of {town} opened to the public")
                }
                (true, _) => format!("People of {town} have gone inside the {thing} since {year}"),
                (false, 0) => {
                    format!("The {thing} of {town} was designed by the architect {other}")
                }
                (false, 1) => format!(
                    "The architect {person} designed the {thing} of {town}, opened to the public in {later}"
                ),
                (false, 2) => format!("Each summer {more} guests a day visit the {thing}"),
                (false, 3) => format!("The {thing} of {town} was never opened to the public"),
                (false, 4) => {
                    format!("Whales gather off the coast of {town} when storms blow from the north")
                }
                // What no count of words can see: the year is that of something else.
                (false, _) => {
                    format!("The architect {person} designed the {thing} of {town} in {year}")
                }
            }
        }
    }

    /// The mean distance between what confidence says and what holds, over tenths of confidence.
    fn calibration_error(answers: &[(f64, f64)]) -> f64 {
        let mut bins: BTreeMap<u32, Vec<(f64, f64)>> = BTreeMap::new();
        for (score, holds) in answers {
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 9")]
            bins.entry((score * 10.0).floor() as u32).or_default().push((*score, *holds));
        }
        let gap = |bin: &Vec<(f64, f64)>| {
            (bin.iter().map(|it| it.0).sum::<f64>() - bin.iter().map(|it| it.1).sum::<f64>()).abs()
        };
        bins.values().map(gap).sum::<f64>() / answers.len() as f64
    }

    /// What confidence says of so many answers with planted errors, and what holds of them.
    fn scripted(seed: u64) -> Vec<(f64, f64)> {
        let mut chance = Chance(seed);
        let facts: Vec<Fact> = (0..24).map(|at| Fact::new(at, &mut chance)).collect();
        let source = |(at, fact): (usize, &Fact)| {
            let content = Content::Text(fact.page());
            let url = format!("https://{at}.example/");
            Source::new(at + 1, Finding { url, content, ..Finding::default() })
        };
        let sources: Vec<Source> = facts.iter().enumerate().map(source).collect();
        let known = Known::new(&sources);
        let answer = |chance: &mut Chance| {
            let wrong_of_ten = chance.below(11);
            let mut written = Answer::default();
            let mut right = 0_u32;
            for _ in 0..8 {
                let at = chance.below(24);
                let is_right = chance.below(10) >= wrong_of_ten;
                right += u32::from(is_right);
                let sentence = facts[at].told(is_right, chance.below(6));
                let marker =
                    if chance.below(8) == 0 { String::new() } else { format!(" [q{}]", at + 1) };
                written.push(&format!("{sentence}{marker}. "), &known);
            }
            let (_, proof) = written.finish(&known);
            let found = conflicts(&proof, &known);
            let score = confidence(&Signals::of(&proof, &found, &known, 2026.5)).score;
            (score, f64::from(right) / 8.0)
        };
        (0..120).map(|_| answer(&mut chance)).collect()
    }

    #[test]
    fn confidence_is_what_holds_on_answers_with_planted_errors() {
        for seed in [7, 19, 23] {
            let answers = scripted(seed);
            let error = calibration_error(&answers);
            println!("expected calibration error {error:.3}");
            assert!(error <= 0.1, "{error}");
            // The measure can fail: confidence that is always the same is no good.
            let flat: Vec<(f64, f64)> = answers.iter().map(|(_, holds)| (0.9, *holds)).collect();
            assert!(calibration_error(&flat) > 0.2);
        }
    }

    fn of(signals: Signals) -> Confidence {
        confidence(&signals)
    }

    #[test]
    fn each_signal_moves_it_as_the_table_says() {
        let good = Signals { supported: 10, voices: 1.0, ..Signals::default() };
        assert_eq!((of(good).score, of(good).level), (0.97, Level::High));
        assert!(of(Signals { voices: 2.0, ..good }).score > of(good).score);
        assert!(of(Signals { primary: 1.0, ..good }).score > of(good).score);
        assert!(of(Signals { conflicts: 1, ..good }).score < of(good).score);
        assert!(of(Signals { age: Some(9.0), ..good }).score < of(good).score);
        assert!(of(Signals { failed: 0.5, ..good }).score < of(good).score);
        assert_eq!(of(Signals { age: Some(1.0), ..good }), of(good));
        assert_eq!(of(Signals { supported: 6, uncited: 4, ..good }).level, Level::Medium);
        assert_eq!(of(Signals { supported: 0, partly: 10, ..good }).level, Level::Low);
        let by_rules = of(Signals { is_chosen_by_rules: true, ..good });
        assert_eq!((by_rules.score, by_rules.level), (CHOSEN_BY_RULES, Level::Medium));
        assert_eq!(of(Signals::default()), Confidence { level: Level::Low, score: NOTHING });
    }

    #[test]
    fn a_sentence_with_more_citations_that_fail_than_hold_is_not_sure() {
        let source = |n: usize, text: &str| {
            let content = Content::Text(text.to_owned());
            let url = format!("https://{n}.example/");
            Source::new(n, Finding { url, content, ..Finding::default() })
        };
        let sources = [
            source(1, "The lighthouse of Sker has 196 steps and a lamp of brass."),
            source(2, "Bread is baked from rye."),
            source(3, "Boats leave every hour."),
            source(4, "Whales sing in cold water."),
        ];
        let known = Known::new(&sources);
        let judged = |marker: &str| {
            let mut answer = Answer::default();
            let said = "The lighthouse of Sker has 196 steps and a lamp of brass";
            answer.push(&format!("{said} {marker}."), &known);
            let (_, proof) = answer.finish(&known);
            let signals = Signals::of(&proof, &[], &known, 2026.5);
            (signals.failed, confidence(&signals).level)
        };
        assert_eq!(judged("[q1]"), (0.0, Level::High));
        assert_eq!(judged("[q1, q2, q3, q4]"), (0.75, Level::Medium));
    }

    #[test]
    fn two_sources_of_one_sentence_are_two_voices_and_one_sentence() {
        let text = "The lighthouse of Sker has 196 steps and a lamp of brass.";
        let source = |n: usize| {
            let url = format!("https://{n}x.gov/");
            let date = Some("2024-06-01".to_owned());
            Source::new(
                n,
                Finding {
                    url,
                    date,
                    content: Content::Text(text.to_owned()),
                    ..Finding::default()
                },
            )
        };
        let sources = [source(1), source(2)];
        let known = Known::new(&sources);
        let mut answer = Answer::default();
        answer.push("The lighthouse of Sker has 196 steps and a lamp of brass [q1, q2]. Whales sing loudly in cold polar waters.", &known);
        let (_, proof) = answer.finish(&known);
        let signals = Signals::of(&proof, &[], &known, 2026.5);
        let expected = Signals {
            supported: 1,
            uncited: 1,
            voices: 2.0,
            primary: 1.0,
            age: Some(2.0),
            ..Signals::default()
        };
        assert_eq!(signals, expected);
        // In an answer of another form, citations have no place.
        let mut formed = proof.clone();
        let failed = VerifiedCitation {
            claim: "Whales sing.".to_owned(),
            verdict: Verdict::NotFound,
            n: None,
            ..formed.citations[0].clone()
        };
        formed.citations.push(failed);
        formed.citations.iter_mut().for_each(|it| (it.start, it.end) = (0, 0));
        let signals = Signals::of(&formed, &[], &known, 2026.5);
        assert_eq!((signals.supported, signals.not_found, signals.voices), (1, 1, 2.0));
    }
}
