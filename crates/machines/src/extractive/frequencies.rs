//! How often something is done, in a sentence.
//!
//! Border: a sentence in words in, what it offers out.

use super::lexicon::Dimension;
use super::offers::{Fit, Offer, Sentence, Span};

impl Sentence<'_> {
    pub(super) fn frequency(&self) -> Offer {
        let mut spans: Vec<Span> = Vec::new();
        let mut at = 0;
        while at < self.tokens.len() {
            if !self.is_frequency(at) {
                at += 1;
                continue;
            }
            let end = self.frequency_end(at);
            spans.extend(self.span(at, end, true).or_else(|| self.span(at, at, true)));
            at = end + 1;
        }
        Offer::with(spans, Fit::None)
    }

    fn frequency_end(&self, at: usize) -> usize {
        match self.lower(at) {
            "every" | "each" if self.is_number(at + 1) => at + 2,
            "every" | "each" => at + 1,
            "once" | "twice" if matches!(self.lower(at + 1), "a" | "an" | "per" | "every") => {
                at + 2
            }
            _ if self.lower(at + 1) == "times"
                && matches!(self.lower(at + 2), "a" | "an" | "per") =>
            {
                at + 3
            }
            _ if self.lower(at + 1) == "to" && self.lower(at + 3) == "times" => at + 3,
            _ if self.lower(at + 1) == "times" => at + 1,
            _ => at,
        }
    }

    /// `every 90 seconds`, `hourly`, `five times`, `twice`.
    fn is_frequency(&self, at: usize) -> bool {
        match self.lower(at) {
            "every" | "each" => {
                self.is_number(at + 1) || Dimension::Duration.has_unit(self.lower(at + 1))
            }
            "once" | "twice" | "hourly" | "daily" | "weekly" | "monthly" | "yearly"
            | "annually" => true,
            _ => match self.lower(at + 1) {
                "times" => self.is_number(at),
                "to" => self.is_number(at) && self.lower(at + 3) == "times",
                _ => false,
            },
        }
    }
}
