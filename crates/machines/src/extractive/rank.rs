//! Which sentences of the sources answer the parts of a question.
//!
//! Border: sources and a question in, quotations out, best first for each part. Every quotation is cut
//! from its source byte for byte. What is compared in pairs is a bounded number of the best.

use super::EvidenceSource;
use super::gather::{Candidate, Gathered, Leaning};
use super::kind::Kind;
use super::offers::{self, Fit, Span, Wanted};
use super::question::{Part, Question};
use super::words;
use std::collections::{BTreeMap, BTreeSet};

/// A sentence of a source, as it stands there.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Quotation<'a> {
    pub source: &'a EvidenceSource<'a>,
    /// What was cut from the source, in order; what lies between are marks of Markdown.
    pub pieces: Vec<&'a str>,
    /// The pieces, joined.
    pub text: String,
    pub stems: Vec<String>,
    pub score: f64,
    /// The share of what was asked that it speaks of.
    pub coverage: f64,
    /// The same without the words that say what kind of answer is wanted.
    pub about: f64,
    pub fit: Fit,
    /// The words of the text that answer, where a rule can tell.
    pub span: Option<Span>,
    /// Which sentence of all it is.
    pub place: usize,
    /// Other sources that say nearly the same.
    pub also: Vec<&'a EvidenceSource<'a>>,
}

impl Quotation<'_> {
    /// The words of it that answer, where a rule can tell.
    pub(super) fn answer(&self) -> Option<&str> {
        self.text.get(self.span.as_ref()?.bytes.clone())
    }
}

/// What was found for a part of a question.
#[derive(Debug)]
pub(super) struct PartFound<'a> {
    /// Best first, near-duplicates folded.
    pub quotations: Vec<Quotation<'a>>,
    /// Whether the first of them is taken for an answer.
    pub is_answered: bool,
}

/// What was found for a question.
#[derive(Debug)]
pub(super) struct Ranking<'a> {
    /// One for each part of the question, in order.
    pub parts: Vec<PartFound<'a>>,
    /// Terms of the question, by number, that no sentence of any source speaks of, nor the
    /// heading or title above one.
    pub missing: BTreeSet<usize>,
}

/// Sentences of one source, and of all, that are looked at closely for a part.
const COMPARED_OF_ONE: usize = 24;
const COMPARED_OF_ALL: usize = 160;
/// Saturation and length normalisation, the usual values of BM25.
const K1: f64 = 1.2;
const B: f64 = 0.6;
/// What a line counts that does not end as sentences do: an entry of a list, a caption.
const FRAGMENT: f64 = 0.6;
/// What a row of a table counts that offers what is asked.
const FITTING_ROW: f64 = 0.95;
/// What any other row counts.
const ROW: f64 = 0.75;
/// What the first sentence counts under a heading that asks.
const REPLY: f64 = 1.5;
/// How much of the words that ask for a number is said by a number of that kind.
const SAID_BY_KIND: f64 = 0.5;
/// What an answer counts next to the words of the question, against one that is far from them.
const NEAR: f64 = 0.2;
/// What a date counts that is another event's: `a year after it was built`.
const OF_ANOTHER: f64 = 0.8;
/// What a number counts for naming what is counted.
const NAMED: f64 = 0.35;
/// What a question counts: it answers none.
const ASKING: f64 = 0.5;
/// How much the newest source is preferred to the oldest.
const RECENCY: f64 = 0.08;
/// Sentences that score less than this share of the best are not even compared.
const COMPARED_SHARE: f64 = 0.1;
/// Shared words, of all words of both, above which two sentences say the same.
const SAME: f64 = 0.7;
/// How much a run of the question's words counts that stand together.
const TOGETHER: f64 = 0.25;
/// The share of what was asked that an answer speaks of at least.
const ANSWERING: f64 = 0.36;

