//! What went up or down: by how much, and to what.
//!
//! Border: a sentence in words with its figures in, those of them out that were asked for: the difference, or what came
//! of it. None at all is better than the other one.

use super::degrees::{ends_as_comparative, is_comparative};
use super::kind::{Kind, is_auxiliary};
use super::offers::{Fit, Offer, Sentence, Span};
use super::words;

/// Stems of verbs that tell a change.
const CHANGES: [&str; 20] = [
    "chang", "climb", "cut", "declin", "decreas", "doubl", "drop", "expand", "extend", "fall",
    "grow", "increas", "lower", "rais", "reduc", "ris", "shrank", "shrink", "shrunk", "widen",
];

/// Those of them of which a figure behind them tells how far: `rose 12 percent to 140`.
const MOVES: [&str; 7] = ["climb", "declin", "decreas", "drop", "fall", "increas", "ris"];

/// Nouns for a change.
const DIFFERENCES: [&str; 14] = [
    "change",
    "cut",
    "decline",
    "decrease",
    "difference",
    "drop",
    "fall",
    "gain",
    "growth",
    "increase",
    "loss",
    "margin",
    "reduction",
    "rise",
];

/// Words that may stand between a figure and what leads to it: `by about 12`.
const HEDGES: [&str; 18] = [
    "a",
    "about",
    "almost",
    "another",
    "approximately",
    "around",
    "at",
    "further",
    "just",
    "least",
    "more",
    "nearly",
    "only",
    "over",
    "roughly",
    "some",
    "than",
    "up",
];

/// Words of who may ask for what was before.
const AT_FIRST: [&str; 4] = ["first", "once", "original", "originally"];

/// Words from a comparing word to `than`, at most.
const TO_THAN: usize = 4;

/// Words from a verb of a change to what leads to a figure, at most; from its noun as well.
const REACH: usize = 6;

/// Whether a word, lower case, is a form of a verb that tells a change.
pub(super) fn is_change(word: &str) -> bool {
    CHANGES.contains(&words::stem(word).as_str())
}

/// Whether a word of a question, lower case, asks what lies between two figures.
fn asks_to_compare(word: &str) -> bool {
    matches!(word, "difference" | "than") || is_comparative(word)
}

/// Whether a question for a number, in words of lower case, asks by how much something went up or down.
pub(super) fn asks_for_change(all: &[String], kind: Kind) -> bool {
    let word = |at: usize| all.get(at).map(String::as_str).unwrap_or_default();
    let asks_by = |at: usize| word(at) == "by" && matches!(word(at + 1), "how" | "what" | "which");
    let ends_in_by = all.last().is_some_and(|last| last == "by");
    kind.is_figure() && (ends_in_by || (0..all.len()).any(asks_by) || asks_how_it_went(all))
}

/// `How much did the fare rise?`, but not `How much did the rise cost?`
fn asks_how_it_went(all: &[String]) -> bool {
    let word = |at: usize| all.get(at).map(String::as_str).unwrap_or_default();
    let Some(much) = all.iter().position(|word| word == "much") else { return false };
    let asks = much > 0 && word(much - 1) == "how" && is_auxiliary(word(much + 1));
    let is_verb = |at: usize| {
        let is_noun = matches!(word(at - 1), "a" | "each" | "every" | "last" | "the" | "this");
        let ends = match word(at + 1) {
            "from" | "to" => false,
            "after" | "between" | "during" | "last" | "over" | "since" | "this" | "within" => true,
            next => next.is_empty() || words::is_stop_word(next) || words::is_year(next),
        };
        is_change(word(at)) && !is_noun && ends
    };
    asks && (much + 3..all.len()).any(is_verb)
}

