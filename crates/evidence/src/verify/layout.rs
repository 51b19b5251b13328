//! Whether what stands together in a claim stands together in the passage.
//!
//! A wrong name or number is often found somewhere in a window all the same. What tells is that it does not
//! stand beside the words that it stands beside in the claim.

use super::claim::{Claim, Step};
use super::date::Date;
use super::index::{Index, Sentence};
use super::lexicon::Term;
use super::quantity::{Figures, Quantity, is_same};
use super::window::{Sought, Window};
use super::{roles, voice};
use quarry_types::order;
use std::ops::Range;

/// Tokens between two words that still are near each other.
const NEAR: usize = 6;
/// Tokens between a name or number and its neighbour in the claim.
const BESIDE: usize = 10;
/// The same for a date or a number, which may stand at either end of its sentence.
const IN_SENTENCE: usize = 30;
/// Tokens between the parts of a name.
const IN_NAME: usize = 3;
/// Tokens between a verb and whom it is said of.
const IN_CLAUSE: usize = 20;
/// What stands before the one who does, in a passive.
const BY: &str = "by";

/// Places of one word that are looked at: a window has three sentences.
const MOST_PLACES: usize = 32;

/// Where something stands in a window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    /// By tokens.
    at: usize,
    /// The same without what stands in brackets.
    room: usize,
}

/// Where the parts of a claim stand in a window, in tokens.
pub struct Layout<'l> {
    claim: &'l Claim,
    index: &'l Index,
    sought: &'l Sought<'l>,
    /// By step of the claim: which of the places are its own.
    steps: Vec<Range<usize>>,
    spread: Spread,
}

/// What a window has, and where.
#[derive(Default)]
struct Spread {
    /// The places of terms, those of one in a row and in order; behind them those of figures.
    places: Vec<Place>,
    /// The terms of these places, in order.
    terms: Vec<Term>,
}

/// Where numbers and dates stand.
#[derive(Default)]
struct Placed<'s> {
    quantities: Vec<(Place, &'s Quantity)>,
    dates: Vec<(Place, &'s Date)>,
}

impl Spread {
    fn new<'s>(sentences: &'s [Sentence]) -> (Self, Placed<'s>) {
        let mut placed = Placed::default();
        let mut found: Vec<(Term, Place)> = Vec::new();
        let (mut first, mut room) = (0, 0);
        for sentence in sentences {
            let place = |at: usize| {
                let within = sentence.places.get(at).map_or(at, |place| *place as usize);
                Place { at: first + at, room: room + within }
            };
            found.extend(sentence.terms.iter().zip(0..).map(|(term, at)| (*term, place(at))));
            let Figures { quantities, dates } = &sentence.figures;
            placed.quantities.extend(quantities.iter().map(|it| (place(it.at), it)));
            placed.dates.extend(dates.iter().map(|it| (place(it.at), it)));
            first += sentence.terms.len();
            // Sentences are near each other only at their ends.
            room += sentence.places.last().map_or(0, |last| *last as usize + 1) + NEAR / 2;
        }
        order::sort_by(&mut found, Ord::cmp);
        let (terms, places) = found.into_iter().unzip();
        (Spread { places, terms }, placed)
    }

    /// Which places are those of a term.
    fn of_term(&self, term: Term) -> Range<usize> {
        let start = self.terms.partition_point(|other| *other < term);
        let rest = self.terms.get(start..).unwrap_or_default();
        let count = rest.iter().take(MOST_PLACES).take_while(|other| **other == term).count();
        start..start + count
    }

    /// The places of a term.
    fn places(&self, term: Term) -> &[Place] {
        self.places.get(self.of_term(term)).unwrap_or_default()
    }

    /// Adds places of a figure.
    fn add(&mut self, places: impl IntoIterator<Item = Place>) -> Range<usize> {
        let start = self.places.len();
        self.places.extend(places);
        start..self.places.len()
    }
}

impl Placed<'_> {
    /// Where a number stands, or the date that it is of.
    fn quantity(&self, quantity: &Quantity) -> Vec<Place> {
        let is_it = |date: &Date| {
            let is_day = |day: u32| is_same(f64::from(day), quantity.value);
            date.year.is_some_and(|year| quantity.has_year(year)) || date.day.is_some_and(is_day)
        };
        let dates = self.dates.iter().filter(|(_, date)| is_it(date)).map(|(at, _)| *at);
        let same = self.quantities.iter().filter(|(_, other)| quantity.has_value(other));
        let mut places: Vec<Place> = same.map(|(at, _)| *at).chain(dates).collect();
        order::sort_by(&mut places, Ord::cmp);
        places.truncate(MOST_PLACES);
        places
    }

    /// Where a date stands.
    fn date(&self, date: &Date) -> impl Iterator<Item = Place> {
        let same = self.dates.iter().filter(|(_, other)| date.is_within(other));
        same.map(|(at, _)| *at).take(MOST_PLACES)
    }
}

