//! Whether a node's question is answered.

use super::{RATIONALE_CHARACTERS, Reply, kept_gaps};
use crate::extractive;
use crate::run::policy::stems::told;
use quarry_events::run::{By, Sufficiency, SufficiencyScores};
use quarry_types::Knobs;
use quarry_types::text::cut;

/// What the weakest score must reach.
const WEAKEST: f64 = 0.5;
/// Quality at most without a source above tier 3.
const QUALITY_OF_OTHERS: f64 = 0.4;
/// Handling at most with a contradiction that no finding names.
const HANDLING_UNNAMED: f64 = 0.5;
/// Recency at most of a stale answer.
const RECENCY_STALE: f64 = 0.4;
/// Days after which the newest source of a time-sensitive answer is stale.
const STALE_DAYS: u64 = 365;
/// What the share of answered parts counts while one is open.
const WHILE_OPEN: f64 = 0.9;
/// Recency by the age of the newest source, in days.
const BY_AGE: [(u64, f64); 3] = [(30, 1.0), (90, 0.8), (STALE_DAYS, 0.6)];
/// Recency of what is older, and of what has no date.
const OLDER: f64 = 0.3;
const UNDATED: f64 = 0.5;

/// What is known of a node's evidence, counted and not judged.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Facts {
    /// Findings that bear on the question.
    pub findings: usize,
    /// Those among them whose snippets stand in their sources and say it.
    pub verified: usize,
    /// The best tier of the sources that they rest on: 1, 2 or 3.
    pub best_tier: Option<u8>,
    /// Independent voices of tier 1 or 2 among those sources.
    pub strong_voices: usize,
    /// Contradictions that no finding names.
    pub unnamed_conflicts: usize,
    /// Whether the answer changes with time.
    pub time_sensitive: bool,
    /// Days since the newest of those sources was published; none: no date is known.
    pub newest_age_days: Option<u64>,
    /// Things that the question asks, one at least.
    pub parts: usize,
    /// Those that no verified finding answers.
    pub open_parts: Vec<String>,
}

impl Facts {
    /// Notes what a question asks, and what of it these claims of verified findings leave open: of one thing
    /// nothing, of several those that no claim speaks of.
    pub fn note_parts(&mut self, question: &str, verified_claims: &[&str]) {
        let parts = extractive::parts(question);
        self.parts = parts.len();
        let told = match parts.len() {
            1 => vec![!verified_claims.is_empty()],
            _ => told(&parts, verified_claims),
        };
        let open = parts.into_iter().zip(told).filter(|(_, is_told)| !is_told);
        self.open_parts = open.map(|(part, _)| part).collect();
    }

    /// Things that the question asks, and those that verified findings answer.
    fn parts(&self) -> (usize, usize) {
        let parts = self.parts.max(1);
        let answered = parts.saturating_sub(self.open_parts.len());
        (parts, if self.verified == 0 { 0 } else { answered })
    }
}

/// Whether a question is answered: by the judge's reply within the rules, or by the rules alone.
#[must_use]
pub fn judge(reply: Option<Reply>, facts: &Facts, knobs: &Knobs) -> Sufficiency {
    let by = if reply.is_some() { By::Model } else { By::Rule };
    let reply = reply.unwrap_or_default();
    let ruled = by_rule(facts);
    let mut scores = SufficiencyScores {
        coverage: rounded(reply.coverage, ruled.coverage),
        quality: rounded(reply.quality, ruled.quality),
        contradiction_handling: rounded(reply.contradiction_handling, ruled.contradiction_handling),
        recency: ruled.recency.map(|ruled| rounded(reply.recency, ruled)),
    };
    let caps = cap(&mut scores, facts);
    if scores.recency.is_none() {
        // Who scores everything high must not lift the mean by what nobody asked for.
        let given = reply.recency.map(|given| rounded(Some(given), 1.0));
        scores.recency = given.filter(|given| *given < mean(&scores));
    }
    let (score, weakest) = (mean(&scores), weakest(&scores));
    let open = facts.open_parts.iter().map(String::as_str);
    let gaps = if reply.gaps.is_empty() {
        kept_gaps(open)
    } else {
        kept_gaps(reply.gaps.iter().map(String::as_str))
    };
    Sufficiency {
        score,
        scores,
        sufficient: weakest >= WEAKEST && score >= knobs.sufficiency_threshold,
        rationale: reply
            .rationale
            .map_or_else(|| rationale(facts), |text| cut(text.trim(), RATIONALE_CHARACTERS)),
        gaps,
        caps,
        by,
    }
}

