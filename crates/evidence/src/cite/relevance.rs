//! How well passages and their sources fit a question, by the words that they share: BM25.
//!
//! Border: sources and a question in, numbers out. Linear in the sources.

use super::known::{Listed, listed};
use crate::Source;
use crate::text::{is_stop_word, stem, tokens};
use quarry_types::order::Gather;
use std::collections::{BTreeMap, BTreeSet};

/// BM25's measures of how much a repeated word, and a long passage, count.
const REPEATED: f64 = 1.2;
const LONG: f64 = 0.5;
/// What the search said of a page counts for less than what the page says.
const UNREAD: f64 = 0.8;

/// How well each source fits a question, 0 to 1: by its best passage.
#[must_use]
pub fn relevance(sources: &[Source], question: &str) -> Vec<f64> {
    let wanted = wanted(question);
    let all: Vec<Listed<'_>> = listed(sources).collect();
    let counts = Counts::of(sources, &all, &wanted);
    let most: f64 = wanted.iter().map(|term| counts.rarity(term)).sum();
    let mut best = vec![0.0_f64; sources.len()];
    for (at, listed) in all.iter().enumerate() {
        if let Some(best) = best.get_mut(listed.source) {
            *best = best.max(counts.score(sources, listed, at));
        }
    }
    best.into_iter()
        .map(|score| if most > 0.0 { (score / most).clamp(0.0, 1.0) } else { 0.0 })
        .collect()
}

/// The stems of what a question is about.
pub(super) fn wanted(question: &str) -> BTreeSet<String> {
    let words = tokens(question).into_iter().filter(|token| !is_stop_word(&token.word));
    words.map(|token| stem(&token.word).into_owned()).gather()
}

/// By passage: how well it fits.
pub(super) fn scores(
    sources: &[Source],
    all: &[Listed<'_>],
    wanted: &BTreeSet<String>,
) -> Vec<f64> {
    let counts = Counts::of(sources, all, wanted);
    all.iter().enumerate().map(|(at, listed)| counts.score(sources, listed, at)).collect()
}

/// Which passages have which of the wanted words.
struct Counts<'w> {
    /// By passage: how often it has each, and how many words it has in all.
    counted: Vec<(BTreeMap<&'w str, u32>, usize)>,
    /// By word: passages that have it.
    having: BTreeMap<&'w str, u32>,
    /// Passages.
    count: f64,
    /// Words of a passage, on average.
    mean: f64,
}

impl<'w> Counts<'w> {
    fn of(sources: &[Source], all: &[Listed<'_>], wanted: &'w BTreeSet<String>) -> Self {
        let counted: Vec<(BTreeMap<&str, u32>, usize)> = all
            .iter()
            .map(|passage| {
                let title = sources.get(passage.source).map_or("", |source| source.title.as_str());
                let headings = passage.passage.map_or(&[][..], |passage| &passage.headings);
                let above = headings.iter().map(String::as_str).chain([title]);
                let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
                let mut length = 0;
                for text in above.chain([passage.text]) {
                    for token in tokens(text) {
                        length += 1;
                        if let Some(term) = wanted.get(stem(&token.word).as_ref()) {
                            *counts.entry(term).or_default() += 1;
                        }
                    }
                }
                (counts, length)
            })
            .collect();
        let mut having: BTreeMap<&str, u32> = BTreeMap::new();
        for term in counted.iter().flat_map(|(counts, _)| counts.keys()) {
            *having.entry(term).or_default() += 1;
        }
        let words = counted.iter().map(|(_, length)| length).sum::<usize>();
        #[allow(clippy::cast_precision_loss, reason = "passages and their words are few")]
        let (count, mean) = (all.len() as f64, words as f64 / all.len().max(1) as f64);
        Counts { counted, having, count, mean }
    }

    fn rarity(&self, term: &str) -> f64 {
        let with = f64::from(self.having.get(term).copied().unwrap_or_default());
        (1.0 + (self.count - with + 0.5) / (with + 0.5)).ln()
    }

    fn score(&self, sources: &[Source], listed: &Listed<'_>, at: usize) -> f64 {
        let Some((counts, length)) = self.counted.get(at) else { return 0.0 };
        #[allow(clippy::cast_precision_loss, reason = "a passage has few words")]
        let long = 1.0 - LONG + LONG * *length as f64 / self.mean.max(1.0);
        let sum: f64 = counts
            .iter()
            .map(|(term, times)| {
                let rare = self.rarity(term);
                rare * f64::from(*times) / (f64::from(*times) + REPEATED * long)
            })
            .sum();
        let source = sources.get(listed.source);
        if source.is_some_and(|source| source.content.is_unread()) { sum * UNREAD } else { sum }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Content, Finding};

    #[test]
    fn what_says_more_of_a_question_fits_better_and_what_says_nothing_does_not() {
        let source = |n: usize, text: &str| {
            let content = Content::Text(text.to_owned());
            Source::new(n, Finding { content, ..Finding::default() })
        };
        let sources = [
            source(1, "The lighthouse of Sker has 196 steps."),
            source(2, "The lighthouse is old."),
            source(3, "Bread is baked from rye."),
            source(4, ""),
        ];
        let fits = relevance(&sources, "How many steps has the lighthouse of Sker?");
        assert!(fits[0] > fits[1] && fits[1] > 0.0, "{fits:?}");
        assert_eq!(fits[2..], [0.0, 0.0]);
        assert_eq!(relevance(&sources, "?"), [0.0; 4]);
        assert!(relevance(&[], "steps").is_empty());
    }
}
