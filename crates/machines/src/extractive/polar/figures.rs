//! What the numbers and dates of a clause decide.
//!
//! Border: a clause that says what was asked, and the limit that was asked for; yes, no or nothing out.

use super::asked::{Limit, Moment, Reading};
use super::clause::Sentence;
use quarry_evidence::verify::{Measure, Quantity, Unit, is_same};
use std::ops::Range;

/// How far off a number may be that is given as about so much.
const ROUGHLY: f64 = 0.2;

/// When something happened, as far as it is known: between these.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Span {
    pub first: Moment,
    pub last: Moment,
}

impl Span {
    /// Whether all of it is before all of another; none where they overlap or too little is known.
    pub(super) fn is_before(self, other: Span) -> Option<bool> {
        match (self.last.is_before(other.first), other.last.is_before(self.first)) {
            (Some(true), _) => Some(true),
            (_, Some(true)) => Some(false),
            _ => None,
        }
    }
}

/// When the clause says that it happened; none where it says a beginning or an end of something, or nothing.
pub(super) fn span(sentence: &Sentence<'_>, clause: &Range<usize>) -> Option<Span> {
    let dates = sentence.figures.dates.iter().map(|date| (date.at, Moment::of_date(date)));
    let years = sentence.figures.quantities.iter();
    let years = years.map(|it| (it.at, Moment::of_year(it).filter(|_| it.covers.is_none())));
    let here = dates.chain(years).filter(|(at, _)| clause.contains(at));
    let mut moments: Vec<Moment> = Vec::new();
    for (at, moment) in here {
        let Some(moment) = moment else { continue };
        let before = at.checked_sub(1).map_or("", |at| sentence.word(at));
        let is_end = matches!(
            before,
            "since" | "until" | "till" | "by" | "before" | "after" | "from" | "to" | "than" | "of"
        );
        if is_end {
            return None;
        }
        moments.push(moment);
    }
    Some(Span { first: *moments.iter().min()?, last: *moments.iter().max()? })
}

/// Whether what a clause says keeps to a limit, and the figure that tells, in bytes of the sentence.
pub(super) fn keeps(
    reading: &Reading,
    sentence: &Sentence<'_>,
    clause: &Range<usize>,
) -> Option<(bool, Range<usize>)> {
    match &reading.limit {
        Limit::Time { is_before, moment } => {
            let span = span(sentence, clause)?;
            let limit = Span { first: *moment, last: *moment };
            let is_earlier = span.is_before(limit)?;
            Some((is_earlier == *is_before, moments(sentence, clause)?))
        }
        Limit::Amount { is_more, or_equal, value, measure } => {
            let mut fitting = sentence.figures.quantities.iter().filter(|it| {
                clause.contains(&it.at)
                    && !it.is_vague
                    && counts_the_same(it, *measure, reading, sentence)
            });
            let quantity = fitting.next()?;
            if fitting.next().is_some() {
                return None;
            }
            let said = quantity.value * factor(quantity.measure) / factor(*measure);
            let asked = Asked { is_more: *is_more, or_equal: *or_equal };
            let keeps = compared(said, *value, &asked, roughly(sentence, quantity))?;
            // What is counted is shown with its number.
            let noun = usize::from(*measure == Measure::Plain);
            let end = quantity.at + quantity.length + quantity.unit + noun;
            Some((keeps, bytes(sentence, quantity.at..end)?))
        }
        Limit::None | Limit::When => None,
    }
}

/// The words from the first moment of a clause to the last.
pub(super) fn moments(sentence: &Sentence<'_>, clause: &Range<usize>) -> Option<Range<usize>> {
    let dates = sentence.figures.dates.iter().map(|it| it.at..it.at + it.length);
    let years = sentence.figures.quantities.iter().filter(|it| Moment::of_year(it).is_some());
    let years = years.map(|it| it.at..it.at + it.length);
    let here = || dates.clone().chain(years.clone()).filter(|it| clause.contains(&it.start));
    let from = here().map(|it| it.start).min()?;
    let to = here().map(|it| it.end).max()?;
    bytes(sentence, from..to)
}

fn bytes(sentence: &Sentence<'_>, tokens: Range<usize>) -> Option<Range<usize>> {
    let first = sentence.tokens.get(tokens.start)?;
    let last = sentence.tokens.get(tokens.end.checked_sub(1)?).or(sentence.tokens.last())?;
    Some(first.start..last.end.max(first.end))
}

struct Asked {
    is_more: bool,
    or_equal: bool,
}

/// How a number is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Roughly {
    Exactly,
    About,
    AtLeast,
    AtMost,
}

