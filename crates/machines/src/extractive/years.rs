//! Whether what a sentence says holds for the years that a question names.
//!
//! Border: a sentence with what stands above it and a part of a question in; what the years tell out. What a page
//! says of one year is no answer for another.

use super::contrasts;
use super::gather::Candidate;
use super::lexicon::{self, Dimension};
use super::offers::Span;
use super::question::Part;
use super::words;

/// What a figure counts that holds for the years by what stands above it alone, that nothing tells of, and that is
/// of other years.
const ABOVE: f64 = 0.9;
const UNTOLD: f64 = 0.85;
const OF_OTHERS: f64 = 0.7;

/// How a sentence stands to the years of a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Held {
    /// No year was asked for.
    Unasked,
    /// It names one of them itself.
    Named,
    /// What stands above it does, or its page was published in one.
    Above,
    /// Nothing names any year.
    Untold,
    /// What stands above it names other years.
    OthersAbove,
    /// It names other years itself.
    Others,
}

impl Held {
    /// How a sentence stands to the years of a part.
    pub(super) fn of(candidate: &Candidate<'_>, part: &Part) -> Held {
        if part.years.is_empty() {
            return Held::Unasked;
        }
        let has = |periods: &[Period]| {
            part.years.values().any(|year| periods.iter().any(|period| period.has(*year)))
        };
        let own = periods(candidate.text());
        if has(&own) {
            return Held::Named;
        }
        if !own.is_empty() {
            return Held::Others;
        }
        let source = candidate.source;
        // What stands nearest tells: a page of one year may have a section on another.
        let above = [candidate.head.text.as_str()].into_iter();
        let mut above =
            above.chain(candidate.headings().lines().rev()).chain([source.title]).map(periods);
        let above = above.find(|periods| !periods.is_empty()).unwrap_or_default();
        let date = periods(source.date.unwrap_or_default());
        let is_before = part.years.keys().any(|term| candidate.before.contains(term));
        let said = periods(candidate.polar_place().before);
        match above.as_slice() {
            above if has(above) || is_before => Held::Above,
            [] if said.last().is_some_and(|last| !has(&[*last])) => Held::OthersAbove,
            [] if has(&date) => Held::Above,
            [] => Held::Untold,
            _ => Held::OthersAbove,
        }
    }

    /// What a figure counts for it.
    pub(super) const fn worth(self) -> f64 {
        match self {
            Held::Unasked | Held::Named => 1.0,
            Held::Above => ABOVE,
            Held::Untold => UNTOLD,
            Held::OthersAbove | Held::Others => OF_OTHERS,
        }
    }

    /// Whether words of it may be shown as the answer by themselves.
    pub(super) const fn is_held(self) -> bool {
        matches!(self, Held::Unasked | Held::Named | Held::Above)
    }
}

/// How plainly the date of a page says a year, against its title.
const OF_ITS_DATE: f64 = 0.5;

/// How plainly a page says by its date alone that it speaks of a year that was asked for.
pub(super) fn of_its_date(candidate: &Candidate<'_>, part: &Part, term: usize) -> f64 {
    let date = candidate.source.date.and_then(|date| date.get(..4)?.parse::<u32>().ok());
    let is_its = part.years.get(&term).is_some_and(|year| date == Some(*year));
    if is_its { OF_ITS_DATE } else { 0.0 }
}

/// From one year to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Period {
    from: u32,
    to: u32,
}

impl Period {
    const fn has(self, year: u32) -> bool {
        self.from <= year && year <= self.to
    }
}

/// The year that a word is, if it may be one.
pub(super) fn year(word: &str) -> Option<u32> {
    let year = word.parse::<u32>().ok().filter(|_| words::is_year(word))?;
    (1000..2200).contains(&year).then_some(year)
}

/// The year that a row of a table is of, where its first cell says one.
pub(super) fn of_row(text: &str) -> Option<u32> {
    let first = words::cells(text).next().filter(|_| words::has_cells(text));
    first.and_then(|first| year(first.trim()))
}

/// A clause of a sentence, up to a word.
struct Clause {
    end: usize,
    /// Whether a year that was asked for is among those that it names; none where it names none.
    is_of_asked: Option<bool>,
    /// Whether its years stand at its head, and hold for what follows: `in 2019 …`.
    is_led: bool,
}

impl Clause {
    fn of(words: &[String], end: usize, part: &Part) -> Clause {
        let periods = periods_of(words);
        let has = |year: &u32| periods.iter().any(|period| period.has(*year));
        let first = words.iter().position(|word| year(word).is_some());
        let leads =
            |word: &String| words::is_stop_word(word) || is_of_date(word) || word == "since";
        let before = first.and_then(|first| words.get(..first)).unwrap_or_default();
        Clause {
            end,
            is_of_asked: (!periods.is_empty()).then(|| part.years.values().any(has)),
            is_led: before.iter().all(leads),
        }
    }
}