/// Ranks what the sources say on a question.
pub(super) fn rank<'a>(sources: &'a [EvidenceSource<'a>], question: &Question) -> Ranking<'a> {
    let gathered = Gathered::of(sources, question);
    let missing = (0..question.terms)
        .filter(|term| gathered.held.get(*term).is_none_or(|held| *held == 0))
        .collect();
    let scale = Scale::of(&gathered, sources);
    let parts = question.parts.iter().map(|part| scale.part(&gathered.candidates, part));
    Ranking { parts: parts.collect(), missing }
}

/// The ranked quotations that count at least this share of the best.
pub(super) fn within<'p, 'a>(
    quotations: &'p [Quotation<'a>],
    share: f64,
) -> impl Iterator<Item = &'p Quotation<'a>> + use<'p, 'a> {
    let least = quotations.first().map_or(0.0, |quotation| quotation.score) * share;
    quotations.iter().take_while(move |quotation| quotation.score >= least)
}

/// What the evidence as a whole says about its words.
struct Scale<'s> {
    rarity: Vec<f64>,
    mean_words: f64,
    /// The dates of the sources, oldest first.
    dates: Vec<&'s str>,
}

/// A candidate with what it counts for a part.
struct Scored<'c, 'a> {
    candidate: &'c Candidate<'a>,
    score: f64,
    coverage: f64,
    about: f64,
}

