//! The ranking by itself, for whoever measures it: what an answer is made of, before it is written.
//!
//! Border: a question and sources in, sentences out, best first.

use super::EvidenceSource;
use super::question::Question;
use super::rank::rank;

/// What the sources say on one part of a question.
#[derive(Debug, Clone, PartialEq)]
pub struct PartRanking<'a> {
    /// The part, as it was asked.
    pub question: String,
    /// Whether the first sentence is taken for an answer.
    pub is_answered: bool,
    /// The sentences, best first.
    pub sentences: Vec<RankedSentence<'a>>,
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
}

/// Ranks the sentences of sources for each part of a question: the very ranking that an answer shows.
#[must_use]
pub fn ranking<'a>(query: &str, sources: &'a [EvidenceSource<'a>]) -> Vec<PartRanking<'a>> {
    let question = Question::new(query);
    let ranking = rank(sources, &question);
    let parts = question.parts.iter().zip(ranking.parts);
    parts
        .map(|(part, found)| {
            let sentences = found.quotations.into_iter().map(|quotation| RankedSentence {
                text: quotation.text,
                source: quotation.source,
                score: quotation.score,
            });
            PartRanking {
                question: part.text.clone(),
                is_answered: found.is_answered,
                sentences: sentences.collect(),
            }
        })
        .collect()
}