fn roughly(sentence: &Sentence<'_>, quantity: &Quantity) -> Roughly {
    let word = |back: usize| quantity.at.checked_sub(back).map_or("", |at| sentence.word(at));
    match (word(2), word(1)) {
        (_, "about" | "around" | "roughly" | "approximately" | "circa" | "some") => Roughly::About,
        ("more", "than") | ("at", "least") | (_, "over" | "above") => Roughly::AtLeast,
        ("less" | "fewer", "than") | ("at", "most") | ("up", "to") => Roughly::AtMost,
        (_, "under" | "below" | "than" | "to" | "between" | "and") => Roughly::About,
        _ => Roughly::Exactly,
    }
}

fn compared(said: f64, limit: f64, asked: &Asked, roughly: Roughly) -> Option<bool> {
    let is_equal = is_same(said, limit);
    let is_above = said > limit && !is_equal;
    match roughly {
        Roughly::Exactly if is_equal => Some(asked.or_equal),
        Roughly::Exactly => Some(is_above == asked.is_more),
        Roughly::About => {
            let is_far = (said - limit).abs() > ROUGHLY * limit.abs();
            is_far.then_some(is_above == asked.is_more)
        }
        Roughly::AtLeast => (is_above || is_equal).then_some(asked.is_more),
        Roughly::AtMost => (!is_above).then_some(!asked.is_more),
    }
}

/// Whether a number measures what the limit measures, or counts what the question names.
fn counts_the_same(
    quantity: &Quantity,
    measure: Measure,
    reading: &Reading,
    sentence: &Sentence<'_>,
) -> bool {
    match (quantity.measure, measure) {
        (Measure::Of(one), Measure::Of(other)) => {
            let kinds = kind(one).zip(kind(other));
            one == other || kinds.is_some_and(|((one, _), (other, _))| one == other)
        }
        (Measure::Plain, Measure::Plain) => {
            let noun = sentence.root(quantity.at + quantity.length);
            let is_year = Moment::of_year(quantity).is_some();
            !is_year && !noun.is_empty() && reading.has(noun)
        }
        _ => false,
    }
}

/// What a unit measures and how much of it, where units of one kind are often mixed.
fn kind(unit: Unit) -> Option<(char, f64)> {
    let (kind, factor) = match unit {
        Unit::Millimetre => ('l', 0.001),
        Unit::Centimetre => ('l', 0.01),
        Unit::Metre => ('l', 1.0),
        Unit::Kilometre => ('l', 1_000.0),
        Unit::Gram => ('w', 0.001),
        Unit::Kilogram => ('w', 1.0),
        Unit::Tonne => ('w', 1_000.0),
        _ => return None,
    };
    Some((kind, factor))
}

fn factor(measure: Measure) -> f64 {
    match measure {
        Measure::Of(unit) => kind(unit).map_or(1.0, |(_, factor)| factor),
        _ => 1.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_decide_as_far_as_they_are_exact() {
        let more = Asked { is_more: true, or_equal: false };
        let less = Asked { is_more: false, or_equal: false };
        for (said, limit, asked, roughly, expected) in [
            (12.0, 10.0, &more, Roughly::Exactly, Some(true)),
            (10.0, 10.0, &more, Roughly::Exactly, Some(false)),
            (10.0, 10.0, &Asked { is_more: true, or_equal: true }, Roughly::Exactly, Some(true)),
            (9.0, 10.0, &less, Roughly::Exactly, Some(true)),
            (11.0, 10.0, &more, Roughly::About, None),
            (20.0, 10.0, &more, Roughly::About, Some(true)),
            (9.0, 10.0, &more, Roughly::AtLeast, None),
            (12.0, 10.0, &less, Roughly::AtLeast, Some(false)),
            (9.0, 10.0, &more, Roughly::AtMost, Some(false)),
            (12.0, 10.0, &more, Roughly::AtMost, None),
        ] {
            assert_eq!(
                compared(said, limit, asked, roughly),
                expected,
                "{said} {limit} {roughly:?}"
            );
        }
    }

    #[test]
    fn a_clause_tells_when_unless_it_tells_an_end() {
        let when = |text: &str| {
            let sentence = Sentence::new(text);
            span(&sentence, &(0..sentence.tokens.len())).map(|it| (it.first.year, it.last.year))
        };
        assert_eq!(when("It was built between 1886 and 1888."), Some((1886, 1888)));
        assert_eq!(when("It was opened on 3 May 1901."), Some((1901, 1901)));
        assert_eq!(when("It has been open since 1901."), None);
        assert_eq!(when("It was opened."), None);
    }
}
