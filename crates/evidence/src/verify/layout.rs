//! Whether what stands together in a claim stands together in the passage.
//!
//! A wrong name or number is often found somewhere in a window all the same. What tells is that it does not
//! stand beside the words that it stands beside in the claim.

use super::claim::{Claim, Step};
use super::index::Index;
use super::lexicon::Term;
use super::quantity::is_same;
use super::window::Window;
use std::collections::BTreeMap;

/// Tokens between two words that still are near each other.
const NEAR: usize = 6;
/// Tokens between a name or number and its neighbour in the claim.
const BESIDE: usize = 10;
/// The same for a date or a number, which may stand at either end of its sentence.
const IN_SENTENCE: usize = 30;
/// Tokens between the parts of a name.
const IN_NAME: usize = 3;

/// Places of one word that are looked at: a window has three sentences.
const MOST_PLACES: usize = 32;

/// Where the parts of a claim stand in a window, in tokens.
pub struct Layout<'l> {
    claim: &'l Claim,
    /// By step of the claim.
    places: Vec<Vec<usize>>,
    /// By term of the window.
    terms: BTreeMap<Term, Vec<usize>>,
    index: &'l Index,
}

impl<'l> Layout<'l> {
    pub fn new(claim: &'l Claim, window: &Window, index: &'l Index) -> Self {
        let sentences = index.sentences(window.sentences.clone());
        let mut terms: BTreeMap<Term, Vec<usize>> = BTreeMap::new();
        let mut quantities = Vec::new();
        let mut dates = Vec::new();
        let mut first = 0;
        for sentence in sentences {
            for (at, term) in sentence.terms.iter().enumerate() {
                let places = terms.entry(*term).or_default();
                if places.len() < MOST_PLACES {
                    places.push(first + at);
                }
            }
            quantities.extend(sentence.figures.quantities.iter().map(|it| (first + it.at, it)));
            dates.extend(sentence.figures.dates.iter().map(|it| (first + it.at, it)));
            // Sentences are near each other only at their ends.
            first += sentence.terms.len() + NEAR / 2;
        }
        let place = |step: &Step| match step {
            Step::Word(at) => {
                let root = claim.words.get(*at).map(|word| word.root.as_str());
                let term = root.and_then(|root| index.term(root));
                term.and_then(|term| terms.get(&term)).cloned().unwrap_or_default()
            }
            Step::Quantity(at) => {
                let value = claim.figures.quantities.get(*at).map_or(f64::NAN, |it| it.value);
                let years = dates.iter().filter(|(_, date)| {
                    let parts = [date.year, date.day].into_iter().flatten();
                    parts.map(f64::from).any(|part| is_same(part, value))
                });
                let same = quantities.iter().filter(|(_, other)| is_same(other.value, value));
                let mut places: Vec<usize> =
                    same.map(|(at, _)| *at).chain(years.map(|(at, _)| *at)).collect();
                places.sort_unstable();
                places.truncate(MOST_PLACES);
                places
            }
            Step::Date(at) => {
                let date = claim.figures.dates.get(*at);
                let same =
                    dates.iter().filter(|(_, other)| date.is_some_and(|it| it.is_within(other)));
                same.map(|(at, _)| *at).take(MOST_PLACES).collect()
            }
        };
        let places = claim.steps.iter().map(place).collect();
        Layout { claim, places, terms, index }
    }

    fn of(&self, step: usize) -> &[usize] {
        self.places.get(step).map_or(&[], Vec::as_slice)
    }

    /// The share of neighbouring words that stand near each other, in this order. What stands in the
    /// title, or under another form, has no place and says nothing.
    pub fn nearness(&self, window: &Window) -> f64 {
        let excused = |step: usize| match self.claim.steps.get(step) {
            Some(Step::Word(at)) => window.has.get(*at).copied().unwrap_or_default(),
            _ => true,
        };
        let (mut pairs, mut near) = (0_u32, 0_u32);
        for left in 0..self.places.len().saturating_sub(1) {
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
    fn is_beside(&self, places: &[usize], step: usize) -> bool {
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
        let behind = (step..self.places.len()).find(|at| !joined(*at)).map(|last| last + 1);
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
        let (one, other) = (self.of(step), self.of(step + 1));
        is_one && !one.is_empty() && !other.is_empty() && !follows(one, other, IN_NAME)
    }

    /// Whether an opposite of a step's word stands where the word should stand.
    pub fn is_opposed(&self, step: usize) -> bool {
        let Some(Step::Word(at)) = self.claim.steps.get(step) else { return false };
        let Some(word) = self.claim.words.get(*at) else { return false };
        let places = self.of(step);
        let is_there = !places.is_empty() && self.is_close(places, step);
        !is_there
            && self.index.opposites(&word.root).any(|other| {
                self.terms
                    .get(&other)
                    .is_some_and(|other| places.is_empty() || self.is_close(other, step))
            })
    }

    /// Whether these places are near those of a neighbour of a step in the claim.
    fn is_close(&self, places: &[usize], step: usize) -> bool {
        let neighbours = [step.checked_sub(1), Some(step + 1)];
        neighbours.into_iter().flatten().any(|at| is_near(places, self.of(at), NEAR / 2))
    }
}

/// Whether something of the second follows something of the first within so many tokens.
fn follows(one: &[usize], other: &[usize], within: usize) -> bool {
    one.iter().any(|place| {
        let next = other.partition_point(|other| other <= place);
        other.get(next).is_some_and(|other| other - place <= within)
    })
}

fn is_near(one: &[usize], other: &[usize], within: usize) -> bool {
    follows(one, other, within) || follows(other, one, within)
}