/// Lowers what the facts do not bear, and says so.
fn cap(scores: &mut SufficiencyScores, facts: &Facts) -> Vec<String> {
    let mut caps = Vec::new();
    let mut lower = |score: &mut f64, most: f64, why: String| {
        if *score > most {
            *score = most;
            caps.push(why);
        }
    };
    if facts.verified == 0 {
        lower(&mut scores.coverage, 0.0, "No finding is verified: coverage is 0.".to_owned());
    }
    if facts.best_tier.is_none_or(|tier| tier > 2) {
        let why = format!("No source is above tier 3: quality is at most {QUALITY_OF_OTHERS}.");
        lower(&mut scores.quality, QUALITY_OF_OTHERS, why);
    }
    if facts.unnamed_conflicts > 0 {
        let why = format!(
            "Contradictions that no finding names, {}: handling is at most {HANDLING_UNNAMED}.",
            facts.unnamed_conflicts
        );
        lower(&mut scores.contradiction_handling, HANDLING_UNNAMED, why);
    }
    let stale = facts.newest_age_days.filter(|age| facts.time_sensitive && *age > STALE_DAYS);
    if let (Some(age), Some(recency)) = (stale, scores.recency.as_mut()) {
        let why = format!(
            "The answer changes with time, and the newest source is {age} days old: recency is at \
             most {RECENCY_STALE}."
        );
        lower(recency, RECENCY_STALE, why);
    }
    caps
}

fn by_rule(facts: &Facts) -> SufficiencyScores {
    let (parts, answered) = facts.parts();
    #[expect(clippy::cast_precision_loss, reason = "parts of a question are few")]
    let share = answered as f64 / parts as f64;
    let coverage = if answered < parts { share * WHILE_OPEN } else { share };
    let is_agreed = facts.strong_voices >= 2;
    let quality = match (facts.best_tier, is_agreed) {
        (None, _) => 0.0,
        (Some(0 | 1), true) => 1.0,
        (Some(0 | 1), false) | (Some(2), true) => 0.8,
        (Some(2), false) => 0.6,
        (Some(_), _) => QUALITY_OF_OTHERS,
    };
    let mostly_unverified = facts.verified < facts.findings.saturating_sub(facts.verified);
    let recency = match facts.newest_age_days {
        Some(age) => {
            BY_AGE.iter().find(|(days, _)| age <= *days).map_or(OLDER, |(_, recency)| *recency)
        }
        None => UNDATED,
    };
    SufficiencyScores {
        coverage,
        quality: if mostly_unverified { (quality - 0.1f64).max(0.0) } else { quality },
        contradiction_handling: if facts.unnamed_conflicts > 0 { HANDLING_UNNAMED } else { 1.0 },
        recency: facts.time_sensitive.then_some(recency),
    }
}

fn rationale(facts: &Facts) -> String {
    let (parts, answered) = facts.parts();
    let sources = match facts.best_tier {
        Some(tier) => format!(
            "the best source is of tier {tier}, and {} independent voices are of tier 1 or 2",
            facts.strong_voices
        ),
        None => "no source bears on it".to_owned(),
    };
    format!(
        "Judged by rule: {} of {} findings are verified and answer {answered} of {parts} parts; {sources}.",
        facts.verified, facts.findings
    )
}

fn all(scores: &SufficiencyScores) -> impl Iterator<Item = f64> {
    let three = [scores.coverage, scores.quality, scores.contradiction_handling];
    three.into_iter().chain(scores.recency)
}

fn mean(scores: &SufficiencyScores) -> f64 {
    let (sum, count) =
        all(scores).fold((0.0, 0.0), |(sum, count), score| (sum + score, count + 1.0));
    round(sum / count)
}

fn weakest(scores: &SufficiencyScores) -> f64 {
    all(scores).fold(1.0, f64::min)
}

fn rounded(given: Option<f64>, ruled: f64) -> f64 {
    round(given.filter(|score| score.is_finite()).unwrap_or(ruled).clamp(0.0, 1.0))
}

/// To four digits: three times 0.7 is 0.7 in the mean too.
fn round(score: f64) -> f64 {
    (score * 10_000.0).round() / 10_000.0
}