impl<'s> Scale<'s> {
    #[expect(clippy::cast_precision_loss, reason = "counts of words stay small")]
    fn of(gathered: &Gathered<'_, '_>, sources: &[EvidenceSource<'s>]) -> Self {
        let total = gathered.sentences.max(1) as f64;
        let rarity = gathered.held.iter().map(|held| {
            let held = *held as f64;
            (1.0 + (total - held + 0.5) / (held + 0.5)).ln()
        });
        let dates: BTreeSet<&str> = sources.iter().filter_map(|source| source.date).collect();
        Scale {
            rarity: rarity.collect(),
            mean_words: (gathered.words as f64 / total).max(1.0),
            dates: dates.into_iter().collect(),
        }
    }

    fn part<'a>(&self, candidates: &[Candidate<'a>], part: &Part) -> PartFound<'a> {
        let mut scored: Vec<Scored<'_, 'a>> =
            candidates.iter().filter_map(|candidate| self.scored(candidate, part)).collect();
        best_first(&mut scored);
        let best = scored.first().map_or(0.0, |best| best.score);
        scored.retain(|each| each.score >= best * COMPARED_SHARE);
        let mut quotations: Vec<Quotation<'a>> =
            shortlist(scored).into_iter().map(|each| self.quotation(&each, part)).collect();
        quotations.sort_by(|one, other| {
            other.score.total_cmp(&one.score).then_with(|| other.source.date.cmp(&one.source.date))
        });
        let quotations = folded(quotations);
        let is_answered = quotations.first().is_some_and(|first| answers(first, part));
        PartFound { quotations, is_answered }
    }

    /// What its words count; none where it holds none of the part's.
    #[expect(clippy::cast_precision_loss, reason = "counts of words stay small")]
    fn scored<'c, 'a>(&self, candidate: &'c Candidate<'a>, part: &Part) -> Option<Scored<'c, 'a>> {
        let length = 1.0 - B + B * candidate.words as f64 / self.mean_words;
        let saturated = |weight: f64| weight * (K1 + 1.0) / (weight + K1 * length);
        let (from_above, from_before) = match candidate.leaning {
            Leaning::Little => (0.6, 0.15),
            Leaning::Some => (0.7, 0.25),
            Leaning::Much => (0.8, 0.5),
        };
        let mut inside: BTreeMap<usize, f64> = BTreeMap::new();
        for hit in &candidate.inside {
            let known = inside.entry(hit.term).or_default();
            // A word that only answers for another says it no better twice.
            *known = if hit.strength < 1.0 { known.max(hit.strength) } else { *known + 1.0 };
        }
        let (mut sum, mut all) = (0.0, 0.0);
        let (mut covered, mut overhead) = (0.0, 0.0);
        let (mut own, mut about) = ((0.0, 0.0), (0.0, 0.0));
        for (term, weight) in &part.weights {
            let worth = weight * self.rarity.get(*term).copied().unwrap_or_default();
            all += worth;
            let above = candidate.above.get(term).copied().unwrap_or_default();
            let (counts, covers) = if let Some(strength) = inside.get(term) {
                (saturated(strength + from_above * above / 2.0), strength.min(1.0))
            } else if above > 0.0 {
                (saturated(from_above * above), above.min(1.0) * 0.8)
            } else if candidate.before.contains(term) {
                (saturated(from_before), 0.5)
            } else {
                (0.0, 0.0)
            };
            sum += worth * counts;
            covered += worth * covers;
            overhead += worth * above.min(1.0);
            if !part.of_kind.contains(term) && !part.counted_terms.contains(term) {
                about = (about.0 + worth * covers, about.1 + worth);
            }
            if part.sequence.contains(term) {
                own = (own.0 + worth * covers, own.1 + worth);
            }
        }
        if sum <= 0.0 || all <= 0.0 {
            return None;
        }
        let together = 1.0 + TOGETHER * together(candidate, part);
        let reply = if candidate.replies && overhead > all / 2.0 { REPLY } else { 1.0 };
        let score = sum / all * together * reply * self.form(candidate) * self.age(candidate);
        let share = |(said, all): (f64, f64)| if all > 0.0 { said / all } else { 1.0 };
        // A part of one word leans on the others.
        let own = if part.sequence.len() > 1 { share(own) } else { 1.0 };
        let coverage = (covered / all).min(own);
        Some(Scored { candidate, score, coverage, about: share(about) })
    }

    /// The share of the words that ask for a kind of answer and do not stand in the sentence.
    fn unsaid(&self, candidate: &Candidate<'_>, part: &Part) -> f64 {
        let worth = |term: &usize| {
            let weight = part.weights.get(term).copied().unwrap_or_default();
            weight * self.rarity.get(*term).copied().unwrap_or_default()
        };
        let all: f64 = part.weights.keys().map(worth).sum();
        let said = |term: &usize| {
            let hits = candidate.inside.iter().filter(|hit| hit.term == *term);
            hits.map(|hit| hit.strength).fold(0.0, f64::max)
        };
        let unsaid = |term: &usize| {
            let said = said(term);
            worth(term) * if said > 0.0 { 1.0 - said } else { SAID_BY_KIND }
        };
        let unsaid: f64 = part.of_kind.iter().map(unsaid).sum();
        if all > 0.0 { unsaid / all } else { 0.0 }
    }

    /// Of words that may answer, those that stand nearest to words of the question.
    fn nearest(&self, candidate: &Candidate<'_>, spans: Vec<Span>, part: &Part) -> Option<Chosen> {
        let words =
            if part.kind == Kind::Time { words::words(candidate.text()) } else { Vec::new() };
        let chosen = spans.into_iter().map(|span| self.chosen(candidate, span, part, &words));
        chosen.reduce(|best, next| if next.pull > best.pull { next } else { best })
    }

    #[expect(clippy::cast_precision_loss, reason = "counts of words stay small")]
    fn chosen(
        &self,
        candidate: &Candidate<'_>,
        span: Span,
        part: &Part,
        words: &[String],
    ) -> Chosen {
        let mut pull = 0.0;
        let mut nearest: Option<(usize, usize)> = None;
        for hit in &candidate.inside {
            let weight = part.weights.get(&hit.term).copied().unwrap_or_default();
            let worth = weight * self.rarity.get(hit.term).copied().unwrap_or_default();
            if span.words.contains(&hit.place) {
                pull += if span.is_named { worth * NAMED } else { 0.0 };
                continue;
            }
            let distance = distance(hit.place, &span);
            pull += worth * hit.strength / distance as f64;
            let is_name = part.names.contains(&hit.term);
            if weight > 0.0 && !is_name && nearest.is_none_or(|(known, _)| distance < known) {
                nearest = Some((distance, hit.place));
            }
        }
        let is_of_another = nearest.is_some_and(|(_, place)| is_of_another(&span, place, words));
        if is_of_another {
            pull *= OF_ANOTHER;
        }
        Chosen { span, pull, distance: nearest.map(|(distance, _)| distance), is_of_another }
    }

    /// What the sentence's form is worth.
    fn form(&self, candidate: &Candidate<'_>) -> f64 {
        let text = candidate.text();
        let ends = |c: char| matches!(c, '.' | '!' | '…' | '。' | '”' | '"' | ')' | ':');
        match text.chars().next_back() {
            Some('?') => ASKING,
            Some(last) if ends(last) => 1.0,
            _ => FRAGMENT,
        }
    }

    #[expect(clippy::cast_precision_loss, reason = "counts of sources stay small")]
    fn age(&self, candidate: &Candidate<'_>) -> f64 {
        let date = candidate.source.date;
        let older = date.and_then(|date| self.dates.binary_search(&date).ok());
        let share = older.map_or(0.0, |older| older as f64 / (self.dates.len().max(2) - 1) as f64);
        1.0 + RECENCY * share
    }

    /// Looks closely at a sentence.
    fn quotation<'a>(&self, scored: &Scored<'_, 'a>, part: &Part) -> Quotation<'a> {
        let Scored { candidate, score, coverage, about } = scored;
        let text = candidate.text();
        let wanted = Wanted { kind: part.kind, asked: &part.asked, counted: &part.counted };
        let offer = offers::offer(text, &wanted);
        let is_row = text.contains('\t') && offer.fit == Fit::Strong;
        let row = match (text.contains('\t'), is_row) {
            (false, _) => 1.0,
            (true, true) => FITTING_ROW / FRAGMENT,
            (true, false) => ROW / FRAGMENT,
        };
        let of_kind = if offer.fit == Fit::Strong { self.unsaid(candidate, part) } else { 0.0 };
        let chosen = self.nearest(candidate, offer.spans, part);
        let near = chosen.as_ref().map_or(1.0, |chosen| chosen.worth());
        Quotation {
            source: candidate.source,
            pieces: candidate.pieces(),
            text: text.to_owned(),
            stems: words::stems(text),
            score: (score + of_kind) * worth(part.kind, offer.fit) * row * near,
            coverage: coverage + of_kind,
            about: *about,
            fit: offer.fit,
            span: chosen.filter(|chosen| chosen.is_plain(part.kind)).map(|chosen| chosen.span),
            place: candidate.place,
            also: Vec::new(),
        }
    }
}