impl Sentence<'_> {
    /// What is left of an offer where a sentence tells a change: the difference if that is asked, else what came of it.
    pub(super) fn changed(&self, mut offer: Offer) -> Offer {
        if offer.spans.is_empty() {
            return offer;
        }
        let asked = || self.wanted.asked.iter().map(String::as_str);
        if self.wanted.is_of_change {
            offer.spans.retain(|span| self.is_difference(span));
        } else if asked().any(|word| words::asks_before(word) || word == "initially") {
            if offer.spans.iter().any(|span| self.is_level_before(span)) {
                offer.spans.retain(|span| self.is_level_before(span));
            }
        } else if !asked().any(|word| is_change(word) || AT_FIRST.contains(&word)) {
            offer.spans.retain(|span| !self.is_level_before(span) && !self.went_by(span));
        }
        if !self.wanted.is_of_change && !asked().any(asks_to_compare) {
            offer.spans.retain(|span| !self.is_beyond(span));
        }
        if offer.spans.is_empty() {
            offer.fit = offer.fit.min(Fit::Weak);
        }
        offer
    }

    /// The word that leads to a figure.
    fn lead(&self, figure: usize) -> Option<usize> {
        let is_hedge = |at: &usize| {
            let is_up_to = self.lower(*at) == "to" && self.before(*at) == "up";
            is_up_to || HEDGES.contains(&self.lower(*at))
        };
        (0..figure).rev().find(|at| !is_hedge(at))
    }

    fn led_by(&self, span: &Span, word: &str) -> Option<usize> {
        self.lead(span.words.start).filter(|lead| self.lower(*lead) == word)
    }

    /// `4,000 more than a year ago`, `11 g less`: what lies between two figures is neither.
    fn is_beyond(&self, span: &Span) -> bool {
        let end = span.words.end;
        let is_than = |at: usize| self.lower(at) == "than" && self.is_joined(at);
        let reaches_than = |at: usize| {
            let mut next = (at + 1..=at + TO_THAN).take_while(|next| self.is_joined(*next));
            next.any(is_than)
        };
        let compares = |at: usize| {
            let word = self.lower(at);
            let ends_so = ends_as_comparative(word) && is_than(at + 1);
            ends_so
                || (is_comparative(word)
                    && (reaches_than(at) || (at == end && self.ends_clause(at))))
        };
        let last = if self.is_joined(end) { end + 1 } else { end };
        (span.words.start + 1..last).any(compares)
    }

    /// Whether a verb of a change stands shortly before a word.
    pub(super) fn changes_before(&self, at: usize) -> bool {
        (at.saturating_sub(REACH)..at).any(|verb| is_change(self.lower(verb)))
    }

    /// `by 12`, `12 fewer`, `12 metres higher`, `up 12 percent`, `rose 12 percent`, `an increase of 12`.
    fn is_difference(&self, span: &Span) -> bool {
        let says_more = |at: usize| {
            let word = self.lower(at);
            word == "lower" || is_comparative(word)
        };
        let end = span.words.end + usize::from(self.is_joined(span.words.end));
        let before = self.before(span.words.start);
        self.led_by(span, "by").is_some()
            || (span.words.start..end).any(says_more)
            || matches!(before, "down" | "minus" | "plus" | "up")
            || is_change(before)
            || self.lead(span.words.start).is_some_and(|lead| self.names_difference(lead))
    }

    /// `a cut of`, `the increase in fares was`
    fn names_difference(&self, lead: usize) -> bool {
        let is_noun = |at: usize| {
            DIFFERENCES.contains(&self.lower(at))
                && (at + 1 == lead || matches!(self.lower(at + 1), "for" | "in" | "of"))
        };
        matches!(self.lower(lead), "is" | "of" | "was" | "were")
            && (lead.saturating_sub(REACH)..lead).any(is_noun)
    }

    /// `grew from 118`, which it no longer is, unless the year behind it is asked for.
    fn is_level_before(&self, span: &Span) -> bool {
        let end = span.words.end;
        let is_of_year = |at: usize| self.is_year(at) && self.is_asked(self.lower(at));
        let lead = self.led_by(span, "from").filter(|lead| self.changes_before(*lead));
        lead.is_some() && !(end..end + 2).any(is_of_year)
    }

    /// `rose by 12`, `rose 12 percent to 140`
    fn went_by(&self, span: &Span) -> bool {
        let goes_to = self.lower(span.words.end) == "to" && self.is_number(span.words.end + 1);
        let moves = MOVES.contains(&words::stem(self.before(span.words.start)).as_str());
        let by = self.led_by(span, "by").filter(|lead| self.changes_before(*lead));
        by.is_some() || (moves && goes_to)
    }
}

