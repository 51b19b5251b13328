//! Which sentences of the sources answer the parts of a question.
//!
//! Border: sources and a question in, quotations out, best first for each part. Every quotation is cut
//! from its source byte for byte. What is compared in pairs is a bounded number of the best.

use super::EvidenceSource;
use super::alike::{self, Also};
use super::answering::{self, Apart, Offered};
use super::columns;
use super::disagree;
use super::gather::{Candidate, Gathered, Leaning};
use super::kind::Kind;
use super::near;
use super::offers::{Fit, Span};
use super::polar::{self, Said, Verdict};
use super::question::{Part, Question};
use super::told::Told;
use super::trust;
use super::values;
use super::words;
use super::years;
use quarry_evidence::Published;
use quarry_evidence::text::ends_sentence;
use quarry_types::order::{self, Gather};
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
    /// Whether it is the first under a heading that asks most of the same.
    pub is_reply: bool,
    /// Whether the sentence itself holds a word of the part, and not only what stands around it.
    pub is_said: bool,
    pub fit: Fit,
    /// Why it cannot answer, however many words it shares.
    pub apart: Option<Apart>,
    /// Whether its figure is said of some alone.
    pub is_restricted: bool,
    /// Whether it says itself, or right behind who does, what it speaks of.
    pub is_tied: bool,
    /// The words of the text that answer, where a rule can tell.
    pub span: Option<Span>,
    /// Whether a number was asked for.
    pub is_figure: bool,
    /// What these words are counted in, where the table says it and not its cell.
    pub unit: Option<String>,
    /// What it says to a question for yes or no.
    pub said: Vec<Said>,
    /// Which sentence of all it is.
    pub place: usize,
    /// Other sources that say nearly the same.
    pub also: Vec<Also<'a>>,
}

impl Quotation<'_> {
    /// The words of it that answer, where a rule can tell.
    pub(super) fn answer(&self) -> Option<&str> {
        self.text.get(self.span.as_ref()?.bytes.clone())
    }

    /// By what it is the same as another's: `12 %` is `12 percent`, and not `over 12 percent`.
    pub(super) fn compared_answer(&self) -> Option<String> {
        values::key_in(&self.text, &self.span.as_ref()?.bytes)
    }
}

/// What was found for a part of a question.
#[derive(Debug)]
pub(super) struct PartFound<'a> {
    /// Best first, near-duplicates folded.
    pub quotations: Vec<Quotation<'a>>,
    /// Whether the first of them is taken for an answer.
    pub is_answered: bool,
    /// What they say together to a question for yes or no.
    pub verdict: Option<Verdict>,
}

impl<'a> PartFound<'a> {
    /// What decides a question for yes or no leads, and answers it.
    fn let_verdict_lead(&mut self, part: &Part) {
        let Some(asked) = &part.polar else { return };
        self.verdict = polar::verdict(asked, &self.quotations);
        let leads = self.verdict.as_ref().and_then(|verdict| verdict.by.first());
        let Some(at) = leads.and_then(|place| self.at(*place)) else { return };
        if let Some(before) = self.quotations.get_mut(..=at) {
            before.rotate_right(1);
        }
        self.is_answered = true;
    }

    fn at(&self, place: usize) -> Option<usize> {
        self.quotations.iter().position(|quotation| quotation.place == place)
    }