impl<'l> Layout<'l> {
    pub fn new(sought: &'l Sought<'l>, window: &Window) -> Self {
        let Sought { claim, index, terms, .. } = sought;
        let (mut spread, placed) = Spread::new(index.sentences(window.sentences.clone()));
        let Figures { quantities, dates } = &claim.figures;
        let place = |step: &Step| match step {
            Step::Word(at) => terms.get(*at).copied().flatten().map(|term| spread.of_term(term)),
            Step::Quantity(at) => quantities.get(*at).map(|it| spread.add(placed.quantity(it))),
            Step::Date(at) => dates.get(*at).map(|it| spread.add(placed.date(it))),
        };
        let steps = claim.steps.iter().map(place).map(Option::unwrap_or_default).collect();
        Layout { claim, index, sought, steps, spread }
    }

    fn of(&self, step: usize) -> &[Place] {
        let places = self.steps.get(step).and_then(|step| self.spread.places.get(step.clone()));
        places.unwrap_or_default()
    }

    /// The share of neighbouring words that stand near each other, in this order. What stands in the
    /// title, or under another form, has no place and says nothing.
    pub fn nearness(&self, window: &Window) -> f64 {
        let excused = |step: usize| match self.claim.steps.get(step) {
            Some(Step::Word(at)) => window.has.get(*at).copied().unwrap_or_default(),
            _ => true,
        };
        let (mut pairs, mut near) = (0_u32, 0_u32);
        for left in 0..self.steps.len().saturating_sub(1) {
            let (one, other) = (self.of(left), self.of(left + 1));
            if (one.is_empty() && excused(left)) || (other.is_empty() && excused(left + 1)) {
                continue;
            }
            pairs += 1;
            near += u32::from(follows(one, other, NEAR));
        }
        if pairs == 0 { 1.0 } else { f64::from(near) / f64::from(pairs) }
    }

    /// Whether these places are beside those of a neighbour of a step in the claim. Yes, where no
    /// neighbour has a place.
    fn is_beside(&self, places: &[Place], step: usize) -> bool {
        let within = match self.claim.steps.get(step) {
            Some(Step::Word(_)) | None => BESIDE,
            Some(Step::Quantity(_) | Step::Date(_)) => IN_SENTENCE,
        };
        let neighbours = self.neighbours(step).into_iter().flatten();
        let mut neighbours =
            neighbours.map(|at| self.of(at)).filter(|at| !at.is_empty()).peekable();
        neighbours.peek().is_none() || neighbours.any(|other| is_near(places, other, within))
    }

    /// The steps before and behind a step in the claim; parts of one name are one.
    fn neighbours(&self, step: usize) -> [Option<usize>; 2] {
        let joined = |at: usize| self.claim.joined.get(at).copied().unwrap_or_default();
        let before = (0..step).rev().find(|at| !joined(*at));
        let behind = (step..self.steps.len()).find(|at| !joined(*at)).map(|last| last + 1);
        [before, behind]
    }

    /// Whether a step is there, but not beside its neighbours.
    pub fn is_displaced(&self, step: usize) -> bool {
        let places = self.of(step);
        !places.is_empty() && !self.is_beside(places, step)
    }

    /// Whether two parts of one name are both there, but apart.
    pub fn breaks_name(&self, step: usize) -> bool {
        let (Some(Step::Word(one)), Some(Step::Word(other))) =
            (self.claim.steps.get(step), self.claim.steps.get(step + 1))
        else {
            return false;
        };
        let words = self.claim.words.get(*one).zip(self.claim.words.get(*other));
        let is_one = words.is_some_and(|(one, other)| one.is_name && other.is_name)
            && self.claim.joined.get(step).copied().unwrap_or_default();
        // A letter is a word of many texts: it belongs to a name that it stands behind.
        let is_letter = words.is_some_and(|(_, other)| other.root.len() == 1);
        let within = if is_letter { 1 } else { IN_NAME };
        let (one, other) = (self.of(step), self.of(step + 1));
        is_one && !one.is_empty() && !other.is_empty() && !follows(one, other, within)
    }

