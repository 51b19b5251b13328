//! What an answer consists of, before anybody puts it into words.
//!
//! Border: a question and sources in; for each part of the question the sentence that leads, what supports it
//! and what says otherwise, out. Whoever shows it finds each sentence in its source again.

use super::EvidenceSource;
use super::alike::Also;
use super::answer::{Length, missing, parts};
use super::disagree::{explains, opposed};
use super::polar::{self, Verdict};
use super::question::Question;
use super::rank::{Quotation, rank};
use std::cmp::Ordering;

/// What sources say on one part of a question.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice<'a> {
    /// The part, as it was asked.
    pub question: String,
    /// The sentence that answers; none: no source says it.
    pub lead: Option<Chosen<'a>>,
    /// Sentences of other sources that give the same answer, one of each.
    pub agreeing: Vec<Chosen<'a>>,
    /// What supports it; without it, what comes nearest.
    pub support: Vec<Chosen<'a>>,
    /// What gives other figures.
    pub differing: Vec<Differing<'a>>,
    /// Words of the part that no source has.
    pub unmentioned: Vec<String>,
}

/// A sentence that was chosen.
#[derive(Debug, Clone, PartialEq)]
pub struct Chosen<'a> {
    /// As it stands in its source, but for marks of Markdown.
    pub text: String,
    /// The answer in a few words, where a rule can tell: a part of the text, behind it what its table counts in, or a
    /// verdict on a question for yes or no.
    pub answer: Option<String>,
    /// Its source.
    pub source: &'a EvidenceSource<'a>,
}

/// A sentence that answers with another figure.
#[derive(Debug, Clone, PartialEq)]
pub struct Differing<'a> {
    /// The sentence.
    pub other: Chosen<'a>,
    /// How old it is against the one that leads; none where one of them has no date.
    pub age: Option<Ordering>,
    /// What may explain it.
    pub explained_by: Option<Chosen<'a>>,
}

/// Chooses for each part of a question: the very sentences that an answer shows.
#[must_use]
pub fn choices<'a>(
    query: &str,
    sources: &'a [EvidenceSource<'a>],
    length: Length,
) -> Vec<Choice<'a>> {
    let question = Question::new(query);
    let ranking = rank(sources, &question);
    let missing = missing(&ranking.missing, &question);
    let shown = parts(&question, &ranking, length).into_iter().zip(&ranking.parts);
    shown
        .map(|(shown, found)| Choice {
            question: shown.part.text.clone(),
            lead: shown.lead.as_ref().map(|lead| led(lead.quotation, found.verdict.as_ref())),
            agreeing: shown.lead.iter().flat_map(|lead| &lead.agreeing).map(same).collect(),
            support: (shown.beside.iter().chain(&shown.support)).map(|it| chosen(it)).collect(),
            unmentioned: shown.unmentioned(&missing).cloned().collect(),
            differing: opposed(found, shown.part, shown.disagreements)
                .into_iter()
                .map(|each| Differing {
                    other: chosen(each.other),
                    age: each.age,
                    // Who only names both figures explains neither.
                    explained_by: each.explained_by.filter(|it| explains(&it.text)).map(chosen),
                })
                .collect(),
        })
        .collect()
}

/// The sentence that leads, with the verdict that it is given for.
fn led<'a>(quotation: &Quotation<'a>, verdict: Option<&Verdict>) -> Chosen<'a> {
    let chosen = chosen(quotation);
    Chosen { answer: verdict.map(polar::in_short).or(chosen.answer), ..chosen }
}

/// A sentence that gives the same answer, in whatever words.
fn same<'a>(also: &Also<'a>) -> Chosen<'a> {
    Chosen { text: also.text.clone(), answer: None, source: also.source }
}

fn chosen<'a>(quotation: &Quotation<'a>) -> Chosen<'a> {
    Chosen {
        text: quotation.text.clone(),
        answer: quotation.shown_answer(),
        source: quotation.source,
    }
}