    /// The quotation of this place.
    pub(super) fn of_place(&self, place: usize) -> Option<&Quotation<'a>> {
        self.quotations.get(self.at(place)?)
    }

    /// What corrects the first leads, and what the same publisher says of the same, and later.
    fn let_newer_lead(&mut self, part: &Part) {
        let newer = disagree::correction(self).or_else(|| disagree::successor(self, part));
        let Some(place) = newer else { return };
        let best = self.quotations.first().map_or(0.0, |first| first.score);
        if let Some(newer) = self.quotations.get_mut(place) {
            newer.score = best;
        }
        if let Some(before) = self.quotations.get_mut(..=place) {
            before.rotate_right(1);
        }
    }
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
/// Of what is asked besides its kind, the share below which a sentence speaks of something else, and what
/// it counts then.
pub(super) const ASTRAY: f64 = 0.15;
const STRAY: f64 = 0.6;
/// What the first sentence counts under a heading that asks.
const REPLY: f64 = 1.5;
/// How much of the words that ask for a number is said by a number of that kind.
const SAID_BY_KIND: f64 = 0.5;
/// What a question counts: it answers none.
const ASKING: f64 = 0.5;
/// How much the newest source is preferred to the oldest.
const RECENCY: f64 = 0.08;
/// Sentences that score less than this share of the best are not even compared.
const COMPARED_SHARE: f64 = 0.1;
/// How much a run of the question's words counts that stand together.
const TOGETHER: f64 = 0.25;

