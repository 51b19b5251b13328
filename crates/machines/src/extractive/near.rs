//! Which words of a sentence answer, where several may: those next to the words of the question.
//!
//! Border: a sentence with what stands in it in, the chosen words and what they count out.

use super::gather::Candidate;
use super::kind::Kind;
use super::members;
use super::offers::Span;
use super::question::Part;
use super::words;

/// What an answer counts next to the words of the question, against one that is far from them.
const NEAR: f64 = 0.2;
/// What a date counts that is another event's: `a year after it was built`.
const OF_ANOTHER: f64 = 0.8;
/// What the right end of a range counts against the other.
const IN_RANGE: f64 = 2.0;
/// What a date counts that is the wrong end.
const OF_WRONG_END: f64 = 0.2;
/// What a date to the day counts against a year.
const EXACT: f64 = 1.05;
/// What a word of the question counts in another clause: behind a semicolon.
const ANOTHER_CLAUSE: f64 = 0.5;
/// What a number counts for naming what is counted.
const NAMED: f64 = 0.35;

/// Words that may answer, and how they stand to the words of the question.
pub(super) struct Chosen {
    pub span: Span,
    /// How much the words of the question around it speak for it.
    pull: f64,
    /// How many words away the nearest word of the question is that is no name.
    distance: Option<usize>,
    is_of_another: bool,
    /// Whether it tells the beginning where the end is asked for, or the other way round.
    is_wrong_end: bool,
    /// Whether it is a date to the day.
    is_exact: bool,
    has_digit: bool,
}

impl Chosen {
    /// What they count for their sentence.
    #[expect(clippy::cast_precision_loss, reason = "counts of words stay small")]
    pub(super) fn worth(&self) -> f64 {
        let near = self.distance.map_or(1.0, |distance| 1.0 + NEAR / (1.0 + distance as f64 / 4.0));
        let exact = if self.is_exact { EXACT } else { 1.0 };
        exact * if self.is_of_another { near * OF_ANOTHER } else { near }
    }

    /// Whether they can be shown as the answer by themselves.
    pub(super) fn is_plain(&self, kind: Kind) -> bool {
        let within = |most: usize| self.distance.is_some_and(|distance| distance <= most);
        match kind {
            Kind::Person => within(2) || (self.span.is_named && within(6)),
            Kind::Amount([]) => within(4),
            // `April` alone is no date, and `April to June` is a season.
            Kind::Time => {
                (self.has_digit || self.span.words.len() > 2)
                    && !self.is_of_another
                    && !self.is_wrong_end
            }
            _ => true,
        }
    }
}

/// Whether a date is that of another event: `a year after the bridge was built`.
fn is_of_another(span: &Span, place: usize, words: &[String]) -> bool {
    let between =
        if place < span.words.start { place..span.words.start } else { span.words.end..place };
    let between = words.get(between).unwrap_or_default();
    let begins = words.get(place.saturating_sub(2)..place).unwrap_or_default();
    between.iter().any(|word| matches!(word.as_str(), "after" | "before" | "later"))
        || begins.iter().any(|word| matches!(word.as_str(), "after" | "before" | "since"))
}

/// How many words away a word is; 1 for a neighbour.
fn distance(place: usize, span: &Span) -> usize {
    let away = if place < span.words.start {
        span.words.start - place
    } else {
        (place + 1).saturating_sub(span.words.end)
    };
    away.max(1)
}

/// Which end of a range a date is, and which is asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Right,
    Wrong,
    Untold,
}

/// Words from `not` to a date that it makes a beginning, at most: `did not open to trains until 2014`.
const DENIED: usize = 6;

/// Words that ask for a beginning, and for an end.
pub(super) const BEGINS: [&str; 8] =
    ["begin", "began", "start", "started", "open", "opened", "founded", "first"];
pub(super) const ENDS: [&str; 7] = ["close", "closed", "end", "ended", "last", "stop", "stopped"];

/// Whether it is asked during which time something is so, by whether any of some words is asked: `When is it closed?`
pub(super) fn asks_for_state(asks: impl Fn(&[&str]) -> bool) -> bool {
    asks(&["are", "is"])
        && asks(&["closed", "open", "shut"])
        && !asks(&["did", "had", "has", "have", "was", "were", "will"])
}