    /// Whether two names of the claim have changed places: what stands between them there stands between
    /// them here, but the other way round. A passive turns names round, and means the same.
    pub fn swaps_names(&self) -> bool {
        let names = self.names();
        names.iter().zip(names.iter().skip(1)).any(|(one, other)| {
            let by = self.has_by(one.end..other.start);
            let (left, right) = (self.of(one.start), self.of(other.start));
            (one.end..other.start).filter(|step| !self.is_spoken(*step)).any(|step| {
                let middle = self.of(step);
                let stands = |one: &[Place], other: &[Place], within: usize| {
                    middle.iter().any(|it| self.stands_between(*it, one, other, by, within))
                };
                !stands(left, right, IN_CLAUSE)
                    && stands(right, left, IN_CLAUSE)
                    && !(self.is_either_way(step) && stands(right, left, IN_NAME))
            })
        })
    }

    /// Whether a step is a verb whose speaker may stand at either side.
    fn is_spoken(&self, step: usize) -> bool {
        self.claim.at.get(step).is_some_and(|at| voice::is_spoken(self.claim, *at))
    }

    /// Whether a step is a verb that says the same of both.
    fn is_either_way(&self, step: usize) -> bool {
        let Some(Step::Word(at)) = self.claim.steps.get(step) else { return false };
        self.claim.words.get(*at).is_some_and(|word| roles::is_either_way(&word.root))
    }

    /// The names of the claim that are here, as steps.
    fn names(&self) -> Vec<Range<usize>> {
        let is_name = |step: usize| match self.claim.steps.get(step) {
            Some(Step::Word(at)) => {
                self.claim.words.get(*at).is_some_and(|word| word.is_name || word.may_be_name)
            }
            _ => false,
        };
        let mut names: Vec<Range<usize>> = Vec::new();
        for step in (0..self.steps.len()).filter(|step| is_name(*step)) {
            match names.last_mut() {
                Some(last) if last.end == step => last.end = step + 1,
                _ => names.push(step..step + 1),
            }
        }
        names.retain(|name| !self.of(name.start).is_empty());
        names
    }

    /// Whether "by" stands between these steps of the claim.
    fn has_by(&self, between: Range<usize>) -> bool {
        let token = |step: usize| self.claim.at.get(step).copied().unwrap_or_default();
        let tokens = self.claim.tokens.get(token(between.start)..token(between.end));
        tokens.is_some_and(|tokens| tokens.iter().any(|token| token.word == BY))
    }

    /// Whether a place has one of the first within so many tokens before it and one of the second behind it,
    /// with "by" before the latter or without.
    fn stands_between(
        &self,
        at: Place,
        one: &[Place],
        other: &[Place],
        with_by: bool,
        within: usize,
    ) -> bool {
        let by = self.index.term(BY).map_or(&[][..], |by| self.spread.places(by));
        let has_by = |until: &Place| {
            let next = by.partition_point(|by| by.at <= at.at);
            by.get(next).is_some_and(|by| by.at < until.at)
        };
        let is_behind = |it: &Place| it.at > at.at && it.room - at.room <= within;
        one.iter().any(|it| it.at < at.at && at.room - it.room <= within)
            && other.iter().any(|it| is_behind(it) && has_by(it) == with_by)
    }

    /// Whether an opposite of a step's word stands where the word should stand.
    pub fn is_opposed(&self, step: usize) -> bool {
        let Some(Step::Word(at)) = self.claim.steps.get(step) else { return false };
        let Some(word) = self.claim.words.get(*at) else { return false };
        let places = self.of(step);
        let is_there = !places.is_empty() && self.is_close(places, step);
        // What says both, as of who left to join others, opposes neither.
        let says = |other: Term| {
            self.claim.words.iter().any(|it| self.index.term(&it.root) == Some(other))
        };
        // What stands for it may stand there.
        let stand_ins = self.sought.others(*at).iter().map(|it| self.spread.places(*it));
        let has_other = places.is_empty()
            && stand_ins.filter(|it| !it.is_empty()).any(|it| self.is_close(it, step));
        let is_nowhere = places.is_empty() && !has_other;
        !is_there
            && self.index.opposites(&word.root).filter(|other| !says(*other)).any(|other| {
                let other = self.spread.places(other);
                !other.is_empty() && (is_nowhere || self.is_close(other, step))
            })
    }

    /// Whether these places are near those of a neighbour of a step in the claim.
    fn is_close(&self, places: &[Place], step: usize) -> bool {
        let neighbours = [step.checked_sub(1), Some(step + 1)];
        neighbours.into_iter().flatten().any(|at| is_near(places, self.of(at), NEAR / 2))
    }
}

/// Whether something of the second follows something of the first within so many tokens.
fn follows(one: &[Place], other: &[Place], within: usize) -> bool {
    one.iter().any(|place| {
        let next = other.partition_point(|other| other.at <= place.at);
        other.get(next).is_some_and(|other| other.room - place.room <= within)
    })
}

fn is_near(one: &[Place], other: &[Place], within: usize) -> bool {
    follows(one, other, within) || follows(other, one, within)
}