/// Ranks what the sources say on a question.
pub(super) fn rank<'a>(sources: &'a [EvidenceSource<'a>], question: &Question) -> Ranking<'a> {
    let gathered = Gathered::of(sources, question);
    let missing = (0..question.terms)
        .filter(|term| gathered.held.get(*term).is_none_or(|held| *held == 0))
        .collect();
    let scale = Scale::of(&gathered, Ages::of(sources));
    let parts =
        question.parts.iter().map(|part| scale.part(&gathered.candidates, part, &question.text));
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
struct Scale<'g> {
    rarity: Vec<f64>,
    mean_words: f64,
    ages: Ages,
    /// Terms that each source holds, by its number.
    known: &'g BTreeMap<usize, BTreeSet<usize>>,
}

/// When sources were published, as far as they say it so that it can be read.
struct Ages {
    /// By the number of a source.
    dates: BTreeMap<usize, Published>,
    /// Each once, oldest first.
    order: Vec<Published>,
}

impl Ages {
    fn of(sources: &[EvidenceSource<'_>]) -> Self {
        let date = |source: &EvidenceSource<'_>| Some((source.n, Published::parse(source.date?)?));
        let dates: BTreeMap<usize, Published> = sources.iter().filter_map(date).gather();
        let order: BTreeSet<Published> = dates.values().copied().gather();
        Ages { dates, order: order.into_iter().collect() }
    }

    /// When a source was published.
    fn date(&self, source: &EvidenceSource<'_>) -> Option<Published> {
        self.dates.get(&source.n).copied()
    }

    /// How new a source is among them, 0 to 1.
    #[expect(clippy::cast_precision_loss, reason = "counts of sources stay small")]
    fn share(&self, source: &EvidenceSource<'_>) -> f64 {
        let older = self.date(source).and_then(|date| self.order.binary_search(&date).ok());
        older.map_or(0.0, |older| older as f64 / (self.order.len().max(2) - 1) as f64)
    }
}

/// A candidate with what it counts for a part.
struct Scored<'c, 'a> {
    candidate: &'c Candidate<'a>,
    score: f64,
    coverage: f64,
    about: f64,
    is_reply: bool,
}

impl<'g> Scale<'g> {
    #[expect(clippy::cast_precision_loss, reason = "counts of words stay small")]
    fn of(gathered: &'g Gathered<'_, '_>, ages: Ages) -> Self {
        let total = gathered.sentences.max(1) as f64;
        let rarity = gathered.held.iter().map(|held| {
            let held = *held as f64;
            (1.0 + (total - held + 0.5) / (held + 0.5)).ln()
        });
        Scale {
            rarity: rarity.collect(),
            mean_words: (gathered.words as f64 / total).max(1.0),
            ages,
            known: &gathered.known,
        }
    }

    fn part<'a>(&self, candidates: &[Candidate<'a>], part: &Part, question: &str) -> PartFound<'a> {
        let mut scored: Vec<Scored<'_, 'a>> =
            candidates.iter().filter_map(|candidate| self.scored(candidate, part)).collect();
        self.best_first(&mut scored);
        let best = scored.first().map_or(0.0, |best| best.score);
        scored.retain(|each| each.score >= best * COMPARED_SHARE);
        let mut quotations: Vec<Quotation<'a>> = shortlist(scored, question)
            .into_iter()
            .map(|each| self.quotation(&each, part))
            .collect();
        trust::agree(&mut quotations);
        let date = |quotation: &Quotation<'_>| self.ages.date(quotation.source);
        order::sort_by(&mut quotations, |one, other| {
            let by_score = other.score.total_cmp(&one.score);
            let by_date = by_score.then_with(|| date(other).cmp(&date(one)));
            by_date.then_with(|| years::of_row(&other.text).cmp(&years::of_row(&one.text)))
        });
        let mut quotations = alike::folded(quotations);
        // One that answers leads before one that only counts a little more, or that cannot answer.
        let answering = answering::answering(&quotations, part);
        let is_answered = answering.is_some();
        if let Some(before) = answering.and_then(|place| quotations.get_mut(..=place)) {
            before.rotate_right(1);
        }
        let mut found = PartFound { quotations, is_answered, verdict: None };
        found.let_newer_lead(part);
        found.let_verdict_lead(part);
        // What is so of some alone is quoted, and no figure of it shown by itself.
        if let Some(first) = found.quotations.first_mut().filter(|first| first.is_restricted) {
            first.span = None;
        }
        found
    }

    /// What its words count; none where it holds none of the part's.
    #[expect(clippy::cast_precision_loss, reason = "counts of words stay small")]
    fn scored<'c, 'a>(&self, candidate: &'c Candidate<'a>, part: &Part) -> Option<Scored<'c, 'a>> {
        let length = 1.0 - B + B * candidate.words as f64 / self.mean_words;
        let saturated = |weight: f64| weight * (K1 + 1.0) / (weight + K1 * length);
        let aside = |weight: f64| weight * (K1 + 1.0) / (weight + K1);
        let (from_above, from_before) = match candidate.leaning {
            Leaning::Little => (0.8, 0.15),
            Leaning::Some => (0.9, 0.25),
            Leaning::Much => (1.0, 0.5),
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
            let above = candidate.above.get(term).copied();
            let above = above.unwrap_or_else(|| years::of_its_date(candidate, part, *term));
            let (counts, covers) = if let Some(strength) = inside.get(term) {
                (saturated(strength + from_above * above / 2.0), strength.min(1.0))
            } else if above > 0.0 {
                // What stands above is there however long the sentence is.
                (aside(from_above * above), above.min(1.0) * 0.8)
            } else if candidate.before.contains(term) {
                (aside(from_before), 0.5)
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
        let is_reply = candidate.replies && overhead > all / 2.0;
        let reply = if is_reply { REPLY } else { 1.0 };
        let score = sum / all * together * reply * self.form(candidate) * self.age(candidate);
        let share = |(said, all): (f64, f64)| if all > 0.0 { said / all } else { 1.0 };
        // A part of one word leans on the others.
        let own = if part.sequence.len() > 1 { share(own) } else { 1.0 };
        let coverage = (covered / all).min(own);
        Some(Scored { candidate, score, coverage, about: share(about), is_reply })
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

    /// What the sentence's form is worth.
    fn form(&self, candidate: &Candidate<'_>) -> f64 {
        let text = candidate.text();
        let ends = |c: char| matches!(c, '.' | '…' | '”' | '"' | ')' | ':') || ends_sentence(c);
        match text.chars().next_back() {
            Some('?' | '？' | '؟') => ASKING,
            Some(last) if ends(last) => 1.0,
            _ => FRAGMENT,
        }
    }

    fn age(&self, candidate: &Candidate<'_>) -> f64 {
        1.0 + RECENCY * self.ages.share(candidate.source)
    }

    /// The best first, and of those that count the same the newest.
    fn best_first(&self, scored: &mut [Scored<'_, '_>]) {
        let date = |scored: &Scored<'_, '_>| self.ages.date(scored.candidate.source);
        order::sort_by(scored, |one, other| {
            other.score.total_cmp(&one.score).then_with(|| date(other).cmp(&date(one)))
        });
    }

    /// Looks closely at a sentence.
    fn quotation<'a>(&self, scored: &Scored<'_, 'a>, part: &Part) -> Quotation<'a> {
        let Scored { candidate, score, coverage, about, is_reply } = scored;
        let text = candidate.text();
        let told = Told::of(candidate, part, &self.rarity);
        let row = match (candidate.is_in_table(), told.is_fitting_row) {
            (false, _) => 1.0,
            (true, true) if part.kind != Kind::Person => FITTING_ROW / FRAGMENT,
            (true, _) => ROW / FRAGMENT,
        };
        let of_kind = if told.fit == Fit::Strong { self.unsaid(candidate, part) } else { 0.0 };
        let stems = words::stems(text);
        let known = self.known.get(&candidate.source.n);
        let (fit, held) = (told.fit, told.held);
        let is_of_others = told.is_of_others;
        let offered = Offered { fit, is_reply: *is_reply, held, is_of_others, known };
        let chosen = near::nearest(candidate, told.spans, part, &self.rarity);
        let near = chosen.as_ref().map_or(1.0, |chosen| chosen.worth());
        let unit = chosen.as_ref().and_then(|it| columns::unit(candidate, &it.span, part));
        let place = candidate.polar_place();
        let said = part.polar.as_ref().map(|asked| polar::said(asked, text, &place));
        Quotation {
            source: candidate.source,
            said: said.unwrap_or_default(),
            pieces: candidate.pieces(),
            text: text.to_owned(),
            score: (score + of_kind * about)
                * if *about < ASTRAY { STRAY } else { 1.0 }
                * fit.worth(part.kind)
                * told.worth
                * row
                * trust::of_source(candidate.source)
                * trust::of_words(text, trust::asks_for_guess(&part.asked))
                * near
                * if chosen.is_some() { 1.0 } else { news(candidate, &stems, part.kind) },
            stems,
            coverage: coverage + of_kind * about,
            is_reply: *is_reply,
            is_said: is_said(candidate, part),
            about: *about,
            fit,
            apart: answering::apart(candidate, part, &offered),
            is_tied: answering::is_tied(candidate, part),
            is_restricted: answering::is_restricted(candidate, part),
            span: chosen
                .filter(|chosen| told.is_shown && chosen.is_plain(part.kind))
                .map(|chosen| chosen.span),
            unit: unit.map(str::to_owned),
            is_figure: part.kind.is_figure(),
            place: candidate.place,
            also: Vec::new(),
        }
    }
}

/// Whether a sentence holds a word of the part, or replies to a heading that asks the same.
fn is_said(candidate: &Candidate<'_>, part: &Part) -> bool {
    candidate.inside.iter().any(|hit| part.weights.contains_key(&hit.term)) || candidate.replies
}

/// What a sentence counts for saying more than the question does; a yes is enough.
fn news(candidate: &Candidate<'_>, stems: &[String], kind: Kind) -> f64 {
    if kind.is_strict() || kind == Kind::Polar {
        return 1.0;
    }
    let asked: BTreeSet<usize> = candidate.inside.iter().map(|hit| hit.place).gather();
    match stems.len().saturating_sub(asked.len()) {
        0 | 1 => 0.7,
        2 => 0.85,
        _ => 1.0,
    }
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

/// The best candidates, not too many of one source, and none that speaks to machines.
fn shortlist<'c, 'a>(ranked: Vec<Scored<'c, 'a>>, question: &str) -> Vec<Scored<'c, 'a>> {
    let mut of_source: BTreeMap<usize, usize> = BTreeMap::new();
    let mut kept = Vec::new();
    for each in ranked {
        let count = of_source.entry(each.candidate.source.n).or_default();
        // One sentence that speaks to the reader spoils its paragraph: what follows it usually
        // says what the reader is to do.
        if *count >= COMPARED_OF_ONE || each.candidate.speaks_to_machines(question) {
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