/// Of `from 1894 to 2005` who asks for the beginning wants the first, and who asks for the end the other.
fn end_of_range(span: &Span, part: &Part, words: &[String]) -> End {
    const ONCE: [&str; 8] = ["did", "had", "has", "have", "since", "was", "were", "will"];
    let asked = words::words(&part.text);
    let asks = |known: &[&str]| asked.iter().any(|word| known.contains(&word.as_str()));
    let before = span.words.start.checked_sub(1).and_then(|at| words.get(at));
    let is_of_state = asks_for_state(asks);
    let lead = span.words.start.saturating_sub(DENIED)..span.words.start;
    let denies = |word: &String| matches!(word.as_str(), "never" | "not" | "t");
    let is_denied = words.get(lead).is_some_and(|lead| lead.iter().any(denies));
    match before.map(String::as_str) {
        // What did not open until 2014 opened then.
        Some("until" | "till") if is_denied => End::Untold,
        // Who asks when a ferry runs is not told it by `since 2019`.
        Some("since") if is_of_state || (!asks(&ONCE) && !asks(&BEGINS)) => End::Wrong,
        Some("to" | "until" | "till") if is_of_state => End::Wrong,
        Some(_) if is_of_state => End::Untold,
        Some("from" | "since") if asks(&BEGINS) => End::Right,
        Some("to" | "until" | "till") if asks(&ENDS) => End::Right,
        Some("from" | "since") if asks(&ENDS) => End::Wrong,
        Some("to" | "until" | "till") if asks(&BEGINS) => End::Wrong,
        _ => End::Untold,
    }
}

fn has_digit(text: &str) -> bool {
    text.bytes().any(|byte| byte.is_ascii_digit())
}

/// The words of a sentence, and the clause that each stands in: what signs alone part.
struct Clauses {
    words: Vec<String>,
    clauses: Vec<usize>,
}

impl Clauses {
    fn of(text: &str) -> Self {
        let begins = |_: &str, gap: &str| gap.contains([';', ':', '(', ')', '–', '—']);
        let (words, clauses) = words::in_pieces(text, begins);
        Clauses { words, clauses }
    }

    fn clause(&self, word: usize) -> usize {
        self.clauses.get(word).copied().unwrap_or_default()
    }
}

/// Of words that may answer, those that stand nearest to words of the question.
pub(super) fn nearest(
    candidate: &Candidate<'_>,
    spans: Vec<Span>,
    part: &Part,
    rarity: &[f64],
) -> Option<Chosen> {
    let spans = members::meant(candidate, spans, part, rarity);
    let text = Clauses::of(candidate.text());
    let chosen = spans.into_iter().map(|span| chosen(candidate, span, part, rarity, &text));
    chosen.reduce(|best, next| if next.pull > best.pull { next } else { best })
}

#[expect(clippy::cast_precision_loss, reason = "counts of words stay small")]
fn chosen(
    candidate: &Candidate<'_>,
    span: Span,
    part: &Part,
    rarity: &[f64],
    text: &Clauses,
) -> Chosen {
    let mut pull = 0.0;
    let mut nearest: Option<(usize, usize)> = None;
    for hit in &candidate.inside {
        let weight = part.weights.get(&hit.term).copied().unwrap_or_default();
        let worth = weight * rarity.get(hit.term).copied().unwrap_or_default();
        if span.words.contains(&hit.place) {
            pull += if span.is_named { worth * NAMED } else { 0.0 };
            continue;
        }
        let distance = distance(hit.place, &span);
        let is_apart = text.clause(hit.place) != text.clause(span.words.start);
        let share = if is_apart { ANOTHER_CLAUSE } else { 1.0 };
        pull += worth * hit.strength * share / distance as f64;
        let is_name = part.names.contains(&hit.term);
        if weight > 0.0 && !is_name && nearest.is_none_or(|(known, _)| distance < known) {
            nearest = Some((distance, hit.place));
        }
    }
    let is_of_another = part.kind == Kind::Time
        && nearest.is_some_and(|(_, place)| is_of_another(&span, place, &text.words));
    if is_of_another {
        pull *= OF_ANOTHER;
    }
    let end = match part.kind {
        Kind::Time => end_of_range(&span, part, &text.words),
        _ => End::Untold,
    };
    pull *= match end {
        End::Right => IN_RANGE,
        End::Wrong => OF_WRONG_END,
        End::Untold => 1.0,
    };
    let is_exact = part.kind == Kind::Time && span.words.len() > 2;
    let has_digit = candidate.text().get(span.bytes.clone()).is_some_and(has_digit);
    Chosen {
        span,
        pull,
        is_exact,
        has_digit,
        distance: nearest.map(|(distance, _)| distance),
        is_of_another,
        is_wrong_end: end == End::Wrong,
    }
}
