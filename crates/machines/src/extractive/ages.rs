//! How old something is, in a sentence.
//!
//! Border: a sentence in words in, what it offers out: an age, or the day on which something began. How long it was
//! built is neither.

use super::lexicon::Dimension;
use super::offers::{Fit, Offer, Sentence, Span};

/// Words of a beginning, lower case.
const BEGINNINGS: [&str; 12] = [
    "born",
    "built",
    "completed",
    "created",
    "dates",
    "erected",
    "established",
    "founded",
    "inaugurated",
    "launched",
    "opened",
    "started",
];

/// Words between what began and its day, at most, with the day.
const REACH: usize = 4;

impl Sentence<'_> {
    pub(super) fn age(&self) -> Offer {
        let ages = (0..self.tokens.len()).filter_map(|at| self.age_at(at));
        let mut spans: Vec<Span> = ages.collect();
        // Of how old somebody was when something happened the day of birth tells nothing alone.
        if spans.is_empty() && !self.is_asked("when") {
            spans = self.time().spans;
            spans.retain(|day| self.is_beginning(day));
        }
        let may_be = self.text.contains('\t') || self.says_any(&["age", "aged", "ago", "old"]);
        Offer::with(spans, if may_be { Fit::Weak } else { Fit::None })
    }

    /// Whether how old somebody has to be is asked for.
    pub(super) fn asks_for_bound(&self) -> bool {
        let bounds = ["allowed", "can", "least", "may", "minimum", "must", "need", "should"];
        bounds.into_iter().any(|word| self.is_asked(word))
    }

    /// `30 years old`, `aged 30`, `at the age of 30`.
    fn age_at(&self, at: usize) -> Option<Span> {
        let to = self.number(at)?;
        let has_unit = Dimension::Age.has_unit(self.lower(to + 1));
        let before = if self.before(at) == "of" { at.checked_sub(2) } else { at.checked_sub(1) };
        let is_led = before.is_some_and(|before| matches!(self.lower(before), "age" | "aged"));
        match (has_unit, self.lower(to + 2)) {
            (true, "old") => self.span(at, to + 2, true),
            (true, _) if is_led => self.span(at, to + 1, true),
            (false, _) if is_led => self.span(at, to, true),
            _ => None,
        }
    }

    /// Whether a day is that of a beginning: `opened on 14 May 2012`.
    fn is_beginning(&self, day: &Span) -> bool {
        let before = (day.words.start.saturating_sub(REACH)..day.words.start).rev();
        let goes_on = |at: &usize| self.is_joined(at + 1);
        let mut before = before.take_while(goes_on);
        day.words.clone().any(|at| self.is_year(at))
            && before.any(|at| BEGINNINGS.contains(&self.lower(at)))
    }

    fn says_any(&self, words: &[&str]) -> bool {
        self.tokens.iter().any(|token| words.contains(&token.lower.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use super::super::offers::found;

    #[test]
    fn an_age_or_a_beginning_tells_how_old_something_is() {
        let bridge = "How old is the bridge?";
        for (question, text, expected) in [
            (
                bridge,
                "It is a cable-stayed bridge, opened on 14 May 2012 after four years of building.",
                &["14 May 2012"][..],
            ),
            (bridge, "The welds of the bridge have a remaining fatigue life of 31 years.", &[]),
            (bridge, "The car ferry ended on 30 June 2012, after the bridge opened.", &[]),
            (bridge, "The bridge is 12 years old.", &["12 years old"]),
            ("How old was she?", "She died at the age of 77.", &["77"]),
            ("How old was she when she died?", "Mary, born on 4 March 1881, died in Ulm.", &[]),
            ("How old must a guest be?", "A guest is 16 years or more.", &["16 years"]),
        ] {
            assert_eq!(found(question, &[], text).1, expected, "{question} {text}");
        }
    }
}
