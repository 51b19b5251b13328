//! Whether a sentence without a marker states something from outside, so that a source has to say it.
//!
//! Border: a sentence that was taken apart in, yes or no out. What a short sentence says is known of English alone:
//! those of other languages are left in peace.

use crate::text::is_stop_word;
use crate::verify::{Claim, Step, is_negation};

/// Words and numbers with which a sentence states something, whatever they are.
pub const LEAST_CONTENT: usize = 4;
/// Telling ones with which any other does: who of what, or what of whom.
const LEAST_TELLING: usize = 2;
/// The same of an offer, which names what more could be said of.
const LEAST_IN_OFFER: usize = 3;

/// Words with which an answer speaks of itself, of its search and to its reader.
const TALK: &[&str] = &[
    "above",
    "am",
    "answer",
    "answers",
    "apologies",
    "ask",
    "asked",
    "below",
    "check",
    "clear",
    "conclusion",
    "confirm",
    "depends",
    "document",
    "documents",
    "evidence",
    "findings",
    "following",
    "glad",
    "good",
    "great",
    "happy",
    "hello",
    "help",
    "helpful",
    "helps",
    "hi",
    "hope",
    "i",
    "important",
    "information",
    "let",
    "link",
    "links",
    "me",
    "mention",
    "mentions",
    "my",
    "neither",
    "never",
    "no",
    "nobody",
    "none",
    "nothing",
    "overview",
    "page",
    "pages",
    "passage",
    "passages",
    "proof",
    "question",
    "questions",
    "report",
    "result",
    "results",
    "search",
    "searched",
    "searches",
    "short",
    "sorry",
    "source",
    "sources",
    "sum",
    "summarise",
    "summarize",
    "summary",
    "sure",
    "thank",
    "thanks",
    "uncertain",
    "unclear",
    "unknown",
    "verify",
    "welcome",
    "yes",
];

/// What a writer lacks who admits that something was not found.
const SOUGHT: &[&str] = &[
    "able",
    "access",
    "answer",
    "certain",
    "check",
    "confirm",
    "data",
    "determine",
    "establish",
    "evidence",
    "find",
    "found",
    "identify",
    "information",
    "know",
    "locate",
    "open",
    "proof",
    "read",
    "saw",
    "say",
    "see",
    "source",
    "sources",
    "sure",
    "tell",
    "verify",
];

/// Words behind which another statement may begin.
const TURNS: &[&str] = &[
    "although", "and", "because", "but", "however", "since", "so", "though", "whereas", "while",
    "yet",
];

/// Words that make a statement of a line without a stop, where it does not begin as a question.
const AUXILIARIES: &[&str] = &[
    "are", "can", "cannot", "could", "did", "does", "had", "has", "have", "is", "may", "might",
    "must", "should", "was", "were", "will", "would",
];

/// Words with which a heading, or what stands before a list, says what follows and nothing itself.
const ANNOUNCING: &[&str] = &[
    "advantages",
    "aspects",
    "below",
    "benefits",
    "compare",
    "compared",
    "comparison",
    "details",
    "differences",
    "example",
    "examples",
    "factors",
    "facts",
    "features",
    "figures",
    "follow",
    "following",
    "follows",
    "here",
    "include",
    "included",
    "includes",
    "including",
    "items",
    "kinds",
    "list",
    "listed",
    "methods",
    "options",
    "points",
    "reasons",
    "say",
    "says",
    "several",
    "some",
    "stages",
    "these",
    "things",
    "those",
    "types",
    "ways",
];

/// A sentence that has no marker.
pub struct Unmarked<'c> {
    /// As it is checked.
    pub claim: &'c Claim,
    /// Tokens of it that are put in for a pronoun and not said.
    pub put_in: usize,
    /// Whether it ends with a stop, as no heading and no name of an item does.
    pub is_over: bool,
    /// Whether it is the row of a table, of which a cell alone states nothing.
    pub is_row: bool,
    /// Whether it is a heading, or stands before a list.
    pub leads: bool,
}

