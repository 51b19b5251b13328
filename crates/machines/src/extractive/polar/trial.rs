//! Whether a clause is about what a question is about.
//!
//! Border: a reading of a question, cut where what is said of its subject begins, and a clause with what
//! stands around it in; whether both name the same out. Another word beside the name is another thing.

use super::asked::Reading;
use super::clause::{Clause, Sentence};
use super::words;
use std::collections::BTreeSet;
use std::ops::Range;

/// Sentences before this one in which a pronoun's meaning is looked for.
const LOOKED_BACK: usize = 3;

/// What stands around a sentence.
#[derive(Debug, Clone, Default)]
pub(super) struct Setting<'s> {
    /// Roots of its title and headings.
    pub above: BTreeSet<String>,
    /// What stands before it in its paragraph.
    pub before: &'s str,
}

/// What is tried: a sentence, one of its clauses, and a question cut in two.
#[derive(Clone, Copy)]
pub(super) struct Trial<'t> {
    pub reading: &'t Reading,
    pub sentence: &'t Sentence<'t>,
    pub clause: &'t Clause,
    pub setting: &'t Setting<'t>,
    /// Where in the question that begins which is said of its subject.
    pub split: usize,
}

impl<'t> Trial<'t> {
    /// Content words of the question between two places.
    pub(super) fn asked(&self, part: Range<usize>) -> impl Iterator<Item = usize> + use<'t> {
        let said = &self.reading.said;
        part.filter(move |at| said.is_content(*at))
    }

    pub(super) fn count(&self) -> usize {
        self.reading.said.tokens.len()
    }

    /// Whether the question is for whoever reads: `Can I …?`
    pub(super) fn is_for_anyone(&self) -> bool {
        let mut words = 0..self.split;
        self.split > 0 && words.all(|at| words::is_anyone(self.reading.said.word(at)))
    }

    pub(super) fn is_asked_now(&self) -> bool {
        self.reading.is_now()
    }

    pub(super) fn is_above(&self, at: usize) -> bool {
        self.setting.above.contains(self.reading.said.root(at))
    }

    /// Whether these words are about what the question is about.
    pub(super) fn is_about(&self, region: Range<usize>) -> bool {
        if self.is_for_anyone() {
            let is_anyone = |at: usize| words::is_anyone(self.sentence.word(at));
            let mut said = region.clone().filter(|at| self.sentence.is_content(*at));
            return said.all(is_anyone) && region.into_iter().any(is_anyone);
        }
        let subject: Vec<usize> = self.asked(0..self.split).collect();
        self.names(self.sentence, region, self.clause, &subject)
    }

    /// Whether these words of a sentence name what these words of the question name.
    pub(super) fn names(
        &self,
        sentence: &Sentence<'_>,
        region: Range<usize>,
        clause: &Clause,
        subject: &[usize],
    ) -> bool {
        let Some(head) = self.head(subject) else { return false };
        let Some(region) = self.without_front(sentence, region) else { return false };
        let telling: Vec<usize> =
            region.clone().filter(|at| !words::is_filler(sentence.word(*at))).collect();
        let is_bare = |is_it: fn(&str) -> bool| {
            !telling.is_empty() && telling.iter().all(|at| is_it(sentence.word(*at)))
        };
        if is_bare(words::is_pronoun) {
            return self.is_meant(sentence, clause, subject);
        }
        if clause.is_relative && is_bare(words::is_relative) {
            return self.is_right_before(sentence, clause.range.start, subject);
        }
        let is_asked = |root: &str| subject.iter().any(|at| self.reading.said.root(*at) == root);
        let is_known = |at: &usize| {
            !sentence.is_content(*at)
                || is_asked(sentence.root(*at))
                || self.setting.above.contains(sentence.root(*at))
        };
        let is_said =
            |at: usize| region.clone().any(|it| sentence.root(it) == self.reading.said.root(at));
        let ends = |at: &usize| words::is_preposition(sentence.word(*at)) && *at > region.start;
        let end = region.clone().find(ends).unwrap_or(region.end);
        let own_head = (region.start..end).rfind(|at| sentence.is_content(*at));
        telling.iter().all(is_known)
            && own_head.is_some_and(|at| sentence.root(at) == self.reading.said.root(head))
            && subject.iter().all(|at| is_said(*at) || self.is_above(*at))
    }

    /// A region without `In 2023` before what the clause is about; none where that cannot be told, or where
    /// it says when something is so that is asked for now.
    fn without_front(&self, sentence: &Sentence<'_>, region: Range<usize>) -> Option<Range<usize>> {
        let opens = sentence.word(region.start);
        let is_rough = matches!(opens, "about" | "around" | "over");
        if region.is_empty() || !words::is_preposition(opens) || is_rough {
            return Some(region);
        }
        let begins = |at: &usize| {
            let word = sentence.word(*at);
            words::is_determiner(word) || words::is_pronoun(word)
        };
        let begin = (region.start + 2..region.end).find(begins)?;
        (!self.is_asked_now()).then_some(begin..region.end)
    }

    /// The word that says what kind of thing the subject is: `extension` of `the extension of the library`.
    pub(super) fn head(&self, subject: &[usize]) -> Option<usize> {
        let said = &self.reading.said;
        let (first, last) = (*subject.first()?, *subject.last()?);
        let ends = |at: &usize| words::is_preposition(said.word(*at));
        let end = (first..=last).find(ends).unwrap_or(last + 1);
        subject.iter().copied().rfind(|at| *at < end)
    }

    /// Whether a pronoun stands for what the question is about: what the sentence began with, or the one before
    /// it; at the beginning of a paragraph, what stands above it.
    fn is_meant(&self, sentence: &Sentence<'_>, clause: &Clause, subject: &[usize]) -> bool {
        let mut earlier = sentence.clauses.iter().filter(|it| {
            it.range.start < clause.range.start
                && !it.subject.is_empty()
                && it.range.end > it.subject.end
                && it.subject != clause.subject
        });
        if let Some(first) = earlier.next() {
            return self.names(sentence, first.subject.clone(), first, subject);
        }
        if sentence.text != self.sentence.text {
            return false;
        }
        let ranges = quarry_evidence::text::sentences(self.setting.before);
        for range in ranges.into_iter().rev().take(LOOKED_BACK) {
            let text = self.setting.before.get(range).unwrap_or_default();
            let before = Sentence::new(text);
            let Some(first) = before.clauses.first() else { return false };
            let is_pronoun =
                first.subject.len() == 1 && words::is_pronoun(before.word(first.subject.start));
            if !is_pronoun {
                let has_verb = first.range.end > first.subject.end;
                return has_verb && self.names(&before, first.subject.clone(), first, subject);
            }
        }
        // All of the paragraph so far is about `it`, or nothing stands before it.
        subject.iter().all(|at| self.is_above(*at))
    }

    /// `the tunnel, which …`
    fn is_right_before(&self, sentence: &Sentence<'_>, at: usize, subject: &[usize]) -> bool {
        let Some(head) = self.head(subject) else { return false };
        let is_head = at
            .checked_sub(1)
            .is_some_and(|before| sentence.root(before) == self.reading.said.root(head));
        let is_said =
            |asked: usize| (0..at).any(|it| sentence.root(it) == self.reading.said.root(asked));
        is_head && subject.iter().all(|at| is_said(*at) || self.is_above(*at))
    }
}
