//! Names of people and places in a sentence.
//!
//! Border: a sentence in words in, what it offers out.

use super::lexicon;
use super::offers::{Fit, Offer, Sentence, Span};
use super::words;

impl Sentence<'_> {
    /// Runs of words with capitals that the question does not know.
    pub(super) fn person(&self) -> Offer {
        let mut spans: Vec<Span> = Vec::new();
        let mut loose = Fit::None;
        let mut at = 0;
        while at < self.tokens.len() {
            let to = self.name_end(at);
            let length = to - at;
            let is_agent = matches!(self.before(at), "by" | "under" | "with");
            // `paid for by the Berg Foundation`
            let is_firm = self.before(at) == "the" && at > 0 && self.before(at - 1) == "by";
            if length >= 2 || (length == 1 && is_agent) {
                spans.extend(self.span(at, to - 1, is_agent || is_firm));
            } else if self.lower(at) == "nobody" {
                spans.extend(self.span(at, at, self.before(at) == "by"));
            } else if (length == 1 && at > 0) || is_body(self.lower(at)) {
                loose = Fit::Weak;
            }
            at = to.max(at + 1);
        }
        Offer::with(spans, loose)
    }

    /// Behind the last word of the name that begins here.
    fn name_end(&self, from: usize) -> usize {
        let mut to = from;
        while self.is_name(to) && (to == from || self.follows(to) || self.begins_firm(to)) {
            to += 1;
            // `Ludwig van Beethoven`, `Hale and Sons`.
            let joins = matches!(self.lower(to), "van" | "von" | "de" | "der" | "of" | "the")
                || (self.lower(to) == "and" && is_of_firm(self.lower(to + 1)));
            if joins && self.is_name(to + 1) && self.follows(to) && self.follows(to + 1) {
                to += 1;
            }
        }
        to
    }

    /// Whether nothing but a blank or the sign of a firm stands between a word and the one before it.
    fn follows(&self, at: usize) -> bool {
        let joins = |c: char| matches!(c, ' ' | '\u{a0}' | '-' | '.' | '\'' | '’' | '\n' | '&');
        self.gap(at).is_some_and(|gap| gap.chars().all(joins))
    }

    /// `Tarn, Hale & Sons` is one name.
    fn begins_firm(&self, at: usize) -> bool {
        let has_sign = self.gap(at + 1).is_some_and(|gap| gap.contains('&'));
        self.gap(at) == Some(", ") && has_sign && self.is_name(at + 1)
    }

    fn is_name(&self, at: usize) -> bool {
        self.token(at).is_some_and(|token| {
            token.is_capital
                && !token.is_number
                && !self.is_asked(&token.lower)
                && !lexicon::is_month(&token.lower)
                && !lexicon::is_weekday(&token.lower)
                && !words::is_stop_word(&token.lower)
                && !matches!(
                    token.lower.as_str(),
                    "he" | "she"
                        | "his"
                        | "her"
                        | "after"
                        | "before"
                        | "during"
                        | "while"
                        | "since"
                        | "although"
                        | "because"
                        | "however"
                        | "no"
                        | "yes"
                )
        })
    }

    pub(super) fn place(&self) -> Offer {
        const PREPOSITIONS: [&str; 14] = [
            "in", "at", "near", "from", "to", "on", "of", "into", "off", "between", "under",
            "above", "behind", "around",
        ];
        let mut best = Offer::none();
        for at in 0..self.tokens.len() {
            if !PREPOSITIONS.contains(&self.lower(at)) {
                continue;
            }
            let noun = if self.lower(at + 1) == "the" { at + 2 } else { at + 1 };
            if self.is_name(noun) {
                return Offer::plain();
            }
            let is_time =
                self.token(noun).is_some_and(|token| token.is_number) || self.is_month(noun);
            if !is_time
                && noun < self.tokens.len()
                && matches!(
                    self.lower(at),
                    "in" | "at" | "on" | "near" | "between" | "behind" | "above" | "under"
                )
            {
                best = Offer::weak();
            }
        }
        best
    }
}

/// Whether a word, lower case, ends the name of a firm behind `and`.
fn is_of_firm(word: &str) -> bool {
    matches!(
        word,
        "brother" | "brothers" | "co" | "company" | "daughters" | "partners" | "son" | "sons"
    )
}

/// Whether a word, lower case, is one for people who do things together.
fn is_body(word: &str) -> bool {
    matches!(
        word,
        "authority"
            | "city"
            | "company"
            | "council"
            | "county"
            | "government"
            | "king"
            | "queen"
            | "state"
    )
}
