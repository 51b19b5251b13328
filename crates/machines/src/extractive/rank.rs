//! Which sentences of the sources speak to the question.
//!
//! Border: sources and a question in, quotations out, best first. Every quotation is cut from its
//! source byte for byte. The work grows with the evidence, not with its square: what is compared
//! in pairs is a bounded number of the best.

use super::EvidenceSource;
use super::marks::Line;
use super::question::Question;
use super::words;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

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
    /// Other sources that say nearly the same.
    pub also: Vec<&'a EvidenceSource<'a>>,
}

/// What was found for a question.
#[derive(Debug)]
pub(super) struct Ranking<'a> {
    /// Best first, near-duplicates folded.
    pub quotations: Vec<Quotation<'a>>,
    /// Terms of the question, by number, that no sentence of any source speaks of, nor the
    /// heading or title above one.
    pub missing: BTreeSet<usize>,
}

/// Words that a quotation has at least.
const LEAST_WORDS: usize = 4;
/// Characters that a quotation has at most; what is longer is no sentence but a heap of text.
const MOST_CHARACTERS: usize = 600;
/// Bytes of a title or heading that are read.
const HEADING_BYTES: usize = 1_000;
/// Passages of one source, and of all, that are compared with each other.
const COMPARED_OF_ONE: usize = 24;
const COMPARED_OF_ALL: usize = 240;
/// Saturation and length normalisation, the usual values of BM25.
const K1: f64 = 1.2;
const B: f64 = 0.75;
/// What a word in the title or heading above counts, against one in the sentence.
const CONTEXT_WEIGHT: f64 = 0.4;
/// What a sentence with a figure counts where a figure is asked for.
const FIGURE: f64 = 1.25;
/// What a line counts that does not end as sentences do: an entry of a list, a caption.
const FRAGMENT: f64 = 0.6;
/// How much the newest source is preferred to the oldest.
const RECENCY: f64 = 0.15;
/// Sentences that score less than this share of the best are not quoted.
const QUOTED_SHARE: f64 = 0.3;
/// Sentences that score less than this share of the best are not even compared.
const COMPARED_SHARE: f64 = 0.1;
/// Shared words, of all words of both, above which two sentences say the same.
const SAME: f64 = 0.7;

/// Ranks what the sources say on a question.
pub(super) fn rank<'a>(sources: &'a [EvidenceSource<'a>], question: &Question) -> Ranking<'a> {
    let gathered = Gathered::of(sources, question);
    let missing = (0..question.terms)
        .filter(|term| gathered.held.get(*term).is_none_or(|held| *held == 0))
        .collect();
    let mut ranked = gathered.scored(sources, question);
    ranked.sort_by(|one, other| {
        other.score.total_cmp(&one.score).then_with(|| other.source.date.cmp(&one.source.date))
    });
    let best = ranked.first().map_or(0.0, |candidate| candidate.score);
    ranked.retain(|candidate| candidate.score > 0.0 && candidate.score >= best * COMPARED_SHARE);
    Ranking { quotations: folded(shortlist(ranked)), missing }
}

/// How many of the ranked quotations are good enough to be quoted.
pub(super) fn quotable(quotations: &[Quotation<'_>]) -> usize {
    let best = quotations.first().map_or(0.0, |quotation| quotation.score);
    quotations.iter().take_while(|quotation| quotation.score >= best * QUOTED_SHARE).count()
}

/// A sentence that holds a term of the question.
struct Candidate<'a> {
    source: &'a EvidenceSource<'a>,
    pieces: Vec<&'a str>,
    text: String,
    /// How many of its words matter.
    words: usize,
    /// How often it holds which term.
    inside: BTreeMap<usize, usize>,
    /// Terms that the title and the heading above it hold.
    above: Rc<BTreeSet<usize>>,
    score: f64,
}

/// All sentences of the sources, counted; those that hold a term, kept.
struct Gathered<'a> {
    candidates: Vec<Candidate<'a>>,
    sentences: usize,
    words: usize,
    /// Sentences that hold each term, in themselves or above them.
    held: Vec<usize>,
}