/// Of the figures of a sentence those whose clause is of a year that was asked for: `310,000 in 2024; in 2019 there were
/// 355,000`. A clause that names no year is of the one that leads to it.
pub(super) fn of_asked(text: &str, mut spans: Vec<Span>, part: &Part) -> Vec<Span> {
    if part.years.is_empty() || !part.kind.is_figure() || words::has_cells(text) {
        return spans;
    }
    let (words, pieces) = contrasts::pieces(text);
    let (mut clauses, mut from) = (Vec::new(), 0);
    for piece in pieces.chunk_by(usize::eq) {
        let end = from + piece.len();
        let own = words.get(from..end).unwrap_or_default();
        clauses.push(Clause::of(own, end, part));
        from = end;
    }
    spans.retain(|span| {
        let own = clauses.iter().position(|clause| span.words.start < clause.end);
        let so_far = own.and_then(|own| clauses.get(..=own)).unwrap_or_default();
        let told = so_far.iter().rev().enumerate().find_map(|(back, clause)| {
            let is_of_asked = clause.is_of_asked?;
            (back == 0 || clause.is_led || is_of_asked).then_some(is_of_asked)
        });
        told.unwrap_or(true)
    });
    spans
}

/// The years that a text names: `from 2022` goes on, and `2011 to 2025` has all between.
fn periods(text: &str) -> Vec<Period> {
    periods_of(&words::words(text))
}

fn periods_of(all: &[String]) -> Vec<Period> {
    let word = |at: usize| all.get(at).map(String::as_str).unwrap_or_default();
    let measures = |word: &str| {
        [Dimension::Length, Dimension::Weight, Dimension::Money].iter().any(|it| it.has_unit(word))
    };
    let mut periods: Vec<Period> = Vec::new();
    // The word behind the last year.
    let mut behind_last: Option<usize> = None;
    for at in 0..all.len() {
        let Some(year) = year(word(at)).filter(|_| !measures(word(at + 1))) else { continue };
        let mut lead = at;
        while lead.checked_sub(1).is_some_and(|before| is_of_date(word(before))) {
            lead -= 1;
        }
        let lead = lead.checked_sub(1);
        let ends = matches!(lead.map(word), Some("to" | "till" | "until"));
        let is_open = |last: &&mut Period| last.to == u32::MAX || behind_last == lead;
        if ends && let Some(last) = periods.last_mut().filter(is_open) {
            last.to = year;
        } else {
            let (from, to) = match lead.map(word) {
                Some("till" | "until" | "before") => (0, year),
                Some("from" | "since" | "after") => (year, u32::MAX),
                _ => (year, year),
            };
            periods.push(Period { from, to });
        }
        behind_last = Some(at + 1);
    }
    periods
}

/// Whether a word, lower case, may stand before a year as a part of its date.
fn is_of_date(word: &str) -> bool {
    let is_day = !word.is_empty() && word.len() <= 2 && word.bytes().all(|it| it.is_ascii_digit());
    is_day || lexicon::is_month(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_holds_for_the_years_that_it_names() {
        for (text, years, others) in [
            ("The school had 214 pupils in 2021.", &[2021][..], &[2020, 2025][..]),
            ("From January 2022 a household pays 18.4 cents.", &[2022, 2026], &[2021]),
            ("Since 1 July 2022 there has been no toll.", &[2023], &[2016]),
            ("From 1894 to 2005 it had a fog signal.", &[1894, 1950, 2005], &[1893, 2006]),
            ("School roll, 2011 to 2025", &[2011, 2019, 2025], &[2010, 2026]),
            ("It is open until 2028.", &[2027], &[2029]),
            ("From 1 March to 31 August 2025 it sails.", &[2025], &[2027]),
            ("It weighs 1200 tonnes and has 1,900 seats.", &[], &[1200, 1900]),
        ] {
            let periods = periods(text);
            let has = |year: &u32| periods.iter().any(|period| period.has(*year));
            assert!(years.iter().all(has), "{text}");
            assert!(!others.iter().any(has), "{text}");
        }
    }

    #[test]
    fn a_row_is_of_the_year_of_its_first_cell() {
        assert_eq!(of_row("2024\t2,720\t221"), Some(2024));
        assert_eq!(of_row("2024 | 2,720"), Some(2024));
        assert_eq!(of_row("2024 was warm."), None);
        assert_eq!(of_row("Adult\t2024"), None);
    }
}
