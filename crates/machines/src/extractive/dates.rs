//! Dates and times in a sentence.
//!
//! Border: a sentence in words in, what it offers out.

use super::lexicon::{self, Dimension};
use super::near;
use super::offers::{Fit, Offer, Sentence, Span, Token};

impl Sentence<'_> {
    /// Dates as long as they are written: `3 November 1871`, `March 2019`, `1904`.
    pub(super) fn time(&self) -> Offer {
        let mut spans: Vec<Span> = Vec::new();
        let mut at = 0;
        while at < self.tokens.len() {
            if !self.is_year(at) && !self.is_month(at) {
                at += 1;
                continue;
            }
            let (from, to) = self.date(at);
            let is_new = (from..=to).any(|at| !self.is_asked(self.lower(at)));
            spans.extend(self.span(from, to, false).filter(|_| is_new));
            at = to + 1;
        }
        let spans = if self.asks_for_season() { self.seasons(spans) } else { spans };
        let loose = if self.has_loose_time() { Fit::Weak } else { Fit::None };
        Offer::with(spans, loose)
    }

    /// Whether it is asked when something is so each year, and not when it began or ended.
    fn asks_for_season(&self) -> bool {
        let has = |words: &[&str]| words.iter().any(|word| self.is_asked(word));
        has(&["are", "do", "does", "is"])
            && !has(&["did", "had", "has", "have", "was", "were", "will"])
            && (near::asks_for_state(has) || (!has(&near::BEGINS) && !has(&near::ENDS)))
    }

    /// Dates, those of one season together: `15 May to 15 September`, `between May and July`.
    fn seasons(&self, dates: Vec<Span>) -> Vec<Span> {
        let mut seasons: Vec<Span> = Vec::new();
        for date in dates {
            let joins = |last: &&mut Span| {
                let joined = match self.lower(last.words.end) {
                    "to" | "until" | "till" => true,
                    "and" => self.before(last.words.start) == "between",
                    _ => false,
                };
                joined && last.words.end + 1 == date.words.start
            };
            match seasons.last_mut().filter(joins) {
                Some(last) => {
                    last.bytes.end = date.bytes.end;
                    last.words.end = date.words.end;
                }
                None => seasons.push(date),
            }
        }
        seasons
    }

    /// The first and the last word of the date that a year or month belongs to.
    fn date(&self, at: usize) -> (usize, usize) {
        let is_day = |word: &str| {
            let digits = word.trim_end_matches(|c: char| c.is_ascii_alphabetic());
            !digits.is_empty() && digits.len() <= 2 && digits.bytes().all(|b| b.is_ascii_digit())
        };
        let (mut from, mut to) = (at, at);
        if self.is_month(at) {
            if is_day(self.before(at)) {
                from = at - 1;
            }
            if is_day(self.lower(at + 1)) {
                to = at + 1;
            }
            if self.is_year(to + 1) {
                to += 1;
            }
        }
        (from, to)
    }

    fn has_loose_time(&self) -> bool {
        let clock = |token: &Token| {
            token.is_number
                && self.text.get(token.at.end..).is_some_and(|rest| rest.starts_with(':'))
        };
        (0..self.tokens.len()).any(|at| self.tells_how_soon(at))
            || self.tokens.iter().any(|token| {
                lexicon::is_weekday(&token.lower)
                    || clock(token)
                    || matches!(
                        token.lower.as_str(),
                        "century"
                            | "spring"
                            | "summer"
                            | "autumn"
                            | "winter"
                            | "ago"
                            | "centuries"
                            | "era"
                            | "decade"
                    )
            })
    }

    /// `every 30 minutes`, `hourly`, `within five working days`, `at six`, `30 minutes before`.
    fn tells_how_soon(&self, at: usize) -> bool {
        let is_number = self.is_number(at + 1);
        let lasts = |at: usize| Dimension::Duration.has_unit(self.lower(at));
        match self.lower(at) {
            "hourly" => true,
            "every" => is_number,
            "at" => is_number && self.ends_clause(at + 1) && !self.lower(at + 1).contains('.'),
            "within" | "in" => is_number && (lasts(at + 2) || lasts(at + 3)),
            "minutes" | "hours" => {
                self.lower(at + 1) == "before" && at > 0 && self.is_number(at - 1)
            }
            _ => false,
        }
    }
}