impl<'a> Gathered<'a> {
    fn of(sources: &'a [EvidenceSource<'a>], question: &Question) -> Self {
        let held = vec![0; question.terms];
        let mut gathered = Gathered { candidates: Vec::new(), sentences: 0, words: 0, held };
        // What was read says more than what was only found.
        let (read, found): (Vec<_>, Vec<_>) = sources.iter().partition(|source| source.was_read());
        for source in read.into_iter().chain(found) {
            gathered.read(source, question);
        }
        gathered
    }

    fn read(&mut self, source: &'a EvidenceSource<'a>, question: &Question) {
        let title = question.all_hits(beginning(source.title));
        if !source.passages.is_empty() {
            self.read_passages(source, &title, question);
            return;
        }
        let mut above = Rc::new(title.clone());
        for line in lines(source.body()) {
            match line.shown().strip_prefix('#') {
                Some(heading) => above = below(&title, [heading], question),
                None => self.read_line(source, &line, &above, question),
            }
        }
    }

    fn read_passages(
        &mut self,
        source: &'a EvidenceSource<'a>,
        title: &BTreeSet<usize>,
        question: &Question,
    ) {
        let mut above = (Rc::new(title.clone()), [].as_slice());
        for passage in source.passages {
            if above.1 != passage.headings.as_slice() {
                let headings = passage.headings.iter().map(String::as_str);
                above = (below(title, headings, question), &passage.headings);
            }
            for line in lines(&passage.text) {
                self.read_line(source, &line, &above.0, question);
            }
        }
    }

    fn read_line(
        &mut self,
        source: &'a EvidenceSource<'a>,
        line: &Line<'a>,
        above: &Rc<BTreeSet<usize>>,
        question: &Question,
    ) {
        let shown = line.shown();
        // One sentence that speaks to the reader spoils its paragraph: what follows it usually
        // says what the reader is to do.
        if speaks_to_machines(shown) {
            return;
        }
        // A row of a table is quoted without its outer bars.
        let inner = shown.trim_start_matches(['-', '*', '>', '•', '|', ' ']);
        let start = shown.len() - inner.len();
        let inner = inner.trim_end_matches(['|', ' ']);
        for sentence in words::sentences(inner) {
            let text = inner.get(sentence.clone()).unwrap_or_default();
            // The bars of a table count, whether they are drawn or tabs stand for them.
            let words = text.split_whitespace().count() + text.matches('\t').count();
            let is_short = words < LEAST_WORDS;
            if is_short || text.chars().count() > MOST_CHARACTERS {
                continue;
            }
            let stems = words::stems(text);
            let mut inside: BTreeMap<usize, usize> = BTreeMap::new();
            for term in stems.iter().flat_map(|stem| question.hits(stem)) {
                *inside.entry(*term).or_default() += 1;
            }
            self.count(stems.len(), &inside, above);
            if !inside.is_empty() {
                self.candidates.push(Candidate {
                    source,
                    pieces: line.cut(&(start + sentence.start..start + sentence.end)),
                    text: text.to_owned(),
                    words: stems.len(),
                    inside,
                    above: Rc::clone(above),
                    score: 0.0,
                });
            }
        }
    }

    /// A word of a title is no rarer for standing only there.
    fn count(&mut self, words: usize, inside: &BTreeMap<usize, usize>, above: &BTreeSet<usize>) {
        self.sentences += 1;
        self.words += words;
        let above = above.iter().filter(|term| !inside.contains_key(term));
        for term in inside.keys().chain(above) {
            if let Some(held) = self.held.get_mut(*term) {
                *held += 1;
            }
        }
    }

    #[expect(clippy::cast_precision_loss, reason = "counts of words stay small")]
    fn scored(self, sources: &[EvidenceSource<'_>], question: &Question) -> Vec<Candidate<'a>> {
        let total = self.sentences.max(1) as f64;
        let mean = (self.words as f64 / total).max(1.0);
        let rarity: Vec<f64> = self
            .held
            .iter()
            .map(|held| (1.0 + (total - *held as f64 + 0.5) / (*held as f64 + 0.5)).ln())
            .collect();
        let dates: BTreeSet<&str> = sources.iter().filter_map(|source| source.date).collect();
        let dates: Vec<&str> = dates.into_iter().collect();
        let wants_figure = question.wants_figure();
        let mut candidates = self.candidates;
        for candidate in &mut candidates {
            let length = 1.0 - B + B * candidate.words as f64 / mean;
            let saturated = |weight: f64| weight * (K1 + 1.0) / (weight + K1 * length);
            let sum: f64 = candidate
                .weights()
                .iter()
                .map(|(term, weight)| rarity.get(*term).unwrap_or(&0.0) * saturated(*weight))
                .sum();
            let older = candidate
                .source
                .date
                .and_then(|date| dates.binary_search(&date).ok())
                .map_or(0.0, |older| older as f64 / (dates.len().max(2) - 1) as f64);
            candidate.score = sum * candidate.form(wants_figure) * (1.0 + RECENCY * older);
        }
        candidates
    }
}

impl Candidate<'_> {
    /// What each term counts that the sentence or what stands above it holds.
    #[expect(clippy::cast_precision_loss, reason = "counts of words stay small")]
    fn weights(&self) -> BTreeMap<usize, f64> {
        let above = self.above.iter().map(|term| (*term, CONTEXT_WEIGHT));
        let inside = self.inside.iter().map(|(term, count)| (*term, *count as f64));
        above.chain(inside).collect()
    }

    /// What the sentence's form is worth.
    fn form(&self, wants_figure: bool) -> f64 {
        let has_figure = self.text.chars().any(|c| c.is_ascii_digit());
        let figure = if wants_figure && has_figure { FIGURE } else { 1.0 };
        let ends = |c: char| matches!(c, '.' | '!' | '?' | '…' | '。' | '”' | '"');
        figure * if self.text.ends_with(ends) { 1.0 } else { FRAGMENT }
    }
}