/// What a sentence counts that offers more or less of what is asked.
const fn worth(kind: Kind, fit: Fit) -> f64 {
    let (none, weak, strong) = match kind {
        Kind::Time | Kind::Count | Kind::Amount(_) => (0.6, 1.0, 1.35),
        Kind::Person => (0.8, 1.0, 1.2),
        Kind::Place => (0.9, 1.0, 1.1),
        Kind::Reason => (0.8, 1.0, 1.4),
        Kind::List => (0.9, 1.0, 1.15),
        Kind::Compare => (0.8, 1.0, 1.2),
        Kind::Definition => (0.9, 1.0, 1.3),
        Kind::Polar | Kind::Fact => (1.0, 1.0, 1.0),
    };
    match fit {
        Fit::None => none,
        Fit::Weak => weak,
        Fit::Strong => strong,
    }
}

/// Words that may answer, and how they stand to the words of the question.
struct Chosen {
    span: Span,
    /// How much the words of the question around it speak for it.
    pull: f64,
    /// How many words away the nearest word of the question is that is no name.
    distance: Option<usize>,
    is_of_another: bool,
}

impl Chosen {
    /// What they count for their sentence.
    #[expect(clippy::cast_precision_loss, reason = "counts of words stay small")]
    fn worth(&self) -> f64 {
        let near = self.distance.map_or(1.0, |distance| 1.0 + NEAR / (1.0 + distance as f64 / 4.0));
        if self.is_of_another { near * OF_ANOTHER } else { near }
    }