#[cfg(test)]
mod tests {
    use super::super::offers::found;
    use super::*;

    #[test]
    fn verbs_of_a_change_are_known_in_their_forms() {
        let forms = "rose risen rising fell fallen grew grown increased decreases dropped declining \
                     raised reduce cut lowered climbs shrank extended changed doubled widened";
        for form in forms.split_whitespace() {
            assert!(is_change(form), "{form}");
        }
        assert!(!is_change("closed") && !is_change("went"));
    }

    #[test]
    fn who_asks_by_how_much_asks_for_a_difference() {
        for (question, is_of_change) in [
            ("By how much did the fare rise?", true),
            ("By how many pupils did the school grow?", true),
            ("By what percentage was the budget cut?", true),
            ("How many pupils did the school grow by?", true),
            ("How much has the rent increased since 2019?", true),
            ("How much did the rise cost?", false),
            ("How much did the rent rise to?", false),
            ("How many pupils were there in 2019?", false),
            ("By what year was it built?", false),
        ] {
            let all = words::words(question);
            assert_eq!(asks_for_change(&all, Kind::of(&all)), is_of_change, "{question}");
        }
    }

    #[test]
    fn the_difference_and_what_came_of_it_are_told_apart() {
        let by = "By how much did the roll rise?";
        let now = "How many pupils are there?";
        let in_2015 = "How many pupils were there in 2015?";
        let fare = "By how much did the fare rise?";
        for (question, text, expected) in [
            (by, "The roll rose by 12 to 140.", &["12"][..]),
            (by, "The roll rose by about 12 percent.", &["12 percent"]),
            (by, "The roll rose from 118 to 131.", &[]),
            (by, "The roll stands at 131.", &[]),
            (by, "The roll rose 12 percent to 140.", &["12 percent"]),
            (by, "The roll is up 12 percent.", &["12 percent"]),
            (by, "The increase in the roll was 12 percent.", &["12 percent"]),
            (by, "The roll was 12 percent higher than in 2015.", &["12 percent"]),
            (fare, "The fare rose by 2 crowns to 8 crowns.", &["2 crowns"]),
            (fare, "The fare rose by up to 8% last year.", &["8%"]),
            ("How much did the fare rise?", "The fare rose from 6 to 8 crowns.", &[]),
            (now, "The roll rose by 12 to 140 pupils.", &["140 pupils"]),
            (now, "The number of pupils grew from 118 to 131 in 2019.", &["131"]),
            (now, "The number of pupils grew from 118 in 2015 to 131 in 2019.", &["131"]),
            (in_2015, "The number of pupils grew from 118 in 2015 to 131.", &["118", "131"]),
            ("How much is the fare?", "The fare rose 2 crowns to 8 crowns.", &["8 crowns"]),
            ("How much was the fare before?", "It rose from 6 crowns to 8.", &["6 crowns"]),
            ("How much was the fare before?", "It rises from 25 to 30 crowns.", &["25"]),
            ("How much is the fare?", "It rises from 25 to 30 crowns.", &["30 crowns"]),
            (
                "How much is the fare?",
                "It is 30 crowns, 5 crowns more than in May.",
                &["30 crowns"],
            ),
            ("How much is the fare?", "It is 30 crowns, or 5 crowns less.", &["30 crowns"]),
            ("How much less is the fare?", "It is 5 crowns less than in May.", &["5 crowns"]),
            (now, "There were 96 pupils, 4 more than before.", &["96 pupils"]),
            (now, "There were 12 more pupils than before.", &[]),
            (now, "There were 96 pupils, more than ever.", &["96 pupils"]),
        ] {
            assert_eq!(found(question, &["pupils"], text).1, expected, "{question} {text}");
        }
    }
}