/// The best candidates, not too many of one source.
fn shortlist(ranked: Vec<Candidate<'_>>) -> Vec<Quotation<'_>> {
    let mut of_source: BTreeMap<usize, usize> = BTreeMap::new();
    ranked
        .into_iter()
        .filter(|candidate| {
            let count = of_source.entry(candidate.source.n).or_default();
            *count += 1;
            *count <= COMPARED_OF_ONE
        })
        .take(COMPARED_OF_ALL)
        .map(|Candidate { source, pieces, text, score, .. }| {
            let stems = words::stems(&text);
            Quotation { source, pieces, text, stems, score, also: Vec::new() }
        })
        .collect()
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

/// The lines of a text. A control sign ends one, too: no quotation carries it.
fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    let ends = |c: char| c.is_control() && c != '\t' || matches!(c, '\u{2028}' | '\u{2029}');
    text.split(ends).map(|line| Line::new(line.trim()))
}

/// Terms that a title or one of the headings below it holds.
fn below<'h>(
    title: &BTreeSet<usize>,
    headings: impl IntoIterator<Item = &'h str>,
    question: &Question,
) -> Rc<BTreeSet<usize>> {
    let headings = headings.into_iter();
    let hits = headings.flat_map(|heading| question.all_hits(beginning(heading)));
    Rc::new(hits.chain(title.iter().copied()).collect())
}

/// The first bytes of a title or heading, as whole characters.
fn beginning(text: &str) -> &str {
    text.get(..text.floor_char_boundary(HEADING_BYTES)).unwrap_or(text)
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