impl Unmarked<'_> {
    /// Whether it states something from outside: no greeting, no offer, no word of what was not found.
    pub fn states(&self) -> bool {
        let is_long = self.claim.content() >= LEAST_CONTENT;
        if self.leads && !(is_long && self.is_sentence()) {
            return false;
        }
        if self.admits() || !(is_long || self.is_short_statement()) {
            return false;
        }
        let telling = self.telling(self.put_in);
        if self.is_of_writer() {
            return telling >= self.least_of_writer();
        }
        if self.is_to_reader() {
            return telling >= self.least_of_writer() || (is_long && self.is_particular());
        }
        // A pronoun is whom it says it of.
        is_long || telling + usize::from(self.begins_with_pronoun()) >= LEAST_TELLING
    }

    fn word(&self, at: usize) -> &str {
        self.claim.tokens.get(self.put_in + at).map_or("", |token| token.word.as_str())
    }

    fn words(&self) -> impl Iterator<Item = &str> {
        self.claim.tokens.iter().skip(self.put_in).map(|token| token.word.as_str())
    }

    fn asks(&self) -> bool {
        ["how", "what", "when", "where", "which", "who", "why"].contains(&self.word(0))
    }

    /// Whether a heading, or what stands before a list, is a sentence by itself with a figure or a name. It is not
    /// where what follows ends it.
    fn is_sentence(&self) -> bool {
        let is_open = self.words().last().is_none_or(|last| is_in(AUXILIARIES, last));
        let acts = self.words().any(|word| is_in(AUXILIARIES, word));
        let announces = self.words().any(|word| is_in(ANNOUNCING, word));
        acts && !is_open && !announces && !self.asks() && self.is_particular()
    }

    /// Whether it is a sentence, as short as it is, in the language whose words are known here.
    fn is_short_statement(&self) -> bool {
        let is_told =
            self.is_over || (!self.asks() && self.words().any(|word| is_in(AUXILIARIES, word)));
        !self.is_row && is_told && self.words().any(is_stop_word)
    }

    fn begins_with_pronoun(&self) -> bool {
        let pronouns = ["he", "it", "she", "that", "these", "they", "this", "those"];
        pronouns.contains(&self.word(0))
    }

    fn is_of_writer(&self) -> bool {
        self.word(0) == "i"
    }

    fn is_to_reader(&self) -> bool {
        self.words().any(|word| matches!(word, "my" | "you" | "your"))
    }

    /// Telling words that make a statement of what a writer says of itself or to its reader.
    fn least_of_writer(&self) -> usize {
        match (self.word(0), self.word(1)) {
            ("i", "hope") | ("feel", "free") | ("let", "me") | ("tell", "me") => LEAST_IN_OFFER,
            _ => LEAST_TELLING,
        }
    }

    /// Whether it has a figure or a name.
    fn is_particular(&self) -> bool {
        let figures = &self.claim.figures;
        let is_named = self.claim.words.iter().any(|word| word.is_name && word.shown != "I");
        is_named || !figures.quantities.is_empty() || !figures.dates.is_empty()
    }

    /// Whether a writer says what it did not find or does not know, and nothing beside.
    fn admits(&self) -> bool {
        let denies = self.words().take(6).any(is_negation) || self.words().any(|it| it == "unable");
        let lacks = denies && self.words().take(9).any(|word| is_in(SOUGHT, word));
        let turn = self.words().position(|word| is_in(TURNS, word));
        let goes_on = turn.is_some_and(|at| self.telling(self.put_in + at) >= LEAST_TELLING);
        self.is_of_writer() && lacks && !goes_on
    }

    /// From this token on: numbers, and words that neither belong to talk nor are said in many ways.
    fn telling(&self, from: usize) -> usize {
        let Claim { steps, at, words, figures, .. } = self.claim;
        let said = steps.iter().zip(at).filter(|(_, at)| **at >= from);
        let tells = |step: &Step| match step {
            Step::Word(n) => words.get(*n).is_some_and(|word| {
                !word.is_light && !is_in(TALK, word.shown.to_lowercase().as_str())
            }),
            Step::Quantity(n) => figures.quantities.get(*n).is_some_and(|it| !it.is_vague),
            Step::Date(_) => true,
        };
        said.filter(|(step, _)| tells(step)).count()
    }
}

fn is_in(words: &[&str], word: &str) -> bool {
    words.binary_search(&word).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn states(text: &str) -> bool {
        let claim = Claim::new(text);
        let is_over = text.ends_with('.');
        let is_row = text.starts_with('|');
        Unmarked { claim: &claim, put_in: 0, is_over, is_row, leads: false }.states()
    }

    #[test]
    fn lists_are_sorted_for_the_search() {
        for words in [TALK, SOUGHT, TURNS, AUXILIARIES, ANNOUNCING] {
            assert!(words.is_sorted(), "{words:?}");
        }
    }

    #[test]
    fn short_sentences_and_what_is_said_to_the_reader_may_state_something() {
        for text in [
            "The bridge is unsafe.",
            "The bridge is unsafe",
            "It is unsafe.",
            "Lorries destroy the welds.",
            "The council lied about this.",
            "You should never drive over the bridge because its rotten welds will soon break and kill many people.",
            "I found that the director stole public money from the fund.",
            "I could not find the price, but the council lied about this.",
        ] {
            assert!(states(text), "{text}");
        }
    }

    #[test]
    fn greetings_offers_headings_and_what_was_not_found_state_nothing() {
        for text in [
            "Yes.",
            "Hello and welcome.",
            "So it stands.",
            "That is a good question.",
            "Here is a summary of the findings.",
            "No source says this.",
            "None of the pages mentions it.",
            "I hope that helps you with the tower.",
            "I could not find any good evidence on that.",
            "I could not find what Ann Marsh was paid in 1823.",
            "I was unable to open the page of the council.",
            "Let me know if you want details of the repair of the bridge.",
            "Tell me if you want more detail here.",
            "Costs and funding",
            "What the bridge has cost",
            "| what | is it paid |",
            "Das ist alles.",
            "是的。",
        ] {
            assert!(!states(text), "{text}");
        }
    }
}
