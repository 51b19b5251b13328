//! Which sentences of the sources speak to the question.
//!
//! Border: sources and a question in, quotations out, best first; and where they disagree.

mod disagree;

pub(super) use disagree::{Disagreement, disagreements};

use super::evidence::Source;
use super::question::{Question, Term};
use super::words;
use std::collections::BTreeSet;

/// A sentence of a source, as it stands there.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Passage<'a> {
    pub source: &'a Source,
    pub text: String,
    pub stems: Vec<String>,
    pub score: f64,
    /// Other sources that say nearly the same.
    pub also: Vec<&'a Source>,
}

/// Words that a quotation has at least.
const LEAST_WORDS: usize = 4;
/// Characters that a quotation has at most; what is longer is no sentence but a heap of text.
const MOST_CHARACTERS: usize = 600;
/// Saturation and length normalisation, the usual values of BM25.
const K1: f64 = 1.2;
const B: f64 = 0.75;
/// What a word in the title or heading above counts, against one in the sentence.
const CONTEXT_WEIGHT: f64 = 0.4;
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

/// The passages that speak to the question, best first, near-duplicates folded.
pub(super) fn passages<'a>(sources: &'a [Source], question: &Question) -> Vec<Passage<'a>> {
    let candidates: Vec<(Passage<'a>, Vec<String>)> =
        sources.iter().flat_map(sentences_of).collect();
    let mut ranked = scored(candidates, sources, question);
    ranked.sort_by(|one, other| {
        other.score.total_cmp(&one.score).then_with(|| other.source.date.cmp(&one.source.date))
    });
    let best = ranked.first().map_or(0.0, |passage| passage.score);
    ranked.retain(|passage| passage.score > 0.0 && passage.score >= best * COMPARED_SHARE);
    folded(ranked)
}

