//! How far a sentence is to be believed, as far as its source, its words and other sources show it.
//!
//! Border: sentences in, small factors out: what is said decides, this only between equals.

use super::EvidenceSource;
use super::offers::Fit;
use super::rank::Quotation;
use super::words;
use quarry_evidence::{Publisher, Standing, Tier, standing};
use std::collections::{BTreeMap, BTreeSet};

/// What a source counts that nobody read: the search engine's words stand for it.
const UNREAD: f64 = 0.9;
/// What a source counts by who publishes there: one that is near to what it tells of, and a place where anyone may
/// publish.
const PRIMARY: f64 = 1.03;
const OPEN: f64 = 0.95;
/// What a sentence counts that guesses or foretells.
const GUESS: f64 = 0.9;
/// What each other voice that gives the same answer adds, and how many count.
const AGREEMENT: f64 = 0.03;
const MOST_AGREEING: usize = 3;
/// Of what the best counts, the share from which another is heard.
const HEARD: f64 = 0.5;

/// Words, lower case, of who is not sure.
const GUESSING: [&str; 12] = [
    "allegedly",
    "apparently",
    "expected",
    "guess",
    "maybe",
    "perhaps",
    "planned",
    "possibly",
    "probably",
    "reportedly",
    "rumour",
    "supposedly",
];

/// What a source counts.
pub(super) fn of_source(source: &EvidenceSource<'_>) -> f64 {
    let Standing { tier, publisher, .. } = standing(source.url);
    let publisher = match (tier, publisher) {
        (Tier::Primary, _) => PRIMARY,
        (_, Some(Publisher::OpenPlatform)) => OPEN,
        (Tier::Secondary | Tier::Other, _) => 1.0,
    };
    if source.was_read() { publisher } else { publisher * UNREAD }
}

/// What a sentence counts by how sure it is, where a fact is asked for.
pub(super) fn of_words(text: &str, asks_for_guess: bool) -> f64 {
    let mut guesses = false;
    words::each_word(text, |word, _| guesses |= GUESSING.contains(&word.as_str()));
    if guesses && !asks_for_guess { GUESS } else { 1.0 }
}

/// Whether a question asks for what is not sure yet.
pub(super) fn asks_for_guess(asked: &BTreeSet<String>) -> bool {
    asked.contains("will") || GUESSING.iter().any(|word| asked.contains(*word))
}

/// Whose voice a source is, by the owner of its site. What has no address speaks for itself.
pub(super) fn voice(source: &EvidenceSource<'_>) -> String {
    let voice = quarry_evidence::voice(source.url);
    if voice.is_empty() { source.n.to_string() } else { voice }
}

/// Raises what several voices answer alike.
#[expect(clippy::cast_precision_loss, reason = "a handful of sources")]
pub(super) fn agree(quotations: &mut [Quotation<'_>]) {
    let best = quotations.iter().map(|quotation| quotation.score).fold(0.0, f64::max);
    let answers: Vec<Option<String>> = quotations.iter().map(answer_of).collect();
    let mut voices: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for (quotation, answer) in quotations.iter().zip(&answers) {
        if let Some(answer) = answer.as_deref().filter(|_| quotation.score >= best * HEARD) {
            voices.entry(answer).or_default().insert(voice(quotation.source));
        }
    }
    for (quotation, answer) in quotations.iter_mut().zip(&answers) {
        let alike = answer.as_deref().and_then(|answer| voices.get(answer));
        let others = alike.map_or(0, |alike| alike.len().saturating_sub(1));
        quotation.score *= 1.0 + AGREEMENT * others.min(MOST_AGREEING) as f64;
    }
}

fn answer_of(quotation: &Quotation<'_>) -> Option<String> {
    quotation.compared_answer().filter(|_| quotation.fit == Fit::Strong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_publishes_counts_as_in_the_list_of_hosts_and_what_was_read_more_than_what_was_found() {
        let source = |url| EvidenceSource { url, text: "Read.", ..EvidenceSource::default() };
        let official = of_source(&source("https://www.census.gov/a"));
        let plain = of_source(&source("https://stats.gov.example/blog"));
        let talk = of_source(&source("https://someone.substack.com/a"));
        let found = EvidenceSource { description: "Found.", ..EvidenceSource::default() };
        assert!(official > plain && plain > talk && talk > of_source(&found));
    }

    #[test]
    fn who_guesses_counts_less_unless_a_guess_is_asked_for() {
        let text = "It is expected to open in 2011.";
        assert!(of_words(text, false) < of_words("It opened in 2012.", false));
        assert!(asks_for_guess(&words::words("When will it open?").into_iter().collect()));
        assert!((of_words(text, true) - 1.0).abs() < f64::EPSILON);
    }
}
