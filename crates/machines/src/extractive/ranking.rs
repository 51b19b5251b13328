//! The ranking by itself, for whoever measures it: what an answer is made of, before it is written.
//!
//! Border: a question and sources in, sentences out, best first.

use super::EvidenceSource;
use super::answering::Apart;
use super::disagree::{disagreements, opposed};
use super::polar;
use super::question::Question;
use super::rank::{PartFound, Quotation, rank};

/// What the sources say on one part of a question.
#[derive(Debug, Clone, PartialEq)]
pub struct PartRanking<'a> {
    /// The part, as it was asked.
    pub question: String,
    /// Whether the first sentence is taken for an answer.
    pub is_answered: bool,
    /// Of a question for yes or no, what the sources say together: `yes`, `no`, `disagree`, or the one of two
    /// that was asked for.
    pub verdict: Option<String>,
    /// The sentences, best first.
    pub sentences: Vec<RankedSentence<'a>>,
    /// Those that answer with another figure than the first, each with a third that
    /// names both figures or may explain them.
    pub differing: Vec<(RankedSentence<'a>, Option<RankedSentence<'a>>)>,
}

/// A sentence and where it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct RankedSentence<'a> {
    /// As it stands in its source, but for marks of Markdown.
    pub text: String,
    /// Its source.
    pub source: &'a EvidenceSource<'a>,
    /// Higher is better; comparable within one part only.
    pub score: f64,
    /// Whether it states nothing, speaks of something else, or gives a figure of something else.
    pub is_aside: bool,
}

/// Ranks the sentences of sources for each part of a question: the very ranking that an answer shows.
#[must_use]
pub fn ranking<'a>(query: &str, sources: &'a [EvidenceSource<'a>]) -> Vec<PartRanking<'a>> {
    let question = Question::new(query);
    let ranking = rank(sources, &question);
    let parts = question.parts.iter().zip(ranking.parts);
    parts
        .map(|(part, found)| {
            let disagreements = disagreements(&found, part);
            let is_aside = |it: &Quotation<'_>| {
                let differs = disagreements.iter().any(|known| known.other.place == it.place);
                part.kind.is_figure() && gives_another(&found, it) && !differs
            };
            let sentences = found.quotations.iter().map(|it| {
                let ranked = ranked(it);
                RankedSentence { is_aside: ranked.is_aside || is_aside(it), ..ranked }
            });
            let sentences = sentences.collect();
            let differing = opposed(&found, part, disagreements).into_iter();
            let differing = differing.map(|it| (ranked(it.other), it.explained_by.map(ranked)));
            PartRanking {
                question: part.text.clone(),
                is_answered: found.is_answered,
                verdict: found.verdict.as_ref().map(polar::in_a_word),
                differing: differing.collect(),
                sentences,
            }
        })
        .collect()
}

fn ranked<'a>(quotation: &Quotation<'a>) -> RankedSentence<'a> {
    RankedSentence {
        text: quotation.text.clone(),
        source: quotation.source,
        score: quotation.score,
        is_aside: quotation.apart == Some(Apart::Elsewhere),
    }
}

/// Whether a quotation answers with other words than the best.
fn gives_another(found: &PartFound<'_>, quotation: &Quotation<'_>) -> bool {
    let first = found.quotations.first().and_then(Quotation::answer);
    let answers = first.zip(quotation.answer());
    answers.is_some_and(|(one, other)| one.to_lowercase() != other.to_lowercase())
}