    /// Whether they can be shown as the answer by themselves.
    fn is_plain(&self, kind: Kind) -> bool {
        let within = |most: usize| self.distance.is_some_and(|distance| distance <= most);
        match kind {
            Kind::Person => within(2) || (self.span.is_named && within(6)),
            Kind::Amount([]) => within(4),
            _ => !self.is_of_another,
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

/// Whether the best quotation is taken for an answer.
fn answers(first: &Quotation<'_>, part: &Part) -> bool {
    let fits = !part.kind.is_strict() || first.fit > Fit::None;
    let least = match part.kind {
        // Either of two answers a half of it.
        Kind::Compare => ANSWERING / 2.0,
        Kind::Amount([_, ..]) if first.fit == Fit::Strong => ANSWERING * 0.8,
        _ => ANSWERING,
    };
    fits && first.coverage >= least
}

/// The share of neighbours in the question that are neighbours in the sentence.
#[expect(clippy::cast_precision_loss, reason = "counts of words stay small")]
fn together(candidate: &Candidate<'_>, part: &Part) -> f64 {
    let pairs = part.sequence.windows(2);
    let all = pairs.len();
    if all == 0 || candidate.inside.len() < 2 {
        return 0.0;
    }
    let mut places: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for hit in candidate.inside.iter().filter(|hit| hit.strength >= 1.0) {
        places.entry(hit.term).or_default().push(hit.place);
    }
    let stand_together = |pair: &&[usize]| {
        let [one, other] = pair else { return false };
        let (Some(ones), Some(others)) = (places.get(one), places.get(other)) else { return false };
        ones.iter().any(|one| others.contains(&(one + 1)) || others.contains(&(one + 2)))
    };
    pairs.filter(stand_together).count() as f64 / all as f64
}

fn best_first(scored: &mut [Scored<'_, '_>]) {
    scored.sort_by(|one, other| {
        let (one_date, other_date) = (one.candidate.source.date, other.candidate.source.date);
        other.score.total_cmp(&one.score).then_with(|| other_date.cmp(&one_date))
    });
}

/// The best candidates, not too many of one source, and none that speaks to machines.
fn shortlist<'c, 'a>(ranked: Vec<Scored<'c, 'a>>) -> Vec<Scored<'c, 'a>> {
    let mut of_source: BTreeMap<usize, usize> = BTreeMap::new();
    let mut kept = Vec::new();
    for each in ranked {
        let count = of_source.entry(each.candidate.source.n).or_default();
        // One sentence that speaks to the reader spoils its paragraph: what follows it usually
        // says what the reader is to do.
        if *count >= COMPARED_OF_ONE || speaks_to_machines(each.candidate.line()) {
            continue;
        }
        *count += 1;
        kept.push(each);
        if kept.len() >= COMPARED_OF_ALL {
            break;
        }
    }
    kept
}

fn folded(ranked: Vec<Quotation<'_>>) -> Vec<Quotation<'_>> {
    let mut kept: Vec<Quotation<'_>> = Vec::new();
    let mut known: Vec<Said> = Vec::new();
    for quotation in ranked {
        let said = Said::by(&quotation.stems);
        let same = known.iter().position(|known| known.is_nearly(&said));
        match same.and_then(|at| kept.get_mut(at)) {
            Some(first) => {
                let is_known = first.source.n == quotation.source.n
                    || first.also.iter().any(|also| also.n == quotation.source.n);
                if !is_known {
                    first.also.push(quotation.source);
                }
            }
            None => {
                kept.push(quotation);
                known.push(said);
            }
        }
    }
    kept
}

/// What a sentence says, as far as its words show.
struct Said {
    words: BTreeSet<String>,
    figures: BTreeSet<String>,
}

impl Said {
    fn by(stems: &[String]) -> Self {
        let words: BTreeSet<String> = stems.iter().cloned().collect();
        let figures = words.iter().filter(|word| word.chars().any(|c| c.is_ascii_digit()));
        Said { figures: figures.cloned().collect(), words }
    }

    /// Whether another sentence says nearly the same. Other figures are another statement.
    #[expect(clippy::cast_precision_loss, reason = "counts of words stay small")]
    fn is_nearly(&self, other: &Said) -> bool {
        if self.figures != other.figures {
            return false;
        }
        let shared = self.words.intersection(&other.words).count();
        let all = self.words.len() + other.words.len() - shared;
        shared as f64 / all.max(1) as f64 > SAME
    }
}

/// Signs that a text gives orders to a program or its reader instead of saying something.
const SIGNS: [&str; 22] = [
    "ignore all",
    "ignore any",
    "ignore previous",
    "ignore the previous",
    "ignore the above",
    "ignore your",
    "ignore these",
    "disregard",
    "previous instructions",
    "prior instructions",
    "system prompt",
    "language model",
    "ai assistant",
    "ai model",
    "chatbot",
    "as an ai",
    "in your answer",
    "your response",
    "you are now",
    "api key",
    "do not mention",
    "new instructions",
];

fn speaks_to_machines(text: &str) -> bool {
    let lower = text.to_lowercase().replace(['’', '\u{ad}', '\u{200b}'], "");
    SIGNS.iter().any(|sign| lower.contains(sign))
}