/// How many of the ranked passages are good enough to be quoted.
pub(super) fn quotable(passages: &[Passage<'_>]) -> usize {
    let best = passages.first().map_or(0.0, |passage| passage.score);
    passages.iter().take_while(|passage| passage.score >= best * QUOTED_SHARE).count()
}

/// The sentences of a source, with the stems of what stands above them.
fn sentences_of(source: &Source) -> Vec<(Passage<'_>, Vec<String>)> {
    let body = if source.text.trim().is_empty() { &source.description } else { &source.text };
    let title = words::stems(&source.title);
    let mut heading: Vec<String> = Vec::new();
    let mut found = Vec::new();
    for line in body.lines() {
        let line = plain(line);
        if let Some(text) = line.strip_prefix('#') {
            heading = words::stems(text);
            continue;
        }
        // A row of a table is quoted without its outer bars.
        let line =
            line.trim_start_matches(['-', '*', '>', '•', '|', ' ']).trim_end_matches(['|', ' ']);
        // One sentence that speaks to the reader spoils its paragraph: what follows it usually
        // says what the reader is to do.
        if speaks_to_machines(line) {
            continue;
        }
        for sentence in words::sentences(line) {
            let count = sentence.split_whitespace().count();
            if count < LEAST_WORDS || sentence.chars().count() > MOST_CHARACTERS {
                continue;
            }
            let stems = words::stems(sentence);
            let above = title.iter().chain(&heading).cloned().collect();
            let text = sentence.to_owned();
            found.push((Passage { source, text, stems, score: 0.0, also: Vec::new() }, above));
        }
    }
    found
}

/// A line of Markdown without its marks: links become their words, pictures go.
fn plain(line: &str) -> String {
    let mut out = String::new();
    let mut rest = line.trim();
    while let Some(open) = rest.find('[') {
        let link = rest.get(open + 1..).and_then(|after| {
            let (words, target) = after.split_once("](")?;
            let (_, tail) = target.split_once(')')?;
            (!words.contains('[')).then_some((words, tail))
        });
        let before = rest.get(..open).unwrap_or_default();
        match link {
            Some((words, tail)) => {
                let picture = before.ends_with('!');
                out.push_str(before.strip_suffix('!').unwrap_or(before));
                if !picture {
                    out.push_str(words);
                }
                rest = tail;
            }
            None => {
                out.push_str(before);
                out.push('[');
                rest = rest.get(open + 1..).unwrap_or_default();
            }
        }
    }
    out.push_str(rest);
    out.replace("**", "").replace("__", "").replace('`', "")
}

/// Whether a text gives orders to a program or its reader instead of saying something.
fn speaks_to_machines(text: &str) -> bool {
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
    let lower = text.to_lowercase().replace(['’', '\u{ad}', '\u{200b}'], "");
    SIGNS.iter().any(|sign| lower.contains(sign))
}

#[expect(clippy::cast_precision_loss, reason = "counts of words stay small")]
fn scored<'a>(
    candidates: Vec<(Passage<'a>, Vec<String>)>,
    sources: &[Source],
    question: &Question,
) -> Vec<Passage<'a>> {
    let total = candidates.len().max(1) as f64;
    let words: usize = candidates.iter().map(|(passage, _)| passage.stems.len()).sum();
    let mean = (words as f64 / total).max(1.0);
    let rarity = |term: &Term| {
        // A word of a title is no rarer for standing only there.
        let holds = |(passage, above): &&(Passage<'_>, Vec<String>)| {
            term.is_among(&passage.stems) || term.is_among(above)
        };
        let held = candidates.iter().filter(holds).count() as f64;
        (1.0 + (total - held + 0.5) / (held + 0.5)).ln()
    };
    let terms: Vec<(&Term, f64)> = question.terms.iter().map(|term| (term, rarity(term))).collect();
    let dates: BTreeSet<&str> =
        sources.iter().filter_map(|source| source.date.as_deref()).collect();
    let score = |passage: &Passage<'_>, above: &[String]| -> f64 {
        let length = 1.0 - B + B * passage.stems.len() as f64 / mean;
        let mut inside = false;
        let sum: f64 = terms
            .iter()
            .map(|(term, rarity)| {
                let count = passage.stems.iter().filter(|stem| term.is(stem)).count() as f64;
                inside |= count > 0.0;
                let above = if term.is_among(above) { CONTEXT_WEIGHT } else { 0.0 };
                let weight = count.max(above);
                rarity * weight * (K1 + 1.0) / (weight + K1 * length)
            })
            .sum();
        if !inside {
            return 0.0;
        }
        let has_figure = passage.text.chars().any(|c| c.is_ascii_digit());
        let figure = if question.wants_figure() && has_figure { 1.25 } else { 1.0 };
        let newer = passage.source.date.as_deref().map_or(0.0, |date| {
            let older = dates.iter().filter(|other| **other < date).count() as f64;
            older / (dates.len().max(2) - 1) as f64
        });
        let ends = |c: char| matches!(c, '.' | '!' | '?' | '…' | '。' | '”' | '"');
        let whole = if passage.text.ends_with(ends) { 1.0 } else { FRAGMENT };
        sum * figure * whole * (1.0 + RECENCY * newer)
    };
    candidates
        .into_iter()
        .map(|(mut passage, above)| {
            passage.score = score(&passage, &above);
            passage
        })
        .collect()
}

fn folded(ranked: Vec<Passage<'_>>) -> Vec<Passage<'_>> {
    let mut kept: Vec<Passage<'_>> = Vec::new();
    for passage in ranked {
        match kept.iter_mut().find(|known| same(&known.stems, &passage.stems)) {
            Some(known) => {
                let is_known = known.source.url == passage.source.url
                    || known.also.iter().any(|also| also.url == passage.source.url);
                if !is_known {
                    known.also.push(passage.source);
                }
            }
            None => kept.push(passage),
        }
    }
    kept
}

/// Whether two sentences say nearly the same. Other figures are another statement.
#[expect(clippy::cast_precision_loss, reason = "counts of words stay small")]
fn same(one: &[String], other: &[String]) -> bool {
    let is_figure = |stem: &&String| stem.chars().any(|c| c.is_ascii_digit());
    let figures = |stems: &[String]| -> BTreeSet<String> {
        stems.iter().filter(is_figure).cloned().collect()
    };
    if figures(one) != figures(other) {
        return false;
    }
    let one: BTreeSet<&String> = one.iter().collect();
    let other: BTreeSet<&String> = other.iter().collect();
    let shared = one.intersection(&other).count() as f64;
    let all = one.union(&other).count().max(1) as f64;
    shared / all > SAME
}
